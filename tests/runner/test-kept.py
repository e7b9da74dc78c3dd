# SPDX-License-Identifier: GPL-3.0-or-later
"""Kept sandboxes: one interpreter runs cells, and what they leave stays."""

import signal
import struct
import sys
import time

import wire
from kept import Kept, message, SETUP
from sandboxed import LATE, ended, main
from tap import PATIENCE, equal, must
from tiered import MARK, processes_of

MIB = wire.MIB


def answers(result, value=None, stdout=""):
    ended(result, "exited", exit_code=0)
    must(result.answer is not None and result.answer["success"], f"{result.answer} {result}")
    equal(result.answer.get("value"), value, "value")
    equal(result.stdout.decode(), stdout, "output")


def raises(result, last):
    ended(result, "exited", exit_code=0)
    must(result.answer is not None and not result.answer["success"], f"{result.answer} {result}")
    equal(result.answer["error"], last, "error")


def test_a_namespace_stays():
    with Kept() as kept:
        answers(kept.one("x = 10"))
        answers(kept.one("y = x * 2\nprint(y)\ny"), "20", "20\n")
        must(kept.result.guards is not None and kept.result.started, "its guards and its start were told")
        answers(kept.one("import os; os.getpid()"), "2")
        raises(kept.one("nothing"), "NameError: name 'nothing' is not defined")
        answers(kept.one("x + y"), "30")


def test_an_error_is_the_line_that_names_it():
    with Kept() as kept:
        for code, error in (("raise ValueError('one\\ntwo')", "ValueError: one"),
                            ("e = KeyError('k')\ne.add_note('a note')\nraise e", "KeyError: 'k'"),
                            ("raise ExceptionGroup('g', [ValueError(1), e])", "ExceptionGroup: g (2 sub-exceptions)"),
                            ("1 / 0", "ZeroDivisionError: division by zero"),
                            ("class Own(Exception): pass\nraise Own", "Own"),
                            ("print(2***2)", "SyntaxError: invalid syntax"),
                            ("if True:\nx", "IndentationError: expected an indented block after 'if' statement on line 1")):
            raises(kept.one(code), error)
        for code, reason in (("10 ** 5000", "ValueError: Exceeds the limit (4300 digits)"),
                             ("deep = []\nfor _ in range(100000): deep = [deep]\ndeep", "RecursionError: ")):
            value = kept.one(code).answer["value"]
            must(value.startswith(f"<unrepresentable: {reason}"), value)


def test_its_time_limit_ends_a_cell_only():
    with Kept() as kept:
        answers(kept.one("x = 1"))
        result = kept.one("print('begun')\nwhile True: pass", wall_ms=2000)
        ended(result, "timed-out", "wall", exit_code=0)
        equal(result.answer["error"], "KeyboardInterrupt", "error")
        equal(result.stdout, b"begun\n", "output")
        result = kept.one("import time\ntime.sleep(100)", wall_ms=300)
        ended(result, "timed-out", "wall", exit_code=0)
        # One that does not go on is not killed, which would be two seconds later: it answers.
        equal(result.answer["error"], "KeyboardInterrupt", "error")
        result = kept.one("while True: pass", cpu_ms=300)
        ended(result, "timed-out", "cpu", exit_code=0)
        answers(kept.one("x", cpu_ms=300), "1")


def test_a_cell_that_goes_on_is_killed():
    with Kept() as kept:
        result = kept.one("import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: time.sleep(1)", wall_ms=2000)
        ended(result, "timed-out", "wall", signal=signal.SIGTERM)
        must(result.answer is None, "it has not answered")
        must(2.2 < result.wall_us / 1e6, f"it took {result.wall_us} us")
        must(kept.is_retired(), "no more cells")


def test_a_stop_interrupts_a_cell():
    with Kept() as kept:
        # Python does not notice a signal that comes just before it begins to sleep.
        kept.begin(code="print('begun', flush=True)\nimport time\nwhile True: time.sleep(0.01)")
        kept.wait_until(lambda result: result.stdout)
        kept.stop()
        result = kept.end()
        ended(result, "stopped", exit_code=0)
        equal(result.answer["error"], "KeyboardInterrupt", "error")
        kept.stop()
        answers(kept.one("1"), "1")


def test_the_end_of_the_interpreter_retires_it():
    for code, status, number in (("import os; os._exit(3)", "exited", 3),
                                 ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "signalled", None)):
        with Kept() as kept:
            answers(kept.one("1"), "1")
            result = kept.one("print('last words')\n" + code)
            ended(result, status, "" if number else "itself", exit_code=number)
            must(result.answer is None, "it has not answered")
            equal(result.stdout, b"last words\n", "output")
            must(kept.is_retired(), "no more cells")
            equal(kept.process.wait(PATIENCE), 0, "exit status of the runner")


def test_output_of_helpers_of_an_interpreter_that_ends():
    for code, output, left in (("os.write(1, b'late'); os._exit(0)", b"main is done\nlate", 0),
                               ("time.sleep(600)", b"main is done\n", 1)):
        with Kept() as kept:
            result = kept.one(LATE % code)
            ended(result, "exited", exit_code=7)
            equal((result.stdout, result.n_left), (output, left), "output and what was ended")
            must(kept.is_retired(), "no more cells")


def test_an_interpreter_that_ends_between_cells_is_told():
    with Kept() as kept:
        answers(kept.one("import os, threading\nt = threading.Timer(0.2, os._exit, [5])\nt.start()"))
        kept.result = type(kept.result)()
        must(kept.is_retired(), "no more cells")
        equal((kept.result.status, kept.result.exit_code), ("exited", 5), "how it ended")


def test_what_a_cell_left_behind_may_not_compute_for_ever():
    """Between two cells: as long as a cell may, or if that is not limited, as the longest one could."""
    for limits in ({"wall_ms": 1000}, {"wall_ms": 20000, "cpu_ms": 300}):
        with Kept() as kept:
            # The first cell of an interpreter imports what it needs, which may take longer.
            answers(kept.one("import os"))
            answers(kept.one("import os\nif os.fork() == 0:\n    os.setsid()\n    while True: pass", **limits))
            kept.result = type(kept.result)()
            must(kept.is_retired(), "no more cells")
            equal((kept.result.status, kept.result.cause), ("timed-out", "cpu"), "how it ended")


def test_what_computes_between_cells_is_not_the_next_ones():
    with Kept() as kept:
        answers(kept.one("import os, time\ndef burn(s):\n    while time.process_time() < s: pass\n"
                         "r, w = os.pipe()\nchild = os.fork()\nif child == 0: burn(0.3); os._exit(os.write(w, b'x') - 1)"))
        result = kept.one("os.read(r, 1), os.waitpid(child, 0)[1]", cpu_ms=5000)
        answers(result, "(b'x', 0)")


def test_output_belongs_to_its_cell():
    with Kept() as kept:
        for number in range(20):
            answers(kept.one(f"print('{number}' * 3000)\nimport sys\nprint('e', file=sys.stderr)"),
                    stdout=f"{number}" * 3000 + "\n")
            equal(kept.result.stderr, b"e\n", "errors")
        size = 5 * MIB
        result = kept.one(f"import sys\nsys.stdout.write('x' * {size})\nNone")
        answers(result, stdout="x" * size)
        equal(result.stdout_bytes, size, "bytes that were counted")


def test_what_a_child_writes_later_belongs_to_the_next_cell():
    with Kept() as kept:
        answers(kept.one("import os, sys\nr, w = os.pipe()\nchild = os.fork()\n"
                         "if child == 0:\n    os.read(r, 1); os.write(1, b'late'); os._exit(0)\n"))
        result = kept.one("os.write(w, b'x'); os.waitpid(child, 0)[1]")
        answers(result, "0", "late")


def test_limits_of_the_session_hold():
    with Kept(memory=128 * MIB) as kept:
        answers(kept.one("a = bytearray(40 << 20)\nNone"))
        result = kept.one("b = bytearray(60 << 20)\nc = bytearray(60 << 20)")
        equal(result.status, "memory", f"how it ended: {result} {result.answer}")
        if result.answer is not None:
            equal(result.answer["error_type"], "MemoryError", "error")
            answers(kept.one("1"), "1")
    with Kept(memory=128 * MIB, processes=20) as kept:
        result = kept.one("import os, time\nfor i in range(8):\n if os.fork() == 0:\n"
                          "  time.sleep(0.3); b = bytearray(40 << 20); time.sleep(100)\n")
        kept.result = type(result)()
        must(kept.is_retired(), "what cells left behind is limited between them as well")
        equal(kept.result.status, "memory", "how it ended")
    with Kept(output=100000) as kept:
        ended(kept.one("print('x' * 90000)"), "exited")
        ended(kept.one("print('x' * 90000)"), "exited")
        ended(kept.one("print('x' * 110000)"), "output-limit")
        must(kept.is_retired(), "no more cells")


def test_attempts_and_times_are_those_of_a_cell():
    with Kept() as kept:
        first = kept.one("open('/etc/shadow')")
        must(any(attempt.object == "/etc/shadow" for attempt in first.attempts.values()), f"{first.attempts}")
        second = kept.one("import os\ntry: os.mkdir('/usr/x')\nexcept OSError as e: pass")
        must(not any(attempt.object == "/etc/shadow" for attempt in second.attempts.values()), "the first cell's")
        must(any("/usr/x" in attempt.object for attempt in second.attempts.values()), f"{second.attempts}")
        kept.one("import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass")
        used = kept.result.user_us + kept.result.system_us
        must(400000 < used, f"it used {used} us")
        kept.one("1")
        used = kept.result.user_us + kept.result.system_us
        must(used < 400000, f"the next one used {used} us, as if the time of the first were its own")
        equal(sorted(kept.result.attempts), [], "attempts of a cell that tries nothing")


def test_files_are_told_once():
    with Kept(flags=wire.COLLECT) as kept:
        first = kept.one("open('a', 'w').write('one')\nopen('b', 'w').write('two')", files=[("sent", b"data")])
        equal(sorted((name, file.content, file.is_changed) for name, file in first.files.items()),
              [(b"a", b"one", False), (b"b", b"two", False)], "files of the first cell")
        equal(kept.one("None").files, {}, "files of a cell that writes none")
        second = kept.one("import os\nopen('a', 'a').write('more')\nos.unlink('b')\nopen('sent').read()")
        equal(sorted((name, file.content, file.is_changed) for name, file in second.files.items()),
              [(b"a", b"onemore", True)], "files of the next")
        equal(second.answer["value"], "'data'", "value")


def test_new_files_are_told_however_many_there_were():
    """Each cell has room for its own, whatever earlier ones have left or deleted."""
    def made(kept, *ranges):
        code = "".join(f"for n in range({first}, {end}): open(f'{{n:05}}', 'w').close()\n" for first, end in ranges)
        result = kept.one(code or "None")
        return sorted(int(name) for name in result.files), result.files_missing[0]

    with Kept(flags=wire.COLLECT, disk=64 * wire.MIB) as kept:
        equal(made(kept, (0, 1500)), (list(range(1500)), 0), "the first cell's")
        equal(made(kept, (1500, 2500)), (list(range(1500, 2500)), 0), "those of one that goes beyond the list")
        equal(made(kept, (2500, 2503)), ([2500, 2501, 2502], 0), "those after it")
        equal(made(kept), ([], 0), "those of a cell that writes none")
        changed = kept.one("open('00001', 'w').write('x')\nopen('02501', 'w').write('x')").files
        equal({name: file.is_changed for name, file in changed.items()}, {b"00001": True, b"02501": True}, "changed ones")
        told, left_out = made(kept, (3000, 5005))
        equal((len(told), min(told) >= 3000, left_out), (2000, True, 5), "more than one cell may have")
        kept.one("import os\nfor name in os.listdir(): os.unlink(name)")
        equal(made(kept, (6000, 6002)), ([6000, 6001], 0), "those after all others are gone")


def test_calls_are_answered():
    declared = message(SETUP, b'[{"do": "declare", "name": "ask", "parameters": "prompt, times=1", "doc": "Asks."}]')
    with Kept() as kept:
        kept.begin(code="ask('why', times=2) + 1", before=declared)
        call = kept.wait_for_call("ask")
        equal(call["arguments"], {"prompt": "why", "times": 2}, "arguments")
        kept.reply(call["call"] + 7, value=1)
        kept.reply(call["call"], value=41)
        answers(kept.end(), "42")
        kept.begin(code="try:\n ask('x')\nexcept RuntimeError as error:\n print(error)")
        kept.reply(kept.wait_for_call("ask")["call"], error="no answer today")
        answers(kept.end(), stdout="no answer today\n")
        kept.reply(1, value=1)
        raises(kept.one("ask()"), "TypeError: ask() missing 1 required positional argument: 'prompt'")
        # Waiting for a reply takes none of its time.
        kept.begin(code="ask(1)", wall_ms=2000)
        number = kept.wait_for_call("ask")["call"]
        time.sleep(3)
        kept.reply(number, value=5)
        answers(kept.end(), "5")
        kept.begin(code="ask(1)\nimport time\ntime.sleep(100)", wall_ms=2000)
        kept.reply(kept.wait_for_call("ask")["call"], value=5)
        ended(kept.end(), "timed-out", "wall", exit_code=0)
        kept.begin(code="ask(1)", wall_ms=2000)
        kept.wait_for_call("ask")
        kept.stop()
        ended(kept.end(), "stopped", exit_code=0)
        equal(kept.result.answer["error"], "KeyboardInterrupt", "error")
        kept.begin(code="len(ask('x' * 3000000))")
        call = kept.wait_for_call("ask")
        equal(len(call["arguments"]["prompt"]), 3000000, "length of the argument")
        text = b'{"value": "' + b"y" * 3000000 + b'"}'
        for at in range(0, len(text), 200000):
            piece = text[at:at + 200000]
            kept.send(wire.frame(wire.REPLY, bytes([7]) + struct.pack("<IB", call["call"], at + 200000 < len(text)) + piece))
        answers(kept.end(), "3000000")


def test_nothing_outlives_the_backend():
    for code in (None, "import os, time\nos.fork()\ntime.sleep(1000)"):
        kept = Kept(MARK, flags=wire.COLLECT)
        answers(kept.one("import subprocess\nsubprocess.Popen(['/bin/sleep', '1000'])\nNone"))
        if code is not None:
            kept.begin(code=code)
            kept.wait_until(lambda result: result.started)
        must(processes_of(MARK), "it is there")
        kept.socket.close()
        equal(kept.process.wait(PATIENCE), 0, "exit status of the runner")
        equal(kept.process.communicate()[1], b"", "what it said")
        equal(processes_of(MARK), [], "what is left")


def test_a_backend_may_go_while_files_are_sent():
    """It broke no rule by that, which the runner would complain of."""
    kept = Kept(flags=wire.COLLECT)
    # More than a socket holds, so that the sender has to wait for the backend.
    kept.begin(code="open('large', 'wb').write(bytes(16 << 20))")
    kept.wait_until(lambda result: result.files)
    kept.socket.close()
    equal(kept.process.wait(PATIENCE), 0, "exit status of the runner")
    equal(kept.process.communicate()[1], b"", "what it said")


def test_rules_of_the_conversation():
    for case in ("no limits", "a second run", "time without its guard"):
        with Kept(without=("time",) if case == "time without its guard" else ()) as kept:
            if case == "no limits":
                kept.run((), b"", b"")
            elif case == "a second run":
                kept.begin(code="import time; time.sleep(100)")
                kept.begin(code="1")
            else:
                kept.begin(code="1", wall_ms=100)
            while kept.step():
                pass
            equal(kept.process.wait(PATIENCE), 1, f"exit status of the runner: {case}")


if __name__ == "__main__":
    sys.exit(main(__name__))
