# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that a program leaves are saved in the folder that the user names, and nowhere else."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import PATIENCE, Tap, equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-save-")
ROOM = Path(PLACE.name)
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": str(ROOM / "state"), "LC_ALL": "C.UTF-8", "LANGUAGE": ""}


def call(*words, code=0):
    answer = subprocess.run([CTL, *map(str, words)], env=ENVIRONMENT, timeout=PATIENCE, check=False,
                            stdin=subprocess.DEVNULL, capture_output=True)
    equal(answer.returncode, code, f"exit status, {answer.stderr.decode()}")
    return answer


def program(text):
    path = ROOM / "main.py"
    path.write_text(text, encoding="utf-8")
    return path


def run(text, *words, code=0):
    return call("run", *words, program(text), code=code)


def tree(folder):
    """Everything below it: paths, and contents of files."""
    return {os.fsencode(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if not path.is_dir()}


def plain():
    folder = ROOM / "new" / "folder"
    answer = run("""
import os
os.makedirs("plots/deep")
open("a.txt", "w").write("hello")
open("plots/deep/b.bin", "wb").write(bytes(range(256)))
open("tool", "w").write("#!/bin/sh")
os.chmod("tool", 0o4777)
""", "--save-files", folder)
    equal(answer.stderr, b"", "stderr")
    equal(tree(folder), {b"a.txt": b"hello", b"plots/deep/b.bin": bytes(range(256)), b"tool": b"#!/bin/sh"}, "files")
    equal(folder.stat().st_mode & 0o7777, 0o700, "mode of the folder")
    equal((folder / "tool").stat().st_mode & 0o7111, 0, "mode of a program")


def nothing_left():
    folder = ROOM / "nothing"
    answer = run("print(1)", "--save-files", folder)
    equal((answer.stdout, answer.stderr, tree(folder)), (b"1\n", b"", {}), "answer")


def caches_of_libraries_are_no_results():
    folder = ROOM / "caches"
    run("""
import os
import sys
cache = os.path.join(os.environ["XDG_CACHE_HOME"], "library")
os.makedirs(cache)
open(os.path.join(cache, "fonts.json"), "w").write("[]")
open("module.py", "w").write("x = 1")
sys.path.insert(0, "")
import module
""", "--save-files", folder)
    equal(sorted(tree(folder)), [b"module.py"], "files")


def hostile_names():
    folder = ROOM / "hostile"
    answer = run(r"""
import os
for name in b"-rf", b".bashrc", b"new\nline", b"bad\xff", b"\x1b]0;title\x07", b"%s%n":
    open(name, "wb").write(b"x")
os.makedirs(".git/hooks")
open(".git/hooks/pre-commit", "w").write("y")
os.symlink("/etc/passwd", "passwd")
os.symlink("/", "root")
os.mkfifo("pipe")
""", "--save-files", folder)
    equal(sorted(tree(folder)), [b"%s%n", b"_-rf", b"_.bashrc", b"_.git/hooks/pre-commit", b"_]0;title_", b"bad_",
                                 b"new_line"], "files")
    must(b"3 files were not saved" in answer.stderr, answer.stderr.decode())
    must(b"\xe2\x80\x9c.bashrc\xe2\x80\x9d was saved as \xe2\x80\x9c_.bashrc" in answer.stderr, answer.stderr.decode())
    must(b"\x1b" not in answer.stderr and b"\x07" not in answer.stderr, "control characters")


def nothing_is_overwritten_or_followed():
    folder = ROOM / "taken"
    outside = ROOM / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "a.txt").write_text("mine", encoding="utf-8")
    (folder / "link.txt").symlink_to(outside / "made.txt")
    (folder / "loop").symlink_to("loop")
    (folder / "plots").symlink_to(outside)
    answer = run("""
import os
os.mkdir("plots")
for name in "a.txt", "link.txt", "loop", "plots/b.txt", "c.txt":
    open(name, "w").write("theirs")
""", "--save-files", folder, code=125)
    equal(list(outside.iterdir()), [], "outside")
    equal((folder / "a.txt").read_text(encoding="utf-8"), "mine", "a file that was there")
    for name in "a (2).txt", "link (2).txt", "loop (2)", "c.txt":
        equal((folder / name).read_text(encoding="utf-8"), "theirs", name)
    must(b"plots/b.txt" in answer.stderr, answer.stderr.decode())


def folder_that_cannot_be():
    (ROOM / "file").write_text("x", encoding="utf-8")
    for name in "file", "file/below":
        answer = run("print('ran')", "--save-files", ROOM / name, code=125)
        equal(answer.stdout, b"", "it ran")
        must(b"cannot be saved" in answer.stderr, answer.stderr.decode())
    answer = run("print('ran')", "--no-files", "--save-files", ROOM / "x", code=125)
    must(b"--no-files" in answer.stderr and not (ROOM / "x").exists(), answer.stderr.decode())


def folder_behind_a_link():
    """An earlier program may have created the link."""
    outside = ROOM / "behind"
    outside.mkdir()
    (ROOM / "link").symlink_to(outside)
    run("open('a', 'w').write('x')")
    number = json.loads(call("history", "list", "--json").stdout)["runs"][0]["id"]
    for name in "link", "link/new":
        for words in (["run", "--save-files", ROOM / name, program("open('a', 'w').write('x')")],
                      ["history", "save-files", number, ROOM / name], ["history", "export", number, f"{ROOM / name}/"],
                      ["history", "export", number, ROOM / name / "file"]):
            answer = call(*words, code=125 if words[0] == "run" else 1)
            must(f"{ROOM}/link".encode() in answer.stderr and b"is a link" in answer.stderr, answer.stderr.decode())
    equal(list(outside.iterdir()), [], "what was made there")
    # The current folder is not looked up by the path in $PWD.
    subprocess.run([CTL, "run", "--save-files", "here", program("open('a', 'w').write('x')")], env={
        **ENVIRONMENT, "PWD": str(ROOM / "link")}, cwd=ROOM / "link", timeout=PATIENCE, check=True)
    equal(tree(outside), {b"here/a": b"x"}, "from a folder behind a link")


def json_lists_files():
    result = json.loads(run("open('a', 'w').write('x'); import os; os.symlink('a', 'b')", "--json").stdout)
    equal(result["files"],
          [{"path": "a", "kind": "file", "size": 1, "is_program": False, "is_changed": False, "kept": True},
           {"path": "b", "kind": "link", "size": 0, "is_program": False, "is_changed": False, "kept": False}], "files")
    equal((result["files_left_out"], result["files_incomplete"]), (0, False), "what is missing")
    result = json.loads(run("open('a', 'w')", "--json", "--no-files").stdout)
    equal(result["files"], [], "files of a run without")


def from_the_history():
    run(r"""
import os
open("a.txt", "w").write("kept")
open("large", "wb").write(bytes(5 << 20))
open("\x1b[31mred", "w")
os.symlink("a.txt", "link")
os.chmod("a.txt", 0o755)
""")
    number = json.loads(call("history", "list", "--json").stdout)["runs"][0]["id"]
    shown = call("history", "show", number).stdout.decode()
    for line in "Files left behind:", "a.txt (program)", "5.0\u00a0MiB", "large (not kept)", "link (link)", "red":
        must(line in shown, f"{line!r} is not in {shown!r}")
    must("\x1b" not in shown, "control characters")
    files = json.loads(call("history", "show", number, "--json").stdout)["result"]["files"]
    equal({file["path"]: file["kept"] for file in files if file["kind"] == "file"},
          {"a.txt": True, "large": False, "\x1b[31mred": True}, "what is kept")
    folder = ROOM / "from-history"
    answer = call("history", "save-files", number, folder)
    equal(tree(folder), {b"a.txt": b"kept", b"_[31mred": b""}, "saved files")
    must(b"2 files were not saved" in answer.stderr, answer.stderr.decode())
    export = ROOM / "export"
    export.mkdir()
    call("history", "export", number, export)
    equal((export / "files" / "a.txt").read_bytes(), b"kept", "exported file")
    must((export / "result.json").exists() and (export / "source").exists(), "the rest of the export")
    call("history", "save-files", 9999, ROOM / "y", code=1)
    must(not (ROOM / "y").exists(), "a folder for a run that is not there")
    call("history", "save-files", number, code=2)


def why_not():
    """Why no sandbox can be made here, or None."""
    if os.geteuid() == 0:
        return "root hides half of the faults of a sandbox; run this as an ordinary user"
    answer = subprocess.run([CTL, "run", "--no-history", str(program("print(1)"))], env=ENVIRONMENT, timeout=PATIENCE,
                            check=False, stdin=subprocess.DEVNULL, capture_output=True)
    return None if answer.returncode == 0 else answer.stderr.decode().strip()


def main():
    tap = Tap()
    reason = why_not()
    if reason is not None and os.environ.get("FH_MUST_SANDBOX") != "1":
        print(f"1..0 # SKIP {reason}")
        return 0
    tap.ok(reason is None, "a sandbox can be made here", [str(reason)])
    for test in (plain, nothing_left, caches_of_libraries_are_no_results, hostile_names,
                 nothing_is_overwritten_or_followed, folder_that_cannot_be, folder_behind_a_link, json_lists_files, from_the_history):
        tap.case(test.__name__.replace("_", " "), test)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
