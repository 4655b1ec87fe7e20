"""The operators' console: in by the link, and each view of it, by clicking."""

import contextlib
import random
import re
import subprocess
import uuid

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
    login = {"emailOrUsername": person["name"], "password": person["password"], "deviceLabel": "A <b>phone</b>"}
    call("tandem.identity.v1.Accounts/Login", login)
    desk.click("Users", "nav a")
    desk.type("Find users", person["name"][:10])
    desk.click("Find users", "button")
    desk.click(person["name"], "main a")
    desk.sees(person["email"])
    desk.sees("Logged in")
    # Where the account is logged in: on the device of the test and on one with a name of its own.
    desk.sees("Where the account is logged in")
    desk.sees("A <b>phone</b>")
    assert desk.run("return [...document.querySelectorAll('.session h3')].map((one) => one.innerText)")[0] == "A <b>phone</b>"
    desk.whole_shot("desk-user-sessions")
    desk.click("Lock", "main button")
    desk.click("Lock", "dialog button")
    desk.sees("The account is locked.")
    desk.sees("Nowhere.")
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
    shown = desk.run("""
    const memory = [...document.querySelectorAll("tandem-plot")].find((one) => one.querySelector("h2").innerText === "Memory");
    return [...memory.querySelectorAll("g.tick text")].map((one) => one.textContent);
    """)
    values = [re.fullmatch(r"([\d,]+) MiB", text) for text in shown]
    assert len(shown) >= 2 and all(values), shown
    steps = {int(later[1].replace(",", "")) - int(one[1].replace(",", "")) for one, later in zip(values, values[1:])}
    assert len(steps) == 1 and re.fullmatch("[125]0*", str(min(steps))), shown
    desk.whole_shot("desk-plots")
    desk.open("log")
    desk.until(lambda: desk.run("return document.querySelectorAll('.log-lines li').length > 10"), "there are lines")
    assert desk.barriers() == []


@contextlib.contextmanager
def row(suite, service, table, also="", **values):
    """A row that no call makes within the time of a test, such as a job that was given up after a day; `also` is a statement for what goes with it."""
    database = (suite.data / "secrets" / f"{service}_database_url").read_text().strip()

    def run(statement):
        subprocess.run(["psql", database, "-qAt", "-v", "ON_ERROR_STOP=1", "-c", statement], check=True, capture_output=True, timeout=60)

    run(f"insert into {service}.{table} ({', '.join(values)}) values ({', '.join(values.values())}); {also}")
    try:
        yield
    finally:
        run(f"delete from {service}.{table} where id = {values['id']}")


def test_34_3_a_job_that_was_given_up_is_retried(suite, desk):
    key = f"book {random.randrange(10**9)}"
    times = dict.fromkeys(("due_at", "ready_at", "dead_at", "created_at"), "now()")
    job = {"id": f"'{uuid.uuid4()}'", "kind": "'no_such_kind'", "key": f"'{key}'", "payload": "''", "attempts": "9", "last_failure": "'<i>it failed</i>'"}
    with row(suite, "identity", "jobs", **job, **times):
        desk.click("Jobs", "nav a")
        desk.sees(key)
        desk.sees("<i>it failed</i>")
        desk.whole_shot("desk-job")
        assert desk.barriers() + desk.too_wide() == []
        desk.click(f"Retry: no_such_kind {key}", "main button")
        desk.sees("1 will be tried again within seconds.")
        desk.misses(key)


def test_34_3_an_event_that_was_set_aside_is_left_out_and_retried(suite, desk):
    key = f"k{random.randrange(10**9)}"
    event = {
        "id": f"'{uuid.uuid4()}'", "producer": "'catalog'", "consumer": "'lending'", "topic": "'catalog.books'", "key": f"'{key}'", "transaction_id": "'7'", "event_id": "1",
        "type": "'tandem.events.v1.BookListed'", "event": "'no event'", "attempts": "9", "last_failure": "'it is no event'", "due_at": "now() + interval '1 day'",
    }
    with row(suite, "lending", "parked_events", **event):
        desk.click("Events", "nav a")
        desk.sees(key)
        desk.sees("it is no event")
        desk.whole_shot("desk-aside")
        assert desk.barriers() + desk.too_wide() == []
        desk.click("Leave out", "main button")
        desk.click("Leave out", "dialog button")
        desk.sees("It is left out.")
        desk.until(lambda: not desk.run("return [...document.querySelectorAll('main button')].some((one) => one.innerText === 'Leave out')"), "it is left out already")
        desk.click("Retry", "main button")
        desk.sees("It will be tried within seconds.")


def test_34_3_a_bar_is_lifted_with_its_reason(suite, desk, new_user):
    person = new_user("barred")
    times = {"began_at": "now() - interval '1 hour'", "ends_at": "now() + interval '1 day'"}
    bar = {"id": f"'{uuid.uuid4()}'", "user_id": f"'{person['id']}'", "session_id": f"'{uuid.uuid4()}'", "cause": "'LATE_CANCELLATION'"}
    imposed = f"insert into matching.bar_changes (bar_id, number, change, actor, reason, happened_at) values ({bar['id']}, 1, 'IMPOSED', 'matching', 'late', now())"
    with row(suite, "matching", "bars", also=imposed, **bar, **times):
        desk.click("Bars", "nav a")
        desk.sees("late cancellation")
        desk.whole_shot("desk-bar")
        assert desk.barriers() + desk.too_wide() == []
        desk.click("Lift", "main button")
        desk.type("Why", "The gym was closed")
        desk.type("Who lifts it", "A test")
        desk.click("Lift", "dialog form button")
        desk.sees("The bar is lifted.")
        desk.misses("late cancellation")
        desk.click("With those that ended", "main a")
        desk.sees("Lifted")


def test_34_3_everything_is_reached_by_keys(desk):
    desk.open("jobs")
    names = [one["name"] for one in desk.focus_order()]
    assert names[0] == "Skip to the content" and all(names), names
    for name in ("Health", "Metrics", "Users", "Jobs", "Events", "Reports", "Bars", "Settings", "Log", "Leave"):
        assert name in names, names
