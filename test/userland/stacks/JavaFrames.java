// SPDX-License-Identifier: Apache-2.0
// Comes to one place, mark(), by many ways.  There it asks the system for a file that
// is not there, which is what is traced, and keeps what Java says of its own stack.
// Each way is gone once by interpreted code, and after many rehearsals, with another
// file, by compiled code with methods inlined.  On standard output: the stacks.
import java.io.File;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

public class JavaFrames {
    static final File QUIET = new File("/is/not/there/quiet"), TRACED = new File("/is/not/there/traced");
    static File file = QUIET;
    static Throwable last;

    static int mark() {
        last = new Throwable();
        return file.length() > 0 ? 1 : 0;
    }

    interface Way { int go(int n) throws Exception; }

    static int small(int n) { return mark() + n; }
    static int middle(int n) { return small(n + 1) * 2; }
    static int inlined(int n) {
        return middle(n) + 3;
    }

    static int deep(int n) {
        return n == 0 ? mark() : deep(n - 1) + 1;
    }

    static int thrower(int n) {
        if (n > 0)
            return thrower(n - 1) + 1;
        throw new IllegalStateException("expected");
    }
    static int caught(int n) {
        try {
            return thrower(3);
        } catch (IllegalStateException e) {
            return mark();
        } finally {
            n++;
        }
    }

    static abstract class Shape { abstract int area(int n); }
    static class Square extends Shape { int area(int n) { return mark() + n; } }
    static class Circle extends Shape { int area(int n) { return mark() - n; } }
    static final Shape[] SHAPES = { new Square(), new Circle(), new Square() { int area(int n) { return mark(); } } };
    static int virtual(int n) {
        return SHAPES[n % 3].area(n);
    }

    static class Made {
        final int value;
        Made(int n) {
            value = mark() + n;
        }
    }
    static int constructed(int n) {
        return new Made(n).value;
    }

    static synchronized int locked(int n) {
        synchronized (SHAPES) {
            return mark();
        }
    }

    static int lambda(int n) throws Exception {
        Callable<Integer> c = () -> mark() + n;
        return c.call();
    }

    static int sorted(int n) {
        return IntStream.range(0, 3).map(i -> i == 1 ? mark() : 0).sum();
    }

    static int target(int n) { return mark(); }
    static Method method;
    static int reflected(int n) throws Exception {
        return (Integer) method.invoke(null, n);
    }

    static int many(int a, long b, double c, int d, int e, int f, int g, int h, int i) {
        return mark() + a + (int) b + (int) c + d + e + f + g + h + i;
    }
    static int arguments(int n) {
        return many(1, 2, 3.0, 4, 5, 6, 7, n, 9);
    }

    static int looped(int n) {
        int sum = 0;
        for (int i = 0; i < 10; i++)
            sum += i * n;
        return sum + mark();
    }

    static class Named {
        final String name;
        final Way way;
        Named(String name, Way way) { this.name = name; this.way = way; }
    }
    static final List<Named> WAYS = List.of(
        new Named("inlined", JavaFrames::inlined), new Named("deep", n -> deep(40)),
        new Named("caught", JavaFrames::caught), new Named("virtual", JavaFrames::virtual),
        new Named("constructed", JavaFrames::constructed), new Named("locked", JavaFrames::locked),
        new Named("lambda", JavaFrames::lambda), new Named("sorted", JavaFrames::sorted),
        new Named("reflected", JavaFrames::reflected), new Named("arguments", JavaFrames::arguments),
        new Named("looped", JavaFrames::looped));

    static void goAll() throws Exception {
        for (Named way : WAYS) {
            file = TRACED;
            way.way.go(1);
            file = QUIET;
            StackTraceElement[] frames = last.getStackTrace();
            for (int i = 1; i < frames.length; i++)
                System.out.println(frames[i].getClassName() + "." + frames[i].getMethodName() +
                    (frames[i].getLineNumber() > 0 ? "(" + frames[i].getFileName() + ":" + frames[i].getLineNumber() + ")" : ""));
            System.out.println("--");
        }
    }

    public static void main(String[] a) throws Exception {
        method = JavaFrames.class.getDeclaredMethod("target", int.class);
        if (a.length > 0) {
            System.err.println("ready");
            System.in.read();
        }
        goAll();
        int sum = 0;
        for (int i = 0; i < 6000; i++)
            for (Named way : WAYS)
                sum += way.way.go(i);
        goAll();
        Thread thread = new Thread(() -> { try { goAll(); } catch (Exception e) { System.out.println(e); } });
        thread.start();
        thread.join();
        System.out.println("rehearsed " + (sum != 0));
    }
}
