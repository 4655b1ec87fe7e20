"""The Python kit against the echo server at ECHO_ADDRESS: every kind of method, and what happens to connections."""

import asyncio
import os
import threading

import pytest
from google.protobuf.wrappers_pb2 import StringValue

from tandem_client import Client, Code, DeadlineExceeded, Method, RPCError, blocking, wire
from tandem_client.client import RetryBudget, wait_before_retry
from tandem_client.errors import Unreachable
from tandem_client.tls import TLS

ADDRESS = os.environ["ECHO_ADDRESS"]


def method(name, *kinds):
    return Method("echo.v1.Echo", name, StringValue, StringValue, "client" in kinds, "server" in kinds)


UNARY, META, SLEEP, FAIL, BIG = map(method, ["Unary", "Meta", "Sleep", "Fail", "Big"])
COLLECT, EXPAND = method("Collect", "client"), method("Expand", "server")
EXPAND_FAIL, CHAT = method("ExpandFail", "server"), method("Chat", "client", "server")


def text(value):
    return StringValue(value=value)


def with_client(body):
    async def run():
        async with Client(ADDRESS) as client:
            await body(client)

    asyncio.run(run())


def test_unary_calls_run_side_by_side_and_large_answers_come_whole():
    async def body(client):
        values = [f"grüße {number}" for number in range(200)]
        answers = await asyncio.gather(*(client.unary(UNARY, text(value)) for value in values))
        assert [answer.value for answer in answers] == values
        assert (await client.unary(BIG, text("4000000"))).value == "x" * 4_000_000

    with_client(body)


def test_a_gateway_forwards_its_callers_address_trace_and_token():
    async def body(client):
        trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        caller = client.on_behalf_of(token="secret", address="203.0.113.7", traceparent=trace)
        seen = (await caller.unary(META, text(""))).value
        assert f"authorization=Bearer secret;traceparent={trace};x-forwarded-for=203.0.113.7;timeout=" in seen
        assert "secret" not in (await client.unary(META, text(""))).value

    with_client(body)


def test_a_failure_has_code_message_and_details_and_the_connection_goes_on():
    async def body(client):
        with pytest.raises(RPCError) as failure:
            await client.unary(FAIL, text("as asked"))
        assert failure.value.code == Code.FAILED_PRECONDITION and failure.value.message == "fail: as asked"
        assert [url.rpartition("/")[2] for url, _ in failure.value.details] == ["google.protobuf.StringValue"]
        with pytest.raises(DeadlineExceeded):
            await client.unary(SLEEP, text("10000"), timeout=0.1)
        with pytest.raises(RPCError) as failure:
            await client.unary(method("Nothing"), text(""))
        assert failure.value.code == Code.UNIMPLEMENTED
        assert (await client.unary(UNARY, text("still here"))).value == "still here"

    with_client(body)


def test_streams_of_every_kind():
    async def body(client):
        assert (await client.client_stream(COLLECT, [text("a"), text("b")])).value == "a,b"
        assert [one.value async for one in client.server_stream(EXPAND, text("v:4"))] == [f"v:4/{n}" for n in range(4)]
        seen = []
        with pytest.raises(RPCError):
            async for one in client.server_stream(EXPAND_FAIL, text("v")):
                seen.append(one.value)
        assert seen == ["one"]
        async with client.bidi(CHAT) as call:
            for value in ["one", "two"]:
                await call.send(text(value))
                assert (await anext(call)).value == value
            call.finish()
            assert [one async for one in call] == []

    with_client(body)


def test_leaving_a_stream_cancels_it_and_frees_its_connection():
    async def body(client):
        async with client.bidi(CHAT) as call:
            await call.send(text("one"))
            await anext(call)
            connection = call._connection
            assert connection.calls == 1
        assert connection.calls == 0 and connection.usable
        assert (await client.unary(UNARY, text("x"))).value == "x"

    with_client(body)


def test_a_server_that_says_it_stops_gets_no_further_call():
    """The notice is a refusal of stream 0; a server made of frames gives it, and lets the running call end."""

    async def run():
        connections = []

        async def serve(reader, writer):
            connections.append(writer)
            while header := await reader.read(10):
                length, stream = int.from_bytes(header[:4]), int.from_bytes(header[4:8])
                await reader.readexactly(length)
                if len(connections) == 1:
                    notice = wire.Response(status=wire.Status(code=Code.UNAVAILABLE)).SerializeToString()
                    writer.write(wire.frame(0, wire.RESPONSE, 0, notice))
                body = wire.Response(payload=text(f"by {len(connections)}").SerializeToString()).SerializeToString()
                writer.write(wire.frame(stream, wire.RESPONSE, 0, body))
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, Client(f"127.0.0.1:{port}") as client:
            assert (await client.unary(UNARY, text(""))).value == "by 1"
            assert (await client.unary(UNARY, text(""))).value == "by 2"
            assert (await client.unary(UNARY, text(""))).value == "by 2"

    asyncio.run(run())


def test_only_what_is_safe_is_retried():
    lost, refused = Unreachable("", began=True), Unreachable("", began=False, retry_after=0.5)
    draining = RPCError(Code.UNAVAILABLE, reason="DRAINING")
    busy = RPCError(Code.UNAVAILABLE, reason="UNAVAILABLE", retry_after=2.0)
    assert wait_before_retry(lost, 1, repeatable=False) is None
    assert wait_before_retry(lost, 1, repeatable=True) < 0.1
    assert wait_before_retry(refused, 1, repeatable=False) == 0.5
    assert wait_before_retry(draining, 1, repeatable=False) == 0.0
    assert wait_before_retry(busy, 1, repeatable=False) is None
    assert wait_before_retry(busy, 1, repeatable=True) == 2.0
    assert wait_before_retry(RPCError(Code.RESOURCE_EXHAUSTED, retry_after=1.0), 1, repeatable=True) is None
    budget = RetryBudget()
    assert sum(budget.take() for _ in range(1000)) == 501


def test_frames_are_found_in_whatever_pieces_and_one_that_is_too_long_is_skipped():
    sent = wire.frame(1, wire.RESPONSE, 0, b"one") + wire.frame(3, wire.DATA, 0, b"x" * (wire.FRAME_BYTES + 1))
    sent += wire.frame(5, wire.DATA, wire.CLOSED)
    for piece in (7, 1_000_003, len(sent)):
        frames = wire.Frames()
        # The long frame is fed in large pieces even where the others come byte by byte.
        cuts = [0, *range(piece, 35, piece), *range(1_000_000, len(sent), max(piece, 1_000_000)), len(sent)]
        seen = [found for at, end in zip(cuts, cuts[1:]) for found in frames.feed(sent[at:end])]
        assert seen == [(1, 2, 0, b"one"), (3, 3, 0, None), (5, 3, 1, b"")]


def test_renewed_certificate_files_are_seen(tmp_path):
    authority = tmp_path / "ca.pem"
    authority.write_bytes(open("/etc/ssl/certs/ca-certificates.crt", "rb").read())
    tls = TLS(str(authority))
    first = tls.context()
    assert tls.context() is first
    authority.write_text("half")
    assert tls.context() is first
    authority.write_bytes(open("/etc/ssl/certs/ca-certificates.crt", "rb").read() + b"\n")
    assert tls.context() is not first


def test_a_plain_program_calls_from_many_threads():
    with blocking.Client(ADDRESS) as client:
        seen = []
        threads = [
            threading.Thread(target=lambda n=n: seen.append(client.unary(UNARY, text(str(n))).value)) for n in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(seen, key=int) == [str(n) for n in range(20)]
        assert [one.value for one in client.server_stream(EXPAND, text("v"))] == ["v/0", "v/1", "v/2"]
        assert client.client_stream(COLLECT, [text("a"), text("b")]).value == "a,b"
        with client.bidi(CHAT) as call:
            call.send(text("one"))
            assert next(call).value == "one"
