#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the live page costs: browsers on one page, instrumentations at 1 Hz.

    live.py DTLIVE [--clients 50] [--instrumentations 20] [--seconds 20] [--marks 10]
            [--no-browser] [--markdown FILE]

One client is a real browser, the others read the stream of events.  Printed are, for the time
of the measurement: the share of a CPU that the server and the monitor took, and, apart from
it, all workers (the time in probes is nobody's here); resident memory of the server; what all
clients got; and how long it takes from an event to its column at a client, and to the picture of
the browser that shows it. For the latter, marked events are made at known times: a file is opened
whose name was not seen before. Exits with 1 when a goal is missed.
"""
import argparse, json, os, selectors, socket, subprocess, sys, tempfile, time, urllib.request

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CPU_GOAL, DELAY_GOAL = 0.5, 1500        # of a CPU; milliseconds
MARK = "syscall::openat:entry /pid == %d && strstr(copyinstr(arg1), \"dtlive-mark\") != NULL/ { @[basename(copyinstr(arg1))] = count(); }"
PROGRAM = "syscall::%s:entry { self->t = timestamp; } syscall::%s:return /self->t/ { @[execname] = quantize(timestamp - self->t); self->t = 0; }"
CALLS = ["read", "write", "openat", "close", "poll", "futex", "mmap", "munmap", "brk", "lseek"]


def cpu_time(pid):
    with open(f"/proc/{pid}/stat") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


class Live:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.base, self.token = self.url.split("/?token=")
        self.port = int(self.base.rsplit(":", 1)[1])

    def ask(self, path, body=None):
        request = urllib.request.Request(self.base + "/api/1" + path, json.dumps(body).encode() if body else None,
                                         {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def listen(self):
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(f"GET /api/1/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode())
        return client


class Clients:
    """They read events; the first one notes what comes when."""

    def __init__(self, live, count):
        self.selector, self.tail, self.total = selectors.DefaultSelector(), b"", 0
        self.delays, self.marks = [], {}
        self.all = [live.listen() for _ in range(count)]
        for client in self.all:
            client.setblocking(False)
            self.selector.register(client, selectors.EVENT_READ)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for key, _ in self.selector.select(left):
                data = key.fileobj.recv(1 << 20)
                self.total += len(data)
                if not data:
                    raise SystemExit("a client was sent away")
                if key.fileobj is self.all[0]:
                    self.note(data)

    def note(self, data):
        now = time.time() * 1000
        self.tail += data
        while b"\n\n" in self.tail:
            event, self.tail = self.tail.split(b"\n\n", 1)
            if b"event: column" not in event:
                continue
            t = int(event.split(b'"column":{"t":')[1].split(b",")[0])
            self.delays.append(now - t - 1000)
            for word in event.split(b"dtlive-mark-")[1:]:
                self.marks.setdefault(int(word.split(b'"')[0]), now)


# In the browser: when did a frame have the name for the first time?
WATCH = """window.marks = {};
    const look = () => {
        for (const { textContent } of document.querySelectorAll("main th"))
            window.marks[textContent.replace("dtlive-mark-", "")] ??= Date.now();
        requestAnimationFrame(look);
    };
    look();"""


def marked(clients, count, browser):
    """Milliseconds from a marked event to the first client, and to the browser's picture."""
    made = {}
    for i in range(count):
        clients.read(1.37)      # at any time of an interval
        made[i] = time.time() * 1000
        try:
            os.close(os.open(f"/dtlive-mark-{i}", os.O_RDONLY))
        except FileNotFoundError:
            pass
    clients.read(3)
    seen = {int(i): t for i, t in browser.run("return window.marks").items() if i.isdigit()} if browser else {}
    return [[marks[i] - t for i, t in made.items() if i in marks] for marks in (clients.marks, seen)]


def middle(values):
    return f"median {sorted(values)[len(values) // 2]:.0f} ms, most {max(values):.0f} ms" if values else "none"


def measure(live, options, browser):
    for i in range(options.instrumentations - 1):
        call = CALLS[i % len(CALLS)]
        live.ask("/instrumentations", {"program": PROGRAM % (call, call)})
    marks = live.ask("/instrumentations", {"program": MARK % os.getpid(), "title": "marks"})["id"]
    while any(one["state"] == "starting" for one in live.ask("/instrumentations")["instrumentations"]):
        time.sleep(0.2)
    while live.ask("/metrics")["checking"]:
        time.sleep(0.5)
    if browser:
        browser.driver.get(live.url)
    clients = Clients(live, options.clients - bool(browser))
    pids = children(live.process.pid)
    server = next(pid for pid in pids if os.stat(f"/proc/{pid}").st_uid)
    workers = [pid for pid in pids if pid != server]
    clients.read(5)
    before, begin = {pid: cpu_time(pid) for pid in [*pids, live.process.pid]}, time.monotonic()
    clients.total, clients.delays = 0, []
    clients.read(options.seconds)
    spent = time.monotonic() - begin
    share = {pid: (cpu_time(pid) - then) / spent for pid, then in before.items()}
    ours, theirs = share[server] + share[live.process.pid], sum(share[pid] for pid in workers)
    total, delays = clients.total, clients.delays
    status = live.ask("/status")
    if browser:     # only what is in sight is drawn
        browser.go(f"{live.base}/#large={marks}&blocks={marks}.0%3Dview%253Dtable")
        browser.run(WATCH)
    arrived, seen = marked(clients, options.marks, browser)
    rows = [("server and monitor", f"{100 * ours:.1f} % of a CPU", f"≤ {100 * CPU_GOAL:.0f} %", ours <= CPU_GOAL),
            ("workers, all together", f"{100 * theirs:.1f} % of a CPU", "", None),
            ("resident memory of the server", f"{resident(server) / 1e6:.1f} MB, of them {status['memory']['used'] / 1e6:.1f} MB data", "", None),
            ("sent to all clients", f"{total / spent / 1e6:.2f} MB/s", "", None),
            ("a column at a client, after its second", middle(delays), "", None),
            ("from an event to a client", middle(arrived), f"≤ {DELAY_GOAL} ms", len(arrived) == options.marks and max(arrived) <= DELAY_GOAL)]
    if browser:
        rows.append(("from an event to a picture", middle(seen), f"≤ {DELAY_GOAL} ms", len(seen) == options.marks and max(seen) <= DELAY_GOAL))
    return [f"{options.clients} clients{', one of them a browser' if browser else ''}, {options.instrumentations} instrumentations, {spent:.0f} s; "
            f"{os.cpu_count()} CPUs, load {os.getloadavg()[0] / os.cpu_count():.1f} for each CPU.", "",
            "| what | measured | goal | holds |", "|---|---|---|---|",
            *[f"| {what} | {value} | {goal} | {'' if holds is None else 'yes' if holds else '**no**'} |" for what, value, goal, holds in rows]], \
        all(holds is not False for *_, holds in rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dtlive")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--instrumentations", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--marks", type=int, default=10)
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--markdown")
    options = parser.parse_args()
    live = Live(options.dtlive)
    load = subprocess.Popen(["sh", "-c", "while :; do for i in 1 2 3 4 5; do /bin/true; cat /etc/passwd > /dev/null; done; sleep 0.05; done"])
    browser, directory = None, tempfile.TemporaryDirectory()
    try:
        if not options.no_browser:
            sys.path.insert(0, os.path.join(TOP, "test/page"))
            from browser import Browser
            browser = Browser(directory.name)
        lines, is_good = measure(live, options, browser)
    finally:
        if browser:
            browser.driver.quit()
        load.kill()
        load.wait()
        live.process.terminate()
        live.process.wait()
    print(*lines, sep="\n")
    if options.markdown:
        with open(options.markdown, "w") as file:
            print(*lines, sep="\n", file=file)
    return not is_good


if __name__ == "__main__":
    sys.exit(main())
