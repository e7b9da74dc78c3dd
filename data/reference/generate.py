# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a manual page for each command: its --help, then the sections in more/NAME.txt, which are
too long for --help and have the same form.

Arguments: the folder for the pages, the version, fumehoodctl, and fumehood if it is built.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

OPTION = re.compile(r"^  (?:(-\w), )?(--[\w-]+)(?:=(\S+))?(?: +(.*))?$")
HEADING = re.compile(r"^(\S.{0,40}):$")
ITEM = re.compile(r"^  (\S.*?)(?: {2,}(\S.*))?$")
MORE = re.compile(r"^ {4,}(\S.*)$")
MORE_SECTIONS = Path(__file__).parent / "more"
COMMAND = re.compile(r"^  ([a-z]+)(?: (.*))?\n {6}(.*)$", re.MULTILINE)


def ask(*words):
    # A program that shows its help exits in the middle of its work, which is no leak.
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "", "ASAN_OPTIONS": "detect_leaks=0"}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout


def roff(text):
    for character, escape in (("\\", "\\e"), ("-", "\\-"), ("“", "\\(lq"), ("”", "\\(rq"), ("’", "\\(cq")):
        text = text.replace(character, escape)
    return "\\&" + text if text.startswith((".", "'")) else text


def option(match):
    short, name, argument, text = match.groups()
    flag = f"\\fB{roff(name)}\\fR" + (f"=\\fI{roff(argument)}\\fR" if argument else "")
    return [".TP", (f"\\fB{roff(short)}\\fR, " if short else "") + flag, roff(text or "")]


def text(lines):
    """Headings, options, lists with two columns, lines to be kept as they are, and paragraphs."""
    page, after_item = [], False
    for number, line in enumerate(lines):
        options = OPTION.match(line)
        if HEADING.match(line):
            is_group = any(OPTION.match(following) for following in lines[number + 1:number + 2])
            page += [(".SS " if is_group else ".SH ") + roff(line[:-1] if is_group else line[:-1].upper())]
        elif options:
            page += option(options)
        elif after_item and MORE.match(line):
            page += [roff(line.strip())]
            continue
        elif ITEM.match(line):
            left, right = ITEM.match(line).groups()
            page += [".TP", f".B {roff(left)}", roff(right)] if right else [".TP", f".B {roff(left)}"]
        elif line:
            page += [".PP"] * after_item + [roff(line)]
        else:
            page += [".PP"]
        after_item = bool(ITEM.match(line))
    return page


def page(name, summary, help_text, version, others):
    """The usage, then a summary, groups of options, and a description with headings."""
    usage, rest = help_text.split("\n", 1)[1].split("\n", 1)
    blocks = re.split(r"\n\n(?=\S)", rest.strip("\n"))
    groups = [block for block in blocks if OPTION.match((block.split("\n") + [""])[1])]
    titled = [block for block in blocks if HEADING.match(block.split("\n")[0]) and block not in groups]
    plain = [block for block in blocks if block not in groups and block not in titled]
    lines = [f'.TH {roff(name.upper())} 1 "" "Fumehood {version}" "User Commands"', ".SH NAME",
             f"{roff(name)} \\- {roff(summary)}", ".SH SYNOPSIS", roff(usage.strip()), ".SH DESCRIPTION"]
    lines += text("\n\n".join(plain).split("\n")) + [".SH OPTIONS"]
    for block in groups + titled:
        lines += text(block.split("\n"))
    more = MORE_SECTIONS / f"{name}.txt"
    if more.exists():
        lines += text(more.read_text(encoding="utf-8").split("\n"))
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{roff(other)}\\fR(1)" for other in others if other != name)]
    return "\n".join(line for line in lines if line) + "\n"


def main():
    folder, version, ctl, *app = sys.argv[1:]
    overview = ask(ctl, "--help")
    commands = {match[1]: match[3] for match in COMMAND.finditer(overview)}
    names = ["fumehoodctl", *(f"fumehoodctl-{command}" for command in commands)] + ["fumehood"] * bool(app)
    pages = {f"fumehoodctl-{name}": (summary, ask(ctl, name, "--help-all")) for name, summary in commands.items()}
    pages["fumehoodctl"] = ("Run untrusted code in a sandbox", overview)
    for program in app:
        pages["fumehood"] = ("Run untrusted code and see what it does", ask(program, "--help"))
    for name, (summary, help_text) in pages.items():
        Path(folder, f"{name}.1").write_text(page(name, summary, help_text, version, names), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
