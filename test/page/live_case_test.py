#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A service with outliers of hundreds of ms: from the start page to the culprit.

    test/page/live_case_test.py [CASE...]
    LIVE_PICTURES=1 test/page/live_case_test.py     makes the pictures of doc/guide/live.md

Needs root: it traces.  The service is the one of doc/guide/live.md, which tells the same
story to people: customers of `orderd` wait for half a second now and then.  The culprit is
`backupd`, in its function `copy_orders`.
"""
import os, re, shutil, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import live_test as live
from browser import ActionChains, By, Keys, PICTURES, TOP, equal, main, wait
from live_server import Server
from live_test import Map, act, keys_in, newest, panel, paused, push, shown, text

GUIDE = f"{TOP}/doc/guide/live.md"
VICTIM, CUSTOMER, CULPRIT = "orderd", "shopper", "backupd"
SLOW = 100_000_000      # ns: nothing else in the service takes so long
WAKERS = "Stacks of wakers"
FOR_PEOPLE = bool(os.environ.get("LIVE_PICTURES"))


class Shop:
    """The three programs of the guide, in a directory of their own."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(dir="/var/tmp")
        with open(GUIDE, encoding="utf-8") as file:
            source = re.search(r"<!-- file: shop.c -->\n```c\n(.*?)```", file.read(), re.S)[1]
        with open(f"{self.directory.name}/shop.c", "w", encoding="utf-8") as file:
            file.write(source if FOR_PEOPLE else source.replace("sleep(5);", "sleep(2);"))
        subprocess.run(["cc", "-g", "-w", "-o", "shop", "shop.c"], cwd=self.directory.name, check=True)
        self.processes = [subprocess.Popen(["./shop", name], cwd=self.directory.name) for name in (VICTIM, CUSTOMER, CULPRIT)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
        self.directory.cleanup()


def picture(browser, name, height=800, directory=f"{TOP}/doc/guide/live"):
    """Also for the documents, if it is wanted."""
    if not FOR_PEOPLE:
        return browser.picture(f"live-case-{name}")
    view = browser.run("return [scrollX, scrollY]")
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1280, "height": height, "deviceScaleFactor": 1, "mobile": False})
    browser.run("scrollTo(...arguments)", *view)
    time.sleep(0.5)
    browser.picture(f"live-case-{name}")
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    path = f"{directory}/{name}.png"
    shutil.copy(f"{PICTURES}/live-case-{name}.png", path)
    subprocess.run(["pngquant", "--force", "--ext", ".png", "--speed", "1", "--skip-if-larger", "64", path])
    subprocess.run(["optipng", "-quiet", "-o5", path])


def top_of(browser, selector):
    browser.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'start' }); scrollBy(0, -60)", selector)


def outliers(values, rows):
    """Columns in which the service waited for so long."""
    names = values["keys"][0] if values["keys"] else []
    return [column["t"] for column in values["columns"] for key, _, *pairs in column["rows"]
            if names[key] == [VICTIM] and any(int(rows[row][0] or 0) >= SLOW for row in pairs[::2])]


def wait_for_outliers(number, count):
    live.server.wait_for(number, lambda values: len(set(outliers(values, live.server.one(number)["sets"][0]["rows"] if values["columns"] else []))) >= count, 90)


def find_frame(browser, number, name, is_there=True):
    """Searches the panel's flame graph, until such a frame is there, or is not."""
    field, result = f"{panel(number)} [data-name=search]", f"{panel(number)} .result"
    wait(lambda: shown(browser, field))

    def claim():
        browser.run("""const field = document.querySelector(arguments[0]);
            if (field.value !== arguments[1]) {
                field.value = arguments[1];
                field.dispatchEvent(new Event('input', { bubbles: true }));
            }""", field, name)
        words = text(browser, result)
        return name in browser.fragment() and "matched" in words and words.startswith("0%") != is_there
    wait(claim)


def drag(browser, begin, end):
    actions = ActionChains(browser.driver)
    actions.w3c_actions.pointer_action.move_to_location(*map(round, begin)).pointer_down().move_to_location(*map(round, end)).pointer_up()
    actions.perform()


# ------------------------------------------------------------------------ cases

def test_from_the_start_page_to_the_culprit(browser):
    live.fresh(browser)
    live.enter(browser)
    wait(lambda: shown(browser, ".card"))
    picture(browser, "start", 560)
    # what is this machine doing?  three clicks to a heat map
    browser.find("[data-entry=machine]").click()
    wait(lambda: shown(browser, "[data-module=fs]"))
    browser.find("[data-module=fs]").click()
    wait(lambda: shown(browser, "[data-metric='fs.locks']"))
    push(browser, "Latency of file locks by program")
    wait(lambda: shown(browser, ".instrument canvas.map"))
    first = newest()
    wait_for_outliers(first, 8 if FOR_PEOPLE else 2)
    paused(browser)
    # a cell of the outliers: its only key is the service
    heat = Map(browser, first)
    t, row, _, _ = heat.slowest(VICTIM)
    rows = live.server.one(first)["sets"][0]["rows"]
    assert int(rows[row][0]) >= SLOW, rows[row]
    browser.click(*heat.place(t, row))
    wait(lambda: keys_in(browser, first) == [VICTIM])
    top_of(browser, panel(first))
    picture(browser, "cell")
    # instrument only this program, all its latencies, with stacks
    push(browser, "Clear", panel(first))
    act(browser, first, "only", heat.key(VICTIM))
    push(browser, "Instrument only this", panel(first))
    wait(lambda: newest() > first)
    second = newest()
    equal(live.server.one(second)["where"], {"eq": ["execname", VICTIM]})
    wait(lambda: f"program = {VICTIM}" in text(browser, f"{panel(second)} .condition"))
    wait(lambda: shown(browser, f"{panel(second)} canvas.map"))
    push(browser, "With stacks", panel(second))
    wait(lambda: newest() > second)
    third = newest()
    wait(lambda: shown(browser, f"{panel(third)} canvas.map"))
    push(browser, "Large", panel(third))
    wait_for_outliers(third, 8 if FOR_PEOPLE else 2)
    paused(browser)
    # a rectangle around the outliers: flame graph, difference
    heat = Map(browser, third)
    slow = [cell for cell in heat.inside if int(rows[cell[1]][0] or 0) >= SLOW]
    first_row = min(row for row in range(len(rows)) if int(rows[row][0] or 0) >= SLOW)
    drag(browser, heat.place(min(cell[0] for cell in slow), heat.high), heat.place(max(cell[0] for cell in slow), max(first_row, heat.low)))
    wait(lambda: f"{sum(cell[3] for cell in slow)} events" in text(browser, f"{panel(third)} .status"))
    push(browser, "Flame graph of this", panel(third))
    wait(lambda: "selected" in text(browser, f"{panel(third)} .panel h2"))
    find_frame(browser, third, "list_orders", False)
    find_frame(browser, third, "write_order")
    top_of(browser, panel(third))
    picture(browser, "flame", 900)
    push(browser, "Against the rest", panel(third))
    wait(lambda: "others" in text(browser, f"{panel(third)} .panel h2"))
    top_of(browser, panel(third))
    picture(browser, "difference", 900)
    # orders wait, lists do not: who lets them go on?
    browser.run("document.activeElement.blur()")
    browser.find("body").send_keys("n")
    wait(lambda: shown(browser, ".card"))
    browser.find("[data-entry=program]").click()
    wait(lambda: shown(browser, ".processes tbody tr"))
    browser.find("input[type=search]").send_keys(VICTIM)
    wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, ".processes tbody tr")) == 1)
    browser.keys(Keys.ENTER)
    wait(lambda: shown(browser, "[data-metric='program.wakers']"))
    push(browser, WAKERS)
    wait(lambda: newest() > third)
    last = newest()
    live.server.wait_for(last, lambda values: [CULPRIT] in (values["keys"] or [[]])[0])
    wait(lambda: shown(browser, f"{panel(last)} .flame-view"))
    time.sleep(2.5)     # until the picture is made again
    if FOR_PEOPLE:
        time.sleep(15)
    paused(browser)
    # the culprit, and its function
    # there are many; only those that give a lock back
    find_frame(browser, last, "flock")
    browser.run("document.querySelector(arguments[0]).focus()", f"{panel(last)} .graph")
    browser.keys("n")
    wait(lambda: "flock" in text(browser, f"{panel(last)} .said").split(":")[0])
    push(browser, "Focus", panel(last))
    wait(lambda: "focus" in browser.fragment())
    find_frame(browser, last, CULPRIT)
    find_frame(browser, last, "copy_orders")
    top_of(browser, panel(last))
    picture(browser, "wakers", 760)


if __name__ == "__main__":
    with Shop(), Server() as live.server:
        sys.exit(main(globals()))
