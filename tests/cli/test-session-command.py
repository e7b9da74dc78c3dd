# SPDX-License-Identifier: GPL-3.0-or-later
"""`fumehoodctl session` with the real runner: what goes in, what comes out, and that both are as its schema says."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from leftovers import descendants
from session_client import CTL, PLACE, Session, works
from tap import PATIENCE, Tap, equal, must, until

LOST = b"fumehoodctl: This ended before the history had kept everything: runs or sessions may be missing there.\n"


def the_example():
    with Session() as session:
        session.run("x = 41")
        answer = session.run("x + 1", timeout=60)
        works(answer, "42")
        equal((answer["value_json"], answer["stderr"], answer["locals_snapshot"]), (42, "", {}), "the rest")
        must(0 <= answer["execution_time"] < 60, "its time")


# The cases of OpenEnv's own tests, by their numbers.
def state_of_a_session():
    with Session() as session:
        works(session.run("x = 10"))                                                        # I1
        works(session.run("y = x * 2\ny"), "20")
        listed = session.ask(type="list_variables")                                         # I4
        equal([(row["name"], row["repr"]) for row in listed["variables"]], [("x", "10"), ("y", "20")], "variables")
        snapshot = session.run("s = 'y' * 2000")["locals_snapshot"]["s"]                    # I5
        equal((len(snapshot), snapshot[-3:]), (503, "..."), "a long text")
        equal(session.run("x = 11")["locals_snapshot"], {"x": "11"}, "a changed variable")  # I6
        equal(session.run("class A:\n def __repr__(self): raise ValueError\na = A()")["locals_snapshot"],
              {"a": "<unrepresentable>"}, "a text that raises")                             # I8
        answer = session.run("{'a': [1, 2]}")                                               # I10
        works(answer, "{'a': [1, 2]}")
        equal(answer["value_json"], {"a": [1, 2]}, "JSON of a value")
        equal(session.ask(type="reset")["type"], "done", "reset")
        equal(session.run("x")["error"], "NameError: name 'x' is not defined", "after a reset")  # I2, I9


def contexts_and_variables():
    with Session() as session:
        equal(session.ask(type="set_context", value="Hello World")["type"], "done", "context")
        works(session.run("len(context)"), "11")                                            # I3
        session.ask(type="set_variable", name="n", value={"k": [1, None, "ä", 2.5]})
        works(session.run("n['k'][2]"), "'ä'")
        equal(session.ask(type="get_variable", name="n")["value_json"], {"k": [1, None, "ä", 2.5]}, "the variable")
        session.run("text = 'abcdefghij'")
        page = session.ask(type="get_variable", name="text", offset=3, limit=4)
        equal(page["value"], "cdef", "a page of its text")
        equal(session.ask(type="get_variable", name="missing")["found"], False, "a missing one")
        session.ask(type="reset")
        works(session.run("context"), "'Hello World'")
        equal(session.ask(type="get_variable", name="n")["found"], False, "a variable after a reset")
        equal(session.ask(type="set_variable", name="1x", value=1)["type"], "error", "a bad name")
        big = "z" * (3 << 20)
        session.ask(type="set_context", name="big", value=big)
        works(session.run("len(big)"), str(len(big)))


def lines_for_a_notebook():
    """They run in the same sandbox, are told, and fail one by one."""
    with Session() as session:
        answer = session.run("%matplotlib inline\nn = 4\n!echo {n} > kept.txt")
        works(answer)
        equal(answer["repairs"], ["Lines for a notebook that were run as what they mean there: 3",
                                  "Lines for a notebook that mean nothing here and were left out: 1"], "what is told")
        answer = session.run("!cat kept.txt; id -u >&2\n!exit 3")
        equal((answer["success"], answer["stdout"], answer["stderr"]), (True, "4\n", session.run("import os\nos.getuid()")["value"] + "\n"), "a shell")
        works(session.run("names = !ls /workspace\n'kept.txt' in names"), "True")
        answer = session.run("x = 1\n%frobnicate\n")
        equal((answer["success"], answer["error"]), (False, "SyntaxError: %frobnicate is a command of notebooks that is not known here"),
              "what is not known")
        must('line 2' in answer["exception"] and answer["repairs"] == [], str(answer))
        answer = session.run("%%bash\necho one\nexit 5")
        must(not answer["success"] and answer["stdout"] == "one\n" and "exit status 5" in answer["error"], str(answer))
        works(session.run("print('%pip', '!ls')"), None, "%pip !ls\n")
        equal(session.run("1 +")["error"], "SyntaxError: invalid syntax", "Python's own errors")
    with Session() as session:
        works(session.run("import os\nopened = []\ntry:\n    while True: opened.append(os.open('/dev/null', os.O_RDONLY))\n"
                          "except OSError: pass"))
        equal(session.run("1 +")["error"], "SyntaxError: invalid syntax", "where no file can be opened")


def functions():
    with Session() as session:
        session.ask(type="declare_function", name="llm_query", parameters="prompt, model=None", doc="Asks.")
        session.ask(type="declare_function", name="double", source="def double(n):\n    return 2 * n")
        works(session.run("double(5)"), "10")                                               # I7
        for _ in range(2):
            session.say(type="execute", id=1, code="llm_query('why') + '!'")
            call = session.hear()
            equal((call["type"], call["name"], call["arguments"]), ("call", "llm_query", {"prompt": "why", "model": None}), "call")
            session.say(type="reply", id="r", call=call["call"] + 1, value="wrong")
            equal(session.hear()["type"], "error", "a reply to a call that was not made")
            session.say(type="reply", call=call["call"], value="because")
            works(session.hear(), "'because!'")
            session.ask(type="reset")
        works(session.run("llm_query.__doc__"), "'Asks.'")
        session.say(type="execute", id=2, code="llm_query('x')")
        session.say(type="reply", call=session.hear()["call"], error="busy")
        equal(session.hear()["error"], "RuntimeError: busy", "an error as reply")
        equal(session.ask(type="declare_function", name="f", parameters="): pass\ndef g(")["type"], "error", "bad parameters")
        session.ask(type="declare_function", name="FINAL")
        session.ask(type="declare_function", name="FINAL_VAR")
        equal(session.run("print('FINAL(no)')")["final"], None, "printed text ends nothing")
        equal(session.run("x = [1]\nFINAL_VAR('x')")["final"], "[1]", "final")
    with Session() as session:
        equal(session.run("answer = {'ready': True, 'content': 'forty-two'}")["final"], "forty-two", "final")
    with Session() as session:
        session.ask(type="declare_function", name="ask")
        session.say(type="execute", id=1, code="ask()")
        session.hear()
        session.process.stdin.close()
        must("closed" in session.hear()["error"], "a call at the end")


def questions_in_a_call():
    with Session() as session:
        session.ask(type="declare_function", name="look", parameters="")
        session.run("x, made = (1, 2), None")
        for code in ("look()\nmade", "import threading\nthread = threading.Thread(target=look)\nthread.start()\nthread.join()\nmade"):
            session.say(type="execute", id=1, code=code)
            call = session.hear()
            equal(call["type"], "call", "what the cell says")
            equal(session.ask(type="get_variable", name="x")["value"], "(1, 2)", "a variable")
            equal(session.ask(type="get_variable", name="absent")["found"], False, "a variable that is not there")
            must("x" in [row["name"] for row in session.ask(type="list_variables")["variables"]], "variables")
            equal(session.ask(type="set_variable", name="made", value=code)["type"], "done", "a variable that is set")
            equal(session.ask(type="set_context", value="text")["type"], "done", "a context")
            equal(session.ask(type="declare_function", name="bad", parameters="(")["type"], "error", "a function that is none")
            for kind in ({"type": "execute", "code": "1"}, {"type": "reset"}):
                equal(session.ask(**kind)["type"], "error", "what would wait for ever")
            session.say(type="get_variable", id="a", name="made")
            session.say(type="list_variables", id="b")
            session.say(type="reply", call=call["call"], value=None)
            equal([session.hear()["id"] for _ in range(2)], ["a", "b"], "what was asked before the reply")
            works(session.hear(), repr(code))
        session.ask(type="reset")
        works(session.run("context"), "'text'")


def cells_that_end_in_a_call():
    with Session() as session:
        session.ask(type="declare_function", name="look", parameters="")
        session.run("class Slow:\n def __repr__(self):\n  import os\n  os._exit(3)\nx = None")
        session.say(type="execute", id=1, code="x = Slow()\nlook()")
        call = session.hear()
        session.say(type="get_variable", id=2, name="x")
        session.say(type="reply", id=3, call=call["call"], value=None)
        answers = {answer["id"]: answer for answer in (session.hear(), session.hear())}
        equal((answers[2]["type"], answers[1]["session_ended"]), ("error", True), "what is told")
        # A text of a value that calls has to wait for the call that it would answer.
        session.run("class Calls:\n def __repr__(self): return str(look())\nx = None")
        session.say(type="execute", id=4, code="x = Calls()\ntry:\n look()\nfinally:\n x = None")
        call = session.hear()
        text = session.ask(type="get_variable", name="x")["value"]
        must(text.startswith("<unrepresentable: RuntimeError: look cannot be called"), text)
        session.say(type="reply", call=call["call"], value=None)
        works(session.hear())
        session.say(type="execute", id=5, code="look()")
        session.hear()
        session.say(type="interrupt", id=6)
        equal([session.hear()["id"], session.hear()["status"]], [6, "stopped"], "an interrupt in a call")


def assigned_values():
    with Session() as session:
        for code, value in (("x = 3", "3"), ("x += 1", "4"), ("y: int = x + 1", "5"), ("a = b = 'c'", "'c'"), ("z = None", None),
                            ("d = {}\nd['k'] = 1", None), ("a, b = 1, 2", None), ("w: int", None), ("x", "4"), ("x = 5; pass", None),
                            ("for i in [1]:\n    x = 6", None), ("import math", None), ("x = 7\ndel x", None)):
            equal(session.ask(type="execute", code=code, assigned=True)["value"], value, code)
        equal(session.ask(type="execute", code="x = 8")["value"], None, "unless it was asked for")
        session.line(b'{"type": "execute", "code": "x = 8", "assigned": 1}')
        equal(session.hear()["type"], "error", "a member that is no boolean")


def values_with_tags():
    values = (("(1, 'a')", {"$": "tuple", "of": [1, "a"]}), ("{3}", {"$": "set", "of": [3]}),
              ("[frozenset({2}), b'ab']", [{"$": "frozenset", "of": [2]}, {"$": "bytes", "of": "6162"}]),
              ("{1: 2, (3,): None}", {"$": "dict", "of": [[1, 2], [{"$": "tuple", "of": [3]}, None]]}),
              ("{'$': 1}", {"$": "dict", "of": [["$", 1]]}), ("1 << 70", {"$": "int", "of": "400000000000000000"}),
              ("[-float('inf')]", [{"$": "float", "of": "-inf"}]), ("1 + 2j", {"$": "complex", "of": [1.0, 2.0]}),
              ("'a\\0'", {"$": "str", "of": "6100"}), ("{'a': [1.5, True]}", None), ("object", None), ("(object,)", None))
    with Session() as session:
        session.ask(type="declare_function", name="same", parameters="value", tagged=True)
        for code, form in values:
            answer = session.run(code)
            equal(answer["value_tagged"], form, code)
            if form is None:
                continue
            session.ask(type="set_variable", name="x", value=form, tagged=True)
            equal(session.run("x")["value"], answer["value"], f"{code} that was set")
            session.say(type="execute", id=1, code=f"same({code}) == {code}")
            call = session.hear()
            equal(call["arguments"], {"value": form}, "arguments")
            session.say(type="reply", call=call["call"], value=call["arguments"]["value"])
            works(session.hear(), "True")
        equal(session.ask(type="set_variable", name="x", value={"$": "os.system", "of": "id"}, tagged=True)["type"], "error",
              "a type that is not known")
        equal(session.run("{n: n for n in range(20000)}")["value_tagged"], None, "a value that is too long")


def a_function_that_ends_its_cell():
    with Session() as session:
        session.ask(type="declare_function", name="FINAL", parameters="value", ends=True)
        session.say(type="execute", id=1, code="try:\n FINAL(6)\nexcept Exception:\n print('caught')\nfinally:\n print('last')\n"
                                               "print('after')")
        call = session.hear()
        equal((call["name"], call["arguments"]), ("FINAL", {"value": 6}), "a function of the caller's that is called FINAL")
        session.say(type="reply", call=call["call"], value=None)
        works(session.hear(), None, "last\n")
        session.say(type="execute", id=1, code="FINAL(6)")
        session.say(type="reply", call=session.hear()["call"], error="no")
        equal(session.hear()["error"], "RuntimeError: no", "a call that is refused")


def functions_are_described():
    with Session() as session:
        session.ask(type="declare_function", name="ask", parameters="prompt, model=None", doc="Asks.\nMore.")
        session.run("def own(a: int, *, b=2) -> str: 'Own.'\nclass Bad:\n def __call__(self): pass\nbad = Bad().__call__\nmaximum = max")
        rows = {row["name"]: row for row in session.ask(type="list_variables", all=True)["variables"]}
        equal([(rows[name]["signature"], rows[name]["doc"]) for name in ("ask", "own")],
              [("(prompt, model=None)", "Asks."), ("(a: int, *, b=2) -> str", "Own.")], "functions")
        equal(rows["maximum"]["signature"], None, "one that does not say")


def real_python():
    cases = (
        ("for i in range(2): pass\nelse: print('else')", None, "else\n"),
        ("fs = [lambda: i for i in range(3)]\n[f() for f in fs]", "[2, 2, 2]", ""),
        ("print(f'{1!r}', end='', sep='-')\na, *b = 1, 2, 3\n{**{'b': b}}", "{'b': [2, 3]}", "1"),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n x: int = 3\nP()", "P(x=3)", ""),
        ("import asyncio\nasync def f():\n await asyncio.sleep(0.01)\n return 7\nawait f()", "7", ""),
        ("(lambda: (yield))\n(n := 4) + n", "8", ""),
        ("None", None, ""),
        ("import sys; sys.exit(0)", None, ""),
    )
    with Session() as session:
        for code, value, stdout in cases:
            works(session.run(code), value, stdout)
        answer = session.run("def f():\n    return 1 / 0\nprint('first')\nf()")
        equal(answer["exception"].splitlines()[1:],
              ['  File "<cell 9>", line 4, in <module>', "    f()", '  File "<cell 9>", line 2, in f', "    return 1 / 0",
               "           ~~^~~", "ZeroDivisionError: division by zero"] if sys.version_info >= (3, 11) else
              answer["exception"].splitlines()[1:], "traceback")
        equal((answer["stdout"], answer["error"]), ("first\n", "ZeroDivisionError: division by zero"), "what was printed before")
        equal(session.run("f(")["error"].partition(":")[0], "SyntaxError", "error")
        equal(session.run("raise SystemExit(3)")["error"], "SystemExit: 3", "error")


def ends_of_cells():
    with Session() as session:
        session.run("x = 1")
        answer = session.run("import time; time.sleep(100)", timeout=0.3)
        must(answer["timeout"] and answer["error"] == answer["sentence"] and not answer["session_ended"], str(answer))
        equal(answer["exception"].splitlines()[-1], "KeyboardInterrupt", "where it was")
        works(session.run("x"), "1")
        session.say(type="execute", id=1, code="print('on', flush=True)\nwhile True: pass", events=["output"])
        said = ""
        while said != "on\n":
            said += session.hear()["data"]
        session.say(type="interrupt", id=2)
        equal([session.hear()["type"], session.hear()["status"]], ["done", "stopped"], "an interrupt")
        equal(session.ask(type="interrupt")["type"], "error", "nothing to interrupt")
        works(session.run("x"), "1")
        answer = session.run("import os; os._exit(5)")
        must(answer["session_ended"] and answer["exit_code"] == 5, str(answer))
        equal(session.run("x")["error"], "NameError: name 'x' is not defined", "a new interpreter")
        session.run("import threading, os\nthreading.Timer(0.2, os._exit, [1]).start()")
        answer = {"type": "result", "session_ended": False}
        while answer["type"] == "result" and not answer["session_ended"]:
            session.say(type="execute", id=3, code="1")
            answer = session.hear()
        if answer["type"] == "restarted":
            equal(session.hear()["value"], "1", "it is said that it is a new one")
        session.say(type="execute", id=4, code="open('/etc/shadow')", events=["attempt"])
        kinds = []
        while not kinds or kinds[-1] != "result":
            kinds.append(session.hear()["type"])
        must("attempt" in kinds, f"{kinds}")


def an_end_between_cells():
    """What a cell has left behind uses up the time of a cell: the next one says why it has a new interpreter."""
    with Session("--cpu-time=1") as session:
        session.run("import os")
        session.run("if os.fork() == 0:\n os.setsid()\n while True: pass")
        until(lambda: not descendants(session.process.pid), "the interpreter is still there")
        session.say(type="execute", id=1, code="1 / 0")
        told = session.hear()
        equal(told["type"], "restarted", "a new interpreter")
        must(told["reason"].endswith(" Stopped: the CPU time limit was reached."), str(told))
        equal(session.hear()["error"], "ZeroDivisionError: division by zero", "the cell")
        works(session.run("2"), "2")


SECRETLY = """
import os, threading
def steal():
    try: open('/home/ada/.aws/credentials')
    except OSError: pass
    {end}
threading.Timer(0.2, steal).start()
"""


def attempts_between_cells():
    """What a cell has left behind is told with the next one, whether or not its interpreter is still there then."""
    def is_told(answer):
        must("/home/ada/.aws/credentials" in [attempt["object"] for attempt in answer["attempts"]], str(answer["attempts"]))

    with Session() as session:
        session.run(SECRETLY.format(end="os._exit(3)"))
        until(lambda: not descendants(session.process.pid), "the interpreter is still there")
        session.say(type="execute", id=1, code="1")
        equal(session.hear()["type"], "restarted", "a new interpreter")
        is_told(session.hear())
    with Session() as session:
        session.run(SECRETLY.format(end="print('done', flush=True)"))
        session.say(type="execute", id=2, code="import time\nwhile threading.active_count() > 1: time.sleep(0.01)")
        is_told(session.hear())
    lines = json.dumps({"type": "execute", "id": 1, "code": "import atexit, os\ndef steal():\n try: open('/home/ada/.aws/credentials')\n"
                        " except OSError: pass\natexit.register(steal)"}) + "\n"
    answer = subprocess.run([CTL, "session", "--no-history"], input=lines.encode(), capture_output=True, timeout=PATIENCE, check=False)
    is_told(json.loads(answer.stdout.splitlines()[-1]))


def last_words():
    """What is registered with atexit runs when the session is closed, and not for ever."""
    def closed(code, *words):
        lines = json.dumps({"type": "execute", "id": 1, "code": "import atexit, os, time\n" + code}) + "\n"
        answer = subprocess.run([CTL, "session", "--no-history", *map(str, words)], input=lines.encode(), capture_output=True,
                                timeout=PATIENCE, check=False)
        equal((answer.returncode, answer.stderr), (0, b""), "exit status and stderr")
        return [json.loads(line) for line in answer.stdout.splitlines()][1:]

    with tempfile.TemporaryDirectory() as folder:
        (said,) = closed("atexit.register(print, 'bye')\natexit.register(lambda: open('bye.txt', 'w').close())",
                         "--save-files", folder)
        equal((said["type"], said["id"], said["stdout"], said["session_ended"]), ("result", None, "bye\n", True), "last words")
        equal(os.listdir(folder), ["bye.txt"], "files")
    with Session() as session:
        session.run("import atexit\natexit.register(print, 'bye')")
        session.say(type="reset", id=7)
        equal([session.hear()["stdout"], session.hear()["id"]], ["bye\n", 7], "before a reset")
    equal(closed("1"), [], "nothing to say")
    equal(closed("os._exit(3)"), [], "no interpreter is there")
    (said,) = closed("atexit.register(time.sleep, 600)")
    equal(said["status"], "timed-out", "one that does not end")


def limits_that_only_cut():
    with Session() as session:
        answer = session.run("print('a' + 'y' * 20000 + 'z')\n'v' * 30000")
        must(answer["success"], str(answer))
        must(len(answer["stdout"]) < 9000 and answer["stdout"].startswith("ay") and answer["stdout"].endswith("yz\n"), "head and tail")
        equal((answer["truncated"]["stdout"], answer["truncated"]["stdout_total"], answer["truncated"]["stderr"]),
              (True, 20003, False), "what is told about it")
        must(answer["truncated"]["value"] and len(answer["value"]) < 9000, "the value")
    with Session("--show-limit", "100") as session:
        must(len(session.run("print('y' * 20000)")["stdout"]) < 250, "the caller's limit")


PNG = "b'\\x89PNG\\r\\n\\x1a\\n' + b'x' * %d"


def pictures():
    with Session() as session:
        answer = session.run("class P:\n def _repr_png_(self): return " + PNG % 10 + "\n def __repr__(self): return 'a picture'\nP()")
        works(answer, "a picture")
        equal((answer["shown"], [file["path"] for file in answer["files"]]), (["cell-1-1.png"], ["cell-1-1.png"]), "files")
        equal(answer["files"][0]["size"], 18, "size of the file")
        for code, suffix in (("_repr_svg_(self): return '<svg/>'", "svg"), ("_repr_html_(self): return '<b>x</b>'", "html"),
                             ("_repr_jpeg_(self): return (b'x', {})", "jpg")):
            answer = session.run(f"class Q:\n def {code}\nQ()")
            equal([name.rpartition(".")[2] for name in answer["shown"]], [suffix], code)
        for code in ("_repr_png_(self): return 'text'", "_repr_png_(self): 1 / 0", "_repr_png_(self): raise SystemExit",
                     "_repr_png_(self): return " + PNG % (9 << 20), "__getattr__(self, name): return lambda *a, **k: self"):
            answer = session.run(f"class Q:\n def {code}\n def __repr__(self): return 'q'\nQ()")
            works(answer, "q")
            equal(answer["shown"], [], code)
        answer = session.run("class Q:\n def _repr_html_(self):\n  while True: pass\nQ()", timeout=0.3)
        must(answer["timeout"] and not answer["session_ended"], str(answer))
        # As matplotlib does.
        answer = session.run("""
import sys, types
class Figure:
    def savefig(self, file, format, **more): file.write(b'%s' % format.encode())
figures = {number: Figure() for number in range(1, 15)}
plot = types.ModuleType('matplotlib.pyplot')
plot.get_fignums, plot.figure = lambda: list(figures), lambda number: figures[number]
plot.close = lambda figure: None
sys.modules['matplotlib.pyplot'] = plot
print('drawn')
""")
        works(answer, None, "drawn\n")
        equal((len(answer["shown"]), answer["shown"][0][-6:]), (10, "-1.png"), "figures")
        session.run("del sys.modules['matplotlib.pyplot']")
        answer = session.run("display(P(), 'text', 7)\nprint('on')\ndisplay(P())\nP()")
        works(answer, "a picture", "a picture\n'text'\n7\non\na picture\n")
        equal([name.rpartition("-")[2] for name in answer["shown"]], ["1.png", "2.png", "3.png"], "files of what was displayed")
        equal(session.run("len([display(P()) for _ in range(12)])")["shown"][-1][-7:], "-10.png", "files of too many")
        equal(session.run("class Q:\n def __repr__(self): 1 / 0\ndisplay(Q())")["error"].partition(":")[0], "ZeroDivisionError",
              "a text that raises")
        equal(session.run("display = 5\ndisplay")["value"], "5", "a variable of that name")
        works(session.run("import os; os.chdir('/tmp'); P()"), "a picture")
        equal(len(session.run("P()")["shown"]), 1, "elsewhere")


def lines_that_are_none():
    with Session() as session:
        for line in (b"{", b"[]", b"7", b"\xff\xfe", b'{"type": 1}', b'{"type": "fly"}', b'{"type": "execute"}', b"[" * 10000,
                     b'{"type": "execute", "code": "1", "timeout": -1}', b'{"type": "execute", "code": "1", "timeout": "x"}',
                     b'{"type": "reply", "call": 1, "value": 1}', b'{"type": "set_variable", "name": "x"}',
                     b'{"type": "execute", "code": "' + b"x" * (33 << 20) + b'"}'):
            session.line(line)
            equal(session.hear()["type"], "error", f"answer to {line[:60]!r}")
        session.line(b"")
        works(session.run("6 * 7"), "42")


def values_that_cannot_be_used():
    with Session() as session:
        for number, value in enumerate((b'"1\\u0000"', b'"\\ud83c"', b"[" * 10000 + b"]" * 10000, b"1e999")):
            session.line(b'{"type": "execute", "code": ' + value + b', "id": [%d]}' % number)
            answer = session.hear()
            must(answer["type"] == "error" and answer["error"].startswith("A value cannot be used, at byte "), str(answer))
            equal(answer["id"], [number], "id")
        session.line(b'{"type": "execute", "code": "1", "id": {"x": "\\u0000"}}')
        equal(session.hear()["id"], None, "an id that cannot be used")
        works(session.run("6 * 7"), "42")


def after_the_close():
    """In one write with it: what comes too late is not run, and not left without an answer."""
    with Session() as session:
        orders = [{"type": "execute", "code": "6 * 7", "id": "early"}, {"type": "close"},
                  {"type": "execute", "code": "print('late')", "id": "late"}]
        session.process.stdin.write(b"".join(json.dumps(order).encode() + b"\n" for order in orders))
        session.process.stdin.flush()
        heard = {answer["id"]: answer for answer in (session.hear(), session.hear())}
        equal((heard["early"]["value"], heard["late"]["type"]), ("42", "error"), str(heard))


def a_session_is_one_entry():
    with Session(history=True) as session:
        session.run("x = 5")
        session.run("x * 2")
    environment = {**os.environ, "XDG_STATE_HOME": PLACE.name, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    listed = subprocess.run([CTL, "history", "list", "--json"], capture_output=True, env=environment, check=True).stdout
    must(listed.count(b"Session of 2 cells") == 1 and b"x * 2" not in listed.replace(b"Session", b""), str(listed))


def a_busy_history():
    """The end waits for it, and a second signal for nothing."""
    for numbers in ((signal.SIGTERM,), (signal.SIGTERM, signal.SIGINT)):
        session = Session(history=True)
        session.run("x = 5")
        lock = sqlite3.connect(Path(PLACE.name) / "fumehood" / "history.db", isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
        for number in numbers:
            session.process.send_signal(number)
        if len(numbers) == 1:
            lock.close()
        status, said = session.process.wait(PATIENCE), session.process.stderr.read()
        lock.close()
        must(status in [128 + number for number in numbers], f"{numbers} {status}")
        equal(said, b"" if len(numbers) == 1 else LOST, str(numbers))


def many_cells():
    with Session() as session:
        times = []
        for number in range(3000 if "--long" in sys.argv else 400):
            begun = time.monotonic()
            answer = session.run(f"v = {number}\nv" if number % 10 else "1 / 0")
            times.append(time.monotonic() - begun)
            must(answer["success"] == bool(number % 10), str(answer))
        first, last = sorted(times[100:200])[50], sorted(times[-100:])[50]
        print(f"# a cell takes {first * 1000:.2f} ms at first, {last * 1000:.2f} ms in the end")
        with open(f"/proc/{session.process.pid}/status", encoding="ascii") as status:
            memory = [int(line.split()[1]) for line in status if line.startswith("RssAnon")][0]
        # A sanitizer keeps what was freed.
        must(memory < 60000 or os.environ.get("FH_SANITIZED"), f"{memory} KiB")


def every_tier():
    for tier in ("A", "A2", "B"):
        with Session("--tier", tier) as session:
            answer = session.run("import threading, time\nopen('left', 'w').close()\n"
                                 "threads = [threading.Thread(target=time.sleep, args=[0.1]) for _ in range(40)]\n"
                                 "for t in threads: t.start()\nfor t in threads: t.join()\nx = 1")
            if answer["status"] == "guard-failed" and os.environ.get("FH_MUST_SANDBOX") != "1":
                continue
            works(answer)
            equal((answer["tier"], [file["path"] for file in answer["files"]]), (tier, ["left"]), "tier and files")
            must(session.run("time.sleep(100)", timeout=0.2)["timeout"], "a time limit")
            answer = session.run("x")
            works(answer, "1")
            equal(answer["files"], [], "files of a cell that writes none")


def refusals():
    for words, part in ((("file.py",), b"takes no file"), (("--nothing",), b"--nothing")):
        answer = subprocess.run([CTL, "session", *words], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""})
        equal((answer.returncode, answer.stdout), (125, b""), "exit status and output")
        must(part in answer.stderr, f"{answer.stderr!r}")
    process = subprocess.Popen([CTL, "session", "--no-history"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b'{"type": "execute", "code": "import time; time.sleep(100)"}\n{"type": "fly"}\n')
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    equal(process.wait(PATIENCE), 128 + signal.SIGTERM, "exit status after SIGTERM")
    process.communicate()


if __name__ == "__main__":
    TAP = Tap()
    for case in (the_example, state_of_a_session, contexts_and_variables, lines_for_a_notebook, functions, questions_in_a_call,
                 cells_that_end_in_a_call, assigned_values, values_with_tags, a_function_that_ends_its_cell,
                 functions_are_described, real_python, ends_of_cells, an_end_between_cells, attempts_between_cells,
                 last_words, limits_that_only_cut, pictures, lines_that_are_none, values_that_cannot_be_used, after_the_close,
                 a_session_is_one_entry, a_busy_history, many_cells, every_tier,
                 refusals):
        TAP.case(case.__name__.replace("_", " "), case)
    PLACE.cleanup()
    sys.exit(TAP.done())
