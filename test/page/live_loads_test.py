#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The live page against real loads: PostgreSQL with pgbench, nginx, a compiler run.

What it shows is what the loads have counted; and the whole loop, from the start page to the
difference of two flame graphs, is gone through with the mouse (PostgreSQL, a compiler) and with
nothing but keys (nginx).

    test/page/live_loads_test.py [CASE...]

Needs root: it traces.
"""
import http.client, os, re, shutil, socket, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import live_test as live
from browser import Keys, TOP, equal, main, release, wait
from live_case_test import FOR_PEOPLE, drag, find_frame, picture
from live_server import Server
from live_test import newest, panel, paused, push, shown, text
from postgresql import PostgreSQL

database = web = None
COMMIT = "END;"         # as pgbench says it


def total(values, set_=0):
    """What a set has counted, by key."""
    sums = {}
    for column in values["columns"]:
        if column["set"] == set_:
            for key, _, *pairs in column["rows"]:
                name = tuple(values["keys"][set_][key])
                sums[name] = sums.get(name, 0) + (sum(pairs[1::2]) if len(pairs) > 1 else pairs[0])
    return sums


def ask_service(browser, metric, module, preset):
    """From the start page: a service, a picture of it."""
    live.fresh(browser)
    live.enter(browser)
    wait(lambda: shown(browser, ".card"))
    browser.find("[data-entry=service]").click()
    wait(lambda: shown(browser, f"[data-module={module}]") or shown(browser, f"[data-metric='{metric}']"))
    if shown(browser, f"[data-module={module}]"):
        browser.find(f"[data-module={module}]").click()
    wait(lambda: shown(browser, f"[data-metric='{metric}']"))
    push(browser, preset, f"[data-metric='{metric}']")
    wait(lambda: shown(browser, ".instrument"))
    number = newest()
    wait(lambda: text(browser, f"{panel(number)} .badge") == "live")
    return number


def in_table(browser, number):
    """{key: what the page's table says}; all that was counted is shown there."""
    push(browser, "Table", panel(number))
    wait(lambda: shown(browser, f"{panel(number)} .table table, {panel(number)} table"))
    return browser.run("return [...document.querySelectorAll(arguments[0])].map((row) => [...row.cells].map((cell) => cell.textContent))", f"{panel(number)} table tbody tr")


# ------------------------------------------------------------------------ cases

def test_pgbench(browser):
    """As many transactions as pgbench says, in a heat map."""
    number = ask_service(browser, "postgres.transactions", "postgres", "Transaction latency by end")
    transactions = int(re.search(r"actually processed: (\d+)", database.said("pgbench", "-n", "-c", "4", "-t", "100"))[1])
    equal(transactions, 400)
    # pgbench has three or four of its own when it begins; the server's daemons have some
    values = live.server.wait_for(number, lambda values: total(values).get(("commit",), 0) >= transactions)
    assert total(values)[("commit",)] <= transactions + 60, total(values)
    equal(live.server.one(number)["status"]["drops"], 0)
    wait(lambda: shown(browser, f"{panel(number)} canvas.map"))
    paused(browser)
    browser.run("document.querySelector(arguments[0]).focus()", f"{panel(number)} canvas.map")
    browser.keys(Keys.ARROW_RIGHT)
    wait(lambda: "commit" in live.keys_in(browser, number))
    browser.picture("live-pgbench")
    # the same by text: all seven statements of its script
    number = ask_service(browser, "postgres.queries", "postgres", "Queries by text")
    database.run("pgbench", "-n", "-c", "2", "-t", "50")
    wanted = ("BEGIN", "END", "UPDATE pgbench_accounts", "UPDATE pgbench_tellers", "UPDATE pgbench_branches", "SELECT abalance", "INSERT INTO pgbench_history")
    counts = lambda values: [sum(count for (query,), count in total(values).items() if query.startswith(word)) for word in wanted]
    live.server.wait_for(number, lambda values: values["keys"] and counts(values) == [100] * len(wanted))
    browser.picture("live-pgbench-queries")


def click(browser, selector):
    """With the mouse, wherever it is."""
    browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", selector)
    browser.find(selector).click()


def rectangle(browser, number, name):
    """Drags from the slowest cell of this key to the lower left, and asks for its stacks."""
    heat = live.Map(browser, number)
    t, row, _, _ = heat.slowest(name)
    begin, end = heat.place(t, row), heat.place(t - 2000, (row + heat.low) // 2 if row > heat.low else row)
    drag(browser, begin, end)
    wait(lambda: "of all shown" in text(browser, f"{panel(number)} .status"))
    push(browser, "Flame graph of this", panel(number))
    wait(lambda: "selected" in text(browser, f"{panel(number)} .panel h2"))


def focused(browser, script):
    return browser.run(script)


def tab_to(browser, script, wanted):
    """Tab, until what has the focus is that."""
    for _ in range(200):
        if focused(browser, script) == wanted:
            return
        browser.keys(Keys.TAB)
    raise AssertionError(f"no Tab leads to {wanted}")


class Nginx:
    def __init__(self):
        self.site = tempfile.mkdtemp(prefix="nginx.", dir="/tmp")
        os.chmod(self.site, 0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        with open(f"{self.site}/index.html", "w") as file:
            file.write("all of it\n")
        with open(f"{self.site}/conf", "w") as file:
            file.write(f"""daemon off; worker_processes 1; pid {self.site}/pid;
                events {{ worker_connections 64; }}
                http {{
                    log_format plain '$request_uri $status'; access_log {self.site}/access plain;
                    client_body_temp_path {self.site}/t1; proxy_temp_path {self.site}/t2; fastcgi_temp_path {self.site}/t3;
                    uwsgi_temp_path {self.site}/t4; scgi_temp_path {self.site}/t5;
                    server {{ listen 127.0.0.1:{self.port}; root {self.site}; }}
                }}""")
        self.process = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-e", f"{self.site}/error", "-p", self.site, "-c", f"{self.site}/conf"], stderr=subprocess.DEVNULL)
        wait(self.answers)

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        except OSError:
            return False

    def worker(self):
        """The process that answers, as text."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return file.read().split()[0]

    def logged(self):
        with open(f"{self.site}/access") as file:
            return [tuple(line.split()) for line in file if line.startswith("/")]

    def ask(self, addresses):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        for address in addresses:
            connection.request("GET", address)
            connection.getresponse().read()
        connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.site)


def test_nginx(browser):
    """Requests by address and status, as nginx's own log has them."""
    number = ask_service(browser, "nginx.requests", "nginx", "Requests by address and status")
    before = len(web.logged())
    clients = [threading.Thread(target=web.ask, args=(["/index.html", "/none", "/index.html"] * 50,)) for _ in range(4)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    wanted = {("/index.html", "200"): 400, ("/none", "404"): 200}
    wait(lambda: len(web.logged()) - before >= 600)     # a line comes after its answer
    logged = web.logged()[before:]
    equal({pair: logged.count(pair) for pair in set(logged)}, wanted)
    live.server.wait_for(number, lambda values: total(values) == wanted)
    words = lambda: " ".join(" ".join(row) for row in in_table(browser, number))
    wait(lambda: "/index.html" in words() and "/none" in words())
    browser.picture("live-nginx")


def test_a_compiler(browser):
    """Where cc1 is on the CPU: it is seen in the flame graph, and in a table of programs most of all that make starts."""
    live.fresh(browser)
    live.enter(browser)
    wait(lambda: shown(browser, ".card"))
    browser.find("[data-entry=machine]").click()
    wait(lambda: shown(browser, "[data-module=cpu]"))
    browser.find("[data-module=cpu]").click()
    wait(lambda: shown(browser, "[data-metric='cpu.samples']"))
    push(browser, "On-CPU flame graph", "[data-metric='cpu.samples']")
    wait(lambda: shown(browser, ".instrument"))
    number = newest()
    wait(lambda: text(browser, f"{panel(number)} .badge") == "live")
    with tempfile.TemporaryDirectory() as directory:
        with open(f"{directory}/large.c", "w") as file:
            for i in range(1500):
                file.write(f"int f{i}(int a, int b) {{ for (int i = 0; i < b; i++) a = a * {i} + (a >> i % 7) - b; return a ^ b; }}\n")
        stop = threading.Event()
        def compile_it():
            while not stop.is_set():
                subprocess.run(["cc", "-O2", "-c", "large.c", "-o", "large.o"], cwd=directory, check=True)
        compiler = threading.Thread(target=compile_it)
        compiler.start()
        try:
            live.server.wait_for(number, lambda values: values["keys"] and total(values).get(("cc1",), 0) >= 97)
            wait(lambda: shown(browser, f"{panel(number)} .flame-view"))
            find_frame(browser, number, "cc1")
        finally:
            stop.set()
            compiler.join()
    paused(browser)
    samples = total(live.server.get(f"instrumentations/{number}/values"))
    helpers = [samples.get((name,), 0) for name in ("cc", "as", "collect2")]
    assert samples[("cc1",)] > max(helpers), samples
    find_frame(browser, number, "cc1")
    browser.picture("live-compiler")


@release("live_test.py goes through the same loop on other loads")
def test_the_loop_with_the_mouse_on_postgresql(browser):
    """A cell, its keys, only one, not this one, its colour, instrumented alone, a rectangle, its stacks, against the rest."""
    load = database.start("pgbench", "-n", "-c", "4", "-R", "200", "-T", "3600")
    try:
        number = ask_service(browser, "postgres.queries", "postgres", "Query latency by text")
        live.server.wait_for(number, lambda values: [COMMIT] in (values["keys"] or [[]])[0] and len(values["columns"]) > 3)
        wait(lambda: shown(browser, f"{panel(number)} canvas.map"))
        paused(browser)
        heat = live.Map(browser, number)
        t, row, key, count = heat.usual(COMMIT)
        x, y = heat.place(t, row)
        browser.move(x, y)
        wait(lambda: COMMIT in text(browser, f"{panel(number)} .tooltip"))
        browser.click(x, y)
        wait(lambda: COMMIT in live.keys_in(browser, number))
        click(browser, f"{panel(number)} [data-act=only][data-key='{key}']")
        wait(lambda: f": {count} events" in text(browser, f"{panel(number)} .status").replace(",", ""))
        click(browser, f"{panel(number)} [data-act=only][data-key='{key}']")
        click(browser, f"{panel(number)} [data-act=without][data-key='{key}']")
        wait(lambda: f": {count} events" not in text(browser, f"{panel(number)} .status").replace(",", ""))
        click(browser, f"{panel(number)} [data-act=without][data-key='{key}']")
        click(browser, f"{panel(number)} [data-act=hue][data-key='{key}']")
        wait(lambda: COMMIT in text(browser, f"{panel(number)} .ramp"))
        click(browser, f"{panel(number)} [data-act=only][data-key='{key}']")
        push(browser, "Instrument only this", panel(number))
        wait(lambda: newest() > number)
        narrow = newest()
        low, high = live.server.one(number)["sets"][0]["rows"][row]
        equal(live.server.one(narrow)["where"], {"and": [{"eq": ["query", COMMIT]}, {"ge": ["latency", low]}, {"le": ["latency", high]}]})
        values = live.server.wait_for(narrow, lambda values: values["columns"])
        equal(values["keys"][0], [[COMMIT]])
        equal({pair[2] for column in values["columns"] for pair in column["rows"]}, {row})
        push(browser, "With stacks", panel(number))
        wait(lambda: newest() > narrow)
        stacked = newest()
        live.server.wait_for(stacked, lambda values: [COMMIT] in (values["keys"] or [[]])[0] and len(values["columns"]) > 5)
        wait(lambda: shown(browser, f"{panel(stacked)} canvas.map"))
        push(browser, "Large", panel(stacked))
        time.sleep(1)
        paused(browser)
        rectangle(browser, stacked, COMMIT)
        push(browser, "Against the rest", panel(stacked))
        wait(lambda: "others" in text(browser, f"{panel(stacked)} .panel h2"))
        find_frame(browser, stacked, "PostgresMain")
        browser.picture("live-loop-postgresql")
    finally:
        load.terminate()
        load.wait()


@release("live_test.py goes through the same loop on other loads")
def test_the_loop_with_the_keyboard_on_nginx(browser):
    """Nothing but keys, from the start page to the difference: system calls of a web server."""
    stop = threading.Event()
    def ask():
        while not stop.is_set():
            web.ask(["/index.html", "/none"] * 20)
    client = threading.Thread(target=ask)
    client.start()
    try:
        live.fresh(browser)
        live.enter(browser)
        wait(lambda: shown(browser, ".card"))
        browser.keys("3")
        wait(lambda: shown(browser, ".processes tbody tr") and focused(browser, "return document.activeElement.type") == "search")
        browser.keys(web.worker())
        wait(lambda: text(browser, ".processes tbody th") == "nginx")
        browser.keys(Keys.ENTER)
        wait(lambda: shown(browser, "[data-metric='program.syscalls']"))
        tab_to(browser, "return document.activeElement.closest('[data-metric=\\'program.syscalls\\']') ? document.activeElement.innerText : ''", "Latency of system calls")
        browser.keys(Keys.ENTER)
        wait(lambda: shown(browser, ".instrument canvas.map"))
        number = newest()
        equal(live.server.one(number)["pid"], int(web.worker()))
        live.server.wait_for(number, lambda values: len(values["columns"]) > 5)
        time.sleep(1)
        browser.keys(Keys.SPACE)
        wait(lambda: "until" in browser.fragment())
        browser.keys("j")
        wait(lambda: focused(browser, "return document.activeElement.className") == "map")
        # with stacks: that is another question
        browser.keys("f")
        wait(lambda: newest() > number and shown(browser, f"{panel(newest())} canvas.map"))
        number = newest()
        assert live.server.one(number)["stacks"]
        browser.keys("e")
        wait(lambda: f"large={number}" in browser.fragment())
        assert focused(browser, "return document.activeElement.closest('[data-id]')?.dataset.id") == str(number), "the focus is lost"
        live.server.wait_for(number, lambda values: len(values["columns"]) > 5)
        time.sleep(1)
        browser.keys(Keys.SPACE)
        wait(lambda: "until" in browser.fragment())
        browser.keys("j")
        wait(lambda: focused(browser, "return document.activeElement.className") == "map")
        # a cell, then a rectangle
        browser.keys(Keys.ARROW_LEFT)
        wait(lambda: "events" in text(browser, f"{panel(number)} .status"))
        cell = text(browser, f"{panel(number)} .status")
        for _ in range(3):
            browser.press(Keys.SHIFT, Keys.ARROW_LEFT)
        for _ in range(3):
            browser.press(Keys.SHIFT, Keys.ARROW_UP)
        wait(lambda: text(browser, f"{panel(number)} .status") != cell)
        browser.keys("f")
        wait(lambda: "selected" in text(browser, f"{panel(number)} .panel h2"))
        browser.keys("d")
        wait(lambda: "others" in text(browser, f"{panel(number)} .panel h2"))
        # its keys: only this one, not this one, its own colour
        browser.keys(Keys.ENTER)
        pressed = "return document.activeElement.getAttribute('aria-pressed')"
        for act in ("only", "without", "hue"):
            wait(lambda: focused(browser, "return document.activeElement.dataset.act") == act)
            name = focused(browser, "return document.activeElement.closest('tr').querySelector('th').textContent")
            browser.keys(Keys.ENTER)
            wait(lambda: focused(browser, pressed) == "true")
            if act != "hue":
                browser.keys(Keys.ENTER)
                wait(lambda: focused(browser, pressed) == "false")
                browser.keys(Keys.TAB)
        wait(lambda: name in text(browser, f"{panel(number)} .ramp"))
        browser.picture("live-loop-nginx")
        # instrument only this: the last button of the row
        browser.keys(Keys.TAB)
        wait(lambda: focused(browser, "return document.activeElement.dataset.act") == "instrument")
        browser.keys(Keys.ENTER)
        wait(lambda: newest() > number)
        narrow = live.server.one(newest())
        assert {"eq": ["syscall", name]} in narrow["where"]["and"] and narrow["pid"] == int(web.worker()), narrow
        live.server.wait_for(narrow["id"], lambda values: values["keys"] and values["keys"][0] == [[name]])
        wait(lambda: shown(browser, f"{panel(narrow['id'])} canvas.map"))
    finally:
        stop.set()
        client.join()


@release("live_test.py goes through the same loop on other loads")
def test_the_loop_on_a_compiler(browser):
    """Which files does cc1 wait for?  A cell, only cc1, its stacks against the rest."""
    stop = threading.Event()
    with tempfile.TemporaryDirectory() as directory:
        with open(f"{directory}/small.c", "w") as file:
            file.write("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) { return 0; }\n")
        def compile_it():
            while not stop.is_set():
                subprocess.run(["cc", "-O0", "-c", "small.c", "-o", "small.o"], cwd=directory, check=True)
        compiler = threading.Thread(target=compile_it)
        compiler.start()
        try:
            live.fresh(browser)
            live.enter(browser)
            wait(lambda: shown(browser, ".card"))
            browser.find("[data-entry=machine]").click()
            wait(lambda: shown(browser, "[data-module=fs]"))
            browser.find("[data-module=fs]").click()
            push(browser, "File-system latency with stacks")
            wait(lambda: shown(browser, ".instrument canvas.map"))
            number = newest()
            live.server.wait_for(number, lambda values: ["cc1"] in (values["keys"] or [[]])[0] and len(values["columns"]) > 5)
            push(browser, "Large", panel(number))
            time.sleep(1)
            paused(browser)
            heat = live.Map(browser, number)
            t, row, key, _ = heat.usual("cc1")
            browser.click(*heat.place(t, row))
            wait(lambda: "cc1" in live.keys_in(browser, number))
            click(browser, f"{panel(number)} [data-act=only][data-key='{key}']")
            push(browser, "Flame graph of this", panel(number))
            wait(lambda: "selected" in text(browser, f"{panel(number)} .panel h2"))
            find_frame(browser, number, "cc1")
            push(browser, "Against the rest", panel(number))
            wait(lambda: "others" in text(browser, f"{panel(number)} .panel h2"))
            browser.picture("live-loop-compiler")
            push(browser, "Clear", panel(number))
            push(browser, "Instrument only this", panel(number))
            wait(lambda: newest() > number)
            narrow = newest()
            equal(live.server.one(narrow)["where"], {"eq": ["execname", "cc1"]})
            values = live.server.wait_for(narrow, lambda values: values["columns"])
            equal(values["keys"][0], [["cc1"]])
        finally:
            stop.set()
            compiler.join()


def test_several_views_on_one_page(browser):
    """A heat map, lines and a flame graph of one load: the picture of README.md."""
    live.fresh(browser)
    load = database.start("pgbench", "-n", "-c", "4", "-R", "150", "-T", "3600")
    try:
        numbers = [live.server.ask("POST", "instrumentations", request)["id"] for request in (
            {"metric": "postgres.phases", "by": ["latency", "phase"]},
            {"metric": "cpu.samples", "by": ["execname"], "where": {"eq": ["execname", "postgres"]}, "stacks": True},
            {"metric": "postgres.transactions", "by": ["end"]})]
        for number, title in zip(numbers, ("How long PostgreSQL parses, plans and executes", "Where PostgreSQL is on the CPU", "Transactions per second")):
            live.server.ask("PATCH", f"instrumentations/{number}", {"title": title})
            live.server.wait_for(number, lambda values: len(values["columns"]) > (45 if FOR_PEOPLE else 3), 120)
        live.enter(browser)
        for number, view in zip(numbers, ("canvas.map", ".flame-view canvas", ".line canvas")):
            wait(lambda: shown(browser, f"{panel(number)} {view}"))
        time.sleep(1)
        paused(browser)
        browser.run("scrollTo(0, 0)")
        picture(browser, "live", 1720, f"{TOP}/doc")
        heat = live.Map(browser, numbers[0])
        t, row, _, _ = heat.usual("execute")
        browser.click(*heat.place(t, row))
        wait(lambda: "execute" in live.keys_in(browser, numbers[0]))
    finally:
        load.terminate()
        load.wait()


if __name__ == "__main__":
    # what can be asked of a service is found out when dtlive starts
    with PostgreSQL() as database, Nginx() as web, Server() as live.server:
        database.run("pgbench", "-i", "-q", "-s", "1")
        while live.server.get("metrics")["checking"]:
            time.sleep(0.2)
        sys.exit(main(globals()))
