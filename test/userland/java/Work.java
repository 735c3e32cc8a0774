import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts its own calls, in many threads, and loads classes. */
public class Work {
	static final LongAdder steps = new LongAdder(), loads = new LongAdder();
	static volatile boolean stop;
	static byte[] bytes;

	/** Loaded again and again. */
	public static class Part {
		public static int run(int n) {
			int sum = 0;

			for (int i = 0; i < n; i++)
				sum += once(i);
			return sum;
		}

		static int once(int n) { return n * 3; }
	}

	static class Loader extends ClassLoader {
		Loader() { super(null); }
		Class<?> make() { return defineClass(null, bytes, 0, bytes.length); }
	}

	static int step(int n) {
		steps.increment();
		return n + 1;
	}

	static long spin(long n) {
		for (int i = 0; i < 20; i++)
			n += step(i);
		return n;
	}

	static void load() throws Exception {
		new Loader().make().getMethod("run", int.class).invoke(null, 3);
		loads.increment();
	}

	static Thread start(Runnable what) {
		Thread thread = new Thread(what);

		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	/** THREADS and N: each of the threads steps N times. */
	static void run(int threads, int n) throws Exception {
		List<Thread> all = new ArrayList<>();

		for (int i = 0; i < threads; i++)
			all.add(start(() -> {
				for (int k = 0; k < n; k++)
					step(k);
			}));
		for (Thread thread : all)
			thread.join();
		System.out.println("steps " + steps.sum());
	}

	public static void main(String[] args) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

		try (InputStream file = Work.class.getResourceAsStream("Work$Part.class")) {
			bytes = file.readAllBytes();
		}
		System.out.println("ready");
		for (String line; (line = in.readLine()) != null;) {
			String[] words = line.split(" ");
			int n = words.length > 1 ? Integer.parseInt(words[1]) : 0;

			switch (words[0]) {
			case "run":
				run(n, Integer.parseInt(words[2]));
				break;
			case "load":
				for (int i = 0; i < n; i++)
					load();
				System.out.println("loads " + loads.sum());
				break;
			case "both":	// threads step while classes are loaded
				Thread other = start(() -> {
					try {
						run(20, n);
					} catch (Exception e) {
						System.out.println(e);
					}
				});

				for (int i = 0; i < 30; i++)
					load();
				other.join();
				System.out.println("both " + loads.sum());
				break;
			case "spin":
				stop = false;
				for (int i = 0; i < n; i++)
					start(() -> {
						long x = 0;

						while (!stop)
							x = spin(x);
					});
				System.out.println("spinning");
				break;
			case "alive":	// the threads still step
				long before = steps.sum();

				while (steps.sum() < before + 1000)
					Thread.sleep(1);
				System.out.println("alive");
				break;
			case "stop":
				stop = true;
				System.out.println("stopped");
			}
		}
	}
}
