"""Starts the echo server under test once for the session, and ends it by its pid.

ECHO_SERVER is its executable (.build/debug/echo-server when unset). Its first line is `listening on ADDRESS:PORT`.
"""

import os
import pathlib
import queue
import subprocess
import threading

import pytest

from frames import Connection

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_PATIENCE = 20.0


class Server:
    """The running echo server."""

    def __init__(self, process, address):
        self.process = process
        self.address = address

    @property
    def alive(self):
        return self.process.poll() is None

    @property
    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def _first_line(process):
    lines = queue.Queue()
    threading.Thread(target=lambda: lines.put(process.stdout.readline()), daemon=True).start()
    return lines.get(timeout=START_PATIENCE)


@pytest.fixture(scope="session")
def server():
    path = os.environ.get("ECHO_SERVER", str(ROOT / ".build" / "debug" / "echo-server"))
    process = subprocess.Popen([path, "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        line = _first_line(process).strip()
        assert line.startswith("listening on "), f"unexpected first line {line!r}"
        host, port = line.removeprefix("listening on ").rsplit(":", 1)
        yield Server(process, (host, int(port)))
        assert process.poll() is None, f"the server ended by itself, status {process.returncode}"
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
def connect(server):
    """Opens connections, closes them after the test, and then expects the server to be alive and to answer a new one."""
    opened = []

    def open_one():
        opened.append(Connection(server.address))
        return opened[-1]

    yield open_one
    for connection in opened:
        connection.close()
    assert server.alive, f"the server died, status {server.process.returncode}"
    last = Connection(server.address)
    assert last.works()
    last.close()


@pytest.fixture
def connection(connect):
    return connect()
