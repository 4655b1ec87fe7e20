"""Certificates that are renewed while the program runs."""

from __future__ import annotations

import os
import ssl


class TLS:
    """TLS 1.3 to a server whose certificate the authority signed, with a certificate of one's own where one is named.

    The files are looked at before each connection and every ten seconds. Once they have changed, new connections use
    them, and older ones are replaced as soon as their calls have ended.
    """

    def __init__(
        self, authority: str, certificate: str | None = None, key: str | None = None, server_name: str | None = None
    ) -> None:
        self._authority, self._certificate, self._key = authority, certificate, key
        self.server_name = server_name
        self._seen: tuple[tuple[int, int], ...] = ()
        self._context: ssl.SSLContext | None = None

    def context(self) -> ssl.SSLContext:
        """The context of the files as they are now; the same object as long as they stay the same."""
        files = [file for file in (self._authority, self._certificate, self._key) if file]
        seen = tuple((status.st_mtime_ns, status.st_ino) for status in map(os.stat, files))
        if self._context is None or seen != self._seen:
            try:
                context = ssl.create_default_context(cafile=self._authority)
                context.minimum_version = ssl.TLSVersion.TLSv1_3
                if self._certificate:
                    context.load_cert_chain(self._certificate, self._key)
            except (OSError, ssl.SSLError):
                # Half of the files are new: the next look finds the other half.
                if self._context is None:
                    raise
                return self._context
            self._context, self._seen = context, seen
        return self._context
