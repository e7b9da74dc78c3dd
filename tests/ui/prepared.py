# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases about the run that the window prepares: of a build, and of the app as it is installed with Flatpak."""

import os
import sys

from measuring import command_name, descendants
from tap import equal
from waiting import wait_for

WAITING = "import time; print('waiting', flush=True); time.sleep(60)"


def interpreter_of(runner):
    return next((pid for pid in descendants(runner) if command_name(pid).startswith("python3")), None)


def prepared_runner(app, other_than=None):
    """The runner that waits, with an interpreter in it."""
    def find():
        runner = app.find_runner()
        return runner if runner not in (None, other_than) and interpreter_of(runner) else None
    return wait_for(find, "a sandbox that was prepared")


def prepares(app):
    app.type("print('one')")
    prepared_runner(app)


def is_used(app):
    prepared = prepared_runner(app)
    app.run()
    app.wait_output("one")
    app.wait_result("Finished normally.")
    wait_for(lambda: app.find_runner() != prepared, "its end, as it is used once")
    # What was prepared before this text was written suits it as well.
    prepared = prepared_runner(app, other_than=prepared)
    app.type(WAITING)
    equal(prepared_runner(app), prepared, "the runner that waits")
    app.run()
    app.wait_output("waiting")
    equal(app.runner(), prepared, "the runner of the run")
    app.press("Stop")
    app.wait_result("Stopped by you.")


def leaves_nothing(app):
    runner = prepared_runner(app)
    pids = [runner, *descendants(runner)]
    app.quit()
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids), "all of it to be gone")


if __name__ == "__main__":
    sys.exit("prepared.py is a module of the tests")
