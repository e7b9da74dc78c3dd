# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of the installed Flatpak, handled as tests/ui handles that of a build."""

import contextlib
import sys

import accessible
from flatpak_room import APP
from fumehood import Fumehood


class InstalledApp(Fumehood):
    def words(self):
        return ["flatpak", "run", APP]

    def find_root(self):
        return accessible.application(None, 30)


@contextlib.contextmanager
def installed_app(session, *arguments, **variables):
    """For the length of a block; whatever happens, it does not outlive it."""
    app = InstalledApp(session, *arguments, **variables)
    try:
        yield app
    finally:
        app.kill()


if __name__ == "__main__":
    sys.exit("installed_app.py is a module of the tests")
