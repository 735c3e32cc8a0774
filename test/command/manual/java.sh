# The examples in the page of the java provider run, on a program that connects to nobody again and again.
# @timeout: 300
. "$suite/lib.sh"
command -v javac > /dev/null || skip "no Java compiler is installed"
need_speed "a Java virtual machine"
cat > Connects.java <<'J'
import java.net.InetSocketAddress;
import java.net.Socket;

public class Connects {
	public static void main(String[] words) throws Exception {
		System.out.println("ready");
		for (;; Thread.sleep(2))
			try (Socket socket = new Socket()) {
				socket.connect(new InetSocketAddress("127.0.0.1", 1));
			} catch (java.io.IOException refused) {
			}
	}
}
J
javac Connects.java || exit 1
java -cp . Connects > said 2>&1 &
target=$!
trap 'kill $target' EXIT
await said ready
"$suite/manual.py" "$dtrace" $target dtrace_java.4
