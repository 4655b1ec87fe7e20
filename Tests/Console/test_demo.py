"""The demonstration: the front page is a walk through it, and operators make it anew in one click."""

import json
import random
import socket
import subprocess

import pytest
from conftest import gateway_tests


def free_port():
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return tried.getsockname()[1]


@pytest.fixture(scope="module")
def demo(suite, tmp_path_factory):
    """One more gateway before the suite, with a demonstration and with operators who may make it anew."""
    password = json.loads(suite.tandem("demo", "seed", "-o", "json"))["password"]
    desk = free_port()
    ports = {"listen": f"127.0.0.1:{free_port()}", "operator_listen": f"127.0.0.1:{desk}"}
    with suite.another(tmp_path_factory.mktemp("demo"), console_demo=password, operator_demo="true", **ports) as made:
        # As `tandem up --demo` has it: three of the people are on their way.
        walk = subprocess.Popen([gateway_tests.programs() / "tandem", "demo", "run", "--home", suite.home], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            yield f"https://localhost:{made.port}", f"https://localhost:{desk}"
        finally:
            walk.kill()
            walk.wait()


@pytest.fixture
def at(browser):
    """Has the browser at another address for the length of a test."""
    before = browser.url

    def go(url):
        browser.url = url
        browser.fresh()
        return browser

    yield go
    browser.url = before
    browser.fresh()


def step(browser, name, path):
    """Takes a step of the walk, which loads another page."""
    browser.click(name, "main button")
    browser.until(lambda: path in browser.driver.current_url, f"{path} is shown")
    browser.settled()


def test_34_4_the_front_page_is_a_walk(at, demo):
    browser = at(demo[0])
    browser.open("")
    browser.sees("A walk through the demonstration")
    browser.whole_shot("walk")
    assert browser.barriers() + browser.too_wide() == []
    step(browser, "Go as mary_demo: A group on its way", "/groups/")
    browser.find("Your menu, mary_demo", "summary")
    browser.sees("Weekend walkers")
    browser.sees("Meet at Waterloo?")
    browser.open("")
    browser.sees("seen")
    step(browser, "Go as alan_demo: Lend a book", "/books?tab=requests")
    browser.find("Your menu, alan_demo", "summary")
    browser.sees("Brave New World")
    browser.open("")
    browser.whole_shot("walk-begun")
    step(browser, "Go as ada_demo: Laps of Hyde Park", "/activities")
    browser.click("Lap of Hyde Park", "main a")
    browser.sees("Splits")
    browser.until(lambda: browser.run("return document.querySelectorAll('tandem-plot path.drawn').length === 2"), "heart rate and height are drawn")
    browser.whole_shot("walk-track")


STATES = "return new Set([...document.querySelectorAll('tandem-map .member')].map((one) => one.className)).size"


def test_34_4_the_walkers_are_on_the_map_and_expected(at, demo):
    browser = at(demo[0])
    browser.open("")
    step(browser, "Go as mary_demo: Follow one to the destination", "/groups/")
    browser.until(lambda: browser.run("return document.querySelectorAll('tandem-map .member').length") >= 3, "three are on the map")
    assert browser.run(STATES) >= 2, "the one on a journey has a state of her own"
    browser.sees("promised for")
    # An arrival is reckoned from a minute of positions.
    browser.until(lambda: "expected at" in browser.text, "when she arrives is said", patience=150)
    browser.whole_shot("walk-map")
    assert browser.barriers() + browser.too_wide() == []


def test_34_4_it_is_made_anew_by_the_button(at, demo, suite, call):
    def ada():
        return call("tandem.identity.v1.Accounts/Login", {"emailOrUsername": "ada_demo", "password": "Analytical-engine-1843"})

    before = ada()
    group = f"Of a visitor {random.randrange(10**6)}"
    made = suite.call("tandem.identity.v1.Groups/CreateGroup", {"group": {"name": group}}, token=before["accessToken"])
    assert made.status == 200, made
    token = suite.tandem("console").strip().partition("#")[2]
    browser = at(demo[1])
    browser.driver.get(f"{demo[1]}/console/enter#{token}")
    browser.sees("Demonstration")
    browser.whole_shot("desk-demo")
    browser.click("Make it anew", "main button")
    browser.sees("Make the demonstration anew?")
    browser.click("Make it anew", "dialog button")
    browser.sees("The demonstration is new.")
    assert browser.barriers() == []
    after = ada()
    assert after["userId"] != before["userId"]
    groups = suite.call("tandem.identity.v1.Groups/ListGroups", {}, token=after["accessToken"]).json["groups"]
    assert [one["name"] for one in groups] == ["Weekend walkers"]
