"""The operators' listener: who gets in, what is there, and that nothing of it is on the public port."""

import base64
import hashlib
import hmac
import json
import secrets
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest
from conftest import programs
from test_sessions import Browser, reason

COOKIE = "__Host-tandem-operator"
OPERATORS = "tandem.identity.v1.Operators"
BARS = "tandem.matching.v1.Bars"
DATA = ["about", "health", "settings", "metrics", "consumers", "jobs", "events", "log"]
NO_ID = "0197a5a0-0000-7000-8000-000000000001"


def new_token(suite):
    link = suite.tandem("console").strip()
    start = f"{suite.desk.url}/console/enter#token="
    assert link.startswith(start), link
    return link.removeprefix(start)


def token_of(suite, microseconds, key=None):
    """What `tandem console` would have made at another time."""
    if key is None:
        line = (suite.data / "secrets" / "operator_link_key").read_text().strip()
        key = base64.urlsafe_b64decode(line.partition(":")[2] + "==")
    derived = hmac.digest(key, b"link of an operator", hashlib.sha256)
    signed = microseconds.to_bytes(8, "big") + secrets.token_bytes(16)
    made = signed + hmac.digest(derived, signed, hashlib.sha256)
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


class Operator(Browser):
    """A browser that was let in by a link."""

    def enter(self, token):
        return self.post("/desk/enter", token)

    def get(self, name, **query):
        query = "&".join(f"{key}={value}" for key, value in query.items())
        fields = ["connect-protocol-version: 1", "sec-fetch-site: same-origin"]
        return self.send(
            f"/desk/{name}" + (f"?{query}" if query else ""), *[part for field in fields for part in ("-H", field)]
        )

    def read(self, name, **query):
        answer = self.get(name, **query)
        assert answer.status == 200, answer
        assert answer.fields["cache-control"] == "private, no-store"
        return answer.json

    def call(self, method, request):
        answer = self.post(f"/{method}", request)
        assert answer.status == 200, answer
        return answer.json


@pytest.fixture
def desk(suite):
    made = Operator(suite.desk)
    answer = made.enter(new_token(suite))
    assert answer.status == 200 and set(made.cookies) == {COOKIE}, answer
    return made


def test_34_3_a_link_lets_one_browser_in_once(suite):
    token = new_token(suite)
    first, second = Operator(suite.desk), Operator(suite.desk)
    assert first.get("about").status == 401
    assert first.enter(token).status == 200
    assert first.get("about").status == 200
    again = second.enter(token)
    assert again.status == 403 and reason(again) == ["LINK_REFUSED"] and not second.cookies, again
    assert "before" in again.json["message"]
    assert second.get("about").status == 401


def test_34_3_a_link_is_good_for_ten_minutes_of_this_process_and_made_with_its_key(suite):
    now = time.time_ns() // 1000
    browser = Operator(suite.desk)
    for made_at in (now - 600 * 10**6, now + 120 * 10**6, 0, 2**63 - 1):
        answer = browser.enter(token_of(suite, made_at))
        assert answer.status == 403 and reason(answer) == ["LINK_REFUSED"], answer
    for token in (token_of(suite, now, key=bytes(32)), "", "x", "A" * 75, token_of(suite, now)[:-1] + "!"):
        assert browser.enter(token).status == 403, token
    assert not browser.cookies
    assert browser.enter(token_of(suite, now)).status == 200


def test_34_3_without_a_session_nothing_is_told(suite):
    browser = Operator(suite.desk)
    paths = [f"/desk/{name}" for name in DATA] + [f"/{OPERATORS}/FindUsers", f"/{BARS}/ListBars", "/nothing"]
    for path in paths:
        answer = browser.post(path, {})
        assert answer.status == 401 and reason(answer) == ["LINK_NEEDED"], (path, answer)
    browser.cookies = {COOKIE: "AAAA"}
    assert browser.get("health").status == 401


def test_34_3_the_session_ends_by_leaving(suite, desk):
    kept = dict(desk.cookies)
    assert desk.post("/desk/leave", {}).status == 200 and not desk.cookies
    desk.cookies = kept
    assert desk.get("about").status == 401


def test_34_3_operators_methods_are_not_on_the_public_port(suite, desk, new_user):
    person = new_user("curious")
    public = Browser(suite)
    public.cookies = dict(desk.cookies)
    for method in (f"{OPERATORS}/FindUsers", f"{OPERATORS}/LockUser", f"{BARS}/ListBars", "tandem.importer.v1.Operators/ListProviders"):
        for answer in (public.post(f"/{method}", {}), suite.call(method, {}, token=person["token"])):
            assert answer.status == 404 and answer.json["code"] == "unimplemented", (method, answer)
    for name in DATA + ["enter", "leave", "jobs/retry", "demo/reset"]:
        assert public.post(f"/desk/{name}", {}).status == 404, name


def test_34_3_methods_of_people_are_not_on_the_desk(desk):
    assert desk.post("/tandem.identity.v1.Accounts/ListKeys", {}).status == 404
    assert desk.post("/tandem.identity.v1.Directory/GetUsers", {}).status == 404


def test_34_3_pages_of_other_sites_have_no_use_of_the_session(suite, desk):
    for site in ("cross-site", "same-site", "none"):
        answer = desk.post(f"/{OPERATORS}/FindUsers", {"query": "ada"}, site=site)
        assert answer.status == 403 and reason(answer) == ["CROSS_SITE_REQUEST"], (site, answer)
    # Of the public port, whose pages have the same host: browsers send the cookie there, too.
    origin = ("-H", "content-type: application/json", "-H", "connect-protocol-version: 1", "-H", f"origin: {suite.url}")
    assert desk.send(f"/{OPERATORS}/FindUsers", "-d", "{}", *origin).status == 403
    form = ("-H", "content-type: application/x-www-form-urlencoded", "-H", "sec-fetch-site: same-origin")
    assert desk.send(f"/{OPERATORS}/LockUser", "-d", "a=b", *form).status == 403
    assert desk.send("/desk/health", "-H", "sec-fetch-site: same-origin").status == 403


def test_34_3_other_hosts_are_refused(suite, desk):
    for host in ("evil.example", f"rebound.example:{suite.desk.port}", "127.0.0.1.nip.io"):
        assert desk.send("/desk/health", "-H", f"host: {host}").status == 421, host
        assert desk.send("/desk/enter", "-d", '""', "-H", f"host: {host}").status == 421, host


def test_34_3_users_are_found_locked_and_unlocked(suite, desk, new_user):
    person = new_user("locked")
    found = desk.call(f"{OPERATORS}/FindUsers", {"query": person["name"]})["users"]
    assert [user["userId"] for user in found] == [person["id"]] and found[0]["sessionCount"] == 1
    assert "lockTime" in desk.call(f"{OPERATORS}/LockUser", {"userId": person["id"]})
    login = {"emailOrUsername": person["name"], "password": person["password"]}
    assert suite.call("tandem.identity.v1.Accounts/Login", login).status != 200
    assert "lockTime" not in desk.call(f"{OPERATORS}/UnlockUser", {"userId": person["id"]})
    assert suite.call("tandem.identity.v1.Accounts/Login", login).status == 200
    events = desk.call(f"{OPERATORS}/ListSecurityEvents", {"userId": person["id"]})["events"]
    kinds = {event["kind"].removeprefix("SECURITY_EVENT_KIND_") for event in events}
    assert {"LOGGED_IN", "LOCKED_BY_OPERATOR", "UNLOCKED_BY_OPERATOR"} <= kinds, kinds


def test_34_3_reports_and_bars(suite, desk, new_user):
    person, other = new_user("reported"), new_user("reporter")
    report = {"userId": person["id"], "reason": "REPORT_REASON_HARASSMENT"}
    made = suite.call("tandem.identity.v1.Safety/ReportUser", report, token=other["token"])
    assert made.status == 200, made
    reports = desk.call(f"{OPERATORS}/ListReports", {"userId": person["id"]})["reports"]
    assert [one["reporterUsername"] for one in reports] == [other["name"]]
    closing = {"reportId": reports[0]["reportId"], "reason": "Seen", "actor": "a test"}
    assert "closeTime" in desk.call(f"{OPERATORS}/CloseReport", closing)
    assert desk.call(f"{BARS}/ListBars", {}) == {}


def test_34_3_health_of_each_process(suite, desk):
    processes = {one["service"]: one for one in desk.read("health")}
    services = {"identity", "matching", "catalog", "lending", "tracking", "importer"}
    assert set(processes) == services | {"gateway"}
    for name, one in processes.items():
        assert one["status"] == 200 and one["error"] is None and one["readiness"]["ready"], (name, one)
        assert one["readiness"]["facts"]["version"]
    for name in services:
        facts = processes[name]["readiness"]["facts"]
        assert int(facts["schema"]) > 0 and "***" in facts["database"], facts


def test_34_3_settings_have_their_origin_and_no_secret(suite, desk):
    text = desk.get("settings").body.decode()
    processes = {one["service"]: {row["setting"]: row for row in one["settings"]} for one in json.loads(text)}
    listen = processes["identity"]["listen"]
    assert listen["from"] == "TANDEM_IDENTITY_LISTEN" and listen["value"].startswith("127.0.0.1:")
    assert processes["identity"]["log-level"]["from"] == "default"
    assert processes["gateway"]["operator-link-key"]["value"] == "(secret)"
    for file in (suite.data / "secrets").iterdir():
        secret = file.read_text().strip()
        # A URL's password is its secret.
        secret = secret.partition("://")[2].partition("@")[0].rpartition(":")[2] or secret.partition(":")[2] or secret
        assert secret not in text, file.name


def test_34_3_the_settings_of_a_process_are_not_for_names_that_others_give(suite):
    for path, host, status in (("/settings", "rebound.example", 421), ("/settings", "localhost", 200), ("/metrics", "rebound.example", 200)):
        request = urllib.request.Request(f"{suite.admin}{path}", headers={"Host": host})
        try:
            found = urllib.request.urlopen(request, timeout=10).status
        except urllib.error.HTTPError as error:
            found = error.code
        assert found == status, (path, host)


def test_34_3_metrics_of_the_last_hour(desk):
    # Two samples, ten seconds apart, make a point.
    end = time.monotonic() + 60
    while True:
        found = desk.read("metrics")
        points = {one["service"]: len(one["times"]) for one in found["processes"]}
        if len(points) == 7 and all(points.values()):
            break
        assert time.monotonic() < end, points
        time.sleep(1)
    plots = found["plots"]
    identity = next(one for one in found["processes"] if one["service"] == "identity")
    assert [len(values) for values in identity["values"]] == [len(identity["times"])] * len(plots)
    latest = {plot: values[-1] for plot, values in zip(plots, identity["values"])}
    assert latest["memory_bytes"] > 1_000_000 and latest["calls"] is not None and latest["cpu"] >= 0, latest


def test_34_3_consumers_of_events(desk, new_user):
    new_user("followed")
    end = time.monotonic() + 60
    while True:
        found = [one for one in desk.read("consumers") if (one["service"], one["producer"]) == ("tracking", "identity")]
        busy = [one for one in found if one["applied"] > 0]
        if busy:
            break
        assert time.monotonic() < end, found
        time.sleep(1)
    assert all(one["consumer"] and one["lagSeconds"] >= 0 and one["parked"] in (0, None) for one in busy), busy


def test_34_3_jobs_and_events_are_listed_and_retried(suite, desk):
    for state in ("dead", "waiting", "running", "any"):
        assert isinstance(desk.read("jobs", state=state), list)
    assert {job["service"] for job in desk.read("jobs", state="any", service="identity", limit=5)} <= {"identity"}
    assert isinstance(desk.read("events"), list)
    for path, word in (("jobs/retry", "job"), ("events/retry", "event"), ("events/skip", "event")):
        answer = desk.post(f"/desk/{path}?ids={NO_ID}", {})
        assert answer.status == 400 and word in answer.json["message"], answer
        for ids in ("", "x", f"{NO_ID},x", "--all", f"{NO_ID}%20--all", ",".join([NO_ID] * 101)):
            assert desk.post(f"/desk/{path}?ids={ids}", {}).status == 400, ids
        assert desk.get(path, ids=NO_ID).status == 405
    for query in ({"state": "odd"}, {"service": "odd"}, {"limit": 0}, {"limit": 501}, {"service": "--home"}):
        assert desk.get("jobs", **query).status == 400, query


def test_34_3_a_dead_job_is_retried(suite, desk):
    url = (suite.data / "secrets" / "identity_database_url").read_text().strip()
    job = "0197a5a0-0000-7000-8000-" + secrets.token_hex(6)
    insert = (
        "insert into identity.jobs (id, kind, payload, due_at, ready_at, attempts, last_failure, dead_at, created_at) "
        f"values ('{job}', 'no_such_kind', '', now(), now(), 9, 'it failed', now(), now())"
    )
    made = subprocess.run(["psql", url, "-qAt", "-c", insert], capture_output=True, check=False)
    assert made.returncode == 0, made.stderr.decode()
    found = [one for one in desk.read("jobs", service="identity") if one["id"] == job]
    assert len(found) == 1 and found[0]["lastFailure"] == "it failed"
    answer = desk.post(f"/desk/jobs/retry?ids={job}", {})
    assert answer.status == 200 and [one["id"] for one in answer.json] == [job], answer
    assert job not in [one["id"] for one in desk.read("jobs", service="identity")]
    subprocess.run(["psql", url, "-qAt", "-c", f"delete from identity.jobs where id = '{job}'"], check=True)


def test_34_3_the_end_of_the_log(desk):
    lines = desk.read("log", limit=100)
    assert 0 < len(lines) <= 100 and all(set(line) == {"service", "line"} for line in lines)
    assert {line["service"] for line in desk.read("log", service="gateway")} == {"gateway"}


def test_34_3_the_listener_is_for_loopback_and_needs_its_keys(suite, tmp_path):
    environment = suite.environment_of_gateway()
    environment |= {"TANDEM_GATEWAY_LISTEN": "127.0.0.1:0", "TANDEM_GATEWAY_ADMIN_LISTEN": "127.0.0.1:0"}
    environment["TANDEM_GATEWAY_READY_FILE"] = str(tmp_path / "ready")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        held = {"TANDEM_GATEWAY_OPERATOR_LISTEN": f"127.0.0.1:{taken.getsockname()[1]}"}
        ended = subprocess.run([programs() / "gateway"], capture_output=True, check=False, env=environment | held, timeout=60)
        assert ended.returncode == 1 and "operator-listen" in ended.stderr.decode(), ended
    for changes, word in (
        ({"LISTEN": "0.0.0.0:0"}, "operator-listen"), ({"LISTEN": "192.0.2.1:7481"}, "operator-listen"),
        ({"LISTEN": "127.0.0.1:0", "LINK_KEY_FILE": None}, "operator-link-key"),
        ({"LISTEN": "127.0.0.1:0", "TLS_CERT": None}, "operator-tls-cert"),
    ):
        changed = {f"TANDEM_GATEWAY_OPERATOR_{name}": value for name, value in changes.items()}
        own = {name: value for name, value in (environment | changed).items() if value is not None}
        ended = subprocess.run([programs() / "gateway"], capture_output=True, check=False, env=own, timeout=60)
        assert ended.returncode == 2 and word in ended.stderr.decode(), (changes, ended)


def test_34_3_a_new_start_ends_sessions_and_links(suite, desk, tmp_path):
    before = new_token(suite)
    # As after a restart: another process with the same keys.
    with suite.another(tmp_path, operator_listen="127.0.0.1:0"):
        log = next(tmp_path.glob("gateway-*.log")).read_text()
        found = log.partition("operators=")[2].split()[0] if "operators=" in log else ""
        found = found or json.loads(next(line for line in log.splitlines() if "operators" in line))["operators"]
        restarted = type(suite.desk)(suite.authority, found.strip('"'))
        browser = Operator(restarted)
        browser.cookies = dict(desk.cookies)
        assert browser.get("about").status == 401
        answer = browser.enter(before)
        assert answer.status == 403 and "start" in answer.json["message"], answer
        assert browser.enter(new_token(suite)).status == 200


def test_34_3_by_default_there_is_none(suite, tmp_path):
    with suite.another(tmp_path) as other:
        assert "operators" not in next(tmp_path.glob("gateway-*.log")).read_text()
        assert other.works()
