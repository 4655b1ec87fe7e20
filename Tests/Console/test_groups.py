"""A group: the live map over WebSockets, journeys, SOS, the share link's page, replay, and the chat beside the map."""

import datetime
import random
import time

import pytest
from PIL import Image

# Whether a picture is there and was drawn.
LOADED = "const image = document.querySelector(arguments[0]); return Boolean(image?.complete && image.naturalWidth > 0)"
LOCATIONS = "tandem.tracking.v1.Locations"
JOURNEYS = "tandem.tracking.v1.Journeys"
HOME = (1.3000, 103.8500)


def now(seconds=0):
    return (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def walk(call, person, count=8, begin=HOME):
    """Positions of the last second, faster than on foot, on the way to the north-east: what is from before a journey is no part of it."""
    start = time.time()
    # The service takes no position of the future, so the second has to pass.
    time.sleep(1.2)
    points = [
        {"latitude": begin[0] + 0.0002 * step, "longitude": begin[1] + 0.00025 * step, "time": now(start - time.time() + 0.14 * step), "accuracyM": 5, "course": 51, "speedMps": 1 + 0.3 * step, "altitudeM": 12 + 3 * step}
        for step in range(count)
    ]
    call(f"{LOCATIONS}/ReportBatch", {"points": points}, person)
    return points[-1]


@pytest.fixture
def on_the_way(call, group, hedy):
    """Hedy on a journey that the group sees."""
    call(f"{LOCATIONS}/StartSharing", {"groupIds": [group["groupId"]]}, hedy)
    journey = call(
        f"{JOURNEYS}/StartJourney",
        {"groupIds": [group["groupId"]], "destination": {"latitude": 1.32, "longitude": 103.88}, "arrivalTime": now(3600), "mode": "TRAVEL_MODE_WALKING"},
        hedy,
    )
    yield journey
    call(f"{JOURNEYS}/StopJourney", {}, hedy)
    call(f"{LOCATIONS}/StopSharing", {"groupIds": [group["groupId"]]}, hedy)


def test_a_group_is_made_and_joined(browsers, ada, hedy):
    one, other = browsers
    name = f"Evening walk {random.randrange(10**6)}"
    one.log_in(ada)
    one.open("groups")
    one.click("New group")
    one.type("Name of the group", name)
    one.click("Create the group")
    one.sees("Share my position")
    one.click("Invite")
    one.type("Email address", hedy["email"])
    one.click("Send the invitation")
    one.sees("The invitation is sent.")
    other.log_in(hedy)
    other.open("groups")
    other.sees(name)
    other.whole_shot("groups-invited")
    other.click("Join")
    other.click(name, "main a")
    other.sees("Share my position")
    one.sees(hedy["name"])


def test_the_live_map(browser, call, ada, hedy, group, on_the_way):
    browser.log_in(ada)
    walk(call, hedy)
    browser.open(f"groups/{group['groupId']}")
    browser.sees("Live")
    browser.until(lambda: browser.run("return document.querySelector('tandem-map .member.state-routing')"), "Hedy is on the map, by her state's shape")
    browser.sees("on a journey")
    browser.sees("promised for")
    browser.until(lambda: browser.run("return document.querySelector('tandem-map .pin.goal')"), "the destination is on the map")
    browser.until(lambda: browser.run("return document.querySelector('path.trail')"), "her trail is on the map")
    browser.click(hedy["name"], ".member-row")
    assert browser.run("return new URLSearchParams(location.search).get('follow')") == hedy["id"]
    before = browser.run("return document.querySelector('tandem-map').map.getCenter().lat")
    call(f"{LOCATIONS}/ReportBatch", {"points": [{"latitude": 1.3026, "longitude": 103.8525, "time": now(), "accuracyM": 5}]}, hedy)
    browser.until(lambda: abs(browser.run("return document.querySelector('tandem-map').map.getCenter().lat") - before) > 0.0008, "the map follows her")
    browser.whole_shot("group-live")
    assert browser.barriers() == [] and browser.too_wide() == []


UNCOVERED = """
const banner = document.querySelector(".sos-banner"), box = banner.getBoundingClientRect();
return [.02, .5, .98].every((x) => [.1, .5, .9].every((y) => banner.contains(document.elementFromPoint(box.left + x * box.width, box.top + y * box.height))));
"""


def test_sos_cannot_be_overlooked(browsers, call, ada, hedy, group):
    one, other = browsers
    one.log_in(ada)
    one.open("books")
    other.log_in(hedy)
    other.stand_at(*HOME)
    other.open(f"groups/{group['groupId']}")
    other.click("SOS", ".sos-button")
    other.shot("sos-asked")
    other.click("Send the SOS")
    try:
        other.sees("alerted")
        # Ada looks at books, and is told all the same.
        one.sees("needs help.")
        assert one.run("return getComputedStyle(document.querySelector('.sos-banner')).backgroundColor") != ""
        one.shot("sos-elsewhere")
        one.click("Show on the map")
        one.until(lambda: one.run("return document.querySelector('tandem-map .member.state-sos')"), "she is on the map by the shape of an alert")
        # Neither the map nor the notice of the same alert lies over it.
        assert one.run(UNCOVERED)
        one.whole_shot("sos-map")
        assert one.barriers() == []
    finally:
        other.click("End the SOS")
    one.misses("needs help.")
    other.click("Stop sharing")


def test_a_share_link_needs_no_login_and_a_path_is_replayed(browsers, call, ada, hedy, group, on_the_way):
    one, stranger = browsers
    walk(call, hedy)
    share = call("tandem.tracking.v1.JourneyShares/CreateShare", {"journeyId": on_the_way["journeyId"]}, hedy)
    stranger.driver.get(f"{stranger.url}/console/shared#{share['token']}")
    stranger.sees("is on the way")
    stranger.until(lambda: stranger.run("return document.querySelector('tandem-map .member')"), "she is on the map")
    stranger.whole_shot("shared")
    assert stranger.barriers() == []
    one.log_in(ada)
    one.open(f"journeys/{on_the_way['journeyId']}")
    one.until(lambda: one.run("return document.querySelector('path.line') && document.querySelector('tandem-plot path.drawn')"), "the way is on the map and its speed is drawn")
    one.click("Play")
    one.until(lambda: one.run("return Number(document.querySelector('input[type=range]').value) > 0"), "the replay goes on")
    one.click("Pause")
    one.whole_shot("journey")
    assert one.barriers() == []


def test_a_journey_is_planned_on_the_map(browser, call, ada, group):
    browser.log_in(ada)
    browser.stand_at(*HOME)
    browser.open(f"groups/{group['groupId']}")
    browser.click("Start a journey")
    browser.type("Destination", "1.3100, 103.8600")
    browser.set("How", "TRAVEL_MODE_CYCLING")
    browser.whole_shot("journey-plan")
    browser.click("Go")
    browser.sees("promised for")
    browser.click("Link for others")
    browser.sees("without an account")
    browser.shot("journey-link")
    browser.click("Close", "dialog button")
    browser.click("End the journey")
    browser.misses("promised for")
    browser.click("Stop sharing")


def chat_texts(browser):
    return browser.run("return [...document.querySelectorAll('tandem-chat .message:not(.notice-line) .said:not(.sender)')].map((one) => one.innerText)")


def write(browser, text):
    browser.type("Write a message", text, clear=False)
    browser.click("Send", "tandem-chat button")


def test_chat_between_two(browsers, ada, hedy, group):
    one, other = browsers
    for browser, person in zip(browsers, (ada, hedy)):
        browser.log_in(person)
        browser.open(f"groups/{group['groupId']}")
    write(one, "Are you there?")
    other.until(lambda: "Are you there?" in chat_texts(other), "the message arrives")
    other.run("document.querySelector('.composer textarea').focus()")
    other.type("Write a message", "Y", clear=False)
    one.sees("is writing")
    write(other, "es!")
    one.until(lambda: "Yes!" in chat_texts(one), "the answer arrives")
    one.until(lambda: one.run("return document.querySelector('.seen')?.innerText?.includes('seen')"), "that it was seen is shown")
    one.whole_shot("group-chat")


def test_a_picture_in_a_chat(browsers, ada, hedy, group, tmp_path):
    one, other = browsers
    for browser, person in zip(browsers, (ada, hedy)):
        browser.log_in(person)
        browser.open(f"groups/{group['groupId']}")
        browser.sees("Live")
    file = tmp_path / "view.png"
    Image.linear_gradient("L").resize((640, 400)).convert("RGB").save(file)
    chooser = one.driver.find_element("css selector", ".composer input[type=file]")
    chooser.send_keys(str(file))
    one.until(lambda: one.run(LOADED, ".to-send img"), "the chosen picture is shown")
    # It is kept over a reload, as texts are.
    one.driver.refresh()
    one.until(lambda: one.run(LOADED, ".to-send img"), "the chosen picture is still there")
    one.sees("Live")
    write(one, "From the hill")
    for browser in browsers:
        browser.until(lambda browser=browser: browser.run(LOADED, ".messages .picture img"), "the picture arrives")
        assert browser.run("return document.querySelector('.messages .picture img').alt") == f"A picture of {ada['name']}"
    assert one.run("return document.querySelector('.to-send').childElementCount") == 0
    other.whole_shot("chat-picture")
    assert other.barriers() == [] and other.too_wide() == []
    # Without a text, too; what is no picture is refused, and the rest stays.
    other.driver.find_element("css selector", ".composer input[type=file]").send_keys(str(file))
    other.until(lambda: other.run(LOADED, ".to-send img"), "the second one is chosen")
    other.click("Send", "tandem-chat button")
    one.until(lambda: one.run("return document.querySelectorAll('.messages .message:not(.pending) .picture img').length") == 2, "the second one arrives")
    other.expected = ["400"]
    (tmp_path / "broken.png").write_bytes(b"no picture")
    other.driver.find_element("css selector", ".composer input[type=file]").send_keys(str(tmp_path / "broken.png"))
    other.sees("This file is no picture that can be used")
    # The list of chats says so where there is no text.
    one.open("chats")
    one.sees("A picture")


def test_chat_opens_at_the_first_unread(browser, call, suite, ada, hedy, group):
    from sockets import WebSocket  # noqa: PLC0415

    conversation = group["groupId"]
    with WebSocket(suite, "tandem.chat.v1.Chat/Connect", origin=suite.url) as socket:
        socket.send({"authorization": f"Bearer {hedy['token']}"})
        socket.send({"open": {"conversationId": conversation}})
        for number in range(1, 61):
            socket.send({"tag": str(number), "send": {"conversationId": conversation, "clientMessageId": f"00000000-0000-4000-8000-{random.randrange(16**12):012x}", "text": f"Message {number}"}})
        stored = 0
        while stored < 60:
            stored += "sent" in socket.receive()
    messages = call("tandem.chat.v1.Chat/ListMessages", {"conversationId": conversation, "pageSize": 200}, ada)["messages"]
    tenth = next(message for message in messages if message.get("text") == "Message 10")
    call("tandem.chat.v1.Chat/MarkRead", {"conversationId": conversation, "sequence": tenth["sequence"]}, ada)
    browser.log_in(ada)
    browser.open(f"groups/{conversation}")
    browser.until(lambda: browser.run("return document.querySelector('.unread-line')"), "there is a line before the first unread message")
    assert browser.run("return document.querySelector('.unread-line').nextElementSibling.innerText").startswith(f"{hedy['name']}\nMessage 11")
    line, top, bottom = browser.run("const [a, b] = [document.querySelector('.unread-line').getBoundingClientRect(), document.querySelector('.messages').getBoundingClientRect()]; return [a.top, b.top, b.bottom]")
    assert top <= line <= bottom
    browser.whole_shot("chat-unread")
    # What was not on the screen is not read.
    assert call("tandem.chat.v1.Chat/GetConversation", {"conversationId": conversation}, ada)["unreadCount"] == 50


def test_chat_offline_loses_nothing(browsers, ada, hedy, group):
    one, other = browsers
    for browser, person in zip(browsers, (ada, hedy)):
        browser.log_in(person)
        browser.open(f"groups/{group['groupId']}")
        browser.sees("Live")
    one.expected = ["net::ERR", "WebSocket connection"]
    one.devtools("Network.enable")
    offline = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    one.devtools("Network.emulateNetworkConditions", offline=True, **offline)
    one.lose_sockets()
    write(one, "From the tunnel")
    one.sees("waiting to be sent")
    one.sees("The server cannot be reached.")
    one.shot("offline")
    write(other, "Meanwhile")
    one.devtools("Network.emulateNetworkConditions", offline=False, **offline)
    one.until(lambda: {"From the tunnel", "Meanwhile"} <= set(chat_texts(one)), "what was written meanwhile is there")
    one.misses("waiting to be sent")
    other.until(lambda: chat_texts(other).count("From the tunnel") == 1, "it arrives once")
    one.misses("The server cannot be reached.")
    assert chat_texts(one).count("From the tunnel") == 1
