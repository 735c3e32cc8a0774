# Metrics of Java, Python and Ruby programs report what these do.
# @timeout: 300
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/metrics.sh"
need_speed "a Java virtual machine"
command -v javac > /dev/null || skip "no Java compiler is installed"
command -v ruby > /dev/null || skip "no Ruby is installed"
cat > Work.java <<'Y'
public class Work {
    static synchronized void hold() throws Exception { Thread.sleep(20); }
    public static void main(String[] a) throws Exception {
        System.out.println("ready");
        for (int n = 0;; n++) {
            Thread[] pair = new Thread[2];
            for (int i = 0; i < 2; i++) {
                pair[i] = new Thread(() -> { try { hold(); } catch (Exception e) { } });
                pair[i].start();
            }
            for (Thread t : pair) t.join();
            System.gc();
            // a class that was not there yet, and methods to compile
            ClassLoader loader = new ClassLoader() {
                public Class<?> loadClass(String name) throws ClassNotFoundException {
                    if (!name.equals("Small")) return super.loadClass(name);
                    try (var in = Work.class.getResourceAsStream("Small.class")) {
                        byte[] b = in.readAllBytes();
                        return defineClass(name, b, 0, b.length);
                    } catch (java.io.IOException e) { throw new ClassNotFoundException(name); }
                }
            };
            loader.loadClass("Small").getMethod("run").invoke(null);
        }
    }
}
Y
cat > Small.java <<'Y'
public class Small {
    public static long run() { long s = 0; for (int i = 0; i < 200000; i++) s += add(s, i); return s; }
    static long add(long a, long b) { return a ^ b; }
}
Y
javac Work.java Small.java || exit 1
java -XX:+ExtendedDTraceProbes -XX:+UseSerialGC -cp . Work > java.out 2>&1 &
java=$!
cat > work.rb <<'Y'
class Thing; def initialize; @x = 1; end; def touch; @x += 1; end; end
puts "ready"; STDOUT.flush
loop do
  Thing.new.touch
  begin; raise ArgumentError, "no"; rescue ArgumentError; end
  GC.start
end
Y
ruby work.rb > ruby.out 2>&1 &
ruby=$!
mkdir there
/usr/bin/python3 "$test/load.py" there > rounds 2>&1 &
python=$!
trap 'kill -9 $java $ruby $python; wait 2> /dev/null' EXIT
await java.out ready
await ruby.out ready
await rounds round
have() { metric metrics | awk -v module="$1" '$2 == "yes" && index($1, module ".") == 1 { print $1 }'; }
for module in java ruby python; do
	eval "pid=\$$module"
	metric metrics --check | grep "^$module\."
	# shellcheck disable=SC2046
	observe --pid $pid 'sleep 3' $(have $module)
done
