# SPDX-License-Identifier: GPL-3.0-or-later
"""Everyday programs work in every kind of sandbox, however closely they are watched, and none of them is
reported to have been denied anything: who is told of harmless programs stops reading."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import everyday
from guarded import STATE, command, must, reason_to_skip, save
from tap import Skip, Tap

SUFFIX = {"python": ".py", "bash": ".sh"}
# Name, options.
WAYS = {
    "tier A": ("A", ()),
    "tier A, every file watched": ("A", ("--watch", "files")),
    "tier A, not watched": ("A", ("--watch", "off")),
    "tier A2": ("A2", ()),
    "tier B": ("B", ()),
}


def missing(need):
    """Whether what a program needs is not on this machine."""
    if need.startswith("python:"):
        words = ["/usr/bin/python3", "-c", f"import {need[7:]}"]
        return subprocess.run(words, check=False, capture_output=True).returncode != 0
    if need.startswith("/"):
        return not os.path.exists(need)
    return shutil.which(need, path="/usr/bin:/bin") is None


def input_of(size):
    if size == 0:
        return []
    with tempfile.NamedTemporaryFile(dir=STATE.name, delete=False) as file:
        for _ in range(size // 1000000):
            file.write(b"x" * 1000000)
    return ["--stdin", file.name]


def run(program, tier, options):
    path = save(program.source, SUFFIX[program.language])
    words = ["run", "--json", "--no-history", "--tier", tier, "--language", program.language, *options,
             *program.options, *input_of(program.stdin), path]
    return json.loads(command(*words).stdout)


def works(program, tier, options):
    for need in program.needs:
        if missing(need):
            raise Skip(f"{need} is not installed")
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


def main():
    tap = Tap()
    reason = reason_to_skip()
    must_work = os.environ.get("FH_MUST_SANDBOX") == "1"
    reasons = {tier: reason or why_not(tier) for tier in ("A", "A2", "B")}
    for way, (tier, options) in WAYS.items():
        if reasons[tier] is not None:
            if tier == "A" and must_work:
                tap.ok(False, way, [reasons[tier]])
            else:
                tap.skip(way, reasons[tier])
            continue
        for name, program in everyday.PROGRAMS.items():
            if (name, tier) in everyday.EXCEPTIONS:
                tap.skip(f"{way}: {name}", everyday.EXCEPTIONS[name, tier])
            else:
                tap.case(f"{way}: {name}", works, program, tier, options)
    STATE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
