# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual pages and completion have the options of --help."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from called import CTL, PLACE, ROOM, call
from tap import Skip, Tap, equal, must

MANUAL = Path(os.environ["FH_MANUAL"])
REFERENCE = Path(os.environ["FH_DATA_DIR"]) / "reference"
COMMANDS = ("run", "batch", "session", "mcp", "inspect", "guards", "history", "exhibits", "changes", "apply", "undo", "engines",
            "image", "container")


def flags_of(command):
    text = call(command, "--help-all").stdout.decode()
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE))


def all_flags():
    for command in COMMANDS:
        page = (MANUAL / f"fumehoodctl-{command}.1").read_text(encoding="utf-8").replace("\\-", "-")
        equal(set(re.findall(r"^(?:\\fB-\w\\fR, )?\\fB(--[\w-]+)\\fR", page, re.MULTILINE)), flags_of(command), command)


def named_flags():
    """The sections that --help does not have name no option that is gone."""
    known = {"--user", "--version"}.union(*(flags_of(command) for command in COMMANDS))
    for path in sorted((REFERENCE / "more").glob("*.txt")):
        page = (MANUAL / f"{path.stem}.1").read_text(encoding="utf-8")
        named = path.read_text(encoding="utf-8")
        equal(set(re.findall(r"(?<![\w-])--[a-z][\w-]*", named)) - known, set(), path.name)
        for heading in re.findall(r"^(\S.*):$", named, re.MULTILINE):
            equal(page.count(f"\n.SH {heading.upper()}\n"), 1, heading)


def headings():
    page = (MANUAL / "fumehoodctl-run.1").read_text(encoding="utf-8")
    for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"):
        equal(page.count(f"\n.SH {heading}\n"), 1, heading)


def well_formed():
    if shutil.which("groff") is None:
        raise Skip("groff is not installed")
    for page in sorted(MANUAL.glob("fumehood*.1")):
        answer = subprocess.run(["groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z", page], capture_output=True, check=False)
        equal((answer.returncode, answer.stderr), (0, b""), page.name)


BASH = """
. "$1"
shift
compopt () { :; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_fumehoodctl
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(*words):
    answer = subprocess.run(["bash", "-c", BASH, "bash", REFERENCE / "fumehoodctl.bash", CTL, *words],
                            capture_output=True, text=True, check=False)
    equal((answer.returncode, answer.stderr), (0, ""), str(words))
    return set(answer.stdout.split())


def in_bash():
    if shutil.which("bash") is None:
        raise Skip("bash is not installed")
    equal(completed(""), {*COMMANDS, "--help", "--version"}, "commands")
    for command in COMMANDS:
        equal({flag.rstrip("=") for flag in completed(command, "--")}, flags_of(command), command)
    equal(completed("run", "--watch", ""), {"off", "attempts", "files"}, "words")
    equal(completed("run", "--watch", "=", "a"), {"attempts"}, "words after =")
    must(completed("run", "-l", "") >= {"python", "sh", "bash", "cpp"}, "words after a short option")
    equal(completed("run", "--without", ""),
          {"network", "system-calls", "memory", "time", "disk", "output", "environment", "sockets"}, "guards")
    equal(completed("run", "--save-files", str(ROOM)[:-1]), {str(ROOM)}, "folders")
    must({"list", "search", "save-files", "purge"} <= completed("history", ""), "actions")


def in_zsh():
    if shutil.which("zsh") is None:
        raise Skip("zsh is not installed")
    answer = subprocess.run(["zsh", "-n", REFERENCE / "_fumehoodctl"], capture_output=True, check=False)
    equal((answer.returncode, answer.stderr), (0, b""), "syntax")


CASES = {
    "every option is in the manual": all_flags,
    "options that the manual names": named_flags,
    "the manual has its headings": headings,
    "the manual is well-formed": well_formed,
    "completion in bash": in_bash,
    "completion in zsh": in_zsh,
}


def main():
    tap = Tap()
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
