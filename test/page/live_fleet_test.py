#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The live page of a fleet in a real browser: a real nats-server, three real agents.

    test/page/live_fleet_test.py [CASE...]

Needs root: agents trace.  All of them are on this machine, so each counts the same.
"""
import os, signal, socket, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import By, Keys, equal, main, wait
from live_server import Load, Server, TOP, VICTIM

server = None
HOSTS = {"web1": "role=web,canary=yes", "web2": "role=web", "db1": "role=db"}
READS = 'syscall::pread64:entry, syscall::pwrite64:entry /execname == "%s"/ { @size[execname] = quantize(arg2); }' % VICTIM
SAMPLES = "profile-97 { @[stack()] = count(); }"


class Fleet:
    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self.agents = {}
        self.start_nats()
        for host in HOSTS:
            self.start(host)

    def start_nats(self):
        with open(f"{self.directory.name}/nats.log", "w") as log:
            self.nats = subprocess.Popen(["nats-server", "-js", "-sd", f"{self.directory.name}/js", "-a", "127.0.0.1", "-p", str(self.port)], stderr=log)
        wait(lambda: "Server is ready" in open(f"{self.directory.name}/nats.log").read())

    def start(self, host):
        self.agents[host] = subprocess.Popen([f"{TOP}/build/dtlive", "agent", "--nats", self.url, "--host", host, "--label", HOSTS[host]], stderr=subprocess.PIPE, text=True)
        while "is ready" not in self.agents[host].stderr.readline():
            pass

    def kill(self, host):
        self.agents[host].kill()
        self.agents.pop(host).wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for host in list(self.agents):
            self.kill(host)
        self.nats.kill()
        self.nats.wait()
        self.directory.cleanup()


def text(browser, selector):
    """"": it is not there."""
    return browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def push(browser, words, within="body"):
    find = "return [...document.querySelectorAll(arguments[0] + ' button')].find((one) => one.innerText === arguments[1] && one.checkVisibility() && !one.disabled)"
    wait(lambda: browser.run(find, within, words))
    browser.run("arguments[0].click()", browser.run(find, within, words))


def panel(number):
    return f"[data-id='{number}']"


def facts(browser, number):
    """What the panel says, by label."""
    return dict(browser.run("return [...document.querySelectorAll(arguments[0] + ' .facts div')].map((one) => [one.firstChild.textContent, one.lastChild.textContent])", panel(number)))


def enter(browser, fragment=""):
    browser.driver.get("about:blank")
    server.clear()
    browser.driver.get(server.url)
    wait(lambda: "3 of 3" in text(browser, ".hosts-found"))
    if fragment:
        browser.go(server.base + "/" + fragment)


def ask(request):
    number = server.ask("POST", "instrumentations", request)["id"]
    server.wait_for(number, lambda values: len(values["columns"]) > 2)
    return number


def choose_cell(browser, number):
    """A click into the latest whole column, where most is: its time, in ms."""
    if "until" not in browser.fragment():
        push(browser, "❚❚ Pause", ".clock")
        wait(lambda: "until" in browser.fragment())
    browser.run("document.querySelector(arguments[0]).focus()", f"{panel(number)} canvas.map")
    browser.keys(Keys.ARROW_LEFT)
    wait(lambda: "events" in text(browser, f"{panel(number)} .status"))


def hosts_of(browser, number):
    """The names and counts that are said of the selection."""
    return browser.run("return [...document.querySelectorAll(arguments[0] + ' .hosts-of tr')].map((row) => [row.cells[0].textContent, row.cells[1].textContent])", panel(number))


def test_hosts_are_chosen_by_label(browser):
    enter(browser)
    wait(lambda: text(browser, ".hosts-found") == "3 of 3: db1, web1, web2")
    field = browser.find("[name=hosts]")
    field.send_keys("role=web,!canary")
    wait(lambda: text(browser, ".hosts-found") == "1 of 3: web2")
    field.clear()
    field.send_keys("role=w*")
    wait(lambda: text(browser, ".hosts-found") == "2 of 3: web1, web2")
    # a metric of all that are chosen, from the start page
    wait(lambda: browser.run("return document.querySelectorAll('.card').length"))
    equal([card.get_attribute("data-entry") for card in browser.driver.find_elements(By.CSS_SELECTOR, ".card")], ["machine", "service"])
    browser.picture("live-fleet-start")
    browser.find("[data-entry=machine]").click()
    wait(lambda: browser.run("return !!document.querySelector('[data-module=syscall]')"))
    browser.find("[data-module=syscall]").click()
    wait(lambda: browser.run("return !!document.querySelector('[data-metric=\"syscall.calls\"] .preset')"))
    browser.find("[data-metric='syscall.calls'] .preset").click()
    wait(lambda: len(server.ids()) == 1)
    number = server.ids()[0]
    equal(server.one(number)["fleet"], {"hosts": "role=w*", "aggby": []})
    wait(lambda: facts(browser, number).get("hosts") == "2 of 2")
    assert "hosts role=w*" in text(browser, f"{panel(number)} .condition")


def test_a_cell_names_its_hosts(browser):
    enter(browser)
    number = ask({"program": READS, "title": "sizes"})
    wait(lambda: facts(browser, number).get("hosts") == "3 of 3")
    time.sleep(3)
    choose_cell(browser, number)
    wait(lambda: "3 hosts are in it" in text(browser, f"{panel(number)} .hosts-of"))
    shares = hosts_of(browser, number)
    equal(sorted(host for host, _ in shares), ["db1", "web1", "web2"])
    # as many as the cell has
    in_cell = int(text(browser, f"{panel(number)} .status").split(": ")[-1].split(" ")[0].replace(",", "").replace("\u202f", ""))
    equal(sum(int(count.split(" ")[0].replace(",", "").replace("\u202f", "")) for _, count in shares), in_cell)
    browser.picture("live-fleet-cell")
    # down to one host
    browser.run("document.querySelector(arguments[0]).click()", f"{panel(number)} .hosts-of [data-host=web1]")
    wait(lambda: len(server.ids()) == 2)
    other = max(server.ids())
    equal(server.one(other)["fleet"], {"hosts": "host=web1", "aggby": []})
    equal(server.one(other)["program"], READS)
    wait(lambda: facts(browser, other).get("hosts") == "1 of 1")


def test_hosts_are_kept_apart(browser):
    enter(browser)
    browser.find("[name=by-host]").click()
    browser.find("[name=by-role]").click()
    wait(lambda: "aggby=host%2Crole" in browser.fragment())
    browser.go(server.base + "/" + browser.fragment() + "&page=metric&metric=fs.operations")
    wait(lambda: browser.run("return !!document.querySelector('.chooser')"))
    push(browser, "Show it", ".chooser")
    wait(lambda: len(server.ids()) == 1)
    number = server.ids()[0]
    values = server.wait_for(number, lambda values: values["keys"] and len({key[0] for key in values["keys"][0]}) == 3)
    equal({(key[0], key[1]) for key in values["keys"][0]}, {("web1", "web"), ("web2", "web"), ("db1", "db")})
    wait(lambda: facts(browser, number).get("hosts") == "3 of 3")
    time.sleep(3)
    choose_cell(browser, number)
    # keys name hosts; to instrument one of them is to choose its host
    wait(lambda: "web1, web" in text(browser, f"{panel(number)} .keys"))
    browser.picture("live-fleet-apart")
    key = next(i for i, words in enumerate(values["keys"][0]) if words[0] == "db1")
    browser.run("document.querySelector(arguments[0]).click()", f"{panel(number)} [data-act=instrument][data-key='{key}']")
    wait(lambda: len(server.ids()) == 2)
    other = server.one(max(server.ids()))
    equal(other["fleet"], {"hosts": "host=db1,role=db", "aggby": ["host", "role"]})
    assert "host" not in str(other["where"]), other["where"]


def test_a_canary_against_the_rest(browser):
    enter(browser)
    number = ask({"program": SAMPLES, "title": "samples", "aggby": ["canary"]})
    wait(lambda: facts(browser, number).get("hosts") == "3 of 3")
    wait(lambda: browser.run("return document.querySelectorAll(arguments[0]).length", f"{panel(number)} [name=against] option") == 3)
    wait(lambda: "Stacks of" in text(browser, f"{panel(number)} .panel h2"))
    browser.run("const s = document.querySelector(arguments[0]); s.value = [...s.options].find((one) => one.text.startsWith('yes')).value; s.dispatchEvent(new Event('change'))",
                f"{panel(number)} [name=against]")
    wait(lambda: "against" in text(browser, f"{panel(number)} .panel h2"))
    words = text(browser, f"{panel(number)} .panel h2").replace(",", "").split()
    selected, rest = int(words[2]), int(words[words.index("against") + 1])
    assert selected > 0 and 1.3 < rest / selected < 2.7, words     # one host, and two
    browser.picture("live-fleet-canary")


def test_a_group_of_a_heat_map_against_the_rest(browser):
    enter(browser)
    number = ask({"program": "profile-97 { @[stack()] = quantize(cpu + 1); }", "title": "CPUs", "aggby": ["canary"]})
    values = server.wait_for(number, lambda values: values["keys"] and len(values["keys"][0]) == 2)
    wait(lambda: facts(browser, number).get("hosts") == "3 of 3")
    time.sleep(3)
    choose_cell(browser, number)
    key = values["keys"][0].index(["yes"])
    only = f"{panel(number)} [data-act=only][data-key='{key}']"
    wait(lambda: browser.run("return !!document.querySelector(arguments[0])", only))
    browser.run("document.querySelector(arguments[0]).click()", only)
    push(browser, "Clear", panel(number))
    push(browser, "Against the rest", panel(number))
    wait(lambda: "against" in text(browser, f"{panel(number)} .panel h2"))
    words = text(browser, f"{panel(number)} .panel h2").replace(",", "").split()
    selected, rest = int(words[2]), int(words[words.index("against") + 1])
    assert selected > 0 and 1.3 < rest / selected < 2.7, words     # one host, and two
    browser.picture("live-fleet-groups")


def test_who_does_not_report_is_said(browser):
    enter(browser)
    number = ask({"program": READS, "title": "sizes"})
    wait(lambda: facts(browser, number).get("hosts") == "3 of 3")
    try:
        fleet.kill("db1")
        wait(lambda: facts(browser, number).get("hosts") in ("2 of 3", "2 of 2"))
        wait(lambda: text(browser, ".hosts-found") == "2 of 2: web1, web2")
        browser.run("document.querySelector(arguments[0]).open = true", f"{panel(number)} .host-list")
        wait(lambda: "gone" in text(browser, f"{panel(number)} .host-list"))
        browser.picture("live-fleet-gone")
        # the picture goes on, and cells of whole seconds know of two
        def knows_two():
            choose_cell(browser, number)
            browser.keys(Keys.END)      # the last second
            browser.keys(Keys.ARROW_LEFT)
            wait(lambda: "hosts are in it" in text(browser, f"{panel(number)} .hosts-of"))
            time.sleep(1)
            said = text(browser, f"{panel(number)} .hosts-of")
            push(browser, "▶ Go on", ".clock")
            return "2 hosts are in it" in said
        wait(knows_two)
    finally:
        fleet.start("db1")
    wait(lambda: facts(browser, number).get("hosts") == "3 of 3")


def test_what_hosts_cannot_do_is_said(browser):
    enter(browser)
    number = server.ask("POST", "instrumentations", {"program": "nosuch:::probe { @ = count(); }", "hosts": "role=db"})["id"]
    wait(lambda: browser.run("return !!document.querySelector(arguments[0])", f"{panel(number)} .host-list"))
    browser.run("document.querySelector(arguments[0]).open = true", f"{panel(number)} .host-list")
    wait(lambda: "none of 1 hosts runs it; db1: probe description nosuch:::probe" in text(browser, f"{panel(number)} .problem"))
    wait(lambda: "nosuch" in text(browser, f"{panel(number)} .host-list"))
    assert "web1" not in text(browser, f"{panel(number)} .host-list")


def test_a_server_that_is_gone_is_said(browser):
    enter(browser)
    fleet.nats.kill()
    fleet.nats.wait()
    wait(lambda: "the NATS server is gone" in text(browser, ".hosts-found"))
    fleet.start_nats()
    wait(lambda: "3 of 3" in text(browser, ".hosts-found"))


if __name__ == "__main__":
    with Load(VICTIM), Fleet() as fleet, Server("--nats", fleet.url) as server:
        sys.exit(main(globals()))
