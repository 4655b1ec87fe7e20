"""Where providers send browsers back to, after a login or the consent to an import: with a suite of its own, which knows a provider."""

import contextlib
import json
import os
import random
import signal
import subprocess

import pytest
from browser import Browser
from conftest import gateway_tests
from provider import Provider


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    folder = tmp_path_factory.mktemp("provider")
    made = Provider(folder)
    made.folder = folder
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture(scope="module")
def suite(provider, tmp_path_factory):
    home = tmp_path_factory.mktemp("callbacks")
    settings = {
        "GATEWAY_MAX_REQUESTS_PER_ADDRESS": "2000", "IDENTITY_PROVIDERS": provider.folder / "providers.json",
        "IDENTITY_PROVIDER_CA": provider.folder / "provider-ca.pem", "IMPORTER_TRACKERS": provider.folder / "trackers.json",
        "IMPORTER_TRACKER_CA": provider.folder / "provider-ca.pem", "IMPORTER_TRACKER_HOSTS": "any",
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TANDEM_")}
    environment |= {f"TANDEM_{name}": str(value) for name, value in settings.items()}
    command = [gateway_tests.programs() / "tandem", "up", "--home", home / "home", "--ephemeral"]
    with open(home / "log", "wb") as log:
        process = subprocess.Popen(
            [*command, "--port-offset", str(gateway_tests.free_offset())], stdout=log, stderr=log, env=environment, start_new_session=True
        )
    try:
        state = home / "home" / "state.json"
        gateway_tests.await_file(state, process, home / "log")
        yield gateway_tests.Suite(process, json.loads(state.read_text()))
        assert process.poll() is None, "the suite ended by itself"
    finally:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=40)
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def window(suite):
    made = Browser(f"https://localhost:{suite.port}", 1280, suite.authority)
    # The provider's certificate is its own.
    made.devtools("Security.setIgnoreCertificateErrors", ignore=True)
    yield made
    made.close()


@pytest.fixture
def browser(window):
    window.fresh()
    yield window
    assert window.complaints() == []


def someone(provider, **claims):
    """A user of the provider who has never been here; the provider logs them in."""
    name = f"mary_{random.randrange(10**8)}"
    provider.user = {"sub": name, "email": f"{name}@provider.example", "email_verified": True, **claims}
    provider.consents = True
    return name


def to_the_provider(browser):
    browser.open("login")
    browser.click("A friend")
    browser.until(lambda: browser.run("return location.pathname") == "/login/callback", "the provider has sent the browser back")


def logged_in(browser, name):
    browser.sees("You are logged in.")
    assert browser.run("return location.href") == f"{browser.url}/login/callback", "no code is left in the address"
    browser.click("Go on")
    browser.find(f"Your menu, {name}", "summary")


def test_a_first_login_makes_an_account_and_the_next_one_finds_it(browser, provider):
    """[GATE-4]"""
    browser.expected = ["400"]
    name = someone(provider)
    to_the_provider(browser)
    browser.sees("No account has this login yet.")
    browser.whole_shot("callback-register")
    assert browser.barriers() == [] and browser.too_wide() == []
    browser.type("Username", "!")
    browser.click("Create the account")
    browser.until(lambda: browser.run("return document.querySelector('[role=alert]')"), "the wrong name is refused")
    browser.type("Username", name)
    browser.click("Create the account")
    logged_in(browser, name)
    browser.fresh()
    browser.expected = []
    to_the_provider(browser)
    logged_in(browser, name)


def test_an_address_that_the_provider_has_not_verified_gets_a_mail(browser, provider, suite):
    """[GATE-4]"""
    browser.expected = ["400"]
    name = someone(provider, email_verified=False)
    to_the_provider(browser)
    browser.type("Username", name)
    browser.click("Create the account")
    browser.sees("Look into your mail")
    assert gateway_tests.mailed_token(suite, f"{name}@provider.example")


def test_who_says_no_at_the_provider_is_told(browser, provider):
    """[GATE-4]"""
    browser.expected = ["403"]
    someone(provider)
    provider.consents = False
    to_the_provider(browser)
    browser.until(lambda: browser.run("return document.querySelector('[role=alert]')"), "the refusal is told")
    assert browser.barriers() == []


def test_a_callback_that_was_not_begun_here_logs_in_no_one(browser, provider, suite):
    """[GATE-4] What another person has begun is not completed in this browser."""
    browser.expected = ["400"]
    name = someone(provider)
    begun = suite.call(
        "tandem.identity.v1.FederatedLogins/StartFederatedLogin", {"providerId": "friend", "redirectUri": f"{browser.url}/login/callback"}
    )
    browser.driver.get(begun.json["authorizationUrl"])
    browser.until(lambda: browser.run("return document.querySelector('[role=alert]')"), "it is refused")
    browser.open("login")
    assert name not in browser.text and browser.find("Log in", "main button")


@pytest.fixture
def annie(suite, call):
    """A user with a password."""
    name = f"annie_{random.randrange(10**8)}"
    login = {"name": name, "email": f"{name}@example.org", "password": "Analytical-engine-1843"}
    accounts = "tandem.identity.v1.Accounts"
    made = call(f"{accounts}/Register", {"email": login["email"], "username": name, "password": login["password"]})
    token = gateway_tests.mailed_token(suite, login["email"])
    call(f"{accounts}/VerifyEmail", {"token": token, "registrationSecret": made["registrationSecret"]})
    return {**login, "token": call(f"{accounts}/Login", {"emailOrUsername": name, "password": login["password"]})["accessToken"]}


CONNECT = """
const done = arguments[0];
const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
const body = JSON.stringify({ provider: "strava", redirectUri: `${location.origin}/trackers/callback` });
fetch("/tandem.importer.v1.Trackers/StartConnection", { method: "POST", headers, body })
  .then(async (answer) => done((await answer.json()).authorizationUrl), (error) => done(String(error)));
"""


def state(call, person):
    trackers = call("tandem.importer.v1.Trackers/ListTrackers", {}, person)["trackers"]
    return next(one["state"] for one in trackers if one["provider"] == "strava")


def test_a_tracker_is_connected(browser, provider, annie, call):
    """[GATE-6] The session's cookie is not with the provider's way back, and the page's own script has it."""
    browser.log_in(annie)
    provider.consents = True
    browser.driver.get(browser.driver.execute_async_script(CONNECT))
    browser.sees("The tracker is connected.")
    browser.whole_shot("callback-tracker")
    assert browser.run("return location.href") == f"{browser.url}/trackers/callback", "no code is left in the address"
    assert browser.barriers() == []
    browser.click("Go on")
    browser.settled()
    assert state(call, annie) == "TRACKER_STATE_CONNECTED"


def test_a_tracker_is_not_connected_without_consent(browser, provider, annie, call):
    """[GATE-6]"""
    browser.expected = ["403", "400"]
    browser.log_in(annie)
    provider.consents = False
    browser.driver.get(browser.driver.execute_async_script(CONNECT))
    browser.until(lambda: browser.run("return document.querySelector('[role=alert]')"), "the refusal is told")
    assert state(call, annie) == "TRACKER_STATE_AVAILABLE"
