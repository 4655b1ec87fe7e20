"""How the console is made: weight, addresses, policy, texts, keyboard, colours, and what axe finds in each view."""

import gzip
import json
import re
import subprocess

import pytest
from conftest import ROOT
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

WWW = ROOT / "Services" / "Console" / "www"
# Bytes of the first view with a map, packed.
MAX_FIRST_VIEW = 120_000

VIEWS = ["", "groups", "books", "books?tab=mine", "books/add", "gyms", "sessions", "activities", "notifications", "profile", "account", "people", "chats", "api", "licences"]


def test_the_first_view_with_a_map_is_light(browser, suite, ada):
    browser.log_in(ada)
    browser.run("performance.clearResourceTimings()")
    browser.devtools("Network.setCacheDisabled", cacheDisabled=True)
    browser.open("gyms")
    browser.until(lambda: browser.run("return document.querySelector('tandem-map path.land')"), "the map is drawn")
    loaded = browser.requests()
    browser.devtools("Network.setCacheDisabled", cacheDisabled=False)
    assert {one["address"].split("/")[2] for one in loaded} == {browser.url.split("/")[2]}, "every request is to this host"
    files = [one for one in loaded if "/console/" in one["address"]]
    packed = sum(len(gzip.compress((WWW / one["address"].split("/files/")[1].split("/", 1)[1]).read_bytes(), 9)) for one in files if "/files/" in one["address"])
    print(f"first view: {len(files)} files, {packed} bytes packed")
    assert packed <= MAX_FIRST_VIEW


def test_addresses_are_kept_for_ever_and_change_with_the_files(suite):
    page = suite.curl("/console/")
    assert page.status == 200 and page.fields["cache-control"] == "no-cache" and "unsafe" not in page.fields["content-security-policy"]
    assert page.fields["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert suite.curl("/console/", "-H", f"if-none-match: {page.fields['etag']}").status == 304
    address = re.search(r'src="(/console/files/[^"]+/app\.js)"', page.body.decode()).group(1)
    plain = suite.curl(address)
    packed = suite.curl(address, "-H", "accept-encoding: gzip")
    assert plain.status == packed.status == 200 and gzip.decompress(packed.body) == plain.body == (WWW / "app.js").read_bytes()
    if "/changing/" not in address:
        assert "immutable" in packed.fields["cache-control"] and packed.fields["content-encoding"] == "gzip"
        assert suite.curl(address.replace("/files/", "/files/0000")).status == 404
    assert suite.curl("/console/files/x/../../../etc/passwd", "--path-as-is").status in (400, 404)
    assert suite.curl("/").fields["location"] == "/console/" and suite.curl("/console/books?q=x").body == page.body
    assert suite.curl("/console/", "-d", "x").status == 405


def test_no_script_and_no_style_is_inline():
    page = (WWW / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*src=)|<style|style=|\son\w+=", page)
    for path in WWW.rglob("*.js"):
        if path.parent.name != "vendor":
            assert not re.search(r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function", path.read_text()), path


def test_every_text_is_in_one_file(tmp_path):
    """Each text that a view asks for is there, and each that is there is asked for."""
    used = set()
    for path in WWW.rglob("*.js"):
        if path.parent.name not in ("vendor", "texts"):
            used |= set(re.findall(r"\bwords\.((?:\w+\.)*\w+)", path.read_text()))
    script = tmp_path / "texts.mjs"
    script.write_text(f"import texts from {json.dumps((WWW / 'texts' / 'en.js').as_uri())};\nconsole.log(JSON.stringify(texts, (_, one) => typeof one === 'function' ? 'function' : one));\n")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    texts = json.loads(subprocess.run(["node", script], check=True, capture_output=True, text=True, timeout=60).stdout)
    for name in used - {"js"}:
        found = texts
        for part in name.split("."):
            # Behind a text there are methods of strings and functions.
            if not isinstance(found, dict):
                break
            assert part in found or part in ("unknown",) or found is texts["labels"], name
            found = found.get(part)


def test_no_text_is_written_in_a_view():
    """What people read comes from the texts: a sentence or a word between quotation marks is none of the code's."""
    found = []
    for path in WWW.rglob("*.js"):
        if path.parent.name not in ("vendor", "texts"):
            lines = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL).splitlines()
            found += [(path.name, text) for line in lines for text in re.findall(r"""\bh\("\w+", (?:\{[^{}]*\}), "([A-Z][a-z][^"]*)\"""", line)]
    assert {text for _, text in found} == {"Tandem"}, found


def test_the_swift_is_what_the_folder_gives():
    subprocess.run([ROOT / "Services" / "Console" / "generate", "--check"], check=True, timeout=60)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_barrier_and_nothing_is_too_wide(browser, ada, theme):
    browser.log_in(ada)
    if browser.run("return document.documentElement.dataset.theme") != theme:
        browser.click("Dark colours", "button")
    found = {}
    for path in VIEWS:
        browser.open(path)
        name = re.sub(r"\W+", "-", path or "home").strip("-")
        browser.whole_shot(f"view-{name}-{theme}")
        found[path] = browser.barriers() + browser.too_wide()
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_views_without_a_login(browser):
    for path in ("", "login", "register", "reset", "api", "licences", "no-such-view"):
        browser.open(path)
        browser.whole_shot(f"out-{path or 'front'}")
        assert browser.barriers() + browser.too_wide() == []
    browser.open("books?tab=mine")
    browser.sees("Log in to see this page.")


def test_everything_is_reached_by_keys(browser, ada):
    browser.log_in(ada)
    for path in ("", "books", "books/add"):
        browser.open(path)
        order = browser.focus_order()
        names = [one["name"] for one in order]
        assert names[0] == "Skip to the content" and all(names), order
        assert all(one["isSeen"] for one in order), [one for one in order if not one["isSeen"]]
        for name in ("Groups", "Books", "Activities"):
            assert name in names
    # A dialog takes the focus, Escape closes it, and the focus goes back.
    browser.open("groups")
    browser.click("New group", "button")
    assert browser.run("return document.activeElement.closest('dialog') !== null")
    browser.driver.switch_to.active_element.send_keys("\ue00c")
    browser.until(lambda: browser.run("return document.activeElement.innerText") == "New group", "the focus is back")


def tab_to(browser, name, most=90):
    """Presses the Tab key until what has this name has the focus."""
    browser.until(lambda: browser.run(LABELLED_OR_NAMED, name), f"“{name}” is there")
    for _ in range(most):
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        if browser.run("return document.activeElement === (" + f"(() => {{ {LABELLED_OR_NAMED} }})" + ")(arguments[0])", name):
            return browser.driver.switch_to.active_element
    raise AssertionError(f"“{name}” is not reached by keys: {browser.text[:500]}")


LABELLED_OR_NAMED = """
const [text] = arguments;
const name = (node) => (node.getAttribute("aria-label") || node.labels?.[0]?.innerText || node.innerText || "").trim().replace(/\\s+/g, " ");
return [...document.querySelectorAll("a, button, summary, input, textarea, select")].find((node) => node.getClientRects().length > 0 && name(node).startsWith(text)) ?? null;
"""


def test_a_person_who_has_no_mouse_logs_in_and_writes(browser, call, ada, group):
    browser.open("login")
    tab_to(browser, "Email address or username").send_keys(ada["name"])
    tab_to(browser, "Password").send_keys(ada["password"], Keys.ENTER)
    browser.find(f"Your menu, {ada['name']}", "summary")
    browser.settled()
    tab_to(browser, "Groups").send_keys(Keys.ENTER)
    tab_to(browser, group["name"]).send_keys(Keys.ENTER)
    browser.sees("Live")
    tab_to(browser, "Write a message").send_keys("By keys alone", Keys.ENTER)
    browser.until(lambda: browser.run("return document.querySelector('tandem-chat .message.own:not(.pending) .said')?.innerText") == "By keys alone", "the message is stored")
    tab_to(browser, f"Your menu, {ada['name']}").send_keys(Keys.ENTER)
    tab_to(browser, "Log out").send_keys(Keys.ENTER)
    browser.sees("Train together")


def test_dark_colours_are_kept(browser):
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    try:
        browser.open("")
        assert browser.run("return document.documentElement.dataset.theme") == "dark"
        browser.click("Dark colours", "button")
        browser.driver.refresh()
        browser.settled()
        assert browser.run("return document.documentElement.dataset.theme") == "light"
    finally:
        browser.devtools("Emulation.setEmulatedMedia", features=[])


def test_notifications_come_live(browsers, call, ada, hedy):
    import conftest

    one, _ = browsers
    one.log_in(ada)
    one.open("notifications")
    book = call("tandem.catalog.v1.Books/AddBook", {"book": {"title": "The Live One", "authors": ["I. Calder"], "isbn": conftest.isbn()}}, ada)
    call("tandem.lending.v1.Loans/RequestBook", {"bookId": book["bookId"]}, hedy)
    one.sees("The Live One")
    one.until(lambda: one.run("return Number(document.querySelector('.bell .count').innerText) > 0"), "the bell counts")
    one.whole_shot("notifications")
    one.click("Mark all as read")
    one.until(lambda: one.run("return document.querySelector('.bell .count').hidden"), "nothing is unread")
