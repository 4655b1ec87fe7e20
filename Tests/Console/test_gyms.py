"""Gyms near a person on the map, and training sessions between two."""


def test_gyms_near_me_and_a_session_for_two(browsers, new_user, call):
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
