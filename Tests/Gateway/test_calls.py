"""Calls by curl, over HTTP/1.1 and HTTP/2, in every protocol."""

import base64
import gzip
import json
import random
import struct
import subprocess
import time
import urllib.parse
import urllib.request
import uuid

from sockets import WebSocket


def envelope(message, flags=0):
    return struct.pack(">BI", flags, len(message)) + message


def envelopes(body):
    found = []
    while body:
        flags, length = struct.unpack(">BI", body[:5])
        found.append((flags, body[5 : 5 + length]))
        body = body[5 + length :]
    return found


def post(suite, tmp_path, path, kind, body, *options):
    file = tmp_path / "body"
    file.write_bytes(body)
    return suite.curl(path, "-H", f"content-type: {kind}", "-H", "te: trailers", "--data-binary", f"@{file}", *options)


KEYS = "/tandem.identity.v1.Accounts/ListKeys"
CHECK = "/grpc.health.v1.Health/Check"


def test_a_public_method_in_json_by_both_versions_of_http(suite):
    for option, version in (("--http1.1", "1.1"), ("--http2", "2")):
        answer = suite.curl(KEYS, option, "-H", "content-type: application/json", "-d", "{}")
        assert (answer.status, answer.version) == (200, version)
        assert answer.fields["content-type"] == "application/json"
        assert answer.json["keys"]


def test_a_user_method_needs_a_token_and_gets_it(suite, user):
    refused = suite.call("tandem.identity.v1.Accounts/GetOwnAccount", {})
    assert refused.status == 401
    assert refused.json["code"] == "unauthenticated"
    reasons = [detail["debug"]["reason"] for detail in refused.json["details"] if "ErrorInfo" in detail["type"]]
    assert reasons == ["TOKEN_MISSING"]
    answer = suite.call("tandem.identity.v1.Accounts/GetOwnAccount", {}, token=user["token"])
    assert answer.status == 200
    assert answer.json["username"] == user["name"]
    assert answer.json["createTime"].endswith("Z")


def test_every_service_answers_a_user(suite, user):
    for method, request in (
        ("tandem.identity.v1.Profiles/ListProfileOptions", {}),
        ("tandem.notification.v1.Notifications/CountUnread", {}),
        ("tandem.catalog.v1.Exercises/SearchExercises", {"query": "squat"}),
        ("tandem.catalog.v1.Gyms/SearchGyms", {"query": "gym"}),
        ("tandem.lending.v1.Loans/ListLentBooks", {}),
        ("tandem.matching.v1.Sessions/ListMySessions", {}),
        ("tandem.tracking.v1.Places/ListPlaces", {}),
        ("tandem.chat.v1.Chat/ListConversations", {}),
        ("tandem.importer.v1.Trackers/ListTrackers", {}),
    ):
        answer = suite.call(method, request, token=user["token"])
        # A method of another name, or a field that is wrong, would be the gateway's own refusal.
        assert answer.status in (200, 400, 404) and (answer.status == 200 or answer.json["code"] != "unimplemented"), (
            method,
            answer,
        )


def test_every_method_for_people_has_a_path_and_none_for_services(suite):
    described = subprocess.run(
        ["grep", "-rhE", r"^package|^service|^  rpc|\(tandem\.rpc\.v1\.access\)"]
        + ["--include=*.proto", "Proto/tandem"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()
    package = service = method = None
    seen = {"ACCESS_PUBLIC": 0, "ACCESS_USER": 0, "ACCESS_SERVICE": 0}
    for line in described:
        words = line.replace("(", " ").replace(";", " ").split()
        if words[0] == "package":
            package = words[1]
        elif words[0] == "service":
            service = words[1]
        elif words[0] == "rpc":
            method = words[1]
        elif method and package not in ("tandem.rpc.v1", "tandem.events.v1"):
            access = words[-1]
            seen[access] += 1
            status = suite.status("PUT", f"/{package}.{service}/{method}")
            assert status == (404 if access == "ACCESS_SERVICE" else 405), (package, service, method, status)
    assert seen["ACCESS_PUBLIC"] > 15 and seen["ACCESS_USER"] > 150 and seen["ACCESS_SERVICE"] > 5, seen


def test_what_is_wrong_is_told_by_field(suite):
    answer = suite.call("tandem.identity.v1.Accounts/Login", {"emailOrUsername": 5})
    assert answer.status == 400
    assert answer.json["code"] == "invalid_argument"
    assert answer.json["message"] == "email_or_username is not a string"
    fields = [detail["debug"]["fieldViolations"] for detail in answer.json["details"] if "BadRequest" in detail["type"]]
    assert fields == [[{"field": "email_or_username", "description": "email_or_username is not a string"}]]


def test_members_that_are_not_known_are_refused_where_that_is_asked_for(suite, user):
    """[GATE-2] By RFC 7240."""
    method = "tandem.catalog.v1.Exercises/SearchExercises"
    request = {"pageSize": 1, "nope": {"a": [1]}}
    for usual in ("handling=lenient", "respond-async", "handling=strict2"):
        assert suite.call(method, request, "-H", f"prefer: {usual}", token=user["token"]).status == 200, usual
    for strict in ("handling=strict", "respond-async, Handling=strict; x=y", 'handling="strict"'):
        refused = suite.call(method, request, "-H", f"prefer: {strict}", token=user["token"])
        assert refused.status == 400 and "nope is not a field" in json.dumps(refused.json), refused
        assert suite.call(method, {"pageSize": 1}, "-H", f"prefer: {strict}", token=user["token"]).status == 200
    with WebSocket(suite, method) as socket:
        socket.send({"prefer": "handling=strict", "authorization": f"Bearer {user['token']}"})
        socket.send(request)
        end, _ = socket.end()
        assert end["error"]["code"] == "invalid_argument", end


def test_a_get_of_a_method_without_side_effects(suite):
    query = urllib.parse.urlencode({"connect": "v1", "encoding": "json", "message": "{}"})
    answer = suite.curl(f"/tandem.catalog.v1.Exercises/ListExerciseOptions?{query}")
    assert answer.status == 200
    assert answer.fields["cache-control"] == "private, no-store"
    assert answer.json
    assert suite.curl("/tandem.identity.v1.Accounts/Login").status == 405


def test_gzip_both_ways(suite, tmp_path):
    import gzip

    answer = post(
        suite, tmp_path, "/tandem.catalog.v1.Exercises/ListExerciseOptions", "application/json", gzip.compress(b"{}"),
        "-H", "content-encoding: gzip", "-H", "accept-encoding: gzip",
    )
    assert answer.status == 200
    assert answer.fields["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.body))


def test_grpc(suite, tmp_path):
    answer = post(suite, tmp_path, CHECK, "application/grpc", envelope(b""), "--http2")
    assert (answer.status, answer.fields["grpc-status"]) == (200, "0")
    assert envelopes(answer.body) == [(0, b"\x08\x01")]
    refused = post(suite, tmp_path, "/tandem.identity.v1.Accounts/GetOwnAccount", "application/grpc", envelope(b""), "--http2")
    assert refused.fields["grpc-status"] == "16"
    assert b"TOKEN_MISSING" in base64.b64decode(refused.fields["grpc-status-details-bin"] + "==")
    unknown = post(suite, tmp_path, "/a.B/C", "application/grpc", envelope(b""), "--http2")
    assert (unknown.status, unknown.fields["grpc-status"]) == (200, "12")


def test_grpc_web_in_binary_and_text(suite, tmp_path):
    answer = post(suite, tmp_path, CHECK, "application/grpc-web+proto", envelope(b""))
    assert answer.status == 200
    (message, end) = envelopes(answer.body)
    assert message == (0, b"\x08\x01") and end[0] == 0x80 and b"grpc-status: 0" in end[1]
    text = post(suite, tmp_path, CHECK, "application/grpc-web-text", base64.b64encode(envelope(b"")))
    assert text.fields["content-type"] == "application/grpc-web-text"
    assert base64.b64decode(text.body[:12]) == envelope(b"\x08\x01")


def test_health_of_each_service(suite):
    for service in ("", "tandem.identity.v1.Accounts", "tandem.importer.v1.Trackers", "tandem.chat.v1.Chat"):
        assert suite.call("grpc.health.v1.Health/Check", {"service": service}).json == {"status": "SERVING"}, service
    assert suite.call("grpc.health.v1.Health/Check", {"service": "no.Such"}).status == 404


def test_reflection_lists_and_describes(suite, tmp_path):
    for version in ("v1", "v1alpha"):
        path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
        symbol = b"tandem.catalog.v1.Books"
        body = envelope(b"\x3a\x00") + envelope(b"\x22" + bytes([len(symbol)]) + symbol)
        answer = post(suite, tmp_path, path, "application/grpc", body, "--http2")
        assert answer.fields["grpc-status"] == "0"
        (listed, described) = envelopes(answer.body)
        assert b"tandem.lending.v1.Loans" in listed[1] and b"EventLog" not in listed[1]
        assert b"tandem/catalog/v1/books.proto" in described[1]


def test_a_server_stream_over_connect_and_grpc(suite, user, tmp_path):
    for path, kind, body in (
        ("/tandem.notification.v1.Notifications/StreamNotifications", "application/connect+json", envelope(b"{}")),
        ("/grpc.health.v1.Health/Watch", "application/grpc", envelope(b"")),
        ("/grpc.health.v1.Health/Watch", "application/connect+json", envelope(b"{}")),
    ):
        # It does not end by itself: curl leaves, after what comes at once.
        answer = post(
            suite, tmp_path, path, kind, body, "--http2", "--max-time", "3", "-H", f"authorization: Bearer {user['token']}"
        )
        assert answer.status == 200, (path, answer)
        assert answer.fields["content-type"] == kind


def test_a_deadline_ends_a_stream_with_the_protocols_own_error(suite, tmp_path):
    answer = post(
        suite, tmp_path, "/grpc.health.v1.Health/Watch", "application/grpc", envelope(b""), "--http2", "-H", "grpc-timeout: 500m"
    )
    # Health is the gateway's own method: its watch has the deadline, too.
    assert answer.fields.get("grpc-status") == "4", answer


def test_long_messages_arrive_whole(suite, user, tmp_path):
    """Messages over 64 KiB, which are converted by threads of their own (29 A1), both ways, plain and compressed."""
    request = json.dumps({"unknown": "x" * 200_000}).encode()
    for body, field in ((request, "identity"), (gzip.compress(request), "gzip")):
        answer = post(suite, tmp_path, KEYS, "application/json", body, "-H", f"content-encoding: {field}")
        assert answer.status == 200 and answer.json["keys"], answer
    cut = post(suite, tmp_path, KEYS, "application/json", request[:-1])
    assert cut.status == 400 and "MALFORMED_MESSAGE" in cut.body.decode(), cut

    made = suite.call("tandem.identity.v1.Groups/CreateGroup", {"group": {"name": "Writers"}}, token=user["token"])
    group = made.json["groupId"]
    end = time.monotonic() + 30
    # Nothing tells that the chat knows of the group: it is asked again, within the limit.
    while suite.call("tandem.chat.v1.Chat/GetConversation", {"conversationId": group}, token=user["token"]).status != 200:
        assert time.monotonic() < end, "the chat does not know the group"
        time.sleep(0.05)
    texts = [f"{number} " + "語" * 3_900 for number in range(20)]
    with WebSocket(suite, "tandem.chat.v1.Chat/Connect") as chat:
        chat.send({"authorization": f"Bearer {user['token']}"})
        chat.send({"tag": "open", "open": {"conversationId": group}})
        chat.until(lambda event: event.get("tag") == "open" and "opened" in event)
        for text in texts:
            chat.send({"tag": text[:2], "send": {"conversationId": group, "clientMessageId": str(uuid.uuid4()), "text": text}})
            chat.until(lambda event: event.get("tag") == text[:2] and "sent" in event)
    for options in ((), ("-H", "accept-encoding: gzip")):
        listed = suite.call(
            "tandem.chat.v1.Chat/ListMessages", {"conversationId": group, "pageSize": 200}, *options, token=user["token"]
        )
        assert listed.status == 200, listed
        body = gzip.decompress(listed.body) if options else listed.body
        assert (listed.fields.get("content-encoding") == "gzip") == bool(options)
        assert len(body) > 200_000
        assert [one["text"] for one in json.loads(body)["messages"] if "notice" not in one] == texts


def test_long_and_short_messages_of_a_stream_stay_in_order(suite, user):
    """A file in chunks of which some are converted on the event loop and others by threads of their own (29 A1)."""
    points = "".join(
        f'<trkpt lat="{50 + second * 1e-5:.6f}" lon="8.000000"><ele>100</ele><time>2026-02-03T10:{second // 60:02}:{second % 60:02}Z</time></trkpt>\n'
        for second in range(2_100)
    )
    file = f'<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>'.encode()
    assert 180_000 < len(file) < 256 << 10
    with WebSocket(suite, "tandem.importer.v1.Activities/ImportFile") as upload:
        upload.send({"authorization": f"Bearer {user['token']}"})
        at = 0
        for length in (10, 65_536, 7, 65_536, 100, 1_000, 65_536, 1 << 20):
            upload.send({"chunk": base64.b64encode(file[at : at + length]).decode()})
            at += length
        upload.send(b"")
        result = upload.until(lambda step: "result" in step)[-1]["result"]
    assert result["newActivities"] == 1 and result["format"] == "gpx", result


def test_a_bidirectional_stream_needs_http2(suite, tmp_path):
    path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
    answer = post(suite, tmp_path, path, "application/connect+proto", b"", "--http1.1")
    assert answer.status == 505


def test_metrics_count_calls_by_method_and_protocol(suite):
    suite.call("tandem.identity.v1.Accounts/ListKeys", {})
    with urllib.request.urlopen(suite.admin + "/metrics") as page:
        text = page.read().decode()
    assert any(
        'method="ListKeys"' in line and 'protocol="connect"' in line and 'code="OK"' in line
        for line in text.splitlines() if line.startswith("gateway_calls")
    ), text
    with urllib.request.urlopen(suite.admin + "/readyz") as page:
        assert page.status == 200


def test_a_trace_goes_on_behind_the_gateway(suite, user):
    """[GATE-5] W3C's trace context: the service writes it beside the event."""
    trace = f"{random.getrandbits(128):032x}"
    book = {"title": "Dune", "authors": ["Frank Herbert"], "isbn": "9780441172719", "language": "en"}
    added = suite.call(
        "tandem.catalog.v1.Books/AddBook", {"book": book, "titleConfirmed": True}, "-H", f"traceparent: 00-{trace}-00f067aa0ba902b7-01",
        token=user["token"],
    )
    assert added.status == 200, added
    database = (suite.data / "secrets" / "catalog_database_url").read_text().strip()
    question = f"select count(*) from catalog.events where trace_parent like '00-{trace}-%'"
    found = subprocess.run(["psql", database, "-Atc", question], capture_output=True, text=True, check=True, timeout=60)
    assert int(found.stdout) > 0


def test_the_clients_address_is_forwarded_and_none_that_it_writes(suite, user):
    sessions = suite.call(
        "tandem.identity.v1.Accounts/ListSessions", {}, "-H", "x-forwarded-for: 203.0.113.9", token=user["token"]
    )
    assert sessions.status == 200
    assert "203.0.113.9" not in sessions.body.decode()
