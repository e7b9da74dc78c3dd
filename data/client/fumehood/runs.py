# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that run once: one, or many."""

import itertools
import json
import math
import os
import subprocess
import tempfile
import weakref
from pathlib import Path

DEFAULT_TIMEOUT = 30.0
DEFAULT_MEMORY = 512 << 20


class FumehoodError(Exception):
    """Fumehood could not be started, refused an option, or could not run the code at all."""


class Result(dict):
    """What happened: the object that "fumehoodctl run --json" prints, whose fields are attributes too."""

    __getattr__ = dict.get


def command_of(*words):
    return [os.environ.get("FUMEHOODCTL", "fumehoodctl"), *words]


def limits_of(timeout, memory):
    """Options for seconds and bytes; None: no limit."""
    if timeout is not None and not timeout > 0:
        raise ValueError("The timeout must be greater than 0.")
    return ["--timeout", "none" if timeout is None else f"{math.ceil(timeout * 1000)}ms",
            "--memory", "none" if memory is None else f"{math.ceil(memory / 1024)}k"]


def start(command, **more):
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more)
    except OSError as error:
        raise FumehoodError(f"{command[0]} cannot be started: {error.strerror}. Install Fumehood.") from error


def end(process, errors, owner):
    """Ends the process when its owner is dropped. In a fork of the owner this does nothing."""
    if os.getpid() != owner:
        return
    if process.poll() is None:
        process.terminate()
    for pipe in (process.stdin, process.stdout):
        try:
            pipe.close()
        except OSError:
            pass
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    errors.close()


def end_with(owner, process, errors):
    """A function that ends it, called by itself when `owner` is dropped or Python ends."""
    return weakref.finalize(owner, end, process, errors, os.getpid())


def run(code, language="python", timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, stdin="", arguments=(), options=(), started=None):
    """Runs a program in a sandbox of its own and returns a Result, however the program ends.

    `timeout`: seconds of wall time; `memory`: bytes of all its processes together; None: no limit. `options`: further words
    for "fumehoodctl run", such as ("--image", "python:3.12"). Runs are in Fumehood's history unless "--no-history" is there.
    `started`: is called with a function that stops the program. Raises FumehoodError if the code was not run."""
    command = command_of("run", "--json", "--language", language, *limits_of(timeout, memory), *options)
    with tempfile.NamedTemporaryFile() as file:
        if stdin:
            file.write(stdin.encode() if isinstance(stdin, str) else stdin)
            file.flush()
            command += ["--stdin", file.name]
        process = start([*command, "-", "--", *arguments], stderr=subprocess.PIPE)
        if started is not None:
            started(process.terminate)
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
    may not exceed. `preload`: modules that are imported once, before all programs. `history`: the batch is added to
    Fumehood's history. Leaving the iteration, or close (), ends what runs. Raises FumehoodError if the batch is not complete."""

    def __init__(self, samples, jobs=None, timeout=DEFAULT_TIMEOUT, memory=DEFAULT_MEMORY, preload=(), options=(), history=False):
        command = command_of("batch", *([] if history else ["--no-history"]), *limits_of(timeout, memory), *options)
        if jobs is not None:
            command += ["--jobs", str(jobs)]
        if preload:
            command += ["--preload", ",".join(preload)]
        self._errors = tempfile.TemporaryFile()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "samples.jsonl"
            path.write_text("".join(json.dumps(sample) + "\n" for sample in samples), encoding="utf-8")
            self._process = start([*command, str(path)], stderr=self._errors)
            self._end = end_with(self, self._process, self._errors)
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
        self._end()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
