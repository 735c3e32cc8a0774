#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Heat maps of real runs in a real browser: a locked database, a program that another one blocks, threads that take turns.

    test/page/heat_traced_test.py [CASE...]
    HEAT_SECONDS=60 test/page/heat_traced_test.py test_a_lock_in_postgresql

What is true comes from the traced programs: how many waited, when they did.
"""
import os, signal, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import TOP, ActionChains, By, Keys, equal, main, wait
from heat_data import colour, place, read
from postgresql import PostgreSQL

SECONDS = int(os.environ.get("HEAT_SECONDS", "12"))
DTRACE, TRIGGERS = f"{TOP}/build/dtrace", f"{TOP}/build/triggers"


def show(browser, path, fragment=""):
    browser.go(f"file://{path}{fragment}")


def act(browser, name, text):
    """The button of a key, by the key's name."""
    browser.run("""
        for (const row of document.querySelectorAll('.keys tbody tr'))
            if (row.querySelector('th').textContent === arguments[1])
                row.querySelector(`[data-act=${arguments[0]}]`).click();""", name, text)


def keys_in_selection(browser):
    """{key: count in the selection}, of those that have any."""
    rows = [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in browser.driver.find_elements(By.CSS_SELECTOR, ".keys tbody tr")]
    return {name: int(here.split(" ")[0].replace(",", "")) for name, _, here, *_ in rows if here}


def drag(browser, begin, end):
    actions = ActionChains(browser.driver)
    pointer = actions.w3c_actions.pointer_action
    pointer.move_to_location(*map(round, begin))
    pointer.pointer_down()
    pointer.move_to_location(*map(round, end))
    pointer.pointer_up()
    actions.perform()


# ---------------------------------------------------------------- PostgreSQL

class Session:
    """One that keeps its transaction open."""

    def __init__(self, server):
        self.process = subprocess.Popen(["psql", "-h", server.data, "-U", "bench", "-d", "postgres", "-qAt"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, statement):
        self.process.stdin.write(statement + "\n")
        return self.process.stdout.readline().strip()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


CLIENTS, LOCKED = 6, SECONDS / 3       # how many wait, for how many seconds at least
UPDATE, SELECT = "UPDATE accounts SET n = n + 1 WHERE id = 1;", "SELECT count(*) FROM others;"
LATENCY = """
    postgresql*:::query-start { self->t = timestamp; self->q = copyinstr(arg0); }
    postgresql*:::query-done /self->t/ { @[self->q] = quantize(timestamp - self->t); self->t = 0; }
    tick-10ms /!armed++/ { printf("armed\\n"); }"""


def trace_with_lock(server, path):
    """When the table was locked, and for how many queries; their times are in the file."""
    server.ask("CREATE TABLE accounts AS SELECT 1 AS id, 0 AS n; CREATE TABLE others AS SELECT 1")
    scripts = []
    for number, statement in enumerate((UPDATE, SELECT)):
        scripts.append(f"{server.data}/script{number}.sql")
        with open(scripts[-1], "w") as file:
            file.write(statement + "\n")
        os.chmod(scripts[-1], 0o644)
    os.chmod(server.data, 0o755)
    tracer = subprocess.Popen([DTRACE, "-q", "-x", f"heatmap={path}", "-x", "unit=ns", "-x", "title=PostgreSQL queries", "-n", LATENCY],
                              stdout=subprocess.PIPE, text=True)
    equal(tracer.stdout.readline(), "armed\n")
    load = [server.start("pgbench", "-n", "-c", str(clients), "-R", "100", "-T", "3600", "-f", script)
            for script, clients in zip(scripts, (CLIENTS, 2))]
    try:
        time.sleep(SECONDS / 4)
        locker = Session(server)
        begin = float(locker.ask("BEGIN; LOCK TABLE accounts; SELECT extract(epoch FROM clock_timestamp());"))
        wait(lambda: server.ask("SELECT count(*) FROM pg_locks WHERE NOT granted") == str(CLIENTS))
        time.sleep(LOCKED)
        end = float(locker.ask("SELECT extract(epoch FROM clock_timestamp()); COMMIT;"))
        time.sleep(SECONDS / 6)
        pulses = max(3, SECONDS // 8)
        for _ in range(pulses):             # short ones, each of which makes all wait for half a second
            locker.ask("BEGIN; LOCK TABLE accounts; SELECT pg_sleep(0.6); COMMIT; SELECT 1;")
        locker.close()
        time.sleep(SECONDS / 6)
    finally:
        for process in load:
            process.terminate()
            process.wait()
    tracer.send_signal(signal.SIGINT)
    tracer.communicate()
    return begin, end, pulses


def test_a_lock_in_postgresql(browser):
    path = os.path.join(browser.directory, "queries.html")
    server = PostgreSQL()
    try:
        begin, end, pulses = trace_with_lock(server, path)
    finally:
        server.stop()
    (map,) = read(path)
    rows, columns = len(map["rows"]), map["columns"]
    updates = [(column, row, count) for column, row, (query,), count in map["cells"] if query == UPDATE]
    # those that waited for the lock: all clients, and nobody else was as slow
    slow = [(column, row, count) for column, row, count in updates if int(map["rows"][row][1] or 1 << 62) >= LOCKED * 1e9]
    equal(sum(count for _, _, count in slow), CLIENTS)
    # while the table was locked no update ended; the others went on
    inside = range(int(begin - map["start"] / 1000) + 1, int(end - map["start"] / 1000))
    busy = {column for column, _, _ in updates}
    gap = [column for column in inside if column not in busy]
    assert len(gap) >= len(inside) / 2, (inside, sorted(busy))
    assert min(busy) < gap[0] and max(busy) > gap[-1]
    others = sum(count for column, _, (query,), count in map["cells"] if query == SELECT and column in inside)
    assert others > 10, others
    # the short locks: a band at half a second
    band = [(column, row, count) for column, row, count in updates if int(map["rows"][row][1] or 0) > 500000000 and column > gap[-1]]
    assert len({column for column, _, _ in band}) >= 2 and sum(count for _, _, count in band) >= pulses, band

    show(browser, path)
    browser.picture("heat_postgresql")
    at = [place(browser, column, row, columns, rows) for column, row, _ in slow]
    browser.click(*at[0])
    queries = keys_in_selection(browser)
    equal(list(queries), [UPDATE])
    equal(browser.text(".details").split("\n")[2], f"{slow[0][2]} events")
    browser.picture("heat_postgresql_cell")
    # the whole band, as a rectangle: only updates were that slow
    drag(browser, place(browser, gap[-1], min(row for _, row, _ in band), columns, rows), place(browser, columns - 1, rows - 1, columns, rows))
    queries = keys_in_selection(browser)
    assert queries[UPDATE] >= CLIENTS, queries
    # the gap: only updates, and where the fast ones were is paper
    act(browser, "only", UPDATE)
    fast = max(updates, key=lambda cell: cell[2] if cell[0] < gap[0] else 0)
    middle = gap[len(gap) // 2]
    paper = colour(browser, *place(browser, middle, rows - 1, columns, rows))
    equal(colour(browser, *place(browser, middle, fast[1], columns, rows)), paper)
    x, y = place(browser, fast[0], fast[1], columns, rows)
    assert colour(browser, x + 3, y + 4) != paper
    browser.picture("heat_postgresql_gap")


# ------------------------------------------------------- offsets in a second

def offsets(browser, *arguments):
    """A map of offsets, the times that its program printed, and its cells by key."""
    path = os.path.join(browser.directory, "offsets.html")
    printed = subprocess.run([f"{TOP}/build/dtoffset", *arguments, "-o", path], capture_output=True, text=True, check=True).stdout
    (map,) = read(path)
    return path, map, printed


def test_a_white_gap_that_another_program_fills(browser):
    path, map, printed = offsets(browser, "-c", f"{TRIGGERS}/gap 3")
    columns, rows = map["columns"], len(map["rows"])
    gaps = [[int(word) for word in line.split()] for line in printed.splitlines()]
    equal(len(gaps), 3)

    def begin(column, row):
        return int(map["start"]) * 10**6 + column * 10**9 + int(map["rows"][row][0])
    filled = [(column, row) for column, row, (name,), _ in map["cells"] if name == "gap-blocker" and
              any(first <= begin(column, row) and begin(column, row) + 20000000 <= last for first, last in gaps)]
    assert len(filled) > 10, filled
    show(browser, path)
    browser.picture("offset_gap_all")
    paper = colour(browser, *place(browser, columns - 1, rows - 1, columns, rows)) if (columns - 1, rows - 1) not in {
        cell[:2] for cell in map["cells"]} else None
    # the worker alone: nothing in any of these cells
    act(browser, "only", "gap-worker")
    browser.picture("offset_gap_worker")
    white = {colour(browser, *place(browser, column, row, columns, rows)) for column, row in filled}
    equal(len(white), 1)
    assert paper is None or white == {paper}, (white, paper)
    # the other one instead: every one of them is filled
    act(browser, "only", "gap-worker")
    act(browser, "only", "gap-blocker")
    browser.picture("offset_gap_blocker")
    for column, row in filled:
        assert colour(browser, *place(browser, column, row, columns, rows)) not in white, (column, row)


def test_two_busy_threads_make_a_checkerboard(browser):
    path, map, _ = offsets(browser, "-c", f"{TRIGGERS}/turns 700")
    columns, rows = map["columns"], len(map["rows"])
    show(browser, path)
    act(browser, "hue", "white")
    act(browser, "hue", "black")
    browser.picture("offset_checkerboard")
    shares = {}
    for column, row, (name,), count in map["cells"]:
        shares.setdefault((column, row), {})[name] = count
    turns, kinds = [], {}
    for cell in sorted(shares):
        names = shares[cell]
        if len(names) == 1 and set(names) <= {"white", "black"}:
            (name,) = names
            red, _, blue = colour(browser, *place(browser, *cell, columns, rows))
            kinds.setdefault(name, set()).add(red > blue)
            turns.append(name)
    # each thread has one hue, which is not the other's
    equal(sorted(kinds), ["black", "white"])
    assert kinds["white"] == {True} and kinds["black"] == {False}, kinds
    # they alternate, and neither runs for much longer than the other
    switches = sum(a != b for a, b in zip(turns, turns[1:]))
    assert switches >= 4, turns
    assert 0.4 < turns.count("white") / len(turns) < 0.6, turns
    mixed = sum(set(names) >= {"white", "black"} for names in shares.values())
    assert mixed <= switches + 2, (mixed, switches)


# -------------------------------------------------------------------- stacks

def test_the_flame_graph_of_a_band(browser):
    """Two functions write, each in a size of its own: the rectangle around one size has one function."""
    path = os.path.join(browser.directory, "sizes.html")
    subprocess.run([DTRACE, "-q", "-x", f"heatmap={path}", "-x", "unit=bytes", "-c", f"{TRIGGERS}/sizes 300", "-n",
                    'syscall::write:entry /pid == $target && fds[arg0].fi_pathname == "/dev/null"/ { @[execname, ustack()] = quantize(arg2); }'],
                   stdout=subprocess.DEVNULL, check=True)
    (map,) = read(path)
    columns, rows = map["columns"], len(map["rows"])
    equal((map["keyNames"], map["keys"]), (["execname"], [["sizes"]]))
    many = [low for low, _ in map["rows"]].index("512")
    show(browser, path)
    browser.picture("heat_sizes")
    if columns > 1:
        drag(browser, place(browser, 0, many, columns, rows), place(browser, columns - 1, many, columns, rows))
    else:
        browser.click(*place(browser, 0, many, columns, rows))
    browser.find("canvas").send_keys("f")
    equal(browser.text(".panel h2"), "Stacks of 300 events selected")
    search = browser.find(".panel [data-name=search]")
    search.send_keys("write_many", Keys.ENTER)
    wait(lambda: browser.text(".panel .result") == "100% matched")
    browser.picture("heat_sizes_flame")
    browser.find("canvas").send_keys("d")
    equal(browser.text(".panel h2"), "Stacks of 300 events selected, against 300 others")
    search = browser.find(".panel [data-name=search]")
    search.clear()
    search.send_keys("write_few", Keys.ENTER)
    wait(lambda: browser.text(".panel .result") == "0% matched")
    browser.find(".panel .graph").send_keys("n")
    said = browser.text(".panel .said")
    assert said.startswith("sizes`write_few: 300 events in the rest, none selected, 100% of all"), said
    browser.picture("heat_sizes_difference")


def test_hostile_names_of_a_real_run(browser):
    """Names of programs as they chose them, and a title: shown, never executed."""
    names = [b"</script><scrip", b"\"'><img src=x", b"\xff\x1b[2J\x01&lt;"]       # 15 bytes at most
    path, program = (os.path.join(browser.directory, name) for name in ("hostile.html", "hostile.py"))
    with open(program, "w", encoding="utf-8") as file:
        file.write("import os\nnull = os.open('/dev/null', os.O_WRONLY)\n")
        for name in names:
            file.write(f"open('/proc/self/comm', 'wb').write({name!r})\nos.write(null, b'x' * 7)\n")
    subprocess.run([DTRACE, "-q", "-x", f"heatmap={path}", "-x", "title=<script>document.title='executed'</script>",
                    "-c", f"/usr/bin/python3 {program}", "-n", """
                    syscall::write:entry /pid == $target && fds[arg0].fi_pathname == "/dev/null"/ { @[execname, ustack()] = quantize(arg2); }"""],
                   stdout=subprocess.DEVNULL, check=True)
    show(browser, path, "#stacks=selection")
    equal({row.text for row in browser.driver.find_elements(By.CSS_SELECTOR, ".keys tbody th")},
          {"</script><scrip", "\"'><img src=x", "\\377\\033[2J\\001&lt;"})
    equal(browser.text("h1"), "<script>document.title='executed'</script>")
    equal(browser.driver.title, "<script>document.title='executed'</script>")
    equal(browser.run("return [document.images.length, document.scripts.length]"), [0, 2])
    heard = []
    graph = browser.find(".panel .graph")
    graph.send_keys(Keys.HOME, Keys.ARROW_UP)
    for _ in names:
        graph.send_keys(Keys.ARROW_LEFT)
    for _ in names:
        heard.append(browser.text(".panel .said").split(": 1 events")[0])
        graph.send_keys(Keys.ARROW_RIGHT)
    equal(set(heard), {"</script><scrip", "\"'><img src=x", "\\377\\033[2J\\001&lt;"})
    browser.picture("heat_hostile")


if __name__ == "__main__":
    sys.exit(main(globals()))
