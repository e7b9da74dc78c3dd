# SPDX-License-Identifier: GPL-3.0-or-later
"""The app starts with nothing there yet, shows its window and ends cleanly."""

import sys

from fumehood import fresh_session, running
from tap import Tap, equal


def opens_and_closes(session):
    with running(session) as app:
        app.get("frame")
        app.quit()
    equal(app.printed(), "", "what the app printed")


def main():
    tap = Tap()
    with fresh_session() as session:
        tap.case("the window opens and closes", opens_and_closes, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
