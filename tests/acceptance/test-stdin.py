# SPDX-License-Identifier: GPL-3.0-or-later
"""F: standard input."""

import subprocess

from guarded import CTL, RUN, command, environment, main, must, run, save


def asks():
    run("input()\n").must_be(success=False, exit_code=1, stderr=lambda text: "EOFError" in text,
                             elapsed=lambda s: s < 25)


def reads():
    run("import sys; print(repr(sys.stdin.read()))\n").must_be(stdout="''\n", elapsed=lambda s: s < 25)


def asks_in_a_function():
    run("def f():\n    return input('enter a number')\nassert f() == 1\n").must_be(
        success=False, timeout=False, elapsed=lambda s: s < 25)


def from_file():
    data = "one\ntwo\n" * 50_000
    run("import sys\nprint(len(sys.stdin.read()))\n", "--stdin", save(data, ".txt")).must_be(
        stdout=f"{len(data)}\n", success=True)
    run("print(input()); print(input())\n", "--stdin", save(b"a\nb", ".txt")).must_be(stdout="a\nb\n")


def passed_on():
    process = subprocess.run([CTL, *RUN, "--no-history", "--stdin", "-", save("print(input() * 2)\n")],
                             env=environment(), input=b"ab\n", capture_output=True, timeout=300, check=False)
    must(process.stdout == b"abab\n", f"{process.stdout!r} {process.stderr!r}")


def pipe():
    process = subprocess.run([CTL, *RUN, "--no-history", save("print(input() * 2)\n")], env=environment(), input=b"ab\n",
                             capture_output=True, timeout=300, check=False)
    must(process.stdout == b"abab\n", f"{process.stdout!r} {process.stderr!r}")


def program_from_stdin():
    process = subprocess.run([CTL, *RUN, "--no-history", "-"], env=environment(),
                             input=b"import sys; print('from stdin', repr(sys.stdin.read()))\n", capture_output=True,
                             timeout=300, check=False)
    must(process.stdout == b"from stdin ''\n", f"{process.stdout!r} {process.stderr!r}")


def ours_is_left_alone():
    """Our own standard input is not read if the program is given another."""
    path = save("import sys; print(repr(sys.stdin.read()))\n")
    process = subprocess.run(["sh", "-c", '"$@"; cat', "sh", CTL, *RUN, "--no-history", "--stdin", "/dev/null", path],
                             env=environment(), input=b"rest\n", capture_output=True, timeout=300, check=False)
    must(process.stdout == b"''\nrest\n", repr(process.stdout))


def unread_input():
    run("print('done')\n", "--stdin", save(b"x" * (8 << 20), ".txt")).must_be(success=True, stdout="done\n")


def not_both():
    answer = command(*RUN, "--stdin", "-", "-")
    must(answer.returncode == 125 and answer.stdout == b"", repr(answer))


if __name__ == "__main__":
    main({
        "F1 input () is EOFError at once": asks,
        "F2 reading gives nothing": reads,
        "F3 input () in a function fails": asks_in_a_function,
        "F4 from a file": from_file,
        "F5 passed on": passed_on,
        "F5 a pipe": pipe,
        "F6 the program itself": program_from_stdin,
        "F7 our own is left alone": ours_is_left_alone,
        "F8 not read by the program": unread_input,
        "F9 not both at once": not_both,
    })
