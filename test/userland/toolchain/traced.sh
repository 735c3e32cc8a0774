# A project built with -h and -G is traced: the arguments, the text that only
# exists when somebody listens, in the program and in its library.
. "$suite/lib.sh"
make -s -f "$test/project/Makefile" DTRACE="$dtrace" LANGUAGE=c++ || exit 1
for program in myapp linked; do
	./$program 4 wait &
	target=$!
	await_ready $target
	"$dtrace" -ln "myapp$target:::" | awk 'NR > 1 { sub(/[0-9]+$/, "N", $2); print $2, $3, $4, $5 }'
	rm -f out
	"$dtrace" -qn 'myapp$1:::req-start { printf("start %d %s\n", arg0, copyinstr(arg1)); }
		myapp$1:::req-done { printf("%s: done %d %s %d\n", probefunc, arg0, copyinstr(arg1), arg2); }
		myapp$1:::idle { printf("idle\n"); exit(0); }
		tick-10ms /!armed++/ { printf("armed\n"); }' $target > out 2>&1 &
	tracer=$!
	await out armed
	kill -USR1 $target
	wait $target
	wait $tracer
	grep -v '^armed$' out
done
