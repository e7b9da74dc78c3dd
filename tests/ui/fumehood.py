# SPDX-License-Identifier: GPL-3.0-or-later
"""The real app, started in a session of its own and handled as a person would."""

import contextlib
import os
import signal
import subprocess
from pathlib import Path

import accessible
from display import write_png
from measuring import runner_of
from session import Session
from waiting import wait_for

APP_PATH = "/io/github/fumehood/Fumehood"
BUS = "org.freedesktop.DBus"
PANES = {"Output": "Both", "Standard output": "stdout", "Standard error": "stderr"}
STOP_NAMES = ("Stop", "Force Stop")
SCREENSHOTS = Path(os.environ.get("FH_SCREENSHOTS", "screenshots"))


class Fumehood:
    """One process of the app. A new one in the same session finds what the last one kept."""

    def __init__(self, session, *arguments, **variables):
        self.session = session
        self.log = session.folder / "app.log"
        environment = dict(session.environment, G_DEBUG="fatal-warnings", **variables)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [os.environ["FH_APP"], *arguments],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
        try:
            self.root = accessible.application(self.process.pid)
            self.window = wait_for(self._find_window, "the window")
        except AssertionError as error:
            self.kill()
            raise AssertionError(f"{error}; the app printed:\n{self.printed()}") from None
        session.display.focus(self.window)

    def _find_window(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the app ended with status {self.process.returncode}")
        windows = self.session.display.windows()
        return windows[-1] if windows else None

    @property
    def pid(self):
        return self.process.pid

    def printed(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def quit(self):
        """Closes the window and waits for the end, which must be a good one."""
        self.session.display.close_window(self.window)
        try:
            wait_for(lambda: self.process.poll() is not None, "the app to end after its window")
        finally:
            self.kill()
        if self.process.returncode != 0:
            raise AssertionError(f"the app ended with status {self.process.returncode}:\n{self.printed()}")

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def key(self, combination):
        self.session.display.key(combination)

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
        write_png(SCREENSHOTS / f"{name}.png", *picture(self.window))

    def get(self, role=None, name=None, timeout=10):
        return accessible.get(self.root, role, name, timeout)

    def find(self, role=None, name=None):
        return accessible.find(self.root, role, name)

    def press(self, name, role="push button"):
        """The innermost one of that name: a menu button is a button around a button."""
        accessible.press(accessible.find_all(self.get(role, name), role, name)[-1])

    def activate(self, action):
        """Activates an action of the window, as a menu would."""
        bus = accessible.session_bus()
        bus.call_sync(
            self.bus_name(bus), f"{APP_PATH}/window/1", "org.gtk.Actions", "Activate",
            accessible.GLib.Variant("(sava{sv})", (action, [], {})), None, 0, 5000, None,
        )

    def bus_name(self, bus):
        """Its unique name: other apps of this test may have the well-known one."""
        names = bus.call_sync(BUS, "/org/freedesktop/DBus", BUS, "ListNames", None, None, 0, 5000, None)
        for name in names.unpack()[0]:
            argument = accessible.GLib.Variant("(s)", (name,))
            reply = bus.call_sync(
                BUS, "/org/freedesktop/DBus", BUS, "GetConnectionUnixProcessID", argument, None, 0, 5000, None
            )
            if name.startswith(":") and reply.unpack()[0] == self.pid:
                return name
        raise AssertionError("the app is not on the bus")

    def double_click(self, node):
        """With the mouse; for what has no action of its own, such as a row of a list."""
        self.session.display.click(self.window, *accessible.middle(node), times=2)

    @property
    def editor(self):
        return self.get("text", "Source code")

    def type(self, code):
        """Replaces what is there, as people do it: first it is gone, then there is something else."""
        editor = self.editor
        accessible.write(editor, "")
        accessible.write(editor, code)

    def run(self, code=None):
        """Replaces the program of the tab, if one is given, and presses Run."""
        if code is not None:
            self.type(code)
        self.press("Run")

    def is_running(self):
        """Stop can be pressed exactly while something runs."""
        button = self.find("push button", lambda name: name in STOP_NAMES)
        return button is not None and accessible.state(button, "SENSITIVE")

    def show(self, pane):
        """Turns to a pane of the output: "Output", "Standard output" or "Standard error". Only a wide
        window has buttons for that."""
        button = PANES[pane]
        self.press(button)
        wait_for(lambda: _is_pressed(self.get("push button", button)), f"the pane “{pane}”")

    def output(self, pane="Output"):
        """What a pane shows; empty while another one is turned to."""
        view = self.find("text", pane)
        return accessible.read(view) if view is not None else ""

    def wait_output(self, text, pane="Output", timeout=10):
        wait_for(lambda: text in self.output(pane), f"{text!r} in “{pane}”", timeout)

    def result_line(self):
        """The label with the result, None before the first run. Notices have the same role, but parts
        inside."""
        lines = [node for node in accessible.find_all(self.root, "status bar") if not accessible.children(node)]
        return lines[-1] if lines else None

    def result(self):
        """The sentence of the result line; empty before the first run."""
        line = self.result_line()
        return accessible.name_of(line) if line is not None else ""

    def wait_result(self, beginning, timeout=15):
        """Waits for a result line that begins so, and for the end of the run."""
        try:
            wait_for(lambda: self.result().startswith(beginning), "the result", timeout)
        except AssertionError as error:
            raise AssertionError(f"{error}: expected {beginning!r}, there is {self.result()!r}") from None
        wait_for(lambda: not self.is_running(), "the Stop button to rest")

    def runner(self, timeout=10):
        """The process id of the runner of the run that is going on."""
        return wait_for(lambda: runner_of(self.pid), "a runner below the app", timeout)


def _is_pressed(button):
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
    finally:
        app.kill()
