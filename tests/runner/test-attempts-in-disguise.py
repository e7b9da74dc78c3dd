# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program tries without naming it plainly is told as well: through what it has open, from where nobody
can follow, in memory that cannot be read. What came of it is told only if it is known."""

import errno
import os
import subprocess
import sys

import wire
from attempts import not_there, nothing, told, tried
from sandboxed import ended, main, prints, python
from tap import Skip, equal, must

IN_TIERS = (wire.TIER_A, wire.TIER_A2, wire.TIER_B)


def tried_in_vain(result, operation, obj, guard="filesystem"):
    """It is told, and that its outcome is not known."""
    attempt = told(result, operation, obj, "observed", guard, 0, "seccomp")
    must(attempt.is_uncertain, f"it is not known what became of {attempt!r}")
    return attempt


NO_FOLDERS = """
with open('file', 'w') as file:
    pass
a, b = socket.socketpair()
file = os.open('file', os.O_RDONLY)
for place in (file, a.fileno(), file, a.fileno()):
    attempt(lambda: os.open('x', os.O_RDONLY, dir_fd=place))
root = os.open('/', os.O_PATH)
for _ in range(20):
    attempt(lambda: os.open('x', os.O_RDONLY, dir_fd=a.fileno()))
attempt(lambda: os.open('home/later', os.O_RDONLY, dir_fd=root))
attempt(lambda: os.open('y', os.O_RDONLY, dir_fd=399))
"""


RULES = """
import struct
NO_LINKS, BENEATH, IN_ROOT = 4, 8, 16
def open_by(rules, name, folder=-100):
    how = struct.pack('QQQ', os.O_RDONLY, 0, rules)
    attempt(lambda: os.close(check(libc.syscall(437, folder, name.encode(), how, len(how)))))
def check(answer):
    if answer < 0:
        raise OSError(ctypes.get_errno(), '')
    return answer
os.makedirs('home/x', 0o755)
open('home/x/key', 'w').close()
os.symlink('/home/x/linked', 'link')
os.symlink('home/x/key', 'near')
own = os.open('.', os.O_PATH)
open_by(IN_ROOT, '/home/x/key', own)
open_by(IN_ROOT, 'home/x/key')
open_by(IN_ROOT, '../../home/x/above', own)
open_by(BENEATH, '/home/x/beneath', own)
open_by(NO_LINKS, 'link')
open_by(NO_LINKS, '/home/x/plain')
open_by(BENEATH, 'home/x/key')
open_by(1 << 40, '/home/x/unknown')
open_by(IN_ROOT, '/home/x/key', 399)
"""


def test_own_rules_for_paths():
    """A folder can stand for the root, and links and ways out can be refused: then no guard has hidden what is named."""
    for tier in IN_TIERS:
        result = tried(RULES, tier=tier)
        prints(result, "done done ENOENT EXDEV ELOOP ENOENT done EINVAL EBADF ")
        tried_in_vain(result, "open", "/workspace/home/x/above")
        tried_in_vain(result, "open", "/home/x/beneath")
        tried_in_vain(result, "open", "/workspace/link")
        not_there(result, "open", "/home/x/plain")
        tried_in_vain(result, "open", "/home/x/unknown")
        tried_in_vain(result, "open", "/home/x/key")
        hidden = [a.object for a in result.attempts.values() if a.verdict in ("hidden", "denied") or a.is_missing]
        equal(hidden, ["/home/x/plain"], f"what a guard decided: {list(result.attempts.values())}")


def test_sending_without_sockets():
    """Where no socket can be made, no network refuses what is sent through something else."""
    code = SENT + "ctypes.set_errno(0)\nprint(libc.sendto(0, b'x', 1, 0, b'\\2\\0' + address(0)[2:], 16), ctypes.get_errno())\n"
    for tier, options in ((wire.TIER_B, {}), (wire.TIER_A, {"flags": wire.NO_SOCKETS})):
        result = tried(code, tier=tier, **options)
        prints(result, f"-1 {errno.ENOTSOCK}\n")
        nothing(result)


def test_what_is_no_folder_hides_nothing():
    for tier in IN_TIERS:
        result = tried(NO_FOLDERS, tier=tier)
        not_there(result, "open", "/home/later")
        equal(tried_in_vain(result, "open", "x").count, 22, "each is told")
        tried_in_vain(result, "open", "y")


def test_lingering_sockets_delay_nobody():
    """A socket whose last close would linger is closed by a child of the runner, which is killed."""
    result = tried("""
import struct, threading, time
server = socket.create_server(('127.0.0.1', 0))
def open_through(place):
    try:
        os.open('x', os.O_RDONLY, dir_fd=place)
    except OSError:
        pass
for _ in range(10):
    one = socket.create_connection(server.getsockname())
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 60))
    one.setblocking(False)
    try:
        while one.send(b'x' * 65536):
            pass
    except BlockingIOError:
        pass
    place = one.detach()
    for function in (open_through, open_through, os.close, open_through):
        threading.Thread(target=function, args=(place,), daemon=True).start()
attempt(lambda: os.open('home/later', os.O_RDONLY, dir_fd=os.open('/', os.O_PATH)))
os._exit(0)
""", wall_ms=30000)
    not_there(result, "open", "/home/later")


def test_folder_with_too_long_a_path():
    for tier in IN_TIERS:
        result = tried("""
for _ in range(45):
    os.mkdir('d' * 100)
    os.chdir('d' * 100)
attempt(lambda: open('deepest', 'w'))
attempt(lambda: os.rename('deepest', 'renamed'))
attempt(lambda: os.unlink('renamed'))
""", tier=tier)
        prints(result, "done done done ")
        for operation, obj in (("open", "deepest"), ("rename", "deepest"), ("delete", "renamed")):
            tried_in_vain(result, operation, obj)


UNREADABLE = """
import os, subprocess
with open('/usr/bin/{program}', 'rb') as source:
    copy = os.open('closed', os.O_WRONLY | os.O_CREAT, 0o111)
    os.write(copy, source.read())
    os.close(copy)
subprocess.run(['./closed', '{argument}'], stderr=subprocess.DEVNULL)
"""


def test_process_that_may_not_be_read():
    # It may last long enough to be ended.
    tried_in_vain(python(UNREADABLE.format(program="cat", argument="/etc/shadow"), tier=wire.TIER_B), "open", "")
    result = tried(UNREADABLE.format(program="cat", argument="/home/secret"))
    not_there(result, "open", "/home/secret")


def test_process_that_may_not_be_read_ends_the_run():
    """Nothing that it takes can be counted: that is no reason to say that it took much."""
    result = python(UNREADABLE.format(program="sleep", argument="60"), tier=wire.TIER_B, wall_ms=50000)
    ended(result, "memory", "unseen")
    told(result, "hide a process", "", "limited", "memory")


OPEN_FILES = """
env = os.open('/usr/bin/env', os.O_RDONLY)
for name in ('/proc/self/fd/%d', '/proc/thread-self/fd/%d', '/dev/fd/%d'):
    attempt(lambda: os.open(name % env, os.O_WRONLY))
os.dup2(env, 0)
attempt(lambda: os.open('/dev/stdin', os.O_RDWR))
attempt(lambda: os.open('/dev/stdin', os.O_RDONLY))
attempt(lambda: os.fchmod(env, 0o777))
attempt(lambda: os.fchown(env, -1, -1))
attempt(lambda: os.utime(env))
libc.syscall(452, env, b'', 0o777, 0x1000)
print(libc.linkat(-100, b'/proc/self/fd/%d' % env, -100, b'stolen', 0x400), end=' ')
own = os.open('own', os.O_RDWR | os.O_CREAT, 0o600)
attempt(lambda: os.close(os.open('/proc/self/fd/%d' % own, os.O_RDONLY)))
for change in (lambda: os.fchmod(own, 0o644), lambda: os.utime(own), lambda: os.fchmod(1, 0o600)):
    try:
        change()
    except OSError:
        pass
"""


def test_open_files():
    """Those of the system are not changed by whoever has them open."""
    for tier in IN_TIERS:
        result = tried(OPEN_FILES, tier=tier)
        is_b = tier == wire.TIER_B
        equal(told(result, "write to", "/usr/bin/env", "denied", "filesystem").count, 4, "openings")
        found = told(result, "change attributes of", "/usr/bin/env", "denied", "filesystem", 1 if is_b else 30)
        equal(found.count, 4, "fchmod, fchown, futimens, fchmodat2")
        told(result, "link to", "/usr/bin/env", "denied", "filesystem")
        must(not any("stolen" in a.object for a in result.attempts.values()), "it was not created")
        changes = [a for a in result.attempts.values() if a.operation.startswith("change")]
        equal(len(changes), 1, f"its own are quiet: {changes}")


OF_ANOTHER_PROCESS = """
import signal
ready, done = os.pipe()
child = os.fork()
if child == 0:
    os.chdir('/usr')
    root = os.open('/', os.O_PATH)
    os.write(done, bytes([root]))
    signal.pause()
root = os.read(ready, 1)[0]
attempt(lambda: open('/proc/%d/cwd/../home/secret' % child))
attempt(lambda: open('/proc/%d/task/%d/cwd/../home/secret' % (child, child)))
attempt(lambda: open('/proc/%d/fd/%d/home/other' % (child, root)))
attempt(lambda: open('/proc/999999/cwd/secret'))
os.kill(child, 9)
"""


def test_what_another_process_has_open():
    for tier in IN_TIERS:
        result = tried(OF_ANOTHER_PROCESS, tier=tier)
        equal(not_there(result, "open", "/home/secret").count, 2, "through its folder")
        not_there(result, "open", "/home/other")


def test_files_without_a_name():
    for tier in IN_TIERS:
        result = tried("""
import tempfile
attempt(lambda: os.open('.', os.O_TMPFILE | os.O_RDWR))
attempt(lambda: os.open(tempfile.gettempdir(), os.O_TMPFILE | os.O_RDWR))
attempt(lambda: os.open('/usr/bin', os.O_TMPFILE | os.O_RDWR))
""", tier=tier)
        must(result.stdout.decode().startswith("done done E"), str(result))
        told(result, "create", "/workspace (unnamed)", "observed", "filesystem")
        told(result, "create", "/usr/bin (unnamed)", "denied", "filesystem", 13 if tier == wire.TIER_B else 30)
        equal(len(result.attempts), 2, f"attempts {list(result.attempts.values())}")


EXECUTED = """
def execute(*arguments):
    child = os.fork()
    if child == 0:
        libc.syscall(322 if os.uname().machine == 'x86_64' else 281, *arguments)
        os._exit(9)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), end=' ')
argv = (ctypes.c_char_p * 2)(b'true', None)
env = (ctypes.c_char_p * 1)(None)
true = os.open('/usr/bin/true', os.O_RDONLY)
execute(true, b'', argv, env, 0x1000)
with open('/usr/bin/true', 'rb') as source, open('copy', 'wb') as copy:
    copy.write(source.read())
execute(-100, b'copy', argv, env, 0)
os.chmod('copy', 0o755) if {can_change} else None
gone = os.open('copy', os.O_RDONLY)
os.symlink('/usr/bin/true', 'link')
execute(-100, b'link', argv, env, 0x100)
os.unlink('copy')
execute(gone, b'', argv, env, 0x1000)
"""


def test_programs_that_are_open():
    for tier in IN_TIERS:
        result = tried(EXECUTED.format(can_change=tier != wire.TIER_B), tier=tier)
        prints(result, "0 9 9 9 " if tier == wire.TIER_B else "0 9 9 0 ")
        must(not told(result, "execute", "/usr/bin/true", "observed", "processes").is_uncertain, "it may be executed")
        tried_in_vain(result, "execute", "/workspace/copy", "processes")
        gone = [a for a in result.attempts.values() if (a.operation, a.is_uncertain) == ("execute", True)]
        must(any(a.object.endswith("copy (deleted)") for a in gone), f"the one that is gone: {gone}")
        must(any(a.object == "/workspace/link" for a in gone), f"the link, which is not followed: {gone}")


SENT = """
import struct
class Message(ctypes.Structure):
    _fields_ = [('name', ctypes.c_void_p), ('size', ctypes.c_uint), ('parts', ctypes.c_void_p), ('n', ctypes.c_size_t),
                ('control', ctypes.c_void_p), ('n_control', ctypes.c_size_t), ('flags', ctypes.c_long),
                ('sent', ctypes.c_uint)]
def address(i):
    return struct.pack('!BBH4s8x', 2, 0, 100 + i, bytes([9, 9, 9, 9]))
def send(n):
    names = [ctypes.create_string_buffer(address(i), 16) for i in range(n)]
    for name in names:
        ctypes.memmove(name, struct.pack('=H', 2), 2)
    messages = (Message * n)(*[Message(ctypes.addressof(name), 16, None, 0, None, 0, 0, 0) for name in names])
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    libc.sendmmsg(udp.fileno(), messages, n, 0)
"""


def test_many_messages():
    result = tried(SENT + "send(9)")
    for i in range(9):
        told(result, "send to", f"9.9.9.9:{100 + i}", "denied", "network", 101)
    result = tried(SENT + "send(65)")
    equal(len(result.attempts), 65, "attempts")
    tried_in_vain(result, "send to", "", "network")


def test_sockets_by_other_names():
    for tier in (wire.TIER_A, wire.TIER_A2):
        result = tried("""
os.symlink('/run/user/1000/bus', 'bus')
for name in ('bus', os.getcwd() + '/bus', '/tmp/../run/user/1000/bus'):
    attempt(lambda: socket.socket(socket.AF_UNIX).connect(name))
server = socket.socket(socket.AF_UNIX)
server.bind('own')
server.listen()
attempt(lambda: socket.socket(socket.AF_UNIX).connect('own'))
attempt(lambda: socket.socket(socket.AF_UNIX).bind('/run/user/1000/own'))
""", tier=tier)
        prints(result, "ENOENT ENOENT ENOENT done ENOENT ")
        # In bubblewrap's sandbox /tmp is a link, so that what is beside it is not in the root.
        names = 3 if tier == wire.TIER_A else 2
        equal(not_there(result, "connect", "/run/user/1000/bus", "network").count, names, "names")
        tried_in_vain(result, "bind", "/run/user/1000/own", "network")
        must(not any(a.object.endswith("workspace/own") for a in result.attempts.values()), "its own is quiet")


def test_what_may_fail_is_not_allowed():
    result = tried("""
one, two = socket.socket(), socket.socket()
one.bind(('127.0.0.1', 8001))
one.listen()
attempt(lambda: two.bind(('127.0.0.1', 8001)))
attempt(lambda: socket.create_connection(('127.0.0.1', 5432)))
open('/tmp/x', 'w').close()
attempt(lambda: os.rename('/tmp/x', 'x'))
""")
    equal(tried_in_vain(result, "bind", "127.0.0.1:8001", "network").count, 2, "bound, and not")
    tried_in_vain(result, "connect", "127.0.0.1:5432", "network")
    tried_in_vain(result, "rename", "/tmp/x -> /workspace/x")


OTHERS = """
import resource, signal, threading
other = {other}
libc.tgkill(other, other, 15)
libc.syscall({tkill}, other, 15)
info = ctypes.create_string_buffer(128)
ctypes.memmove(info, bytes([15, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]), 12)
libc.syscall({queue}, other, 15, info)
libc.syscall({queue_thread}, other, other, 15, info)
attempt(lambda: resource.prlimit(other, resource.RLIMIT_NOFILE))
attempt(lambda: os.sched_setaffinity(other, {{0}}))
attempt(lambda: os.sched_setscheduler(other, os.SCHED_BATCH, os.sched_param(0)))
attempt(lambda: os.setpriority(os.PRIO_PROCESS, other, 5))
child = os.fork()
if child == 0:
    signal.pause()
attempt(lambda: resource.prlimit(child, resource.RLIMIT_NOFILE))
attempt(lambda: os.sched_setaffinity(os.getpid(), {{0}}))
libc.tgkill(child, child, 9)
signal.signal(signal.SIGUSR1, lambda *_: None)
threading.Thread(target=lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)).start()
signal.raise_signal(signal.SIGUSR1)
"""


def test_processes_of_others():
    if os.uname().machine != "x86_64":
        raise Skip("the numbers are those of x86-64")
    with subprocess.Popen(["sleep", "60"]) as other:
        code = OTHERS.format(other=other.pid, tkill=200, queue=129, queue_thread=297)
        result = tried(code, tier=wire.TIER_B)
        equal(other.poll(), None, "the other one runs")
        other.kill()
    prints(result, "EPERM " * 6)
    signals = [a for a in result.attempts.values() if a.operation == "signal"]
    equal(len(signals), 1, f"{signals}")
    equal(told(result, "signal", f"{other.pid} (SIGTERM)", "denied", "processes", 1, "landlock").count, 4, "signals")
    for call in ("prlimit64", "sched_setaffinity", "sched_setscheduler", "setpriority"):
        told(result, call, str(other.pid), "denied", "system-calls", 1, "seccomp")
    equal(len(result.attempts), 5, f"attempts {list(result.attempts.values())}")


if __name__ == "__main__":
    sys.exit(main(__name__))
