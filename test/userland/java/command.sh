# -c: a Java program from its beginning.  The class that is named has its types before any of
# it runs, also its initializer; classes that match a glob and are loaded later miss no call.
# A command that is no virtual machine, and one that ends at once, are told.
. "$suite/java.sh"
cat > Begins.java <<'J'
public class Begins {
	static int calls, started = start(7);

	static class Late {
		static int run(int n) { calls++; return n + 1; }
	}

	static int start(int n) { calls++; return n; }
	static String step(String text, int n) { calls++; return text + n; }

	public static void main(String[] args) {
		int n = 0;

		for (int i = 0; i < 100; i++)
			step("text ", i);
		for (int i = 0; i < 50; i++)
			n = Late.run(n);
		System.out.println(calls + " calls of " + args[0]);
	}
}
J
javac Begins.java || exit 1
run='java -XX:TieredStopAtLevel=1 -cp .'
"$dtrace" -qn '
java$target:Begins:start:entry { printf("start %d\n", args[0]); }
java$target:Begins:step:entry { @n = count(); @last = max(args[1]); @texts[args[0]] = count(); }
java$target:Begins:step:return /args[1] == "text 42"/ { printf("%s\n", args[1]); }' -c "$run Begins one" 2>&1 | LC_ALL=C sort
"$dtrace" -Zqn 'java$target:Begins*::entry { @[probemod, probefunc] = count(); }' -c "$run Begins two" 2>&1 | sed 's/  */ /g'
"$dtrace" -Zqn 'java$target:Begins?Late::entry { @[probefunc] = count(); }' -c "sh -c 'exec $run Begins three'" 2>&1 | sed 's/  */ /g'
for command in "$run NoSuchClass" "$run Begins four" /bin/true; do
	"$dtrace" -qn 'java$target:Begins:absent:entry { }' -c "$command" 2>&1 | sed -E 's/java[0-9]+/javaPID/; s/process [0-9]+/process PID/; s/\^~*$/^/'
done
[ -z "$(ps -o args= --ppid $$ | grep "[B]egins")" ] && echo "none is left"
