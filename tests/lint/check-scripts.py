# SPDX-License-Identifier: GPL-3.0-or-later
"""Shell and Python scripts parse, and shellcheck has nothing to say."""

import shutil
import subprocess
import sys

import source_tree
from tap import Tap


def shell_errors(command):
    for path in source_tree.shell_scripts():
        result = subprocess.run([*command, path], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            yield f"{source_tree.name(path)}:"
            yield from (result.stdout + result.stderr).splitlines()


def python_errors():
    for path in source_tree.files(".py"):
        try:
            compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            yield f"{source_tree.name(path)}: {error}"


def main():
    tap = Tap()
    offenders = list(shell_errors(["sh", "-n"]))
    tap.ok(not offenders, "shell scripts parse", offenders)
    if shutil.which("shellcheck"):
        offenders = list(shell_errors(["shellcheck", "--external-sources", f"--source-path={source_tree.ROOT}"]))
        tap.ok(not offenders, "shellcheck is content", offenders)
    else:
        tap.skip("shellcheck is content", "shellcheck is not installed")
    offenders = list(python_errors())
    tap.ok(not offenders, "Python files compile", offenders)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
