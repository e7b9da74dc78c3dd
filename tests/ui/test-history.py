# SPDX-License-Identifier: GPL-3.0-or-later
"""Every run is found again after a restart, and no unsaved text is lost, however the app ended."""

import sys

from accessible import find, find_all, name_of, read, write
from fumehood import fresh_session, running
from tap import Tap, equal, must
from waiting import wait_for

FIRST = "print('a needle in the output')\n"
SECOND = "raise SystemExit('it broke')\n"
DRAFT = "# never run, never saved\nanswer = 42\n"


def history_rows(app):
    return [row for row in find_all(app.root, "list item") if find(row, "label") is not None]


def wait_rows(app, count):
    return wait_for(lambda: len(history_rows(app)) == count and history_rows(app), f"{count} runs in the history")


def show_history(app):
    if not history_rows(app):
        app.press("History")
    wait_for(lambda: history_rows(app), "the history")


def holds(app, name, text):
    """Some tab shows this: GTK does not tell which one is in front."""
    return any(read(node) == text for node in find_all(app.root, "text", name))


def keeps_runs(session):
    with running(session) as app:
        app.run(FIRST)
        app.wait_result("Finished normally.")
        app.run(SECOND)
        app.wait_result("Ended with exit code 1.")
        app.quit()


def lists_them_after_a_restart(session):
    with running(session) as app:
        show_history(app)
        rows = wait_rows(app, 2)
        labels = " ".join(name_of(label) for label in find_all(rows[0], "label"))
        must("it broke" in labels or "Failed" in labels, f"the newest run is not first: {labels!r}")
        app.quit()


def finds_one_and_opens_it(session):
    with running(session) as app:
        show_history(app)
        write(app.get("entry", "Search runs"), "needle")
        rows = wait_rows(app, 1)
        app.double_click(rows[0])
        wait_for(lambda: holds(app, "Source code", FIRST), "the program of the run")
        wait_for(lambda: holds(app, "Output", "a needle in the output\n"), "its output")
        app.quit()


def keeps_unsaved_text(session):
    with running(session) as app:
        app.type(DRAFT)
        drafts = session.path("XDG_STATE_HOME") / "fumehood" / "drafts"
        wait_for(
            lambda: any("never run" in path.read_text(encoding="utf-8") for path in drafts.glob("*.json")),
            "the draft on disk",
        )
        app.kill()
    with running(session) as app:
        wait_for(lambda: read(app.editor) == DRAFT, "the unsaved text")
        app.quit()


def leaves_nothing_else(session):
    kept = sorted(path.name for path in (session.path("XDG_STATE_HOME") / "fumehood").iterdir())
    strange = [name for name in kept if name != "drafts" and not name.startswith("history.db")]
    equal(strange, [], "files in the state folder")


CASES = (
    ("two programs are run", keeps_runs),
    ("the history lists them after a restart, newest first", lists_them_after_a_restart),
    ("a run is found by its output and opened", finds_one_and_opens_it),
    ("unsaved text survives a kill", keeps_unsaved_text),
    ("nothing strange is left in the state folder", leaves_nothing_else),
)


def main():
    tap = Tap()
    with fresh_session() as session:
        for name, case in CASES:
            tap.case(name, case, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
