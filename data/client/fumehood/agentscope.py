# SPDX-License-Identifier: GPL-3.0-or-later
"""agentscope's tool functions."""

from .runs import run


def _exit_code(result):
    """As subprocess has it: -N for a signal, and for a limit too."""
    return -(result.signal or 1) if result.exit_code is None else result.exit_code


async def _execute(code, language, timeout, what):
    import asyncio

    result = await asyncio.get_running_loop().run_in_executor(None, lambda: run(code, language, timeout=timeout))
    exit_code, stderr = _exit_code(result), result.stderr
    if result.timeout:
        exit_code, stderr = -1, f"{stderr}TimeoutError: The {what} execution exceeded the timeout of {timeout} seconds."
    text = f"<returncode>{exit_code}</returncode><stdout>{result.stdout}</stdout><stderr>{stderr}</stderr>"
    try:
        from agentscope.message import TextBlock
        from agentscope.tool import ToolResponse
    except ImportError:
        return text
    return ToolResponse(content=[TextBlock(type="text", text=text)])


async def execute_python_code(code, timeout=300, **_):
    """agentscope's tool function: a ToolResponse with <returncode>, <stdout> and <stderr>."""
    return await _execute(code, "python", timeout, "code")


async def execute_shell_command(command, timeout=300, **_):
    """agentscope's tool function: the same for a command of the shell."""
    return await _execute(command, "sh", timeout, "command")
