"""Gyms near a person on the map, and training sessions between two."""

import datetime
import subprocess

PLACE = (1.2902, 103.8519)
# Whether the gym's pin is shown, not only there.
ON_THE_MAP = "return document.querySelector('tandem-map .pin')?.getBoundingClientRect().width > 0"


def trainees(new_user, call):
    """Two people with profiles."""
    people = [new_user("iris"), new_user("joan")]
    for person in people:
        profile = {
            "gender": "GENDER_FEMALE", "dateOfBirth": {"year": 1990, "month": 5, "day": 4}, "level": "LEVEL_ADVANCED",
            "interests": ["hiking"], "strengths": ["squat"], "timeZone": "Asia/Singapore",
        }
        options = call("tandem.identity.v1.Profiles/ListProfileOptions", {}, person)
        profile["interests"] = [options["interests"][0]["id"]]
        profile["strengths"] = [options["strengths"][0]["id"]]
        call("tandem.identity.v1.Profiles/CreateProfile", {"profile": profile}, person)
    return people


def test_gyms_near_me_and_a_session_for_two(browsers, new_user, call):
    people = trainees(new_user, call)
    one, other = browsers
    one.log_in(people[0])
    one.stand_at(1.2902, 103.8519)
    one.open("gyms")
    one.click("Near me")
    one.sees("Lion City Lifters")
    one.until(lambda: one.run("return document.querySelectorAll('tandem-map .pin').length > 1"), "gyms are on the map")
    one.whole_shot("gyms")
    assert one.barriers() == []
    one.click("Lion City Lifters", "main a")
    one.sees("Opening hours")
    one.whole_shot("gym")
    one.set("Focus", "FOCUS_CLIMBING")
    one.set("Level", "LEVEL_ADVANCED")
    one.click("Post the session")
    one.sees("Posted by")
    one.whole_shot("session-own")

    other.log_in(people[1])
    other.stand_at(1.2902, 103.8519)
    other.open("gyms?at=1.29,103.85")
    other.sees("Climbing")
    other.click("Climbing", "main a")
    other.click("Join this session")
    other.sees("You have joined.")
    other.sees("Cancel my part")
    # Told live.
    one.sees(people[1]["name"])
    other.open("sessions")
    other.sees("Climbing")
    other.whole_shot("sessions")


def passed(suite, session, minutes):
    """No test waits for half of a session: it is put into the past."""
    database = (suite.data / "secrets" / "matching_database_url").read_text().strip()
    change = f"interval '{minutes} minutes'"
    statement = (
        f"update matching.sessions set starts_at = starts_at - {change}, ends_at = ends_at - {change}, joins_end_at = null "
        f"where id = '{session}'; "
        f"update matching.participations set slot = tstzrange(lower(slot) - {change}, upper(slot) - {change}) where session_id = '{session}'"
    )
    made = subprocess.run(["psql", database, "-v", "ON_ERROR_STOP=1", "-c", statement], capture_output=True, text=True, timeout=60)
    assert made.returncode == 0 and "UPDATE 1" in made.stdout, made


def test_check_in_and_feedback(browsers, new_user, call, suite):
    people = trainees(new_user, call)
    near = call("tandem.catalog.v1.Gyms/FindNearestGyms", {"point": {"latitude": PLACE[0], "longitude": PLACE[1]}, "pageSize": 1}, people[0])
    gym = near["gyms"][0]["gym"]
    start = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=10)
    wanted = {
        "gymId": gym["gymId"], "startTime": start.isoformat(), "endTime": (start + datetime.timedelta(hours=1)).isoformat(),
        "focus": "FOCUS_YOGA", "level": "LEVEL_ADVANCED",
    }
    session = call("tandem.matching.v1.Sessions/PostSession", wanted, people[0])["sessionId"]
    call("tandem.matching.v1.Sessions/JoinSession", {"sessionId": session}, people[1])
    one, other = browsers
    for browser, person in zip(browsers, people):
        browser.log_in(person)
        browser.stand_at(gym["point"]["latitude"], gym["point"]["longitude"])
        browser.open(f"sessions/{session}")
    # Who is elsewhere is told so.
    one.expected = ["400"]
    one.stand_at(48.2, 16.37)
    one.click("Check in", "main button")
    one.until(lambda: one.run("return document.querySelector('.notice.bad')"), "why not is said")
    one.stand_at(gym["point"]["latitude"], gym["point"]["longitude"])
    one.click("Check in", "main button")
    one.sees("You are checked in.")
    one.until(lambda: one.run(ON_THE_MAP), "the gym is on the map")
    one.whole_shot("session-checked-in")
    other.click("Check in", "main button")
    other.sees("both are there")
    passed(suite, session, 45)
    one.open(f"sessions/{session}")
    one.click("Finish", "main button")
    one.set("How was it?", "5")
    one.click("motivating", "main label")
    one.type("Remarks", "See you next week")
    # What is written stays over a reload.
    one.driver.refresh()
    one.until(lambda: one.field("Remarks").get_property("value") == "See you next week", "the draft is back")
    one.whole_shot("session-feedback")
    assert one.barriers() == []
    one.click("Send", "main button")
    one.sees("Thank you.")
    one.until(lambda: not one.run("return document.querySelector('main textarea')"), "it is given once")
    other.driver.refresh()
    other.set("How was it?", "4")
    other.click("Send", "main button")
    other.sees("Thank you.")
    # Once it is over it is among the past ones.
    passed(suite, session, 60)
    other.open("sessions")
    other.misses("Yoga")
    other.click("Past", "main nav a")
    other.sees("Yoga")
    assert "tab=past" in other.driver.current_url
    other.whole_shot("sessions-past")
    other.click("Yoga", "main a")
    other.sees("Posted by")
    assert call("tandem.matching.v1.Sessions/GetMatchingProfile", {"userId": people[1]["id"]}, people[0])["meanRating"] == 5
