# SPDX-License-Identifier: GPL-3.0-or-later
"""What programs try against a project folder and the programs that use it: on the host nobody notices."""

import ctypes
import errno
import fcntl
import os
import select
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time

import sandboxed
import wire
from sandboxed import PYTHON, ended, main, prints
from tap import PATIENCE, Skip, equal, must

FLAGS = wire.COLLECT | wire.TELL_GONE | wire.PROJECT
PROGRAM = "fumehood-0123abcd-main.py"
LIBC = ctypes.CDLL(None, use_errno=True)
# The events by which a folder and its files change: IN_MODIFY, IN_ATTRIB, IN_CLOSE_WRITE, IN_MOVED_FROM,
# IN_MOVED_TO, IN_CREATE, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF.
CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800

# Answers of the program: what became of each attempt, one a line.
PRELUDE = """
import errno, fcntl, mmap, os, shutil, socket, stat, sys
def attempt(function, *arguments):
    try:
        result = function(*arguments)
        print(result if isinstance(result, (bytes, str)) else 'done')
    except OSError as error:
        print(errno.errorcode[error.errno])
"""


class Watch:
    """Listens to a folder and the folders in it, as an editor or a synchronising program does."""

    def __init__(self, folder):
        self.fd = LIBC.inotify_init1(os.O_NONBLOCK)
        for path, _, _ in os.walk(folder):
            must(LIBC.inotify_add_watch(self.fd, os.fsencode(path), CHANGES) >= 0, f"cannot watch {path}")

    def events(self):
        """(mask, name) of all events."""
        found = []
        try:
            data = os.read(self.fd, 1 << 16)
        except BlockingIOError:
            data = b""
        while data:
            _, mask, _, size = struct.unpack_from("iIII", data)
            found.append((mask, data[16:16 + size].rstrip(b"\0")))
            data = data[16 + size:]
        return found

    def close(self):
        os.close(self.fd)


class Project:
    """A folder of the user's and one beside it, which must not be reached."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="fh-project-")
        self.base = os.path.realpath(self.temporary.name)
        self.path = f"{self.base}/project"
        os.makedirs(f"{self.path}/folder")
        os.mkdir(f"{self.base}/other")
        for name in "project/file", "project/folder/inner", "other/secret":
            self.write(name, b"content\n")
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def write(self, name, content):
        path = f"{self.base}/{name}"
        with open(path, "wb") as file:
            file.write(content)
        os.utime(path, (1000000000, 1000000001))
        return path

    def start(self, code, **limits):
        status = os.stat(self.path)
        return sandboxed.start([PYTHON, f"/workspace/{PROGRAM}"], files=[(PROGRAM, (PRELUDE + code).encode())],
                               flags=FLAGS, proofs=[(self.path, status.st_dev, status.st_ino)], **limits)

    def run(self, code, **limits):
        return self.start(code, **limits).finish()

    def state(self):
        found = {}
        for path in "project", "project/file", "project/folder", "project/folder/inner", "other", "other/secret":
            status = os.lstat(f"{self.base}/{path}")
            content = None if stat.S_ISDIR(status.st_mode) else open(f"{self.base}/{path}", "rb").read()
            found[path] = (status.st_mode, status.st_nlink, status.st_ino, status.st_mtime_ns, status.st_ctime_ns,
                           content)
        return found


def answers(result, *expected):
    ended(result, "exited", exit_code=0)
    equal(result.stdout.decode().split("\n"), [*expected, ""], "answers")


EVERY_CHANGE = """
attempt(lambda: open('file', 'a').write('x'))
attempt(os.truncate, 'file', 0)
attempt(os.chmod, 'file', 0o777)
attempt(os.chown, 'file', os.getuid(), os.getgid())
attempt(os.utime, 'file', (1, 1))
attempt(os.link, 'file', 'second')
attempt(os.rename, 'folder/inner', 'moved')
attempt(os.unlink, 'file')
attempt(os.symlink, '/etc/passwd', 'file')
attempt(shutil.rmtree, 'folder')
attempt(os.mkdir, 'folder', 0o700)
attempt(os.chmod, '.', 0o711)
attempt(os.utime, '.', (1, 1))
attempt(os.mkfifo, 'pipe')
attempt(lambda: open('folder/new', 'w').write('x'))
"""


def test_no_change_gets_out():
    with Project() as project:
        before = project.state()
        watch = Watch(project.base)
        answers(project.run(EVERY_CHANGE), *["done"] * 15)
        equal(project.state(), before, "the folder")
        equal(watch.events(), [], "what a program that watches it was told")
        # It would be told.
        os.chmod(f"{project.path}/file", 0o600)
        must(watch.events(), "the watch tells nothing")
        watch.close()


def test_reading_leaves_no_date():
    """Though some kernels tell those that watch for reads of a file."""
    with Project() as project:
        before = os.stat(f"{project.path}/file").st_atime_ns
        answers(project.run("attempt(lambda: open('file').read().strip())\n"
                            "attempt(lambda: mmap.mmap(os.open('file', os.O_RDONLY), 0, prot=mmap.PROT_READ)[:7])\n"),
                "content", "b'content'")
        equal(os.stat(f"{project.path}/file").st_atime_ns, before, "time of the last access")
        with open(f"{project.path}/file", "rb") as file:
            file.read()
        if os.stat(f"{project.path}/file").st_atime_ns == before:
            raise Skip("this file system keeps no dates of reading")


def test_shared_mappings():
    with Project() as project:
        before = project.state()
        answers(project.run("""
held = os.open('file', os.O_RDONLY)
seen = mmap.mmap(held, 0, mmap.MAP_SHARED, mmap.PROT_READ)
attempt(lambda: mmap.mmap(held, 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE))
writable = mmap.mmap(os.open('file', os.O_RDWR), 0, mmap.MAP_SHARED)
writable[:7] = b'CHANGED'
writable.flush()
attempt(lambda: bytes(seen[:7]))
attempt(lambda: open('file').read().strip())
"""), "EACCES", "b'content'", "CHANGED")
        equal(project.state(), before, "the folder")


def test_descriptors_lead_nowhere_else():
    """A file that was opened for reading stays the folder's, and cannot be opened for writing in any way."""
    with Project() as project:
        before = project.state()
        result = project.run("""
held = os.open('file', os.O_RDONLY)
path = os.open('file', os.O_PATH)
folder = os.open('folder', os.O_PATH)
for one in held, path:
    attempt(lambda: os.fchmod(os.open(f'/proc/self/fd/{one}', os.O_RDONLY), 0o777))
    attempt(lambda: os.write(os.open(f'/proc/self/fd/{one}', os.O_RDWR), b'CHANGED'))
    attempt(os.link, f'/proc/self/fd/{one}', f'linked-{one}')
attempt(os.fchmod, held, 0o777)
attempt(lambda: os.write(held, b'x'))
attempt(os.ftruncate, held, 0)
attempt(lambda: os.write(os.open('../../other/secret', os.O_RDONLY, dir_fd=folder), b'x'))
attempt(lambda: os.listdir('/proc/self/fd/%d/../..' % folder) and 'the root')
attempt(lambda: os.listdir('/proc/1/fd') and 'read')
attempt(lambda: os.listdir('/proc/1/cwd') and 'read')
attempt(lambda: os.listdir('/proc/1/root/tmp/work') and 'read')
attempt(lambda: ' '.join(os.listdir('/tmp/..')) if 'work' in os.listdir('/tmp/..') else 'no work')
""")
        ended(result, "exited", exit_code=0)
        equal(result.stdout.decode().splitlines()[-6:],
              ["ENOENT", "the root", "EACCES", "EACCES", "EACCES", "no work"], "the last answers")
        equal(project.state(), before, "the folder")


def test_the_layer_is_out_of_reach():
    """Neither by name nor as what is mounted: everything that can be opened is searched for its marks."""
    with Project() as project:
        result = project.run("""
open('file', 'a').write('mark-of-the-layer')
shutil.rmtree('folder')
mine = os.stat('/workspace').st_dev
found = []
for root, folders, files in os.walk('/'):
    if root.startswith(('/proc', '/sys', '/usr')):
        folders[:] = []
        continue
    for name in [*folders, *files]:
        path = os.path.join(root, name)
        try:
            status = os.lstat(path)
        except OSError:
            continue
        if stat.S_ISCHR(status.st_mode) and status.st_rdev == 0:
            found.append(path)
        if name == 'file' and root != '/workspace':
            found.append(path)
        if name == 'work':
            found.append(path)
print(found)
attempt(lambda: os.mknod('mark', stat.S_IFCHR | 0o600, os.makedev(0, 0)))
attempt(lambda: os.setxattr('.', 'user.overlay.opaque', b'y'))
attempt(lambda: os.setxattr('.', 'trusted.overlay.opaque', b'y'))
print([name for name in os.listxattr('.') if 'overlay' in name])
""")
        ended(result, "exited", exit_code=0)
        lines = result.stdout.decode().splitlines()
        equal((lines[0], lines[-1]), ("[]", "[]"), "what was found")
        must("done" not in lines, f"a mark was made: {lines}")
        equal(sorted(path for path in result.files), [b"file", b"folder/inner"], "changes")


def test_a_folder_that_is_closed_lacks_nothing():
    """What cannot be seen there was perhaps written again: it would be deleted with the other changes."""
    with Project() as project:
        os.mkdir(f"{project.path}/folder/closed")
        project.write("project/folder/closed/kept", b"content\n")
        result = project.run("""
shutil.rmtree('folder')
os.makedirs('folder/closed')
open('folder/closed/kept', 'w').write('rewritten')
os.chmod('folder/closed', 0)
""")
        ended(result, "exited", exit_code=0)
        equal({path: file.kind for path, file in result.files.items()}, {b"folder/inner": "gone"}, "changes")
        equal(result.files_missing, (0, 1), "missing")


def test_hard_links():
    """A second name of a file outside of the folder, and one inside."""
    with Project() as project:
        os.link(f"{project.base}/other/secret", f"{project.path}/linked")
        os.link(f"{project.path}/file", f"{project.path}/folder/again")
        before = project.state()
        result = project.run("""
attempt(lambda: open('linked', 'r+').write('CHANGED'))
attempt(lambda: open('folder/again', 'r+').write('CHANGED'))
attempt(lambda: open('file').read().strip())
""")
        answers(result, "done", "done", "content")
        equal(project.state(), before, "the folder")
        equal({path: file.content for path, file in result.files.items()},
              {b"linked": b"CHANGED\n", b"folder/again": b"CHANGED\n"}, "changes")


def test_sockets_and_pipes():
    with Project() as project:
        os.chdir(project.path)
        server, datagrams = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        server.bind("socket")
        server.listen()
        datagrams.bind("datagrams")
        os.mkfifo("pipe")
        os.chdir("/")
        pipe = os.open(f"{project.path}/pipe", os.O_RDWR | os.O_NONBLOCK)
        for one in server, datagrams:
            one.setblocking(False)
        answers(project.run("""
attempt(lambda: socket.socket(socket.AF_UNIX).connect('socket'))
attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', 'datagrams'))
attempt(lambda: os.open('pipe', os.O_WRONLY | os.O_NONBLOCK))
both = os.open('pipe', os.O_RDWR | os.O_NONBLOCK)
attempt(os.write, both, b'from inside')
attempt(lambda: os.read(both, 6))
"""), "ECONNREFUSED", "ECONNREFUSED", "ENXIO", "done", "b'from i'")
        equal(select.select([server, datagrams, pipe], [], [], 0)[0], [], "what came out")
        # They would be noticed.
        socket.socket(socket.AF_UNIX).connect(f"{project.path}/socket")
        equal(select.select([server, datagrams, pipe], [], [], 5)[0], [server], "the socket works")
        for one in server, datagrams:
            one.close()
        os.close(pipe)


def test_locks_are_its_own():
    with Project() as project:
        held = os.open(f"{project.path}/file", os.O_RDWR)
        inner = os.open(f"{project.path}/folder/inner", os.O_RDWR)
        fcntl.flock(held, fcntl.LOCK_EX)
        fcntl.lockf(held, fcntl.LOCK_EX)
        runner = project.start("""
for name in 'file', 'folder/inner':
    for mode in 'r', 'r+':
        one = open(name, mode)
        attempt(fcntl.flock, one, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(one, fcntl.LOCK_UN)
    attempt(fcntl.lockf, one, fcntl.LOCK_EX | fcntl.LOCK_NB)
fcntl.flock(one, fcntl.LOCK_EX)
reader = open('folder/inner')
print('held', flush=True)
sys.stdin.read()
import time
while True:
    time.sleep(1)
""")
        runner.wait_until(lambda result: b"held\n" in result.stdout)
        fcntl.flock(inner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(inner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        runner.stop()
        runner.stop()
        equal(runner.finish().stdout.decode().split("\n"), [*["done"] * 6, "held", ""], "answers")
        os.close(held)
        os.close(inner)


def test_leases():
    """Whoever holds a lease for reading is not disturbed by a program that reads, or writes to its layer."""
    with Project() as project:
        held = os.open(f"{project.path}/file", os.O_RDONLY)
        broken = []
        signal.signal(signal.SIGIO, lambda *_: broken.append(True))
        fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        answers(project.run("""
attempt(lambda: open('file').read().strip())
attempt(lambda: open('file', 'r+').write('x'))
attempt(os.truncate, 'file', 0)
attempt(os.unlink, 'file')
"""), "content", "done", "done", "done")
        equal(broken, [], "leases that were broken")
        equal(fcntl.fcntl(held, fcntl.F_GETLEASE), fcntl.F_RDLCK, "the lease")
        os.close(held)
        signal.signal(signal.SIGIO, signal.SIG_DFL)


def test_it_hears_nothing():
    """A watch inside, where the user has switched off what refuses it, hears neither of the folder's changes on the
    host, nor of anything else there."""
    with Project() as project:
        runner = project.start("""
import ctypes, select
libc = ctypes.CDLL(None)
watch = libc.inotify_init1(0)
for path in b'/workspace', b'/workspace/folder', b'/workspace/file', b'/tmp', b'/usr':
    libc.inotify_add_watch(watch, path, 0xfff & ~0x31)
libc.inotify_add_watch(watch, b'/usr/bin/true', 0xfff)
open('own', 'w').close()
print('works' if select.select([watch], [], [], 5)[0] else 'deaf')
os.read(watch, 1 << 16)
while True:
    print('heard it' if select.select([watch], [], [], 0.01)[0] else 'silence', flush=True)
""", without=("system-calls",))
        runner.wait_until(lambda result: b"silence\n" in result.stdout)
        project.write("project/file", b"by the user")
        project.write("project/folder/made", b"by the user")
        project.write("other/secret", b"by the user")
        subprocess.run(["/usr/bin/true"], check=True)
        os.rename(f"{project.path}/folder/made", f"{project.path}/made")
        before = runner.result.stdout.count(b"\n")
        runner.wait_until(lambda result: result.stdout.count(b"\n") > before + 5)
        runner.stop()
        runner.stop()
        stdout = runner.finish().stdout
        must(b"heard" not in stdout and b"works" in stdout, stdout.decode())


def test_links_that_lead_outside():
    with Project() as project:
        for name, target in (("absolute", f"{project.base}/other/secret"), ("relative", "../other/secret"),
                             ("far", "../../../../../../../../etc/shadow"), ("home", os.path.expanduser("~")),
                             ("root", "/proc/1/root"), ("up", ".."), ("layer", "../tmp/work")):
            os.symlink(target, f"{project.path}/{name}")
        before = project.state()
        result = project.run("""
for name in 'absolute', 'relative', 'far', 'home':
    attempt(lambda: open(name, 'r+').read())
attempt(lambda: os.listdir('root') and 'read')
attempt(lambda: 'other' if 'other' in os.listdir('up') else 'the root')
attempt(lambda: os.listdir('layer') and 'read')
os.remove('absolute')
open('absolute', 'w').write('a file now')
""")
        answers(result, "ENOENT", "ENOENT", "ENOENT", "ENOENT", "EACCES", "the root", "ENOENT")
        equal({path: file.content for path, file in result.files.items()}, {b"absolute": b"a file now"}, "changes")
        equal(project.state(), before, "the folder")


def test_programs_of_another_user():
    """A copy of one is not run as its owner."""
    with Project() as project:
        own = f"{project.path}/tool"
        with open("/usr/bin/id", "rb") as source:
            project.write("project/tool", source.read())
        os.chmod(own, 0o6755)
        result = project.run("""
import subprocess
os.utime('tool')
print(oct(os.stat('tool').st_mode & 0o7777))
print(subprocess.run(['./tool', '-u'], capture_output=True, text=True).stdout.strip())
print(os.statvfs('.').f_flag & os.ST_NOSUID != 0, os.statvfs('.').f_flag & os.ST_NODEV != 0)
""")
        ended(result, "exited", exit_code=0)
        equal(result.stdout.decode().splitlines()[1:], ["1000", "True True"], "user and mount")


def test_a_folder_that_is_replaced():
    """While a run is built again and again, the name leads to another folder, or by a link to one."""
    with Project() as project:
        status = os.stat(project.path)
        os.symlink(f"{project.base}/other", f"{project.base}/link")
        swapper = subprocess.Popen([PYTHON, "-c", """
import ctypes, os, sys
libc = ctypes.CDLL(None)
while True:
    libc.renameat2(-100, os.fsencode(sys.argv[1]), -100, os.fsencode(sys.argv[2]), 2)
""", project.path, f"{project.base}/link"])
        try:
            seen = set()
            deadline = time.monotonic() + PATIENCE
            while len(seen) < 2 and time.monotonic() < deadline:
                runner = sandboxed.start([PYTHON, f"/workspace/{PROGRAM}"], flags=FLAGS,
                                         files=[(PROGRAM, b"import os; print('secret' in os.listdir())")],
                                         proofs=[(project.path, status.st_dev, status.st_ino)])
                result = runner.finish()
                if result.status == "setup-failed":
                    must(result.step == "project-folder" and result.error in (errno.ELOOP, errno.ESTALE), str(result))
                    seen.add("refused")
                else:
                    prints(result, "False\n")
                    seen.add("ran")
        finally:
            swapper.kill()
            swapper.wait()
        equal(seen, {"refused", "ran"}, "what was seen")


def test_time_is_limited_while_it_copies():
    """A file that has no end of holes is copied as holes; one of zeros fills the layer, and no more."""
    with Project() as project:
        with open(f"{project.path}/large", "wb") as file:
            file.truncate(1 << 40)
        result = project.run("attempt(lambda: open('large', 'r+').write('x'))", wall_ms=20000)
        must(result.status in ("exited", "timed-out", "signalled"), str(result))
        equal(os.stat(f"{project.path}/large").st_blocks, 0, "blocks of the file")


def test_mounts_in_it():
    """What another file system covers is never shown: such a folder is refused."""
    with Project() as project:
        status = os.stat(project.path)
        policy = wire.policy([PYTHON, "-c", "print(open('folder/inner').read())"], flags=FLAGS,
                             proofs=[(project.path, status.st_dev, status.st_ino)])
        for mounts, expected in (("", "exited"), (f"mount -t tmpfs none {project.path}/folder; ", "setup-failed")):
            runner = wire.Runner(["unshare", "--user", "--map-current-user", "--mount", "--keep-caps", "sh", "-c",
                                  f"{mounts} exec {sandboxed.PROGRAM}"])
            runner.send(policy)
            runner.run()
            result = runner.finish()
            if not result.finished:
                raise Skip(f"no mount can be made here: {result}")
            equal((result.status, result.step), (expected, "project-folder" if mounts else ""), mounts)


if __name__ == "__main__":
    sys.exit(main(__name__, sandboxed.no_projects()))
