# SPDX-License-Identifier: GPL-3.0-or-later
"""Short texts and JSON of values that a program has made, for session.py.

Nothing of a value's own code runs but where that is allowed, and then not for long.
"""

import _json
import sys
import time
import traceback

module_type, function_types = type(sys), (type(lambda: 0), type(len))


def own(name):
    """A copy of a module, for cells can replace what is in it."""
    copy = module_type(name)
    vars(copy).update(vars(__import__(name)))
    return copy


_signal = own("_signal")

VALUE_MAX = 1 << 16     # characters of a value, and of its JSON
MEMBERS_MAX = 1000      # of an object of JSON: what its reader takes
ERROR_MAX = 1000        # of the line that names an exception
REASON_MAX = 200        # of why there is no text
SECONDS_FOR_ALL, SECONDS_FOR_ONE = 1.0, 0.2
UNREPRESENTABLE = "<unrepresentable>"

quote = _json.encode_basestring_ascii
clock = time.monotonic
name_of = type.__dict__["__name__"].__get__  # whatever a metaclass says


def is_a(value, kinds):
    """Like isinstance, but nothing of the value is asked."""
    return issubclass(type(value), kinds)


class Decoding:
    """What the C scanner of JSON wants to know."""
    strict, memo, object_hook, object_pairs_hook = False, {}, None, None
    parse_float, parse_int = float, int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__


decode = _json.make_scanner(Decoding)


def is_unicode(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class TooLong(Exception):
    """There is no JSON of it, or too much."""


class Encoder:
    """JSON in at most about `room` characters. `is_exact`: others read every value as it is, or there is no JSON of it; else it is
    a report of ours, where texts may have any characters. `is_tagged`: what JSON does not know is an object that names its
    type, {"$": "tuple", "of": [1, 2]}, and so is a dictionary that has the key "$"."""

    def __init__(self, room, is_exact, is_tagged):
        self.room, self.is_exact, self.is_tagged = room, is_exact, is_tagged
        self.pieces = []

    def put(self, text):
        self.room -= len(text)
        if self.room < 0:
            raise TooLong
        self.pieces.append(text)

    def items(self, values, depth):
        self.put("[")
        for number, item in enumerate(values):
            if number:
                self.put(", ")
            self.write(item, depth + 1)
        self.put("]")

    def tagged(self, name, write, *arguments):
        if not self.is_tagged:
            raise TooLong
        self.put('{"$": "%s", "of": ' % name)
        write(*arguments)
        self.put("}")

    def number(self, value):
        kind = type(value)
        if kind is int and -1 << 63 <= value < 1 << 63:
            self.put(int.__repr__(value))
        elif kind is int:
            if value.bit_length() > 4 * self.room:
                raise TooLong
            self.tagged("int", self.put, '"%x"' % value)
        elif value - value != 0:
            self.tagged("float", self.put, '"%s"' % float.__repr__(value))
        else:
            self.put(float.__repr__(value))

    def text(self, value):
        if len(value) > self.room:
            raise TooLong
        if "\0" in value or not is_unicode(value):
            if self.is_tagged:
                return self.tagged("str", self.put, '"%s"' % value.encode("utf-8", "surrogatepass").hex())
            if self.is_exact:
                raise TooLong
            value = value.replace("\0", "\u2400").encode("utf-8", "replace").decode()
        return self.put(quote(value))

    def mapping(self, value, depth):
        names = [key for key in value if type(key) is str and "\0" not in key and is_unicode(key)]
        if self.is_tagged and ("$" in names or len(names) < len(value) or len(value) > MEMBERS_MAX):
            return self.tagged("dict", self.items, map(list, value.items()), depth + 1)
        if len(names) < len(value) and (self.is_exact or any(type(key) is not str for key in value)) or len(value) > MEMBERS_MAX:
            raise TooLong
        self.put("{")
        for number, (key, item) in enumerate(value.items()):
            if number:
                self.put(", ")
            self.text(key)
            self.put(": ")
            self.write(item, depth + 1)
        return self.put("}")

    def write(self, value, depth=0):
        kind = type(value)
        if depth > 50:
            raise TooLong
        if value is None or value is True or value is False:
            self.put({None: "null", True: "true", False: "false"}[value])
        elif kind is str:
            self.text(value)
        elif kind is int or kind is float:
            self.number(value)
        elif kind is list or kind is tuple and not self.is_tagged:
            self.items(value, depth)
        elif kind is dict:
            self.mapping(value, depth)
        elif kind in COLLECTIONS:
            self.tagged(COLLECTIONS[kind], self.items, value, depth + 1)
        elif kind is bytes and 2 * len(value) <= self.room:
            self.tagged("bytes", self.put, '"%s"' % value.hex())
        elif kind is complex:
            self.tagged("complex", self.items, (value.real, value.imag), depth + 1)
        else:
            raise TooLong


COLLECTIONS = {tuple: "tuple", set: "set", frozenset: "frozenset"}


def encode(value, room, is_exact=True, is_tagged=False):
    """JSON of a value of exactly the types that JSON knows, and of tuples; see Encoder."""
    encoder = Encoder(room, is_exact, is_tagged)
    encoder.write(value)
    return "".join(encoder.pieces)


READERS = {"tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict, "int": lambda text: int(text, 16), "float": float,
           "bytes": bytes.fromhex, "str": lambda text: bytes.fromhex(text).decode("utf-8", "surrogatepass"),
           "complex": lambda parts: complex(*parts)}


def untagged(value):
    """The value of which this is the tagged form."""
    if type(value) is list:
        return [untagged(item) for item in value]
    if type(value) is not dict:
        return value
    if "$" in value:
        return READERS[value["$"]](untagged(value["of"]))
    return {key: untagged(item) for key, item in value.items()}


class Shown:
    """Short texts of values, made by their own code: within a time for all of them."""

    def __init__(self, interrupts):
        self.interrupts = interrupts
        self.end = clock() + SECONDS_FOR_ALL
        self.error = None

    def guarded(self, function, value, failed):
        left = self.end - clock()
        self.error = None
        if left <= 0:
            return failed
        has_alarm = self.interrupts.are_here() and _signal.getitimer(_signal.ITIMER_REAL) == (0.0, 0.0)
        if has_alarm:
            before = _signal.signal(_signal.SIGALRM, self.interrupts.handle_alarm)
            _signal.setitimer(_signal.ITIMER_REAL, min(left, SECONDS_FOR_ONE))
        result, error = self.interrupts.run(function, value)
        if has_alarm:
            _signal.setitimer(_signal.ITIMER_REAL, 0)
            _signal.signal(_signal.SIGALRM, before if before is not None else _signal.SIG_DFL)
        if is_a(error, KeyboardInterrupt):
            self.end = 0
        self.error = error
        return failed if error is not None else result

    def why(self):
        """Why the last one was not made, in one line."""
        error = self.error
        if error is None:
            return "there was no time left"
        said = self.guarded(str, error, "")
        lines = str.__str__(said).split("\n") if is_a(said, str) else [""]
        return (name_of(type(error)) + (": " + lines[0] if lines[0] else ""))[:REASON_MAX]

    def text(self, value, most, says_why=False):
        """At most `most` characters of its repr, and how many there are, as far as that is known."""
        if type(value) in (str, bytes) and len(value) > most:
            return repr(value[:most])[:most], len(value)
        if type(value) is int and value.bit_length() > 8 * most:
            return "<an integer of %d bits>" % value.bit_length(), value.bit_length() // 3
        text = self.guarded(repr, self.guarded(lambda value: shortened(value, most), value, value), None)
        if not is_a(text, str):
            text = "<unrepresentable: %s>" % self.why() if says_why else UNREPRESENTABLE
            return text, len(text)
        text = str.__str__(text)
        return text[:most], len(text)

    def size(self, value):
        """Shape or length, or None."""
        if is_a(value, (type, int, float)):
            return None
        if not is_a(value, (str, bytes, list, dict, tuple, set)):
            shape = self.guarded(lambda value: [int(n) for n in value.shape][:20], value, None)
            if shape is not None:
                return shape
        length = self.guarded(len, value, None)
        return [length] if length is not None else None


def tell(kind, error, trace):
    """The text of a traceback, and the line that names the exception. What it says of itself is asked once."""
    told = traceback.TracebackException(kind, error, trace)
    text = str.__str__("".join(told.format())).rstrip("\n")
    if len(text) > VALUE_MAX:
        text = text[:VALUE_MAX // 2] + "\n…\n" + text[-VALUE_MAX // 2:]
    # The place of a syntax error, which comes first, is indented. The rest of a message, notes and what is in a group
    # come later.
    for line in told.format_exception_only():
        if line[:1] not in (" ", "\n"):
            return text, str.__str__(line).split("\n", 1)[0][:ERROR_MAX]
    return text, text.rsplit("\n", 1)[-1]


def shortened(value, most):
    """The first items of a long collection: its repr would take long."""
    kind = type(value)
    if kind not in (list, tuple, set, frozenset, dict) or len(value) <= most:
        return value
    items = []
    for item in value.items() if kind is dict else value:
        items.append(item)
        if len(items) == most:
            return kind(items)


def kind_of(name, value):
    if is_a(value, module_type):
        return "module"
    if is_a(value, type):
        return "class"
    if is_a(value, function_types):
        return "function"
    return "private" if name[:1] == "_" else "variable"
