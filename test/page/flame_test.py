#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Flame graphs in a real browser: what users do with them, and what hostile names cannot.

    test/page/flame_test.py [CASE...]

What is drawn is asked for by its place: widths follow from the weights.
"""
import os, sys, xml.dom.minidom

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import By, Keys, equal, main, wait
from flame_data import flame, page

ROW = 18
# all 1000: main 900 (row_search 600 (row_sel 400), log 200), idle 100
STACKS = {("idle",): 100, ("main",): 100, ("main", "log"): 200, ("main", "row_search"): 200,
          ("main", "row_search", "row_sel"): 400}
HOSTILE = ["<script>document.title = 'executed'</script>", "\"><img src=x onerror=\"document.title = 'executed'\">",
           "</script><script>document.title = 'executed'</script>", "a\x00b\x1b[2Jc", "';document.title='executed';'",
           "\u202egnp.exe", "&lt;b&gt;", "${document.title='executed'}", "javascript:document.title='executed'",
           "<!--<script>", "x" * 5000]


def area(browser):
    return browser.run("const r = document.querySelector('.graph').getBoundingClientRect();"
                       "return [r.left, r.top, r.width, r.height]")


def place(browser, share, row):
    """Of a frame, by its share of the width and its row above the ground."""
    left, top, width, height = area(browser)
    return left + width * share, top + height - ROW * row - ROW / 2


def said(browser):
    return browser.text(".said")


def set_text(browser, name, text):
    field = browser.find(f"[data-name={name}]")
    field.clear()
    field.send_keys(text, Keys.ENTER)


def choose(browser, name, value):
    browser.find(f"[data-name={name}] option[value={value}]").click()


def more(browser):
    browser.find(".controls summary").click()


def test_hover_says_all(browser):
    browser.open(page(flame(STACKS)))
    browser.move(*place(browser, 0.5, 2))
    equal(browser.text(".tooltip").split("\n"), [
        "row_search", "600 samples, 60.00% of all, 66.67% of parent",
        "200 samples in the function itself, 20.00% of all", "user"])
    browser.move(5, 5)
    wait(lambda: browser.find(".tooltip").get_property("hidden"))


def test_search_click_reset_and_url(browser):
    url = browser.open(page(flame(STACKS, title="MariaDB", subtitle="99 Hz")))
    browser.find("[data-name=search]").send_keys("row")
    wait(lambda: browser.text(".result") == "60.00% matched")
    browser.click(*place(browser, 0.5, 2))
    assert said(browser).startswith("row_search: 600 samples"), said(browser)
    saved = browser.fragment()
    equal(saved, "#zoom=4&search=row")
    # zoomed: what was below it is now as wide as the window
    browser.move(*place(browser, 0.6, 3))
    assert browser.text(".tooltip").startswith("row_sel\n400 samples"), browser.text(".tooltip")
    browser.picture("flame-zoomed")
    browser.find(".bar button").click()
    equal(browser.fragment(), "#search=row")
    browser.go(url + saved)
    equal(browser.find("[data-name=search]").get_property("value"), "row")
    equal(browser.text(".result"), "60.00% matched")
    assert said(browser).startswith("row_search: 600 samples"), said(browser)
    browser.move(*place(browser, 0.6, 3))
    assert browser.text(".tooltip").startswith("row_sel\n400 samples"), browser.text(".tooltip")


def test_back_undoes_a_zoom(browser):
    browser.open(page(flame(STACKS)))
    browser.click(*place(browser, 0.5, 1))
    equal(browser.fragment(), "#zoom=2")
    browser.driver.back()
    wait(lambda: browser.fragment() == "")
    wait(lambda: not browser.find(".bar button").is_enabled())


def test_keyboard_alone(browser):
    browser.open(page(flame(STACKS)))
    browser.run("document.querySelector('.graph').focus()")
    heard = [said(browser)]
    for key in (Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_LEFT):
        browser.keys(key)
        heard.append(said(browser))
    equal([text.split(":")[0] for text in heard], ["all", "main", "row_search", "log", "main", "idle"])
    browser.picture("flame-focus")
    outline = browser.run("return getComputedStyle(document.querySelector('.focus')).borderTopWidth")
    equal(outline, "2px")
    browser.keys(Keys.ENTER)
    equal(browser.fragment(), "#zoom=1")
    browser.keys(Keys.ESCAPE)
    equal(browser.fragment(), "")
    browser.keys("/")
    browser.keys("log")
    wait(lambda: browser.text(".result") == "20.00% matched")
    browser.keys(Keys.ESCAPE)
    equal(browser.fragment(), "")
    equal(browser.run("return document.activeElement.className"), "graph")
    browser.press(Keys.CONTROL, "f")
    equal(browser.run("return document.activeElement.dataset.name"), "search")


def test_tab_reaches_everything(browser):
    browser.open(page(flame(STACKS)), "#zoom=2")
    more(browser)
    browser.run("document.activeElement.blur()")
    wanted = {"search", "shape", "merge", "colour", "focus", "ignore", "collapse", "order", "least", "Reset", "Save SVG",
              "Save folded", "graph", "Functions", "Zoom", "Callers and callees", "Focus", "Ignore"}
    reached = set()
    for _ in range(30):
        browser.keys(Keys.TAB)
        reached.add(browser.run("const e = document.activeElement; return e.dataset.name || e.className || e.textContent"))
    equal(wanted - reached, set())
    unnamed = browser.run("return [...document.querySelectorAll('input, select')].filter(e => !e.labels.length).length")
    equal(unnamed, 0)


def test_shapes_and_merges(browser):
    browser.open(page(flame(STACKS)))
    choose(browser, "shape", "icicle")
    left, top, width, _ = area(browser)
    browser.move(left + width * 0.5, top + 2 * ROW + 9)
    assert browser.text(".tooltip").startswith("row_search"), browser.text(".tooltip")
    choose(browser, "shape", "flame")
    choose(browser, "merge", "leaf")
    # by name: idle, log, main, row_search, row_sel; above each its caller
    browser.move(*place(browser, 0.9, 1))
    assert browser.text(".tooltip").startswith("row_sel\n400 samples"), browser.text(".tooltip")
    browser.move(*place(browser, 0.9, 3))
    assert browser.text(".tooltip").startswith("main\n400 samples"), browser.text(".tooltip")


def test_callers_and_callees(browser):
    browser.open(page(flame({**STACKS, ("main", "log", "row_search"): 50})))
    browser.click(*place(browser, 0.5, 2))
    browser.find(".graph").send_keys("s")
    equal(browser.fragment(), "#merge=function&function=row_search")
    assert said(browser).startswith("row_search: 650 samples, 61.90% of all"), said(browser)
    browser.keys(Keys.ARROW_UP)
    assert said(browser).startswith("main: 600 samples"), said(browser)
    browser.keys(Keys.ARROW_LEFT)
    assert said(browser).startswith("log: 50 samples"), said(browser)
    browser.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert said(browser).startswith("row_sel: 400 samples"), said(browser)
    browser.picture("flame-sandwich")
    browser.keys(Keys.ESCAPE)
    equal(browser.run("return document.querySelector('[data-name=merge]').value"), "root")


def test_list_of_functions(browser):
    browser.open(page(flame(STACKS)))
    browser.find(".functions summary").click()
    names = lambda: [row.text for row in browser.driver.find_elements(By.CSS_SELECTOR, ".functions td button")]
    wait(lambda: len(names()) == 5)
    equal(names()[0], "row_sel")
    browser.picture("flame-functions")
    browser.driver.find_element(By.XPATH, "//th/button[text()='With callees']").click()
    equal(names(), ["main", "row_search", "row_sel", "log", "idle"])
    set_text(browser, "search", "row")
    equal(names(), ["row_search", "row_sel"])
    browser.driver.find_element(By.XPATH, "//td/button[text()='row_search']").click()
    equal(browser.fragment(), "#merge=function&function=row_search&search=row")


def test_n_goes_to_the_next_match(browser):
    browser.open(page(flame(STACKS)), "#search=row")
    heard = []
    for key in "nnnN":
        browser.find(".graph").send_keys(key)
        heard.append(said(browser).split(":")[0])
    equal(heard, ["row_search", "row_sel", "row_search", "row_sel"])


def test_letters_change_the_view_in_the_graph_only(browser):
    browser.open(page(flame(STACKS)))
    seen = []
    for key in "iirr":
        browser.find(".graph").send_keys(key)
        seen.append(browser.fragment())
    equal(seen, ["#shape=icicle", "", "#merge=leaf", ""])
    browser.find("[data-name=search]").send_keys("irs")
    wait(lambda: browser.fragment() == "#search=irs")
    left, top = (round(number) for number in place(browser, 0.5, 2))
    browser.run("""document.elementFromPoint(...arguments).dispatchEvent(
        new MouseEvent('click', { bubbles: true, shiftKey: true, clientX: arguments[0], clientY: arguments[1] }))""", left, top)
    equal(browser.fragment(), "#merge=function&function=row_search&search=irs")


def test_focus_ignore_collapse(browser):
    browser.open(page(flame({("main", "f", "f", "f", "g"): 4, ("main", "f", "g"): 2, ("idle",): 4})))
    more(browser)
    set_text(browser, "ignore", "idle")
    wait(lambda: said(browser) == "all: 6 samples, 100% of all")
    browser.find("[data-name=collapse]").click()
    browser.find(".graph").send_keys(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_UP)
    assert said(browser).startswith("g: 6 samples"), said(browser)
    set_text(browser, "ignore", "")
    set_text(browser, "focus", "idle")
    wait(lambda: said(browser) == "all: 4 samples, 100% of all")
    set_text(browser, "focus", "nobody")
    wait(lambda: browser.find(".empty").is_displayed())


def test_difference_shows_what_vanished(browser):
    stacks = {("main", "gone"): (40, 0), ("main", "grown"): (10, 50), ("main", "same"): (10, 10)}
    browser.open(page(flame(stacks)))
    browser.move(*place(browser, 0.2, 2))
    equal(browser.text(".tooltip").split("\n")[:2], ["gone", "40 samples before, vanished, 66.67% of all, 66.67% of parent"])
    browser.move(*place(browser, 0.6, 2))
    assert "10 samples before, +40 samples" in browser.text(".tooltip"), browser.text(".tooltip")
    _, _, width, height = area(browser)
    line = browser.run("const c = document.querySelector('canvas');"
                       "return [...c.getContext('2d').getImageData(0, arguments[0], c.width, 1).data]", int(height - 2 * ROW - 4))
    gone, grown = (line[4 * x:4 * x + 3] for x in (int(width * share) for share in (0.35, 0.85)))
    assert gone[2] > gone[0] + 80, ("vanished is blue", gone)
    assert grown[0] > grown[2] + 80, ("grown is red", grown)
    browser.picture("flame-difference")
    choose(browser, "width", "after")
    browser.move(*place(browser, 0.2, 2))
    assert browser.text(".tooltip").startswith("grown"), browser.text(".tooltip")


def test_colours_and_legend(browser):
    browser.open(page(flame({(("main", "app", "user"), ("read", "vmlinux", "kernel")): 1})))
    choose(browser, "colour", "kind")
    equal(browser.text(".legend").split("\n"), ["kernel", "user"])
    choose(browser, "colour", "module")
    equal(browser.text(".legend").split("\n"), ["vmlinux", "app"])
    choose(browser, "colour", "name")
    assert not browser.find(".legend").is_displayed()


def test_notes_and_units(browser):
    browser.open(page(flame({("main",): 1500000}, title="t", unit="ns", notes=["12 drops on CPU 0"])))
    equal(browser.text(".notes"), "12 drops on CPU 0")
    equal(said(browser), "all: 1.5 ms, 100% of all")


def test_hostile_names_are_text(browser):
    stacks = {(name, (name, name, "kernel")): 1 for name in HOSTILE}
    browser.open(page(flame(stacks, title=HOSTILE[0], subtitle=HOSTILE[1], unit=HOSTILE[0], notes=HOSTILE)))
    for _ in range(2 * len(HOSTILE)):
        browser.find(".graph").send_keys(Keys.ARROW_RIGHT)
    browser.find(".graph").send_keys(Keys.HOME, Keys.ARROW_UP)
    for number in range(len(HOSTILE)):
        browser.move(*place(browser, (number + 0.5) / len(HOSTILE), 1))
        browser.find(".graph").send_keys(Keys.ENTER if number == 3 else Keys.ARROW_RIGHT)
    equal(browser.driver.title, HOSTILE[0])     # as text: it was not executed
    equal(browser.text("h1"), HOSTILE[0])
    notes = [note.text for note in browser.driver.find_elements(By.CSS_SELECTOR, ".notes li")]
    equal(notes[3:6], ["a\\x00b\\x1b[2Jc", HOSTILE[4], "\\u202egnp.exe"])
    equal(browser.run("return document.scripts.length + document.images.length"), 2)
    browser.picture("flame-hostile")


def test_policy_stops_what_is_injected(browser):
    """Even if somebody forgot to escape: scripts and handlers do not run, nothing is loaded."""
    injected = ("<script>document.title = 'executed'</script><img src='x' onerror=\"document.title = 'executed'\">"
                "<p id='styled' style='color: red'>text</p>")
    browser.open(page(flame(STACKS, title="quiet"), injected))
    equal(browser.driver.title, "quiet")
    assert said(browser).startswith("all: 1,000 samples"), said(browser)
    refused = [message for message in browser.complaints() if "Content Security Policy" in message]
    assert len(refused) >= 3, refused


def test_damaged_data_are_told(browser):
    data = flame(STACKS)
    browser.open(page({**data, "nodes": "AQ=="}))
    assert browser.text("[role=alert]").startswith("The data are damaged"), browser.text("[role=alert]")
    browser.open(page(flame({})))
    assert browser.find(".empty").is_displayed()


def test_deep_stacks_scroll(browser):
    names = [f"level_{i:03d}" for i in range(400)]
    browser.open(page(flame({tuple(names): 5})))
    height = browser.run("const g = document.querySelector('.graph'); return [g.scrollHeight, g.scrollTop + g.clientHeight]")
    assert height[0] >= 401 * ROW and abs(height[0] - height[1]) < 2, height
    browser.find(".graph").send_keys(*[Keys.ARROW_UP] * 100)
    assert said(browser).startswith("level_099"), said(browser)
    assert browser.find(".focus").is_displayed()
    canvas = browser.run("return document.querySelector('canvas').height")
    assert canvas < 2000, canvas        # as large as the window, not as the stacks


def test_dark_light_and_contrast(browser):
    """Text of the page against its background, as WCAG computes it."""
    script = """
        const rgb = text => text.match(/\\d+(\\.\\d+)?/g).map(Number);
        const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                             return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const back = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] !== 0) return c; }
                            return [255, 255, 255]; };
        return [...document.querySelectorAll('h1, header p, .notes li, label, button, select, input, summary, .said, .result, .legend li')]
            .map(e => { const [a, b] = [light(rgb(getComputedStyle(e).color)), light(back(e))];
                        return [e.className || e.textContent || e.name, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; })"""
    backgrounds = set()
    try:
        for scheme in ("light", "dark"):
            browser.emulate(prefers_color_scheme=scheme)
            browser.open(page(flame(STACKS, "title", "subtitle", notes=["note"])), "#colour=kind&search=row")
            browser.picture(f"flame-{scheme}")
            backgrounds.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
            low = [entry for entry in browser.run(script) if entry[1] < 4.5]
            equal(low, [])
    finally:
        browser.emulate()
    equal(len(backgrounds), 2)


def test_export(browser):
    browser.open(page(flame(STACKS, title="my <flame>")), "#search=row")
    more(browser)
    for button, suffix in (("Save SVG", "svg"), ("Save folded", "folded")):
        browser.driver.find_element(By.XPATH, f"//button[text()='{button}']").click()
        wait(lambda: os.path.exists(f"{browser.directory}/my-flame.{suffix}"))
    with open(f"{browser.directory}/my-flame.folded", encoding="utf-8") as file:
        equal(sorted(file.read().splitlines()), sorted(f"{';'.join(stack)} {weight}" for stack, weight in STACKS.items()))
    svg = xml.dom.minidom.parse(f"{browser.directory}/my-flame.svg")
    titles = [node.firstChild.data for node in svg.getElementsByTagName("title")]
    equal(titles[0], "my <flame>")
    equal(sorted(title.split(":")[0] for title in titles[1:]), ["all", "idle", "log", "main", "row_search", "row_sel"])


def test_print_shows_all_rows(browser):
    names = [f"level_{i:03d}" for i in range(100)]
    browser.open(page(flame({tuple(names): 5})))
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    equal(browser.run("return document.querySelector('canvas').height"), 101 * ROW)
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    assert browser.run("return document.querySelector('canvas').height") < 900


if __name__ == "__main__":
    sys.exit(main(dict(globals())))
