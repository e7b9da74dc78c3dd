# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of the installed Flatpak, handled as tests/ui handles that of a build."""

import contextlib
import os
import sys
from types import SimpleNamespace

import accessible
from flatpak_room import APP
from fumehood import Fumehood
from measuring import command_name, descendants, runners_of


class InstalledApp(Fumehood):
    def __init__(self, room, display, *arguments, **variables):
        self.room = room
        session = SimpleNamespace(display=display, environment=room.environment, folder=room.folder)
        super().__init__(session, *arguments, **variables)

    def words(self):
        return ["flatpak", "run", APP]

    def find_root(self):
        return accessible.application(None, 30)

    def run(self, code=None):
        """By its button: its actions are behind a proxy of the bus."""
        if code is not None:
            self.type(code)
        self.press("Run")

    def is_running(self):
        """By its button, for the same reason."""
        button = self.find("push button", ("Stop", "Force Stop").__contains__)
        return button is not None and accessible.state(button, "SENSITIVE")

    def find_runners(self):
        """Below the portal, and so below the test."""
        sandboxes = [pid for pid in descendants(os.getpid()) if command_name(pid) == "bwrap"]
        return [runner for sandbox in sandboxes for runner in runners_of(sandbox)]

    def kill(self):
        """What was started is only bubblewrap, without which the app would live on."""
        if self.process.poll() is None:
            self.room.flatpak("kill", APP, check=False)
        super().kill()


@contextlib.contextmanager
def installed_app(room, display, *arguments, **variables):
    """For the length of a block; whatever happens, it does not outlive it."""
    app = InstalledApp(room, display, *arguments, **variables)
    try:
        yield app
    finally:
        app.kill()


if __name__ == "__main__":
    sys.exit("installed_app.py is a module of the tests")
