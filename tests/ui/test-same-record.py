# SPDX-License-Identifier: GPL-3.0-or-later
"""A fixed script in a tab: what the history keeps of it is that of records/."""

import os
import sys
from pathlib import Path

from accessible import state
from fumehood import fresh_session, running
from same_record import entries, must_be_same
from tap import Tap
from waiting import wait_for

RECORDS = Path(__file__).with_name("records")
TYPED = "name = input('Name? ')\nprint(f'Hello {name}.')\nopen('left.txt', 'w').write(name)\n"


def program(app):
    app.run(TYPED)
    wait_for(lambda: app.find(None, "The program waits for input."), "the program to wait")
    app.key("F6")
    entry = app.get("text", "Input for the program")
    wait_for(lambda: state(entry, "FOCUSED"), "the focus")
    for key in ("a", "d", "a", "Return"):
        app.key(key)
    app.wait_result("Finished normally.")


def record(name, act):
    with fresh_session() as session:
        with running(session) as app:
            act(app)
            app.quit()
        must_be_same(RECORDS / f"{name}.json", {"history": entries(session.environment, os.environ["FH_CTL"])})


def main():
    tap = Tap()
    tap.case("a program with typed input", record, "program", program)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
