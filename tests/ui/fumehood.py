# SPDX-License-Identifier: GPL-3.0-or-later
"""The real app, started in a session of its own and handled as a person would."""

import contextlib
import os
import re
import signal
import subprocess
from pathlib import Path

import accessible
from display import write_png
from measuring import runners_of
from session import Session
from waiting import WATCHES, wait_for

APP_PATH = "/io/github/fumehood/Fumehood"
PANES = {"Output": "Both", "Standard output": "stdout", "Standard error": "stderr"}
# Buttons whose names have their values.
OPTIONS = re.compile("Run options").match
PLACE = re.compile("Run in: ").match
# Of the search in the output, and of the input.
OTHER = re.compile(r"Gtk\w+|\d+ of \d+\+?|No matches|Searching…|The program waits for input\.")
SCREENSHOTS = Path(os.environ.get("FH_SCREENSHOTS", "screenshots"))


class Fumehood:
    """One process of the app. A new one in the same session finds what the last one kept."""

    def __init__(self, session, *arguments, **variables):
        self.session = session
        self.log = session.folder / "app.log"
        environment = dict(session.environment, G_DEBUG="fatal-criticals", **variables)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.words(), *arguments],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
        self._line, self._views, self._actions_owner = None, {}, None
        WATCHES.append(self.must_live)
        try:
            self.root = self.find_root()
            self.window = wait_for(self._find_window, "the window")
        except AssertionError as error:
            self.kill()
            raise AssertionError(f"{error}; the app printed:\n{self.printed()}") from None
        session.display.focus(self.window)

    def words(self):
        """How it is started."""
        return [os.environ["FH_APP"]]

    def find_root(self):
        return accessible.application(self.process.pid)

    def _find_window(self):
        windows = self.session.display.windows()
        return windows[-1] if windows else None

    @property
    def pid(self):
        return self.process.pid

    def must_live(self):
        """Raises an AssertionError that tells how it ended, and what it had printed."""
        if self.process.poll() is not None:
            raise AssertionError(f"the app ended with status {self.process.returncode}; it printed:\n{self.printed()}")

    def must_not_warn(self):
        """Warnings are faults."""
        warnings = [line for line in self.printed().splitlines() if "WARNING **" in line]
        if warnings:
            raise AssertionError("the app warned:\n" + "\n".join(warnings))

    def printed(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def quit(self):
        """Closes the window and waits for the end, which must be a good one. A program whose output has come may be about
        to end, and the window would ask about it."""
        wait_for(lambda: not self.is_running(), "the end of what runs")
        self.session.display.close_window(self.window)
        self.wait_end()
        self.must_not_warn()

    def quit_session(self):
        """The same for a window with a session, which is asked about."""
        self.session.display.close_window(self.window)
        accessible.press(self.get("push button", "End and Close"))
        self.wait_end()
        self.must_not_warn()

    def wait_end(self):
        """Waits for an end that is meant, which must be a good one."""
        WATCHES.remove(self.must_live)
        try:
            wait_for(lambda: self.process.poll() is not None, "the app to end")
        finally:
            self.kill()
        if self.process.returncode != 0:
            raise AssertionError(f"the app ended with status {self.process.returncode}:\n{self.printed()}")

    def kill(self):
        if self.must_live in WATCHES:
            WATCHES.remove(self.must_live)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def take_turn(self):
        """A menu that has just gone keeps the keyboard and the pointer until the server has read what the app wrote, which
        the app does between two turns of its loop."""
        with contextlib.suppress(accessible.GLib.Error):
            self.is_enabled("run")
            self.is_enabled("run")
        self.session.display.catch_up()

    def key(self, combination):
        self.take_turn()
        self.session.display.key(combination)

    def move_focus(self, key):
        """Presses a key and waits until the keyboard is somewhere else. GTK does not tell of every place, such as
        the inside of an entry."""
        before = accessible.Tree(self.root).focus()
        self.key(key)
        if before is not None:
            wait_for(lambda: not accessible.state(before, "FOCUSED"), f"the focus to move after {key}")
        else:
            self.settle()

    def tab_to(self, role, name, steps=80):
        """By keyboard, as people do who have no mouse; rows have no action that could be called. Of a menu button it is
        the inner one that has the keyboard."""
        nodes = []
        for _ in range(steps):
            nodes = nodes or accessible.find_all(self.root, role, name)
            if any(accessible.state(node, "FOCUSED") for node in nodes):
                return
            self.move_focus("Tab")
        raise AssertionError(f"the keyboard does not reach {name!r}")

    def resize(self, width, height):
        """Waits until the window has that size; a window that refuses fails the test."""
        display = self.session.display
        display.resize(self.window, width, height)
        wait_for(
            lambda: display.size(self.window) == (width, height),
            f"a window of {width} by {height}; it has {display.size(self.window)}",
        )

    def screenshot(self, name, cutout=False):
        """A picture of the window on a wall, or of nothing but the window."""
        display = self.session.display
        display.settle(self.window)
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        picture = display.cutout if cutout else display.picture
        # The cutouts are kept in the tree; the others are looked at and thrown away.
        write_png(SCREENSHOTS / f"{name}.png", *picture(self.window), level=9 if cutout else 1)

    def get(self, role=None, name=None, timeout=10):
        return accessible.get(self.root, role, name, timeout)

    def wait_gone(self, role=None, name=None):
        accessible.wait_gone(self.root, role, name)

    def settle(self):
        self.session.display.settle(self.window)

    def find(self, role=None, name=None):
        return accessible.find(self.root, role, name)

    def press(self, name, role="push button"):
        """The innermost one of that name: a menu button is a button around a button. As long as a menu is there, it
        takes the next click and the keys."""
        accessible.press(accessible.get_all(self.root, role, name)[-1])
        if role == "menu item":
            self.wait_gone(role, name)

    @contextlib.contextmanager
    def options(self, open_them=None):
        """The window of all options has the keyboard; what opens it is a press of its button unless something else is
        given."""
        own = self.window
        (open_them or (lambda: self.press(OPTIONS)))()
        self.window = wait_for(self.find_dialog, "the options")
        self.session.display.focus(self.window)
        try:
            yield
        finally:
            self.key("Escape")
            wait_for(lambda: self.find_dialog() is None, "the options to go")
            self.window = own
            self.session.display.focus(own)

    def activate(self, action, *target):
        """Activates an action of the window, as a menu would."""
        self._call_actions("Activate", "(sava{sv})", action, target, {})

    def is_enabled(self, action):
        return self._call_actions("Describe", "(s)", action)[0][0]

    def _call_actions(self, method, signature, *arguments):
        bus = accessible.session_bus()
        # Its unique name: other apps of this test may have the well-known one.
        self._actions_owner = self._actions_owner or accessible.bus_name(bus, self.pid)
        return bus.call_sync(
            self._actions_owner, f"{APP_PATH}/window/1", "org.gtk.Actions", method,
            accessible.GLib.Variant(signature, arguments), None, 0, accessible.ANSWER_MS, None,
        ).unpack()

    def click(self, node, times=1):
        """With the mouse; for what has no action of its own, such as a row of a list. The pointer comes
        first: a press in the same instant may still go to what was there before. What moves meanwhile
        is followed."""
        display = self.session.display
        place = None
        self.take_turn()
        while place != accessible.middle(node):
            place = accessible.middle(node)
            display.click(self.window, *place, times=0)
            display.settle(self.window)
        display.click(self.window, *place, times=times)

    def choose(self, row):
        """Clicks a row of a list, which is the chosen one then: what a menu does is done to that."""
        self.click(row)
        wait_for(lambda: accessible.state(row, "SELECTED"), "the row to be chosen")

    def double_click(self, node):
        self.click(node, times=2)

    def find_dialog(self):
        """The window above this one."""
        windows = self.session.display.windows()
        return windows[-1] if len(windows) > 1 else None

    def save_as(self, target, suggested=None):
        """In the dialog that asks where to. `suggested`: what the name that it offers must match."""
        self.session.display.focus(wait_for(self.find_dialog, "the dialog"))
        button = self.get("push button", "Save")
        if suggested is not None:
            wait_for(lambda: re.fullmatch(suggested, accessible.read(self.get("text", "Name:"))), suggested)
        accessible.write(self.get("text", "Name:"), str(target))
        accessible.press(button)
        wait_for(lambda: target.exists() and target.stat().st_size > 0, "the saved file")
        wait_for(lambda: self.find_dialog() is None, "the dialog to go")
        self.session.display.focus(self.window)

    @property
    def editor(self):
        return self.get("text", "Source code")

    def type(self, code):
        """Replaces what is there, as people do it: first it is gone, then there is something else."""
        editor = self.editor
        accessible.write(editor, "")
        accessible.write(editor, code)

    def run(self, code=None):
        """Replaces the program of the tab, if one is given, and runs it. A press of the button takes effect a quarter
        of a second later, until when there is the result of the run before; the action has begun when it answers."""
        if code is not None:
            self.type(code)
        wait_for(self.can_run, "the Run button")
        self.activate("run")

    def can_run(self):
        """The button can be pressed exactly while its action is there."""
        return self.is_enabled("run")

    def is_running(self):
        """Stop can be pressed exactly while something runs."""
        return self.is_enabled("stop")

    def show(self, pane):
        """Turns to a pane of the output: "Output", "Standard output" or "Standard error". Only a wide
        window has buttons for that."""
        button = PANES[pane]
        self.press(button)
        wait_for(lambda: is_pressed(self.get("push button", button)), f"the pane “{pane}”")

    def output(self, pane="Output"):
        """What a pane shows; empty while another one is turned to."""
        self._views[pane] = view = self.find("text", pane)
        return accessible.read(view) if view is not None else ""

    def wait_output(self, text, pane="Output", timeout=10):
        wait_for(lambda: accessible.may_be_so(self._views.get(pane), lambda view: text in accessible.read(view))
                 and text in self.output(pane), f"{text!r} in “{pane}”", timeout)

    def result_line(self):
        """The label with the result, None before the first run. Notices have the same role, but parts
        inside; others are empty, or known by what they say."""
        lines = [node for node in accessible.find_all(self.root, "status bar")
                 if not accessible.children(node) and not OTHER.fullmatch(accessible.spoken(node))]
        self._line = lines[-1] if lines else None
        return self._line

    def result(self):
        """The sentence of the result line; empty before the first run."""
        line = self.result_line()
        return accessible.spoken(line) if line is not None else ""

    def wait_result(self, beginning, timeout=15):
        """Waits for a result line that begins so, and for the end of the run."""
        def is_there():
            return accessible.may_be_so(self._line, lambda line: accessible.spoken(line).startswith(beginning)) \
                and self.result().startswith(beginning)
        try:
            wait_for(is_there, "the result", timeout)
        except AssertionError as error:
            raise AssertionError(f"{error}: expected {beginning!r}, there is {self.result()!r}") from None
        wait_for(lambda: not self.is_running(), "the Stop button to rest")

    def find_runners(self):
        """The process ids of the runners of what runs, is prepared or is inspected."""
        return runners_of(self.pid)

    def find_runner(self):
        """The first of them, or None."""
        return next(iter(self.find_runners()), None)

    def runner(self):
        """The runner of a program that runs. New code is inspected in a runner of its own, which ends by itself: only
        when one is left is it known which."""
        return wait_for(lambda: len(found := self.find_runners()) == 1 and found[0], "the one runner of the app")


def is_pressed(button):
    """Whether a button that stays pressed is."""
    return accessible.state(button, "PRESSED") or accessible.state(button, "CHECKED")


@contextlib.contextmanager
def fresh_session():
    session = Session()
    try:
        yield session
    finally:
        session.close()


@contextlib.contextmanager
def running(session, *arguments, **variables):
    """The app for the length of a block; whatever happens, it does not outlive it."""
    app = Fumehood(session, *arguments, **variables)
    try:
        yield app
        app.must_not_warn()
    finally:
        app.kill()
