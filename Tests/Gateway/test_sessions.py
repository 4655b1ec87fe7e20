"""Sessions of browsers: what a page's script sends, with the cookies that a browser would send with it."""

import concurrent.futures
import json
import random

import pytest
from sockets import WebSocket

OWN = "tandem.identity.v1.Accounts/GetOwnAccount"
SESSION = "__Host-tandem-session"


class Browser:
    """Keeps cookies, and sends what browsers send with a request of a page's script."""

    def __init__(self, suite):
        self.suite = suite
        self.cookies = {}

    def post(self, path, request, *options, site="same-origin"):
        fields = ["content-type: application/json", "connect-protocol-version: 1", f"origin: {self.suite.url}"]
        fields += [f"sec-fetch-site: {site}"] if site else []
        return self.send(path, "-d", json.dumps(request), *[part for field in fields for part in ("-H", field)], *options)

    def send(self, path, *options):
        if self.cookies:
            options += ("-H", "cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        answer = self.suite.curl(path, *options)
        for line in answer.lines("set-cookie"):
            pair, _, attributes = line.partition("; ")
            name, _, value = pair.partition("=")
            assert attributes.endswith("Path=/; HttpOnly; Secure; SameSite=Strict"), line
            if value:
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)
        return answer

    def login(self, person):
        return self.post("/session/login", {"emailOrUsername": person["name"], "password": person["password"]})


@pytest.fixture
def browser(suite, user):
    made = Browser(suite)
    answer = made.login(user)
    assert answer.status == 200, answer
    return made


def reason(answer):
    return [detail["debug"]["reason"] for detail in answer.json.get("details", []) if "debug" in detail]


def test_a_login_sets_cookies_and_shows_no_token(suite, user, browser):
    answer = Browser(suite).login(user)
    assert answer.json["userId"] == user["id"] and answer.json["accessTokenExpireTime"].endswith("Z")
    assert not {"accessToken", "refreshToken", "deviceToken"} & set(answer.json)
    assert answer.fields["cache-control"] == "private, no-store"
    assert set(browser.cookies) == {SESSION, "__Host-tandem-device"}
    assert all(len(value) < 3900 for value in browser.cookies.values())


def test_a_wrong_password_sets_none(suite, user):
    browser = Browser(suite)
    answer = browser.login({**user, "password": "wrong-" + user["password"]})
    assert answer.status == 401 and answer.json["code"] == "unauthenticated" and not browser.cookies, answer
    assert browser.post("/session/login", {"emailOrUsername": 1}).status == 400


def test_calls_with_the_cookie(suite, user, browser):
    answer = browser.post(f"/{OWN}", {})
    assert answer.status == 200 and answer.json["username"] == user["name"], answer
    # A GET of a method that changes nothing.
    query = "?connect=v1&encoding=json&message=%7B%7D"
    method = "/tandem.identity.v1.Accounts/ListSessions"
    fields = ("-H", "connect-protocol-version: 1", "-H", "sec-fetch-site: same-origin")
    assert browser.send(method + query, *fields).status == 200
    assert browser.send(method + query, "-H", "sec-fetch-site: same-origin").status == 403


@pytest.mark.parametrize(
    "options,site",
    [
        ((), "cross-site"),
        ((), "same-site"),
        ((), "none"),
        (("-H", "content-type: text/plain"), "same-origin"),
    ],
)
def test_cross_site_requests_are_refused(browser, options, site):
    answer = browser.post(f"/{OWN}", {}, *options, site=site)
    assert answer.status in (403, 415), answer
    assert browser.post("/session/logout", {}, *options, site=site).status == 403
    assert SESSION in browser.cookies


def test_a_form_of_another_site_is_refused(suite, user, browser):
    for fields in (
        ("-H", "content-type: application/json"),
        ("-H", "content-type: application/json", "-H", "origin: https://evil.example", "-H", "connect-protocol-version: 1"),
        ("-H", "content-type: application/json", "-H", "origin: https://app.example.org", "-H", "connect-protocol-version: 1"),
    ):
        answer = browser.send(f"/{OWN}", "-d", "{}", *fields)
        assert answer.status == 403 and browser.send("/session/logout", "-d", "{}", *fields).status == 403, answer
    body = json.dumps({"emailOrUsername": user["name"], "password": user["password"]})
    stranger = Browser(suite)
    assert stranger.send("/session/login", "-d", body, "-H", "content-type: application/json").status == 403
    assert not stranger.cookies


def test_a_token_counts_more_than_the_cookie(browser, suite):
    answer = browser.post(f"/{OWN}", {}, "-H", "authorization: Bearer nonsense")
    assert answer.status == 401, answer


def test_a_cookie_that_was_changed_is_none(suite, browser):
    value = browser.cookies[SESSION]
    at = random.randrange(10, len(value) - 2)
    browser.cookies[SESSION] = value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :]
    answer = browser.post(f"/{OWN}", {})
    assert answer.status == 401 and reason(answer) == ["TOKEN_MISSING"], answer


def test_a_logout_ends_the_session(suite, user, browser):
    kept = dict(browser.cookies)
    assert browser.post("/session/logout", {}).status == 200
    assert set(browser.cookies) == {"__Host-tandem-device"}
    browser.cookies = kept
    assert browser.post("/session/refresh", {}).status == 401
    assert SESSION not in browser.cookies
    assert browser.post("/session/logout", {}).status == 200


def test_several_tabs_refresh_at_once(suite, user, browser):
    before = dict(browser.cookies)

    def refresh(_):
        tab = Browser(suite)
        tab.cookies = dict(before)
        return tab, tab.post("/session/refresh", {})

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        tabs = list(pool.map(refresh, range(8)))
    assert {answer.status for _, answer in tabs} == {200}, tabs
    # All have the one pair that follows; each goes on from there.
    for tab, _ in tabs:
        assert tab.cookies[SESSION] != before[SESSION]
        assert tab.post(f"/{OWN}", {}).status == 200
    assert tabs[0][0].post("/session/refresh", {}).status == 200


def test_a_websocket_with_the_cookie(suite, browser):
    cookie = [f"Cookie: {SESSION}={browser.cookies[SESSION]}"]
    chat = "tandem.chat.v1.Chat/Connect"
    with WebSocket(suite, chat, fields=cookie, origin=suite.url) as socket:
        socket.send({})
        socket.send({"tag": "here"})
        socket.send(b"")
        assert socket.end() == ({}, 1000)
    # No browser leaves the origin out, and a listed one has tokens.
    for origin in (None, "https://app.example.org"):
        with WebSocket(suite, chat, fields=cookie, origin=origin) as socket:
            assert socket.status == 101
            socket.send({})
            end, _ = socket.end()
            assert end["error"]["code"] == "permission_denied"


def test_without_a_session_there_is_none(suite):
    browser = Browser(suite)
    assert browser.post("/session/refresh", {}).status == 401
    assert browser.post("/session/logout", {}).status == 200
    assert suite.curl("/session/login").status == 405
