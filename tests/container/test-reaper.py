# SPDX-License-Identifier: GPL-3.0-or-later
"""The backend's own care for containers, with a real engine: what a crash has left is removed by the next start,
and what belongs to a living process is not."""

import subprocess

from containers import at_length, call, foreign, inspect, main, new_name, removals, removed, state, volumes
from tap import equal, must, until
from walls import CLIENT, client, with_program, words_of


def made(name, run=True, **settings):
    """A container of ours that waits."""
    call(*with_program(words_of("create", name=name, **settings), "/bin/sh", "-c", "trap 'exit 0' TERM; sleep 300 & wait"))
    if run:
        call("start", name)
    return name


class Owner:
    """A process that has containers."""

    def __enter__(self):
        self.process = subprocess.Popen([CLIENT, "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self.process.stdout.readline().strip()
        return self

    def die(self):
        self.process.kill()
        self.process.communicate()

    def __exit__(self, *_):
        self.die()


def must_go(*names):
    until(lambda: all(state(name) is None for name in names), f"the removal of {names}")


def must_end(name):
    """The removal has looked for the last time."""
    until(lambda: not removals(name), "the end of the removal")


def must_pause(name, seconds):
    """The removal sleeps for so long now."""
    until(lambda: any(subprocess.run(["pgrep", "--parent", str(pid), "--full", f"^sleep {seconds}$"], check=False,
                                     stdout=subprocess.DEVNULL).returncode == 0 for pid in removals(name)),
          "a pause of the removal")


def crash():
    names = [new_name(word) for word in ("running", "created", "exited", "paused", "kept", "alive")]
    running, created, exited, paused, kept, alive = names
    with Owner() as dead, Owner() as living, removed(*names):
        made(running, owner=dead.name)
        made(created, owner=dead.name, run=False)
        made(exited, owner=dead.name)
        call("kill", exited)
        made(paused, owner=dead.name)
        call("pause", paused)
        made(kept, owner=dead.name, kept=1)
        made(alive, owner=living.name)
        client("reap")
        must(all(state(name) is not None for name in names), "taken from a living process")
        dead.die()
        must(int(client("reap").stdout) >= 4, "how many were removed")
        equal([state(name) for name in names], [None, None, None, None, "running", "running"], "what is left")


def others():
    """Of another computer that shares the engine, of another user, of an unknown one: not ours to remove."""
    names = [new_name(word) for word in ("machine", "user", "namespace")]
    with Owner() as owner, removed(*names):
        owner.die()
        machine, host, user, boot, processes, *rest = owner.name.split(".")
        made(names[0], owner=".".join(["0" * 16, host, user, boot, processes, *rest]))
        made(names[1], owner=".".join([machine, host, "1", boot, processes, *rest]))
        made(names[2], owner=".".join([machine, host, user, boot, "1", *rest]))
        with foreign(new_name("foreign")) as stranger:
            client("reap")
            equal([state(name) for name in (*names, stranger)], ["running"] * 4, "what is left")


@at_length
def earlier_boot():
    name = new_name("boot")
    with Owner() as owner, removed(name):
        machine, host, user, _, *rest = owner.name.split(".")
        made(name, owner=".".join([machine, host, user, "0" * 16, *rest]))
        client("reap")
        must(state(name) is None, "it is still there")


def two_reapers():
    """At the same time, as two windows that are opened together."""
    names = [new_name("both") for _ in range(2)]
    with Owner() as owner, removed(*names):
        for name in names:
            made(name, owner=owner.name)
        owner.die()
        both = [subprocess.Popen([CLIENT, "reap"], stdout=subprocess.PIPE, text=True) for _ in range(2)]
        for process in both:
            text, _ = process.communicate(timeout=300)
            equal(process.returncode, 0, text)
        must(all(state(name) is None for name in names), "what is left")


def with_volumes():
    name = new_name("volume")
    with Owner() as owner, removed(name):
        call("create", "--name", name, "--label", "io.github.fumehood=1",
             "--label", f"io.github.fumehood.owner={owner.name}", "--volume", "/place", "plain:latest", "true")
        [mount] = inspect(name)["Mounts"]
        client("remove", name)
        must(state(name) is None and mount["Name"] not in volumes(), "it is still there")


def stopped_and_started():
    name = new_name("stop")
    with removed(name):
        made(name, kept=1)
        for _ in range(2):
            client("stop", name)
            equal(state(name), "exited", "stopped, also twice")
        client("restart", name)
        equal(state(name), "running", "restarted")
        call("pause", name)
        client("stop", name)
        equal(state(name), "exited", "stopped while it was paused")
        must("ours=1 kept=1" in client("find", name).stdout, "it is found")
        must(f"{name} exited python:3-slim" in client("list").stdout, "it is in the list")
        client("remove", name)
        client("remove", name)
        client("stop", name)
        answer = client("find", name, check=False)
        must(answer.returncode == 1 and name in answer.stdout, answer.stdout)


@at_length
def does_not_come_back():
    name = new_name("dies")
    with removed(name):
        call(*with_program(words_of("create", name=name, kept=1), "/nonexistent/program"))
        answer = client("restart", name, check=False)
        must(answer.returncode == 1 and "/nonexistent/program" in answer.stdout, answer.stdout)


def strangers():
    with foreign(new_name("foreign")) as name:
        for verb in ("stop", "restart", "remove"):
            answer = client(verb, name, check=False)
            must(answer.returncode == 1 and name in answer.stdout, answer.stdout)
        client("later", name)
        must_end(name)
        equal(state(name), "running", "what we were told to leave alone")


def later():
    """By a process that has ended by then."""
    first, second = new_name("later"), new_name("last")
    with removed(first, second):
        made(first)
        client("later", first)
        must(removals(first), "the program waited for the removal")
        must_go(first)
        # The daemon is slow, and another program has taken the name meanwhile: between the second look and the third.
        client("later", second)
        must_pause(second, "1")
        made(second, owner="somebody.else")
        must_end(second)
        equal(state(second), "running", "what another process has made meanwhile")


if __name__ == "__main__":
    main({
        "what a crash has left": crash,
        "what others have": others,
        "what an earlier boot has left": earlier_boot,
        "two at the same time": two_reapers,
        "its volumes go as well": with_volumes,
        "stopped, restarted, removed": stopped_and_started,
        "one that does not run again": does_not_come_back,
        "containers of others": strangers,
        "removed after the program has ended": later,
    })
