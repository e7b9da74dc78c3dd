# SPDX-License-Identifier: GPL-3.0-or-later
"""Two runs of the history side by side: what differs is shown, what is the same is closed."""

import re
import sys

from accessible import extents, find_all, labelled_rows, name_of, names, showing, state
from fumehood import fresh_session, running
from tap import Tap
from waiting import wait_for

# The titles are the same: when they began tells both runs apart.
NAME = r"− The last run · \d\d:\d\d:\d\d · print\('a number.*"
LINES = "".join(f"print('line {number}')\n" for number in range(30))
FIRST = f"fruits = 1\nprint('one apple')\n{LINES}open('out.csv', 'w').write('1')\n"
SECOND = f"""fruits = 1
print('one pear')
{LINES}open('out.csv', 'w').write('2')
try:
    open('/etc/shadow')
except OSError as error:
    print(error)
raise SystemExit(3)
"""


def wait_label(app, text):
    wait_for(lambda: text in names(app.root), f"{text!r}")


def wait_no_label(app, text):
    wait_for(lambda: text not in names(app.root), f"{text!r} to go")


def history_rows(app):
    place = app.get("list", "Past runs")
    return [row for row in find_all(place, "list item") if showing(row)]


def choose_both(app):
    """The older one from its menu, then the newer one."""
    app.key("F9")
    rows = wait_for(lambda: len(history_rows(app)) == 2 and history_rows(app), "both runs")
    app.choose(rows[1])
    app.key("Menu")
    app.press("Compare With…", "menu item")
    wait_for(lambda: any(label.startswith("Choose the run to compare") for label in names(app.root)), "what to do next")
    before = set(app.session.display.windows())
    app.click(history_rows(app)[0])
    return wait_for(lambda: [window for window in app.session.display.windows() if window not in before],
                    "a window with both")[0]


def compares(app):
    app.run(FIRST)
    app.wait_result("Finished normally.")
    app.run(SECOND)
    app.wait_result("Ended with exit code 3.")
    app.resize(1200, 760)
    main_window = app.window
    app.window = choose_both(app)
    app.session.display.focus(app.window)
    for text in ("Result", "Source", "Output", "Attempts", "Files"):
        wait_label(app, text)
    for text in ("print('one apple')", "print('one pear')", "one apple", "one pear", "Ended with exit code 3.",
                 "24 equal lines", "open('out.csv', 'w').write('2')"):
        wait_label(app, text)
    app.screenshot("compare")
    return main_window


def selected_text(app):
    """Of the row that the keyboard is at."""
    rows = [row for row in find_all(app.get("list", "Differences"), "list item") if state(row, "FOCUSED")]
    return [name_of(label) for row in rows for label in find_all(row, "label")]


def moves(app):
    app.key("alt+Down")
    wait_for(lambda: "Finished normally." in selected_text(app), "the first difference")
    app.key("alt+Down")
    wait_for(lambda: "print('one apple')" in selected_text(app), "the second")
    app.key("alt+Down")
    wait_for(lambda: "open('out.csv', 'w').write('1')" in selected_text(app), "the third")
    app.key("alt+Up")
    wait_for(lambda: "print('one apple')" in selected_text(app), "the second again")


def row_with(app, text):
    return wait_for(lambda: labelled_rows(app.get("list", "Differences"), text), f"the row {text!r}")[0]


def opens(app):
    """A gap, and a closed heading."""
    app.click(row_with(app, "24 equal lines"))
    wait_label(app, "print('line 12')")
    app.click(row_with(app, "Source"))
    wait_no_label(app, "print('line 12')")
    app.click(row_with(app, "Guards"))
    wait_for(lambda: any(label.startswith("Network: ") for label in names(app.root)), "the guards")


def narrow(app):
    """The new text stands below the old one, as wide as the window."""
    app.resize(360, 640)
    for _ in range(12):
        if "Finished normally." in selected_text(app):
            break
        app.key("alt+Up")
        app.settle()
    app.click(row_with(app, "Source"))
    wait_label(app, "print('one apple')")
    old, new = (app.get("label", f"print('one {fruit}')") for fruit in ("apple", "pear"))
    wait_for(lambda: extents(new)[1] > extents(old)[1] and extents(new)[0] == extents(old)[0], "one below the other")
    app.screenshot("compare-narrow")


def again(session):
    """A program that is run again, unchanged, and gives another result."""
    with running(session) as app:
        code = "import os\nprint('a number:', int.from_bytes(os.urandom(8), 'big'))\n"
        app.run(code)
        app.wait_output("a number")
        app.wait_result("Finished normally.")
        first = app.output()
        app.run()
        wait_for(lambda: "a number" in app.output() and app.output() != first, "another number")
        wait_label(app, "This differs from the last run: Output.")
        app.screenshot("compare-again")
        app.press("Compare")
        wait_label(app, first.strip())
        wait_for(lambda: any(re.fullmatch(NAME, label) for label in names(app.root)), "its name")


def dark(session):
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark") as app:
        app.resize(1200, 760)
        app.window = choose_both(app)
        wait_label(app, "print('one pear')")
        app.screenshot("compare-dark")
        app.resize(360, 640)
        app.screenshot("compare-narrow-dark")


def main():
    tap = Tap()
    with fresh_session() as session:
        with running(session) as app:
            tap.case("two runs of the history", compares, app)
            tap.case("by key from one difference to the next", moves, app)
            tap.case("what is closed opens", opens, app)
            tap.case("a narrow window", narrow, app)
        tap.case("in the dark", dark, session)
        tap.case("what differs when a program is run again", again, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
