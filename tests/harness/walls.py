# SPDX-License-Identifier: GPL-3.0-or-later
"""Containers with exactly the walls that the backend asks for, and a shell in them where the runner would be."""

import os
import subprocess
from pathlib import Path

from containers import call, new_name, removed
from tap import must

CLIENT = os.environ.get("FH_CONTAINER_CLIENT", "container-client")
PROFILES = Path(os.environ.get("FH_RUNNER", "/")).parent


def profile(is_watched):
    return PROFILES / ("container-seccomp-watched.json" if is_watched else "container-seccomp.json")


def client(*words, check=True, **options):
    """Runs the backend's part without anything around it."""
    answer = subprocess.run([CLIENT, *words], check=False, timeout=300,
                            **{"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, **options})
    must(not check or answer.returncode == 0, f"{words}: {answer.stdout} {answer.stderr}")
    return answer


def words_of(command, **settings):
    """What the engine's client would be told."""
    given = [f"{key}={value}" for key, value in settings.items()]
    return client("words", command, *given).stdout.split("\0")[:-1]


def with_program(words, *program):
    """The same container with another first program."""
    before = words[:words.index("--")]
    image = words[words.index("--") + 1]
    before = [f"--entrypoint={program[0]}" if word.startswith("--entrypoint=") else word for word in before]
    return [*before, "--", image, *program[1:]]


def inside(script, check=True, env=None, text=None, program=("/bin/sh", "-c"), **settings):
    """What a shell says in such a container, which is removed afterwards."""
    name = new_name("walls")
    with removed(name):
        words = with_program(words_of("run", name=name, **settings), *program, script)
        return call(*words, check=check, env={**os.environ, **(env or {})}, stdin=None, input=text or "")


if __name__ == "__main__":
    raise SystemExit("walls.py is a module of the tests")
