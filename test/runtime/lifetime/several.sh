# Several dtrace processes: each has its own BEGIN, END, variables and exit.
. "$suite/lib.sh"
for i in 1 2 3 4; do
	"$dtrace" -qn 'int n; BEGIN { n++; printf("begin %d\n", pid == $pid); } END { printf("end %d %d\n", n, pid == $pid); }
		tick-'$((i * 100))'ms { n++; exit('$i'); }' > out.$i 2>&1 &
	pids[i]=$!
done
for i in 1 2 3 4; do
	wait ${pids[i]}
	echo "status $?"
	cat out.$i
done
