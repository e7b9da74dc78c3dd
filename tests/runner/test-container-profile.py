# SPDX-License-Identifier: GPL-3.0-or-later
"""The seccomp profiles of containers: lists of what is allowed, made from the runner's rules, and nowhere weaker than
what engines take by themselves, but for calls that the filter inside refuses."""

import json
import os
import re
import sys
from pathlib import Path

from tap import Skip, Tap, equal, must

FOLDER = Path(os.environ["FH_RUNNER"]).parent
RULES = Path(os.environ["FH_SOURCE_ROOT"]) / "src" / "runner" / "guards" / "seccomp-rules.h"
ENGINES_OWN = [Path("/usr/share/containers/seccomp.json"), Path("/etc/containers/seccomp.json")]

# What the runner itself needs; the guest is refused it inside.
OF_THE_RUNNER = {"memfd_create", "landlock_create_ruleset", "landlock_add_rule"}
# Calls that say something about other processes' futexes or the caller's own files, and are newer than some of the
# lists that we are compared with.
NEWER = {"fchmodat2", "futex_waitv", "mseal", "lsm_get_self_attr", "lsm_list_modules", "setxattrat", "getxattrat",
         "listxattrat", "removexattrat", "file_getattr", "file_setattr", "riscv_hwprobe"}


def load(watched):
    return json.loads((FOLDER / f"container-seccomp{'-watched' if watched else ''}.json").read_text())


def rules():
    """Name and whether it is told, of every call that is refused whatever its arguments are."""
    text = RULES.read_text()
    table = text[text.index("seccomp_rules[] = {"):text.index("\n};", text.index("seccomp_rules[] = {"))]
    found = re.findall(r'\{ "(\w+)", \w+, (REPORTED|QUIETLY)(?:, \d+)?(, WITHOUT_NAMESPACES)?', table)
    return {name: reporting == "REPORTED" for name, reporting, elsewhere in found if not elsewhere}


def allowed(found, with_arguments=False):
    """Names of calls that are let through; those with conditions only when asked for."""
    return {name for entry in found["syscalls"] if entry["action"] == "SCMP_ACT_ALLOW" and not entry.get("includes")
            and bool(entry.get("args")) == with_arguments for name in entry["names"]}


def is_a_list():
    for watched in (False, True):
        found = load(watched)
        equal((found["defaultAction"], found["defaultErrnoRet"]), ("SCMP_ACT_ERRNO", 1), "all else")
        equal(len(found["architectures"]), 1, "architectures")
        names = [name for entry in found["syscalls"] if not entry.get("args") for name in entry["names"]]
        equal(len(names), len(set(names)), "each call once")
        must(all(entry["names"] for entry in found["syscalls"]), "an entry without a name")
        equal({entry["action"] for entry in found["syscalls"]}, {"SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"}, "actions")
        must(len(allowed(found)) > 200, "most of the list is missing")


def unwatched():
    found = load(False)
    table = rules()
    must(len(table) > 80, f"only {len(table)} rules were read")
    equal((allowed(found) | allowed(found, True)) & set(table), OF_THE_RUNNER, "refused by the rules, and let through")
    conditions = allowed(found, True)
    must({"clone", "socket", "socketpair", "personality", "seccomp"} <= conditions, conditions)
    must(not conditions & allowed(found), "let through with and without a condition")


def watched():
    """Beyond what is always let through, exactly the calls that are told."""
    table = rules()
    more = allowed(load(True)) - allowed(load(False))
    told = {name for name, is_told in table.items() if is_told}
    must(more - allowed(load(False), True) <= told, f"{sorted(more - told)}")
    equal(allowed(load(True)) & {name for name, is_told in table.items() if not is_told}, OF_THE_RUNNER,
          "refused without being told, and let through")
    equal(allowed(load(True), True), set(), "conditions")
    must({"ptrace", "unshare", "statmount", "keyctl", "bpf"} <= more, more)


def needs_of_the_runner():
    found = load(False)
    names = allowed(found) | allowed(found, True)
    needs = {"prctl", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "pidfd_open",
             "pidfd_send_signal", "openat2", "close_range", "memfd_create", "execveat", "prlimit64", "vfork", "capset",
             "capget", "signalfd4", "timerfd_create", "ppoll", "getdents64", "waitid"}
    equal(needs - names, set(), "what it cannot do without")


def not_weaker():
    """Than the list that the engines take for everybody, for a container without capabilities."""
    own = next((path for path in ENGINES_OWN if path.exists()), None)
    if own is None:
        raise Skip("no engine has left its own profile here")
    theirs = json.loads(own.read_text())
    theirs = {name for entry in theirs["syscalls"] if entry["action"] == "SCMP_ACT_ALLOW" for name in entry["names"]
              if not entry.get("includes", {}).get("caps")}
    equal(allowed(load(False)) - theirs - NEWER, set(), "let through by ours alone")
    equal(allowed(load(True)) - theirs - NEWER - set(rules()), set(), "let through by the watched one, and not refused inside")


def main():
    tap = Tap()
    tap.case("a list of what is allowed", is_a_list)
    tap.case("nothing that the rules refuse", unwatched)
    tap.case("what is told is left to the filter inside", watched)
    tap.case("the runner can do its work", needs_of_the_runner)
    tap.case("not weaker than the engines' own", not_weaker)
    sys.exit(tap.done())


main()
