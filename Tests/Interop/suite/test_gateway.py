"""The gateway of the handbook's page, and that the page shows it as it is."""

import json
import pathlib
import re
import urllib.error
import urllib.request
from urllib.parse import urlencode

import gateway
import pytest

ROOT = pathlib.Path(__file__).parents[3]


@pytest.fixture
def site(tandem_suite):
    server = gateway.serve(("127.0.0.1", 0), tandem_suite.client("identity"))
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def ask(address, token=None, form=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(address, data=urlencode(form).encode() if form else None, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as failure:
        return failure.code, json.load(failure)


def test_a_gateway(site, tandem_suite, tandem_users):
    ada = tandem_users["ada"]
    wrong = ask(f"{site}/login", form={"user": "ada", "password": "wrong"})
    assert wrong[0] == 403 and wrong[1]["reason"] == "CREDENTIALS_INCORRECT"
    status, session = ask(f"{site}/login", form={"user": "ada", "password": ada.password})
    assert status == 200
    assert ask(f"{site}/groups", session["accessToken"]) == (200, {})
    assert ask(f"{site}/groups?page=torn", session["accessToken"])[1]["fields"] == ["page_token"]
    assert ask(f"{site}/groups", tandem_suite.token("ada", "--expired"))[0] == 401
    request = urllib.request.Request(f"{site}/inbox", headers={"Authorization": f"Bearer {session['accessToken']}"})
    assert json.loads(urllib.request.urlopen(request, timeout=20).readline()) is not None


@pytest.mark.parametrize(
    "language, file", [("go", "Tests/Interop/go/gateway/gateway.go"), ("python", "Tests/Interop/suite/gateway.py")]
)
def test_the_page_shows_the_files(language, file):
    page, source = (ROOT / "Shared/Handbook/gateway.md").read_text(), (ROOT / file).read_text()
    pieces = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    assert len(pieces) > 3
    for piece in pieces:
        assert piece in source, piece
