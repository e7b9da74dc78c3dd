# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers calls of a program's functions, when it has run; see wire-guest.h.

Loaded by bootstrap.py. The program shares this interpreter, so nothing that is said here proves anything: the answers are
compared where the program cannot be. Calls are lines of JSON on the standard input, of which the program sees an empty
one. Answers go to the standard output, among what the program writes there, each as a line that begins with NUL.
"""

import json
import os


ANSWER_MAX = 1 << 20    # characters
ITEMS_MAX = 100000      # of an iterator
WORDS_MAX = 10000       # characters of an exception
# The tests get a plain dictionary in place of these classes, which is equal to them.
AS_DICTIONARIES = ("Counter", "OrderedDict", "defaultdict")
BASES = (int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict)
MUTABLE = (list, dict, set, bytearray, tuple)
VIEWS = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}
odd = []            # classes of the program whose values were sent


class CannotCross(Exception):
    pass


# Descriptors that programs do not notice; see bootstrap.py, which has the one above.
def move_descriptors():
    limit = os.sysconf("SC_OPEN_MAX")
    top = limit - 1 if 0 < limit < 256 else 255
    os.dup2(0, top - 1, False)
    os.dup2(1, top - 2, False)
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return top - 1, top - 2


def tagged(name, of):
    return {"$": name, "of": of}


def pack_all(values, depth):
    packed = []
    for value in values:
        if len(packed) == ITEMS_MAX:
            raise CannotCross("more than %d values" % ITEMS_MAX)
        packed.append(pack(value, depth + 1))
    return packed


def pack_text(value):
    try:
        value.encode()
    except UnicodeEncodeError:
        return tagged("str", value.encode("utf-8", "surrogatepass").hex())
    return value


def pack_mapping(value, depth):
    if "$" in value or any(type(key) is not str for key in value):
        return tagged("dict", pack_all(map(list, dict.items(value)), depth))
    return {key: pack(item, depth + 1) for key, item in dict.items(value)}


def pack(value, depth=0):
    kind = type(value)
    if depth > 50:
        raise CannotCross("values that are nested too deeply")
    if value is None or kind is bool:
        return value
    if kind is str:
        return pack_text(value)
    if kind is int:
        return value if -1 << 63 <= value < 1 << 63 else tagged("int", "%x" % value)
    if kind is float:
        return value if value - value == 0 else tagged("float", repr(value))
    if kind is list:
        return pack_all(value, depth)
    if kind is dict:
        return pack_mapping(value, depth)
    if kind in (tuple, set, frozenset):
        return tagged(kind.__name__, pack_all(value, depth))
    if kind in (bytes, bytearray):
        return tagged(kind.__name__, value.hex())
    if kind is complex:
        return tagged("complex", [pack(value.real, depth), pack(value.imag, depth)])
    if kind is range:
        return tagged("range", [value.start, value.stop, value.step])
    if kind in VIEWS:
        return tagged(VIEWS[kind], pack_all(value, depth))
    return pack_other(value, kind, depth)


# An object of a class of the program's own becomes what it is made of, whatever it says that it equals.
def pack_other(value, kind, depth):
    base = next((base for base in BASES if issubclass(kind, base)), None)
    is_known = kind.__module__ == "collections" and kind.__name__ in AS_DICTIONARIES
    if base is not None and (is_known or kind.__module__ == "__main__") and not hasattr(kind, "_fields"):
        if not is_known:
            odd.append(kind.__name__)
        return pack(plain(value, base), depth)
    if kind.__module__ == "numpy" and getattr(value, "shape", None) == ():
        return pack(value.item(), depth + 1)
    if base is None and hasattr(kind, "__next__"):
        return tagged("iterator", pack_all(value, depth))
    raise CannotCross("a value of the type “%s”" % kind.__name__)


def plain(value, base):
    if base in (int, float, complex):
        return base.__add__(value, -0.0 if base is float else 0)
    if base in (str, bytes, bytearray):
        return base.__getitem__(value, slice(None)) if base is not str else str.__str__(value)
    return base(dict.items(value) if base is dict else base.__iter__(value))


def unpack(value):
    if type(value) is list:
        return [unpack(item) for item in value]
    if type(value) is not dict:
        return value
    if "$" not in value:
        return {key: unpack(item) for key, item in value.items()}
    of = unpack(value["of"])
    return {"tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict, "float": float, "bytes": bytes.fromhex,
            "int": lambda text: int(text, 16), "str": lambda text: bytes.fromhex(text).decode("utf-8", "surrogatepass"),
            "complex": lambda parts: complex(*parts)}[value["$"]](of)


def name_of(kind):
    return kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else kind.__module__ + "." + kind.__qualname__


def raised(error):
    base = next((kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"), "Exception")
    try:
        arguments = pack(list(error.args))
        if len(json.dumps(arguments)) > WORDS_MAX:
            raise CannotCross
    except Exception:
        arguments = [words_of(error)]
    return {"raised": [name_of(type(error)), base, arguments]}


def words_of(error):
    try:
        return pack_text(str(error)[:WORDS_MAX])
    except Exception:
        return ""


# The arguments are sent back as far as the call has changed them. A call without a name is what the tests import.
def call(namespace, name, arguments, names):
    if not name:
        exec(arguments[0], namespace)
        return {"value": None}
    if name not in namespace:
        raise NameError("name %r is not defined" % name)
    function = namespace[name]
    before = [(place, value, json.dumps(pack(value))) for place, value in enumerate(arguments) if type(value) in MUTABLE]
    try:
        answer = {"value": pack(function(*arguments, **names))}
    except CannotCross:
        raise
    except Exception as error:
        answer = raised(error)
    for place, value, text in before:
        after = pack(value)
        if json.dumps(after) != text:
            answer.setdefault("changed", []).append([place, after])
    return answer


def answer_to(namespace, name, arguments, names):
    odd.clear()
    try:
        answer = call(namespace, name, arguments, names)
        if odd:
            answer["odd"] = sorted(set(odd))[:10]
        text = json.dumps(answer)
        if len(text) > ANSWER_MAX:
            raise CannotCross("a value of more than %d characters" % ANSWER_MAX)
        return text
    except CannotCross as why:
        return json.dumps({"cannot": str(why), "odd": sorted(set(odd))[:10]})
    except Exception as error:
        return json.dumps(raised(error))


def write(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]


def install():
    """To be called before the program runs. Returns what serves calls, of functions in its namespace."""
    calls, answers = move_descriptors()
    return lambda namespace: serve(namespace, calls, answers)


def calls_of(order):
    """The calls of a line: one, or those that are made ahead, each with its arguments as a text of its own."""
    if order["name"] != "calls ahead":
        yield order["name"], order["arguments"]
        return
    for name, text in order["arguments"]:
        yield name, json.loads(text)


def serve(namespace, calls, answers):
    with open(calls, "rb", closefd=False) as lines:
        for line in lines:
            for name, arguments in calls_of(json.loads(line)):
                text = answer_to(namespace, name, unpack(arguments[0]), unpack(arguments[1]))
                write(answers, b"\0fumehood-answer " + text.encode() + b"\n")

