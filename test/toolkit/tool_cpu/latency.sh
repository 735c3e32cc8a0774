# lat.d, plat.d: two programs that share one CPU wait for it.
. "$suite/toolkit.sh"
need_probe sched:::on-cpu
cp "$triggers/burn" waiter	# a name that no other test has
cpu=$(cut -d- -f1 /sys/devices/system/cpu/online | cut -d, -f1)
cat > two.sh <<'Y'
taskset -c $1 ./waiter user 300 &
taskset -c $1 ./waiter user 300 &
wait
Y
# they take turns of milliseconds
tool plat.d -n waiter -- sh two.sh $cpu | awk '/ \(ns\)/ { name = $1 } /\|/ && $1 >= 524288 { sum[name] += $NF } END { for (name in sum) print name, (sum[name] >= 2) }'
tool lat.d -- sh two.sh $cpu | awk -v cpu=$cpu '/CPU/ { at = $2 } /\|/ && $1 >= 524288 && at == cpu { sum += $NF } END { print (sum >= 2) }'
