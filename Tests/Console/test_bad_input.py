"""What people write, and what networks and servers do: nothing breaks out, nothing overlaps, nothing typed is lost."""

import random

import conftest

MARKUP = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
LONG = "w" * 4_000
REVERSED = "\u05e9\u05dc\u05d5\u05dd \u202eevil\u202c olleh"
EMOJI = "👩‍👩‍👧‍👦🏳️‍🌈 zalgo h̷̢̛̤e̵l̶l̸o"


def test_texts_are_texts(browser, call, ada, hedy, group):
    titles = [MARKUP, "x" * 480, EMOJI]
    books = [
        call("tandem.catalog.v1.Books/AddBook", {"book": {"title": title, "authors": [MARKUP[:150]], "isbn": conftest.isbn(), "description": MARKUP * 4}}, hedy)
        for title in titles
    ]
    call("tandem.catalog.v1.Books/CreateComment", {"bookId": books[0]["bookId"], "comment": {"text": MARKUP + LONG[:1500]}}, ada)
    browser.log_in(ada)
    for book, title in zip(books, titles):
        browser.open(f"books/{book['bookId']}")
        browser.sees(title[:40])
        assert browser.too_wide() == [] and "broken" not in browser.driver.title
        assert browser.run("return document.querySelectorAll('main script, main img[src=x]').length") == 0
    browser.open(f"books/{books[0]['bookId']}")
    browser.sees("<img src=x")
    browser.whole_shot("bad-book")
    assert browser.barriers() == []


def test_messages_are_texts(browser, ada, group):
    browser.log_in(ada)
    browser.open(f"groups/{group['groupId']}")
    for text in (MARKUP, LONG, "\u05e9\u05dc\u05d5\u05dd hello", EMOJI):
        browser.set("Write a message", text)
        browser.click("Send", "tandem-chat button")
    browser.until(lambda: browser.run("return document.querySelectorAll('tandem-chat .message.own:not(.pending)').length") >= 4, "all of them are stored")
    shown = browser.run("return [...document.querySelectorAll('tandem-chat .message.own .said')].map((one) => one.textContent)")
    assert MARKUP in shown and LONG in shown and EMOJI in shown
    # None is wider than the list, and none lies on another.
    boxes = browser.run("""
    const list = document.querySelector('.messages').getBoundingClientRect();
    return [...document.querySelectorAll('.messages > li')].map((one) => one.getBoundingClientRect()).map((one) => [one.left - list.left, list.right - one.right, one.top, one.bottom]);
    """)
    assert all(left >= -1 and right >= -1 for left, right, _, _ in boxes)
    assert all(first[3] <= second[2] + 1 for first, second in zip(boxes, boxes[1:]))
    assert browser.too_wide() == []
    browser.whole_shot("bad-chat")


FREE = """
const field = document.querySelector(".composer textarea");
field.scrollIntoView({ block: "end" });
const [box, notice] = [field.getBoundingClientRect(), document.querySelector(".notice").getBoundingClientRect()];
const meets = box.left < notice.right && notice.left < box.right && box.top < notice.bottom && notice.top < box.bottom;
return !meets && notice.top >= 0 && notice.bottom <= innerHeight && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === field;
"""


def test_no_notice_covers_what_is_written_in(browser, call, ada, hedy, group):
    browser.log_in(ada)
    browser.open(f"groups/{group['groupId']}")
    browser.sees("Live")
    browser.type("Write a message", "Half a", clear=False)
    book = call("tandem.catalog.v1.Books/AddBook", {"book": {"title": "A Book of Notices", "authors": ["I. Calder"], "isbn": conftest.isbn()}}, ada)
    call("tandem.lending.v1.Loans/RequestBook", {"bookId": book["bookId"]}, hedy)
    browser.until(lambda: browser.run("return document.querySelector('.notice')"), "the request is told")
    browser.until(lambda: browser.run(FREE), "it lies beside the field")
    browser.type("Write a message", " sentence", clear=False)
    assert browser.field("Write a message").get_property("value") == "Half a sentence"
    browser.shot("notice-beside-chat")


def test_a_text_in_reverse_keeps_its_place(browser, ada):
    browser.log_in(ada)
    browser.open("groups")
    browser.expected = ["400"]
    browser.click("New group")
    browser.set("Name of the group", REVERSED)
    browser.click("Create the group")
    # The service refuses the override, and the form says so beside the field.
    browser.until(lambda: browser.run("return document.querySelector('dialog [aria-invalid=true]')"), "the field is marked")


LOOK_UP = """
if (document.querySelector("dialog[open]")) return true;
[...document.querySelectorAll("main button")].find((one) => one.innerText === "Look it up" && !one.disabled)?.click();
return false;
"""


def test_a_session_that_was_ended_elsewhere(browser, call, suite, new_user):
    person = new_user("lise")
    browser.log_in(person)
    browser.open("books/add")
    browser.type("ISBN", "97899000")
    browser.expected = ["401", "WebSocket"]
    call("tandem.identity.v1.Accounts/LogoutEverywhere", {"scope": "LOGOUT_SCOPE_ALL_SESSIONS"}, person)
    # By this call, or by the live stream of notifications where that is told first.
    browser.until(lambda: browser.run(LOOK_UP), "one is asked to log in again")
    browser.sees("You were logged out")
    browser.sees("nothing that you have typed is lost")
    browser.shot("logged-out")
    assert browser.barriers() == []
    browser.type("Password", person["password"])
    browser.click("Log in", "dialog button")
    browser.misses("You were logged out")
    assert browser.field("ISBN").get_property("value") == "97899000"
    browser.find(f"Your menu, {person['name']}", "summary")


def test_a_server_that_restarts(browsers, suite, tmp_path, ada, group):
    """Another gateway before the same services, which is killed and started again at the same address."""
    browser = browsers[0]
    with suite.another(tmp_path, listen=f"127.0.0.1:{free_port()}") as gateway:
        url, address = browser.url, f"127.0.0.1:{gateway.port}"
        browser.url = f"https://localhost:{gateway.port}"
        try:
            browser.driver.get(browser.url + "/console/login")
            browser.log_in(ada)
            browser.open(f"groups/{group['groupId']}")
            browser.sees("Live")
            browser.expected = ["ERR_CONNECTION", "WebSocket", "ERR_HTTP2", "ERR_EMPTY", "ERR_SOCKET", "net::"]
            browser.type("Write a message", "Half a sen", clear=False)
            gateway.process.kill()
            gateway.process.wait()
            browser.type("Write a message", "tence", clear=False)
            browser.click("Send", "tandem-chat button")
            browser.sees("waiting to be sent")
            browser.sees("connecting again")
            browser.shot("restarting")
            with suite.another(tmp_path, listen=address):
                browser.sees("Live")
                browser.misses("waiting to be sent")
                browser.sees("Half a sentence")
        finally:
            browser.url = url
            browser.fresh()


def free_port():
    import socket

    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return tried.getsockname()[1]


def test_random_addresses(browser, ada):
    browser.log_in(ada)
    browser.expected = ["404", "400"]
    for path in ("no-such-view", "books/nonsense", f"groups/{random.randrange(10**9)}", "loans/%3Cscript%3E", "activities/x"):
        browser.driver.get(f"{browser.url}/console/{path}")
        browser.until(lambda: browser.run("return document.querySelector('main h1, main [role=alert]')"), f"{path} says something")
        assert "broken" not in browser.driver.title and browser.too_wide() == []
