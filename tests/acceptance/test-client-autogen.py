# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python client in the shapes of AutoGen and ag2, by the kinds of cases that these publish."""

import abc
import asyncio
import gc
import math
import sys
import tempfile
import threading
import types
import typing
import warnings
from pathlib import Path

from client_room import block, fumehood, raises, run_cases
from tap import PATIENCE, equal, must


def autogen():
    executor = fumehood.CodeExecutor(timeout=5)
    raises(ValueError, "No code blocks to execute.", executor.execute_code_blocks, [])
    raises(ValueError, "Timeout must be greater than or equal to 1.", fumehood.CodeExecutor, timeout=0)
    result = executor.execute_code_blocks([block("Python", "print('hello world!')"), block("py", "a = 100 + 100\nprint(a)"),
                                           block("bash", "echo 'from bash'")])
    equal((result.exit_code, result.output), (0, "hello world!\n200\nfrom bash\n"), "result")
    result = executor.execute_code_blocks([block("python", "print(1)"), block("python", "import sys\nsys.exit(4)"),
                                           block("python", "print(2)")])
    equal((result.exit_code, result.output), (4, "1\n"), "result of a block that fails")
    result = executor.execute_code_blocks([block("python", "print(1)"), block("cobol", "x")])
    equal((result.exit_code, result.output), (1, "1\nUnsupported language cobol\n"), "result of an unknown language")
    result = fumehood.CodeExecutor(timeout=5).execute_code_blocks([block("python", "print('a')\nimport time\ntime.sleep(600)")])
    equal((result.exit_code, result.output), (124, "a\n\nTimeout"), "result after a timeout")
    result = executor.execute_code_blocks([block("sh", "kill -9 $$")])
    equal(result.exit_code, 137, "exit code of a block that was killed")


def jupyter():
    with tempfile.TemporaryDirectory() as folder:
        executor = fumehood.JupyterExecutor(timeout=5, output_dir=folder)
        result = executor.execute_code_blocks([block("python", "x = 20"), block("python", "print('\\x1b[31mred\\x1b[0m')\nx + 1")])
        equal((result.exit_code, result.output, result.output_files), (0, "\nred\n\n21", []), "result")
        result = executor.execute_code_blocks([block("python", "1"), block("python", "print(2, end='')\n3")])
        equal(result.output, "1\n2\n3", "what blocks and streams end with does not run together")
        picture = "class P:\n    def _repr_png_(self): return b'PNG of ' + str(x).encode()\nP()"
        page = "class H:\n    def _repr_html_(self): return '<b>x</b>'\nH()"
        result = executor.execute_code_blocks([block("python", picture), block("python", page), block("python", "P()")])
        equal([path.read_bytes() for path in result.output_files], [b"PNG of 20", b"<b>x</b>", b"PNG of 20"], "pictures")
        for kind, path in zip(("Image", "HTML", "Image"), result.output_files):
            must(" object at 0x" in result.output and f"{kind} data saved to {path}\n" in f"{result.output}\n", "what is shown is told")
        result = executor.execute_code_blocks([block("python", "print('a')\nimport time\ntime.sleep(600)"), block("python", "1")])
        equal((result.exit_code, result.output.partition(":")[0], "5 s" in result.output), (124, "a\n\nTimeout", True), "result after a timeout")
        shown = picture.replace("\nP()", "\ndisplay(P())\nprint('on')")
        result = executor.execute_code_blocks([block("python", shown)])
        equal(("on\n" in result.output, [path.suffix for path in result.output_files]), (True, [".png"]), "what is displayed")
        result = executor.execute_code_blocks([block("python", "1 / 0"), block("python", "print('not run')")])
        equal((result.exit_code, "ZeroDivisionError" in result.output, "not run" in result.output), (1, True, False), "a failure")
        executor.restart()
        equal(executor.execute_code_blocks([block("python", "x")]).exit_code, 1, "after a restart")
        executor.close()
        raises(ValueError, "Kernel ir is not installed", fumehood.JupyterExecutor, output_dir=folder, kernel_name="ir")
        executor = fumehood.JupyterExecutor(output_dir=Path(folder, "a", "b"), kernel_name="python3")
        equal(executor.output_dir.parent, Path(folder, "a", "b"), "a folder that was not there")
        executor.close()


def takes_the_place_of_ag2s():
    @typing.runtime_checkable
    class CodeExecutor(typing.Protocol):
        """What ag2 asks of an executor."""

        @property
        def code_extractor(self): ...

        def execute_code_blocks(self, code_blocks): ...

        def restart(self): ...

    with tempfile.TemporaryDirectory() as folder:
        for executor in (fumehood.CodeExecutor(), fumehood.JupyterExecutor(output_dir=folder)):
            must(isinstance(executor, CodeExecutor), f"{executor} must be an executor")
            must(isinstance(type(executor), CodeExecutor), "so must its class")
            blocks = executor.code_extractor.extract_code_blocks("Try this:\n```python\nprint('x')\n```\n")
            result = executor.execute_code_blocks(blocks)
            equal((result.exit_code, result.output.strip()), (0, "x"), "result")
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                executor.restart()
            equal([warning.category for warning in told], [UserWarning] if isinstance(executor, fumehood.CodeExecutor) else [],
                  "a restart that does nothing says so")


def finds_blocks():
    def found(message):
        return [(block.language, block.code) for block in fumehood.MarkdownCodeExtractor().extract_code_blocks(message)]

    equal(found("a\n```python\nx = 1\n\ny\n```\nb\n```bash\nls\n```"), [("python", "x = 1\n\ny"), ("bash", "ls")], "two blocks")
    equal(found("1. Do:\n   ```python\n   if x:\n     y\n   ```\n"), [("python", "if x:\n  y")], "an indented block")
    equal(found("```python\r\nx\r\n```\r\n"), [("python", "x")], "lines of Windows")
    equal(found("```\nprint(1)\n```\n```\npip install x\n```\n```\nusing System;\n```"),
          [("python", "print(1)"), ("sh", "pip install x"), ("", "using System;")], "blocks that do not say")
    equal(found("````python\na\n```\nb\n````\n~~~sh\nls\n~~~"), [("python", "a\n```\nb"), ("sh", "ls")], "longer fences")
    equal((found("no block"), found(None), found("```python\nnever closed")), ([], [], []), "none")
    equal(found([{"type": "text", "text": "```sh\nls\n```"}, {"type": "image_url", "image_url": {}}]), [("sh", "ls")], "parts")


def saves_files():
    with tempfile.TemporaryDirectory() as folder:
        executor = fumehood.CodeExecutor(timeout=20, work_dir=Path(folder, "a", "b"))
        place = executor.work_dir
        result = executor.execute_code_blocks([block("python", "# filename: test.py\nprint('one')"), block("sh", "cat test.py")])
        equal((result.exit_code, result.output, result.code_file),
              (0, "one\n# filename: test.py\nprint('one')", str(place / "test.py")), "result")
        result = executor.execute_code_blocks([block("python", "print('two')")])
        equal((Path(result.code_file).parent, Path(result.code_file).read_text()), (place, "print('two')"), "a file without a name")
        for language, code in (("javascript", "// filename: t.js\nx"), ("css", "/* filename: t.css */\nx"),
                               ("html", "<!-- filename: d/t.html -->\nx")):
            result = executor.execute_code_blocks([block(language, code)])
            equal((result.exit_code, result.output), (0, f"Code saved to {result.code_file}\n"), language)
            equal(Path(result.code_file).read_text(), code, f"{language} that was saved")
        must((place / "d" / "t.html").exists(), "a folder that the name has")
        for name in ("/tmp/test.py", "../test.py", ".", "a/../../b.py"):
            result = executor.execute_code_blocks([block("python", f"# filename: {name}\nprint('ran')"), block("python", "print('ran')")])
            equal((result.exit_code, result.output), (1, "Filename is not in the workspace"), name)
        # As if a program had left them.
        (place / "out").symlink_to(folder)
        (place / "link.py").symlink_to(Path(folder, "x"))
        result = executor.execute_code_blocks([block("python", "# filename: link.py\n1"), block("python", "# filename: out/y.py\n1")])
        equal((result.exit_code, "cannot be used" in result.output, [path.name for path in Path(folder).iterdir()]), (1, True, ["a"]),
              "links that a program has left")
        must((place / "link.py").is_file() and not (place / "link.py").is_symlink(), "a link is replaced")


def has_a_folder_of_its_own():
    executor = fumehood.CodeExecutor()
    result = executor.execute_code_blocks([block("javascript", "console.log(1)"), block("python", "open('kept', 'w').write('x')"),
                                           block("sh", "cat kept")])
    equal((result.exit_code, result.output), (0, f"Code saved to {result.code_file}\nx"), "blocks without a folder of the caller's")
    place = executor.work_dir
    must(Path(result.code_file).is_file(), "what was saved is there")
    executor.close()
    must(not place.exists(), "the folder ends with the executor")
    executor = fumehood.CodeExecutor()
    place = executor.work_dir
    del executor
    gc.collect()
    must(not place.exists(), "and if the executor is dropped")


def names_without_the_word():
    for code, language, name in (
            ("# test.py\n1", "python", "test.py"), ("# test.py\n1", "sh", None), ("# random.py\nimport random", "python", None),
            ("// a/test.js\n1", "javascript", "a/test.js"), ("/* t.css */", "css", "t.css"), ("<!-- t.html -->", "html", "t.html"),
            ("# This script prints hello\n1", "python", None), ("# Step 1/2: load\n1", "python", None), ("# see test.py", "python", None),
            ("# -*- coding: utf-8 -*-", "python", None), ("#!/bin/sh", "sh", None), ("", "python", None),
            ("# filename: test.py", "sh", "test.py"), ("# filename: random.py", "python", "random.py")):
        equal(fumehood.blocks.name_in(code, language), name, f"name in {code!r}")
    executor = fumehood.CodeExecutor()
    result = executor.execute_code_blocks([block("python", "# mine.py\ndef f(): return 5")])
    equal((result.exit_code, Path(result.code_file).name), (0, "mine.py"), "a block that has a name")
    result = executor.execute_code_blocks([block("python", "import mine\nprint(mine.f())")])
    equal((result.exit_code, result.output), (0, "5\n"), "one that imports it later")


def cleans_up():
    for cleans in (True, False):
        executor = fumehood.CodeExecutor(cleanup_temp_files=cleans)
        result = executor.execute_code_blocks([block("python", "print('x')"), block("python", "# filename: kept.py\nprint('y')")])
        equal((result.output, Path(result.code_file).exists()), ("x\ny\n", not cleans), "what had no name")
        must((executor.work_dir / "kept.py").exists(), "what had one")
        code = ("import os\nfor name in os.listdir():\n    if name.startswith('tmp_code'):\n        os.remove(name)\n"
                "        os.makedirs(name + '/a')\n        open(name + '/a/b', 'w').close()")
        equal(executor.execute_code_blocks([block("python", code)]).output, "", "a program that puts folders in the place of files")
        executor.close()


def policies():
    every = {language: False for language in fumehood.CodeExecutor.DEFAULT_EXECUTION_POLICY}
    result = fumehood.CodeExecutor(execution_policies=every).execute_code_blocks([block("python", "print('ran')"), block("sh", "echo ran")])
    equal((result.exit_code, result.output.count("ran"), result.output.count("Code saved to ")), (0, 0, 2), "nothing runs")
    executor = fumehood.CodeExecutor(execution_policies={"python": False, "lua5": True})
    equal({name: executor.execution_policies[name] for name in ("python", "sh", "css")}, {"python": False, "sh": True, "css": False}, "others")
    result = executor.execute_code_blocks([block("sh", "echo ran"), block("lua5", "x")])
    equal((result.exit_code, result.output.startswith("ran\n"), "lua5" in result.output), (1, True, True), "a language that cannot be run")
    executor = fumehood.CodeExecutor(virtual_env_context=types.SimpleNamespace(env_exe=sys.executable))
    equal(executor.execute_code_blocks([block("python", "import sys\nprint(sys.version)"), block("sh", "echo x")]).output,
          f"{sys.version}\nx\n", "an environment")
    raises(ValueError, "identifier", fumehood.CodeExecutor, functions_module="a-b")


def add(a: int, b: int = 2) -> int:
    """Adds."""
    return math.floor(a + b)


class Required:
    """As AutoGen's: an object that has the function, and what it imports."""

    def __init__(self, func, global_imports):
        self.func, self.global_imports, self.python_packages = func, global_imports, []
        self.__wrapped__, self.__name__, self.__doc__ = func, func.__name__, func.__doc__

    def __call__(self):
        raise NotImplementedError


def with_requirements(function):
    source = types.SimpleNamespace(module="math", imports=["sqrt", types.SimpleNamespace(name="pi", alias="PI")])
    return Required(function, ["math", types.SimpleNamespace(name="json", alias="j"), source])


@with_requirements
def root(a: int) -> str:
    return j.dumps(sqrt(a) + (PI > 4))  # noqa: F821  pylint: disable=undefined-variable


def functions_of_the_caller():
    executor = fumehood.CodeExecutor(functions=[root, "def twice(a: int) -> int:\n    'Twice.'\n    return 2 * a", add])
    result = executor.execute_code_blocks([block("python", "from functions import root, twice, add\nprint(root(9), twice(4), add(1))")])
    equal((result.exit_code, result.output), (0, "3.0 8 3\n"), "functions that a block imports")
    prompt = executor.format_functions_for_prompt()
    for text in ("`functions`", 'def add(a: int, b: int = 2) -> int:\n    """Adds."""\n    ...', "def root(a: int) -> str:\n    ...",
                 'def twice(a: int) -> int:\n    """Twice."""\n    ...'):
        must(text in prompt, f"{text!r} must be in {prompt!r}")
    equal(executor.format_functions_for_prompt("$module_name!"), "functions!", "a template")
    for wrong in (types.SimpleNamespace(func=add, global_imports=["no_such_module"], python_packages=[]),
                  types.SimpleNamespace(func=add, global_imports=[], python_packages=["no-such-package>=2"])):
        executor = fumehood.CodeExecutor(functions=[wrong])
        for _ in range(2):
            raises(ValueError, "no-such-package" if wrong.python_packages else "no_such_module", executor.execute_code_blocks,
                   [block("sh", "echo ran")])
    executor = fumehood.CodeExecutor(functions=[add], functions_module="mine")
    result = executor.execute_code_blocks([block("python", "import mine\nprint(mine.add(1.5))")])
    must(result.exit_code == 1 and "NameError: name 'math' is not defined" in result.output, "what a function does not import is told")


class CancellationToken:
    """As AutoGen's."""

    def __init__(self):
        self._futures, self._is_cancelled = [], False

    def is_cancelled(self):
        return self._is_cancelled

    def cancel(self):
        self._is_cancelled = True
        for future in self._futures:
            future.cancel()

    def link_future(self, future):
        self._futures.append(future)
        if self._is_cancelled:
            future.cancel()
        return future


class Theirs(abc.ABC):
    """The abstract class that AutoGen since 0.4 has for executors."""

    @abc.abstractmethod
    async def execute_code_blocks(self, code_blocks, cancellation_token): ...


def is_awaited():
    core, module = types.ModuleType("autogen_core"), types.ModuleType("autogen_core.code_executor")
    module.CodeExecutor, core.code_executor = Theirs, module
    sys.modules.update({"autogen_core": core, "autogen_core.code_executor": module})

    async def use(folder):
        async with fumehood.AsyncCodeExecutor(timeout=20, functions=[add]) as executor:
            must(isinstance(executor, Theirs), "it must be taken for one of theirs")
            equal((executor.timeout, executor.functions_module), (20, "functions"), "its members")
            result = await executor.execute_code_blocks([block("python", "print(1)"), block("sh", "echo 2")], CancellationToken())
            equal((result.exit_code, result.output), (0, "1\n2\n"), "result")
            must(not Path(result.code_file).exists(), "the code of a block without a name is not kept")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                await executor.restart()
            result = await executor.execute_code_blocks(cancellation_token=CancellationToken(), code_blocks=[block("sh", "exit 3")])
            equal(result.exit_code, 3, "exit code")
            place = executor.work_dir
        must(not place.exists(), "what was temporary must be gone")
        equal((await executor.execute_code_blocks([block("sh", "echo x")])).output, "x\n", "it begins again")
        try:
            await executor.execute_code_blocks([], CancellationToken())
        except ValueError as error:
            equal(str(error), "No code blocks to execute.", "no blocks")
        result = await fumehood.AsyncCodeExecutor(timeout=1).execute_code_blocks([block("python", "import time\ntime.sleep(600)")])
        equal((result.exit_code, "Timeout" in result.output), (124, True), "a timeout")
        executor = fumehood.AsyncJupyterExecutor(timeout=20)
        equal(executor.output_dir.parent, Path(tempfile.gettempdir()), "the folder of one that has none of the caller's")
        executor.output_dir.rmdir()
        await executor.stop()
        async with fumehood.AsyncJupyterExecutor(timeout=20, output_dir=folder) as executor:
            must(isinstance(executor, Theirs), "it must be taken for one of theirs")
            await executor.execute_code_blocks([block("python", "x = 5")], CancellationToken())
            equal((await executor.execute_code_blocks([block("python", "x")], CancellationToken())).output, "5", "a variable")
            await executor.restart()
            equal((await executor.execute_code_blocks([block("python", "x")], CancellationToken())).exit_code, 1, "after a restart")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(use(folder))


async def cancel_when(executor, blocks, begun, raises_it):
    """Cancels by a token when the blocks have begun; then the task that waits; then before they begin. `raises_it`: AutoGen's
    executor of this kind raises CancelledError, and the other returns a result."""
    loop = asyncio.get_running_loop()

    async def is_told(waits):
        try:
            result = await waits
        except asyncio.CancelledError:
            must(raises_it, "a result was expected")
        else:
            equal((raises_it, result.exit_code, "Cancelled" in result.output, "later" in result.output), (False, 125, True, False), "result")

    for by_token in (True, False):
        begun.clear()
        token = CancellationToken()
        task = asyncio.ensure_future(executor.execute_code_blocks(blocks, token))
        must(await loop.run_in_executor(None, begun.wait, PATIENCE), "the block must begin")
        (token if by_token else task).cancel()
        if by_token:
            await is_told(task)
        else:
            equal(isinstance((await asyncio.gather(task, return_exceptions=True))[0], asyncio.CancelledError), True, "a task")
    token = CancellationToken()
    token.cancel()
    await is_told(executor.execute_code_blocks(blocks, token))
    for turns in range(4):
        token = CancellationToken()
        task = asyncio.ensure_future(executor.execute_code_blocks(blocks, token))
        for _ in range(turns):
            await asyncio.sleep(0)
        token.cancel()
        await is_told(task)


def is_cancelled():
    async def use(folder):
        begun = threading.Event()

        class Executor(fumehood.CodeExecutor):
            def _started(self, stop):
                super()._started(stop)
                begun.set()

        executor = fumehood.AsyncCodeExecutor(timeout=600, work_dir=folder)
        executor._executor = Executor(timeout=600, work_dir=folder)
        await cancel_when(executor, [block("sh", "sleep 600"), block("sh", "echo later")], begun, False)
        equal((await executor.execute_code_blocks([block("sh", "echo x")])).output, "x\n", "what comes after it")
        executor = fumehood.AsyncJupyterExecutor(timeout=600, output_dir=folder, functions={"begin": begun.set})
        await executor.execute_code_blocks([block("python", "x = 5")])
        await cancel_when(executor, [block("python", "begin()\nwhile True: pass"), block("python", "'later'")], begun, True)
        must((await executor.execute_code_blocks([block("python", "6")])).output == "6", "what comes after it")
        await executor.stop()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(use(folder))


if __name__ == "__main__":
    sys.exit(run_cases({
        "the code executor": autogen, "the Jupyter executor": jupyter, "takes the place of ag2's": takes_the_place_of_ag2s,
        "finds blocks": finds_blocks, "saves files": saves_files, "has a folder of its own": has_a_folder_of_its_own,
        "names without the word": names_without_the_word, "cleans up": cleans_up, "policies": policies, "functions of the caller": functions_of_the_caller,
        "is awaited": is_awaited, "is cancelled": is_cancelled}))
