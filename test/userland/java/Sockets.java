import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Connects to itself and writes, once for each line that it reads. */
public class Sockets {
	static void sends(OutputStream out) throws Exception {
		out.write("hello".getBytes());
		out.write(new byte[100], 10, 20);
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		InetAddress here = InetAddress.getLoopbackAddress();

		System.out.println("ready");
		while (in.readLine() != null)
			try (ServerSocket server = new ServerSocket(0, 1, here);
			     Socket client = new Socket(here, server.getLocalPort());
			     Socket peer = server.accept()) {
				sends(client.getOutputStream());
				System.out.println("sent " + peer.getInputStream().readNBytes(25).length);
			}
	}
}
