# SPDX-License-Identifier: GPL-3.0-or-later
"""fumehood-decode by itself: what it makes of good pictures, and how it ends with others. Its sandbox is not tested here.

Arguments: the program; then "--seeds" to print what tests/fuzz/seeds/decoder.txt holds."""

import os
import resource
import string
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import hostile_files
from tap import PATIENCE, Skip, Tap, equal, must

DECODER = os.path.abspath(sys.argv[1])
ENDS = {"shown": 0, "unknown": 3, "damaged": 4, "large": 5}
NO_LOADER = 6
ALPHABET = string.ascii_letters + " <>/=.:"
RED = b"\xff\x00\x00\xff"


def limit(seconds):
    """As in its sandbox."""
    resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def decode(image, seconds=5):
    """Exit status, what was written (or None), and the names of all that was."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([DECODER], input=image, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=lambda: limit(seconds), timeout=PATIENCE, check=False)
        written = Path(folder) / "pixels"
        return result.returncode, written.read_bytes() if written.exists() else None, sorted(os.listdir(folder))


def decoded(image):
    """(width, height, own width, own height, frames), and the pixels."""
    status, written, names = decode(image)
    if status == NO_LOADER:
        raise Skip("there is no loader of such pictures here")
    equal((status, names), (0, ["pixels"]), "the end")
    must(written[:4] == b"FHPX" and struct.unpack_from("<I", written, 4)[0] == 1, "the beginning")
    width, height, *others, zero = struct.unpack_from("<IIIIII", written, 8)
    equal((len(written), zero), (32 + width * height * 4, 0), "the size")
    return (width, height, *others), written[32:]


def reads_png():
    facts, pixels = decoded(hostile_files.png(3, 2, b"\x00" + b"\xff\x00\x00" * 3))
    equal((facts, pixels), ((3, 2, 3, 2, 1), RED * 6), "a red picture")


def reads_jpeg():
    equal(decoded(hostile_files.JPEG)[0], (8, 8, 8, 8, 1), "sizes")


def reads_webp():
    facts, pixels = decoded(hostile_files.WEBP)
    equal((facts, pixels), ((8, 4, 8, 4, 1), RED * 32), "a red picture")


def reads_gif():
    equal(decoded(hostile_files.gif(1)), ((1, 1, 1, 1, 1), RED), "one frame")
    equal(decoded(hostile_files.gif(3)), ((1, 1, 1, 1, 2), RED), "the first of three")


def reads_svg():
    facts, pixels = decoded(b"\n  " + hostile_files.SVG +
                            b"width='20' height='10'><rect width='20' height='10' fill='red' opacity='.5'/></svg>")
    equal((facts, pixels[:4]), ((1024, 512, 20, 10, 1), b"\xff\x00\x00\x80"), "half red")
    facts, _ = decoded(hostile_files.SVG + b"viewBox='0 0 2000 1000'/>")
    equal(facts, (2000, 1000, 2000, 1000, 1), "a size by its box")


def makes_large_ones_smaller():
    (width, height, *others), pixels = decoded(hostile_files.png(6000, 3000, b"\x00" + b"\xff\x00\x00" * 6000))
    equal(others, [6000, 3000, 1], "its own size")
    must(2880 <= width <= 2900 and width == 2 * height and pixels[:4] == RED, f"{width} by {height}")


def hostile_ones_end_it():
    with tempfile.TemporaryDirectory() as folder:
        witness = Path(folder) / "witness.png"
        witness.write_bytes(hostile_files.png(8, 8, b"\x00" + b"\x00\x00\xff" * 8))
        for name, (image, end) in hostile_files.hostile(str(witness)).items():
            # A picture that takes all the time it is allowed shows within a second how that ends.
            status, written, names = decode(image, 1 if end == "any" else 5)
            must(names in ([], ["pixels"]), f"{name}: it wrote {names}")
            if end == "any":
                must(status != 0 or written is not None, f"{name}: {status}")
            elif status != NO_LOADER:
                equal(status, ENDS[end], name)
            must((written is None or len(written) <= 16 << 20) and (status == 0) == (written is not None), name)


def nothing_outside_is_drawn():
    """A file beside it is blue; the drawing itself is black."""
    with tempfile.TemporaryDirectory() as folder:
        witness = Path(folder) / "witness.png"
        witness.write_bytes(hostile_files.png(8, 8, b"\x00" + b"\x00\x00\xff" * 8))
        for image in (hostile_files.reaching(str(witness)),
                      hostile_files.SVG + b"width='8' height='8'><image xlink:href='" + str(witness).encode() +
                      b"' width='8' height='8'/></svg>"):
            status, written, _ = decode(image)
            must(status != 0 or b"\x00\x00\xff\xff" not in written[32:], "a file of this computer was drawn")


def too_much_is_refused():
    equal(decode(b"\x89PNG\r\n\x1a\n" + bytes(16 << 20))[0], 7, "more than 16 MiB")


def one_folder_is_written_once():
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pixels").symlink_to("/etc/hostname")
        status = subprocess.run([DECODER], input=hostile_files.gif(1), cwd=folder, check=False).returncode
        equal(status, 7, "a name that is taken")


def print_seeds():
    """One line each, in the escapes of printf, as tests/fuzz/run takes them."""
    slow = ("laughs.svg", "filter.svg", "wide.gif")
    seeds = [image for name, (image, _) in hostile_files.hostile("/etc/hostname").items()
             if len(image) < 1 << 12 and name not in slow]
    seeds += [hostile_files.JPEG, hostile_files.gif(3),
              hostile_files.png(3, 2, b"\x00" + b"\xff\x00\x00" * 3)]
    for image in seeds:
        print("".join(chr(byte) if chr(byte) in ALPHABET else f"\\0{byte:03o}" for byte in image))


def main():
    if sys.argv[2:] == ["--seeds"]:
        print_seeds()
        return 0
    tap = Tap()
    for case in (reads_png, reads_jpeg, reads_webp, reads_gif, reads_svg, makes_large_ones_smaller, hostile_ones_end_it,
                 nothing_outside_is_drawn, too_much_is_refused, one_folder_is_written_once):
        tap.case(case.__name__.replace("_", " "), case)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
