# SPDX-License-Identifier: GPL-3.0-or-later
"""A: what everyday programs do."""

import os
import shutil
import socket
import subprocess
import sys

from guarded import IN_CONTAINER, STATE, Skip, main, run
from tap import must


def prints():
    run("print('hello world')\n").must_be(
        status="ok", success=True, stdout="hello world\n", stderr="", exit_code=0, exit_status=0, error=None)


def fails():
    run("1/0\n").must_be(status="failed", success=False, exit_code=1, exit_status=1,
                         stderr=lambda text: "ZeroDivisionError" in text and "bootstrap" not in text)


def both_streams():
    run("print('Hello World')\nraise ValueError('An intentional error')\n").must_be(
        stdout="Hello World\n", stderr=lambda text: "An intentional error" in text, exit_code=1)


def imports():
    run("import math; print(math.sqrt(16))\n").must_be(stdout="4.0\n", success=True)


def empty():
    run("").must_be(success=True, stdout="", stderr="")


def says_nothing():
    run("a = 1 + 1\n").must_be(success=True, stdout="", stderr="")


def syntax_error():
    run("def (\n").must_be(exit_code=1, stderr=lambda text: "SyntaxError" in text and "def (" in text
                           and 'main.py", line 1' in text and "Traceback" not in text)


def caret():
    run("a = ;\n").must_be(exit_code=1, stderr=lambda text: "a = ;\n" in text and "^" in text)


def error_output_only():
    run("import sys; print('warn', file=sys.stderr)\n").must_be(success=True, stdout="", stderr="warn\n")


def byte_exact():
    run("s = 'it\\'s \"quoted\" \\\\ {braces} \\n'\nprint(repr(s))\n").must_be(
        success=True, stdout=repr('it\'s "quoted" \\ {braces} \n') + "\n")


def not_ascii():
    run("print('h\u00e9llo \u2603 \U0001f600 \u4f60\u597d')\n").must_be(
        stdout="h\u00e9llo \u2603 \U0001f600 \u4f60\u597d\n", success=True)


def long_program():
    run("x = 1\n" * 40000 + "print('end')\n").must_be(success=True, stdout="end\n")


def null_byte():
    run(b"print(1)\n\x00\nprint(2)\n").must_be(exit_code=1, stderr=lambda text: "null bytes" in text)


def no_names_of_ours():
    run("print(sorted(n for n in dir() if not n.startswith('__')), 'GUARD' in dir(), __name__, __spec__)\n").must_be(
        stdout="[] False __main__ None\n")


def main_guard():
    run("if __name__ == '__main__': print('m')\n").must_be(stdout="m\n")


def functions_see_each_other():
    run("def a(): return 1\ndef b(): return a()\nprint(b())\n").must_be(stdout="1\n", success=True)


def multiprocessing():
    run("from multiprocessing import Pool\n"
        "def double(x): return x * 2\n"
        "if __name__ == '__main__':\n"
        "    with Pool(2) as pool: print(pool.map(double, [1, 2]))\n").must_be(stdout="[2, 4]\n", success=True)


def arguments():
    run("import sys; print(sys.argv[1:])\n", arguments=["-x", "a b", ""]).must_be(stdout="['-x', 'a b', '']\n")


def shells():
    run("echo \"$0 $1\"; [ -n \"${BASH_VERSION:-}\" ] || echo sh\n", suffix=".sh", arguments=["one"]).must_be(
        stdout="/workspace/main.sh one\nsh\n")
    run("#!/bin/bash\nx=(1 2); echo ${#x[@]}\n", suffix=".sh").must_be(stdout="2\n")
    run("x=(1 2); echo ${#x[@]} \"$@\"\n", "--language", "bash", arguments=["b"]).must_be(stdout="2 b\n")


def make_environment(*names):
    place = os.path.join(STATE.name, *names)
    made = subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=False, capture_output=True)
    if made.returncode != 0:
        raise Skip("python3 -m venv does not work here")
    return place


def shows(paths):
    """The guard of the files tells what was shown."""
    return lambda guards: [guard["shown"] for guard in guards if guard["guard"] == "filesystem"] == [paths]


def parts(place):
    """What Python needs of an environment, and nothing beside it."""
    return [f"{place}/{name}" for name in ("bin", "include", "lib", "lib64", "pyvenv.cfg")
            if os.path.exists(f"{place}/{name}")]


def virtual_environment():
    place = make_environment("tool", ".venv")
    packages = subprocess.run([f"{place}/bin/python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                              check=True, capture_output=True, text=True).stdout.strip()
    with open(os.path.join(packages, "only_here.py"), "w", encoding="utf-8") as file:
        file.write("answer = 42\n")
    run("import only_here, sys\nprint(only_here.answer, sys.prefix)\n", "--interpreter", f"{place}/bin/python").must_be(
        stdout=f"42 {place}\n", success=True, guards=lambda guards: sorted(
            path for guard in guards for path in guard.get("shown", [])) == sorted(parts(place)))
    run("print(1)").must_be(success=True, guards=shows([]))
    run("open(__import__('sys').prefix + '/bin/x', 'w')\n", "--interpreter", f"{place}/bin/python").must_be(
        exit_code=1, stderr=lambda text: "Read-only" in text or "Permission" in text)


def lone_interpreter():
    """Nothing that stands beside it is shown."""
    place = os.path.join(STATE.name, "settings")
    program = os.path.join(place, "python3")
    os.makedirs(place)
    shutil.copy(os.path.realpath("/usr/bin/python3"), program)
    with open(os.path.join(place, "key"), "w", encoding="utf-8") as file:
        file.write("secret\n")
    run(f"import os; print(os.listdir({place!r}))\n", "--interpreter", program).must_be(
        stdout="['python3']\n", success=True, guards=shows([program]))


def environment_with_socket():
    """connect(2) needs no right to write. What is beside the environment is not shown; what is in it cannot be
    reached, or nothing runs."""
    place = make_environment("agent")
    source = ("import os, socket, sys\nplace = sys.prefix + sys.argv[1]\nprint(os.path.lexists(place))\n"
              "try: socket.socket(socket.AF_UNIX).connect(place)\nexcept OSError: print('stopped')\n")
    for name in ("/socket", "/lib/socket"):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(place + name)
            listener.listen()
            result = run(source, "--interpreter", f"{place}/bin/python", arguments=[name])
        os.unlink(place + name)
        must(result.status == "guard-failed" or result.stdout.endswith("stopped\n"), f"{name}: {result}")
        must(name != "/socket" or result.stdout == "False\nstopped\n", f"{name}: {result}")
    run("print(1)\n", "--interpreter", f"{place}/bin/python").must_be(success=True)


def private_prefix():
    """A folder with our own history in it is no environment, whatever it looks like."""
    mark = os.path.join(STATE.name, "pyvenv.cfg")
    with open(mark, "w", encoding="utf-8") as file:
        file.write("home = /usr/bin\n")
    os.makedirs(os.path.join(STATE.name, "bin"))
    os.symlink("/usr/bin/python3", os.path.join(STATE.name, "bin", "python3"))
    run("print(1)\n", "--interpreter", os.path.join(STATE.name, "bin", "python3")).must_be(
        status="not-started", exit_status=125, error=lambda text: "your own files" in text)
    os.unlink(mark)


def surroundings():
    nobody = "[]" if IN_CONTAINER else "'no home'"
    run("import os\nfor name in sorted(os.environ): print(name)\nprint(os.getcwd(), repr(os.listdir('/home') if "
        "os.path.exists('/home') else 'no home'))\n").must_be(
            stdout=lambda text: set(text.split()) <= {
                "HOME", "LANG", "LC_CTYPE", "OPENBLAS_NUM_THREADS", "PATH", "PYTHONDONTWRITEBYTECODE", "TERM",
                "TMPDIR", "TZ", "XDG_CACHE_HOME", "/workspace", *nobody.split()} and nobody in text)


def where_fumehood_lies():
    mounts = "" if IN_CONTAINER else "'self/mountinfo', "
    run(f"for name in ({mounts}'1/cmdline', 'self/cmdline', '1/comm'):\n"
        "    print(open('/proc/' + name).read())\n").must_be(success=True, stdout=lambda text: not [
            name for name in ("FH_RUNNER", "FH_DATA_DIR", "HOME") if os.path.dirname(os.environ.get(name, "/-/-")) in text])


if __name__ == "__main__":
    main({
        "A1 print": prints,
        "A2 division by zero": fails,
        "A3 both streams are kept apart": both_streams,
        "A4 import": imports,
        "A5 empty program": empty,
        "A6 no output": says_nothing,
        "A7 syntax error shows the line": syntax_error,
        "A8 syntax error with caret": caret,
        "A9 only error output": error_output_only,
        "A10 the source arrives byte for byte": byte_exact,
        "A11 characters beyond ASCII": not_ascii,
        "A12 program of 200 KB": long_program,
        "A13 NUL in the program": null_byte,
        "A14 no runner names visible": no_names_of_ours,
        "A15 __name__ is __main__": main_guard,
        "A16 functions call each other": functions_see_each_other,
        "A17 multiprocessing": multiprocessing,
        "A18 arguments": arguments,
        "A19 sh and bash": shells,
        "A20 virtual environment": virtual_environment,
        "A21 environment and home": surroundings,
        "A22 an interpreter beside private files": lone_interpreter,
        "A23 an environment with a socket in it": environment_with_socket,
        "A24 a private folder as an environment": private_prefix,
        "A25 where Fumehood lies": where_fumehood_lies,
    })
