#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Heat maps in a real browser: what users do with them, and what hostile keys cannot.

    test/page/heat_test.py [CASE...]

Cells are asked for by their place: columns have the same width, rows the same height.
"""
import base64, json, os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from flame_data import flame, varint
from browser import TOP, ActionChains, By, Keys, equal, main, wait

LEFT, RIGHT, ABOVE, BELOW = 88, 12, 10, 28      # of canvas.ts
# column, row, key, count
CELLS = [(0, 0, 0, 30), (0, 1, 1, 10), (1, 0, 0, 20), (1, 2, 1, 60), (1, 3, 2, 20), (3, 2, 2, 100)]
KEYS = ["alpha", "beta", "gamma"]


# stacks, in the order of names, and cells with one: idle is 1, main 2, main>read 3, main>write 4
STACKS = {("idle",): 0, ("main", "read"): 0, ("main", "write"): 0}
STACKED = [(0, 0, 0, 30, 1), (0, 1, 1, 10, 3), (1, 0, 0, 20, 1), (1, 2, 1, 60, 3), (1, 3, 2, 20, 4), (3, 2, 2, 100, 4)]


def heat(cells=CELLS, keys=KEYS, scale="log", notes=(), title="A map", stacks=None):
    data, before = bytearray(), 0
    for column, row, key, count, *stack in cells:
        for number in (column - before, row, key, 2 * count, *stack):
            data += varint(number)
        before = column
    return {**({"stacks": flame(stacks)} if stacks else {}), "format": 1, "picture": "heatmap", "title": title, "subtitle": "host", "zone": "UTC", "zoneSeconds": 0,
            "notes": list(notes), "maps": [{
                **({"stacksIn": 0} if stacks else {}), "name": "@: quantize", "valueUnit": "ns", "countUnit": "", "scale": scale, "start": 0, "step": 1000, "columns": 4,
                "rows": [["1", "1"], ["2", "3"], ["4", "7"], ["8", None]], "keyNames": ["execname"], "keys": [[key] for key in keys],
                "cells": base64.b64encode(bytes(data)).decode()}]}


def place(browser, column, row, columns=4, rows=4):
    left, top, width, height = browser.run(
        "const c = document.querySelector('canvas'); c.scrollIntoView({ block: 'nearest' }); const r = c.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]")
    width, height = width - LEFT - RIGHT, height - ABOVE - BELOW
    return left + LEFT + width * (column + 0.5) / columns, top + ABOVE + height * (1 - (row + 0.5) / rows)


def colour(browser, column, row):
    """Of a cell, beside its middle, where lines may be."""
    x, y = place(browser, column, row)
    return tuple(browser.run("""
        const c = document.querySelector('canvas'), r = c.getBoundingClientRect(), s = devicePixelRatio;
        const one = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        one.drawImage(c, Math.round((arguments[0] - r.left + 9) * s), Math.round((arguments[1] - r.top + 20) * s), 1, 1, 0, 0, 1, 1);
        return Array.from(one.getImageData(0, 0, 1, 1).data.slice(0, 3));""", x, y))


def show(browser, data=None, fragment=""):
    data = data or heat()
    text = json.dumps(data).replace("<", "\\u003c")
    html = subprocess.run([f"{TOP}/build/page/write_page", "heat", data["title"]], input=text.encode(), capture_output=True, check=True).stdout
    return browser.open(html.decode(), fragment)


def act(browser, name, key):
    """In one step: the page draws its table of keys again after each choice."""
    browser.run("document.querySelector(arguments[0]).click()", f"[data-act={name}][data-key='{key}']")


def keys_shown(browser):
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")][:3]
            for row in browser.driver.find_elements(By.CSS_SELECTOR, ".keys tbody tr")]


def details(browser):
    return browser.text(".details").split("\n")


def test_hover_says_all(browser):
    show(browser)
    browser.move(*place(browser, 1, 2))
    equal(browser.text(".tooltip").split("\n"), [
        "00:00:01 to 00:00:02 UTC", "4 to 7 ns", "60 events", "60.00% of the column", "80.00% up to here"])
    browser.picture("heat")


def test_click_lists_the_keys_of_the_cell(browser):
    show(browser)
    equal(keys_shown(browser)[0], ["gamma", "120 (50.00%)", ""])
    browser.click(*place(browser, 0, 0))
    equal(details(browser)[1:3], ["1 ns", "30 events"])
    equal(keys_shown(browser)[0], ["alpha", "50 (20.83%)", "30 (100%)"])
    equal(browser.fragment(), "#column=0&row=0")


def test_the_url_restores_everything(browser):
    url = show(browser)
    browser.click(*place(browser, 1, 2))
    browser.find("input[value=log]").click()
    act(browser, "hue", 1)
    act(browser, "without", 0)
    browser.find("[name=palette] option[value=grey]").click()
    fragment, shown = browser.fragment(), keys_shown(browser)
    browser.go(url + fragment)
    equal(keys_shown(browser), shown)
    equal(browser.find("input[value=log]").is_selected(), True)
    equal(browser.find("[data-act=hue][data-key='1']").get_attribute("aria-pressed"), "true")
    browser.run("history.back()")
    browser.go(url + "#map=77&from=-9&to=nonsense&column=1e99&only=77&colour=evil")
    equal(browser.find("input[value=rank]").is_selected(), True)


def test_keys_are_isolated_excluded_and_coloured(browser):
    show(browser)
    at = (1, 2)
    before, empty = colour(browser, *at), colour(browser, 2, 2)
    assert before != empty
    act(browser, "without", 1)
    equal(colour(browser, *at), empty)
    equal(browser.text(".status"), "@: quantize: 170 events shown")
    act(browser, "without", 1)
    act(browser, "only", 1)
    equal(browser.text(".status"), "@: quantize: 70 events shown, of 1 of 3 keys")
    equal(colour(browser, 3, 2), empty)
    act(browser, "only", 1)
    act(browser, "hue", 1)
    red, green, blue = colour(browser, *at)
    assert red > blue + 60, (red, green, blue)
    browser.find(".below .choices button").click()
    equal(colour(browser, *at), before)
    equal(browser.fragment(), "")


def test_colours_a_click_apart(browser):
    show(browser)
    seen = set()
    for value in ("rank", "linear", "log"):
        browser.find(f"input[value={value}]").click()
        seen.add(colour(browser, 0, 0))
    equal(len(seen), 3)


def drag(browser, begin, end):
    """From a cell to another."""
    actions = ActionChains(browser.driver)
    pointer = actions.w3c_actions.pointer_action
    pointer.move_to_location(*map(round, place(browser, *begin)))
    pointer.pointer_down()
    pointer.move_to_location(*map(round, place(browser, *end)))
    pointer.pointer_up()
    actions.perform()


def press(browser, text):
    browser.driver.find_element(By.XPATH, f"//button[text()='{text}']").click()


def test_drag_selects_and_zoom_and_whole_show_that_and_all(browser):
    show(browser)
    drag(browser, (1, 2), (3, 3))
    equal(browser.fragment(), "#area=1.3.2.3")
    equal(details(browser), ["00:00:01 to 00:00:04 UTC, 4 ns and more", "180 events", "75.00% of all"])
    equal(keys_shown(browser)[0], ["gamma", "120 (50.00%)", "120 (66.67%)"])
    browser.picture("heat_selection")
    press(browser, "Zoom to selection")
    equal(browser.fragment(), "#from=1&low=2")
    browser.move(*place(browser, 0, 0, 3, 2))
    equal(browser.text(".tooltip").split("\n")[1:4], ["4 to 7 ns", "60 events", "60.00% of the column"])
    browser.find("[title^='show all columns']").click()
    equal(browser.fragment(), "")


def test_keyboard_reaches_everything(browser):
    show(browser)
    reached = set()
    for _ in range(60):
        browser.keys(Keys.TAB)
        reached.add(browser.run("const e = document.activeElement; return e.tagName + (e.name || e.dataset.act || e.textContent || '')"))
    for wanted in ("INPUTcolour", "SELECTquantity", "SELECTheight", "SELECTpalette", "SELECTtheme", "INPUTp50", "INPUTaverage", "BUTTON+",
                   "BUTTONWhole", "CANVAS", "INPUT", "BUTTONAll keys", "BUTTONonly", "BUTTONwithout", "BUTTONhue"):
        assert wanted in reached, (wanted, reached)
    browser.run("document.querySelector('canvas').focus()")
    browser.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_UP)
    equal(details(browser)[1:3], ["4 to 7 ns", "60 events"])
    assert browser.text(".status").startswith("00:00:01 to 00:00:02 UTC, 4 to 7 ns, 60 events"), browser.text(".status")
    browser.keys("+")
    equal(browser.fragment(), "#to=1&column=1&row=2")
    browser.keys(Keys.PAGE_DOWN)
    equal(browser.fragment(), "#from=1&to=2&column=1&row=2")
    browser.keys(Keys.ESCAPE)
    equal(browser.fragment(), "#column=1&row=2")
    browser.press(Keys.SHIFT, Keys.ARROW_RIGHT)
    browser.keys(Keys.ENTER)
    equal(browser.fragment(), "#from=1&to=2&low=2&high=2&column=1&row=2")
    # a button keeps the focus when it was pressed
    browser.find("[data-act=only][data-key='1']").send_keys(Keys.SPACE)
    equal(browser.run("return document.activeElement.dataset.act + document.activeElement.getAttribute('aria-pressed')"), "onlytrue")


def stacked(**more):
    return heat(STACKED, stacks=STACKS, **more)


def frames(browser):
    """What the flame graph has, by walking over it with the keyboard: from the root along the widest."""
    heard = []
    graph = browser.find(".panel .graph")
    graph.send_keys(Keys.HOME)
    for _ in range(5):
        said = browser.text(".panel .said").split(";")[0]
        if heard and said == heard[-1]:
            break
        heard.append(said)
        graph.send_keys(Keys.ARROW_UP)
    return heard


def test_a_rectangle_shows_its_flame_graph(browser):
    url = show(browser, stacked())
    assert not browser.find(".panel").is_displayed()
    drag(browser, (1, 2), (3, 3))
    press(browser, "Flame graph")
    equal(browser.text(".panel h2"), "Stacks of 180 events selected")
    equal(frames(browser), ["all: 180 events, 100% of all", "gamma: 120 events, 66.67% of all, 66.67% of parent",
                            "main: 120 events, 66.67% of all, 100% of parent", "write: 120 events, 66.67% of all, 100% of parent"])
    browser.picture("heat_flame")
    # keys that are left out of the map are left out here, too
    act(browser, "without", 2)
    equal(browser.text(".panel h2"), "Stacks of 60 events selected")
    equal([frame.split(":")[0] for frame in frames(browser)], ["all", "beta", "main", "read"])
    act(browser, "without", 2)
    # another rectangle, a cell, everything
    drag(browser, (0, 0), (1, 0))
    equal(browser.text(".panel h2"), "Stacks of 50 events selected")
    browser.click(*place(browser, 1, 3))
    equal(browser.text(".panel h2"), "Stacks of 20 events selected")
    press(browser, "Clear")
    equal(browser.text(".panel h2"), "Stacks of 240 events in all")
    equal(browser.find(".selection button:nth-of-type(3)").is_enabled(), False)
    # its own state is in the URL, too, and "back" undoes a zoom
    browser.find(".panel [data-name=search]").send_keys("read", Keys.ENTER)
    wait(lambda: browser.text(".panel .result") == "29.17% matched")
    browser.find(".panel .graph").send_keys(Keys.HOME, Keys.ARROW_UP, Keys.ENTER)
    fragment = browser.fragment()
    assert "search%3Dread" in fragment and "zoom%3D" in fragment, fragment
    browser.go(url + fragment)
    equal(browser.text(".panel .result"), "29.17% matched")
    assert browser.text(".panel .said").startswith("gamma: 120 events, 50.00% of all"), browser.text(".panel .said")
    browser.find(".panel .graph").send_keys(Keys.ESCAPE)
    assert "zoom" not in browser.fragment() and "stacks=selection" in browser.fragment(), browser.fragment()
    browser.driver.back()
    wait(lambda: browser.fragment() == fragment)
    browser.find(".panel .graph").send_keys(Keys.HOME)
    press(browser, "Flame graph")
    assert not browser.find(".panel").is_displayed()
    show(browser)
    assert not browser.find(".selection button:nth-of-type(2)").is_displayed()     # no stacks, no button


def line(browser, above):
    """The colours of a row of the flame graph, which is so many rows above the ground."""
    return browser.run("""
        const c = document.querySelector('.panel canvas'), y = c.height - arguments[0] * 18 - 3;
        const data = c.getContext('2d').getImageData(0, y, c.width, 1).data;
        return Array.from({ length: c.width }, (_, x) => Array.from(data.slice(4 * x, 4 * x + 3)));""", above)


def test_a_rectangle_against_the_rest(browser):
    # selected: beta read 60, gamma write 20; the rest: alpha idle 50, beta read 10, gamma write 100
    show(browser, stacked(), "#area=1.1.2.3")
    press(browser, "Against the rest")
    equal(browser.text(".panel h2"), "Stacks of 80 events selected, against 160 others")
    equal(browser.text(".panel .legend").split("\n"), ["only in the rest", "less than in the rest", "same share", "more than in the rest",
                                                      "only selected"])
    # shares are compared, not counts: 31.25 % idle, 75 % against 6.25 % read, 25 % against 62.5 % write
    colours = line(browser, 1)
    width = len(colours)
    alpha, beta, gamma = (colours[int(width * at / 168.75)] for at in (30, 100, 160))
    assert alpha[2] > alpha[0] + 80, ("only in the rest is blue", alpha)
    assert beta[0] > beta[2] + 80, ("more is red", beta)
    assert gamma[2] > gamma[0] + 30, ("less is blue", gamma)
    heard = frames(browser)
    equal(heard[0], "all: 80 events, 100% of all")
    browser.find(".panel .graph").send_keys(Keys.HOME, Keys.ARROW_UP)
    equal(browser.text(".panel .said"), "beta: 60 events, 75.00% of all, 75.00% of parent; 10 events in the rest, 6.25% of all there; key")
    browser.picture("heat_difference")
    # plain and compared graphs have colours of their own
    press(browser, "Flame graph")
    equal(browser.find(".panel [data-name=colour]").get_attribute("value"), "warm")
    press(browser, "Against the rest")
    equal(browser.find(".panel [data-name=colour]").get_attribute("value"), "difference")
    act(browser, "only", 2)
    equal(browser.text(".panel h2"), "Stacks of 20 events selected, against 100 others")


def test_stacks_of_another_aggregation(browser):
    data = stacked()
    (with_stacks,) = data["maps"]
    (plain,) = heat()["maps"]
    data["maps"] = [{**plain, "stacksIn": 1}, {**with_stacks, "name": "@stacks: quantize", "stacksIn": 1}]
    show(browser, data, "#area=1.1.2.2&stacks=selection")
    equal(browser.text(".panel h2"), "Stacks of 60 events selected, from @stacks: quantize")


def test_the_flame_graph_without_a_mouse(browser):
    show(browser, stacked())
    canvas = browser.find("canvas.map")
    canvas.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ARROW_UP)
    browser.press(Keys.SHIFT, Keys.ARROW_UP)
    equal(browser.fragment(), "#column=1&row=2&area=1.1.2.3")
    browser.keys("f")
    equal(browser.text(".panel h2"), "Stacks of 80 events selected")
    browser.keys("d")
    equal(browser.text(".panel h2"), "Stacks of 80 events selected, against 160 others")
    reached = []
    for _ in range(60):
        browser.keys(Keys.TAB)
        reached.append(browser.run("const e = document.activeElement; return e.dataset.name || e.className || e.dataset.act || e.textContent"))
    for wanted in ("Zoom to selection", "Flame graph", "Against the rest", "Clear", "search", "merge", "width", "scale", "graph", "only"):
        assert wanted in reached, (wanted, reached)
    # Escape in the flame graph is its own, in the map the map's
    browser.find(".panel .graph").send_keys(Keys.ARROW_UP, Keys.ENTER, Keys.ESCAPE)
    assert "area=1.1.2.3" in browser.fragment(), browser.fragment()
    canvas.send_keys("d")
    assert not browser.find(".panel").is_displayed()
    canvas.send_keys(Keys.ESCAPE)
    equal(browser.fragment(), "")


def test_sums_are_estimated_and_say_so(browser):
    show(browser, fragment="#quantity=sum")
    browser.move(*place(browser, 1, 2))
    equal(browser.text(".tooltip").split("\n")[1:4], ["4 to 7 ns", "about 330 ns in all (240 ns to 420 ns)", "60 events"])
    browser.move(*place(browser, 0, 0))
    equal(browser.text(".tooltip").split("\n")[1:4], ["1 ns", "30 ns in all", "30 events"])
    assert "middle" in browser.find("[name=quantity]").get_attribute("title")
    equal(browser.find("[name=quantity] option[value=sum]").text, "sum of values (estimated)")


def test_lines_and_rows(browser):
    show(browser)
    def pixels():
        return browser.run("return document.querySelector('canvas').toDataURL()")
    before = pixels()
    for name in ("p50", "p90", "p99", "average"):
        browser.find(f"[name={name}]").click()
        now = pixels()
        assert now != before, name
        before = now
    for value in ("linear", "log"):
        browser.find(f"[name=height] option[value={value}]").click()
        assert pixels() != before, value
        before = pixels()


def test_offsets_have_no_percentiles(browser):
    show(browser, heat(scale="offset"))
    equal(browser.find("[name=p50]").is_displayed(), False)
    equal(browser.find("[name=quantity]").is_displayed(), False)


def test_light_and_dark(browser):
    browser.emulate(prefers_color_scheme="dark")
    show(browser)
    dark = colour(browser, 2, 0), browser.run("return getComputedStyle(document.body).backgroundColor")
    browser.picture("heat_dark")
    show(browser, stacked(), "#area=1.3.2.3&stacks=selection&hue=1")
    browser.picture("heat_dark_flame")
    show(browser)
    browser.emulate(prefers_color_scheme="light")
    wait(lambda: colour(browser, 2, 0) != dark[0])
    assert browser.run("return getComputedStyle(document.body).backgroundColor") != dark[1]
    browser.find("[name=theme] option[value=dark]").click()
    equal((colour(browser, 2, 0), browser.run("return getComputedStyle(document.body).backgroundColor")), dark)


def test_paper_is_light_and_has_all(browser):
    """Printed from a dark page: light colours, the whole flame graph, no buttons."""
    deep = {tuple(f"level_{i:02d}" for i in range(60)): 0}
    show(browser, heat([(0, 0, 0, 30, 60), (1, 1, 0, 5, 60)], stacks=deep), "#theme=dark&stacks=selection")
    dark = colour(browser, 2, 2)
    height = browser.run("return document.querySelector('.panel canvas').height")
    assert height < 60 * 18, height
    # what a browser does when it prints
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    try:
        assert min(colour(browser, 2, 2)) > 230 > max(dark), (dark, colour(browser, 2, 2))
        equal(browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        equal(browser.run("return document.querySelector('.panel canvas').height"), 62 * 18)
        shown = browser.run("return [...document.querySelectorAll('button, select, input')].filter((e) => e.getClientRects().length).length")
        equal(shown, 0)
        browser.picture("heat_print")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    equal(colour(browser, 2, 2), dark)
    pages = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
    assert base64.b64decode(pages).startswith(b"%PDF"), pages[:20]


def test_text_has_contrast(browser):
    for theme in ("light", "dark"):
        show(browser, stacked(notes=["12 drops (PRINCIPAL)"]), f"#theme={theme}&hue=1&only=1&area=0.1.0.2&stacks=difference")
        browser.picture(f"heat_{theme}_difference")
        poor = browser.run("""
            const rgb = (text) => text.match(/[0-9.]+/g).map(Number);
            const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const back = (e) => { const c = rgb(getComputedStyle(e).backgroundColor); return c[3] === 0 && e.parentElement ? back(e.parentElement) : c; };
            return Array.from(document.querySelectorAll('body *')).filter((e) => e.textContent.trim() && e.getClientRects().length)
                .map((e) => { const a = light(rgb(getComputedStyle(e).color)), b = light(back(e));
                              return [e.tagName, e.className, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; })
                .filter((each) => each[2] < 4.5)""")
        equal(poor, [])


def test_hostile_keys_are_shown_and_not_executed(browser):
    hostile = ["<script>document.title = 'executed'</script>", "\"><img src=x onerror=\"document.title = 'executed'\">",
               "</script><script>document.title = 'executed'</script>", "a\x00b\x1b[2Jc", "\u202egnp.exe", "&lt;b&gt;", "x" * 3000]
    cells = [(0, 0, key, 10 - key) for key in range(len(hostile))]
    show(browser, heat(cells, hostile, title="<script>document.title = 'executed'</script>", notes=hostile[:2]))
    browser.click(*place(browser, 0, 0))
    act(browser, "hue", 2)
    shown = [row[0] for row in keys_shown(browser)]
    equal(shown[:3] + shown[5:6], hostile[:3] + hostile[5:6])
    equal(shown[3:5], ["a\\x00b\\x1b[2Jc", "\\u202egnp.exe"])
    equal(browser.text("h1"), "<script>document.title = 'executed'</script>")
    assert browser.driver.title != "executed"
    equal(len(browser.driver.find_elements(By.CSS_SELECTOR, "img, body > script:not([id]):not(:last-of-type)")), 0)
    # the page may run nothing but its own script
    browser.run("const s = document.createElement('script'); s.textContent = \"document.title = 'executed'\"; document.body.append(s)")
    assert browser.driver.title != "executed"
    assert all("Content Security Policy" in text for text in browser.complaints())


def test_damaged_data_are_refused(browser):
    data = heat()
    data["maps"][0]["columns"] = 2
    show(browser, data)
    equal(browser.text("[role=alert]"), "The data are damaged: a cell is outside of the map.")


if __name__ == "__main__":
    sys.exit(main(globals()))
