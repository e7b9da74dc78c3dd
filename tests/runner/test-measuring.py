# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured: memory of processes that share it, and CPU time that is in no process's account."""

import sys

import wire
from leftovers import counters_of
from sandboxed import PROGRAM, PYTHON, ended, main, must_be_counted, prints, python, shell, times
from tap import at_best, equal, must

MIB = wire.MIB


def test_idle_sockets_take_little():
    """Those without a port are in no list of the kernel's, and there is nothing in them."""
    prints(python("""
        import os, socket, time
        child = os.fork()
        kind = socket.SOCK_STREAM if child == 0 else socket.SOCK_DGRAM
        kept = [socket.socket(type=kind) for _ in range(350)]
        time.sleep(1)
        if child != 0: print(len(kept), os.waitpid(child, 0)[1])
        """, memory=512 * MIB), "350 0\n")


def test_failing_with_all_that_is_allowed():
    """Three processes of three, and none was refused."""
    result = shell("sleep 60 & sleep 60 & sleep 0.2; exit 3", processes=4)
    equal(result.processes_peak, 4, "as many as allowed")
    is_counted = "pids.max" in result.guards["processes"][1]
    ended(result, "exited", "" if is_counted else "processes", exit_code=3)
    must("start a process" not in [attempt.operation for attempt in result.attempts.values()], "nothing was refused")


def test_peak_of_a_short_program():
    """What it leaves behind is counted, though it ends before the first look."""
    equal(shell("sleep 60 >/dev/null 2>&1 &", processes=64).processes_peak, 2, "with one that has no output")
    equal(shell("sleep 60 & exit 0", processes=64).processes_peak, 2, "with one that has")
    equal(shell("exit 0", processes=64).processes_peak, 1, "alone")


def test_programs_started_by_vfork():
    """While a child is on its way to another program, its parent's memory shows twice."""
    result = python(f"""
        import subprocess
        x = bytearray(200 << 20)
        for i in range(0, len(x), 4096): x[i] = 1
        for _ in {times(300, 1500)}: subprocess.run(['/usr/bin/true'])
        print('fine')
        """, memory=256 * MIB)
    prints(result, "fine\n")
    must(result.memory_peak < 256 * MIB, f"plausible: {result}")


def test_programs_started_from_many_threads():
    result = python(f"""
        import subprocess, threading
        x = bytearray(150 << 20)
        for i in range(0, len(x), 4096): x[i] = 1
        def work():
            for _ in {times(40, 150)}: subprocess.run(['/usr/bin/true'])
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print('fine')
        """, memory=256 * MIB)
    prints(result, "fine\n")


def test_children_that_come_and_go():
    prints(python(f"""
        import os
        x = bytearray(200 << 20)
        for i in range(0, len(x), 4096): x[i] = 1
        for _ in {times(50, 150)}:
            pid = os.fork()
            if pid == 0: os._exit(0)
            os.waitpid(pid, 0)
        print('fine')
        """, memory=256 * MIB), "fine\n")


def test_pool_of_workers():
    prints(python(f"""
        import multiprocessing as mp
        x = bytearray(200 << 20)
        for i in range(0, len(x), 4096): x[i] = 1
        def work(i): return sum(x[i * 1000:i * 1000 + 1000])
        for _ in {times(2, 5)}:
            with mp.get_context('fork').Pool(8) as pool: pool.map(work, range(32))
        print('fine')
        """, memory=256 * MIB), "fine\n")


def test_children_that_write_to_what_they_share():
    result = python("""
        import os, time
        x = bytearray(b'x' * (100 << 20))
        for _ in range(8):
            if os.fork() == 0:
                for at in range(0, len(x), 4096): x[at] = 1
                time.sleep(600)
        time.sleep(600)
        """, memory=256 * MIB)
    ended(result, "memory", "certain")


# Its tables of mappings take 400 MiB.
MANY_MAPPINGS = """
import ctypes, mmap, os, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
def fragments(n):
    start = libc.mmap(None, ctypes.c_size_t(2 * n * 4096), 1, 0x4022, -1, ctypes.c_long(0))
    for i in range(n):
        libc.mprotect(ctypes.c_void_p(start + 2 * i * 4096), ctypes.c_size_t(4096), 0)
shared = mmap.mmap(-1, 64 << 20)
shared.write(b'x' * (64 << 20))
fragments(30000)
begun = time.monotonic()
for _ in range(30):
    if os.fork() == 0:
        for at in range(0, len(shared), 4096): shared[at]
        break
"""


def test_wall_time_with_many_mappings():
    def seconds():
        result = python(MANY_MAPPINGS + "while True: time.sleep(1)", wall_ms=2000, memory=1024 * MIB)
        ended(result, "timed-out", "wall")
        must(2.0 <= result.wall_us / 1e6, f"not before: {result}")
        return result.wall_us / 1e6

    at_best(seconds, lambda took: took < 2.3)


def test_burst_with_many_mappings():
    result = python(MANY_MAPPINGS + """
time.sleep(max(0, begun + 1.5 - time.monotonic()))
x = bytearray(b'x' * (60 << 20))
time.sleep(600)
""", memory=1024 * MIB)
    ended(result, "memory", "certain")
    must(result.wall_us > 1.5e6, f"not before: {result}")


def test_many_mappings_take_memory():
    result = python(MANY_MAPPINGS + "while True: time.sleep(1)", wall_ms=20000, memory=256 * MIB)
    ended(result, "memory", "certain")


RELAY = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    children = []
    for _ in range(2):
        pid = os.fork()
        if pid == 0:
            while time.process_time() < {seconds}: pass
            os._exit(0)
        children.append(pid)
    for pid in children:
        try: os.waitpid(pid, 0)
        except ChildProcessError: os.write(1, b'.')
"""


def test_the_kernel_counts_where_no_control_group_does():
    must_be_counted()
    runner = wire.Runner(PROGRAM)
    equal(counters_of(runner.process.pid), 0, "counters before there is anything to run")
    runner.start([PYTHON, "-c", "import time; print('ready', flush=True); time.sleep(60)"])
    runner.wait_until(lambda result: b"ready" in result.stdout)
    is_counted = "pids.max" in runner.result.guards["processes"][1]
    equal(counters_of(runner.process.pid), 0 if is_counted else 1, "counters")
    runner.stop()
    runner.finish()


def test_cpu_time_of_children_that_are_not_waited_for():
    for seconds in (0.2, 0.05):
        result = python(RELAY.format(seconds=seconds), cpu_ms=600)
        ended(result, "timed-out", "cpu")
    must_be_counted()
    for tier in (wire.TIER_A, wire.TIER_B):
        result = python(RELAY.format(seconds=0.004), cpu_ms=600, tier=tier, wall_ms=30000)
        ended(result, "timed-out", "cpu")
        # The parent alone would take as much after some thousand.
        must(len(result.stdout) < 400, f"{len(result.stdout)} children of 4 ms each in 0.6 s")


STORM = """
import ctypes, resource
call = ctypes.CDLL(None).ptrace
for _ in range(8000): call(16, 1, 0, 0)
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime)
"""


def test_work_of_the_supervisor_is_paid_for():
    result = python(STORM)
    own = float(result.stdout)
    told = (result.user_us + result.system_us) / 1e6
    must(told > 1.2 * own, f"{told} s of which the program says {own} s")


if __name__ == "__main__":
    sys.exit(main(__name__))
