# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program tries is told: each kind, at each level of watching, and no more than that."""

import os
import sys
import tempfile

import wire
from attempts import HOME, find, not_there, nothing, told, tried, with_home
from sandboxed import has_own_user, main, prints, python, shell
from tap import Skip, equal, must


def test_nothing_to_tell():
    nothing(python("import json, collections, re, threading; print('hello')"))
    nothing(shell("echo hello; : > /tmp/x; read line < /tmp/x; exit 0"))
    nothing(shell("echo a > /dev/stderr; echo b > /dev/stdout; echo c > /dev/fd/1; echo d > /proc/self/fd/2;"
                  "echo e > /dev/null; echo f > /proc/$$/fd/1"))


def test_off():
    result = tried("attempt(lambda: open('/etc/shadow'))\nlibc.ptrace(16, 1, 0, 0)", watch=wire.WATCH_OFF)
    prints(result, "ENOENT ")
    nothing(result)
    must("reports" not in result.guards["system-calls"][1], "it says that it reports")


def test_guard_says_so():
    result = python("pass")
    equal(result.guards["system-calls"], ("active", "seccomp filter, one architecture, reports", ""),
          "guard")


def test_key_of_the_user():
    def check(home):
        result = tried(f"""
attempt(lambda: open(os.path.expanduser('~/.ssh/id_rsa')))
attempt(lambda: open({home!r} + '/.ssh/id_rsa'))
attempt(lambda: open('notes.txt'))
attempt(lambda: os.listdir({home!r}))
attempt(lambda: open('missing.txt'))
""", home=home)
        prints(result, "ENOENT " * 5)
        for operation, obj in (("open", "~/.ssh/id_rsa"), ("open", f"{home}/.ssh/id_rsa"),
                               ("open", "~/notes.txt"), ("list", home)):
            attempt = told(result, operation, obj, "hidden", "filesystem", 2, "mount")
            must(attempt.exists_outside, repr(attempt))
            equal((attempt.command, attempt.process, attempt.count), ("python3", 2, 1), repr(attempt))
        equal(len(result.attempts), 4, "attempts")
    with_home(check)


def test_what_is_not_there_either():
    result = tried("""
attempt(lambda: open('/home/nobody-at-all/x'))
attempt(lambda: open('/var/lib/nothing-of-the-kind'))
attempt(lambda: open('/nothing-of-the-kind'))
attempt(lambda: open(os.path.expanduser('~/.ssh/nothing-of-the-kind')))
""", home=HOME)
    for obj in ("/home/nobody-at-all/x", "/var/lib/nothing-of-the-kind", "~/.ssh/nothing-of-the-kind"):
        attempt = told(result, "open", obj, "observed", "filesystem", 2, "seccomp")
        must(attempt.is_missing and not attempt.exists_outside, repr(attempt))
    equal(len(result.attempts), 3, "attempts")


def test_what_is_missing_in_every_tier():
    """Nothing was kept from a program that wants what nobody has, but a place to write to was."""
    def check(home):
        for tier in (wire.TIER_A, wire.TIER_A2, wire.TIER_B):
            result = tried(f"""
attempt(lambda: open('/home/nobody-at-all/x'))
attempt(lambda: open({home!r} + '/nothing-of-the-kind'))
attempt(lambda: os.listdir({home!r} + '/notes.txt/nothing'))
attempt(lambda: open({home!r} + '/nothing-of-the-kind/new', 'w'))
attempt(lambda: open({home!r} + '/new', 'w'))
attempt(lambda: os.mkdir({home!r} + '/folder'))
""", home=home, tier=tier)
            kept_back = "denied" if tier == wire.TIER_B else "hidden"
            for operation, obj in (("open", "/home/nobody-at-all/x"), ("open", f"{home}/nothing-of-the-kind"),
                                   ("list", f"{home}/notes.txt/nothing"), ("create", f"{home}/nothing-of-the-kind/new")):
                must(told(result, operation, obj, "observed", "filesystem", 2).is_missing, f"{operation} {obj}")
            for obj in (f"{home}/new", f"{home}/folder"):
                must(not told(result, "create", obj, kept_back, "filesystem").is_missing, obj)
    with_home(check)


def test_files_of_the_system():
    result = tried("""
attempt(lambda: open('/etc/shadow'))
attempt(lambda: open('/usr/bin/env', 'r+b'))
attempt(lambda: open('/usr/bin/none-of-these', 'wb'))
attempt(lambda: os.unlink('/usr/bin/env'))
attempt(lambda: os.rename('/usr/bin/env', '/tmp/env'))
attempt(lambda: os.mkdir('/none-of-these'))
attempt(lambda: open('/proc/sys/kernel/hostname', 'w'))
attempt(lambda: open('/dev/null', 'w'))
attempt(lambda: open('/proc/kcore', 'rb'))
attempt(lambda: open('/proc/self/root/../../root/.bashrc'))
attempt(os.openpty)
attempt(lambda: os.truncate('/usr/bin/env', 0))
""")
    must(result.stdout.decode().startswith("ENOENT EROFS EROFS EROFS EXDEV EROFS "), str(result))
    told(result, "open", "/etc/shadow", "hidden", "filesystem", 2)
    equal(find(result, "write to", "/usr/bin/env").count, 2, "opened, and made shorter")
    told(result, "write to", "/usr/bin/env", "denied", "filesystem", 30)
    told(result, "create", "/usr/bin/none-of-these", "denied", "filesystem", 30)
    told(result, "delete", "/usr/bin/env", "denied", "filesystem", 30)
    told(result, "rename", "/usr/bin/env", "denied", "filesystem", 18)
    told(result, "create", "/none-of-these", "denied", "filesystem", 30)
    told(result, "open", "/root/.bashrc", "hidden", "filesystem", 2)
    told(result, "open", "/dev/ptmx", "hidden", "filesystem", 2)
    told(result, "write to", "/proc/sys/kernel/hostname", "denied", "filesystem")
    must(any(a.object == "/proc/kcore" for a in result.attempts.values()), "/proc/kcore")
    must(not any(a.object == "/dev/null" for a in result.attempts.values()), "/dev/null")


def test_own_files_are_observed():
    result = tried("""
open('out.txt', 'w').close()
open('out.txt', 'a').close()
os.rename('out.txt', 'b.txt')
os.mkdir('folder')
os.symlink('/etc/passwd', 'link')
os.unlink('b.txt')
open('/tmp/scratch', 'w').close()
os.unlink('/tmp/scratch')
open('/etc/passwd').close()
os.mkdir('__pycache__')
open('__pycache__/a.cpython-311.pyc.1234', 'w').close()
os.rename('__pycache__/a.cpython-311.pyc.1234', '__pycache__/a.cpython-311.pyc')
open('__pycache__/tool.sh', 'w').close()
open('__pycache__x', 'w').close()
""")
    for operation, obj in (("create", "/workspace/out.txt"), ("create", "/workspace/__pycache__/tool.sh"),
                           ("create", "/workspace/__pycache__x"), ("write to", "/workspace/out.txt"),
                           ("rename", "/workspace/out.txt -> /workspace/b.txt"),
                           ("create", "/workspace/folder"), ("create", "/workspace/link -> /etc/passwd"),
                           ("delete", "/workspace/b.txt")):
        told(result, operation, obj, "observed", "filesystem", 0)
    equal(len(result.attempts), 8, "attempts")


def test_moving_what_is_not_inside():
    """Its home is a folder of its own: what it wants to move is the user's, or nothing at all."""
    def check(home):
        for tier in (wire.TIER_A, wire.TIER_A2, wire.TIER_B):
            result = tried("""
attempt(lambda: os.rename(os.path.expanduser('~/notes.txt'), 'moved'))
attempt(lambda: os.rename(os.path.expanduser('~/nothing'), 'moved'))
""", home=home, tier=tier)
            must(told(result, "rename", "~/notes.txt", "hidden", "filesystem", 2).exists_outside, "it is the user's")
            equal(len(result.attempts), 1, f"{list(result.attempts.values())}")
    with_home(check)


def test_paths_of_every_kind():
    result = tried("""
os.mkdir('a')
os.chdir('a')
attempt(lambda: open('../../home/x'))
fd = os.open('/', os.O_RDONLY)
attempt(lambda: os.open('root/./../root//y', os.O_RDONLY, dir_fd=fd))
attempt(lambda: open(b'/home/\\xff\\n\\x1b[31m<b>'))
attempt(lambda: open('/home/' + 'x' * 200 + '/' + 'y' * 3000))
attempt(lambda: open('/home/' + 'z' * 5000))
for address in (0, 1, 0xdead0000, 1 << 63):
    libc.openat(-100, ctypes.c_void_p(address), 0)
""")
    not_there(result, "open", "/home/x")
    not_there(result, "open", "/root/y")
    not_there(result, "open", os.fsdecode(b"/home/\xff\n\x1b[31m<b>"))
    longest = [a for a in result.attempts.values() if a.object.startswith("/home/xxx")]
    equal([len(a.object) for a in longest], [1023], "an object that was cut")


THROUGH_LINKS = """
import stat, tempfile
HOME = %r
os.symlink(HOME + '/.ssh', 'folder')
attempt(lambda: open('folder/id_rsa'))
os.symlink('folder', tempfile.gettempdir() + '/relative')
os.symlink(os.getcwd() + '/folder/id_rsa', 'key')
attempt(lambda: open('key', 'w'))
os.symlink('/usr/share/doc', 'up')
attempt(lambda: open('up/../../..' + HOME + '/notes.txt'))
root = os.open('/', os.O_PATH)
for place in ('/proc/self/fd', '/proc/thread-self/fd', '/dev/fd', '/proc/%%d/fd' %% os.getpid()):
    attempt(lambda: open('%%s/%%d%%s/.bashrc' %% (place, root, HOME)))
os.chdir('/')
attempt(lambda: open('/proc/self/cwd' + HOME + '/.bashrc'))
os.symlink('loop', os.environ['HOME'] + '/loop')
attempt(lambda: open(os.environ['HOME'] + '/loop'))
"""


def test_through_links_of_its_own():
    """What a path leads to is told, not what it is called."""
    def check(home):
        for tier in (wire.TIER_A, wire.TIER_A2, wire.TIER_B):
            result = tried(THROUGH_LINKS % home, tier=tier)
            hidden = "hidden" if tier != wire.TIER_B else "denied"
            must(told(result, "open", f"{home}/.ssh/id_rsa", hidden, "filesystem").exists_outside, "outside")
            told(result, "open", f"{home}/notes.txt", hidden, "filesystem")
            equal(told(result, "open", f"{home}/.bashrc", hidden, "filesystem").count, 5, "through /proc")
            told(result, "write to" if tier == wire.TIER_B else "create", f"{home}/.ssh/id_rsa", hidden, "filesystem")
            told(result, "create", f"/workspace/folder -> {home}/.ssh", "observed", "filesystem")
            must(not any("loop" in a.object and a.verdict != "observed" for a in result.attempts.values()), "loop")
    with_home(check)


UP_AGAIN = """
HOME = %r
os.makedirs('a/b')
os.symlink('a/b', 'link')
os.symlink('/', 'root')
attempt(lambda: open('/usr/share/zoneinfo/posix/Europe/../../../..' + HOME + '/.ssh/id_rsa'))
attempt(lambda: open('/bin/../..' + HOME + '/.ssh/id_rsa'))
attempt(lambda: open('/proc/thread-self/../../root' + HOME + '/.ssh/id_rsa'))
attempt(lambda: open('/proc/net/../root' + HOME + '/.ssh/id_rsa'))
attempt(lambda: open('/proc/self/' + './' * 300 + 'root' + HOME + '/.ssh/id_rsa'))
attempt(lambda: open('./' * 300 + 'root' + HOME + '/.ssh/id_rsa'))
attempt(lambda: os.unlink('/usr/share/zoneinfo/posix/Europe/../../../..' + HOME + '/notes.txt'))
attempt(lambda: open('/bin/..' + HOME + '/.bashrc'))
attempt(lambda: open('link/../../../home/other/x'))
attempt(lambda: open('link/../x', 'w').close())
os.symlink('a/../' * 300 + 'root', 'long')
attempt(lambda: open('long' + HOME + '/.ssh/id_rsa'))
"""


def test_scratch_of_the_user():
    """What the user's programs have in /tmp is told, and what nobody has is not."""
    with tempfile.NamedTemporaryFile(prefix="krb5cc_", dir="/tmp") as ticket:
        for tier in (wire.TIER_A, wire.TIER_A2):
            result = tried(f"""
attempt(lambda: open({ticket.name!r}))
attempt(lambda: open('/tmp/nobody-has-this'))
attempt(lambda: open('/var/tmp/nobody-has-this'))
open('/tmp/x', 'w').close()
attempt(lambda: open('/tmp/x'))
""", tier=tier)
            must(told(result, "open", ticket.name, "hidden", "filesystem").exists_outside, "it is the user's")
            equal(len(result.attempts), 1, f"{list(result.attempts.values())}")


def test_up_again():
    """After a link the folder above is another one than the text says."""
    def check(home):
        if not os.path.islink("/usr/share/zoneinfo/posix/Europe") or not os.path.islink("/bin"):
            raise Skip("these are no links here")
        for tier in (wire.TIER_A, wire.TIER_A2, wire.TIER_B):
            result = tried(UP_AGAIN % home, tier=tier)
            hidden = "hidden" if tier != wire.TIER_B else "denied"
            equal(told(result, "open", f"{home}/.ssh/id_rsa", hidden, "filesystem").count, 6, "ways to the key")
            told(result, "delete", f"{home}/notes.txt", hidden, "filesystem")
            told(result, "create", "/workspace/a/x", "observed", "filesystem")
            must(not any(".bashrc" in a.object for a in result.attempts.values()), "there is no /usr/home")
            must(told(result, "open", f"/workspace/long{home}/.ssh/id_rsa", "observed", "filesystem").is_uncertain, "long")
    with_home(check)


def test_closed_folders():
    """With its own user id the guest can close folders to the supervisor, whose child still follows links there."""
    for tier in (wire.TIER_A, wire.TIER_A2):
        result = tried("""
os.mkdir('closed', 0o700)
os.symlink('/home', 'closed/link')
os.symlink('/proc/self/fd', 'closed/fd')
attempt(lambda: open('closed/link/x', 'w'))
for i in range(100):
    attempt(lambda: open('closed/link/%d' % (i % 2)))
root = os.open('/', os.O_PATH)
attempt(lambda: open('closed/fd/%d/home/y' % root))
attempt(lambda: open('closed/file', 'w').close())
attempt(lambda: open('closed/file', 'w').close())
os.mkdir('closed/none', 0)
attempt(lambda: open('closed/none/x'))
""", tier=tier)
        told(result, "create", "/home/x", "hidden", "filesystem")
        for name in ("0", "1"):
            equal(not_there(result, "open", f"/home/{name}").count, 50, name)
        not_there(result, "open", "/home/y")
        told(result, "create", "/workspace/closed/file", "observed", "filesystem")
        told(result, "write to", "/workspace/closed/file", "observed", "filesystem")
        must(not any(a.is_uncertain for a in result.attempts.values()), str(result.attempts))


def test_links_devices_and_attributes():
    def check(home):
        for tier in (wire.TIER_A, wire.TIER_A2, wire.TIER_B):
            result = tried(f"""
import stat
KEY = {home!r} + '/.ssh/id_rsa'
attempt(lambda: os.link(KEY, 'key'))
attempt(lambda: os.mknod('disk', stat.S_IFBLK | 0o600, os.makedev(8, 0)))
attempt(lambda: os.mknod('pipe', stat.S_IFIFO | 0o600))
attempt(lambda: os.chmod(KEY, 0o666))
attempt(lambda: os.chown(KEY, -1, -1))
attempt(lambda: os.lchown(KEY, -1, -1))
attempt(lambda: os.utime(KEY))
attempt(lambda: os.chmod('/usr/bin/env', 0o777))
with open('own', 'w') as file:
    attempt(lambda: os.chmod('own', 0o600))
    attempt(lambda: os.utime('own'))
    attempt(lambda: os.utime(file.fileno()))
attempt(lambda: os.link('own', 'twin'))
unnamed = os.open('.', os.O_TMPFILE | os.O_RDWR)
print('done' if libc.linkat(-100, b'/proc/self/fd/%d' % unnamed, -100, b'third', 0x400) == 0 else 'failed')
""", tier=tier)
            is_b = tier == wire.TIER_B
            told(result, "link to", f"{home}/.ssh/id_rsa", "denied" if is_b else "hidden", "filesystem",
                 18 if is_b else 2)
            told(result, "mknodat", "/workspace/disk", "denied", "privileges", 13, "landlock")
            found = told(result, "change attributes of", f"{home}/.ssh/id_rsa", "denied" if is_b else "hidden",
                         "filesystem", 1 if is_b else 2, "seccomp" if is_b else "mount")
            equal(found.count, 4, "chmod, chown, lchown, utime")
            told(result, "change attributes of", "/usr/bin/env", "denied", "filesystem", 1 if is_b else 30)
            for name in ("pipe", "own", "twin", "third"):
                told(result, "create", f"/workspace/{name}", "observed", "filesystem")
            prints_of_own = result.stdout.decode().split()[-5:]
            equal(prints_of_own, (["EPERM"] * 3 if is_b else ["done"] * 3) + ["done"] * 2, "its own")
            must(not any(a.operation.startswith("change") and "own" in a.object for a in result.attempts.values()),
                 "its own are quiet")
    with_home(check)


def test_signals_and_sockets_without_namespaces():
    result = tried(f"""
import signal
attempt(lambda: os.kill({os.getpid()}, signal.SIGTERM))
attempt(lambda: os.kill(os.getppid(), signal.SIGTERM))
child = os.fork()
if child == 0:
    signal.pause()
os.kill(child, signal.SIGKILL)
attempt(lambda: os.kill(child + 100000, signal.SIGTERM))
attempt(lambda: socket.socket(socket.AF_UNIX))
attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
libc.socket(1, 0x80801, 0)
libc.socket(1, 1, 0)
print(child)
""", tier=wire.TIER_B)
    told(result, "signal", f"{os.getpid()} (SIGTERM)", "denied", "processes", 1, "landlock")
    child = result.stdout.decode().split()[-1]
    must(not told(result, "signal", f"{child} (SIGKILL)", "observed", "processes").is_uncertain, "it is there")
    must(told(result, "signal", f"{int(child) + 100000} (SIGTERM)", "observed", "processes").is_uncertain, "nobody")
    equal(len([a for a in result.attempts.values() if (a.operation, a.verdict) == ("signal", "denied")]), 2, "denied")
    equal(told(result, "socket", "AF_UNIX", "denied", "network", 97).count, 2, "the rest is what libraries do")


def test_network():
    result = tried("""
attempt(lambda: socket.create_connection(('1.1.1.1', 80)))
attempt(lambda: socket.create_connection(('2606:4700::1111', 443)))
attempt(lambda: socket.create_connection(('127.0.0.1', 5432)))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
attempt(lambda: udp.sendto(b'x', ('9.9.9.9', 99)))
attempt(lambda: udp.sendmsg([b'x'], [], 0, ('9.9.9.8', 98)))
# Without a family, which the kernel takes for IPv4.
libc.sendto(udp.fileno(), b'x', 1, 0, bytes([0, 0, 0, 97, 9, 9, 9, 7]) + bytes(8), 16)
attempt(lambda: socket.socket(socket.AF_UNIX).connect('/run/user/1000/bus'))
attempt(lambda: socket.socket(socket.AF_UNIX).connect('\\0/tmp/.X11-unix/X0'))
server = socket.socket()
server.bind(('0.0.0.0', 8000))
server.listen()
attempt(lambda: socket.create_connection(('127.0.0.1', 8000)))
a, b = socket.socketpair()
a.sendmsg([b'x'])
try:
    socket.getaddrinfo('localhost', 80)
except OSError:
    pass
""")
    prints(result, "ENETUNREACH ENETUNREACH ECONNREFUSED ENETUNREACH ENETUNREACH ENOENT ECONNREFUSED done ")
    for operation, obj in (("connect", "1.1.1.1:80"), ("connect", "[2606:4700::1111]:443"),
                           ("send to", "9.9.9.9:99"), ("send to", "9.9.9.8:98")):
        told(result, operation, obj, "denied", "network", 101, "network namespace")
    told(result, "connect", "127.0.0.1:5432", "observed", "network")
    told(result, "connect", "127.0.0.1:8000", "observed", "network")
    told(result, "bind", "0.0.0.0:8000", "observed", "network")
    not_there(result, "connect", "/run/user/1000/bus", "network")
    told(result, "connect", "@/tmp/.X11-unix/X0", "observed", "network")
    told(result, "send to", "9.9.9.7:97", "denied", "network", 101)
    equal(len(result.attempts), 10, f"attempts {list(result.attempts.values())}")


def test_addresses_that_no_way_is_looked_for():
    """A call that fails for another reason, or reaches somebody else, was not stopped by the network guard."""
    result = tried("""
server = socket.create_server(('127.0.0.1', 8000))
stream = socket.create_connection(('127.0.0.1', 8000))
attempt(lambda: stream.sendto(b'x', ('9.9.9.1', 91)))
attempt(lambda: stream.sendmsg([b'x'], [], 0, ('9.9.9.2', 92)))
print(server.accept()[0].recv(2))
attempt(lambda: socket.socket().sendto(b'x', ('9.9.9.3', 93)))
attempt(lambda: socket.socket().sendto(b'x', socket.MSG_FASTOPEN, ('9.9.9.4', 94)))
file = os.open('file', os.O_CREAT | os.O_WRONLY)
address = socket.AF_INET.to_bytes(2, sys.byteorder) + bytes([0, 95, 9, 9, 9])
print(*(libc.connect(number, address + bytes([n]) + bytes(8), 16) for n, number in ((5, 1000), (6, file))))
""")
    prints(result, "done done b'xx'\nEPIPE ENETUNREACH -1 -1\n")
    for obj in ("9.9.9.1:91", "9.9.9.2:92", "9.9.9.3:93"):
        told(result, "send to", obj, "observed", "network", 0, "seccomp")
    told(result, "send to", "9.9.9.4:94", "denied", "network", 101, "network namespace")
    for obj in ("9.9.9.5:95", "9.9.9.6:95"):
        told(result, "connect", obj, "observed", "network", 0, "seccomp")


def test_calls_that_are_refused():
    if os.uname().machine != "x86_64":
        raise Skip("the numbers are those of x86-64")
    result = tried("""
call = libc.syscall
call(272, 0x10000000 | 0x40000000)
call(56, 0x20000000 | 17, 0, 0, 0, 0)
call(101, 16, 1, 0, 0)
call(165, b'none', b'/mnt', b'tmpfs', 0, 0)
call(165, 0, ctypes.c_void_p(0xdead0000), 0, 0, 0)
call(321, 5, 0, 0)
call(250, 11, 0, 0)
call(298, 0, 0, 0, 0, 0)
call(425, 8, 0)
call(310, 1, 0, 0, 0, 0, 0)
call(16, 0, 0x5412, 0)
call(317, 1, 8, 0)
call(135, 0x0040000)
call(302, 1, 0, 0, 0)
for family in (38, 40, 17, 200):
    attempt(lambda: socket.socket(family, socket.SOCK_RAW, 0))
attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
for _ in range(100):
    call(101, 0, 0, 0, 0)
""")
    for operation, obj, error in (
            ("unshare", "CLONE_NEWUSER|CLONE_NEWNET", 1), ("clone", "CLONE_NEWPID", 1),
            ("ptrace", "PTRACE_ATTACH", 1), ("mount", "/mnt", 1), ("mount", "", 1),
            ("bpf", "BPF_PROG_LOAD", 1), ("keyctl", "KEYCTL_READ", 1), ("perf_event_open", "", 1),
            ("io_uring_setup", "", 38), ("process_vm_readv", "1", 1), ("ioctl", "TIOCSTI", 1),
            ("seccomp", "SECCOMP_FILTER_FLAG_NEW_LISTENER", 1), ("personality", "ADDR_NO_RANDOMIZE", 1),
            ("prlimit64", "1", 1)):
        told(result, operation, obj, "denied", "system-calls", error, "seccomp")
    for obj, error in (("AF_ALG", 97), ("AF_VSOCK", 97), ("AF_PACKET", 97), ("200", 97),
                       ("AF_INET IPPROTO_ICMP", 1)):
        told(result, "socket", obj, "denied", "network", error, "seccomp")
    equal(find(result, "ptrace", "PTRACE_TRACEME").count, 100, "count")


def test_quiet_refusals():
    nothing(tried("""
socket_of_libraries = libc.socket(16, 3, 0)
for number in (435, 239, 319, 162):
    libc.syscall(number, 0, 0, 0, 0, 0)
pair = socket.socketpair()
pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
"""))


def test_files_that_are_given_away():
    """As on any computer: programs that keep the owner of a file expect EPERM, whether an id is known or not."""
    for watch in wire.WATCH_ATTEMPTS, wire.WATCH_OFF:
        result = tried("""
with open('own', 'w') as file:
    attempt(lambda: os.chown('own', 1000, -1))
    attempt(lambda: os.chown('own', -1, 65534))
    attempt(lambda: os.fchown(file.fileno(), 65534, 65534))
attempt(lambda: os.lchown('own', 7, 1000))
attempt(lambda: os.chown('/usr/bin/env', 0, 0))
attempt(lambda: os.chown('/usr/bin/id', -1, 1000))
""", watch=watch)
        prints(result, "done EPERM EPERM EPERM EPERM EROFS ")
        if watch == wire.WATCH_OFF:
            nothing(result)
            continue
        told(result, "create", "/workspace/own", "observed", "filesystem")
        told(result, "change attributes of", "/usr/bin/env", "denied", "filesystem", 1, "seccomp")
        told(result, "change attributes of", "/usr/bin/id", "denied", "filesystem", 30, "mount")
        equal(len(result.attempts), 3, "attempts")


def test_programs_and_signals():
    result = tried("""
import signal, subprocess
subprocess.run(['true'])
attempt(lambda: subprocess.run(['none-of-these']))
child = subprocess.Popen(['sleep', '60'])
os.kill(child.pid, 0)
os.kill(child.pid, signal.SIGTERM)
child.wait()
os.kill(1, signal.SIGKILL)
signal.signal(signal.SIGUSR1, lambda *_: None)
os.kill(os.getpid(), signal.SIGUSR1)
signal.raise_signal(signal.SIGUSR1)
""")
    told(result, "execute", "/usr/bin/true", "observed", "processes")
    told(result, "execute", "/usr/bin/sleep", "observed", "processes")
    must(told(result, "signal", "1 (SIGKILL)", "observed", "processes").is_uncertain, "the kernel protects process 1")
    signals = [a.object for a in result.attempts.values() if a.operation == "signal"]
    equal(len(signals), 2, f"{signals}")
    must(any(obj.endswith("(SIGTERM)") for obj in signals), str(signals))
    equal(len(result.attempts), 4, f"attempts {list(result.attempts.values())}")


def test_every_file():
    result = tried("open('/etc/passwd').close(); open('/tmp/x', 'w').close(); open('/etc/passwd')",
                   watch=wire.WATCH_FILES)
    attempt = told(result, "open", "/etc/passwd", "observed", "filesystem")
    must(attempt.count >= 2, repr(attempt))
    must(any(a.object == "/tmp/x" for a in result.attempts.values()), "/tmp/x")
    must(any(a.object.startswith("/usr/lib/") for a in result.attempts.values()), "libraries")
    must(not any(a.command == "fumehood-runner" for a in result.attempts.values()), "init")


def test_without_namespaces():
    def check(home):
        result = tried(f"""
attempt(lambda: open(os.path.expanduser('~/.ssh/id_rsa')))
attempt(lambda: open({home!r} + '/notes.txt'))
attempt(lambda: os.listdir({home!r}))
attempt(lambda: open({home!r} + '/notes.txt', 'w'))
attempt(lambda: os.unlink({home!r} + '/notes.txt'))
attempt(lambda: open('/usr/bin/env', 'r+b'))
open('out.txt', 'w').close()
open('/dev/null', 'w').close()
import tempfile
tempfile.TemporaryFile().close()
attempt(os.openpty)
libc.ptrace(16, 1, 0, 0)
libc.unshare(0x10000000)
""", home=home, tier=wire.TIER_B)
        must(result.stdout.startswith(b"ENOENT EACCES EACCES EACCES EACCES EACCES "), str(result))
        told(result, "write to", "/dev/ptmx", "denied", "filesystem", 13, "landlock")
        must(told(result, "open", "~/.ssh/id_rsa", "hidden", "filesystem", 2).exists_outside, "outside")
        for operation in ("open", "write to", "delete"):
            told(result, operation, f"{home}/notes.txt", "denied", "filesystem", 13, "landlock")
        told(result, "list", home, "denied", "filesystem", 13, "landlock")
        told(result, "write to", "/usr/bin/env", "denied", "filesystem", 13, "landlock")
        told(result, "create", "/workspace/out.txt", "observed", "filesystem")
        told(result, "unshare", "CLONE_NEWUSER", "denied", "system-calls", 1)
        # The home itself may be anywhere.
        places = [a.object.removeprefix(home) for a in result.attempts.values()]
        places.remove("/dev/ptmx")
        must(not any("/dev/" in place or "/tmp" in place for place in places), f"{places}")
    with_home(check)


def test_limits_are_told():
    result = python("while True: pass", wall_ms=300)
    must(told(result, "run on", "", "limited", "time").ended_run, "it is the end")
    result = python("""
        import os
        for i in range(1000):
            with open(f'/tmp/{i}', 'wb') as f: f.write(b'x' * (1 << 20))
        """, disk=8 << 20)
    equal(told(result, "write", "", "limited", "disk").ended_run, result.status == "disk-limit", str(result))


if __name__ == "__main__":
    sys.exit(main(__name__))
