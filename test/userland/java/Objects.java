import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Methods of objects, and with objects, called once for each "go". */
public class Objects {
	static class Base {
		static int made;
		private final String name;
		boolean isOpen = true;
		Base(String name) { this.name = name; made++; }
	}

	static class Order extends Base {
		byte b = -1;
		char c = 'x', line = '\n';
		short s = -2;
		int count;
		long id = 1L << 40;
		float f = 1.5f;
		double price = 0.1;
		int[] amounts = { 3, 4 };
		Order next;
		Object[] many = new Object[2];

		Order(String name, int count, Order next) {
			super(name);
			this.count = count;
			this.next = next;
		}

		int total(int factor) { return count * factor; }
		Order follow() { return next; }
		void fail() { throw new IllegalStateException("order " + count); }
		/** Must never run: it would be seen. */
		@Override public String toString() { System.out.println("toString() ran"); return ""; }
		@Override public int hashCode() { System.out.println("hashCode() ran"); return 0; }
	}

	static class Wide {
		int f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
		    f21, f22, f23, f24, f25, f26;
		String text = "a text that is too long to be shown here as a whole \u00fc\u00fc\u00fc\u00fc";
	}

	static int take(Order order, Object other, int n) { return n; }
	static void arrays(int[] numbers, String[] texts, double[][] grid) { }
	static void wide(Wide wide, Object text) { }
	static void eleven(Object a, int b, Object c, long d, Object e, int f, Object g, int h, Object i, Object j) { }
	void many(Object a, Object b, Object c, Object d, Object e, Object f, Object g, Object h, Object i, Object j) { }

	static void go() {
		Order first = new Order("first \u00fc", 7, null), second = new Order("second", 8, first);

		take(second, null, 5);
		take(first, Integer.valueOf(42), 6);
		arrays(new int[] { 1, -2, 3 }, new String[] { "one", null }, new double[2][3]);
		wide(new Wide(), "as an object");
		second.total(3);
		second.follow();
		first.follow();
		new Objects().many(1, 2, 3, 4, 5, 6, 7, 8, "nine", first);
		try {
			second.fail();
		} catch (IllegalStateException e) {
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
