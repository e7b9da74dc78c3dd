# SPDX-License-Identifier: GPL-3.0-or-later
"""A file is one job that is read from top to bottom, a function one idea: at most 900 and 60 lines."""

import re
import sys

import source_tree
from tap import Tap

FILE_LINES = 900
FUNCTION_LINES = 60
NAME = re.compile(r"^(\w+) \(")


def long_files():
    for path in source_tree.files(".c", ".h", ".py", ".ui", ".sh"):
        count = len(source_tree.lines(path))
        if count > FILE_LINES:
            yield f"{source_tree.name(path)}: {count} lines"


def functions(lines):
    """(name, number of lines) of each function: GNU style puts its braces into the first column."""
    name = None
    start = 0
    body = None
    for number, line in enumerate(lines):
        match = NAME.match(line)
        if body is None and match:
            name, start = match[1], number
        elif line == "{" and name and _closes_parameters(lines, number):
            body = number
        elif line.startswith("}") and body is not None:
            yield name, number - start + 1
            name = body = None


def _closes_parameters(lines, number):
    return number > 0 and lines[number - 1].rstrip().endswith(")")


def long_functions():
    for path in source_tree.files(".c", ".h"):
        for name, count in functions(source_tree.lines(path)):
            if count > FUNCTION_LINES:
                yield f"{source_tree.name(path)}: {name} has {count} lines"


def sees_functions():
    """The check itself must see functions, or it would pass on anything."""
    sample = ["static int", "first (int a,", "       int b)", "{"] + ["  a++;"] * 60 + ["}"]
    return list(functions(sample)) == [("first", 64)]


def main():
    tap = Tap()
    tap.ok(sees_functions(), "the length of a function is found")
    offenders = list(long_files())
    tap.ok(not offenders, f"no file is over {FILE_LINES} lines", offenders)
    offenders = list(long_functions())
    tap.ok(not offenders, f"no function is over {FUNCTION_LINES} lines", offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
