#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays `docker` for those who ask about images and pull them, without a module that takes long to import: it is
started often. $FAKE_STATE is a folder of files that say how things stand: `down`: no answer; `images`: the names of
those that are there, one per line; `pull`: what becomes of a pull: "works", "slow" (never ends by itself) or
"missing". Each call is noted in `calls`."""

import os
import sys
import time

STATE = os.environ["FAKE_STATE"]
ARGUMENTS = sys.argv[1:]
LAYERS = ("a2abf6c4d29d", "625294dad115", "1f3e46996e29")
DOWN = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n"
INFO = f"""{{
    "Driver": "overlay2", "MemoryLimit": true, "PidsLimit": true, "CpuCfsQuota": true,
    "KernelVersion": "{os.uname().release}", "Name": "{os.uname().nodename}",
    "OperatingSystem": "Debian GNU/Linux 12 (bookworm)", "OSType": "linux", "Architecture": "x86_64",
    "ServerVersion": "20.10.24", "SecurityOptions": ["name=seccomp,profile=default"]
}}
"""
IMAGE = """{
    "Id": "sha256:%064d", "Architecture": "amd64", "Os": "linux", "Size": 127000000,
    "Config": {"Env": ["PATH=/usr/local/bin:/usr/bin:/bin"]}
}
""" % 0


def file_of(name):
    return f"{STATE}/{name}"


def read(name):
    if not os.path.exists(file_of(name)):
        return ""
    with open(file_of(name), encoding="utf-8") as file:
        return file.read()


def fail(text):
    sys.stderr.write(text)
    sys.exit(1)


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def inspect(name):
    if name not in read("images").split():
        fail(f"Error: No such image: {name}\n")
    say(IMAGE)


def pull(name):
    fate = read("pull").strip()
    say(f"3-slim: Pulling from library/{name.split(':')[0]}\n")
    if fate == "missing":
        fail(f"Error response from daemon: manifest for {name} not found: manifest unknown: manifest unknown\n")
    for layer in LAYERS:
        say(f"{layer}: Pulling fs layer\n")
    for layer in LAYERS:
        say(f"{layer}: Download complete\n{layer}: Pull complete\n")
        time.sleep(0.2)
        while fate == "slow":
            time.sleep(0.2)
    with open(file_of("images"), "a", encoding="utf-8") as images:
        images.write(name + "\n")
    say(f"Digest: sha256:{'1' * 64}\nStatus: Downloaded newer image for {name}\n")


def main():
    with open(file_of("calls"), "a", encoding="utf-8") as calls:
        calls.write(" ".join(ARGUMENTS) + "\n")
    if ARGUMENTS[0] == "context":
        say("unix:///var/run/docker.sock\n")
    elif os.path.exists(file_of("down")):
        fail(DOWN)
    elif "info" in ARGUMENTS[:2]:
        say(INFO)
    elif ARGUMENTS[:2] == ["image", "inspect"]:
        inspect(ARGUMENTS[-1])
    elif ARGUMENTS[:2] == ["image", "ls"]:
        say(read("images"))
    elif "pull" in ARGUMENTS[:2]:
        pull(ARGUMENTS[-1])
    else:
        fail(f"unknown command: {ARGUMENTS[0]}\n")


main()
