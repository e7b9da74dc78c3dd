# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads lines that only notebooks know, "!ls", "%pip install x" and "x?", as what they mean there.

Loaded by session.py when a cell is no Python, and by bootstrap.py for a program that may have such lines. Only where Python
stops is a line, or the cell that it is in, read so: what stands in a text or a comment stays as it is. Each such line is
replaced by one line, so that all keep their numbers. What these lines need is imported by the cell itself, where the guard
of imports sees it.
"""

import builtins
import re
import sys

LEFT_OUT = {"matplotlib", "config", "load_ext", "reload_ext", "autoreload", "pylab", "colors", "xmode", "precision"}
CELLS_LEFT_OUT = {"time", "capture", "timeit", "prun"}
SHELL_WORDS = {"ls", "cat", "cp", "mv", "rm", "mkdir", "rmdir", "pwd", "head", "tail", "ll", "man", "less", "more", "env"}
SHELLS = {"bash", "sh", "shell", "script bash", "script sh"}
PACKAGES = {"pip", "pip3", "uv", "conda", "mamba"}
NAME = re.compile(r"[A-Za-z_][\w.]*\Z")
PARTS = re.compile(r"(\s*)(?:([A-Za-z_][^=!%]*)=\s*)?(!!?|%)\s*(.*)\Z", re.DOTALL)
VARIABLE = re.compile(r"\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)")
LINES_MAX = 10000
TOLD_MAX = 50
ABOUT_MAX = 500
ASK = '_notebook.%s(__import__("%s"), %r, locals())'


class Notebook:
    """The functions that such lines become."""

    def __init__(self, namespace):
        self.namespace = namespace

    def filled(self, command, names):
        """As in a notebook: {x} and $x are variables of Python, if there is one of that name."""
        def value(found):
            name = found[1] or found[2]
            place = names if name in names else self.namespace
            return str(place[name]) if name in place else found[0]
        return VARIABLE.sub(value, command)

    def flush(self):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()

    def shell(self, subprocess, command, names):
        self.flush()
        subprocess.run(["/bin/sh", "-c", self.filled(command, names)], stdin=subprocess.DEVNULL, check=False)

    def lines(self, subprocess, command, names):
        self.flush()
        return subprocess.run(["/bin/sh", "-c", self.filled(command, names)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              check=False).stdout.decode(errors="replace").splitlines()

    def bash(self, subprocess, program, names):
        self.flush()
        subprocess.run(["bash", "-c", program], stdin=subprocess.DEVNULL, check=True)

    def sh(self, subprocess, program, names):
        self.flush()
        subprocess.run(["sh", "-c", program], stdin=subprocess.DEVNULL, check=True)

    def cd(self, os, path, names):
        os.chdir(os.path.expanduser(self.filled(path, names) or "~"))

    def set(self, os, text, names):
        name, _, value = text.replace("=", " ", 1).partition(" ")
        if name == text:
            print(os.environ.get(name))
        else:
            os.environ[name] = self.filled(value.strip(), names)

    def run(self, runpy, path, names):
        self.namespace.update(runpy.run_path(self.filled(path, names), run_name="__main__"))

    def timeit(self, timeit, code, names):
        number, seconds = timeit.Timer(code, globals={**self.namespace, **names}).autorange()
        print("%.3g s per loop, of %d loops" % (seconds / number, number))

    def about(self, inspect, value):
        print("Type: %s\nValue: %s" % (type(value).__qualname__, repr(value)[:ABOUT_MAX]))
        try:
            print("Signature: %s" % inspect.signature(value))
        except (TypeError, ValueError):
            pass
        print(inspect.getdoc(value) or "")

    def write(self, os, parts, names):
        mode, path, text = parts
        with open(os.path.expanduser(path), mode, encoding="utf-8") as file:
            file.write(text)


class Unknown(SyntaxError):
    pass


Unknown.__name__ = Unknown.__qualname__ = "SyntaxError"
Unknown.__module__ = "builtins"


def read_magic(name, rest):
    """The Python that it means; None if that is nothing."""
    if name in LEFT_OUT:
        return None
    if name in PACKAGES:
        program = '"%s" -m pip' % sys.executable if name in ("pip", "pip3") else name
        return ASK % ("shell", "subprocess", "%s %s" % (program, rest))
    if name in SHELL_WORDS and not (name == "env" and rest):
        return ASK % ("shell", "subprocess", ("%s %s" % ({"ll": "ls -l"}.get(name, name), rest)).strip())
    if name == "time":
        return rest or None
    known = {"cd": ("cd", "os"), "env": ("set", "os"), "set_env": ("set", "os"), "run": ("run", "runpy"), "timeit": ("timeit", "timeit"),
             "sx": ("lines", "subprocess"), "system": ("shell", "subprocess")}
    if name not in known:
        raise Unknown("%%%s is a command of notebooks that is not known here" % name)
    return ASK % (*known[name], rest)


def read_line(line):
    """The Python that it means, "" for nothing; None if it is not such a line."""
    stripped = line.strip()
    asked = stripped.strip("?")
    if asked != stripped and NAME.match(asked):
        indent = line[:len(line) - len(line.lstrip())]
        return '%s_notebook.about(__import__("inspect"), %s)' % (indent, asked)
    found = PARTS.match(line.rstrip())
    if found is None:
        return None
    indent, target, kind, rest = found.groups()
    if kind == "%":
        name, _, rest = rest.partition(" ")
        if not name.isidentifier():
            return None
        code = read_magic(name, rest.strip())
        if code is None:
            return "" if target is None and not indent else "%spass" % indent
    else:
        code = ASK % ("lines" if target or kind == "!!" else "shell", "subprocess", rest)
    return "%s%s%s" % (indent, "%s = " % target if target else "", code)


def read_cell(lines, first):
    """A whole cell that a first line such as "%%bash" is about: what becomes of that line and of the others."""
    words = lines[first].strip()[2:].split()
    name, rest = words[0] if words else "", "\n".join(lines[first + 1:]).rstrip("\n") + "\n"
    if " ".join(words[:2]) in SHELLS or name in SHELLS:
        shell = "sh" if words[-1] == "sh" else "bash"
        return [*lines[:first], ASK % (shell, "subprocess", rest)]
    if name in ("writefile", "file") and len(words) > 1:
        return [*lines[:first], ASK % ("write", "os", ("a" if "-a" in words else "w", words[-1], rest))]
    if name in CELLS_LEFT_OUT:
        return [*lines[:first], "", *lines[first + 1:]]
    raise Unknown("%%%%%s is a command of notebooks that is not known here" % name)


def is_marker(line):
    return line[:1] == "#" and line[1:].lstrip()[:2] == "%%"


def find_cell(lines, place):
    """Where the cell of that line begins and ends, and the place of its first line that is no title."""
    begin = next((at for at in range(place, 0, -1) if is_marker(lines[at])), 0)
    end = next((at for at in range(place + 1, len(lines)) if is_marker(lines[at])), len(lines))
    return begin, end, next((at for at in range(begin, end) if lines[at].strip() and not is_marker(lines[at])), begin)


def read_at(lines, place):
    """Replaces the line at which Python stops, or its cell. Returns the place of the line that says so, and whether anything
    is left of it; None if it is no line for a notebook."""
    begin, end, first = find_cell(lines, place)
    if lines[first].lstrip()[:2] == "%%":
        name = lines[first].strip()[2:].partition(" ")[0]
        new = read_cell(lines[begin:end], first - begin)
        lines[begin:end] = new + [""] * (end - begin - len(new))
        return first, name not in CELLS_LEFT_OUT
    # A command may go on in the next lines, as in a shell.
    line, last = lines[place], place
    while line.endswith("\\") and last + 1 < len(lines):
        last += 1
        line = line[:-1] + lines[last]
    new = read_line(line)
    if new is None or new == lines[place]:
        return None
    lines[place:last + 1] = [new] + [""] * (last - place)
    return place, new.strip() not in ("", "pass")


def read_as_notebook(code, parse):
    """Returns the tree of the cell, the lines that were read as what they mean, and those that were left out. None if it
    is no Python for another reason. `parse`: makes a tree of a text, or raises a SyntaxError."""
    lines, ran, left_out = code.split("\n"), [], []
    for _ in range(LINES_MAX):
        try:
            return parse("\n".join(lines)), sorted(ran)[:TOLD_MAX], sorted(left_out)[:TOLD_MAX]
        except SyntaxError as error:
            number = error.lineno
        if not number or number > len(lines):
            return None
        try:
            read = read_at(lines, number - 1)
        except Unknown as error:
            error.lineno, error.text = number, code.split("\n")[number - 1] + "\n"
            raise
        if read is None:
            return None
        (ran if read[1] else left_out).append(read[0] + 1)
    return None


def read_program(source, path, namespace):
    """Returns the code of a program that has such lines, and says on stderr which. `source`: bytes."""
    def compiled(text):
        return compile(text, path, "exec", dont_inherit=True)

    try:
        found = read_as_notebook(source.decode("utf-8-sig").replace("\r\n", "\n"), compiled)
    except Unknown as error:
        error.filename = path
        raise
    except UnicodeDecodeError:
        found = None
    if found is None:
        return compiled(source)
    code, ran, left_out = found
    for words, lines in (("run as what they mean there", ran), ("left out", left_out)):
        if lines:
            print("[Lines for a notebook that were %s: %s]" % (words, ", ".join(map(str, lines))), file=sys.stderr)
    builtins._notebook = Notebook(namespace)
    return code
