# SPDX-License-Identifier: GPL-3.0-or-later
"""Containers from inside of Flatpak, for users who have given Fumehood the client and the socket of an engine."""

import json
import os
import shutil
import sys

import containers
import flatpak_room
from tap import Tap, equal, must

PROGRAM = "import os\nopen('left', 'w').write('by the program')\nprint(os.path.exists('/app'))\n"


class Tests:
    def __init__(self, room):
        self.room = room
        self.program = room.data / "program.py"
        self.program.write_text(PROGRAM, encoding="ascii")
        # A client that lies where both the user and the app can see it.
        self.client = room.data / "bin" / "docker"
        self.client.parent.mkdir()
        shutil.copy(containers.CLIENT, self.client)

    def ctl(self, *words, socket=True):
        address = os.environ["DOCKER_HOST"]
        options = [f"--env=PATH=/app/bin:/usr/bin:{self.client.parent}", f"--env=DOCKER_HOST={address}"]
        if socket:
            options.append(f"--filesystem={address.removeprefix('unix://')}")
        return self.room.run("fumehoodctl", *words, options=options)

    def runs(self):
        before = containers.ours()
        answer = self.ctl("run", "--json", "--no-history", f"--container={containers.PYTHON}", self.program)
        must(answer.stdout, answer.stderr)
        result = json.loads(answer.stdout)
        equal((result["tier"], result["stdout"]), ("D", "False\n"), result["sentence"])
        equal([(file["path"], file["size"]) for file in result["files"]], [("left", 14)], "files")
        equal(containers.ours(), before, "containers that are left")

    def needs_the_socket(self):
        answer = self.ctl("run", "--no-history", f"--container={containers.PYTHON}", self.program, socket=False)
        equal((answer.returncode, answer.stdout), (125, ""), answer.stderr)


def main():
    tap = Tap()
    reason = flatpak_room.why_not()
    must_work = flatpak_room.must_work() if reason else containers.must_work()
    reason = reason or containers.why_not()
    if reason is not None:
        if must_work:
            tap.ok(False, "an engine and Flatpak", [reason])
        else:
            tap.skip("containers from inside of Flatpak", reason)
        return tap.done()
    with flatpak_room.Room() as room:
        room.install()
        tests = Tests(room)
        tap.case("a run in a container", tests.runs)
        tap.case("without the socket there is none", tests.needs_the_socket)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
