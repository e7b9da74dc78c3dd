# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as a screen reader sees it: finding, reading, pressing and typing from outside."""

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402  pylint: disable=wrong-import-position

from waiting import wait_for  # noqa: E402  pylint: disable=wrong-import-position


def session_bus():
    return Gio.bus_get_sync(Gio.BusType.SESSION, None)


def children(node):
    """What disappears meanwhile is left out."""
    try:
        found = [node.get_child_at_index(index) for index in range(node.get_child_count())]
    except GLib.Error:
        return []
    return [child for child in found if child is not None]


def walk(node):
    """The node and everything below it."""
    yield node
    for child in children(node):
        yield from walk(child)


def showing(node):
    """Whether it can be seen: GTK 4.8 tells SHOWING of windows only, but what is not shown, or in
    something that is not, has no size or waits beyond the left edge."""
    try:
        extents = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
        return extents.width > 0 and extents.height > 0 and extents.x + extents.width > 0
    except GLib.Error:
        return False


def state(node, name):
    """Whether a node has a state: "VISIBLE", "SENSITIVE", "CHECKED", …"""
    try:
        return node.get_state_set().contains(getattr(Atspi.StateType, name))
    except GLib.Error:
        return False


def name_of(node):
    """GTK 4.8 says the label and then the content, "Run Run", and marks mnemonics, "_Run Run"."""
    try:
        name = node.get_name() or ""
    except GLib.Error:
        return ""
    half = len(name) // 2
    if name[half : half + 1] == " " and name[:half].replace("_", "") == name[half + 1 :]:
        return name[half + 1 :]
    return name


def role_of(node):
    try:
        return node.get_role_name()
    except GLib.Error:
        return ""


def matches(root, role=None, name=None, hidden=False):
    """Every match, one after the other. `name` is the whole name or a function of it. Only what can be
    seen, unless `hidden`."""
    is_wanted = name if callable(name) else (lambda text: name is None or text == name)
    for node in walk(root):
        if (role is None or role_of(node) == role) and is_wanted(name_of(node)) and (hidden or showing(node)):
            yield node


def find_all(root, role=None, name=None, hidden=False):
    return list(matches(root, role, name, hidden))


def find(root, role=None, name=None, hidden=False):
    """The first match, or None; each look costs several calls to the program, so no more are made."""
    return next(matches(root, role, name, hidden), None)


def get(root, role=None, name=None, timeout=10):
    """Like find(), but waits for it to appear."""
    try:
        return wait_for(lambda: find(root, role, name), f"a {role or 'widget'} named {name!r}", timeout)
    except AssertionError as error:
        raise AssertionError(f"{error}; there is:\n{describe(root)}") from None


def middle(node):
    """(x, y) of its middle, from the top left corner of what people see of the window."""
    extents = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    return extents.x + extents.width // 2, extents.y + extents.height // 2


def press(node):
    """Activates a button, a row or a menu item."""
    Atspi.Action.do_action(node, 0)


def read(node):
    """The whole text of a text view or entry."""
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))


def write(node, text):
    Atspi.EditableText.set_text_contents(node, text)


def caret(node):
    return Atspi.Text.get_caret_offset(node)


def describe(root, depth=0):
    """What a failed search should show: the tree of what is visible."""
    lines = [f"{'  ' * depth}{role_of(root)} {name_of(root)!r}"]
    for child in children(root):
        if showing(child):
            lines.append(describe(child, depth + 1))
    return "\n".join(lines)


def application(pid, timeout=15):
    """The root of a program, once it has told the accessibility bus about itself and a window.

    Nothing is cached: this process runs no main loop that would hear of changes.
    """

    def lookup():
        desktop = Atspi.get_desktop(0)
        desktop.set_cache_mask(Atspi.Cache.NONE)
        for index in range(desktop.get_child_count()):
            try:
                child = desktop.get_child_at_index(index)
                if child is None or child.get_process_id() != pid:
                    continue
                child.set_cache_mask(Atspi.Cache.NONE)
                if child.get_child_count() > 0:
                    return child
            except GLib.Error:
                continue
        return None

    return wait_for(lookup, f"process {pid} on the accessibility bus", timeout)
