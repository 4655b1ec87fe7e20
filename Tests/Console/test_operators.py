"""The operators' console: in by the link, and each view of it, by clicking."""

import random

import pytest
from browser import Browser
from conftest import WIDTHS, quiet

VIEWS = ["", "metrics", "users", "jobs", "events", "reports", "bars", "settings", "log"]


@pytest.fixture(scope="module")
def window(suite):
    """A window of its own: the console of operators is another origin."""
    if not suite.home:
        pytest.skip("the suite that is given is not this test's to make links for")
    made = Browser(suite.desk.url, 1280, suite.authority)
    yield made
    made.close()


@pytest.fixture(params=WIDTHS)
def desk(suite, window, request):
    """A browser that was let in."""
    window.resize(request.param)
    window.driver.get("about:blank")
    window.devtools("Network.clearBrowserCookies")
    # The machine's networks come and go; what is read is read again then.
    window.expected = ["ERR_NETWORK_CHANGED"]
    window.driver.get_log("browser")
    window.driver.get(suite.tandem("console").strip())
    window.sees("processes are ready")
    yield window
    quiet([window])


def test_34_3_the_link_lets_in_once_and_leaves_no_token_in_the_address(suite, desk):
    link = suite.tandem("console").strip()
    desk.expected += ["403"]
    desk.driver.get("about:blank")
    desk.driver.get(link)
    desk.sees("processes are ready")
    assert "#" not in desk.driver.current_url and desk.driver.current_url.endswith("/console/")
    desk.driver.get("about:blank")
    desk.driver.get(link)
    desk.sees("This link was followed before")
    assert "#" not in desk.driver.current_url
    desk.whole_shot("desk-refused")


def test_34_3_without_a_link_the_page_says_how_to_get_one(desk):
    desk.expected += ["401"]
    desk.click("Leave", "button")
    desk.sees("You have left.")
    desk.driver.get(desk.url + "/console/users")
    desk.driver.refresh()
    desk.devtools("Network.clearBrowserCookies")
    desk.driver.get(desk.url + "/console/jobs")
    desk.sees("tandem console")
    assert desk.barriers() == []
    desk.whole_shot("desk-left")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_34_3_axe_finds_no_barrier_and_nothing_is_too_wide(desk, theme):
    if desk.run("return document.documentElement.dataset.theme") != theme:
        desk.click("Dark colours", "button")
    found = {}
    for path in VIEWS:
        desk.open(path)
        desk.whole_shot(f"desk-{path or 'health'}-{theme}")
        found[path] = desk.barriers() + desk.too_wide()
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_34_3_health_names_every_process(desk):
    for name in ("identity", "matching", "catalog", "lending", "tracking", "importer", "gateway"):
        desk.sees(name)
    desk.sees("7 of 7 processes are ready")


def test_34_3_a_user_is_found_locked_and_unlocked(desk, call, new_user):
    person = new_user("watched")
    desk.click("Users", "nav a")
    desk.type("Find users", person["name"][:10])
    desk.click("Find users", "button")
    desk.click(person["name"], "main a")
    desk.sees(person["email"])
    desk.sees("Logged in")
    desk.click("Lock", "main button")
    desk.click("Lock", "dialog button")
    desk.sees("The account is locked.")
    desk.find("Unlock", "main button")
    desk.whole_shot("desk-user")
    desk.click("Unlock", "main button")
    desk.sees("The account is unlocked.")
    desk.sees("Unlocked by operator")


def test_34_3_a_report_is_closed_with_its_reason(desk, call, new_user):
    person, other = new_user("odd"), new_user("teller")
    mark = f"He said {random.randrange(10**9)} <b>times</b>"
    call("tandem.identity.v1.Safety/ReportUser", {"userId": person["id"], "reason": "REPORT_REASON_HARASSMENT", "remarks": mark}, other)
    desk.click("Reports", "nav a")
    desk.sees(mark)
    desk.whole_shot("desk-reports")
    desk.click("Close", "main button")
    desk.type("Why", "Talked to both")
    desk.type("Who closes it", "A test")
    desk.click("Close", "dialog form button")
    desk.sees("The report is closed.")
    desk.misses(mark)


def test_34_3_settings_are_filtered_and_kept_in_the_address(desk):
    desk.open("settings")
    desk.type("Contains", "listen")
    desk.sees("TANDEM_IDENTITY_LISTEN")
    assert "contains=listen" in desk.driver.current_url
    desk.driver.refresh()
    desk.sees("TANDEM_IDENTITY_LISTEN")


def test_34_3_jobs_events_metrics_and_the_log(desk):
    desk.open("jobs")
    desk.run("const one = document.querySelector('main select'); one.value = 'any'; one.dispatchEvent(new Event('change'))")
    desk.until(lambda: "state=any" in desk.driver.current_url, "the choice is in the address")
    desk.open("events")
    desk.sees("Nothing was set aside.")
    desk.until(lambda: desk.run("return document.querySelectorAll('main table tbody tr').length > 5"), "the consumers are listed")
    desk.open("metrics")
    desk.until(lambda: desk.run("return document.querySelectorAll('tandem-plot svg').length > 5"), "the plots are drawn")
    desk.whole_shot("desk-plots")
    desk.open("log")
    desk.until(lambda: desk.run("return document.querySelectorAll('.log-lines li').length > 10"), "there are lines")
    assert desk.barriers() == []


def test_34_3_everything_is_reached_by_keys(desk):
    desk.open("jobs")
    names = [one["name"] for one in desk.focus_order()]
    assert names[0] == "Skip to the content" and all(names), names
    for name in ("Health", "Metrics", "Users", "Jobs", "Events", "Reports", "Bars", "Settings", "Log", "Leave"):
        assert name in names, names
