"""Recorded tracks, played as users on their way by `tandem replay`, many times as fast as they were recorded.

They are real ones of ../shared/data/tracks, with their gaps, jumps and backward clocks, or without that folder a winding way of our own.
The recordings set the pace: the rows show whether tracking keeps up with it."""

import json
import os
import time

from harness import build, rows, trackfiles
from harness.live import live
from harness.processes import Failed, run, say
from harness.suite import DATABASE

USERS = 100  # one for each track: what is in TANDEM_TOKEN has to fit into the environment
GROUP = 5
SPEED = 10_000  # the longest track lasts three seconds
MAX_PAUSE = 60
TRACKS = build.ROOT.parent / "shared" / "data" / "tracks"
PLAYED = (
    "gpx-phpgpx/endomondo.gpx", "gpx-tcx-togeojson/blue_hills.gpx", "gpx-gpxpy/korita-zbevnica.gpx",
    "gpx-gpxpy/cerknicko-jezero.gpx", "gpx-tcx-togeojson/run.gpx", "gpx-tcx-togeojson/osm.gpx",
    "gpx-tcx-togeojson/multitrackgpx.gpx", "gpx-gpxpy/around-visnjan-with-car.gpx")
POINTS = 3_000  # of the way of our own

# Tracks of the last 24 hours are played, with the distances in time that they have: their users share since before.
SHARING = "update tracking.memberships set shared_since = now() - interval '2 days' where shared_since is not null"
# Where the users of the round before were.
FORGET = "delete from tracking.trackers; insert into tracking.trackers (user_id) select id from identity.accounts"
LASTED = "select extract(epoch from max(changed_at) - min(changed_at)) from tracking.group_changes where changed_at >= '{since}'"


def measure(tools, plan, logs):
    """The rows; none where the programs are not there."""
    if not all(tools[name] for name in ("identity", "tracking", "tandem", "activity-file-reader", "load")):
        return []
    with live(tools, logs) as service:
        groups = json.loads(service.groups(USERS // GROUP, GROUP).read_text(encoding="utf-8"))["groups"]
        service.cluster.sql(SHARING, DATABASE)
        tokens = [token for group in groups for token in group["members"]]
        files = _files(service.suite.folder)
        seen = [_round(service, tools["tandem"], tokens, files, number, plan.rounds) for number in range(1, plan.rounds + 1)]
    return [
        rows.absolute("replay.accepted.rate", [one[0] for one in seen]),
        rows.absolute("replay.refused.rate", [one[1] for one in seen])]


def _files(folder):
    """The track of each user."""
    real = [TRACKS / name for name in PLAYED if (TRACKS / name).exists()]
    if not real:
        own = folder / "way.gpx"
        trackfiles.gpx(own, POINTS)
        real = [own]
    return [real[number % len(real)] for number in range(USERS)]


def _round(service, tandem, tokens, files, number, rounds):
    """Positions a second that are accepted, and those that are not, from the first that is stored to the last."""
    service.cluster.sql(FORGET, DATABASE)
    since = service.cluster.sql("select clock_timestamp()", DATABASE).strip()
    began = time.monotonic()
    told = run(
        [tandem, "replay", *files, "--speed", SPEED, "--times", "recorded", "--max-pause", MAX_PAUSE, "-o", "json", "--address",
         service.suite.addresses["tracking"], "--ca", service.suite.folder / "ca.crt"],
        env=os.environ | {"TANDEM_TOKEN": " ".join(tokens)}, timeout=180)
    passed = time.monotonic() - began
    users = [json.loads(line) for line in told.splitlines()]
    if len(users) != USERS or any(user["sent"] != user["planned"] for user in users):
        raise Failed(f"{sum(user['sent'] for user in users)} positions of {len(users)} users were sent")
    lasted = float(service.cluster.sql(LASTED.format(since=since), DATABASE))
    accepted, refused = sum(user["accepted"] for user in users), {}
    for user in users:
        for reason, count in user["refused"].items():
            refused[reason] = refused.get(reason, 0) + count
    reasons = "".join(f", {count:,} {reason}" for reason, count in sorted(refused.items()))
    say(f"replay, round {number} of {rounds}, {USERS} users: {accepted:,} accepted{reasons} in {lasted:.1f} s; "
        f"{passed:.1f} s with reading the files")
    return accepted / lasted, sum(refused.values()) / lasted
