# SPDX-License-Identifier: GPL-3.0-or-later
"""Everyday programs work in every kind of sandbox, however closely they are watched, and none of them is
reported to have been denied anything: a reader of reports about harmless programs stops reading."""

import json
import os
import sys
import tempfile

import everyday
from containers import IS_SHORT
from guarded import (DIFFERENCES, IN_CONTAINER, IN_FLATPAK, IS_LONG, RUN, STATE, command, missing, must, must_work,
                     reason_to_skip, save, tell_differences)
from tap import Skip, Tap

SANITIZED = bool(os.environ.get("FH_SANITIZED"))
SUFFIX = {"python": ".py", "bash": ".sh"}
# Name, options.
WAYS = {
    "tier A": ("A", ()),
    "tier A, every file watched": ("A", ("--watch", "files")),
    "tier A, not watched": ("A", ("--watch", "off")),
    "tier A2": ("A2", ()),
    "tier B": ("B", ()),
}
CONTAINER_WAYS = {
    "container": ("D", ()),
    "container, every file watched": ("D", ("--watch", "files")),
    "container, not watched": ("D", ("--watch", "off")),
}
FLATPAK_WAYS = {
    "tier F": ("F", ()),
    "tier F, every file watched": ("F", ("--watch", "files")),
    "tier F, not watched": ("F", ("--watch", "off")),
}
# A container has these of its own: processes, memory that they share, a folder for temporary files with modes and links,
# a loopback address, no terminal, and input that comes by way of the engine. container-long tries all, in each way.
SHORT_WAYS = ("container, every file watched",)
SHORT_PROGRAMS = (
    "50 threads", "asyncio with a server", "a pool of processes", "temporary files", "100 MB of input",
    "process substitution", "memory maps", "threads and fork", "shared memory", "its own priority", "without a terminal",
    "links, modes and times", "select, poll and epoll")
FIRST = "D" if IN_CONTAINER else "F" if IN_FLATPAK else "A"


def input_of(size):
    if size == 0:
        return []
    with tempfile.NamedTemporaryFile(dir=STATE.name, delete=False) as file:
        for _ in range(size // 1000000):
            file.write(b"x" * 1000000)
    return ["--stdin", file.name]


def run(program, tier, options):
    path = save(program.source, SUFFIX[program.language])
    # A container is no rung of the ladder, and so is not chosen by its letter.
    chosen = [] if IN_CONTAINER else ["--tier", tier]
    words = [*RUN, "--json", "--no-history", *chosen, "--language", program.language, *options,
             *program.options, *input_of(program.stdin), path]
    return json.loads(command(*words).stdout)


def works(program, tier, options):
    if missing(*program.needs):
        raise Skip(f"{missing(*program.needs)} is not installed")
    result = run(program, tier, options)
    must(result["stdout"] == program.output and result["success"],
         f"{result['sentence']} expected {program.output!r}, got {result['stdout'][-500:]!r}, {result['stderr'][-900:]!r}")
    denied = [f"{one['guard']} {one['operation']} {one['object']} ({one.get('command')})"
              for one in result["attempts"] if one["verdict"] == "denied"]
    must(not denied, f"an everyday program is said to have been denied: {denied}")


def why_not(tier):
    result = run(everyday.Program("print('ran')\n", ""), tier, ())
    if result["tier"] != tier:
        return f"it runs in tier {result['tier']}"
    return None if result["success"] else result["sentence"]


def why_left_out(name, tier):
    if name in DIFFERENCES:
        return DIFFERENCES[name][1]
    # Inside, tier F is what tier B is.
    return everyday.EXCEPTIONS.get((name, "B" if tier == "F" else tier))


def is_chosen(place, way):
    """On this computer each program is tried in the first way and in one of the others; with --long in all of them."""
    others = list(WAYS)[1:]
    return way not in others or IS_LONG or others[place % len(others)] == way


def try_way(tap, way, tier, options):
    for place, (name, program) in enumerate(everyday.PROGRAMS.items()):
        if IS_SHORT and name not in SHORT_PROGRAMS or not is_chosen(place, way):
            continue
        if why_left_out(name, tier):
            tap.skip(f"{way}: {name}", why_left_out(name, tier))
        else:
            tap.case(f"{way}: {name}", works, program, tier, options)


def main():
    tap = Tap()
    reason = reason_to_skip()
    ways = CONTAINER_WAYS if IN_CONTAINER else FLATPAK_WAYS if IN_FLATPAK else WAYS
    ways = {way: ways[way] for way in SHORT_WAYS} if IS_SHORT else ways
    reasons = {tier: reason or why_not(tier) for tier in dict.fromkeys(tier for tier, _ in ways.values())}
    for way, (tier, options) in ways.items():
        if SANITIZED and (options or tier == "A2"):
            tap.skip(way, "sanitizers have seen the same code in another way")
        elif reasons[tier] is not None:
            if tier == FIRST and must_work():
                tap.ok(False, way, [reasons[tier]])
            else:
                tap.skip(way, reasons[tier])
        else:
            try_way(tap, way, tier, options)
    STATE.cleanup()
    tell_differences(tap, everyday.PROGRAMS)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
