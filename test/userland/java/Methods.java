import java.io.BufferedReader;
import java.io.InputStreamReader;

/** A method of each kind, called once for each "go". */
public class Methods {
	interface Shape {
		double area(double scale);
		default String named(String s) { return s + "!"; }
	}

	static class Square implements Shape {
		final int side;

		Square(int side, String name) { this.side = side; }
		Square(String name) { this(name == null ? 1 : name.length(), name); }
		public double area(double scale) { return side * side * scale; }
	}

	static native void outside();

	static void numbers(boolean z, byte b, short s, char c, int i, long j) { }
	static long result(long j) { return j * 2; }
	static int negative(int i) { return -i; }
	static float half(float f) { return f / 2; }
	static double third(double d) { return d / 3; }
	static boolean even(int i) { return i % 2 == 0; }
	static String text(String a, Object o, String b) { return a == null ? null : a + b; }
	synchronized int guarded(int[] a) { return a.length; }
	static void twelve(int a, long b, int c, long d, int e, long f, int g, long h, int i, long j,
	    int k, long l) { }
	static int same(int n) { return n; }
	static int same(int n, int m) { return m; }

	static int choose(int n) {
		switch (n) {
		case 0: return 10;
		case 1: return 11;
		case 1000: return 12;
		}
		for (int i = 0;; i++) {
			if (i * i > n)
				return i;
			String s = i == 3 ? "three" : "other";
			try {
				if (s.length() == 5 && n == 7)
					throw new IllegalArgumentException(s);
			} catch (IllegalArgumentException e) {
				return -1;
			} finally {
				n--;
			}
		}
	}

	static void fails(int n) throws Exception {
		if (n > 0)
			fails(n - 1);
		throw new java.io.IOException("always");
	}

	static void go() {
		numbers(true, (byte)-1, (short)-2, 'x', -3, -4000000000L);
		result(1L << 40);
		negative(5);
		half(3);
		third(1.5);
		even(4);
		text("Gr\u00FC\u00DFe \uD83D\uDE00 ", null, "there");
		text(null, "object", "b");
		new Methods().guarded(new int[7]);
		twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
		same(1);
		same(2, 3);
		choose(0);
		choose(1000);
		choose(7);
		choose(40);
		Shape s = new Square("four");
		s.area(0.5);
		s.named("shape");
		try {
			fails(2);
		} catch (Exception e) {
			System.out.println("went");
		}
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

		System.out.println("ready");
		while (in.readLine() != null)
			go();
	}
}
