#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How long a large flame graph takes in a browser: 100,000 different stacks of 60 frames.

    flame_page.py STACKVIS [--stacks N] [--markdown FILE]

Half of the frames of a stack are shared with others, as they are in programs; the names
are drawn from 3,000, a few of them often.  stackvis makes the page of them.  Opening is
from the start of navigation until the picture is drawn; the others are from the event
until it is.
"""
import argparse, os, random, subprocess, sys, tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "test/page"))
from browser import Browser

DEPTH, SHARED, NAMES, ROUNDS = 60, 30, 3000, 3
CLICK = """
    const graph = document.querySelector('.graph'), area = graph.getBoundingClientRect(), start = performance.now();
    graph.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: area.left + arguments[0] * area.width,
                                                  clientY: area.bottom - 18 * arguments[1] - 9 }));
    return performance.now() - start"""
SET = """
    const control = document.querySelector(`[data-name=${arguments[0]}]`), start = performance.now();
    control.value = arguments[1];
    control.dispatchEvent(new Event('change'));
    return performance.now() - start"""
OPENED = "return performance.getEntriesByName('flame-drawn')[0].startTime"


def stacks(count):
    random.seed(1)
    names = [f"function_{i:04d}_of_a_program" for i in range(NAMES)]
    usual = [1 / (i + 1) for i in range(NAMES)]
    trunks = [random.choices(names, usual, k=SHARED) for _ in range(200)]
    made = {}
    while len(made) < count:
        made[tuple(random.choice(trunks) + random.choices(names, usual, k=DEPTH - SHARED))] = random.randint(1, 9)
    return made


def page(stackvis, count):
    folded = "".join(f"{';'.join(stack)} {weight}\n" for stack, weight in stacks(count).items())
    return subprocess.run([stackvis, "collapsed", "flamegraph-html"], input=folded, capture_output=True, text=True, check=True).stdout


def measure(browser, text):
    """(what, ms, goal in ms or None)"""
    opened = []
    for _ in range(ROUNDS):
        url = browser.open(text)
        opened.append(browser.run(OPENED))
    zooms = []
    for row in (1, 3, 20, 0) * ROUNDS:
        zooms.append(browser.run(CLICK, 0.3, row))
    yield "opened", min(opened), 2000
    yield "zoomed, the slowest of 12", max(zooms), 500
    yield "searched", browser.run(SET, "search", "42"), 500
    browser.go(url)
    yield "merged from the leaf", browser.run(SET, "merge", "leaf"), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stackvis")
    parser.add_argument("--stacks", type=int, default=100000)
    parser.add_argument("--markdown")
    options = parser.parse_args()
    text = page(options.stackvis, options.stacks)
    rows, status = [("file", f"{len(text.encode()) / 1e6:.1f} MB", "≤ 10 MB")], int(len(text.encode()) > 10e6)
    with tempfile.TemporaryDirectory() as directory:
        browser = Browser(directory)
        try:
            for what, taken, goal in measure(browser, text):
                rows.append((what, f"{taken:.0f} ms", f"≤ {goal} ms" if goal else ""))
                status |= bool(goal and taken > goal)
        finally:
            browser.driver.quit()
    for row in rows:
        print("{:<30} {:>10} {:>12}".format(*row))
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write("| flame graph in a browser | measured | goal |\n|---|---:|---:|\n")
            file.writelines("| {} | {} | {} |\n".format(*row) for row in rows)
    return status


if __name__ == "__main__":
    sys.exit(main())
