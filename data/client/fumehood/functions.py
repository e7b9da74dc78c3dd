# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of the caller's as a module that blocks import, and as stubs for prompts: AutoGen's and ag2's `functions`."""

import ast
import inspect
import re
import string
import textwrap

PROMPT = """You can import these functions of the module `$module_name`. What they do is already written:

$functions"""


def _import(what):
    """Of "module", of an alias, or of names from a module: objects that say so by what they have."""
    def name(item):
        return item if isinstance(item, str) else f"{item.name} as {item.alias}"
    if hasattr(what, "module"):
        return f"from {what.module} import {', '.join(name(item) for item in what.imports)}"
    return f"import {name(what)}"


def _source(function):
    """Without the decorator that says what it requires, which is not there where it runs."""
    if isinstance(function, str):
        return textwrap.dedent(function)
    inner = getattr(function, "func", function)
    source = inner if isinstance(inner, str) else inspect.getsource(inner)
    source = textwrap.dedent(source)
    node = ast.parse(source).body[0]
    kept = [ast.unparse(decorator) for decorator in node.decorator_list if "with_requirements" not in ast.unparse(decorator)]
    return "".join(f"@{decorator}\n" for decorator in kept) + "\n".join(source.splitlines()[node.lineno - 1:])


def module_of(functions):
    """The text of the module."""
    imports = []
    for function in functions:
        imports += [line for line in map(_import, getattr(function, "global_imports", ())) if line not in imports]
    return "\n".join(imports) + "\n\n" + "\n\n".join(_source(function).rstrip() for function in functions) + "\n"


def check_of(functions, module_name):
    """A program that fails if a package that a function requires is not installed, or if the module cannot be imported."""
    packages = {re.match(r"[\w.-]*", str(package))[0] for function in functions for package in getattr(function, "python_packages", ())}
    return f"import importlib.metadata\nfor name in {sorted(packages)}:\n    importlib.metadata.version(name)\nimport {module_name}\n"


def stub(function):
    """Signature and text of a function, without what it does."""
    if isinstance(function, str) or isinstance(getattr(function, "func", None), str):
        node = ast.parse(_source(function)).body[0]
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        name, signature, doc = node.name, f"({ast.unparse(node.args)}){returns}", ast.get_docstring(node)
    else:
        name, signature, doc = function.__name__, inspect.signature(function), inspect.getdoc(function)
    text = textwrap.indent(f'"""{doc}"""\n', "    ") if doc else ""
    return f"def {name}{signature}:\n{text}    ..."


def prompt_of(functions, module_name, template=PROMPT):
    """The text for a system prompt: in `template`, $module_name and $functions are replaced."""
    return string.Template(template).substitute(module_name=module_name, functions="\n\n".join(map(stub, functions)))
