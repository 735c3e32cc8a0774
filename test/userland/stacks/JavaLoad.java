// SPDX-License-Identifier: Apache-2.0
// A web service with its clients, and threads that compute, compress, sort, throw
// exceptions and collect garbage: what servers written in Java do.  Says "ready" when
// the service has answered; works until its standard input ends.
import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.*;

public class JavaLoad {
    static volatile long sink;
    static volatile boolean ends;

    static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

    static void compress() throws Exception {
        byte[] text = new byte[50000], packed = new byte[60000];
        for (int i = 0; i < text.length; i++)
            text[i] = (byte)(i * i >> 3);
        Deflater deflater = new Deflater();
        deflater.setInput(text);
        deflater.finish();
        int size = deflater.deflate(packed);
        deflater.end();
        Inflater inflater = new Inflater();
        inflater.setInput(packed, 0, size);
        sink += inflater.inflate(text);
        inflater.end();
    }

    static int thrower(int n) {
        if (n == 0)
            throw new IllegalStateException("expected");
        return thrower(n - 1) + 1;
    }
    static void catcher() {
        try {
            thrower(20);
        } catch (IllegalStateException e) {
            sink++;
        }
    }

    static void collections() {
        Map<String, Integer> map = new TreeMap<>(Comparator.reverseOrder());
        for (int i = 0; i < 500; i++)
            map.merge("key" + i % 50, 1, Integer::sum);
        sink += map.size();
        sink += IntStream.range(0, 500).mapToObj(Integer::toString).filter(s -> s.hashCode() % 3 != 0)
            .collect(Collectors.joining(",")).split(",").length;
        long[] numbers = new Random(1).longs(1000).toArray();
        Arrays.sort(numbers);
        sink += numbers[500] + new byte[20000].length;
    }

    interface Work { void go() throws Exception; }
    static void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            while (!ends)
                try {
                    work.go();
                } catch (Exception e) {
                    System.out.println(e);
                    return;
                }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    static void fetch(URL url) throws Exception {
        try (InputStream in = url.openConnection().getInputStream()) {
            sink += in.readAllBytes().length;
        }
    }

    public static void main(String[] a) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            catcher();
            byte[] body = exchange.getRequestHeaders().entrySet().stream().map(Object::toString)
                .sorted().collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.start();
        URL url = new URL("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        fetch(url);
        System.out.println("ready");
        for (int i = 0; i < 4; i++)
            start("client-" + i, () -> fetch(url));
        start("fibonacci", () -> sink += fibonacci(20));
        start("compress", JavaLoad::compress);
        start("catcher", JavaLoad::catcher);
        start("collections", JavaLoad::collections);
        while (System.in.read() >= 0)
            ;
        ends = true;
        server.stop(0);
        System.exit(0);
    }
}
