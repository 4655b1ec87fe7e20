"""Writes archives that are made to do harm.

usage: hostile_files.py FOLDER
"""
import gzip
import io
import pathlib
import sys
import zipfile

folder = pathlib.Path(sys.argv[1])
# 128 MiB of spaces, which shrink to a thousandth.
SPACES = b" " * (128 << 20)
GPX = b'<gpx><trk><trkseg><trkpt lat="1" lon="2"><time>2026-01-02T03:04:05Z</time></trkpt></trkseg></trk></gpx>'


def archive(name, *members):
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for path, content in members:
            file.writestr(path, content)


archive("bomb.zip", ("apple_health_export/export.xml", b"<HealthData>" + SPACES + b"</HealthData>"))
archive("long-member.zip", ("a.gpx", b"<gpx>" + SPACES + b"</gpx>"))
archive("slip.zip", ("../../../etc/cron.d/a.gpx", GPX))
archive("root.zip", ("/etc/a.gpx", GPX))
archive("windows.zip", ("..\\..\\a.gpx", GPX))
inner = io.BytesIO()
with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as file:
    file.writestr("a.gpx", GPX)
# An archive in an archive is none of a tracker: it is passed over.
archive("nested.zip", ("inner.zip", inner.getvalue()), ("a.gpx.txt", GPX))
whole = (folder / "slip.zip").read_bytes()
(folder / "cut.zip").write_bytes(whole[: len(whole) // 2])
with gzip.open(folder / "bomb.gz", "wb", 9) as file:
    file.write(b"<HealthData>" + SPACES + b"</HealthData>")
packed = gzip.compress(GPX)
(folder / "cut.gz").write_bytes(packed[: len(packed) // 2])
(folder / "layers.gz").write_bytes(gzip.compress(gzip.compress(gzip.compress(GPX))))
archive("bomb-in.zip", ("activities/1.gpx.gz", (folder / "bomb.gz").read_bytes()))
