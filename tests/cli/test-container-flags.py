# SPDX-License-Identifier: GPL-3.0-or-later
"""How a container is chosen on the command line of `fumehoodctl run`, as stored in the history.

There is no engine, so no run starts.
"""

import json
import os
import re
import sys

from called import PLACE, ROOM, call, environment, file, refused, run
from mcp_client import Client
from tap import Tap, equal, must

NOWHERE = ROOM / "nowhere"


def answered(*words, env=None):
    return call("run", *words, env={"PATH": str(NOWHERE), "XDG_STATE_HOME": str(ROOM / "choices"), **(env or {})})


def chosen(*words, env=None):
    """The request of this command line."""
    answer = answered(*words, env=env)
    must(answer.returncode in (0, 125), f"{words}: {answer}")
    listed = json.loads(call("history", "list", "--json", env={"XDG_STATE_HOME": str(ROOM / "choices")}).stdout)
    must(listed["runs"], f"{words}: {answer.stderr!r}")
    number = str(listed["runs"][0]["id"])
    shown = call("history", "show", number, "--json", env={"XDG_STATE_HOME": str(ROOM / "choices")})
    must(shown.returncode == 0, f"{words}: {answer.stderr!r} {shown.stderr!r}")
    request = json.loads(shown.stdout)["request"]
    call("history", "delete", number, env={"XDG_STATE_HOME": str(ROOM / "choices")})
    return request


def container(*words, env=None):
    return chosen(*words, file("a.py"), env=env)["container"]


def images():
    source = file("a.py")
    for words, image in (
        (["--container", source], None),
        (["--container", "python:3.12", source], "python:3.12"),
        (["--container=python:3.12", source], "python:3.12"),
        ([source, "--container", "python:3.12"], "python:3.12"),
        ([source, "--container"], None),
        (["--container", "--timeout", "5", source], None),
        (["--container", source, "--timeout", "5"], None),
        (["--container", "plain", "--timeout", "5", source], "plain"),
        (["--container=a", "--container=b", source], "b"),
        (["--container", source, "--", "--container", "x"], None),
        (["--image", "plain", source], "plain"),
        (["--container", "--image=plain", source], "plain"),
        (["--image=plain", "--container", source], "plain"),
    ):
        request = chosen(*words)
        equal((request["container"]["image"], request["title"]), (image, "a.py"), str(words))
    for words in ([], ["--no-container"]):
        answer = run(*words, source)
        equal(answer.returncode, 0, f"{words}: {answer.stderr!r}")


def wrong_words():
    source = file("a.py")
    refused(run("--container"), "Name the file")
    refused(run("--container", "plain", source, source), "Only one file", "--image")
    refused(run("--container", "--no-pull", "plain", source), "Only one file", "--image")
    refused(run("--container", "Python:3", source), "lower case")
    refused(run("--container=--privileged", source), "not the name of an image")
    refused(run("--container", "--no-container", source), "not both")
    refused(run("--image", "plain", "--no-container", source), "not both")
    refused(run("--container=a", "--image", "b", source), "once")


def empty_values():
    """An empty value, as of a shell's variable that is not set, is not the same as no option."""
    for option in ("--container-name", "--network", "--image", "--gpus", "--bind-dir", "--interpreter"):
        for value in ("", " ", "\n"):
            refused(run("--container", f"{option}={value}", file("a.py")), f"{option}: The value is empty.")
    refused(run("--container", "--keep=", file("a.py")), "--keep: Name the container.")
    for option in ("--volume", "--add-host", "--env"):
        refused(run("--container", f"{option}=", file("a.py")), option, "“”")


def standard_input():
    request = chosen("--container", "-")
    equal((request["container"]["image"], request["source"]), (None, ""), "an empty program")


def default_values():
    equal(container("--container"), {
        "engine": "auto", "image": None, "no_pull": False, "name": None, "kept": False, "after": "remove",
        "init": None, "work_dir": None, "bind_dir": None, "files": "auto", "network": None, "milli_cpus": 0, "gpus": None,
        "volumes": [], "hosts": [], "environment": [], "writable": False, "root": False}, "everything is off")


def every_option():
    where = os.path.realpath(".")
    equal(container(
        "--container", "plain:latest", "--engine", "podman", "--no-pull", "--keep", "lab", "--after", "stop",
        "--container-init", "pip install x", "--work-dir", "here", "--bind-dir", "/elsewhere", "--container-files", "bind", "--volume", "./a:/a",
        "--volume", "/b:/b:rw", "--network", "bridge", "--add-host", "db:192.0.2.7", "--env", "A=b=c", "--env", "MINE",
        "--cpus", "1.5", "--gpus", "device=0,1", "--writable", "--root", env={"MINE": "x y"},
    ), {
        "engine": "podman", "image": "plain:latest", "no_pull": True, "name": "lab", "kept": True, "after": "stop",
        "init": "pip install x", "work_dir": f"{where}/here", "bind_dir": "/elsewhere", "files": "bind", "network": "bridge",
        "milli_cpus": 1500, "gpus": "device=0,1", "volumes": [f"{where}/a:/a", "/b:/b:rw"],
        "hosts": ["db:192.0.2.7"], "environment": ["A=b=c", "MINE=x y"], "writable": True, "root": True}, "all of them")


# What is not part of the run that the history keeps.
OTHERS = {"--container", "--no-container", "--without-protection", "--no-history", "--language", "--stdin",
          "--save-files", "--json", "--attempts", "--raw", "--show-limit", "--policy", "--preset",
          "--save-preset", "--ask", "--as-written", "--color"}
VALUES = {"TIME": "7s", "SIZE": "77M", "N": "20", "NAME": "lab7", "GUARD": "memory", "LIST": "json", "IMAGE": "plain",
          "FOLDER": str(ROOM / "x"), "PATH": sys.executable, "WHICH": "all", "HOST:INSIDE[:rw]": "/a:/b",
          "NAME:ADDRESS": "db:192.0.2.7", "NAME[=VALUE]": "A=b", "COMMAND": "true"}
BASES = {"--after": ["--keep", "lab"], "--container-init": ["--keep", "lab"], "--bind-dir": ["--work-dir", "/srv/x"]}


def flags_of(help_option):
    text = call("run", help_option).stdout.decode()
    for flag, argument in re.findall(r"^  (?:-\w, )?(--[\w-]+)(?:=(\S+))?", text, re.MULTILINE):
        if flag not in OTHERS and not flag.startswith("--help"):
            value = argument.split("|")[-1] if "|" in argument else VALUES[argument] if argument else None
            yield flag, [flag] if value is None else [flag, "stop" if flag == "--after" else value]


def every_flag():
    """A new row of the table is tried, too."""
    source = file("a.py")
    for help_option, place in (("--help", []), ("--help-guards", []), ("--help-container", ["--container"])):
        for flag, words in flags_of(help_option):
            base = [*place, *BASES.get(flag, []), source]
            must(chosen(*base) != chosen(*words, *base), f"{words} changes the request")


def names():
    kept = container("--container", "--keep", "lab")
    equal((kept["name"], kept["kept"], kept["after"]), ("lab", True, "leave"), "kept")
    once = container("--container", "--container-name", "one")
    equal((once["name"], once["kept"], once["after"]), ("one", False, "remove"), "for one run")
    refused(run("--container", "--keep", "a b", file("a.py")), "cannot be the name of a container")
    refused(run("--container", "--keep", "lab", "--container-name", "one", file("a.py")), "not both")
    refused(run("--container", "--keep=", file("a.py")), "--keep")
    refused(run("--container", "--after", "stop", file("a.py")), "--after", "--keep")
    refused(run("--container", "--keep", "lab", "--after", "explode", file("a.py")), "explode", "leave")


def numbers():
    for text, milli in (("0.01", 10), ("1", 1000), ("2.0005", 2001), ("1,5", 1500), ("1024", 1024000)):
        equal(container("--container", "--cpus", text)["milli_cpus"], milli, text)
    for text in ("0", "0.009", "1025", "-1", "nan", "inf", "1e2", "0x10", ""):
        refused(run("--container", f"--cpus={text}", file("a.py")), "--cpus", "rocessors")


def only_with_container():
    for words in (["--engine", "docker"], ["--no-pull"], ["--keep", "lab"], ["--after", "stop"],
                  ["--container-name", "x1"], ["--bind-dir", "/srv/x"],
                  ["--container-files", "copy"], ["--volume", "/a:/b"], ["--network", "bridge"],
                  ["--add-host", "a:192.0.2.1"], ["--env", "A=b"], ["--cpus", "1"], ["--gpus", "all"], ["--writable"],
                  ["--root"]):
        refused(run(*words, file("a.py")), words[0], "add --container")
        refused(run("--no-container", *words, file("a.py")), words[0], "add --container")


def guards_of_this_computer():
    source = file("a.py")
    refused(run("--container", "--tier", "A", source), "tier, not both")
    refused(run("--container", "--without-protection", source), "without protection")
    refused(run("--container", "--allow-host", "a.example", source), "a network instead")
    refused(run("--container", "--without", "network", source), "a network instead")
    refused(run("--container", "--without", "environment", source), "single variables")
    refused(run("--tier", "D", source), "--tier", "--container")
    answer = call("guards", "--tier", "D")
    equal((answer.returncode, answer.stdout), (2, b""), "probing")
    must("memory" in chosen("--container", "--without", "memory", source)["guards"]["without"], "others can")


def dangerous_places():
    source = file("a.py")
    refused(run("--container", "--work-dir", "/", source), "control this computer")
    refused(run("--container", "--volume", "/run/docker.sock:/docker.sock", source), "socket of a container engine")
    refused(run("--container", "--volume", "/a:/workspace", source), "already uses")
    refused(run("--container", "--network", "container:other", source), "not the name of a container network")
    refused(run("--container", "--env", "FH_NOT_THERE", source), "--env", "FH_NOT_THERE")
    refused(run("--container", "--engine", "lxc", source), "--engine", "lxc", "podman")
    refused(run("--container", "--container-files", "teleport", source), "teleport", "copy")


def interpreters():
    equal(chosen("--container", "--interpreter", "pypy3", file("a.py"))["interpreter"], "pypy3", "by its name")
    equal(chosen("--container", "--interpreter", "/opt/py/bin/python", file("a.py"))["interpreter"],
          "/opt/py/bin/python", "by its path")
    refused(run("--container", "--interpreter", "./python", file("a.py")), "absolute path")


def as_json():
    answer = answered("--no-history", "--json", "--container", "plain", "--container-name", "one", file("a.py"))
    result = json.loads(answer.stdout)
    equal((result["backend"], result["success"], answer.returncode), ("container", False, 125), "result")
    equal((result["container"]["image"], result["container"]["kept"]), ("plain", False), "container")
    equal(json.loads(run("--json", file("a.py")).stdout)["container"], None, "a run on this computer")


def in_the_history():
    answered("--container", "plain", "--network", "bridge", "--env", "KEY=secret", file("a.py"))
    listed = json.loads(call("history", "list", "--json", env={"XDG_STATE_HOME": str(ROOM / "choices")}).stdout)
    number = str(listed["runs"][0]["id"])
    shown = call("history", "show", number, env={"XDG_STATE_HOME": str(ROOM / "choices")}).stdout.decode()
    must("plain, network bridge, 1 variable" in shown and "secret" not in shown, shown)


def helps():
    for option, part in (("--help", b"--container=[IMAGE]"), ("--help-container", b"--add-host=NAME:ADDRESS")):
        must(part in call("run", option).stdout, option)


def an_engine_that_dies():
    """What the result says about it is not said once more when the container cannot be removed."""
    folder = ROOM / "dies"
    folder.mkdir()
    answer = run("--container", "--engine", "docker", file("dies.py"), act="killed",
                 env={"FH_DOCKER": os.environ["FH_FAKE_RUN_ENGINE"], "FAKE_FOLDER": str(folder), "FAKE_ACTS": "down"})
    equal((answer.returncode, answer.stderr.count(b"service is not running")), (125, 1), answer.stderr.decode())


def kept_by_a_server():
    """The container of `mcp` ends as --after says, though the run in it has ended long before."""
    for after, order in (("stop", "stop "), ("remove", "rm "), ("leave", None)):
        folder = ROOM / after
        folder.mkdir()
        fake = environment(FH_DOCKER=os.environ["FH_FAKE_RUN_ENGINE"], FAKE_FOLDER=str(folder), XDG_CACHE_HOME=str(folder))
        with Client("--no-history", "--container", "--engine", "docker", "--keep", "labor", "--after", after,
                    environment=fake) as client:
            client.run("execute_python_code", code="print(1)")
        calls = (folder / "calls").read_text(encoding="utf-8").splitlines()
        equal([line.split()[0] + " " for line in calls if line.startswith(("stop ", "rm "))], [order] if order else [], after)


CASES = {
    "a kept container of a server": kept_by_a_server,
    "an engine that dies is told once": an_engine_that_dies,
    "the word after --container": images,
    "invalid words": wrong_words,
    "empty values": empty_values,
    "a program on standard input": standard_input,
    "everything is off by default": default_values,
    "all options of containers": every_option,
    "every flag reaches the request": every_flag,
    "names": names,
    "numbers of processors": numbers,
    "options of containers without one": only_with_container,
    "guards of this computer": guards_of_this_computer,
    "dangerous places": dangerous_places,
    "interpreters are the image's": interpreters,
    "as JSON": as_json,
    "the history shows it": in_the_history,
    "--help": helps,
}


def main():
    tap = Tap()
    NOWHERE.mkdir()
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
