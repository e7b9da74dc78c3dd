# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries every attack of this folder: outside on decoys, where that is harmless, then in each sandbox.

Arguments are patterns of names (network/*); without any, all. FH_CTL names fumehoodctl, FH_ATTACKS_TABLE the
file that the table is written to. After each group the decoys, the processes and the host are looked at.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import attack
from machine import architectures
from tap import Tap
from trial import CTL, MUST_SANDBOX, RUNNER, Trial

SANITIZED = bool(os.environ.get("FH_SANITIZED"))


def why_not(trial, tier):
    """Why nothing can be tried in a tier, or None."""
    name, version = attack.TIERS[tier]
    if SANITIZED and tier == "forked":
        return "the user's Python cannot load a module with sanitizers"
    if SANITIZED and (version is not None or tier == "A2"):
        return "sanitizers have seen the same code in tiers A and B"
    if (version is not None or tier == "forked") and not RUNNER:
        return "FH_RUNNER does not name a runner that could pretend"
    program = trial.folder / "nothing.py"
    program.write_text("print('ran')\n", encoding="ascii")
    words = [CTL, "run", "--json", "--no-history", "--tier", name, str(program)]
    process = subprocess.run(words, env=trial.environment(tier), stdin=subprocess.DEVNULL, capture_output=True,
                             check=False)
    try:
        result = json.loads(process.stdout)
    except ValueError:
        return process.stderr.decode(errors="replace").strip()
    trial.guards[tier] = result["guards"]
    if result["tier"] != name:
        return f"it ran in tier {result['tier']}"
    if version is not None and any("scope" in guard["layers"] for guard in result["guards"]):
        return "this runner does not pretend"
    if (tier == "forked") != any(guard["reason"] == "forked" for guard in result["guards"]):
        return "this run is not what was asked for"
    return None if result["stdout"] == "ran\n" else result["sentence"]


def write_table(tap, trial):
    columns = ("baseline", *attack.HERE)
    width = max(len(one.name) for one in trial.attacks)
    lines = [f"{'attack':{width}}  " + "  ".join(f"{name:9}" for name in columns)]
    for one in trial.attacks:
        row = trial.table[one.name]
        cells = [row.get(name, "-" if name in one.tiers or name == "baseline" else "n/a") for name in columns]
        lines.append(f"{one.name:{width}}  " + "  ".join(f"{cell:9}" for cell in cells))
    totals = []
    for name in columns:
        cells = [trial.table[one.name].get(name) for one in trial.attacks]
        good = sum(cell in ("works", "stopped") for cell in cells)
        tried = sum(cell in ("works", "not here", "stopped", "weak", "FAILED") for cell in cells)
        totals.append(f"{name} {good} of {tried}")
    lines.append(f"{len(trial.attacks)} attacks: " + ", ".join(totals))
    tap.note("\n".join(lines))
    path = os.environ.get("FH_ATTACKS_TABLE")
    if path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def try_all(trial, tap):
    reasons = {tier: why_not(trial, tier) for tier in attack.HERE}
    trial.compile()
    trial.check_the_checks()
    trial.baselines()
    for tier in attack.HERE:
        if reasons[tier] is not None:
            name = f"all attacks in tier {tier}"
            # The second is the same runner in the same tier.
            if MUST_SANDBOX and tier == "A" or tier == "forked" and reasons["A"] is None and not SANITIZED:
                tap.ok(False, name, [reasons[tier]])
            else:
                tap.skip(name, reasons[tier])
            continue
        begun = time.monotonic()
        trial.check_reports(tier)
        for group in dict.fromkeys(one.group for one in trial.attacks):
            trial.try_group(group, tier)
        tap.note(f"tier {tier}: {time.monotonic() - begun:.1f} s")


def main():
    if os.geteuid() == 0:
        print("1..0 # SKIP attacks are tried as an ordinary user")
        return 0
    tap = Tap()
    attacks = [one for one in attack.all_attacks(sys.argv[1:]) if
               one.machine in {"", *architectures()} and not set(attack.HERE).isdisjoint(one.tiers)]
    trial = Trial(tap, attacks)
    try:
        try_all(trial, tap)
        write_table(tap, trial)
    finally:
        trial.decoys.processes.kill_left()
        trial.remove()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
