# SPDX-License-Identifier: GPL-3.0-or-later
"""data/cluster/fumehood-batch.sbatch in a real Slurm: an array of four, whose results are joined."""

import json
import os
import sys
from pathlib import Path

import slurm
from leftovers import Processes
from tap import Tap, equal, must

CTL = Path(os.environ["FH_CTL"])
SCRIPT = Path(os.environ["FH_SOURCE_ROOT"]) / "data" / "cluster" / "fumehood-batch.sbatch"
PARTS = 4
SAMPLES = [{"id": f"n{number}", "task_id": f"t{number % 4}", "source": f"assert {number} % 3"} for number in range(24)]


def submit(cluster, *words):
    """Waits until all tasks have ended; what they wrote."""
    answer = cluster.call("sbatch", "--wait", f"--array=0-{PARTS - 1}", f"--output={cluster.folder}/task-%a.txt", SCRIPT, *words,
                          timeout=1500)
    told = "".join(path.read_text(errors="replace") for path in sorted(cluster.folder.glob("task-*.txt")))
    must(answer.returncode == 0, f"sbatch: {answer.returncode} {answer.stderr}\n{told}\n{cluster.logs()}")
    return told


def lines_of(paths):
    return [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def array(cluster, samples, results):
    told = submit(cluster, samples, results, "--timeout", "20")
    for part in range(1, PARTS + 1):
        must(f"part {part} of {PARTS}" in told, told)
    found = [lines_of([path]) for path in sorted(results.glob("part-*.jsonl"))]
    equal(len(found), PARTS, "files of results")
    must(all(found), "no part is empty")
    equal(sorted(line["id"] for part in found for line in part), sorted(sample["id"] for sample in SAMPLES), "samples")


def joined(cluster, results):
    merged = results / "all.jsonl"
    answer = cluster.call(CTL, "batch", "merge", "--score", "--output", merged, *sorted(results.glob("part-*.jsonl")))
    equal(answer.returncode, 0, answer.stderr)
    equal(len(lines_of([merged])), len(SAMPLES), "results")
    score = json.loads((results / "all.jsonl.score.json").read_text(encoding="utf-8"))
    equal((score["samples"], score["passed"]), (24, 16), "score")


def again(cluster, samples, results):
    """As after the loss of a node: the others keep their results, and nothing runs twice."""
    paths = sorted(results.glob("part-*.jsonl"))
    before = {path: path.read_bytes() for path in paths}
    paths[1].unlink()
    submit(cluster, samples, results, "--timeout", "20")
    equal([path.read_bytes() for path in paths if path != paths[1]], [before[path] for path in paths if path != paths[1]],
          "the others")
    equal({line["id"] for line in lines_of(paths)}, {sample["id"] for sample in SAMPLES}, "samples")


def main():
    tap = Tap()
    reason = slurm.why_not()
    if reason is not None:
        tap.skip("a batch in Slurm", reason)
        return tap.done()
    processes = Processes()
    with slurm.Slurm() as cluster:
        cluster.environment["PATH"] = f"{CTL.parent}:{slurm.SEARCH}"
        samples, results = cluster.folder / "samples.jsonl", cluster.folder / "results"
        samples.write_text("".join(json.dumps(sample) + "\n" for sample in SAMPLES), encoding="utf-8")
        tap.case(f"an array of {PARTS}", array, cluster, samples, results)
        tap.case("its results are joined", joined, cluster, results)
        tap.case("the same once more runs what is missing", again, cluster, samples, results)
    left = processes.left_after(120)
    tap.ok(not left, "no process is left", [f"{pid}: {command}" for pid, command in left.items()])
    processes.kill_left()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
