"""A mail server for tests: takes mail into a folder, refuses some recipients, and says on which port.

usage: smtp_server.py FOLDER [--tls CERT KEY] [--implicit] [--require-starttls] [--user NAME PASSWORD] [--login-only]

The folder gets a file for every mail, and `connections` with the number of connections so far.

What a recipient's name begins with decides what happens to a mail: "never" is refused for good (550) and "later" for now (451) at
RCPT; "spam" is refused for good (554) after DATA; "grey" is refused for now (450) the first time and taken then; "hang" gets no
answer to RCPT; "dead" is taken, but the connection dies before the answer; "dying" likewise, the first time; "mute" is taken, but
never answered.
"""
import argparse
import asyncio
import os
import pathlib
import ssl
import sys
import threading

from aiosmtpd.smtp import SMTP, AuthResult


class Folder:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.count = 0
        self.seen = set()

    def is_first(self, address):
        if address in self.seen:
            return False
        self.seen.add(address)
        return True

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("never"):
            return "550 5.1.1 No such mailbox"
        if address.startswith("later"):
            return "451 4.3.0 Try again later"
        if address.startswith("grey") and self.is_first(address):
            return "450 4.2.0 Greylisted, try again later"
        if address.startswith("hang"):
            await asyncio.Event().wait()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        address = envelope.rcpt_tos[0]
        if address.startswith("spam"):
            return "554 5.7.1 This looks like spam"
        self.count += 1
        lines = [f"sender {envelope.mail_from}", f"recipients {' '.join(envelope.rcpt_tos)}"]
        lines.append(f"tls {'no' if session.ssl is None else 'yes'}")
        text = "\r\n".join(lines).encode() + b"\r\n\r\n" + envelope.original_content
        part = self.folder / f"{self.count:04}.part"
        part.write_bytes(text)
        part.rename(self.folder / f"{self.count:04}.txt")
        if address.startswith("dead") or (address.startswith("dying") and self.is_first(address)):
            server.transport.abort()
        if address.startswith("mute"):
            await asyncio.Event().wait()
        return "250 OK"


def end_with_parent():
    """Ends this process once the other end of standard input is closed: with the test, or when its process dies."""
    sys.stdin.buffer.read()
    os._exit(0)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--implicit", action="store_true")
    parser.add_argument("--require-starttls", action="store_true")
    parser.add_argument("--user", nargs=2)
    parser.add_argument("--login-only", action="store_true")
    options = parser.parse_args()

    context = None
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)

    def authenticate(server, session, envelope, mechanism, data):
        given = [data.login.decode(), data.password.decode()]
        return AuthResult(success=given == options.user)

    handler = Folder(options.folder)
    connections = 0

    def protocol():
        nonlocal connections
        connections += 1
        (handler.folder / "connections").write_text(str(connections))
        return SMTP(
            handler,
            tls_context=None if options.implicit else context,
            require_starttls=options.require_starttls,
            authenticator=authenticate if options.user else None,
            auth_required=bool(options.user),
            auth_require_tls=not options.implicit,
            auth_exclude_mechanism=["PLAIN"] if options.login_only else None,
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        protocol, "127.0.0.1", 0, ssl=context if options.implicit else None
    )
    port = server.sockets[0].getsockname()[1]
    ready = pathlib.Path(options.folder) / "port"
    ready.with_suffix(".part").write_text(str(port))
    ready.with_suffix(".part").rename(ready)
    await asyncio.Event().wait()


threading.Thread(target=end_with_parent, daemon=True).start()
asyncio.run(main())
