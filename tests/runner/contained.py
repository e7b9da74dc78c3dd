# SPDX-License-Identifier: GPL-3.0-or-later
"""Containers for the runner to live in: one that bubblewrap makes, which every computer of ours can, and those of the
engine that DOCKER_HOST names. What an engine's client would carry are the runner's standard input and output."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap

import containers
import wire
from leftovers import descendants
from sandboxed import MUST_SANDBOX, PROGRAM
from tap import PATIENCE, Tap, until

RUNNER = "/opt/fumehood/runner"
GUEST = "/opt/fumehood/guest"  # empty here
BUBBLEWRAP = "/usr/bin/bwrap"
PROFILE = "container-seccomp-watched.json"


class Bubblewrap:
    """Namespaces, a root that is read-only, and a process that is the first one; no control group."""

    name = "bubblewrap"
    limits_memory = limits_processes = False

    @staticmethod
    def _words(workspace, environment, network):
        words = [BUBBLEWRAP, "--unshare-all", "--as-pid-1", "--die-with-parent", "--new-session", "--tmpfs", "/"]
        for path in ("/usr", "/bin", "/lib", "/lib64", "/sbin", "/etc"):
            if os.path.islink(path):
                words += ["--symlink", os.readlink(path), path]
            elif os.path.exists(path):
                words += ["--ro-bind", path, path]
        # With a /dev of its own making there would be two user namespaces, and no way in from outside.
        for name in ("null", "zero", "full", "random", "urandom"):
            words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
        words += ["--proc", "/proc", "--size", str(64 << 20), "--tmpfs", "/tmp", "--tmpfs", "/dev/shm",
                  "--ro-bind", os.path.realpath(PROGRAM), RUNNER, "--tmpfs", GUEST]
        words += ["--bind", workspace, "/workspace"] if workspace else ["--size", str(64 << 20), "--tmpfs", "/workspace"]
        for name, value in environment.items():
            words += ["--setenv", name, value]
        return words + (["--share-net"] if network else []) + ["--remount-ro", "/"]

    def one_shot(self, workspace=None, environment=(), network=False, engine_filter=False):
        del engine_filter
        return [*self._words(workspace, dict(environment), network), RUNNER, "--container"]

    @contextlib.contextmanager
    def kept(self, environment=()):
        """Gives the command of a run in it, and the number of its first process."""
        reading, writing = os.pipe()
        words = self._words(None, dict(environment), False)
        words[1:1] = ["--info-fd", str(writing)]
        keeper = subprocess.Popen([*words, RUNNER, "--keep"], pass_fds=[writing], stdin=subprocess.DEVNULL)
        os.close(writing)
        with open(reading, encoding="utf-8") as info:
            first = json.load(info)["child-pid"]
        try:
            until(lambda: read(f"/proc/{first}/cmdline").startswith(RUNNER.encode()), "the first process")
            enter = ["nsenter", f"--target={first}", "--user", "--mount", "--pid", "--net", "--ipc",
                     "--preserve-credentials", "--", "/usr/bin/env", *[f"{k}={v}" for k, v in dict(environment).items()]]
            yield [*enter, RUNNER, "--container"], Keeper(keeper, first)
        finally:
            for pid in (first, keeper.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            keeper.wait()


class Keeper:
    """The first process of a kept container, seen from outside."""

    def __init__(self, process, first):
        self.process, self.first = process, first

    def others(self):
        """Numbers of the other processes in there."""
        return [pid for pid in self._all() if pid != self.first]

    @staticmethod
    def _all():
        """Those of ours whose number inside is another one."""
        for pid in descendants(os.getpid()):
            text = read(f"/proc/{pid}/status").decode(errors="replace")
            fields = dict(line.partition(":")[::2] for line in text.splitlines())
            if len(fields.get("NSpid", "").split()) == 2 and not fields["State"].strip().startswith("Z"):
                yield pid

    def kill_runner(self):
        """Its init has the same name, and is younger."""
        runners = [pid for pid in self.others() if read(f"/proc/{pid}/cmdline").startswith(RUNNER.encode())]
        os.kill(min(runners), signal.SIGKILL)

    def stop(self):
        os.kill(self.first, signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


class Docker:
    """What the backend asks an engine for, as far as it matters here."""

    name = "docker"
    limits_memory = limits_processes = True

    @staticmethod
    def _words(workspace, environment, network, engine_filter=False):
        words = [containers.CLIENT, "run", "--interactive", "--rm", f"--name={containers.new_name('runner')}",
                 "--pull=never", "--log-driver=none", "--read-only", f"--user={os.getuid()}:{os.getgid()}",
                 "--cap-drop=ALL", "--security-opt=no-new-privileges", "--memory=128m", "--memory-swap=128m",
                 "--pids-limit=64", "--ulimit=nofile=4096:4096", f"--network={'host' if network else 'none'}",
                 *([] if network else ["--dns=0.0.0.0"]),
                 "--tmpfs=/tmp:rw,exec,size=64m,mode=1777", f"--tmpfs={GUEST}:ro", f"--volume={os.path.realpath(PROGRAM)}:{RUNNER}:ro",
                 f"--volume={workspace}:/workspace" if workspace
                 else "--tmpfs=/workspace:rw,exec,size=64m,mode=1777"]
        if not engine_filter:
            words.append(f"--security-opt=seccomp={os.path.dirname(os.path.realpath(PROGRAM))}/{PROFILE}")
        return words + [f"--env={name}={value}" for name, value in environment.items()]

    def one_shot(self, workspace=None, environment=(), network=False, engine_filter=False):
        """`engine_filter`: the engine's own, in the place of ours."""
        words = self._words(workspace, dict(environment), network, engine_filter)
        return [*words, f"--entrypoint={RUNNER}", containers.PYTHON,
                "--container"]

    @contextlib.contextmanager
    def kept(self, environment=()):
        words = self._words(None, dict(environment), False)
        name = containers.new_name("kept")
        words[2:5] = ["--detach", f"--name={name}"]
        containers.call(*words[1:], f"--entrypoint={RUNNER}", containers.PYTHON, "--keep")
        first = containers.inspect(name)["State"]["Pid"]
        try:
            yield ([containers.CLIENT, "exec", "--interactive", *[f"--env={k}={v}" for k, v in dict(environment).items()],
                    name, RUNNER, "--container"], DockerKeeper(name, first))
        finally:
            containers.remove(name)


class DockerKeeper:
    def __init__(self, name, first):
        self.name, self.first = name, first

    def others(self):
        lines = containers.call("top", self.name, "-eo", "pid").stdout.split()[1:]
        return [int(word) for word in lines if int(word) != self.first]

    def kill_runner(self):
        """From outside, through the computer's own list of processes, which the same user may read."""
        lines = containers.call("top", self.name, "-eo", "pid,args").stdout.splitlines()[1:]
        os.kill(min(int(line.split()[0]) for line in lines if "--container" in line), signal.SIGKILL)

    def stop(self):
        # One that does not end by itself is killed only after this time, in seconds.
        containers.call("stop", f"--time={PATIENCE}", self.name, timeout=2 * PATIENCE)
        return containers.inspect(self.name)["State"]["ExitCode"]


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def start(command, argv, **policy):
    runner = wire.Inside(command)
    runner.start(argv, **policy)
    return runner


def run(command, argv, **policy):
    return start(command, argv, **policy).finish()


def python(command, code, **policy):
    return run(command, ["python3", "-c", textwrap.dedent(code)], **policy)


def folder():
    """One that a container's user may write to, whoever that is."""
    made = tempfile.TemporaryDirectory(prefix="fh-inside-")
    os.chmod(made.name, 0o777)
    return made


def why_no_bubblewrap():
    if not os.path.exists(BUBBLEWRAP):
        return "there is no bubblewrap"
    result = python(Bubblewrap().one_shot(), "pass")
    return None if result.finished else f"bubblewrap makes no sandbox here: {result}"


def main(module):
    """Runs each function whose name begins with "test_" in each kind of container."""
    tap = Tap()
    kinds = [(Bubblewrap(), "root hides half of the faults" if os.geteuid() == 0 else why_no_bubblewrap(), MUST_SANDBOX),
             (Docker(), containers.why_not(), containers.must_work())]
    for box, reason, is_needed in kinds:
        for name, function in list(vars(sys.modules[module]).items()):
            label = f"{box.name}: {name[5:].replace('_', ' ')}"
            if not name.startswith("test_"):
                continue
            if reason is None:
                tap.case(label, function, box)
            elif is_needed:
                tap.ok(False, label, [reason])
            else:
                tap.skip(label, reason)
    return tap.done()
