#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a Java program does for a second of CPU time before, while and after its methods are traced.

    java_attach.py DTRACE [--attaches N]

Two threads call a method of 10 ns; a second program of the same kind is never traced and shows
how much the machine itself varies.  The loop that never ends is in a class of its own, as loops
of servers are (`other`), or in the class that is traced (`same`).
"""
import argparse, os, statistics, subprocess, tempfile, time

PROGRAM = """
import java.io.*;
public class Load {
    static volatile long sink;
    static class Step {
        static int step(int n) { int x = n; for (int i = 0; i < 8; i++) x = x * 31 + i; return x; }
        static long many(long n) { for (int i = 0; i < 1000; i++) n += step(i); return n; }
    }
    static class Loop extends Thread {
        volatile long turns;
        public void run() { long x = 0; for (;;) { x = WHERE.many(x); sink = x; turns++; } }
        static int step(int n) { int x = n; for (int i = 0; i < 8; i++) x = x * 31 + i; return x; }
        static long many(long n) { for (int i = 0; i < 1000; i++) n += step(i); return n; }
    }
    public static void main(String[] args) throws Exception {
        Loop[] loops = { new Loop(), new Loop() };
        for (Loop loop : loops) { loop.setDaemon(true); loop.start(); }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        while (in.readLine() != null) System.out.println(loops[0].turns + loops[1].turns);
    }
}
"""


class Program:
    def __init__(self, directory):
        self.java = subprocess.Popen(["java", "-cp", directory, "Load"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.before = self.look()

    def look(self):
        self.java.stdin.write("\n")
        self.java.stdin.flush()
        turns = int(self.java.stdout.readline())
        with open(f"/proc/{self.java.pid}/stat", encoding="utf-8") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return turns, (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def rate(self):
        """Turns for a second of CPU time since the last call."""
        now = self.look()
        turns, seconds = (a - b for a, b in zip(now, self.before))
        self.before = now
        return turns / max(seconds, 0.01)


def measure(dtrace, where, attaches):
    with tempfile.TemporaryDirectory() as directory:
        with open(f"{directory}/Load.java", "w", encoding="utf-8") as file:
            file.write(PROGRAM.replace("WHERE", "Step" if where == "other" else "Loop"))
        subprocess.run(["javac", "-d", directory, f"{directory}/Load.java"], check=True)
        traced, control = Program(directory), Program(directory)
        probe = f"java$target:Load?{'Step' if where == 'other' else 'Loop'}:step:entry {{ @ = count(); }} tick-200ms {{ exit(0); }}"
        time.sleep(5)
        traced.rate(), control.rate()
        time.sleep(3)
        before, control_before = traced.rate(), control.rate()
        after, control_after, during = [], [], []
        for _ in range(attaches):
            traced.rate()
            subprocess.run([dtrace, "-qn", probe, "-p", str(traced.java.pid)], stdout=subprocess.DEVNULL, check=True)
            during.append(traced.rate())
            time.sleep(1)   # compiled again
            traced.rate(), control.rate()
            time.sleep(0.5)
            after.append(traced.rate())
            control_after.append(control.rate())
        for program in (traced, control):
            program.java.kill()
        last = statistics.median(after[-10:])
        print(f"{where:6} class: after {attaches} attaches {100 * last / before:.0f} % (least {100 * min(after) / before:.0f} %); "
              f"untraced {100 * statistics.median(control_after[-10:]) / control_before:.0f} % (least {100 * min(control_after) / control_before:.0f} %); "
              f"while traced {100 * statistics.median(during) / before:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dtrace")
    parser.add_argument("--attaches", type=int, default=50)
    arguments = parser.parse_args()
    for where in ("other", "same"):
        measure(arguments.dtrace, where, arguments.attaches)


if __name__ == "__main__":
    main()
