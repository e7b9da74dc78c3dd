# SPDX-License-Identifier: GPL-3.0-or-later
"""A program run by data/guest/bootstrap.py behaves as under bare Python, and says when memory ran out.

Argument: the path of bootstrap.py. Nothing here needs a sandbox: the guest channel is a socket of ours.
"""

import glob
import importlib.util
import marshal
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from comparison import BOOTSTRAP, bare, guarded, message, same
from programs import PROGRAMS
from tap import PATIENCE, Tap, equal, must

OUT_OF_MEMORY = b"\x01\0\0\0\x10"


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


def no_types_of_syntax_trees():
    """They take a millisecond, and are made when a program is compiled by Python's function for that."""
    result, _ = said(b"print('AST' in [kind.__name__ for kind in object.__subclasses__()])\n")
    equal((result.returncode, result.stdout), (0, b"False\n"), "exit status and output")


def null_byte():
    """Some versions of Python stop reading a file there without a word; here it is always an error."""
    for source in (b"print(1)\n\x00\n", b"print(1)\rx = 'a\x00b'\n", b"print(1)\n# \xff\x00\n"):
        result, _ = said(source)
        equal((result.returncode, result.stdout), (1, b""), "exit status and output")
        must(b'main.py", line 2\n' in result.stderr and result.stderr.endswith(
            b"SyntaxError: source code cannot contain null bytes\n"), f"the error must name them: {result.stderr!r}")


def bytes_that_are_no_text():
    """In the interpreter's own words; also in a comment, and not if an encoding is declared."""
    for source in (b"print(1)\nprint('caf\xe9')\n", b"print(1)\n# caf\xe9\n"):
        result, _ = said(source)
        equal((result.returncode, result.stdout), (1, b""), "exit status and output")
        must(b'main.py", line 2\n' in result.stderr, f"the line is not told: {result.stderr!r}")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "main.py").write_bytes(source)
            own = bare("/usr/bin/python3", folder, []).stderr
        for words in (own, result.stderr):
            must(words.splitlines()[-1].startswith(b"SyntaxError: Non-UTF-8 code starting with '\\xe9'"), f"it is {words!r}")
    result, _ = said(b"# coding: latin-1\nprint(ascii('\xe9'))\n")
    equal(result.stdout, b"'\\xe9'\n", "output")


def children_do_not_get_the_channel():
    result, _ = said(b"import os, subprocess\n"
                     b"print(subprocess.run(['ls', '/proc/self/fd'], close_fds=False, capture_output=True).stdout)\n")
    equal(result.stdout, b"b'0\\n1\\n2\\n3\\n'\n", "descriptors of a child")


def sealed_source():
    """What is run is what the descriptor holds; the file of that name is only shown."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile() as source:
        folder = Path(name)
        (folder / "main.py").write_bytes(b"print('forged')\n" * 3)
        source.write(b"import os, sys\nprint(__file__, sys.path[0], os.listdir('/proc/self/fd'))\n1/0\n")
        source.seek(0)
        result, _ = guarded("/usr/bin/python3", folder, [], sealed=source.fileno())
        # 3 is listdir's own.
        equal(result.stdout.decode(), f"{folder}/main.py {folder} ['0', '1', '2', '3', '255']\n", "stdout")
        must(b"ZeroDivisionError" in result.stderr, f"stderr: {result.stderr!r}")


def few_open_files():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.py").write_bytes(b"import json, os\nprint(open(os.devnull).fileno(), json.dumps(1))\n")
        for limit in (16, 256, 4096):
            result, _ = guarded("/usr/bin/python3", folder, [], files=limit)
            equal((result.stdout, result.stderr), (b"3 1\n", b""), f"output with {limit} files")


def message_in_pieces():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.py").write_bytes(b"import sys\nprint(len(sys.argv[1]))\n")
        result, _ = guarded("/usr/bin/python3", folder, ["x" * 60000], pieces=50)
        equal(result.stdout, b"60000\n", "stdout")


def typed():
    """What was typed at Python's prompt prints as it did there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = b"x = 20\n\nx + 1\nNone\nfor n in 'a', 'b':\n    n\ndef f():\n    return x / 0\n'text'\nf()\n'never'\n"
        (folder / "main.py").write_bytes(source)
        result, _ = guarded("/usr/bin/python3", folder, [], before=message([], b"\x0b"))
        equal(result.stdout, b"21\n'a'\n'b'\n'text'\n", "values")
        # Which places are marked below a line is another matter in each version.
        told = re.sub(r"(?m)^ *[~^]+\n", "", result.stderr.decode().replace(f"{folder}/", ""))
        equal(told, 'Traceback (most recent call last):\n  File "main.py", line 10, in <module>\n'
              '    f()\n  File "main.py", line 8, in f\n    return x / 0\nZeroDivisionError: division by zero\n', "the error")


def stored_code():
    """Code is used in place of a text if it was made of the same text by the same Python, and in no other case."""
    import comparison
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("bootstrap.py", "ending.py", "program.py", "shown.py"):
            shutil.copy(Path(BOOTSTRAP).with_name(file), folder)
        (folder / "main.py").write_bytes(b"print(__file__[-7:], sorted(globals()))\n")
        text, stored = (folder / "program.py").read_bytes(), folder / "program.pyc"
        code = marshal.dumps(compile(b"print('stored')\n" + text, "elsewhere.py", "exec"))
        magic, right = importlib.util.MAGIC_NUMBER, importlib.util.source_hash(text)
        before, comparison.BOOTSTRAP = comparison.BOOTSTRAP, str(folder / "bootstrap.py")
        try:
            expected = guarded("/usr/bin/python3", folder, [])[0]
            must(expected.stdout.startswith(b"main.py ['__annotations__'"), f"without: {expected}")
            for content, is_used in ((magic + bytes(4) + right + code, True), (magic + bytes(4) + bytes(8) + code, False),
                                     (b"\0\0\r\n" + bytes(4) + right + code, False), (magic + bytes(4) + right + code[:500], False),
                                     (magic, False), (b"", False)):
                stored.write_bytes(content)
                result = guarded("/usr/bin/python3", folder, [])[0]
                equal((result.stdout, result.stderr), ((b"stored\n" if is_used else b"") + expected.stdout, b""), f"with {content[:16]!r}")
        finally:
            comparison.BOOTSTRAP = before


def channel_closed():
    process = subprocess.run(["/usr/bin/python3", "-u", BOOTSTRAP], stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=PATIENCE, check=False)
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
        # And where the interpreter was there before it, so that data/guest/ending.py ends it.
        if name != "imports nothing more":
            tap.case("waited: " + name, same, "/usr/bin/python3", source, arguments, True)
    tap.case("an uncaught MemoryError is told", tells_memory)
    tap.case("a caught MemoryError is not told", silent, b"try:\n    raise MemoryError\nexcept MemoryError:\n    pass\n")
    tap.case("a text about MemoryError is not told", silent, b"import sys\nprint('MemoryError', file=sys.stderr)\nsys.exit(1)\n")
    tap.case("a child's MemoryError is not told", child_does_not_speak)
    tap.case("what was typed prints its values", typed)
    tap.case("code of the same text and Python is used", stored_code)
    tap.case("no types of syntax trees are made", no_types_of_syntax_trees)
    tap.case("NUL in the source is an error", null_byte)
    tap.case("bytes that are no text are an error", bytes_that_are_no_text)
    tap.case("children do not get the channel", children_do_not_get_the_channel)
    tap.case("a sealed program is run instead of its file", sealed_source)
    tap.case("few open files are enough", few_open_files)
    tap.case("the message may come in pieces", message_in_pieces)
    tap.case("no channel is an error", channel_closed)
    for python in others() if os.environ.get("FH_ALL_PYTHONS") else []:
        for name, source, arguments in PROGRAMS:
            tap.case(f"{python}: {name}", same, python, source, arguments)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
