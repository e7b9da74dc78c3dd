# SPDX-License-Identifier: GPL-3.0-or-later
"""What every text file holds (a licence line) and what none holds (postponed work, trailing blanks)."""

import re
import sys

import source_tree
from tap import Tap

LICENCE = "SPDX-License-Identifier: GPL-3.0-or-later"
# Written in pieces, so that this file passes its own check.
POSTPONED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX")) + r")\b")
# What begins a comment in each kind of file, and in which line the licence must stand at the latest.
HEADERS = {".c": ("/*", 1), ".h": ("/*", 1), ".h.in": ("/*", 1), ".py": ("#", 2), ".sh": ("#", 2)}
BINARY = {".png", ".gz", ".ico", ".db"}


def text_files():
    for path in source_tree.files():
        if path.suffix not in BINARY and path.name != "COPYING":
            yield path


def without_licence():
    for suffix, (comment, last) in HEADERS.items():
        for path in source_tree.files(suffix):
            head = source_tree.lines(path)[:last]
            if not any(line.startswith(comment) and LICENCE in line for line in head):
                yield source_tree.name(path)


def matching(pattern, paths):
    for path in paths:
        for number, line in enumerate(source_tree.lines(path), 1):
            if pattern.search(line):
                yield f"{source_tree.name(path)}:{number}: {line.strip()[:100]}"


def not_utf8():
    for path in text_files():
        try:
            path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            yield f"{source_tree.name(path)}: {error}"


def without_final_newline():
    for path in text_files():
        content = path.read_bytes()
        if content and not content.endswith(b"\n"):
            yield source_tree.name(path)


def main():
    tap = Tap()
    offenders = list(not_utf8())
    if not tap.ok(not offenders, "every text file is UTF-8", offenders):
        return tap.done()
    po_files = source_tree.files(".po")
    blanks = [path for path in text_files() if path not in po_files]
    for name, found in (
        ("every source names its licence first", without_licence()),
        ("no work is postponed in a comment", matching(POSTPONED, text_files())),
        ("no line ends in blanks", matching(re.compile(r"[ \t]+$"), blanks)),
        ("every text file ends with a newline", without_final_newline()),
    ):
        offenders = list(found)
        tap.ok(not offenders, name, offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
