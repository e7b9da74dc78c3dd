# SPDX-License-Identifier: GPL-3.0-or-later
"""`fumehoodctl batch`: samples of all kinds, their results, and what becomes of them when it is interrupted."""

import contextlib
import gzip
import json
import os
import pty
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from batch_room import ENVIRONMENT, IS_LONG, KINDS, PLACE, ROOM, SANITIZED, batch, lines, new_output, of_file, refused, results, words
from tap import PATIENCE, Skip, Tap, equal, must, until

SLEEP = "import time\ntime.sleep(600)\n"
HELLO = [{"id": f"n{number}", "source": f"print({number})"} for number in range(40)]


def members():
    samples = [
        {"id": "in", "source": "print(input())", "stdin": "hello\n", "expected_stdout": "hello"},
        {"id": "args", "source": "import sys\nprint(sys.argv[1:])", "arguments": ["-a", "b"], "expected_stdout": "['-a', 'b']"},
        {"id": "sh", "source": "exit 3", "language": "sh"},
        {"id": "wrong", "source": "print(1)", "expected_stdout": "2"},
        {"id": "late", "source": SLEEP, "timeout": 0.5},
        {"id": "big", "source": "x = bytearray(1 << 28)", "memory": 64},
        {"id": 7, "task_id": 8, "completion": "", "source": "raise ValueError('no')"},
        {"source": ""},
    ]
    found = results(batch("--jobs", "3", lines("members.jsonl", samples)).stdout.decode())
    words_of = {name: result["result"] for name, result in found.items()}
    big = words_of.pop("big")
    must(big.startswith("failed: "), big)
    equal(words_of, {"in": "passed", "args": "passed", "sh": "failed: exit code 3", "wrong": "failed: wrong output",
                     "late": "timed out", "7": "failed: ValueError: no", "members.jsonl:8": "passed"}, "results")
    equal({name for name, result in found.items() if result["passed"]}, {"in", "args", "members.jsonl:8"}, "passed")
    equal((found["in"]["stdout"], found["in"]["status"], found["in"]["task_id"]), ("hello\n", "ok", None), "as run --json")
    equal((found["7"]["task_id"], found["7"]["sample"]["number"], found["7"]["sample"]["of"]), ("8", 7, 8), "sample")


READER = """import base64, pkg.sub
assert open('a.txt').read() == 'grüße'
assert open('data/deep/b', 'rb').read() == b'\\xff\\0'
open('data/deep/new', 'w').write('made')
open('a.txt', 'a').write('!')
print(pkg.sub.NUMBER)
"""


def files_of_a_sample():
    """They lie beside the program, may be changed, and are part of what --resume compares."""
    samples = [{"id": f"n{number}", "source": READER, "expected_stdout": str(number), "files": {
        "a.txt": "grüße", "data/deep/b": {"base64": "/wA="}, "pkg/__init__.py": "", "pkg/sub.py": f"NUMBER = {number}"}}
        for number in range(3)]
    output = ROOM / "with-files.out"
    for tier in ("A", "A2", "B"):
        output.unlink(missing_ok=True)
        batch("--tier", tier, "--output", output, lines("with-files.jsonl", samples))
        found = of_file(output)
        equal({name: result["result"] for name, result in found.items()}, dict.fromkeys(("n0", "n1", "n2"), "passed"), tier)
        equal({file["path"] for file in found["n0"]["files"] if not file["path"].endswith(".pyc")}, {"a.txt", "data/deep/new"},
              "only what changed is collected")
    samples[1]["files"]["a.txt"] = "other"
    refused("--resume", "--tier", "B", "--output", output, lines("changed.jsonl", samples), parts=["--resume cannot"])
    refused(lines("out.jsonl", [{"source": "", "files": {"../a": ""}}]), parts=["out.jsonl", "../a"])
    refused(lines("program.jsonl", [{"source": "", "files": {"main.py": ""}}]), parts=["main.py"])


def warm():
    """Samples that are alike are copies of a warm interpreter, whatever is imported ahead; others are not."""
    if SANITIZED:
        raise Skip("no interpreter is kept warm in a build with sanitizers")
    source = "import sys\nprint('colorsys' in sys.modules)\nsys.path.clear()\n"
    samples = lines("warm.jsonl", [*({"id": f"n{number}", "source": source} for number in range(6)),
                                   {"id": "other", "source": source, "timeout": 5},
                                   {"id": "sh", "source": "exit 1", "language": "sh"}])
    for options, is_warm in ((["--preload", "json,colorsys"], True), (["--cold"], False)):
        answer = batch("--jobs", "2", *options, samples)
        found = results(answer.stdout.decode())
        equal({name: result["forked"] for name, result in found.items()},
              {**{f"n{number}": is_warm for number in range(6)}, "other": False, "sh": False}, str(options))
        equal({found[f"n{number}"]["stdout"] for number in range(6)}, {f"{is_warm}\n"}, "the module")
        equal(b"warm interpreter" in answer.stderr, is_warm, answer.stderr.decode())
        equal((found["other"]["stdout"], found["sh"]["exit_code"]), ("False\n", 1), "others")
    most = lines("most.jsonl", [{"id": f"n{number}", "source": "", "timeout": 5 + number // 4} for number in range(6)])
    found = results(batch(most).stdout.decode())
    equal({name for name, result in found.items() if result["forked"]}, {"n0", "n1", "n2", "n3"}, "most have the same limits")
    with_bus = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={ROOM}/bus"}
    found = results(batch(most, env=with_bus).stdout.decode())
    equal({name for name, result in found.items() if result["forked"]}, {"n0", "n1", "n2", "n3"}, "where systemd may be")
    answer = batch("--tier", "B", samples)
    equal({result["forked"] for result in results(answer.stdout.decode()).values()}, {False}, "tier B")
    must(b"tier A" in answer.stderr, answer.stderr.decode())
    refused("--preload", "json", "--cold", samples, parts=["--cold"], code=2)
    refused("--preload", "json;os", samples, parts=["json;os"], code=2)


def imported_ahead():
    """What solutions import most is there already; a module that a sample brings is its own all the same."""
    if SANITIZED:
        raise Skip("no interpreter is kept warm in a build with sanitizers")
    source = "import sys\nhad = 'typing' in sys.modules\nimport typing\nprint(had, getattr(typing, 'OWN', 'none'))\n"
    samples = lines("ahead.jsonl", [
        {"id": "usual", "source": source}, {"id": "own", "source": source, "files": {"typing.py": "OWN = 'own'"}},
        {"id": "deep", "source": "import sys\nsys.path.insert(0, 'lib')\n" + source,
         "files": {"lib/typing/__init__.py": "OWN = 'deep'"}}, {"id": "data", "source": source, "files": {"a.csv": "1"}}])
    # Without that, what a sample deletes has to be told, and each that brings files has a sandbox of its own.
    found = results(batch("--no-files", samples).stdout.decode())
    equal({name: (result["forked"], result["stdout"]) for name, result in found.items()},
          {"usual": (True, "True none\n"), "own": (False, "False own\n"), "deep": (False, "False deep\n"),
           "data": (True, "True none\n")}, "modules")
    found = results(batch("--no-files", "--preload", ",".join(["json"] * 64), samples).stdout.decode())
    must(found["usual"]["forked"], "as many modules as can be named")


def processors():
    """With as many jobs as processors each program has one of them to itself; with more or fewer, those of all."""
    here = os.sched_getaffinity(0)
    source = "import os\nprint(sorted(os.sched_getaffinity(0)))\n"
    samples = lines("processors.jsonl", [{"id": f"n{number}", "source": source} for number in range(4 * len(here))])
    for kind in KINDS.values():
        found = results(batch("--jobs", str(len(here)), *kind, samples).stdout.decode())
        places = {result["stdout"] for result in found.values()}
        must(places <= {f"[{number}]\n" for number in here}, f"one each: {places}")
        equal(len(places), len(here), "all are used")
        found = results(batch("--jobs", str(len(here) + 1), *kind, samples).stdout.decode())
        equal({result["stdout"] for result in found.values()}, {f"{sorted(here)}\n"}, "not divided")


def environment_in(folder):
    """An environment with two bad modules. Returns its interpreter."""
    home = Path(folder) / "venv"
    venv.create(home, symlinks=True)
    (packages,) = home.glob("lib/python3*/site-packages")
    (packages / "leaves.py").write_text("import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()\n",
                                        encoding="utf-8")
    (packages / "exits.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    return home / "bin/python"


def bad_modules():
    """One that leaves a thread, or ends the interpreter: the programs run all the same, and it is said. So they do
    where a run's own /tmp would cover the interpreter."""
    if SANITIZED:
        raise Skip("no interpreter is kept warm in a build with sanitizers")
    samples = lines("modules.jsonl", HELLO[:6])
    for place, module, is_warm in (("/var/tmp", "leaves", False), ("/var/tmp", "exits", False),
                                   ("/var/tmp", "nowhere", True), ("/tmp", "nowhere", False)):
        with tempfile.TemporaryDirectory(dir=place) as folder:
            answer = batch("--interpreter", environment_in(folder), "--jobs", "2", "--preload", module, samples)
        found = results(answer.stdout.decode())
        equal({(result["result"], result["forked"]) for result in found.values()}, {("passed", is_warm)}, (place, module))
        equal(b"--preload" in answer.stderr, not is_warm, answer.stderr.decode())
        equal("does not find the module “nowhere”" in answer.stderr.decode(), module == "nowhere", answer.stderr.decode())


def silent_interpreter():
    """It ends without having read a program: none has failed or passed, whatever its exit status."""
    program = ROOM / "interpreter"
    program.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    program.chmod(0o755)
    samples = lines("silent.jsonl", HELLO[:2])
    for flags in ((), ("--cold",)):
        refused(*flags, "--interpreter", program, samples, parts=["Could not start", "0 passed"])


def files():
    folder = ROOM / "programs"
    folder.mkdir()
    (folder / "a.py").write_text("print(1)", encoding="utf-8")
    (folder / "b.sh").write_text("exit 1", encoding="utf-8")
    (folder / "notes").write_text("none", encoding="utf-8")
    expected = {f"{folder}/a.py": True, f"{folder}/b.sh": False}
    for inputs in ([folder], [f"{folder}/*.??"], sorted(expected)):
        found = results(batch(*inputs).stdout.decode())
        equal({name: result["passed"] for name, result in found.items()}, expected, str(inputs))


def again():
    """Whose verdict depends on chance passes in some of its runs only, and counts as failed."""
    data = lines("again.problems.jsonl", [{"task_id": "coin", "prompt": "def f():\n", "entry_point": "f",
                                           "test": "def check(g):\n    assert g() == 1\n"}])
    samples = lines("again.jsonl", [
        {"id": "program", "source": "import os\nassert os.urandom(1)[0] & 1\n"}, {"id": "steady", "source": ""},
        {"id": "fails", "source": "raise SystemExit(3)"},
        {"id": "tested", "task_id": "coin", "completion": "    import os\n    return os.urandom(1)[0] & 1\n"}])
    output = new_output("again.out")
    answer = batch("--again", "20", "--problems", data, "--score", "--output", output, samples)
    found = of_file(output)
    for name in ("program", "tested"):
        must(0 < found[name]["passes"] < found[name]["runs"] == 20, f"{name}: {found[name]['passes']} of {found[name]['runs']}")
        must(not found[name]["passed"] and "AssertionError" in found[name]["result"], found[name]["result"])
    equal([(found[name]["passes"], found[name]["passed"]) for name in ("steady", "fails")], [(20, True), (0, False)], "steady ones")
    must("in some of their runs only, and count as failed: 2\n" in answer.stderr.decode(), answer.stderr.decode())
    score = json.loads(Path(f"{output}.score.json").read_text(encoding="utf-8"))
    equal((score["passed"], score["unsteady"]), (1, 2), "the score")
    merged = new_output("again.merged")
    batch("merge", "--score", "--output", merged, output)
    equal(json.loads(Path(f"{merged}.score.json").read_text(encoding="utf-8"))["unsteady"], 2, "the score of all")
    once = results(batch(samples, "--problems", data).stdout)["steady"]
    must("runs" not in once, "a sample that ran once does not count its runs")


def verdicts_in_the_history():
    """They say what one has to know of them."""
    data = lines("marks.problems.jsonl", [{"task_id": "prints", "prompt": "def f():\n", "entry_point": "f",
                                           "test": "def check(g):\n    import io\n    assert g() == 1\n"}])
    samples = lines("marks.jsonl", [{"id": "shared", "task_id": "prints", "completion": "    return 1\n"},
                                    {"id": "wrong", "task_id": "prints", "completion": "    return 2\n"}, {"id": "apart", "source": ""}])
    batch("--again", "2", "--problems", data, samples, history=True)
    path = next(path for path in ROOM.rglob("history*.db") if path.stat().st_size > 0)
    with contextlib.closing(sqlite3.connect(path)) as history:
        kept = dict(history.execute("SELECT title, verdict FROM runs WHERE batch NOT NULL AND title IN ('shared', 'wrong', 'apart')"))
    equal(kept, {"shared": "passed, shared, 2 of 2 passed", "wrong": "failed: AssertionError, 0 of 2 passed",
                 "apart": "passed, 2 of 2 passed"}, "the verdicts")


def refusals():
    some = lines("some.jsonl", HELLO[:2])
    output = new_output("refusals.out")
    refused(parts=["Name the samples"], code=2)
    refused("--jobs", "0", some, parts=["--jobs"], code=2)
    refused("--again", "0", some, parts=["--again"], code=2)
    refused("merge", "--again", "2", some, parts=["merge"], code=2)
    refused("--resume", some, parts=["--output"], code=2)
    refused("--score", some, parts=["--output"], code=2)
    refused("--shard", "3/2", some, parts=["--shard"], code=2)
    refused("--container", "--keep", "lab", "--jobs", "2", "--image", "x", some, parts=["--jobs 1"], code=2)
    refused("/nowhere.jsonl", parts=["/nowhere.jsonl"])
    refused(lines("empty.jsonl", []), parts=["no samples"])
    refused(lines("twice.jsonl", HELLO[:2] + HELLO[:1]), parts=["two samples", "n0"])
    refused(lines("bad.jsonl", [*HELLO[:1], {"source": 5}]), parts=["bad.jsonl", "line 2", "source"])
    refused(lines("task.jsonl", [{"task_id": "x", "completion": ""}]), parts=["--problems"])
    output.write_text("mine", encoding="utf-8")
    refused("--output", output, some, parts=["refusals.out", "--resume"])
    equal(output.read_text(encoding="utf-8"), "mine", "the file is left alone")


def resume():
    samples = lines("resume.jsonl", HELLO[:6])
    output = new_output("resume.out")
    batch("--output", output, samples)
    whole = output.read_bytes().splitlines(keepends=True)
    output.write_bytes(b"".join(whole[:3]) + whole[3][:100])
    answer = batch("--resume", "--output", output, samples)
    equal(len(of_file(output)), 6, "all samples")
    equal(output.read_bytes().splitlines(keepends=True)[:3], whole[:3], "what was there")
    must(b"3 of 3, 3 passed" in answer.stderr, answer.stderr.decode())
    before = output.read_bytes()
    batch("--resume", "--output", output, samples)
    equal(output.read_bytes(), before, "nothing is left to do")
    changed = [{**HELLO[0], "source": "print('other')"}, *HELLO[1:6]]
    for name, other in (("changed", changed), ("longer", HELLO[:7]), ("shorter", HELLO[:5]), ("turned", HELLO[5::-1])):
        refused("--resume", "--output", output, lines(f"{name}.jsonl", other), parts=["--resume cannot"])
    refused("--resume", "--timeout", "9", "--output", output, samples, parts=["--resume cannot"])
    equal(output.read_bytes(), before, "the file is left alone")


def killed():
    """Killed at random moments, even while it writes: every sample is there once in the end."""
    samples = lines("killed.jsonl", HELLO)
    output = new_output("killed.out")
    moments = random.Random(4)
    kills = 0
    while kills < (60 if IS_LONG else 6):
        process = subprocess.Popen(words("--resume", "--jobs", "2", "--output", output, samples), env=ENVIRONMENT,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0.02, 0.4))
        process.kill()
        if process.wait() == 0:
            break
        kills += 1
    batch("--resume", "--output", output, samples)
    found = of_file(output)
    equal({name: result["stdout"] for name, result in found.items()}, {s["id"]: f"{s['id'][1:]}\n" for s in HELLO}, "results")


def wait_for_lines(path, count):
    until(lambda: path.exists() and path.read_bytes().count(b"\n") >= count, f"{count} results")


def stopped():
    samples = lines("stopped.jsonl", [*HELLO[:2], {"id": "long", "source": SLEEP}, *HELLO[2:]])
    output = new_output("stopped.out")
    process = subprocess.Popen(words("--jobs", "1", "--timeout", "500", "--output", output, samples), env=ENVIRONMENT,
                               stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_for_lines(output, 2)
    refused("--resume", "--output", output, samples, parts=["in use"])
    process.send_signal(signal.SIGINT)
    message = process.communicate(timeout=PATIENCE)[1]
    equal(process.returncode, 130, f"exit status, {message.decode()}")
    equal(set(of_file(output)), {"n0", "n1"}, "what was stopped has no result")


def unread():
    process = subprocess.Popen(words("--jobs", "1", lines("unread.jsonl", HELLO)), env=ENVIRONMENT,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdout.readline()
    process.stdout.close()
    equal(process.wait(timeout=PATIENCE), 141, "exit status")


def nothing_runs():
    """What Fumehood could not run has no result; a batch in which nothing can be run ends early."""
    output = new_output("nothing.out")
    answer = batch("--jobs", "1", "--output", output, lines("nothing.jsonl", HELLO), env={"FH_RUNNER": "/nowhere"}, code=125)
    equal(output.read_bytes(), b"", "results")
    must(b"n0" in answer.stderr and b"0 of 40" in answer.stderr, answer.stderr.decode())


def not_read():
    """Ctrl+C ends it even if nothing takes the results."""
    samples = lines("not-read.jsonl", [{"source": "print('x' * 100000)"}] * 4)
    process = subprocess.Popen(words("--jobs", "1", samples), env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    os.read(process.stdout.fileno(), 1)
    process.send_signal(signal.SIGINT)
    equal(process.wait(timeout=PATIENCE), 130, "exit status")
    process.stdout.close()


def small_files():
    """Where the user's files may not grow, that is said, and does not end the command by a signal."""
    samples = lines("large.jsonl", [{"source": "print('x' * 600000)"}] * 4)
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    answer = subprocess.run(words("--jobs", "1", "--output", new_output("large.out"), samples), env=ENVIRONMENT, check=False,
                            stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, preexec_fn=limit)
    equal(answer.returncode, 1, answer.stderr.decode())
    must(b"could not be written: File too large" in answer.stderr, answer.stderr.decode())


def terminal():
    # The last sample lasts longer than a line of progress, or a quick machine ends before the first line.
    samples = [*HELLO[:-1], {"id": "last", "source": "import time; time.sleep(1)"}]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(words("--jobs", "1", "--output", new_output("terminal.out"), lines("t.jsonl", samples)),
                               env={**ENVIRONMENT, "TERM": "xterm"}, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    got = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        got += piece
    os.close(ours)
    equal(process.wait(timeout=PATIENCE), 0, "exit status")
    must(b"] " in got and b" left" in got and b"40 of 40, 40 passed" in got, repr(got))


def humaneval():
    data = Path(os.environ.get("FH_HUMANEVAL") or Path(os.environ["FH_SOURCE_ROOT"]).parent / "shared/data/HumanEval.jsonl.gz")
    if not data.is_file():
        raise Skip("HumanEval.jsonl.gz is not here: name it by FH_HUMANEVAL")
    with gzip.open(data, "rt", encoding="utf-8") as text:
        tasks = [json.loads(line) for line in text]
    equal(len(tasks), 164, "tasks")
    if not IS_LONG:
        # A score is for all problems.
        tasks = tasks[::6]
        data = lines("problems.jsonl", tasks)
    for name, passed in (("good", len(tasks)), ("bad", 0)):
        samples = lines(f"{name}.jsonl", [{
            "task_id": task["task_id"],
            "completion": task["canonical_solution"] if name == "good" else "    return None\n"} for task in tasks])
        output = new_output(f"{name}.out")
        batch("--problems", data, "--timeout", "30", "--memory", "256", "--score", "--output", output, samples)
        found = of_file(output)
        equal((len(found), sum(result["passed"] for result in found.values())), (len(tasks), passed), name)
        equal({result["stdout"] for result in found.values()}, {""}, "output")
        score = json.loads(Path(f"{output}.score.json").read_text(encoding="utf-8"))
        equal((score["pass@1"], score["samples"]), (passed / len(tasks), len(tasks)), "score")


def completions_of_chat_models():
    """A plain completion stays as it is, byte for byte; of Markdown the first block of Python is the program."""
    data = lines("chat.problems.jsonl", [
        {"task_id": "own/0", "prompt": 'import math\n\ndef f(n):\n    """Adds one."""\n', "entry_point": "f",
         "test": "def check(g):\n    assert g(1) == 2 and math.pi > 3\n"}])
    completions = {
        "plain": "    return n + 1\n", "answer": "Here it is:\n\n```python\ndef f(n):\n    return n + 1\n```\n\nIt adds one.\n",
        "token": "    return n + 1\n<|endoftext|>", "surrogate": "    return n + 1  # \ud83c\n", "nul": "    return '\0'\n"}
    samples = lines("chat.jsonl", [{"task_id": "own/0", "id": name, "completion": text} for name, text in completions.items()])
    answer = batch("--problems", data, samples)
    found = results(answer.stdout)
    equal({name: result["passed"] for name, result in found.items()},
          {"plain": True, "answer": True, "token": False, "surrogate": False, "nul": False}, "passed")
    equal([name for name, result in found.items() if result["markdown"]], ["answer"], "Markdown")
    for name, reason in (("surrogate", "half of a surrogate pair."), ("nul", "a string must not hold a NUL.")):
        must(found[name]["result"].startswith("failed: A value cannot be used, at byte ") and found[name]["result"].endswith(reason),
             found[name]["result"])
        equal((found[name]["status"], found[name]["exit_code"], found[name]["forked"]), ("not-started", None, False), name)
    said = answer.stderr.decode()
    for line in ("Samples that are Markdown, of each of which the first code block of Python is run: 1\n",
                 "“surrogate” counts as failed: ", "Samples that cannot be run, and count as failed: 2\n",
                 "tokens such as “<|endoftext|>” in them: 1\n"):
        must(line in said, said)
    # They are results like any others.
    output = new_output("chat.out")
    batch("--problems", data, "--score", "--output", output, samples, history=True)
    batch("--problems", data, "--score", "--output", output, "--resume", samples)
    equal(len(of_file(output)), 5, "none is there twice")
    equal(json.loads(Path(f"{output}.score.json").read_text(encoding="utf-8"))["samples"], 5, "all count")
    torn = ROOM / "torn.jsonl"
    torn.write_text('{"source": "\\u0000\n', encoding="utf-8")
    refused(torn, parts=["line 1", "Not valid JSON"])


CASES = {
    "members of a sample": members,
    "samples that run again": again,
    "verdicts in the history": verdicts_in_the_history,
    "files that may not grow": small_files,
    "completions of chat models": completions_of_chat_models,
    "files of a sample": files_of_a_sample,
    "warm interpreters": warm,
    "what is imported ahead": imported_ahead,
    "one processor each": processors,
    "modules that cannot be kept": bad_modules,
    "an interpreter that reads nothing": silent_interpreter,
    "programs and folders": files,
    "refusals": refusals,
    "going on": resume,
    "killed at random moments": killed,
    "stopped": stopped,
    "the reader goes away": unread,
    "nothing can be run": nothing_runs,
    "nothing is read": not_read,
    "on a terminal": terminal,
    "HumanEval": humaneval,
}


def main():
    tap = Tap()
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
