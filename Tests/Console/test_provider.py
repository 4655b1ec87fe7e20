"""Logins by a provider, and a tracker whose data come by themselves: over the provider's page and back."""

import random

from conftest import gateway_tests


def allow(browser, address, answer="Allow"):
    """On the provider's page, which is another company's."""
    browser.until(lambda: "Elsewhere" in browser.driver.title, "the provider's page is there")
    browser.type("Address", address)
    browser.click(answer, "button")


def address_of(kind):
    return f"{kind}{random.randrange(10**9)}@elsewhere.example"


def log_out(browser, name):
    browser.click(f"Your menu, {name}", "summary")
    browser.click("Log out", ".menu button")
    browser.sees("Train together")


def test_an_account_by_a_provider_then_a_login(browser):
    browser.expected = ["400"]
    address = address_of("rosa")
    name = address.partition("@")[0]
    browser.open("login")
    browser.click("Log in with Elsewhere")
    allow(browser, address)
    browser.sees("You have no account with this login yet.")
    assert "code=" not in browser.driver.current_url
    browser.click("Go on", "a")
    browser.sees(address)
    browser.whole_shot("register-provider")
    assert browser.barriers() == []
    browser.type("Username", name)
    browser.click("Create the account")
    # The provider has verified the address: there is no mail, and the session has begun.
    browser.find(f"Your menu, {name}", "summary")
    browser.sees("Make your profile")
    log_out(browser, name)
    browser.open("login")
    browser.click("Log in with Elsewhere")
    allow(browser, address)
    browser.sees("You are logged in.")
    browser.click("Go on", "a")
    browser.find(f"Your menu, {name}", "summary")


def test_an_address_that_the_provider_has_not_verified_gets_a_mail(browser, suite):
    browser.expected = ["400"]
    address = address_of("unverified")
    browser.open("login")
    browser.click("Log in with Elsewhere")
    allow(browser, address)
    browser.click("Go on", "a")
    browser.type("Username", address.partition("@")[0])
    browser.click("Create the account")
    browser.sees("Look into your mail")
    assert gateway_tests.mailed_token(suite, address)


def test_what_another_browser_began_logs_in_no_one_here(browser, suite):
    browser.expected = ["400"]
    begun = {"providerId": "elsewhere", "redirectUri": f"{browser.url}/login/callback"}
    answer = suite.call("tandem.identity.v1.FederatedLogins/StartFederatedLogin", begun)
    browser.driver.get(answer.json["authorizationUrl"])
    allow(browser, address_of("mallory"))
    browser.sees("This did not work")
    browser.open("login")
    browser.find("Log in with Elsewhere")


def test_who_refuses_is_told(browser):
    browser.expected = ["403"]
    browser.open("login")
    browser.click("Log in with Elsewhere")
    allow(browser, "", "Refuse")
    browser.sees("This did not work")
    browser.shot("provider-refused")
    browser.click("Go on", "a")
    browser.find("Log in with Elsewhere")


def test_a_login_is_added_to_an_account_and_removed(browser, new_user):
    person, address = new_user("emmy"), address_of("emmy")
    browser.log_in(person)
    browser.open("account")
    browser.click("Add Elsewhere")
    allow(browser, address)
    browser.sees("You can log in by it from now on.")
    browser.click("Go on", "a")
    browser.sees(address)
    browser.whole_shot("account-providers")
    assert browser.barriers() == []
    log_out(browser, person["name"])
    browser.open("login")
    browser.click("Log in with Elsewhere")
    allow(browser, address)
    browser.click("Go on", "a")
    browser.find(f"Your menu, {person['name']}", "summary")
    browser.open("account")
    browser.click("Remove", "main button")
    browser.sees("You can no longer log in by it")
    browser.click("Remove", "dialog button")
    browser.misses(address)


def test_a_login_is_added_to_the_account_that_one_has(browser, new_user):
    """Who tries the provider first, and has an account with a password."""
    browser.expected = ["400"]
    person, address = new_user("lise"), address_of("lise")
    browser.open("login")
    browser.click("Log in with Elsewhere")
    allow(browser, address)
    browser.click("Go on", "a")
    browser.click("I have an account already", "main a")
    browser.type("Email address or username", person["name"])
    browser.type("Password", person["password"])
    browser.click("Log in", "main button")
    browser.click(f"Add the login of {address}", "button")
    browser.until(lambda: browser.run("return document.querySelectorAll('main li.item').length") >= 1, "it is listed")
    browser.sees(address)
    browser.misses("Add the login of")


def test_a_tracker_is_connected_and_brings_its_activities(browser, new_user):
    person = new_user("wilma")
    browser.expected = ["403"]
    browser.log_in(person)
    browser.open("activities")
    browser.click("Trackers", "main a")
    browser.sees("not connected")
    browser.whole_shot("trackers")
    browser.click("Connect Polar", "main button")
    browser.set("How much of the past", "30")
    browser.click("On to Polar", "dialog button")
    allow(browser, "", "Refuse")
    browser.sees("This did not work")
    browser.click("Go on", "a")
    browser.sees("not connected")
    browser.click("Connect Polar", "main button")
    browser.click("On to Polar", "dialog button")
    allow(browser, "")
    browser.sees("The tracker is connected.")
    browser.click("Go on", "a")
    browser.sees("Connected since")
    browser.sees("1 activity")
    browser.find("Fetch now", "main button")
    browser.whole_shot("trackers-connected")
    assert browser.barriers() == [] and browser.too_wide() == []
    browser.click("All", "main a")
    browser.click("Run", "main a.item")
    browser.sees("Polar Vantage")
    browser.open("activities?tab=trackers")
    browser.click("Disconnect", "main button")
    browser.click("Disconnect", "dialog button")
    browser.sees("not connected")
