# SPDX-License-Identifier: GPL-3.0-or-later
"""A fixed script leaves the same JSON and the same history as a file in the tree says, whatever the code looks like
that wrote it. With FH_WRITE_RECORDS in the environment the files are written instead of compared.

Each file has what one case gave. An object about a run has some sixty members, most of which are as in any other:
only those are written that differ from the object of its kind in `ordinary.json`, the first one that was ever met.
"""

import difflib
import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

from tap import PATIENCE, must

ORDINARY = Path(__file__).with_name("ordinary.json")
# Members that are measured, counted anew by each history, or known of this computer only.
VARIES = {"id", "started_at", "execution_time", "wall_us", "waited_us", "cpu_user_us", "cpu_system_us", "memory_peak",
          "time_ms", "processes_peak", "process", "tier", "resource", "elapsed"}
# These members tell the kind of an object.
KINDS = {"request": {"version", "limits"}, "result": {"version", "streams"}, "cell": {"session_ended", "locals_snapshot"},
         "tool": {"resource", "stdout"}}
WORDS = ((re.compile(r"fumehood://run/\d+"), "fumehood://run/ID"),
         (re.compile(r"\b\d+(\.\d+)? (s|ms)\b"), "TIME"), (re.compile(r"\b\d+(\.\d+)? (MiB|KiB)\b"), "SIZE"),
         (re.compile(r"(end of [a-z]+) [0-9a-f]{8}"), r"\1 MARK"), (re.compile(r"^ *[~^]+\n", re.MULTILINE), ""))


def plain(value):
    """The value without what differs from run to run."""
    if isinstance(value, list):
        return [plain(part) for part in value]
    if isinstance(value, str):
        for pattern, word in WORDS:
            value = pattern.sub(word, value)
        return value
    if not isinstance(value, dict):
        return value
    if "guards" in value and "streams" in value:
        value = {**value, "guards": [guard["guard"] for guard in value["guards"]]}
    return {name: "VARIES" if name in VARIES and part is not None else plain(part) for name, part in value.items()}


def kind(value):
    """Which of the objects that have a usual form it is, or None."""
    if not isinstance(value, dict):
        return None
    return next((name for name, members in KINDS.items() if members <= value.keys()), None)


def usual_ones(value, found):
    """Adds the first object of each kind to those that are found."""
    for part in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        usual_ones(part, found)
    if kind(value):
        found.setdefault(kind(value), value)
    return found


def short(value, ordinary):
    """What is as usual is left out."""
    if isinstance(value, list):
        return [short(part, ordinary) for part in value]
    if not isinstance(value, dict):
        return value
    usual = ordinary.get(kind(value), {})
    left = {name: short(part, ordinary) for name, part in value.items() if name not in usual or part != usual[name]}
    absent = [name for name in usual if name not in value]
    return {**left, **({"absent": absent} if absent else {})}


def entries(environment, ctl):
    """Everything that the history has, oldest first; an entry that belongs to another one follows it by its id."""
    with sqlite3.connect(Path(environment["XDG_STATE_HOME"]) / "fumehood" / "history.db") as history:
        rows = history.execute("SELECT id, batch, snippet, verdict, stopped, deleted_us FROM runs ORDER BY id").fetchall()
    places = {row[0]: number for number, row in enumerate(rows, 1)}
    shown = []
    for number, batch, snippet, verdict, stopped, deleted in rows:
        answer = subprocess.run([ctl, "history", "show", "--json", str(number)], env=environment, check=True,
                                timeout=PATIENCE, capture_output=True)
        shown.append({"entry": places[number], "of": places.get(batch), "snippet": snippet, "verdict": verdict,
                      "stopped": stopped, "deleted": deleted is not None, **json.loads(answer.stdout)})
    return shown


def must_be_same(path, got):
    """Compares what a case gave with its file."""
    got = plain(got)
    ordinary = json.loads(ORDINARY.read_text(encoding="utf-8"))
    if "FH_WRITE_RECORDS" in os.environ:
        ORDINARY.write_text(text(usual_ones(got, ordinary)), encoding="utf-8")
        path.write_text(text(short(got, ordinary)), encoding="utf-8")
    told = text(short(got, ordinary))
    expected = path.read_text(encoding="utf-8")
    must(told == expected, "\n".join(difflib.unified_diff(expected.splitlines(), told.splitlines(), path.name, "now", lineterm="")))


def text(value):
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit("same_record.py is a module of the tests")
