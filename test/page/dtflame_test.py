#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What dtflame(1) draws of real loads, in a real browser.

    [DURATION=10] test/page/dtflame_test.py [CASE...]

DURATION is for how many seconds loads are sampled.
"""
import os, re, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import TOP, Keys, equal, main, wait
import mariadb

DTFLAME = os.path.join(TOP, "build/dtflame")
STACKVIS = os.path.join(TOP, "build/stackvis")
DURATION = os.environ.get("DURATION", "4")
RATE = "499"        # so that one sample is far less than a percent
# Where programs and threads start; stripped programs have no name for _start and main, but call __libc_start_main.
STARTS = r"`(_start|main|__libc_start_main|_dl_start_user|start_thread|clone3|ret_from_fork_asm)(@.*)?$"
# A process that ends has no memory any more, and so no stack of its own.
ENDS = "`do_exit$"
TEMPLATES = """
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <vector>
template <int n> using Row = std::map<std::tuple<std::string, std::integral_constant<int, n>>, std::vector<std::string>>;
template <int... n> std::size_t rows(std::integer_sequence<int, n...>) { return (Row<n>{ { {}, { "cell" } } }.size() + ...); }
int main() { std::cout << rows(std::make_integer_sequence<int, 8>()); }
"""
BUILD = """#!/bin/sh
end=$(($(date +%s) + $1))
while g++ -O2 -c templates.cc -o templates.o && [ "$(date +%s)" -lt $end ]; do :; done
"""

# Work in units: `steady` has the same in both, `grown` four times as much, `shrunk` a fourth.
PROGRAM = """
static volatile long sum;
#define WORK(units) for (long i = 0; i < (units) * 100000000L; i++) sum += i
__attribute__((noinline)) void steady(void) { WORK(2); }
__attribute__((noinline)) void grown(void) { WORK(AFTER ? 4 : 1); }
__attribute__((noinline)) void shrunk(void) { WORK(AFTER ? 1 : 4); }
#if !AFTER
__attribute__((noinline)) void removed(void) { WORK(2); }
#else
#define removed()
#endif
int main(void) { steady(); grown(); shrunk(); removed(); sum++; return 0; }
"""


def dtflame(browser, name, *words):
    """Runs it in the browser's directory; the URL of what it wrote."""
    subprocess.run([DTFLAME, *words, "-o", name], cwd=browser.directory, check=True)
    return f"file://{browser.directory}/{name}"


def write(browser, name, text, mode=0o644):
    path = os.path.join(browser.directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def search(browser, text):
    """The share that matches, in percent."""
    field = browser.find("[data-name=search]")
    field.clear()
    field.send_keys(text, Keys.ENTER)
    wait(lambda: browser.text(".result").endswith("% matched"))
    wait(lambda: browser.run("return document.activeElement.className") == "graph")
    return float(browser.text(".result").split("%")[0])


def said(browser):
    return browser.text(".said")


def click_selected(browser):
    """With the mouse, where the keyboard is."""
    left, top, width, height = browser.run("const r = document.querySelector('.focus').getBoundingClientRect();"
                                           "return [r.left, r.top, r.width, r.height]")
    browser.click(left + width / 2, top + height / 2)


def starts(browser, url):
    """Percent of the samples that go back to a start."""
    browser.go(url)
    total = int(re.search(r"^all: ([\d,]+) samples", said(browser))[1].replace(",", ""))
    share = search(browser, f"{STARTS}|{ENDS}")
    print(f"{url.rsplit('/', 1)[1]}: {total} samples, {share:.2f}% go back to a start", flush=True)
    assert total >= 50, said(browser)
    return share


def select_match(browser):
    """By the keyboard, the first that the mouse can hit; what is said about it."""
    for _ in range(1000):
        browser.keys("n")
        if browser.run("return document.querySelector('.focus').getBoundingClientRect().width") > 4:
            return said(browser)
    raise AssertionError("no match is wide enough")


def look_at(browser, url, pattern, picture):
    """Search, click, reset; the URL of each state restores it."""
    browser.go(url)
    browser.picture(picture)
    matched = search(browser, pattern)
    assert 0 < matched < 100, matched
    browser.picture(f"{picture}-search")
    chosen = select_match(browser)
    assert re.search(pattern, chosen.split(": ")[0]), chosen
    click_selected(browser)
    wait(lambda: "zoom=" in browser.fragment())
    equal(said(browser), chosen)
    browser.picture(f"{picture}-zoomed")
    zoomed = browser.fragment()
    reset = browser.find(".bar button")
    reset.click()
    wait(lambda: "zoom=" not in browser.fragment())
    equal(browser.text(".result"), f"{matched:.2f}% matched")
    reset.click()
    wait(lambda: browser.fragment() == "")
    equal(browser.text(".result"), "")
    browser.go(url + zoomed)
    equal(browser.find("[data-name=search]").get_property("value"), pattern)
    equal(browser.text(".result"), f"{matched:.2f}% matched")
    equal(said(browser), chosen)


def test_mariadb(browser):
    with mariadb.busy() as pid:
        url = dtflame(browser, "mariadb.html", "-F", RATE, "-d", DURATION, "-p", str(pid), "-t", "MariaDB")
    look_at(browser, url, "row", "dtflame-mariadb")
    assert starts(browser, url) >= 99
    equal(search(browser, r"^\[unknown\]$"), 0)


def test_cplusplus_build(browser):
    write(browser, "templates.cc", TEMPLATES)
    write(browser, "build", BUILD, 0o755)
    url = dtflame(browser, "build.html", "-F", RATE, "-c", f"./build {DURATION}", "-t", "C++ build")
    look_at(browser, url, "template", "dtflame-build")
    assert starts(browser, url) >= 99


def run_both(browser):
    """A program before and after a change; their folded stacks."""
    write(browser, "prog.c", PROGRAM)
    for version in ("before", "after"):
        os.makedirs(f"{browser.directory}/{version}", exist_ok=True)
        subprocess.run(["cc", "-O1", f"-DAFTER={version == 'after':d}", "-o", f"{version}/prog", "prog.c"], cwd=browser.directory, check=True)
        dtflame(browser, f"{version}.folded", "-u", "-F", RATE, "-c", f"{version}/prog")
    return "before.folded", "after.folded"


def compare(browser, form, name):
    with open(f"{browser.directory}/{name}", "wb") as file:
        subprocess.run([STACKVIS, "diff", *run_both(browser), form], cwd=browser.directory, stdout=file, check=True)
    return f"file://{browser.directory}/{name}"


def colour_of(browser, name):
    """What is drawn at the left of a function, and what is said of it; nothing is searched for."""
    search(browser, f"`{name}$")
    browser.keys("n")
    browser.keys(Keys.ESCAPE)
    wait(lambda: browser.fragment() == "")
    left, top = browser.run("""const c = document.querySelector('canvas').getBoundingClientRect();
        const f = document.querySelector('.focus').getBoundingClientRect(); return [f.left - c.left, f.top - c.top]""")
    pixel = browser.run("""const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        copy.drawImage(document.querySelector('canvas'), ...arguments, 1, 1, 0, 0, 1, 1);
        return [...copy.getImageData(0, 0, 1, 1).data]""", round(left) + 4, round(top) + 3)
    return pixel[:3], said(browser)


def test_difference_of_two_runs(browser):
    url = compare(browser, "flamegraph-html", "difference.html")
    browser.go(url)
    browser.picture("dtflame-difference")
    (red, _, blue), words = colour_of(browser, "grown")
    assert red > blue + 50, (red, blue, words)
    assert re.search(r" samples before, \+\d+ samples", words), words
    (red, _, blue), words = colour_of(browser, "shrunk")
    assert blue > red + 50, (red, blue, words)
    assert re.search(r" samples before, -\d+ samples", words), words
    (red, _, blue), words = colour_of(browser, "removed")
    assert blue > red + 50 and "vanished" in words, (red, blue, words)
    browser.picture("dtflame-difference-removed")


def test_difference_in_svg(browser):
    browser.go(compare(browser, "flamegraph-svg", "difference.svg"))
    browser.picture("dtflame-difference-svg")
    boxes = browser.run("""return Object.fromEntries([...document.querySelectorAll('#frames > g')].map(g =>
        [g.children[0].textContent.split(' (')[0], [g.getAttribute('class'), g.children[1].getAttribute('fill'), g.children[0].textContent]]))""")
    equal(boxes["prog`removed"][0], "gone")
    assert boxes["prog`removed"][2].endswith("; gone)"), boxes["prog`removed"]
    number = lambda fill: [int(part) for part in re.findall(r"\d+", fill)]
    for name, (more, less) in {"grown": (0, 2), "shrunk": (2, 0)}.items():
        fill = number(boxes[f"prog`{name}"][1])
        assert fill[more] > fill[less], (name, boxes[f"prog`{name}"])


if __name__ == "__main__":
    sys.exit(main(dict(globals())))
