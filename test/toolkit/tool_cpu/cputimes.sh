# cputimes, cpudists: a program's time on a CPU is what it used; stays are counted.
. "$suite/toolkit.sh"
cp "$triggers/burn" timed	# a name that no other test has
begin=$(date +%s%N)
tool cputimes -a -- ./timed user 300 > all
end=$(date +%s%N)
awk -v used=$(cat command.out) -v most=$((end - begin)) '/THREADS/ { print $1, $2, $3 }
	$1 == "timed" { print $1, ($2 >= 0.8 * used ? "as much as it used" : $2 " of " used), ($2 <= most ? "" : "more than there is") }' all
echo "kinds"
tool cputimes 1 -- "$triggers/burn" user 1200 > all
awk -v used=$(cat command.out) '/IDLE|KERNEL|PROCESS/ { sum[$1] += $2 }
	!/IDLE|KERNEL|PROCESS|THREADS|^Tracing/ { print "what: " $0 }
	END { print (sum["PROCESS"] >= 0.9 * used ? "processes" : sum["PROCESS"] " of " used), (sum["KERNEL"] > 0 ? "kernel" : "") }' all
echo "the most"
"$dtrace" -s "$suite/../toolkit/cputimes" -a -t 1 1 1 | grep -c '[0-9]$'
echo "stays on a CPU"
tool cpudists -a -- taskset -c 0 "$triggers/pingpong" 100 | awk '
	/ \(ns\)/ { name = $1 } /\|/ { sum[name] += $NF }
	END { print (sum["ping"] >= 100 ? "ping" : sum["ping"]), (sum["pong"] >= 100 ? "pong" : sum["pong"]) }'
echo "kinds"
tool cpudists 100 -- true | grep -o 'PROCESS (ns)'
