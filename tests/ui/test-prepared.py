# SPDX-License-Identifier: GPL-3.0-or-later
"""The next run is prepared while the person pauses, costs nothing while it waits, and leaves nothing."""

import os
import sys
import time
from pathlib import Path

from fumehood import fresh_session, running
from measuring import MIB, command_name, descendants, runner_of
from tap import Tap, equal, must
from waiting import SANITIZED, wait_for

WAITING = "import time; print('waiting', flush=True); time.sleep(60)"
REST_SECONDS = 2


def private_memory(pid):
    """Bytes that would be free without it. Another user's are not ours to read: then what is resident."""
    fields = {}
    for name in ("smaps_rollup", "status"):
        try:
            for line in Path(f"/proc/{pid}/{name}").read_text(encoding="ascii").splitlines():
                words = line.split()
                if len(words) >= 3 and words[2] == "kB":
                    fields.setdefault(words[0], int(words[1]) * 1024)
        except OSError:
            continue
    if "Private_Dirty:" in fields:
        return fields["Private_Dirty:"] + fields.get("Private_Clean:", 0)
    return fields.get("RssAnon:", 0)


def cpu_ticks(pids):
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total


def interpreter_of(runner):
    return next((pid for pid in descendants(runner) if command_name(pid).startswith("python3")), None)


def prepared_runner(app, other_than=None):
    """The runner that waits, with an interpreter in it."""
    def find():
        runner = runner_of(app.pid)
        return runner if runner not in (None, other_than) and interpreter_of(runner) else None
    return wait_for(find, "a sandbox that was prepared")


def prepares(app):
    app.type("print('one')")
    prepared_runner(app)


def costs_little(app, tap):
    runner = prepared_runner(app)
    pids = [runner, *descendants(runner)]
    # When the interpreter has come to rest, which it never does otherwise.
    before = None
    while before != cpu_ticks(pids):
        before = cpu_ticks(pids)
        time.sleep(REST_SECONDS)
    memory = sum(private_memory(pid) for pid in pids)
    tap.note(f"{memory / MIB:.1f} MiB in {len(pids)} processes, no CPU time in {REST_SECONDS} s")
    must(SANITIZED or memory < 15 * MIB, f"{memory / MIB:.1f} MiB")


def is_used(app):
    prepared = prepared_runner(app)
    app.run()
    app.wait_output("one")
    app.wait_result("Finished normally.")
    wait_for(lambda: runner_of(app.pid) != prepared, "its end, as it is used once")
    # What was prepared before this text was written suits it as well.
    prepared = prepared_runner(app, other_than=prepared)
    app.type(WAITING)
    equal(prepared_runner(app), prepared, "the runner that waits")
    app.run()
    app.wait_output("waiting")
    equal(app.runner(), prepared, "the runner of the run")
    app.press("Stop")
    app.wait_result("Stopped by you.")


def survives_its_death(app):
    prepared = prepared_runner(app)
    os.kill(prepared, 9)
    wait_for(lambda: runner_of(app.pid) != prepared, "its end")
    app.run("print('cold')")
    app.wait_output("cold")
    app.wait_result("Finished normally.")


def leaves_nothing(app):
    runner = prepared_runner(app)
    pids = [runner, *descendants(runner)]
    app.quit()
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids), "all of it to be gone")


def main():
    tap = Tap()
    with fresh_session() as session:
        session.prepare_runs(True)
        with running(session) as app:
            tap.case("a pause prepares", prepares, app)
            tap.case("it costs little", costs_little, app, tap)
            tap.case("it is used", is_used, app)
            tap.case("a run does without", survives_its_death, app)
            tap.case("nothing is left", leaves_nothing, app)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
