# SPDX-License-Identifier: GPL-3.0-or-later
"""A project folder: the program reads it and changes a layer above it, which is told; the folder never changes."""

import errno
import os
import stat
import sys
import tempfile
import textwrap

import sandboxed
import wire
from sandboxed import PYTHON, ended, main, prints
from tap import equal, must

MIB = wire.MIB
FLAGS = wire.COLLECT | wire.TELL_GONE | wire.PROJECT
PROGRAM = "fumehood-0123abcd-main.py"


def state_of(folder):
    """Everything that an owner can see of a folder, except when its folders were read."""
    status = os.lstat(folder)
    is_folder = stat.S_ISDIR(status.st_mode)
    found = {folder: (status.st_mode, status.st_nlink, status.st_uid, status.st_ino, status.st_mtime_ns,
                      status.st_ctime_ns, None if is_folder else (status.st_size, status.st_atime_ns),
                      tuple(os.listxattr(folder, follow_symlinks=False)))}
    for name in os.listdir(folder) if is_folder else []:
        found.update(state_of(f"{folder}/{name}"))
    return found


class Project:
    """A folder with a few files, which must be as it was in the end."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="fh-project-")
        self.path = os.path.realpath(self.temporary.name)
        self.write("a.txt", b"alpha\n")
        self.write("run.sh", b"#!/bin/sh\necho ran\n", 0o755)
        self.write("src/one.py", b"ONE = 1\n")
        self.write("src/deep/two.py", b"TWO = 2\n")
        self.write("src/deep/three.py", b"THREE = 3\n")
        self.before = None
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None and self.before is not None:
                equal(state_of(self.path), self.before, "the folder itself")
        finally:
            self.temporary.cleanup()

    def write(self, name, content, mode=0o644):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, mode)
        # Older than a day, so that a read would set the time of the last access.
        os.utime(path, (1000000000, 1000000001))

    @property
    def proof(self):
        status = os.stat(self.path)
        return (self.path, status.st_dev, status.st_ino)

    def run(self, code, files=(), flags=FLAGS, proof=None, **limits):
        """Runs a Python program as a backend would, from a file that it puts into the folder."""
        if self.before is None:
            self.before = state_of(self.path)
        program = [*files, (PROGRAM, textwrap.dedent(code).encode())]
        return sandboxed.run([PYTHON, f"/workspace/{PROGRAM}"], files=program, flags=flags,
                             proofs=[proof or self.proof], **limits)

    def changes(self, code, **limits):
        """What a program that ends well has changed: contents, or kinds."""
        result = self.run(code, **limits)
        ended(result, "exited", exit_code=0)
        equal(result.files_missing, (0, 0), "missing")
        return told(result)


def told(result):
    return {path.decode(): (file.content if file.has_content else file.kind) for path, file in result.files.items()}


def refused(result, error, step="project-folder"):
    equal((result.status, result.step, result.error), ("setup-failed", step, error), "the fault")
    must(not result.started and not result.output, f"something ran: {result}")


def test_it_is_read():
    with Project() as project:
        result = project.run("""
            import os, subprocess, sys
            print(open('a.txt').read(), end='')
            print(sorted(os.listdir()), os.getcwd())
            sys.path.insert(0, 'src')
            import one
            print(one.ONE, subprocess.run('./run.sh', capture_output=True).stdout)
            sys.dont_write_bytecode = True
            """, env={**wire.ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1"})
        prints(result, f"alpha\n['a.txt', '{PROGRAM}', 'run.sh', 'src'] /workspace\n1 b'ran\\n'\n")
        equal(result.files, {}, "changes")
        equal(result.guards["filesystem"][::2], ("active", "project"), "guard")


def test_changes_are_told():
    with Project() as project:
        result = project.run("""
            import os
            open('a.txt', 'a').write('omega')
            open('new', 'w').write('n')
            os.makedirs('made/deep')
            open('made/deep/file', 'w').write('f')
            open('src/deep/four.py', 'w').write('FOUR = 4')
            os.remove('src/one.py')
            """)
        ended(result, "exited", exit_code=0)
        equal(told(result), {"a.txt": b"alpha\nomega", "new": b"n", "made/deep/file": b"f",
                             "src/deep/four.py": b"FOUR = 4", "src/one.py": "gone"}, "changes")
        equal(sorted(path.decode() for path, file in result.files.items() if file.is_changed), ["a.txt"], "changed")
        equal(result.files_missing, (0, 0), "missing")


def test_what_is_only_touched_is_not_told():
    with Project() as project:
        equal(project.changes("""
            import os
            os.close(os.open('a.txt', os.O_RDWR))
            os.utime('src/one.py')
            os.chmod('src/deep/two.py', 0o600)
            content = open('src/deep/three.py').read()
            open('src/deep/three.py', 'w').write(content)
            os.chmod('src', 0o700)
            """), {}, "changes")


def test_one_that_becomes_a_program_is_told():
    with Project() as project:
        result = project.run("import os; os.chmod('a.txt', 0o755); os.chmod('run.sh', 0o644)")
        equal(told(result), {"a.txt": b"alpha\n", "run.sh": b"#!/bin/sh\necho ran\n"}, "changes")
        must(result.files[b"a.txt"].is_program and not result.files[b"run.sh"].is_program, "programs")


def test_folders_that_are_gone():
    whole = {"src/one.py": "gone", "src/deep/two.py": "gone", "src/deep/three.py": "gone"}
    with Project() as project:
        equal(project.changes("import shutil; shutil.rmtree('src')"), whole, "a folder")
        equal(project.changes("import shutil; shutil.rmtree('src'); open('src', 'w').write('x')"),
              {**whole, "src": b"x"}, "a file in its place")
        equal(project.changes("import os, shutil; shutil.rmtree('src'); os.symlink('/etc', 'src')"),
              {**whole, "src": "link"}, "a link in its place")
        equal(project.changes("""
            import os, shutil
            shutil.rmtree('src')
            os.makedirs('src/deep/one.py')
            open('src/deep/two.py', 'w').write('other')
            open('src/deep/three.py', 'w').write('THREE = 3\\n')
            """), {"src/one.py": "gone", "src/deep/two.py": b"other"}, "another folder in its place")
        equal(project.changes("""
            import shutil
            shutil.move('src', 'moved')
            """), {**whole, "moved/one.py": b"ONE = 1\n", "moved/deep/two.py": b"TWO = 2\n",
                   "moved/deep/three.py": b"THREE = 3\n"}, "a moved one")
        equal(project.changes("import os; os.remove('a.txt'); os.mkdir('a.txt'); open('a.txt/b', 'w').write('b')"),
              {"a.txt": "gone", "a.txt/b": b"b"}, "a folder in the place of a file")
        equal(project.changes("""
            import os, shutil
            shutil.rmtree('src/deep')
            os.mkdir('src/deep')
            os.rename('src/deep', 'other')
            shutil.rmtree('src')
            os.mkdir('src')
            os.rename('other', 'src/deep')
            """), whole, "one that hides in one that hides")


def test_deletions_are_told_only_if_asked_for():
    with Project() as project:
        result = project.run("import os; os.remove('a.txt'); open('new', 'w')", flags=wire.COLLECT | wire.PROJECT)
        ended(result, "exited", exit_code=0)
        equal(told(result), {"new": b""}, "changes")


def test_files_of_the_policy_lie_over_it():
    """As after an earlier run that changed them."""
    files = [("a.txt", b"changed"), ("src/new.py", b"NEW = 1\n")]
    with Project() as project:
        equal(project.changes("""
            assert open('a.txt').read() == 'changed' and open('src/one.py').read() == 'ONE = 1\\n'
            open('src/new.py', 'a').write('more')
            """, files=files), {"src/new.py": b"NEW = 1\nmore"}, "changes")
        equal(project.changes("import os; os.remove('a.txt'); os.remove('src/new.py')", files=files),
              {"a.txt": "gone", "src/new.py": "gone"}, "deleted")
        equal(project.changes("import shutil; shutil.rmtree('src'); open('a.txt', 'w').write('alpha\\n')", files=files),
              {"a.txt": b"alpha\n", "src/one.py": "gone", "src/deep/two.py": "gone", "src/deep/three.py": "gone",
               "src/new.py": "gone"}, "deleted with others")


def test_files_that_an_earlier_run_deleted():
    files = [("a.txt", None), ("src/deep/two.py", None), ("none", None)]
    gone = {"a.txt": "gone", "src/deep/two.py": "gone", "none": "gone"}
    with Project() as project:
        equal(project.changes("""
            import os
            assert sorted(os.listdir()) == ['fumehood-0123abcd-main.py', 'run.sh', 'src']
            assert os.listdir('src/deep') == ['three.py']
            """, files=files), gone, "they stay deleted")
        equal(project.changes("""
            open('a.txt', 'w')
            open('none', 'w').write('x')
            open('src/deep/two.py', 'w').write('TWO = 2\\n')
            """, files=files), {"a.txt": b"", "none": b"x", "src/deep/two.py": b"TWO = 2\n"}, "made again")
        result = sandboxed.run([PYTHON, "-c", "print('it ran')"], files=files, flags=wire.COLLECT)
        must(not result.finished and result.exit_status == 1, f"without a project: {result}")


def test_the_program_itself_is_no_change():
    with Project() as project:
        equal(project.changes("import os, sys; os.remove(sys.argv[0])"), {PROGRAM: "gone"}, "deleted")
        equal(project.changes("import sys; open(sys.argv[0], 'w').write('x')"), {PROGRAM: b"x"}, "changed")
        project.before = None
        project.write(PROGRAM, b"the user's")
        refused(project.run("print('it ran')"), errno.EEXIST)


def test_folders_that_are_refused():
    with Project() as project:
        path, device, inode = project.proof
        refused(project.run("pass", proof=(path, device, inode + 1)), errno.ESTALE)
        refused(project.run("pass", proof=(path, device + 1, inode)), errno.ESTALE)
        refused(project.run("pass", proof=(path + "/none", device, inode)), errno.ENOENT)
        status = os.stat(path + "/a.txt")
        refused(project.run("pass", proof=(path + "/a.txt", status.st_dev, status.st_ino)), errno.ENOTDIR)
        os.symlink("src", path + "/link")
        project.before = None
        status = os.stat(path + "/src")
        refused(project.run("pass", proof=(path + "/link", status.st_dev, status.st_ino)), errno.ELOOP)
        refused(project.run("pass", proof=(path + "/link/deep", status.st_dev, status.st_ino)), errno.ELOOP)
        result = project.run("print('it ran')", proof=(path + "/src", status.st_dev, status.st_ino))
        prints(result, "it ran\n")


def test_file_systems_that_are_refused():
    """Those whose names are compared in their own way, and those with others mounted in them."""
    with Project() as project:
        for path in "/proc/sys", "/proc", "/":
            status = os.stat(path)
            result = project.run("print('it ran')", proof=(path, status.st_dev, status.st_ino))
            must(result.status == "setup-failed" and result.step == "project-folder" and not result.started,
                 f"{path}: {result}")


def test_without_overlays():
    with Project() as project:
        environment = dict(os.environ, FH_RUNNER_WITHOUT_OVERLAYS="1")
        refused(project.run("pass", runner_env=environment), errno.ENODEV)


def test_probes_say_whether_it_works():
    environment = dict(os.environ, FH_RUNNER_WITHOUT_OVERLAYS="1")
    layers = sandboxed.run([], flags=wire.PROBE).guards["filesystem"][1]
    must("overlays for projects" in layers, layers)
    guards = sandboxed.run([], flags=wire.PROBE, runner_env=environment).guards
    must("overlay" not in guards["filesystem"][1] and guards["filesystem"][0] == "active", str(guards))
    with Project() as project:
        result = project.run("pass", flags=wire.PROBE | wire.PROJECT)
        ended(result, "exited", exit_code=0)
        must(not result.started, "a probe ran something")


def test_other_tiers_refuse_it():
    with Project() as project:
        for tier in wire.TIER_A2, wire.TIER_B, wire.UNPROTECTED:
            result = project.run("print('it ran')", tier=tier)
            must(not result.finished and result.exit_status == 1, f"tier {tier}: {result}")


def test_the_disk_limit_holds():
    with Project() as project:
        path = os.path.join(project.path, "large")
        with open(path, "wb") as file:
            file.truncate(10 << 30)
            file.write(b"x" * 100 * MIB)
        before = state_of(project.path)
        result = project.run("open('new', 'wb').write(bytes(20 << 20))", disk=16 * MIB)
        must(result.status == "disk-limit", str(result))
        # Opening it for writing is what copies it.
        result = project.run("""
            try:
                open('large', 'r+b')
            except OSError as error:
                print(error.errno)
            open('small', 'w').write('fits')
            """, disk=16 * MIB)
        must(result.stdout in (b"28\n", b"27\n"), str(result))
        equal(result.files[b"small"].content, b"fits", "what came later")
        project.before = before


def test_a_file_that_is_too_large_is_listed():
    with Project() as project:
        project.write("large", bytes(17 * MIB))
        equal(project.changes("open('large', 'ab').write(b'x')"), {"large": "file"}, "changes")


def test_many_files():
    with Project() as project:
        for folder in range(50):
            for number in range(60):
                project.write(f"many/{folder}/{number}", b"x")
        result = project.run("""
            import shutil
            shutil.rmtree('many')
            open('last', 'w').write('l')
            """, wall_ms=60000)
        ended(result, "exited", exit_code=0)
        gone = [path for path, file in result.files.items() if file.kind == "gone"]
        equal((len(gone), result.files_missing), (2000, (1000, 0)), "gone")
        equal(result.files[b"last"].content, b"l", "the other")
        result = project.run("""
            for folder in range(50):
                for number in range(60):
                    open(f'many/{folder}/{number}', 'w').write('y')
            """, wall_ms=60000)
        ended(result, "exited", exit_code=0)
        equal((len(result.files), result.files_missing), (2000, (1000, 0)), "changed")


def test_a_start_folder_in_it():
    with Project() as project:
        result = project.run("import os; print(sorted(os.listdir())); open('here', 'w')", cwd="/workspace/src")
        prints(result, "['deep', 'one.py']\n")
        equal(told(result), {"src/here": b""}, "changes")
        prints(project.run("import os; print(os.listdir())", cwd="/workspace/made/new"), "[]\n")


def test_its_place_is_not_told():
    with Project() as project:
        result = project.run("""
            import os
            print(open('/proc/self/mountinfo').read(), os.readlink('/proc/self/cwd'))
            """)
        ended(result, "exited", exit_code=0)
        must(project.path.encode() not in result.stdout, result.stdout.decode())


if __name__ == "__main__":
    sys.exit(main(__name__, sandboxed.no_projects()))
