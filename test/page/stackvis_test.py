#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What stackvis(1) writes for browsers, in a real one.

    test/page/stackvis_test.py [CASE...]

The program itself makes the files: an SVG with its script, and the page around its data.
"""
import os, subprocess, sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import TOP, ActionChains, By, Keys, equal, main, wait

STACKVIS = os.path.join(TOP, "build/stackvis")
# all 1000: main 900 (log 200, row_search 600 (row_sel 400)), idle 100
STACKS = b"""main 100
prog`main;ignored 0
idle 100
main;log 200
main;row_search 200
main;row_search;row_sel 400
"""
BEFORE = b"idle 100\nmain 100\nmain;log 500\nmain;row_search;old_scan 300\n"
AFTER = b"idle 100\nmain 100\nmain;log 100\nmain;row_search 300\n"
HOSTILE = [b"<script>document.title='executed'</script>", b"\"><img src=x onerror=\"document.title='executed'\">",
           b"</script><script>document.title='executed'</script>", b"</title></g><script>document.title='executed'</script>",
           b"]]><script>document.title='executed'</script>", b"a\x01b\x1b[2Jc", b"\xff\xfe\x80", b"&lt;b&gt;", "\u202egnp.exe".encode(),
           b"javascript:document.title='executed'", b"<!--<script>", b"x" * 5000]


def stackvis(*arguments, text=b""):
    return subprocess.run([STACKVIS, *arguments], input=text, stdout=subprocess.PIPE, check=True).stdout


def show(browser, name, data, fragment=""):
    path = os.path.join(browser.directory, name)
    with open(path, "wb") as file:
        file.write(data)
    browser.go(f"file://{path}{fragment}")
    return f"file://{path}"


def svg(text=STACKS, *options):
    return stackvis(*options, "collapsed", "flamegraph-svg", text=text)


def compare(browser, out):
    for name, text in (("before", BEFORE), ("after", AFTER)):
        with open(os.path.join(browser.directory, name), "wb") as file:
            file.write(text)
    return stackvis("diff", os.path.join(browser.directory, "before"), os.path.join(browser.directory, "after"), out)


def shown(browser):
    """Boxes that can be seen, by name: left, width, what is written in them."""
    return {name: (round(left, 2), round(width, 2), label) for name, left, width, label in browser.run("""
        return Array.from(document.querySelectorAll('#frames > g')).filter(g => g.style.display !== 'none').map(g => [
            g.children[0].textContent.split(' (')[0], Number(g.children[1].getAttribute('x')),
            Number(g.children[1].getAttribute('width')), g.children[2].textContent])""")}


def box(browser, name):
    return browser.run("""return Array.from(document.querySelectorAll('#frames > g'))
        .find(g => g.children[0].textContent.startsWith(arguments[0] + ' (')).children[1]""", name)


def said(browser, id):
    return browser.run("return document.getElementById(arguments[0]).textContent", id)


def test_boxes_are_as_wide_as_their_share(browser):
    show(browser, "f.svg", svg(STACKS, "--title", "A <title>"))
    equal(shown(browser), {
        "all": (10, 1180, "all"), "idle": (10, 118, "idle"), "main": (128, 1062, "main"),
        "log": (128, 236, "log"), "row_search": (364, 708, "row_search"), "row_sel": (364, 472, "row_sel")})
    equal(browser.find("text.title").text, "A <title>")
    browser.picture("flame-svg")


def test_hover_zoom_reset(browser):
    url = show(browser, "f.svg", svg())
    ActionChains(browser.driver).move_to_element(box(browser, "row_search")).perform()
    wait(lambda: said(browser, "details") == "row_search (600 samples, 60.00%; 66.67% of its caller)")
    ActionChains(browser.driver).click(box(browser, "row_search")).perform()
    equal(shown(browser), {
        "all": (10, 1180, "all"), "main": (10, 1180, "main"), "row_search": (10, 1180, "row_search"),
        "row_sel": (10, 786.67, "row_sel")})
    fragment = browser.fragment()
    browser.find("#reset").click()
    equal(len(shown(browser)), 6)
    equal(browser.fragment(), "")
    browser.go(url + fragment)
    equal(len(shown(browser)), 4)
    ActionChains(browser.driver).send_keys(Keys.ESCAPE).perform()
    equal(len(shown(browser)), 6)


def test_search(browser):
    url = show(browser, "f.svg", svg())
    browser.press(Keys.CONTROL, "f")
    browser.keys("^ROW_")
    wait(lambda: said(browser, "matched") == "Matched: 0.0%")
    browser.press(Keys.CONTROL, "a")
    browser.keys("^row_|idle")
    wait(lambda: said(browser, "matched") == "Matched: 70.0%")
    equal(box(browser, "row_sel").get_attribute("fill"), "rgb(230,0,230)")
    assert box(browser, "log").get_attribute("fill") != "rgb(230,0,230)"
    browser.picture("flame-svg-search")
    fragment = browser.fragment()
    browser.keys(Keys.ESCAPE)
    equal(said(browser, "matched"), "")
    browser.go(url + fragment)
    equal(said(browser, "matched"), "Matched: 70.0%")


def test_search_takes_texts_that_are_no_patterns(browser):
    show(browser, "f.svg", svg(b"f(int);g 1\nh 1\n"))
    browser.press(Keys.CONTROL, "f")
    browser.keys("f(")
    wait(lambda: said(browser, "matched") == "Matched: 50.0%")


def focused(browser):
    return browser.run("const g = document.activeElement; return g.closest('#frames') ? g.children[0].textContent.split(' (')[0] : g.id")


def test_keyboard_alone(browser):
    """Tab reaches the boxes, arrows go from one to the next, and everything that the mouse does has a key."""
    show(browser, "f.svg", svg())
    browser.click(5, 5)         # beside the boxes: keys go to the page
    stops = []
    for _ in range(2):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        stops.append(focused(browser))
    equal(stops, ["all", "search"])         # there is no zoom to reset
    show(browser, "f.svg", svg())
    browser.click(5, 5)
    heard = []
    for key in (Keys.TAB, Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_UP):
        ActionChains(browser.driver).send_keys(key).perform()
        heard.append(focused(browser))
    equal(heard, ["all", "main", "row_search", "log", "main", "idle", "main", "row_search"])
    equal(said(browser, "details"), "row_search (600 samples, 60.00%; 66.67% of its caller)")
    ring = browser.run("const r = document.getElementById('ring'); return ['x', 'width'].map(n => Number(r.getAttribute(n)))")
    equal(ring, [364, 708])
    browser.picture("flame-svg-focus")
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    equal(sorted(shown(browser)), ["all", "main", "row_search", "row_sel"])
    equal(focused(browser), "row_search")
    ActionChains(browser.driver).send_keys(Keys.TAB).perform()
    equal(focused(browser), "reset")
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    equal(len(shown(browser)), 6)
    equal(focused(browser), "all")
    ActionChains(browser.driver).send_keys("/").perform()
    equal(focused(browser), "search")
    browser.keys("row", Keys.ENTER)
    equal(focused(browser), "row_search")
    ActionChains(browser.driver).send_keys("n").perform()
    equal(focused(browser), "row_sel")
    ActionChains(browser.driver).send_keys("n").perform()
    equal(focused(browser), "row_search")
    ActionChains(browser.driver).send_keys(Keys.ESCAPE).perform()
    equal(said(browser, "matched"), "")
    equal(focused(browser), "row_search")


def test_keyboard_in_an_icicle(browser):
    show(browser, "f.svg", svg(STACKS, "--icicle"))
    browser.click(5, 5)
    heard = []
    for key in (Keys.TAB, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP):
        ActionChains(browser.driver).send_keys(key).perform()
        heard.append(focused(browser))
    equal(heard, ["all", "main", "row_search", "main"])


def test_names_for_those_who_do_not_see(browser):
    """What a screen reader is told of the SVG."""
    show(browser, "f.svg", svg(STACKS, "--title", "MariaDB"))
    equal(browser.driver.title, "MariaDB")
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    buttons = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "button" and not node["ignored"]]
    equal(sorted(name.split(" (")[0] for name in buttons), ["all", "idle", "log", "main", "row_search", "row_sel"])
    assert "main (900 samples, 90.00%)" in buttons, buttons
    fields = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "searchbox"]
    equal(fields, ["Search, regular expression"])


def test_dark_light_and_contrast(browser):
    """Every text against what is behind it, as WCAG computes it."""
    script = """
        const rgb = text => text.match(/\\d+(\\.\\d+)?/g).slice(0, 3).map(Number);
        const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                             return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const probe = document.querySelector('.sky'), style = getComputedStyle;
        const sky = style(probe).fill.startsWith('url') ? [[238, 238, 238], [238, 238, 176]] : [rgb(style(probe).fill)];
        return Array.from(document.querySelectorAll('text')).filter(t => t.textContent && style(t.parentNode).display !== 'none').map(t => {
            const box = t.closest('#frames > g');
            const behind = box ? [rgb(style(box.children[1]).fill)] : sky;
            const a = light(rgb(style(t).fill));
            return [t.textContent, Math.min(...behind.map(c => { const b = light(c); return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }))];
        })"""
    url = show(browser, "f.svg", svg(STACKS, "--title", "A title"))
    found = []
    try:
        for scheme in ("light", "dark"):
            browser.emulate(prefers_color_scheme=scheme)
            for fragment in ("", "#box=4&search=sel"):
                browser.go(url + fragment)
                contrasts = browser.run(script)
                assert len(contrasts) > 4, contrasts
                equal([entry for entry in contrasts if entry[1] < 4.5], [])
            found.append(browser.run("return getComputedStyle(document.querySelector('.sky')).fill"))
            browser.picture(f"flame-svg-{scheme}")
    finally:
        browser.emulate()
    equal(len(set(found)), 2)


def test_icicle(browser):
    show(browser, "f.svg", svg(STACKS, "--icicle"))
    rows = [float(box(browser, name).get_attribute("y")) for name in ("all", "main", "row_search", "row_sel")]
    equal(rows, sorted(rows))
    ActionChains(browser.driver).click(box(browser, "row_search")).perform()
    equal(sorted(shown(browser)), ["all", "main", "row_search", "row_sel"])


def test_difference(browser):
    show(browser, "d.svg", compare(browser, "flamegraph-svg"))
    fills = {name: box(browser, name).get_attribute("fill") for name in ("idle", "log", "row_search", "old_scan")}
    equal(fills, {"idle": "rgb(250,250,250)", "log": "rgb(110,110,255)", "row_search": "rgb(255,143,143)", "old_scan": "#dfe6fb"})
    equal(box(browser, "old_scan").find_element(By.XPATH, "..").get_attribute("class"), "gone")
    # 600 after, and 300 that are gone
    equal(shown(browser)["old_scan"][1], round(1180 / 900 * 300, 2))
    browser.picture("flame-svg-difference")


def test_hostile_names(browser):
    for out, name in (("flamegraph-svg", "h.svg"), ("flamegraph-html", "h.html")):
        show(browser, name, stackvis("--title", HOSTILE[0].decode(), "collapsed", out,
                                     text=b"".join(b"main;" + h.replace(b";", b"") + b" 10\n" for h in HOSTILE)))
        browser.run("return new Promise(done => setTimeout(done, 50))")
        assert browser.driver.title != "executed"
        equal(browser.run("return document.querySelectorAll('script').length"), 1 if name == "h.svg" else 2)
        equal(browser.run("return document.querySelectorAll('img').length"), 0)
    names = [title.text for title in ElementTree.fromstring(stackvis("collapsed", "flamegraph-svg", text=b"a\x01\xff<b> 1\n"))
             .iter("{http://www.w3.org/2000/svg}title")]
    equal(names, ["Flame graph", "all (1 samples, 100.00%)", "a\\001\\377<b> (1 samples, 100.00%)"])


def test_page_has_what_was_read(browser):
    show(browser, "f.html", stackvis("--title", "From C", "collapsed", "flamegraph-html", text=STACKS), "#search=row")
    equal(browser.driver.title, "From C")
    wait(lambda: browser.text(".result") == "60.00% matched")
    browser.picture("flame-from-c")


def test_page_of_a_difference(browser):
    show(browser, "d.html", compare(browser, "flamegraph-html"), "#search=old_scan")
    wait(lambda: "matched" in browser.text(".result"))
    equal(browser.text(".said"), "all: 600 samples, 100% of all; 1,000 samples before, -400 samples")
    browser.picture("flame-difference-from-c")


if __name__ == "__main__":
    sys.exit(main(globals()))
