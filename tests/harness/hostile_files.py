# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures and other files as a hostile program would leave them, small enough to be written in a test."""

import base64
import os
import stat
import struct
import zlib

from tap import must

FILES_MAX = 2000
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1x"
    "eXBkeFxlZ2P/wAALCAAIAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQR"
    "BRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4"
    "eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEB"
    "AAA/ACv/2Q==")
WEBP = base64.b64decode("UklGRhwAAABXRUJQVlA4TA8AAAAvB8AAAAcQ/Y/+ByKi/wEA")
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, row, rows=None):
    """8 bits of red, green and blue; `rows` may be fewer than the header says."""
    pixels = zlib.compress(row * (height if rows is None else rows), 9)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


def gif(frames, side=1):
    frame = b"!\xf9\x04\x00\x01\x00\x00\x00" + b"," + struct.pack("<HHHHB", 0, 0, side, side, 0) + b"\x02\x02D\x01\x00"
    return b"GIF89a" + struct.pack("<HH", side, side) + b"\x80\x00\x00\xff\x00\x00\x00\x00\x00" + frame * frames + b";"


def laughs():
    groups = ["<g id='g0'><path d='M0 0h9v9z'/></g>"]
    for i in range(1, 14):
        groups.append(f"<g id='g{i}'>" + f"<use xlink:href='#g{i - 1}'/>" * 10 + "</g>")
    return SVG + b"width='99' height='99'>" + "".join(groups).encode() + b"</svg>"


def entities():
    names = ["<!ENTITY e0 'ha'>"] + [f"<!ENTITY e{i} '" + f"&e{i - 1};" * 10 + "'>" for i in range(1, 12)]
    return ("<!DOCTYPE svg [" + "".join(names) + "]>").encode() + SVG + b"width='9' height='9'><text>&e11;</text></svg>"


def reaching(path):
    """A drawing that would like to load that file in every way there is."""
    return (f"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file://{path}'>]>".encode() + SVG +
            b"xmlns:xi='http://www.w3.org/2001/XInclude' width='64' height='64'>"
            b"<style>@import url('file://%(p)s'); rect { fill: url('file://%(p)s#x') }</style>"
            b"<text y='20'>&x;<xi:include href='file://%(p)s' parse='text'/></text>"
            b"<image xlink:href='file://%(p)s' width='64' height='64'/><use xlink:href='%(p)s#x'/>"
            b"<image href='http://127.0.0.1:9/x.png' width='64' height='64'/><rect width='64' height='64'/></svg>"
            % {b"p": path.encode()})


def hostile(outside):
    """name: (bytes, how it may end) of pictures; see the exit codes of decode/pixels.h."""
    return {
        "bomb.png": (png(30000, 30000, b"\x00" + bytes(90000), 200), "large"),
        "lies.png": (png(4000, 4000, b"\x00" + bytes(12000), 10), "any"),
        "short.png": (png(64, 64, b"\x00" + bytes(192))[:90], "any"),
        "none.png": (b"hello", "unknown"),
        "empty.png": (b"", "unknown"),
        "many.gif": (gif(10000), "shown"),
        "wide.gif": (gif(1, 65535), "large"),
        "short.jpg": (JPEG[:len(JPEG) // 2], "damaged"),
        "huge.webp": (WEBP[:20] + b"\x2f\xff\xff\xff\x0f" + WEBP[25:], "large"),
        "reaching.svg": (reaching(outside), "any"),
        "laughs.svg": (laughs(), "any"),
        "entities.svg": (entities(), "any"),
        "filter.svg": (SVG + b"width='9000' height='9000'><filter id='f'>" + b"<feGaussianBlur stdDeviation='999'/>" * 99 +
                       b"</filter><rect width='9000' height='9000' filter='url(#f)'/></svg>", "any"),
        "endless.svg": (SVG + b"width='1e30' height='1e30'/>", "large"),
        "nothing.svg": (SVG + b"width='0' height='-1'/>", "any"),
        "deep.svg": (SVG + b"width='9' height='9'>" + b"<g>" * 200000 + b"</g>" * 200000 + b"</svg>", "any"),
    }


NAMES = ("two\nlines.png", "\u202egnp.exe", "--help.png", " .png", "a" * 250 + ".png", b"\xff\xfe.png", ".hidden.png",
         "<b>bold&amp;.svg", "%s%n.csv")


# What else a program can leave. Behind the definitions above, OUTSIDE, a path that it must not reach, and MANY, a number
# of files.
LEFTOVERS = r"""
import socket
def attempt(function, *arguments):
    try:
        return function(*arguments)
    except OSError as error:
        print(function.__name__, error.strerror)
here = os.getcwd()
for i in range(300):
    os.mkdir("d")
    os.chdir("d")
    attempt(open, "deep.txt", "w")
os.chdir(here)
with open("sparse.bin", "wb") as file:
    attempt(file.truncate, 1 << 40)
    attempt(file.truncate, 1 << 27)
for name in ("link.png", "link.svg", "link.txt"):
    os.symlink(OUTSIDE, name)
os.symlink("/", "everything")
os.symlink("link-to-itself.png", "link-to-itself.png")
os.mkfifo("pipe.png")
attempt(os.mknod, "device.png", stat.S_IFCHR | 0o666, os.makedev(1, 5))
attempt(lambda: socket.socket(socket.AF_UNIX).bind("socket.png"))
for name in NAMES:
    with open(name, "wb") as file:
        file.write(png(8, 8, b"\x00" + b"\xff\x00\x00" * 8))
for name, (image, _) in hostile(OUTSIDE).items():
    with open(name, "wb") as file:
        file.write(image)
# Last: then there may be no room for anything else. So deep that it is read after what lies higher, and listed last.
os.makedirs(b"\xff/" * 10)
try:
    for i in range(MANY):
        os.mknod(b"\xff/" * 10 + b"%d" % i)
except OSError as error:
    print("many", error.strerror)
print("left")
"""


def leftovers(outside, many=20000):
    """A program that leaves all of this, and tries to lead to a file outside."""
    with open(__file__, encoding="utf-8") as own:
        definitions = own.read().split("\n# What else")[0].replace("from tap import must\n", "")
    return definitions + f"\nOUTSIDE, MANY = {outside!r}, {many}\n" + LEFTOVERS


def must_be_harmless(folder):
    """What was saved of it: only files, only what is in the folder of the program, and under names that do no harm."""
    saved = list(folder.rglob("*"))
    for path in saved:
        name = os.fsencode(path.name)
        mode = path.lstat().st_mode
        must(stat.S_ISREG(mode) and not mode & 0o111 or stat.S_ISDIR(mode), f"{name!r} is not a plain file")
        name.decode("utf-8")
        must(b"\n" not in name and b"\xe2\x80\xae" not in name and name[:1] not in (b"-", b"."), f"a file is called {name!r}")
    names = {path.name for path in saved}
    must({"bomb.png", "laughs.svg"} <= names, f"the pictures are missing: {sorted(names)[:50]}")
    must(not names & {"link.png", "link.svg", "link.txt", "everything", "pipe.png", "socket.png", "device.png"},
         "more than files was saved")
    must(sum(path.is_file() for path in saved) <= FILES_MAX, "more files than the limit")


if __name__ == "__main__":
    import sys
    sys.exit("hostile_files.py is a module of the tests")
