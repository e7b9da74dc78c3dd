# SPDX-License-Identifier: GPL-3.0-or-later
"""Forked sandboxes: a warm interpreter serves many runs, each in namespaces of its own."""

import errno
import os
import re
import signal
import sys
import tempfile
from pathlib import Path

import wire
from forked import BINDS, NOT_HERE, Forked, cold
from leftovers import counters_of
from sandboxed import LATE, PROGRAM, PYTHON, ended, has_own_user, main, must_be_counted, prints
from tap import PATIENCE, equal, must, until
from tiered import MARK, processes_of

MIB = wire.MIB


def warm(**limits):
    return Forked(MARK, **limits)


def test_many_runs_of_one_interpreter():
    with warm() as forked:
        for number in range(20):
            result = forked.one(f"import os, sys; print({number}, sys.argv[1:], input(), os.getpid())",
                                "a b", "", stdin=b"word\n")
            prints(result, f"{number} ['a b', ''] word 2\n")
            must(result.started, "it was told that it started")


def test_the_stack_for_signals_is_kept():
    """A module has made one for faulthandler, which tells there that the other stack has overflowed."""
    source = """
import ctypes, faulthandler
class Stack(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]
stack = Stack()
ctypes.CDLL(None).sigaltstack(None, ctypes.byref(stack))
print(stack.flags, stack.size, flush=True)
faulthandler._stack_overflow()
"""
    limits = {"env": {**wire.ENVIRONMENT, "PYTHONFAULTHANDLER": "1"}}
    expected = cold(source, **limits)
    with warm(**limits) as forked:
        for _ in range(2):
            result = forked.one(source)
            ended(result, "signalled", signal=signal.SIGSEGV)
            equal((result.stdout, result.stderr.partition(b"\n")[0]),
                  (expected.stdout, b"Fatal Python error: Segmentation fault"), "what is told of the end")


# What a run could leave, and what must be there for the next. Each line of the answer is the same in all runs.
STATE = r"""
import sys
print(sorted(sys.modules), sys.path, sys.argv, sys.flags, sorted(globals()), sys.stdin.seekable(), sys.stdout.seekable(),
      sys.stdout.line_buffering, sys.stdin.isatty())
import atexit, fcntl, gc, json, os, resource, signal, socket, sys, tempfile, threading, time
print(sorted(os.listdir(".")), sorted(os.listdir("/tmp")), sorted(os.listdir("/dev/shm")))
print(sorted(os.environ), os.getcwd(), oct(os.umask(0o77)), getattr(json, "poison", None), "evil" in sys.modules)
print(signal.getsignal(signal.SIGUSR1), signal.getsignal(signal.SIGINT) is signal.default_int_handler,
      signal.getitimer(signal.ITIMER_REAL), signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.sigpending())
print(resource.getrlimit(resource.RLIMIT_NOFILE), resource.getrlimit(resource.RLIMIT_FSIZE), os.nice(0))
print(sorted(int(fd) for fd in os.listdir("/proc/self/fd")), sorted(p for p in os.listdir("/proc") if p.isdigit()))
print(os.getpid(), os.getppid(), os.getpgrp(), os.getsid(0), threading.active_count(), gc.isenabled())
print([open("/proc/sysvipc/" + name).read().count("\n") if os.path.exists("/proc/sysvipc/" + name) else 0
       for name in ("msg", "sem", "shm")], len(gc.get_objects()) // 100000)
print(socket.gethostname(), sys.getrecursionlimit(), open("/proc/self/oom_score_adj").read().strip())
json.poison = 1
sys.modules["evil"] = json
sys.setrecursionlimit(500)
os.environ["EVIL"] = "1"
os.chdir("/tmp")
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
signal.setitimer(signal.ITIMER_REAL, 1000)
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
os.nice(3)
gc.disable()
for path in ("/workspace/left", "/tmp/left", "/dev/shm/left"):
    open(path, "w").close()
file = open("/tmp/lock", "w")
fcntl.lockf(file, fcntl.LOCK_EX)
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmget(0x1234, 4096, 0o1777), libc.semget(0x1234, 1, 0o1777), libc.msgget(0x1234, 0o1777)
if os.fork() == 0:
    os.setsid()
    time.sleep(1000)
"""


def test_no_run_leaves_anything():
    with warm() as forked:
        first = forked.one(STATE)
        ended(first, "exited", exit_code=0)
        for _ in range(3):
            equal(forked.one(STATE).stdout.decode(), first.stdout.decode(), "what a later run finds")
    alone = cold(STATE)
    equal(first.stdout.decode(), alone.stdout.decode(), "what a cold run finds")


def test_python_ends_as_ever():
    """Objects, hooks, threads and buffers at the end of Python, which was not started for this program."""
    sources = (
        "class D:\n def __del__(self): print('deleted')\nkept = D()",
        "class D:\n def __del__(self): print('deleted')\nimport sys\nsys.kept = D()\nsys.kept.me = sys.kept",
        "import atexit\natexit.register(print, 'at exit')\nprint('text', end='')",
        "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()",
        "import os, sys\nsys.stdout.buffer.write(b'bytes')\nif os.fork() == 0: print('child'); sys.exit(1)\nos.wait()",
        "import multiprocessing as m\nwith m.get_context('fork').Pool(2) as p: print(p.map(abs, [-1, 2]))",
        "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', 'print(5)'], capture_output=True).stdout)",
        "import threading\nprint(threading.main_thread() is threading.current_thread(), threading.active_count())",
        "import asyncio\nasync def f(): await asyncio.sleep(0.01); print('slept')\nasyncio.run(f())",
        "import sys\nsys.exit('text')",
        "raise SystemExit(300)",
        "def f(): 1 / 0\ntry:\n f()\nexcept ZeroDivisionError:\n raise KeyError(1)",
        "import signal, os\nos.kill(os.getpid(), signal.SIGINT)",
        "import ctypes\nctypes.string_at(0)",
    )
    alone = {source: cold(source) for source in sources}
    preloads = ((), ("threading", "asyncio", "multiprocessing", "logging", "random", "subprocess", "ctypes"))
    for preload in preloads:
        with warm(preload=preload) as forked:
            for source in sources:
                ours, expected = forked.one(source), alone[source]
                for name in ("status", "exit_code", "signal", "stdout", "stderr"):
                    equal(getattr(ours, name), getattr(expected, name), f"{name} of {source!r}")


def test_guards_are_those_of_a_cold_run():
    for without in ((), ("network",), ("disk", "output")):
        alone = cold("pass", without=without)
        with warm(without=without) as forked:
            for _ in range(2):
                guards = forked.one("pass").guards
                equal(guards["environment"][2], "forked", "what the runs share is said")
                guards["environment"] = guards["environment"][:2] + ("",)
                equal(guards, alone.guards, f"guards without {without}")


def test_attempts_are_those_of_a_cold_run():
    source = """
import os, socket
import ctypes
libc = ctypes.CDLL(None)
# ptrace, setns, bpf, perf_event_open, keyctl, mount, io_uring_setup; sockets for encryption
for call in ((101, 16, 1, 0, 0), (308, -1, 0), (321, 0, 0, 0), (298, 0, 0, -1, -1, 0), (250, 0, -3, 0), (165, 0, 0, 0, 0, 0),
             (425, 1, 0), (41, 38, 5, 0)):
    libc.syscall(*call)
for call in (lambda: open("/etc/shadow"), lambda: os.setuid(0), lambda: os.kill(1, 9),
             lambda: socket.create_connection(("1.1.1.1", 443)), lambda: socket.getaddrinfo("key.example.com", 80)):
    try:
        call()
    except OSError:
        pass
"""
    def told(result):
        ended(result, "exited", exit_code=0)
        return sorted((attempt.verdict, attempt.operation, attempt.object, attempt.count)
                      for attempt in result.attempts.values())
    expected = told(cold(source))
    must(expected, "a cold run tells some")
    with warm() as forked:
        for _ in range(3):
            equal(told(forked.one(source)), expected, "attempts")
        equal(told(forked.one("pass")), [], "attempts of a harmless run")


def test_ends_are_told_apart():
    with warm(wall_ms=1000, memory=128 * MIB, output=1 * MIB, disk=4 * MIB, processes=16) as forked:
        def check(source, status, cause="", **ends):
            ended(forked.one(source), status, cause, **ends)
        for _ in range(2):
            check("import sys; sys.exit(7)", "exited", exit_code=7)
            check("raise ValueError", "exited", exit_code=1)
            check("import os; os.kill(os.getpid(), 9)", "signalled", "itself", signal=9)
            check("import os; os.abort()", "signalled", signal=signal.SIGABRT)
            check("import time; time.sleep(600)", "timed-out", "wall")
            check("import time\nwhile True: time.sleep(0)", "timed-out", "wall")
            prints(forked.one("print('still here')"), "still here\n")


def test_limits_are_told_apart():
    """However slow the computer is, these meet another limit before the one of time."""
    with warm(wall_ms=60000, memory=128 * MIB, output=1 * MIB, disk=4 * MIB, processes=16) as forked:
        for _ in range(2):
            ended(forked.one("while True: print('x' * 1000)"), "output-limit")
            ended(forked.one("open('x', 'w').write('x' * (8 << 20))"), "disk-limit")
            result = forked.one("x = [b'x' * (8 << 20) for _ in range(64)]\nimport time; time.sleep(600)")
            equal(result.status, "memory", str(result))
            result = forked.one("import os, time\nwhile True:\n if os.fork() == 0: time.sleep(600)")
            must(result.status in ("process-limit", "exited"), str(result))
            prints(forked.one("print('still here')"), "still here\n")


def test_output_of_helpers():
    with warm() as forked:
        for _ in range(3):
            result = forked.one(LATE % "os.write(1, b'late'); os._exit(0)")
            ended(result, "exited", exit_code=7)
            equal((result.stdout, result.n_left), (b"main is done\nlate", 0), "output")
        equal(forked.one(LATE % "time.sleep(600)").n_left, 1, "processes that were ended")
        prints(forked.one("print('still here')"), "still here\n")


def test_cpu_time_is_the_runs_own():
    with warm(cpu_ms=300) as forked:
        for _ in range(2):
            ended(forked.one("while True: pass"), "timed-out", "cpu")
            result = forked.one("print('in time')")
            prints(result, "in time\n")
            must(result.user_us + result.system_us < 250000, str(result))


def test_the_kernel_counts_all_runs():
    must_be_counted()
    with warm() as forked:
        for _ in range(3):
            result = forked.one("print('fine')")
            prints(result, "fine\n")
            is_counted = "pids.max" in result.guards["processes"][1]
            equal(counters_of(forked.process.pid), 0 if is_counted else 1, "counters")


def test_cpu_time_that_nobody_waits_for():
    """Only what the kernel counts of all that the interpreter starts has it."""
    must_be_counted()
    with warm(cpu_ms=600) as forked:
        for _ in range(2):
            result = forked.one("""
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    children = [os.fork() for _ in range(2) if os.getpid() == 2]
    while 0 in children and time.process_time() < 0.004: pass
    if 0 in children: os._exit(0)
    for pid in children:
        try: os.waitpid(pid, 0)
        except ChildProcessError: os.write(1, b'.')
""")
            ended(result, "timed-out", "cpu")
            must(len(result.stdout) < 400, f"{len(result.stdout)} children of 4 ms each in 0.6 s")
            prints(forked.one("print(1)"), "1\n")


def test_memory_is_the_runs_own():
    """The interpreter had more at some time, and what shares its memory is told to have had as much."""
    with ahead("x = bytearray(200 << 20)\ndel x\n", wall_ms=1500) as forked:
        for source, least, most in (("pass", 4, 60), ("import time; time.sleep(600)", 4, 60),
                                    ("x = bytearray(100 << 20)", 100, 160),
                                    # A child that nobody waits for.
                                    ("import os, time\nif os.fork() == 0:\n    if os.fork() == 0:\n        x = bytearray(100 << 20)\n"
                                     "    os._exit(0)\nos.wait()\ntime.sleep(0.5)", 100, 160)):
            result = forked.one(source)
            must(least * MIB < result.memory_peak < most * MIB, f"{source!r}: {result}")


def test_result_files():
    with warm(flags=wire.COLLECT) as forked:
        for number in range(3):
            result = forked.one(f"open('out{number}', 'w').write('text {number}')", files=[("data", b"x")])
            ended(result, "exited", exit_code=0)
            name = b"out%d" % number
            equal(list(result.files), [name], "files")
            equal(result.files[name].content, b"text %d" % number, "content")


def test_files_belong_to_the_program():
    with warm() as forked:
        result = forked.one("""
import os
status = os.stat("main.py")
print(status.st_uid == os.getuid(), status.st_gid == os.getgid(), oct(status.st_mode))
open("main.py", "a").close()
os.unlink("main.py")
for path in ("/dev/stdout", "/proc/self/fd/2"):
    print("reopened", file=open(path, "w"))
""")
        prints(result, "True True 0o100644\nreopened\n")
        equal(has_own_user(result), has_own_user(cold("pass")), "own user")


def test_files_that_do_not_fit():
    with warm(disk=MIB) as forked:
        result = forked.one("print('ran')", files=[("data", b"x" * (4 * MIB))])
        equal((result.status, result.step, result.error), ("setup-failed", "files", errno.ENOSPC), str(result))
        must(not result.started, "nothing ran")
        must(forked.is_retired(), "on doubt it is renewed")


def test_nothing_hides_attempts_of_the_next_run():
    """What was named as a folder and is none is told apart by a process of its own, which leaves nothing behind."""
    with warm(watch=wire.WATCH_ATTEMPTS) as forked:
        prints(forked.one("""
import os
try:
    os.open("x", os.O_WRONLY, dir_fd=os.open("main.py", os.O_RDONLY))
except NotADirectoryError:
    print("none")
"""), "none\n")
        result = forked.one("import os\nos.chdir('/etc')\ntry:\n open('shadow')\nexcept OSError:\n print('refused')")
        prints(result, "refused\n")
        must(any(attempt.object == "/etc/shadow" for attempt in result.attempts.values()), str(result.attempts))


def test_stop_is_for_the_live_run():
    with warm() as forked:
        for _ in range(3):
            # Too late for the last one, and no business of the next.
            forked.stop()
            prints(forked.one("print('ran')"), "ran\n")
            forked.begin("import time; print('begun', flush=True); time.sleep(600)")
            forked.wait_until(lambda result: result.stdout)
            forked.stop()
            result = forked.end()
            equal(result.status, "stopped", str(result))
            forked.begin("import signal, time\nsignal.signal(2, signal.SIG_IGN)\nprint('begun', flush=True)\n"
                         "time.sleep(600)")
            forked.wait_until(lambda result: result.stdout)
            forked.stop()
            forked.stop()
            equal(forked.end().status, "stopped", "stopped twice")


def test_input_is_for_the_live_run():
    """While a run goes on; what was sent as the last one ended is no business of the next."""
    with warm(flags=wire.INPUT_STAYS) as forked:
        for number in range(3):
            forked.send(wire.input_pieces(b"late\n"))
            forked.end_input()
            forked.begin("print('begun', flush=True)\nprint(input())\nimport sys\nprint(repr(sys.stdin.read()))")
            forked.wait_until(lambda result: result.stdout)
            forked.send(wire.input_pieces(f"{number}\n".encode()))
            forked.end_input()
            prints(forked.end(), f"begun\n{number}\n''\n")


def test_retired_after_its_runs():
    with warm(runner_env={**os.environ, "FH_RUNNER_RUNS": "3"}) as forked:
        for number in range(3):
            prints(forked.one(f"print({number})"), f"{number}\n")
        must(forked.is_retired(), "after three")
        equal(forked.process.wait(PATIENCE), 0, "exit status")


def test_modules_are_imported_ahead():
    names = ("json", "xml.dom", "no_such_module", "no.such.one")
    with warm(preload=names) as forked:
        prints(forked.one("import sys; print([name in sys.modules for name in ('json', 'xml.dom', 'no_such_module')])"),
               "[True, True, False]\n")
        # A module that was poisoned is whole again.
        forked.one("import json; json.loads = None; json.__dict__.clear()")
        prints(forked.one("import json; print(json.loads('[1]'))"), "[1]\n")


def test_random_numbers_differ():
    with warm(preload=("random", "uuid", "secrets", "tempfile")) as forked:
        answers = [forked.one("import random, uuid, secrets, tempfile\n"
                              "print(random.random(), uuid.uuid4(), secrets.token_hex(), tempfile.mktemp())").stdout
                   for _ in range(4)]
        columns = list(zip(*[answer.split() for answer in answers]))
        equal([len(set(column)) for column in columns], [4] * 4, f"{answers}")


def test_the_processor_is_told():
    """The kernel writes it into memory that each process registers, rseq(2)."""
    with warm() as forked:
        prints(forked.one("import ctypes, os\n"
                          "told = ctypes.CDLL(None).sched_getcpu\n"
                          "processors = sorted(os.sched_getaffinity(0))\n"
                          "print(all([os.sched_setaffinity(0, {number}) or told() == number for number in processors]))"),
               "True\n")


MODULES = tempfile.TemporaryDirectory(prefix="fh-ahead-")


def ahead(source, **limits):
    """With a module of ours that is imported ahead."""
    path = os.path.join(MODULES.name, "ahead.py")
    with open(path, "w", encoding="ascii") as file:
        file.write(source)
    return warm(preload=("ahead",), binds=[*BINDS, (path, "/opt/ahead/ahead.py", 1)],
                env={**wire.ENVIRONMENT, "PYTHONPATH": "/opt/ahead"}, **limits)


def test_what_a_module_may_not_do_ahead():
    """A thread would not survive the fork, and its locks would stay; a process could be anything."""
    for source, error in (("import mmap\nkept = mmap.mmap(-1, 4096)\n", errno.ESTALE),
                          ("import threading, time\n"
                           "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n", errno.EBUSY),
                          ("import subprocess\nsubprocess.Popen(['sleep', '1000'])\n", errno.ECHILD),
                          # Both go on, and the child speaks first.
                          ("import os, time\nif os.fork() > 0:\n    time.sleep(0.5)\n", errno.ECHILD),
                          ("import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n"
                           "        break\n", errno.ECHILD)):
        with ahead(source) as forked:
            forked.wait_until(lambda result: result.finished)
            equal((forked.result.status, forked.result.step, forked.result.error),
                  ("setup-failed", "warm-interpreter", error), str(forked.result))
            must(forked.is_retired(), "nothing else comes")


def test_a_module_may_ignore_the_ends_of_children():
    """The runner does not, and the program has what the module wants."""
    source = """
import os
if os.fork() == 0:
    os._exit(0)
try:
    print(os.wait())
except ChildProcessError as error:
    print(error.strerror)
"""
    with ahead("import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n", wall_ms=10000) as forked:
        for _ in range(2):
            prints(forked.one(source), "No child processes\n")


def test_a_module_may_have_had_threads():
    """The kernel counts one for a moment after it was waited for."""
    source = """
import threading
threads = [threading.Thread(target=lambda: [bytes(1000) for _ in range(1000)]) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
    for _ in range(20):
        with ahead(source) as forked:
            prints(forked.one("print(1)"), "1\n")


def test_backend_that_goes_away():
    forked = warm()
    forked.begin("import time; time.sleep(600)")
    forked.wait_until(lambda result: result.started)
    forked.socket.close()
    equal(forked.process.wait(PATIENCE), 0, "exit status")
    forked.process.stderr.close()
    wait_until_gone()
    forked = warm()
    prints(forked.one("print(1)"), "1\n")
    forked.socket.close()
    equal(forked.process.wait(PATIENCE), 0, "exit status")
    forked.process.stderr.close()
    wait_until_gone()


def test_backend_that_does_not_wait():
    forked = ahead("import time\ntime.sleep(1000)\n")
    until(lambda: processes_of(MARK), "the start")
    forked.socket.close()
    equal(forked.process.wait(PATIENCE), 0, "exit status")
    forked.process.stderr.close()
    wait_until_gone()


def wait_until_gone():
    until(lambda: not processes_of(MARK), lambda: f"the end of {processes_of(MARK)}")


def test_runner_that_is_killed():
    for source in ("import time; time.sleep(600)", None):
        forked = warm()
        prints(forked.one("print(1)"), "1\n")
        if source:
            forked.begin(source)
            forked.wait_until(lambda result: result.started)
        must(processes_of(MARK), "they are there")
        forked.kill()
        forked.finish()
        wait_until_gone()


def warm_process(forked):
    """The warm interpreter, a child of the runner."""
    with open(f"/proc/{forked.process.pid}/task/{forked.process.pid}/children", encoding="ascii") as file:
        return int(file.read().split()[0])


def test_warm_interpreter_that_dies():
    with warm() as forked:
        prints(forked.one("print(1)"), "1\n")
        os.kill(warm_process(forked), signal.SIGKILL)
        must(forked.is_retired(), "between two runs")
    with warm() as forked:
        forked.begin("import time; print('begun', flush=True); time.sleep(600)")
        forked.wait_until(lambda result: result.stdout)
        os.kill(warm_process(forked), signal.SIGKILL)
        result = forked.end()
        must(result.status in ("signalled", "internal"), str(result))
        must(forked.is_retired(), "while one runs")
    wait_until_gone()


STEP = re.compile(r'^  \{ "([a-z-]+)", ([A-Z0-9 |]+), (REQUIRED|OPTIONAL),', re.MULTILINE)


def steps_of(letter):
    """[(step, whether it is required)], see setup.c."""
    text = (Path(os.environ["FH_SOURCE_ROOT"]) / "src/runner/setup/setup.c").read_text(encoding="utf-8")
    steps = [(name, need == "REQUIRED") for name, tiers, need in STEP.findall(text) if letter in tiers.split(" | ")]
    must(len(steps) > 15, f"the table of steps was not found: {steps}")
    return steps


def test_steps_that_fail():
    """Each of a run, whose steps see the policy's environment, and each of the warm interpreter."""
    for step, is_required in steps_of("R"):
        with warm(env={**wire.ENVIRONMENT, "FH_RUNNER_FAIL_STEP": step}) as forked:
            if not is_required:
                ended(forked.one("pass"), "exited", exit_code=0)
                continue
            must(forked.is_retired(), step)
            must(not forked.result.started and not forked.result.finished, f"{step}: {forked.result}")
    for step, is_required in steps_of("W"):
        with warm(runner_env={**os.environ, "FH_RUNNER_FAIL_STEP": step}) as forked:
            if not is_required:
                ended(forked.one("pass"), "exited", exit_code=0)
                continue
            forked.wait_until(lambda result: result.finished)
            equal((forked.result.status, forked.result.step, forked.result.error),
                  ("setup-failed", step, errno.EIO), str(forked.result))
            must(forked.is_retired(), step)
    wait_until_gone()


def test_interpreter_that_cannot_be_kept_warm():
    for argv in (["/bin/true"], ["/bin/sh", "-c", "exit 3"]):
        with Forked(MARK, argv=argv) as forked:
            forked.wait_until(lambda result: result.finished)
            equal((forked.result.status, forked.result.step), ("setup-failed", "warm-interpreter"), str(forked.result))
            must(forked.is_retired(), str(argv))
    with Forked(MARK, argv=["/usr/bin/no-such-python"]) as forked:
        forked.wait_until(lambda result: result.finished)
        equal((forked.result.status, forked.result.step), ("not-started", "exec"), str(forked.result))


def test_what_must_not_follow():
    for after in (wire.frame(wire.PREPARE), wire.policy([PYTHON]), wire.frame(99)):
        forked = warm()
        forked.one("pass")
        forked.send(after)
        equal(forked.finish().exit_status, 1, "exit status")
    for after in (wire.frame(wire.RUN), wire.file_pieces("more", b"x"), wire.input_pieces(b"x")):
        forked = warm()
        forked.begin("import time; time.sleep(600)")
        forked.send(after)
        equal(forked.finish().exit_status, 1, "exit status")
    runner = wire.Runner(PROGRAM)
    runner.start([PYTHON], files=[("main.py", b"")], guest_message=wire.program_message(), flags=wire.GUEST_CHANNEL,
                 kind=wire.FORKED)
    equal(runner.finish().exit_status, 1, "a run that was not prepared for")


if __name__ == "__main__":
    sys.exit(main(__name__, NOT_HERE))
