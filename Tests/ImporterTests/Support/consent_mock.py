"""`oidc-provider-mock` over TLS, a provider at which users refuse consent, with a browser that presses the button.

usage: consent_mock.py FOLDER CERT KEY

The folder has `ca.pem`, and gets a file `port` once the provider listens on loopback. To have the browser go to a URL and refuse there, put
the URL into a file NAME.visit; then NAME.arrived holds where the browser was sent. It ends with its standard input.
"""
import os
import pathlib
import ssl
import sys
import threading
import time
import urllib.error
import urllib.request

import oidc_provider_mock
import werkzeug.serving

folder = pathlib.Path(sys.argv[1])
certificate, key = sys.argv[2:]


class Browser(urllib.request.HTTPRedirectHandler):
    """Follows no redirection by itself."""

    def redirect_request(self, *_):
        return None


def write(name, text):
    part = folder / f"{name}.part"
    part.write_text(text)
    part.rename(folder / name)


def refuse(url):
    """Presses the page's button `deny`, and returns where the provider sends the browser."""
    trusted = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=str(folder / "ca.pem")))
    opener = urllib.request.build_opener(trusted, Browser())
    opener.open(url, timeout=30).read()
    try:
        answer = opener.open(urllib.request.Request(url, data=b"action=deny"), timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    return answer.headers.get("location") or ""


def end_with_the_test():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_the_test, daemon=True).start()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server = werkzeug.serving.make_server("127.0.0.1", 0, oidc_provider_mock.app(), threaded=True, ssl_context=context)
threading.Thread(target=server.serve_forever, daemon=True).start()
write("port", str(server.server_port))
while True:
    for path in folder.glob("*.visit"):
        url = path.read_text()
        path.unlink()
        write(f"{path.stem}.arrived", refuse(url))
    # A folder tells nobody that a wish came; this is soon enough for a test that waits for the answer.
    time.sleep(0.02)
