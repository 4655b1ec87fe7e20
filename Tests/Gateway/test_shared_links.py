"""The pages of share links, and calendar feeds."""

import html
import io
import random
import re
import time

import pytest
from PIL import Image

KINDS = ["book", "workout", "activity", "session", "journey"]


@pytest.mark.parametrize("path", [f"/share/{kind}/unknown-token" for kind in KINDS] + ["/calendar/unknown-token.ics"])
def test_an_unknown_link_is_not_found(suite, path):
    answer = suite.curl(path)
    assert answer.status == 404 and answer.fields["content-type"] == "text/html; charset=utf-8", answer
    assert b'role="alert"' in answer.body
    assert answer.fields["cache-control"] == "private, no-store" and answer.fields["referrer-policy"] == "no-referrer"
    assert suite.curl(path, "-X", "POST", "-d", "x").status == 405


@pytest.mark.parametrize("path", ["/share/book/", "/share/other/abc", "/share/book/a%2Fb", "/calendar/abc", "/share"])
def test_other_paths_are_no_pages(suite, path):
    assert suite.curl(path).json["code"] == "unimplemented"


@pytest.fixture(scope="module")
def workout(suite, user):
    made = suite.call(
        "tandem.catalog.v1.Workouts/CreateWorkout", {"workout": {"name": "Legs <b>&\"", "description": "On Mondays", "muscleGroups": ["LEGS"]}}, token=user["token"]
    )
    assert made.status == 200, made
    shared = suite.call(
        "tandem.catalog.v1.Workouts/ShareWorkout", {"workoutId": made.json["workoutId"]}, token=user["token"]
    )
    assert shared.status == 200, shared
    return shared.json["token"]


def test_a_shared_workout_has_a_page_and_a_preview(suite, workout):
    answer = suite.curl(f"/share/workout/{workout}")
    assert answer.status == 200, answer
    text = answer.body.decode()
    titles = re.findall(r'<meta property="og:title" content="([^"]+)">', text)
    assert len(titles) == 1 and 'Legs <b>&"' in html.unescape(titles[0])
    assert "<b>" not in text and "On Mondays" in text
    assert f'content="{suite.url}/share/workout/{workout}"' in text
    assert suite.curl(f"/share/workout/{workout}/picture").status == 404
    assert suite.curl(f"/share/book/{workout}").status == 404


def shared_book(suite, user):
    book = {"title": "Dune", "authors": ["Frank Herbert"], "isbn": "9780441172719", "language": "en"}
    made = suite.call("tandem.catalog.v1.Books/AddBook", {"book": book, "titleConfirmed": True}, token=user["token"])
    assert made.status == 200, made
    shared = suite.call("tandem.catalog.v1.Books/ShareBook", {"bookId": made.json["bookId"]}, token=user["token"])
    assert shared.status == 200, shared
    return made.json["bookId"], shared.json


def shared_journey(suite, user):
    """A journey that one group may see: its token."""
    group = suite.call("tandem.identity.v1.Groups/CreateGroup", {"group": {"name": "Walkers"}}, token=user["token"])
    assert group.status == 200, group
    known = {"groupIds": [group.json["groupId"]]}
    end = time.monotonic() + 30
    while not suite.call("tandem.tracking.v1.Locations/GetMembers", known, token=user["token"]).json.get("groups", [{}])[0].get("members"):
        assert time.monotonic() < end, "tracking does not know the group"
        # Tracking learns of groups by events, and nothing tells that one has arrived: it is asked again.
        time.sleep(0.05)
    arrival = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
    begun = {"groupIds": [group.json["groupId"]], "destination": {"latitude": 1.32, "longitude": 103.88}, "arrivalTime": arrival, "mode": "TRAVEL_MODE_WALKING"}
    sharing = suite.call("tandem.tracking.v1.Locations/StartSharing", {"groupIds": begun["groupIds"]}, token=user["token"])
    assert sharing.status == 200, sharing
    journey = suite.call("tandem.tracking.v1.Journeys/StartJourney", begun, token=user["token"])
    assert journey.status == 200, journey
    share = suite.call("tandem.tracking.v1.JourneyShares/CreateShare", {"journeyId": journey.json["journeyId"]}, token=user["token"])
    assert share.status == 200, share
    return share.json["token"]


def preview(suite, path):
    """What a messenger finds: the properties, and the picture with its fields."""
    page = suite.curl(path, "-A", "WhatsApp/2")
    assert page.status == 200, page
    found = {name: html.unescape(value) for name, value in re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page.body.decode())}
    # The address is a whole one: messengers know no other.
    assert found["og:image"].startswith(suite.url + "/"), found
    picture = suite.curl(found["og:image"].removeprefix(suite.url))
    assert picture.status == 200, picture
    return found, picture


@pytest.mark.parametrize("kind", ["book", "workout", "journey"])
def test_a_preview_has_a_title_a_text_and_a_picture(suite, new_user, workout, kind):
    """[GATE-6] The picture of what has none of its own is a card, which shows nothing of what is shared."""
    person = new_user("sharer")
    make = {"book": lambda: shared_book(suite, person)[1]["token"], "workout": lambda: workout, "journey": lambda: shared_journey(suite, person)}
    token = make[kind]()
    found, picture = preview(suite, f"/share/{kind}/{token}")
    assert found["og:title"] and found["og:description"] and found["og:url"] == f"{suite.url}/share/{kind}/{token}"
    image = Image.open(io.BytesIO(picture.body))
    assert (image.format, image.size) == ("PNG", (1200, 630)) and picture.fields["content-type"] == "image/png"
    assert (found["og:image:width"], found["og:image:height"], found["og:image:type"]) == ("1200", "630", "image/png")
    assert picture.fields["cache-control"] == "public, max-age=31536000, immutable"
    assert len(picture.body) < 20_000 and len(image.convert("RGB").getcolors(1 << 20)) > 1
    assert token not in found["og:image"], "the card of one link is that of all"
    assert suite.curl(f"/share/{kind}/{token}/picture").status == 404


def test_the_preview_of_a_book_has_its_cover(suite, new_user, tmp_path):
    """[GATE-6] It goes with the link."""
    person = new_user("sharer")
    book, shared = shared_book(suite, person)
    token = shared["token"]
    cover = io.BytesIO()
    Image.frombytes("RGB", (60, 90), random.Random(1).randbytes(60 * 90 * 3)).save(cover, "PNG")
    file = tmp_path / "cover.png"
    file.write_bytes(cover.getvalue())
    put = ("-X", "POST", "--data-binary", f"@{file}", "-H", "content-type: image/png", "-H", f"authorization: Bearer {person['token']}")
    assert suite.curl(f"/pictures/book/{book}", *put).status == 201
    found, picture = preview(suite, f"/share/book/{token}")
    assert found["og:image"] == f"{suite.url}/share/book/{token}/picture"
    Image.open(io.BytesIO(picture.body)).verify()
    path = found["og:image"].removeprefix(suite.url)
    assert suite.curl(path, "-H", f"if-none-match: {picture.fields['etag']}").status == 304
    ended = suite.call("tandem.catalog.v1.Books/RevokeBookShare", {"shareId": shared["share"]["shareId"]}, token=person["token"])
    assert ended.status == 200, ended
    assert suite.curl(path).status == 404 and suite.curl(f"/share/book/{token}").status == 404


def test_cards_have_one_address(suite):
    """[GATE-6]"""
    for path in ("/pages/card/journey.png", "/pages/card/journey-0.png", "/pages/card/"):
        assert suite.curl(path).json["code"] == "unimplemented"


def test_a_calendar_is_sent_again_only_when_it_changed(suite, user):
    made = suite.call("tandem.matching.v1.Calendars/CreateCalendarLink", {}, token=user["token"])
    assert made.status == 200, made
    path = f"/calendar/{made.json['token']}.ics"
    answer = suite.curl(path)
    assert answer.status == 200 and answer.fields["content-type"] == "text/calendar; charset=utf-8", answer
    assert answer.body.startswith(b"BEGIN:VCALENDAR\r\n")
    again = suite.curl(path, "-H", f"if-none-match: {answer.fields['etag']}")
    assert (again.status, again.body) == (304, b"")
