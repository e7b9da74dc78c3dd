# SPDX-License-Identifier: GPL-3.0-or-later
"""One attack: a small program whose first comment says, for people and for the tests, what it tries.

    # SPDX-License-Identifier: …
    # What it tries, in one sentence or two.
    #
    # baseline: works | may REASON | skip REASON
    # arguments: home tcp …
    # expect-status: ok
    # expect-attempt: filesystem open */.ssh/id_rsa hidden
    # tiers: A A2 B

baseline        how it proves, outside of any sandbox and on decoys, that it is an attack: it works; it works
                on some machines only; or it never runs outside, and why
arguments       the decoys that it gets, in this order: see decoys.py
options         options of fumehoodctl; {project} and {busy} are the Pythons of decoy environments
expect-status   how the run may end: "timed-out" or "timed-out:cpu"
expect-attempt  what the result must report: guard, operation, pattern of the object, verdict. "none": nothing
                was denied. "any": whatever. Can be repeated
mark            a file that is on the host if the attack succeeded
reaches         the decoy server that sees it if it succeeds
disturbs        what the witness fails at if it succeeds: see witness.py, which no attack may disturb
noticed         what the witness may notice all the same, and why: "pipes REASON". The run must still be ended
within          maximum duration of the run in seconds on a quick machine, so that it cannot delay its own end
needs           a guard without which, or with a weaker one, nothing stops it: then the result says so
machine         the architecture of its system calls, i386 for the 32-bit calls of x86_64; any by default
slow            yes: it takes seconds of processor time, so that it is tried in tier A alone every day
alone           yes: nothing else runs at the same time, because it uses all resources
tiers           those that it applies to. "expect-status-B" and the like replace the general line there. B4 and
                B5 are tier B with the Landlock of Linux 6.7 and 6.10, which has no scopes; F is for attacks that
                only an app of Flatpak can suffer, others for B are tried there by tests/flatpak as well. Those for A
                are also tried in a forked sandbox, as its second run, unless they need the proxy, and as a cell
                of a session, its second one; which of them, tried_in says

An attack ends with the line STOPPED or SUCCEEDED, unless a limit ends it before.
"""

import fnmatch
import os
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
LICENCE = "SPDX-License-Identifier"
SUFFIXES = (".py", ".sh", ".c")
# By what --tier and which version of Landlock, None being that of the kernel.
TIERS = {"A": ("A", None), "forked": ("A", None), "cell": ("A", None), "A2": ("A2", None), "B": ("B", None), "B4": ("B", 4), "B5": ("B", 5), "F": ("F", None)}
# All but the one that only an installed app has: tests/flatpak.
HERE = [name for name in TIERS if name != "F"]
# What is expected there, unless it is said otherwise: F is B in a sandbox around it.
LIKE = {"F": ("F", "B")}
FIELD = re.compile(r"^([a-z-]+(?:-A2?|-B|-F|-cell)?): +(.*)$")
FIELDS = {"baseline", "arguments", "options", "expect-status", "expect-attempt", "mark", "reaches", "disturbs",
          "noticed", "within", "needs", "machine", "slow", "alone", "tiers"}
OPERATION = (r"(?:fill sockets|hide a process|lock files|pass open files|open files|open pipes|use memory|look up|read attributes of|change attributes of|link to|send to|"
             r"write to|use proxy for|run on|use CPU time|[a-z0-9_]+)")
VERDICT = r"(?:denied|hidden|limited|observed)"
EXPECTED = re.compile(rf"([a-z|-]+) ({OPERATION}(?:\|{OPERATION})*) (\S.*) ({VERDICT}(?:\|{VERDICT})*)$")
# The ends at which a program had the last word.
OWN_ENDS = {"ok", "failed"}


class Expectation:
    """A line "guard operation object verdict"; all but the object can be several, with "|" between them."""

    def __init__(self, text):
        match = EXPECTED.match(text)
        if not match:
            raise ValueError(f"no expected attempt: {text}")
        self.text = text
        self.guards, self.operations, self.verdicts = (set(match[n].split("|")) for n in (1, 2, 4))
        self.object = match[3]

    def is_met_by(self, attempt):
        return (attempt["guard"] in self.guards and attempt["operation"] in self.operations
                and attempt["verdict"] in self.verdicts and fnmatch.fnmatchcase(attempt["object"] or "", self.object))


class Attack:
    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(FOLDER).with_suffix(""))
        self.group = path.parent.name
        self.title, self.fields = read_header(path)
        self.tiers = self.field("tiers").split()
        self.arguments = self.field("arguments", default="").split()
        self.options = self.field("options", default="").split()
        if "A" in self.tiers and "--allow-host" not in self.options:
            self.tiers.append("forked")
        # A cell has no file, and no standard input.
        if "A" in self.tiers and "__file__" not in path.read_text(encoding="utf-8") and "--stdin" not in self.options:
            self.tiers.append("cell")
        self.baseline, _, self.reason = self.field("baseline").partition(" ")
        self.mark = self.field("mark", default="")
        self.reaches = self.field("reaches", default="")
        self.disturbs = self.field("disturbs", default="")
        self.noticed = self.field("noticed", default="").partition(" ")[0]
        self.within = float(self.field("within", default="0")) or None
        self.needs = self.field("needs", default="")
        self.machine = self.field("machine", default="")
        self.is_slow = self.field("slow", default="no") == "yes"
        self.is_alone = self.field("alone", default="no") == "yes"
        self._check()

    def _check(self):
        for tier in self.tiers:
            if tier not in TIERS:
                raise ValueError(f"{self.name}: there is no tier {tier}")
            self.expected_status(tier)
            self.expected_attempts(tier)
        if self.baseline not in ("works", "may", "skip") or (self.baseline != "works") != bool(self.reason):
            raise ValueError(f"{self.name}: baseline is works, may REASON or skip REASON")

    def field(self, name, tier="", default=None):
        """The lines of a field, joined; those for a tier come first."""
        others = LIKE.get(tier) or [TIERS[tier][0]] if tier else []
        for key in (f"{name}-{tier}", *(f"{name}-{other}" for other in others), name):
            if key in self.fields:
                return "\n".join(self.fields[key])
        if default is None:
            raise ValueError(f"{self.name}: {name} is missing")
        return default

    def differs_in(self, tier):
        """Whether its header says something about this tier alone, or that it is for few."""
        return bool(TIERS[tier][1]) or any(key.endswith(f"-{TIERS[tier][0]}") for key in self.fields if tier != "forked")

    def expected_status(self, tier):
        return self.field("expect-status", tier).split()

    def expected_attempts(self, tier):
        """Expectations, or "none" or "any"."""
        lines = self.field("expect-attempt", tier).split("\n")
        return lines[0] if lines[0] in ("none", "any") else [Expectation(line) for line in lines]

    def faults(self, tier, result, must_report=True):
        """What is wrong with a result, as lines; none when the attack was stopped and well reported."""
        found = []
        end = result["status"] + (f":{result['cause']}" if result.get("cause") else "")
        expected = self.expected_status(tier)
        if end not in expected and result["status"] not in expected:
            found.append(f"it ended as {end}, expected {' or '.join(expected)}: {result.get('sentence')}")
        lines = result["stdout"].split("\n")
        if "SUCCEEDED" in lines:
            found.append("it SUCCEEDED")
        elif result["status"] in OWN_ENDS and "STOPPED" not in lines and not self.mark:
            found.append("it does not say that it was stopped")
        if must_report:
            found += self._missing(tier, result)
        if found:
            found.append(f"output: {result['stdout'][-300:]!r} {result['stderr'][-500:]!r}")
        return found

    def _missing(self, tier, result):
        expected = self.expected_attempts(tier)
        attempts = result["attempts"]
        if expected == "any":
            return []
        if expected == "none":
            loud = [attempt for attempt in attempts if attempt["verdict"] == "denied"]
            return [f"reported without need: {show(attempt)}" for attempt in loud]
        lines = [f"not reported: {one.text}" for one in expected
                 if not any(one.is_met_by(attempt) for attempt in attempts)]
        if lines:
            lines += [f"  reported was: {show(attempt)}" for attempt in attempts[:12]]
        return lines


def show(attempt):
    return " ".join(str(attempt.get(name)) for name in ("guard", "operation", "object", "verdict", "layer"))


def read_header(path):
    """The sentence and the fields of the first comment behind the licence."""
    title, fields = [], {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#!") or LICENCE in line:
            continue
        if not line.startswith(("#", "/*", " *")):
            break
        text = line.removeprefix("#").removeprefix("/*").removeprefix(" *").strip()
        match = FIELD.match(text)
        if match:
            name = re.sub(r"-(A2?|B|F|cell)$", "", match[1])
            if name not in FIELDS:
                raise ValueError(f"{path}: unknown field {match[1]}")
            fields.setdefault(match[1], []).append(match[2])
        elif text and not fields:
            title.append(text)
    if not title:
        raise ValueError(f"{path}: it does not say what it tries")
    return " ".join(title), fields


def all_attacks(patterns=()):
    """All of them, or those whose name matches one of the patterns, in order of their names."""
    attacks = [Attack(path) for path in sorted(FOLDER.glob("*/*")) if path.suffix in SUFFIXES]
    return [one for one in attacks if not patterns or any(fnmatch.fnmatch(one.name, p) for p in patterns)]


def kind_of(one, tier):
    """Attacks of one kind belong to one group, end alike and are stopped by the same guards: what is built another
    way in a tier is a guard, and without it all attacks of a kind succeed."""
    expected = one.expected_attempts(tier)
    guards = expected if isinstance(expected, str) else frozenset(
        (frozenset(line.guards), frozenset(line.verdicts)) for line in expected)
    return one.group, one.field("expect-status", tier), guards


def tried_in(attacks, tier):
    """In tier A, whose sandbox nearly everybody gets, and in F all of them. Elsewhere, without slow ones, one of each
    kind, and those of which something else is expected there; as a cell one of each group. With FH_ATTACKS=all: all."""
    fitting = [one for one in attacks if tier in one.tiers]
    if tier in ("A", "F") or os.environ.get("FH_ATTACKS") == "all":
        return fitting
    fitting = [one for one in fitting if not one.is_slow]
    if tier == "cell":
        return list({one.group: one for one in reversed(fitting)}.values())
    own = [one for one in fitting if one.differs_in(tier)]
    return sorted({*own, *{kind_of(one, tier): one for one in reversed(fitting)}.values()}, key=lambda one: one.name)


if __name__ == "__main__":
    sys.exit("attack.py is a module of the tests")
