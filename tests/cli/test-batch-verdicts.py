# SPDX-License-Identifier: GPL-3.0-or-later
"""A sample has the same verdict however it is run, how many run beside it, and whatever those do.

With --long: all solutions of HumanEval, and more of the generated programs.
"""

import gzip
import json
import os
import random
import sys
from pathlib import Path

import batch_programs
from batch_room import IS_LONG, KINDS, PLACE, batch, lines, new_output, of_file
from tap import Skip, Tap, equal, must

HOSTILE = {
    "forks": "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n",
    "threads": "import threading, time\nwhile True:\n    try:\n        threading.Thread(target=time.sleep, args=(9,)).start()\n"
               "    except RuntimeError:\n        pass\n",
    "hog": "x = []\nwhile True:\n    x.append(bytearray(1 << 20))\n",
    "flood": "import os\nwhile True:\n    os.write(1, b'x' * 65536)\n",
    "files": "import os\nx = []\nwhile True:\n    try:\n        x.append(os.open('/dev/null', 0))\n        os.pipe()\n"
             "    except OSError:\n        pass\n",
    "disk": "i = 0\nwhile True:\n    i += 1\n    try:\n        open(str(i), 'wb').write(bytes(1 << 20))\n"
            "    except OSError:\n        pass\n",
    "sleeps": "import time\ntime.sleep(600)\n",
    "spins": "while True:\n    pass\n",
}
# What ends by itself gets the time that it needs.
END_BY_THEMSELVES = ("flood", "hog")


def hostile_samples(turns):
    return [{"id": f"{kind}{turn}", "source": source, "timeout": 60 if kind in END_BY_THEMSELVES else 1.5}
            for turn in range(turns) for kind, source in HOSTILE.items()]


def humaneval_samples():
    data = Path(os.environ.get("FH_HUMANEVAL") or Path(os.environ["FH_SOURCE_ROOT"]).parent / "shared/data/HumanEval.jsonl.gz")
    if not data.is_file():
        raise Skip("HumanEval.jsonl.gz is not here: name it by FH_HUMANEVAL")
    with gzip.open(data, "rt", encoding="utf-8") as text:
        tasks = [json.loads(line) for line in text]
    tasks = tasks if IS_LONG else tasks[::8]
    return data, [{"id": f"{name}-{task['task_id']}", "task_id": task["task_id"],
                   "completion": task["canonical_solution"] if name == "good" else "    return None\n"}
                  for task in tasks for name in ("good", "bad")]


def verdicts(name, problems, samples, *options):
    """By ids; a place in memory, as in the text of an error, differs from run to run."""
    output = new_output(f"{name}.out")
    batch("--problems", problems, "--timeout", "60", "--memory", "256", "--output-limit", "8M", "--output", output, *options,
          lines(f"{name}.jsonl", samples))
    found = of_file(output)
    equal(len(found), len(samples), "results")
    return {name: (result["result"].split(" at 0x")[0], result["exit_code"], result["stdout"])
            for name, result in found.items() if name.startswith(("good", "bad", "p"))}, found


def humaneval(turns):
    problems, samples = humaneval_samples()
    mixed = samples + hostile_samples(turns)
    random.Random(7).shuffle(mixed)
    reference, _ = verdicts("alone", problems, samples, "--jobs", "2", *next(iter(KINDS.values())))
    equal({name for name, (result, _, _) in reference.items() if result == "passed"},
          {sample["id"] for sample in samples if sample["id"].startswith("good")}, "passed")
    for kind, options in KINDS.items():
        got, found = verdicts(kind, problems, mixed, "--jobs", "8", *options)
        equal(got, reference, f"{kind}, beside hostile samples")
        n_forked = sum(found[sample["id"]]["forked"] for sample in samples)
        must(n_forked == 0 if kind == "cold" else n_forked > len(samples) // 2, f"{kind}: {n_forked} were forked")
        equal({found[f"{name}{turn}"]["result"] for name in ("sleeps", "spins") for turn in range(turns)}, {"timed out"}, kind)
        equal({found[f"flood{turn}"]["result"] for turn in range(turns)}, {"failed: output-limit"}, kind)
        must(not any(found[f"hog{turn}"]["passed"] for turn in range(turns)), f"{kind}: hog")


def generated(count):
    problems, samples, expected = batch_programs.make(count)
    problems = lines("problems.jsonl", problems)
    for kind, options in KINDS.items():
        got, _ = verdicts(kind, problems, samples, "--jobs", "4", *options)
        equal({name: result == "passed" for name, (result, _, _) in got.items()}, expected, kind)


def main():
    tap = Tap()
    tap.case("HumanEval beside hostile samples", humaneval, 3 if IS_LONG else 1)
    tap.case("generated programs", generated, 1000 if IS_LONG else 40)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
