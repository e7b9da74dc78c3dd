#!/usr/bin/python3 -BES
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the client of a container engine. It is `docker` or `podman` by the name it is called by, and
$FAKE_DOCKER or $FAKE_PODMAN names the act. Every call is noted in $FAKE_CALLS, one line each."""

import os
import sys
import time

from plain_json import dumps

NAME = os.path.basename(sys.argv[0])
ARGUMENTS = sys.argv[1:]
ACT = os.environ.get(f"FAKE_{NAME.upper()}", "works")
SOCKET = "unix:///var/run/docker.sock"
HERE = os.uname()


def say(text, status=0):
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.exit(status)


def fail(text, status=1):
    sys.stderr.write(text)
    sys.stderr.flush()
    sys.exit(status)


def docker_info(**changes):
    info = {
        "Driver": "overlay2",
        "MemoryLimit": True,
        "PidsLimit": True,
        "CpuCfsQuota": True,
        "KernelVersion": HERE.release,
        "Name": HERE.nodename,
        "OperatingSystem": "Debian GNU/Linux 12 (bookworm)",
        "OSType": "linux",
        "Architecture": "x86_64",
        "ServerVersion": "20.10.24+dfsg1",
        "SecurityOptions": ["name=seccomp,profile=default"],
        "RegistryConfig": {"InsecureRegistryCIDRs": ["127.0.0.0/8"]},
        "Warnings": None,
    }
    return dumps(info | changes) + "\n"


def podman_info(rootless=True, remote=False, controllers=("cpu", "memory", "pids")):
    info = {
        "host": {
            "arch": "amd64",
            "cgroupVersion": "v2",
            "cgroupControllers": list(controllers),
            "hostname": HERE.nodename,
            "remoteSocket": {"path": "/run/user/1000/podman/podman.sock"},
            "serviceIsRemote": remote,
            "security": {"rootless": rootless},
        },
        "store": {"graphDriverName": "overlay"},
        "version": {"APIVersion": "4.3.1", "Version": "4.3.1"},
    }
    return dumps(info) + "\n"


def never_end():
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)


def sleeping_child():
    """One that holds the streams open and would never end."""
    child = os.fork()
    if child == 0:
        never_end()
    return child


def note(path, number):
    """Whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(f"{number}\n")
    os.rename(path + ".new", path)


def flood():
    while True:
        sys.stdout.write("x" * 65536)


def leave_a_child():
    """Answers and ends, but a child holds the streams open until the calls are counted or forgotten."""
    if os.fork() == 0:
        while os.path.exists(os.environ["FAKE_CALLS"]):
            time.sleep(0.05)
        os._exit(0)
    say(docker_info())


DOWN = f"Cannot connect to the Docker daemon at {SOCKET}. Is the docker daemon running?\n"
DENIED = (
    "Got permission denied while trying to connect to the Docker daemon socket at "
    f'{SOCKET}: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.24/info": dial unix /var/run/docker.sock: '
    "connect: permission denied\n"
)

DOCKER_ACTS = {
    "works": lambda: say(docker_info()),
    "elsewhere": lambda: say(docker_info()),
    "rootless": lambda: say(docker_info(SecurityOptions=["name=seccomp", "name=rootless"])),
    "desktop": lambda: say(docker_info(OperatingSystem="Docker Desktop")),
    "other-machine": lambda: say(docker_info(Name="elsewhere")),
    "arm": lambda: say(docker_info(Architecture="aarch64")),
    "no-limits": lambda: say(docker_info(MemoryLimit=False, PidsLimit=False, CpuCfsQuota=False)),
    # Clients up to 20.10 say so in their answer and end with 0; later ones as everybody does.
    "down": lambda: say(dumps({"ServerErrors": [DOWN.strip()]})),
    "down-later": lambda: fail(DOWN),
    "denied": lambda: say(dumps({"ServerErrors": [DENIED.strip()]})),
    "denied-later": lambda: fail(DENIED),
    "no-context": lambda: fail('unable to resolve docker endpoint: context "x" does not exist\n'),
    "hangs": never_end,
    "floods": flood,
    "child": leave_a_child,
    "is-podman": lambda: say(podman_info()),
    "not-json": lambda: say("}{ \udc80\n".encode("utf-8", "surrogateescape").decode("latin-1")),
    "nested": lambda: say("[" * 200000),
    "list": lambda: say("[1, 2]"),
    "empty": lambda: say(""),
    "no-version": lambda: say("{}"),
    "silent": lambda: fail("", 3),
    "killed": lambda: os.kill(os.getpid(), 9),
}

PODMAN_ACTS = {
    "works": lambda: say(podman_info()),
    "root": lambda: say(podman_info(rootless=False)),
    "remote": lambda: say(podman_info(remote=True)),
    "no-limits": lambda: say(podman_info(controllers=[])),
    "broken": lambda: fail("Error: cannot set up namespace using newuidmap: exit status 1\n", 125),
    "down": lambda: fail("Cannot connect to Podman. Please verify your connection.\n", 125),
    "hangs": never_end,
}


def speak():
    """What a test of single calls wants: the words after "say" are the script."""
    script = ARGUMENTS[1]
    if script == "both":
        sys.stderr.write("WARNING: of no use\n")
        say("out\n")
    if script == "argv":
        say("\n".join(ARGUMENTS[2:]))
    if script == "environment":
        say(" ".join(os.environ.get(name, "-") for name in ("LC_ALL", "DOCKER_CLI_HINTS", "FAKE_MARK")))
    if script == "stdin":
        say(f"{len(sys.stdin.read())} bytes")
    if script == "invalid":
        sys.stdout.buffer.write(b"caf\xe9 \x00 end")
        sys.exit(0)
    if script == "flood-error":
        while True:
            sys.stderr.write("y" * 65536)
    if script == "flood-by-child":
        if os.fork() == 0:
            flood()
        sys.exit(0)
    if script == "drip":
        while True:
            os.write(1, b"x")
            time.sleep(0.01)
    if script == "fail":
        fail(ARGUMENTS[2], 125)
    if script == "child":
        note(ARGUMENTS[2], sleeping_child())
        never_end()
    if script == "close":
        note(ARGUMENTS[2], os.getpid())
        os.closerange(0, 3)
        never_end()
    if script == "leave":
        note(ARGUMENTS[2], sleeping_child())
        say("answered")
    if script == "lines":
        sys.stdout.write("one\r\ntwo\x1b[1Aa\tb\n\x1b[31mred\x1b[0m\r more\n\n")
        sys.stdout.flush()
        sys.stderr.write("error\n")
        sys.stderr.flush()
        say("last")
    if script == "sleep" and len(ARGUMENTS) > 2:
        note(ARGUMENTS[2], os.getpid())
    if script == "session":
        say("own" if os.getsid(0) == os.getpid() else "shared")
    never_end()


IMAGE_ID = "5220c6543dd104cbc9f2ceb95e457400521e3317d6f83a0bacd34a276ee976c0"


def inspect_image():
    """The images that there are, by the names that a test asks for."""
    name = ARGUMENTS[-1]
    image = {
        "Id": IMAGE_ID if NAME == "podman" else f"sha256:{IMAGE_ID}",
        "Config": {"Env": ["PATH=/usr/bin:/bin", "=odd", "odd", 5, "EMPTY="]},
        "Architecture": "aarch64" if name == "arm" else "amd64",
        "Os": "linux",
        "Size": 71247621,
    }
    if name == "option-as-id":
        image["Id"] = "--privileged"
    if name == "bare":
        image = {"Id": f"sha256:{IMAGE_ID}"}
    if name == "nonsense":
        say("[]")
    if name == "missing":
        sys.stdout.write("[]\n" if NAME == "podman" else "\n")
        fail(f"Error: No such image: {name}\n")
    say(dumps([image] if NAME == "podman" else image))


def list_images():
    names = ["python:3-slim", "<none>:<none>", "plain:latest", "python:3-slim", "--flag:x", ""]
    say("".join(f"{name}\n" for name in names + [f"many:{number}" for number in range(500)]))


def pull():
    layer = "57c1bbdd170a: "
    name = ARGUMENTS[-1]
    if not sys.stdout.isatty():
        say("no terminal\n", 1)
    sys.stdout.write(f"1: Pulling from {name}\r\n{layer}Downloading [=>  ]  1MB/2MB\r")
    sys.stdout.flush()
    if name == "slow":
        time.sleep(60)
    if name == "stubborn":
        never_end()
    if name == "refused":
        fail('Error response from daemon: Get "http://x/v2/": dial tcp: connect: connection refused\n')
    if name == "silent":
        sys.exit(4)
    if name == "flood":
        for number in range(20000):
            sys.stdout.write(f"{layer}Downloading [=>  ]  {number}kB/20MB\r\x1b[1Bnoise {number}\n")
    say(f"{layer}Pull complete\r\nStatus: Downloaded newer image\r\n")


def build():
    """The words of the Containerfile are the script."""
    script = sys.stdin.read().split()
    id_file = ARGUMENTS[ARGUMENTS.index("--iidfile") + 1]
    sys.stdout.write("Step 1/1 : FROM x\n")
    sys.stdout.flush()
    if "fail" in script:
        fail("no such thing\n")
    if "wordless" in script:
        say("")
    if "close" in script:
        os.closerange(1, 3)
    if "child" in script:
        note(os.environ["FAKE_BEGUN"], sleeping_child())
    if "stubborn" in script:
        note(os.environ["FAKE_BEGUN"], os.getpid())
        never_end()
    with open(id_file, "w", encoding="utf-8") as file:
        file.write(f"sha256:{IMAGE_ID}\n")
    sys.exit(0)


def copy():
    """The name of the container is the script."""
    script = ARGUMENTS[-1].split(":")[0]
    size = len(sys.stdin.buffer.read())
    if script == "stubborn":
        note(os.environ["FAKE_BEGUN"], os.getpid())
        never_end()
    if script == "child":
        note(os.environ["FAKE_BEGUN"], sleeping_child())
    if script == "fail" or size % 512 != 0 or size == 0:
        fail(f"Error: No such container: {script}\n")
    sys.exit(0)


def main():
    if os.environ.get("FAKE_CALLS"):
        with open(os.environ["FAKE_CALLS"], "a", encoding="utf-8") as calls:
            calls.write(f"{NAME} {' '.join(ARGUMENTS)}\n")
    if ARGUMENTS[0] == "say":
        speak()
    if ARGUMENTS[:2] == ["image", "inspect"]:
        inspect_image()
    if ARGUMENTS[:2] == ["image", "ls"]:
        list_images()
    if ARGUMENTS[0] == "pull":
        pull()
    if ARGUMENTS[0] == "build":
        build()
    if ARGUMENTS[0] == "cp":
        copy()
    if ARGUMENTS[0] == "context":
        if ACT in ("context-elsewhere", "elsewhere"):
            say("ssh://somebody@elsewhere\n")
        say(SOCKET + "\n")
    if ACT == "context-elsewhere":
        fail(DOWN.replace(SOCKET, "ssh://somebody@elsewhere"))
    (DOCKER_ACTS if NAME == "docker" else PODMAN_ACTS)[ACT]()


main()
