"""Makes the pictures, and what only looks like pictures, that tests upload.

usage: make_pictures.py FOLDER
"""
import io
import pathlib
import random
import struct
import sys
import zipfile
import zlib

from PIL import Image, ImageDraw, TiffImagePlugin

folder = pathlib.Path(sys.argv[1])
SECRET = "SECRET-THAT-NOBODY-MAY-READ"


def scene(mode, size=(640, 400)):
    """Red on the left, blue on the right, with detail for the encoder."""
    picture = Image.new("RGB", size, "blue")
    draw = ImageDraw.Draw(picture)
    draw.rectangle([0, 0, size[0] // 2, size[1]], fill="red")
    for step in range(0, size[1], 20):
        draw.line([(0, step), (size[0], size[1] - step)], fill="white", width=2)
    return picture.convert(mode)


def exif():
    """Where and by whom it was taken, and that the camera was held upright."""
    tags = Image.Exif()
    tags[0x010E] = SECRET
    tags[0x0112] = 6
    degrees = [TiffImagePlugin.IFDRational(part) for part in (52, 31, 12)]
    tags.get_ifd(0x8825).update({1: "N", 2: degrees, 3: "E", 4: degrees})
    return tags


def save(name, picture, kind, **options):
    picture.save(folder / name, kind, **options)
    return (folder / name).read_bytes()


def write(name, data):
    (folder / name).write_bytes(data)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def flat_png(width, height):
    """A grey picture of one bit a pixel, row by row, without holding it."""
    packer = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", data) + chunk(b"IEND", b"")


jpeg = save("plain.jpg", scene("RGB"), "JPEG")
png = save("transparent.png", scene("RGBA"), "PNG")
webp = save("plain.webp", scene("RGB"), "WEBP")
save("gps.jpg", scene("RGB"), "JPEG", exif=exif(), comment=SECRET.encode())
save("gps.webp", scene("RGB"), "WEBP", exif=exif(), xmp=SECRET.encode())
save("gps.png", scene("RGB"), "PNG", exif=exif())
save("grey.jpg", scene("L"), "JPEG", progressive=True)
save("cmyk.jpg", scene("CMYK"), "JPEG")
save("palette.png", scene("P"), "PNG")
save("deep.png", Image.new("I;16", (300, 200), 40000), "PNG")
save("noise.png", Image.frombytes("RGB", (400, 300), random.Random(1).randbytes(360_000)), "PNG")
save("tiny.png", scene("RGB", (3, 2)), "PNG")
save("animated.webp", scene("RGB"), "WEBP", save_all=True, append_images=[scene("L").convert("RGB")])

archive = io.BytesIO()
with zipfile.ZipFile(archive, "w") as zipped:
    zipped.writestr("evil.txt", SECRET)
write("polyglot.jpg", jpeg + archive.getvalue())
write("polyglot.png", png + b"<script>" + SECRET.encode() + b"</script>")
write("truncated.jpg", jpeg[: len(jpeg) // 2])
write("truncated.png", png[: len(png) // 2])
write("truncated.webp", webp[: len(webp) // 2])
write("header.jpg", jpeg[:20])
write("scrambled.png", png[:60] + bytes(byte ^ 0x5A for byte in png[60:]))
write("bomb.png", flat_png(50_001, 50_000))
write("limit.png", flat_png(10_000, 5_000))
write("beyond.png", flat_png(10_001, 5_000))
write("lying.png", png[:16] + struct.pack(">II", 5_000, 5_000) + png[24:])
save("named.jpg", scene("P"), "GIF")
save("named.png", scene("RGB"), "TIFF")
save("named.webp", scene("RGB"), "BMP")
write("svg.png", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>')
write("pdf.jpg", b"%PDF-1.4\n%%EOF")
write("riff.webp", b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(100))
write("empty.png", b"")
write("done", b"")
