# SPDX-License-Identifier: GPL-3.0-or-later
"""The seccomp listener: floods, deaths and changes in the middle of a call."""

import ctypes
import os
import resource
import struct
import subprocess
import sys

import wire
from attempts import TRY, find, told, tried
from sandboxed import ended, main, prints, python, shell, start
from tap import Skip, at_best, equal, must, until


def test_only_so_many():
    result = tried("""
for i in range(3000):
    open(f'/workspace/{i}', 'w').close()
for i in range(1000):
    attempt(lambda: open(f'/home/{i}'))
attempt(lambda: open('/home/ada/.ssh/id_rsa'))
libc.ptrace(16, 1, 0, 0)
""", disk=64 << 20)
    verdicts = ["missing" if a.is_missing else a.verdict for a in result.attempts.values()]
    files = 512 - 3 * 64
    equal(verdicts.count("observed"), 256, "observed")
    equal(len(verdicts), files + 2, "kept")
    equal(result.attempts_dropped, 3000 + 1000 - files, "dropped")
    find(result, "open", "/home/ada/.ssh/id_rsa")
    must(any(a.operation == "ptrace" for a in result.attempts.values()), "ptrace")


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


FLOODS = """
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
"""


def test_flood_does_not_delay_the_end():
    def flooded():
        result = python(TRY + FLOODS, wall_ms=1000)
        ended(result, "timed-out", "wall", signal=15)
        must(find(result, "ptrace", "PTRACE_ATTACH").count > 1000, "it was no flood")
        return result.wall_us

    at_best(flooded, lambda wall_us: wall_us < 1_250_000)


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
attempt(lambda: os.dup2(a.fileno(), 400))
try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (401, 401))
except ValueError:
    print('no')
""")
    prints(result, "(400, 400) EBADF no\n")


def test_low_limit_of_descriptors():
    """Where the user has fewer descriptors, nothing is told, and the rest works."""
    pid = os.fork()
    if pid == 0:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))
            result = python(TRY + "print(libc.ptrace(16, 1, 0, 0))")
            good = (result.stdout == b"-1\n" and not result.attempts and
                    result.guards["system-calls"][0::2] == ("degraded", "no-listener"))
            os._exit(0 if good else 1)
        finally:
            os._exit(2)
    equal(os.waitpid(pid, 0)[1], 0, "status of the child")


def test_another_process_listens():
    """Only one may: the filter answers alone then, and that is said."""
    if os.uname().machine != "x86_64":
        raise Skip("the numbers are those of x86-64")
    pid = os.fork()
    if pid == 0:
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            # One instruction: everything is allowed.
            code = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0x7FFF0000))
            program = ctypes.create_string_buffer(
                struct.pack("<HxxxxxxQ", 1, ctypes.addressof(code)))
            libc.prctl(38, 1, 0, 0, 0)
            listener = libc.syscall(317, 1, 8, program)
            result = python(TRY + "print(libc.ptrace(16, 1, 0, 0), ctypes.get_errno())")
            good = (listener >= 0 and result.stdout == b"-1 1\n" and not result.attempts and
                    result.guards["system-calls"][0::2] == ("degraded", "no-listener"))
            os._exit(0 if good else 1)
        finally:
            os._exit(2)
    equal(os.waitpid(pid, 0)[1], 0, "status of the child")


def test_no_process_is_left_without_namespaces():
    """Init can end all others although it is under the filter and the runner is gone."""
    runner = start(["/bin/sh", "-c", "sleep 3457 & sleep 3457 & echo on; wait"], tier=wire.TIER_B)
    runner.wait_until(lambda result: result.stdout == b"on\n")
    runner.kill()
    runner.finish()
    def left():
        return subprocess.run(["ps", "-o", "pid,ppid,stat,etime,wchan:20,args", "-u", str(os.getuid())], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    until(lambda: "sleep 3457" not in left(), lambda: f"the end of all\n{left()}", pause=0.2)


if __name__ == "__main__":
    sys.exit(main(__name__))
