#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The live page as a file, in a real browser: what a snapshot shows without a server.

    test/page/live_snapshot_test.py [CASE...]
"""
import json, os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from live_data import HOSTILE, SECONDS, START, snapshot
from browser import TOP, ActionChains, By, Keys, equal, main, wait

LEFT, RIGHT, ABOVE, BELOW = 88, 12, 10, 28      # of page/heat/canvas.ts
FIRST = "[data-id='1']"


def show(browser, fragment="#span=120", data=None):
    text = json.dumps(data or snapshot(), default=list).replace("<", "\\u003c")
    html = subprocess.run([f"{TOP}/build/page/write_page", "live", "db1"], input=text.encode(), capture_output=True, check=True).stdout
    browser.open(html.decode(), fragment)
    wait(lambda: browser.text(f"{FIRST} .ramp"))


def titles(browser):
    return [title.text for title in browser.driver.find_elements(By.CSS_SELECTOR, ".instrument .headline h2")]


def cell(browser, column, row, columns=120, rows=19):
    """Where it is in the window; rows of the made-up map are 12 to 30."""
    left, top, width, height = browser.run(
        f"const c = document.querySelector(\"{FIRST} canvas.map\"); c.scrollIntoView({{ block: 'center' }}); const r = c.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]")
    width, height = width - LEFT - RIGHT, height - ABOVE - BELOW
    return left + LEFT + width * (column + 0.5) / columns, top + ABOVE + height * (1 - (row + 0.5) / rows)


def rows_of_keys(browser):
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")][:3]
            for row in browser.driver.find_elements(By.CSS_SELECTOR, f"{FIRST} .keys tbody tr")]


def test_every_view_is_there_and_nothing_is_markup(browser):
    show(browser)
    equal(titles(browser), ["File-system latency by program", "System calls by program", "CPU utilization", "On the CPU", "Processes", "A program with a fault"])
    for selector in (".heat canvas", ".line canvas", ".utilization canvas", ".flame-view .graph", ".timeline canvas", ".problem pre"):
        wait(lambda: browser.run("const e = document.querySelector(arguments[0]); e?.scrollIntoView(); return !!e && e.clientWidth > 100", selector))
    equal(browser.run("return document.querySelectorAll('img, script:not([src]):not([type])').length"), browser.run("return document.querySelectorAll('body > script').length - document.querySelectorAll('script[type]').length"))
    assert HOSTILE in browser.text("[data-id='2'] .legend-keys")
    assert HOSTILE in browser.text("[data-id='6'] .problem")
    browser.picture("live-snapshot")


def test_what_is_lost_is_said(browser):
    show(browser)
    facts = browser.text("[data-id='2'] .facts").split("\n")
    assert "drops" in facts and "keys lost" in facts, facts
    equal([fact.text.split("\n") for fact in browser.driver.find_elements(By.CSS_SELECTOR, "[data-id='2'] .facts .bad")], [["drops", "12"], ["keys lost", "3"]])
    equal(browser.text("[data-id='6'] .badge"), "failed")


def test_a_cell_says_what_is_in_it(browser):
    show(browser)
    browser.move(*cell(browser, 0, 18))
    wait(lambda: "hover" not in browser.text(f"{FIRST} .tooltip") and browser.text(f"{FIRST} .tooltip"))
    words = browser.text(f"{FIRST} .tooltip")
    assert HOSTILE in words and "268435456 to 536870911 ns" in words, words
    assert browser.run("return !document.querySelector(\"[data-id='2'] .cursor\").hidden"), "the time is not shown in other panels"
    browser.click(*cell(browser, 0, 18))
    equal([row[0] for row in rows_of_keys(browser)], [HOSTILE, "postgres"])
    assert "268435456 to 536870911 ns" in browser.text(f"{FIRST} .status")


def test_rectangle_flame_graph_difference_with_the_keyboard(browser):
    show(browser)
    browser.run(f"document.querySelector(\"{FIRST} canvas.map\").focus()")
    browser.keys(Keys.ARROW_RIGHT)
    for _ in range(3):
        browser.press(Keys.SHIFT, Keys.ARROW_RIGHT)
    browser.press(Keys.SHIFT, Keys.ARROW_UP)
    before = browser.text(f"{FIRST} .status")
    assert "events" in before, before
    browser.keys("f")
    wait(lambda: browser.text(f"{FIRST} .panel h2").startswith("Stacks of"))
    browser.keys("d")
    wait(lambda: "others" in browser.text(f"{FIRST} .panel h2"))
    assert "more than in the rest" in browser.text(f"{FIRST} .legend")
    browser.picture("live-difference")
    browser.keys(Keys.ENTER)
    assert browser.run("return document.activeElement.dataset.act"), "the keys have no focus"
    browser.keys(Keys.ENTER)
    wait(lambda: browser.run("return document.activeElement.getAttribute('aria-pressed')") == "true")
    assert "only" in browser.fragment()


def test_the_past_with_buttons_and_keys(browser):
    show(browser)
    equal(browser.text(".time").split(" ")[2], "22:16:20")
    browser.run("document.activeElement.blur()")
    browser.find("body").send_keys("[")
    wait(lambda: browser.text(".time").split(" ")[2] == "22:15:20")
    browser.find("body").send_keys("l")
    wait(lambda: browser.text(".time").split(" ")[2] == "22:16:20")
    browser.find(".clock button:nth-of-type(2)").click()
    wait(lambda: f"until={START + 1000 * (SECONDS - 60)}" in browser.fragment())


def test_dragging_the_time_axis_moves_all_panels(browser):
    show(browser)
    x, y = cell(browser, 30, 0)
    y = browser.run("return document.querySelector('canvas.map').getBoundingClientRect().bottom") - 10
    actions = ActionChains(browser.driver)
    actions.w3c_actions.pointer_action.move_to_location(round(x), round(y)).pointer_down().move_to_location(round(x) + 100, round(y)).pointer_up()
    actions.perform()
    wait(lambda: "until" in browser.fragment())
    assert "area" not in browser.fragment(), "that was no selection"
    assert browser.text(".time").split(" ")[2] < "22:16:20"


def test_views_are_switched_and_tables_sorted(browser):
    show(browser)
    browser.find("[data-id='2'] [data-view=table]").click()
    names = lambda: [one.text for one in browser.driver.find_elements(By.CSS_SELECTOR, "[data-id='2'] .values tbody th")]
    equal(names(), ["postgres", "bash", "nginx", HOSTILE])
    browser.find("[data-id='2'] [data-sort='0']").click()
    equal(names(), [HOSTILE, "bash", "nginx", "postgres"])
    browser.find("[data-id='2'] input[type=search]").send_keys("ngi")
    wait(lambda: names() == ["nginx"])
    browser.find("[data-id='5'] [data-view=log]").click()
    wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, "[data-id='5'] .one-line")) == 120)
    equal(browser.run("return document.querySelector(\"[data-id='5'] .one-line .text\").textContent"), "fork 1000")


def test_light_and_dark_and_one_panel_alone(browser):
    show(browser, "#large=1&theme=dark")
    equal(titles(browser), ["File-system latency by program"])
    browser.picture("live-dark")
    equal(browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(19, 20, 22)")
    show(browser, "#theme=light")
    equal(browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(244, 245, 247)")


def test_help_lists_keys(browser):
    show(browser)
    browser.find("body").send_keys("?")
    wait(lambda: browser.run("return document.querySelector('dialog.help').open"))
    browser.picture("live-help")
    browser.keys(Keys.ESCAPE)
    wait(lambda: not browser.run("return document.querySelector('dialog.help').open"))


def test_nonsense_in_the_url_does_no_harm(browser):
    show(browser, "#page=evil&span=7&until=-4&large=99&blocks=1.0%3Dview%253Dnone%2526area%253D9.8.7&theme=x&palette=__proto__")
    equal(len(titles(browser)), 6)


if __name__ == "__main__":
    sys.exit(main(globals()))
