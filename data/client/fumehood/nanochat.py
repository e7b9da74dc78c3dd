# SPDX-License-Identifier: GPL-3.0-or-later
"""What nanochat's execution.py has."""

import dataclasses

from .runs import run


@dataclasses.dataclass
class ExecutionResult:
    """nanochat's."""

    success: bool
    stdout: str
    stderr: str
    error: str = None
    timeout: bool = False
    memory_exceeded: bool = False


def execute_code(code, timeout=5.0, maximum_memory_bytes=256 << 20, history=False):
    """nanochat's: runs Python and says whether it went well. As there, os.system and the like are refused inside the program too.
    `history`: the run is added to Fumehood's history."""
    options = ["--limit-functions"] if history else ["--limit-functions", "--no-history"]
    result = run(code, timeout=timeout, memory=maximum_memory_bytes, options=options)
    error = "Execution timed out (process killed)" if result.timeout else result.error
    return ExecutionResult(result.success, result.stdout, result.stderr, error, result.timeout, result.memory_exceeded)
