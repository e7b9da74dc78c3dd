# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions of `fumehoodctl mcp` with the real runner: cells, variables, and interpreters that end."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from leftovers import descendants
from mcp_client import CTL, PLACE, Client
from tap import PATIENCE, Tap, equal, must, until

LOOP = "print('up', flush=True)\nwhile True: pass"


def cell(client, code, **more):
    return client.run("session_execute", code=code, **more)


def variables(client, **more):
    return {one["name"]: one for one in client.run("list_variables", **more)["variables"]}


def a_namespace():
    with Client() as client:
        equal(client.call("list_variables")["isError"], True, "before there is a session")
        cell(client, "import math\nrows = [[1, 2], [3, 4]]\ndef double(n): return 2 * n")
        run = cell(client, "print('out')\ndouble(21)")
        equal((run["value"], run["value_json"], run["stdout"], run["success"]), ("42", 42, "out\n", True), str(run))
        equal({"rows"}, set(variables(client)), "variables")
        equal((variables(client)["rows"]["type"], variables(client)["rows"]["size"]), ("list", [2]), "a row")
        must({"rows", "double", "math"} <= set(variables(client, all=True)), "all")
        result = client.call("session_execute", code="1 / 0")
        must(not result["isError"] and "ZeroDivisionError" in result["structuredContent"]["exception"], str(result))
        equal(result["structuredContent"]["error"], "ZeroDivisionError: division by zero", "error")
        equal(cell(client, "rows", reset=True)["error"], "NameError: name 'rows' is not defined", "after a reset")


def names_below(process):
    found = set()
    for pid in descendants(process.pid):
        with contextlib.suppress(OSError):
            found.add(Path(f"/proc/{pid}/comm").read_text().strip())
    return found


def last_words():
    """What is registered with atexit runs at a reset and when the server ends, and not for ever."""
    def register(name):
        return ("import atexit, ctypes, time\n"
                f"atexit.register(lambda: (ctypes.CDLL(None).prctl(15, b'{name}'), time.sleep(600)))")

    with Client() as client:
        cell(client, register("fh-at-reset"))
        number = client.begin("session_execute", code=register("fh-at-end"), reset=True)
        until(lambda: "fh-at-reset" in names_below(client.process), "nothing runs at a reset")
        must(client.ended(number, "session_execute")["structuredContent"]["success"], "the next cell")
        client.process.stdin.close()
        until(lambda: "fh-at-end" in names_below(client.process), "nothing runs at the end")


def names():
    with Client() as client:
        for number in range(8):
            cell(client, f"x = {number}", session=f"s{number}")
        equal([cell(client, "x", session=f"s{number}")["value"] for number in range(8)], list("01234567"), "each its own")
        equal(client.call("session_execute", code="1", session="one-too-many")["isError"], True, "a ninth")
        for name in ("", "a b", "x" * 65, "../x", 7, None):
            client.refused("session_execute", code="1", session=name)
        client.refused("session_execute", code="1", reset="yes")
        client.refused("list_variables", code="1")


def one_after_the_other():
    with Client() as client:
        numbers = [client.begin("session_execute", code=code) for code in ("n = 1", "n += 1", "n *= 10", "n")]
        values = [client.ended(number, "session_execute")["structuredContent"]["value"] for number in numbers]
        equal(values, [None, None, None, "20"], "values")


def interrupted():
    with Client("--timeout", "4") as client:
        cell(client, "x = 'still here'")
        run = cell(client, LOOP, timeout=100)
        must(not run["success"] and run["timeout"] and not run["session_ended"] and len(run["notes"]) == 1, str(run))
        run = cell(client, "x")
        equal((run["value"], run["notes"]), ("'still here'", []), "the session survives")
        run = cell(client, "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n" + LOOP, timeout=3)
        must(run["session_ended"] and "gone" in run["notes"][-1], str(run))
        equal(cell(client, "x")["error"], "NameError: name 'x' is not defined", "a new interpreter")


def cancelled():
    with Client() as client:
        cell(client, "x = 5")
        number = client.begin("session_execute", token="c", code=LOOP)
        client.progress("c", lambda params: "lines: 1," in params["message"])
        client.cancel(number)
        equal(cell(client, "x")["value"], "5", "after a cancelled cell")
        must(not any(message.get("id") == number for message in client.heard), "it is not answered")


def crashes_and_lies():
    with Client() as client:
        run = cell(client, "import os\nx = 1\nos._exit(3)")
        must(run["session_ended"] and not run["success"], str(run))
        # What is answered has the form of the schema even if the program answers something else: the client checks it.
        cell(client, "class Odd:\n  def __repr__(self): raise SystemExit\nodd = Odd()\nbig = 'y' * 100000")
        rows = variables(client)
        must("odd" in rows and len(rows["big"]["repr"]) < 600, str(rows))
        run = cell(client, "'z' * 100000")
        must(run["truncated"]["value"] and len(run["value"]) < 9000 and run["truncated"]["value_total"] >= 100000, str(run)[:500])
        cell(client, "import json, sys\njson.dumps = sys.displayhook = sys.stdout = None\ndel json")
        equal(cell(client, "1 + 1")["value"], "2", "after what it needs was taken away")


def in_the_history():
    with Client() as client:
        cell(client, "x = 6  # findthissession", session="kept")
        cell(client, "x * 7", session="kept")
    runs = found("findthissession")
    equal(([run.get("samples") for run in runs], runs[0]["title"]), ([2], "Session of 2 cells"), str(runs))


def locked():
    """Nothing can be written to the history until this is closed."""
    lock = sqlite3.connect(Path(PLACE.name) / "fumehood" / "history.db", isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    return lock


def found(word):
    answer = subprocess.run([CTL, "history", "search", word, "--json"], capture_output=True, check=True,
                            env={**os.environ, "XDG_STATE_HOME": PLACE.name})
    return json.loads(answer.stdout)["runs"]


def a_busy_history():
    with Client() as client:
        cell(client, "x = 6  # keptthough", session="busy")
        lock = locked()
        client.process.stdin.close()
        # Calls have three seconds to end, and the history longer than that.
        must(still_runs(client, 3.5), "it waits for the history")
        client.process.send_signal(signal.SIGTERM)
        must(still_runs(client, 0.1), "as it does after a signal")
        lock.close()
        client.status = 143
    equal(len(found("keptthough")), 1, "the session is kept")


def still_runs(client, seconds):
    try:
        client.process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def a_history_that_stays_busy():
    lost = b"This ended before the history had kept everything: runs or sessions may be missing there.\n"
    with Client(messages=b"fumehoodctl: " + lost) as client:
        cell(client, "x = 6  # notkept", session="busy")
        so_far = until(lambda: found("notkept"), "what has run until now")
        with contextlib.closing(locked()):
            client.process.send_signal(signal.SIGTERM)
            client.process.send_signal(signal.SIGINT)
            client.status = client.process.wait(PATIENCE)
            must(client.status in (130, 143), str(client.status))
    equal(found("notkept"), so_far, "the end of the session is not kept")


CASES = {
    "cells share a namespace": a_namespace,
    "last words of a program": last_words,
    "sessions have names": names,
    "cells of a session are run one after the other": one_after_the_other,
    "a cell that takes too long": interrupted,
    "a cell that is cancelled": cancelled,
    "crashes, and answers of another form": crashes_and_lies,
    "a session is one entry of the history": in_the_history,
    "the end waits for a busy history": a_busy_history,
    "a second signal waits for nothing": a_history_that_stays_busy,
}


def main():
    tap = Tap()
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
