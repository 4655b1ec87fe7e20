"""The Swift client of the stock generators, through the gateway of a whole suite, as Tests/Gateway starts it."""

import importlib.util
import os
import pathlib
import subprocess
import threading

import pytest

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("gateway_tests", HERE.parents[1] / "Gateway" / "conftest.py")
gateway_tests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(gateway_tests)

suite, new_user, user, line = gateway_tests.suite, gateway_tests.new_user, gateway_tests.user, gateway_tests.line


@pytest.fixture
def inbox(line, suite, user):
    told = {
        "TANDEM_PORT": str(line.port), "TANDEM_CA": str(suite.authority), "TANDEM_USER": user["name"], "TANDEM_PASSWORD": user["password"],
    }
    program = subprocess.Popen([HERE / ".build" / "debug" / "inbox"], env={**os.environ, **told}, stdout=subprocess.PIPE, text=True)
    # A program that says nothing more would be waited for without end.
    limit = threading.Timer(120, program.kill)
    limit.start()
    yield program
    limit.cancel()
    program.kill()
    program.wait()
    program.stdout.close()


def test_renewed_tokens_deadlines_refusals_and_a_stream_that_goes_on(suite, user, new_user, line, inbox):
    """[GATE-7]"""

    def said():
        return inbox.stdout.readline().rstrip("\n")

    assert said() == f"renewed: {user['name']}"
    assert said() == "too late: deadlineExceeded"
    assert said() == "refused: unauthenticated TOKEN_MISSING"
    told = [said()]
    assert "elcome" in told[0]
    assert line.cut() > 0
    gateway_tests.notify(suite, user, new_user("asker"))
    told += inbox.stdout.read().splitlines()
    assert inbox.wait(60) == 0
    # The stream goes on where it was: nothing comes twice.
    assert len(told) > 1 and sum("elcome" in one for one in told) == 1, told
