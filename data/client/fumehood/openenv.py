# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenEnv's REPL."""

import json

from .runs import DEFAULT_MEMORY, DEFAULT_TIMEOUT
from .session import Session, failure


class ReplExecutor:
    """OpenEnv's PythonExecutor: execute () returns stdout, stderr, locals_snapshot, execution_time, success and exception.
    `allowed_imports`: nothing else can be imported; without it everything can that is installed: the sandbox is what protects."""

    FIELDS = ("stdout", "stderr", "locals_snapshot", "execution_time", "success", "exception")

    def __init__(self, max_output_length=8192, allowed_imports=None, timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, options=()):
        options = ["--show-limit", str(max_output_length), *options]
        if allowed_imports:
            options += ["--allow-imports", ",".join(allowed_imports)]
        self._session = Session(timeout, memory, options=options)

    def set_context(self, context, variable_name="context"):
        self._session.set_context(context, variable_name)

    def set_variable(self, name, value):
        self._session.set(name, value)

    def get_variable(self, name):
        return self._session.get(name)

    def list_variables(self):
        """Functions too, as there."""
        return [variable["name"] for variable in self._session.variables(functions=True) if variable["name"][:1] != "_"]

    def inject_function(self, name, function):
        self._session.declare(name, function)

    def execute(self, code):
        """The value of the last expression is the last line of stdout, as there."""
        result = self._session.execute(code)
        found = {name: result[name] for name in self.FIELDS}
        if not result.success:
            found["exception"] = failure(result)
        if result.value is not None:
            value = result.value if result.value_json is None else json.dumps(result.value_json)
            found["stdout"] += value + "\n"
        return found

    run = execute

    def reset(self):
        self._session.reset()

    def close(self):
        self._session.close()
