"""The rows of the result: what each is called, what it should reach, and how they are written and shown."""

import dataclasses
import json
import statistics


@dataclasses.dataclass(frozen=True)
class Target:
    """A row's promise. `least` bounds the ratio from below, `most` ours from above and `floor` ours from below where there is no peer; a row
    with none of them is shown for what it is."""

    key: str
    what: str
    unit: str
    least: float | None = None
    most: float | None = None
    floor: float | None = None


TARGETS = [
    Target("echo.c64.rate.grpc_swift", "unary echo, 64 callers, against grpc-swift-2", "requests/s", least=15),
    Target("echo.c64.cpu.grpc_swift", "the same, server CPU for a request", "us", least=25),
    Target("echo.c1.p50.grpc_swift", "unary echo, one caller, p50", "us", least=10),
    Target("echo.c64.rate.grpc_cpp", "unary echo, 64 callers, against gRPC C++", "requests/s", least=3),
    Target("echo.c64.cpu.grpc_cpp", "the same, server CPU for a request", "us", least=6),
    Target("echo.c1.p50.grpc_cpp", "unary echo, one caller, p50", "us", least=1.5),
    Target("echo.c64.rate.go_ttrpc", "unary echo, 64 callers, against Go ttrpc, p99 no higher", "requests/s", least=2),
    Target("profile.c64.rate.pgbench", "GetProfile, 64 callers, against pgbench", "requests/s", least=1.1),
    Target("profile.c256.rate.pgbench", "GetProfile, 256 callers, against pgbench", "requests/s", least=1.8),
    Target("profile.logins.p99_ms", "GetProfile while 200 people log in, p99, against without them", "ms", most=10),
    Target("login.c1.p50.scrypt", "one login at a time, p50, against the hash alone", "ms", least=0.9),
    Target("login.c8.rate.scrypt", "logins, 8 callers, against hashes alone on every core", "logins/s", least=0.9),
    Target("register.c8.rate.scrypt", "registrations, 8 callers, against hashes alone on every core", "calls/s"),
    Target("mail.verification.wait_ms", "from a registration until its mail is sent, behind 10,000 notices", "ms", most=1_000),
    Target("refresh.c64.rate", "refreshes of sessions, 64 callers", "calls/s"),
    Target("token.cached.p50_us", "check of an access token that was checked before, p50", "us", most=2),
    Target("token.first.p50_us", "first check of an access token, p50", "us", most=200),
    Target("select.c64.rate.pgbench", "row of 8 columns by its primary key, 64 callers", "rows/s"),
    Target("select.c256.rate.pgbench", "the same, 256 callers", "rows/s"),
    Target("upsert.c64.rate.pgbench", "durable upsert of a row, 64 callers", "writes/s", least=2.5),
    Target("codec.list.decode.swift_protobuf", "list of 100 messages, decoded", "messages/s", least=1.25),
    Target("codec.list.encode.swift_protobuf", "list of 100 messages, encoded", "messages/s", least=1.25),
    Target("codec.single.decode.swift_protobuf", "message of 189 bytes, decoded", "messages/s", least=1),
    Target("codec.single.encode.swift_protobuf", "message of 189 bytes, encoded", "messages/s", least=1),
    Target("idle.rss_mb", "resident memory of an idle service", "MiB", most=30),
    Target("start.ms", "start to ready on a migrated database", "ms", most=200),
    Target("load.books.rate", "bibliographic records that `catalog load books` loads", "records/s", floor=20_000),
    Target("search.books_10k.p99_ms", "20 rows of 10,000 books by keywords", "ms"),
    Target("search.books_1m.p99_ms", "20 rows of 1,000,000 books by keywords", "ms", most=20),
    Target("search.similar.books_10k.p99_ms", "20 rows of 10,000 books by misspelt keywords", "ms"),
    Target("search.similar.books_1m.p99_ms", "20 rows of 1,000,000 books by misspelt keywords", "ms", most=20),
    Target("book.searches.p99_ms", "GetBook while 20 others search 20 common words, p99, against without them", "ms", least=0.5),
    Target("search.books_1m.rss_mb", "resident memory of the catalog after these searches", "MiB", most=100),
    Target("load.gyms.rate", "gyms of a file that `catalog load gyms` loads into an empty catalog", "records/s", floor=20_000),
    Target("nearest.gyms_10k.p99_ms", "the 20 nearest of 10,000 gyms", "ms"),
    Target("nearest.gyms_1m.p99_ms", "the 20 nearest of 1,000,000 gyms", "ms", most=5),
    Target("search.gyms_10k.p99_ms", "20 of 10,000 gyms by keywords", "ms"),
    Target("search.gyms_1m.p99_ms", "20 of 1,000,000 gyms by keywords", "ms", most=20),
    Target("search.similar.gyms_10k.p99_ms", "20 of 10,000 gyms by misspelt keywords", "ms"),
    Target("search.similar.gyms_1m.p99_ms", "20 of 1,000,000 gyms by misspelt keywords", "ms", most=20),
    Target("gyms_1m.rss_mb", "resident memory of the catalog after these calls", "MiB", most=100),
    Target("search.exercises.p99_ms", "20 exercises of both collections by muscle, equipment and name", "ms", most=20),
    Target("search.similar.exercises.p99_ms", "the same, the name misspelt", "ms", most=20),
    Target("log.sets_10k.p99_ms", "a workout of one set, kept beside 10,000 sets", "ms"),
    Target("log.sets_1m.p99_ms", "the same, beside 1,000,000 sets", "ms"),
    Target("workouts_1m.rss_mb", "resident memory of the catalog after these calls", "MiB", most=100),
    Target("events.lag.p99", "from a change to its effect in another service, at 2,000 events/s", "ms", most=50),
    Target("events.backlog.rate", "lending's events that take effect in the catalog, of a backlog of 100,000", "events/s", floor=5_000),
    Target("loans.request.p99_ms", "a request for a book, at 1,000 calls/s of all kinds", "ms", most=15),
    Target("loans.accept.p99_ms", "its acceptance, at the same time", "ms", most=15),
    Target("loans.scan.p99_ms", "scans of both at handover and return, at the same time", "ms", most=15),
    Target("loans.list.p99_ms", "a page of somebody's 10,000 requests", "ms", most=10),
    Target("loans.steps.rate", "steps of loans that lending answers while 2,100/s are asked for", "steps/s", floor=2_000),
    Target("loans.catalog_lag.p99_ms", "age of the oldest step that the catalog does not show yet, at 2,000 steps/s", "ms", most=1_000),
    Target("browse.sessions_10k.p99_ms", "a page of 10,000 future sessions, any filter, against 50 rows by plain SQL", "ms"),
    Target("browse.sessions_1m.p99_ms", "a page of 1,000,000 future sessions, any filter, against 50 rows by plain SQL", "ms", most=20),
    Target("browse.sessions_growth", "p99 among 1,000,000 for that among 10,000; the logarithm grows by 1.5", "times", most=1.5),
    Target("join.race_500.ms", "until 500 who join one session are answered, against plain SQL", "ms", most=1_000),
    Target("join.rate", "joins of different sessions, 16 callers, all on two cores, against plain SQL", "joins/s", floor=1_000),
    Target("join.p99_ms", "the same, p99", "ms", most=30),
    Target("judge.sessions_100k.s", "100,000 sessions of one start are judged, against plain SQL", "s", most=60),
    Target("health.rate", "an export of Apple Health of 2 GB by the confined reader, against healthkit-to-sqlite (PyPI)", "MB/s", floor=30),
    Target("health.upload.rate", "the same uploaded at 35 MB/s and stored", "MB/s", floor=30),
    Target("health.memory_mb", "the most that the service and the reader took together meanwhile", "MiB", most=200),
    Target("takeout.s", "until 3,000 outings of an hour at 1 Hz, FIT and GPX in an archive, are stored by one upload", "s", most=600),
    Target("takeout.memory_mb", "the most that the service and the reader took together meanwhile", "MiB", most=200),
    Target("fit.rate", "a FIT file by the confined reader, with its start and end", "MB/s", floor=50),
    Target("fit.rate.fitdecode", "the same, against fitdecode (PyPI)", "MB/s", least=20),
    Target("gpx.rate.gpxpy", "a GPX file by the confined reader, against gpxpy (PyPI)", "MB/s", least=20),
    Target("provider.activities_1000.s", "1,000 activities with tracks from a provider, against the requests alone", "s", most=20),
    Target("summaries.10y.p99_ms", "summaries of ten years by month, week or day, against plain SQL", "ms", most=20),
    Target("location.c64.rate.pgbench", "durable location updates, fan-out included, 64 callers, against pgbench's upsert",
           "updates/s", least=2),
    Target("location.half.rate", "durable updates of 10,000 users in groups of 5, all of whom watch, of 2,500/s", "updates/s"),
    Target("location.half.p99_ms", "from an update to all its viewers, at that load", "ms", most=20),
    Target("location.full.rate", "the same, of 5,000/s", "updates/s", floor=5_000),
    Target("location.full.p99_ms", "from an update to all its viewers, at that load", "ms", most=50),
    Target("watch.v1000.p99_ms", "from an update to all of its 1,000 viewers", "ms", most=20),
    Target("watch.idle_10k.rss_mb", "resident memory of tracking with 10,000 idle watchers", "MiB", most=600),
    Target("sweep.trackers_200k.longest_ms", "longest statement of a sweep of old positions of 200,000 users in 30 partitions", "ms",
           most=10_000),
    Target("sweep.trackers_200k.s", "the whole sweep, 600,000 positions", "s"),
    Target("replay.accepted.rate", "positions of 100 recorded tracks, played by `tandem replay`, that are taken", "positions/s"),
    Target("replay.refused.rate", "those that are not, at the same time, by the faults of the recordings", "positions/s"),
    Target("storm.watch.s", "until 10,000 users who watch a group of 10 at once have its members", "s", most=10),
    Target("storm.watch.calls", "p99 of another user's calls meanwhile, for that before", "times", most=2),
    Target("storm.chat.s", "until 10,000 users who connect to the chat at once have their conversation", "s", most=10),
    Target("storm.chat.calls", "p99 of another user's calls meanwhile, for that before", "times", most=2),
    Target("chat.rate", "messages of 3,000 users in groups of 10, all of whom are connected, of 3,000/s", "messages/s", floor=3_000),
    Target("chat.p99_ms", "from a message to all members, at that load", "ms", most=50),
    Target("gateway.json.c64.per_cpu.envoy", "JSON over HTTP/1.1, 64 callers, for a CPU second of the proxy, against Envoy's transcoder, p99 no higher",
           "requests", least=1.5),
    Target("gateway.grpc.c64.per_cpu.envoy", "gRPC, 64 callers, for a CPU second of the proxy, against Envoy", "requests", least=1),
    Target("gateway.grpc.c64.per_cpu.grpc_swift", "the same against a server of grpc-swift-2 itself", "requests", least=3),
    Target("gateway.json.read.us", "message of 189 bytes from JSON to protobuf, against SwiftProtobuf", "us", most=3),
    Target("gateway.json.write.us", "the same from protobuf to JSON", "us", most=3),
    Target("gateway.watch.v1000.p99_ms", "from a position by HTTP to all of 1,000 viewers at WebSockets", "ms", most=30),
    Target("gateway.json.c1.p50.envoy", "JSON, one caller, p50 through the proxy", "us", least=1),
    Target("gateway.idle.rss_mb", "resident memory of an idle gateway", "MiB", most=40),
    Target("gateway.start.ms", "start to ready of a gateway", "ms", most=200),
    Target("stream.down.rate.grpc_swift", "messages of one stream from the server", "messages/s"),
    Target("stream.down.cpu.grpc_swift", "the same, server CPU for a message", "us"),
    Target("stream.up.rate.grpc_swift", "messages of one stream to the server", "messages/s"),
    Target("stream.up.cpu.grpc_swift", "the same, server CPU for a message", "us"),
    Target("stream.fanout.rate.grpc_swift", "messages from the server on 1,000 streams of a connection", "messages/s"),
    Target("stream.fanout.cpu.grpc_swift", "the same, server CPU for a message", "us"),
    Target("echo.c64.rate.tls", "unary echo over TLS, 64 callers, against plaintext", "requests/s"),
    Target("echo.c64.cpu.tls", "the same, server CPU for a request", "us"),
    Target("idle.kb_per_connection", "memory of one of 10,000 idle connections, against grpc-swift-2", "KiB"),
]
BY_KEY = {target.key: target for target in TARGETS}


@dataclasses.dataclass(frozen=True)
class Row:
    """One measured row. `note` is a condition beside the ratio; `fulfilled` whether it holds."""

    key: str
    ours: float
    peer: float | None = None
    ratio: float | None = None
    note: str = ""
    fulfilled: bool = True

    @property
    def target(self):
        return BY_KEY[self.key]

    @property
    def reached(self):
        target = self.target
        if target.least is not None:
            return self.ratio is not None and self.ratio >= target.least and self.fulfilled
        if target.floor is not None:
            return self.ours >= target.floor
        return target.most is None or (self.ours <= target.most and self.fulfilled)

    @property
    def goal(self):
        """The promise in short; empty where nothing is promised."""
        target = self.target
        if target.least is not None:
            return f">= {target.least:g}"
        if target.floor is not None:
            return f">= {target.floor:g}"
        return f"<= {target.most:g}" if target.most is not None else ""

    @property
    def verdict(self):
        """Whether the promise is kept, and the condition beside it."""
        kept = "" if not self.goal else "reached" if self.reached else "MISSED"
        return kept + (f" ({self.note})" if self.note else "")


def more_is_better(key, ours, peer, **extra):
    """A row of two lists of figures, one for each round, whose medians are compared; more is better."""
    ours, peer = statistics.median(ours), statistics.median(peer)
    return Row(key, ours, peer, ours / peer if peer else None, **extra)


def less_is_better(key, ours, peer, **extra):
    """The same where less is better: the ratio still grows with how good ours is. `peer` is None where there is none."""
    ours = statistics.median(ours)
    if peer is None:
        return Row(key, ours)
    peer = statistics.median(peer)
    return Row(key, ours, peer, peer / ours if ours else None, **extra)


def absolute(key, values, **extra):
    """A row that has no peer."""
    return Row(key, statistics.median(values), **extra)


def write(path, rows):
    """results.json, in the order of the targets."""
    rows = sorted(rows, key=lambda row: TARGETS.index(row.target))
    listed = [
        {"key": row.key, "ours": row.ours, "peer": row.peer, "ratio": row.ratio, "unit": row.target.unit}
        for row in rows
    ]
    path.write_text(json.dumps(listed, indent=2) + "\n", encoding="utf-8")


def figure(value):
    """A number as a person reads it: 123,456 or 12.3 or 0.45."""
    if value is None:
        return "-"
    if abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def table(rows, width=35):
    """The rows beside their targets."""
    lines = [f"{'key':<{width}} {'ours':>12} {'peer':>12} {'unit':<11} {'ratio':>7} {'target':>8}  verdict"]
    for row in sorted(rows, key=lambda row: TARGETS.index(row.target)):
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
        lines.append(
            f"{row.key:<{width}} {figure(row.ours):>12} {figure(row.peer):>12} {row.target.unit:<11} {ratio:>7} "
            f"{row.goal:>8}  {row.verdict}".rstrip())
    return "\n".join(lines)
