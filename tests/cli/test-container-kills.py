# SPDX-License-Identifier: GPL-3.0-or-later
"""fumehoodctl is killed or interrupted at every step at which it prepares a container, in an engine that has just done
its part (fake-run-engine.py): nothing of it is left, and the next run is as always."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from called import CTL, PLACE, ROOM, environment, file, wait_until
from tap import PATIENCE, Tap, equal, must

SOURCE = file("a.py")
# How the container is made, and the steps: calls of the engine's client.
WAYS = {
    "for one run": ((), ("info", "image", "rm")),
    "with copies": (("--container-files=copy",), ("create", "cp", "rm")),
    "kept": (("--keep=lab",), ("inspect", "create", "start")),
    "kept, with copies": (("--keep=lab", "--container-files=copy"), ("create", "cp", "start", "exec")),
    "kept until its owner ends": (("--keep=lab", "--after=remove"), ("create", "start")),
}


class Engine:
    def __init__(self, name):
        self.folder = ROOM / name
        self.folder.mkdir()
        self.environment = environment("tells", FH_DOCKER=os.environ["FH_FAKE_RUN_ENGINE"], FAKE_FOLDER=str(self.folder),
                                       XDG_CACHE_HOME=str(ROOM / "cache"), XDG_RUNTIME_DIR=str(self.folder))
        for variable in ("DOCKER_HOST", "DOCKER_CONTEXT"):
            self.environment.pop(variable, None)

    def start(self, *options, acts=""):
        words = [CTL, "run", "--json", "--no-history", "--container", "--engine=docker", *options, SOURCE]
        return subprocess.Popen(words, env={**self.environment, "FAKE_ACTS": acts}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def containers(self):
        return sorted(path.name for path in self.folder.glob("container-*"))


def kill_at(engine, options, step):
    process = engine.start(*options, acts=f"held-{step}")
    held = engine.folder / "held"
    wait_until(held.exists, f"the step {step}")
    process.kill()
    process.communicate(timeout=PATIENCE)
    # It has nobody to answer to.
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(held.read_text(encoding="ascii")), signal.SIGKILL)


def finish(engine, options, step):
    """A run as always."""
    out, errors = engine.start(*options).communicate(timeout=PATIENCE)
    must(out, errors)
    result = json.loads(out)
    equal((result["status"], "main.py" in result["stdout"]), ("ok", True), f"{step}: {result}")


def killed(way):
    options, steps = WAYS[way]
    for step in steps:
        engine = Engine(f"{way} {step}")
        kill_at(engine, options, step)
        finish(engine, options, step)
        kept = ["container-lab"] if way in ("kept", "kept, with copies") else []
        wait_until(lambda engine=engine, kept=kept: engine.containers() == kept, f"{step}: the end of the others")
        shutil.rmtree(ROOM / "cache", ignore_errors=True)


def interrupted(way):
    """It waits until what is half made is gone."""
    options, steps = WAYS[way]
    for step in steps[:-1] if steps[-1] == "rm" else steps:
        engine = Engine(f"interrupted {way} {step}")
        process = engine.start(*options, acts=f"held-{step}")
        wait_until((engine.folder / "held").exists, f"the step {step}")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        equal((process.returncode, engine.containers()), (130, []), f"{step}: what is left")
        must(not Path(f"/proc/{(engine.folder / 'held').read_text(encoding='ascii')}").exists(), f"{step}: its client")
        shutil.rmtree(ROOM / "cache", ignore_errors=True)


def main():
    tap = Tap()
    for way in WAYS:
        tap.case(f"killed while a container is prepared {way}", killed, way)
        tap.case(f"interrupted while a container is prepared {way}", interrupted, way)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
