#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The live page against real loads: PostgreSQL with pgbench, nginx, a compiler run.

    test/page/live_loads_test.py [CASE...]

Needs root: it traces.  What the page shows is compared with what the loads count themselves.
"""
import http.client, os, re, shutil, socket, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import live_test as live
from browser import Keys, TOP, equal, main, wait
from live_case_test import FOR_PEOPLE, find_frame, picture
from live_server import Server
from live_test import newest, panel, paused, push, shown, text
from postgresql import PostgreSQL

database = web = None


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
    clients = [threading.Thread(target=web.ask, args=(["/index.html", "/none", "/index.html"] * 50,)) for _ in range(4)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    with open(f"{web.site}/access") as file:
        logged = [tuple(line.split()) for line in file if line.startswith("/")]
    wanted = {pair: logged.count(pair) for pair in set(logged)}
    equal(wanted, {("/index.html", "200"): 400, ("/none", "404"): 200})
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
