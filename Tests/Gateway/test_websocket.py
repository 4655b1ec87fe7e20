"""Streams in both directions over WebSockets, as browsers have them."""

import json
import struct
import time
import uuid

import pytest
from sockets import BINARY, CLOSE, PING, PONG, TEXT, WebSocket, frame

WATCH = "tandem.tracking.v1.Locations/Watch"
CHAT = "tandem.chat.v1.Chat/Connect"
CHECK = "grpc.health.v1.Health/Check"


@pytest.fixture(scope="module")
def friend(new_user):
    return new_user("grace")


@pytest.fixture(scope="module")
def group(suite, user, friend):
    """A group of the two."""
    made = suite.call("tandem.identity.v1.Groups/CreateGroup", {"group": {"name": "Runners"}}, token=user["token"])
    assert made.status == 200, made
    group = made.json["groupId"]
    invited = suite.call(
        "tandem.identity.v1.Groups/AddGroupMember", {"groupId": group, "email": friend["email"]}, token=user["token"]
    )
    assert invited.status == 200, invited
    accepted = suite.call(
        "tandem.identity.v1.Invitations/AcceptInvitation", {"invitationId": invited.json["invitationId"]}, token=friend["token"]
    )
    assert accepted.status == 200, accepted
    return group


def bearer(person):
    return {"authorization": f"Bearer {person['token']}"}


def retried(act, patience=15.0):
    """What `act` answers once that is 200: other services hear of a membership a moment later."""
    end = time.monotonic() + patience
    while True:
        answer = act()
        if answer.status == 200 or time.monotonic() > end:
            assert answer.status == 200, answer
            return answer
        # Nothing tells that the event has arrived: the test looks again.
        time.sleep(0.1)


def test_two_people_chat_live(suite, user, friend, group):
    conversation = group
    for person in (user, friend):
        retried(
            lambda: suite.call("tandem.chat.v1.Chat/GetConversation", {"conversationId": group}, token=person["token"])
        )
    with WebSocket(suite, CHAT) as one, WebSocket(suite, CHAT, origin=suite.url) as other:
        assert one.status == other.status == 101
        for socket, person in ((one, user), (other, friend)):
            socket.send(bearer(person))
            socket.send({"tag": "open", "open": {"conversationId": conversation}})
            socket.until(lambda event: event.get("tag") == "open" and "opened" in event)
        one.send({"tag": "m", "send": {"conversationId": conversation, "clientMessageId": str(uuid.uuid4()), "text": "Hëllo"}})
        heard = other.until(lambda event: "message" in event)[-1]
        assert "Hëllo" in json.dumps(heard, ensure_ascii=False)
        one.send(b"")
        assert one.end() == ({}, 1000)


def test_a_group_is_watched_live(suite, user, friend, group):
    with WebSocket(suite, WATCH) as viewer:
        viewer.send(bearer(friend))
        started = retried(
            lambda: suite.call("tandem.tracking.v1.Locations/StartSharing", {"groupIds": [group]}, token=user["token"])
        )
        assert started.status == 200
        viewer.send({"add": [{"groupId": group}]})
        viewer.until(lambda message: "snapshot" in json.dumps(message))
        # A time with the clock of this machine, which is the service's.
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        reported = suite.call(
            "tandem.tracking.v1.Locations/ReportBatch",
            {"points": [{"time": now, "latitude": 52.5, "longitude": 13.4, "accuracyM": 5}]},
            token=user["token"],
        )
        assert reported.status == 200, reported
        viewer.until(lambda message: "52.5" in json.dumps(message))


def test_a_call_without_a_token_ends_with_its_error(suite):
    with WebSocket(suite, CHAT) as socket:
        socket.send({})
        # Its first message may have a token, too.
        socket.send({"tag": "here"})
        end, code = socket.end()
        assert end["error"]["code"] == "unauthenticated" and code == 1000


def test_a_non_browser_may_put_the_token_into_the_head(suite, user):
    with WebSocket(suite, CHAT, fields=[f"Authorization: Bearer {user['token']}"]) as socket:
        socket.send({})
        socket.send({"tag": "here"})
        socket.send(b"")
        assert socket.end()[0] == {}


def test_a_unary_method_answers_once(suite):
    with WebSocket(suite, CHECK) as socket:
        socket.send({})
        socket.send({})
        socket.send(b"")
        assert socket.receive() == {"status": "SERVING"}
        assert socket.end() == ({}, 1000)


def test_pages_of_other_origins_get_none(suite):
    for origin in ("https://evil.example", "null", f"https://{suite.host}:1", f"http://{suite.host}:{suite.port}"):
        with WebSocket(suite, CHAT, origin=origin) as socket:
            assert socket.status == 403, socket.head
            assert b"101" not in socket.head


def test_what_is_no_method_gets_none(suite):
    with WebSocket(suite, "tandem.chat.v1.Chat/Nothing") as socket:
        assert socket.status == 404
    with WebSocket(suite, CHAT, path="/" + CHAT) as socket:
        assert socket.status == 405
    with WebSocket(suite, "tandem.events.v1.EventLog/Follow") as socket:
        assert socket.status == 404
    answer = suite.curl("/ws/" + CHAT, "--http1.1")
    assert answer.status == 426 and answer.fields["upgrade"] == "websocket", answer
    assert suite.curl("/ws/" + CHAT, "--http2").status == 426
    # A version that nobody has.
    assert suite.curl("/ws/" + CHAT, "--http1.1", "-H", "upgrade: websocket", "-H", "connection: upgrade").status == 426


@pytest.mark.parametrize(
    "data,code",
    [
        (frame(TEXT, b"{}", masked=False), 1002),
        (frame(TEXT, b"{}", reserved=4), 1002),
        (frame(3, b"x"), 1002),
        (frame(0, b"x"), 1002),
        (frame(TEXT, b"{", final=False) + frame(TEXT, b"}"), 1002),
        (frame(BINARY, b"{}"), 1003),
        (frame(TEXT, b"\xff\xfe"), 1007),
        (b"\x81\xff" + struct.pack(">Q", 1 << 62), 1009),
        (b"\x81\xff" + struct.pack(">Q", 1 << 63), 1009),
        (frame(TEXT, b" " * (1 << 20)), 1009),
        (frame(TEXT, b" " * 60000, final=False) + frame(0, b" " * 60000, final=False) * 20, 1009),
        (frame(PING, b"x" * 126), 1002),
        (frame(PING, b"x", final=False), 1002),
        (frame(CLOSE, b"\x03"), 1002),
        (frame(CLOSE, struct.pack(">H", 1005)), 1002),
        (frame(CLOSE, struct.pack(">H", 1000) + b"bye"), 1000),
        (frame(CLOSE), 1000),
        (frame(CLOSE, struct.pack(">H", 3000)), 3000),
    ],
)
def test_bad_frames(suite, data, code):
    # The longest message of the method is shorter than those.
    with WebSocket(suite, WATCH) as socket:
        try:
            socket.raw(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        # A connection that ends while the client still sends may lose the close frame.
        assert socket.closed() in ((code, None) if code == 1009 else (code,))


@pytest.mark.parametrize("first", [b"[]", b"{", b"x", b'{"authorization":1}', b'{"connect-timeout-ms":"-1"}'])
def test_bad_metadata_ends_the_call(suite, first):
    with WebSocket(suite, CHAT) as socket:
        socket.send(first)
        end, code = socket.end()
        assert end["error"]["code"] == "invalid_argument" and code == 1000


def test_a_message_after_the_end_is_refused(suite):
    with WebSocket(suite, CHECK) as socket:
        socket.send({})
        socket.raw(frame(TEXT, b"{}") + frame(TEXT, b"") + frame(TEXT, b"{}"))
        assert socket.closed() in (1008, 1000, None)


def test_fragments_and_pings_in_between(suite):
    with WebSocket(suite, CHECK) as socket:
        socket.raw(frame(TEXT, b"{", final=False) + frame(PING, b"there?") + frame(0, b"", final=False) + frame(0, b"}"))
        assert socket.frame() == (PONG, b"there?")
        socket.send({"service": "tandem.catalog.v1.Books"})
        socket.send(b"")
        assert socket.receive() == {"status": "SERVING"}


def test_bad_json_in_a_stream_ends_it(suite, user):
    with WebSocket(suite, WATCH) as socket:
        socket.send(bearer(user))
        socket.send(b"{]")
        end, code = socket.end()
        assert end["error"]["code"] == "invalid_argument" and code == 1000


def test_the_deadline_of_the_metadata(suite, user):
    with WebSocket(suite, WATCH) as socket:
        socket.send({**bearer(user), "connect-timeout-ms": "300"})
        end, _ = socket.end()
        assert end["error"]["code"] == "deadline_exceeded"
