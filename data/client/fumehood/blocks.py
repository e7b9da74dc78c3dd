# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of code in what a model has written, and the names that it gives them."""

import ast
import dataclasses
import re
import sys

FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`]*$")
COMMENT = re.compile(r"^\s*(?:#|//|/\*|<!--)\s+(filename:)?\s*(.*?)\s*(?:\*/|-->)?\s*$")
PLAIN_NAME = re.compile(r"^[\w-][\w./-]*\.\w+$")
SHELL_WORDS = ("pip", "pip3", "python", "python3")
MODULES = getattr(sys, "stdlib_module_names", ())
SUFFIXES = {"python": "py", "javascript": "js", "sh": "sh", "shell": "sh", "bash": "sh", "pwsh": "ps1", "powershell": "ps1"}


@dataclasses.dataclass
class CodeBlock:
    code: str
    language: str


def _guess(code):
    """The language of a block that does not say: a command, or Python, which reports what is wrong with it."""
    if code.split(None, 1)[:1] and code.split(None, 1)[0] in SHELL_WORDS:
        return "sh"
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return ""
    return "python"


def _texts(message):
    if message is None or isinstance(message, str):
        return [message or ""]
    return [part["text"] for part in message if part.get("type") == "text"]


class MarkdownCodeExtractor:
    """Finds the blocks between fences."""

    def extract_code_blocks(self, message):
        """`message`: a text, or parts of which some have a text."""
        blocks = []
        for text in _texts(message):
            fence, lines = None, []
            for line in text.splitlines():
                found = FENCE.match(line)
                if fence is None and found:
                    fence, lines = found, []
                elif fence is not None and found and not found[3] and found[2].startswith(fence[2]):
                    code = "\n".join(lines)
                    blocks.append(CodeBlock(code, fence[3] or _guess(code)))
                    fence = None
                elif fence is not None:
                    lines.append(line[len(fence[1]):] if line.startswith(fence[1]) else line)
        return blocks


def _fits(name, language):
    suffix = name.rpartition(".")[2].lower()
    return suffix == SUFFIXES.get(language, language) or (suffix, language) in (("bash", "bash"), ("htm", "html"))


def name_in(code, language):
    """The file's name that the first line has: "# filename: a.py"; or "# a.py" and nothing else, if it is one for this language
    and none that Python would then import instead of a module of its own. None if there is none."""
    lines = code.lstrip().splitlines()
    found = COMMENT.match(lines[0]) if lines else None
    if found is None or found[1]:
        return found and found[2]
    name = found[2]
    is_name = PLAIN_NAME.match(name) and _fits(name, language) and name.partition(".")[0] not in MODULES
    return name if is_name else None
