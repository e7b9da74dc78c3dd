# SPDX-License-Identifier: GPL-3.0-or-later
"""Every step of setup.c made to fail, one at a time, in every kind of sandbox: the fault names the step,
nothing ran, and nothing is left: no process, no file, no mount, no control group, nothing to wait for."""

import errno
import os
import re
import sys
import tempfile
from pathlib import Path

import contained
import wire
from leftovers import Processes, differences
from sandboxed import PROGRAM, PYTHON, main
from tap import Skip, equal, must

SETUP_C = Path(__file__).resolve().parents[2] / "src" / "runner" / "setup" / "setup.c"
STEP = re.compile(r'^  \{ "([a-z-]+)", ([A-Z0-9 |]+), (REQUIRED|OPTIONAL), \w+(?:, \w+)? \},$', re.MULTILINE)
TIER = re.compile(r"^#define (\w+) +\(1u << FH_WIRE_TIER_(\w+)\)", re.MULTILINE)
NUMBERS = {"NAMESPACES": wire.TIER_A, "BUBBLEWRAP": wire.TIER_A2, "LANDLOCK": wire.TIER_B,
           "UNPROTECTED": wire.UNPROTECTED, "CONTAINER": wire.TIER_D}
# A program that shows in many ways that it ran.
PROGRAM_TEXT = """
import os, subprocess
print('it ran', flush=True)
for place in ('.', '/tmp', '/dev/shm', os.environ['HOME']):
    try: open(place + '/fumehood-it-ran', 'w').close()
    except OSError: pass
subprocess.Popen(['sleep', '600'], start_new_session=True)
"""


def table():
    """{short name of a tier: (its number, [(step, whether it is required)])}; a sub-sandbox cannot be had here."""
    text = SETUP_C.read_text(encoding="utf-8")
    steps = STEP.findall(text)
    must(len(steps) > 20, f"the table of steps was not found: {steps}")
    equal(len(steps), len(re.findall(r'^  \{ "', text, re.MULTILINE)), "lines of the table that were understood")
    return {name: (NUMBERS[tier], [(step, need == "REQUIRED") for step, tiers, need in steps
                                   if name in tiers.split(" | ")])
            for name, tier in TIER.findall(text) if tier != "PORTAL"}


class Place:
    """Everything that a runner could leave something in, as it was before it was started."""

    def __init__(self, processes):
        self.processes = processes
        self.folder = tempfile.TemporaryDirectory(prefix="fh-faults-")
        for name in ("home", "tmp", "cache", "state", "runtime"):
            os.mkdir(f"{self.folder.name}/{name}", 0o700)
        self.before = self.look()

    def environment(self, **more):
        place = self.folder.name
        return {**os.environ, "HOME": f"{place}/home", "TMPDIR": f"{place}/tmp", "XDG_CACHE_HOME": f"{place}/cache",
                "XDG_STATE_HOME": f"{place}/state", "XDG_RUNTIME_DIR": f"{place}/runtime", **more}

    def look(self):
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
        own_group = Path("/proc/self/cgroup").read_text(encoding="utf-8").rpartition("0::/")[2].strip()
        groups = [str(path) for path in Path("/sys/fs/cgroup", own_group).glob("*") if path.is_dir()]
        shared = [str(path) for place in ("/tmp", "/dev/shm", "/var/tmp") for path in Path(place).glob("*fumehood-it-ran*")]
        # The folder in which the runs of a user are kept apart stays, as caches do; what is in it goes.
        own = [str(path.relative_to(self.folder.name)) for path in Path(self.folder.name).rglob("*")
               if path.name not in ("fumehood", ".cache") or not path.is_dir()]
        return {"mounts": [line for line in mounts if "fumehood-run" in line or self.folder.name in line],
                "control groups": groups, "shared folders": shared, "own folders": sorted(own)}

    def must_be_as_before(self, what):
        left = self.processes.left_after()
        self.processes.kill_left()
        must(not left, f"{what} left processes: {left}")
        changed = differences(self.before, self.look())
        must(not changed, f"{what} left something: {changed}")


def run(place, tier, step, **more):
    if tier == wire.TIER_D:
        return contained.run(contained.Bubblewrap().one_shot(environment={"FH_RUNNER_FAIL_STEP": step}),
                             [PYTHON, "-c", PROGRAM_TEXT], files=[("data", b"x" * 1000)], **more)
    return wire.run(PROGRAM, [PYTHON, "-c", PROGRAM_TEXT], tier=tier, home=f"{place.folder.name}/home",
                    files=[("data", b"x" * 1000)], env=dict(wire.ENVIRONMENT, HOME=f"{place.folder.name}/home"),
                    runner_env=place.environment(FH_RUNNER_FAIL_STEP=step), **more)


def can_fail(place):
    """Only a runner that was built for tests takes an order to fail."""
    if run(place, wire.TIER_A, "root").status == "exited":
        raise Skip("this runner was built without -Dtests=true")
    place.must_be_as_before("the first try")


def test_each_required_step():
    place = Place(Processes())
    can_fail(place)
    tiers = table()
    must({"A", "B", "D"} <= set(tiers), f"the tiers are {sorted(tiers)}")
    for name, (number, steps) in tiers.items():
        for step in [step for step, is_required in steps if is_required]:
            what = f"tier {name}, {step}"
            result = run(place, number, step)
            equal((result.status, result.step, result.error), ("setup-failed", step, errno.EIO), what)
            equal((result.started, result.output, result.guest), (False, [], []), f"{what}: nothing ran")
            equal((result.exit_code, result.signal, result.exit_status), (-1, -1, 0), f"{what}: no end of a program")
            place.must_be_as_before(what)


def test_each_optional_step():
    """It runs, as something is missing, and then leaves as little."""
    place = Place(Processes())
    for name, (number, steps) in table().items():
        for step in [step for step, is_required in steps if not is_required]:
            what = f"tier {name}, {step}"
            result = run(place, number, step)
            equal((result.status, result.exit_code, result.stdout), ("exited", 0, b"it ran\n"), what)
            place.must_be_as_before(what)


def test_each_step_of_a_probe():
    """The probe before a run says the same."""
    place = Place(Processes())
    can_fail(place)
    for name, (number, steps) in table().items():
        for step in [step for step, is_required in steps if is_required]:
            if number == wire.TIER_D:
                result = run(place, number, step, flags=wire.PROBE)
            else:
                result = wire.run(PROGRAM, [], flags=wire.PROBE, tier=number,
                                  runner_env=place.environment(FH_RUNNER_FAIL_STEP=step))
            equal((result.status, result.step), ("setup-failed", step), f"probe of tier {name}, {step}")
            place.must_be_as_before(f"probe of tier {name}, {step}")


def test_what_is_left_is_found():
    """A check of the check."""
    processes = Processes()
    place = Place(processes)
    os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "600")
    must(processes.left(), "a process is not found")
    processes.kill_left()
    Path(place.folder.name, "cache", "fumehood").mkdir()
    place.must_be_as_before("an empty folder for runs")
    Path(place.folder.name, "cache", "fumehood", "run").mkdir()
    must(differences(place.before, place.look()), "a folder of a run is not found")


if __name__ == "__main__":
    sys.exit(main(__name__))
