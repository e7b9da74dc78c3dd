# SPDX-License-Identifier: GPL-3.0-or-later
"""What is found out about engines through the real clients of this computer: those that work, and those that do not,
which say what to do."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from containers import call, must_work, why_not
from registry import free_port
from relay import remote
from tap import Skip, Tap, equal, must

CLIENT = os.environ["FH_ENGINE_CLIENT"]
# Debian's own, and one in an earlier folder of the path.
PROGRAMS = sorted({path for folder in ("/usr/local/bin", "/usr/bin") if (path := shutil.which("docker", path=folder))})
NOT_RUNNING = "error fh_engine_error_quark:1 "
NOT_ALLOWED = "error fh_engine_error_quark:2 "
TIMED_OUT = "error fh_engine_error_quark:6 "


def probe(kind="docker", **changes):
    """Exit status, and the lines as a dictionary of first words; an error is one line."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache, "LANG": "C.UTF-8", **changes}
        answer = subprocess.run([CLIENT, "probe", kind], env={k: v for k, v in environment.items() if v is not None},
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    must(answer.returncode in (0, 1), f"{answer.returncode} {answer.stderr}")
    return answer.stdout.strip() if answer.returncode else dict(line.split(" ", 1) for line in answer.stdout.splitlines())


def found(**changes):
    facts = probe(**changes)
    must(isinstance(facts, dict), facts)
    return facts


def refused(start, *words, **changes):
    for program in PROGRAMS:
        error = probe(FH_DOCKER=program, **changes)
        must(isinstance(error, str) and error.startswith(start), f"{program}: {error}")
        for word in words:
            must(word in error, f"{program}: {word!r} is not in {error}")


@contextlib.contextmanager
def deaf_socket(mode):
    """Takes connections and answers nothing."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        path = Path(folder) / "docker.sock"
        server.bind(str(path))
        path.chmod(mode)
        server.listen(16)
        yield f"unix://{path}"


def is_what_it_says():
    info = json.loads(call("info", "--format", "{{json .}}").stdout)
    for program in PROGRAMS:
        facts = found(FH_DOCKER=program)
        equal(facts["kind"], "docker", "its kind")
        equal(facts["program"], program, "the program")
        equal(facts["version"], info["ServerVersion"].split("+")[0], "its version")
        equal(facts["storage"], info["Driver"], "its storage")
        equal(facts["endpoint"], os.environ["DOCKER_HOST"], "its address")
        equal(facts["rootless"], str(int(any("rootless" in word for word in info["SecurityOptions"]))), "rootless")
        equal(facts["remote"], "0", "remote")
        equal(facts["limits"], " ".join(str(int(info[name])) for name in ("MemoryLimit", "PidsLimit", "CpuCfsQuota")),
              "what it limits")
        must(facts["architecture"] in ("amd64", "arm64"), facts["architecture"])


def elsewhere():
    """The same engine at a port: its folders need not be ours."""
    with remote() as address:
        facts = found(DOCKER_HOST=address)
    equal(facts["endpoint"], address, "its address")
    equal(facts["remote"], "1", "remote")


def in_a_context():
    """As people have it who do not set a variable."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["docker", "--config", folder, "context", "create", "other", "--docker",
                        f"host={os.environ['DOCKER_HOST']}"], env={**os.environ, "DOCKER_HOST": ""},
                       stdin=subprocess.DEVNULL, capture_output=True, check=True)
        facts = found(DOCKER_HOST=None, DOCKER_CONFIG=folder, DOCKER_CONTEXT="other")
        equal(facts["endpoint"], os.environ["DOCKER_HOST"], "its address")
    refused(NOT_RUNNING, "context", DOCKER_HOST=None, DOCKER_CONTEXT="nosuch")


def not_there():
    refused(NOT_RUNNING, "at unix:///nonexistent.sock. The variable DOCKER_HOST selects that address",
            DOCKER_HOST="unix:///nonexistent.sock")
    refused(NOT_RUNNING, "selects that address", DOCKER_HOST=f"tcp://127.0.0.1:{free_port()}")
    refused(NOT_RUNNING, "selects that address", "Docker said: “", DOCKER_HOST="tcp://nosuch.invalid:2375")


def not_allowed():
    with deaf_socket(0o000) as address:
        refused(NOT_ALLOWED, "group “docker”", "permission denied", DOCKER_HOST=address)


def does_not_answer():
    with deaf_socket(0o600) as address:
        begin = time.monotonic()
        error = probe(DOCKER_HOST=address)
        took = time.monotonic() - begin
    must(isinstance(error, str) and error.startswith(TIMED_OUT) and address in error, error)
    # It is given ten seconds.
    must(9 < took < 100, f"{took} s")


def podman():
    program = shutil.which("podman")
    if program is None:
        raise Skip("podman is not installed")
    answer = subprocess.run([program, "info", "--format", "json"], stdin=subprocess.DEVNULL, capture_output=True,
                            text=True, timeout=300, check=False)
    if answer.returncode != 0:
        must(isinstance(probe("podman"), str), "it is found, and does not work")
        raise Skip(f"podman does not work here: {answer.stderr.strip()[-200:]}")
    info = json.loads(answer.stdout)
    facts = found(kind="podman")
    equal(facts["kind"], "podman", "its kind")
    equal(facts["version"], info["version"]["Version"], "its version")
    equal(facts["storage"], info["store"]["graphDriverName"], "its storage")
    equal(facts["rootless"], "1", "rootless")
    equal(facts["remote"], "0", "remote")
    equal(facts["limits"].split()[0], str(int("memory" in info["host"]["cgroupControllers"])), "what it limits")
    error = probe("podman", CONTAINER_HOST="unix:///nonexistent.sock", FH_PODMAN=remote_podman())
    must(isinstance(error, str) and error.startswith(NOT_RUNNING), error)
    must("at unix:///nonexistent.sock. The variable CONTAINER_HOST selects that address" in error, error)


def remote_podman():
    """A podman that always speaks with a service, as on other systems."""
    folder = tempfile.mkdtemp()
    path = Path(folder) / "podman"
    path.write_text('#!/bin/sh\nexec podman --remote "$@"\n', encoding="ascii")
    path.chmod(0o755)
    FOLDERS.append(folder)
    return str(path)


FOLDERS = []
CASES = {
    "an engine is what it says": is_what_it_says,
    "an engine at a port is elsewhere": elsewhere,
    "an engine of a context": in_a_context,
    "an engine that is not there": not_there,
    "an engine that may not be used": not_allowed,
    "an engine that does not answer": does_not_answer,
    "podman": podman,
}


def main():
    tap = Tap()
    reason = why_not()
    for name, function in CASES.items():
        if reason is None:
            tap.case(name, function)
        elif must_work():
            tap.ok(False, name, [reason])
        else:
            tap.skip(name, reason)
    for folder in FOLDERS:
        shutil.rmtree(folder, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
