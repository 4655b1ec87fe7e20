"""A person at a real Chromium: clicks what can be seen, types into what has a label, and looks at what the browser complains of."""

import json
import os
import pathlib
import subprocess
import tempfile
import time

import axe_core_python
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOTS = ROOT / ".build" / "console-shots"
# Seconds. A machine that is busy with something else may need them.
PATIENCE = 45.0
AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()

# What a person finds: by its own text or its name for screen readers, and only where it is shown.
FIND = """
const [text, kinds] = arguments;
const shown = (node) => node.getClientRects().length > 0 && getComputedStyle(node).visibility !== "hidden";
const name = (node) => (node.getAttribute("aria-label") || node.innerText || "").trim().replace(/\\s+/g, " ");
const top = document.querySelector("dialog[open]") ?? document;
const found = [...top.querySelectorAll(kinds)].filter(shown);
return found.find((node) => name(node) === text) ?? found.find((node) => name(node).includes(text)) ?? null;
"""
LABELLED = """
const [text] = arguments;
const top = document.querySelector("dialog[open]") ?? document;
const shown = (node) => node.getClientRects().length > 0;
for (const label of top.querySelectorAll("label")) {
  if (label.innerText.trim() === text && shown(label) && label.control) return label.control;
}
return [...top.querySelectorAll("input, textarea, select")].find((node) => shown(node) && node.getAttribute("aria-label") === text) ?? null;
"""

# Chromium leaves WebSockets open when it is told to be offline: tests end them as a lost network does.
SOCKETS = """
window.openSockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    window.openSockets.push(this);
  }
};
"""


def trust(authorities, home):
    """Has Chromium trust these authorities, the suite's own first: a page with a certificate's error has no passkeys."""
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    added = [["-A", "-t", "C,,", "-n", f"authority {at}", "-i", str(path)] for at, path in enumerate(authorities)]
    for command in [["-N", "--empty-password"], *added]:
        subprocess.run(["certutil", "-d", f"sql:{store}", *command], check=True, capture_output=True, timeout=60)


class Browser:
    """One window of one person."""

    def __init__(self, url, width, *authorities):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="chromium-"))
        trust(authorities, folder)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", f"--user-data-dir={folder}", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver", env={**os.environ, "HOME": str(folder)}))
        self.driver.set_script_timeout(120)
        self.url = url
        # Errors of the console that a test expects, such as a request that was to be refused.
        self.expected = []
        self.resize(width)
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=SOCKETS)
        self.devtools("Browser.grantPermissions", permissions=["geolocation", "clipboardReadWrite", "clipboardSanitizedWrite"])

    def devtools(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def resize(self, width):
        self.width = width
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900 if width > 600 else 760, deviceScaleFactor=1, mobile=False)

    def stand_at(self, latitude, longitude):
        self.devtools("Emulation.setGeolocationOverride", latitude=latitude, longitude=longitude, accuracy=5)

    def fresh(self):
        """As a browser that was never here."""
        self.driver.get("about:blank")
        self.devtools("Network.clearBrowserCookies")
        self.devtools("Storage.clearDataForOrigin", origin=self.url, storageTypes="all")
        self.driver.get(self.url + "/console/licences")
        self.driver.execute_script("sessionStorage.clear(); localStorage.clear()")
        self.expected = []
        self.driver.get_log("browser")

    def open(self, path):
        self.driver.get(self.url + "/console/" + path)
        self.settled()

    def settled(self):
        self.until(lambda: self.run("return document.readyState === 'complete' && !!document.querySelector('main h1, main [role=alert]') && !document.querySelector('main .loading')"), "the view is there")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, holds, what, patience=PATIENCE):
        """Waits for what the page shows: nothing tells of it."""
        end = time.monotonic() + patience
        while True:
            try:
                if found := holds():
                    return found
            except (StaleElementReferenceException, WebDriverException) as error:
                last = error
            else:
                last = None
            if time.monotonic() > end:
                self.shot(f"failed-{int(time.time())}")
                raise AssertionError(f"not so within {patience} s: {what}; {last or ''}\n{self.text[:1500]}\n{self.driver.get_log('browser')}")
            # Nothing tells that the page has changed: it is looked at again, within the limit.
            time.sleep(0.03)

    @property
    def text(self):
        return self.run("return document.body.innerText")

    def sees(self, text):
        self.until(lambda: text in self.text, f"“{text}” is shown")

    def misses(self, text):
        self.until(lambda: text not in self.text, f"“{text}” is not shown")

    def find(self, text, kinds="a, button, summary, label, [role=button]"):
        return self.until(lambda: self.run(FIND, text, kinds), f"there is “{text}” to click")

    def click(self, text, kinds="a, button, summary, label, [role=button]"):
        def act():
            node = self.run(FIND, text, kinds)
            if node and node.is_enabled():
                self.run("arguments[0].scrollIntoView({block: 'center'})", node)
                node.click()
                return True
            return False

        self.until(act, f"“{text}” can be clicked")

    def field(self, label):
        return self.until(lambda: self.run(LABELLED, label), f"there is a field “{label}”")

    def type(self, label, text, clear=True):
        field = self.field(label)
        if clear:
            field.send_keys(Keys.CONTROL, "a")
        # Keys stand for characters of the basic plane alone.
        if text.isascii() and len(text) < 300:
            field.send_keys(text)
        else:
            self.set(label, text)

    def set(self, label, value):
        """For inputs whose keys depend on the region, such as dates, and for what no key has."""
        self.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true})); arguments[0].dispatchEvent(new Event('change', {bubbles: true}))", self.field(label), value)

    def lose_sockets(self):
        self.run("dispatchEvent(new Event('offline')); for (const one of window.openSockets.splice(0)) one.close()")

    def log_in(self, person):
        self.open("login")
        self.type("Email address or username", person["name"])
        self.type("Password", person["password"])
        self.click("Log in", "main button")
        self.find(f"Your menu, {person['name']}", "summary")

    def complaints(self):
        """What the browser's console says against the page."""
        lines = [line for line in self.driver.get_log("browser") if line["level"] in ("SEVERE", "WARNING")]
        return [line["message"] for line in lines if not any(part in line["message"] for part in self.expected)]

    def shot(self, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        path = SHOTS / f"{name}-{self.width}.png"
        self.driver.save_screenshot(str(path))
        return path

    def whole_shot(self, name):
        """The whole page."""
        self.run("scrollTo(0, 0)")
        size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
        height = min(4_000, max(900, int(size["height"])))
        self.devtools("Emulation.setDeviceMetricsOverride", width=self.width, height=height, deviceScaleFactor=1, mobile=False)
        path = self.shot(name)
        self.resize(self.width)
        return path

    # Accessibility

    def barriers(self):
        """What axe finds against WCAG 2.1 AA, one line each."""
        self.run(AXE)
        script = """
        const done = arguments[arguments.length - 1];
        const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
        axe.run(document, { runOnly: { type: "tag", values: tags } }).then((found) => done(found.violations.flatMap((one) =>
          one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ""}`))), (error) => done([String(error)]));
        """
        return self.driver.execute_async_script(script)

    def too_wide(self):
        """Elements that reach beyond the window's edge, where nothing scrolls them."""
        return self.run("""
        const wide = document.documentElement.scrollWidth > innerWidth + 1;
        if (!wide) return [];
        return [...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > innerWidth + 1 && !node.closest(".scroll, .tabs, tandem-map, pre, .skip"))
          .slice(0, 5).map((node) => node.outerHTML.slice(0, 200));
        """)

    def focus_order(self, most=60):
        """The names of what the Tab key goes through, from the page's beginning; each has to be seen."""
        self.run("document.activeElement?.blur(); scrollTo(0, 0); window.getSelection().removeAllRanges()")
        body = self.driver.find_element("css selector", "body")
        names = []
        for _ in range(most):
            (body if not names else self.driver.switch_to.active_element).send_keys(Keys.TAB)
            found = self.run("""
            const node = document.activeElement;
            if (!node || node === document.body) return null;
            const box = node.getBoundingClientRect();
            const style = getComputedStyle(node);
            const isSeen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || node.matches(".unseen, .mark, .leaflet-container, video") || node.matches(":not(:focus-visible)");
            return { name: (node.getAttribute("aria-label") || node.innerText || node.labels?.[0]?.innerText || node.title || "").trim().slice(0, 60), tag: node.tagName, isSeen, width: box.width };
            """)
            if found is None:
                break
            names.append(found)
        return names

    def requests(self):
        """The addresses that the page has loaded since it began, with the bytes over the wire."""
        return json.loads(self.run("""
        return JSON.stringify([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((one) => ({ address: one.name, bytes: one.encodedBodySize, type: one.initiatorType })));
        """))

    def close(self):
        self.driver.quit()
