# SPDX-License-Identifier: GPL-3.0-or-later
"""A fixed script of a program, an answer and a session in tabs: what the history keeps of them is that of records/."""

import os
import sys
from pathlib import Path

from accessible import press, read, state
from fumehood import fresh_session, running
from same_record import entries, must_be_same
from tap import Tap
from waiting import wait_for

RECORDS = Path(__file__).with_name("records")
TYPED = "name = input('Name? ')\nprint(f'Hello {name}.')\nopen('left.txt', 'w').write(name)\n"
# Wherever a signal finds the second block, it prints the same.
ANSWER = "```python\nprint('one')\n```\n\n```python\nimport signal, time\nfor number in signal.SIGINT, signal.SIGTERM:\n" \
    "    signal.signal(number, signal.SIG_DFL)\nprint('begun', flush=True)\ntime.sleep(600)\n```\n\n" \
    "```python\nprint('three')\n```\n"
CELLS = "# %% first\nx = [1]\nprint('one')\nx\n# %% second\nx[5]\n# %% third\nprint('never')\n"
AFTER = "# %% first\nprint('x' in globals())\n"


def program(app):
    app.run(TYPED)
    wait_for(lambda: app.find(None, "The program waits for input."), "the program to wait")
    app.key("F6")
    entry = app.get("text", "Input for the program")
    wait_for(lambda: state(entry, "FOCUSED"), "the focus")
    for key in ("a", "d", "a", "Return"):
        app.key(key)
    app.wait_result("Finished normally.")


def close_tab(app, text):
    app.key("ctrl+w")
    press(app.get("push button", lambda name: name.replace("_", "") == "Stop and Close"))
    wait_for(lambda: read(app.editor) != text, "the tab to go")
    app.session.display.focus(app.window)


def answer_closed(app):
    """The tab is closed while the second block runs."""
    app.run(ANSWER)
    app.wait_output("begun")
    close_tab(app, ANSWER)


def session_closed(app):
    """A cell that fails, one that does not run, a reset, a cell after it, and the tab is closed."""
    app.type(CELLS)
    app.press("Use a Session")
    wait_for(app.can_run, "the Run button")
    app.press("Run")
    app.wait_output("1 cell that waited does not run.")
    app.wait_result("Failed.")
    app.press("Session menu")
    app.press("Reset Session", "menu item")
    app.type(AFTER)
    app.press("Run")
    app.wait_output("\nFalse\n")
    app.wait_result("Finished normally.")
    app.key("ctrl+w")
    wait_for(lambda: read(app.editor) != AFTER, "the tab to go")


def record(name, act):
    with fresh_session() as session:
        with running(session) as app:
            act(app)
            app.quit()
        must_be_same(RECORDS / f"{name}.json", {"history": entries(session.environment, os.environ["FH_CTL"])})


def main():
    tap = Tap()
    for title, name, act in (("a program with typed input", "program", program),
                             ("an answer whose tab is closed in its second block", "answer-closed", answer_closed),
                             ("a session whose tab is closed", "session-closed", session_closed)):
        tap.case(title, record, name, act)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
