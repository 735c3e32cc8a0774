#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page of hcl(8), in a real browser: it searches, groups, and executes no names.

    test/page/hcl_test.py [CASE...]
"""
import os, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import TOP, By, equal, main

IDS = """8086  Intel Corporation
	1533  I210 Gigabit Network Connection
	10d3  82574L Gigabit Network Connection
dead  </script><script>document.title="executed"</script>
	beef  <img src=x onerror=document.title="executed">
"""
ALIASES = """alias pci:v00008086d00001533sv*sd*bc*sc*i* igb
alias pci:v00008086d000010D3sv*sd*bc*sc*i* e1000e
alias pci:v0000DEADd0000BEEFsv*sd*bc*sc*i* hostile
alias virtio:d00000001v* virtio_net
"""


def show(browser):
    modules = os.path.join(browser.directory, "6.99-test")
    os.makedirs(modules, exist_ok=True)
    for name, text in (("pci.ids", IDS), ("modules.alias", ALIASES)):
        with open(os.path.join(modules, name), "w", encoding="utf-8") as file:
            file.write(text)
    path = os.path.join(browser.directory, "hcl.html")
    subprocess.run([os.path.join(TOP, "toolkit/hcl"), "--page", path, "-m", modules, "-i", modules], check=True)
    browser.go(f"file://{path}")


def groups(browser):
    return [node.text for node in browser.driver.find_elements(By.CSS_SELECTOR, "summary")]


def search(browser, text):
    browser.find("#search").clear()
    browser.find("#search").send_keys(text)


def choose(browser, which, value):
    browser.run("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('input'));", which, value)


def test_groups_and_searches(browser):
    show(browser)
    equal(browser.text("#found"), "4 found")
    equal("Linux 6.99-test" in browser.text("#about"), True)
    equal("pci: Intel Corporation 2" in groups(browser), True)
    search(browser, "i210 INTEL")
    equal(groups(browser), ["pci: Intel Corporation 1"])
    equal([cell.text for cell in browser.driver.find_elements(By.CSS_SELECTOR, "td")],
          ["pci", "Intel Corporation", "8086:1533", "I210 Gigabit Network Connection", "igb"])
    search(browser, "nothing of that name")
    equal((browser.text("#found"), groups(browser)), ("0 found", []))


def test_groups_by_module_and_bus(browser):
    show(browser)
    choose(browser, "group", "module")
    equal(groups(browser), ["e1000e 1", "hostile 1", "igb 1", "virtio_net 1"])
    choose(browser, "bus", "virtio")
    equal(groups(browser), ["virtio_net 1"])


def test_names_are_text(browser):
    show(browser)
    search(browser, "dead:beef")
    equal("</script><script>" in groups(browser)[0], True)
    equal(browser.run("return document.querySelectorAll('main img, main script').length"), 0)
    equal(browser.driver.title, "Supported devices: Linux 6.99-test")


def test_is_readable_in_light_and_dark(browser):
    show(browser)
    for scheme in ("light", "dark"):
        browser.emulate(prefers_color_scheme=scheme)
        browser.picture(f"hcl-{scheme}")
        back, text = (sum(map(int, browser.run(f"return getComputedStyle(document.body).{what}.match(/\\d+/g).slice(0, 3)")))
                      for what in ("backgroundColor", "color"))
        equal((back > text) == (scheme == "light") and abs(back - text) > 400, True)


if __name__ == "__main__":
    sys.exit(main(globals()))
