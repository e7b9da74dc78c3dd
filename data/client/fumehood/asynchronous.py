# SPDX-License-Identifier: GPL-3.0-or-later
"""Code executors for AutoGen since 0.4, whose methods are awaited."""

from .autogen import CodeExecutor, CodeResult, JupyterExecutor


def _is_one(kind):
    """AutoGen knows its executors by their class; ours is taken for one without being made from it."""
    try:
        from autogen_core.code_executor import CodeExecutor as Theirs
    except ImportError:
        return
    Theirs.register(kind)


class _Awaited:
    """`kind`: the executor that does it, in a thread. `DEFAULTS`: arguments that are other than its own."""

    kind, DEFAULTS = None, {}

    def __init__(self, *arguments, **names):
        self._make = lambda: self.kind(*arguments, **{**self.DEFAULTS, **names})
        self._executor = self._make()
        _is_one(type(self))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._get(), name)

    def _get(self):
        if self._executor is None:
            self._executor = self._make()
        return self._executor

    async def start(self):
        """It need not be called: the first blocks start what was stopped."""
        await self._await(self._get)

    async def stop(self):
        executor, self._executor = self._executor, None
        if executor is not None:
            await self._await(executor.close)

    async def restart(self):
        await self._await(self._get().restart)

    async def __aenter__(self):
        await self.start()
        return self

    async def __aexit__(self, *_):
        await self.stop()

    async def execute_code_blocks(self, code_blocks, cancellation_token=None):
        """`cancellation_token`: ends the block that runs when it is cancelled; the result says so, or for blocks of Jupyter
        CancelledError is raised, as there. A task that waits for this and is cancelled ends the block, too."""
        import asyncio

        executor = self._get()
        if cancellation_token is not None and cancellation_token.is_cancelled():
            return self._cancelled()
        running = asyncio.ensure_future(self._await(executor.execute_code_blocks, list(code_blocks)))
        waits = asyncio.shield(running)
        if cancellation_token is not None:
            cancellation_token.link_future(waits)
        try:
            return await waits
        except asyncio.CancelledError:
            if not running.done():
                executor.cancel()
            result = await running
            if cancellation_token is not None and cancellation_token.is_cancelled():
                return self._cancelled(result)
            raise

    @staticmethod
    async def _await(function, *arguments):
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(None, lambda: function(*arguments))


class AsyncCodeExecutor(_Awaited):
    """CodeExecutor for AutoGen since 0.4, with the same arguments; `cleanup_temp_files` is True unless you say otherwise."""

    kind, DEFAULTS = CodeExecutor, {"cleanup_temp_files": True}

    @staticmethod
    def _cancelled(result=None):
        return result or CodeResult(125, "Cancelled")


class AsyncJupyterExecutor(_Awaited):
    """JupyterExecutor for AutoGen since 0.4, with the same arguments; `output_dir` is temporary unless you name one."""

    kind, DEFAULTS = JupyterExecutor, {"output_dir": None}

    @staticmethod
    def _cancelled(result=None):
        import asyncio

        raise asyncio.CancelledError
