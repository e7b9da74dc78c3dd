# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole answers of a model: the blocks that are found in them, and what comes out when they are run.

Beside each answer in answers/ lies what is expected: for each block what is done with it, its language, and
its standard output, the name of its file or the problem. Also, if it matters, the programs that it needs, the
policies under which it is run, and what is told of how blocks in these lines were read.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tap import PATIENCE, Skip, Tap, at_best, equal, must

CTL = os.environ["FH_CTL"]
ANSWERS = Path(__file__).parent / "answers"
PLACE = tempfile.TemporaryDirectory(prefix="fh-answers-")
ENVIRONMENT = {**os.environ, "XDG_STATE_HOME": PLACE.name, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}


def run(*words, **options):
    return subprocess.run([CTL, "run", *map(str, words)], env=ENVIRONMENT, timeout=PATIENCE, check=False,
                          **{"stdin": subprocess.DEVNULL, "capture_output": True, **options})


def told(block):
    if block["action"] == "run":
        return ["run", block["language"], block["result"]["stdout"]]
    if block["action"] == "save":
        unknown = "" if block["language"] or block["word"] else "Unknown language. "
        must(block["message"].startswith(f"{unknown}Code saved to "), block["message"])
        return ["save", block["language"], block["message"].removeprefix(f"{unknown}Code saved to ")]
    return [block["action"], block["language"], block["message"]]


def compare(path):
    """As a file, and copied: then it has no name by which it is known."""
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    for program in expected.get("needs", []):
        if shutil.which(program) is None:
            raise Skip(f"{program} is not installed")
    policies_given = [f"--policy={policy}" for policy in expected.get("policies", [])]
    answers = [run("--no-history", "--json", *policies_given, path)]
    if expected["blocks"]:
        answers.append(run("--no-history", "--json", *policies_given, "-", stdin=None, input=path.read_bytes()))
    for answer in answers:
        result = json.loads(answer.stdout)
        reached = [block for block in result["blocks"] if block["state"] != "not-run"]
        equal([told(block) for block in reached], expected["blocks"], "blocks")
        equal({str(block["line"]): block["repairs"] for block in reached if block["repairs"]},
              expected.get("repairs", {}), "repairs")
        equal(result["success"], expected["exit_status"] == 0, "success")
        equal(result["exit_status"], expected["exit_status"], "exit status in JSON")
        equal(answer.returncode, expected["exit_status"], "exit status")


def totals():
    """The answer has a result beside those of its blocks, which are all listed."""
    for name, code, states, total in (
            ("two-python", 0, ["run", "run"], ("ok", True, 0, None)),
            ("unknown-after-known", 1, ["run", "refused"], ("failed", False, 1, "Unsupported language brainfuck")),
            ("unknown-language", 1, None, ("not-started", False, None, None)),
            ("no-blocks", 1, [], ("not-started", False, None, "No code blocks to execute."))):
        answer = run("--no-history", "--json", ANSWERS / f"{name}.md")
        result = json.loads(answer.stdout)
        equal((answer.returncode, result["exit_status"], answer.stderr), (code, code, b""), name)
        told_of = result["status"], result["success"], result["exit_code"], result["error"]
        equal(told_of[:3], total[:3], name)
        if states is not None:
            equal(([block["state"] for block in result["blocks"]], told_of[3]), (states, total[3]), name)
        spent = sum(block["result"]["execution_time"] for block in result["blocks"] if block["result"])
        must(abs(result["execution_time"] - spent) < 0.001, (name, result["execution_time"], spent))
    text = b"```sh\nexit 3\n```\n```py\nprint('no')\n```\n"
    answer = run("--no-history", "--json", "-", stdin=None, input=text)
    result = json.loads(answer.stdout)
    equal((answer.returncode, result["status"], result["exit_code"]), (3, "failed", 3), "a block fails")
    equal([(block["state"], block["result"] is None) for block in result["blocks"]], [("run", False), ("not-run", True)],
          "the block after it")


def from_standard_input():
    """What is no file has no name to go by."""
    text = (ANSWERS / "shell-then-python.md").read_bytes()
    answer = run("--no-history", "-", stdin=None, input=text)
    equal((answer.returncode, answer.stdout, answer.stderr), (0, b"38.5\n", b""), "answer")
    program = b"print('''\n```sh\necho no\n```\n''')\n"
    answer = run("--no-history", "-", stdin=None, input=program)
    equal((answer.returncode, answer.stdout), (0, b"\n```sh\necho no\n```\n\n"), "program")


def as_written():
    """Nothing is done to the blocks then; and a text that only looks like code does not run as such."""
    path = ANSWERS / "files-of-later-blocks.md"
    answer = run("--no-history", "--as-written", "--json", path)
    result = json.loads(answer.stdout)
    equal([(block["line"], block["action"], block["repairs"]) for block in result["blocks"]],
          [(4, "run", []), (13, "run", []), (21, "run", [])], "blocks")
    must("app.py" in result["blocks"][0]["result"]["stderr"] and not result["success"], answer.stdout.decode())
    answer = run("--no-history", "--as-written", "-", stdin=None, input="```python\nprint(“a”)\n```\n".encode())
    must(answer.returncode == 1 and b"SyntaxError" in answer.stderr, answer.stderr)
    equal(run("--no-history", "--as-written", "-", stdin=None, input=b"print(1)").returncode, 125, "no answer")


def handed_on():
    """A block finds what those before it have left, however its sandbox is built."""
    # Without namespaces no program may change permissions or times.
    for name, tiers in ("empty-folders", ("A", "A2", "B")), ("left-in-tmp", ("A", "A2")):
        path = ANSWERS / f"{name}.md"
        expected = [block[2] for block in json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["blocks"]]
        for tier in tiers:
            result = json.loads(run("--no-history", "--json", "--tier", tier, path).stdout)
            equal([block["result"]["stdout"] for block in result["blocks"]], expected, f"{name}, {tier}")
    text = b"```sh\necho 1 > $TMPDIR/a; ln -s a b\n```\n```sh\ncat $TMPDIR/a; readlink b\n```\n"
    for tier in "A", "A2", "B":
        equal(run("--no-history", "--tier", tier, "-", stdin=None, input=text).stdout, b"1\na\n", tier)
    text = b"""```sh
mkdir -p out/deep; rm keep/file; ln -s keep link; echo 1 > /tmp/a
```
```sh
touch out/deep/x; ls keep
```
```sh
ls -d out/deep/x link /tmp/a keep/*
```
"""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "keep").mkdir()
        (Path(folder) / "keep/file").write_text("1", encoding="utf-8")
        answer = run("--no-history", "--project", folder, "-", stdin=None, input=text)
        equal((answer.returncode, answer.stdout), (2, b"/tmp/a\nlink\nout/deep/x\n"), answer.stderr)
        told_of = answer.stderr.decode()
        must(all(line in told_of for line in ("A  out/deep/x", "D  keep/file", "A  link")), told_of)
        must("A  out/deep " not in told_of and "A  a" not in told_of, told_of)


def handed_on_in_part():
    """That a block finds less than those before it have left is said with the one that left it, where it has a
    sandbox of its own."""
    text = b"""```sh
cd $TMPDIR; i=0; while [ $i -lt 600 ]; do : > $i; i=$((i + 1)); done
```
```sh
ls $TMPDIR; truncate -s 2000000000 large; echo old > changed
```
```sh
ls large; truncate -s 2000000000 changed
```
```sh
ls changed; exit 0
```
"""
    note = "Not everything that this block left is there for the next one"
    large = "--disk-limit=none", "--memory=none", "--tier=B"
    answer = run("--no-history", "--json", *large, "-", stdin=None, input=text)
    blocks = json.loads(answer.stdout)["blocks"]
    equal([note in (block["message"] or "") for block in blocks], [True, True, True, False], "notes")
    equal([block["result"]["stdout"] for block in blocks], ["", "", "", ""], "what is not there")
    answer = run("--no-history", *large, "-", stdin=None, input=text)
    equal(answer.stderr.decode().count(note), 3, "notes for people")


def large_files():
    """The disk limit is what decides how much a block finds of what others have left. In a sandbox of its own, files
    with holes are larger for it than they were."""
    text = b"""```sh
head -c 20000000 /dev/urandom > data; cp data $TMPDIR/data; ln -s data link; mkdir empty
```
```python
import os
import tempfile
there = os.path.join(tempfile.gettempdir(), "data")
print(open("link", "rb").read() == open(there, "rb").read(), os.path.getsize(there), os.path.isdir("empty"))
```
```sh
cmp data $TMPDIR/data && truncate -s 70M a b
```
```sh
ls | grep -c .
```
"""
    for tier, is_whole, n_files in ("A", True, b"6"), ("A2", True, b"6"), ("B", False, b"3"):
        answer = run("--no-history", "--json", "--disk-limit=100M", "--tier", tier, "-", stdin=None, input=text)
        blocks = json.loads(answer.stdout)["blocks"]
        equal([(block["result"]["stdout"], block["message"] is None) for block in blocks],
              [("", True), ("True 20000000 True\n", True), ("", is_whole), (f"{n_files.decode()}\n", True)], tier)


def processes_end():
    """Where blocks do not share a sandbox, a server ends with its block, and that is said there, unless no block comes
    after it."""
    text = b"```sh\nsleep 600 >/dev/null 2>&1 &\necho started\n```\n" * 2
    answer = run("--no-history", "--json", "--tier=B", "-", stdin=None, input=text)
    first, second = json.loads(answer.stdout)["blocks"]
    equal((first["result"]["stdout"], second["result"]["stdout"]), ("started\n", "started\n"), "output")
    equal(first["message"], "1 process that this block left running was ended with it. If another block needs it, "
          "start it there.", "first")
    equal(second["message"], None, "second")
    # A helper that ends with its program is not left behind, though it ends a moment later.
    text = (b"```python\nfrom multiprocessing import shared_memory\nmemory = shared_memory.SharedMemory(create=True, size=9)\n"
            b"memory.close()\nmemory.unlink()\n```\n```sh\necho end\n```\n")

    def note():
        answer = json.loads(run("--no-history", "--json", "-", stdin=None, input=text).stdout)
        equal(answer["exit_status"], 0, answer["error"])
        return answer["blocks"][0]["message"]

    at_best(note, lambda message: message is None)


SERVED = b"""```sh
echo served > page; python3 -m http.server --bind 127.0.0.1 8000 > log 2>&1 &
until python3 -c 'import socket; socket.create_connection(("127.0.0.1", 8000))' 2> /dev/null; do :; done
cat /home/me/.ssh/id_rsa 2> /dev/null; echo started
```
```python
import subprocess
import urllib.request
print(urllib.request.urlopen("http://127.0.0.1:8000/page").read().decode(), end="")
subprocess.Popen(["sleep", "600"])
```
```sh
grep -c /page log; cat /home/me/.config/token 2> /dev/null; echo end
```
"""
GOES_ON = "%d process%s after this block. Other blocks can reach %s until the answer ends."
WENT_ON = "%d process%s that earlier blocks left went on meanwhile: some of the output and of the attempts may be %s."


def servers_go_on():
    """Blocks share a sandbox, and a server that one has started is there for the next. Each has its own end, output and
    attempts, and that others' may be among them is said."""
    for tier in "A", "A2":
        answer = run("--no-history", "--json", "--tier", tier, "-", stdin=None, input=SERVED)
        result = json.loads(answer.stdout)
        blocks = result["blocks"]
        equal((result["status"], answer.returncode), ("ok", 0), answer.stdout.decode())
        equal([block["result"]["stdout"] for block in blocks], ["started\n", "served\n", "1\nend\n"], tier)
        equal([block["message"] for block in blocks],
              [GOES_ON % (1, " goes on", "it"),
               f"{WENT_ON % (1, '', 'its own')} {GOES_ON % (2, 'es go on', 'them')}", WENT_ON % (2, "es", "theirs")], tier)
        keys = [{attempt["object"] for attempt in block["result"]["attempts"]} & {"~/.ssh/id_rsa", "/home/me/.ssh/id_rsa",
                                                                                 "/home/me/.config/token"}
                for block in blocks]
        equal([len(found) for found in keys], [1, 0, 1], (tier, keys))
        equal([sorted(file["path"] for file in block["result"]["files"]) for block in blocks],
              [["log", "page"], ["log"], []], tier)
    told = run("--no-history", "-", stdin=None, input=SERVED).stderr.decode()
    must(GOES_ON % (1, " goes on", "it") in told and WENT_ON % (2, "es", "theirs") in told, told)


def nothing_outlives_the_answer():
    """However it ends: with a block that fails, is only saved, cannot run, or is the last one."""
    for name, rest, code in (("the last", "```sh\necho end\n```\n", 0), ("fails", "```sh\nexit 3\n```\n", 3),
                             ("saved", "```py\n# filename: a.txt\n```\n", 0), ("unknown", "```brainfuck\n+\n```\n", 1)):
        mark = f"7{os.getpid()}"
        text = f"```sh\nsleep {mark} > /dev/null 2>&1 &\n```\n{rest}"
        answer = run("--no-history", "-", stdin=None, input=text.encode())
        equal(answer.returncode, code, (name, answer.stderr))
        at_best(lambda mark=mark: subprocess.run(["pgrep", "-f", f"^sleep {mark}$"], capture_output=True, check=False).stdout,
                lambda found: found == b"")


def files_ahead():
    """In folders of the user, too, a file is there before the block that needs it."""
    with tempfile.TemporaryDirectory() as folder:
        answer = run("--no-history", "--project", folder, ANSWERS / "files-of-later-blocks.md")
        equal((answer.returncode, answer.stdout), (0, b"hello you\n"), answer.stderr)
        must(all(name in answer.stderr.decode() for name in ("app.py", "lib/helper.py", "more.txt")), answer.stderr)
        equal(list(Path(folder).iterdir()), [], "the folder itself")
    # A program writes them where the folder is the user's own.
    with tempfile.TemporaryDirectory() as folder:
        answer = run("--no-history", "--work-dir", folder, ANSWERS / "files-of-later-blocks.md")
        equal((answer.returncode, answer.stdout), (0, b"hello you\n"), answer.stderr)
        must((Path(folder) / "lib/helper.py").exists(), "the helper is not there")
        shutil.rmtree(Path(folder) / "lib")
        (Path(folder) / "lib").write_text("in the way", encoding="utf-8")
        answer = run("--no-history", "--work-dir", folder, ANSWERS / "files-of-later-blocks.md")
        equal((answer.returncode, answer.stdout), (1, b""), "a file in the way")
        must(b", line 4: " in answer.stderr, answer.stderr)


DIFF = """--- {0}app.py
+++ {1}app.py
@@ -1,9 +1,2 @@
 def f():
-    return 1
+    return 2

 print(f())
"""


def diffs():
    """In a project folder a diff is a change, also one that a model counted wrong; elsewhere a file."""
    if shutil.which("git") is None:
        raise Skip("git is not installed")
    with tempfile.TemporaryDirectory() as folder:
        app = Path(folder) / "app.py"
        app.write_text("def f():\n    return 1\n\nprint(f())\n", encoding="utf-8")
        for before, after in (("a/", "b/"), ("", "")):
            answer = f"Change it:\n\n```diff\n{DIFF.format(before, after)}```\n\n```bash\npython3 app.py\n```\n".encode()
            ran = run("--no-history", "--project", folder, "-", stdin=None, input=answer)
            equal((ran.returncode, ran.stdout), (0, b"2\n"), ran.stderr.decode())
            must(b"M  app.py" in ran.stderr and b".diff" not in ran.stderr, ran.stderr.decode())
            saved = run("--no-history", "--project", folder, "--policy", "diff=save", "-", stdin=None, input=answer)
            equal((saved.returncode, saved.stdout), (0, b"1\n"), "only saved")
        ran = run("--no-history", "--project", folder, "-", stdin=None, input=DIFF.format("", "").encode())
        must(ran.returncode == 0 and b"M  app.py" in ran.stderr, ran.stderr.decode())
        app.write_text("something else\n", encoding="utf-8")
        ran = run("--no-history", "--project", folder, "-", stdin=None, input=answer)
        must(ran.returncode == 1 and b"does not apply" in ran.stderr and ran.stdout == b"", ran.stderr.decode())


def language_given():
    """Then it is a program, whatever it looks like."""
    answer = run("--no-history", "--language", "python", ANSWERS / "one-python.md")
    equal(answer.returncode, 1, "exit status")
    must(b"SyntaxError" in answer.stderr, answer.stderr)


def messages():
    answer = run("--no-history", ANSWERS / "unknown-after-known.md")
    equal(answer.stdout, b"first\n", "stdout")
    equal(answer.stderr, "fumehoodctl: [2] brainfuck, line 6: Unsupported language brainfuck\n".encode(), "stderr")
    answer = run("--no-history", ANSWERS / "no-blocks.md")
    equal((answer.returncode, answer.stdout), (1, b""), "no blocks")
    equal(answer.stderr, b"fumehoodctl: No code blocks to execute.\n", "stderr")


def refused():
    for words in (("--stdin", "-", ANSWERS / "one-python.md"), (ANSWERS / "one-python.md", "--", "argument"),
                  ("--limit-functions", ANSWERS / "shell-then-python.md")):
        answer = run("--no-history", *words)
        equal((answer.returncode, answer.stdout), (125, b""), words)


def never_python():
    """What is clearly something else does not run, unless it is said what it is."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text, told in (("app.ts", "print('no')", b"TypeScript"), ("x.html", "print('no')", b"HTML"),
                                 ("-", "import Foundation\nprint('no')\nimport UIKit\n", b"Swift")):
            path = name if name == "-" else Path(folder) / name
            if name != "-":
                path.write_text(text)
            answer = run("--no-history", path, stdin=None, input=text.encode())
            equal((answer.returncode, answer.stdout), (125, b""), name)
            must(told in answer.stderr, answer.stderr)
        answer = run("--no-history", "--language", "python", Path(folder) / "app.ts")
        equal((answer.returncode, answer.stdout), (0, b"no\n"), "it is said")


def policies():
    """AutoGen's cases: nothing is run, and one language is switched."""
    answer = run("--no-history", "--json", "--policy", "all=save", ANSWERS / "two-python.md")
    blocks = json.loads(answer.stdout)["blocks"]
    equal([told(block) for block in blocks], [["save", "python", "block-1.py"], ["save", "python", "block-2.py"]], "all")
    answer = run("--no-history", "--policy", "python=save", ANSWERS / "shell-then-python.md")
    equal((answer.returncode, answer.stdout), (0, b""), "python")
    answer = run("--no-history", "--policy", "python", ANSWERS / "two-python.md")
    equal(answer.returncode, 125, "no policy")
    answer = run("--no-history", "--policy", "all=save", "-", stdin=None, input=b"print(1)")
    equal(answer.returncode, 125, "no answer")


PROGRAMS = {
    "go": ("go", 'package main\nimport ("fmt"; "os")\n'
           'func main() { fmt.Println(3+4, os.Args[1]); os.Exit(len(os.Args)) }\n'),
    "java": ("java", 'public class Main { public static void main(String[] a)'
             ' { System.out.println(3 + 4 + " " + a[0]); System.exit(a.length + 1); } }\n'),
    "r": ("Rscript", 'a <- commandArgs(trailingOnly=TRUE)\ncat(sum(3, 4), " ", a[1], "\\n", sep="")\nquit(status=2)\n'),
    "rust": ("rustc", 'use std::env; fn main() { let a: Vec<String> = env::args().collect();'
             ' println!("{} {}", 3 + 4, a[1]); std::process::exit(a.len() as i32); }\n'),
    "c": ("cc", '#include <stdio.h>\n#include <math.h>\nint main(int n, char **v)'
          ' { printf("%.0f %s\\n", sqrt(49), v[n - 1]); return n; }\n'),
    "cpp": ("c++", '#include <iostream>\n#include <vector>\nint main(int n, char **v)'
            ' { std::vector<int> a{3, 4}; std::cout << a[0] + a[1] << " " << v[n - 1] << "\\n"; return n; }\n'),
    "javascript": ("node", 'console.log(3 + 4, process.argv[2]); process.exit(process.argv.length - 1);\n'),
    "lua": ("lua", 'print(("%d %s"):format(3 + 4, arg[1])); os.exit(#arg + 1)\n'),
    "perl": ("perl", 'use strict; my $x = 3 + 4; print "$x $ARGV[0]\\n"; exit @ARGV + 1;\n'),
    "php": ("php", '<?php echo 3 + 4, " $argv[1]\\n"; exit($argc);\n'),
    "ruby": ("ruby", 'puts "#{3 + 4} #{ARGV[0]}"\nexit ARGV.size + 1\n'),
}


def language(name, text, *words):
    """Arguments and exit status pass through; its suffix is enough to know it."""
    answer = run("--no-history", *words, "--language", name, "-", "--", "word", stdin=None, input=text.encode())
    equal((answer.returncode, answer.stdout, answer.stderr), (2, b"7 word\n", b""), "program")


def without_chmod(name, text):
    """Where permissions cannot be changed compilers work as well."""
    probe = subprocess.run([CTL, "guards", "--tier", "B"], env=ENVIRONMENT, timeout=PATIENCE, check=False, capture_output=True)
    if probe.returncode != 0:
        raise Skip("tier B cannot be used here")
    language(name, text, "--tier", "B")


def lines_for_a_notebook():
    """One sentence until someone agrees to them; the interpreter guard sees what they become."""
    program = b"import os\nn = 6\n!echo {n} > kept.txt\n%matplotlib inline\nprint(open('kept.txt').read(), end='')\nprint(1 / 0)\n"
    refused = run("--no-history", "--json", "--language", "python", "-", stdin=None, input=program)
    must("--notebook" in json.loads(refused.stdout)["advice"], refused.stdout.decode())
    for line in (b"n?", b"print??", b"files = !ls", b"%%bash"):
        refused = run("--no-history", "--json", "--language", "python", "-", stdin=None, input=b"n = 6\n" + line + b"\n")
        must("--notebook" in (json.loads(refused.stdout)["advice"] or ""), refused.stdout.decode())
    answer = run("--no-history", "--notebook", "--language", "python", "-", stdin=None, input=program)
    equal((answer.returncode, answer.stdout), (1, b"6\n"), "with them")
    said = answer.stderr.decode().splitlines()
    equal(said[:2], ["[Lines for a notebook that were run as what they mean there: 3]", "[Lines for a notebook that were left out: 4]"],
          "what is told")
    equal([said[2], said[-1]], ["Traceback (most recent call last):", "ZeroDivisionError: division by zero"], "the traceback")
    must(', line 6, in <module>' in said[3] and not any("bootstrap" in line or "notebook.py" in line for line in said), answer.stderr.decode())
    answer = run("--no-history", "--notebook", "--allow-imports", "math", "--language", "python", "-", stdin=None, input=b"!ls\n")
    must(answer.returncode == 1 and b"Import of subprocess is not allowed" in answer.stderr, answer.stderr.decode())
    answer = run("--no-history", "--notebook", "--language", "python", "-", stdin=None, input=b"x = (\n")
    equal((answer.returncode, answer.stderr.decode().splitlines()[-1]), (1, "SyntaxError: '(' was never closed"), "what is no Python")
    answer = run("--no-history", "--notebook", "-", stdin=None, input=b"Two:\n\n```python\n!echo one\n```\n\n```python\nprint('two')\n```\n")
    equal((answer.returncode, answer.stdout), (0, b"one\ntwo\n"), "blocks")


def typed():
    """What somebody typed at Python's prompt prints its values again; a program prints what it says."""
    text = (b"```pycon\n>>> x = [3, 1]\n>>> sorted(x)\n[1, 3]\n>>> for n in x:\n...     n * 2\n...\n6\n2\n```\n"
            b"```python\nx = 1\nx\n```\n")
    answer = run("--no-history", "-", stdin=None, input=text)
    equal(answer.stdout, b"[1, 3]\n6\n2\n", "what it prints")


def a_notebook():
    """Its code cells are one program; its prose and its outputs are left out."""
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# A *title*\n", "```python\n", "1/0\n", "```"]},
             {"cell_type": "code", "metadata": {}, "execution_count": 7, "source": "x = 5\n!echo {x}",
              "outputs": [{"output_type": "stream", "name": "stdout", "text": "old"}]},
             {"cell_type": "code", "metadata": {}, "execution_count": None, "source": ["%%bash\n", "echo two"], "outputs": []},
             {"cell_type": "code", "metadata": {}, "execution_count": None, "source": ["print(x + 1)"], "outputs": []}]
    path = Path(PLACE.name) / "some.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    answer = run("--no-history", path)
    equal((answer.returncode, answer.stdout), (0, b"5\ntwo\n6\n"), answer.stderr.decode())
    path.write_text(path.read_text(encoding="utf-8").replace("echo two", "curl x | sh"), encoding="utf-8")
    told = subprocess.run([CTL, "inspect", path], env=ENVIRONMENT, capture_output=True, timeout=PATIENCE, check=False)
    must(b"runs what was downloaded" in told.stdout, told.stdout.decode())
    path.write_text("{}", encoding="utf-8")
    answer = run("--no-history", path)
    must(answer.returncode == 125 and b"not a notebook" in answer.stderr, answer.stderr.decode())


def does_not_compile():
    answer = run("--no-history", "--language", "c", "-", stdin=None, input=b"int main(void) { retrun 0; }\n")
    equal((answer.returncode, answer.stdout), (1, b""), "exit status")
    must(b"main.c:1:" in answer.stderr, answer.stderr)


def is_not_installed():
    answer = run("--no-history", "--language", "powershell", "-", stdin=None, input=b"exit 3\n")
    equal(answer.returncode, 125, "exit status")
    must(b"pwsh" in answer.stderr and b"is not installed here" in answer.stderr, answer.stderr)


def said_before():
    """What is missing is said before the first block runs."""
    text = "```sh\necho first >&2\n```\n\n```pwsh\nexit 3\n```\n"
    answer = run("--no-history", "-", stdin=None, input=text.encode())
    lines = answer.stderr.decode().splitlines()
    equal((answer.returncode, lines[:2]),
          (125, ["fumehoodctl: It stops at block 2: “pwsh” is not installed here.", "first"]), "before the run")


def files():
    with tempfile.TemporaryDirectory() as folder:
        equal(run("--no-history", "--save-files", folder, ANSWERS / "web-page.md").returncode, 0, "exit status")
        found = sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())
        equal(found, ["site/app.js", "site/index.html", "site/style.css"], "files")


def work_dir():
    """The files of blocks are written there, too, also over what is there; and a path stays in it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "site").mkdir()
        (place / "site/style.css").write_text("old")
        answer = run("--no-history", "--work-dir", folder, ANSWERS / "web-page.md")
        equal(answer.returncode, 0, answer.stderr)
        found = sorted(str(path.relative_to(folder)) for path in place.rglob("*") if path.is_file())
        equal(found, ["site/app.js", "site/index.html", "site/style.css"], "files")
        must("old" not in (place / "site/style.css").read_text(), "it was written anew")
        (place / "site/style.css").unlink()
        with tempfile.NamedTemporaryFile("w+", prefix="fh-witness-") as witness:
            witness.write("mine")
            witness.flush()
            (place / "site/style.css").symlink_to(witness.name)
            run("--no-history", "--work-dir", folder, ANSWERS / "web-page.md")
            equal(Path(witness.name).read_text(encoding="utf-8"), "mine", "the file of another folder")
            equal(os.readlink(place / "site/style.css"), witness.name, "the link")


def ask_history(*words):
    answer = subprocess.run([CTL, "history", *map(str, words)], env=ENVIRONMENT, timeout=PATIENCE, check=True, capture_output=True)
    return json.loads(answer.stdout)


def history():
    """One entry with all blocks: its source is the answer, and it ends as the block that failed."""
    for name in ("two-python", "stops-at-failure", "unknown-after-known", "unknown-language", "json-and-output"):
        run(ANSWERS / f"{name}.md")
    run("--policy", "all=save", ANSWERS / "one-python.md")
    listed = ask_history("list", "--json")["runs"]
    told = [(entry["title"], entry["status"], entry.get("samples", 0)) for entry in listed]
    equal(told, [("one-python.md", "ok", 0), ("json-and-output.md", "ok", 1), ("unknown-language.md", "not-started", 0),
                 ("unknown-after-known.md", "failed", 1), ("stops-at-failure.md", "failed", 2), ("two-python.md", "ok", 2)],
          "entries")
    source = subprocess.run([CTL, "history", "show", "--source", str(listed[-1]["id"])], env=ENVIRONMENT, timeout=PATIENCE,
                            check=True, capture_output=True)
    equal(source.stdout, (ANSWERS / "two-python.md").read_bytes(), "source")
    first = ask_history("show", "--json", listed[-1]["id"])["result"]
    rows = first["stdout"].splitlines()
    equal((rows[0], rows[1], rows[3], len(rows)), ("[1] Python, line 4: Finished normally.", "hello", "200", 4), "output")
    third = ask_history("show", "--json", listed[3]["id"])["result"]
    must("brainfuck, line 6: Unsupported language brainfuck" in third["stdout"], third["stdout"])
    must("Unsupported language brainfuck" in third["error"], third["error"])


def stopped():
    """Nothing runs after a signal, also if the block that runs catches it and ends well."""
    text = ("```py\nimport signal, sys, time\nsignal.signal(signal.SIGINT, lambda *_: sys.exit(0))\n"
            "print('first', flush=True)\ntime.sleep(100)\n```\n```sh\necho second\n```\n")
    path = Path(PLACE.name) / "stopped.md"
    path.write_text(text, encoding="utf-8")
    with subprocess.Popen([CTL, "run", path], env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        equal(process.stdout.readline(), b"first\n", "output of the first block")
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=PATIENCE)[0]
    equal((rest, process.returncode), (b"", 130), "what follows, and the exit status")
    entry = ask_history("list", "--json")["runs"][0]
    equal((entry["title"], entry["status"], entry["samples"]), ("stopped.md", "stopped", 1), "entry")


def main():
    tap = Tap()
    for path in sorted(ANSWERS.glob("*.md")):
        tap.case(path.stem, compare, path)
    tap.case("from standard input", from_standard_input)
    tap.case("as written", as_written)
    tap.case("what is handed on", handed_on)
    tap.case("what is handed on in part", handed_on_in_part)
    tap.case("large files", large_files)
    tap.case("processes end with their block", processes_end)
    tap.case("servers go on", servers_go_on)
    tap.case("nothing outlives the answer", nothing_outlives_the_answer)
    tap.case("files ahead of their blocks", files_ahead)
    tap.case("diffs", diffs)
    tap.case("a language is given", language_given)
    tap.case("messages", messages)
    tap.case("the total", totals)
    tap.case("what is refused", refused)
    tap.case("what is not Python", never_python)
    tap.case("policies", policies)
    tap.case("lines for a notebook", lines_for_a_notebook)
    tap.case("what was typed at a prompt", typed)
    tap.case("a notebook", a_notebook)
    for name, (program, text) in PROGRAMS.items():
        if shutil.which(program):
            tap.case(name, language, name, text)
        else:
            tap.skip(name, f"{program} is not installed")
    if shutil.which("cc"):
        tap.case("a program that does not compile", does_not_compile)
    for name in ("c", "rust", "go"):
        if shutil.which(PROGRAMS[name][0]):
            tap.case(f"{name} where permissions cannot be changed", without_chmod, name, PROGRAMS[name][1])
        else:
            tap.skip(f"{name} where permissions cannot be changed", f"{PROGRAMS[name][0]} is not installed")
    for name, case in (("a language that is not installed", is_not_installed), ("what is missing", said_before)):
        if shutil.which("pwsh"):
            tap.skip(name, "PowerShell is installed")
        else:
            tap.case(name, case)
    tap.case("files are saved", files)
    tap.case("a work folder", work_dir)
    tap.case("the history", history)
    tap.case("a signal", stopped)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
