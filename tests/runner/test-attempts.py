# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program tries is told: each kind, at each level of watching, and no more than that."""

import os
import pwd
import resource
import shutil
import sys
import tempfile
import time

import wire
from sandboxed import ended, main, prints, python, run, shell, start
from tap import Skip, equal, must

HOME = pwd.getpwuid(os.getuid()).pw_dir

TRY = """
import ctypes, errno, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(function):
    try:
        function()
    except OSError as error:
        print(errno.errorcode.get(error.errno, error.errno), end=' ')
    else:
        print('done', end=' ')
"""


def tried(code, **limits):
    """The attempts of a program, as a result."""
    result = python(TRY + code, **limits)
    ended(result, "exited", exit_code=0)
    return result


def find(result, operation, obj):
    found = [a for a in result.attempts.values() if (a.operation, a.object) == (operation, obj)]
    must(len(found) == 1, f"{operation} {obj!r} is not among {list(result.attempts.values())}: {result}")
    return found[0]


def told(result, operation, obj, verdict, guard, error=None, layer=None):
    attempt = find(result, operation, obj)
    equal((attempt.verdict, attempt.guard), (verdict, guard), repr(attempt))
    if error is not None:
        equal(attempt.error, error, repr(attempt))
    if layer is not None:
        equal(attempt.layer, layer, repr(attempt))
    return attempt


def nothing(result):
    equal(list(result.attempts.values()), [], f"attempts of {result}")


def with_home(function):
    """A folder of the user's, with a key in it, that stands for the home."""
    home = tempfile.mkdtemp(prefix="home-", dir=HOME)
    try:
        os.mkdir(f"{home}/.ssh")
        for name in (".ssh/id_rsa", ".bashrc", "notes.txt"):
            with open(f"{home}/{name}", "w", encoding="ascii") as file:
                file.write("secret\n")
        function(home)
    finally:
        shutil.rmtree(home)


def test_nothing_to_tell():
    nothing(python("import json, collections, re, threading; print('hello')"))
    nothing(shell("echo hello; : > /tmp/x; read line < /tmp/x; exit 0"))


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
        attempt = told(result, "open", obj, "hidden", "filesystem", 2)
        must(not attempt.exists_outside, repr(attempt))
    equal(len(result.attempts), 3, "attempts")


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
attempt(lambda: os.truncate('/usr/bin/env', 0))
""")
    must(result.stdout.decode().startswith("ENOENT EACCES EROFS EROFS EXDEV EROFS "), str(result))
    told(result, "open", "/etc/shadow", "hidden", "filesystem", 2)
    equal(find(result, "write to", "/usr/bin/env").count, 2, "opened, and made shorter")
    told(result, "write to", "/usr/bin/env", "denied", "filesystem", 13)
    told(result, "create", "/usr/bin/none-of-these", "denied", "filesystem", 30)
    told(result, "delete", "/usr/bin/env", "denied", "filesystem", 30)
    told(result, "rename", "/usr/bin/env", "denied", "filesystem", 18)
    told(result, "create", "/none-of-these", "denied", "filesystem", 30)
    told(result, "open", "/root/.bashrc", "hidden", "filesystem", 2)
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
""")
    for operation, obj in (("create", "/workspace/out.txt"), ("write to", "/workspace/out.txt"),
                           ("rename", "/workspace/out.txt -> /workspace/b.txt"),
                           ("create", "/workspace/folder"), ("create", "/workspace/link"),
                           ("delete", "/workspace/b.txt")):
        told(result, operation, obj, "observed", "filesystem", 0)
    equal(len(result.attempts), 6, "attempts")


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
    told(result, "open", "/home/x", "hidden", "filesystem")
    told(result, "open", "/root/y", "hidden", "filesystem")
    told(result, "open", os.fsdecode(b"/home/\xff\n\x1b[31m<b>"), "hidden", "filesystem")
    longest = [a for a in result.attempts.values() if a.object.startswith("/home/xxx")]
    equal([len(a.object) for a in longest], [1023], "an object that was cut")


def test_network():
    result = tried("""
attempt(lambda: socket.create_connection(('1.1.1.1', 80)))
attempt(lambda: socket.create_connection(('2606:4700::1111', 443)))
attempt(lambda: socket.create_connection(('127.0.0.1', 5432)))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
attempt(lambda: udp.sendto(b'x', ('9.9.9.9', 99)))
attempt(lambda: udp.sendmsg([b'x'], [], 0, ('9.9.9.8', 98)))
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
    told(result, "connect", "/run/user/1000/bus", "hidden", "network", 2)
    told(result, "connect", "@/tmp/.X11-unix/X0", "observed", "network")
    equal(len(result.attempts), 9, f"attempts {list(result.attempts.values())}")


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
    told(result, "signal", "1 (SIGKILL)", "observed", "processes")
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


def test_only_so_many():
    result = tried("""
for i in range(3000):
    open(f'/workspace/{i}', 'w').close()
for i in range(1000):
    attempt(lambda: open(f'/home/{i}'))
""", disk=64 << 20)
    verdicts = [a.verdict for a in result.attempts.values()]
    equal((verdicts.count("observed"), verdicts.count("hidden"), len(verdicts)), (256, 256, 512), "kept")
    equal(result.attempts_dropped, 3000 - 256 + 1000 - 256, "dropped")


def test_told_while_it_runs():
    runner = start(["/usr/bin/python3", "-c", TRY + """
import time
libc.ptrace(16, 1, 0, 0)
time.sleep(0.2)
for _ in range(9): libc.ptrace(16, 1, 0, 0)
time.sleep(60)
"""])
    runner.wait_until(lambda result: len(result.attempts) == 1)
    equal(runner.result.attempts[0].count, 1, "at first")
    runner.wait_until(lambda result: result.attempts[0].count == 10)
    runner.stop()
    runner.stop()
    ended(runner.finish(), "stopped")


def test_flood_does_not_delay_the_end():
    begun = time.monotonic()
    result = python(TRY + """
import threading
def flood():
    while True:
        libc.syscall(101, 16, 1, 0, 0)
for _ in range(6):
    threading.Thread(target=flood, daemon=True).start()
i = 0
while True:
    i += 1
    try:
        open(f'/home/{i}')
    except OSError:
        pass
""", wall_ms=1000)
    ended(result, "timed-out", "wall", signal=9)
    must(result.wall_us < 1_250_000, f"ended after {result.wall_us} µs")
    must(time.monotonic() - begun < 5, "the runner took its time")
    must(find(result, "ptrace", "PTRACE_ATTACH").count > 1000, "it was no flood")


def test_death_in_the_middle():
    result = tried("""
import signal, threading
def flood():
    while True:
        libc.syscall(101, 16, 1, 0, 0)
        try:
            open('/home/x')
        except OSError:
            pass
for _ in range(40):
    pid = os.fork()
    if pid == 0:
        for _ in range(3):
            threading.Thread(target=flood, daemon=True).start()
        flood()
    os.kill(pid, signal.SIGSTOP)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
""")
    equal(result.attempts_dropped, 0, "dropped")


def test_execve_from_a_thread():
    result = tried("""
import subprocess, threading, time
CODE = '''
import ctypes, os, threading, time
libc = ctypes.CDLL(None)
def flood():
    while True:
        libc.syscall(101, 16, 1, 0, 0)
for _ in range(3):
    threading.Thread(target=flood, daemon=True).start()
threading.Thread(target=lambda: os.execv('/usr/bin/true', ['true'])).start()
flood()
'''
for _ in range(20):
    assert subprocess.run([sys.executable, '-c', CODE]).returncode == 0
""", wall_ms=60000)
    told(result, "execute", "/usr/bin/true", "observed", "processes")


def test_path_that_changes():
    """Another thread writes over a path while it is read: never decides, never breaks."""
    result = tried("""
import threading
path = ctypes.create_string_buffer(4096)
texts = [b'/etc/passwd\\0', b'/home/secret\\0', b'/' + b'x' * 4000, b'\\xff' * 4096]
done = False
def write():
    while not done:
        for text in texts:
            ctypes.memmove(path, text, len(text))
thread = threading.Thread(target=write)
thread.start()
for _ in range(5000):
    fd = libc.openat(-100, path, 0)
    if fd >= 0:
        os.close(fd)
done = True
thread.join()
""", wall_ms=60000)
    for attempt in result.attempts.values():
        must(attempt.verdict in ("hidden", "observed"), repr(attempt))


def test_pipelines():
    prints(shell("for i in $(seq 100); do echo $i | cat | cat | cat > /dev/null || echo bad; done; echo ok",
                 wall_ms=60000), "ok\n")


def test_signals_while_opening():
    prints(python("""
        import os, signal
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        for _ in range(3000):
            os.close(os.open('/etc/passwd', os.O_RDONLY))
        signal.setitimer(signal.ITIMER_REAL, 0)
        print('ok')
        """, wall_ms=60000), "ok\n")


def test_threads_and_processes():
    prints(python("""
        import asyncio, concurrent.futures, multiprocessing, threading
        def square(x): return x * x
        if __name__ == '__main__':
            threads = [threading.Thread(target=square, args=(i,)) for i in range(50)]
            [t.start() for t in threads]; [t.join() for t in threads]
            with multiprocessing.Pool(3) as pool:
                print(sum(pool.map(square, range(100))))
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                print(sum(pool.map(lambda _: len(open('/etc/passwd').read()) > 0, range(200))))
            async def main():
                process = await asyncio.create_subprocess_exec('true')
                return await process.wait()
            print(asyncio.run(main()))
        """, wall_ms=30000), "328350\n200\n0\n")


def test_descriptor_of_init_is_out_of_reach():
    """The filter lets messages on that one descriptor pass; no program can have it."""
    result = tried("""
import resource
print(resource.getrlimit(resource.RLIMIT_NOFILE), end=' ')
a, b = socket.socketpair()
attempt(lambda: os.dup2(a.fileno(), 1000))
try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (1001, 1001))
except ValueError:
    print('no')
""")
    prints(result, "(1000, 1000) EBADF no\n")


def test_low_limit_of_descriptors():
    """Where the user has fewer descriptors, nothing is told, and the rest works."""
    pid = os.fork()
    if pid == 0:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (512, 512))
            result = python(TRY + "print(libc.ptrace(16, 1, 0, 0))")
            good = (result.stdout == b"-1\n" and not result.attempts and
                    result.guards["system-calls"][0::2] == ("degraded", "no-listener"))
            os._exit(0 if good else 1)
        finally:
            os._exit(2)
    equal(os.waitpid(pid, 0)[1], 0, "status of the child")


def test_limits_are_told():
    result = python("while True: pass", wall_ms=300)
    told(result, "run on", "", "limited", "time")
    result = python("""
        import os
        for i in range(1000):
            with open(f'/tmp/{i}', 'wb') as f: f.write(b'x' * (1 << 20))
        """, disk=8 << 20)
    told(result, "write", "", "limited", "disk")


if __name__ == "__main__":
    sys.exit(main(__name__))
