"""A million gyms made of real ones: how long it takes to find the nearest and to search them, how fast they are loaded, what the service holds.

They have the names, streets and opening hours of OpenStreetMap's gyms in ../shared/data/gyms, or without that folder of the project's own
sample, in made-up towns all over the Earth.
"""

import json
import math
import pathlib
import random
import shutil
import tempfile
import time

from harness import build, database, rows
from harness.processes import run, say
from harness.suite import DATABASE, Suite, plan_of

SERVICES = ("identity", "catalog")
SIZES = {"10k": 10_000, "1m": 1_000_000}
TOWNS = 5_000
QUERIES = 400
CALLERS = 2
REAL = build.ROOT.parent / "shared" / "data" / "gyms" / "sg-gyms-osm.geojson"
SAMPLE = build.ROOT / "Services" / "Catalog" / "Samples" / "gyms.geojson"
ZONES = ("Asia/Singapore", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Fiji", "Africa/Lagos")
HOURS = ("08:00-21:00", "Mo-Su 10:00-22:00", "24/7", "Mo-Fr 06:00-22:00; Sa,Su 08:00-20:00; PH off; Dec 25 off", "", "")

HERE = "extensions.cube(array[-0.2395, 0.9706, 0.0226]::double precision[])"
NEAREST = f"""
select id, place operator(extensions.<->) {HERE} from gyms
order by place operator(extensions.<->) {HERE} fetch first 21 rows with ties
"""
SEARCH = "select count(*) from gyms_with_words(array[{0}], array[{0}], array['none'], 500)"


def measure(tools, plan, logs):
    """The rows, and the plans of the questions; none where something is missing."""
    if not (tools["identity"] and tools["catalog"] and tools["load"] and tools["interop"]):
        say("gyms: left out, it needs the Go client")
        return [], ""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-bench-"))
    try:
        with database.cluster() as cluster:
            suite = Suite(tools, cluster, folder, logs, SERVICES)
            suite.provide()
            gyms = Gyms(suite)
            found = []
            for name, size in SIZES.items():
                rate = gyms.load(size)
                if size == max(SIZES.values()):
                    found.append(rows.absolute("load.gyms.rate", [rate]))
                found += gyms.questions(name, size, plan)
            return found, gyms.plans()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Gyms:
    """The catalog of a suite, with gyms in made-up towns."""

    def __init__(self, suite):
        self.suite = suite
        self.cluster = suite.cluster
        self.town_names = towns()

    def load(self, size):
        """Gyms that `catalog load gyms` loads in a second, into an empty catalog."""
        path = self.suite.folder / "gyms.geojson"
        write(path, size, self.town_names)
        self.cluster.sql("truncate catalog.gyms, catalog.gym_words cascade", DATABASE)
        begun = time.monotonic()
        said = run([self.suite.tools["catalog"], "load", "gyms", path, "--database-url", self.suite.url("catalog")])
        took = time.monotonic() - begun
        path.unlink()
        say(f"gyms: {said.strip()} in {took:.1f} s, {size / took:,.0f}/s")
        self.cluster.sql("vacuum catalog.gyms, catalog.gym_words", DATABASE)
        return size / took

    def questions(self, name, size, plan):
        """The rows of one size."""
        found = []
        with self.suite.serving("identity"):
            newcomer = self.suite.newcomer(f"visitor_{name}")
            with self.suite.serving("catalog") as catalog:
                for kind, (what, texts) in queries(self.town_names).items():
                    seen = self.suite.ask(what, catalog, "catalog", newcomer, texts, plan, CALLERS)
                    say(f"gyms, {size:,}, {kind}: p50 {seen['p50_us'] / 1000:.2f} ms, p99 {seen['p99_us'] / 1000:.2f} ms")
                    found.append(rows.absolute(f"{kind}.gyms_{name}.p99_ms", [seen["p99_us"] / 1000]))
                if size == max(SIZES.values()):
                    found.append(rows.absolute("gyms_1m.rss_mb", [catalog.rss_mb()]))
        return found

    def plans(self):
        """How the database finds the nearest, and searches a rare word beside a common one, and common words."""
        town = self.town_names[17][0].lower()
        asked = {
            "nearest": NEAREST,
            "rare and common": SEARCH.format(f"$q$'{town}'$q$, $q$'fitness'$q$"),
            "common": SEARCH.format("$q$'fitness'$q$, $q$'street'$q$"),
        }
        return "\n".join(
            f"gyms, {name}:\n" + plan_of(self.cluster, "catalog", sql) for name, sql in asked.items())


def towns():
    """Names and places of towns, most of them in the middle latitudes."""
    chance = random.Random(2026)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "el", "or")]
    found = []
    for _ in range(TOWNS):
        name = "".join(chance.choice(syllables) for _ in range(chance.choice((2, 3, 3, 4)))).title()
        north = math.degrees(math.asin(chance.uniform(-0.8, 0.95)))
        found.append((name, north, chance.uniform(-180, 180)))
    return found


def write(path, size, town_names):
    """A file of so many gyms."""
    chance = random.Random(size)
    source = REAL if REAL.exists() else SAMPLE
    real = [feature["properties"] for feature in json.loads(source.read_text(encoding="utf-8"))["features"]]
    real = [properties | properties.get("tags", {}) for properties in real]
    names = [properties["name"] for properties in real]
    streets = [properties.get("addr:street", "High Street") for properties in real]
    with open(path, "w", encoding="utf-8") as out:
        out.write('{"type": "FeatureCollection", "features": [\n')
        for number in range(size):
            town, north, east = town_names[int(chance.random() ** 2 * len(town_names))]
            latitude = max(-90, min(90, chance.gauss(north, 0.05)))
            longitude = (chance.gauss(east, 0.05) + 180) % 360 - 180
            tags = {
                "leisure": "fitness_centre", "name": f"{chance.choice(names)} {town}" if number % 3 else chance.choice(names),
                "addr:street": chance.choice(streets), "addr:housenumber": str(chance.randrange(1, 400)),
                "addr:postcode": f"{chance.randrange(100_000):05}", "addr:city": town,
                "timezone": chance.choice(ZONES), "capacity": "100",
            }
            hours = chance.choice(HOURS)
            if hours:
                tags["opening_hours"] = hours
            feature = {
                "type": "Feature", "id": f"node/{number}", "properties": tags,
                "geometry": {"type": "Point", "coordinates": [round(longitude, 7), round(latitude, 7)]}}
            out.write((",\n" if number else "") + json.dumps(feature, ensure_ascii=False))
        out.write("\n]}\n")


def queries(town_names):
    """Questions by kind: points in towns and anywhere; words of names, towns and postcodes as people type them; such words misspelt."""
    chance = random.Random(7)
    points, keywords, misspelt = [], [], []
    for _ in range(QUERIES):
        town, north, east = chance.choice(town_names)
        points.append(f"{max(-90, min(90, chance.gauss(north, 0.1)))} {(chance.gauss(east, 0.1) + 180) % 360 - 180}")
        keywords.append(chance.choice((
            town, f"fitness {town}", f"{chance.choice(('yoga', 'gym', 'club', 'centre'))} {town[:4]}",
            f"{chance.randrange(100_000):05}", f"{town} {chance.randrange(1, 400)}", "fitness", "fitness club", "gym", "yoga", "pilates studio")))
        place = chance.randrange(1, len(town) - 1)
        swapped = town[:place] + town[place + 1] + town[place] + town[place + 2:]
        misspelt.append(chance.choice((swapped, f"fitmess {swapped}")))
    points += [f"{chance.uniform(-90, 90)} {chance.choice((180, -180, chance.uniform(-180, 180)))}" for _ in range(QUERIES // 4)]
    return {"nearest": ("nearest", points), "search": ("gym-search", keywords), "search.similar": ("gym-search", misspelt)}
