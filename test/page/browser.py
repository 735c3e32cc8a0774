# SPDX-License-Identifier: Apache-2.0
"""A real browser for tests of pages: Debian's chromium, without a screen.

A file of tests starts one and runs its cases, functions that begin with `test_` and take
the browser.  Each writes its page itself.  The last line is the one that test/check.py
reads.  With --short (make check) those marked @release are left out, and why is said.
"""
import os, sys, tempfile, time, traceback

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PICTURES = os.path.join(TOP, "build/page")
FLAGS = ("--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --window-size=1280,800 "
         "--force-device-scale-factor=1 --hide-scrollbars").split()
PATIENCE = 120      # seconds until something that must come is missed


class Browser:
    def __init__(self, directory):
        self.directory = directory
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in FLAGS:
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"download.default_directory": directory})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.chrome.service.Service("/usr/bin/chromedriver"))

    def open(self, html, fragment=""):
        """A page as a file; returns its URL."""
        path = os.path.join(self.directory, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(html)
        url = f"file://{path}"
        self.go(url + fragment)
        return url

    def go(self, url):
        """Loads it, even if only the fragment differs from what is shown."""
        self.driver.get("about:blank")
        self.driver.get(url)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def keys(self, *keys):
        """To whatever has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def press(self, modifier, key):
        ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def move(self, x, y):
        """The mouse, in the window."""
        actions = ActionChains(self.driver)
        actions.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        actions.perform()

    def click(self, x, y):
        actions = ActionChains(self.driver)
        actions.w3c_actions.pointer_action.move_to_location(round(x), round(y)).click()
        actions.perform()

    def fragment(self):
        return self.run("return location.hash")

    def complaints(self):
        """What the browser's console has said since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def picture(self, name):
        """For people to look at: build/page/NAME.png."""
        os.makedirs(PICTURES, exist_ok=True)
        self.driver.save_screenshot(os.path.join(PICTURES, name + ".png"))

    def emulate(self, **features):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]})


def wait(claim):
    """Until it holds."""
    deadline = time.monotonic() + PATIENCE
    while not claim():
        if time.monotonic() > deadline:
            raise AssertionError("it did not happen")
        time.sleep(0.02)


def equal(is_, wanted):
    assert is_ == wanted, f"{is_!r} instead of {wanted!r}"


def release(why):
    """Marks a case that only runs before a release (make check-pages)."""
    def mark(case):
        case.why_left_out = why
        return case
    return mark


def main(cases):
    """Runs what `cases`, the globals of a file, defines; names after it choose."""
    names = [word for word in sys.argv[1:] if word != "--short"]
    wanted = {name: case for name, case in cases.items() if name.startswith("test_") and (not names or name in names)}
    if "--short" in sys.argv[1:]:
        for name in [name for name, case in wanted.items() if hasattr(case, "why_left_out")]:
            print(f"left out: {name} (for make check-pages: {wanted.pop(name).why_left_out})", flush=True)
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        browser = Browser(directory)
        try:
            for name, case in wanted.items():
                try:
                    browser.complaints()
                    case(browser)
                    equal(browser.complaints(), [])
                except Exception:
                    failed += 1
                    print(f"FAIL {name}\n{traceback.format_exc()}", flush=True)
        finally:
            browser.driver.quit()
    print(f"{len(wanted) - failed} passed, {failed} failed")
    return 1 if failed or not wanted else 0
