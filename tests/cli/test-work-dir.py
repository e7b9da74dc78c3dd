# SPDX-License-Identifier: GPL-3.0-or-later
"""A work folder of a run on this computer: files travel into the workspace and back, and nothing else changes."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import PATIENCE, Tap, equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-work-")
ROOM = Path(PLACE.name)
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": str(ROOM / "state"), "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
TIERS = ["A", "A2", "B"]
BINARY = bytes(range(256)) * 300


def program(text):
    path = ROOM / "program.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def call(*words, code=0):
    answer = subprocess.run([CTL, *map(str, words)], env=ENVIRONMENT, timeout=PATIENCE, check=False,
                            stdin=subprocess.DEVNULL, capture_output=True)
    equal(answer.returncode, code, f"exit status, {answer.stderr.decode()}")
    return answer


def run(folder, text, *words, code=0):
    return call("run", "--no-history", "--work-dir", folder, *words, program(text), code=code)


def new_folder(name):
    folder = ROOM / name
    folder.mkdir()
    return folder


def tree(folder):
    """Everything below it but folders: kind and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            found[os.fsencode(path.relative_to(folder))] = path.read_bytes()
        elif not stat.S_ISDIR(mode):
            found[os.fsencode(path.relative_to(folder))] = stat.S_IFMT(mode)
    return found


def a_block_that_is_not_there():
    """What a link keeps out of the folder is not said to be saved, and what needs it does not run."""
    folder = new_folder("linked")
    (folder / "lib").symlink_to(new_folder("behind-the-link"))
    answer = ROOM / "answer.md"
    answer.write_text("```python\n# filename: lib/a.json\n{}\n```\n```python\nprint('ran')\n```\n", encoding="utf-8")
    ended = call("run", "--no-history", "--work-dir", folder, answer, code=1)
    must("lib/a.json" in ended.stderr.decode() and "Could not copy" in ended.stderr.decode(), ended.stderr)
    must("saved to" not in ended.stderr.decode() and ended.stdout == b"", ended)
    equal(tree(folder), {b"lib": stat.S_IFLNK}, "the folder")
    equal(list((ROOM / "behind-the-link").iterdir()), [], "behind the link")


def kept_over_two_runs():
    folder = ROOM / "not" / "there"
    run(folder, "import os; os.makedirs('a/b'); open('a/b/x.bin', 'wb').write(bytes(range(256)) * 300)")
    equal(tree(folder), {b"a/b/x.bin": BINARY}, "after the first run")
    equal(run(folder, "print(len(open('a/b/x.bin', 'rb').read()))").stdout, b"76800\n", "the second run")
    equal(tree(folder), {b"a/b/x.bin": BINARY}, "after the second run")


def each_tier():
    for tier in TIERS:
        folder = new_folder(f"tier-{tier}")
        for name in ("same", "changed", "deleted", "main.py"):
            (folder / name).write_text(name)
        (folder / "changed").chmod(0o640)
        before = (folder / "same").stat()
        probe = subprocess.run([CTL, "run", "--no-history", "--tier", tier, program("1")], env=ENVIRONMENT,
                               timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL, capture_output=True)
        if probe.returncode != 0:
            continue
        run(folder, "import os; open('changed', 'a').write('+'); os.remove('deleted'); open('new', 'w').write('new')\n"
            "assert open('main.py').read() == 'main.py'", "--tier", tier)
        equal(tree(folder), {b"same": b"same", b"changed": b"changed+", b"main.py": b"main.py", b"new": b"new"}, tier)
        equal((folder / "changed").stat().st_mode & 0o7777, 0o640, "permissions")
        after = (folder / "same").stat()
        equal((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns), "an unchanged file")


def other_languages():
    folder = new_folder("shell")
    (folder / "in").write_text("in")
    path = ROOM / "program.sh"
    path.write_text("cat in > out; rm in\n")
    call("run", "--no-history", "--work-dir", folder, path)
    equal(tree(folder), {b"out": b"in"}, "of a shell script")


def without_files_in_the_result():
    folder = new_folder("quiet")
    answer = run(folder, "open('x', 'w').write('1')", "--no-files", "--json")
    must(b'"x"' not in answer.stdout, "no file is listed")
    equal(tree(folder), {b"x": b"1"}, "but it is kept")


def hostile_files():
    folder, witness = new_folder("hostile"), ROOM / "witness"
    witness.write_text("witness")
    outside = new_folder("outside")
    (outside / "inner").write_text("inner")
    for name in ("keep", "turned", "sub"):
        (folder / name).write_text(name)
    (folder / "old-link").symlink_to(witness)
    (folder / "old-folder").symlink_to(outside)
    os.mkfifo(folder / "old-pipe")
    run(folder, f"""
import os
assert not os.path.lexists('old-link') and not os.path.lexists('old-folder') and not os.path.lexists('old-pipe')
os.symlink({str(witness)!r}, 'evil')
os.remove('turned'); os.symlink('../witness', 'turned')
os.remove('sub'); os.mkdir('sub'); open('sub/x', 'w').write('x')
os.mkfifo('pipe')
open('old-link', 'w').write('through the link')
os.mkdir('old-folder'); open('old-folder/inner', 'w').write('through the folder')
open('new\\nline', 'w').write('1')
open(b'\\xff\\xfe', 'w').write('2')
open('tool', 'w').write('#!/bin/sh')
try:
    os.chmod('tool', 0o4777)
except OSError:
    pass
open(__file__, 'a').write('# changed')
for how in (lambda: os.mknod('device', 0o20666, os.makedev(1, 3)), lambda: os.link('/etc/hostname', 'hard')):
    try:
        how()
    except OSError:
        pass
""")
    equal(tree(folder), {b"keep": b"keep", b"turned": b"turned", b"sub/x": b"x", b"old-link": stat.S_IFLNK,
                         b"old-folder": stat.S_IFLNK, b"old-pipe": stat.S_IFIFO, b"new\nline": b"1",
                         b"\xff\xfe": b"2", b"tool": b"#!/bin/sh"}, "the folder")
    equal((folder / "tool").stat().st_mode & 0o7111, 0, "mode of a program")
    equal((witness.read_text(), tree(outside)), ("witness", {b"inner": b"inner"}), "what is outside")


def things_that_stay():
    folder = new_folder("stays")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("mine")
    run(folder, "import os\nassert not os.path.exists('.git')\n"
        "os.makedirs('.git/hooks'); open('.git/hooks/x', 'w').write('x'); open('.git/config', 'w').write('x')")
    equal(tree(folder), {b".git/config": b"mine"}, "version control data")


def write_protected():
    folder = new_folder("protected")
    for name in ("a", "b"):
        (folder / name).write_text(name)
        (folder / name).chmod(0o444)
    run(folder, "import os; os.remove('a'); os.remove('b'); open('b', 'w').write('new')")
    equal(tree(folder), {b"a": b"a", b"b": b"b"}, "they stay")


def too_many_or_too_large():
    folder = new_folder("many")
    run(folder, "for i in range(1001): open(str(i), 'w')")
    equal(len(tree(folder)), 1001, "all came back")
    answer = run(folder, "print(1)", code=125)
    must("1000 files" in answer.stderr.decode() and answer.stdout == b"", answer.stderr)
    (folder / "1000").unlink()
    equal(run(folder, "import os; print(len(os.listdir()))").stdout, b"1001\n", "with the program")
    folder = new_folder("flood")
    (folder / "mine").write_text("mine")
    answer = run(folder, "for i in range(2500): open(str(i), 'w')", "--json")
    must("more files or folders were left" in answer.stdout.decode(), "it is said")
    must((folder / "mine").read_text() == "mine" and len(tree(folder)) <= 2001, "the limit")
    folder = new_folder("large")
    answer = run(folder, "open('large', 'wb').truncate((16 << 20) + 1); open('small', 'w').write('1')", "--json")
    must("too large" in answer.stdout.decode(), "it is said")
    equal(tree(folder), {b"small": b"1"}, "all others")
    with open(folder / "huge", "wb") as huge:
        huge.truncate((32 << 20) + 1)
    must("32 MiB" in run(folder, "print(1)", code=125).stderr.decode(), "too large to copy in")


def limits_hold():
    folder = new_folder("disk")
    run(folder, "open('x', 'wb').write(b'x' * (8 << 20))", "--disk-limit", "4M", code=137)
    must(sum(map(len, tree(folder).values())) <= 4 << 20, "the disk limit")
    folder = new_folder("stopped")
    run(folder, "import time; open('x', 'w').write('1'); time.sleep(600)", "--timeout", "5", code=124)
    equal(tree(folder), {b"x": b"1"}, "what was written before the time was over")


def one_run_at_a_time():
    folder = new_folder("busy")
    first = subprocess.Popen([CTL, "run", "--no-history", "--work-dir", str(folder),
                              program("import time\nopen('x', 'w').write('1')\nprint('ready', flush=True)\ntime.sleep(600)")],
                             env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    equal(first.stdout.readline(), b"ready\n", "the first runs")
    for path in (folder, folder / "below"):
        must("another run" in run(path, "print(1)", code=125).stderr.decode().lower(), path)
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=PATIENCE)
    equal((first.returncode, tree(folder)), (130, {b"x": b"1"}), "the first was stopped")
    equal(run(folder, "print(open('x').read())").stdout, b"1\n", "then the next")


def refused_places():
    (ROOM / "way").symlink_to(new_folder("behind"))
    for path in ("/", "/etc", "/usr/local", Path.home(), ROOM / "way"):
        must(run(path, "print(1)", code=125).stdout == b"", path)
    must("Without protection" in run(ROOM / "behind", "1", "--without-protection", code=125).stderr.decode(), "no tier")
    for command in ("batch", "session"):
        words = [program("1")] if command == "batch" else []
        answer = call(command, "--work-dir", ROOM / "behind", *words, code=2 if command == "batch" else 125)
        must("work folder" in answer.stderr.decode() or "--work-dir" in answer.stderr.decode(), answer.stderr)


def why_not():
    """Why no sandbox can be made here, or None."""
    if os.geteuid() == 0:
        return "root hides half of the faults of a sandbox; run this as an ordinary user"
    answer = subprocess.run([CTL, "run", "--no-history", program("print(1)")], env=ENVIRONMENT, timeout=PATIENCE,
                            check=False, stdin=subprocess.DEVNULL, capture_output=True)
    return None if answer.returncode == 0 else answer.stderr.decode().strip()


def main():
    tap = Tap()
    reason = why_not()
    if reason is not None and os.environ.get("FH_MUST_SANDBOX") != "1":
        print(f"1..0 # SKIP {reason}")
        return 0
    tap.ok(reason is None, "a sandbox can be made here", [str(reason)])
    for test in (kept_over_two_runs, a_block_that_is_not_there, each_tier, other_languages,
                 without_files_in_the_result, hostile_files, things_that_stay, write_protected,
                 too_many_or_too_large, limits_hold, one_run_at_a_time, refused_places):
        tap.case(test.__name__.replace("_", " "), test)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
