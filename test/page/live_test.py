#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The live page in a real browser, against the real dtlive and real loads.

    test/page/live_test.py [CASE...]

Needs root: it traces.  The whole loop is gone through twice, with the mouse and with the
keyboard: a cell, its keys, isolate, exclude, highlight, instrument only this, rectangle,
flame graph, difference.
"""
import os, sys, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import ActionChains, By, Keys, equal, main, wait
from live_server import CULPRIT, EVIL, Load, Server, VICTIM

LEFT, RIGHT, ABOVE, BELOW = 88, 12, 10, 28      # of page/heat/canvas.ts
STACKS = {"metric": "fs.operations", "by": ["latency", "execname"], "stacks": True}
server = None


def panel(number):
    return f"[data-id='{number}']"


def enter(browser, fragment=""):
    browser.driver.get(server.url)
    if fragment:
        browser.go(server.base + "/" + fragment)


def push(browser, words, within="body"):
    find = "return [...document.querySelectorAll(arguments[0] + ' button')].find((one) => one.innerText === arguments[1] && one.checkVisibility() && !one.disabled)"
    wait(lambda: browser.run(find, within, words))
    made = browser.run(find, within, words)
    browser.run("arguments[0].scrollIntoView({ block: 'center' })", made)
    made.click()


def text(browser, selector):
    """"": it is not there."""
    return browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)


def shown(browser, selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])].some((one) => one.checkVisibility())", selector)


def fresh(browser):
    """Nobody looks, and nothing is instrumented."""
    browser.driver.get("about:blank")
    server.clear()


def newest():
    return max(server.ids())


def paused(browser):
    """All stands still, so that cells stay where they are."""
    if "until" not in browser.fragment():
        push(browser, "❚❚ Pause", ".clock")
    wait(lambda: "until" in browser.fragment())


class Map:
    """Where cells of a panel's heat map are, while the page is paused."""

    def __init__(self, browser, number):
        self.browser, self.number = browser, number
        self.values = server.get(f"instrumentations/{number}/values")
        fragment = dict(part.split("=") for part in browser.fragment().lstrip("#").split("&"))
        self.to, self.span = int(fragment["until"]), int(fragment.get("span", 60)) * 1000
        self.cells = []     # time, row, key, count
        for column in self.values["columns"]:
            for key, _, *pairs in column["rows"]:
                self.cells += [(column["t"], pairs[i], key, pairs[i + 1]) for i in range(0, len(pairs), 2)]
        self.low, self.high = min(cell[1] for cell in self.cells), max(cell[1] for cell in self.cells)
        self.inside = [cell for cell in self.cells if self.to - self.span <= cell[0] < self.to]

    def place(self, t, row):
        left, top, width, height = self.browser.run(
            "const c = document.querySelector(arguments[0]); c.scrollIntoView({ block: 'center' }); const r = c.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]",
            f"{panel(self.number)} canvas.map")
        width, height = width - LEFT - RIGHT, height - ABOVE - BELOW
        return (left + LEFT + width * ((t - self.to + self.span) / 1000 + 0.5) / (self.span / 1000),
                top + ABOVE + height * (1 - (row - self.low + 0.5) / (self.high - self.low + 1)))

    def key(self, name):
        return self.values["keys"][0].index([name])

    def usual(self, name):
        """The last cell of the row that has most of it: there will be more."""
        own = [cell for cell in self.inside if cell[2] == self.key(name)]
        return max(own, key=lambda cell: (sum(other[3] for other in own if other[1] == cell[1]), cell[0]))

    def slowest(self, name):
        """The cell with the longest of its waits."""
        return max((cell for cell in self.inside if cell[2] == self.key(name)), key=lambda cell: (cell[1], cell[0]))


def keys_in(browser, number):
    """Keys that are in the selection."""
    return browser.run("""return [...document.querySelectorAll(arguments[0])].filter((row) => row.cells.length > 2 && row.cells[2].textContent)
        .map((row) => row.cells[0].textContent)""", f"{panel(number)} .keys tbody tr")


def act(browser, number, name, key):
    browser.run("document.querySelector(arguments[0]).click()", f"{panel(number)} [data-act={name}][data-key='{key}']")


def latency_by_program(browser):
    """From the start page, in three clicks."""
    fresh(browser)
    enter(browser)
    wait(lambda: shown(browser, ".card"))
    browser.find("[data-entry=machine]").click()
    wait(lambda: shown(browser, "[data-module=fs]"))
    browser.find("[data-module=fs]").click()
    wait(lambda: shown(browser, "[data-metric='fs.operations']"))
    push(browser, "File-system latency by program")
    wait(lambda: shown(browser, ".instrument canvas.map"))
    number = newest()
    server.wait_for(number, lambda values: [CULPRIT] in (values["keys"] or [[]])[0] and len(values["columns"]) > 8)
    time.sleep(1)
    return number


# ------------------------------------------------------------------------ cases

def test_three_clicks_to_a_heat_map(browser):
    number = latency_by_program(browser)
    equal(text(browser, f"{panel(number)} h2"), "File-system latency by program")
    wait(lambda: text(browser, f"{panel(number)} .badge") == "live")
    facts = text(browser, f"{panel(number)} .facts").split("\n")
    for label in ("events", "drops", "faults", "cost", "memory", "probes"):
        assert label in facts, facts
    wait(lambda: int(server.one(number)["status"]["events"]) > 0)
    browser.picture("live-first")


def test_the_loop_with_the_mouse(browser):
    number = latency_by_program(browser)
    paused(browser)
    # a cell: its keys
    heat = Map(browser, number)
    t, row, _, _ = heat.usual(CULPRIT)
    browser.move(*heat.place(t, row))
    wait(lambda: "% of the column" in text(browser, f"{panel(number)} .tooltip"))
    browser.click(*heat.place(t, row))
    wait(lambda: CULPRIT in keys_in(browser, number))
    browser.picture("live-cell")
    # isolate, exclude, highlight
    key = heat.key(CULPRIT)
    act(browser, number, "hue", key)
    wait(lambda: CULPRIT in text(browser, f"{panel(number)} .ramp"))
    before = text(browser, f"{panel(number)} .status")
    act(browser, number, "without", key)
    wait(lambda: text(browser, f"{panel(number)} .status") != before)
    act(browser, number, "without", key)
    wait(lambda: text(browser, f"{panel(number)} .status") == before)
    act(browser, number, "only", key)
    wait(lambda: browser.run("return document.querySelector(arguments[0]).getAttribute('aria-pressed')", f"{panel(number)} [data-act=only][data-key='{key}']") == "true")
    # instrument only this: the condition goes into the program
    push(browser, "Instrument only this", panel(number))
    wait(lambda: newest() > number)
    narrow = newest()
    where = server.one(narrow)["where"]
    low, high = server.one(number)["sets"][0]["rows"][row]
    for part in ({"eq": ["execname", CULPRIT]}, {"ge": ["latency", low]}, {"le": ["latency", high]}):
        assert part in where["and"], where
    wait(lambda: f"program = {CULPRIT}" in text(browser, f"{panel(narrow)} .condition"))
    values = server.wait_for(narrow, lambda values: values["columns"])
    equal(values["keys"][0], [[CULPRIT]])
    # with stacks: rectangle, flame graph, difference
    push(browser, "With stacks", panel(number))
    wait(lambda: newest() > narrow)
    stacked = newest()
    server.wait_for(stacked, lambda values: len(values["columns"]) > 8 and [CULPRIT] in values["keys"][0])
    push(browser, "Large", panel(stacked))
    time.sleep(1.5)
    paused(browser)
    heat = Map(browser, stacked)
    t, row, _, _ = heat.slowest(CULPRIT)
    low_row = min(cell[1] for cell in heat.inside if cell[0] == t)
    middle = (row + heat.low) // 2 if row > heat.low else row
    begin, end = heat.place(t - 3000, row), heat.place(t, middle)
    actions = ActionChains(browser.driver)
    actions.w3c_actions.pointer_action.move_to_location(*map(round, begin)).pointer_down().move_to_location(*map(round, end)).pointer_up()
    actions.perform()
    browser.picture("live-rectangle")
    wait(lambda: "of all shown" in text(browser, f"{panel(stacked)} .status"))
    push(browser, "Flame graph of this", panel(stacked))
    wait(lambda: "selected" in text(browser, f"{panel(stacked)} .panel h2"))
    assert low_row <= row
    push(browser, "Against the rest", panel(stacked))
    wait(lambda: "others" in text(browser, f"{panel(stacked)} .panel h2"))
    assert "only selected" in text(browser, f"{panel(stacked)} .legend")
    browser.picture("live-loop-mouse")


def test_the_loop_with_the_keyboard(browser):
    fresh(browser)
    enter(browser)
    wait(lambda: shown(browser, ".card"))
    browser.find("body").send_keys("1")
    wait(lambda: shown(browser, "[data-module=fs]"))
    browser.run("document.querySelector('[data-module=fs]').focus()")
    browser.keys(Keys.ENTER)
    wait(lambda: shown(browser, "[data-metric='fs.operations']"))
    browser.run("[...document.querySelectorAll('.preset')].find((one) => one.textContent === 'File-system latency with stacks').focus()")
    browser.keys(Keys.ENTER)
    wait(lambda: shown(browser, ".instrument canvas.map"))
    number = newest()
    server.wait_for(number, lambda values: [CULPRIT] in (values["keys"] or [[]])[0] and len(values["columns"]) > 8)
    time.sleep(1)
    browser.find("body").send_keys(Keys.SPACE)
    wait(lambda: "until" in browser.fragment())
    browser.find("body").send_keys("j")
    wait(lambda: browser.run("return document.activeElement.className") == "map")
    browser.keys(Keys.ARROW_RIGHT)
    wait(lambda: "events" in text(browser, f"{panel(number)} .status"))
    for _ in range(4):
        browser.press(Keys.SHIFT, Keys.ARROW_LEFT)
    for _ in range(6):
        browser.press(Keys.SHIFT, Keys.ARROW_UP)
    browser.keys("f")
    wait(lambda: "selected" in text(browser, f"{panel(number)} .panel h2"))
    browser.keys("d")
    wait(lambda: "others" in text(browser, f"{panel(number)} .panel h2"))
    browser.picture("live-loop-keyboard")
    # to the keys; the first button isolates
    browser.keys(Keys.ENTER)
    wait(lambda: browser.run("return document.activeElement.dataset.act") == "only")
    browser.keys(Keys.ENTER)
    wait(lambda: browser.run("return document.activeElement.getAttribute('aria-pressed')") == "true")
    name = browser.run("return document.activeElement.closest('tr').querySelector('th').textContent")
    for wanted in ("without", "hue"):
        browser.keys(Keys.TAB)
        wait(lambda: browser.run("return document.activeElement.dataset.act") == wanted)
    browser.keys(Keys.ENTER)
    wait(lambda: name in text(browser, f"{panel(number)} .ramp"))
    browser.run("document.querySelector(arguments[0]).focus()", f"{panel(number)} canvas.map")
    browser.keys("o")
    wait(lambda: newest() > number)
    parts = server.one(newest())["where"]["and"]
    assert {"eq": ["execname", name]} in parts and any("ge" in part or "le" in part for part in parts), parts


def test_hostile_names_are_text(browser):
    with Load(EVIL):
        fresh(browser)
        number = server.ask("POST", "instrumentations", {"program": "syscall::pwrite*:entry { @a[execname] = quantize(arg2); @b[execname] = count(); printf(\"%s\", execname); }"})["id"]
        server.wait_for(number, lambda values: any([EVIL] in keys for keys in values["keys"]))
        enter(browser)
        wait(lambda: EVIL in text(browser, f"{panel(number)} .legend-keys"))
        wait(lambda: EVIL in text(browser, f"{panel(number)} .lines"))
        equal(browser.run("return document.querySelectorAll('main b').length - document.querySelectorAll('main .legend-keys b, main .tooltip b').length"), 0)
        browser.picture("live-d-program")


def test_the_editor_complains_and_completes(browser):
    enter(browser, "#page=write")
    wait(lambda: shown(browser, "textarea"))
    area = browser.find("textarea")
    area.send_keys("syscall::read:entry\n{\n    @ = quanti(arg2);\n}\n")
    wait(lambda: shown(browser, ".complaints li"))
    assert "quanti" in text(browser, ".complaints"), text(browser, ".complaints")
    wait(lambda: browser.run("return document.querySelector('.under .wrong')?.textContent ?? ''") != "")
    equal(browser.run("return document.querySelector('.under .wrong').textContent"), "quanti")
    browser.picture("live-editor-complaint")
    area.send_keys(Keys.CONTROL, "a")
    area.send_keys(Keys.NULL, Keys.DELETE)
    area.send_keys("syscall::readli")
    wait(lambda: shown(browser, ".popup li"))
    browser.picture("live-editor-popup")
    equal(browser.run("return document.querySelector('.popup [aria-selected=true] b').textContent"), "readlink:")
    area.send_keys(Keys.ARROW_DOWN)
    equal(browser.run("return document.querySelector('.popup [aria-selected=true] b').textContent"), "readlinkat:")
    area.send_keys(Keys.ARROW_UP, Keys.ENTER)
    wait(lambda: area.get_attribute("value") == "syscall::readlink:")
    area.send_keys(Keys.ESCAPE)
    wait(lambda: not shown(browser, ".popup"))
    area.send_keys(Keys.CONTROL, "a")
    area.send_keys(Keys.NULL, "syscall:::entry {{ @[execname] = count(); }")
    wait(lambda: shown(browser, ".complaints li"))
    area.send_keys(Keys.CONTROL, "a")
    area.send_keys(Keys.NULL, "syscall:::entry { @[execname] = count(); }")
    wait(lambda: "no complaints" in text(browser, ".editor"))
    before = max(server.ids(), default=0)
    area.send_keys(Keys.CONTROL, Keys.ENTER)
    wait(lambda: max(server.ids(), default=0) > before)
    wait(lambda: shown(browser, f"{panel(newest())} .line canvas"))


def test_choosing_a_metric_shows_its_program(browser):
    enter(browser, "#page=metric&metric=fs.operations")
    wait(lambda: "quantize" in text(browser, ".program"))
    before = text(browser, ".program")
    push(browser, "Only some events…")
    browser.find(".condition-row input").send_keys(VICTIM)
    wait(lambda: VICTIM in text(browser, ".program") and text(browser, ".program") != before)
    browser.picture("live-chooser")
    push(browser, "Show it")
    wait(lambda: shown(browser, ".instrument"))
    equal(server.one(newest())["where"], {"eq": ["execname", VICTIM]})


def test_pause_and_the_past(browser):
    fresh(browser)
    number = server.ask("POST", "instrumentations", {"program": "syscall:::entry { @[execname] = count(); }", "title": "calls"})["id"]
    server.wait_for(number, lambda values: len(values["columns"]) > 5)
    enter(browser)
    wait(lambda: shown(browser, f"{panel(number)} .line canvas"))
    time_of = lambda: text(browser, ".time")
    first = time_of()
    wait(lambda: time_of() != first)
    browser.find("body").send_keys(Keys.SPACE)
    wait(lambda: "until" in browser.fragment())
    held = time_of()
    time.sleep(2.5)
    equal(time_of(), held)
    browser.find("body").send_keys("[")
    wait(lambda: time_of() < held)
    push(browser, "● Live", ".clock")
    wait(lambda: "until" not in browser.fragment() and time_of() > held)


def test_marks_are_in_all_panels_and_in_all_browsers(browser):
    fresh(browser)
    for title in ("one", "two"):
        server.ask("POST", "instrumentations", {"program": "profile-97hz { @[cpu] = count(); }", "title": title})
    enter(browser)
    wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, ".instrument .line canvas")) == 2)
    browser.find("body").send_keys("m")
    wait(lambda: shown(browser, "dialog.ask input"))
    browser.keys("deployed <i>now</i>", Keys.ENTER)
    wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, ".mark")) == 2)
    equal(browser.run("return document.querySelector('.mark').textContent"), "deployed <i>now</i>")
    equal([one["text"] for one in server.get("annotations")["annotations"]], ["deployed <i>now</i>"])
    server.ask("DELETE", f"annotations/{server.get('annotations')['annotations'][0]['n']}")
    wait(lambda: not browser.driver.find_elements(By.CSS_SELECTOR, ".mark"))


def test_panels_are_pinned_renamed_stopped_and_deleted(browser):
    fresh(browser)
    numbers = [server.ask("POST", "instrumentations", {"program": "profile-97hz { @[cpu] = count(); }", "title": title})["id"] for title in ("one", "two")]
    titles = lambda: browser.run("return [...document.querySelectorAll('.instrument .headline h2')].map((one) => one.textContent)")
    enter(browser)
    wait(lambda: titles() == ["one", "two"])
    push(browser, "Pin", panel(numbers[1]))
    wait(lambda: titles() == ["two", "one"])
    browser.find(f"{panel(numbers[0])} .more-acts summary").click()
    push(browser, "Rename", panel(numbers[0]))
    browser.keys(Keys.CONTROL, "a")
    browser.keys(Keys.NULL, "first", Keys.ENTER)
    wait(lambda: titles() == ["two", "first"])
    push(browser, "Stop", panel(numbers[0]))
    wait(lambda: text(browser, f"{panel(numbers[0])} .badge") == "ended")
    browser.find(f"{panel(numbers[0])} .more-acts summary").click()
    push(browser, "Delete", panel(numbers[0]))
    wait(lambda: titles() == ["two"])
    equal(server.ids(), [numbers[1]])


def test_a_snapshot_opens_from_disk(browser):
    fresh(browser)
    number = server.ask("POST", "instrumentations", STACKS)["id"]
    server.wait_for(number, lambda values: len(values["columns"]) > 5)
    enter(browser)
    wait(lambda: shown(browser, f"{panel(number)} canvas.map"))
    browser.find("a[download='dtlive.html']").click()
    path = os.path.join(browser.directory, "dtlive.html")
    wait(lambda: os.path.exists(path) and os.path.getsize(path) > 10000)
    browser.go(f"file://{path}")
    wait(lambda: shown(browser, f"{panel(number)} canvas.map"))
    equal(text(browser, ".top .badge"), "snapshot")
    push(browser, "Flame graph of all", panel(number))
    wait(lambda: text(browser, f"{panel(number)} .panel h2").startswith("Stacks of"))
    browser.picture("live-from-disk")
    os.remove(path)


def test_processes_and_services(browser):
    enter(browser, "#page=program")
    wait(lambda: shown(browser, ".processes tbody tr"))
    browser.find("input[type=search]").send_keys(CULPRIT)
    wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, ".processes tbody tr")) == 1)
    browser.picture("live-processes")
    browser.keys(Keys.ENTER)
    wait(lambda: shown(browser, "[data-metric='program.oncpu']"))
    assert CULPRIT in text(browser, ".start h2")
    browser.picture("live-program")
    enter(browser, "#page=service")
    wait(lambda: shown(browser, ".metric"))
    browser.picture("live-service")


def test_a_recording_is_replayed(browser):
    fresh(browser)
    number = server.ask("POST", "instrumentations", {"metric": "fs.operations", "by": ["latency", "execname"]})["id"]
    server.wait_for(number, lambda values: len(values["columns"]) > 5)
    path = os.path.join(browser.directory, "recording")
    with open(path, "wb") as file:
        file.write(server.bytes(f"instrumentations/{number}/recording"))
    with Server("--replay", path) as other:
        browser.driver.get(other.url)
        wait(lambda: shown(browser, ".instrument canvas.map"))
        equal(text(browser, ".top .badge"), "replay")
        browser.run("document.querySelector('canvas.map').focus()")
        browser.keys(Keys.ARROW_LEFT)
        wait(lambda: "events" in text(browser, ".instrument .status"))
        browser.picture("live-replay")
        browser.driver.get("about:blank")


def test_what_a_killed_server_had_comes_back(browser):
    with Server() as other:
        other.ask("POST", "instrumentations", {"program": "profile-97hz { @[cpu] = count(); }", "title": "here <i>it</i> is"})
        browser.driver.get(other.url)
        wait(lambda: shown(browser, ".instrument .line canvas"))
        other.kill_confined()
        wait(lambda: "Not connected" in text(browser, ".banner[role=alert]"))
        wait(lambda: "here <i>it</i> is" in text(browser, ".banner:not([role])"))
        browser.picture("live-restarted")
        push(browser, "Bring it back")
        wait(lambda: text(browser, ".instrument h2") == "here <i>it</i> is" and text(browser, ".instrument .badge") == "live")
        wait(lambda: not shown(browser, ".banner"))
        browser.driver.get("about:blank")
    browser.complaints()        # that nobody answered


def test_a_server_that_is_gone_is_said(browser):
    with Server() as other:
        other.ask("POST", "instrumentations", {"program": "profile-97hz { @[cpu] = count(); }", "title": "here"})
        browser.driver.get(other.url)
        wait(lambda: shown(browser, ".instrument"))
    wait(lambda: "Not connected" in text(browser, ".banner[role=alert]"))
    equal(text(browser, ".instrument h2"), "here")
    browser.complaints()        # that nobody answers


if __name__ == "__main__":
    with Load(CULPRIT, VICTIM), Server() as server:
        sys.exit(main(globals()))
