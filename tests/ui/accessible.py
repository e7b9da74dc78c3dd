# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as a screen reader sees it: finding, reading, pressing and typing from outside.

Speaks to the accessibility bus itself: libatspi waits for one answer after the other, and a look through the whole
window, a thousand nodes, takes it a second. Here all nodes of a level are asked at once.
"""

import functools
import itertools

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402  pylint: disable=wrong-import-position

import waiting  # noqa: E402  pylint: disable=wrong-import-position
from waiting import ANSWER_S, wait_for  # noqa: E402  pylint: disable=wrong-import-position

BUS = "org.freedesktop.DBus"
ROOT = "/org/a11y/atspi/accessible/root"
CACHE = "/org/a11y/atspi/cache"
ITEM = GLib.VariantType("((so)(so)(so)iiassusau)")
# For one answer, in milliseconds: the program may be busy.
ANSWER_MS = ANSWER_S * 1000
IN_WINDOW = 1


def session_bus():
    return Gio.bus_get_sync(Gio.BusType.SESSION, None)


def accessibility_bus():
    """A new connection."""
    reply = session_bus().call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                    Gio.DBusCallFlags.NONE, ANSWER_MS, None)
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(reply.unpack()[0], flags, None, None)


def bus_name(bus, pid):
    """The unique name of a process on a bus; None when it is not there."""
    def ask(method, argument=None):
        return bus.call_sync(BUS, "/org/freedesktop/DBus", BUS, method, argument, None, Gio.DBusCallFlags.NONE,
                             ANSWER_MS, None).unpack()[0]

    for name in ask("ListNames"):
        try:
            if name.startswith(":") and ask("GetConnectionUnixProcessID", GLib.Variant("(s)", (name,))) == pid:
                return name
        except GLib.Error:
            # It left meanwhile.
            continue
    return None


@functools.lru_cache(maxsize=None)
def _connection():
    return accessibility_bus()


class Node:
    """Something accessible of a program, by its place on the bus."""

    def __init__(self, owner, path):
        self.owner, self.path = owner, path

    def __eq__(self, other):
        return isinstance(other, Node) and (self.owner, self.path) == (other.owner, other.path)

    def __hash__(self):
        return hash((self.owner, self.path))

    def answer(self, interface, method, arguments=None):
        return _connection().call_sync(self.owner, self.path, interface, method, arguments, None,
                                       Gio.DBusCallFlags.NONE, ANSWER_MS, None)

    def call(self, interface, method, signature=None, *arguments):
        """The answer, as Python knows it; a GLib.Error when the node is gone."""
        arguments = GLib.Variant(signature, arguments) if signature else None
        answer = self.answer(f"org.a11y.atspi.{interface}", method, arguments).unpack()
        return answer[0] if len(answer) == 1 else answer

    def get(self, interface, name):
        arguments = GLib.Variant("(ss)", (f"org.a11y.atspi.{interface}", name))
        return self.answer(f"{BUS}.Properties", "Get", arguments).unpack()[0]


class Listing:
    """GTK's list of a program at one moment: what it was asked for before, as it is now; after the first look nearly
    everything. Also what is hidden by now, in the place of what comes next."""

    def __init__(self, data):
        self.known, self.focused, self.counts, self.listed, self.above = {}, set(), {}, {}, {}
        for item in _elements(data):
            # Most are as before, and reading one takes many calls.
            facts = _ITEMS[item] = _ITEMS.get(item) or _read_item(item)
            path, above, index, count, self.known[path], is_visible, is_focused = facts
            self.counts[path] = count
            self.above[path] = above
            if is_visible:
                self.listed.setdefault(above, []).append((index, path))
            if is_focused:
                self.focused.add(path)
        # Children are only known where nothing seems to be missing.
        self.children = {}
        for path, count in self.counts.items():
            found = sorted(self.listed.get(path, ()))
            if [place for place, _ in found] == list(range(count)):
                self.children[path] = [self._without_page(child) for _, child in found]

    def _without_page(self, path):
        """The page of a stack says to be between the stack and what it shows, which the stack denies."""
        inner = self.listed.get(path, ())
        is_page = self.known[path][0] == "panel" and len(inner) == 1 and inner[0][0] == 1
        return inner[0][1] if is_page else path


def _listing(owner):
    """Mostly it is the one of the last look."""
    answer = Node(owner, CACHE).answer("org.a11y.atspi.Cache", "GetItems").get_child_value(0)
    data = answer.get_data_as_bytes().get_data()
    if _LISTINGS.get(owner, ("",))[0] != data:
        _LISTINGS[owner] = data, Listing(data)
    return _LISTINGS[owner][1]


class Tree:
    """All nodes at and below one, as they were at one moment: what there is, and each one's role and name. GTK's list
    of them can have something that is hidden in the place of what was not asked for yet. What does not come at once, or
    is to be `exact`, is therefore asked for node by node, which takes four times as long."""

    def __init__(self, root, exact=False):
        exact = exact or waiting.in_doubt
        self.owner, self.path = root.owner, root.path
        listing = _listing(self.owner)
        self.below = {}
        level = [root.path]
        while level:
            for path in level:
                if not exact and path in listing.children:
                    self.below[path] = listing.children[path]
            self._ask_for_children([path for path in level if path not in self.below])
            # A node that moves may be seen twice.
            level = [path for path in itertools.chain.from_iterable(self.below[path] for path in level)
                     if path not in self.below]
        if any(path not in listing.known for path in self.below):
            listing = _listing(self.owner)
        self.known, self.focused = listing.known, listing.focused

    def _ask_for_children(self, paths):
        for path, answer in _ask_all(self.owner, paths, "GetChildren").items():
            self.below[path] = [_path(child) for child in _parts(answer.get_child_value(0))] if answer else []

    def focus(self):
        """Where the keyboard is; None when it is nowhere that is told."""
        return next((Node(self.owner, path) for path in self.paths(self.path) if path in self.focused), None)

    def paths(self, path):
        """In the order of the window."""
        left = [path]
        while left:
            path = left.pop()
            yield path
            left += reversed(self.below.get(path, ()))


# These keep what was read of the list, the last list of each program, and what was found last.
_ITEMS, _LISTINGS, _FOUND = {}, {}, {}


def _look(root):
    """Returns the nodes at and below one, which stay the same while a condition is looked at."""
    if waiting.seen is None:
        return Tree(root)
    if root not in waiting.seen:
        waiting.seen[root] = Tree(root)
    return waiting.seen[root]


def _ask_all(owner, paths, method):
    """The answer of each node, or None if it is gone. All are asked at once."""
    answers, waited_for = {}, set(paths)

    def take(bus, result, path):
        try:
            answers[path] = bus.call_finish(result)
        except GLib.Error:
            answers[path] = None
        waited_for.discard(path)

    for path in waited_for.copy():
        _connection().call(owner, path, "org.a11y.atspi.Accessible", method, None, None, Gio.DBusCallFlags.NONE, ANSWER_MS,
                           None, take, path)
    while waited_for:
        GLib.MainContext.default().iteration(True)
    return answers


def _elements(data):
    """Yields the elements of an array as GVariant stores it: behind them, each at a multiple of four bytes, it says where each ends.
    To have GLib take it apart takes longer than the program needs to make it."""
    width = next(width for width in (1, 2, 4) if len(data) < 1 << 8 * width)
    begin = 0
    for place in range(int.from_bytes(data[-width:], "little"), len(data), width):
        end = int.from_bytes(data[place:place + width], "little")
        yield data[begin:end]
        begin = end + -end % 4


def _read_item(data):
    item = GLib.Variant.new_from_bytes(ITEM, GLib.Bytes.new(data), False)
    states = [part.get_uint32() for part in _parts(item.get_child_value(9))]
    described = _role(item.get_child_value(7).get_uint32()), _without_echo(item.get_child_value(6).get_string())
    return (_path(item.get_child_value(0)), _path(item.get_child_value(2)), item.get_child_value(3).get_int32(),
            item.get_child_value(4).get_int32(), described, _has(states, "VISIBLE"), _has(states, "FOCUSED"))


def _parts(variant):
    return [variant.get_child_value(index) for index in range(variant.n_children())]


def _path(reference):
    return reference.get_child_value(1).get_string()


@functools.lru_cache(maxsize=None)
def _role(number):
    """Every button is a push button: up to 2.54 libatspi did not say button, and up to 4.8 GTK did not tell those that
    stay pressed from others."""
    name = Atspi.Role(number).value_nick.replace("-", " ")
    return "push button" if name in ("button", "toggle button") else name


def _has(states, name):
    low, high = states
    return bool((low | high << 32) >> int(getattr(Atspi.StateType, name)) & 1)


def _without_echo(name):
    """GTK 4.8 says the label and then the content, "Run Run", and marks mnemonics, "_Run Run"."""
    half = len(name) // 2
    if name[half : half + 1] == " " and name[:half].replace("_", "") == name[half + 1 :]:
        return name[half + 1 :]
    return name


def children(node):
    """What disappears meanwhile is left out."""
    try:
        return [Node(*child) for child in node.call("Accessible", "GetChildren")]
    except GLib.Error:
        return []


def parent(node):
    return Node(*node.get("Accessible", "Parent"))


def extents(node):
    return node.call("Component", "GetExtents", "(u)", IN_WINDOW)


def showing(node):
    """Whether it can be seen: GTK 4.8 tells SHOWING of windows only, but what is not shown, or in
    something that is not, has no size or waits beyond the left edge."""
    try:
        left, _, width, height = extents(node)
        return width > 0 and height > 0 and left + width > 0
    except GLib.Error:
        return False


def state(node, name):
    """Whether a node has a state: "VISIBLE", "SENSITIVE", "CHECKED", …"""
    try:
        return _has(node.call("Accessible", "GetState"), name)
    except GLib.Error:
        return False


def name_of(node):
    try:
        return _without_echo(node.get("Accessible", "Name"))
    except GLib.Error:
        return ""


def is_text(node):
    """Whether it can be read."""
    try:
        return "org.a11y.atspi.Text" in node.call("Accessible", "GetInterfaces")
    except GLib.Error:
        return False


def _is_wanted(name):
    return name if callable(name) else (lambda text: name is None or text == name)


def matches(root, role=None, name=None, hidden=False, tree=None):
    """Every match, one after the other. `name` is the whole name or a function of it. Only what can be
    seen, unless `hidden`. `tree` is for more than one look at the same moment."""
    is_wanted = _is_wanted(name)
    tree = tree or _look(root)
    for path in tree.paths(root.path):
        found_role, found_name = tree.known.get(path, ("", ""))
        if (role is None or found_role == role) and is_wanted(found_name):
            node = Node(root.owner, path)
            if hidden or showing(node):
                yield node


def names(root, role="label"):
    """Of all that can be seen, in the order of the window."""
    tree = _look(root)
    return [tree.known[node.path][1] for node in matches(root, role, tree=tree)]


def labelled_rows(root, name=None):
    """The rows that can be seen and have a label, or just this one."""
    tree = _look(root)
    return [row for row in matches(root, "list item", tree=tree)
            if next(matches(row, "label", name, tree=tree), None) is not None]


def find_all(root, role=None, name=None, hidden=False):
    return list(matches(root, role, name, hidden))


def _is_still_there(node, root, is_wanted):
    """Whether what was found can still be seen, and is called so. To ask it and all that it is in costs a tenth of a look at
    the whole window."""
    above = _LISTINGS[node.owner][1].above
    paths = [node.path]
    while paths[-1] != root.path and above.get(paths[-1], root.path) not in paths:
        paths.append(above.get(paths[-1], root.path))
    states = _ask_all(node.owner, paths[:-1], "GetState").values()
    return all(answer and _has(answer.unpack()[0], "VISIBLE") for answer in states) and is_wanted(name_of(node)) and \
        showing(node)


def find(root, role=None, name=None, hidden=False):
    """The first match, or None. What was found last is looked at first, unless there is doubt."""
    wanted = root, role, name, hidden
    last = _FOUND.get(wanted)
    if last is None or waiting.in_doubt or name is None or hidden or not _is_still_there(last, root, _is_wanted(name)):
        last = _FOUND[wanted] = next(matches(root, role, name, hidden), None)
    return last


def may_be_so(last, condition):
    """Whether it is worth a look through the whole window: mostly what was found there last tells that it is not so yet,
    which costs little. That it is so is believed only of what is in the window now."""
    try:
        return last is None or waiting.in_doubt or not showing(last) or condition(last)
    except GLib.Error:
        return True


def get(root, role=None, name=None, timeout=10):
    """Like find(), but waits for it to appear."""
    return _wait_for(find, root, role, name, timeout)


def get_all(root, role=None, name=None, timeout=10):
    """Like find_all(), but waits for one to appear."""
    return _wait_for(find_all, root, role, name, timeout)


def _wait_for(look, root, role, name, timeout):
    try:
        return wait_for(lambda: look(root, role, name), f"a {role or 'widget'} named {name!r}", timeout)
    except AssertionError as error:
        raise AssertionError(f"{error}; there is:\n{describe(root)}") from None


def wait_gone(root, role=None, name=None):
    """Waits until there is no match any more: what is about to go can still be seen for a while."""
    wait_for(lambda: find(root, role, name) is None, f"the {role or 'widget'} {name!r} to go")


class Announcements:
    """What a screen reader is asked to say, from now on."""

    def __init__(self, root):
        self._said = []
        _connection().signal_subscribe(root.owner, "org.a11y.atspi.Event.Object", "Announcement", None, None,
                                       Gio.DBusSignalFlags.NONE, self._take)

    def _take(self, _bus, _owner, _path, _interface, _signal, parameters):
        self._said.append(parameters.unpack()[3])

    def said(self):
        while GLib.MainContext.default().iteration(False):
            pass
        return self._said


def middle(node):
    """(x, y) of its middle, from the top left corner of what people see of the window."""
    left, top, width, height = extents(node)
    return left + width // 2, top + height // 2


def press(node):
    """Activates a button, a row or a menu item."""
    waiting.forget()
    node.call("Action", "DoAction", "(i)", 0)


def read(node):
    """The whole text of a text view or entry."""
    return node.call("Text", "GetText", "(ii)", 0, node.get("Text", "CharacterCount"))


def spoken(node):
    """The name; in GTK 4.18 a status has none, but its text."""
    try:
        return name_of(node) or read(node)
    except GLib.Error:
        return ""


def write(node, text):
    waiting.forget()
    node.call("EditableText", "SetTextContents", "(s)", text)


def caret(node):
    return node.get("Text", "CaretOffset")


def describe(root):
    """What a failed search should show: the tree of what is visible."""
    tree = Tree(root)
    lines = []

    def add(path, depth):
        role, name = tree.known.get(path, ("", ""))
        lines.append(f"{'  ' * depth}{role} {name!r}")
        for child in tree.below.get(path, ()):
            if showing(Node(root.owner, child)):
                add(child, depth + 1)

    add(root.path, 0)
    return "\n".join(lines)


def application(pid, timeout=15):
    """The root of a program, once it has told the accessibility bus about itself and a window. Without a number the
    only one that is there: of a Flatpak the bus sees a proxy."""
    registry = Node("org.a11y.atspi.Registry", ROOT)

    def lookup():
        # GTK 4.8 prints a critical warning when it is asked earlier than it is there.
        present = [node.owner for node in children(registry)]
        owner = bus_name(_connection(), pid) if pid is not None else next(iter(present), None)
        if owner is None or owner not in present:
            return None
        root = Node(owner, ROOT)
        return root if children(root) else None

    return wait_for(lookup, f"process {pid or ''} on the accessibility bus", timeout)
