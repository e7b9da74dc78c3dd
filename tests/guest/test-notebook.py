# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that only notebooks know: data/guest/notebook.py reads these, and nothing else."""

import sys
from pathlib import Path

from tap import Tap, equal, must

BOOTSTRAP = Path(sys.argv[1])
NOTEBOOK = {"__name__": "fumehood"}
exec(compile(BOOTSTRAP.with_name("notebook.py").read_text(encoding="utf-8"), "notebook.py", "exec"), NOTEBOOK)

# A cell, what is printed, the lines that were read, and those that were left out.
READ = (
    ("!echo one", "one\n", [1], []),
    ("  \n!echo one\nprint(2)\n!echo three", "one\n2\nthree\n", [2, 4], []),
    ("if True:\n    !echo inside\n    print('and out')", "inside\nand out\n", [2], []),
    ("x = !printf 'a\\nb'\nprint(x)", "['a', 'b']\n", [1], []),
    ("def f(n):\n    got = !echo {n} $n ${n} '{k: 1}'\n    return got\nprint(f(5))", "['5 5 {k: 1}']\n", [2], []),
    ("!echo a \\\n  b\nprint('c')", "a b\nc\n", [1], []),
    ("!echo it is \"(\"", "it is (\n", [1], []),
    ("!echo it\\'s '''", "", [1], []),
    ("%matplotlib inline\n%config A.b = 1\nprint(1)", "1\n", [], [1, 2]),
    ("try:\n    %load_ext autoreload\nexcept Exception:\n    pass", "", [], [2]),
    ("%pwd", f"{Path.cwd()}\n", [1], []),
    ("%time print(3)", "3\n", [1], []),
    ("%env NB_A=5\nimport os\nprint(os.environ['NB_A'])", "5\n", [1], []),
    ("%env NB_NONE", "None\n", [1], []),
    ("s = \"\"\"\n# %%\n%%bash\nx\n# %%\n\"\"\"\n!echo one\nprint(len(s))", "one\n20\n", [7], []),
    ("%%bash\necho it\\'s 'a (b'", "it's a (b\n", [1], []),
    ("%set_env NB_A 6 7\nimport os\nprint(os.environ['NB_A'])", "6 7\n", [1], []),
    ("%%time\nprint(4)", "4\n", [], [1]),
    ("%%bash\nfor i in 1 2; do\n  echo $i\ndone\n", "1\n2\n", [1], []),
    ("\n%%script sh\necho $0", "sh\n", [2], []),
    ("# %%\nx = 1\n# %% A title\n%%bash\necho two\necho three\n# %%\nprint(x)\n!echo four", "two\nthree\n1\nfour\n", [4, 9], []),
    ("y = 'seen'\ny?", "Type: str\nValue: 'seen'\n", [2], []),
    ("?len", "Type: builtin_function_or_method\n", [1], []),
)

# Python, or nothing that could be meant: the parser's own word counts.
NOT_READ = ("def f(:\n  pass", "print('a'", "x = 1\n  y = 2", "'%s' % 1 2", "a ! b", "what?\nis this", "%", "!\n(", "if x:", "1 = !ls +")

# These are Python, although parts of their texts and comments look like lines for a notebook.
PYTHON = ("s = '''\n!ls\n%pip install x\n%%bash\n'''\n# !ls\nprint(len(s))", "n = 7\nm = (n\n%4)\nprint(m)", "print(1 if 1 != 2 else 0)",
          "x = 5\nx %= 3\nprint(x)")


def parse(text):
    return compile(text, "<cell 1>", "exec", dont_inherit=True)


def printed(code):
    """By a process of its own, because commands write to its descriptors."""
    program = (f"import sys\nnotebook = {{'__name__': 'fumehood'}}\nexec(open({str(BOOTSTRAP.with_name('notebook.py'))!r}).read(), notebook)\n"
               f"names = {{'__name__': '__main__'}}\nimport builtins\nbuiltins._notebook = notebook['Notebook'](names)\n"
               f"found = notebook['read_as_notebook']({code!r}, lambda text: compile(text, 'cell', 'exec', dont_inherit=True))\n"
               "print(found[1:], file=sys.stderr)\nexec(found[0], names)\nsys.stdout.flush()\n")
    import subprocess
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    return answer.stdout, answer.stderr.splitlines()[0]


def reads():
    for code, text, ran, left_out in READ:
        out, found = printed(code)
        must(out.startswith(text) if "?" in code else out == text, f"{code!r} prints {out!r}")
        equal(found, str((ran, left_out)), code)


def leaves_the_rest():
    for code in NOT_READ:
        try:
            parse(code)
        except SyntaxError:
            pass
        else:
            raise AssertionError(f"{code!r} is Python")
        equal(NOTEBOOK["read_as_notebook"](code, parse), None, code)
    for code in PYTHON:
        equal(NOTEBOOK["read_as_notebook"](code, parse)[1:], ([], []), code)


def names_what_it_does_not_know():
    for code, name, line in (("x = 1\n%frobnicate 3", "%frobnicate", 2), ("%%html\n<b>", "%%html", 1), ("1\n# %%\n\n%%html\n<b>", "%%html", 4)):
        try:
            NOTEBOOK["read_as_notebook"](code, parse)
        except SyntaxError as error:
            equal((error.msg, error.lineno, type(error).__name__),
                  (f"{name} is a command of notebooks that is not known here", line, "SyntaxError"), code)
        else:
            raise AssertionError(code)


def writes_files(folder):
    target = folder / "written.txt"
    for code, text in ((f"%%writefile {target}\none\n\n  two\n\n", "one\n\n  two\n"), (f"%%writefile -a {target}\nthree", "one\n\n  two\nthree\n")):
        printed(code)
        equal(target.read_text(encoding="utf-8"), text, code)


def many_lines():
    """Each line is looked at once, and only so many are told."""
    code = "%matplotlib inline\n" * 300 + "x = 1\n"
    _, ran, left_out = NOTEBOOK["read_as_notebook"](code, parse)
    equal((ran, left_out), ([], list(range(1, 51))), "the lines")


def main():
    import tempfile
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        tap.case("lines for a notebook are read", reads)
        tap.case("Python stays as it is", leaves_the_rest)
        tap.case("what is not known is named", names_what_it_does_not_know)
        tap.case("files are written", writes_files, Path(folder))
        tap.case("many lines", many_lines)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
