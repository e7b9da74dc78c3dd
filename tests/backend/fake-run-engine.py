#!/usr/bin/python3 -BES
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays `docker` for a sandbox: an engine whose containers are files of $FAKE_FOLDER. Where a runner would be started
in one, the fake runner of FAKE_SPEAKER, or else FH_RUNNER, speaks instead. Acts, words of $FAKE_ACTS:

    no-image       the image has to be pulled first        slow-image     looking for it takes long
    arm            the image is for another computer       no-pull        the registry refuses
    refused        a container cannot be started           unexplained    the same, without a word
    out-of-memory  the engine tells so afterwards          removed        it is removed meanwhile
    stopped        it is stopped meanwhile             down           the daemon is gone afterwards
    cut            the client is killed meanwhile     ended-first    the same as removed, a little later
    flood          the client complains without end
    noise          it writes nonsense without end         rude           it complains in bytes that are no text
    deaf           it closes its streams and never ends   orphan         it ends, and its child holds them open
    new-image      the image's name has another one
    taken          between the question and the answer the name is taken
    raced          the same, by another run that wants the same; it is shown a little later
    others         the same, by another user
    held-VERB      this verb is done, but its client does not end; its number is in the file "held"
"""

import os
import sys
import time

from plain_json import dumps, loads

FOLDER = os.environ["FAKE_FOLDER"]
ACTS = os.environ.get("FAKE_ACTS", "").split()
ARGUMENTS = sys.argv[1:]
SOCKET = "unix:///var/run/docker.sock"
DOWN = f"Cannot connect to the Docker daemon at {SOCKET}. Is the docker daemon running?\n"


def hold():
    if f"held-{ARGUMENTS[0]}" in ACTS:
        put("pid", str(os.getpid()))
        os.rename(in_folder("pid"), in_folder("held"))
        time.sleep(600)


def say(text="", status=0):
    hold()
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.exit(status)


def fail(text, status=1):
    hold()
    sys.stderr.write(text)
    sys.stderr.flush()
    sys.exit(status)


def in_folder(name):
    return f"{FOLDER}/{name}"


def put(name, text=""):
    with open(in_folder(name), "w", encoding="utf-8") as file:
        file.write(text)


def file_of(name):
    return in_folder(f"container-{name}")


def containers():
    for name in sorted(os.listdir(FOLDER)):
        if name.startswith("container-"):
            with open(in_folder(name), encoding="utf-8") as file:
                yield loads(file.read())


def read(name):
    """By its name or its number."""
    for container in containers():
        if name in (container["Name"], container["Id"]):
            return container
    return fail(f"Error: No such container: {name}\n")


def write(container):
    new = f"new-{os.getpid()}"
    put(new, dumps(container))
    os.rename(in_folder(new), file_of(container["Name"]))


def option(name):
    return [word.split("=", 1)[1] for word in ARGUMENTS if word.startswith(f"--{name}=")]


def conflict(name):
    fail(f'docker: Error response from daemon: Conflict. The container name "/{name}" is already in use by '
         'container "0123". You have to remove (or rename) that container to be able to reuse that name.\n', 125)


def create():
    """As in `run` and `create`."""
    name = option("name")[0]
    if os.path.exists(file_of(name)) or "taken" in ACTS:
        conflict(name)
    container = {
        "Id": os.urandom(8).hex(), "Name": name, "Created": "2024-01-01T00:00:00Z",
        "Config": {"Image": "x", "Labels": dict(word.split("=", 1) for word in option("label"))},
        "State": {"Status": "created", "ExitCode": 0, "OOMKilled": False, "Error": ""},
    }
    if "--mount=type=volume,target=/opt/fumehood" in ARGUMENTS:
        container.update({"Lacks": ["programs", "folders"] if ARGUMENTS[-1] == "--keep" else ["programs"]})
    if "others" in ACTS:
        container["Config"]["Labels"]["io.github.fumehood.owner"] = "0123456789abcdef.0.7.0.0.1.1"
        write(container)
        conflict(name)
    if "raced" in ACTS:
        put("hidden", dumps(container))
        conflict(name)
    write(container)
    return container


def set_state(name, status, **more):
    container = read(name)
    container["State"].update({"Status": status, **more})
    write(container)


def speak(name):
    """The fake runner holds the conversation; then it is as if the container's first process had ended."""
    if read(name).get("Lacks"):
        fail(f"OCI runtime exec failed: there are no {' and no '.join(read(name)['Lacks'])}\n", 126)
    words = os.environ.get("FAKE_SPEAKER") or os.environ["FH_RUNNER"]
    child = os.fork()
    if child == 0:
        os.dup2(0, 3)
        os.execv(words, [words])
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if "removed" in ACTS:
        os.unlink(file_of(name))
    elif "stopped" in ACTS or "ended-first" in ACTS:
        set_state(name, "exited")
    elif os.path.exists(file_of(name)) and not read(name)["Config"]["Labels"].get("io.github.fumehood.kept"):
        set_state(name, "exited", ExitCode=code, OOMKilled="out-of-memory" in ACTS)
    if "cut" in ACTS:
        os.kill(os.getpid(), 9)
    if "down" in ACTS:
        put("down")
        fail(f"error during connect: {DOWN}", 125)
    sys.exit(code % 256)


def refuse(name):
    set_state(name, "created", ExitCode=127, Error="exec format error")
    fail("docker: Error response from daemon: OCI runtime create failed: exec format error: unknown.\n", 126)


def misbehave():
    while "flood" in ACTS:
        os.write(2, b"a complaint\n" * 4096)
    while "noise" in ACTS:
        os.write(1, bytes(range(256)) * 256)
    if "rude" in ACTS:
        os.write(2, b"docker: \xff\x1b[2J\x1b]0;title\x07\x00\xe2\x80\xae it is rude\n")
        sys.exit(125)
    if "orphan" in ACTS and os.fork() == 0:
        put("orphan", str(os.getpid()))
        time.sleep(600)
    if "orphan" in ACTS:
        while not os.path.exists(in_folder("orphan")):
            time.sleep(0.01)
        sys.exit(0)
    if "deaf" in ACTS:
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.closerange(0, 3)
        time.sleep(600)


def run():
    name = create()["Name"]
    if "refused" in ACTS:
        refuse(name)
    if "unexplained" in ACTS:
        set_state(name, "exited", ExitCode=137)
        sys.exit(137)
    misbehave()
    set_state(name, "running")
    speak(name)


def start():
    name = ARGUMENTS[-1]
    read(name)
    if "refused" in ACTS:
        refuse(name)
    set_state(name, "running")
    if "--attach" in ARGUMENTS:
        speak(name)
    say(f"{name}\n")


def complete(name, what):
    """What a container got that is made with nothing of this computer in it."""
    container = read(name)
    container["Lacks"] = [one for one in container.get("Lacks", []) if one != what]
    write(container)
    say()


def copy():
    sys.stdin.buffer.read()
    complete(ARGUMENTS[-1].split(":")[0], "programs")


def execute():
    name = ARGUMENTS[ARGUMENTS.index("--") + 1]
    if read(name)["State"]["Status"] != "running":
        fail(f"Error response from daemon: Container {name} is not running\n")
    if "--open" in ARGUMENTS:
        complete(name, "folders")
    speak(name)


def listed():
    """Those that all filters let through: numbers, or lines as in the one template that we use."""
    words = [word.split("=", 2)[1:] for word in ARGUMENTS if word.startswith("--filter=")]
    for container in containers():
        labels = container["Config"]["Labels"]
        if all(labels.get(value.split("=")[0]) == value.split("=")[1] if kind == "label" else
               container["Name"] == value.strip("^/?$").replace("[.]", ".") for kind, value in words):
            more = [] if "--quiet" in ARGUMENTS else [labels.get(f"io.github.fumehood.{name}", "") for name in ("owner", "kept")]
            sys.stdout.write(" ".join([container["Id"], *more]) + "\n")
    say()


def inspect():
    if os.path.exists(in_folder("hidden")):
        os.rename(in_folder("hidden"), file_of(ARGUMENTS[-1]))
        fail(f"Error: No such container: {ARGUMENTS[-1]}\n")
    container = read(ARGUMENTS[-1])
    if "ended-first" in ACTS and container["State"]["Status"] == "exited":
        os.unlink(file_of(ARGUMENTS[-1]))
    say(dumps(container) + "\n")


def end(status):
    name = read(ARGUMENTS[-1])["Name"]
    set_state(name, status)
    say(f"{name}\n")


def remove():
    name = read(ARGUMENTS[-1])["Name"]
    os.unlink(file_of(name))
    say(f"{name}\n")


def look_for_image():
    if "slow-image" in ACTS:
        time.sleep(20)
    if "no-image" in ACTS and not os.path.exists(in_folder("pulled")):
        fail(f"Error: No such image: {ARGUMENTS[-1]}\n")
    say(dumps({
        "Id": f"sha256:{('6' if 'new-image' in ACTS else '5') * 64}", "Config": {"Env": ["PATH=/bin"]}, "Os": "linux", "Size": 5,
        "Architecture": "arm64" if "arm" in ACTS else "amd64",
    }))


def pull():
    if "no-pull" in ACTS:
        fail("Error response from daemon: pull access denied for x, repository does not exist\n")
    put("pulled")
    say("57c1bbdd170a: Pull complete\r\nStatus: Downloaded newer image\r\n")


def info():
    say(dumps({
        "Driver": "overlay2", "MemoryLimit": True, "PidsLimit": True, "CpuCfsQuota": True,
        "KernelVersion": os.uname().release, "Name": os.uname().nodename, "OSType": "linux",
        "OperatingSystem": "Debian GNU/Linux 12 (bookworm)", "Architecture": "x86_64", "ServerVersion": "20.10.24",
        "SecurityOptions": ["name=seccomp,profile=default"],
    }) + "\n")


def main():
    with open(in_folder("calls"), "a", encoding="utf-8") as calls:
        calls.write(f"{' '.join(ARGUMENTS)}\n")
    if os.path.exists(in_folder("down")):
        fail(DOWN)
    if ARGUMENTS[:2] == ["image", "inspect"]:
        look_for_image()
    {
        "info": info, "context": lambda: say(f"{SOCKET}\n"), "pull": pull, "run": run, "start": start, "exec": execute,
        "create": lambda: say(f"{create()['Id']}\n"), "inspect": inspect, "container": inspect, "ps": listed, "cp": copy,
        "kill": lambda: end("exited"), "stop": lambda: end("exited"), "restart": lambda: end("running"), "rm": remove,
    }[ARGUMENTS[0]]()


main()
