# SPDX-License-Identifier: GPL-3.0-or-later
"""What the commands about containers print and return, with fake engines (fake-engine.py)."""

import json
import os
import pty
import signal
import subprocess
import sys

from called import CTL, PLACE, ROOM, call, children, environment, file, has_signal, wait_until
from tap import PATIENCE, Tap, equal, must

ENGINES = ROOM / "engines"
CALLS = ROOM / "calls"
WORKS = {"FAKE_DOCKER": "works", "FAKE_PODMAN": "down"}


def surroundings(**acts):
    plain = {name: "" for name in ("DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "CONTAINER_CONNECTION")}
    # Without a folder of the session what was found is remembered in the cache, which is the test's own.
    room = {"PATH": f"{ENGINES}:/usr/bin:/bin", "XDG_CACHE_HOME": str(ROOM / "cache"), "XDG_RUNTIME_DIR": "",
            "FAKE_CALLS": str(CALLS)}
    return {**plain, **room, **WORKS, **acts}


def asked(*words, **acts):
    return call(*words, env=surroundings(**acts))


def printed(answer, status, *parts):
    """Nothing on stdout, one line on stderr that contains the parts, and this exit status."""
    text = answer.stderr.decode()
    equal((answer.returncode, answer.stdout), (status, b""), text)
    must(text.startswith("fumehoodctl: ") and text.count("\n") == 1, f"one line is expected: {text!r}")
    for part in parts:
        must(part in text, f"{part!r} is not in {text!r}")


def engines():
    answer = asked("engines")
    text = answer.stdout.decode()
    equal((answer.returncode, answer.stderr), (0, b""), "exit status")
    must("* Docker 20.10.24" in text and "memory, processes, processors" in text and "overlay2" in text, text)
    must("Podman" in text and "* Podman" not in text, text)
    both = json.loads(asked("engines", "--json", FAKE_PODMAN="works").stdout)["engines"]
    equal([(one["kind"], one["works"], one["chosen"], one["rootless"], one["error"]) for one in both],
          [("docker", True, False, False, None), ("podman", True, True, True, None)], "both work")
    equal(both[0]["limits"], ["memory", "processes", "cpus"], "limits")
    equal(json.loads(asked("engines", "--json", FAKE_DOCKER="no-limits").stdout)["engines"][0]["limits"], [], "none")


def no_engine():
    answer = asked("engines", FAKE_DOCKER="down")
    equal(answer.returncode, 1, "exit status")
    must(b"systemctl start docker" in answer.stdout, answer.stdout)
    found = json.loads(asked("engines", "--json", FAKE_DOCKER="denied").stdout)["engines"]
    equal([(one["works"], one["chosen"]) for one in found], [(False, False)] * 2, "none works")
    must(all(one["error"] and "version" not in one for one in found), found)
    equal(call("engines", env={"PATH": str(ROOM / "nowhere")}).returncode, 1, "none is there")


def engine_is_down():
    for words in (["image", "pull"], ["container", "list"],
                  ["container", "stop", "lab"], ["container", "clean"]):
        down = {"FAKE_DOCKER": "down-later", "XDG_CACHE_HOME": str(ROOM / "nothing-remembered")}
        printed(asked(*words, **down), 125, "systemctl start docker")
        equal(asked(*words, "--json", **down).returncode, 125, str(words))


def ends_that_nobody_keeps():
    """Whoever starts us may ignore how children end, which is inherited, and then none would be seen to end."""
    answer = call("engines", "--json", env=surroundings(), preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    equal((answer.returncode, answer.stderr), (0, b""), "exit status")


def pull():
    answer = asked("image", "pull", "plain")
    equal((answer.returncode, answer.stdout), (0, b""), answer.stderr)
    lines = answer.stderr.decode().splitlines()
    must(len(lines) == 2 and "Pulling plain" in lines[0] and "Pulled plain (67.9" in lines[1], lines)
    image = json.loads(asked("image", "pull", "plain", "--json").stdout)
    equal((image["present"], image["error"]), (True, None), "as JSON")


def pull_that_fails():
    answer = asked("image", "pull", "refused")
    equal((answer.returncode, answer.stdout), (1, b""), "exit status")
    must(b"Pulling refused" in answer.stderr and b"connection refused" in answer.stderr, answer.stderr)
    answer = asked("image", "pull", "refused", "--json")
    image = json.loads(answer.stdout)
    equal((answer.returncode, image["present"]), (1, False), "as JSON")
    must("connection refused" in image["error"], image)


def interrupted_pull():
    for name in ("slow", "stubborn"):
        process = subprocess.Popen([CTL, "image", "pull", name], env={**environment(), **surroundings()},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        must(b"Pulling" in process.stderr.readline(), "it begins")
        wait_until(lambda: children(process), "no client")
        (client,) = children(process)
        wait_until(lambda: name == "slow" or has_signal(client, "SigIgn", signal.SIGTERM), "it obeys")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        equal(process.returncode, 130, name)


def on_a_terminal(*words, term="xterm"):
    ours, theirs = pty.openpty()
    process = subprocess.Popen([CTL, *words], env={**environment(TERM=term), **surroundings()},
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    got = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        got += piece
    os.close(ours)
    process.wait(timeout=PATIENCE)
    return got.decode()


def progress():
    text = on_a_terminal("image", "pull", "plain")
    must("⚗ fumehoodctl:\x1b[0m Pulling plain" in text and "\r\x1b[K" in text, repr(text))
    equal(text.count("\n"), 1, repr(text))
    must(text.rstrip().endswith("MiB)."), repr(text))
    plain = on_a_terminal("image", "pull", "plain", term="dumb")
    must("\x1b" not in plain and plain.count("\n") == 2, repr(plain))


def run_that_pulls():
    """Progress is shown on stderr and not mixed with the program's output."""
    source = file("a.py")
    answer = asked("run", "--no-history", "--json", "--container", "missing", source)
    result = json.loads(answer.stdout)
    equal((answer.returncode, result["status"], result["backend"]), (125, "not-started", "container"), result)
    equal((result["container"]["engine"], result["container"]["image"]), ("docker", "missing"), "which it was")
    must(answer.stderr.startswith(b"fumehoodctl: Pulling missing"), answer.stderr)
    calls = CALLS.read_text(encoding="utf-8")
    answer = asked("run", "--no-history", "--no-pull", "--container", "missing", source)
    must(b"Pulling" not in answer.stderr and b"missing" in answer.stderr, answer.stderr)
    must("pull" not in CALLS.read_text(encoding="utf-8")[len(calls):], "it was pulled all the same")


def guards_without_image():
    answer = asked("guards", "--container", "missing", "--json")
    found = json.loads(answer.stdout)
    equal((answer.returncode, found["may_run"], found["backend"]), (1, False, "container"), found)
    must("missing" in found["reason"] and "image pull missing" in found["advice"], found)


def wrong_words():
    for words in ([], ["frob"], ["list"], ["check", "python"], ["pull", "a", "b"], ["pull", "Python"],
                  ["pull", "--privileged"], ["pull", "--engine", "lxc"]):
        printed(asked("image", *words), 2, "fumehoodctl image --help")
    for words in ([], ["frob"], ["list", "x"], ["clean", "x"], ["stop"], ["remove"], ["restart", "a", "b"],
                  ["stop", "a b"], ["stop", "-x"], ["remove", "--all"], ["list", "--engine", "lxc"]):
        printed(asked("container", *words), 2, "fumehoodctl container --help")
    printed(asked("engines", "docker"), 2, "fumehoodctl engines --help")


def helps():
    for command in ("engines", "image", "container"):
        answer = call(command, "--help")
        equal((answer.returncode, answer.stderr), (0, b""), command)
        must(b"Exit status:" in answer.stdout and b"--json" in answer.stdout, command)
        must(f"  {command} ".encode() in call("--help").stdout, f"{command} is in the list")


CASES = {
    "engines that work": engines,
    "no engine works": no_engine,
    "the engine is down": engine_is_down,
    "ends of children that nobody keeps": ends_that_nobody_keeps,
    "an image is pulled": pull,
    "an image that cannot be pulled": pull_that_fails,
    "a pull is interrupted": interrupted_pull,
    "progress on a terminal": progress,
    "a run pulls what is missing": run_that_pulls,
    "guards in a container of a missing image": guards_without_image,
    "invalid words": wrong_words,
    "--help": helps,
}


def main():
    tap = Tap()
    ENGINES.mkdir()
    for name in ("docker", "podman"):
        (ENGINES / name).symlink_to(os.environ["FH_FAKE_ENGINE"])
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
