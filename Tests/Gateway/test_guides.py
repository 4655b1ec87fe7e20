"""The programs in the handbook's pages of clients over HTTP, as they stand there."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT

HANDBOOK = ROOT / "Shared" / "Handbook"


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (HANDBOOK / page).read_text(), re.M | re.S)


def run(command, folder, **environment):
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    made = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path, **environment}, capture_output=True, text=True, check=False, timeout=240
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


@pytest.fixture
def folder(tmp_path):
    """As the root of the repository, with room beside it."""
    (tmp_path / "Proto").symlink_to(ROOT / "Proto")
    return tmp_path


@pytest.fixture
def said(suite, user):
    return {
        "TANDEM_URL": suite.url, "TANDEM_ADDRESS": f"{suite.host}:{suite.port}", "TANDEM_CA": str(suite.authority),
        "TANDEM_USER": user["name"], "TANDEM_PASSWORD": user["password"],
    }


def generated(page, folder):
    """Runs the page's commands but for those that install something."""
    (commands,) = blocks(page, "sh")
    lines = [line for line in commands.splitlines() if not line.startswith(("pip ", "apt-get "))]
    run(["bash", "-euo", "pipefail", "-c", "\n".join(lines)], folder)


def told(output, user):
    """The program printed the caller's name, and the title of the first notification."""
    lines = output.splitlines()
    assert len(lines) == 2 and lines[0] == user["name"] and "elcome" in lines[1], output


def test_python(folder, said, user):
    """[GATE-7]"""
    generated("http-python.md", folder)
    (program,) = blocks("http-python.md", "python")
    (folder / "program.py").write_text(program)
    told(run([sys.executable, "program.py"], folder, **said), user)


# Debian 12's grpc-go may come with a golang/protobuf that is older than the messages of its own generator.
CODEC = """package main

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/protobuf/proto"
)

type codec struct{}

func (codec) Name() string                              { return "proto" }
func (codec) Marshal(v interface{}) ([]byte, error)      { return proto.Marshal(v.(proto.Message)) }
func (codec) Unmarshal(data []byte, v interface{}) error { return proto.Unmarshal(data, v.(proto.Message)) }

func init() { encoding.RegisterCodec(codec{}) }
"""


def test_go(folder, said, user):
    """[GATE-7]"""
    generated("http-go.md", folder)
    home = folder / "go" / "src" / "tandem.example"
    home.mkdir(parents=True)
    (folder / "tandem").rename(home / "tandem")
    (program,) = blocks("http-go.md", "go")
    main = folder / "main"
    main.mkdir()
    (main / "main.go").write_text(program)
    (main / "codec.go").write_text(CODEC)
    go = {"GO111MODULE": "off", "GOPATH": f"{folder / 'go'}:/usr/share/gocode", "GOFLAGS": "-buildvcs=false"}
    told(run(["go", "run", "."], main, **go, **said), user)


def test_browser(suite, folder, said, user):
    """[GATE-7]"""
    (use,) = blocks("http-browser.md", "js")
    (folder / "tandem.js").write_text((ROOT / "Services" / "Console" / "www" / "api.js").read_text())
    use = use.replace("https://127.0.0.1:7480", suite.url).replace('"ada"', repr(user["name"]))
    (folder / "page.js").write_text(use.replace('"Analytical-engine-1843"', repr(user["password"])))
    (folder / "package.json").write_text('{"type": "module"}')
    told(run(["node", "page.js"], folder, NODE_EXTRA_CA_CERTS=str(suite.authority), **said), user)


def test_swift(suite, folder, said, user):
    """[GATE-7] Without TLS: Foundation on Linux trusts no authority but the system's."""
    (program,) = blocks("http-swift.md", "swift")
    (folder / "Program.swift").write_text(program)
    run(["swiftc", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-o", "program", "Program.swift"], folder)
    with suite.another(folder, http_plaintext="true") as gateway:
        told(run(["./program"], folder, **{**said, "TANDEM_URL": f"http://{gateway.host}:{gateway.port}"}), user)
