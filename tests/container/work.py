# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's work folder that a program in a container has as /workspace: what holds whether the folder is bound or its
files are copied in and out."""

import contextlib
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

# Read by guarded.py, whose runs all happen in containers here.
os.environ["FH_BACKEND"] = "container"

import containers  # pylint: disable=wrong-import-position
from guarded import STATE, command, run, save  # pylint: disable=wrong-import-position
from tap import equal, must, until  # pylint: disable=wrong-import-position

# What Fumehood keeps of containers is this test's own.
os.environ["XDG_CACHE_HOME"] = f"{STATE.name}/cache"


@contextlib.contextmanager
def folder(**files):
    """A folder of the user's with these files; "__" in their names stands for "/"."""
    with tempfile.TemporaryDirectory(prefix="fh-work-") as name:
        path = Path(name)
        for file, content in files.items():
            place = path / file.replace("__", "/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, encoding="utf-8")
        yield path


def tree(path):
    """Paths of all that is in a folder, as the system names them."""
    found = []
    for inner, folders, files in os.walk(os.fsencode(path)):
        found += [os.path.relpath(os.path.join(inner, name), os.fsencode(path)) for name in folders + files]
    return sorted(found)


def must_be_mine(path):
    """Of this user, and nothing that starts by itself."""
    info = os.lstat(path)
    equal((info.st_uid, info.st_gid), (os.getuid(), os.getgid()), f"owner of {path}")
    equal(info.st_mode & (stat.S_ISUID | stat.S_ISGID), 0, f"bits of {path}")


@contextlib.contextmanager
def nothing_left():
    """Whatever was made for it is gone afterwards: containers and volumes. Those of other tests come and go."""
    before = containers.ours() | containers.volumes()
    yield
    left = (containers.ours() | containers.volumes()) - before

    def is_gone():
        left.intersection_update(containers.ours() | containers.volumes())
        return not left

    until(is_gone, f"the end of {left}")


def in_and_out():
    with folder(**{"data.txt": "42", "deep__er__more.txt": "Wörter"}) as work, nothing_left():
        result = run("""
import os
print(open('data.txt').read(), open('deep/er/more.txt', encoding='utf-8').read(), os.getcwd())
with open('data.txt', 'a') as file: file.write(' and more')
os.makedirs('plots/new')
with open('plots/new/a.bin', 'wb') as file: file.write(bytes(range(256)) * 5000)
""", f"--work-dir={work}")
        result.must_be(status="ok", stdout="42 Wörter /workspace\n")
        equal((work / "data.txt").read_text(), "42 and more", "the file that was changed")
        equal((work / "plots/new/a.bin").read_bytes(), bytes(range(256)) * 5000, "the new file")
        for path in ("data.txt", "plots", "plots/new", "plots/new/a.bin"):
            must_be_mine(work / path)
        equal(tree(work), [b"data.txt", b"deep", b"deep/er", b"deep/er/more.txt", b"plots", b"plots/new",
                           b"plots/new/a.bin"], "what is in the folder")
        must("plots/new/a.bin" in [file["path"] for file in result.files], f"files: {result.files}")


def nested_folder_is_made():
    with folder() as base:
        work = base / "not" / "there yet"
        result = run("open('made', 'w').write('x')", f"--work-dir={work}")
        result.must_be(status="ok")
        equal((work / "made").read_text(), "x", "the file")
        equal(stat.S_IMODE(work.stat().st_mode), 0o700, "mode of the folder")


def relative_folder():
    with folder(**{"in.txt": "here"}) as work:
        result = run("print(open('in.txt').read())", f"--work-dir={work.name}", cwd=work.parent)
        result.must_be(status="ok", stdout="here\n")


def name_of_the_program():
    """The program stands in the same folder while it runs: it replaces no file, and is gone afterwards."""
    names = ["main.py", "program.py", "script.py", "snippet.py", "code.py", "__main__.py"]
    with folder() as work:
        for name in names:
            (work / name).write_text("raise SystemExit('not this one')")
        run("print('this one')", f"--work-dir={work}").must_be(status="ok", stdout="this one\n")
        run("echo shell", "--language=sh", f"--work-dir={work}", suffix=".sh").must_be(status="ok", stdout="shell\n")
        equal(tree(work), sorted(name.encode() for name in names), "what is in the folder")
        for name in names:
            equal((work / name).read_text(), "raise SystemExit('not this one')", name)


def hostile_names():
    names = [b"-rf", b"new\nline", b"\x1b[31mred", b"\xff\xfe", b".hidden", b"a" * 255, b"%s%n", b"$(touch x)", "ü".encode()]
    with folder() as work, nothing_left():
        result = run(f"""
import os
for name in {names!r}:
    with open(name, 'wb') as file: file.write(name)
""", f"--work-dir={work}")
        result.must_be(status="ok")
        equal(tree(work), sorted(names), "names")
        for name in names:
            equal(Path(os.fsdecode(os.path.join(os.fsencode(work), name))).read_bytes(), name, "content")
        equal(len(result.files), len(names), f"files: {result.files}")


def links_lead_nowhere():
    """One that the program leaves is not followed by us, neither out of the folder nor within the next run."""
    with folder(**{"kept.txt": "mine"}) as work, folder(**{"secret": "not yours"}) as other:
        source = f"""
import os
os.symlink({str(other / 'secret')!r}, 'out')
os.symlink({str(other)!r}, 'folder')
os.symlink('/etc/passwd', 'passwd')
os.remove('kept.txt')
os.symlink({str(other / 'secret')!r}, 'kept.txt')
"""
        result = run(source, f"--work-dir={work}")
        result.must_be(status="ok")
        must(all(file["kind"] == "link" for file in result.files if file["path"] in ("out", "passwd", "folder")),
             f"{result.files}")
        result = run("""
import os
for name in sorted(os.listdir()):
    try: print(name, open(name).read()[:9])
    except OSError as error: print(name, type(error).__name__)
""", f"--work-dir={work}")
        must("not yours" not in result.stdout, result.stdout)
        equal((other / "secret").read_text(), "not yours", "the other's file")
        equal(tree(other), [b"secret"], "the other's folder")


def unreadable_things():
    with folder() as work:
        result = run("""
import os
os.makedirs('closed/in/here')
open('closed/in/file', 'w').write('x')
open('closed.txt', 'w').write('x')
open('open.txt', 'w').write('x')
os.chmod('closed.txt', 0)
os.chmod('closed/in', 0)
os.chmod('closed', 0)
""", f"--work-dir={work}")
        result.must_be(status="ok")
        must("open.txt" in [file["path"] for file in result.files], f"{result.files}")
        # Locally the user has them as they are, and so has the next run.
        run("open('next', 'w')", f"--work-dir={work}").must_be(status="ok")
        for path in ("closed", "closed/in"):
            if (work / path).exists():
                os.chmod(work / path, 0o700)


def killed_ones_keep_what_is_complete():
    with folder() as work, nothing_left():
        result = run("""
import time
open('done.txt', 'w').write('done')
while True: time.sleep(1)
""", f"--work-dir={work}", "--timeout=2")
        result.must_be(status="timed-out", exit_status=124)
        equal((work / "done.txt").read_text(), "done", "what was there")


def folders_that_are_refused():
    home = os.path.expanduser("~")
    for path in (home, "/", os.path.dirname(home), "/etc", "/usr/share", "/tmp", "/proc/self", "/dev/null"):
        answer = command("run", f"--container={containers.PYTHON}", "--no-history", f"--work-dir={path}", "-", input=b"1",
                         stdin=None)
        equal(answer.returncode, 125, f"exit status with {path}: {answer.stderr}")
        must(path.rstrip("/").encode() in answer.stderr, f"{answer.stderr}")


@containers.at_length
def kept_workspace():
    """Without a folder of the user's there is one that stays with the container."""
    name = containers.new_name("kept")
    with containers.removed(name):
        run("open('left', 'w').write('1')", f"--keep={name}").must_be(status="ok")
        run("print(open('left').read())", f"--keep={name}").must_be(status="ok", stdout="1\n")
        run("import os; print(os.path.exists('left'))").must_be(status="ok", stdout="False\n")
        # Whose end it is takes its folders along.
        equal(subprocess.run([os.environ["FH_CTL"], "container", "remove", name], check=False, capture_output=True).returncode,
              0, "removal")
        must(not (Path(STATE.name) / "cache/fumehood/containers" / name).exists(), "its folders are still there")
        must(containers.state(name) is None, "it is still there")


# A wheel's content, put where `pip install --user` would put it: the image's pip, if any, has no network.
INSTALL = """
import pathlib, site
place = pathlib.Path(site.getusersitepackages())
place.mkdir(parents=True, exist_ok=True)
(place / 'installed.py').write_text('WORD = "installed"\\n')
"""


@containers.at_length
def installed_packages():
    """What one run installs, the next one uses: at once, after a restart, and when it was stopped."""
    name = containers.new_name("pip")
    with containers.removed(name):
        run(INSTALL + "open('left', 'w').write('1')", f"--keep={name}").must_be(status="ok")
        for word in (None, "restart", "stop"):
            if word is not None:
                answer = command("container", word, name)
                equal(answer.returncode, 0, f"{word}: {answer.stderr}")
            run("import installed; print(installed.WORD, open('left').read())", f"--keep={name}").must_be(
                status="ok", stdout="installed 1\n")


SHARED = {
    "files get in and out of the work folder": in_and_out,
    "a work folder that is missing is made with its parents": nested_folder_is_made,
    "a relative work folder": relative_folder,
    "the program's own file has a free name": name_of_the_program,
    "hostile names": hostile_names,
    "links lead nowhere": links_lead_nowhere,
    "what may not be read": unreadable_things,
    "what was complete when it was ended": killed_ones_keep_what_is_complete,
    "folders that hold more than work are refused": folders_that_are_refused,
    "a kept container has a workspace of its own": kept_workspace,
    "what was installed is there in the next run, and after a restart": installed_packages,
}

__all__ = ["SHARED", "command", "folder", "must_be_mine", "nothing_left", "run", "save"]

if __name__ == "__main__":
    sys.exit("work.py is a module of the tests")
