# SPDX-License-Identifier: GPL-3.0-or-later
"""A project folder: a program gets a copy, its changes are listed, applied and taken back, and nothing else changes."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import PATIENCE, Skip, Tap, equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-project-")
ROOM = Path(PLACE.name)
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": str(ROOM / "state"), "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
TIERS = ["A", "A2", "B"]


def call(*words, code=0):
    answer = subprocess.run([CTL, *map(str, words)], env=ENVIRONMENT, timeout=PATIENCE, check=False,
                            stdin=subprocess.DEVNULL, capture_output=True)
    equal(answer.returncode, code, f"exit status of {words[0]}, {answer.stderr.decode()}")
    return answer


def source(text, name="program.py"):
    path = ROOM / name
    path.write_text(text, encoding="utf-8")
    return path


def run(folder, text, *words, code=0, name="program.py"):
    return call("run", "--project", folder, *words, source(text, name), code=code)


def last():
    return str(json.loads(call("history", "list", "--json").stdout)["runs"][0]["id"])


def changes():
    """Letter and executes of each change of the last run, by path."""
    project = json.loads(call("changes", last(), "--json").stdout)["project"]
    return {one["path"]: (one["kind"], one["executes"], one["problem"]) for one in project["changes"]}


def new_folder(name, **files):
    folder = ROOM / name
    folder.mkdir()
    for path, text in files.items():
        (folder / path).write_text(text)
    return folder


def tree(folder):
    """Everything below it: kind, permissions, content, and time of change of files."""
    found = {}
    for path in sorted(folder.rglob("*")):
        info = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(info.st_mode) else None
        found[os.fsencode(path.relative_to(folder))] = (info.st_mode, content, content and info.st_mtime_ns)
    return found


def texts(folder):
    return {os.fsdecode(name): content.decode() for name, (_, content, _) in tree(folder).items() if content is not None}


def tiers():
    for tier in TIERS:
        probe = subprocess.run([CTL, "run", "--no-history", "--tier", tier, source("1")], env=ENVIRONMENT,
                               timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL, capture_output=True)
        if probe.returncode == 0:
            yield tier


def each_tier():
    for tier in tiers():
        folder = new_folder(f"tier-{tier}", same="same", changed="old\n", gone="gone", **{"main.py": "mine"})
        (folder / "sub").mkdir()
        (folder / "sub" / "inner").write_text("inner")
        (folder / "changed").chmod(0o640)
        before = tree(folder)
        answer = run(folder, "import os, shutil\nopen('changed', 'a').write('new\\n'); os.remove('gone')\n"
                     "os.makedirs('a/b'); open('a/b/added', 'w').write('added'); shutil.rmtree('sub')\n"
                     "open('same', 'w').write('same')\nassert open('main.py').read() == 'mine'", "--tier", tier)
        equal(tree(folder), before, f"{tier}: untouched")
        equal(changes(), {"a/b/added": ("added", "not", "none"), "changed": ("changed", "not", "none"),
                          "gone": ("deleted", "not", "none"), "sub/inner": ("deleted", "not", "none")}, tier)
        must(f"fumehoodctl apply {last()} --all" in answer.stderr.decode(), answer.stderr)
        must(f"Changes         4 (fumehoodctl changes {last()})" in call("history", "show", last()).stdout.decode(), "shown")
        must("-old" not in call("changes", last(), "--diff", "changed").stdout.decode(), "context")
        must("\n+new\n" in call("changes", last(), "--diff", "changed").stdout.decode(), "the new line")
        call("apply", last(), "--all")
        equal(texts(folder), {"same": "same", "changed": "old\nnew\n", "main.py": "mine", "a/b/added": "added"}, tier)
        equal((folder / "changed").stat().st_mode & 0o7777, 0o640, "permissions")
        call("undo")
        equal(tree(folder), before, f"{tier}: as before")
        call("undo", code=1)


def what_executes_by_itself():
    folder = new_folder("executes", tool="#!/bin/sh\n")
    (folder / "tool").chmod(0o755)
    run(folder, """
import os
for path in ('.envrc', '.git/hooks/post-commit', '.vscode/tasks.json', '.github/workflows/x.yml', 'Makefile', 'plain.txt',
             'a\\u202eb', 'line\\nbreak'):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    open(path, 'w').write('x')
open('tool', 'a').write('evil')
os.symlink('/etc/passwd', 'link')
open('script.sh', 'w').write('#!/bin/sh')
try:
    os.chmod('script.sh', 0o4755)
except OSError:
    pass
""")
    found = changes()
    equal(found[".envrc"], ("added", "by-itself", "none"), "direnv")
    equal(found[".git/hooks/post-commit"][1:], ("version-control", "version-control"), "a hook")
    equal(found["tool"], ("changed", "by-command", "none"), "a program")
    equal(found["link"][2], "link", "a link")
    answer = call("apply", last(), "--all")
    must("direnv" not in answer.stderr.decode() and "“.envrc” is left out" in answer.stderr.decode(), answer.stderr)
    equal(texts(folder), {"Makefile": "x", "plain.txt": "x", "tool": "#!/bin/sh\nevil", "script.sh": "#!/bin/sh"}, "all")
    equal((folder / "script.sh").stat().st_mode & 0o7111, 0, "no new program")
    must(b"\xe2\x80\xae" not in answer.stderr, "no hidden characters")
    call("apply", last(), ".git/hooks/post-commit", code=1)
    call("apply", last(), "link", code=1)
    call("apply", last(), ".github", code=1)
    call("apply", last(), ".envrc", "a\\u202eb", "line\nbreak")
    must((folder / ".envrc").exists() and (folder / "a\u202eb").exists() and (folder / "line\nbreak").exists(), "by name")
    must(not (folder / ".git").exists() and not (folder / ".github").exists(), "never")


def repositories():
    """What belongs to version control is told by the folder, not by its name."""
    if shutil.which("git") is None:
        raise Skip("git is not installed")
    for tier in tiers():
        folder = new_folder(f"repositories-{tier}")
        for words in (["init", "--bare", "deps/lib.git"], ["init", "--separate-git-dir", "store", "sub"]):
            subprocess.run(["git", "-c", "init.defaultBranch=main", *words], cwd=folder, check=True, capture_output=True)
        before = tree(folder)
        run(folder, """
import os
for path in ('deps/lib.git/config', 'deps/lib.git/hooks/post-update', 'deps/lib.git/worktrees/w/config', 'store/config',
             'plain.txt'):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    open(path, 'a').write('[core]\\n\\tfsmonitor = touch /tmp/pwned\\n')
""", "--tier", tier)
        found = changes()
        equal({path: problem for path, (_, _, problem) in found.items()},
              {"plain.txt": "none", **dict.fromkeys(("deps/lib.git/config", "deps/lib.git/hooks/post-update",
                                                     "deps/lib.git/worktrees/w/config", "store/config"), "version-control")},
              tier)
        call("apply", last(), "--all")
        call("apply", last(), "deps/lib.git/config", code=1)
        now = tree(folder)
        must(b"plain.txt" in now, "the other file")
        equal({path: one for path, one in now.items() if path != b"plain.txt"}, before, f"{tier}: the repositories")


def conflicts():
    folder = new_folder("conflicts", one="old", two="old")
    run(folder, "open('one', 'w').write('new'); open('two', 'w').write('new'); open('three', 'w').write('new')")
    (folder / "one").write_text("mine")
    answer = call("apply", last(), "--all", code=1)
    must("“one”" in answer.stderr.decode(), answer.stderr)
    equal(texts(folder), {"one": "mine", "two": "old"}, "nothing")
    call("changes", last(), "--diff", "one", code=1)
    call("apply", last(), "two", "three")
    call("apply", last(), "one", "--force")
    equal(texts(folder), {"one": "new", "two": "new", "three": "new"}, "forced")
    call("undo")
    equal((folder / "one").read_text(), "mine", "what was forced")
    (folder / "three").write_text("mine")
    call("undo", code=1)
    equal(texts(folder), {"one": "mine", "two": "new", "three": "mine"}, "nothing is taken back")


def another_folder():
    folder = new_folder("moved", one="old")
    run(folder, "open('one', 'w').write('new')")
    shutil.copytree(folder, ROOM / "copy")
    folder.rename(ROOM / "away")
    (ROOM / "copy").rename(folder)
    call("apply", last(), "--all", code=1)
    shutil.rmtree(folder)
    folder.symlink_to(ROOM / "away")
    call("apply", last(), "--all", code=1)
    equal(texts(ROOM / "away"), {"one": "old"}, "through a link")
    folder.unlink()
    (ROOM / "away").rename(folder)
    call("apply", last(), "--all")
    equal(texts(folder), {"one": "new"}, "the folder itself")


def mounted_on():
    """What another file system covers is not written, nor what it covers it with."""
    folder, outside = new_folder("mounts"), new_folder("outside", file="old")
    (folder / "sub").mkdir()
    (folder / "sub" / "file").write_text("old")
    (folder / "top").write_text("old")
    run(folder, "open('sub/file', 'w').write('new'); open('top', 'w').write('new')")
    number = last()
    words = ["unshare", "--user", "--map-current-user", "--mount", "--keep-caps", "sh", "-c",
             'mount --bind "$0" "$1" && shift && exec "$@"', outside, folder / "sub"]
    probe = subprocess.run([*map(str, words), "true"], check=False, capture_output=True)
    if probe.returncode != 0:
        raise Skip(f"no mount here: {probe.stderr.decode().strip()}")
    answer = subprocess.run([*map(str, words), CTL, "apply", number, "--all"], env=ENVIRONMENT, check=False,
                            capture_output=True)
    must(answer.returncode == 1 and b"sub/file" in answer.stderr, answer.stderr)
    equal((texts(outside), texts(folder)), ({"file": "old"}, {"sub/file": "old", "top": "old"}), "all of it")
    call("apply", number, "--all")


def blocks_of_an_answer():
    for tier in tiers():
        folder = new_folder(f"answer-{tier}", **{"main.py": "0\n", "gone": "gone", "kept": "kept"})
        before = tree(folder)
        answer = run(folder, "```python\nimport os\nos.remove('gone'); open('main.py', 'a').write('1\\n')\n"
                     "open('both', 'w').write('1'); open('passing', 'w').write('x')\n```\n\n"
                     "```html\n<!-- filename: web/index.html -->\n<p>\n```\n\n"
                     "```sh\nset -e\ntest ! -e gone\ncat main.py web/index.html\nprintf 2 >> both\nrm passing\n```\n",
                     "--tier", tier, name="answer.md")
        must(b"0\n1\n" in answer.stdout and b"<p>" in answer.stdout, answer.stdout)
        equal(tree(folder), before, "untouched")
        equal({path: kind for path, (kind, *_) in changes().items()},
              {"main.py": "changed", "gone": "deleted", "both": "added", "web/index.html": "added"}, tier)
        call("apply", last(), "--all")
        equal((folder / "both").read_text() + (folder / "main.py").read_text(), "120\n1\n", "applied")
        must(not (folder / "gone").exists() and (folder / "web" / "index.html").exists(), "all of them")


def saved_last():
    """What is saved after the last run is a change, and so it is without any run."""
    text = "Two:\n\n```sh\necho 1 > made\n```\n\n```html\n<!-- filename: web/index.html -->\n<p>\n```\n"
    folder = new_folder("saved")
    run(folder, text, name="saved.md")
    equal(set(changes()), {"made", "web/index.html"}, "after a run")
    run(folder, text, "--policy", "all=save", name="saved.md")
    equal(set(changes()), {"block-1.sh", "web/index.html"}, "without a run")
    call("apply", last(), "--all")
    must((folder / "web" / "index.html").exists(), "applied")


def ends_badly():
    folder = new_folder("ends", one="old")
    run(folder, "open('one', 'w').write('new', ); 1 / 0", code=1)
    equal(changes(), {"one": ("changed", "not", "none")}, "after a failure")
    run(folder, "import time\nopen('one', 'w').write('new')\ntime.sleep(600)", "--timeout", "5", code=124)
    equal(changes(), {"one": ("changed", "not", "none")}, "after the time limit")
    run(folder, "print(1)")
    equal(changes(), {}, "none")
    call("apply", last(), "--all", code=1)


def not_in_the_history():
    folder = new_folder("forgotten", one="old")
    answer = run(folder, "open('one', 'w').write('new')", "--no-history")
    must("not in the history" in answer.stderr.decode() and "M  one" in answer.stderr.decode(), answer.stderr)
    answer = run(folder, "open('one', 'w').write('new')", "--no-history", "--json")
    equal([one["path"] for one in json.loads(answer.stdout)["project"]["changes"]], ["one"], "as JSON")
    equal(texts(folder), {"one": "old"}, "untouched")


def too_large_for_the_history():
    folder = new_folder("large")
    run(folder, "open('large', 'wb').truncate((4 << 20) + 1); open('small', 'w').write('1')")
    equal(changes()["large"], ("added", "not", "not-kept"), "said")
    call("apply", last(), "large", code=1)
    call("apply", last(), "--all")
    equal(texts(folder), {"small": "1"}, "the others")


def wrong_usage():
    folder = new_folder("usage")
    call("run", "--no-history", source("1"))
    call("run", source("1"))
    for words in (["changes"], ["changes", "x"], ["changes", "1", "x"], ["apply", "1"], ["apply", "1", "--all", "x"],
                  ["apply", "1", "--all", "--force"], ["undo", "1", "2"], ["changes", "1", "--json", "--diff"]):
        call(*words, code=2)
    must("no project folder" in call("changes", last(), code=1).stderr.decode(), "another run")
    call("changes", "99999", code=1)
    for words in (["--work-dir", folder], ["--without", "files"], ["--no-files"], ["--without-protection"], ["--container"]):
        call("run", "--project", folder, *words, source("1"), code=125)
    for path in ("/", "/etc", Path.home(), ROOM / "missing", source("1")):
        must(call("run", "--project", path, source("1"), code=125).stdout == b"", path)
    must(not (ROOM / "missing").exists(), "no folder is made")
    call("batch", "--project", folder, source("1"), code=2)
    call("session", "--project", folder, code=125)


def why_not():
    """Why no sandbox can be made here, or None."""
    if os.geteuid() == 0:
        return "root hides half of the faults of a sandbox; run this as an ordinary user"
    answer = subprocess.run([CTL, "run", "--no-history", source("print(1)")], env=ENVIRONMENT, timeout=PATIENCE,
                            check=False, stdin=subprocess.DEVNULL, capture_output=True)
    return None if answer.returncode == 0 else answer.stderr.decode().strip()


def main():
    tap = Tap()
    reason = why_not()
    if reason is not None and os.environ.get("FH_MUST_SANDBOX") != "1":
        print(f"1..0 # SKIP {reason}")
        return 0
    tap.ok(reason is None, "a sandbox can be made here", [str(reason)])
    for test in (each_tier, what_executes_by_itself, repositories, conflicts, another_folder, mounted_on, blocks_of_an_answer,
                 saved_last, ends_badly, not_in_the_history, too_large_for_the_history, wrong_usage):
        tap.case(test.__name__.replace("_", " "), test)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
