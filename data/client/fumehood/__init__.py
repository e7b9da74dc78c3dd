# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs code that you do not trust behind Fumehood's guards.

A package without dependencies: put the folder where Python finds it, or "pip install" the folder above. It needs
"fumehoodctl", which comes with Fumehood; the environment variable FUMEHOODCTL names it where it is not in PATH.

    import fumehood

    result = fumehood.run("print(6 * 7)", timeout=5)
    result.stdout, result.status, result.attempts

    with fumehood.Session() as session:
        session.execute("x = 20")
        session.execute("x + 1").value_json

    for result in fumehood.Batch([{"id": "a", "source": "print(1)"}], jobs=4):
        result.id, result.passed

The same is there in the shapes that other libraries expect: execute_code (nanochat), check_correctness (human-eval),
execute_python_code and execute_shell_command (agentscope), CodeExecutor and JupyterExecutor (AutoGen 0.2, ag2),
AsyncCodeExecutor and AsyncJupyterExecutor (AutoGen since 0.4), PythonExecutor (smolagents), ReplExecutor (OpenEnv).
"""

from .agentscope import execute_python_code, execute_shell_command
from .asynchronous import AsyncCodeExecutor, AsyncJupyterExecutor
from .autogen import CodeExecutor, CodeResult, JupyterCodeResult, JupyterExecutor
from .blocks import CodeBlock, MarkdownCodeExtractor
from .human_eval import check_correctness
from .nanochat import ExecutionResult, execute_code
from .openenv import ReplExecutor
from .runs import DEFAULT_MEMORY, DEFAULT_TIMEOUT, Batch, FumehoodError, Result, run
from .session import Session
from .smolagents import CodeOutput, PythonExecutor

__all__ = [
    "AsyncCodeExecutor", "AsyncJupyterExecutor", "Batch", "CodeBlock", "CodeExecutor", "CodeOutput", "CodeResult", "DEFAULT_MEMORY",
    "DEFAULT_TIMEOUT", "ExecutionResult", "FumehoodError", "JupyterCodeResult", "JupyterExecutor", "MarkdownCodeExtractor",
    "PythonExecutor", "ReplExecutor", "Result", "Session", "check_correctness", "execute_code", "execute_python_code",
    "execute_shell_command", "run",
]
