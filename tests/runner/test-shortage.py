# SPDX-License-Identifier: GPL-3.0-or-later
"""Something that a user's programs share is used up by another of them: a run that cannot be started says
which step failed and why, nothing runs, and no error of ours is made of it."""

import errno
import os
import resource
import signal
import socket
import sys

import wire
from sandboxed import PROGRAM, PYTHON, ended, has_own_user, main
from tap import must
from tiered import TIERS, in_tiers

# What the runner may have open: as many descriptors of the user may be on their way when it sends one.
FILES = 200
# The kernel takes 253 in one message.
AT_ONCE = 250
# A guest with a user number of its own has counters of its own.
SHARED_USER = {"FH_RUNNER_NEWUIDMAP": ""}


class OnTheirWay:
    """Another process of the user, which sends descriptors and never receives them; far fewer than its
    other programs with their usual limit would notice."""

    def __enter__(self):
        ready, told = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            self._hold(told)
        os.close(told)
        with os.fdopen(ready, "rb") as stream:
            answer = stream.read(1)
        must(answer == b"+", "the descriptors could not be sent")
        return self

    def __exit__(self, *_):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)

    @staticmethod
    def _hold(told):
        try:
            left, _right = socket.socketpair()
            for _ in range(FILES // AT_ONCE + 1):
                socket.send_fds(left, [b"x"], [left.fileno()] * AT_ONCE)
            os.write(told, b"+")
            os.close(told)
            signal.pause()
        finally:
            os._exit(1)


def run(files, tier, **more):
    command = ["/usr/bin/prlimit", f"--nofile={files}:{files}", PROGRAM]
    return wire.run(command, [PYTHON, "-c", "print('it ran')"], tier=tier, **more)


def is_told(result, step, error, what):
    must((result.status, result.error) == ("setup-failed", error), f"{what}: {result}")
    must(step is None or result.step == step, f"{what}: {result}")
    must(not result.started and result.output == [], f"{what}: nothing ran: {result}")


def test_descriptors_on_their_way():
    def check(name, options):
        tier = options["tier"]
        more = {"runner_env": {**options["runner_env"], **SHARED_USER}}
        ended(run(FILES, tier, **more), "exited", exit_code=0)
        with OnTheirWay():
            for flags in (0, wire.GUEST_CHANNEL):
                is_told(run(FILES, tier, flags=flags, guest_message=b"{}" if flags else b"", **more),
                        "descriptor-passing", errno.ETOOMANYREFS, f"tier {name}, flags {flags}")
        ended(run(FILES, tier, **more), "exited", exit_code=0)

    in_tiers(check)


def test_a_user_number_of_its_own():
    """Another program's descriptors do not count for it."""
    with OnTheirWay():
        result = run(FILES, wire.TIER_A)
        if result.status == "exited":
            must(has_own_user(result), str(result.guards))
        else:
            is_told(result, "descriptor-passing", errno.ETOOMANYREFS, "without a number of its own")


def test_open_files():
    """However few the runner may have open: it runs as always, or says that these are too few."""
    for name, tier in TIERS.items():
        if name == "A2":
            continue
        told = 0
        for files in range(5, 40):
            result = run(files, tier)
            if result.status == "exited" and result.exit_code == 0:
                break
            # A program that was started may itself lack some.
            if result.finished and not result.started:
                must(result.status in ("setup-failed", "not-started") and result.error == errno.EMFILE,
                     f"tier {name}, {files} files: {result}")
                told += 1
        must(told > 0, f"tier {name}: was never short of files")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    sys.exit(main(__name__))
