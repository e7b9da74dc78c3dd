# SPDX-License-Identifier: GPL-3.0-or-later
"""How runs end: exit codes, signals, times, stop requests, and nothing that outlives them."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid

import wire
from sandboxed import LATE, PROGRAM, PYTHON, ended, main, prints, python, run, shell, start, times
from tap import PATIENCE, at_best, equal, must, until


def processes_with(marker):
    """Everybody on this machine who has the marker in the command line, which all users may read."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if int(pid) != os.getpid() and marker.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


def must_go(marker, what="no process is left"):
    """Its programs would go on for ten minutes."""
    until(lambda: not processes_with(marker), what)


def test_hello():
    result = python("print('hello')")
    prints(result, "hello\n")
    must(result.started and result.guards is not None, "STARTED and GUARDS came")
    must(result.memory_peak > wire.MIB and result.wall_us > 0, f"measured: {result}")
    equal(result.stdout_bytes, 6, "bytes counted")


def test_exit_codes():
    for code in (1, 3, 124, 127, 137, 255):
        ended(python(f"import sys; sys.exit({code})"), "exited", exit_code=code, signal=-1)


def test_signals():
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL, signal.SIGTERM, signal.SIGFPE):
        result = python(f"import os; os.kill(os.getpid(), {int(number)})")
        cause = "itself" if number == signal.SIGKILL else ""
        ended(result, "signalled", cause, exit_code=-1, signal=number)


def test_streams_are_apart_and_in_order():
    result = python("""
        import os, time
        for i in range(5):
            os.write(1, b'o%d' % i); time.sleep(0.02)
            os.write(2, b'e%d' % i); time.sleep(0.02)
        """)
    prints(result, "o0o1o2o3o4")
    equal(result.stderr, b"e0e1e2e3e4", "stderr")
    merged = b"".join(data for _, _, data in result.output)
    equal(merged, b"o0e0o1e1o2e2o3e3o4e4", "order of arrival")
    times = [when for _, when, _ in result.output]
    must(times == sorted(times) and times[-1] > 150000, f"timestamps: {times}")


def test_wall_time():
    def seconds(code, number):
        result = python(code, wall_ms=500)
        ended(result, "timed-out", "wall", exit_code=-1, signal=number)
        must(0.5 <= result.wall_us / 1e6, f"not before: {result}")
        return result.wall_us / 1e6

    for code in ("while True: pass", "import time; time.sleep(600)"):
        at_best(lambda code=code: seconds(code, signal.SIGTERM), lambda took: took <= 0.6)
    for code in ("import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)",
                 "import signal, time; signal.pthread_sigmask(0, range(1, 65)); time.sleep(600)"):
        at_best(lambda code=code: seconds(code, signal.SIGKILL), lambda took: took <= 0.8)


def test_time_to_clean_up_after_the_time_limit():
    """The whole process group is asked to end, and what is written then is kept; all limits go on."""
    result = shell("""
        trap 'echo cleaned; exit 4' TERM
        sh -c 'trap "echo child; exit" TERM; echo ready; while :; do sleep 0.01; done'
        """, wall_ms=500)
    ended(result, "timed-out", "wall", exit_code=4)
    equal(sorted(result.stdout.split()), [b"child", b"cleaned", b"ready"], "output")
    result = python("""
        import signal, sys
        def flood(*rest):
            while True: print('x' * 1000)
        signal.signal(signal.SIGTERM, flood)
        signal.pause()
        """, wall_ms=300, output=1 << 20)
    ended(result, "timed-out", "wall", signal=signal.SIGKILL)
    equal(len(result.stdout), 1 << 20, "bytes")


def test_cpu_time_over_the_whole_tree():
    def spent():
        result = python("""
            import os
            for _ in range(2): os.fork()
            while True: pass
            """, cpu_ms=500)
        ended(result, "timed-out", "cpu")
        return (result.user_us + result.system_us) / 1e6

    at_best(spent, lambda seconds: 0.45 <= seconds <= 1)


def test_cpu_time_of_children_that_ended():
    result = python("""
        import os
        while True:
            pid = os.fork()
            if pid == 0:
                for _ in range(10**6): pass
                os._exit(0)
            os.waitpid(pid, 0)
        """, cpu_ms=500)
    ended(result, "timed-out", "cpu")


def test_sleeping_takes_no_cpu_time():
    ended(python("import time; time.sleep(2)", cpu_ms=1500), "exited", exit_code=0)


def test_short_times_hold():
    def took():
        result = python("import time; time.sleep(600)", wall_ms=100)
        ended(result, "timed-out", "wall")
        return result.wall_us

    at_best(took, lambda wall_us: wall_us < 200000)


def test_grandchild_in_a_session_of_its_own():
    marker = uuid.uuid4().hex
    result = python("""
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.close(0); os.close(1); os.close(2)
                time.sleep(600)
            os._exit(0)
        time.sleep(600)
        """, marker, wall_ms=500)
    ended(result, "timed-out", "wall")
    must_go(marker)


def test_child_that_holds_stdout():
    marker = uuid.uuid4().hex
    result = python("""
        import os, time
        if os.fork() == 0:
            time.sleep(600)
        print('main is done', flush=True)
        os._exit(7)
        """, marker)
    ended(result, "exited", exit_code=7)
    equal(result.stdout, b"main is done\n", "stdout")
    must_go(marker, "the child went with it")


def test_output_of_helpers():
    """What they write at once after the main process is there, and what may be missing is told."""
    for _ in times(3, 30):
        result = python(LATE % "os.write(1, b'x' * 300000 + b'late'); os._exit(0)")
        ended(result, "exited", exit_code=7)
        equal((result.stdout[-4:], len(result.stdout), result.n_left), (b"late", 300000 + 17, 0), "output")
    result = run(["/bin/bash", "-c", "exec > >(tee all.log) 2>&1; echo one; echo two >&2"])
    equal((result.stdout, result.n_left), (b"one\ntwo\n", 0), "output of a shell")
    result = python(LATE % "os.fork(); time.sleep(600)")
    ended(result, "exited", exit_code=7)
    equal((result.n_left, result.n_quiet), (2, 0), "processes that were ended")
    equal(python("print('alone')").n_quiet, 0, "processes of a program that was alone")
    # A program that was stopped has not left anything by itself.
    result = python("import os, time\nif os.fork() == 0: os.close(1); os.close(2)\ntime.sleep(600)", wall_ms=500)
    equal((result.status, result.n_left, result.n_quiet), ("timed-out", 0, 0), "a time limit")


def test_a_line_stays_whole():
    """A message that comes in two parts is not broken by the other stream, however late its end is read."""
    marker = uuid.uuid4().hex
    code = ("import os, time\nos.write(2, b'half a ')\nwhile not open('/trigger/file').read(): time.sleep(0.01)\n"
            "os.write(2, b'line\\n')\nos.write(1, b'out\\n')\n")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        with open(os.path.join(folder, "file"), "w", encoding="ascii") as file:
            runner = start([PYTHON, "-c", code, marker], binds=[(folder, "/trigger")], watch=wire.WATCH_OFF)
            runner.wait_until(lambda result: result.stderr == b"half a ")
            runner.process.send_signal(signal.SIGSTOP)
            file.write("go on")
        try:
            must_go(marker, "the program has written all")
        finally:
            runner.process.send_signal(signal.SIGCONT)
        result = runner.finish()
    ended(result, "exited", exit_code=0)
    equal([(stream, data) for stream, _, data in result.output], [(2, b"half a "), (2, b"line\n"), (1, b"out\n")], "order")


def test_what_has_no_output_is_not_waited_for():
    def took():
        begun = time.monotonic()
        result = python(LATE % "os.close(0); os.close(1); os.close(2); time.sleep(600)")
        ended(result, "exited", exit_code=7)
        equal((result.n_left, result.n_quiet), (0, 1), "processes that were ended")
        return time.monotonic() - begun

    at_best(took, lambda seconds: seconds < 0.2)


def test_helpers_gain_nothing_else():
    """Those that go on are ended soon, whatever they do, and the limits hold for them."""
    result = python(LATE % "while True: os.write(1, b'x' * 1000)", output=1 << 20)
    ended(result, "output-limit", exit_code=7)
    result = python(LATE % "x = [bytearray(32 << 20) for _ in range(8)]; time.sleep(600)", memory=64 * wire.MIB)
    must(result.exit_code == 7 and result.memory_peak < 128 * wire.MIB, str(result))


def test_stop_while_helpers_write():
    """The program has ended already, which is known once init has reaped it."""
    runner = start([PYTHON, "-c", LATE % "while os.path.exists(f'/proc/{main}'): time.sleep(0.001)\n"
                                         "    os.write(1, b'late'); time.sleep(600)"])
    runner.wait_until(lambda result: b"late" in result.stdout)
    runner.stop()
    ended(runner.finish(), "exited", exit_code=7)


def test_output_before_the_end_is_complete():
    for _ in times(6, 60):
        result = python("import os; os.write(1, b'x' * 200000); os._exit(0)")
        ended(result, "exited", exit_code=0)
        equal(len(result.stdout), 200000, "bytes")


def test_stop_softly():
    runner = start([PYTHON, "-c", """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
print('ready', flush=True)
signal.sigwait([signal.SIGINT])
print('interrupted', flush=True)
raise SystemExit(5)
"""])
    runner.wait_until(lambda result: b"ready" in result.stdout)
    runner.stop()
    result = runner.finish()
    ended(result, "stopped", exit_code=5)
    must(b"interrupted" in result.stdout, str(result))


def test_stop_together_with_the_start():
    for _ in times(5, 50):
        runner = start([PYTHON, "-c", "import time; time.sleep(600)"], wall_ms=0)
        runner.stop()
        equal(runner.finish().status, "stopped", "the end")


STUBBORN = """
import signal, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
print('ready', flush=True)
time.sleep(600)
"""


def test_stop_of_a_program_that_only_knows_sigterm():
    runner = start(["/bin/sh", "-c", "trap '' INT; trap 'echo cleaned; exit 6' TERM; echo ready; while :; do sleep 0.01; done"])
    runner.wait_until(lambda result: b"ready" in result.stdout)
    runner.stop()
    result = runner.finish()
    ended(result, "stopped", exit_code=6)
    equal(result.stdout, b"ready\ncleaned\n", "output")


def test_stop_of_a_stubborn_program():
    runner = start([PYTHON, "-c", STUBBORN])
    runner.wait_until(lambda result: b"ready" in result.stdout)
    begun = time.monotonic()
    runner.stop()
    result = runner.finish()
    ended(result, "stopped", signal=signal.SIGKILL)
    must(time.monotonic() - begun > 0.9, "after one second")


def test_stop_twice():
    def took():
        runner = start([PYTHON, "-c", STUBBORN])
        runner.wait_until(lambda result: b"ready" in result.stdout)
        begun = time.monotonic()
        runner.stop()
        runner.stop()
        ended(runner.finish(), "stopped")
        return time.monotonic() - begun

    at_best(took, lambda seconds: seconds < 1)  # the time of grace


def test_stop_while_output_floods_unread():
    """The end comes behind what is on its way, so that has to be little."""
    runner = start([PYTHON, "-c", "while True: print('x' * 1000)"])
    runner.wait_until(lambda result: len(result.stdout) > 100000)
    time.sleep(0.5)  # All that has room on its way is under way; if it is less, the check is only milder.
    before = len(runner.result.stdout)
    runner.stop()
    runner.stop()
    result = runner.finish()
    ended(result, "stopped")
    must(len(result.stdout) - before <= 512 * 1024, f"{len(result.stdout) - before} bytes come before the end")


def test_stop_before_start():
    runner = wire.Runner(PROGRAM)
    runner.send(wire.policy([PYTHON, "-c", "print(1)"]))
    runner.stop()
    result = runner.finish()
    ended(result, "stopped")
    must(not result.started and not result.output, "nothing ran")


def test_backend_goes_away():
    marker = uuid.uuid4().hex
    runner = start([PYTHON, "-c", "import time; print('ready', flush=True); time.sleep(600)", marker])
    runner.wait_until(lambda result: b"ready" in result.stdout)
    must(processes_with(marker), "it is there")
    runner.socket.close()
    equal(runner.process.wait(PATIENCE), 0, "exit status")
    must_go(marker, "the sandbox went with the backend")


def test_backend_stops_reading():
    """When a backend goes away, a write may fail before its end is read."""
    marker = uuid.uuid4().hex
    runner = start([PYTHON, "-c", "import time; print('ready', flush=True); time.sleep(600)", marker])
    runner.wait_until(lambda result: b"ready" in result.stdout)
    must(processes_with(marker), "it is there")
    runner.socket.shutdown(socket.SHUT_RD)
    equal(runner.process.wait(PATIENCE), 0, "exit status")
    must_go(marker, "the sandbox went with the backend")


def test_runner_is_killed():
    for delay in (0, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.1, 0.3):
        marker = uuid.uuid4().hex
        runner = start([PYTHON, "-c", """
import os, time
for _ in range(5):
    if os.fork() == 0:
        os.setsid()
        break
time.sleep(600)
""", marker])
        time.sleep(delay)
        runner.kill()
        runner.process.wait()
        must_go(marker, f"no process is left, killed after {delay} s")
        runner.finish()


def test_killing_all_reaches_no_process_outside():
    prints(python("""
        import os, time
        child = os.fork()
        if child == 0:
            time.sleep(60)
        os.kill(-1, 9)
        print(os.waitpid(child, 0)[1])
        """), "9\n")


def test_init_cannot_be_killed_from_inside():
    prints(python("""
        import os, signal
        for number in (9, 15, 19, 2):
            try:
                os.kill(1, number)
            except PermissionError:
                pass
        print(os.getppid())
        """), "1\n")


def cpu_time_of(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_waiting_for_the_dead_costs_nothing():
    """Init closes its end of the socket at once, but lives until all the others are dead."""
    runner = start([PYTHON, "-c", """
import mmap, os, time
for _ in range(16):
    if os.fork() == 0:
        x = mmap.mmap(-1, 32 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        x.madvise(15)  # MADV_NOHUGEPAGE
        for at in range(0, len(x), 4096): x[at] = 1
        os.write(1, b'x')
        time.sleep(600)
while True: time.sleep(1)
"""], memory=0)
    runner.wait_until(lambda result: len(result.stdout) == 16)
    before = cpu_time_of(runner.process.pid)
    runner.stop()
    runner.stop()
    runner.wait_until(lambda result: result.finished)
    spent = cpu_time_of(runner.process.pid) - before
    ended(runner.finish(), "stopped")
    must(spent <= 0.03, f"{spent} s of CPU time")


def test_program_that_is_not_there():
    result = run(["/usr/bin/no-such-program"])
    ended(result, "not-started")
    equal((result.step, result.error, result.started), ("exec", 2, False), "step and errno")


def test_programs_that_cannot_be_executed():
    result = run(["/workspace/data"], files=[("data", b"no program")])
    ended(result, "not-started")
    equal((result.step, result.error), ("exec", 13), "a file without the right to run")
    result = run(["python3"])
    ended(result, "not-started")
    equal((result.step, result.error), ("exec", 22), "not an absolute path")
    result = run(["/usr"])
    equal((result.status, result.error), ("not-started", 13), "a folder")


def test_interpreter_that_never_reads_its_program():
    """However it ends: that is no result of the program."""
    for code in ("exit 0", "exit 3", "kill -SEGV $$", "exec 3>&-"):
        result = run(["/bin/sh", "-c", code], flags=wire.GUEST_CHANNEL, guest_message=wire.program_message())
        ended(result, "not-started", exit_code=-1, signal=-1)
        equal((result.step, result.error), ("interpreter", 0), "the step")
    for code in ("os._exit(3)", "os.write(3, b'x' * 100000); os._exit(3)"):
        result = run([PYTHON, "-c", f"import os; os.read(3, 100000); {code}"],
                     flags=wire.GUEST_CHANNEL, guest_message=wire.program_message())
        ended(result, "exited", exit_code=3)


def test_exit_127_is_the_programs_own():
    ended(shell("no-such-command"), "exited", exit_code=127)


def test_job_control_and_pipelines():
    prints(shell("for i in 1 2 3; do echo $i | cat | cat; done; yes | head -1"), "1\n2\n3\ny\n")


def test_ignored_signals_are_not_inherited():
    code = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_DFL)"
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        prints(python(code), "True\n")
    finally:
        signal.signal(signal.SIGHUP, before)


def test_many_runs_leave_no_descriptors():
    runner = start([PYTHON, "-c", "import time; print('ready', flush=True); time.sleep(60)"])
    runner.wait_until(lambda result: b"ready" in result.stdout)
    count = len(os.listdir(f"/proc/{runner.process.pid}/fd"))
    runner.stop()
    runner.finish()
    must(count <= 20, f"{count} descriptors in the runner")


def test_help_and_version():
    text = subprocess.run([PROGRAM, "--help"], capture_output=True, check=True).stdout.decode()
    must("Usage: fumehood-runner" in text, text)
    text = subprocess.run([PROGRAM, "--version"], capture_output=True, check=True).stdout.decode()
    must(text.startswith("fumehood-runner 0"), text)
    for arguments in ([], ["run"], ["--help", "--version"]):
        result = subprocess.run([PROGRAM, *arguments], capture_output=True, check=False)
        equal(result.returncode, 2, f"exit status with {arguments}")
        must(b"fumehood-runner:" in result.stderr, "it says why")


if __name__ == "__main__":
    sys.exit(main(__name__))
