"""Random messages of every type that the gateway transcodes, and whether what it made of them is the same.

make FOLDER SEED COUNT: reads FOLDER/*.binpb (descriptor sets) and FOLDER/types, writes FOLDER/messages: a line each with
the type, the message in base64 and a JSON of it in base64.
strange FOLDER SEED COUNT: like make, but the JSON has members and names of enum values that the type does not have; a line has the type
and the JSON.
judge FOLDER: reads FOLDER/answers, a line each with what the gateway made of that JSON where unknown members are refused, and where they are
discarded: protobuf, or "-" where it refuses; protobuf's own reader has to say the same.
check FOLDER: reads FOLDER/answers, a line each with the gateway's protobuf of that JSON and its JSON of that message, and
compares both with the message by protobuf's own reader.
"""

import base64
import json
import math
import random
import struct
import sys
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import FieldDescriptor as Field


def pool(folder):
    files = {}
    for path in sorted(folder.glob("*.binpb")):
        found = descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes())
        for file in found.file:
            file.ClearField("source_code_info")
            files.setdefault(file.name, file)
    made = descriptor_pool.DescriptorPool()
    added = set()

    def add(name):
        if name in added:
            return
        added.add(name)
        for dependency in files[name].dependency:
            add(dependency)
        made.Add(files[name])

    for name in files:
        add(name)
    return made


LETTERS = "abcXYZ019 _-\"\\/\n\t\x00\x1f\x7fäß日本𝄞\u2028<>&"


def text(chance):
    return "".join(chance.choice(LETTERS) for _ in range(chance.choice([0, 1, 5, 40, 200])))


def whole(chance, low, high):
    return chance.choice([0, 1, low, high, chance.randint(low, high), chance.randint(max(low, -100), min(high, 100))])


def scalar(chance, field):
    kind = field.type
    if kind in (Field.TYPE_DOUBLE, Field.TYPE_FLOAT):
        double = kind == Field.TYPE_DOUBLE
        bits = struct.pack("<Q" if double else "<I", chance.getrandbits(64 if double else 32))
        value = chance.choice(
            [0.0, -0.0, 1.0, -1.5, 1e15, 1e16, 0.1, math.inf, -math.inf, struct.unpack("<d" if double else "<f", bits)[0]]
        )
        # NaN differs from itself, so two messages with it cannot be compared.
        value = 2.5 if math.isnan(value) else value
        return value if double else struct.unpack("<f", struct.pack("<f", value))[0]
    if kind in (Field.TYPE_INT32, Field.TYPE_SINT32, Field.TYPE_SFIXED32):
        return whole(chance, -(2**31), 2**31 - 1)
    if kind in (Field.TYPE_INT64, Field.TYPE_SINT64, Field.TYPE_SFIXED64):
        return whole(chance, -(2**63), 2**63 - 1)
    if kind in (Field.TYPE_UINT32, Field.TYPE_FIXED32):
        return whole(chance, 0, 2**32 - 1)
    if kind in (Field.TYPE_UINT64, Field.TYPE_FIXED64):
        return whole(chance, 0, 2**64 - 1)
    if kind == Field.TYPE_BOOL:
        return chance.random() < 0.5
    if kind == Field.TYPE_STRING:
        return text(chance)
    if kind == Field.TYPE_BYTES:
        return chance.randbytes(chance.choice([0, 1, 2, 3, 4, 50, 300]))
    return chance.choice([value.number for value in field.enum_type.values] + [chance.randint(200, 2**31 - 1)])


def fill(chance, message, depth=0):
    name = message.DESCRIPTOR.full_name
    if name == "google.protobuf.Timestamp":
        message.seconds = chance.choice([0, 1, -1, -62135596800, 253402300799, chance.randint(-(10**10), 10**10)])
        message.nanos = chance.choice([0, 1, 120_000_000, 999_999_999, 5_000, chance.randint(0, 999_999_999)])
        return
    if name == "google.protobuf.Duration":
        sign = chance.choice([-1, 1])
        message.seconds = sign * chance.choice([0, 1, 315_576_000_000, chance.randint(0, 10**9)])
        message.nanos = sign * chance.choice([0, 1, 500_000_000, 999_999_999])
        return
    if name == "google.protobuf.FieldMask":
        message.paths.extend(chance.sample(["a", "display_name", "birth_date", "a.b_c", "x1"], chance.randint(0, 3)))
        return
    for field in message.DESCRIPTOR.fields:
        if chance.random() < 0.4 or depth > 6:
            continue
        if field.message_type and field.message_type.GetOptions().map_entry:
            entries, (key, value) = getattr(message, field.name), field.message_type.fields
            for _ in range(chance.choice([0, 1, 3])):
                if value.type == Field.TYPE_MESSAGE:
                    fill(chance, entries[scalar(chance, key)], depth + 1)
                else:
                    entries[scalar(chance, key)] = scalar(chance, value)
        elif field.is_repeated:
            for _ in range(chance.choice([0, 1, 2, 5])):
                if field.type == Field.TYPE_MESSAGE:
                    fill(chance, getattr(message, field.name).add(), depth + 1)
                else:
                    getattr(message, field.name).append(scalar(chance, field))
        elif field.type == Field.TYPE_MESSAGE:
            getattr(message, field.name).SetInParent()
            fill(chance, getattr(message, field.name), depth + 1)
        else:
            setattr(message, field.name, scalar(chance, field))


def classes(folder):
    known = pool(folder)
    for name in folder.joinpath("types").read_text().split():
        yield name, message_factory.GetMessageClass(known.FindMessageTypeByName(name))


def make(folder, seed, count):
    chance = random.Random(seed)
    lines = []
    for name, kind in classes(folder):
        for _ in range(count):
            message = kind()
            fill(chance, message)
            style = chance.choice([{}, {}, {"preserving_proto_field_name": True}, {"use_integers_for_enums": True}])
            style = {**style, "ensure_ascii": chance.random() < 0.5, "indent": chance.choice([None, 2])}
            text = json_format.MessageToJson(message, always_print_fields_with_no_presence=chance.random() < 0.3, **style)
            # Values of a field in any order are the same message.
            wire = message.SerializeToString(deterministic=True)
            if chance.random() < 0.2:
                other = kind()
                fill(chance, other)
                twice = other.SerializeToString(deterministic=True) + wire
                try:
                    text, wire = json_format.MessageToJson(kind.FromString(twice), **style), twice
                except (json_format.SerializeToJsonError, ValueError):
                    # Seconds of one duration with the nanoseconds of another.
                    pass
            lines.append(" ".join([name, base64.b64encode(wire).decode(), base64.b64encode(text.encode()).decode()]))
    folder.joinpath("messages").write_text("\n".join(lines) + "\n")


def check(folder):
    kinds = dict(classes(folder))
    given = folder.joinpath("messages").read_text().splitlines()
    answers = folder.joinpath("answers").read_text().splitlines()
    assert len(given) == len(answers), (len(given), len(answers))
    for line, answer in zip(given, answers):
        name, wire, text = line.split(" ")
        own_wire, own_json = answer.split(" ")
        expected = kinds[name].FromString(base64.b64decode(wire))
        text, own_json = base64.b64decode(text), base64.b64decode(own_json)
        assert kinds[name].FromString(base64.b64decode(own_wire)) == expected, (name, text, own_wire)
        assert json_format.Parse(own_json, kinds[name]()) == expected, (name, text, own_json)
    print(len(given), "messages of", len(kinds), "types")


STRANGERS = [1, "x", None, True, [], {}, [1, {"a": [None]}], {"nope": {"nope": -1.5e3}}]


def estranged(chance, value):
    """The JSON with members or names here and there that no message has."""
    if isinstance(value, dict):
        # Entries of a map come in another order in each run.
        made = {key: estranged(chance, one) for key, one in sorted(value.items())}
        if chance.random() < 0.2:
            made[chance.choice(["nope", "no pe", "n\u00f6\U0001d11e", "@nope", "nopeNope"])] = chance.choice(STRANGERS)
        return made
    if isinstance(value, list):
        return [estranged(chance, one) for one in value]
    # What looks like the name of an enum's value.
    if isinstance(value, str) and value.isupper() and "_" in value and chance.random() < 0.2:
        return "NO_SUCH_NAME"
    return value


def strange(folder, seed, count):
    chance = random.Random(seed)
    lines = []
    for name, kind in classes(folder):
        for _ in range(count):
            message = kind()
            fill(chance, message)
            text = json.dumps(estranged(chance, json.loads(json_format.MessageToJson(message))), ensure_ascii=chance.random() < 0.5)
            lines.append(f"{name} {base64.b64encode(text.encode()).decode()}")
    folder.joinpath("messages").write_text("\n".join(lines) + "\n")


class StrictParser(json_format._Parser):
    """Refuses what is no object where a message is expected; protobuf's reader in Python takes [], and "x" where unknown members are discarded."""

    def ConvertMessage(self, value, message, path):
        if not isinstance(value, dict) and message.DESCRIPTOR.full_name not in json_format._WKTJSONMETHODS:
            raise json_format.ParseError(f"{path} is not an object")
        super().ConvertMessage(value, message, path)


def judge(folder):
    json_format._Parser = StrictParser
    kinds = dict(classes(folder))
    given = folder.joinpath("messages").read_text().splitlines()
    answers = folder.joinpath("answers").read_text().splitlines()
    assert len(given) == len(answers), (len(given), len(answers))
    refused = 0
    for line, answer in zip(given, answers):
        name, text = line.split(" ")
        text = base64.b64decode(text)
        for own, discards in zip(answer.split(" "), (False, True)):
            try:
                expected = json_format.Parse(text, kinds[name](), ignore_unknown_fields=discards)
            except json_format.ParseError as error:
                assert own == "-", (name, text, discards, str(error))
                refused += not discards
                continue
            assert own != "-", (name, text, discards)
            assert kinds[name].FromString(base64.b64decode(own)) == expected, (name, text, discards)
    assert 0.1 < refused / len(given) < 0.9, refused
    print(refused, "refused of", len(given), "of", len(kinds), "types")


if __name__ == "__main__":
    if sys.argv[1] in ("make", "strange"):
        globals()[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        {"check": check, "judge": judge}[sys.argv[1]](Path(sys.argv[2]))
