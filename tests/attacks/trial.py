# SPDX-License-Identifier: GPL-3.0-or-later
"""All attacks on one set of decoys: outside of any sandbox, then inside, and what they may have done to the host."""

import base64
import concurrent.futures
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import attack
from decoys import Decoys, Host
from leftovers import differences
from witness import Witness

CTL = os.environ.get("FH_CTL", "fumehoodctl")
RUNNER = os.environ.get("FH_RUNNER", "")
MUST_SANDBOX = os.environ.get("FH_MUST_SANDBOX") == "1"
PYTHON = "/usr/bin/python3"
WORKERS = 2
# Of one run, in seconds; each ends long before, or the test says that it hung.
PATIENCE = 300
# How often longer than the header says a run may take: the machine can be slow and busy.
SLOWNESS = 10

# How an attack in C gets in: as its standard input. What is copied may be executed; to say so by chmod is not
# allowed everywhere.
START_PROGRAM = 'cp /bin/true attack && cat >attack && exec ./attack "$@"\n'


class Trial:
    """All attacks on one set of decoys. `place`: a folder for the decoy home and the programs, if not the usual."""

    def __init__(self, tap, attacks, place=None):
        self.tap = tap
        self.attacks = attacks
        self.decoys = Decoys(place)
        self.witness = Witness()
        self.decoys.processes.known.add(self.witness.pid)
        self.folder = Path(tempfile.mkdtemp(prefix="fh-attacks-", dir=place))
        self.table = {one.name: {} for one in attacks}
        self.tried = {tier: {one.name for one in attack.tried_in(attacks, tier)} for tier in attack.TIERS}
        self.programs = {}
        self.guards = {}  # of a run in each tier
        self.reports = set()  # the tiers in which what is denied is reported
        self.one_at_a_time = threading.Lock()
        (self.folder / "start.sh").write_text(START_PROGRAM, encoding="ascii")

    def remove(self):
        self.witness.end()
        self.decoys.remove()
        shutil.rmtree(self.folder, ignore_errors=True)

    def compile(self):
        """The attacks in C, all at once."""
        compiler = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")
        started = []
        for one in self.attacks:
            if one.path.suffix == ".c" and compiler:
                program = self.folder / one.name.replace("/", "-")
                words = [compiler, "-O1", "-Wall", "-Werror", "-pthread", "-o", program, one.path]
                started.append((one, program, subprocess.Popen(words, stderr=subprocess.PIPE)))
        for one, program, process in started:
            messages = process.communicate()[1]
            if process.returncode != 0:
                self.tap.ok(False, f"{one.name}: compiles", messages.decode(errors="replace").splitlines())
            else:
                self.programs[one.name] = program

    def arguments(self, one):
        return [self.decoys.argument(name) for name in one.arguments]

    # Outside.

    def run_outside(self, one):
        """(whether it succeeded, what it printed)"""
        if one.path.suffix == ".c":
            words = [self.programs[one.name]]
        else:
            words = ["/bin/bash" if one.path.suffix == ".sh" else PYTHON, one.path]
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            process = subprocess.Popen([*words, *self.arguments(one)], cwd=folder, env=self.decoys.environment(),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       pass_fds=[self.decoys.key], start_new_session=True)
            try:
                output = process.communicate(timeout=PATIENCE)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                process.kill()
                output = "it hung: " + process.communicate()[0].decode(errors="replace")
            return self.take_mark(one) or "SUCCEEDED" in output.split("\n"), output

    @staticmethod
    def take_mark(one):
        """Whether it left its mark; a process that it left behind may still be about to."""
        deadline = time.monotonic() + 20
        while one.mark and time.monotonic() < deadline:
            try:
                os.unlink(one.mark)
                return True
            except FileNotFoundError:
                time.sleep(0.02)
        return False

    def baseline(self, one):
        name = f"{one.name}: works outside"
        if one.baseline == "skip" or (one.path.suffix == ".c" and one.name not in self.programs):
            self.table[one.name]["baseline"] = "not tried"
            self.tap.skip(name, one.reason or "no compiler")
            return
        self.decoys.servers.reached()
        begun = time.monotonic()
        with self.decoys.used_by(one):
            worked, output = self.run_outside(one)
        reached = self.decoys.servers.reached(one.reaches if worked else "")
        noticed = self.witness.noticed(begun) if one.disturbs else {}
        seen = (not one.reaches or one.reaches in reached) and (not one.disturbs or one.disturbs in noticed)
        self.table[one.name]["baseline"] = "works" if worked else "not here"
        if not worked and (one.baseline == "may" or not MUST_SANDBOX):
            self.tap.skip(name, one.reason or f"it does not work here: {output.strip()[-100:]!r}")
        else:
            self.tap.ok(worked and seen, name, [output, f"reached: {reached}", f"the witness noticed: {noticed}"])

    def baselines(self):
        for one in self.attacks:
            self.baseline(one)
            self.decoys.processes.kill_left()
            self.decoys.revive()
            self.decoys.home.refill()
        os.close(self.decoys.key)
        self.decoys.key = os.open(self.decoys.home.path / ".ssh/id_rsa", os.O_RDONLY)
        self.decoys.servers.reached()

    # Inside.

    def environment(self, tier):
        """fumehoodctl tells the runner nothing of its environment; only one built for tests obeys."""
        version = attack.TIERS[tier][1]
        runner = self.folder / f"runner-{tier}"
        if version is None and tier != "forked":
            return self.decoys.environment()
        words = f"FH_RUNNER_LANDLOCK_ABI={version} exec '{RUNNER}'"
        if tier == "forked":
            words = f"FH_FORKED_RUNNER='{RUNNER}' exec {PYTHON} '{attack.FOLDER}/forked-runner.py'"
        if not runner.exists():
            runner.write_text(f"#!/bin/sh\n{words} \"$@\"\n", encoding="utf-8")
            runner.chmod(0o700)
        return {**self.decoys.environment(), "FH_RUNNER": str(runner)}

    def options(self, one, tier):
        words = ["--no-history", "--tier", attack.TIERS[tier][0]]
        if not any(word.startswith("--timeout") for word in one.options):
            words += ["--timeout", "10" if "timed-out" in one.field("expect-status", tier) else "120"]
        words += [word.format(project=self.decoys.project.python, busy=self.decoys.busy.python)
                  for word in one.options]
        return words

    def words(self, one, tier):
        words = [CTL, "run", "--json", *self.options(one, tier)]
        if one.path.suffix == ".c":
            words += ["--language", "sh", "--stdin", str(self.programs[one.name]), str(self.folder / "start.sh")]
        else:
            words += ["--language", "bash" if one.path.suffix == ".sh" else "python", str(one.path)]
        return [*words, "--", *self.arguments(one)]

    def cells(self, one):
        """The orders of a session: what leaves something, the attack, and an ordinary cell."""
        source = one.path.read_text(encoding="utf-8")
        first = f"import sys\nsys.argv = ['main', *{self.arguments(one)!r}]\nopen('/tmp/left', 'w').close()\nNone"
        if one.path.suffix != ".py":
            name, how = ("main.sh", ["/bin/bash", "main.sh"]) if one.path.suffix == ".sh" else ("attack", ["./attack"])
            data = source.encode() if one.path.suffix == ".sh" else self.programs[one.name].read_bytes()
            first += (f"\nimport base64, os, shutil, subprocess\nshutil.copy('/bin/true', {name!r})\n"
                      f"with open({name!r}, 'wb') as file: file.write(base64.b64decode({base64.b64encode(data)!r}))")
            source = (f"code = subprocess.call([*{how!r}, *sys.argv[1:]], stdin=subprocess.DEVNULL)\n"
                      "if code < 0: os.kill(os.getpid(), -code)\nif code > 0: sys.exit(code)")
        return [{"type": "execute", "id": number, "code": code} for number, code in enumerate((first, source, "6 * 7"))]

    def run_cell(self, one):
        """As run_inside wants it."""
        orders = b"".join(json.dumps(order).encode() + b"\n" for order in self.cells(one))
        process = subprocess.Popen([CTL, "session", *self.options(one, "cell")], env=self.environment("cell"),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   pass_fds=[self.decoys.key])
        try:
            output, messages = process.communicate(orders, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        answers = {one["id"]: one for one in map(json.loads, output.splitlines()) if one["type"] == "result"}
        if len(answers) != 3 or not answers[0]["success"]:
            return output, messages
        if answers[2]["value"] != "42" or answers[2]["status"] != "ok":
            answers[1]["status"] = f"{answers[1]['status']}, and the next cell failed: {answers[2]['sentence']}"
        return json.dumps({**answers[1], "guards": self.guards["cell"]}).encode(), messages

    def start(self, one, tier):
        """Runs an attack in a sandbox to its end: what fumehoodctl printed, and said. TimeoutExpired if it hangs."""
        if tier == "cell":
            return self.run_cell(one)
        process = subprocess.Popen(self.words(one, tier), env=self.environment(tier), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[self.decoys.key])
        try:
            return process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise

    def run_inside(self, one, tier):
        """(lines of faults, what else is to be said, seconds)"""
        begun = time.monotonic()
        try:
            with self.decoys.used_by(one):
                output, messages = self.start(one, tier)
        except subprocess.TimeoutExpired:
            return [f"it did not end within {PATIENCE} s"], None, PATIENCE
        elapsed = time.monotonic() - begun
        try:
            result = json.loads(output)
        except ValueError:
            return [f"no result: {output[-300:]!r} {messages[-300:]!r}"], None, elapsed
        faults = one.faults(tier, result, tier in self.reports)
        if result["tier"] != attack.TIERS[tier][0] and result["status"] != "guard-failed":
            faults.append(f"it ran in tier {result['tier']}")
        if one.within is not None and elapsed > one.within * SLOWNESS:
            faults.append(f"it took {elapsed:.2f} s, expected at most {one.within:g} s, and that {SLOWNESS} times")
        faults += self.secrets_in(output + messages)
        weak = [guard for guard in result["guards"] if guard["guard"] == one.needs and guard["level"] != "active"]
        # No guard is so weak that other programs may suffer.
        noticed = self.witness.noticed(begun)
        if noticed.pop(one.noticed, None) is not None:
            self.tap.note(f"{one.name}: {one.field('noticed')}")
        faults += [f"the witness noticed: {check}: {fault}" for check, fault in noticed.items()]
        return faults, weak[0] if weak and not noticed else None, elapsed

    def secrets_in(self, data):
        secret = self.decoys.secret.encode()
        if secret in data or any(base64.b64encode(b"-" * n + secret)[4:-4] in data for n in range(3)):
            return ["the decoys' secret is in what it handed out"]
        return []

    def try_inside(self, one, tier):
        faults, weak, elapsed = self.run_inside(one, tier)
        with self.one_at_a_time:
            if faults and weak:
                self.table[one.name][tier] = "weak"
                self.tap.skip(f"{one.name}: tier {tier}", f"the guard of {weak['guard']} is {weak['level']} here, as "
                              f"the result says: {weak['reason']}")
                return
            self.table[one.name][tier] = "stopped" if not faults else "FAILED"
            self.tap.ok(not faults, f"{one.name}: tier {tier}", [*faults, f"after {elapsed:.2f} s"])

    def try_group(self, group, tier):
        attacks = [one for one in self.attacks if one.group == group and one.name in self.tried[tier]
                   and (one.path.suffix != ".c" or one.name in self.programs)]
        if not attacks:
            return
        home, host = self.decoys.home.snapshot(), Host.snapshot()
        self.decoys.servers.reached()
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(lambda one: self.try_inside(one, tier), [one for one in attacks if not one.is_alone]))
        for one in attacks:
            if one.is_alone:
                self.try_inside(one, tier)
        self.check(group, tier, home, host)

    def check(self, group, tier, home, host):
        """Nothing of the host was touched by a whole group."""
        left = self.decoys.processes.left_after()
        self.tap.ok(not left, f"{group}: no process is left, tier {tier}", [f"{pid}: {left[pid]}" for pid in left])
        self.decoys.processes.kill_left()
        self.tap.ok(self.decoys.process.poll() is None, f"{group}: the decoy process lives, tier {tier}")
        self.decoys.revive()
        changed = differences(home, self.decoys.home.snapshot())
        self.tap.ok(not changed, f"{group}: the decoy home is as it was, tier {tier}", changed)
        if changed:
            self.decoys.home.refill()
        reached = self.decoys.servers.reached()
        self.tap.ok(not reached, f"{group}: no decoy server was reached, tier {tier}", [str(reached)])
        changed = differences(host, Host.snapshot())
        self.tap.ok(not changed, f"{group}: the host is as it was, tier {tier}", changed)
        left = [name for name in os.listdir(self.decoys.folder) if name not in
                ("agent.sock", "bus", "log.sock", "state", "cache", "config")]
        self.tap.ok(not left, f"{group}: nothing new beside the decoys, tier {tier}", left)

    def check_reports(self, tier):
        """Whether denials are reported in a tier; once, not for every attack."""
        program = self.folder / "denied.py"
        program.write_text("import ctypes\nctypes.CDLL(None).unshare(0x10000000)\n", encoding="ascii")
        words = [CTL, "run", "--json", "--no-history", "--tier", attack.TIERS[tier][0], str(program)]
        result = json.loads(subprocess.run(words, env=self.environment(tier), stdin=subprocess.DEVNULL,
                                           capture_output=True, check=False).stdout)
        name = f"what is denied is reported in tier {tier}"
        if any(one["operation"] == "unshare" for one in result["attempts"]):
            self.reports.add(tier)
            self.tap.ok(True, name)
            return
        guards = {guard["guard"]: guard for guard in result["guards"]}
        self.tap.skip(name, guards["system-calls"]["reason"] or "no attempt was reported")

    # That all this can fail.

    def check_the_checks(self):
        """What is planted must be found."""
        before = self.decoys.home.snapshot()
        with open(self.decoys.home.path / ".bashrc", "a", encoding="ascii") as file:
            file.write("evil\n")
        changed = differences(before, self.decoys.home.snapshot())
        self.tap.ok(any(line.startswith(".bashrc") for line in changed), "a change of the decoy home is found", changed)
        self.decoys.home.refill()
        process = subprocess.Popen(["/bin/sh", "-c", "setsid sleep 600 >/dev/null 2>&1 &"])
        process.wait()
        self.tap.ok(bool(self.decoys.processes.left()), "a process that is left is found")
        self.decoys.processes.kill_left()
        found = self.secrets_in(base64.b64encode(b"a" + self.decoys.secret.encode()))
        self.tap.ok(found, "a secret is found, as base64 too")
        self.check_witness()
        self.check_network()

    def check_witness(self):
        """What the witness is there for, with one that suffers sooner than other programs would."""
        noticed = self.witness.noticed(0)
        self.tap.ok(not noticed, "the witness has nothing to complain about", [str(noticed)])
        meek = Witness(files=64)
        left, right = socket.socketpair()
        begun = time.monotonic()
        socket.send_fds(left, [b"x"], [self.decoys.key] * 80)
        noticed = meek.noticed(begun)
        self.tap.ok("descriptors" in noticed, "the witness notices descriptors under way", [str(noticed)])
        left.close()
        right.close()
        begun = time.monotonic()
        noticed = meek.noticed(begun)
        self.tap.ok(not noticed, "the witness notices when that is over", [str(noticed)])
        os.kill(meek.pid, signal.SIGSTOP)
        noticed = meek.noticed(begun, patience=0.1)
        self.tap.ok("starved" in noticed, "a witness that is starved is noticed", [str(noticed)])
        meek.end()
        self.tap.ok("killed" in meek.noticed(begun), "a witness that was killed is noticed")

    def check_network(self):
        """Where the network is not guarded, a decoy is reached: it is the guard that keeps the others away."""
        name = "without the guard of the network a decoy is reached"
        ones = [one for one in self.attacks if one.name == "network/server-of-the-host"]
        if not ones:
            return
        self.decoys.servers.reached()
        words = self.words(ones[0], "A")
        words[4:4] = ["--without", "network"]
        result = json.loads(subprocess.run(words, env=self.decoys.environment(), stdin=subprocess.DEVNULL,
                                           capture_output=True, check=False).stdout)
        reached = self.decoys.servers.reached("tcp")
        self.tap.ok("tcp" in reached, name, [str(reached), str(result)])


if __name__ == "__main__":
    sys.exit("trial.py is a module of the tests")
