# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders are floors and arrows point down: who may include what.

The build already gives each folder only the include directories of the floors below it. This
catches what slips through: private headers, "../", GTK outside the app, GLib where plain C is the
rule, and panes of the app that include each other instead of meeting through actions and
properties.
"""

import functools
import re
import sys

import source_tree
from tap import Tap

BELOW = {
    "wire": set(),
    "runner": {"wire"},
    "proxy": {"wire"},
    "decode": set(),
    "model": set(),
    "store": {"model"},
    "backend": {"model", "wire"},
    "execution": {"backend", "store", "model"},
    "cli": {"execution", "backend", "store", "model"},
    "app": {"execution", "backend", "store", "model"},
}
# What a floor shows to those above it, where that is not the whole folder.
PUBLIC = {"backend": "include"}
# Engines and containers are for the session, and for the commands that manage them.
ENGINES = {"engine.h", "engine-facts.h", "engine-image.h", "container-ops.h"}
MANAGERS = {"container-command.c", "container-table.h", "engine-list.h", "image-build.h", "image-command.c"}
# The tab and the window put these beside each other.
PANES = {
    *("approval", "attempts", "cells", "changes", "compare", "controls", "editor", "exhibits"),
    *("files", "history", "look", "output", "preferences", "samples"),
}
# Folders of the app that panes use, or that use them.
NOT_PANES = {"document", "gtk", "parts", "precompiled", "tab", "window"}
# The folders of the runner, from below: what each may include beside itself.
RUNNER = {
    "base": set(),
    "guards": {"base"},
    "measuring": {"base"},
    "attempts": {"base", "guards"},
    "setup": {"base", "guards", "measuring", "attempts"},
    "forked": {"base", "guards", "measuring", "attempts", "setup"},
    "supervisor": {"base", "guards", "measuring", "attempts", "setup", "forked"},
}
# The folders of the model, each above the ones before it.
MODEL = ["text", "json", "options", "attempts", "files", "answer", "run", "batch"]
FOLDERS = {"runner": RUNNER, "model": {name: set(MODEL[:place]) for place, name in enumerate(MODEL)}}
PLAIN_C = {"wire", "runner", "proxy"}
GTK = re.compile(r"^(gtk/|gdk/|gsk/|adwaita\.h|gtksourceview/)")
GLIB = re.compile(r"^(glib|gio/|gobject/|gmodule|json-glib/)")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def includes():
    """(file, floor, quoted?, included name) for every include line in src."""
    for path in source_tree.files(".c", ".h", ".h.in", under="src"):
        parts = path.relative_to(source_tree.ROOT / "src").parts
        floor = parts[0] if len(parts) > 1 else None
        for line in source_tree.lines(path):
            match = INCLUDE.match(line)
            if match:
                yield path, floor, match[1] == '"', match[2]


@functools.lru_cache(maxsize=None)
def homes(included):
    """The folders of src that hold a header of this name; none for generated ones."""
    return [
        path.relative_to(source_tree.ROOT / "src").parts[:-1]
        for path in source_tree.files(".h", under="src")
        if str(path).endswith("/" + included)
    ]


def upward():
    for path, floor, quoted, included in includes():
        if not quoted or floor is None or floor not in BELOW:
            continue
        floors = {home[0] for home in homes(included) if home}
        if floors and not floors & (BELOW[floor] | {floor}):
            yield f'{source_tree.name(path)} ({floor}) includes "{included}" of {", ".join(floors)}'


def private():
    """Headers of another floor that stand outside its public folder."""
    for path, floor, quoted, included in includes():
        for home in homes(included) if quoted else []:
            if home[0] not in PUBLIC or home[0] not in BELOW.get(floor, ()):
                continue
            if home[1:] != (PUBLIC[home[0]],):
                yield f'{source_tree.name(path)} includes "{included}", which is private to {home[0]}'


def engines():
    for path, floor, quoted, included in includes():
        if not quoted or included not in ENGINES or floor not in {"app", "cli"}:
            continue
        if floor == "app" or path.name not in MANAGERS:
            yield f'{source_tree.name(path)} includes "{included}" instead of a session'


def parent_paths():
    for path in source_tree.files(".c", ".h", ".h.in"):
        for line in source_tree.lines(path):
            match = INCLUDE.match(line)
            if match and match[2].startswith("../"):
                yield f'{source_tree.name(path)} includes "{match[2]}"'


def gtk_outside_app():
    for path, floor, _, included in includes():
        if floor != "app" and GTK.match(included):
            yield f"{source_tree.name(path)} includes <{included}>"


def glib_in_plain_c():
    for path, floor, _, included in includes():
        if floor in PLAIN_C and GLIB.match(included):
            yield f"{source_tree.name(path)} includes <{included}>"


def up_on_a_floor():
    """Only the runner's main.c stands above all folders, and precompiled headers beside them."""
    for path, floor, quoted, included in includes():
        folder = path.parent.name
        if floor not in FOLDERS or not quoted or path.name == "main.c" or folder == "precompiled":
            continue
        below = FOLDERS[floor].get(folder)
        for home in homes(included):
            if home[0] == floor and (below is None or home[1:] not in {(name,) for name in below | {folder}}):
                yield f'{source_tree.name(path)} includes "{included}" of {"/".join(home)}'


def pane_to_pane():
    for path, floor, quoted, included in includes():
        parts = path.relative_to(source_tree.ROOT / "src").parts
        if not quoted or floor != "app" or parts[1] not in PANES:
            continue
        for home in homes(included):
            if home[0] == "app" and len(home) > 1 and home[1] in PANES - {parts[1]}:
                yield f'{source_tree.name(path)} includes "{included}" of {home[1]}'


def unknown_panes():
    """A list of folders is worth something as long as it has all of them."""
    present = {
        path.relative_to(source_tree.ROOT / "src" / "app").parts[0]
        for path in source_tree.files(".c", ".h", ".ui", under="src/app")
        if len(path.relative_to(source_tree.ROOT / "src" / "app").parts) > 1
    }
    yield from present ^ (PANES | NOT_PANES)


def unknown_floors():
    for path in source_tree.files(".c", ".h", under="src"):
        parts = path.relative_to(source_tree.ROOT / "src").parts
        if len(parts) < 2 or parts[0] not in BELOW:
            yield f"{source_tree.name(path)} stands on no floor of the house"


def main():
    tap = Tap()
    for name, check in (
        ("every source stands on a floor", unknown_floors),
        ("includes point down", upward),
        ("no include of another floor's private headers", private),
        ("engines and containers only behind a session", engines),
        ("no include by ../", parent_paths),
        ("GTK only in the app", gtk_outside_app),
        ("no GLib where plain C is the rule", glib_in_plain_c),
        ("includes point down between the folders of the runner and of the model", up_on_a_floor),
        ("panes of the app do not include each other", pane_to_pane),
        ("each folder of the app is a pane or is known as none", unknown_panes),
    ):
        offenders = sorted(set(check()))
        tap.ok(not offenders, name, offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
