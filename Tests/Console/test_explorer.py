"""The API explorer: every method, by form and by JSON, with history, streams, and copies as commands."""

import json
import os
import subprocess

import pytest
from conftest import gateway_tests

programs = gateway_tests.programs


def test_a_method_by_form_and_json(browser, suite, ada):
    browser.expected = ["400", "404"]
    browser.log_in(ada)
    browser.open("api")
    browser.type("Search methods", "GetProfile")
    browser.whole_shot("api")
    browser.click("GetProfile", "nav a")
    browser.sees("identity.v1.Profiles/GetProfile")
    # With the contract's comment, that of the method and those of the fields.
    described = suite.curl("/openapi.json").json
    operation = described["paths"]["/tandem.identity.v1.Profiles/GetProfile"]["post"]
    browser.sees(operation["description"].split(".")[0][:30])
    request = described["components"]["schemas"]["tandem.identity.v1.GetProfileRequest"]
    browser.sees(request["properties"]["username"]["description"][:25])
    browser.type("username", ada["name"])
    browser.click("Call")
    browser.sees("Status 200")
    assert json.loads(browser.run("return document.querySelector('pre.answer').innerText"))["username"] == ada["name"]
    browser.click("Metadata", "summary")
    browser.sees("application/json")
    browser.whole_shot("api-answer")
    assert browser.barriers() == [] and browser.too_wide() == []
    browser.click("JSON", "button")
    browser.set("JSON", json.dumps({"username": "no_such_person_at_all"}))
    browser.click("Call")
    browser.sees("Status 404")
    browser.sees("PROFILE_NOT_FOUND" if "PROFILE_NOT_FOUND" in browser.text else "NOT_FOUND")
    browser.set("JSON", "{")
    browser.click("Call")
    browser.sees("This is no JSON")
    # The history outlives a reload, and a click shows the answer again.
    browser.driver.refresh()
    browser.settled()
    entries = browser.run("return [...document.querySelectorAll('.entry')].map((one) => one.innerText)")
    assert len(entries) == 2 and "404" in entries[0] and "200" in entries[1]
    browser.click("200", ".entry")
    browser.sees("Status 200")


def test_copies_as_commands(browser, suite, ada):
    browser.log_in(ada)
    request = json.dumps({"username": "it's me"})
    browser.open(f"api/tandem.identity.v1.Profiles/GetProfile?request={request}")
    commands = {}
    for kind in ("curl", "grpcurl", "tandem rpc call"):
        browser.click(kind, "button")
        browser.until(lambda kind=kind: browser.run("return document.querySelector('pre.command')?.innerText ?? ''").startswith(kind), "the command is shown")
        commands[kind] = browser.run("return document.querySelector('pre.command').innerText")
    import shlex

    for kind, command in commands.items():
        words = shlex.split(command)
        assert json.loads(words[words.index("-d") + 1]) == {"username": "it's me"}, command
        assert any("tandem.identity.v1.Profiles/GetProfile" in word for word in words)
    browser.until(lambda: browser.run("return navigator.clipboard.readText()") == commands["tandem rpc call"], "the last one is in the clipboard")


def test_copied_commands_run_as_they_are(browser, suite, call, ada):
    """grpcurl is of no package here: what it speaks is tested by grpcio."""
    if not suite.home:
        pytest.skip("the suite that is given is not this test's to call from the command line")
    call("tandem.identity.v1.Accounts/GetOwnAccount", {}, ada)
    browser.log_in(ada)
    browser.open(f"api/tandem.identity.v1.Profiles/GetProfile?request={json.dumps({'username': ada['name']})}")
    environment = {**os.environ, "CA": str(suite.authority), "TOKEN": ada["token"], "TANDEM_HOME": str(suite.home), "PATH": f"{programs()}:{os.environ['PATH']}"}
    for kind in ("curl", "tandem rpc call"):
        browser.click(kind, "button")
        browser.until(lambda kind=kind: browser.run("return document.querySelector('pre.command')?.innerText ?? ''").startswith(kind), "the command is shown")
        made = subprocess.run(["bash", "-c", browser.run("return document.querySelector('pre.command').innerText")], env=environment, capture_output=True, text=True, timeout=60)
        assert made.returncode == 0 and json.loads(made.stdout)["username"] == ada["name"], made


def test_default_headers(browser, call, ada):
    call("tandem.identity.v1.Accounts/GetOwnAccount", {}, ada)
    browser.open("api/tandem.identity.v1.Accounts/GetOwnAccount")
    browser.expected = ["401"]
    browser.click("Call")
    browser.sees("Status 401")
    browser.click("Headers for every call", "summary")
    browser.set("Headers for every call", f"authorization: Bearer {ada['token']}")
    browser.click("Call")
    browser.sees("Status 200")
    browser.open("api/tandem.identity.v1.Accounts/ListSessions")
    browser.click("Call")
    browser.sees("Status 200")
    assert ada["token"] not in browser.run("return JSON.stringify(sessionStorage)")


def test_a_stream_live(browser, call, ada, hedy, group):
    browser.log_in(ada)
    browser.open("api/tandem.tracking.v1.Locations/Watch")
    browser.click("JSON", "button")
    browser.set("JSON", json.dumps({"add": [{"groupId": group["groupId"]}]}))
    browser.click("Open the stream")
    browser.until(lambda: "snapshot" in browser.run("return document.querySelector('pre.answer')?.innerText ?? ''"), "the first message arrives")
    call("tandem.tracking.v1.Locations/StartSharing", {"groupIds": [group["groupId"]]}, hedy)
    browser.until(lambda: "changes" in browser.run("return document.querySelector('pre.answer').innerText"), "the next one comes when it happens")
    browser.whole_shot("api-stream")
    browser.click("Stop")
    browser.find("ok", ".entry")
    call("tandem.tracking.v1.Locations/StopSharing", {"groupIds": [group["groupId"]]}, hedy)
