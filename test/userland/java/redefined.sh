# A class that is traced and gets other bytecode from another agent, again and again: its
# probes go on, results are those of the new code, and afterwards it is the new class as
# its author wrote it.
. "$suite/java.sh"
start_java Work
mkdir new
sed 's/return n + 1;/int more = n * 2; return more + 100;/' "$test/Work.java" > new/Work.java
javac -d new new/Work.java || exit 1
redefine() {
	jcmd $target JVMTI.agent_load "$triggers/redefine.so" "Work:$1" > redefined 2>&1
	grep -q 'return code: 0' redefined || cat redefined
}
rm -f out
"$dtrace" -qn '
java$target:Work:step:entry { @n["entry"] = count(); }
java$target:Work:step:return { @n["return"] = count(); @r[arg1 >= 100 ? "new" : "old"] = count(); @max = max(arg1); }
tick-10ms /!armed++/ { printf("armed\n"); }' -p $target > out 2>&1 3>&- &
tracer=$!
await out armed
say "run 2 10" steps
redefine ""
say "run 2 10" steps
redefine "$PWD/new/Work.class"
say "run 2 10" steps
redefine ""
say "run 2 10" steps
# Others may do it while threads are in it.
say "spin 2" spinning
for _ in 1 2 3 4 5; do
	redefine "$PWD/new/Work.class"
done
say alive alive
say stop stopped
kill -INT $tracer
wait $tracer
# two threads may be inside of step() when tracing ends
sed 's/  */ /g' out | awk '/^ old/ { print } /^ new/ { print $1, ($2 > 1000 ? "many" : $2) } /^ (entry|return)/ { n[$1] = $2 }
	END { d = n["entry"] - n["return"]; print d >= -2 && d <= 2 ? "as many returns" : n["entry"] " entries, " n["return"] " returns" }'
sed '/^steps/d' said
read_bytecode Work after
exec 3>&-
cp new/*.class .
start_java Work
# redefinition changes their order
sort Work.lengths > expected
sort after | cmp expected - && echo "it is the new class"
