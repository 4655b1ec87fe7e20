"""Webhooks of providers, and the pages that providers send browsers back to."""

import hashlib
import hmac
import json

import pytest


def polar(suite, body, signature=None, path="/webhooks/polar"):
    """A call as Polar signs it."""
    signature = signature or hmac.new(b"secret of polar", body, hashlib.sha256).hexdigest()
    return suite.curl(
        path, "--data-binary", body.decode(), "-H", "content-type: application/json",
        "-H", "polar-webhook-event: EXERCISE", "-H", f"polar-webhook-signature: {signature}",
    )


def test_the_body_that_is_signed_is_the_body_that_came(suite):
    # Spaces, the order and the escapes are a part of what is signed.
    body = '{ "user_id" : 475,  "entity_id":"aQlC83", "note":"\\u00e9 é", "event":"EXERCISE"}'.encode()
    assert polar(suite, body).status == 200, polar(suite, body)
    assert polar(suite, body, signature="0" * 64).status == 403
    changed = body.replace(b" ", b"")
    assert polar(suite, changed, signature=hmac.new(b"secret of polar", body, hashlib.sha256).hexdigest()).status == 403


def test_a_challenge_in_the_query_is_answered(suite):
    path = "/webhooks/strava?hub.mode=subscribe&hub.verify_token=secret%20of%20strava&hub.challenge=15f7d1a91c1f40f8"
    answer = suite.curl(path)
    assert answer.status == 200 and answer.json == {"hub.challenge": "15f7d1a91c1f40f8"}, answer
    assert answer.fields["x-content-type-options"] == "nosniff"
    assert suite.curl(path.replace("secret", "secrets")).status == 403


def test_other_webhooks(suite):
    assert polar(suite, b"{}", path="/webhooks/nobody").status == 404
    assert suite.curl("/webhooks/polar", "-X", "PUT", "-d", "{}").status == 405
    assert suite.curl("/webhooks/", "-d", "{}").json["code"] == "unimplemented"
    assert polar(suite, b" " * ((64 << 10) + 1)).status == 413


def test_a_webhook_that_is_too_long(suite, tmp_path):
    file = tmp_path / "body"
    file.write_bytes(b" " * 300_000)
    assert suite.curl("/webhooks/polar", "--data-binary", f"@{file}").status == 413


@pytest.mark.parametrize("path", ["/login/callback", "/trackers/callback"])
def test_pages_to_come_back_to(suite, path):
    answer = suite.curl(f"{path}?state=%3Cb%3E&code=secret-code")
    assert answer.status == 200 and answer.fields["content-type"] == "text/html; charset=utf-8"
    # What the provider added is for the page's script alone.
    assert b"secret-code" not in answer.body and b"<b>" not in answer.body
    assert b'src="/pages/callback.js"' in answer.body
    policy = answer.fields["content-security-policy"]
    assert "connect-src 'self'" in policy and "script-src 'self'" in policy
    assert answer.fields["referrer-policy"] == "no-referrer" and answer.fields["cache-control"] == "private, no-store"
    script = suite.curl("/pages/callback.js")
    assert script.status == 200 and b"/session/login/provider" in script.body and b"CompleteConnection" in script.body


def test_tandem_up_names_the_pages(suite, user):
    started = suite.call("tandem.importer.v1.Trackers/StartConnection", {"provider": "strava"}, token=user["token"])
    assert started.status == 200, started
    assert f"{suite.port}%2Ftrackers%2Fcallback" in started.json["authorizationUrl"], started


def test_a_connection_that_was_not_begun(suite, user):
    body = {"state": "nothing", "code": "x", "issuer": "", "error": "", "scope": ""}
    answer = suite.call("tandem.importer.v1.Trackers/CompleteConnection", body, token=user["token"])
    assert answer.status == 400, answer
    assert "ATTEMPT_INVALID" in json.dumps(answer.json)
