# SPDX-License-Identifier: GPL-3.0-or-later
"""The app as it is installed by people: from a repository and from a bundle; what it may, what it shows, what it runs,
and what it leaves when it goes."""

import json
import os
import sys
import time

import flatpak_room
from display import Display
from flatpak_room import APP, BRANCH, DEVEL, MANIFEST, Room
from leftovers import Processes
from session import LAUNCHERS, prepare_runs
from tap import Skip, Tap, equal, must
from waiting import wait_for

# What the app's own desktop must find without asking the app.
EXPORTED = ("applications/{}.desktop", "dbus-1/services/{}.service", "icons/hicolor/scalable/apps/{}.svg",
            "icons/hicolor/symbolic/apps/{}-symbolic.svg", "gnome-shell/search-providers/{}.search-provider.ini")
# The permissions as Flatpak names them; there is no other section, such as one about services of the session.
PERMISSIONS = "[Context]\nshared=ipc;\nsockets=x11;wayland;fallback-x11;\ndevices=dri;\n"
PROGRAM = "print(6 * 7)\n"
LOOK_AROUND = """
import os, socket
home = os.path.expanduser("~")
print([os.path.join(folder, name) for folder, _, names in os.walk(home) for name in names
       if not folder.startswith(home + "/.var/")])
print(sorted(name for _, name in socket.if_nameindex()))
"""


def exports(room):
    return room.home / ".local" / "share" / "flatpak" / "exports" / "share"


def installs(room):
    room.install()
    for path in EXPORTED:
        must((exports(room) / path.format(APP)).exists(), f"{path.format(APP)} is not exported")


def asks_for_little(room):
    shown = room.flatpak("info", "--show-permissions", APP).stdout
    equal(shown.strip(), PERMISSIONS.strip(), "permissions")


def sees_little(room):
    (room.home / "private").write_text("of the user", encoding="ascii")
    answer = room.run("python3", "-c", LOOK_AROUND)
    equal(answer.stdout, "[]\n['lo']\n", f"files of the user and network in the app's sandbox ({answer.stderr})")


def may_run(room):
    """Raises Skip where the app has no guards that work, and an error where it must have them."""
    answer = json.loads(room.ctl("guards", "--json").stdout)
    if not answer["may_run"]:
        must(not flatpak_room.must_work(), answer["reason"])
        raise Skip(answer["reason"])


def runs(room):
    may_run(room)
    path = room.data / "program.py"
    path.write_text(PROGRAM, encoding="ascii")
    answer = room.ctl("run", "--json", path)
    result = json.loads(answer.stdout)
    equal((result["status"], result["stdout"]), ("ok", "42\n"), f"the run ({result})")
    answer = room.ctl("run", "--allow-host", "a.example", path)
    must("cannot reach the allowed hosts" in answer.stderr, f"a host that stays out of reach: {answer.stderr!r}")


def window(room, display, prepares):
    prepare_runs(room.data.parent / "config", prepares)
    # It connects to the session's bus, once and for all, when it is first needed.
    from installed_app import installed_app  # pylint: disable=import-outside-toplevel

    return installed_app(room, display)


def opens(room, display):
    with window(room, display, prepares=False) as app:
        must(app.editor is not None, "there is no editor")
        # Sandboxes of runs have its name as well.
        equal(set(room.running()), {APP}, "apps that run")
        may_run(room)
        app.run("print('in the ' + 'window')")
        app.wait_output("in the window", timeout=120)
        app.wait_result("Finished normally.")
        equal(app.find_runner(), None, "what is left of the run")
        app.quit()


def prepares(room, display):
    """In a sub-sandbox that waits, is taken over by the run, and ends with the window."""
    may_run(room)
    with window(room, display, prepares=True) as app:
        import prepared  # pylint: disable=import-outside-toplevel

        prepared.prepares(app)
        prepared.is_used(app)
        prepared.leaves_nothing(app)
    equal(room.folders_of_runs(), [], "folders of sub-sandboxes")


def names_what_is_missing(room):
    """GNOME's runtime is not here."""
    answer = room.call("sh", flatpak_room.ROOT / "src" / "run.sh", "--flatpak", check=False)
    version = json.loads(MANIFEST.read_text(encoding="utf-8"))["runtime-version"]
    equal(answer.returncode, 1, "exit status")
    must(f"org.gnome.Platform//{version}" in answer.stderr, f"it says {answer.stderr!r}")


def stands_beside_the_other(room):
    """The variant for development has a name, an icon and data of its own, and goes without the other."""
    if not any((flatpak_room.repository() / "refs" / "heads" / "app").glob(f"{DEVEL}/*/*")):
        raise Skip("it is not built here; the suite flatpak does that")
    room.install(app=DEVEL)
    for path in EXPORTED:
        must((exports(room) / path.format(DEVEL)).exists(), f"{path.format(DEVEL)} is not exported")
    entry = (exports(room) / EXPORTED[0].format(DEVEL)).read_text(encoding="utf-8")
    must("\nName=Fumehood Devel\n" in entry and f"\nIcon={DEVEL}\n" in entry, entry)
    may_run(room)
    for app in (APP, DEVEL):
        path = room.data_of(app) / "program.py"
        path.write_text(f"print({app!r})\n", encoding="ascii")
        room.call(*room.words("fumehoodctl", app=app), "run", path)
        kept = room.call(*room.words("fumehoodctl", app=app), "history", "--json").stdout
        must(APP in kept and (DEVEL in kept) == (app == DEVEL), f"{app} knows of {kept}")
    room.uninstall("--delete-data", app=DEVEL)
    must(not (exports(room) / EXPORTED[0].format(DEVEL)).exists(), "it is still there")
    must(room.ctl("--version").stdout.startswith("fumehoodctl "), "the other went with it")


def becomes_a_bundle(room):
    bundle = room.folder / "fumehood.flatpak"
    room.flatpak("build-bundle", flatpak_room.repository(), bundle, APP, BRANCH)
    room.uninstall("--delete-data")
    leaves_nothing(room)
    room.flatpak("--user", "install", "--assumeyes", "--noninteractive", "--bundle", bundle)
    must(room.ctl("--version").stdout.startswith("fumehoodctl "), "the command line does not answer")
    bundle.unlink()


def leaves_nothing(room):
    """No file that is named after it, no data, no instance. Empty folders of Flatpak's repository stay."""
    wait_for(lambda: not room.running(), "the last instance to end")
    left = [path for path in room.home.rglob("*") if "fumehood" in path.name.lower() and not path.is_dir()]
    equal(left, [], "files that are left")
    equal(list((room.home / ".var" / "app").glob("*")), [], "data that is left")
    must(APP not in room.flatpak("--user", "list", "--columns=application").stdout, "it is still installed")


def goes(room):
    room.uninstall("--delete-data")
    leaves_nothing(room)


def cases(room, display):
    return {
        "it installs": (installs, room),
        "it asks for what the manifest names, and nothing else": (asks_for_little, room),
        "it sees neither the user's files nor a network": (sees_little, room),
        "the command line runs a program": (runs, room),
        "the window opens, and runs one": (opens, room, display),
        "the window prepares the next run, and leaves nothing of it": (prepares, room, display),
        "src/run.sh --flatpak says which runtime is missing": (names_what_is_missing, room),
        "the variant for development stands beside it": (stands_beside_the_other, room),
        "it can be installed from a bundle": (becomes_a_bundle, room),
        "nothing is left when it is uninstalled": (goes, room),
    }


def all_cases(tap):
    launcher = next(path for path in LAUNCHERS if os.path.exists(path))
    processes = Processes()
    display = Display()
    looks = {"DISPLAY": display.name, "GSK_RENDERER": "cairo", "GDK_BACKEND": "x11", "GDK_DEBUG": "gl-disable"}
    try:
        with Room({"org.a11y.Bus": launcher}, **looks) as room:
            # This process talks to the same bus.
            for variable in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
                os.environ[variable] = room.environment[variable]
            for name, (function, *arguments) in cases(room, display).items():
                begin = time.monotonic()
                tap.case(name, function, *arguments)
                tap.note(f"{time.monotonic() - begin:.1f} s")
    finally:
        display.close()
    left = processes.left_after(120)
    tap.ok(not left, "no process is left", [f"{pid}: {command}" for pid, command in left.items()])
    processes.kill_left()


def main():
    tap = Tap()
    reason = flatpak_room.why_not()
    if reason is None:
        all_cases(tap)
    elif flatpak_room.must_work():
        tap.ok(False, f"Flatpak works here, with {MANIFEST.name}", [reason])
    else:
        tap.skip("the app as a Flatpak", reason)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
