# SPDX-License-Identifier: GPL-3.0-or-later
"""What people read on a terminal: the summary of a failure, the table of past runs, and what a misspelt word or a
language that is not there is answered with."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import PATIENCE, Skip, Tap, equal, must
from terminal import Terminal

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-on-terminal-")
ROOM = Path(PLACE.name)
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": str(ROOM / "state"), "LC_ALL": "C.UTF-8", "LANGUAGE": "",
               "TERM": "xterm-256color"}
ENVIRONMENT.pop("NO_COLOR", None)
SENTENCE = "Ended with exit code 1. In line 2 it said: “ZeroDivisionError: division by zero”."
FAILS = """import socket
1 / 0
"""
TRIES = """import socket
try:
    socket.create_connection(("192.0.2.1", 80))
except OSError:
    pass
"""


def write(name, text):
    path = ROOM / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def call(*words):
    return subprocess.run([CTL, *words], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                          check=False, encoding="utf-8")


def shown(*words, **environment):
    """The exit status, and what a terminal gets."""
    screen = Terminal(CTL, *words, env={**ENVIRONMENT, **environment})
    return screen.finish(), screen.shown


def failure(*words, **environment):
    status, text = shown("run", "--no-history", *words, write("fails.py", FAILS), **environment)
    equal(status, 1, "exit status")
    lines = [line for line in text.splitlines() if SENTENCE in line]
    equal(len(lines), 1, f"the sentence in {text!r}")
    return lines[0]


def colored_failure():
    equal(failure(), f"\x1b[0;7m⚗ fumehoodctl:\x1b[0m \x1b[33m{SENTENCE}\x1b[0m", "the line")
    equal(failure("--color=always", NO_COLOR="1"), failure(), "what is asked for comes first")


def plain_failure():
    plain = f"⚗ fumehoodctl: {SENTENCE}"
    equal(failure(NO_COLOR="1"), plain, "with NO_COLOR")
    equal(failure("--color=never"), plain, "with --color=never")
    equal(failure(TERM="dumb"), plain, "on a terminal without colors")


def past_runs():
    """Below the headings, with the number of what was blocked in its column."""
    call("run", write("tries.py", TRIES))
    call("run", write("fine.py", "print(1)\n"))
    heading, second, first = call("history", "list").stdout.splitlines()
    equal(heading.split(), ["ID", "STARTED", "LANGUAGE", "RESULT", "BLOCKED", "TIME", "TITLE"], "the headings")
    at = heading.index("BLOCKED")
    equal((first[at:at + 7].strip(), second[at:at + 7].strip()), ("1", ""), "how many were blocked")
    for row, title in ((first, "tries.py"), (second, "fine.py")):
        equal(row[heading.index("TITLE"):], title, "the title")
    status, text = shown("history", "list")
    equal(status, 0, "exit status")
    must(text.startswith("\x1b[1m" + heading), f"the headings on a terminal: {text!r}")


def misspelt_command():
    answer = call("rnu", "fine.py")
    equal((answer.returncode, answer.stdout), (2, ""), "exit status and stdout")
    equal(answer.stderr, "fumehoodctl: “rnu” is not a command. Did you mean “run”?\n", "stderr")
    must("Did you mean" not in call("xylophone").stderr, "something was meant by xylophone")


def misspelt_option():
    answer = call("run", "--tiemout", "3", write("fine.py", "print(1)\n"))
    equal((answer.returncode, answer.stdout), (125, ""), "exit status and stdout")
    equal(answer.stderr, "fumehoodctl: There is no option --tiemout. Did you mean --timeout? "
                         "Try “fumehoodctl run --help”.\n", "stderr")
    must("Did you mean" not in call("run", "--xylophone", "fine.py").stderr, "something was meant by --xylophone")


def javascript():
    """Never run as Python, which would say that there is no console."""
    if shutil.which("node") is None:
        raise Skip("no node")
    answer = call("run", "--no-history", write("app.js", "console.log('from node', 6 * 7)\n"))
    equal((answer.returncode, answer.stdout, answer.stderr), (0, "from node 42\n", ""), "what it printed")


def missing_interpreter():
    """Said in a sentence; the file is not run as something else."""
    languages = {"node": "app.js", "php": "app.php", "go": "app.go", "rustc": "app.rs", "ruby": "app.rb", "lua": "app.lua"}
    missing = [(program, name) for program, name in languages.items()
               if not any(shutil.which(program, path=path) for path in ("/usr/bin", "/bin", "/usr/local/bin"))]
    if not missing:
        raise Skip("every interpreter is there")
    for program, name in missing:
        answer = call("run", "--no-history", write(name, "print(1)\n"))
        equal((answer.returncode, answer.stdout), (125, ""), f"exit status and stdout of {name}")
        must(re.fullmatch(f"fumehoodctl: Could not start. “{program}” is not installed here. Install .*\n", answer.stderr),
             answer.stderr)


CASES = {
    "a failure in colors": colored_failure,
    "a failure without colors": plain_failure,
    "past runs": past_runs,
    "a misspelt command": misspelt_command,
    "a misspelt option": misspelt_option,
    "a program in JavaScript": javascript,
    "a language that is not there": missing_interpreter,
}


def main():
    tap = Tap()
    for name, case in CASES.items():
        tap.case(name, case)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
