# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells that attack the conversation of their kept sandbox: what is told stays bounded and true, and the runner ends well."""

import resource
import sys

from kept import ANSWER, ATTEMPT, CALL, GUARDS, MORE, REPLY, SETUP, Kept, message
from sandboxed import ended, main, times
from tap import PATIENCE, equal, must

# The descriptor of the guest channel, and a message on it.
CHANNEL = f"""
import os, stat, struct
channel = [fd for fd in range(3, 300) if os.path.exists(f'/proc/self/fd/{{fd}}')
           and os.readlink(f'/proc/self/fd/{{fd}}').startswith('socket:')][0]
def say(kind, number, data):
    body = bytes([kind]) + struct.pack('<I', number) + data
    whole = struct.pack('<I', len(body)) + body
    while whole:
        whole = whole[os.write(channel, whole):]
ATTEMPT, CALL, MORE, ANSWER, REPLY = {ATTEMPT}, {CALL}, {MORE}, {ANSWER}, {REPLY}
"""


def begun(**limits):
    kept = Kept(**limits)
    ended(kept.one(CHANNEL), "exited")
    return kept


def is_well(kept):
    """The next cell is run and told as if nothing had been."""
    result = kept.one("print('well', flush=True)\n6 * 7")
    ended(result, "exited", exit_code=0)
    equal((result.answer["value"], result.stdout), ("42", b"well\n"), "what the next cell answers")
    equal(result.answer["cell"], kept.number, "its number")


def is_ended(kept, status="violation", cause="channel"):
    result = kept.end()
    ended(result, status, cause)
    must(kept.is_retired(), "no more cells")
    equal(kept.process.wait(PATIENCE), 0, "exit status of the runner")


def test_a_forged_answer_ends_its_own_cell():
    with begun() as kept:
        kept.begin(code="say(ANSWER, 2, b'{\"success\": true, \"value\": \"forged\"}')\nimport time; time.sleep(0.5)\n'late'")
        equal(kept.end().answer["value"], "forged", "the program says about itself what it wants")
        is_well(kept)


def test_answers_of_other_cells_are_ignored():
    with begun() as kept:
        for number in (0, 1, 3, 0xffffffff):
            kept.begin(code=f"say(ANSWER, {number}, b'{{}}')\nsay(CALL, {number}, b'{{}}')\n{number}")
            result = kept.end()
            equal((result.answer["value"], result.call), (str(number), None), "what is told") \
                if number != kept.number else None
            must(result.finished, str(result))
        is_well(kept)


def test_a_fork_answers_as_well():
    with begun() as kept:
        kept.one("if os.fork() == 0:\n for n in (1, 3, 4, 5, 6, 2):\n  say(ANSWER, n, b'{}')\n os._exit(0)\nos.wait()[1]")
        is_well(kept)
        kept.one("if os.fork() == 0:\n raise SystemExit\nNone")
        is_well(kept)
        equal(kept.one("import time; time.sleep(0.2)\nos.waitpid(-1, os.WNOHANG) and None").status, "exited", "end")


def test_what_is_said_between_cells_is_dropped():
    with begun() as kept:
        kept.one("import threading, time\ndef forge():\n time.sleep(0.2)\n for n in range(1, 9):\n"
                 "  say(ANSWER, n, b'{\"value\": \"forged\"}')\n"
                 "threading.Thread(target=forge).start()")
        kept.socket.settimeout(0.6)
        try:
            must(not kept.socket.recv(1), "nothing is told between cells")
        except TimeoutError:
            pass
        is_well(kept)


def test_a_broken_channel_ends_the_session():
    for what in ("os.write(channel, bytes(4))", "os.write(channel, b'\\xff' * 4)",
                 "os.write(channel, struct.pack('<I', 65537) + b'x')",
                 "os.close(channel)\nimport time; time.sleep(100)",
                 "import socket\ns = socket.socket(fileno=channel); s.shutdown(socket.SHUT_RDWR)\nimport time; time.sleep(100)"):
        with begun() as kept:
            kept.begin(code=what + "\nwhile True: pass")
            is_ended(kept)


def test_a_flood_is_bounded():
    for code in ("while True: say(CALL, 2, bytes(60000))", "while True: say(MORE, 2, bytes(60000))",
                 "while True: say(ATTEMPT, 0, bytes(60000))", "while True: say(REPLY, 2, bytes(60000))",
                 "while True: os.write(channel, b'\\1\\0\\0\\0\\x63' * 10000)",
                 "os.write(channel, struct.pack('<I', 1 << 30))\nwhile True: os.write(channel, bytes(65536))"):
        with begun() as kept:
            kept.begin(code=code)
            is_ended(kept)
            must(sum(map(len, kept.result.guest)) < 40 << 20, "what was told is bounded")
    with begun() as kept:
        kept.begin(code="while True: say(ATTEMPT, 0, b'x')", wall_ms=500)
        ended(kept.end(), "timed-out", "wall")
        must(sum(map(len, kept.result.guest)) < 100000, "what was told is bounded")
        is_well(kept)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    must(peak < 100 << 10, f"a runner used {peak} KiB")


def test_a_call_does_not_stop_the_clock_for_what_computes():
    for code in ("import threading\nthreading.Thread(target=ask, daemon=True).start()\nwhile True: pass",
                 "say(CALL, 2, b'no JSON')\nwhile True: pass",
                 "while True:\n say(CALL, 2, b'{}')\n for _ in range(100000): pass"):
        with Kept() as kept:
            ended(kept.one(CHANNEL, before=message(SETUP, b'[{"do": "declare", "name": "ask"}]')), "exited")
            kept.begin(code=code, wall_ms=200)
            ended(kept.end(), "timed-out", "wall")
            is_well(kept)


def test_a_thread_that_calls_does_not_take_the_next_cell():
    with Kept() as kept:
        ended(kept.one(CHANNEL, before=message(SETUP, b'[{"do": "declare", "name": "ask", "parameters": "n"}]')), "exited")
        kept.begin(code="import threading\nseen = []\ndef call():\n try: ask(1)\n except RuntimeError as error: seen.append(str(error))\n"
                        "thread = threading.Thread(target=call)\nthread.start()\nwhile not thread.is_alive(): pass")
        kept.wait_until(lambda result: result.finished)
        for _ in times(8, 40):
            is_well(kept)
        equal(kept.one("thread.join()\nseen").answer["value"], "['the cell has ended']", "what the thread was told")


def test_answers_and_calls_in_pieces_do_not_mix():
    """Whatever threads and reports write meanwhile."""
    with Kept() as kept:
        setup = message(GUARDS, b"report") + message(SETUP, b'[{"do": "declare", "name": "ask", "parameters": "n"}]')
        ended(kept.one(CHANNEL, before=setup), "exited")
        for _ in times(2, 10):
            kept.begin(code="import threading\ndef call():\n try: ask('x' * 1000000)\n except RuntimeError: pass\n"
                            "def look():\n for _ in range(300): os.listdir('.')\n"
                            "for f in (call, look): threading.Thread(target=f).start()\n'y' * 60000")
            result = kept.end()
            equal(result.answer["value_length"], 60002, "the value")
            must(result.call is None or result.call["arguments"] == {"n": "x" * 1000000}, "the call")
        is_well(kept)


def test_the_end_of_an_interpreter_is_told_as_it_is():
    """Whatever the program does at its exit, or when it is collected."""
    for code in ("import atexit; atexit.register(os._exit, 0); raise SystemExit(3)", "import atexit; atexit.register(say, ANSWER, 3, b'{}')\n1",
                 "class A:\n def __del__(self): say(ANSWER, 3, b'{\"value\": \"forged\"}')\na = A()\na.a = a\ndel a\nNone",
                 "import gc, weakref\ngc.set_threshold(1)\nclass A: pass\na = A()\nf = weakref.finalize(a, os.close, channel)\n1"):
        with begun() as kept:
            must(kept.one(code).answer is not None, code)
            result = kept.one("import gc; gc.collect()\n6 * 7")
            must(result.status == "violation" or result.answer["value"] in ("42", "forged"), f"{code}: {result} {result.answer}")
            if result.status == "exited":
                is_well(kept)
    with begun() as kept:
        result = kept.one("os._exit(7)")
        ended(result, "exited", exit_code=7)
        must(result.answer is None and kept.is_retired(), "no more cells")


def test_half_a_message_does_not_hold_up_the_next():
    with begun() as kept:
        kept.begin(code="os.write(channel, struct.pack('<I', 60000))", wall_ms=500)
        result = kept.end()
        must(result.status in ("timed-out", "violation", "exited"), str(result))


def test_a_cell_that_reads_its_channel_harms_itself():
    with begun() as kept:
        kept.begin(code="def thief():\n while True: os.read(channel, 65536)\n"
                        "import threading; threading.Thread(target=thief, daemon=True).start()")
        kept.end()
        kept.begin(code="1", wall_ms=500)
        result = kept.end()
        must(result.status in ("timed-out", "exited", "violation"), str(result))


def test_replacing_what_reports_use():
    breakages = (
        "import sys; sys.stdout = None; sys.stderr = 7",
        "import sys; sys.displayhook = sys.excepthook = None",
        "import builtins\nfor n in ('len', 'repr', 'isinstance', 'type', 'print', 'str', 'int', 'min', 'bytes', 'range', 'BaseException',"
        " 'memoryview', 'enumerate', 'set', 'dict', 'list', 'eval', 'exec', 'compile', 'getattr', 'hasattr', 'KeyboardInterrupt'):\n"
        " setattr(builtins, n, None)",
        "import sys, json; json.dumps = json.loads = None; sys.modules['json'] = None",
        "import linecache, traceback; linecache.getline = traceback.format_exception = traceback.TracebackException = None",
        "import posix, time, select; posix.write = posix.read = time.monotonic = None; select.poll = None",
        "import _signal as s; s.signal(s.SIGINT, s.SIG_IGN); s.setitimer(s.ITIMER_REAL, 1000); s.pthread_sigmask(0, range(1, 64))",
        "import sys; sys.settrace(lambda *a: None); sys.setrecursionlimit(60); sys.modules.clear()",
        "import gc, sys; sys.getsizeof = None; gc.disable(); sys.path = None; sys.meta_path = None",
        "globals().clear()",
    )
    # One interpreter for each, because what it breaks stays.
    for code in breakages:
        with begun() as kept:
            result = kept.one(code)
            must(result.answer is not None and result.answer["success"], f"{code}: {result} {result.answer}")
            result = kept.one("6 * 7")
            must(result.answer is not None and result.answer.get("value") == "42", f"{code}: {result} {result.answer}")
            result = kept.one("1 / 0")
            must(result.answer["error"].startswith("ZeroDivisionError"), f"{code}: {result} {result.answer}")
            equal(kept.one("x = [1]").answer["variables"][0]["repr"], "[1]", f"a variable after {code}")


def test_values_that_fight_back():
    with begun() as kept:
        result = kept.one("class A:\n def __repr__(self): raise SystemExit\nclass B:\n def __repr__(self):\n  while True: pass\n"
                          "class C:\n def __repr__(self): return 5\nclass D:\n @property\n def __class__(self): raise ValueError\n"
                          "class M(type):\n @property\n def __name__(self): raise ValueError\nclass E(metaclass=M): pass\n"
                          "class F:\n def __len__(self): os._exit(1) if False else 1 / 0\n shape = 7\n"
                          "a, b, c, d, e, f = A(), B(), C(), D(), E(), F()\ng = {}; g[0] = g\nh = 10 ** 100000\ni = ['x' * 1000] * 100000\nb")
        rows = {row["name"]: row["repr"] for row in result.answer["variables"]}
        equal([rows[name] for name in "abc"], ["<unrepresentable>"] * 3, "their texts")
        must(len(rows["i"]) == 503 and rows["g"] == "{0: {...}}", f"{rows}")
        equal(result.answer["value"], "<unrepresentable: TimeoutError: it took too long>", "value")
        for code, reason in (("a", "SystemExit"), ("c", "TypeError: __repr__ returned non-string (type int)"),
                             ("class X(Exception):\n def __str__(self): return self\nclass Y:\n def __repr__(self): raise X\nY()", "X"),
                             ("class Z:\n def __repr__(self): raise ValueError('z' * 999 + '\\n')\nZ()", "ValueError: " + "z" * 188)):
            equal(kept.one(code).answer["value"], f"<unrepresentable: {reason}>", "why")
        is_well(kept)


def test_output_goes_on_behind_the_answer():
    with begun() as kept:
        result = kept.one("import threading\ndef flood():\n while True: os.write(1, b'x' * 4096)\n"
                          "threading.Thread(target=flood, daemon=True).start()\nNone")
        ended(result, "exited")
        must(len(result.stdout) < 64 << 20, "the end of the cell came")
        ended(kept.one("1"), "exited")


def test_a_thief_of_output_does_not_hold_up_the_end():
    with begun() as kept:
        result = kept.one("import threading\npipe = os.open('/proc/self/fd/1', os.O_RDONLY)\ndef steal():\n"
                          " while True: os.read(pipe, 4096)\nthreading.Thread(target=steal, daemon=True).start()\n"
                          "print('x' * 100000)")
        must(result.finished, str(result))


if __name__ == "__main__":
    sys.exit(main(__name__))
