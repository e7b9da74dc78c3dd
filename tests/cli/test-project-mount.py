# SPDX-License-Identifier: GPL-3.0-or-later
"""A project that is mounted: one of any size runs at once, its changes are listed, and where it cannot be, it is copied."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import PATIENCE, Tap, equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-project-")
ROOM = Path(PLACE.name)


def environment_of(folder, **others):
    """Each project has a history of its own, in which the run is number 1."""
    place = f"{folder}-state"
    return {**os.environ, "XDG_STATE_HOME": place, "XDG_CONFIG_HOME": place, "XDG_DATA_HOME": place,
            "LC_ALL": "C.UTF-8", "LANGUAGE": "", **others}


def call(folder, *words, code=0, **environment):
    answer = subprocess.run([CTL, *map(str, words)], env=environment_of(folder, **environment), timeout=PATIENCE,
                            check=False, stdin=subprocess.DEVNULL, capture_output=True)
    equal(answer.returncode, code, f"exit status, {(answer.stderr + answer.stdout[-2000:]).decode()}")
    return answer


def without_overlays():
    """A runner that finds none."""
    path = ROOM / "runner"
    path.write_text(f"#!/bin/sh\nFH_RUNNER_WITHOUT_OVERLAYS=1 exec '{os.environ['FH_RUNNER']}'\n", encoding="ascii")
    path.chmod(0o755)
    return {"FH_RUNNER": str(path)}


def run(folder, text, *words, **environment):
    path = ROOM / "program.py"
    path.write_text(text, encoding="utf-8")
    answer = json.loads(call(folder, "run", "--json", "--project", folder, *words, path, **environment).stdout)
    equal((answer["status"], answer["stderr"]), ("ok", ""), "how it ended")
    return answer


def changes(answer):
    """Kind, problem and sizes of each."""
    return {change["path"]: (change["kind"], change["problem"], change["old_size"], change["new_size"])
            for change in answer["project"]["changes"]}


def is_mounted(answer):
    (guard,) = [guard for guard in answer["guards"] if guard["guard"] == "filesystem"]
    return guard["reason"] == "project"


def new_project(name):
    folder = ROOM / name
    (folder / ".git" / "hooks").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref\n")
    (folder / "src").mkdir()
    for name in ("a", "b", "src/c", "src/d"):
        (folder / name).write_text(name)
    (folder / "link").symlink_to("a")
    return folder


EVERY = """
import os
open('a', 'a').write('+')
os.remove('b')
open('new', 'w').write('n')
open('src/c', 'r+').write('s')
open('src/d', 'a').close()
"""
EXPECTED = {"a": ("changed", "none", 1, 2), "b": ("deleted", "none", 1, 0), "new": ("added", "none", 0, 1)}


def changes_are_listed_and_applied():
    folder = new_project("listed")
    answer = run(folder, EVERY + "print(open('.git/HEAD').read(), end='')")
    must(is_mounted(answer), "it was copied")
    equal(answer["stdout"], "ref\n", "what a copy would leave out")
    equal(changes(answer), EXPECTED, "changes")
    equal((answer["project"]["hidden"], answer["project"]["n_left_out"]), ([], 0), "what is not in the list")
    equal(((folder / "a").read_text(), (folder / "b").exists(), (folder / "new").exists()), ("a", True, False), "before")
    call(folder, "apply", "1", "--all")
    equal(((folder / "a").read_text(), (folder / "b").exists(), (folder / "new").read_text()), ("a+", False, "n"), "after")


def the_same_as_a_copy():
    for words, environment in (["--tier", "B"], {}), ([], without_overlays()):
        folder = new_project(f"copied-{len(words)}")
        answer = run(folder, EVERY, *words, **environment)
        must(not is_mounted(answer), "it was mounted")
        equal(changes(answer), EXPECTED, "changes")
        equal(answer["project"]["hidden"], [".git", "link"], "what was left out")


def large_ones_start_at_once():
    folder = new_project("large")
    # More files, and more bytes, than are copied.
    for number in range(2000):
        path = folder / f"{number // 100}" / f"{number}.bin"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * (20 << 10))
    answer = run(folder, EVERY)
    must(is_mounted(answer), "it was copied")
    equal(changes(answer), EXPECTED, "changes")
    refused = call(folder, "run", "--project", folder, ROOM / "program.py", code=125, **without_overlays())
    must(b"more than 1000 files" in refused.stderr, refused.stderr.decode())


def files_that_change_meanwhile_conflict():
    """What the user saves during a run is not what the program has seen."""
    folder = new_project("meanwhile")
    path = ROOM / "waiting.py"
    path.write_text("""
import os, signal
open('a', 'a').write('program')
os.remove('b')
open('src/c', 'w').write('program')
try:
    print('ready', flush=True)
    signal.pause()
except KeyboardInterrupt:
    pass
""")
    process = subprocess.Popen([CTL, "run", "--project", folder, path], env=environment_of(folder),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    equal(process.stdout.readline(), b"ready\n", "what it prints")
    (folder / "a").write_text("user")
    (folder / "b").write_text("user")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    for name in "a", "b":
        answer = call(folder, "apply", "1", name, code=1)
        must(name.encode() in answer.stderr, answer.stderr.decode())
        equal((folder / name).read_text(), "user", name)
    call(folder, "apply", "1", "src/c")
    equal((folder / "src/c").read_text(), "program", "one that only the program changed")


def blocks_of_an_answer_share_it():
    """Each finds what those before it left: also no file that they deleted, and a folder in the place of one."""
    folder = new_project("answer")
    path = ROOM / "answer.md"
    path.write_text("""
First:

```python
import os, shutil
open('a', 'a').write('+')
os.remove('b')
os.mkdir('b')
open('b/inner', 'w').write('i')
shutil.rmtree('src')
open('new', 'w').write('n')
```

Then:

```python
import os
assert open('a').read() == 'a+' and os.listdir('b') == ['inner'] and open('.git/HEAD').read() == 'ref\\n'
assert not os.path.exists('src/c') and not os.path.exists('src/d')
os.remove('new')
open('src/c' if os.path.isdir('src') else 'c', 'w').write('again')
```
""", encoding="utf-8")
    call(folder, "run", "--project", folder, path)
    project = json.loads(call(folder, "changes", "1", "--json").stdout)["project"]
    found = {one["path"]: one["kind"] for one in project["changes"]}
    for name, kind in (("a", "changed"), ("b", "deleted"), ("b/inner", "added"), ("src/d", "deleted")):
        equal(found.pop(name), kind, name)
    must("new" not in found and len(found) <= 2, f"others: {found}")
    equal((project["hidden"], (folder / "a").read_text()), ([], "a"), "it was mounted, and is as it was")


def why_not():
    """Why no such sandbox can be made here, or None."""
    if os.geteuid() == 0:
        return "root hides half of the faults of a sandbox; run this as an ordinary user"
    answer = run(new_project("tried"), "print(1)")
    return None if is_mounted(answer) else "no overlay over a folder can be mounted here"


def main():
    tap = Tap()
    reason = why_not()
    is_old = tuple(int(part) for part in os.uname().release.split(".")[:2]) < (6, 6)
    if reason is not None and (is_old or os.environ.get("FH_MUST_SANDBOX") != "1"):
        print(f"1..0 # SKIP {reason}")
        return 0
    tap.ok(reason is None, "a project can be mounted here", [str(reason)])
    for test in (changes_are_listed_and_applied, the_same_as_a_copy, large_ones_start_at_once,
                 files_that_change_meanwhile_conflict, blocks_of_an_answer_share_it):
        tap.case(test.__name__.replace("_", " "), test)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
