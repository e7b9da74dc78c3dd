# SPDX-License-Identifier: GPL-3.0-or-later
"""What people do with a result: search it, copy it, save it, take the run away; and the mark at the line that failed."""

import itertools
import json
import sys

from accessible import extents, find, find_all, labelled_rows, read, state
from fumehood import fresh_session, running
from tap import Tap, equal
from waiting import wait_for

LINES = "for number in range(200):\n    print('line', number)\n"
PRINTED = "".join(f"line {number}\n" for number in range(200))
# This program has no keyword: keywords are red, and one at the beginning of a line could be taken for the mark.
FAILS = "number = 0\nnumber = 4 / number\n"
ERROR = "ZeroDivisionError: division by zero"
# How wide it may be.
GUTTER = 48


def types(app, *keys):
    """Each at once after the other, as people type."""
    for key in keys:
        app.key(key)


def wait_text(app, name, text):
    wait_for(lambda: read(app.get("entry", name)) == text, f"{text!r} in “{name}”")


def searches_the_output(app):
    app.run(LINES)
    app.wait_result("Finished normally.")
    types(app, "ctrl+shift+f", "1", "9")
    wait_text(app, "Find in output", "19")
    app.get("status bar", "1 of 12")
    app.key("Return")
    app.get("status bar", "2 of 12")
    app.key("shift+Return")
    app.get("status bar", "1 of 12")
    types(app, "9", "9")
    app.get("status bar", "No matches")
    app.key("Escape")
    app.wait_gone("entry", "Find in output")


def searches_the_code(app):
    app.click(app.editor)
    types(app, "ctrl+f", "n", "u", "m")
    wait_text(app, "Find", "num")
    app.get("label", "1 of 2")
    app.key("Escape")
    app.wait_gone("entry", "Find")


def copies(app):
    """And another program gets it: here the editor of a new tab."""
    app.key("ctrl+shift+o")
    app.key("ctrl+shift+c")
    app.get("label", "Output copied")
    before = find_all(app.root, "text", "Source code")
    app.key("ctrl+t")
    [editor] = wait_for(
        lambda: [node for node in find_all(app.root, "text", "Source code") if node not in before], "another tab")
    wait_for(lambda: state(editor, "FOCUSED"), "the keyboard to be there")
    app.key("ctrl+v")
    wait_for(lambda: read(editor) == PRINTED, "what was copied")
    app.key("ctrl+w")
    wait_for(lambda: find_all(app.root, "text", "Source code") == before, "the tab to go")


def saves(app):
    app.press("Output menu")
    app.press("Save…", "menu item")
    target = app.session.path("HOME") / "output.txt"
    app.save_as(target)
    equal(target.read_text(encoding="utf-8"), PRINTED, "the file")


def exports(app):
    """From the history, as JSON that other programs read."""
    app.key("F9")
    rows = wait_for(lambda: labelled_rows(app.root), "the runs in the history")
    app.choose(rows[0])
    app.key("Menu")
    app.press("Export…", "menu item")
    target = app.session.path("HOME") / "run.json"
    app.save_as(target, suggested=r"run-\d+\.json")
    run = json.loads(target.read_text(encoding="utf-8"))
    equal((run["request"]["source"], run["result"]["stdout"]), (LINES, PRINTED), "the run")
    app.key("F9")


def find_red(app):
    """The first red point of the gutter in what people see of the window, from above; None without one. The sign of the
    result below it is red, too, and may be drawn before the mark."""
    display = app.session.display
    left, _, top, _ = display.shadow(app.window)
    width, _, pixels = display.picture(app.window)
    x, y, _, height = extents(app.editor)
    for row in range(top + y, top + y + height):
        for column in range(left + x, left + x + GUTTER):
            red, green, blue = pixels[3 * (row * width + column):][:3]
            if red > 150 and max(green, blue) < 80:
                return column - left, row - top
    return None


def marks_the_line(app):
    """And who points at the mark is told what was wrong."""
    app.run(FAILS)
    app.wait_result("Ended with exit code 1.")
    x, y = wait_for(lambda: find_red(app), "a mark")
    moves = itertools.cycle((0, 1))

    def find_tooltip():
        """Comes where the pointer moves and then rests."""
        for _ in range(2):
            app.session.display.click(app.window, x + next(moves), y + 2, times=0)
            app.settle()
        return find(app.root, None, ERROR)

    wait_for(find_tooltip, "what was wrong", interval=1)


CASES = {
    "the line that failed is marked": marks_the_line,
    "the output is searched": searches_the_output,
    "the code is searched": searches_the_code,
    "the output is copied": copies,
    "the output is saved": saves,
    "a run is exported": exports,
}


def main():
    tap = Tap()
    with fresh_session() as session, running(session) as app:
        app.resize(1000, 700)
        for name, case in CASES.items():
            tap.case(name, case, app)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
