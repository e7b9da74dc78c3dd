# SPDX-License-Identifier: GPL-3.0-or-later
"""The exhibits (data/exhibits), as a class would run them: stopped by their guard, and by nothing else."""

import concurrent.futures
import json
import os
import socket
from pathlib import Path

from guarded import IS_LONG, Result, command, environment, main, must
from tap import Skip


def said(text):
    return lambda result: must(text in result.stdout, f"it did not say {text!r}: {result}")


def tried(text):
    def check(result):
        must(any(text in attempt["object"] for attempt in result.attempts), f"no attempt on {text!r}: {result}")
    return check


def files(**expected):
    def check(result):
        kinds = {}
        for file in result.files:
            kinds[file["kind"]] = kinds.get(file["kind"], 0) + 1
        must(kinds == expected, f"{kinds} is not {expected}: {result}")
    return check


# What shows that the guard worked, where that is not an attempt that was stopped.
OTHERWISE = {
    "startup-writer": tried("/workspace/.bashrc"),
    "symlink-trap": files(link=2, special=1, file=1),
    "fake-names": files(file=4),
    "environment-reader": said("Stopped: none of interest"),
    "port-scan": tried("127.0.0.1:5432"),
    # Only a control group tells whether one was refused.
    "fork-bomb": said("Stopped after"),
    "process-killer": said("1 other processes can be seen"),
    "background-daemon": said("something of it stays behind"),
    "descriptor-hoarder": said("Stopped after"),
    "terminal-escapes": said("\x1b]52;"),
    "become-root": said("Stopped: Invalid argument. There is no user 0 in here."),
    "progress": said("Done."),
    "input": said(""),
    "surroundings": said("Processes:\n1  "),
}

# Those that try a bit of everything.
SEVERAL = ("first-run", "curious-code", "what-is-guarded")


def call(*words):
    process = command("exhibits", *words, "--json", "--no-history", env=environment(OPENAI_API_KEY="witness"))
    must(process.stdout.startswith(b"{"), f"no JSON: {process.stderr!r}")
    return Result(process, 0)


def stopped(result):
    """What this computer does not have is not stopped, but was tried as well."""
    return [attempt for attempt in result.attempts if attempt["verdict"] != "observed" or attempt["missing"]]


def guarded(exhibit):
    name = exhibit["name"]
    result = call("run", name)
    guards = {attempt["guard"] for attempt in stopped(result)}
    must(guards <= {exhibit["guard"]} or name in SEVERAL and exhibit["guard"] in guards, f"another guard stopped something: {guards}, {result}")
    if name in OTHERWISE:
        OTHERWISE[name](result)
    else:
        must(guards, f"nothing was stopped: {result}")
    # The list of accounts is there, with invented ones.
    must(name == "password-reader" or "It worked" not in result.stdout, result)


def has_route():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        return probe.connect_ex(("198.51.100.1", 9)) == 0


def bare(exhibit):
    if exhibit["name"] == "own-address" and not has_route():
        raise Skip("this computer has no network")
    result = call("bare", exhibit["name"])
    must(result.success and "It worked" in result.stdout, result)
    must(not stopped(result), result)


def no_harmless_way():
    process = command("exhibits", "bare", "fork-bomb")
    must(process.returncode == 1 and b"only run with its guard" in process.stderr, process)


def shown():
    process = command("exhibits", "show", "time-bomb")
    must(b"Time Bomb" in process.stdout and b"time.sleep" in process.stdout, process)
    must(command("exhibits", "show", "nothing").returncode == 2, "an unknown name")
    must(command("exhibits", "run").returncode == 2, "no name")
    must(command("exhibits", "list", "more").returncode == 2, "an argument too many")


def compared():
    process = command("exhibits", "compare", "hidden-eval")
    must(b"disabled by the interpreter guard" in process.stdout and b"It worked" in process.stdout, process)


def complete(exhibits):
    """Each program has a row and each row a program."""
    folder = Path(os.environ["FH_SOURCE_ROOT"]) / "data" / "exhibits"
    must({path.name for path in folder.iterdir()} == {exhibit["file"] for exhibit in exhibits}, "files and rows differ")
    for exhibit in exhibits:
        must(exhibit["question"].endswith("?") and exhibit["level"] in (1, 2, 3), exhibit)


def list_exhibits():
    return json.loads(command("exhibits", "--json").stdout)["exhibits"]


def in_parallel(function, exhibits):
    """Starts all at once, for most of them wait; each result is a case of its own."""
    pool = concurrent.futures.ThreadPoolExecutor(4)
    futures = {exhibit["name"]: pool.submit(function, exhibit) for exhibit in exhibits}
    return {f"{name}, {function.__name__}": future.result for name, future in futures.items()}


if __name__ == "__main__":
    ALL = list_exhibits()
    main({
        **in_parallel(guarded, ALL),
        **in_parallel(bare, [exhibit for exhibit in ALL if exhibit["without_guard"] is not None and
                             (IS_LONG or exhibit["name"] != "busy-loops")]),  # which takes a processor for long
        "one without a harmless way": no_harmless_way,
        "shown": shown,
        "compared": compared,
        "complete": lambda: complete(ALL),
    })
