# SPDX-License-Identifier: GPL-3.0-or-later
"""A person is asked on the terminal before code is run; without a yes nothing is run."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import PATIENCE, Tap, equal, must
from terminal import Terminal

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-ask-")
ROOM = Path(PLACE.name)
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": str(ROOM / "state"), "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
QUESTION = "n: no > "
WHY = "(Enter for no reason) "
ANSWER = "```python\nprint(6 * 7)\n```\n\n```sh\necho from sh\n```\n\n```python\nprint(7 * 8)\n```\n"


def terminal(*words, **options):
    return Terminal(CTL, "run", *map(str, words), env=ENVIRONMENT, **options)


def write(name, text):
    path = ROOM / name
    path.write_text(text, encoding="utf-8")
    return path


def once_and_always():
    screen = terminal("--no-history", "--ask", write("answer.md", ANSWER))
    first = screen.wait_for(QUESTION)
    must("⚗ Block 1 of 3: Python, line 2\n" in first and "    1 │ print(6 * 7)\n" in first, first)
    must("Every Guard Is Active" in first or "Some Guards Are Weaker Here" in first, first)
    must("Time: 30 s; Memory: 512 MiB" in first and "a: all of it in Python" in first, first)
    screen.type("perhaps\n")
    screen.wait_for(QUESTION)
    screen.type("a\n")
    second = screen.wait_for(QUESTION)
    must("\n42\n" in second and "Block 2 of 3: Shell, line 6" in second and "a: all" not in second, second)
    screen.type("Y\n")
    equal(screen.finish(), 0, "exit status")
    must("from sh\n" in screen.shown and "56\n" in screen.shown, screen.shown)


def switched_off():
    """What protects is not said of a guard that is off."""
    screen = terminal("--no-history", "--ask", "--without", "network", write("off.py", "print(6 * 7)\n"))
    shown = screen.wait_for(QUESTION)
    must("⚗ Some Guards Are Switched Off\n" in shown and "Switched Off: Network" in shown, shown)
    must("Every Guard" not in shown, shown)
    screen.type("\x04")
    equal(screen.finish(), 1, "exit status")


def only_one_language():
    screen = terminal("--no-history", "--policy", "sh=ask", write("answer.md", ANSWER))
    must("42\n" in screen.wait_for(QUESTION), "the first block is not asked about")
    screen.type("no\n")
    screen.wait_for(WHY)
    screen.type("\n")
    equal(screen.finish(), 1, "exit status")
    must("[2] Shell, line 6: Code execution was not approved.\n" in screen.shown and "from sh" not in screen.shown, screen.shown)


def refused_with_reason():
    path = write("answer.md", ANSWER)
    screen = terminal("--no-history", "--json", "--ask", path, stdout=subprocess.PIPE)
    screen.wait_for(QUESTION)
    screen.type("n\n")
    screen.wait_for(WHY)
    screen.type("not on a Friday\n")
    output = screen.process.stdout.read()
    equal(screen.finish(), 1, "exit status")
    block, *_, last = json.loads(output)["blocks"]
    equal((block["action"], block["result"]), ("ask", None), "block")
    equal(block["message"], "Code execution was not approved. Reason: not on a Friday", "message")
    equal(last["state"], "not-run", "the block after it")


def program():
    """Its text comes through standard input, and its output goes through a pipe."""
    with tempfile.TemporaryFile() as code:
        code.write(b"print('it ran')\n")
        code.seek(0)
        screen = terminal("--no-history", "--ask", "-", stdin=code, stdout=subprocess.PIPE)
        must("    1 │ print('it ran')\n" in screen.wait_for(QUESTION), "the code is shown")
        screen.type("yes\n")
        equal(screen.process.stdout.read(), b"it ran\n", "output")
        equal(screen.finish(), 0, "exit status")


def program_refused():
    """It is in the history, with the reason."""
    screen = terminal("--ask", "--json", write("no.py", "print('it ran')\n"), stdout=subprocess.PIPE)
    screen.wait_for(QUESTION)
    screen.type("n\n")
    screen.wait_for(WHY)
    screen.type("twice\n")
    result = json.loads(screen.process.stdout.read())
    equal(screen.finish(), 1, "exit status")
    equal((result["status"], result["stdout"]), ("not-started", ""), "result")
    kept = subprocess.run([CTL, "history", "show", "1"], env=ENVIRONMENT, timeout=PATIENCE, check=True, capture_output=True)
    must(b"Code execution was not approved. Reason: twice" in kept.stdout, kept.stdout)


def look():
    """What stands out is said before the question, of the right block."""
    text = "```python\nprint(1)\n```\n\n```python\nimport os\nos.remove('all')\n```\n"
    screen = terminal("--no-history", "--ask", write("look.md", text))
    must("os.remove" not in screen.wait_for(QUESTION), "the first block")
    screen.type("y\n")
    shown = screen.wait_for(QUESTION)
    found = [line for line in shown.splitlines() if line.startswith("⚗ ") and "os.remove" in line]
    must(len(found) == 1 and "deletes files" in found[0], shown)
    screen.type("\x04")
    equal(screen.finish(), 1, "exit status")


def no_answer(how):
    screen = terminal("--no-history", "--ask", write("answer.md", ANSWER))
    screen.wait_for(QUESTION)
    if how == "hang up":
        screen.hang_up()
    else:
        screen.type(how)
    must(screen.finish() in ((1,) if how == "\x04" else (1, 130)), "exit status")
    must("\n42\n" not in screen.shown, screen.shown)


def typed_before():
    """What is typed before the code is shown is no answer."""
    screen = terminal("--no-history", "--ask", write("answer.md", ANSWER))
    screen.type("y\n")
    screen.wait_for(QUESTION)
    screen.type("n\n")
    screen.wait_for(WHY)
    screen.type("\n")
    equal(screen.finish(), 1, "exit status")
    must("42\n" not in screen.shown, screen.shown)


def no_terminal():
    """Not even that of whoever started the test."""
    answer = subprocess.run([CTL, "run", "--no-history", "--ask", write("answer.md", ANSWER)], env=ENVIRONMENT, timeout=PATIENCE,
                            check=False, input=b"y\ny\ny\n", capture_output=True, start_new_session=True)
    equal((answer.returncode, answer.stdout), (125, b""), "refused")
    must(b"there is no terminal" in answer.stderr, answer.stderr)


def hostile():
    """Code cannot look like our lines, move the cursor or turn its text around."""
    code = "x = 1\r⚗ May it run? y: this once, n: no > y\n\x1b[2J\x1b]0;title\x07\u202eprint\n\n⚗ fumehoodctl: safe\n"
    screen = terminal("--no-history", "--ask", write("hostile.py", code))
    shown = screen.wait_for("⚗ Time: ")
    must(not set("\x1b\x07\u202e") & set(shown), repr(shown))
    equal([line for line in shown.splitlines() if line.startswith("⚗") and ("May" in line or "safe" in line)], [], "lines")
    must(shown.count("⚗ May") == shown.count("⚗ fume") == 0, repr(shown))
    screen.wait_for(QUESTION)
    screen.type("\x04")
    equal(screen.finish(), 1, "exit status")


def long():
    """What is not shown is said."""
    for name, code, last in (("lines.py", "x = 1\n" * 501, "500 │"), ("line.py", "#" * 70000, "1 │")):
        screen = terminal("--no-history", "--ask", write(name, code))
        shown = screen.wait_for(QUESTION)
        must(f"{last} " in shown and "501 │" not in shown and "the rest is not shown here" in shown, shown[-500:])
        screen.type("\x04")
        equal(screen.finish(), 1, "exit status")


def not_with_raw():
    for words in (("--ask",), ("--policy", "all=ask")):
        answer = subprocess.run([CTL, "run", "--raw", *words, write("answer.md", ANSWER)], env=ENVIRONMENT, timeout=PATIENCE,
                                check=False, capture_output=True)
        equal((answer.returncode, answer.stdout), (125, b""), f"refused: {words}")


def main():
    tap = Tap()
    tap.case("once and always", once_and_always)
    tap.case("a guard that is off", switched_off)
    tap.case("only one language", only_one_language)
    tap.case("refused with a reason", refused_with_reason)
    tap.case("a program", program)
    tap.case("a program that is refused", program_refused)
    for name, how in (("Ctrl+D", "\x04"), ("Ctrl+C", "\x03"), ("a terminal that is closed", "hang up")):
        tap.case(name, no_answer, how)
    tap.case("typed before the question", typed_before)
    tap.case("no terminal", no_terminal)
    tap.case("hostile code", hostile)
    tap.case("long code", long)
    tap.case("a look at the code", look)
    tap.case("not with --raw", not_with_raw)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
