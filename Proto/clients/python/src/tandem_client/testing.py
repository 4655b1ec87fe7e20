"""Fixtures for pytest: a suite for tests (`tandem test`), and its users as they are at the beginning of every test.

Where the package is installed pytest finds them by itself; else `pytest_plugins = ["tandem_client.testing"]` in a conftest.py.
The suite is the one of `tandem test run`, or one of the run's own. The program is found in the PATH, or named by TANDEM_PROGRAM.
"""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import pytest

from . import TLS, blocking


Answer = TypeVar("Answer")


def eventually(ask: Callable[[], Answer], within: float = 30) -> Answer:
    """The first answer that is true, of what happens a moment later, as by a job or an event.

    Raises AssertionError where there is none within so many seconds.
    """
    end = time.monotonic() + within
    while not (answer := ask()):
        assert time.monotonic() < end, f"it did not happen within {within} s; the last answer was {answer!r}"
        time.sleep(0.01)
    return answer


class User:
    """A verified user with a profile and a session."""

    def __init__(self, suite: Suite, facts: Mapping[str, str]) -> None:
        self._suite = suite
        self.user_id, self.username, self.email = facts["id"], facts["username"], facts["email"]
        self.password, self.refresh_token = facts["password"], facts["refreshToken"]

    @property
    def token(self) -> str:
        """An access token that is good by the suite's clock."""
        return self._suite.token(self.username)

    def client(self, service: str) -> blocking.Client:
        """Calls a service, such as "matching", as the user, with a token of now."""
        return self._suite.client(service).on_behalf_of(token=self.token)


class Suite:
    """A running suite for tests."""

    def __init__(self, facts: dict[str, Any], process: subprocess.Popen[str] | None = None) -> None:
        self._process = process
        self._clients: dict[str, blocking.Client] = {}
        self._read(facts)

    def _read(self, facts: dict[str, Any]) -> None:
        self.facts = facts
        self.home = pathlib.Path(facts["home"])
        self.users = {name: User(self, user) for name, user in facts["users"].items()}

    @classmethod
    def start(cls, *users: str) -> Suite:
        """A suite that ends with this process, however that ends."""
        command = [_program(), "test", "start", "--attached", "--json", *(["--users", ",".join(users)] if users else [])]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        told = process.stdout.read()
        if not told:
            raise RuntimeError(f"{' '.join(command)} ended with status {process.wait()}; what it wrote says why")
        return cls(json.loads(told), process)

    @classmethod
    def of_environment(cls) -> Suite | None:
        """The suite that `tandem test run` or `start` has started."""
        document = pathlib.Path(os.environ.get("TANDEM_HOME", ""), "test.json")
        return cls(json.loads(document.read_text())) if document.is_file() else None

    def stop(self) -> None:
        """Ends what `start` started; a suite of the environment goes on."""
        for client in self._clients.values():
            client.close()
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait()

    def client(self, service: str) -> blocking.Client:
        """Calls a service as a gateway does, on no user's behalf."""
        if service not in self._clients:
            tls = TLS(self.facts["authority"], self.facts["gatewayCertificate"], self.facts["gatewayKey"])
            self._clients[service] = blocking.Client(self.address(service), tls=tls)
        return self._clients[service]

    def address(self, service: str) -> str:
        """HOST:PORT of the service's RPCs."""
        return self.facts["services"][service]["rpc"]

    def clock(self, *change: str) -> str:
        """Moves the clock of all services by "+20m" or "at", "2027-03-28T00:59:50Z"; returns what it shows."""
        return self._tandem("clock", *change).strip()

    def token(self, username: str, *state: str) -> str:
        """A user's access token; with "--expired" or "--revoked" one that is refused."""
        return self._tandem("token", username, *state).strip()

    def mail(self, address: str, about: str = "") -> list[dict[str, Any]]:
        """What was mailed to the address, once there is some: to, subject, text, links, token."""
        return json.loads(self._tandem("mail", "--wait", *(["--about", about] if about else []), address))

    def add(self, *users: str) -> dict[str, User]:
        """Makes users until the next reset."""
        self._read(json.loads(self._tandem("users", "add", ",".join(users), "--json")))
        return self.users

    def reset(self) -> None:
        """Brings everything back to the suite's beginning."""
        self._read(json.loads(self._tandem("reset", "--json")))

    def kill(self, service: str) -> None:
        """Ends a service as if its machine lost power; the suite starts it again."""
        os.kill(json.loads((self.home / "run" / f"{service}.json").read_text())["pid"], signal.SIGKILL)

    def _tandem(self, *words: str) -> str:
        done = subprocess.run([_program(), "test", *words, "--home", str(self.home)], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"tandem test {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout


def _program() -> str:
    return os.environ.get("TANDEM_PROGRAM", "tandem")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("tandem_users", "the users of the suite for tests, separated by spaces", default="ada hedy")


@pytest.fixture(scope="session")
def tandem_suite(pytestconfig: pytest.Config) -> Iterator[Suite]:
    """A suite for the whole run."""
    suite = Suite.of_environment() or Suite.start(*pytestconfig.getini("tandem_users").split())
    yield suite
    suite.stop()


@pytest.fixture
def tandem_users(tandem_suite: Suite) -> dict[str, User]:
    """The suite's users by name, in a suite that is as new."""
    tandem_suite.reset()
    return tandem_suite.users
