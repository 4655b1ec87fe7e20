"""Files of trackers as devices and apps write them: FIT, GPX, and the export of Apple Health."""

import datetime
import gzip
import math
import random
import struct
import zipfile

EPOCH = 631_065_600  # 1989-12-31T00:00:00Z, from which FIT counts
START = 1_700_000_000
MARK = "0000-00-00"


def place(second):
    """Degrees north and east on a winding way."""
    return 48 + second * 2e-6, 9 + 0.01 * math.sin(second / 900)


# MARK: FIT

CRC = []
for byte in range(256):
    value = byte
    for _ in range(8):
        value = value >> 1 ^ (0xA001 if value & 1 else 0)
    CRC.append(value)


def checksum(data):
    value = 0
    for byte in data:
        value = value >> 8 ^ CRC[(value ^ byte) & 0xFF]
    return value


def definition(local, message, fields):
    return struct.pack("<BBBHB", 0x40 | local, 0, 0, message, len(fields)) + b"".join(struct.pack("<BBB", *field) for field in fields)


def fit(path, records):
    """An activity of so many records as a file."""
    path.write_bytes(fit_bytes(records))


def fit_bytes(records, start=START, north_of=0.0):
    """An activity of so many records with the fields of a sports watch, a second each, so many degrees north of the usual way."""
    body = bytearray(definition(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (2, 2, 0x84), (4, 4, 0x86)]))
    body += struct.pack("<BBHHI", 0, 4, 1, 2697, start - EPOCH)
    body += definition(1, 20, [
        (253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (5, 4, 0x86), (73, 4, 0x86), (78, 4, 0x86), (7, 2, 0x84), (3, 1, 0x02),
        (4, 1, 0x02), (13, 1, 0x01), (53, 1, 0x02), (107, 2, 0x84)])
    row = struct.Struct("<BIiiIIIHBBbBH")
    scale = 2 ** 31 / 180
    for second in range(records):
        north, east = place(second)
        body += row.pack(
            1, start - EPOCH + second, int((north + north_of) * scale), int(east * scale), second * 300, 3_000,
            int((400 + 30 * math.sin(second / 300) + 500) * 5), 200 + second % 50, 120 + second % 40, 80 + second % 9, 18, 0, second % 1000)
    body += definition(2, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (8, 4, 0x86), (9, 4, 0x86), (5, 1, 0x00)])
    body += struct.pack("<BIIIIIB", 2, start - EPOCH + records, start - EPOCH, records * 1_000, records * 1_000, records * 300, 1)
    header = struct.pack("<BBHI4s", 14, 0x20, 2132, len(body), b".FIT")
    header += struct.pack("<H", checksum(header))
    return header + bytes(body) + struct.pack("<H", checksum(header + body))


# MARK: GPX

GPX_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Watch" xmlns="http://www.topografix.com/GPX/1/1" '
    'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">\n<trk><name>Long run</name><type>running</type><trkseg>\n')
GPX_FOOT = "</trkseg></trk></gpx>\n"


def gpx(path, points):
    """A track of so many points as a file."""
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(gpx_lines(points))


def gpx_lines(points, start=START, north_of=0.0):
    """A track of so many points with heights, times and heart rates, so many degrees north of the usual way."""
    yield GPX_HEAD
    for second in range(points):
        north, east = place(second)
        time = datetime.datetime.fromtimestamp(start + second, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        yield (
            f'<trkpt lat="{north + north_of:.7f}" lon="{east:.7f}"><ele>{400 + 30 * math.sin(second / 300):.1f}</ele><time>{time}</time><extensions>'
            f"<gpxtpx:TrackPointExtension><gpxtpx:hr>{120 + second % 40}</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions></trkpt>\n")
    yield GPX_FOOT


# MARK: Takeouts

DAY = 86_400


def takeout(path, outings, points):
    """An archive as those of Strava: an outing a day, each second one FIT and the others GPX, compressed each by itself."""
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(outings):
            start, north_of = START - number * DAY, number % 300 * 0.01
            if number % 2:
                name, content = "fit", fit_bytes(points, start, north_of)
            else:
                name, content = "gpx", "".join(gpx_lines(points, start, north_of)).encode()
            archive.writestr(f"activities/{number}.{name}.gz", gzip.compress(content, 1))


# MARK: Apple Health

SOURCE = 'sourceName="Ada&#8217;s Apple Watch" sourceVersion="10.1" device="&lt;&lt;HKDevice: 0x28&gt;, name:Apple Watch, model:Watch&gt;"'


def health_day(records):
    """So many records of a day, a line each, with a mark in the place of its date."""
    chance, lines = random.Random(7), []
    kinds = (("HeartRate", "count/min", 60, 60), ("ActiveEnergyBurned", "kcal", 0, 2), ("StepCount", "count", 1, 90),
             ("DistanceWalkingRunning", "km", 0, 1), ("BasalEnergyBurned", "kcal", 1, 1))
    for number in range(records):
        kind, unit, least, spread = kinds[number % len(kinds)]
        second = number * 86_000 // records
        moment = f"{MARK} {second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} +0100"
        figure = least + spread * chance.random()
        figure = str(int(figure)) if unit == "count" else f"{figure:.5g}"
        lines.append(
            f' <Record type="HKQuantityTypeIdentifier{kind}" {SOURCE} unit="{unit}" creationDate="{moment}" startDate="{moment}" '
            f'endDate="{moment}" value="{figure}"/>\n')
    for hour in range(6):
        lines.append(
            f' <Record type="HKCategoryTypeIdentifierSleepAnalysis" {SOURCE} creationDate="{MARK} 07:00:00 +0100" '
            f'startDate="{MARK} 0{hour}:00:00 +0100" endDate="{MARK} 0{hour}:55:00 +0100" value="HKCategoryValueSleepAnalysisAsleepCore"/>\n')
    lines.append(
        f' <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="32.5" durationUnit="min" {SOURCE} '
        f'creationDate="{MARK} 18:40:00 +0100" startDate="{MARK} 18:00:00 +0100" endDate="{MARK} 18:32:30 +0100">'
        '<WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="6.1" unit="km"/></Workout>\n')
    return "".join(lines)


HEALTH_HEAD = '<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_GB"><ExportDate value="2026-01-01 12:00:00 +0100"/>\n'
HEALTH_FOOT = "</HealthData>\n"


def health_template(path, bytes_a_day):
    """A file of one day, whose mark `load upload --days` replaces; its length."""
    few, many = len(health_day(100)), len(health_day(1_100))
    day = health_day(max(1, 100 + (bytes_a_day - few) * 1_000 // (many - few)))
    path.write_text(HEALTH_HEAD + day + HEALTH_FOOT, encoding="utf-8")
    return len(day.encode())


def health_days(template, days):
    """The bytes that `load upload --days` sends, a day at a time."""
    head, *lines, foot = template.read_text(encoding="utf-8").splitlines(keepends=True)
    day, today = "".join(lines).encode(), datetime.datetime.now(datetime.timezone.utc).date()
    yield head.encode()
    for number in range(days):
        yield day.replace(MARK.encode(), (today - datetime.timedelta(days=days - number)).isoformat().encode())
    yield foot.encode()


def health(path, template, days):
    """The same as a file."""
    with open(path, "wb") as out:
        for part in health_days(template, days):
            out.write(part)
