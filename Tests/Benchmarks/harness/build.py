"""Builds ours and the peers, for release, and says where each program is."""

import os
import pathlib
import shutil
import subprocess
import sys

from harness.processes import Failed, run, say

HERE = pathlib.Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
OUT = HERE / ".build" / "bench"

# The programs of each part, and which package makes them. Identity does not start without the decoder of pictures.
OURS = {
    "echo": ["echo-server"],
    "streams": ["echo-server"],
    "connections": ["echo-server"],
    "profile": ["identity", "image-decoder"],
    "accounts": ["identity", "image-decoder"],
    "loans": ["identity", "image-decoder", "lending", "catalog"],
    "events": ["chaos-producer", "chaos-consumer", "identity", "image-decoder", "lending", "catalog"],
    "books": ["identity", "catalog", "image-decoder"],
    "gyms": ["identity", "image-decoder", "catalog"],
    "workouts": ["identity", "image-decoder", "catalog"],
    "matching": ["identity", "image-decoder", "matching"],
    "importer": ["identity", "image-decoder", "importer", "activity-file-reader"],
    "locations": ["identity", "image-decoder", "tracking"],
    "replay": ["identity", "image-decoder", "tracking", "tandem", "activity-file-reader"],
    "chat": ["identity", "image-decoder", "tracking"],
    "gateway": ["identity", "image-decoder", "tracking", "gateway"],
}
BESIDE = {
    "echo": ["load", "grpc-swift-server", "grpc-swift-client"],
    "streams": ["load", "grpc-swift-server", "grpc-swift-client"],
    "connections": ["load", "grpc-swift-server"],
    "profile": ["load"],
    "books": ["load"],
    "gyms": ["load"],
    "loans": ["load"],
    "workouts": ["load"],
    "matching": ["load"],
    "importer": ["load"],
    "locations": ["load"],
    "replay": ["load"],
    "chat": ["load"],
    "statements": ["statements"],
    "codec": ["codec"],
    "accounts": ["load"],
    "tokens": ["tokens"],
    "gateway": ["load", "grpc-swift-server"],
}


def _swift(package, names):
    """Builds products of a package; {name: path}."""
    flags = ["--package-path", str(package), "-c", "release", "--static-swift-stdlib"]  # as it is deployed
    for name in names:
        say(f"build: {name}")
        built = subprocess.run(["swift", "build", "-q", *flags, "--product", name], check=False, stdout=sys.stderr)
        if built.returncode != 0:
            raise Failed(f"{name} does not build")
    if not names:
        return {}
    folder = pathlib.Path(run(["swift", "build", *flags, "--show-bin-path"]).strip())
    return {name: folder / name for name in names}


def _grpc_cpp():
    if not (shutil.which("c++") and shutil.which("grpc_cpp_plugin")):
        say("build: gRPC C++ is left out, libgrpc++-dev is not installed (.ci/install bench)")
        return {}
    contract = ROOT / "Tests" / "Echo"
    names = ("grpc-cpp-server", "grpc-cpp-client")
    sources = list((HERE / "peers" / "grpc-cpp").iterdir()) + list(contract.rglob("*.proto"))
    if not _is_newer(OUT / names[-1], sources):
        say("build: gRPC C++")
        run([HERE / "peers" / "grpc-cpp" / "build", OUT, contract])
    return {name: OUT / name for name in names}


def _go(name, folder, kit=None):
    """Builds a Go program offline, of Debian's packages and, for a client of the suite, the kit, which is found by its import path."""
    if not shutil.which("go") or not pathlib.Path("/usr/share/gocode/src/github.com/containerd/ttrpc").exists():
        say(f"build: {name} is left out, golang-github-containerd-ttrpc-dev is not installed (.ci/install bench)")
        return {}
    sources = [path for place in (folder, kit) if place for path in place.rglob("*.go")]
    if not _is_newer(OUT / name, sources):
        say(f"build: {name}")
        paths = ["/usr/share/gocode"]
        if kit:
            place = OUT / "go" / "src" / "tandem.example" / "tandem"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            place.symlink_to(kit)
            paths.insert(0, str(OUT / "go"))
        env = os.environ | {"GO111MODULE": "off", "GOPATH": ":".join(paths), "GOFLAGS": "-buildvcs=false"}
        run(["go", "build", "-o", OUT / name, "."], cwd=folder, env=env)
    return {name: OUT / name}


def _is_newer(program, sources):
    return program.exists() and all(program.stat().st_mtime > source.stat().st_mtime for source in sources)


class Tools(dict):
    """{program: its path}; None for one that cannot be built here."""

    def __missing__(self, name):
        return None


def tools(parts):
    """Builds what the parts need."""
    OUT.mkdir(parents=True, exist_ok=True)
    found = Tools()
    for package, names in ((ROOT, OURS), (HERE, BESIDE)):
        needed = dict.fromkeys(name for part in parts for name in names.get(part, []))
        found |= _swift(package, list(needed))
    if {"echo", "gateway"} & set(parts):
        found |= _grpc_cpp()
    if "echo" in parts:
        found |= _go("go-ttrpc", HERE / "peers" / "go-ttrpc")
    if {"profile", "books", "gyms", "loans", "workouts"} & set(parts):
        found |= _go("interop", ROOT / "Tests" / "Interop" / "go", ROOT / "Proto" / "clients" / "go")
    return found
