# SPDX-License-Identifier: GPL-3.0-or-later
"""smolagents' Python executor."""

import dataclasses
import inspect

from .runs import DEFAULT_MEMORY, DEFAULT_TIMEOUT, FumehoodError, run
from .session import Session, failure
from .tagged import value_of


@dataclasses.dataclass
class CodeOutput:
    """smolagents'."""

    output: object
    logs: str
    is_final_answer: bool


def _called(tool):
    """A tool's signature is that of its `forward`; it is called as a whole."""
    def function(*arguments, **names):
        return tool(*arguments, **names)
    function.__signature__ = inspect.signature(getattr(tool, "forward", tool))
    function.__doc__ = inspect.getdoc(getattr(tool, "forward", tool))
    return function


def _is_there(modules, options):
    """Raises FumehoodError if one of the modules is not installed where the code will run: that is told when an executor is made."""
    names = sorted({name.partition(".")[0] for name in modules})
    code = f"from importlib.util import find_spec\nprint(*[name for name in {names} if find_spec(name) is None])"
    result = run(code, options=["--no-history", *options])
    if not result.success or result.stdout.split():
        raise FumehoodError(f"Non-installed authorized modules: {result.stdout.strip() or result.error}. Install them, or leave them out.")


class PythonExecutor:
    """smolagents' PythonExecutor on a real interpreter: variables and tools stay between calls. `state` has what was sent, and as
    "_print_outputs" what the last call printed, also if it failed.

    `additional_authorized_imports`: nothing else can be imported but these modules and smolagents' own eleven; without it, or
    with "*", everything can that is installed: the sandbox is what protects."""

    BASE = ("collections", "datetime", "itertools", "math", "queue", "random", "re", "stat", "statistics", "time", "unicodedata")

    def __init__(self, additional_authorized_imports=None, max_print_outputs_length=50000, additional_functions=None,
                 timeout_seconds=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, options=()):
        self.state, self._final, self._timeout = {"_print_outputs": ""}, None, timeout_seconds
        limits = ["--show-limit", str(max_print_outputs_length or 50000)]
        if additional_authorized_imports is not None and "*" not in additional_authorized_imports:
            # What is below a module is allowed with it.
            wanted = [name[:-2] if name.endswith(".*") else name for name in additional_authorized_imports]
            limits += ["--allow-imports", ",".join([*self.BASE, *wanted])]
            if not set(wanted) <= set(self.BASE):
                _is_there(wanted, options)
        self._session = Session(timeout_seconds, memory, options=[*limits, *options])
        self.send_tools(additional_functions or {})

    def send_variables(self, variables):
        for name, value in variables.items():
            self._session.set(name, value)
        self.state.update(variables)

    def send_tools(self, tools):
        for name, tool in tools.items():
            is_last = name == "final_answer"
            self._session.declare(name, self._keeping(tool) if is_last else _called(tool), ends=is_last)

    def _keeping(self, tool):
        called = _called(tool)

        def final_answer(*arguments, **names):
            self._final = [called(*arguments, **names)]
        final_answer.__signature__, final_answer.__doc__ = called.__signature__, called.__doc__
        return final_answer

    def __call__(self, code_action):
        """Raises FumehoodError for an error in the code, as smolagents' own executor raises one."""
        self._final, self.state["_print_outputs"] = None, ""
        result = self._session.execute(code_action, assigned=True)
        self.state["_print_outputs"] = result.stdout
        if self._final is not None:
            return CodeOutput(self._final[0], result.stdout, True)
        if result.timeout:
            raise FumehoodError(f"Timeout: Code execution exceeded the maximum execution time of {self._timeout} seconds. {result.sentence}")
        if not result.success:
            raise FumehoodError(failure(result))
        return CodeOutput(value_of(result), result.stdout, False)

    def cleanup(self):
        self._session.close()
