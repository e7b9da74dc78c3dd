# SPDX-License-Identifier: GPL-3.0-or-later
"""Input that comes while the program runs, and the news that the program waits for it."""

import sys
import textwrap

import wire
from forked import BINDS
from sandboxed import PROGRAM, PYTHON, ended, has_own_user, main, prints
from tap import PATIENCE, equal, must
from tiered import MARK, in_tiers

MIB = wire.MIB
ASK = "a = input('one? '); b = input('two? '); print(a, b)"
WAITS = [True, False, True, False]


def start(code, stdin=b"", argv=None, flags=0, runner_env=None, **limits):
    runner = wire.Runner(PROGRAM, runner_env)
    runner.start(argv or [PYTHON, "-u", "-c", textwrap.dedent(code), MARK], stdin=stdin,
                 flags=wire.INPUT_STAYS | flags, **limits)
    return runner


def send(runner, data):
    runner.send(wire.input_pieces(data))


def wait_for_wait(runner, n=1):
    runner.wait_until(lambda result: result.waiting.count(True) == n and result.waiting[-1])


def after_a_while(runner):
    """The result of a run that is stopped when the runner has looked at it a few times."""
    seen = len(runner.result.usage)
    runner.wait_until(lambda result: len(result.usage) >= seen + 8)
    runner.stop()
    runner.stop()
    result = runner.finish()
    ended(result, "stopped")
    return result


def answer(runner):
    """Both questions of ASK, each as soon as it is known that the program waits."""
    for n, line in ((1, b"first\n"), (2, b"second\n")):
        wait_for_wait(runner, n)
        must(runner.result.stdout.endswith(b"? "), f"the question comes first: {runner.result.stdout!r}")
        send(runner, line)
    return runner.finish()


def test_answers_in_all_tiers():
    def check(name, tier):
        result = answer(start(ASK, **tier))
        prints(result, "one? two? first second\n")
        equal(result.waiting, WAITS, f"tier {name}")
        if name == "A":
            print(f"# the guest has a user of its own: {has_own_user(result)}")
    in_tiers(check)


def test_prepared():
    runner = wire.Runner(PROGRAM)
    runner.prepare([PYTHON, "-u", "/opt/fumehood/bootstrap.py", MARK],
                   flags=wire.GUEST_CHANNEL | wire.INPUT_STAYS, binds=BINDS)
    runner.wait_until(lambda result: result.guards)
    runner.run([("main.py", ASK.encode())], b"", wire.program_message())
    result = answer(runner)
    prints(result, "one? two? first second\n")
    equal(result.waiting, WAITS, "waits")


def test_end():
    runner = start("import sys; print(repr(sys.stdin.read()))")
    send(runner, b"some ")
    wait_for_wait(runner)
    send(runner, b"more")
    runner.end_input()
    prints(runner.finish(), "'some more'\n")


def test_end_before_the_start():
    """So that one policy serves runs with input of their own, too."""
    for stdin, expected in ((b"", "''\n"), (b"words", "'words'\n")):
        runner = wire.Runner(PROGRAM)
        runner.send(wire.policy([PYTHON, "-c", "import sys; print(repr(sys.stdin.read()))"], flags=wire.INPUT_STAYS))
        runner.send(wire.input_pieces(stdin))
        runner.end_input()
        runner.send(wire.frame(wire.RUN))
        result = runner.finish()
        prints(result, expected)
        equal(result.waiting, [], "waits")


def test_input_from_before_comes_first():
    runner = start("print(input(), input())", stdin=b"before\n")
    wait_for_wait(runner)
    send(runner, b"after\n")
    prints(runner.finish(), "before after\n")


def test_program_that_never_reads():
    runner = start("import os, time\nprint('on', flush=True)\nwhile not os.path.exists('/tmp/x'): time.sleep(0.01)")
    runner.wait_until(lambda result: b"on" in result.stdout)
    send(runner, b"x" * MIB)
    equal(after_a_while(runner).waiting, [], "waits")


def test_program_that_closes_its_input():
    runner = start("""
        import os, time
        os.close(0)
        print('closed', flush=True)
        while not os.path.exists('/tmp/x'):
            time.sleep(0.01)""")
    runner.wait_until(lambda result: b"closed" in result.stdout)
    for _ in range(3):
        send(runner, b"words\n" * 1000)
    runner.end_input()
    equal(after_a_while(runner).waiting, [], "waits")


def test_time_goes_on_while_it_waits():
    result = start("input()", wall_ms=700).finish()
    ended(result, "timed-out", "wall")


def test_waits_for_a_person_do_not_count():
    """The program answers after a wait that is longer than its time, which then goes on."""
    def check(name, tier):
        runner = start("""
            import time
            input()
            print("typed", flush=True)
            while True:
                time.sleep(0.01)
            """, flags=wire.TYPED_INPUT, wall_ms=4000, **tier)
        wait_for_wait(runner)
        runner.wait_until(lambda result: result.usage and result.usage[-1][0] > 5000000)
        equal(runner.result.waiting, [True], f"tier {name}: it still waits")
        send(runner, b"line\n")
        result = runner.finish()
        ended(result, "timed-out", "wall")
        equal(result.stdout, b"typed\n", f"tier {name}")
    in_tiers(check)


def test_computing_beside_a_wait_counts():
    """A thread that waits for a person gives the others no CPU time for nothing."""
    runner = start("""
        import threading
        threading.Thread(target=input).start()
        while True:
            pass
        """, flags=wire.TYPED_INPUT, wall_ms=4000)
    result = runner.finish()
    ended(result, "timed-out", "wall")
    equal(result.waiting[0], True, "it waited")


def test_what_is_no_wait():
    """To read from something else, to sleep, to compute."""
    result = start("""
        import os, subprocess, threading, time
        reading, writing = os.pipe()
        threading.Thread(target=os.read, args=(reading, 1), daemon=True).start()
        subprocess.run(['sleep', '0.5'], capture_output=True)
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            pass
        print('done')""").finish()
    prints(result, "done\n")
    equal(result.waiting, [], "waits")


def test_wait_of_a_child_and_a_thread():
    for code in ("import subprocess; subprocess.run(['cat'])",
                 "import threading; t = threading.Thread(target=input); t.start(); t.join()",
                 """
                 import selectors, sys
                 s = selectors.EpollSelector()
                 s.register(0, selectors.EVENT_READ)
                 s.select()"""):
        runner = start(code)
        wait_for_wait(runner)
        send(runner, b"word\n")
        runner.end_input()
        result = runner.finish()
        ended(result, "exited", exit_code=0)
        equal(result.waiting, [True, False], code)


def test_wait_is_taken_back():
    """Also if no input is the reason."""
    runner = start("""
        import subprocess, time
        child = subprocess.Popen(['cat'])
        time.sleep(3)
        child.kill()
        child.wait()
        print('killed', flush=True)
        while True:
            time.sleep(1)""")
    wait_for_wait(runner)
    runner.wait_until(lambda result: result.waiting == [True, False])
    must(b"killed" in runner.result.stdout, str(runner.result.stdout))
    runner.stop()
    ended(runner.finish(), "stopped")


def test_wait_of_a_program_that_is_killed():
    runner = start("import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); input()")
    wait_for_wait(runner)
    runner.stop()
    runner.stop()
    result = runner.finish()
    ended(result, "stopped")
    equal(result.waiting, [True, False], "waits")


def collected(*frames, flags=wire.INPUT_STAYS):
    """What becomes of a run whose files are more than the runner sends at once, if these frames come among them."""
    runner = wire.Runner(PROGRAM)
    runner.start([PYTHON, "-c", "for i in range(2000): open(str(i), 'w').write('x' * 4000)\nraise SystemExit(3)"],
                 flags=wire.COLLECT | flags)
    runner.wait_until(lambda result: result.files)
    must(len(runner.result.files) < 2000, "it did not wait")
    for one in frames:
        runner.send(one)
    return runner.finish()


def test_input_after_the_end():
    for frames in ([wire.input_pieces(b"words\n")], [wire.frame(wire.INPUT)],
                   [wire.input_pieces(b"words\n"), wire.frame(wire.INPUT)]):
        result = collected(*frames)
        ended(result, "exited", exit_code=3)
        equal((len(result.files), result.files_missing), (2000, (0, 0)), "files")


def test_client_that_goes_away():
    runner = start("input()")
    wait_for_wait(runner)
    runner.socket.close()
    equal(runner.process.wait(PATIENCE), 0, "exit status")
    runner.process.stderr.close()


def test_what_must_not_follow():
    def broken(runner):
        result = runner.finish()
        equal((result.exit_status, b"invalid message" in result.runner_stderr), (1, True), str(result))
    plain = wire.Runner(PROGRAM)
    plain.start([PYTHON, "-c", "import time; time.sleep(60)"])
    plain.wait_until(lambda result: result.started)
    plain.end_input()
    broken(plain)
    for after in (wire.frame(wire.INPUT), wire.input_pieces(b"x")):
        runner = start("import time; time.sleep(60)")
        runner.end_input()
        runner.send(after)
        broken(runner)
    for after in (wire.frame(wire.RUN), wire.file_pieces("more", b"x"), wire.frame(wire.REPLY, b"x")):
        runner = start("import time; time.sleep(60)")
        runner.send(after)
        broken(runner)
    for after in ([wire.frame(wire.INPUT), wire.input_pieces(b"x")], [wire.frame(wire.RUN)],
                  [wire.frame(wire.REPLY, b"x")]):
        equal((collected(*after).exit_status, collected(*after, flags=0).exit_status), (1, 1), str(after))
    ended_early = wire.Runner(PROGRAM)
    ended_early.send(wire.policy([PYTHON, "-c", "pass"], flags=wire.INPUT_STAYS))
    ended_early.end_input()
    ended_early.send(wire.input_pieces(b"x"))
    broken(ended_early)


def test_too_much():
    runner = start("import time; time.sleep(600)")
    piece = wire.input_pieces(b"x" * MIB)
    try:
        for _ in range(257):
            runner.send(piece)
    except OSError:
        pass
    result = runner.finish()
    equal(result.exit_status, 1, str(result))


if __name__ == "__main__":
    sys.exit(main(__name__))
