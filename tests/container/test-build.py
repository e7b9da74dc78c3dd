# SPDX-License-Identifier: GPL-3.0-or-later
"""Images are built from the text of a Containerfile by a real engine, without a file of this computer."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from containers import PLAIN, call, main
from tap import Skip, equal, must, until

CTL = os.environ["FH_CTL"]
NAME = f"fumehood-built-{os.getpid()}:1"
SECRET = f"witness-{os.getpid()}"


def build(text, *words, file="-"):
    return subprocess.run([CTL, "image", "build", file, *words], input=text, capture_output=True, text=True, check=False,
                          timeout=300)


def is_built():
    answer = build(f'FROM {PLAIN}\nRUN echo made > /made\nCMD ["cat", "/made"]\n', "--tag", NAME)
    equal(answer.returncode, 0, answer.stderr)
    must(answer.stdout.startswith(f"{NAME} is here: ") and "sha256:" in answer.stdout, answer.stdout)
    must("RUN echo made" in answer.stderr, answer.stderr)
    equal(call("run", "--rm", "--network=none", NAME).stdout, "made\n", "what it prints")
    call("image", "rm", "--force", NAME)


def is_told_as_json():
    answer = build(f"FROM {PLAIN}\nENV A=b\n", "--json")
    told = json.loads(answer.stdout)
    equal((answer.returncode, told["image"], told["present"], told["error"]), (0, None, True, None), "the object")
    must(told["id"].startswith("sha256:"), told)
    call("image", "rm", "--force", told["id"], check=False)


def has_no_file_of_the_host():
    """The witness lies beside the Containerfile, and where the command is started."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / SECRET).write_text("secret", encoding="utf-8")
        file = Path(folder) / "Containerfile"
        for source in (SECRET, f"{folder}/{SECRET}", f"../{SECRET}", "/etc/passwd"):
            file.write_text(f"FROM {PLAIN}\nCOPY {source} /taken\n", encoding="utf-8")
            answer = subprocess.run([CTL, "image", "build", file], cwd=folder, capture_output=True, text=True, check=False)
            equal(answer.returncode, 1, f"COPY {source}: {answer.stderr}")
        file.write_text(f"FROM {PLAIN}\nCOPY . /taken\nRUN test -z \"$(ls -A /taken)\"\n", encoding="utf-8")
        answer = subprocess.run([CTL, "image", "build", file], cwd=folder, capture_output=True, text=True, check=False)
        equal(answer.returncode, 0, f"an empty context: {answer.stderr}")


def has_no_mounts():
    """Where a builder has them, an image with a link shows the files of the host to it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / SECRET).write_text("secret", encoding="utf-8")
        answer = build(f"FROM {PLAIN}\nRUN --mount=type=bind,from={PLAIN},source=/,target=/x cat /x{folder}/{SECRET}\n")
        equal(answer.returncode, 1, answer.stderr)
        must("BuildKit" in answer.stderr, answer.stderr)


def needs_a_sound_podman():
    version = subprocess.run(["podman", "--version"], capture_output=True, text=True, check=False).stdout.split()
    if shutil.which("podman") is None or [int(part) for part in version[-1].split(".")[:3]] >= [5, 3, 2]:
        raise Skip("there is no Podman before 5.3.2")
    answer = build("FROM scratch\nENV A=b\n", "--engine", "podman")
    equal(answer.returncode, 1, answer.stderr)
    must(f"Nothing is built with Podman {version[-1]}" in answer.stderr, answer.stderr)


def fails_with_the_reason():
    answer = build(f"FROM {PLAIN}\nRUN echo why; exit 3\n")
    equal(answer.returncode, 1, answer.stderr)
    must("why" in answer.stderr and "exit 3" in answer.stderr.splitlines()[-1], answer.stderr)
    equal(build("FROM " + "x" * (1 << 20)).returncode, 1, "a text of more than 1 MiB")
    equal(build("", "--tag", "--privileged").returncode, 2, "a tag that is no name")
    equal(build("", "extra").returncode, 2, "two files")


def hostile_lines():
    """One without an end, and the controls of a terminal."""
    answer = build(f"FROM {PLAIN}\nRUN head -c 3000000 /dev/zero | tr '\\0' x; printf '\\033]0;title\\007\\033[2J'; exit 1\n")
    equal(answer.returncode, 1, answer.stderr[-300:])
    must("\033" not in answer.stderr and "\007" not in answer.stderr, "a control reached the terminal")
    must(max(map(len, answer.stderr.splitlines())) < 20000, "a line without an end")


def sleepers(mark):
    return [line for line in call("ps", "--no-trunc", "--format", "{{.Command}}").stdout.splitlines() if mark in line]


def await_sleepers(mark, n):
    until(lambda: len(sleepers(mark)) == n, f"{n} of {mark}")


def stops():
    with subprocess.Popen([CTL, "image", "build", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as process:
        mark = f"sleep 30{os.getpid()}"
        process.stdin.write(f"FROM {PLAIN}\nRUN {mark}\n")
        process.stdin.close()
        await_sleepers(mark, 1)
        process.send_signal(signal.SIGINT)
        equal(process.wait(300), 130, "exit status")
        await_sleepers(mark, 0)


CASES = {
    "an image is built and has its name": is_built,
    "a build is told as JSON": is_told_as_json,
    "no file of the host gets in": has_no_file_of_the_host,
    "a build has no mounts": has_no_mounts,
    "an old Podman builds nothing": needs_a_sound_podman,
    "what fails is said": fails_with_the_reason,
    "hostile words of a build": hostile_lines,
    "Ctrl+C ends a build": stops,
}


if __name__ == "__main__":
    sys.exit(main(CASES))
