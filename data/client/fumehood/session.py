# SPDX-License-Identifier: GPL-3.0-or-later
"""An interpreter that stays, and functions of the caller's that its cells call."""

import inspect
import json
import subprocess
import tempfile
import threading

from .runs import DEFAULT_MEMORY, DEFAULT_TIMEOUT, FumehoodError, Result, command_of, end_with, limits_of, start
from .tagged import tag, untag, value_of

BUSY = ("The session runs a cell that waits for a function of yours. Meanwhile, variables can be read and set; "
        "nothing else can run in it.")


class Session:
    """An interpreter of Python that stays: what one cell defines, the next can use.

    `functions`: functions of yours by name, which cells may call. Arguments and results are None, numbers, text, bytes,
    lists, tuples, sets and dictionaries. `timeout`: seconds for a cell that has no other; `memory`: bytes of all cells
    together. Threads may share a session, in which one cell runs at a time. It ends with close (), or when it is dropped."""

    def __init__(self, timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, functions=None, options=()):
        self._functions, self._count = {}, 0
        # The thread with the lock writes and reads. It gives the lock back while a function of the caller runs, so
        # that the function, or threads of its own, can ask for variables.
        self._lock, self._writes = threading.Lock(), threading.Lock()
        self._is_calling, self._call_number = False, 0
        self._executing, self._wants_interrupt = 0, False
        self._sent, self._waiting, self._answers = None, set(), {}
        self._errors = tempfile.TemporaryFile()
        self._process = start(command_of("session", "--no-history", *limits_of(timeout, memory), *options), stderr=self._errors)
        self._end = end_with(self, self._process, self._errors)
        for name, function in (functions or {}).items():
            self.declare(name, function)

    def execute(self, code, timeout=None, started=None, assigned=False):
        """Runs a cell and returns its Result, whether or not it failed: `stdout`, `stderr`, `success`, `error`, `exception`,
        `value` (of the last expression, as Python shows it), `value_json`, `locals_snapshot`, `final`, `execution_time`.
        `started`: is called when interrupt () would interrupt it. `assigned`: if the cell ends by setting a variable, that is
        its value."""
        return self._ask("execute", started, code=code, timeout=timeout, assigned=assigned)

    def set(self, name, value):
        self._ask("set_variable", name=name, value=tag(value), tagged=True)

    def set_context(self, text, name="context"):
        """A text that a new interpreter gets as well, after a reset or a crash."""
        self._ask("set_context", name=name, value=text)

    def get(self, name, default=None):
        """The variable's value if it is of a type that functions can have, or else how Python shows it."""
        answer = self._ask("get_variable", name=name)
        return value_of(answer) if answer.found else default

    def variables(self, functions=False):
        """An object about each variable: `name`, `type`, `repr` and what else is known. `functions`: also about functions, with
        `signature` and the first line of `doc`, about classes and modules."""
        return self._ask("list_variables", all=functions).variables

    def declare(self, name, function, ends=False):
        """Cells may call the function. `ends`: a cell that does ends when it returns."""
        self._functions[name] = function
        self._ask("declare_function", name=name, parameters=_parameters(function), doc=inspect.getdoc(function), tagged=True,
                  ends=ends)

    def reset(self):
        """Begins anew. Functions and contexts stay."""
        self._ask("reset")

    def interrupt(self, again=True):
        """Raises KeyboardInterrupt in the cell that runs; from another thread. The second time, the cell is killed, unless `again`
        is False."""
        with self._writes:
            if self._executing and (again or not self._wants_interrupt):
                self._wants_interrupt = True
                self._write({"type": "interrupt", "id": "interrupt"})

    def close(self):
        """What an interrupted thread has left behind in it is not waited for."""
        if self._process.poll() is None and not self._waiting:
            try:
                self._process.stdin.close()
                self._process.wait(60)
            except (OSError, subprocess.TimeoutExpired):
                pass
        self._end()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _write(self, message):
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise self._ending() from None

    def _send(self, message):
        self._sent = message["id"]
        with self._writes:
            self._write(message)
            if message["type"] == "execute":
                self._executing, self._wants_interrupt = message["id"], False

    def _ask(self, kind, started=None, **members):
        with self._lock:
            if self._is_calling and kind in ("execute", "reset"):
                raise FumehoodError(BUSY)
            self._count += 1
            number = self._count
            self._waiting.add(number)
            self._send({"type": kind, "id": number, **members})
            if started is not None:
                started()
            while number not in self._answers:
                self._take(self._read())
            answer = self._answers.pop(number)
        if answer.type == "error":
            raise FumehoodError(answer.error)
        return answer

    def _read(self):
        line = b"" if self._process.stdout.closed else self._process.stdout.readline()
        if not line:
            raise self._ending()
        return Result(json.loads(line))

    def _take(self, answer):
        # The answer to a line that cannot be read at all has no id.
        number = self._sent if answer.type == "error" and answer.id is None else answer.id
        if answer.type == "call":
            self._reply(answer)
        elif answer.type == "error" and number == "interrupt":
            self._interrupt_again()
        elif answer.type == "error" and number == "reply":
            self._send({"type": "reply", "id": "refused", "call": self._call_number, "error": answer.error})
        elif number in self._waiting and answer.type in ("result", "done", "variable", "variables", "error"):
            self._waiting.discard(number)
            self._answers[number] = answer
            self._executing = 0 if number == self._executing else self._executing

    def _reply(self, call):
        self._is_calling, self._call_number = True, call.call
        self._lock.release()
        reply = {"error": "the caller was interrupted"}
        try:
            reply = self._call(call)
        finally:
            self._lock.acquire()
            self._is_calling = False
            self._send({"type": "reply", "id": "reply", "call": call.call, **reply})

    def _interrupt_again(self):
        """The cell had been asked for, but had not begun."""
        with self._writes:
            if self._executing and self._wants_interrupt:
                self._write({"type": "interrupt", "id": "interrupt"})

    def _ending(self):
        said = b""
        if not self._errors.closed:
            self._process.poll()
            self._errors.seek(0)
            said = self._errors.read()
        return FumehoodError(said.decode("utf-8", "replace").strip() or "The session has ended.")

    def _call(self, call):
        """What a function of ours returns, or raises, is told to the cell."""
        try:
            function = self._functions[call.name]
            positional, named = _arguments(function, {name: untag(value) for name, value in call.arguments.items()})
            return {"value": tag(function(*positional, **named))}
        except Exception as error:  # pylint: disable=broad-except
            text = f"{type(error).__name__}: {error}"
            return {"error": text.replace("\0", "\u2400").encode("utf-8", "replace").decode()}


def failure(result):
    """Why a cell failed, for who wrote it: the traceback, but that of one that was too slow only says how it was stopped."""
    return f"Timeout: {result.sentence}" if result.timeout else result.exception or result.sentence


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
