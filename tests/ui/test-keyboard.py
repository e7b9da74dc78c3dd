# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything by keyboard: from a pasted answer to two runs beside each other. Nothing here is done with the pointer or
with the actions that screen readers have; the tree of the window is only looked at."""

import re
import sys

from accessible import Tree, caret, find, name_of, names, read, state
from clipboard import Clipboard
from fumehood import PLACE, fresh_session, running
from tap import Tap
from waiting import not_yet, wait_equal, wait_for

ANSWER = """It is said to be harmless:

```python
import os, socket
try:
    socket.create_connection(("192.0.2.1", 80))
except OSError as error:
    print("refused:", error)
print(sum(range(10)) // 0)
```
"""
CODE = ANSWER.split("```")[1].removeprefix("python\n")
# It fails, as the program of the answer: either is the past run that is opened and compared later.
ASKS = "import sys\nprint(sys.stdin.readline().strip() * 2)\nsys.exit(len(sys.stdin.read()) + 1)\n"
FAILED = "Ended with exit code 1."
TIME = re.compile("Time limit").match


def focused(app, role=None, name=None):
    """What has the keyboard."""
    tree = Tree(app.root)
    node = tree.focus()
    if node is None:
        return None
    found_role, found_name = tree.known.get(node.path, ("", ""))
    is_it = (name or (lambda text: True)) if name is None or callable(name) else name.__eq__
    return node if role in (None, found_role) and is_it(found_name) else None


def wait_focus(app, role, name=None):
    return wait_for(lambda: focused(app, role, name), f"the keyboard to be at {role} {name}")


def wait_shown(app, text):
    return wait_for(lambda: find(app.root, None, lambda name: name and text in name), f"{text!r}")


def another_window(app, *keys):
    """The window that keys open, which gets the keyboard, as from a window manager."""
    before = app.session.display.windows()
    for key in keys:
        app.key(key)
    own, app.window = app.window, wait_for(
        lambda: [window for window in app.session.display.windows() if window not in before], "another window")[0]
    app.session.display.focus(app.window)
    return own


def back(app, own, key="Escape"):
    app.key(key)
    wait_for(lambda: app.session.display.windows() == [own], "the window to go")
    app.window = own
    app.session.display.focus(own)


def answers_a_program(app, clipboard):
    editor = wait_focus(app, "text", "Source code")
    clipboard.copy(ASKS)
    app.key("ctrl+v")
    wait_for(lambda: read(editor) == ASKS, "the program")
    app.key("ctrl+Return")
    wait_shown(app, "The program waits for input.")
    wait_focus(app, "text", "Input for the program")
    for key in ("a", "d", "a", "Return"):
        app.key(key)
    app.wait_output("adaada")
    app.key("ctrl+d")
    app.wait_result(FAILED)


def pastes(app, clipboard):
    """Into a tab that was opened where there was none."""
    app.key("ctrl+w")
    wait_focus(app, "push button", "New Tab")
    app.move_focus("Return")
    editor = wait_focus(app, "text", "Source code")
    clipboard.copy(ANSWER)
    app.key("ctrl+v")
    wait_for(lambda: read(editor) == CODE, "the code of the answer")


def looks_before(app, _clipboard):
    app.move_focus("F6")
    app.tab_to("page tab", "Inspect")
    app.key("Return")
    wait_shown(app, "opens a connection")
    app.tab_to("list item", "socket.create_connection")
    app.move_focus("Return")
    wait_focus(app, "text", "Source code")
    wait_shown(app, "Line 3, column 1")
    not_yet(app.result, "it has run")


def runs(app, _clipboard):
    app.key("ctrl+Return")
    app.wait_result(FAILED)
    app.key("ctrl+shift+o")
    output = wait_focus(app, "text", "Output")
    wait_for(lambda: "refused:" in read(output), "the output")
    app.key("ctrl+End")
    wait_for(lambda: caret(output) == len(read(output)), "the end of the output")


def reads_attempts(app, _clipboard):
    app.key("ctrl+shift+a")
    wait_focus(app, "table row")
    app.key("Return")
    wait_shown(app, "Hide the details")
    app.tab_to("push button", "Go to Line 3")
    app.move_focus("space")
    wait_focus(app, "text", "Source code")
    wait_shown(app, "Line 3, column 1")


def button_name(app, pattern):
    """Of the controls below the code, whose names have their values."""
    return name_of(app.get("push button", pattern))


def sets_limits(app, _clipboard):
    before = button_name(app, TIME)
    app.key("ctrl+shift+l")
    wait_focus(app, "menu item")
    app.move_focus("Down")
    app.key("Return")
    wait_for(lambda: button_name(app, TIME) != before, "another time limit")


def chooses_the_place(app, _clipboard):
    """And back to this computer."""
    for place in ("Container", "This Computer"):
        # A popover that is still closing takes the key for itself.
        app.settle()
        app.key("ctrl+shift+r")
        app.get("push button", "Container")
        app.tab_to("push button", place)
        app.key("space")
        app.move_focus("Escape")
        is_here = place == "This Computer"
        wait_equal(lambda: "This Computer" in button_name(app, PLACE), is_here, "whether it runs here")


def switches_a_guard(app, _clipboard):
    before = wait_for(lambda: focused(app), "the keyboard to be somewhere")
    for is_off in (True, False):
        own = another_window(app, "alt+Return")
        app.key("ctrl+f")
        wait_focus(app, "entry", "Search the options")
        for key in "env":
            app.key(key)
        app.wait_gone("list item", "Language")
        app.tab_to("list item", "Environment")
        app.key("space")
        switch = app.get("check box", "Environment")
        wait_for(lambda is_off=is_off, switch=switch: state(switch, "CHECKED") != is_off, "it to be switched")
        if is_off:
            wait_shown(app, "Switched off for the next run: Environment")
        back(app, own)
        wait_for(lambda: state(before, "FOCUSED"), "the keyboard to be where it was")


def learns_what_protects(app, _clipboard):
    app.tab_to("push button", "What protects you now")
    app.move_focus("Return")
    wait_shown(app, "Learn more: Network")
    app.tab_to("push button", "Learn more: Network")
    app.key("Escape")
    wait_focus(app, "push button", "What protects you now")


def compares(app, _clipboard):
    """A run is opened from the history, and then held against another."""
    app.key("F6")
    wait_focus(app, "text", "Source code")
    for key in ("ctrl+a", "Delete", "1", "Return"):
        app.key(key)
    app.key("ctrl+Return")
    app.wait_result("Finished normally.")
    app.key("F9")
    wait_focus(app, "entry", "Search runs")
    app.key("Down")
    wait_focus(app, "list item")
    app.key("Menu")
    wait_focus(app, "menu item", "Open in New Tab")
    app.move_focus("Down")
    app.move_focus("Down")
    wait_focus(app, "menu item", "Compare With…")
    app.key("Return")
    wait_shown(app, "Choose the run to compare")
    app.settle()
    wait_focus(app, "list item")
    app.key("Down")
    app.settle()
    own = another_window(app, "Return")
    wait_for(lambda: "Result" in names(app.root) and FAILED in names(app.root), "both runs")
    back(app, own)


def opens_a_past_run(app, _clipboard):
    wait_focus(app, "list item")
    app.key("Return")
    wait_for(lambda: app.result() == FAILED, "the past run")
    app.key("F9")
    wait_focus(app, "text", "Source code")


def runs_an_exhibit(app, _clipboard):
    own = another_window(app, "ctrl+e")
    wait_focus(app, "table cell")
    for key in ("t", "i", "m", "e", "space", "b", "o"):
        app.key(key)
    wait_for(lambda: find(app.root, "table cell", "Time Bomb, Time, Easy"), "the exhibit")
    app.settle()
    back(app, own, "Return")
    app.wait_result("Stopped after 1 s: ")


def prefers(app, _clipboard):
    own = another_window(app, "ctrl+comma")
    box = wait_for(lambda: find(app.root, "check box", "Line Numbers"), "the preferences")
    before = state(box, "CHECKED")
    app.tab_to("list item", "Line Numbers")
    app.key("space")
    wait_for(lambda: state(box, "CHECKED") != before, "it to be switched")
    back(app, own)


def closes(app, _clipboard):
    app.key("F10")
    wait_focus(app, "menu item")
    app.move_focus("Escape")
    app.key("ctrl+shift+w")
    app.wait_end()


CASES = {
    "a program is answered": answers_a_program,
    "an answer is pasted": pastes,
    "what it would do is seen, and leads to its line": looks_before,
    "it is run, and the output is read": runs,
    "an attempt is read, and leads to its line": reads_attempts,
    "a limit is changed": sets_limits,
    "where it runs is changed": chooses_the_place,
    "a guard is switched off and on": switches_a_guard,
    "what protects is told": learns_what_protects,
    "two runs are compared": compares,
    "a past run is opened": opens_a_past_run,
    "an exhibit is run": runs_an_exhibit,
    "a preference is changed": prefers,
    "the window is closed": closes,
}


def main():
    tap = Tap()
    with fresh_session() as session:
        clipboard = Clipboard(session.display.name)
        with running(session) as app:
            app.resize(1000, 700)
            for name, case in CASES.items():
                if not tap.case(name, case, app, clipboard):
                    app.screenshot("keyboard-failed")
                    break
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
