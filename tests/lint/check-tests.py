# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of every source is found by its name: tests/FLOOR/test-FILE, or else a line of tests/FLOOR/README.md,
a table of files and the test that each is tested in."""

import re
import sys

import source_tree
from tap import Tap

ROW = re.compile(r"^\| (`.*`) \| (`.*`) \|$")
FEATURE = re.compile(r"^\| \d+ \| .* \| (`.*`) \|$")
QUOTED = re.compile(r"`([^`]+)`")


def sources():
    """(floor, name) of every .c file of src."""
    for path in source_tree.files(".c", under="src"):
        yield path.relative_to(source_tree.ROOT / "src").parts[0], path.name


def own_test(floor, name):
    folder = source_tree.ROOT / "tests" / floor
    stem = name.removesuffix(".c")
    return next((path for path in (folder / f"test-{stem}.c", folder / f"test-{stem}.py") if path.exists()), None)


def rows():
    """(README, floor, files, tests) of each row."""
    for floor in sorted({floor for floor, _ in sources()}):
        path = source_tree.ROOT / "tests" / floor / "README.md"
        for line in source_tree.lines(path) if path.exists() else []:
            match = ROW.match(line)
            if match:
                yield path, floor, QUOTED.findall(match[1]), QUOTED.findall(match[2])


def untested():
    listed = {(floor, name) for _, floor, names, _ in rows() for name in names}
    for floor, name in sources():
        if (floor, name) not in listed and own_test(floor, name) is None:
            yield f"src/{floor}: {name} has neither a test of its name nor a line in tests/{floor}/README.md"


def stale():
    known = set(sources())
    for path, floor, names, tests in rows():
        for name in names:
            if (floor, name) not in known:
                yield f"{source_tree.name(path)}: there is no {name} in src/{floor}"
            elif own_test(floor, name) is not None:
                yield f"{source_tree.name(path)}: {name} has a test of its name, and needs no line"
        for test in tests:
            if not (path.parent / test).is_file():
                yield f"{source_tree.name(path)}: there is no {test}"


def missing_tests_of_features():
    path = source_tree.ROOT / "tests" / "ui" / "README.md"
    found = [match[1] for match in map(FEATURE.match, source_tree.lines(path)) if match]
    if not found:
        yield f"{source_tree.name(path)}: there are no features"
    for test in QUOTED.findall(" ".join(found)):
        if not (path.parent / test).is_file():
            yield f"{source_tree.name(path)}: there is no {test}"


def main():
    tap = Tap()
    tap.ok(any(rows()) and any(sources()), "sources and the tables of tests are found")
    for name, check in (("every source has a test that is found by its name", untested),
                        ("the tables of tests are up to date", stale),
                        ("every feature of the window has its tests", missing_tests_of_features)):
        offenders = list(check())
        tap.ok(not offenders, name, offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
