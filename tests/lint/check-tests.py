# SPDX-License-Identifier: GPL-3.0-or-later
"""The test of every source is found by its name: tests/FLOOR/test-FILE, or else a line of tests/FLOOR/README.md,
a table of files and the test that each is tested in. And no test of the window trusts a single look at it."""

import ast
import re
import sys

import source_tree
from tap import Tap

# These files start something and wait for it in their own way; the others use until ().
WAITING = {"engine.py", "registry.py", "guarded.py", "test-leaks.py"}
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


# These functions look at the window, and those wait until a look shows what it should.
LOOKS = {"caret", "find", "find_all", "find_dialog", "focused", "extents", "is_enabled", "is_pressed", "is_running", "can_run",
         "labelled_rows", "middle", "name_of", "names", "output", "picture", "read", "result", "result_line", "showing",
         "spoken", "state", "windows"}
WAITS = {"wait_for", "wait_equal", "not_yet", "get", "get_all"}
ACTS = {"click", "double_click", "press", "write", "focus"}


def name_called(node):
    """Returns the name of the function that a node calls, or None."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "id", getattr(function, "attr", None))


def looked_at(node, looks):
    """Whether some look of a piece of a program is not in a wait."""
    name = name_called(node)
    return name in looks or name not in WAITS and any(looked_at(part, looks) for part in ast.iter_child_nodes(node))


def looks_of(tree):
    """Returns LOOKS, and the functions of a file that return what they see."""
    looks, functions = set(LOOKS), [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for _ in functions:
        looks |= {function.name for function in functions if function.name not in WAITS for node in ast.walk(function)
                  if isinstance(node, (ast.Return, ast.Yield)) and node.value and looked_at(node.value, looks)}
    return looks


def hasty_lines(text):
    """(line, what is wrong with it)"""
    tree = ast.parse(text)
    looks = looks_of(tree)
    for node in ast.walk(tree):
        name = name_called(node)
        if name in ("must", "equal") and any(looked_at(part, looks) for part in node.args[:-1]):
            yield node.lineno, f"{name}() looks at the window once: wait_for() or wait_equal() wait for what is to come, " \
                "and not_yet() is for what must not have happened"
        elif name in ACTS and any(name_called(getattr(part, "value", part)) in ("find", "find_all") for part in node.args):
            yield node.lineno, f"{name}() is given what may not be there yet: get() waits for it"
        elif name == "sleep":
            yield node.lineno, "a test waits for something that is seen, never for a time"
        elif name == "run" and any(part.arg == "timeout" and isinstance(part.value, ast.Constant) for part in node.keywords):
            yield node.lineno, "a slow machine needs more: ANSWER_S is long enough"


def hasty():
    for path in source_tree.files(".py", under="tests/ui"):
        if path.name not in ("waiting.py", "showcase.py"):
            for line, what in hasty_lines(path.read_text(encoding="utf-8")):
                yield f"{source_tree.name(path)}:{line}: {what}"


def finds_hasty_lines():
    """The check itself must see them, or it would pass on anything."""
    sample = ("def rows(app):\n    return find_all(app.root)\n\n\ndef case(app):\n    must(not rows(app), 'gone')\n"
              "    must(wait_for(lambda: rows(app), 'rows')[0] == 1, 'first')\n    press(find_all(app.root)[0])\n"
              "    time.sleep(1)\n    subprocess.run(['true'], timeout=20)\n    run(timeout=ANSWER_S)\n")
    return [line for line, _ in hasty_lines(sample)] == [6, 8, 9, 10]


def impatient():
    """A loop of one's own has a limit that a slow computer reaches sooner or later."""
    for path in source_tree.files(".py", under="tests"):
        if path.parent.name in ("acceptance", "container", "mcp") and path.name not in WAITING:
            for number, line in enumerate(source_tree.lines(path), 1):
                if "deadline" in line or "monotonic() <" in line:
                    yield f"{source_tree.name(path)}:{number}: it waits by itself; there is until () in tests/harness/containers.py"


def main():
    tap = Tap()
    tap.ok(finds_hasty_lines(), "a single look is found")
    tap.ok(any(rows()) and any(sources()), "sources and the tables of tests are found")
    for name, check in (("every source has a test that is found by its name", untested),
                        ("the tables of tests are up to date", stale),
                        ("every feature of the window has its tests", missing_tests_of_features),
                        ("tests of containers wait by until ()", impatient),
                        ("no test of the window is hasty", hasty)):
        offenders = list(check())
        tap.ok(not offenders, name, offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
