# SPDX-License-Identifier: GPL-3.0-or-later
"""A runner that is told to be in a sub-sandbox believes nothing: it looks for what the tier relies on, and where something
is otherwise it builds nothing, starts nothing, kills nothing. Here bubblewrap plays Flatpak's portal, which uses it as
well; the portal itself is tested in tests/flatpak."""

import errno
import os
import shlex
import subprocess
import sys
import tempfile

import wire
from sandboxed import PROGRAM, PYTHON, main, prints, run
from tap import Skip, equal, must

BUBBLEWRAP = "/usr/bin/bwrap"
ALONE = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net"]


def proof(path):
    status = os.stat(path)
    return path, status.st_dev, status.st_ino


class Portal:
    """A sub-sandbox that shows one folder."""

    def __init__(self, shows=True, alone=ALONE, info=True):
        if not os.path.exists(BUBBLEWRAP):
            raise Skip("bubblewrap is not installed")
        self.place = tempfile.TemporaryDirectory(prefix="fh-portal-")
        self.folder = f"{self.place.name}/folder"
        os.mkdir(self.folder, 0o700)
        information = f"{self.place.name}/info"
        with open(information, "w", encoding="ascii") as file:
            file.write("[Application]\n")
        links = [f"--symlink usr/{name} /{name}" for name in ("bin", "lib", "lib64")]
        command = [BUBBLEWRAP, *alone, "--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev",
                   "--ro-bind", os.path.realpath(PROGRAM), "/runner", "--tmpfs", "/tmp",
                   *(["--ro-bind", information, "/.flatpak-info"] if info else []),
                   *(["--bind", self.folder, self.folder] if shows else [])]
        self.start = f"{self.place.name}/start"
        with open(self.start, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {shlex.join(command)} {' '.join(links)} /runner\n")
        os.chmod(self.start, 0o755)

    def run(self, argv, proofs=None, **limits):
        return wire.run(self.start, argv, tier=wire.TIER_F, proofs=proofs or [proof(self.folder)], **limits)

    def refuses(self, step, error, **limits):
        for flags in (0, wire.PROBE):
            result = self.run([] if flags else ["/bin/sh", "-c", "echo ran"], flags=flags, **limits)
            equal((result.status, result.step, result.error), ("setup-failed", step, error), f"flags {flags}: {result}")
            must(not result.started and not result.output, f"something ran: {result}")
        equal(os.listdir(self.folder), [], "the folder")


def test_outside():
    """The next thing that it would do is to kill every process that it can."""
    bystander = subprocess.Popen(["sleep", "600"])
    try:
        with tempfile.TemporaryDirectory(prefix="fh-sub-") as folder:
            result = run(["/bin/sh", "-c", "echo ran"], tier=wire.TIER_F, proofs=[proof(folder)])
            equal((result.status, result.step, result.error), ("setup-failed", "sub-sandbox", errno.EXDEV), "outside")
            must(not result.started and not result.output, f"something ran: {result}")
        equal(bystander.poll(), None, "another program of the user's")
    finally:
        bystander.kill()
        bystander.wait()


def test_inside():
    portal = Portal()
    prints(portal.run([PYTHON, "-c", "import os; open('a', 'w').close(); print(os.listdir('.'))"]), "['a']\n")
    equal(os.listdir(portal.folder), [], "the folder afterwards")


def test_says_what_it_is_worth():
    """What Flatpak's filter refuses is not seen; and without the guard of the network there still is none."""
    guards = Portal().run(["/bin/true"]).guards
    equal([guards[name][0::2] for name in ("network", "system-calls")], [("degraded", "in-flatpak")] * 2, "the guards")
    guards = Portal().run([], flags=wire.PROBE, watch=wire.WATCH_OFF).guards
    equal(guards["system-calls"][2], "in-flatpak", "what is known before a run")
    guards = Portal().run(["/bin/true"], allow_hosts=["a.example"]).guards
    equal(guards["network"][0::2], ("degraded", "no-way-to-hosts"), "with an allowed host")
    guards = Portal().run(["/bin/true"], without=["network"]).guards
    equal(guards["network"], ("off", "network namespace", "in-flatpak"), "without the guard of the network")


def test_everything_ends():
    """Also what no longer belongs to the program."""
    token = str(8_000_000 + os.getpid())
    result = Portal().run(["/bin/sh", "-c", f"(setsid sh -c 'trap \"\" TERM; sleep {token}' &) ; echo on"])
    prints(result, "on\n")
    equal(subprocess.run(["pgrep", "-f", f"^sleep {token}"], check=False, capture_output=True).stdout, b"", "left")


def test_another_folder():
    """Newer portals show nothing, without saying so; and what is shown could be another folder of that name."""
    Portal(shows=False).refuses("sub-sandbox-folder", errno.ENOENT)
    portal = Portal()
    path, device, inode = proof(portal.folder)
    portal.refuses("sub-sandbox-folder", errno.ESTALE, proofs=[(path, device, inode + 1)])
    portal.refuses("sub-sandbox-folder", errno.ESTALE, proofs=[(path, device + 1, inode)])


def test_shared_namespaces():
    shared = [word for word in ALONE if word != "--unshare-pid"]
    Portal(alone=shared).refuses("sub-sandbox", errno.EXDEV)
    Portal(info=False).refuses("sub-sandbox", errno.EXDEV)
    portal = Portal(alone=[word for word in ALONE if word != "--unshare-net"])
    with open("/proc/net/dev", encoding="ascii") as file:
        if len(file.readlines()) == 3:
            raise Skip("this computer has no interface but lo")
    portal.refuses("sub-sandbox-network", errno.ENOTUNIQ)


if __name__ == "__main__":
    sys.exit(main(__name__))
