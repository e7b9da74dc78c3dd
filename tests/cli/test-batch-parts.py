# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches of more than one computer, and what is made of their results: parts, merging, scores, the history."""

import json
import subprocess
import sys

from batch_room import CTL, ENVIRONMENT, PLACE, ROOM, batch, lines, new_output, of_file, refused
from tap import PATIENCE, Tap, equal, must

SAMPLES = [{"id": f"n{number}", "task_id": f"t{number % 4}", "source": f"assert {number} % 3"} for number in range(24)]


def part(number, count, samples):
    output = new_output(f"part-{number}")
    batch("--shard", f"{number}/{count}", "--output", output, samples)
    return output


def parts():
    samples = lines("parts.jsonl", SAMPLES)
    outputs = [part(number, 3, samples) for number in (1, 2, 3)]
    found = [set(of_file(output)) for output in outputs]
    equal(sum(map(len, found)), 24, "each sample once")
    equal(set.union(*found), {sample["id"] for sample in SAMPLES}, "all samples")
    must(all(found), "no part is empty")
    merged = new_output("merged")
    answer = batch("merge", "--score", "--output", merged, *outputs)
    equal(len(of_file(merged)), 24, "merged")
    must(b"pass@1" in answer.stdout, answer.stdout.decode())
    score = json.loads((ROOM / "merged.score.json").read_text(encoding="utf-8"))
    equal((score["pass@1"], score["problems"], score["samples"], score["passed"]), (16 / 24, 4, 24, 16), "score")
    must("pass@10" not in score, "six samples are too few for pass@10")


def gaps_and_doubles():
    samples = lines("parts.jsonl", SAMPLES)
    first, second = part(1, 2, samples), part(2, 2, samples)
    refused("merge", "--output", first, second, parts=["is there already. Choose another file."], code=1)
    answer = batch("merge", "--output", new_output("merged"), first, code=1)
    must(f"{24 - len(of_file(first))} of 24".encode() in answer.stderr, answer.stderr.decode())
    answer = batch("merge", "--score", "--output", new_output("merged"), first, code=1)
    must(b"no score" in answer.stderr, answer.stderr.decode())
    answer = batch("merge", "--output", new_output("merged"), first, second, first)
    must(str(len(of_file(first))).encode() in answer.stderr, answer.stderr.decode())
    equal(len(of_file(ROOM / "merged")), 24, "doubles are left out")
    torn = ROOM / "torn"
    torn.write_bytes(second.read_bytes()[:-20])
    answer = batch("merge", "--output", new_output("merged"), first, torn, code=1)
    must(b"1 of 24" in answer.stderr, answer.stderr.decode())
    second = second.rename(ROOM / "second")
    changed = part(2, 2, lines("changed.jsonl", [{**sample, "source": "pass"} for sample in SAMPLES]))
    refused("merge", "--output", new_output("merged"), first, second, changed, parts=["another batch"], code=1)
    must(not (ROOM / "merged").exists(), "nothing is left of it")
    refused("merge", "--timeout", "5", first, parts=["merge"], code=2)


def ids_under(samples, **variables):
    output = new_output("cluster")
    answer = batch("--output", output, samples, env=variables)
    must(b"--shard 1/1" in answer.stderr, answer.stderr.decode())
    return set(of_file(output))


def clusters():
    """The same parts as by --shard."""
    samples = lines("parts.jsonl", SAMPLES)
    expected = [set(of_file(part(number, 3, samples))) for number in (1, 2, 3)]
    for number in range(3):
        slurm = {"SLURM_ARRAY_TASK_ID": str(5 + 2 * number), "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_STEP": "2",
                 "SLURM_ARRAY_TASK_COUNT": "3"}
        equal(ids_under(samples, **slurm), expected[number], "Slurm")
        kubernetes = {"JOB_COMPLETION_INDEX": str(number), "JOB_COMPLETION_COUNT": "3"}
        equal(ids_under(samples, **kubernetes), expected[number], "Kubernetes")
    for bad in ({"JOB_COMPLETION_INDEX": "0"}, {"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "3"},
                {"SLURM_ARRAY_TASK_ID": "x", "SLURM_ARRAY_TASK_COUNT": "3"}):
        answer = batch(samples, env=bad, code=2)
        must(b"--shard" in answer.stderr, answer.stderr.decode())
    answer = batch("--shard", "1/1", "--output", new_output("all"), samples, env={"JOB_COMPLETION_INDEX": "0"})
    equal(len(of_file(ROOM / "all")), 24, "all")


def missing_problem():
    problems = lines("problems.jsonl", [{"task_id": number, "test_list": [f"assert f() == {number}"]} for number in (1, 2)])
    good = [{"task_id": number, "completion": f"def f(): return {number}"} for number in (1, 2)]
    output = new_output("score")
    batch("--problems", problems, "--score", "--output", output, lines("both.jsonl", good))
    equal([result["result"] for result in of_file(output).values()], ["passed"] * 2, "MBPP")
    answer = batch("--problems", problems, "--score", "--output", new_output("score"), lines("one.jsonl", good[:1]), code=1)
    must("“2” has no sample".encode() in answer.stderr, answer.stderr.decode())


def early_end():
    """A solution that leaves before its tests has not passed."""
    problems = lines("problems.jsonl", [{"task_id": 1, "test_list": ["assert f() == 1"]}])
    for name, completion in (("exit", "exit(0)"), ("os", "import os\nos._exit(0)"), ("replaced", "import sys\nsys.stdout = None")):
        output = new_output("early")
        batch("--problems", problems, "--output", output,
              lines("early.jsonl", [{"task_id": 1, "completion": f"def f(): return 1\n{completion}\n"}]))
        (result,) = of_file(output).values()
        equal((result["result"], result["stdout"]),
              ("passed" if name == "replaced" else "failed: ended before its tests", ""), name)


def history(*words):
    answer = subprocess.run([CTL, "history", *words], env=ENVIRONMENT, capture_output=True, check=True, timeout=PATIENCE)
    return answer.stdout.decode()


def one_entry():
    batch(lines("kept.jsonl", SAMPLES), history=True)
    (entry,) = json.loads(history("list", "--json"))["runs"]
    equal((entry["title"], entry["status"]), ("Batch kept.jsonl: 16 of 24 passed", "ok"), "entry")
    table = [line.split("\t") for line in history("show", str(entry["id"]), "--output").splitlines()]
    equal((len(table), table[0][-1]), (25, "id"), "table")
    equal({row[0] for row in table[1:]}, {"passed", "failed: AssertionError"}, "results")
    equal(entry["samples"], 24, "samples")


CASES = {
    "parts": parts,
    "gaps and doubles": gaps_and_doubles,
    "under Slurm and Kubernetes": clusters,
    "a problem without a sample": missing_problem,
    "solutions that end early": early_end,
    "one entry of the history": one_entry,
}


def main():
    tap = Tap()
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
