"""The programs in the handbook's pages of clients over HTTP, as they stand there."""

import os
import pathlib
import re
import subprocess
import sys
import threading

import pytest
from conftest import ROOT, notify

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


def follow(command, folder, person, suite, line, new_user, **environment):
    """Runs a program that shows notifications until someone asks for a book, and cuts its connections after the first. The stream
    goes on where it was: every notification is there once."""
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    through = {"TANDEM_URL": f"https://127.0.0.1:{line.port}", "TANDEM_ADDRESS": f"127.0.0.1:{line.port}"}
    program = subprocess.Popen(
        command, cwd=folder, env={**os.environ, "PATH": path, **environment, **through}, stdout=subprocess.PIPE, text=True
    )
    # One that says nothing more would be waited for without end.
    limit = threading.Timer(120, program.kill)
    limit.start()
    try:
        told = [program.stdout.readline(), program.stdout.readline()]
        assert told[0] == f"{person['name']}\n" and "elcome" in told[1], told
        assert line.cut() > 0
        notify(suite, person, new_user("asker"))
        told += program.stdout.readlines()
        assert program.wait(30) == 0
        assert len(told) > 2 and sum("elcome" in one for one in told) == 1, told
    finally:
        limit.cancel()
        program.kill()
        program.wait()
        program.stdout.close()


def changed(program, *changes):
    for old, new in changes:
        assert old in program
        program = program.replace(old, new)
    return program


@pytest.fixture
def person(new_user):
    return new_user("guided")


@pytest.fixture
def folder(tmp_path):
    """As the root of the repository, with room beside it."""
    (tmp_path / "Proto").symlink_to(ROOT / "Proto")
    return tmp_path


@pytest.fixture
def said(suite, person):
    return {
        "TANDEM_URL": suite.url, "TANDEM_ADDRESS": f"{suite.host}:{suite.port}", "TANDEM_CA": str(suite.authority),
        "TANDEM_USER": person["name"], "TANDEM_PASSWORD": person["password"],
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


def test_python(suite, folder, said, person, line, new_user):
    """[GATE-7] As it stands there, then over a connection that is lost."""
    generated("http-python.md", folder)
    (program,) = blocks("http-python.md", "python")
    (folder / "program.py").write_text(program)
    told(run([sys.executable, "program.py"], folder, **said), person)
    on = "lambda notification: print(notification.title, flush=True) or 'BOOK_REQUESTED' not in repr(notification.kind)"
    program = changed(
        program, ("lambda notification: print(notification.title)", on), ("print(session.call(accounts.get_own_account, GetOwnAccountRequest()).username)",
        "print(session.call(accounts.get_own_account, GetOwnAccountRequest()).username, flush=True)"))
    (folder / "program.py").write_text(program)
    follow([sys.executable, "program.py"], folder, person, suite, line, new_user, **said)


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


def test_go(suite, folder, said, person, line, new_user):
    """[GATE-7] As it stands there, then over a connection that is lost."""
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
    told(run(["go", "run", "."], main, **go, **said), person)
    kind = "notification.NotificationKind_NOTIFICATION_KIND_BOOK_REQUESTED"
    (main / "main.go").write_text(changed(program, ("\t\treturn false\n\t}\n\tif err", f"\t\treturn one.Kind != {kind}\n\t}}\n\tif err")))
    run(["go", "build", "-o", "followed", "."], main, **go)
    follow(["./followed"], main, person, suite, line, new_user, **said)


def test_browser(suite, folder, said, person, line, new_user):
    """[GATE-7] As it stands there, then over a connection that is lost."""
    (use,) = blocks("http-browser.md", "js")
    (folder / "tandem.js").write_text((ROOT / "Services" / "Console" / "www" / "api.js").read_text())
    own = [('"ada"', repr(person["name"])), ('"Analytical-engine-1843"', repr(person["password"]))]
    (folder / "page.js").write_text(changed(use, ("https://127.0.0.1:7480", suite.url), *own))
    (folder / "package.json").write_text('{"type": "module"}')
    told(run(["node", "page.js"], folder, NODE_EXTRA_CA_CERTS=str(suite.authority), **said), person)
    on = 'if (notification.kind === "NOTIFICATION_KIND_BOOK_REQUESTED") break;'
    through = ("https://127.0.0.1:7480", f"https://127.0.0.1:{line.port}")
    (folder / "page.js").write_text(changed(use, through, ("break;", on), *own))
    follow(["node", "page.js"], folder, person, suite, line, new_user, NODE_EXTRA_CA_CERTS=str(suite.authority), **said)


def test_swift(suite, folder, said, person):
    """[GATE-7] Without TLS: Foundation on Linux trusts no authority but the system's."""
    (program,) = blocks("http-swift.md", "swift")
    (folder / "Program.swift").write_text(program)
    run(["swiftc", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-o", "program", "Program.swift"], folder)
    with suite.another(folder, http_plaintext="true") as gateway:
        told(run(["./program"], folder, **{**said, "TANDEM_URL": f"http://{gateway.host}:{gateway.port}"}), person)
