"""Fixtures against a suite that runs: TANDEM_STATE is the state.json of its home."""

import email
import email.policy
import json
import os
import pathlib
import re
import signal
import time
import uuid

import pytest

from tandem.api import identity
from tandem.api.blocking.identity import Accounts
from tandem_client import TLS, blocking

PATIENCE = 20.0
PASSWORD = "seven-Lanterns-over-Quiet-water"


class Suite:
    """What a gateway is told of the suite."""

    def __init__(self, state):
        self.pid = state["pid"]
        self.identity = state["services"]["identity"]["rpc"]
        self.tls = TLS(state["authority"])
        self.mail = pathlib.Path(state["mail"])

    def token_in_mail(self, address):
        """The token of the link in the newest mail to the address. A folder tells of no mail, so it is looked into again."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for file in sorted(self.mail.glob("*.eml"), reverse=True):
                mail = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
                found = re.search(r"https?://\S*[?&#]token=([^\s&]+)", mail.get_body(["plain"]).get_content())
                if mail["To"] == address and found:
                    return found[1]
            time.sleep(0.02)
        raise AssertionError(f"no mail to {address}")

    def kill_identity(self):
        """As if its machine lost power; the suite starts it again."""
        killed = 0
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().split(b"\0")[0]
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == self.pid and command.endswith(b"/identity"):
                os.kill(int(folder.name), signal.SIGKILL)
                killed += 1
        assert killed == 1, f"{killed} of identity were found below {self.pid}"


class User:
    def __init__(self, suite, client):
        self.username = f"py_{uuid.uuid4().hex[:12]}"
        self.password = PASSWORD
        self.email = address = f"{self.username}@example.org"
        accounts = Accounts(client)
        made = accounts.register(identity.RegisterRequest(email=address, username=self.username, password=PASSWORD))
        accounts.verify_email(
            identity.VerifyEmailRequest(
                token=suite.token_in_mail(address), registration_secret=made.registration_secret
            )
        )
        session = accounts.login(identity.LoginRequest(email_or_username=self.username, password=PASSWORD))
        self.user_id, self.token = session.user_id, session.access_token
        self.client = client.on_behalf_of(token=self.token)


@pytest.fixture(scope="session")
def suite():
    return Suite(json.loads(pathlib.Path(os.environ["TANDEM_STATE"]).read_text()))


@pytest.fixture(scope="session")
def client(suite):
    with blocking.Client(suite.identity, tls=suite.tls) as made:
        yield made


@pytest.fixture(scope="session")
def ada(suite, client):
    return User(suite, client)


@pytest.fixture(scope="session")
def hedy(suite, client):
    return User(suite, client)
