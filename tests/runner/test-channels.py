# SPDX-License-Identifier: GPL-3.0-or-later
"""Sockets and pipes of the host in folders that are shown: out of reach, or refused, or told of."""

import errno
import os
import socket
import sys
import tempfile

import wire
from sandboxed import main, prints, python, shell
from tap import equal, must

WITHOUT = dict(os.environ, FH_RUNNER_WITHOUT_OVERLAYS="1")
DEEP = "a/b/c/d/e"


class Place:
    """A folder with a file, and a folder deep below it for what must be out of reach."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="fh-")
        self.path = os.path.realpath(self.temporary.name)
        self.deep = f"{self.path}/{DEEP}"
        self.open = []
        os.makedirs(self.deep)
        os.chmod(self.path, 0o755)
        with open(f"{self.path}/file", "w", encoding="ascii") as file:
            file.write("content")
        return self

    def __exit__(self, *_):
        for one in self.open:
            one.close()
        self.temporary.cleanup()

    def add_socket(self, name="socket", kind=socket.SOCK_STREAM):
        server = socket.socket(socket.AF_UNIX, kind)
        server.bind(f"{self.deep}/{name}")
        os.chmod(f"{self.deep}/{name}", 0o777)
        if kind == socket.SOCK_STREAM:
            server.listen()
        server.setblocking(False)
        self.open.append(server)
        return server

    def add_pipe(self):
        os.mkfifo(f"{self.deep}/pipe", 0o666)
        os.chmod(f"{self.deep}/pipe", 0o666)
        self.open.append(open(os.open(f"{self.deep}/pipe", os.O_RDWR), "r+b", buffering=0))
        self.open[-1].write(b"words")

    @property
    def binds(self):
        return [(self.path, self.path)]


def test_out_of_reach():
    with Place() as place:
        place.add_socket()
        place.add_socket("datagrams", socket.SOCK_DGRAM)
        place.add_pipe()
        result = python(f"""
            import errno, os, socket
            os.chdir({place.deep!r})
            def attempt(function):
                try:
                    print(function())
                except OSError as error:
                    print(errno.errorcode[error.errno])
            attempt(lambda: socket.socket(socket.AF_UNIX).connect('socket'))
            attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', 'datagrams'))
            attempt(lambda: os.read(os.open('pipe', os.O_RDONLY | os.O_NONBLOCK), 5))
            attempt(lambda: open({place.path!r} + '/file').read())
            """, binds=place.binds)
        prints(result, "ECONNREFUSED\nECONNREFUSED\nb''\ncontent\n")
        equal(result.guards["filesystem"][0], "active", "guard")


def test_made_later():
    with Place() as place:
        runner = wire.Runner(os.environ["FH_RUNNER"])
        runner.start(["/usr/bin/python3", "-c", f"""
import socket, sys, time
print('ready', flush=True)
while True:
    time.sleep(0.01)
    try:
        socket.socket(socket.AF_UNIX).connect({place.deep!r} + '/later')
        print('reached', flush=True)
        break
    except FileNotFoundError:
        continue
    except OSError as error:
        print(error.errno, flush=True)
        break
"""], binds=place.binds)
        runner.wait_until(lambda result: b"ready" in result.stdout)
        place.add_socket("later")
        prints(runner.finish(), f"ready\n{errno.ECONNREFUSED}\n")


def test_refused_without_file_systems_of_their_own():
    for add in (Place.add_socket, Place.add_pipe):
        with Place() as place:
            result = python("print('ran')", binds=place.binds, runner_env=WITHOUT)
            prints(result, "ran\n")
            equal(result.guards["filesystem"][::2], ("degraded", "shared-sockets"), "guard")
            add(place)
            result = python("print('ran')", binds=place.binds, runner_env=WITHOUT)
            equal((result.status, result.step, result.error, result.stdout),
                  ("setup-failed", "channels", errno.ENOTEMPTY, b""), "what is refused")


def test_other_tiers():
    for tier, refused in ((wire.TIER_A2, (Place.add_socket, Place.add_pipe)), (wire.TIER_B, (Place.add_pipe,))):
        for add in (Place.add_socket, Place.add_pipe):
            with Place() as place:
                # In A2 /tmp is a link, below which nothing can be shown.
                binds = [(place.path, "/srv/place")] if tier == wire.TIER_A2 else place.binds
                prints(python("print('ran')", binds=binds, tier=tier), "ran\n")
                add(place)
                result = python("print('ran')", binds=binds, tier=tier)
                must((result.status == "setup-failed") == (add in refused), f"tier {tier}: {result}")


def test_folders_that_cannot_be_listed():
    """Without a namespace of its own the runner has no more rights than its user."""
    for mode, expected in ((0o100, ("setup-failed", "channels", errno.EACCES, b"")), (0, ("exited", "", 0, b"ran\n"))):
        with Place() as place:
            os.chmod(place.deep, mode)
            result = python("print('ran')", binds=place.binds, tier=wire.TIER_B)
            os.chmod(place.deep, 0o755)
            equal((result.status, result.step, result.error, result.stdout), expected, oct(mode))


def test_too_deep():
    with Place() as place:
        os.makedirs(place.deep + "/x" * 60)
        result = python("print('ran')", binds=place.binds, runner_env=WITHOUT)
        equal((result.status, result.step, result.error), ("setup-failed", "channels", errno.ELOOP), "too deep")


def test_nothing_shown():
    result = python("print('ran')", runner_env=WITHOUT)
    prints(result, "ran\n")
    equal(result.guards["filesystem"][0], "active", "guard")


def test_links_are_not_followed():
    """A link in the place of a folder that was checked is not followed."""
    with Place() as place, tempfile.TemporaryDirectory() as other:
        os.symlink(place.path, f"{other}/link")
        for source in (f"{other}/link", f"{other}/link/a"):
            result = python("print('ran')", binds=[(source, "/opt/app")])
            equal((result.status, result.step, result.error), ("setup-failed", "binds", errno.ELOOP), source)


def test_files_in_shown_folders():
    """One that is in a shown folder already; and one among the program's own, which it cannot change there either."""
    with Place() as place:
        prints(shell("cat /opt/app/file; rm -f /tmp/one 2>&1; cat /tmp/one", binds=[
            (place.path, "/opt/app"), (f"{place.path}/file", "/opt/app/file"), (f"{place.path}/file", "/tmp/one")]),
               "contentrm: cannot remove '/tmp/one': Device or resource busy\ncontent")


def test_nothing_but_files_and_folders():
    with Place() as place:
        place.add_socket()
        place.add_pipe()
        for name in ("socket", "pipe"):
            result = python("print('ran')", binds=[(f"{place.deep}/{name}", "/opt/app")])
            equal((result.status, result.step, result.error), ("setup-failed", "binds", errno.EINVAL), name)


def test_what_mounts_tell():
    """Nothing of where a folder lies but what the program was told anyway."""
    with Place() as place:
        result = python("print(open('/proc/self/mountinfo').read())", binds=[(place.path, "/opt/app")])
        must(place.path.encode() not in result.stdout, result.stdout.decode())


if __name__ == "__main__":
    sys.exit(main(__name__))
