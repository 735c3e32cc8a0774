# uoncpu.d, koncpu.d, uoffcpu.d, koffcpu.d: stacks with a CPU by samples, stacks without by time.
. "$suite/toolkit.sh"
need_probe sched:::on-cpu
look() { "$dtrace" -s "$suite/../toolkit/$1" -c "$2" | sed 's/+0x[0-9a-f]*//'; }
echo "on a CPU, in the program"
look uoncpu.d "$triggers/burn user 300" > all
awk '/on-cpu/ { stack = "" } /`/ { stack = stack " " $1 } /^ [0-9]+$/ { sum[stack ~ /burn`burn_here burn`main/] += $1 }
	END { print (sum[1] >= 10 ? "enough" : sum[1]), (sum[1] > 4 * sum[0] ? "mostly there" : sum[1] " and " sum[0]) }' all
echo "in the kernel"
look koncpu.d "$triggers/burn kernel 300" > all
awk '/on-cpu/ { stack = "" } /`/ { stack = stack " " $1 } /^ [0-9]+$/ { sum[stack ~ /sys_getrandom/] += $1 }
	END { print (sum[1] >= 10 ? "enough" : sum[1]), (sum[1] > 4 * sum[0] ? "mostly there" : sum[1] " and " sum[0]) }' all
echo "off, in the program: 5 naps of 20 ms, 3 polls of 30 ms"
away() { awk '/off-cpu/ { stack = "" } /`/ { stack = stack " " $1 } /\|/ && $1 >= 1048576 { sum[stack ~ nap ? "naps" : stack ~ /poll/ ? "polls" : "others"] += $NF }
	END { print (sum["naps"] >= 5 ? "naps" : sum["naps"] " naps"), (sum["polls"] >= 3 ? "polls" : sum["polls"] " polls") }' nap="$1" all; }
look uoffcpu.d "$triggers/napper" > all
away nanosleep.*napper.main
echo "in the kernel"
look koffcpu.d "$triggers/napper" > all
away do_nanosleep
echo "by name"
tool uoffcpu.d napper -- "$triggers/napper" | sed 's/+0x[0-9a-f]*//' > all
away nanosleep.*napper.main
tool uoncpu.d nosuch -- "$triggers/napper"
