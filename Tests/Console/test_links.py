"""What links in mails and share links lead to, by clicking."""

import random

import pytest
from test_groups import JOURNEYS, LOCATIONS, now, walk
from test_mailed_links import mailed_link

import conftest

ACCOUNTS = "tandem.identity.v1.Accounts"
PASSWORD = "Analytical-engine-1843"


@pytest.fixture
def registered(suite, call):
    """A user who has registered, and whose address is not confirmed: name and address."""
    name = f"joan_{random.randrange(10**8)}"
    address = f"{name}@example.org"
    call(f"{ACCOUNTS}/Register", {"email": address, "username": name, "password": PASSWORD})
    return name, address


def follow(browser, suite, address, page):
    """Clicks the link in the mail; no server and no history gets its token."""
    link, token = mailed_link(suite, address, page)
    browser.driver.get(link)
    browser.until(lambda: browser.run("return document.querySelector('input[name=token]').value") == token, "the script has put the token into the form")
    assert browser.run("return location.href") == suite.url + page
    assert not browser.run("return document.querySelector('input[name=token]').getClientRects().length")
    assert browser.barriers() == [] and browser.too_wide() == []


def test_a_registration_is_confirmed(browser, suite, registered):
    """[GATE-6]"""
    name, address = registered
    follow(browser, suite, address, "/verify")
    browser.type("Password", PASSWORD)
    browser.whole_shot("link-verify")
    browser.click("Confirm the address")
    browser.sees("Your email address is confirmed.")
    browser.click("Go on")
    browser.settled()
    browser.open("login")
    browser.log_in({"name": name, "password": PASSWORD})


def test_a_password_is_reset(browser, suite, call, new_user):
    """[GATE-6]"""
    browser.expected = ["400"]
    person = new_user("joan")
    call(f"{ACCOUNTS}/RequestPasswordReset", {"email": person["email"]})
    follow(browser, suite, person["email"], "/reset")
    browser.type("Password", "password")
    browser.click("Set the password")
    browser.sees("The password is not strong enough")
    assert browser.barriers() == []
    browser.type("Password", "Jacquard-loom-1804-cards")
    browser.click("Set the password")
    browser.sees("Your new password is set.")
    browser.log_in({**person, "password": "Jacquard-loom-1804-cards"})


def test_an_address_is_changed_and_restored(browser, suite, call, new_user):
    """[GATE-6]"""
    person = new_user("joan")
    new = f"new_{person['email']}"
    call(f"{ACCOUNTS}/RequestEmailChange", {"email": new}, person)
    follow(browser, suite, new, "/email/confirm")
    browser.click("Change the address")
    browser.sees(f"The email address of your account is now {new}.")
    follow(browser, suite, person["email"], "/email/undo")
    browser.whole_shot("link-undo")
    browser.click("Undo the change")
    browser.sees(f"Your account has the address {person['email']} again.")
    # By the way back that the mail offers, as nothing else lets in any more.
    follow(browser, suite, person["email"], "/reset")


def test_mail_of_a_kind_is_unsubscribed(browser, suite, call, new_user, hedy):
    """[GATE-6]"""
    person = new_user("joan")
    book = call("tandem.catalog.v1.Books/AddBook", {"book": {"title": "Looms", "authors": ["J. Card"], "isbn": conftest.isbn()}}, person)
    call("tandem.lending.v1.Loans/RequestBook", {"bookId": book["bookId"]}, hedy)

    def is_mailed():
        kinds = call("tandem.notification.v1.Notifications/GetPreferences", {}, person)["kinds"]
        return next(one.get("mail", False) for one in kinds if one["kind"] == "NOTIFICATION_KIND_BOOK_REQUESTED")

    link, _ = mailed_link(suite, person["email"], "/unsubscribe")
    browser.driver.get(link)
    browser.sees("No more mail of this kind")
    assert is_mailed(), "looking at the page changes nothing"
    assert browser.barriers() == []
    browser.click("Unsubscribe", "button")
    browser.sees("You will get no more mail of this kind.")
    assert not is_mailed()


def test_a_link_that_was_used_says_so(browser, suite, registered):
    """[GATE-6]"""
    browser.expected = ["400"]
    _, address = registered
    link, _ = mailed_link(suite, address, "/verify")
    for said in ("Your email address is confirmed.", "Token from the mail"):
        # A page of the same address with another fragment is not loaded anew.
        browser.driver.get("about:blank")
        browser.driver.get(link)
        browser.type("Password", PASSWORD)
        browser.click("Confirm the address")
        browser.sees(said)
    assert browser.run("return document.querySelector('[role=alert]').innerText")


IN_VIEW = """
const box = document.querySelector("tandem-map").getBoundingClientRect();
const inside = (one) => one.left > box.left && one.right < box.right && one.top > box.top && one.bottom < box.bottom;
return [...document.querySelectorAll("tandem-map .pin")].every((pin) => inside(pin.getBoundingClientRect()));
"""


def test_a_shared_journey_is_on_a_map(browser, suite, call, hedy, group):
    """[GATE-6]"""
    call(f"{LOCATIONS}/StartSharing", {"groupIds": [group["groupId"]]}, hedy)
    begun = {"groupIds": [group["groupId"]], "destination": {"latitude": 1.32, "longitude": 103.88}, "arrivalTime": now(3600)}
    journey = call(f"{JOURNEYS}/StartJourney", begun, hedy)
    ended = False
    try:
        share = call("tandem.tracking.v1.JourneyShares/CreateShare", {"journeyId": journey["journeyId"]}, hedy)
        browser.driver.get(f"{browser.url}/share/journey/{share['token']}")
        browser.sees(hedy["name"])
        browser.until(lambda: browser.run("return document.querySelector('tandem-map .pin.goal') && document.querySelector('tandem-map path.land')"), "the destination is on the map")
        last = walk(call, hedy)
        browser.until(lambda: browser.run("return document.querySelector('tandem-map .pin.here')"), "the position comes by itself")
        browser.sees("Last position")
        browser.until(lambda: browser.run(IN_VIEW), "the position and the destination are in view")
        assert browser.run("return Number(document.querySelector('[data-point=position]').dataset.latitude)") == pytest.approx(last["latitude"], abs=0.001)
        browser.whole_shot("share-journey")
        assert browser.barriers() == [] and browser.too_wide() == []
        assert {one["address"].split("/")[2] for one in browser.requests()} == {browser.url.split("/")[2]}
        call(f"{JOURNEYS}/StopJourney", {}, hedy)
        ended = True
        browser.until(lambda: browser.run("return !document.querySelector('[data-live]') && !document.querySelector('tandem-map .pin.here')"), "the end is told, and the position is gone")
    finally:
        if not ended:
            call(f"{JOURNEYS}/StopJourney", {}, hedy)
        call(f"{LOCATIONS}/StopSharing", {"groupIds": [group["groupId"]]}, hedy)


def test_a_shared_workout_has_a_page(browser, call, ada):
    """[GATE-6]"""
    made = call("tandem.catalog.v1.Workouts/CreateWorkout", {"workout": {"name": "Legs <b>", "description": "On Mondays", "muscleGroups": ["LEGS"]}}, ada)
    shared = call("tandem.catalog.v1.Workouts/ShareWorkout", {"workoutId": made["workoutId"]}, ada)
    browser.driver.get(f"{browser.url}/share/workout/{shared['token']}")
    browser.sees("Legs <b>")
    browser.sees("On Mondays")
    assert browser.barriers() == [] and browser.too_wide() == []


# Sessions of browsers


COOKIE = "__Host-tandem-session"
CALL = """
const [path, done] = arguments;
const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
fetch(path, { method: "POST", headers, body: "{}" }).then(async (answer) => done([answer.status, await answer.json()]), (error) => done([0, String(error)]));
"""

REFRESH = """
const [path, done] = arguments;
const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
const once = () => fetch(path, { method: "POST", headers, body: "{}" });
Promise.all([once(), once(), once(), once()]).then((answers) => done(answers.map(({ status }) => status)), (error) => done(String(error)));
"""


def own(browser):
    return browser.driver.execute_async_script(CALL, "/tandem.identity.v1.Accounts/GetOwnAccount")


def session_cookie(browser):
    found = browser.devtools("Network.getCookies", urls=[browser.url])["cookies"]
    return next((one for one in found if one["name"] == COOKIE), None)


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_has(browser, ada):
    """[GATE-4]"""
    browser.expected = ["401", "403", "415"]
    browser.log_in(ada)
    cookie = session_cookie(browser)
    assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Strict" and cookie["path"] == "/", cookie
    assert COOKIE not in browser.run("return document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })")
    assert own(browser)[1]["username"] == ada["name"]
    # A form of another site.
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        page = f"<form method=post enctype={kind} action={browser.url}/session/logout><input name=a value=b></form>"
        browser.driver.get(f"data:text/html,{page}")
        browser.run("document.forms[0].submit()")
        browser.until(lambda: browser.run("return location.pathname") == "/session/logout", "the form is answered")
        assert "permission_denied" in browser.text or "CROSS_SITE" in browser.text, browser.text
    browser.open("")
    assert own(browser)[1]["username"] == ada["name"], "the session goes on"


def test_tabs_refresh_at_once_and_end_together(browser, ada):
    """[GATE-4]"""
    browser.expected = ["401"]
    browser.log_in(ada)
    before, first = session_cookie(browser)["value"], browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    try:
        browser.open("books")
        assert browser.driver.execute_async_script(REFRESH, "/session/refresh") == [200] * 4
        assert session_cookie(browser)["value"] != before
        assert own(browser)[0] == 200
        browser.click(f"Your menu, {ada['name']}", "summary")
        browser.click("Log out", ".menu button")
        browser.sees("Train together")
        assert session_cookie(browser) is None
    finally:
        browser.driver.close()
        browser.driver.switch_to.window(first)
    assert own(browser)[0] == 401
