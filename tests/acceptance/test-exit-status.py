# SPDX-License-Identifier: GPL-3.0-or-later
"""B: how a program ends, told apart from what we do to it."""

from guarded import IN_CONTAINER, IN_FLATPAK, main, must, run


def exits(code, source, **more):
    status = "ok" if code == 0 else "failed"
    run(source).must_be(status=status, exit_code=code, signal=None, exit_status=code, timeout=False,
                        memory_exceeded=False, **more)


def exit_3():
    exits(3, "import sys; sys.exit(3)\n")


def exit_0():
    exits(0, "import sys; print('kept'); sys.exit(0)\n", stdout="kept\n", success=True)


def exit_text():
    exits(1, "import sys; sys.exit('bye')\n", stderr="bye\n")


def exit_at_once():
    exits(3, "import os; os._exit(3)\n")


def says_why():
    result = run("import sys\nprint('x' * 5000, file=sys.stderr)\n1 / 0\n", "--show-limit", "64")
    result.must_be(status="failed", error="ZeroDivisionError: division by zero", error_from="program", truncated=True)
    run("import os; os._exit(3)\n").must_be(error="Ended with exit code 3.", error_from="fumehood")
    run("print(1)\n").must_be(error=None, error_from=None, truncated=False)


def lacks_package():
    result = run("import yaml_of_nobody\n").must_be(status="failed", advice=lambda text: "pip install yaml_of_nobody" in text)
    must(result.error_from == "program", str(result))


def counts_operations():
    loop = "n = 0\nwhile True:\n    n += 1\n"
    run(loop, "--max-operations", "20000").must_be(
        status="operation-limit", success=False, exit_code=1, exit_status=137, error_from="fumehood",
        error=lambda text: "operations" in text)
    run("raise SystemExit(1)\n", "--max-operations", "20000").must_be(status="failed", exit_code=1)


def knows_modules():
    source = "open('begun', 'w')\n"
    result = run(source, "--allow-imports", "json,no_such_module")
    result.must_be(exit_status=125, files=[], error=lambda text: "“no_such_module”" in text)
    run("import os.path\nprint(os.path.sep)\n", "--allow-imports", "os.path").must_be(status="ok", stdout="/\n")


def killed(number, name, source):
    run(source).must_be(status="signalled", exit_code=None, signal=number, signal_name=name, success=False,
                        exit_status=128 + number, error=lambda text: name in text)


def aborts():
    killed(6, "SIGABRT", "import os; os.abort()\n")


def crashes():
    killed(11, "SIGSEGV", "import ctypes; ctypes.string_at(0)\n")


def ends_with_124():
    result = run("import sys; sys.exit(124)\n")
    result.must_be(status="failed", exit_code=124, exit_status=124, timeout=False)


def ends_with_137():
    exits(137, "import sys; sys.exit(137)\n")


def raises_system_exit():
    exits(3, "raise SystemExit(3)\n")


def recurses():
    exits(1, "def f(): f()\nf()\n", stderr=lambda text: "RecursionError" in text)


def kills_itself():
    killed(9, "SIGKILL", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)\n")


def is_killed():
    """Who did it is told if it is known: kill (2) by the main process is seen, other ways are not."""
    if not IN_CONTAINER and not IN_FLATPAK:
        run("import os; os.kill(os.getpid(), 9)\n").must_be(
            cause="itself", advice=None, sentence="The program killed itself with SIGKILL.")
        run("kill -9 $$\n", suffix=".sh").must_be(cause="itself")
    child = "import os, time\nif os.fork() == 0:\n    os.kill(os.getppid(), 9)\ntime.sleep(20)\n"
    run(child).must_be(status="signalled", cause=None, sentence=lambda text: text.startswith("Killed by SIGKILL. "),
                       advice=lambda text: "not known" in text)
    other = "import os, time\nif os.fork() == 0:\n    os.kill(os.getpid(), 9)\nos.wait()\nos._exit(4)\n"
    run(other).must_be(status="failed", exit_code=4, cause=None)


if __name__ == "__main__":
    main({
        "B1 sys.exit (3)": exit_3,
        "B2 sys.exit (0) after output": exit_0,
        "B3 sys.exit with a text": exit_text,
        "B4 os._exit (3)": exit_at_once,
        "B5 os.abort is SIGABRT": aborts,
        "B6 a crash is SIGSEGV": crashes,
        "B7 exit code 124 is no timeout": ends_with_124,
        "B7 exit code 137 is no limit": ends_with_137,
        "B8 raise SystemExit (3)": raises_system_exit,
        "B9 endless recursion": recurses,
        "B10 a signal to itself": kills_itself,
        "B10 who sent a signal": is_killed,
        "the last line of a failed program": says_why,
        "modules that are not there": knows_modules,
        "a package that is missing": lacks_package,
        "the limit of operations": counts_operations,
    })
