# SPDX-License-Identifier: GPL-3.0-or-later
"""Sandboxes that are built before there is a program: the interpreter waits inside for one run."""

import errno
import os
import sys
import time

import wire
from forked import BINDS
from leftovers import descendants
from sandboxed import PROGRAM, PYTHON, SANITIZED, ended, has_own_user, main, prints
from tap import PATIENCE, equal, must, until
from tiered import GUARDED, MARK, in_tiers, processes_of

ARGV = [PYTHON, "-u", "/opt/fumehood/bootstrap.py", MARK]
MIB = wire.MIB


def prepare(argv=tuple(ARGV), runner_env=None, flags=0, **limits):
    runner = wire.Runner(PROGRAM, runner_env)
    runner.prepare(argv, flags=wire.GUEST_CHANNEL | flags, binds=BINDS, **limits)
    runner.wait_until(lambda result: result.guards)
    return runner


def wait_until_at_rest():
    """The interpreter has started and waits for its message, in which it uses no CPU time."""
    def rests():
        states = []
        for path, _ in processes_of(MARK):
            with open(os.path.dirname(path) + "/stat", encoding="ascii") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            states.append((path, fields[0], fields[11], fields[12]))
        seen.append(states)
        return states and len(seen) > 1 and seen[-2] == states and all(state[1] == "S" for state in states)

    seen = []
    until(rests, lambda: f"rest: {seen[-2:]}", pause=0.1)


def run(runner, source, *words, stdin=b"", files=()):
    runner.run([*files, ("main.py", source.encode())], stdin, wire.program_message(*words))
    return runner.finish()


def cold(source, flags=0, runner_env=None, **limits):
    runner = wire.Runner(PROGRAM, runner_env)
    runner.start(ARGV, files=[("main.py", source.encode())], guest_message=wire.program_message(),
                 flags=wire.GUEST_CHANNEL | flags, binds=BINDS, **limits)
    return runner.finish()


def test_everything_arrives():
    source = """
import os, sys
print(sys.argv[1:], input(), open("data").read(), os.path.samefile(".", os.environ["HOME"]))
print(__name__, os.path.basename(__file__), sorted(os.listdir(".")))
"""
    expected = "['a b', ''] word text True\n__main__ main.py ['data', 'main.py']\n"

    def check(name, tier):
        # At once, as after a quick hand, and when the interpreter has come to rest.
        for is_at_rest in (False, True):
            runner = prepare(**tier)
            if is_at_rest:
                wait_until_at_rest()
            result = run(runner, source, "a b", "", stdin=b"word\n", files=[("data", b"text")])
            prints(result, expected)
    in_tiers(check)


def test_files_belong_to_the_program():
    result = run(prepare(), """
import os
status = os.stat("main.py")
print(status.st_uid == os.getuid(), status.st_gid == os.getgid(), oct(status.st_mode))
open("main.py", "a").close()
os.unlink("main.py")
""")
    prints(result, "True True 0o100644\n")
    result = run(prepare(flags=wire.COLLECT), "open('out', 'w').write('text')")
    ended(result, "exited", exit_code=0)
    equal(list(result.files), [b"out"], "files")
    equal(result.files[b"out"].content, b"text", "content")
    must(result.guards["privileges"][0] == "active" or not has_own_user(result), str(result.guards))


def test_attempts_are_those_of_a_cold_run():
    source = """
import os, socket
for call in (lambda: open("/etc/shadow"), lambda: os.setuid(0),
             lambda: socket.create_connection(("1.1.1.1", 443))):
    try:
        call()
    except OSError:
        pass
"""
    def told(result):
        ended(result, "exited", exit_code=0)
        return sorted((attempt.verdict, attempt.operation, attempt.object, attempt.count)
                      for attempt in result.attempts.values())
    def check(name, tier):
        runner = prepare(**tier)
        wait_until_at_rest()
        must(not runner.result.attempts, f"told while it waited: {runner.result.attempts}")
        result = run(runner, source)
        equal(told(result), told(cold(source, **tier)), f"attempts in tier {name}")
        must(all(attempt.time_us < 60e6 for attempt in result.attempts.values()), str(result.attempts))

    in_tiers(check, GUARDED)


def test_time_begins_with_the_program():
    runner = prepare(wall_ms=5000, cpu_ms=5000)
    time.sleep(5.5)
    result = run(runner, "print('in time')")
    prints(result, "in time\n")
    ended(run(prepare(wall_ms=300), "import time; time.sleep(600)"), "timed-out", "wall")
    ended(run(prepare(cpu_ms=300), "while True: pass"), "timed-out", "cpu")
    # Starting the interpreter is not the program's.
    if not SANITIZED:
        def used(result):
            return result.user_us + result.system_us

        def at_rest():
            runner = prepare()
            wait_until_at_rest()
            return runner
        prepared = min(used(run(at_rest(), "pass")) for _ in range(3))
        must(prepared < min(used(cold("pass")) for _ in range(3)), f"{prepared} us of CPU time")


def switches(pids):
    """How often these processes were run: one that sleeps on cannot be switched to."""
    found = {}
    for pid in pids:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            found[pid] = [line for line in file if "ctxt_switches" in line]
    return found


def test_who_waits_is_asleep():
    runner = prepare()
    wait_until_at_rest()
    pids = [runner.process.pid, *descendants(runner.process.pid)]
    must(len(pids) >= 3, f"the runner, process 1 and the interpreter: {pids}")
    before = switches(pids)
    time.sleep(2)
    equal(switches(pids), before, "switches of context in two seconds")
    prints(run(runner, "print('awake')"), "awake\n")


def test_limits_hold():
    result = run(prepare(memory=64 * MIB), "x = b'x' * (256 << 20)\nimport time; time.sleep(600)")
    equal(result.status, "memory", str(result))
    result = run(prepare(output=1 * MIB), "while True: print('x' * 1000)")
    ended(result, "output-limit")
    result = run(prepare(disk=1 * MIB), "open('x', 'w').write('x' * (4 << 20))")
    ended(result, "disk-limit")


def test_files_that_do_not_fit():
    runner = prepare(disk=MIB)
    result = run(runner, "print('ran')", files=[("data", b"x" * (4 * MIB))])
    equal((result.status, result.step, result.error), ("setup-failed", "files", errno.ENOSPC), str(result))
    must(not result.started, "nothing ran")


def test_stopped_while_it_waits():
    def check(name, tier):
        runner = prepare(**tier)
        runner.stop()
        result = runner.finish()
        equal((result.status, result.started), ("stopped", False), name)
    in_tiers(check)


def test_left_alone():
    def check(name, tier):
        runner = prepare(**tier)
        runner.socket.close()
        equal(runner.process.wait(PATIENCE), 0, f"tier {name}")
        runner.process.stderr.close()
        # in_tiers looks what is left.
    in_tiers(check)


def test_runner_killed_while_it_waits():
    runner = prepare()
    until(lambda: processes_of(MARK), "the start")
    runner.kill()
    runner.finish()
    until(lambda: not processes_of(MARK), "the end of all")


def test_interpreter_that_fails():
    def check(name, tier):
        for has_ended in (False, True):
            runner = prepare(argv=["/bin/sh", "-c", "echo broken >&2; exit 3", MARK], **tier)
            if has_ended:
                until(lambda: not processes_of(MARK), "the end of the interpreter")
            result = run(runner, "print('ran')")
            must(result.finished, str(result))
            equal((result.status, result.step, result.exit_code), ("not-started", "interpreter", -1), f"{name}, {has_ended}")
            # It may have ended before it was told to run; then nothing was told of it.
            must(result.stderr in (b"", b"broken\n"), str(result))
    in_tiers(check, GUARDED)


def test_what_cannot_be_prepared():
    def refused(*frames):
        runner = wire.Runner(PROGRAM)
        for frame in frames:
            try:
                runner.send(frame)
            except ConnectionError:
                break
        result = runner.finish()
        equal((result.finished, result.exit_status), (False, 1), str(result))
        must(b"invalid message" in result.runner_stderr, str(result.runner_stderr))
    plain = wire.policy(ARGV)
    waiting = wire.policy(ARGV, flags=wire.GUEST_CHANNEL)
    prepare_frame = wire.frame(wire.PREPARE)
    refused(prepare_frame)
    refused(plain, prepare_frame)
    refused(wire.policy([], flags=wire.PROBE | wire.GUEST_CHANNEL), prepare_frame)
    refused(waiting, wire.file_pieces("main.py", b""), prepare_frame)
    refused(waiting, wire.input_pieces(b"x"), prepare_frame)


def test_what_must_not_follow():
    for after in (wire.frame(wire.PREPARE), wire.policy(ARGV), wire.frame(99)):
        runner = prepare()
        runner.send(after)
        result = runner.finish()
        equal((result.exit_status, result.started), (1, False), str(result))
    for after in (wire.frame(wire.RUN), wire.file_pieces("more", b"x"), wire.input_pieces(b"x")):
        runner = prepare()
        runner.run([("main.py", b"import time; time.sleep(600)")], b"", wire.program_message())
        runner.send(after)
        equal(runner.finish().exit_status, 1, "exit status")


if __name__ == "__main__":
    sys.exit(main(__name__))
