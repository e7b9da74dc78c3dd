# SPDX-License-Identifier: GPL-3.0-or-later
"""A desktop of the test's own: display, D-Bus, the accessibility bus, and a fresh home for each case."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from display import Display
from session_bus import SessionBus

# What a GNOME desktop tells every program through its settings daemon.
GTK_SETTINGS = """[Settings]
gtk-font-name=Cantarell 11
gtk-decoration-layout=appmenu:close
gtk-cursor-blink=false
"""


def has_gtk(version):
    return subprocess.call(["pkg-config", f"--atleast-version={version}", "gtk4"]) == 0


# Drawing by software GL is slow. How to do without it has another name since GTK 4.16, which complains about the old one.
WITHOUT_GL = {"GDK_DISABLE": "gl,vulkan"} if has_gtk("4.16") else {"GDK_DEBUG": "gl-disable"}
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
FOLDERS = {
    "HOME": "home",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_STATE_HOME": "home/.local/state",
}
NOTIFICATION_SERVER = Path(__file__).resolve().with_name("notification_server.py")
UNWANTED = ("GTK_THEME", "WAYLAND_DISPLAY", "LANGUAGE", "GTK_A11Y", "AT_SPI_BUS_ADDRESS")


class Desktop:
    """One display and its buses, ended by close(). A process can have only one: GLib connects to the session's bus
    once and for all."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="fumehood-desktop-"))
        self.environment = dict(os.environ)
        for variable in UNWANTED:
            self.environment.pop(variable, None)
        self.display = Display()
        self._set_environment()
        self.bus = self._start_bus()
        # This process talks to the same buses.
        os.environ.pop("AT_SPI_BUS_ADDRESS", None)
        for variable in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
            os.environ[variable] = self.environment[variable]

    def close(self):
        self.bus.close()
        self.display.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _set_environment(self):
        runtime = self.folder / "runtime"
        runtime.mkdir(mode=0o700)
        self.environment.update({
            "DISPLAY": self.display.name,
            "XDG_RUNTIME_DIR": str(runtime),
            "GSK_RENDERER": "cairo",
            "GDK_BACKEND": "x11",
            **WITHOUT_GL,
            "GSETTINGS_BACKEND": "keyfile",
            "GIO_USE_VFS": "local",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
        })

    def _start_bus(self):
        launcher = next(path for path in LAUNCHERS if os.path.exists(path))
        bus = SessionBus(self.folder, self.environment, {
            "org.a11y.Bus": launcher,
            "org.freedesktop.Notifications": f"/usr/bin/python3 {NOTIFICATION_SERVER}",
        })
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        return bus


@functools.lru_cache(maxsize=None)
def desktop():
    """The desktop of this process, made when it is first needed."""
    made = Desktop()
    atexit.register(made.close)
    return made


def prepare_runs(config, wanted, style="follow"):
    """The preferences of these names in a folder of the settings."""
    settings = config / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(
        f"[io/github/fumehood/Fumehood]\nprepare-runs={str(wanted).lower()}\ncolor-scheme='{style}'\n", encoding="utf-8")


class Session:
    """A fresh home on the desktop, as a new user would have it; ended by close()."""

    def __init__(self):
        self.display = desktop().display
        self.bus_folder = desktop().folder
        self.folder = Path(tempfile.mkdtemp(prefix="fumehood-ui-"))
        self.environment = dict(desktop().environment)
        for variable, name in FOLDERS.items():
            folder = self.folder / name
            folder.mkdir(parents=True, exist_ok=True)
            self.environment[variable] = str(folder)
        settings = self.path("XDG_CONFIG_HOME") / "gtk-4.0" / "settings.ini"
        settings.parent.mkdir()
        settings.write_text(GTK_SETTINGS, encoding="utf-8")
        # A runner below the app is then that of the run.
        self.prepare_runs(False)

    def prepare_runs(self, wanted):
        prepare_runs(self.path("XDG_CONFIG_HOME"), wanted)

    def prefer_style(self, style):
        """"follow", "light" or "dark"."""
        prepare_runs(self.path("XDG_CONFIG_HOME"), False, style)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, variable):
        """The folder that a variable of the session names."""
        return Path(self.environment[variable])
