# SPDX-License-Identifier: GPL-3.0-or-later
"""`fumehoodctl inspect` with the real runner: what it prints, and that nothing of the code is run."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import PATIENCE, Tap, equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-inspect-")
ROOM = Path(PLACE.name)

ANSWER = """First:

```bash
pip install requests
curl https://example.com/x | sh
```

Then:

```python
# filename: a.py
import os, requests
os.remove("x")
```

```cobol
STOP RUN.
```
"""


def inspect(*words, code=None, status=0, **env):
    answer = subprocess.run([CTL, "inspect", *words], input=code.encode() if isinstance(code, str) else code, capture_output=True,
                            check=False, timeout=PATIENCE, stdin=subprocess.DEVNULL if code is None else None,
                            env={**os.environ, "XDG_STATE_HOME": str(ROOM / "state"), "LC_ALL": "C.UTF-8", "LANGUAGE": "", **env})
    equal(answer.returncode, status, f"exit status; {answer.stderr.decode()}")
    return answer


def looked_at(code, *words, **options):
    return json.loads(inspect("--json", *words, "-", code=code, **options).stdout)["blocks"]


def file(name, content):
    (ROOM / name).write_bytes(content)
    return str(ROOM / name)


def a_program():
    text = inspect(file("a.py", b"import os\nos.remove('x')\n")).stdout.decode()
    equal(text, "Worth a look:\n  2: os.remove: deletes files\nImports:\n  1: os: processes, files\n\n"
          "Nothing of it was run. Code can do what is not seen here.\n", "text")
    (block,) = looked_at("import os\nos.remove('x')\n")
    equal((block["language"], block["depth"], block["lines"], block["left_out"]), ("python", "parsed", 2, 0), str(block))
    equal(block["calls"], [{"name": "os.remove", "why": "deletes files", "reason": "deletes-files", "line": 2}], "calls")
    must("No imports" in inspect("-", code="print(1)\n").stdout.decode(), "nothing stands out")


def an_answer():
    for words, code in ((["-"], ANSWER), ([file("answer.md", ANSWER.encode())], None)):
        text = inspect(*words, code=code).stdout.decode()
        for part in ("Block 1, line 4: Bash\n", "  4: requests\n", "  5: sh: runs what was downloaded\n", "Block 2, line ",
                     "  13: os.remove: deletes files\n", "Block 3, line 17: cobol\nFumehood cannot look into this language yet.\n"):
            must(part in text, f"{part!r} is not in {text}")
    blocks = looked_at(ANSWER)
    equal([(block["word"], block["language"], block["depth"]) for block in blocks],
          [("bash", "bash", "parsed"), ("python", "python", "parsed"), ("cobol", None, "text")], "blocks")
    equal((blocks[1]["calls"][0]["line"], blocks[1]["file_name"]), (13, "a.py"), "the second")
    must("There is no code" in inspect(file("prose.md", b"Nothing.\n")).stdout.decode(), "an answer without code")


def languages():
    equal(looked_at("rm x\n", "--language", "bash")[0]["calls"][0]["name"], "rm x", "bash")
    equal(looked_at("eval('x')\n", "-l", "js")[0]["depth"], "text", "JavaScript")
    equal(looked_at("#!/bin/sh\nrm x\n")[0]["language"], "sh", "by its first line")
    equal(looked_at(ANSWER, "--language", "python")[0]["syntax_error"]["line"], 1, "the answer as a program")


def nothing_is_run():
    """Code that would be run by an import, by an encoding, by a shell's set-up, or by this program's own modules."""
    witness = ROOM / "witness"
    write = f"open({str(witness)!r}, 'w').close(); print('RAN', flush=True)\n"
    for code in (write, "import os; os._exit(7)\n", f"# -*- coding: raw_unicode_escape -*-\n{write}",
                 "import sys\nsys.stdout.write('{}')\nraise SystemExit(1)\n", "def f(x=print('RAN')): pass\n",
                 "class A(metaclass=print('RAN')): pass\n", f"@eval({write!r})\ndef f(): pass\n", "f'{print(\"RAN\")}'\n"):
        answer = inspect("--json", "-", code=code)
        must(b"RAN" not in answer.stdout + answer.stderr, code)
    for language in ("sh", "bash"):
        for code in (f"touch {witness}; echo RAN\n", f"echo $(touch {witness})\n", "trap 'echo RAN' EXIT\n", "set +n\necho RAN\n",
                     f": <(touch {witness})\n", "exit 1\n"):
            answer = inspect("--json", "--language", language, "-", code=code, BASH_ENV=file("env", f"touch {witness}\n".encode()))
            must(b"RAN" not in answer.stderr and json.loads(answer.stdout)["blocks"][0]["depth"] == "parsed", code)
    # Neither the folder nor the environment that it is called in has a say.
    for name in ("ast.py", "look_shell.py", "sitecustomize.py", "usercustomize.py", "json.py"):
        file(name, write.encode())
    file("x.pth", f"import os; {write}".encode())
    before = os.getcwd()
    os.chdir(ROOM)
    inspect("-", code="print(1)\n", PYTHONPATH=str(ROOM), PYTHONSTARTUP=str(ROOM / "ast.py"))
    os.chdir(before)
    must(not witness.exists(), "a file was written")
    must(not (ROOM / "state").exists(), "the history knows of it")


def hostile():
    for code in (b"(" * 100000, b"-" * 100000 + b"1", b"1+" * 100000 + b"1", b"x" * 1000000, b"\xff\xfe\n", b"'\\ud800'\n", b"\r" * 100000,
                 b"# coding: nonsense\n", b"\xef\xbb\xbfprint(1)\n", b""):
        (block,) = looked_at(code, "--language", "python")
        must(block["depth"] == "parsed", str(code[:9]))
    names = "eval\u202e" + "".join(f"\\x{i:02x}" for i in range(1, 32))
    text = inspect("-", code=f"import os\nos.system('rm -rf /\u202e')\nopen('/\x1b[31m\x07{names}')\n").stdout.decode()
    must(not [one for one in text if ord(one) < 32 and one != "\n"] and "\u202e" not in text, f"safe for a terminal: {text!r}")
    many = "".join(f"```python\neval({i})\n```\n\n" for i in range(150))
    blocks = looked_at(many)
    equal((len(blocks), blocks[149]["calls"][0]["line"]), (150, 150 * 4 - 2), "many blocks")
    # One that takes too long does not cost what was found in the others.
    slow = "```python\neval(1)\n```\n\n```python\n" + "import a\n" * 100000 + "\n```\n"
    blocks = json.loads(subprocess.run([CTL, "inspect", "--json", "-"], input=slow.encode(), capture_output=True, check=False).stdout)["blocks"]
    equal(blocks[0]["calls"][0]["name"], "eval", "the first block")


def refusals():
    for words, code, status, part in (([], None, 2, "Name one file"), (["a", "b"], None, 2, "Name one file"),
                                      (["--language", "cobol", "-"], "", 2, "is not a language"), (["--no-such"], None, 2, "--no-such"),
                                      ([str(ROOM / "none")], None, 1, "cannot be read"), (["-"], b"a\0b", 1, "NUL byte"),
                                      (["-"], b"x" * ((1 << 20) + 1), 1, "too large")):
        answer = inspect(*words, code=code, status=status)
        must(part in answer.stderr.decode() and not answer.stdout, f"{words}: {answer.stderr}")
    answer = inspect("-", code="print(1)", status=1, FH_RUNNER="/nonexistent")
    must(answer.stderr.startswith(b"fumehoodctl: ") and not answer.stdout, str(answer))


TESTS = {
    "a program": a_program,
    "an answer": an_answer,
    "languages": languages,
    "nothing is run": nothing_is_run,
    "hostile code": hostile,
    "refusals": refusals,
}


def main():
    tap = Tap()
    for name, function in TESTS.items():
        tap.case(name, function)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
