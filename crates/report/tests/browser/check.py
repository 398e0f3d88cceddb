#!/usr/bin/env python3
"""Opens a report page in headless Chromium and checks that it works. Standard library only.

Usage: check.py report.html [--screenshots DIR]

Exit codes: 0 all checks hold, 1 a check failed, 2 something is missing or the page cannot be opened.
"""

import argparse
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--remote-debugging-pipe",
]
PATIENCE = 60.0


class Browser:
    """The DevTools protocol over the pipe that Chromium opens as file descriptors 3 (in) and 4 (out)."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="pqlab-browser-")
        read_in, self.to_browser = os.pipe()
        self.from_browser, write_out = os.pipe()

        def place_pipes():
            # Both are first moved out of the way, so that neither overwrites the other.
            a, b = os.dup(read_in), os.dup(write_out)
            while a < 5 or b < 5:
                a, b = os.dup(a), os.dup(b)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self.profile}"],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(read_in)
        os.close(write_out)
        self.rest = b""
        self.number = 0
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.call(f"{domain}.enable")

    session = None

    def read(self):
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.from_browser], [], [], max(0.0, deadline - time.monotonic()))
            piece = os.read(self.from_browser, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("the browser does not answer")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data):]
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, event):
        while True:
            for index, answer in enumerate(self.events):
                if answer.get("method") == event:
                    return self.events.pop(index)
            self.events.append(self.read())

    def open(self, url, width, dark=False):
        scheme = "dark" if dark else "light"
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    def run(self, script):
        """The value of a JavaScript function body."""
        answer = self.call("Runtime.evaluate", expression=f"(() => {{ {script} }})()", returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", "exception"))
        return answer["result"].get("value")

    def key(self, key, code, text=""):
        for kind in ["keyDown", "keyUp"]:
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=ord(text) if text else 9, **extra)

    def screenshot(self, path, width):
        height = min(self.run("return document.documentElement.scrollHeight"), 16000)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        image = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(image))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(20)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Checks:
    def __init__(self):
        self.failed = 0

    def that(self, holds, what, detail=""):
        print(f"{'ok  ' if holds else 'FAIL'} {what}{'' if holds else f': {detail}'}")
        self.failed += not holds


VISIBLE = "return [...document.querySelectorAll('table.sortable tbody tr')].filter((row) => !row.hidden)"
BARS = "document.querySelectorAll('#times .bar').length"
# Texts inside charts that lie over each other, are cut off by their picture, or are too small to read.
LAYOUT = """
const bad = [];
for (const svg of document.querySelectorAll('.chart > div svg:not([aria-hidden])')) {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect(), parseFloat(getComputedStyle(text).fontSize)]);
  texts.forEach(([word, a, size], index) => {
    const scale = frame.width / svg.viewBox.baseVal.width;
    if (size * scale < 11.5) bad.push(`${word} is ${size * scale} px`);
    if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.bottom > frame.bottom + 2 || a.top < frame.top - 2) bad.push(`${word} is cut off`);
    for (const [other, b] of texts.slice(index + 1)) {
      // Line boxes are taller than letters: 3 px of them may touch.
      if (a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom) bad.push(`${word} / ${other}`);
    }
  });
}
return bad.slice(0, 5);
"""


def check_page(browser, checks, url, width, dark, screenshots):
    name = f"{width} px{', dark' if dark else ''}"
    browser.events.clear()
    browser.open(url, width, dark)
    if screenshots:
        browser.screenshot(pathlib.Path(screenshots) / f"page-{width}{'-dark' if dark else ''}.png", width)
    wide = browser.run("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    checks.that(wide[0] <= wide[1], f"{name}: the page does not scroll sideways", wide)
    checks.that(browser.run(f"return {BARS}") > 0, f"{name}: bars are drawn")
    overlaps = browser.run(LAYOUT)
    checks.that(not overlaps, f"{name}: chart texts are readable", overlaps)
    contrast = browser.run(
        "const parts = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);"
        "const light = (colour) => { const [r, g, b] = parts(colour).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };"
        "const ground = light(getComputedStyle(document.body).backgroundColor);"
        "return Math.min(...['body', '.note', 'header p', 'nav a'].map((name) => { const ink = light(getComputedStyle(document.querySelector(name)).color); return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05); }));"
    )
    checks.that(contrast >= 4.5, f"{name}: text stands out from its ground", contrast)


def check_filters(browser, checks):
    total = browser.run(f"{VISIBLE}.length")
    bars = browser.run(f"return {BARS}")
    for key in ["family", "provider", "operation", "algorithm", "mode"]:
        if not browser.run(f"return document.querySelector('[data-filter={key}]') !== null"):
            print(f"skip filter {key}: all rows of this run have the same")
            continue
        value = browser.run(f"const box = document.querySelector('[data-filter={key}] input'); box.click(); return box.value")
        column = {"provider": 0, "family": 1, "algorithm": 2, "operation": 3, "mode": 5}[key]
        left = browser.run(f"{VISIBLE}.map((row) => row.cells[{column}].textContent)")
        checks.that(0 < len(left) < total and value not in left, f"filter {key}: rows of {value} go", len(left))
        count = browser.run("return document.getElementById('count').textContent")
        checks.that(count.startswith(f"{len(left)} of {total} rows"), f"filter {key}: the count says so", count)
        browser.run(f"document.querySelector('[data-filter={key}] input').click()")
        checks.that(browser.run(f"{VISIBLE}.length") == total, f"filter {key}: they come back")
    if browser.run("return document.querySelector('[data-filter=provider]') === null"):
        return
    browser.run("document.querySelector('[data-filter=provider] button:last-of-type').click()")
    checks.that(browser.run(f"return {BARS}") == 0 and browser.run(f"{VISIBLE}.length") == 0, "filter provider: none leaves nothing")
    browser.run("document.querySelector('[data-filter=provider] button').click()")
    checks.that(browser.run(f"return {BARS}") == bars, "filter provider: all brings everything back")


def check_keyboard(browser, checks):
    total = browser.run(f"{VISIBLE}.length")
    browser.run("document.querySelector('nav a:last-of-type').focus()")
    reached = False
    for _ in range(40):
        browser.key("Tab", "Tab")
        if browser.run("return document.activeElement.matches('#filters [type=checkbox]')"):
            reached = True
            break
    checks.that(reached, "keyboard: Tab reaches the filters")
    browser.key(" ", "Space", " ")
    checks.that(browser.run(f"{VISIBLE}.length") < total, "keyboard: Space sets a filter")
    browser.key(" ", "Space", " ")
    checks.that(browser.run(f"{VISIBLE}.length") == total, "keyboard: Space takes it back")


def check_scale(browser, checks):
    state = "return [...document.querySelectorAll('.chart svg[data-scale]')].map((svg) => svg.dataset.scale)"
    ends = "return [...document.querySelectorAll('#times .bar')].map((bar) => Number(bar.getAttribute('width')))"
    seen = {}
    for scale in ["log", "linear"]:
        browser.run(f"document.querySelector('input[name=scale][value={scale}]').click()")
        states = browser.run(state)
        checks.that(bool(states) and set(states) == {scale}, f"axis: every chart becomes {scale}", states)
        seen[scale] = browser.run(ends)
    checks.that(seen["log"] != seen["linear"], "axis: the bars change their lengths")
    browser.run("document.querySelector('input[name=scale][value=auto]').click()")


def check_table(browser, checks):
    header = "document.querySelectorAll('table.sortable thead button')"
    column = browser.run(f"return [...{header}].findIndex((button) => button.textContent === 'median')")
    values = f"{VISIBLE}.map((row) => row.cells[{column}].dataset.value).filter((value) => value !== undefined).map(Number)"
    for direction, sign in [("ascending", 1), ("descending", -1)]:
        browser.run(f"{header}[{column}].click()")
        found = browser.run(values)
        checks.that(len(found) > 1 and found == sorted(found, reverse=sign < 0), f"table: sorts by median, {direction}")
        said = browser.run(f"return {header}[{column}].parentElement.getAttribute('aria-sort')")
        checks.that(said == direction, f"table: says that it is {direction}", said)


def check_quiet(browser, checks):
    """Everything that happened since the page was opened."""
    complaints, requests = [], []
    for event in browser.events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            complaints.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ["error", "warning", "assert"]:
            complaints.append(str([argument.get("value") for argument in parameters["args"]]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ["error", "warning"]:
            complaints.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            requests.append(parameters["request"]["url"])
    outside = [request for request in requests if not request.startswith(("file:", "data:"))]
    pages = [request for request in requests if request.startswith("file:")]
    checks.that(not complaints, "no console error", complaints)
    checks.that(not outside, "no outside request", outside)
    checks.that(len(pages) == 1, "one file is all it reads", pages)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path, help="also store pictures of the page in this directory")
    arguments = parser.parse_args()
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        print("missing: Chromium; on Debian or Ubuntu: apt-get install -y chromium", file=sys.stderr)
        return 2
    if not arguments.page.is_file():
        print(f"missing: {arguments.page}", file=sys.stderr)
        return 2
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    url = arguments.page.resolve().as_uri()
    checks = Checks()
    browser = Browser(program)
    try:
        for width, dark in [(1280, True), (400, False), (1280, False)]:
            check_page(browser, checks, url, width, dark, arguments.screenshots)
            check_filters(browser, checks)
            check_keyboard(browser, checks)
            check_scale(browser, checks)
            check_table(browser, checks)
            check_quiet(browser, checks)
    except RuntimeError as error:
        print(f"the page cannot be checked: {error}", file=sys.stderr)
        return 2
    finally:
        browser.close()
    print(f"{checks.failed} checks failed" if checks.failed else "all checks hold")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
