# SPDX-License-Identifier: GPL-3.0-or-later
"""How tests call `fumehoodctl batch`, with the real runner, and read its results."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-batch-")
ROOM = Path(PLACE.name)
CLUSTER = ("SLURM_", "JOB_COMPLETION_")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(CLUSTER)}
# Without systemd, whose control groups are tried in tests/vm.
ENVIRONMENT.update(XDG_STATE_HOME=str(ROOM / "state"), XDG_RUNTIME_DIR=str(ROOM), DBUS_SESSION_BUS_ADDRESS="disabled:",
                   LC_ALL="C.UTF-8", LANGUAGE="")

# The suite soak tries more, and for longer.
IS_LONG = "--long" in sys.argv
# An interpreter without sanitizers cannot load a module that has them, so then none is kept warm.
SANITIZED = bool(os.environ.get("FH_SANITIZED"))
# By what a sample may be run.
KINDS = {"cold": ["--cold"]} if SANITIZED else {"cold": ["--cold"], "warm": []}


def lines(name, samples):
    path = ROOM / name
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples), encoding="utf-8")
    return path


def words(*rest):
    return [CTL, "batch", *([] if "merge" in rest else ["--no-history"]), *map(str, rest)]


def batch(*rest, code=0, env=None, history=False):
    command = [CTL, "batch", *map(str, rest)] if history else words(*rest)
    answer = subprocess.run(command, env={**ENVIRONMENT, **(env or {})}, stdin=subprocess.DEVNULL,
                            capture_output=True, timeout=600, check=False)
    equal(answer.returncode, code, f"exit status, {answer.stderr.decode()}")
    return answer


def refused(*rest, parts, code=125):
    answer = batch(*rest, code=code)
    text = answer.stderr.decode()
    equal(answer.stdout, b"", "stdout")
    for part in parts:
        must(part in text, f"{part!r} is not in {text!r}")


def results(text):
    """By their ids; each is there once."""
    found = {}
    for line in text.splitlines():
        result = json.loads(line)
        must(result["id"] not in found, f"{result['id']} is there twice")
        found[result["id"]] = result
    return found


def of_file(path):
    return results(path.read_text(encoding="utf-8"))


def new_output(name):
    path = ROOM / name
    path.unlink(missing_ok=True)
    return path
