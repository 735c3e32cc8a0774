# procsystime: counts are exact, CPU time is not more than elapsed time, totals add up.
. "$suite/toolkit.sh"
cat > calls.py <<'Y'
import os, time
for _ in range(200): os.getppid()
time.sleep(0.2)
Y
name_of_its_own python3
tool procsystime -aTn $me -- ./$me calls.py > out
unnamed python3 < out | grep -E 'for processes|SYSCALL'
awk '/Elapsed/ { what = "elapsed" } /CPU Times/ { what = "cpu" } /Counts/ { what = "counts" }
	$2 ~ /^[0-9]+$/ { if ($1 == "TOTAL:") total[what] = $2; else { time[what, $1] = $2; sum[what] += $2 } }
	END {
		print "getppid", time["counts", "getppid"]
		print "sleeps", time["counts", "clock_nanosleep"]
		print "elapsed time has the sleep:", (time["elapsed", "clock_nanosleep"] >= 2e8)
		cpu = time["cpu", "clock_nanosleep"]
		print "CPU time has not:", (cpu > 0 && cpu < time["elapsed", "clock_nanosleep"] - 1e8)
		for (w in sum) if (sum[w] != total[w]) print w, "sum", sum[w], "total", total[w]
	}' out
echo "a command"
"$dtrace" -c 'dd if=/dev/zero of=/dev/null bs=1 count=30 status=none' -s "$suite/../toolkit/procsystime" -c |
	awk '$1 == "write" { print } /SYSCALL/ { print $1, $2 }'
