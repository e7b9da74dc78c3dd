# SPDX-License-Identifier: GPL-3.0-or-later
"""Column F of the attacks: all of tests/attacks that apply, tried in the app as it is installed, each in a sub-sandbox
of Flatpak's portal. The decoy home is among the app's own files.

Arguments are patterns of names; without any, all. FH_ATTACKS_TABLE names the file that the table is written to."""

import json
import os
import re
import shutil
import sys
import time

import attack
import flatpak_room
from app_agent import Agent
from attacks_elsewhere import LEFT_OUT, REFUSED_BY_FLATPAK
from leftovers import descendants, state_of
from machine import architectures
from tap import Tap
from trial import PATIENCE, Trial

TIER = "F"
# What a run may take longer than elsewhere, in seconds, because the portal first makes a sandbox.
START_S = 20
# Variables that a program under guard must not get; the others are what makes the app work.
DECOY_VARIABLES = ("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK")
# They stay, and may be started anew.
SERVICES = ("flatpak-portal", "dbus-daemon")


def is_service(state):
    words = state.split()[2:]
    return bool(words) and os.path.basename(words[0]) in SERVICES


class FlatpakTrial(Trial):
    def __init__(self, tap, attacks, room):
        super().__init__(tap, attacks, room.data)
        self.room = room
        self.agent = Agent(room, [self.decoys.key])
        self.programs_folder = room.data / "attacks"
        shutil.copytree(attack.FOLDER, self.programs_folder)
        self.agent.call(["true"], PATIENCE)
        self.at_rest = None

    def remove(self):
        self.agent.close()
        super().remove()

    def environment(self, tier):
        decoys = self.decoys.environment()
        return {name: decoys[name] for name in DECOY_VARIABLES}

    def words(self, one, tier):
        inside = str(self.programs_folder / one.path.relative_to(attack.FOLDER))
        return ["fumehoodctl", *(inside if word == str(one.path) else word for word in super().words(one, tier)[1:])]

    def start(self, one, tier):
        return self.agent.call(self.words(one, tier), PATIENCE, **self.environment(tier))

    def run_outside(self, one):
        """For attacks of this tier alone: in the app itself."""
        if one.tiers != [TIER]:
            return super().run_outside(one)
        inside = self.programs_folder / one.path.relative_to(attack.FOLDER)
        output = self.agent.call(["python3", inside, *self.arguments(one)], PATIENCE)
        text = b"".join(output).decode(errors="replace")
        return self.take_mark(one) or "SUCCEEDED" in text.split("\n"), text

    def why_not(self):
        program = self.folder / "denied.py"
        program.write_text("import ctypes\nctypes.CDLL(None).process_vm_readv(1, 0, 0, 0, 0, 0)\nprint('ran')\n",
                           encoding="ascii")
        output, messages = self.agent.call(["fumehoodctl", "run", "--json", "--no-history", "--tier", TIER, program],
                                           PATIENCE)
        try:
            result = json.loads(output)
        except ValueError:
            return messages.decode(errors="replace")
        if result["tier"] != TIER or result["stdout"] != "ran\n":
            return f"tier {result['tier']}: {result['sentence']}"
        if any(one["operation"] == "process_vm_readv" for one in result["attempts"]):
            self.reports.add(TIER)
        self.at_rest = self.processes()
        return None

    def processes(self):
        """All that the app, the portal and their sandboxes are made of, without the services themselves."""
        own = {self.decoys.process.pid, self.witness.pid}
        found = {pid: state_of(pid) for pid in descendants(os.getpid(), own)}
        return {pid: state for pid, state in found.items() if state and not is_service(state)}

    def stray(self):
        return {pid: state for pid, state in self.processes().items() if pid not in self.at_rest}

    def check(self, group, tier, home, host):
        deadline = time.monotonic() + 120
        while (self.stray() or self.room.folders_of_runs()) and time.monotonic() < deadline:
            time.sleep(0.02)
        left = self.stray()
        self.tap.ok(not left, f"{group}: no sub-sandbox is left", [f"{pid}: {left[pid]}" for pid in left])
        left = self.room.folders_of_runs()
        self.tap.ok(not left, f"{group}: no folder is left", left)
        super().check(group, tier, home, host)

    def know_the_room(self):
        """Not to be killed with what attacks have left: these are looked at by check()."""
        self.decoys.processes.known |= descendants(os.getpid())


def adapt_attempts(one):
    """What Flatpak refuses, the runner cannot see; and what tier B has to deny need not be there at all."""
    expected = one.expected_attempts(TIER)
    if isinstance(expected, list):
        kept = [re.sub(" denied$", " denied|hidden", line.text) for line in expected
                if not line.operations & REFUSED_BY_FLATPAK]
        one.fields[f"expect-attempt-{TIER}"] = kept or ["any"]


def prepared(attacks):
    """Those that apply here, with what is expected of them."""
    for one in attacks:
        if "B" in one.tiers and one.name not in LEFT_OUT:
            one.tiers.append(TIER)
            one.within = one.within and one.within + START_S
        if TIER in one.tiers:
            adapt_attempts(one)
    return [one for one in attacks if TIER in one.tiers and one.machine in {"", *architectures()}]


def tell(tap, trial):
    lines = [f"{one.name:60} {trial.table[one.name].get(TIER, '-')}" for one in trial.attacks]
    lines += [f"{name:60} n/a: {reason}" for name, reason in LEFT_OUT.items()]
    tap.note("\n".join(lines))
    path = os.environ.get("FH_ATTACKS_TABLE")
    if path:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def try_all(tap, room):
    begun = time.monotonic()
    trial = FlatpakTrial(tap, prepared(attack.all_attacks(sys.argv[1:])), room)
    try:
        reason = trial.why_not()
        tap.ok(reason is None, "tier F works, and reports" if trial.reports else "tier F works", [str(reason)])
        if reason is not None:
            return
        trial.know_the_room()
        trial.compile()
        for one in trial.attacks:
            if one.tiers == [TIER]:
                trial.baseline(one)
        for group in dict.fromkeys(one.group for one in trial.attacks):
            trial.try_group(group, TIER)
        tell(tap, trial)
        tap.note(f"{len(trial.attacks)} attacks: {time.monotonic() - begun:.1f} s")
    finally:
        trial.decoys.processes.kill_left()
        trial.remove()


def main():
    tap = Tap()
    reason = flatpak_room.why_not()
    if reason is None:
        with flatpak_room.Room() as room:
            try_all(tap, room.install())
    elif flatpak_room.must_work():
        tap.ok(False, "Flatpak works here", [reason])
    else:
        tap.skip("attacks in tier F", reason)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
