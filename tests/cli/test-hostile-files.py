# SPDX-License-Identifier: GPL-3.0-or-later
"""A program leaves whatever could harm those who look at it: the command line saves what is a file, says what is not, and
touches nothing outside."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import hostile_files
from tap import Tap, equal, must

CTL = os.environ["FH_CTL"]
SECONDS = 600


def facts(path):
    status = path.lstat()
    return status.st_mode, status.st_size, status.st_mtime_ns, status.st_atime_ns, path.read_bytes()


def save(room, witness):
    program = room / "main.py"
    program.write_text(hostile_files.leftovers(str(witness)), encoding="utf-8")
    begin = time.monotonic()
    result = subprocess.run(
        [CTL, "run", "--save-files", str(room / "saved"), "--timeout", "300", str(program)],
        env={**os.environ, "XDG_STATE_HOME": str(room / "state"), "LC_ALL": "C.UTF-8", "LANGUAGE": ""},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False)
    must(time.monotonic() - begin < SECONDS, "it took too long")
    return result


def limits_are_said(result):
    said = result.stderr.decode()
    must("left out" in said or "not" in said, f"nothing is said of what is missing: {said!r}")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="fh-hostile-") as folder:
        room = Path(folder)
        witness = room / "witness.png"
        witness.write_bytes(hostile_files.png(8, 8, b"\x00" + b"\x00\x00\xff" * 8))
        before = facts(witness)
        before = facts(witness)
        result = save(room, witness)
        if result.returncode == 125 and not os.environ.get("FH_MUST_SANDBOX"):
            tap.skip("hostile files", "no sandbox can be made here")
            return tap.done()
        tap.case("the run ends as the program does", equal, (result.returncode, result.stdout.decode().splitlines()[-1:]),
                 (0, ["left"]), f"the end, {result.stderr.decode()}")
        tap.case("only files are saved, under harmless names", hostile_files.must_be_harmless, room / "saved")
        tap.case("limits are said", limits_are_said, result)
        tap.case("the witness is as before", equal, facts(witness), before, "the witness")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
