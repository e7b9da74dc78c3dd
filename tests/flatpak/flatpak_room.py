# SPDX-License-Identifier: GPL-3.0-or-later
"""Flatpak for one test: a home and a session bus of its own, on which Flatpak's portal can be started, the local
runtime, and Fumehood installed there. README.md says how the app gets built."""

import contextlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import local_runtime
from session_bus import SessionBus
from tap import must

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / "flatpak" / "io.github.fumehood.Fumehood.json"
APP = json.loads(MANIFEST.read_text(encoding="utf-8"))["id"]
# The variant for development, which only some repositories have.
DEVEL = f"{APP}.Devel"
BRANCH = "master"
PORTAL = "org.freedesktop.portal.Flatpak"
# Where distributions put what Flatpak itself starts.
PROGRAM_FOLDERS = ("/usr/libexec", "/usr/lib/flatpak", "/usr/lib/x86_64-linux-gnu")
# Of the developer, and nothing for programs in here.
UNWANTED = ("FH_RUNNER", "FH_DATA_DIR", "FH_GUEST_DIR", "GSETTINGS_SCHEMA_DIR", "XDG_DATA_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
            "XDG_CACHE_HOME", "XDG_STATE_HOME", "DBUS_STARTER_ADDRESS", "FLATPAK_ID", "DOCKER_HOST")


def repository():
    """Where the built app is, or None: FH_FLATPAK_REPO."""
    name = os.environ.get("FH_FLATPAK_REPO")
    return Path(name) if name and Path(name).is_dir() else None


def why_not():
    """None when there can be a room, else what is missing."""
    if os.geteuid() == 0:
        return "Flatpak is tested as an ordinary user"
    if portal_program() is None:
        return "flatpak-portal is not installed"
    if repository() is None:
        return "FH_FLATPAK_REPO names no built app; tests/run.sh flatpak makes one"
    try:
        local_runtime.ready()
    except local_runtime.Missing as missing:
        return str(missing)
    return None


def must_work():
    """Whether a missing Flatpak is a failure: tests/run.sh has prepared it."""
    return os.environ.get("FH_MUST_SANDBOX") == "1" and repository() is not None


def portal_program():
    paths = [f"{folder}/flatpak-portal" for folder in PROGRAM_FOLDERS]
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def home_folder():
    """The user's real one: what Flatpak lends a program has to lie outside of /tmp, which no sandbox shares."""
    home = pwd.getpwuid(os.getuid()).pw_dir
    return home if os.access(home, os.W_OK) else "/var/tmp"


class Room:
    """Ended by close(), with all that runs in it. `services`: further ones of the bus."""

    def __init__(self, services=None, **variables):
        self.folder = Path(tempfile.mkdtemp(prefix="fumehood-flatpak-", dir=home_folder()))
        self.home = self.folder / "home"
        runtime = self.folder / "runtime"
        for folder in (self.home, runtime):
            folder.mkdir(mode=0o700)
        self.environment = {key: value for key, value in os.environ.items() if key not in UNWANTED}
        self.environment.update({
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(runtime),
            "XDG_DATA_DIRS": f"{self.home}/.local/share/flatpak/exports/share:/usr/local/share:/usr/share",
            "FLATPAK_SYSTEM_DIR": str(local_runtime.ready()),
            "GSETTINGS_BACKEND": "keyfile",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            **variables,
        })
        self.bus = SessionBus(self.folder, self.environment, {PORTAL: portal_program(), **(services or {})})
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.address
        # There Flatpak asks what a child may install; on this bus it learns that there are no such rules.
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = self.bus.address

    def close(self):
        for app in self.running():
            self.flatpak("kill", app, check=False)
        self.bus.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, *words, check=True, **options):
        """Any command in here, to its end; its output as text, unless the options of subprocess.run say otherwise."""
        answer = subprocess.run([str(word) for word in words], check=False, **{
            "env": self.environment, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True,
            "errors": "replace", "timeout": 900, **options})
        must(not check or answer.returncode == 0,
             f"{' '.join(map(str, words))}: {answer.returncode}\n{answer.stdout}{answer.stderr}")
        return answer

    def flatpak(self, *words, **options):
        return self.call("flatpak", *words, **options)

    def install(self, source=None, app=APP):
        """From a repository; by default the one of the built app."""
        source = source or repository()
        if "local" not in self.flatpak("--user", "remotes", "--columns=name").stdout.split():
            self.flatpak("--user", "remote-add", "--no-gpg-verify", "local", source)
        self.flatpak("--user", "install", "--assumeyes", "--noninteractive", "local", app)
        return self

    def uninstall(self, *options, app=APP):
        self.flatpak("--user", "uninstall", "--assumeyes", "--noninteractive", *options, app)

    def words(self, command, *options, app=APP):
        """How a command of the app is started, for those who start it by themselves."""
        return ["flatpak", "run", f"--command={command}", *options, app]

    def run(self, command, *arguments, options=(), **process):
        """A command inside of the app's sandbox, such as fumehoodctl or sh; does not check how it ends."""
        return self.call(*self.words(command, *options), *arguments, **{"check": False, **process})

    def ctl(self, *arguments, **process):
        return self.run("fumehoodctl", *arguments, **process)

    @contextlib.contextmanager
    def held(self):
        """Keeps an instance of the app. When the last one ends, Flatpak removes what all of them share, although
        another one may be starting."""
        with subprocess.Popen([*self.words("cat")], env=self.environment, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as instance:
            instance.stdin.write(b"here\n")
            instance.stdin.flush()
            must(instance.stdout.readline() == b"here\n", "the app does not start")
            try:
                yield
            finally:
                instance.stdin.close()

    @property
    def data(self):
        """A folder that the app and everybody else know by the same name: for programs to run."""
        return self.data_of(APP)

    def data_of(self, app):
        folder = self.home / ".var" / "app" / app / "data"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def folders_of_runs(self):
        """What is in the app's cache for as long as a sub-sandbox is there."""
        return sorted(self.home.glob(f".var/app/{APP}/cache/fumehood/*sandbox-*"))

    def running(self):
        """The apps that run in here, once for each instance."""
        return self.flatpak("ps", "--columns=application", check=False).stdout.split()


if __name__ == "__main__":
    sys.exit("flatpak_room.py is a module of the tests")
