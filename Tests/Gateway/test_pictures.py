"""Pictures as files: put, read in sizes, in parts and again."""

import json
import random
import struct
import time
import zlib

import pytest
from test_sessions import Browser


def png(seed, width=300, height=200):
    """A picture that does not become small when it is compressed."""
    chance = random.Random(seed)
    rows = b"".join(b"\0" + chance.randbytes(width * 3) for _ in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bearer(person):
    return ("-H", f"authorization: Bearer {person['token']}")


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "picture.png"
    made.write_bytes(png(1))
    return made


@pytest.fixture(scope="module")
def pictured(suite, user, tmp_path_factory):
    """The address of the user's picture."""
    file = tmp_path_factory.mktemp("picture") / "picture.png"
    file.write_bytes(png(2))
    put = suite.curl("/pictures/profile", "-X", "PUT", "--data-binary", f"@{file}", "-H", "content-type: image/png", *bearer(user))
    assert put.status == 200, put
    return f"/pictures/profile/{user['name']}"


def test_a_profile_picture_comes_back_in_each_size(suite, user, pictured):
    sizes = {}
    for size in ("full", "256", "64"):
        for version in ("--http1.1", "--http2"):
            answer = suite.curl(f"{pictured}?size={size}", version, *bearer(user))
            assert answer.status == 200 and answer.fields["content-type"] == "image/png", answer
            assert answer.body.startswith(b"\x89PNG") and len(answer.body) == int(answer.fields["content-length"])
        assert answer.fields["x-content-type-options"] == "nosniff"
        assert answer.fields["cache-control"] == "private, no-cache"
        sizes[size] = len(answer.body)
    assert sizes["full"] > sizes["256"] > sizes["64"], sizes
    assert suite.curl(f"{pictured}?size=65", *bearer(user)).status == 400


def test_it_is_sent_again_only_when_it_changed(suite, user, pictured):
    tag = suite.curl(pictured, *bearer(user)).fields["etag"]
    assert not tag.startswith("W/")
    again = suite.curl(pictured, "-H", f"if-none-match: {tag}", *bearer(user))
    assert (again.status, again.body) == (304, b"") and again.fields["etag"] == tag
    assert suite.curl(pictured, "-H", 'if-none-match: "other"', *bearer(user)).status == 200
    assert suite.curl(f"{pictured}?size=64", "-H", f"if-none-match: {tag}", *bearer(user)).status == 200


def test_parts_of_it(suite, user, pictured):
    whole = suite.curl(pictured, *bearer(user))
    count = len(whole.body)
    # The file comes in chunks of 64 KiB.
    assert count > 140_000
    for asked, start, end in (
        ("0-9", 0, 10), ("65530-65545", 65530, 65546), ("140000-", 140_000, count), ("-5", count - 5, count),
        (f"70000-{count + 99}", 70_000, count),
    ):
        for version in ("--http1.1", "--http2"):
            part = suite.curl(pictured, version, "-H", f"range: bytes={asked}", *bearer(user))
            assert part.status == 206 and part.body == whole.body[start:end], (asked, part)
            assert part.fields["content-range"] == f"bytes {start}-{end - 1}/{count}"
    beyond = suite.curl(pictured, "-H", f"range: bytes={count}-", *bearer(user))
    assert beyond.status == 416 and beyond.fields["content-range"] == f"bytes */{count}"
    for asked in ("bytes=5-2", "bytes=a-b", "lines=1-2", "bytes=0-1,4-5"):
        assert suite.curl(pictured, "-H", f"range: {asked}", *bearer(user)).status == 200
    changed = suite.curl(pictured, "-H", "range: bytes=0-9", "-H", 'if-range: "other"', *bearer(user))
    assert changed.status == 200 and changed.body == whole.body
    same = suite.curl(pictured, "-H", "range: bytes=0-9", "-H", f"if-range: {whole.fields['etag']}", *bearer(user))
    assert same.status == 206
    head = suite.curl(pictured, "--head", *bearer(user))
    assert head.status == 200 and int(head.fields["content-length"]) == count


def test_a_book_has_photographs(suite, user, file):
    book = {"title": "Notes", "authors": ["Ada Lovelace"], "isbn": "9780306406157"}
    added = suite.call("tandem.catalog.v1.Books/AddBook", {"book": book, "titleConfirmed": True}, token=user["token"])
    assert added.status == 200, added
    place = f"/pictures/book/{added.json['bookId']}"
    put = suite.curl(place, "--data-binary", f"@{file}", "-H", "content-type: image/png", *bearer(user))
    assert put.status == 201 and put.fields["location"].startswith(place + "/"), put
    read = suite.curl(put.fields["location"], *bearer(user))
    assert read.status == 200 and read.body.startswith(b"\x89PNG") and read.fields["cache-control"] == "private, max-age=86400"
    assert suite.curl(place + "/" + added.json["bookId"], *bearer(user)).status == 404


def test_a_message_has_a_picture(suite, new_user, user, file):
    other = new_user("stranger")
    made = suite.call("tandem.identity.v1.Groups/CreateGroup", {"group": {"name": "Pictures"}}, token=user["token"])
    place = f"/pictures/chat/{made.json['groupId']}"
    put = ("--data-binary", f"@{file}", "-H", "content-type: image/png")
    end = time.monotonic() + 20
    # Nothing tells that the chat knows of the group: it is asked again, within the limit.
    while (sent := suite.curl(place, *put, *bearer(user))).status == 404:
        assert time.monotonic() < end, sent
        time.sleep(0.05)
    assert sent.status == 201 and sent.fields["location"].startswith(place + "/"), sent
    address = sent.fields["location"]
    sizes = {}
    for size in ("full", "256", "64"):
        read = suite.curl(f"{address}?size={size}", *bearer(user))
        assert read.status == 200 and read.body.startswith(b"\x89PNG") and read.fields["cache-control"] == "private, no-cache", read
        sizes[size] = len(read.body)
    assert sizes["full"] > sizes["256"] > sizes["64"], sizes
    assert suite.curl(address, *bearer(other)).status == 404 and suite.curl(address).status == 401
    assert suite.curl(place, *put, *bearer(other)).status == 404
    assert suite.curl(place, *bearer(user)).status == 405


def test_a_picture_is_replaced_only_while_it_is_the_one(suite, new_user, tmp_path):
    person = new_user("picture")
    file = tmp_path / "picture.png"
    put = ("-X", "PUT", "--data-binary", f"@{file}", "-H", "content-type: image/png", *bearer(person))
    file.write_bytes(png(3, 20, 20))
    assert suite.curl("/pictures/profile", *put).status == 200
    tag = suite.curl(f"/pictures/profile/{person['name']}", *bearer(person)).fields["etag"]
    file.write_bytes(png(4, 20, 20))
    assert suite.curl("/pictures/profile", *put, "-H", 'if-match: "other-full"').status == 409
    assert suite.curl("/pictures/profile", *put, "-H", f"if-match: {tag}").status == 200


def test_what_is_no_picture_is_refused(suite, user, tmp_path):
    file = tmp_path / "file"
    for content in (b"<svg onload=alert(1)>", b"", png(1)[:5000], b"x" * (7 << 20)):
        file.write_bytes(content)
        answer = suite.curl(
            "/pictures/profile", "-X", "PUT", "--data-binary", f"@{file}", "-H", "content-type: image/png", *bearer(user)
        )
        assert answer.status == 400 and "UNSUPPORTED_IMAGE" in json.dumps(answer.json) or b"5 MiB" in answer.body, answer


def test_nobody_else(suite, user, pictured, file):
    assert suite.curl(pictured).status == 401
    assert suite.curl("/pictures/profile", "-X", "PUT", "--data-binary", f"@{file}").status == 401
    assert suite.curl("/pictures/profile/nobody_at_all", *bearer(user)).status == 404
    assert suite.curl("/pictures/profile", *bearer(user)).status == 405
    assert suite.curl(pictured, "-X", "DELETE", *bearer(user)).status == 405
    assert suite.curl("/pictures/other/x", *bearer(user)).status == 404


def test_pages_show_and_put_them_with_a_cookie(suite, user, pictured, file):
    browser = Browser(suite)
    assert browser.login(user).status == 200
    assert browser.send(pictured, "-H", "sec-fetch-site: same-origin").status == 200
    for options in ((), ("-H", "sec-fetch-site: cross-site"), ("-H", "sec-fetch-site: none")):
        assert browser.send(pictured, *options).status == 403
    put = ("-X", "PUT", "--data-binary", f"@{file}", "-H", f"origin: {suite.url}", "-H", "sec-fetch-site: same-origin")
    assert browser.send("/pictures/profile", *put, "-H", "content-type: image/png").status == 403
    ours = ("-H", "connect-protocol-version: 1")
    assert browser.send("/pictures/profile", *put, *ours, "-H", "content-type: text/plain").status == 403
    assert browser.send("/pictures/profile", *put, *ours, "-H", "content-type: image/png").status == 200
