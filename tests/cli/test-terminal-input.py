# SPDX-License-Identifier: GPL-3.0-or-later
"""What is typed on a terminal is the program's input, while it waits for it."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import Tap, equal, must
from terminal import Terminal

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-typed-")
ROOM = Path(PLACE.name)
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": str(ROOM / "state"), "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
EXPLANATION = "The program waits for input. Ctrl+D ends it.\n"
CTRL_D = "\x04"


def write(text):
    path = ROOM / "program.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def terminal(program, *words, **options):
    return Terminal(CTL, "run", *words, write(program), env=ENVIRONMENT, **options)


def prompts():
    """A program that asks in words needs no explanation."""
    screen = terminal("name = input ('name? ')\nage = input ('age? ')\nprint (name, age)\n", "--no-history")
    must(EXPLANATION not in screen.wait_for("name? "), "explained all the same")
    screen.type("Ada\n")
    screen.wait_for("age? ")
    screen.type("36\n")
    equal(screen.finish(), 0, "exit status")
    must("Ada 36\n" in screen.shown and EXPLANATION not in screen.shown, screen.shown)


def blocks():
    """Each block of an answer that waits for input can be typed to."""
    path = ROOM / "answer.md"
    path.write_text("".join(f"```python\nprint('{n}', input('name {n}? '))\n```\n\n" for n in (1, 2)), encoding="utf-8")
    screen = Terminal(CTL, "run", "--no-history", str(path), env=ENVIRONMENT)
    screen.wait_for("name 1? ")
    screen.type("Ada\n")
    screen.wait_for("name 2? ")
    screen.type("Grace\n")
    equal(screen.finish(), 0, "exit status")
    must("2 Grace\n" in screen.shown, screen.shown)


def silent():
    """It is said once that a program waits without a word."""
    screen = terminal("print ('<' + input () + '>')\nprint ('<' + input () + '>')\n", "--no-history")
    screen.wait_for(EXPLANATION)
    screen.type("one\n")
    screen.wait_for("<one>")
    screen.type("two\n")
    equal(screen.finish(), 0, "exit status")
    must("<two>\n" in screen.shown and EXPLANATION not in screen.shown, screen.shown)


def ends():
    screen = terminal("import sys\nprint (len (sys.stdin.read ()))\n", "--no-history")
    screen.wait_for(EXPLANATION)
    screen.type("four\n" + CTRL_D)
    equal(screen.finish(), 0, "exit status")
    must("5\n" in screen.shown, screen.shown)


def part_of_a_line():
    screen = terminal("import sys\nprint (repr (sys.stdin.read ()))\n", "--no-history")
    screen.wait_for(EXPLANATION)
    screen.type("four" + CTRL_D + CTRL_D)
    equal(screen.finish(), 0, "exit status")
    must("'four'\n" in screen.shown, screen.shown)


def too_much():
    """The input of a run has a limit."""
    line = "x" * 4000
    screen = terminal("import sys\nprint (len (sys.stdin.read ()))\n", "--no-history")
    screen.wait_for(EXPLANATION)
    for _ in range((1 << 20) // (len(line) + 1) + 1):
        screen.type(line + "\n")
        screen.wait_for(line)
    screen.wait_for("The program cannot be given more input than that.\n")
    equal(screen.finish(), 0, "exit status")
    must(f"{(1 << 20) // (len(line) + 1) * (len(line) + 1)}\n" in screen.shown, screen.shown)


def in_the_background():
    """No terminal to type on: the input ends, and nothing is stopped by SIGTTIN."""
    program = write("import sys\nprint (repr (sys.stdin.read ()))\n")
    script = 'set -m; "$@" & wait $!; echo "status $?"'
    screen = Terminal("sh", "-c", script, "sh", CTL, "run", "--no-history", program, env=ENVIRONMENT)
    before = screen.wait_for("status 0\n")
    must("''\n" in before and EXPLANATION not in before, before)
    screen.finish()


def left_for_the_shell():
    """A line that the program did not ask for is not read."""
    program = write("input ('? ')\nprint ('done')\n")
    script = '"$@"; read -r line; echo "shell: $line"'
    screen = Terminal("sh", "-c", script, "sh", CTL, "run", "--no-history", program, env=ENVIRONMENT)
    screen.wait_for("? ")
    screen.type("first\n")
    screen.wait_for("done\n")
    screen.type("second\n")
    screen.wait_for("shell: second\n")
    screen.finish()


def interrupted():
    screen = terminal("input ('? ')\n", "--no-history")
    screen.wait_for("? ")
    screen.process.send_signal(signal.SIGINT)
    equal(screen.finish(), 130, "exit status")


def closed():
    """The run ends with the terminal."""
    screen = terminal("input ('? ')\n", "--no-history")
    screen.wait_for("? ")
    screen.hang_up()
    must(screen.finish() != 0, "it ended well")


def kept():
    """What was typed is part of the run in the history."""
    screen = terminal("print (input ('? ') * 2)\n")
    screen.wait_for("? ")
    screen.type("ab\n")
    equal(screen.finish(), 0, "exit status")
    exported = subprocess.run([CTL, "history", "export", "1", "-"], env=ENVIRONMENT, capture_output=True, check=True).stdout
    must('"ab\\n"' in exported.decode(), exported[:2000])


def not_for_scripts():
    """With --json, and where the output goes elsewhere, the input is empty."""
    program = "import sys\nprint (repr (sys.stdin.read ()))\n"
    screen = terminal(program, "--no-history", "--json", stdout=subprocess.PIPE)
    equal(json.loads(screen.process.stdout.read())["stdout"], "''\n", "with --json")
    screen.finish()
    screen = terminal(program, "--no-history", stdout=subprocess.PIPE)
    equal(screen.process.stdout.read(), b"''\n", "into a pipe")
    screen.finish()


def main():
    tap = Tap()
    tap.case("a program that asks", prompts)
    tap.case("blocks of an answer that ask", blocks)
    tap.case("a program that says nothing", silent)
    tap.case("Ctrl+D", ends)
    tap.case("Ctrl+D within a line", part_of_a_line)
    tap.case("too much", too_much)
    tap.case("in the background", in_the_background)
    tap.case("left for the shell", left_for_the_shell)
    tap.case("Ctrl+C", interrupted)
    tap.case("a terminal that is closed", closed)
    tap.case("in the history", kept)
    tap.case("not for scripts", not_for_scripts)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
