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

# Only the accessibility bus can be started: the stock configuration would bring up desktop portals,
# which find no desktop here.
BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{folder}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
BUS_SERVICE = """[D-BUS Service]
Name=org.a11y.Bus
Exec={launcher}
"""
# What a GNOME desktop tells every program through its settings daemon.
GTK_SETTINGS = """[Settings]
gtk-font-name=Cantarell 11
gtk-decoration-layout=appmenu:close
gtk-cursor-blink=false
"""
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
FOLDERS = {
    "HOME": "home",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_STATE_HOME": "home/.local/state",
}
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
        self.bus.terminate()
        self.bus.wait()
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
            "GDK_DEBUG": "gl-disable",
            "GSETTINGS_BACKEND": "keyfile",
            "GIO_USE_VFS": "local",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
        })

    def _start_bus(self):
        (self.folder / "services").mkdir()
        launcher = next(path for path in LAUNCHERS if os.path.exists(path))
        service = self.folder / "services" / "org.a11y.Bus.service"
        service.write_text(BUS_SERVICE.format(launcher=launcher), encoding="utf-8")
        config = self.folder / "bus.conf"
        config.write_text(BUS_CONFIG.format(folder=self.folder), encoding="utf-8")
        bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        return bus


@functools.lru_cache(maxsize=None)
def desktop():
    """The desktop of this process, made when it is first needed."""
    made = Desktop()
    atexit.register(made.close)
    return made


class Session:
    """A fresh home on the desktop, as a new user would have it; ended by close()."""

    def __init__(self):
        self.display = desktop().display
        self.folder = Path(tempfile.mkdtemp(prefix="fumehood-ui-"))
        self.environment = dict(desktop().environment)
        for variable, name in FOLDERS.items():
            folder = self.folder / name
            folder.mkdir(parents=True, exist_ok=True)
            self.environment[variable] = str(folder)
        settings = self.path("XDG_CONFIG_HOME") / "gtk-4.0" / "settings.ini"
        settings.parent.mkdir()
        settings.write_text(GTK_SETTINGS, encoding="utf-8")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, variable):
        """The folder that a variable of the session names."""
        return Path(self.environment[variable])
