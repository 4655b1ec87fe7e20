"""Which hosts the gateway answers for, and whose pages may call it."""

import pytest

PATH = "/tandem.identity.v1.Accounts/ListKeys"
JSON = ("-H", "content-type: application/json", "-d", "{}")
LISTED = "https://app.example.org"


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.2", "tandem.example:7480"])
def test_another_host_is_misdirected(suite, version, host):
    answer = suite.curl(PATH, version, "-H", f"host: {host}", *JSON)
    assert answer.status == 421, answer
    assert answer.json["details"][0]["debug"]["reason"] == "HOST_UNKNOWN"
    assert suite.curl("/share/book/abc", version, "-H", f"host: {host}").status == 421
    assert suite.curl("/docs", version, "-H", f"host: {host}").status == 421


def test_another_host_in_grpc(suite):
    answer = suite.curl(PATH, "--http2", "-H", "host: evil.example", "-H", "content-type: application/grpc", "-d", "")
    assert answer.status == 200 and answer.fields["grpc-status"] == "3", answer


def test_names_of_the_certificate(suite):
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1", "gateway", "[::1]:7480"):
        assert suite.curl(PATH, "-H", f"host: {host}", *JSON).status == 200, host


def test_one_host(suite):
    head = f"POST {PATH} HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n"
    for hosts in ("", "Host: localhost\r\nHost: evil.example\r\n", "Host: localhost\r\nHost: localhost\r\n"):
        answer = suite.ask((head + hosts + "\r\n{}").encode())
        assert answer.startswith(b"HTTP/1.1 400 "), (hosts, answer)


def test_pages_of_other_origins_are_not_told(suite):
    for origin in ("https://evil.example", "null"):
        answer = suite.curl(PATH, "-H", f"origin: {origin}", *JSON)
        assert answer.status == 200 and "access-control-allow-origin" not in answer.fields
        asked = suite.curl(
            PATH, "-X", "OPTIONS", "-H", f"origin: {origin}", "-H", "access-control-request-method: POST"
        )
        assert asked.status == 405 and "access-control-allow-origin" not in asked.fields


def test_pages_of_a_listed_origin_call_with_a_token(suite, user):
    asked = suite.curl(
        PATH, "-X", "OPTIONS", "-H", f"origin: {LISTED}", "-H", "access-control-request-method: POST",
        "-H", "access-control-request-headers: authorization,content-type",
    )
    assert (asked.status, asked.body) == (204, b""), asked
    assert asked.fields["access-control-allow-origin"] == LISTED
    assert "authorization" in asked.fields["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in asked.fields
    for method, status in (("GetOwnAccount", 200), ("GetNothing", 404)):
        answer = suite.curl(
            f"/tandem.identity.v1.Accounts/{method}", "-H", f"origin: {LISTED}",
            "-H", f"authorization: Bearer {user['token']}", *JSON,
        )
        assert answer.status == status and answer.fields["access-control-allow-origin"] == LISTED, answer
        assert answer.fields["vary"] == "origin"
