# SPDX-License-Identifier: GPL-3.0-or-later
"""A program run by data/guest/bootstrap.py behaves as under bare Python, and says when memory ran out.

Argument: the path of bootstrap.py. Nothing here needs a sandbox: the guest channel is a socket of ours.
"""

import glob
import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import PROGRAMS
from tap import Tap, equal, must

BOOTSTRAP = os.path.abspath(sys.argv[1])
OUT_OF_MEMORY = b"\x01\0\0\0\x10"


def environment():
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


def bare(python, folder, arguments):
    return subprocess.run(
        [python, "-u", "main.py", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env=environment(), timeout=60, check=False)


def message(words):
    payload = b"\x01" + b"\0".join(os.fsencode(word) for word in words)
    return len(payload).to_bytes(4, "little") + payload


def guarded(python, folder, arguments, pieces=1):
    """The same through the bootstrap, and what it said on the guest channel."""
    ours, theirs = socket.socketpair()

    def hand_over():
        os.dup2(theirs.fileno(), 3)
        os.set_inheritable(3, True)

    process = subprocess.Popen(
        [python, "-u", BOOTSTRAP], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=folder, env=environment(), preexec_fn=hand_over, pass_fds=[3])
    theirs.close()
    words = message([str(folder / "main.py"), *arguments])
    size = max(1, len(words) // pieces)
    for start in range(0, len(words), size):
        ours.sendall(words[start:start + size])
    stdout, stderr = process.communicate(timeout=60)
    ours.setblocking(False)
    try:
        said = ours.recv(100)
    except BlockingIOError:
        said = b""
    ours.close()
    return subprocess.CompletedProcess([], process.returncode, stdout, stderr), said


def normal(output, folder):
    """The differences that are meant: the program is called by its full path, and the bootstrap's
    own frames count for the recursion limit."""
    output = output.replace(str(folder / "main.py").encode(), b"main.py")
    output = re.sub(rb"repeated \d+ more", b"repeated some more", output)
    return re.sub(rb"0x[0-9a-f]+", b"0x", output)


def same(python, source, arguments):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.py").write_bytes(source)
        expected = bare(python, folder, arguments)
        got, _ = guarded(python, folder, arguments)
        for stream in ("stdout", "stderr"):
            equal(normal(getattr(got, stream), folder), normal(getattr(expected, stream), folder), stream)
        equal(got.returncode, expected.returncode, "exit status")


def said(source, arguments=()):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.py").write_bytes(source)
        return guarded("/usr/bin/python3", folder, list(arguments))


def tells_memory():
    result, words = said(b"raise MemoryError('no more')\n")
    equal(words, OUT_OF_MEMORY, "message")
    equal(result.returncode, 1, "exit status")


def silent(source):
    equal(said(source)[1], b"", "message")


def child_does_not_speak():
    silent(b"import os\npid = os.fork()\nif not pid:\n    raise MemoryError\nos.wait()\n")


def null_byte():
    """Some versions of Python stop reading a file there without a word; here it is always an error."""
    result, _ = said(b"print(1)\n\x00\n")
    equal(result.returncode, 1, "exit status")
    must(b"null bytes" in result.stderr, f"the error must name them: {result.stderr!r}")


def children_do_not_get_the_channel():
    result, _ = said(b"import os, subprocess\n"
                     b"print(subprocess.run(['ls', '/proc/self/fd'], close_fds=False, capture_output=True).stdout)\n")
    equal(result.stdout, b"b'0\\n1\\n2\\n3\\n'\n", "descriptors of a child")


def message_in_pieces():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.py").write_bytes(b"import sys\nprint(len(sys.argv[1]))\n")
        result, _ = guarded("/usr/bin/python3", folder, ["x" * 60000], pieces=50)
        equal(result.stdout, b"60000\n", "stdout")


def channel_closed():
    process = subprocess.run(["/usr/bin/python3", "-u", BOOTSTRAP], stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=30, check=False)
    must(process.returncode != 0, "it must fail without a channel")


def others():
    """The other Pythons of this machine, for FH_ALL_PYTHONS=1: as many times the minutes."""
    found = glob.glob("/usr/bin/python3.[0-9]*") + glob.glob("/usr/local/bin/python3.[0-9]*")
    found += glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin/python3"))
    default = os.path.realpath("/usr/bin/python3")
    return sorted(path for path in found if re.search(r"python3(\.\d+)?$", path)
                  and os.path.realpath(path) != default
                  and "/2." not in path and "/3.6" not in path and "/3.7" not in path)


def main():
    tap = Tap()
    for name, source, arguments in PROGRAMS:
        tap.case(name, same, "/usr/bin/python3", source, arguments)
    tap.case("an uncaught MemoryError is told", tells_memory)
    tap.case("a caught MemoryError is not told", silent, b"try:\n    raise MemoryError\nexcept MemoryError:\n    pass\n")
    tap.case("a text about MemoryError is not told", silent, b"import sys\nprint('MemoryError', file=sys.stderr)\nsys.exit(1)\n")
    tap.case("a child's MemoryError is not told", child_does_not_speak)
    tap.case("NUL in the source is an error", null_byte)
    tap.case("children do not get the channel", children_do_not_get_the_channel)
    tap.case("the message may come in pieces", message_in_pieces)
    tap.case("no channel is an error", channel_closed)
    for python in others() if os.environ.get("FH_ALL_PYTHONS") else []:
        for name, source, arguments in PROGRAMS:
            tap.case(f"{python}: {name}", same, python, source, arguments)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
