"""A collector for tests (oteltap): takes spans by OTLP over HTTP and writes each as a line of JSON.

usage: otel_tap.py FOLDER    the port is in FOLDER/port once it listens, the spans in FOLDER/spans
"""
import asyncio
import json
import os
import pathlib
import socket
import sys
import threading

from oteltap import OtelTapHttpProtobufReceiver, OtelTapHttpProtobufReceiverSettings


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def value(any_value):
    kind = any_value.WhichOneof("value")
    return getattr(any_value, kind) if kind else None


def line(span):
    return json.dumps(
        {
            "name": span.name,
            "trace": span.trace_id.hex(),
            "id": span.span_id.hex(),
            "parent": span.parent_span_id.hex(),
            "state": span.trace_state,
            "kind": int(span.kind),
            "status": int(span.status.code),
            "nanoseconds": span.end_time_unix_nano - span.start_time_unix_nano,
            "attributes": {pair.key: str(value(pair.value)) for pair in span.attributes},
        }
    )


def end_with_parent():
    """Ends this process once the other end of standard input is closed: with the test, or when its process dies."""
    sys.stdin.buffer.read()
    os._exit(0)


async def main():
    folder = pathlib.Path(sys.argv[1])
    port = free_port()
    settings = OtelTapHttpProtobufReceiverSettings(http_port=port)
    async with OtelTapHttpProtobufReceiver(settings) as receiver:
        (folder / "port.part").write_text(str(port))
        (folder / "port.part").rename(folder / "port")
        with open(folder / "spans", "a", encoding="utf-8", buffering=1) as spans:
            async for span in receiver.stream_traces():
                spans.write(line(span) + "\n")


threading.Thread(target=end_with_parent, daemon=True).start()
asyncio.run(main())
