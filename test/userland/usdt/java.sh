# OpenJDK's probes: garbage collection, and every call of one method by its
# name, with -XX:+ExtendedDTraceProbes.
. "$suite/lib.sh"
command -v javac > /dev/null || skip "no Java compiler is installed"
need_speed "a Java virtual machine"
cat > Work.java <<'JAVA'
public class Work {
    static int step(int n) { return n + 1; }
    public static void main(String[] a) throws Exception {
        System.out.println("ready");
        System.in.read();
        int n = 0;
        for (int i = 0; i < 100; i++) n = step(n);
        System.gc();
        System.out.println("steps " + n);
    }
}
JAVA
javac Work.java || exit 1
mkfifo go
java -XX:+ExtendedDTraceProbes -XX:+UseSerialGC -cp . Work < go > said 2>&1 &
target=$!
exec 3> go
await said ready
"$dtrace" -ln "hotspot$target:::gc-begin" > listed 2>&1
grep -q gc-begin listed || skip "this Java was built without probes"
"$dtrace" -qn '
hotspot$target:::gc-begin { @n["gc-begin", arg0 ? "full" : "not full"] = count(); }
hotspot$target:::gc-end { @n["gc-end", ""] = count(); }
hotspot$target:::method-entry
/copyinstr(arg1, arg2) == "Work" && copyinstr(arg3, arg4) == "step"/
{ @n["calls", copyinstr(arg5, arg6)] = count(); self->in++; }
hotspot$target:::method-return /self->in/ { self->in--; @n["returns", copyinstr(arg3, arg4)] = count(); }
hotspot$target:::vm-shutdown { @n[probename, ""] = count(); }
tick-10ms /!armed++/ { printf("armed\n"); }' -p $target > out 2>&1 &
tracer=$!
await out armed
echo >&3
wait $tracer
cat said
grep -v -e armed -e '^$' out | sed 's/  */ /g; s/pid [0-9]*/pid N/'
