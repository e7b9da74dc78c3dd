# SPDX-License-Identifier: GPL-3.0-or-later
"""How many of the HumanEval reference solutions are run per second, and whether each one passes.

Usage: humaneval.py [WORKERS]

The data is HumanEval.jsonl.gz: named by FH_HUMANEVAL, or in a folder beside this project. Each way runs the whole set twice, in turns
with the others; the better time counts.
"""

import concurrent.futures
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PYTHON = "/usr/bin/python3"
PASSES = 2
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data" / "HumanEval.jsonl.gz"


def programs(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            task = json.loads(line)
            yield "\n".join(
                (task["prompt"] + task["canonical_solution"], task["test"], f"check({task['entry_point']})", "")
            )


def ways():
    ctl = os.environ.get("FH_CTL", "fumehoodctl")
    candidates = {
        "bare python3 FILE": [PYTHON],
        "fumehoodctl run FILE": [ctl, "run", "--timeout", "5", "--memory", "256M"],
    }
    return {name: command for name, command in candidates.items() if shutil.which(command[0])}


def passes(command, file, environment):
    result = subprocess.run(
        [*command, file], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment, check=False
    )
    return result.returncode == 0


def measure(command, files, workers, environment):
    """(seconds, solutions that passed)"""
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        passed = sum(pool.map(lambda file: passes(command, file, environment), files))
    return time.monotonic() - begin, passed


def main():
    data = os.environ.get("FH_HUMANEVAL") or BESIDE
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else len(os.sched_getaffinity(0))
    if not os.path.exists(data):
        print(f"{data} is not there: left out")
        return 0
    with tempfile.TemporaryDirectory(prefix="fumehood-bench-") as folder:
        files = []
        for number, program in enumerate(programs(data)):
            files.append(Path(folder) / f"{number}.py")
            files[-1].write_text(program, encoding="utf-8")
        environment = dict(os.environ, XDG_STATE_HOME=folder)
        times = {name: [] for name in ways()}
        for _ in range(PASSES):
            for name, command in ways().items():
                times[name].append(measure(command, files, workers, environment))
    print(f"{len(files)} solutions, {workers} workers\n")
    for name, results in times.items():
        seconds, _ = min(results)
        passed = min(count for _, count in results)
        print(f"{name:24} {len(files) / seconds:8.1f} solutions/s   {passed} of {len(files)} passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
