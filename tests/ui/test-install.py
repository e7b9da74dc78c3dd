# SPDX-License-Identifier: GPL-3.0-or-later
"""An installation under a prefix of its own is complete and works without any variable set."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import accessible
from fumehood import fresh_session, running
from tap import Skip, Tap, must
from waiting import ANSWER_S, wait_for

APP_ID = "io.github.fumehood.Fumehood"
EXPECTED = (
    "bin/fumehood",
    "bin/fumehoodctl",
    "libexec/fumehood-proxy",
    "libexec/fumehood-decode",
    "libexec/fumehood-runner",
    f"share/applications/{APP_ID}.desktop",
    f"share/dbus-1/services/{APP_ID}.service",
    f"share/glib-2.0/schemas/{APP_ID}.gschema.xml",
    f"share/gnome-shell/search-providers/{APP_ID}.search-provider.ini",
    "share/glib-2.0/schemas/gschemas.compiled",
    f"share/icons/hicolor/scalable/apps/{APP_ID}.svg",
    f"share/icons/hicolor/symbolic/apps/{APP_ID}-symbolic.svg",
    "share/fumehood/guest/bootstrap.py",
    "share/fumehood/guest/ending.py",
    "share/fumehood/guest/program.py",
    "share/fumehood/guest/program.pyc",
    "share/fumehood/guest/shown.py",
    "share/fumehood/help/C/guard-network.html",
    "share/fumehood/help/de/guard-network.html",
    "share/fumehood/help/style.css",
    "share/fumehood/styles/fumehood-contrast-dark.xml",
    "share/help/C/fumehood/index.page",
    "share/help/de/fumehood/index.page",
    "share/locale/de/LC_MESSAGES/fumehood.mo",
    f"share/metainfo/{APP_ID}.metainfo.xml",
)
UNINSTALLED = ("FH_RUNNER", "FH_DATA_DIR", "FH_GUEST_DIR", "FH_HELP_DIR", "GSETTINGS_SCHEMA_DIR", "XDG_DATA_DIRS")


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    must(result.returncode == 0, f"{command[0]} {command[1]} failed:\n{result.stdout}{result.stderr}")


def install(folder):
    """From a build with this very prefix, if there is one; else it is made, because the prefix is part of the
    programs."""
    built = folder / "build"
    if "FH_INSTALLED_BUILD" in os.environ:
        built = Path(os.environ["FH_INSTALLED_BUILD"])
    else:
        options = json.loads(os.environ["FH_BUILD_OPTIONS"])
        run("meson", "setup", built, os.environ["FH_SOURCE_ROOT"], f"--prefix={folder}/prefix", "--libexecdir=libexec",
            "-Dtests=false", *options)
    run("meson", "install", "-C", built)


def is_complete(prefix):
    missing = [name for name in EXPECTED if not (prefix / name).exists()]
    must(not missing, f"missing: {', '.join(missing)}")


def runs(prefix):
    result = subprocess.run(
        [prefix / "bin" / "fumehoodctl", "run", "-"], input="print(6 * 7)", capture_output=True, text=True,
        check=False, timeout=ANSWER_S,
    )
    if result.returncode == 125 and not os.environ.get("FH_MUST_SANDBOX"):
        raise Skip("no sandbox here")
    must(result.stdout == "42\n", f"fumehoodctl said {result}")


def opens(prefix):
    os.environ["FH_APP"] = str(prefix / "bin" / "fumehood")
    with fresh_session() as session:
        with running(session) as app:
            app.quit()


def speaks_german(app):
    app.resize(1000, 700)
    accessible.write(app.get("text", "Quelltext"), "import socket\nsocket.create_connection(('192.0.2.1', 80))\n")
    app.press("Ausführen")
    app.get("status bar", "Mit Rückgabewert 1 beendet.")
    app.get("push button", "1 Versuch blockiert")


def explains_guards_in_german(app):
    """Also what a guard is made of, which the runner says in English."""
    speaks_german(app)
    app.activate("show-guards")
    wait_for(lambda: any("Netzwerk-Namensraum, nur Loopback" in name for name in accessible.names(app.root)), "words of a guard")
    app.key("Escape")


def reads_from_the_right(app):
    """GTK's own catalogue tells the direction."""
    speaks_german(app)
    for right, left in ((("push button", "Ausführen"), ("push button", "Hauptmenü")), (("text", "Quelltext"), ("text", "Ausgabe"))):
        wait_for(lambda right=right, left=left: accessible.extents(app.get(*right))[0] > accessible.extents(app.get(*left))[0],
                 f"{right[1]} to be at the right of {left[1]}")


def in_languages(prefix, languages, picture, check):
    os.environ["FH_APP"] = str(prefix / "bin" / "fumehood")
    with fresh_session() as session, running(session, LANGUAGE=languages) as app:
        check(app)
        app.screenshot(picture)
        app.quit()


def main():
    tap = Tap()
    for variable in UNINSTALLED:
        os.environ.pop(variable, None)
    folder = Path(tempfile.mkdtemp(prefix="fumehood-install-"))
    prefix = folder / "prefix"
    if "FH_INSTALLED_BUILD" in os.environ:
        prefix = Path(os.environ["FH_INSTALLED_BUILD"]) / "installed"
    try:
        if tap.case("it installs", install, folder):
            tap.case("nothing is missing", is_complete, prefix)
            tap.case("the command line runs code", runs, prefix)
            tap.case("the app opens", opens, prefix)
            tap.case("it speaks German", in_languages, prefix, "de", "german", explains_guards_in_german)
            tap.case("right to left", in_languages, prefix, "he:de", "right-to-left", reads_from_the_right)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(prefix, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
