"""Starts the whole suite once, as Tests/Gateway does, and two browsers; a test has both at one width.

TANDEM_PROGRAMS is the folder of the programs (.build/debug when unset). TANDEM_CONSOLE_STATE names the state.json of a suite that runs
already, TANDEM_CONSOLE_FOLDER the files of the console in place of those inside the gateway: both for those who change them.
"""

import base64
import importlib.util
import json
import os
import pathlib
import random
import sys
import time

import pytest
from browser import Browser
from provider import Provider

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("gateway_tests", ROOT / "Tests" / "Gateway" / "conftest.py")
gateway_tests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(gateway_tests)

# For its WebSockets by hand.
sys.path.append(str(ROOT / "Tests" / "Gateway"))

new_user = gateway_tests.new_user
WIDTHS = [360, 1280]


@pytest.fixture(scope="session")
def provider(tmp_path_factory):
    made = Provider(tmp_path_factory.mktemp("provider"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def suite(tmp_path_factory, provider):
    if given := os.environ.get("TANDEM_CONSOLE_STATE"):
        yield gateway_tests.Suite(None, json.loads(pathlib.Path(given).read_text()))
        return
    home = tmp_path_factory.mktemp("console")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TANDEM_")}
    # The tests ask faster than people do, and all of them from one address.
    environment["TANDEM_GATEWAY_MAX_REQUESTS_PER_ADDRESS"] = "2000"
    environment["TANDEM_IDENTITY_REGISTRATIONS_OF_ADDRESS"] = "500/1h"
    if folder := os.environ.get("TANDEM_CONSOLE_FOLDER"):
        environment["TANDEM_GATEWAY_CONSOLE_FOLDER"] = folder
    offset = gateway_tests.free_offset()
    environment["TANDEM_IDENTITY_PASSKEY_DOMAIN"] = "localhost"
    environment["TANDEM_IDENTITY_PASSKEY_ORIGINS"] = f"https://localhost:{7480 + offset}"
    with gateway_tests.running(home, environment | provider.settings, offset) as found:
        yield found


@pytest.fixture(scope="session")
def windows(suite, provider):
    """The windows of two people; passkeys know this host by its name."""
    made = [Browser(f"https://localhost:{suite.port}", 1280, suite.authority, provider.authority) for _ in range(2)]
    yield made
    for one in made:
        one.close()


def quiet(made):
    """No error of the console and no violation of the content security policy, but for what the test expects."""
    for one in made:
        assert one.complaints() == []


@pytest.fixture(params=WIDTHS)
def browsers(windows, request):
    for one in windows:
        one.resize(request.param)
        one.fresh()
    yield windows
    quiet(windows)


@pytest.fixture
def browser(browsers):
    return browsers[0]


@pytest.fixture(scope="session")
def ada(new_user):
    return new_user("ada")


@pytest.fixture(scope="session")
def hedy(new_user):
    return new_user("hedy")


def renew(suite, person):
    """Logs in anew where the access token ends soon: a run takes longer than one is good for."""
    claims = person["token"].split(".")[1]
    if json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["exp"] < time.time() + 120:
        request = {"emailOrUsername": person["name"], "password": person["password"]}
        person["token"] = suite.call("tandem.identity.v1.Accounts/Login", request).json["accessToken"]


@pytest.fixture
def call(suite):
    """A call of the suite that has to succeed, for what a test begins with."""

    def made(method, request, person=None):
        if person:
            renew(suite, person)
        answer = suite.call(method, request, token=person and person["token"])
        assert answer.status == 200, answer
        return answer.json

    return made


@pytest.fixture
def group(suite, call, ada, hedy):
    """A new group of Ada's with Hedy in it."""
    made = call("tandem.identity.v1.Groups/CreateGroup", {"group": {"name": f"Walkers {random.randrange(10**6)}"}}, ada)
    invitation = call("tandem.identity.v1.Groups/AddGroupMember", {"groupId": made["groupId"], "email": hedy["email"]}, ada)
    call("tandem.identity.v1.Invitations/AcceptInvitation", {"invitationId": invitation["invitationId"]}, hedy)
    end = time.monotonic() + 30
    request = {"groupIds": [made["groupId"]]}
    # Tracking learns of members by events.
    while len(suite.call("tandem.tracking.v1.Locations/GetMembers", request, token=hedy["token"]).json.get("groups", [{}])[0].get("members", [])) < 2:
        assert time.monotonic() < end, "tracking does not know the group"
        # Nothing tells that the event has arrived: tracking is asked again, within the limit.
        time.sleep(0.05)
    return made


def isbn():
    """A number of the prefix for numbers that no publisher has."""
    digits = "9799" + f"{random.randrange(10**8):08}"
    check = (10 - sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(digits)) % 10) % 10
    return digits + str(check)
