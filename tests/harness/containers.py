# SPDX-License-Identifier: GPL-3.0-or-later
"""The container engine of the tests: whether there is one, and calls of its client.

DOCKER_HOST names it. FH_TEST_ENGINE is set when tests/run.sh has started it: with FH_MUST_SANDBOX=1 it is a failure
then, and no skip, when it does not answer.
"""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import uuid
from pathlib import Path

from tap import PATIENCE, Tap, must

CLIENT = shutil.which("docker") or "docker"
PYTHON = "python:3-slim"
PLAIN = "plain:latest"
LABEL = "io.github.fumehood"
# The suite container tries some cases, container-long all of them.
IS_SHORT = os.environ.get("FH_SHORT") == "1"


def call(*words, check=True, timeout=300, **options):
    """The engine's client, as text; a call that fails raises what it said."""
    answer = subprocess.run([CLIENT, *words], timeout=timeout, check=False,
                            **{"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace",
                               **options})
    must(not check or answer.returncode == 0, f"{CLIENT} {' '.join(words)}: {answer.returncode} {answer.stderr}")
    return answer


def why_not():
    """None when the engine can be used."""
    if os.geteuid() == 0:
        return "containers are tested as an ordinary user"
    if not os.environ.get("DOCKER_HOST"):
        return "DOCKER_HOST names no engine; tests/run.sh container starts one"
    try:
        answer = call("version", "--format", "{{.Server.Version}}", check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the engine cannot be asked: {error}"
    if answer.returncode != 0:
        return f"the engine does not answer: {answer.stderr.strip()}"
    for image in (PYTHON, PLAIN):
        if call("image", "inspect", image, check=False).returncode != 0:
            return f"the engine has no image {image}; tests/container/build-images.py makes it"
    return None


def must_work():
    """Whether a missing engine is a failure."""
    return os.environ.get("FH_MUST_SANDBOX") == "1" and bool(os.environ.get("FH_TEST_ENGINE"))


def at_length(case):
    """Marks a case that only the suite container-long tries."""
    case.is_at_length = True
    return case


def chosen(cases):
    """Returns the cases of this suite."""
    return {name: case for name, case in cases.items() if not (IS_SHORT and getattr(case, "is_at_length", False))}


def main(cases):
    """`cases`: functions by the name of their TAP line."""
    tap = Tap()
    reason = why_not()
    for name, function in chosen(cases).items():
        if reason is None:
            begin = time.monotonic()
            tap.case(name, function)
            tap.note(f"{time.monotonic() - begin:.1f} s")
        elif must_work():
            tap.ok(False, name, [reason])
        else:
            tap.skip(name, reason)
    sys.exit(tap.done())


def new_name(word="test"):
    return f"fh-{word}-{uuid.uuid4().hex[:8]}"


def inspect(name):
    """What the engine says of a container, None when there is none of that name."""
    answer = call("container", "inspect", name, check=False)
    return json.loads(answer.stdout)[0] if answer.returncode == 0 else None


def state(name):
    """The engine's word for it ("running", "exited", …), None when there is none."""
    found = inspect(name)
    return found and found["State"]["Status"]


def named(*filters):
    """Names of all containers that these filters let through, such as "label=…"."""
    words = [word for one in filters for word in ("--filter", one)]
    return set(call("ps", "--all", "--format", "{{.Names}}", *words).stdout.split())


def ours():
    """Names of the containers that Fumehood has made."""
    return named(f"label={LABEL}")


def ours_of(pid):
    """Names of the containers that this process has made. The last number but one of an owner is its process (see
    container-owner.c); the user's number, which all owners have, can be the same."""
    owners = call("ps", "--all", "--format", '{{.Names}} {{.Label "io.github.fumehood.owner"}}', f"--filter=label={LABEL}")
    return [name for name, owner in map(str.split, owners.stdout.splitlines()) if owner.split(".")[-2] == str(pid)]


def removals(name):
    """Processes that outlive who asked for a container's removal, and look for it a few times."""
    pattern = f"--filter=name=^/?{name}$".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"fumehood-removal" in words and pattern in words:
            found.append(int(path.name))
    return found


def volumes():
    return set(call("volume", "ls", "--quiet").stdout.split())


def volumes_left(before):
    """The volumes made since `before` that stay. Tests that run at the same time make and remove volumes of their own,
    so those do not count that go."""
    left = volumes() - before
    deadline = time.monotonic() + PATIENCE
    while left and time.monotonic() < deadline:
        time.sleep(0.2)
        left &= volumes()
    return left


def remove(*names):
    if names:
        call("rm", "--force", "--volumes", *names, check=False)


@contextlib.contextmanager
def removed(*names):
    """Whatever happens, no container of these names is left."""
    try:
        yield
    finally:
        remove(*names)


def archive_of(folders):
    """A tar archive of folders of root's, by their modes."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, mode in folders.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = tarfile.DIRTYPE, mode
            tar.addfile(entry)
    return archive.getvalue()


@contextlib.contextmanager
def image(*changes, base=PLAIN, folders=None):
    """A further image: another one with changes as in a Dockerfile, such as 'ENTRYPOINT ["false"]', and with folders,
    {name: mode}. Its name, for as long as it is needed."""
    container, name = new_name("base"), f"{new_name('image')}:latest"
    call("create", "--name", container, "--network", "none", base, "true")
    try:
        if folders:
            call("cp", "-", f"{container}:/", input=archive_of(folders), stdin=None, text=False, errors=None)
        words = [word for change in changes for word in ("--change", change)]
        call("commit", *words, container, name)
    finally:
        remove(container)
    try:
        yield name
    finally:
        call("image", "rm", "--force", name, check=False)


@contextlib.contextmanager
def foreign(name, *words, base=PLAIN):
    """A container that is not ours, running: what we must not touch."""
    call("run", "--detach", "--name", name, "--network", "none", *words, base, "sleep", "600")
    try:
        yield name
    finally:
        remove(name)


if __name__ == "__main__":
    sys.exit("containers.py is a module of the tests")
