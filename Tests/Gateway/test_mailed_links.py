"""The pages that links in mails lead to: reading them changes nothing, their forms do."""

import email
import email.utils
import random
import re
import time
import urllib.parse

import pytest

PAGES = ["/verify", "/reset", "/email/confirm", "/email/undo", "/unsubscribe"]
PASSWORD = "Difference-engine-1822"


def mailed_link(suite, address, page):
    """The link to a page in a mail to an address, and its token."""
    pattern = re.compile(re.escape(suite.url + page) + r"[#?]token=([A-Za-z0-9_.-]{16,})")
    end = time.monotonic() + 20
    while time.monotonic() < end:
        for path in suite.mail.glob("*.eml"):
            message = email.message_from_bytes(path.read_bytes())
            if email.utils.parseaddr(message.get("To", ""))[1] != address:
                continue
            parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
            if found := pattern.search(parts[0].get_payload(decode=True).decode()):
                return found.group(0), found.group(1)
        # Nothing tells that a mail has been written: the test looks again.
        time.sleep(0.05)
    raise AssertionError(f"no mail to {address} with a link to {page}")


def send(suite, page, **fields):
    return suite.curl(page, "--data", urllib.parse.urlencode(fields))


def register(suite):
    name = f"charles_{random.randrange(10**8)}"
    address = f"{name}@example.org"
    answer = suite.call(
        "tandem.identity.v1.Accounts/Register", {"email": address, "username": name, "password": PASSWORD}
    )
    assert answer.status == 200, answer
    return name, address


def login(suite, name, password):
    return suite.call("tandem.identity.v1.Accounts/Login", {"emailOrUsername": name, "password": password})


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_not_kept_framed_or_told_of(suite, page):
    answer = suite.curl(page)
    assert answer.status == 200, answer
    assert answer.fields["content-type"] == "text/html; charset=utf-8"
    assert answer.fields["cache-control"] == "private, no-store"
    assert answer.fields["referrer-policy"] == "no-referrer"
    policy = answer.fields["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    text = answer.body.decode()
    assert f'<form method="post" action="{page}">' in text and "<script>" not in text
    for asset in re.findall(r'(?:src|href)="([^"]+)"', text):
        assert suite.curl(asset).status == 200, asset


@pytest.mark.parametrize("page", PAGES)
def test_a_wrong_token_is_told_on_the_page_and_nothing_else_is(suite, page):
    answer = send(suite, page, token='"><script>alert(1)</script>', password=PASSWORD)
    assert answer.status == 400, answer
    text = answer.body.decode()
    assert 'role="alert"' in text and "<script>alert" not in text and PASSWORD not in text
    assert send(suite, page, token="").status == 400


@pytest.mark.parametrize("page", PAGES)
def test_what_is_no_form_is_refused(suite, page):
    assert suite.curl(page, "-H", "content-type: application/json", "-d", "{}").status == 400
    assert suite.curl(page, "-d", "token=%zz").status == 400
    assert suite.curl(page, "-d", "token=a&token=b").status == 400
    assert suite.curl(page, "-d", "token=" + "a" * 20_000).status == 413
    answer = suite.curl(page, "-X", "PUT", "-d", "x")
    assert (answer.status, answer.fields["allow"]) == (405, "GET, POST")


def test_registration_is_finished_by_the_mailed_link_alone(suite):
    name, address = register(suite)
    link, token = mailed_link(suite, address, "/verify")
    assert "#" in link
    # A scanner of mail opens the link, as often as it likes.
    for _ in range(3):
        assert suite.curl("/verify").status == 200
        assert suite.curl(f"/verify?token={token}").status == 200
    assert login(suite, name, PASSWORD).status == 400
    # Without a password the token stays.
    assert send(suite, "/verify", token=token).status == 400
    done = send(suite, "/verify", token=token, password=PASSWORD)
    assert done.status == 200 and b"is confirmed" in done.body, done
    assert login(suite, name, PASSWORD).status == 200
    assert send(suite, "/verify", token=token, password=PASSWORD).status == 400


def test_a_password_is_reset_by_the_mailed_link(suite):
    name, address = register(suite)
    _, verification = mailed_link(suite, address, "/verify")
    assert send(suite, "/verify", token=verification, password=PASSWORD).status == 200
    asked = suite.call("tandem.identity.v1.Accounts/RequestPasswordReset", {"email": address})
    assert asked.status == 200, asked
    _, token = mailed_link(suite, address, "/reset")
    weak = send(suite, "/reset", token=token, password="password")
    assert weak.status == 400 and b"The password is not strong enough" in weak.body, weak
    new = "Jacquard-loom-1804-cards"
    done = send(suite, "/reset", token=token, password=new)
    assert done.status == 200, done
    assert login(suite, name, PASSWORD).status == 401
    assert login(suite, name, new).status == 200


def test_an_address_is_changed_and_restored_by_mailed_links(suite):
    name, address = register(suite)
    _, verification = mailed_link(suite, address, "/verify")
    assert send(suite, "/verify", token=verification, password=PASSWORD).status == 200
    token = login(suite, name, PASSWORD).json["accessToken"]
    new = f"new_{address}"
    asked = suite.call("tandem.identity.v1.Accounts/RequestEmailChange", {"email": new}, token=token)
    assert asked.status == 200, asked
    _, confirmation = mailed_link(suite, new, "/email/confirm")
    changed = send(suite, "/email/confirm", token=confirmation)
    assert changed.status == 200 and new.encode() in changed.body, changed
    _, undo = mailed_link(suite, address, "/email/undo")
    undone = send(suite, "/email/undo", token=undo)
    assert undone.status == 200 and address.encode() in undone.body, undone
    assert send(suite, "/email/undo", token=undo).status == 400


def test_one_click_posts_the_token_of_the_query(suite):
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = suite.curl(
            "/unsubscribe?token=nothing-of-ours", "-H", f"content-type: {kind}", "-d", "List-Unsubscribe=One-Click"
        )
        assert answer.status == 400 and b'role="alert"' in answer.body, answer
    page = suite.curl("/unsubscribe?token=nothing%22of-ours").body.decode()
    assert 'value="nothing&quot;of-ours"' in page


def test_one_click_of_a_mail_client_unsubscribes(suite, user, new_user):
    """[GATE-6] RFC 8058: by what the mail's own fields say, without a page."""
    owner = new_user("owner")
    book = {"title": "Dune", "authors": ["Frank Herbert"], "isbn": "9780441172719", "language": "en"}
    added = suite.call("tandem.catalog.v1.Books/AddBook", {"book": book, "titleConfirmed": True}, token=owner["token"])
    requested = suite.call("tandem.lending.v1.Loans/RequestBook", {"bookId": added.json["bookId"]}, token=user["token"])
    assert requested.status == 200, requested
    _, token = mailed_link(suite, owner["email"], "/unsubscribe")
    mails = [email.message_from_bytes(path.read_bytes()) for path in suite.mail.glob("*.eml")]
    (mail,) = [mail for mail in mails if token in mail.get("List-Unsubscribe", "")]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>")
    assert link.startswith(suite.url + "/unsubscribe?token="), link
    answer = suite.curl(link.removeprefix(suite.url), "-d", "List-Unsubscribe=One-Click")
    assert answer.status == 200, answer
    kinds = suite.call("tandem.notification.v1.Notifications/GetPreferences", {}, token=owner["token"]).json["kinds"]
    assert not next(one.get("mail") for one in kinds if one["kind"] == "NOTIFICATION_KIND_BOOK_REQUESTED")


def test_no_token_is_logged(suite):
    secret = "a-token-that-nobody-logs-0123456789"
    suite.curl(f"/verify?token={secret}")
    suite.curl(f"/unsubscribe?token={secret}")
    send(suite, "/verify", token=secret, password=secret)
    assert secret not in suite.log.read_text(errors="replace")
