import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.BitSet;
import java.util.Vector;

/** Uses the class library: as many calls as it says. */
public class Library {
	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		BitSet bits = new BitSet(8);
		Vector<Integer> vector = new Vector<>();

		System.out.println("ready");
		for (int flips = 0, adds = 0; in.readLine() != null;) {
			for (int i = 0; i < 1000; i++, flips++)
				bits.flip(i % 8);
			for (int i = 0; i < 300; i++, adds++)
				vector.addElement(i);
			System.out.println("done flips " + flips + " adds " + adds);
		}
	}
}
