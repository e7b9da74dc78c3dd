# SPDX-License-Identifier: GPL-3.0-or-later
"""Code executors for AutoGen 0.2 and ag2."""

import contextlib
import dataclasses
import hashlib
import re
import tempfile
import warnings
from pathlib import Path

from .blocks import SUFFIXES, MarkdownCodeExtractor, name_in
from .functions import PROMPT, check_of, module_of, prompt_of
from .runs import DEFAULT_MEMORY, FumehoodError, run
from .session import Session, failure
from .work_folder import write_file


@dataclasses.dataclass
class CodeResult:
    """CommandLineCodeResult."""

    exit_code: int
    output: str
    code_file: str = None


class CodeExecutor:
    """Code blocks run one after the other until one fails.

    `work_dir`: a folder that the blocks share and keep, and in which their code is saved; without one it is a temporary
    folder that ends with the executor. `execution_policies`: by language, whether its blocks run or are only saved.
    `functions`: functions of yours that the blocks import from the module `functions_module`; they run inside, as the
    blocks do. `virtual_env_context`: an environment whose Python is used. `cleanup_temp_files`: the code of a block that gives
    no name for it is not kept."""

    DEFAULT_EXECUTION_POLICY = {"bash": True, "shell": True, "sh": True, "pwsh": True, "powershell": True, "ps1": True,
                                "python": True, "javascript": False, "html": False, "css": False}
    ALIASES = {"py": "python", "js": "javascript", "": "python"}
    FUNCTION_PROMPT_TEMPLATE = PROMPT
    code_extractor = MarkdownCodeExtractor()

    def __init__(self, timeout=60, work_dir=None, functions=(), functions_module="functions", execution_policies=None,
                 virtual_env_context=None, memory=DEFAULT_MEMORY, options=(), cleanup_temp_files=False):
        if timeout < 1:
            raise ValueError("Timeout must be greater than or equal to 1.")
        if not functions_module.isidentifier():
            raise ValueError("Module name must be a valid Python identifier")
        self.timeout, self.functions, self.functions_module = timeout, list(functions), functions_module
        self.execution_policies = {**self.DEFAULT_EXECUTION_POLICY, **(execution_policies or {})}
        self._temporary = tempfile.TemporaryDirectory(prefix="fumehood-") if work_dir is None else None
        self.work_dir = Path(self._temporary.name if work_dir is None else work_dir)
        self.work_dir.mkdir(parents=True, exist_ok=True)
        self._memory, self._options = memory, [*options, "--work-dir", str(self.work_dir)]
        self._interpreter = [] if virtual_env_context is None else ["--interpreter", virtual_env_context.env_exe]
        self._stop, self._is_cancelled = None, False
        self._has_module, self._cleans = not self.functions, cleanup_temp_files

    def format_functions_for_prompt(self, prompt_template=PROMPT):
        """A text for a system prompt that tells about `functions`."""
        return prompt_of(self.functions, self.functions_module, prompt_template)

    def execute_code_blocks(self, code_blocks):
        """`code_blocks`: objects with `code` and `language`. Returns a CodeResult: the exit code of the last block that was run,
        the output of all, and the file in which the first was saved. Raises ValueError if `functions` cannot be imported,
        which who wrote the blocks could not mend."""
        if not code_blocks:
            raise ValueError("No code blocks to execute.")
        output, code_file = "", None
        try:
            if not self._has_module:
                self._has_module = self._write_module()
            for block in code_blocks:
                exit_code, text, path = self._execute(block)
                output, code_file = output + text, code_file or path
                if exit_code != 0:
                    return CodeResult(exit_code, output, code_file)
            return CodeResult(0, output, code_file)
        finally:
            self._stop, self._is_cancelled = None, False

    def cancel(self):
        """From another thread: ends the block that runs; the others are not run."""
        self._is_cancelled = True
        if self._stop is not None:
            self._stop()

    def restart(self):
        """Nothing is kept between blocks but the files in `work_dir`."""
        warnings.warn("Blocks share nothing but files, which stay. No action is taken.", stacklevel=2)

    def close(self):
        """Removes the temporary folder."""
        if self._temporary is not None:
            self._temporary.cleanup()

    def _write_module(self):
        """Whether it is there, and can be imported; False if that was cancelled."""
        write_file(self.work_dir, f"{self.functions_module}.py", module_of(self.functions))
        try:
            result = run(check_of(self.functions, self.functions_module), "python", self.timeout, self._memory,
                         options=self._options + self._interpreter, started=self._started)
        except FumehoodError:
            if not self._is_cancelled:
                raise
            return False
        if not result.success and not self._is_cancelled:
            raise ValueError(f"The functions cannot be imported: {result.error or result.sentence}")
        return result.success

    def _execute(self, block):
        """Exit code, output and the block's file."""
        language = (block.language or "").lower()
        language = self.ALIASES.get(language, language)
        if language not in self.execution_policies:
            return 1, f"Unsupported language {language}\n", None
        name = name_in(block.code, language)
        digest = hashlib.sha256(block.code.encode("utf-8", "replace")).hexdigest()
        try:
            path = write_file(self.work_dir, f"tmp_code_{digest}.{SUFFIXES.get(language, language)}" if name is None else name,
                              block.code)
        except ValueError as error:
            return 1, str(error), None
        if not self.execution_policies[language]:
            return 0, f"Code saved to {path}\n", str(path)
        exit_code, text = self._run(block.code, language)
        if self._cleans and name is None:
            # The program may have put something else in its place.
            with contextlib.suppress(OSError):
                path.unlink()
        return exit_code, text, str(path)

    def _started(self, stop):
        self._stop = stop
        if self._is_cancelled:
            stop()

    def _run(self, code, language):
        options = self._options + (self._interpreter if language == "python" else [])
        try:
            result = run(code, language, self.timeout, self._memory, options=options, started=self._started)
        except FumehoodError as error:
            return (125, "Cancelled") if self._is_cancelled else (1, f"{error}\n")
        output = result.stdout + result.stderr
        if self._is_cancelled:
            return 125, output + "\nCancelled"
        if result.timeout:
            return 124, output + "\nTimeout"
        if result.exit_code is not None:
            return result.exit_code, output
        # 128 + the signal, as a shell has it; a limit kills.
        return 128 + (result.signal or 9), f"{output}{result.sentence}\n"


@dataclasses.dataclass
class JupyterCodeResult:
    """IPythonCodeResult."""

    exit_code: int
    output: str
    output_files: list


class JupyterExecutor:
    """The executor with memory: blocks of Python share an interpreter. Pictures and HTML that they show are saved in a new folder
    in `output_dir`, or with None in a temporary one; so are other files that they leave. `functions`: functions of yours that
    the blocks call; they run in this process."""

    ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
    code_extractor = MarkdownCodeExtractor()

    def __init__(self, timeout=60, output_dir=".", functions=None, memory=DEFAULT_MEMORY, options=(), kernel_name="python3"):
        if timeout < 1:
            raise ValueError("Timeout must be greater than or equal to 1.")
        if kernel_name != "python3":
            raise ValueError(f"Kernel {kernel_name} is not installed.")
        if output_dir is not None:
            Path(output_dir).mkdir(parents=True, exist_ok=True)
        self.timeout = timeout
        self.output_dir = Path(tempfile.mkdtemp(prefix="shown-", dir=output_dir))
        self._is_cancelled = False
        self._session = Session(timeout, memory, functions, ["--save-files", str(self.output_dir), *options])

    def execute_code_blocks(self, code_blocks):
        """`code_blocks`: objects with `code`. Those behind one that fails are not run."""
        outputs, files, exit_code = [], [], 0
        for block in code_blocks:
            result = self._session.execute(block.code, started=self._started)
            shown = [self.output_dir / name for name in result.shown]
            told = [f"{'HTML' if path.suffix == '.html' else 'Image'} data saved to {path}" for path in shown]
            parts = [result.stdout, result.stderr, result.value, *told]
            files += shown
            if not result.success:
                parts.append("Cancelled" if self._is_cancelled else failure(result))
                exit_code = 125 if self._is_cancelled else 124 if result.timeout else 1
            outputs.append("\n".join(part for part in parts if part))
            if exit_code != 0:
                break
        self._is_cancelled = False
        return JupyterCodeResult(exit_code, self.ANSI.sub("", "\n".join(outputs)), files)

    def cancel(self):
        """From another thread: ends the block that runs; the others are not run."""
        self._is_cancelled = True
        self._session.interrupt(again=False)

    def restart(self):
        """Begins anew, with a new interpreter."""
        self._session.reset()

    def close(self):
        self._session.close()

    def _started(self):
        if self._is_cancelled:
            self._session.interrupt(again=False)
