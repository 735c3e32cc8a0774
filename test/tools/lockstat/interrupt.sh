# lockstat -I: where the time is spent, by interrupts.
lockstat=$(dirname "$dtrace")/lockstat
n=100000 rate=997
[ "$again" ] && n=20000 rate=97
busy='i=0; while [ $i -lt '$n' ]; do i=$((i+1)); read x < /dev/null; done'
"$lockstat" -I -kW -i $rate sh -c "$busy" > out
sed -n 's/: [1-9][0-9]* events in [0-9.]* seconds.*/: events/p; /^Count/p' out
grep -qE '^ *[0-9]+ +[0-9]+% +[0-9]+% 1\.00 +[0-9]+ cpu\[[0-9]+\] +[^+]+$' out && echo "a line"
grep -cE '^ *[0-9].*\(usermode\)$' out
