"""Reads an iCalendar object from standard input as calendar programs do, and prints its events, a JSON object a line."""

import json
import sys

from icalendar import Calendar

calendar = Calendar.from_ical(sys.stdin.buffer.read())
assert calendar["VERSION"] == "2.0" and calendar["PRODID"], "the required properties"
assert not calendar.errors, calendar.errors
for event in calendar.walk("VEVENT"):
    assert not event.errors, event.errors
    assert event["DTSTAMP"].dt.tzinfo is not None, "a time in UTC"
    print(json.dumps({
        "uid": str(event["UID"]),
        "start": event["DTSTART"].dt.isoformat(),
        "end": event["DTEND"].dt.isoformat(),
        "summary": str(event["SUMMARY"]),
        "location": str(event.get("LOCATION", "")),
        "status": str(event["STATUS"]),
    }, sort_keys=True))
