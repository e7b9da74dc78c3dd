# SPDX-License-Identifier: GPL-3.0-or-later
"""A runner in a container that sets up its guards before there is a program: an interpreter waits inside for one run."""

import sys
import time

import wire
from contained import main, read
from leftovers import descendants
from sandboxed import ended, prints
from tap import PATIENCE, equal, must, until

MIB = wire.MIB
# Waits as bootstrap.py does, which is not in these containers.
WAITER = """
import os, struct, sys
size = struct.unpack('<I', os.read(3, 4))[0]
words = os.read(3, size)[1:].decode().split('\\0')
os.close(3)
sys.argv = words
exec(compile(open('main.py').read(), 'main.py', 'exec'), {'__name__': '__main__'})
"""


def prepare(box, **policy):
    runner = wire.Inside(box.one_shot())
    policy["flags"] = policy.get("flags", 0) | wire.GUEST_CHANNEL
    runner.prepare(["python3", "-c", WAITER], tier=wire.TIER_D, **policy)
    runner.wait_until(lambda result: result.guards)
    return runner


def run(runner, source, *words, stdin=b"", files=()):
    runner.run([*files, ("main.py", source.encode())], stdin, wire.program_message(*words))
    return runner.finish()


def cold(box, source, **policy):
    runner = wire.Inside(box.one_shot())
    policy["flags"] = policy.get("flags", 0) | wire.GUEST_CHANNEL
    runner.start(["python3", "-c", WAITER], files=[("main.py", source.encode())], guest_message=wire.program_message(), **policy)
    return runner.finish()


def test_everything_arrives(box):
    source = "import os, sys\nprint(sys.argv[1:], input(), open('data').read(), sorted(os.listdir('.')))\n"
    for pause in (0, 0.5):
        runner = prepare(box)
        time.sleep(pause)
        result = run(runner, source, "a b", "", stdin=b"word\n", files=[("data", b"text")])
        prints(result, "['a b', ''] word text ['data', 'main.py']\n")


def test_guards_and_attempts_are_those_of_a_cold_run(box):
    source = """
import os, socket
print(open('/proc/self/status').read().split('NoNewPrivs')[1].split('Speculation')[0], sorted(os.listdir('/proc/self/fd')))
for call in (lambda: open("/etc/shadow"), lambda: os.setuid(0), lambda: os.unshare(0x10000000) if hasattr(os, "unshare")
             else None, lambda: socket.create_connection(("1.1.1.1", 443))):
    try:
        call()
    except OSError as error:
        print(error.errno)
"""
    def told(result):
        ended(result, "exited", exit_code=0)
        return (result.guards, result.stdout,
                sorted((attempt.verdict, attempt.operation, attempt.object, attempt.count)
                       for attempt in result.attempts.values()))
    runner = prepare(box)
    time.sleep(0.3)
    must(not runner.result.attempts, f"told while it waited: {runner.result.attempts}")
    equal(told(run(runner, source)), told(cold(box, source)), "guards, output and attempts")


def test_time_begins_with_the_program(box):
    runner = prepare(box, wall_ms=1000, cpu_ms=1000)
    time.sleep(1.5)
    prints(run(runner, "print('in time')"), "in time\n")
    ended(run(prepare(box, wall_ms=300), "import time; time.sleep(60)"), "timed-out", "wall")
    ended(run(prepare(box, wall_ms=60000, cpu_ms=300), "while True: pass"), "timed-out", "cpu")


def test_limits_are_those_of_a_cold_run(box):
    for policy, source in (({"memory": 64 * MIB}, "x = b'x' * (256 << 20)"),
                           ({"disk": MIB}, "open('x', 'w').write('x' * (4 << 20))"),
                           ({"processes": 8}, "import os\nwhile os.fork(): pass\nimport time; time.sleep(5)"),
                           ({"output": MIB}, "while True: print('x' * 1000)")):
        results = [run(prepare(box, **policy), source), cold(box, source, **policy)]
        ends = [(result.status, result.cause) for result in results]
        equal(ends[0], ends[1], f"{policy}")
        must(ends[0][0] != "exited" or results[0].exit_code != 0, f"{policy} did not limit it: {results[0]}")


def test_files_that_are_left(box):
    result = run(prepare(box, flags=wire.COLLECT), "open('out', 'w').write('text')")
    ended(result, "exited", exit_code=0)
    equal({name: file.content for name, file in result.files.items()}, {b"out": b"text"}, "files")


def inside(runner):
    """Those that are in the container, by the computer's own numbers; Docker's are not below its client."""
    return [pid for pid in descendants(runner.process.pid) if b"main.py" in read(f"/proc/{pid}/cmdline")]


def test_backend_that_goes_away(box):
    for word in (b"", wire.frame(wire.STOP)):
        runner = prepare(box)
        waiting = inside(runner)
        if word:
            runner.send(word)
            ended(runner.finish(), "stopped")
        else:
            runner.socket.close()
            runner.process.wait(timeout=PATIENCE)
        until(lambda waiting=waiting: not any(read(f"/proc/{pid}/cmdline") for pid in waiting), "the end of what waited")


def test_what_cannot_wait(box):
    for policy in ({"flags": wire.GUEST_CHANNEL | wire.SHARED_WORKSPACE | wire.SEALED_PROGRAM}, {"flags": 0}):
        runner = wire.Inside(box.one_shot())
        runner.prepare(["python3", "-c", WAITER], tier=wire.TIER_D, **policy)
        result = runner.finish()
        must(not result.started and result.exit_status != 0, f"{policy}: {result}")


if __name__ == "__main__":
    sys.exit(main(__name__))
