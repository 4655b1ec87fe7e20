"""Prints what the usual parsers read of files of trackers, a line each record, to compare with what the importer reads.

usage: peer_records.py FILE...

Each file begins with a line `file PATH`. Of FIT files `fitdecode` decides:

    message NUMBER FIELD... [+TIME]           every data message with its fields, in order, TIME that of a compressed header
    sample TIME LAT LON ELEVATION HEART CADENCE DISTANCE POWER      of each record (message 20), with the profile's scales

A field is NUMBER=VALUE or DEVELOPER.NUMBER=VALUE: the values of the base type, separated by commas; `-` is an invalid one. Bytes and
texts are hexadecimal. Of GPX files `gpxpy` decides:

    point LAT LON ELEVATION TIME HEART        of each point of a track

Real numbers are the hexadecimal digits of their IEEE 754 bits, times microseconds since 1970, and `-` is what is absent.
"""
import datetime
import struct
import sys
import warnings

import fitdecode
import gpxpy

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
FIT_EPOCH = 631065600


def real(value):
    return "-" if value is None else struct.pack(">d", value).hex()


def micros(time):
    if time is None:
        return "-"
    if time.tzinfo is None:
        time = time.replace(tzinfo=datetime.timezone.utc)
    return str((time - EPOCH) // datetime.timedelta(microseconds=1))


def one(value, kind):
    if value is None:
        return "-"
    if kind == "byte":
        return bytes(value).hex() if isinstance(value, tuple) else f"{value:02x}"
    if kind == "string":
        return value.encode().hex() if isinstance(value, str) else bytes(value).hex()
    if kind in ("float32", "float64"):
        return real(value)
    return str(value)


def values(field):
    kind = field.field_def.base_type.name
    raw = field.raw_value
    if kind != "byte" and isinstance(raw, tuple):
        return ",".join(one(value, kind) for value in raw)
    return one(raw, kind)


def message(frame):
    words = ["message", str(frame.global_mesg_num)]
    for field in frame.fields:
        definition = field.field_def
        if definition is None:
            continue
        name = f"{definition.dev_data_index}.{definition.def_num}" if definition.is_dev else str(definition.def_num)
        words.append(f"{name}={values(field)}")
    if frame.time_offset is not None:
        words.append(f"+{frame.get_raw_value('timestamp')}")
    return " ".join(words)


def is_developer(field):
    return field.field_def is not None and field.field_def.is_dev


def number(frame, *names, native=None):
    """The first of the fields that has a number, or the developer's field that stands for it by the profile's number."""
    for name in names:
        for field in frame.fields:
            if field.name == name and not is_developer(field) and isinstance(field.value, (int, float)):
                return float(field.value)
    for field in frame.fields:
        if is_developer(field) and native is not None and field.field.native_field_num == native and isinstance(
                field.value, (int, float)):
            return float(field.value)
    return None


def sample(frame):
    times = [field.raw_value for field in frame.fields if field.name == "timestamp" and field.raw_value is not None]
    time = str((times[0] + FIT_EPOCH) * 1_000_000) if times else "-"
    latitude, longitude = number(frame, "position_lat"), number(frame, "position_long")
    # Semicircles, as the profile has them.
    position = (None, None) if latitude is None or longitude is None else (
        latitude * (180 / 2**31), longitude * (180 / 2**31))
    return " ".join(["sample", time, *map(real, position), real(number(frame, "enhanced_altitude", "altitude")),
                     real(number(frame, "heart_rate", native=3)), real(number(frame, "cadence", native=4)),
                     real(number(frame, "distance", native=5)), real(number(frame, "power", native=7))])


def print_fit(path, out):
    with fitdecode.FitReader(path, processor=None, error_handling=fitdecode.ErrorHandling.IGNORE) as reader:
        for frame in reader:
            if frame.frame_type != fitdecode.FIT_FRAME_DATA:
                continue
            out.write(message(frame) + "\n")
            if frame.global_mesg_num == 20:
                out.write(sample(frame) + "\n")


def heart_rate(point):
    for extension in point.extensions:
        for element in extension.iter():
            if element.tag.rsplit("}")[-1].split(":")[-1] in ("hr", "heartrate"):
                return float(element.text)
    return None


def print_gpx(path, out):
    with open(path, "rb") as file:
        document = gpxpy.parse(file)
    for track in document.tracks:
        for segment in track.segments:
            for point in segment.points:
                # Some apps write pauses as points that are nowhere on the Earth.
                is_place = abs(point.latitude) <= 90 and abs(point.longitude) <= 180
                position = (point.latitude, point.longitude) if is_place else (None, None)
                out.write(" ".join(["point", *map(real, position), real(point.elevation),
                                    micros(point.time), real(heart_rate(point))]) + "\n")


def main():
    warnings.simplefilter("ignore")
    for path in sys.argv[1:]:
        sys.stdout.write(f"file {path}\n")
        (print_fit if path.endswith(".fit") else print_gpx)(path, sys.stdout)


main()
