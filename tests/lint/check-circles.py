# SPDX-License-Identifier: GPL-3.0-or-later
"""No two source files of a floor need each other, directly or through others.

A file needs another one if its object names a symbol that only the other one defines. Includes would
not tell that: a private header that five files share looks like a circle and is none.

check-circles.py BUILD FLOOR…: BUILD has the object files of src/FLOOR below src.
"""

import collections
import subprocess
import sys
from pathlib import Path

from tap import Tap

# These circles are older than the rule. A file is taken out of here when it is taken out of its circle.
KNOWN = {
    "app": [
        {"tab_tab", "tab_block-commands", "tab_repeat"}
        | {f"tab_tab-{part}" for part in ("answer", "draft", "file", "look", "navigation", "results")}
        | {f"tab_tab-{part}" for part in ("run", "session", "start")},
        {"window_window", "window_window-actions"},
    ],
    "execution": [{"series", "series-calls"}],
    "runner": [
        {f"supervisor_supervisor-{part}" for part in ("cells", "ending", "start")},
    ],
}


def objects(folder):
    return sorted(folder.rglob("*.c.o"))


def symbols(paths):
    """{object: (defined, needed)}: names of functions and variables that other files can see."""
    listing = subprocess.run(
        ["nm", "--extern-only", "--print-file-name", "--format=posix", *paths], capture_output=True, text=True, check=True
    ).stdout
    found = {path: (set(), set()) for path in paths}
    for line in listing.splitlines():
        path, _, symbol = line.partition(": ")
        name, kind = symbol.split()[:2]
        found[Path(path)][kind == "U"].add(name)
    return found


def needs(folder):
    """{file: the files whose symbols it names}, each file by the name of its object."""
    found = {path.name.removesuffix(".c.o"): both for path, both in symbols(objects(folder)).items()}
    home = {name: file for file, (defined, _) in found.items() for name in defined}
    return {
        file: {home[name] for name in needed if name in home and home[name] != file}
        for file, (_, needed) in found.items()
    }


def reachable(graph, start):
    seen, todo = set(), collections.deque(graph.get(start, ()))
    while todo:
        file = todo.popleft()
        if file not in seen:
            seen.add(file)
            todo.extend(graph.get(file, ()))
    return seen


def circles(graph):
    """Groups of files that reach each other, each as a sorted tuple."""
    reach = {file: reachable(graph, file) for file in graph}
    return sorted(
        {
            tuple(sorted({file} | {other for other in reach[file] if file in reach[other]}))
            for file in graph
            if file in reach[file]
        }
    )


def is_known(group, floor):
    return any(set(group) <= known for known in KNOWN.get(floor, ()))


def main():
    tap = Tap()
    build = Path(sys.argv[1])
    sample = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}
    tap.ok(circles(sample) == [("a", "b", "c")], "a circle is found")
    for floor in sys.argv[2:]:
        graph = needs(build / "src" / floor)
        tap.ok(any(graph.values()), f"the objects of src/{floor} are read")
        found = [group for group in circles(graph) if not is_known(group, floor)]
        tap.ok(not found, f"no circle of files in src/{floor}", [" ".join(group) for group in found])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
