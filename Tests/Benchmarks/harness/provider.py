"""A stand-in of Strava: tokens for whatever code, a list of activities in pages, and a track for each, over HTTPS and without a limit."""

import contextlib
import datetime
import http.client
import http.server
import json
import math
import ssl
import threading
import time
import urllib.parse

POINTS = 600  # of a track


def activity(number):
    """An activity of a day of its own."""
    start = datetime.datetime(2023, 1, 1, 8) + datetime.timedelta(days=number)
    return {
        "id": 1_000 + number, "name": f"Ride {number}", "sport_type": "Ride", "elapsed_time": POINTS, "moving_time": POINTS,
        "distance": 3_000 + number, "total_elevation_gain": 40, "start_date": start.isoformat() + "Z",
        "timezone": "(GMT+01:00) Europe/Berlin", "average_heartrate": 140, "max_heartrate": 170,
    }


def streams(number):
    """The track of an activity, a point each second."""
    seconds = range(POINTS)
    series = {
        "time": list(seconds), "latlng": [[48 + number / 1e3 + s * 4e-5, 9 + 1e-3 * math.sin(s / 60)] for s in seconds],
        "altitude": [400 + 20 * math.sin(s / 90) for s in seconds], "heartrate": [140 + s % 20 for s in seconds],
        "distance": [5.0 * s for s in seconds], "cadence": [80 + s % 5 for s in seconds],
    }
    return {name: {"data": data} for name, data in series.items()}


class _Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise the end of each answer waits for the acknowledgement of what came before it.
    disable_nagle_algorithm = True

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self._send(b'{"access_token":"access","refresh_token":"refresh","token_type":"Bearer","expires_in":21600,"athlete":{"id":7001}}')

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        if address.path.endswith("/athlete/activities"):
            query = urllib.parse.parse_qs(address.query)
            page, size = int(query["page"][0]), int(query["per_page"][0])
            self._send(self.server.pages(page, size))
        else:
            self._send(self.server.tracks[int(address.path.split("/")[-2]) - 1_000])

    def _send(self, body):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Provider(http.server.ThreadingHTTPServer):
    """The server; all bodies are made before it starts."""

    daemon_threads = True

    def __init__(self, certificates, count):
        super().__init__(("127.0.0.1", 0), _Answers)
        self.activities = [activity(number) for number in range(count)]
        self.tracks = [json.dumps(streams(number)).encode() for number in range(count)]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates / "importer.crt", certificates / "importer.key")
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.origin = f"https://127.0.0.1:{self.server_address[1]}"

    def pages(self, page, size):
        return json.dumps(self.activities[(page - 1) * size:page * size]).encode()


@contextlib.contextmanager
def serving(folder, count):
    """The settings of an importer whose users can connect the provider, and the provider."""
    provider = Provider(folder, count)
    threading.Thread(target=provider.serve_forever, daemon=True).start()
    try:
        base = f"{provider.origin}/strava"
        (folder / "provider-secret").write_text("secret\n", encoding="utf-8")
        (folder / "trackers.json").write_text(json.dumps({"trackers": [{
            "id": "strava", "client_id": "tandem", "client_secret_file": "provider-secret", "webhook_secret_file": "provider-secret",
            "endpoints": {"authorization": f"{base}/authorize", "token": f"{base}/token", "revocation": f"{base}/revoke", "data": base},
        }]}), encoding="utf-8")
        yield ["--trackers", folder / "trackers.json", "--tracker-ca", folder / "ca.crt", "--tracker-hosts", "any",
               "--tracker-redirect-uris", "https://app.example/callback"], provider
    finally:
        provider.shutdown()
        provider.server_close()


def fetch_alone(provider, folder, count, page_size=30):
    """Seconds for the same requests over one connection, without anything done with the answers."""
    context = ssl.create_default_context(cafile=folder / "ca.crt")
    connection = http.client.HTTPSConnection("127.0.0.1", provider.server_address[1], context=context)
    begun = time.monotonic()
    for page in range(1, math.ceil(count / page_size) + 2):
        connection.request("GET", f"/strava/api/v3/athlete/activities?page={page}&per_page={page_size}")
        for found in json.loads(connection.getresponse().read()):
            connection.request("GET", f"/strava/api/v3/activities/{found['id']}/streams")
            json.loads(connection.getresponse().read())
    connection.close()
    return time.monotonic() - begun
