#!/usr/bin/python3 -BES
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the client of an engine that has containers: each is a file NAME.json in $FAKE_CONTAINERS. It is `docker` or
`podman` by the name it is called by. Every call is noted in $FAKE_CALLS, one line each.

A container is {"id", "labels", "state", "act", "tries"}; its act is what happens when something is done to it:
  sticks     `rm` says that it has removed it, and has not
  busy       `rm` fails as often as "tries" says
  vanishes   is gone as soon as it was listed
  dies       does not run after a restart
  garbage    `inspect` prints no JSON
"""

import os
import sys

from plain_json import dumps, loads

NAME = os.path.basename(sys.argv[0])
PLACE = os.environ["FAKE_CONTAINERS"]


def file_of(name):
    return f"{PLACE}/{name}.json"


def load():
    containers = {}
    for file in sorted(os.listdir(PLACE)):
        if file.endswith(".json"):
            with open(f"{PLACE}/{file}", encoding="utf-8") as text:
                containers[file.removesuffix(".json")] = loads(text.read())
    return containers


def save(name, container):
    with open(file_of(name), "w", encoding="utf-8") as file:
        file.write(dumps(container))


def fail(text, status=1):
    sys.stderr.write(text + "\n")
    sys.exit(status)


def missing(word):
    if NAME == "podman":
        fail(f'Error: no container with name or ID "{word}" found: no such container', 125)
    fail(f"Error response from daemon: No such container: {word}")


def find(word):
    """By name, or by the beginning of an id, as engines do."""
    for name, container in load().items():
        if word == name or container["id"].startswith(word):
            return name, container
    return missing(word)


def matches(name, container, pattern):
    kind, _, value = pattern.partition("=")
    if kind == "label":
        label, _, content = value.partition("=")
        return container["labels"].get(label) == content
    import re
    return re.search(value, name) or (NAME == "docker" and re.search(value, "/" + name))


def formatted(words, labels):
    """What each engine writes for the one template that we use."""
    [form] = [word for word in words if word.startswith("--format=")] or [None]
    if form is None:
        return []
    import re
    way = r'\{\{index \.Labels "([^"]*)"\}\}' if NAME == "podman" else r'\{\{\.Label "([^"]*)"\}\}'
    return [labels.get(name, "") for name in re.findall(way, form)]


def ps(words):
    filters = [word.removeprefix("--filter=") for word in words if word.startswith("--filter=")]
    for name, container in load().items():
        if all(matches(name, container, each) for each in filters):
            print(container["id"], *formatted(words, container["labels"]))
            if container.get("act") == "vanishes":
                os.unlink(file_of(name))


def inspect(words):
    name, container = find(words[-1])
    if container.get("act") == "garbage":
        print("[{")
        return
    print(dumps([{
        "Id": container["id"],
        "Name": name if NAME == "podman" else "/" + name,
        "Created": "2026-01-02T03:04:05.123456789Z",
        "Image": "sha256:0123",
        "State": {"Status": container["state"], "ExitCode": 137, "OOMKilled": True,
                  "Error": container.get("error", "")},
        "Config": {"Image": "sha256:0123", "Labels": container["labels"]},
    }]))


def rm(words):
    if "--force" not in words or "--volumes" not in words:
        fail("volumes would be left", 2)
    for word in words[words.index("--") + 1:]:
        name, container = find(word)
        if container["state"] == "running":
            container["state"] = "exited"
        if container.get("act") == "busy" and container["tries"] > 0:
            save(name, container | {"tries": container["tries"] - 1})
            fail(f"Error response from daemon: removal of container {word} is already in progress")
        if container.get("act") != "sticks":
            os.unlink(file_of(name))


def become(state):
    def change(words):
        name, container = find(words[-1])
        if state == "exited" and container["state"] == "paused" and words[0] == "stop":
            fail("container is paused. Unpause the container before stopping or killing")
        died = state == "running" and container.get("act") == "dies"
        save(name, container | {"state": "exited" if died else state})
    return change


def main():
    words = sys.argv[1:]
    with open(os.environ["FAKE_CALLS"], "a", encoding="utf-8") as calls:
        calls.write(" ".join(words) + "\n")
    {
        "ps": ps,
        "inspect": inspect,
        "rm": rm,
        "kill": become("exited"),
        "stop": become("exited"),
        "restart": become("running"),
        "unpause": become("running"),
    }[words[0]](words)


main()
