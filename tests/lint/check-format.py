# SPDX-License-Identifier: GPL-3.0-or-later
"""Every C file is as clang-format leaves it."""

import re
import shutil
import subprocess
import sys

import source_tree
from tap import Tap

# Releases of clang-format differ in details; the one of the floor decides.
VERSION = 14


def program():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path:
            text = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            if re.search(rf"version {VERSION}\.", text):
                return path
    return None


def main():
    tap = Tap()
    path = program()
    files = source_tree.files(".c", ".h")
    if path is None:
        tap.skip("C files are formatted", f"clang-format {VERSION} is not installed")
        return tap.done()
    result = subprocess.run(
        [path, "--dry-run", "-Werror", "--style=file", *map(source_tree.name, files)],
        capture_output=True,
        text=True,
        cwd=source_tree.ROOT,
        check=False,
    )
    places = sorted({line.split(" error:")[0] for line in result.stderr.splitlines() if " error:" in line})
    tap.ok(result.returncode == 0, f"{len(files)} C files are formatted", places[:80] or result.stderr.splitlines())
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
