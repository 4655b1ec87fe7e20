"""The pages of share links, and calendar feeds."""

import html
import re

import pytest

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


def test_a_calendar_is_sent_again_only_when_it_changed(suite, user):
    made = suite.call("tandem.matching.v1.Calendars/CreateCalendarLink", {}, token=user["token"])
    assert made.status == 200, made
    path = f"/calendar/{made.json['token']}.ics"
    answer = suite.curl(path)
    assert answer.status == 200 and answer.fields["content-type"] == "text/calendar; charset=utf-8", answer
    assert answer.body.startswith(b"BEGIN:VCALENDAR\r\n")
    again = suite.curl(path, "-H", f"if-none-match: {answer.fields['etag']}")
    assert (again.status, again.body) == (304, b"")
