# Utilization: a CPU on which a program never stops is busy all the time, also if it ran before
# it was watched; so is a disk that is always written to.  Neither is busier than that.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
need_speed "a measurement of time"
# watch METRIC THING LEAST: its share of three seconds, in hundredths
watch() {
	metric program "$1" > program.d
	"$dtrace" -qs program.d -n 'BEGIN { was = timestamp; } tick-3s { exit(0); }
		END { printf("elapsed %d\n", timestamp - was); }' > out 2>&1
	awk -v thing="$2" -v least="$3" '$1 == "elapsed" { elapsed = $2 } $1 == thing { busy = $2 }
		END { share = 100 * busy / elapsed; print (share >= least && share <= 101) ? "busy" : share "%" }' out
}
taskset -c 0 "$triggers/burn" user 60000 > used &
burn=$!
await_exec $burn "$triggers/burn"
echo "CPU 0:"
watch cpu.utilization 0 90
kill $burn
wait $burn 2> /dev/null
own_disk 64M
"$triggers/diskhog" $loop 4 32 &
hog=$!
await_exec $hog "$triggers/diskhog"
echo "the disk:"
watch disk.utilization $disk 70
kill $hog
wait $hog 2> /dev/null
:
