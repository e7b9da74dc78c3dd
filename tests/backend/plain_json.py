# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON for the fake engines, which are started thousands of times: importing json, signal, re or pathlib takes each of
them longer than all that it does."""


def dumps(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{dumps(name)}: {dumps(each)}" for name, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(dumps, value)) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return {"None": "null", "True": "true", "False": "false"}.get(repr(value), repr(value))


def loads(text):
    """Only what a test or dumps has written: these three words are all in which it differs from Python."""
    return eval(text, {"null": None, "true": True, "false": False})
