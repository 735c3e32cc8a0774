# cpuwalk.d: a program that may use one CPU is found there only.
. "$suite/toolkit.sh"
cp "$triggers/burn" walker	# a name that no other test has
for cpu in $(tr ',-' '  ' < /sys/devices/system/cpu/online | awk '{ print $1, $NF }'); do
	tool cpuwalk.d -n walker -- taskset -c $cpu ./walker user 200 | awk -v cpu=$cpu '
		/CMD/ { print $3, $4 } /\|/ && $NF > 0 { print ($1 == cpu ? "there" : "on " $1) }'
done | sort -u
"$dtrace" -s "$suite/../toolkit/cpuwalk.d" -n nosuch 1 | grep .
