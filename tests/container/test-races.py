# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that may write in a folder exchanges one in it for a link, all the time, while other runs are given that one:
each of them has the folder that was there, or does not happen. FH_RACES says how often each race is tried; one that was
not won in both ways by then goes on until it was."""

import contextlib
import ctypes
import os
import threading

import containers
from relay import remote
from tap import equal, must
from work import folder, run
from guarded import environment

RACES = int(os.environ.get("FH_RACES", "8" if containers.IS_SHORT else "50"))
# Either way is won about as often.
MOST = RACES + 100
PAUSE_S = 0.013
EXCHANGE = 2  # RENAME_EXCHANGE of renameat2 (2)
LIBC = ctypes.CDLL(None, use_errno=True)

# Tells what it finds, and tries to leave something.
LOOK = """
import os, sys
place = sys.argv[1]
print(sorted(os.listdir(place)))
try: open(os.path.join(place, 'planted'), 'w').write('x')
except OSError as error: print(type(error).__name__)
"""


def exchange(one, other):
    if LIBC.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


@contextlib.contextmanager
def swapping(one, other):
    """What a program in the folder that both are in does. Gives the number of times."""
    done = threading.Event()
    count = [0]

    def swap():
        while not done.wait(PAUSE_S):
            exchange(one, other)
            count[0] += 1

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield count
    finally:
        done.set()
        thread.join()


def race(name, option, inside, **more):
    """`name`: what is exchanged, all of its path or the beginning. Never is it what the link leads to."""
    with folder(sub__data__mine="x") as work, folder(secret="not yours", data__secret="not yours") as other:
        (work / "link").symlink_to(other)
        runs, refused, through = 0, 0, 0
        target = work / name
        if name == "data":
            (work / "sub/data").rename(target)
        with swapping(target, work / "link") as count:
            while runs < RACES or (refused in (0, runs) and runs < MOST):
                runs += 1
                result = run(LOOK, option.format(work=work), arguments=(inside,), **more)
                must(result.status == "ok" or result.stdout == "", str(result))
                refused += result.status != "ok"
                through += "secret" in result.stdout
        print(f"# {option}: {runs} runs, {refused} refused, {through} got through; exchanged {count[0]} times",
              flush=True)
        left = sorted(os.listdir(other)) + sorted(os.listdir(other / "data"))
        equal((through, left), (0, ["data", "secret", "secret"]), "what got through, and what is there")
        must(count[0] > runs, "it was not exchanged")
        must(0 < refused < runs, "either way never won")


def volume():
    race("data", "--volume={work}/data:/data:rw", "/data")


def work_folder():
    race("data", "--work-dir={work}/data", "/workspace")


def part_of_a_path():
    race("sub", "--volume={work}/sub/data:/data:rw", "/data")


def volume_by_tcp():
    """The engine is said to be elsewhere, and is not."""
    with remote() as address:
        race("data", "--volume={work}/data:/data:rw", "/data", env=environment(DOCKER_HOST=address))


# What happens to the work folder just before the client makes or enters the container.
BEFORE = ("rm -r data", "mv data there", "mv data there; ln -s / data", "mv data there; mkdir data")
CLIENT = """#!/bin/sh
if [ "$1" = "$FH_AT" ]; then (cd "$FH_WORK" && eval "$FH_ACT"); fi
exec {client} "$@"
"""


def goes_away():
    """A bound folder is found out to be another one, and copies go to where the folder is."""
    with folder() as programs:
        client = programs / "docker"
        client.write_text(CLIENT.format(client=containers.CLIENT), encoding="utf-8")
        client.chmod(0o755)
        for options, step in (((), "run"), (("--container-files=copy",), "start")):
            for act in BEFORE:
                with folder(data__mine="x") as work:
                    result = run("open('made', 'w').write('x')\n", f"--work-dir={work}/data", *options, env=environment(
                        FH_DOCKER=str(client), FH_AT=step, FH_WORK=str(work), FH_ACT=act))
                    left = sorted(str(path.relative_to(work)) for path in work.glob("*/*") if not path.parent.is_symlink())
                    is_kept = "there" in act
                    if options:
                        equal((result.status, left), ("ok", ["there/made", "there/mine"] if is_kept else []), act)
                    else:
                        equal((result.success, result.stdout, left), (False, "", ["there/mine"] if is_kept else []), act)
                    must(result.success or len(result.error) > 20, str(result))


if __name__ == "__main__":
    containers.main({
        "a volume": volume,
        "a work folder": work_folder,
        "a folder above": part_of_a_path,
        "a work folder that goes away": goes_away,
        "a volume, and an engine behind a port": volume_by_tcp,
    })
