# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine on another computer, where nothing of this one can be bound: files go in and out through the engine, and
what holds for a bound work folder holds all the same."""

import functools
import os

import containers
from relay import remote
from tap import equal, must
from work import SHARED, command, folder, must_be_mine, nothing_left, run, save


def nothing_is_bound():
    name = containers.new_name("bound")
    with containers.removed(name), folder(**{"in.txt": "x"}) as work, nothing_left():
        run("print(open('in.txt').read())", f"--work-dir={work}", f"--keep={name}").must_be(status="ok", stdout="x\n")
        found = containers.inspect(name)
        binds = [mount for mount in found["Mounts"] if mount["Type"] == "bind"]
        equal((binds, found["HostConfig"]["Binds"] or []), ([], []), "what is bound")
        run("print(open('in.txt').read())", f"--work-dir={work}", f"--keep={name}").must_be(status="ok", stdout="x\n")
        containers.remove(name)


CHANGE_PROGRAMS = """
import os
print(os.access('/opt/fumehood/runner', os.X_OK), os.path.isfile('/opt/fumehood/guest/bootstrap.py'))
def attempt(function, *words):
    try: function(*words)
    except OSError: pass
    else: print('possible:', function.__name__, *words)
attempt(open, '/opt/fumehood/runner', 'ab')
attempt(open, '/opt/fumehood/guest/bootstrap.py', 'ab')
attempt(os.chmod, '/opt/fumehood/runner', 0o777)
attempt(os.remove, '/opt/fumehood/guest/bootstrap.py')
"""
REPLACE_PROGRAMS = """
attempt(os.rename, '/opt/fumehood/guest', '/opt/fumehood/elsewhere')
attempt(os.remove, '/opt/fumehood/runner')
"""


def our_programs_are_safe():
    """They cannot be changed by those whom they guard."""
    for options in ((), ("--writable",)):
        run(CHANGE_PROGRAMS + REPLACE_PROGRAMS, *options).must_be(status="ok", stdout="True True\n")
    run(CHANGE_PROGRAMS, "--root").must_be(status="ok", stdout="True True\n")


def replaced_programs():
    """User 0 owns the folder that they are in: they are copied anew for each run."""
    name = containers.new_name("root")
    with containers.removed(name):
        run("""
import os
os.rename('/opt/fumehood/guest', '/opt/fumehood/elsewhere')
os.remove('/opt/fumehood/runner')
os.symlink('/bin/true', '/opt/fumehood/runner')
""", "--root", f"--keep={name}").must_be(status="ok")
        run("print('still here')", "--root", f"--keep={name}").must_be(status="ok", stdout="still here\n")


def what_does_not_travel():
    with folder(**{".git__config": "mine", "a.txt": "a", "node_modules__x__i.js": "x", ".venv__pyvenv.cfg": "x"}) as work:
        result = run("""
import os
print(sorted(name for name in os.listdir() if not __file__.endswith(name)))
os.makedirs('.git/hooks')
open('.git/hooks/post-commit', 'w').write('#!/bin/sh')
os.makedirs('sub/.hg')
open('sub/.hg/hgrc', 'w').write('x')
open('out', 'w').write('x')
""", f"--work-dir={work}")
        result.must_be(status="ok", stdout="['a.txt']\n")
        must((work / "out").exists(), "what does")
        must(not (work / ".git/hooks").exists() and not (work / "sub/.hg").exists(), "a hook came out")
        equal((work / ".git/config").read_text(), "mine", "the user's own")


def modes_of_files():
    """A new file cannot be executed, an old one stays as it is."""
    with folder(**{"script.sh": "echo 1"}) as work:
        os.chmod(work / "script.sh", 0o750)
        run("""
import os
open('script.sh', 'a').write('; echo 2')
for name in ('script.sh', 'new.sh'):
    open(name, 'a').close(); os.chmod(name, 0o777)
open('protected', 'w').write('x')
""", f"--work-dir={work}").must_be(status="ok")
        equal((work / "script.sh").read_text(), "echo 1; echo 2", "the old one")
        equal((work / "script.sh").stat().st_mode & 0o7777, 0o750, "its mode")
        equal((work / "new.sh").stat().st_mode & 0o7111, 0, "mode of the new one")
        must_be_mine(work / "new.sh")


def too_large_to_come_out():
    """What is over the limit of one file is reported by name, and not kept in part."""
    with folder(**{"old.bin": "old"}) as work, nothing_left():
        result = run("""
for name in ('new.bin', 'old.bin'):
    with open(name, 'wb') as file: file.write(b'x' * (20 << 20))
open('small', 'w').write('x')
""", f"--work-dir={work}")
        result.must_be(status="ok")
        must("2 files" in result.sentence and "“new.bin”" in result.sentence, result.sentence)
        must(not (work / "new.bin").exists(), "a part of it")
        equal((work / "old.bin").read_text(), "old", "the old one")
        equal((work / "small").read_text(), "x", "the small one")
        must({"new.bin", "old.bin"} <= {file["path"] for file in result.files}, f"{result.files}")


def files_that_are_not_kept():
    """In the history or in the result, that is: the work folder is another matter."""
    with folder() as work:
        result = run("open('out', 'w').write('x')", f"--work-dir={work}", "--no-files")
        result.must_be(status="ok", files=[])
        equal((work / "out").read_text(), "x", "the file")


def too_much_to_go_in():
    with folder() as work, nothing_left():
        for number in range(257):
            (work / f"{number}").write_text("")
        answer = command("run", f"--container={containers.PYTHON}", "--no-history", f"--work-dir={work}", "-",
                         input=b"print(1)", stdin=None)
        equal((answer.returncode, answer.stdout), (125, b""), "what came of it")
        must(b"256" in answer.stderr and b"64 MiB" in answer.stderr, f"{answer.stderr}")
        (work / "256").unlink()
        run("print(len(__import__('os').listdir()))", f"--work-dir={work}").must_be(status="ok")
        with open(work / "large", "wb") as file:
            file.truncate((64 << 20) + 1)
        (work / "255").unlink()
        answer = command("run", f"--container={containers.PYTHON}", "--no-history", f"--work-dir={work}", "-",
                         input=b"print(1)", stdin=None)
        equal(answer.returncode, 125, f"{answer.stderr}")


def something_in_the_way():
    """The end of the program is its own; that a file could not be put into the folder is said beside it."""
    with folder(**{"folder__x": "x"}) as work:
        os.symlink("/nonexistent/here", work / "link")
        result = run("""
open('link', 'w').write('x')
open('fine', 'w').write('x')
""", f"--work-dir={work}")
        result.must_be(status="ok")
        must("“link”" in result.sentence, f"{result}")
        equal((work / "fine").read_text(), "x", "the other one")
        must(not os.path.exists("/nonexistent/here") and os.path.islink(work / "link"), "the link")


def input_and_output():
    """Large ones on the same line as everything else."""
    with nothing_left():
        program = save("import shutil, sys; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)")
        answer = command("run", f"--container={containers.PYTHON}", "--no-history", "--stdin=-", program,
                         input=os.urandom(5 << 20) + b"end", stdin=None)
        equal((answer.returncode, answer.stdout[-3:], len(answer.stdout)), (0, b"end", (5 << 20) + 3), f"{answer.stderr}")


def far_away(function):
    """The same with an engine that is elsewhere."""
    @functools.wraps(function)
    def wrapped():
        near = os.environ["DOCKER_HOST"]
        with remote() as host:
            os.environ["DOCKER_HOST"] = host
            try:
                function()
            finally:
                os.environ["DOCKER_HOST"] = near
    return wrapped


if __name__ == "__main__":
    cases = {
        **SHARED,
        "nothing is bound": nothing_is_bound,
        "our programs cannot be changed": our_programs_are_safe,
        "our programs are put back": replaced_programs,
        "what does not travel": what_does_not_travel,
        "modes of files": modes_of_files,
        "files too large to come out": too_large_to_come_out,
        "files that are not to be kept": files_that_are_not_kept,
        "files too many or too large to go in": too_much_to_go_in,
        "something in the way of a file": something_in_the_way,
        "input and output": input_and_output,
    }
    # The same as with a folder that is bound, which the suite container tries.
    for name in ("a work folder that is missing is made with its parents", "a relative work folder",
                 "the program's own file has a free name", "folders that hold more than work are refused"):
        containers.at_length(cases[name])
    containers.main({name: far_away(function) for name, function in cases.items()})
