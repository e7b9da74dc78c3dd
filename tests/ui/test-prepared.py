# SPDX-License-Identifier: GPL-3.0-or-later
"""The next run is prepared while the person pauses, costs nothing while it waits, and leaves nothing."""

import os
import sys
from pathlib import Path

from fumehood import fresh_session, running
from measuring import MIB, descendants
from prepared import is_used, leaves_nothing, prepared_runner, prepares
from tap import Tap, must
from waiting import SANITIZED, wait_for

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


def at_work(app):
    """The processes of the sandbox and their CPU time; None if one of them has just ended, as those end that inspect code."""
    runner = prepared_runner(app)
    pids = [runner, *descendants(runner)]
    try:
        return pids, cpu_ticks(pids)
    except OSError:
        return None


def costs_little(app, tap):
    # When the interpreter has come to rest, which it never does otherwise.
    seen = []
    wait_for(lambda: seen.append(at_work(app)) or (seen[-1] is not None and seen[-2:-1] == seen[-1:]),
             "the sandbox to rest", interval=REST_SECONDS)
    pids = seen[-1][0]
    memory = sum(private_memory(pid) for pid in pids)
    tap.note(f"{memory / MIB:.1f} MiB in {len(pids)} processes, no CPU time in {REST_SECONDS} s")
    must(SANITIZED or memory < 15 * MIB, f"{memory / MIB:.1f} MiB")


def survives_its_death(app):
    prepared = prepared_runner(app)
    os.kill(prepared, 9)
    wait_for(lambda: app.find_runner() != prepared, "its end")
    app.run("print('cold')")
    app.wait_output("cold")
    app.wait_result("Finished normally.")


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
