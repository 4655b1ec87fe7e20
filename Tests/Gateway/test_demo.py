"""The demonstration: people who are made by the calls that anybody makes, once however often it is asked for, and made anew."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest
from conftest import programs
from test_operators import Operator, new_token

NAMES = ["ada_demo", "hedy_demo", "grace_demo", "alan_demo", "mary_demo"]


class Person:
    def __init__(self, suite, name, password):
        self.suite = suite
        login = suite.call("tandem.identity.v1.Accounts/Login", {"emailOrUsername": name, "password": password})
        assert login.status == 200, login
        self.id, self.token = login.json["userId"], login.json["accessToken"]

    def read(self, method, request=None):
        answer = self.suite.call(method, request or {}, token=self.token)
        assert answer.status == 200, answer
        return answer.json


def read_all(suite, password):
    """What the people have, without ids and times."""
    people = {name: Person(suite, name, password) for name in NAMES}
    ada, alan, mary = (people[name] for name in ("ada_demo", "alan_demo", "mary_demo"))
    groups = ada.read("tandem.identity.v1.Groups/ListGroups")["groups"]
    members = ada.read("tandem.identity.v1.Groups/ListGroupMembers", {"groupId": groups[0]["groupId"]})["members"]
    conversations = alan.read("tandem.chat.v1.Chat/ListConversations")["conversations"]
    messages = alan.read(
        "tandem.chat.v1.Chat/ListMessages", {"conversationId": conversations[0]["conversationId"], "pageSize": 50}
    )["messages"]
    books = {
        name: [book["title"] for book in person.read("tandem.catalog.v1.Books/ListMyBooks").get("books", [])]
        for name, person in people.items()
    }
    return {
        "group": [group["name"] for group in groups],
        "members": sorted(member["username"] for member in members),
        "texts": [message["text"] for message in messages if "notice" not in message],
        "books": {name: sorted(titles) for name, titles in books.items()},
        "lent": len(alan.read("tandem.lending.v1.Loans/ListLentBooks").get("loans", [])),
        "sessions": len(alan.read("tandem.matching.v1.Sessions/ListMySessions").get("sessions", [])),
        "joined": len(mary.read("tandem.matching.v1.Sessions/ListMySessions").get("sessions", [])),
        "activities": len(ada.read("tandem.importer.v1.Activities/ListActivities").get("activities", [])),
    }


@pytest.fixture(scope="module")
def seeded(suite):
    return json.loads(suite.tandem("demo", "seed", "-o", "json"))


def test_34_4_the_people_and_what_they_have(suite, seeded):
    assert seeded["people"] == NAMES
    found = read_all(suite, seeded["password"])
    assert found["group"] == ["Weekend walkers"] and found["members"] == sorted(NAMES)
    assert len(found["texts"]) == 6 and sum(map(len, found["books"].values())) == 5
    assert found["books"]["alan_demo"] == ["Brave New World", "Dune"]
    assert found["lent"] >= 1 and found["sessions"] >= 1 and found["joined"] == 1 and found["activities"] == 3, found


def test_34_4_covers_and_portraits_are_pictures(suite, seeded):
    alan = Person(suite, "alan_demo", seeded["password"])
    for book in alan.read("tandem.catalog.v1.Books/ListMyBooks")["books"]:
        photos = alan.read("tandem.catalog.v1.Books/ListBookPhotos", {"bookId": book["bookId"]})["photos"]
        path = f"/pictures/book/{book['bookId']}/{photos[0]['photoId']}"
        answer = suite.curl(path, "-H", f"authorization: Bearer {alan.token}")
        assert answer.status == 200 and answer.fields["content-type"].startswith("image/"), answer
    portrait = suite.curl("/pictures/profile/ada_demo", "-H", f"authorization: Bearer {alan.token}")
    assert portrait.status == 200 and portrait.fields["content-type"].startswith("image/"), portrait


def test_34_4_an_activity_has_heart_rate_and_height(suite, seeded):
    ada = Person(suite, "ada_demo", seeded["password"])
    activity = ada.read("tandem.importer.v1.Activities/ListActivities")["activities"][0]
    whole = ada.read("tandem.importer.v1.Activities/GetActivity", {"activityId": activity["activityId"]})
    text = json.dumps(whole)
    assert "heartRate" in text and "distanceM" in text, text[:500]


def test_34_4_seeding_again_changes_nothing(suite, seeded):
    before = read_all(suite, seeded["password"])
    suite.tandem("demo", "seed")
    assert read_all(suite, seeded["password"]) == before


def positions(person, group):
    members = person.read("tandem.tracking.v1.Locations/GetMembers", {"groupIds": [group]})["groups"][0].get("members", [])
    return {
        member["username"]: (member["position"]["latitude"], member["position"]["longitude"])
        for member in members if "position" in member
    }


@contextlib.contextmanager
def on_their_way(suite, *tracks):
    """The demonstration's walkers, with recordings of their own or with these; ended by force, as a crash ends them."""
    named = [part for track in tracks for part in ("--track", track)]
    walk = subprocess.Popen(
        [programs() / "tandem", "demo", "run", "--home", suite.home, *named],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )
    try:
        yield walk
    finally:
        os.killpg(walk.pid, signal.SIGKILL)
        walk.wait()


def test_34_4_three_of_them_walk_and_one_is_on_a_journey(suite, seeded):
    mary = Person(suite, "mary_demo", seeded["password"])
    group = mary.read("tandem.identity.v1.Groups/ListGroups")["groups"][0]["groupId"]
    with on_their_way(suite) as walk:
        end = time.monotonic() + 60
        first = {}
        while True:
            now = positions(mary, group)
            first = {**now, **first}
            if len(first) == 3 and all(now.get(name) != place for name, place in first.items()):
                break
            assert walk.poll() is None and time.monotonic() < end, (first, now)
            # Positions are asked for, as nothing tells a caller without a stream of one that came; they come each five seconds.
            time.sleep(0.5)
        assert sorted(first) == sorted(NAMES[:3])
        seen = json.dumps(mary.read("tandem.tracking.v1.Locations/GetMembers", {"groupIds": [group]}))
        assert "destination" in seen or "journey" in seen, seen


REAL = pathlib.Path(__file__).resolve().parents[3] / "shared/data/tracks/gpx-tcx-togeojson/run.gpx"


def test_34_4_a_recording_is_replayed_where_it_is_named(suite, seeded, tmp_path):
    """A real one, where the public data sets are beside the project's folder."""
    recording = REAL if REAL.exists() else tmp_path / "walk.gpx"
    if recording != REAL:
        points = "".join(f'<trkpt lat="{48 + at / 9_000}" lon="2.5"><time>2026-01-01T00:00:{at:02}Z</time></trkpt>' for at in range(60))
        recording.write_text(f'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>')
    points = re.findall(r"<trkpt ([^>]+)>", recording.read_text())
    places = {tuple(round(float(re.search(f'{name}="([^"]+)"', point)[1]), 5) for name in ("lat", "lon")) for point in points}
    mary = Person(suite, "mary_demo", seeded["password"])
    group = mary.read("tandem.identity.v1.Groups/ListGroups")["groups"][0]["groupId"]
    with on_their_way(suite, recording) as walk:
        end = time.monotonic() + 60
        seen = set()
        while len(seen) < 2:
            place = positions(mary, group).get("ada_demo")
            if place and (found := (round(place[0], 5), round(place[1], 5))) in places:
                seen.add(found)
            assert walk.poll() is None and time.monotonic() < end, (place, seen)
            # Positions are asked for, as nothing tells a caller without a stream of one that came; they come each five seconds.
            time.sleep(0.5)


def test_34_4_it_is_made_anew_in_one_click(suite, seeded, tmp_path):
    before = read_all(suite, seeded["password"])
    ada = Person(suite, "ada_demo", seeded["password"])
    book = {"book": {"title": "A book of a visitor", "authors": ["A visitor"], "isbn": "978-0-261-10357-3"}}
    ada.read("tandem.catalog.v1.Books/AddBook", book)
    with suite.another(tmp_path, operator_listen="127.0.0.1:0", operator_demo="true"):
        log = next(tmp_path.glob("gateway-*.log")).read_text()
        address = log.partition("operators=")[2].split()[0].strip('"')
        desk = Operator(type(suite.desk)(suite.authority, address))
        assert desk.enter(new_token(suite)).status == 200
        assert desk.read("about") == {"commands": True, "demo": True}
        answer = desk.post("/desk/demo/reset", {}, "--max-time", "90")
        assert answer.status == 200 and answer.json["people"] == NAMES, answer
    assert read_all(suite, seeded["password"]) == before
    assert Person(suite, "ada_demo", seeded["password"]).id != ada.id


def test_34_4_without_a_demonstration_there_is_nothing_to_make_anew(suite):
    desk = Operator(suite.desk)
    desk.enter(new_token(suite))
    assert desk.read("about") == {"commands": True, "demo": False}
    assert desk.post("/desk/demo/reset", {}).status == 404
