# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run in a container costs: print('hello'), in each way, in interleaved rounds, because absolute times drift.
The ratios to what people type themselves are what counts.

Usage: container.py [ROUNDS]
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import containers

SOURCE = "print('hello')\n"
WARM_UP = 2
CTL = os.environ.get("FH_CTL", "fumehoodctl")
# Prints the time of a run as the window sees it, without a command.
WARM_RUN = os.environ.get("FH_WARM_RUN", "warm-run")
BASE = "docker run --rm"
IN_WINDOW = "in the window"


class Ways:
    """Each is a command that prints the word. Their maker removes them."""

    def __init__(self, folder):
        self.waiting, self.kept = containers.new_name("bench"), containers.new_name("bench")
        self.environment = {**os.environ, "XDG_STATE_HOME": folder, "XDG_CACHE_HOME": folder}
        program = Path(folder) / "program"
        program.mkdir()
        file = program / "hello.py"
        file.write_text(SOURCE, encoding="ascii")
        # The engine's own user may be another one.
        program.chmod(0o755)
        Path(folder).chmod(0o755)
        limits = ["--network", "none", "--memory", "512m", "--pids-limit", "128", "--volume", f"{program}:/program:ro"]
        client, image, python = containers.CLIENT, containers.PYTHON, ["python3", "/program/hello.py"]
        containers.call("run", "--detach", "--name", self.waiting, *limits, image, "sleep", "7200")
        run = [CTL, "run", "--no-history", "--engine=docker", f"--container={image}"]
        self.commands = {
            BASE: [client, "run", "--rm", *limits, image, *python],
            "docker exec": [client, "exec", self.waiting, *python],
            "fumehoodctl run --container": [*run, file],
            "fumehoodctl run --container --keep": [*run, "--keep", self.kept, file],
            IN_WINDOW: [WARM_RUN, "1", "cold", "docker", image],
            "in the window, prepared": [WARM_RUN, "1", "warm", "docker", image],
        }

    def time(self, name):
        begin = time.monotonic()
        answer = subprocess.run(self.commands[name], env=self.environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, errors="replace", timeout=600, check=False)
        spent = (time.monotonic() - begin) * 1000
        if answer.returncode == 0 and name.startswith(IN_WINDOW):
            return float(answer.stdout)
        if answer.stdout != "hello\n":
            raise RuntimeError(f"{answer.returncode} {answer.stdout!r} {answer.stderr!r}")
        return spent

    def remove(self):
        containers.remove(self.waiting, self.kept)


def measure(ways, rounds):
    """Milliseconds by the name of the way; for one that does not work, why."""
    times, problems = {name: [] for name in ways.commands}, {}
    names = list(ways.commands)
    for number in range(-min(WARM_UP, rounds), rounds):
        # The order changes in each round.
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            if name in problems:
                continue
            try:
                spent = ways.time(name)
            except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                problems[name] = str(error)
            else:
                if number >= 0:
                    times[name].append(spent)
    return times, problems


def print_table(times, problems):
    base = times[BASE]
    print(f"{'':36} {'median ms':>9} {'min ms':>9} {'× median':>9} {'× min':>9}")
    for name, spent in times.items():
        if name in problems or not spent or not base:
            print(f"{name:36} left out: {problems.get(name, 'nothing to compare with')}")
        else:
            median = statistics.median(spent)
            print(f"{name:36} {median:9.1f} {min(spent):9.1f} {median / statistics.median(base):9.2f} "
                  f"{min(spent) / min(base):9.2f}")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    reason = containers.why_not()
    if reason is not None:
        print(f"left out: {reason}")
        return 0
    version = json.loads(containers.call("version", "--format", "{{json .Server}}").stdout)["Version"]
    print(f"print('hello') in {containers.PYTHON}, {rounds} interleaved rounds, Docker {version}\n")
    with tempfile.TemporaryDirectory(prefix="fumehood-bench-") as folder:
        ways = Ways(folder)
        try:
            print_table(*measure(ways, rounds))
        finally:
            ways.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
