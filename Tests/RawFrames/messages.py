"""Message classes made at run time from the project's own .proto files; no generated code is kept.

`classes("ttrpc.Request")` is the class of that message. The files are compiled once, by protoc, into a temporary folder.
"""

import functools
import os
import pathlib
import subprocess
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _proto_roots():
    """The folders that hold the contract: RAW_FRAMES_PROTO_PATH (colon-separated), else the project's own."""
    given = os.environ.get("RAW_FRAMES_PROTO_PATH")
    if given:
        return [pathlib.Path(entry) for entry in given.split(":")]
    return [ROOT / "Proto", ROOT / "Tests" / "Echo"]


@functools.cache
def _pool():
    roots = _proto_roots()
    files = sorted(str(path.relative_to(root)) for root in roots for path in root.rglob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "contract.binpb")
        command = ["protoc", "--include_imports", f"--descriptor_set_out={output}"]
        command += [f"-I{root}" for root in roots] + files
        subprocess.run(command, check=True)
        contract = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(output).read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in contract.file:
        pool.Add(file)
    return pool


@functools.cache
def classes(name):
    """The class of the message with this full name."""
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(name))
