# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python client: programs, batches and sessions."""

import gc
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from client_room import fumehood, raises, run_cases
from tap import PATIENCE, equal, must


def runs():
    result = fumehood.run("import sys\nprint(sys.argv[1:], input())", stdin="in\n", arguments=["-x", "a b"], timeout=20)
    equal((result.status, result.stdout, result.exit_code), ("ok", "['-x', 'a b'] in\n", 0), "result")
    equal(fumehood.run("echo $0", language="sh", options=["--no-history"]).exit_code, 0, "exit code of a shell")
    equal(fumehood.run(b"print('\xc3\xa9')").stdout, "\u00e9\n", "output of a program in bytes")
    must(fumehood.run("import socket\nsocket.create_connection(('1.1.1.1', 80), 1)").attempts, "attempts must be told")


def is_refused():
    raises(ValueError, "greater than 0", fumehood.run, "1", timeout=0)
    raises(fumehood.FumehoodError, "--nonsense", fumehood.run, "1", options=["--nonsense"])
    raises(fumehood.FumehoodError, "/nonexistent", fumehood.run, "1", options=["--interpreter", "/nonexistent"])
    os.environ["FUMEHOODCTL"] = "/nonexistent/fumehoodctl"
    try:
        raises(fumehood.FumehoodError, "Install Fumehood", fumehood.run, "1")
    finally:
        os.environ["FUMEHOODCTL"] = os.environ["FH_CTL"]


def batch():
    samples = [{"id": str(number), "source": f"print({number})"} for number in range(20)]
    found = {result.id: result.stdout for result in fumehood.Batch(samples, jobs=2, preload=["json"])}
    equal(found, {str(number): f"{number}\n" for number in range(20)}, "results")
    raises(fumehood.FumehoodError, "line 1", lambda: list(fumehood.Batch([{"id": "a"}])))


def batch_is_left():
    begun = time.monotonic()
    samples = [{"id": str(number), "source": f"import time\ntime.sleep({number and 600})"} for number in range(3)]
    for result in fumehood.Batch(samples, jobs=3, timeout=600):
        equal(result.id, "0", "the first to end")
        break
    must(time.monotonic() - begun < 300, "what still runs must end with the iteration")


def session():
    def add(a, b=2, *rest, key=0):
        """Adds."""
        return a + b + sum(rest) + key

    def fail():
        raise LookupError("no")

    with fumehood.Session(functions={"add": add, "fail": fail}) as cells:
        equal(cells.execute("x = 10").success, True, "success")
        result = cells.execute("print('out')\ny = x * 2\ny")
        equal((result.stdout, result.value, result.value_json), ("out\n", "20", 20), "result")
        must("y" in result.locals_snapshot, f"new variables must be told: {result.locals_snapshot}")
        equal(cells.execute("add(1), add(1, 2, 3, key=4), add.__doc__").value, "(3, 10, 'Adds.')", "values of a function of ours")
        result = cells.execute("try:\n    fail()\nexcept RuntimeError as error:\n    print(error)")
        equal(result.stdout, "LookupError: no\n", "an error of a function of ours")
        result = cells.execute("while True: pass", timeout=0.5)
        equal((result.success, result.timeout), (False, True), "a cell that runs too long")
        equal((cells.get("x"), cells.get("absent", 5)), (10, 5), "variables")
        cells.set("data", {"a": [1, None]})
        equal(cells.execute("data['a'][0]").value_json, 1, "a variable that was set")
        must({"x", "y", "data"} <= {variable["name"] for variable in cells.variables()}, "variables must be listed")
        cells.reset()
        equal(cells.execute("x").error, "NameError: name 'x' is not defined", "after a reset")
        equal(cells.execute("add(5)").value_json, 7, "functions stay")
    raises(fumehood.FumehoodError, "ended", cells.execute, "1")
    raises(fumehood.FumehoodError, "--nonsense", lambda: fumehood.Session(options=["--nonsense"]).execute("1"))


def functions_that_ask():
    def names():
        """Names. And more."""
        return sorted(variable["name"] for variable in cells.variables())

    def from_threads():
        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(cells.get, ["x", "absent", "x", "y"]))

    def refused(kind):
        raises(fumehood.FumehoodError, "waits for a function of yours", cells.execute if kind == "cell" else cells.reset,
               *(["1"] if kind == "cell" else []))
        cells.set("y", (1, 2))
        return True

    with fumehood.Session(timeout=20, functions={"names": names, "from_threads": from_threads, "refused": refused}) as cells:
        cells.execute("x, y = 5, {1: 2}")
        equal(cells.execute("names()").value_json, ["x", "y"], "what a function reads")
        equal(cells.execute("from_threads()").value, "[5, None, 5, {1: 2}]", "what its threads read")
        equal(cells.execute("refused('cell') and refused('reset')").value_json, True, "what would wait for ever")
        equal(cells.get("y"), (1, 2), "what a function has set")
        rows = {row["name"]: row for row in cells.variables(functions=True)}
        equal((rows["names"]["signature"], rows["names"]["doc"]), ("()", "Names. And more."), "how a function is described")
        equal(cells.execute("import os\nclass Ends:\n    def __repr__(self): os._exit(1)\nx = Ends()\ny = 0").session_ended, True, "end")
        equal(cells.execute("refused('reset')").value_json, True, "functions of a new interpreter")


def values_keep_their_types():
    values = [(1, "a"), {1, 2}, frozenset([(3,)]), {1: 2, None: [(4,)]}, {"$": "tuple", "of": [1]}, b"\0\xff", 1 << 80, -(1 << 70),
              1.5, float("inf"), 1 - 2j, "\0\ud800", "\u00e4", {str(n): n for n in range(3000)}, [True, None], {"a\0": 1}, set()]
    with fumehood.Session(functions={"same": lambda value: value}) as cells:
        cells.execute("from math import inf")
        for value in values:
            cells.set("x", value)
            for found in (cells.get("x"), fumehood.tagged.value_of(cells.execute("same(x)"))):
                equal((type(found), found), (type(value), value), "a value that went there and came back")
            equal(cells.execute(f"x == {value!r}").value_json, True, "the value inside")
        cells.execute("big = list(range(100000))\nclass Own: pass\nown = Own()")
        must(cells.get("big").startswith("[0, 1") and "Own object" in cells.get("own"), "values of other types are told as text")
        raises(TypeError, "type object", cells.set, "x", [object()])
        deep = []
        for _ in range(30):
            deep = [deep]
        raises(TypeError, "deep", cells.set, "x", deep)
    for form in ({"$": "os"}, {"$": "set", "of": [[]]}, {"$": "int", "of": 5}, {"$": [], "of": 1}, {"$": "dict", "of": [1]},
                 {"$": "set", "of": list(range(1001))}, {"$": "bytes", "of": "x"}, {"$": "str", "of": "ff"}):
        raises(ValueError, "no value", fumehood.tagged.untag, form)


def replies_that_cannot_be_sent():
    answers = {"nan": float("nan"), "object": object(), "huge": "x" * (5 << 20), "deep": [[[[[[[[[[[[(((((1,),),),),)]]]]]]]]]]]]}

    def fail(words):
        raise ValueError(words)

    with fumehood.Session(functions={"give": answers.get, "fail": fail}) as cells:
        equal(cells.execute("give('nan') != give('nan')").value_json, True, "a value that is not equal to itself")
        for name in ("object", "huge"):
            equal(cells.execute(f"give({name!r})").error.partition(":")[0], "RuntimeError", f"{name} as a reply")
        equal(cells.execute("give('deep')[0][0][0][0][0][0][0][0][0][0][0][0]").value, "(((((1,),),),),)", "one that is deep")
        must("a\u2400b" in cells.execute("fail('a\\0b')").error, "an error with characters that are no text")
        raises(fumehood.FumehoodError, "", cells.execute, "'\0'")
        equal(cells.execute("1").value_json, 1, "what goes on")


def an_interrupt():
    with fumehood.Session(timeout=None) as cells:
        equal(cells.execute("while True: pass", started=cells.interrupt).status, "stopped", "one that is interrupted before it has begun")
        equal(cells.execute("1", started=lambda: None).value_json, 1, "the next one")
        cells.interrupt()
        equal(cells.execute("2").value_json, 2, "one after an interrupt that nothing ran for")
        begun = threading.Event()
        cells.declare("begin", begun.set)
        thread = threading.Thread(target=lambda: begun.wait(PATIENCE) and cells.interrupt())
        thread.start()
        equal(cells.execute("begin()\nwhile True: pass").status, "stopped", "a cell that runs")
        thread.join()


def what_is_dropped_ends():
    class Owner:
        """Refers to itself by the functions that it hands in, as programs do."""

        def __init__(self):
            self.repl = fumehood.ReplExecutor()
            self.repl.inject_function("me", lambda: self)

    def make():
        owners = [Owner() for _ in range(3)] + [fumehood.PythonExecutor()] + [fumehood.Session()]
        owners[3].send_tools({"final_answer": lambda answer: answer})
        sessions = [owner.repl._session for owner in owners[:3]] + [owners[3]._session, owners[4]]
        return [session._process for session in sessions], weakref.ref(owners[0])

    processes, owner = make()
    samples = [{"id": str(number), "source": f"import time\ntime.sleep({number * 600})"} for number in range(2)]
    batch = fumehood.Batch(samples, jobs=2, timeout=600)
    processes.append(batch._process)
    del batch
    gc.collect()
    equal((owner(), [process.poll() is None for process in processes]), (None, [False] * 6), "what is still there")
    session = fumehood.Session()
    if os.fork() == 0:
        session._end()
        os._exit(0)
    os.wait()
    equal(session.execute("1").value_json, 1, "a session that a fork of the process has dropped")
    session.close()


def is_installed_by_pip():
    python = next((path for path in (sys.executable, "/usr/bin/python3")
                   if subprocess.run([path, "-c", "import setuptools, pip"], stderr=subprocess.DEVNULL, check=False).returncode == 0), None)
    if python is None:
        print("# pip or setuptools is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        # It writes into the folder that it installs.
        shutil.copytree(Path(os.environ["FH_SOURCE_ROOT"]) / "data/client", f"{folder}/source", ignore=shutil.ignore_patterns("__pycache__"))
        result = subprocess.run([python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "--target",
                                 f"{folder}/target", f"{folder}/source"], capture_output=True, text=True, check=False)
        equal(result.returncode, 0, f"exit status of pip: {result.stderr}")
        code = "import fumehood; print(fumehood.__file__, fumehood.run('print(6 * 7)', options=['--no-history']).stdout)"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": f"{folder}/target"}).stdout
        equal(said, f"{folder}/target/fumehood/__init__.py 42\n\n", "what the installed one says")


if __name__ == "__main__":
    sys.exit(run_cases({
        "one program": runs, "what cannot be run": is_refused, "a batch": batch, "a batch that is left": batch_is_left,
        "a session": session, "functions that ask": functions_that_ask, "values keep their types": values_keep_their_types,
        "replies that cannot be sent": replies_that_cannot_be_sent, "an interrupt": an_interrupt,
        "what is dropped ends": what_is_dropped_ends, "is installed by pip": is_installed_by_pip}))
