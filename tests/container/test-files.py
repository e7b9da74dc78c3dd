# SPDX-License-Identifier: GPL-3.0-or-later
"""A work folder that is bound into the container of an engine on this computer."""

import os
import stat

import containers
from tap import equal, must
from work import SHARED, command, folder, must_be_mine, nothing_left, run


def bind_dir():
    """The engine is asked for a folder by the path that it knows; our programs are not there."""
    with folder(**{"in.txt": "bound"}) as known, folder() as work:
        result = run("print(open('in.txt').read()); open('out.txt', 'w').write('x')", f"--work-dir={work}",
                     f"--bind-dir={known}")
        result.must_be(status="ok", stdout="bound\n")
        equal((known / "out.txt").read_text(), "x", "the file")
        must_be_mine(known / "out.txt")
        equal(list(work.iterdir()), [], "what is in the other one")


def all_that_a_folder_can_hold():
    """What would be too much to copy."""
    with folder() as work, nothing_left():
        for number in range(300):
            (work / f"{number}").write_text(str(number))
        result = run("""
import os
print(sum(int(open(name).read()) for name in os.listdir() if name.isdigit()))
with open('large', 'wb') as file: file.truncate(100 << 20)
os.mkdir('empty')
os.chmod('0', 0o755)
os.remove('1')
""", f"--work-dir={work}")
        result.must_be(status="ok", stdout=f"{sum(range(300))}\n")
        equal((work / "large").stat().st_size, 100 << 20, "size of the large file")
        must((work / "empty").is_dir(), "the empty folder")
        equal(stat.S_IMODE((work / "0").stat().st_mode), 0o755, "mode")
        must(not (work / "1").exists(), "what was removed")


def mask():
    """New files are as the user's other programs make them."""
    with folder() as work:
        run("import os; open('file', 'w').write('x'); os.mkdir('folder')", f"--work-dir={work}").must_be(status="ok")
        equal(stat.S_IMODE((work / "file").stat().st_mode) & 0o022, 0, "mode of the file")
        equal(stat.S_IMODE((work / "folder").stat().st_mode) & 0o022, 0, "mode of the folder")


def user_0():
    """A program that is user 0 inside leaves nothing that the user could not remove."""
    with folder(**{"in.txt": "x"}) as work:
        result = run("import os; print(os.getuid(), open('in.txt').read()); open('out.txt', 'w').write('y')",
                     f"--work-dir={work}", "--root")
        result.must_be(status="ok", stdout="0 x\n")
        equal((work / "out.txt").read_text(), "y", "the file")
        must_be_mine(work / "out.txt")


@containers.at_length
def user_0_in_a_kept_one():
    """What it installs for all stays in the layer on top of the image."""
    name = containers.new_name("root")
    options = ("--root", "--writable", f"--keep={name}")
    with containers.removed(name), folder() as work:
        run("open('/usr/new', 'w').write('1'); open('out', 'w').write('x')", *options, f"--work-dir={work}").must_be(
            status="ok")
        must_be_mine(work / "out")
        equal(command("container", "restart", name).returncode, 0, "restart")
        run("print(open('/usr/new').read())", *options, f"--work-dir={work}").must_be(status="ok", stdout="1\n")


def two_at_once():
    """Two kept containers of one work folder see each other's files."""
    names = [containers.new_name("one"), containers.new_name("two")]
    with containers.removed(*names), folder() as work:
        run("open('a', 'w').write('from one')", f"--keep={names[0]}", f"--work-dir={work}").must_be(status="ok")
        run("print(open('a').read())", f"--keep={names[1]}", f"--work-dir={work}").must_be(stdout="from one\n")
        must(os.path.exists(work / "a"), "the file")


if __name__ == "__main__":
    containers.main({
        **SHARED,
        "a work folder that the engine knows by another path": bind_dir,
        "a folder with more than could be copied": all_that_a_folder_can_hold,
        "the mask of new files": mask,
        "files of a program that is user 0": user_0,
        "a kept container of user 0": user_0_in_a_kept_one,
        "one folder, two containers": two_at_once,
    })
