# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be pressed, chosen or written into has a name of its own, in every state and window of the app."""

import json
import os
import re
import subprocess
import sys

from accessible import Node, Tree, get_all, labelled_rows, press, showing
from fumehood import OPTIONS, PLACE, fresh_session, running
from mcp_client import Client
from tap import Tap
from waiting import ANSWER_S, wait_for

CONTROLS = {
    "push button", "menu item", "check menu item", "radio menu item", "check box", "radio button", "combo box", "entry",
    "page tab", "password text", "slider", "spin button", "switch", "text",
}
# These are read by what is in them.
ROWS = {"list item", "table row"}
# Where there is no name GTK says the class.
CLASS = re.compile(r"((Gtk|Adw|Fh)[A-Z]\w+)?")
# One button of GTK's own window.
OF_GTK = {"shortcuts": "no name: panel '' › panel '' › panel '' › panel '' › push button ''"}
FAILS = """import socket
open("left.txt", "w").write("1")
try:
    socket.create_connection(("192.0.2.1", 80))
except OSError as error:
    print(error)
1 / 0
"""
WRITES = 'open("left.txt", "w").write("1")\n'
ASKS = "name = input('Name? ')\nprint(name)\n"
CHANGES = "open('main.py', 'w').write('1\\n')\n"
SAMPLES = ("print(1)\n", "1 / 0\n")
ANSWER = "First:\n\n```python\nprint(1)\n```\n\nThen:\n\n```html\n<p>2</p>\n```\n"


class Names:
    """The names in all windows at one moment, and what is wrong with them."""

    def __init__(self, root):
        self.tree = Tree(root, exact=True)
        self.faults = []
        for window in self.tree.below[root.path]:
            self._look(window, (), False, {})

    def _told(self, path):
        """Role and name; no name where it is a class."""
        role, name = self.tree.known.get(path, ("", ""))
        return role, "" if CLASS.fullmatch(name) else name

    def _look(self, path, above, in_control, place):
        """`place` has the controls that were seen in the same part of the window."""
        role, name = told = self._told(path)
        above = (*above, f"{role} {name!r}")
        is_control = role in CONTROLS or role in ROWS
        # A picture in a control repeats it, or does not matter.
        if not name and self._needs_name(path, role, in_control) and self._shows(path):
            self.faults.append("no name: " + " › ".join(above[-5:]))
        if name and role in CONTROLS and not in_control:
            if told in place and self._shows(path) and self._shows(place[told]):
                self.faults.append("twice: " + " › ".join(above[-5:]))
            place[told] = path
        if self.tree.known.get(path, ("", ""))[0] not in ("panel", "push button"):
            place = {}
        for child in self.tree.below.get(path, ()):
            self._look(child, above, is_control or in_control, place)

    def _needs_name(self, path, role, in_control):
        if role in ROWS:
            return not any(self._told(inner)[1] for inner in self.tree.paths(path))
        return role in CONTROLS or role == "image" and not in_control

    def _shows(self, path):
        return showing(Node(self.tree.owner, path))


class Walk:
    """Goes from state to state; each is a case."""

    def __init__(self, app, tap):
        self.app, self.tap, self.display = app, tap, app.session.display

    def check(self, state, moves=False):
        if not moves:
            self.app.settle()
        faults = Names(self.app.root).faults
        if OF_GTK.get(state) in faults:
            faults.remove(OF_GTK[state])
        self.tap.ok(not faults, state, faults)

    def key(self, key, what):
        self.app.key(key)
        self.check(what)

    def pages(self, *pages):
        for page in pages:
            press(get_all(self.app.root, "page tab", page)[-1])
            self.check(page)

    def popover(self, button, what, *pages):
        self.app.press(button)
        self.check(what)
        self.pages(*pages)
        self.close()

    def close(self):
        self.app.key("Escape")
        self.app.settle()

    def window(self, open_it, what, *pages):
        """Another window, which Escape closes."""
        own, before = self.app.window, self.display.windows()
        open_it()
        self.app.window = wait_for(lambda: [new for new in self.display.windows() if new not in before], what)[0]
        self.display.focus(self.app.window)
        self.check(what)
        self.pages(*pages)
        self.app.key("Escape")
        self.app.window = own
        wait_for(lambda: self.display.windows() == before, f"{what} to go")
        self.display.focus(own)


def results(walk):
    app = walk.app
    app.type("")
    app.get("push button", "Paste an Answer")
    walk.check("an empty tab")
    app.run(FAILS)
    app.wait_result("Ended with exit code 1.")
    walk.check("a result")
    walk.pages("Attempts")
    app.click(app.get("label", "Connect to 192.0.2.1:80"))
    app.get("push button", "Hide the details")
    walk.check("an attempt")
    walk.pages("Files", "Inspect")
    app.key("F9")
    app.get("entry", "Search runs")
    walk.check("the history")
    app.key("F9")


def controls(walk):
    walk.popover(PLACE, "where it runs")
    walk.popover(re.compile("Time limit").match, "the time limit")
    walk.popover("What protects you now", "the guards")
    walk.popover("Main menu", "the menu")
    walk.key("ctrl+i", "a line")
    walk.close()
    for key, what in (("ctrl+f", "search"), ("ctrl+h", "replacing"), ("ctrl+shift+f", "search in the output")):
        walk.key(key, what)
    walk.close()


def windows(walk):
    app = walk.app
    walk.window(lambda: app.press(OPTIONS), "the run options")
    walk.window(lambda: app.key("ctrl+comma"), "preferences")
    walk.window(lambda: app.key("ctrl+e"), "exhibits")
    walk.window(lambda: app.activate("run-unprotected"), "a question")
    app.run("print(2)\n")
    app.wait_result("Finished normally.")
    walk.window(lambda: app.activate("compare"), "two runs")


def modes(walk):
    app = walk.app
    app.type(ANSWER)
    app.get(None, lambda name: name.startswith("Block 2"))
    walk.check("an answer")
    app.run()
    app.get(None, "Block 2: HTML, saved")
    walk.check("an answer that was run")
    app.type("# %%\na = 1\n")
    app.press("Session")
    walk.check("a session")
    app.run()
    app.get("page tab", "Variables")
    walk.pages("Variables")
    app.key("ctrl+t")
    walk.check("two tabs")


def inputs(walk):
    """Of a program that waits, and of one that left a file."""
    app = walk.app
    app.run(ASKS)
    app.get(None, "Input for the program")
    walk.check("a program that waits", moves=True)
    app.press("End Input")
    app.wait_result("Ended with exit code 1.")
    app.run(WRITES)
    app.wait_result("Finished normally.")
    press(app.get("page tab", "Files"))
    app.click(wait_for(lambda: labelled_rows(app.root, "left.txt"), "the file")[0])
    app.get("push button", "All files")
    walk.check("a file")


def others(walk):
    app = walk.app
    walk.window(lambda: app.activate("show-help-overlay"), "shortcuts")
    while app.find("push button", "New Tab") is None:
        app.key("ctrl+w")
        app.settle()
        end = app.find("push button", "End and Close")
        if end is not None:
            press(end)
            app.wait_gone("push button", "End and Close")
            app.session.display.focus(app.window)
    walk.check("no tabs")


def past(walk):
    """What the command line ran: a batch, and a program in a copy of a project."""
    app, session = walk.app, walk.app.session
    folder = session.folder / "project"
    folder.mkdir()
    (folder / "main.py").write_text("2\n", encoding="utf-8")
    program, samples = session.folder / "changes.py", session.folder / "samples.jsonl"
    program.write_text(CHANGES, encoding="utf-8")
    samples.write_text("".join(json.dumps({"id": str(i), "source": source}) + "\n" for i, source in enumerate(SAMPLES)),
                       encoding="utf-8")
    app.key("F9")
    app.get("list", "Past runs")
    for words, place in ((("batch", samples), ("tree table", "Samples")),
                         (("run", "--project", folder, program), ("page tab", "Changes"))):
        before = len(labelled_rows(app.root))
        subprocess.run([os.environ["FH_CTL"], *map(str, words)], check=True, env=session.environment,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=ANSWER_S)
        rows = wait_for(lambda before=before: len(labelled_rows(app.root)) > before and labelled_rows(app.root), "the run")
        app.double_click(rows[0])
        app.get(*place)
        walk.check(place[1])
    walk.pages("Changes")


def question(walk):
    """Of a model that asks to run something."""
    app = walk.app
    with Client("--ask", environment=app.session.environment) as client:
        walk.window(lambda: client.begin("execute_python_code", token=None, code="print(1)"), "an approval")


def main():
    tap = Tap()
    with fresh_session() as session, running(session) as app:
        app.resize(1000, 700)
        app.get("text", "Source code")
        walk = Walk(app, tap)
        walk.check("a first run")
        for part in (results, controls, windows, inputs, modes, past, question, others):
            tap.case(part.__name__, part, walk)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
