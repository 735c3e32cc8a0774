# Instructions by their offset: one, all, and what is wrong with others.
. "$suite/lib.sh"
"$triggers/functions" 3 &
target=$!
await_ready $target
objdump -d --no-show-raw-insn --disassemble=greet "$triggers/functions" |
	sed -n 's/^ *\([0-9a-f]*\):\t.*/\1/p' > starts
first=$(head -1 starts)
while read -r at; do
	printf '%x\n' $((0x$at - 0x$first))
done < starts | sort > wanted
"$dtrace" -ln 'pid$1:a.out:greet:' $target | awk '$4 == "greet" { print $5 }' |
	grep -v -e entry -e return | sort > got
diff wanted got && echo "every instruction, no other"
second=$(sed -n 2p starts)
second=$(printf '%x' $((0x$second - 0x$first)))
for name in "$second" 1000 1; do
	"$dtrace" -xerrtags -ln "pid$target:a.out:factorial:$name" 2>&1 |
		grep -o '\[D_PROC[A-Z_]*\].*' | sed 's/^.*\] //'
done
"$dtrace" -qn "pid$target::greet:$second { @[probename != \"entry\"] = count(); }
	pid$target::greet:0 { @b = count(); }
	tick-10ms /!armed/ { armed = 1; printf(\"armed\\n\"); }" -p $target > out 2>&1 &
tracer=$!
await out armed
kill -USR1 $target
wait $target
wait $tracer
grep -o '[0-9].*' out
