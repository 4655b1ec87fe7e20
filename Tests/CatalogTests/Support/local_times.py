"""Prints local times around every change of clocks from 2026 to 2035 in every zone, each with its instant by Python's zoneinfo:

    zone <tab> minutes of the local time since 1970 <tab> seconds of the instant since 1970

A local time that occurs twice is the first of both; for one that is skipped it is the moment after the gap.
"""

import datetime
import sys
import zoneinfo

UTC = datetime.timezone.utc
DAY = 86_400
BEGIN = int(datetime.datetime(2026, 1, 1, tzinfo=UTC).timestamp())
END = int(datetime.datetime(2036, 1, 1, tzinfo=UTC).timestamp())


def offset(zone, moment):
    """Seconds ahead of UTC."""
    return int(datetime.datetime.fromtimestamp(moment, zone).utcoffset().total_seconds())


def changes(zone):
    """The moments at which the clocks change, with the offsets before and after."""
    before = offset(zone, BEGIN)
    for day in range(BEGIN + DAY, END, DAY):
        after = offset(zone, day)
        if after == before:
            continue
        low, high = day - DAY, day
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
        yield high, before, after
        before = after


def instant(zone, local, change, offsets):
    """The instant of a local time, in seconds, near a change of clocks."""
    shown = [local - ahead for ahead in offsets if offset(zone, local - ahead) == ahead]
    return min(shown) if shown else change


def main():
    lines = []
    for name in sorted(zoneinfo.available_timezones()):
        zone = zoneinfo.ZoneInfo(name)
        for change, before, after in changes(zone):
            first, last = change + min(before, after), change + max(before, after)
            locals_ = set(range(first - 3_600, last + 3_601, 900)) | {first - 60, first + 60, last - 60, last + 60}
            lines += [
                f"{name}\t{local // 60}\t{instant(zone, local, change, (before, after))}\n" for local in sorted(locals_)
            ]
    sys.stdout.write("".join(lines))


main()
