# SPDX-License-Identifier: GPL-3.0-or-later
"""What one run can do to the next one, or to one beside it: by the folder or the container that they have in common,
and by the image that they are made from."""

import contextlib
import os
import subprocess

import containers
from containers import new_name, removed
from guarded import CTL, RUN, STATE, command, environment, save
from tap import must, until
from work import folder, run

TRIES = int(os.environ.get("FH_TRIES", "3" if containers.IS_SHORT else "10"))

# Waits for the source of another run, and puts something else in its place as soon as it is there.
FORGER = """
import os, sys, time
place = sys.argv[1]
print('ready', flush=True)
before = set(os.listdir(place))
while True:
    for name in set(os.listdir(place)) - before:
        if not name.endswith('.py'): continue
        try:
            with open(f'{place}/.forged', 'w') as file: file.write('print("forged")')
            os.rename(f'{place}/.forged', f'{place}/{name}')
        except OSError: pass
"""


@contextlib.contextmanager
def beside(source, *options, arguments=()):
    """Another run that is going on; its process, once it has said that it is ready."""
    path = save(source)
    process = subprocess.Popen([CTL, *RUN, "--no-history", "--timeout=120", *options, path, "--", *arguments],
                               env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = process.stdout.readline()
        must(line == b"ready\n", f"{line!r} {process.stderr.read() if not line else b''!r}")
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=300)
        os.unlink(path)


def refused(result, *words):
    result.must_be(status="not-started", stdout="")
    must(all(word in result.error for word in words), f"the reason: {result}")


def shared_work_folder():
    """Nor one above it, nor one in it."""
    with folder(inner__x="") as work:
        with beside(FORGER, f"--work-dir={work}", arguments=["/workspace"]):
            for path in (work, work / "inner"):
                for _ in range(3):
                    refused(run("print('honest')", f"--work-dir={path}"), "Another run", str(path))
        with beside(FORGER, f"--work-dir={work}/inner", arguments=["/workspace"]):
            refused(run("print('honest')", f"--work-dir={work}"), "Another run", str(work))
        run("print('honest')", f"--work-dir={work}").must_be(status="ok", stdout="honest\n")


def work_folder_that_is_a_volume():
    """A run may change what it was given as a volume at any time, also the file of a program that is just being
    started there; what is run is what was sent all the same."""
    with folder(x="") as work:
        with beside(FORGER, f"--volume={work}:/data:rw", arguments=["/data"]):
            for _ in range(TRIES):
                run("print('honest')", f"--work-dir={work}").must_be(status="ok", stdout="honest\n")


def kept_container():
    name = new_name("neighbour")
    source = FORGER + "\n"
    with removed(name):
        with beside(source, "--keep", name, arguments=["/workspace"]):
            for _ in range(3):
                refused(run("print('honest')", "--keep", name), "busy with another run", name)
        run("print('honest')", "--keep", name).must_be(status="ok", stdout="honest\n")


def kept_container_after_a_killed_run():
    """Its user is dead: it is free again, and nothing of the other run is left in it."""
    name = new_name("neighbour")
    with removed(name):
        with beside(FORGER, "--keep", name, arguments=["/workspace"]) as process:
            process.kill()
            process.wait()
            result = until(lambda: (again := run("print('honest')", "--keep", name)).status != "not-started" and again,
                           "that it is free")
        result.must_be(status="ok", stdout="honest\n")


@contextlib.contextmanager
def image_with_a_link(path, target):
    """An image with a link to `target` in the place of the folder `path`."""
    container, name = new_name("linked"), f"{new_name('image')}:latest"
    containers.call("run", "--name", container, "--network", "none", containers.PLAIN, "sh", "-c",
                    f"mkdir -p {target} {os.path.dirname(path)} && rm -rf {path} && ln -s {target} {path}")
    try:
        containers.call("commit", container, name)
        yield name
    finally:
        containers.remove(container)
        containers.call("image", "rm", "--force", name, check=False)


def image_that_leads_elsewhere():
    """Our own programs would lie in a folder that the guest may change."""
    links = (("/opt", "/workspace"), ("/home", "/opt"), ("/opt/fumehood/guest", "/workspace/y"), ("/workspace", "/data"))
    for path, target in links[:2] if containers.IS_SHORT else links:
        name = new_name("neighbour")
        with image_with_a_link(path, target) as image, removed(name):
            for options in ((), ("--keep", name)):
                if path == "/home" and not options:
                    continue
                answer = command("run", "--engine=docker", f"--container={image}", "--json", "--no-history", *options,
                                 save("print('ran')"))
                must(answer.returncode == 125 and b"ran" not in answer.stdout and b"another image" in answer.stdout,
                     f"{path} -> {target} {options}: {answer}")
            # The engine made places for its mounts there, as root.
            containers.call("run", "--rm", "--network", "none", "--volume", f"{STATE.name}/cache:/cache", containers.PLAIN,
                            "rm", "-rf", f"/cache/fumehood/containers/{name}")


if __name__ == "__main__":
    containers.main({
        "160 a work folder is one run's alone": shared_work_folder,
        "161 a source is not replaced": work_folder_that_is_a_volume,
        "162 a kept container is one run's alone": kept_container,
        "163 what a killed run had is free": kept_container_after_a_killed_run,
        "164 links of an image": image_that_leads_elsewhere,
    })
