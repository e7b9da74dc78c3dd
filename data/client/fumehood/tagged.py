# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of Python in JSON, so that they come back as what they were.

What JSON does not know is an object that names its type, such as {"$": "tuple", "of": [1, 2]}. The types are those below;
nothing else is ever made of what a program sends, and no code of it runs. data/guest/values.py is the other side.
"""

DEPTH_MAX = 20
# Members of one set or dictionary whose hashes a program could choose: equal ones cost the square of their number.
HASHES_MAX = 1000


def _plain(text):
    try:
        return "\0" not in text and text.encode() is not None
    except UnicodeEncodeError:
        return False


def _object(kind, of):
    return {"$": kind, "of": of}


def _mapping(value, depth):
    if "$" not in value and len(value) <= HASHES_MAX and all(isinstance(key, str) and _plain(key) for key in value):
        return {str(key): tag(item, depth) for key, item in value.items()}
    return _object("dict", [[tag(key, depth), tag(item, depth)] for key, item in value.items()])


def _number(value):
    if isinstance(value, complex):
        return _object("complex", [tag(value.real), tag(value.imag)])
    if isinstance(value, float):
        return float(value) if value - value == 0 else _object("float", repr(float(value)))
    return int(value) if -1 << 63 <= value < 1 << 63 else _object("int", "%x" % value)


def tag(value, depth=0):
    """The JSON of a value. Raises TypeError if its type is not one of the above, or if it is nested too deeply."""
    if depth > DEPTH_MAX:
        raise TypeError("The value is nested too deeply.")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value) if _plain(value) else _object("str", value.encode("utf-8", "surrogatepass").hex())
    if isinstance(value, (int, float, complex)):
        return _number(value)
    if isinstance(value, list):
        return [tag(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return _mapping(value, depth + 1)
    if isinstance(value, bytes):
        return _object("bytes", value.hex())
    for kind in (tuple, set, frozenset):
        if isinstance(value, kind):
            return _object(kind.__name__, [tag(item, depth + 1) for item in value])
    raise TypeError(f"A value of the type {type(value).__name__} cannot be handed over: only None, numbers, text, bytes, lists, "
                    "tuples, sets and dictionaries can.")


def _hashed(items, keys):
    if len(items) > HASHES_MAX and not all(isinstance(key, str) for key in keys):
        raise ValueError("There are too many members.")
    return items


READERS = {
    "tuple": tuple,
    "set": lambda items: set(_hashed(items, items)),
    "frozenset": lambda items: frozenset(_hashed(items, items)),
    "dict": lambda pairs: dict(_hashed(pairs, [key for key, _ in pairs])),
    "int": lambda text: int(text, 16),
    "float": float,
    "complex": lambda parts: complex(*parts),
    "bytes": bytes.fromhex,
    "str": lambda text: bytes.fromhex(text).decode("utf-8", "surrogatepass"),
}


def untag(form):
    """The value of this JSON. Raises ValueError if there is none."""
    if isinstance(form, list):
        return [untag(item) for item in form]
    if not isinstance(form, dict):
        return form
    if "$" not in form:
        return {key: untag(item) for key, item in form.items()}
    try:
        return READERS[form["$"]](untag(form["of"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"This is no value: {error}") from None


def value_of(answer):
    """What a session says about a value: the value itself if that can be told, or else how Python shows it."""
    if answer.value_tagged is not None:
        try:
            return untag(answer.value_tagged)
        except ValueError:
            return answer.value
    return answer.value if answer.value_json is None and answer.value != "None" else answer.value_json
