# SPDX-License-Identifier: GPL-3.0-or-later
"""apply and undo are killed at points that can be seen from outside: nothing is lost, and nothing stays in the project."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tap import PATIENCE, Tap, equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-kills-")
ROOM = Path(PLACE.name)
STATE = ROOM / "state"
UNDO = STATE / "fumehood" / "undo"
PROJECT = ROOM / "project"
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": str(STATE), "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
N_FILES = 30
PROGRAM = f"""
import os
for i in range({N_FILES}):
    open(f'changed-{{i}}', 'w').write('new' * 1000)
    os.makedirs(f'made/{{i % 9}}', exist_ok=True)
    open(f'made/{{i % 9}}/added-{{i}}', 'w').write('new')
    os.remove(f'gone-{{i}}')
"""


def call(*words, code=0):
    answer = subprocess.run([CTL, *map(str, words)], env=ENVIRONMENT, timeout=PATIENCE, check=False,
                            stdin=subprocess.DEVNULL, capture_output=True)
    equal(answer.returncode, code, f"exit status of {words[0]}, {answer.stderr.decode()}")
    return answer


def tree():
    """Everything in the project: kind, permissions, content and time of change of files."""
    found = {}
    for path in sorted(PROJECT.rglob("*")):
        info = path.lstat()
        is_file = stat.S_ISREG(info.st_mode)
        found[str(path.relative_to(PROJECT))] = (info.st_mode, path.read_bytes() if is_file else None,
                                                 info.st_mtime_ns if is_file else None)
    return found


def contents():
    return {path: content for path, (_, content, _) in tree().items()}


def temporary():
    return [name for name in os.listdir(PROJECT) if name.startswith(".fumehood-")]


def first_has(text):
    try:
        return (PROJECT / "changed-0").read_text(encoding="utf-8").startswith(text)
    except FileNotFoundError:
        return False


POINTS = {
    "the backup is begun": lambda: UNDO.is_dir() and any(name.startswith(".") for name in os.listdir(UNDO)),
    "the first new file is written": temporary,
    "a folder is made": (PROJECT / "made").is_dir,
    "half of the new files are written": lambda: len(temporary()) > N_FILES // 2,
    "all new files are written": lambda: len(temporary()) >= N_FILES,
    "the first file is exchanged": lambda: first_has("new"),
    "a file is deleted": lambda: not (PROJECT / "gone-0").exists(),
    "old files are removed": lambda: first_has("new") and len(temporary()) < N_FILES,
}
POINTS_OF_UNDO = {
    "the first old file is written": temporary,
    "half of the old files are written": lambda: len(temporary()) > N_FILES // 2,
    "the first file is exchanged": lambda: first_has("old"),
    "a file is back": (PROJECT / "gone-0").exists,
    "the folders are gone": lambda: not (PROJECT / "made").exists(),
}


def kill_when(is_reached, *words):
    """Whether it was reached before the process ended."""
    process = subprocess.Popen([CTL, *words], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        if is_reached():
            process.kill()
            process.wait()
            return True
        time.sleep(0.0005)
    return False


def applied():
    return json.loads(call("undo", "--list", "--json").stdout)["applied"]


def take_all_back():
    while applied():
        call("undo")


def check(before, after):
    """Each file is the old or the new one."""
    now = tree()
    for path in before.keys() | after.keys():
        if not path.startswith("made"):
            must(now.get(path, (0, None))[1] in (before.get(path, (0, None))[1], after.get(path)), f"{path} is mixed")


def killed_apply(before, after):
    n_reached = 0
    for number, (what, is_reached) in enumerate(POINTS.items()):
        n_reached += kill_when(is_reached, "apply", "1", "--all")
        check(before, after)
        if number % 2 == 0:
            call("apply", "1", "--all")
            equal(contents(), after, f"applied again after it was killed when {what}")
        take_all_back()
        equal(tree(), before, f"taken back after apply was killed when {what}")
    must(n_reached >= len(POINTS) // 2, f"only {n_reached} points were reached in time")


def killed_undo(before, after):
    for number, (what, is_reached) in enumerate(POINTS_OF_UNDO.items()):
        call("apply", "1", "--all")
        kill_when(is_reached, "undo")
        check(before, after)
        if number % 2 == 0:
            call("apply", "1", "--all")
            equal(contents(), after, f"applied again after undo was killed when {what}")
        take_all_back()
        equal(tree(), before, f"taken back after undo was killed when {what}")


def what_is_listed():
    equal(applied(), [], "nothing")
    must("nothing" not in call("undo", "--list").stdout.decode(), "an empty list")
    call("apply", "1", "changed-0", "changed-1")
    call("apply", "1", "gone-0")
    (second, first) = applied()
    equal((first["folder"], first["files"], second["files"]), (str(PROJECT), 2, 1), "the list")
    lines = call("undo", "--list").stdout.decode().splitlines()
    must(lines[0].startswith(second["name"]) and lines[1].endswith(f"2 files     {PROJECT}"), lines)
    call("undo", first["name"])
    must((PROJECT / "changed-0").read_text(encoding="utf-8") == "old" and not (PROJECT / "gone-0").exists(), "only that")
    call("undo", first["name"], code=1)
    call("undo")
    for words in (["a", "b"], ["--list", "a"], ["--json"]):
        call("undo", *words, code=2)


def what_is_lost():
    """It is said before it is lost."""
    os.link(PROJECT / "changed-0", ROOM / "other")
    (PROJECT / "gone-0").chmod(0o2755)
    told = call("apply", "1", "--all").stderr.decode()
    for name in ("“changed-0” has other names", "“gone-0” has other names"):
        must(name in told, told)
    must("changed-1" not in told, told)
    equal((ROOM / "other").read_text(encoding="utf-8"), "old", "the other name")
    call("undo")


def main():
    tap = Tap()
    PROJECT.mkdir()
    for i in range(N_FILES):
        (PROJECT / f"changed-{i}").write_text("old", encoding="utf-8")
        (PROJECT / f"gone-{i}").write_text("old", encoding="utf-8")
    program = ROOM / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    answer = subprocess.run([CTL, "run", "--project", PROJECT, program], env=ENVIRONMENT, timeout=PATIENCE, check=False,
                            stdin=subprocess.DEVNULL, capture_output=True)
    if answer.returncode != 0 and os.environ.get("FH_MUST_SANDBOX") != "1":
        print(f"1..0 # SKIP {answer.stderr.decode().splitlines()[0]}")
        return 0
    tap.ok(answer.returncode == 0, "a sandbox can be made here", answer.stderr.decode().splitlines())
    before = tree()
    call("apply", "1", "--all")
    after = contents()
    call("undo")
    tap.ok(tree() == before, "what is applied is taken back")
    for test in (killed_apply, killed_undo):
        tap.case(test.__name__.replace("_", " "), test, before, after)
    for test in (what_is_listed, what_is_lost):
        tap.case(test.__name__.replace("_", " "), test)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
