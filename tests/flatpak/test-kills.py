# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills one of those that a run in tier F consists of, at a moment chosen by chance, again and again: nothing of it
lives on, no sub-sandbox and no folder.

FH_FLATPAK_KILLS is how often (20), FH_FLATPAK_SEED repeats what another run has chosen."""

import os
import random
import shlex
import signal
import subprocess
import sys
import time

import flatpak_room
from leftovers import Processes, descendants, state_of
from tap import Tap, equal, must

TIMES = int(os.environ.get("FH_FLATPAK_KILLS") or 20)
SEED = int(os.environ.get("FH_FLATPAK_SEED") or random.SystemRandom().randrange(1 << 30))
PATIENCE_S = 300
SERVICES = ("flatpak-portal", "dbus-daemon")
# Everything that a program can do to live longer than its sandbox; TOKEN is among the arguments of all.
PROGRAM = """
trap '' TERM HUP INT PIPE
setsid sh -c 'trap "" TERM HUP INT; exec 0<&- 1>&- 2>&-; sh -c "sleep {token}; :" & sh -c "sleep {token}; :"' &
(exec sleep {token} 0<&- 1>&- 2>&- &)
echo forked
sleep {token}
"""


def words_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace").split("\0")
    except OSError:
        return [""]


def until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.005)
    raise AssertionError(f"waited too long for {what}")


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Round:
    """One run. Everything of it has the token among its arguments, or is below the portal or the client."""

    def __init__(self, room, number):
        self.room = room
        self.token = f"{7_000_000 + number}.{os.getpid()}"
        self.path = room.data / f"program-{self.token}.sh"
        self.path.write_text(PROGRAM.format(token=self.token), encoding="ascii")
        self.before = set(descendants(os.getpid()))
        self.client = subprocess.Popen(
            [*room.words("fumehoodctl"), "run", "--no-history", "--timeout", "600", self.path], env=room.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def new(self):
        return {pid: words_of(pid) for pid in descendants(os.getpid()) - self.before}

    def called(self, name):
        """The newest process of that name that this run brought with it."""
        found = [pid for pid, words in self.new().items() if os.path.basename(words[0]) == name]
        return max(found, default=None)

    def app(self):
        return self.called("fumehoodctl")

    def runner(self):
        return self.called("fumehood-runner")

    def portal(self):
        found = [pid for pid in descendants(os.getpid()) if os.path.basename(words_of(pid)[0]) == "flatpak-portal"]
        return max(found, default=None)

    def program(self):
        return next((pid for pid, words in self.new().items() if words[:2] == ["sleep", self.token]), None)

    def left(self):
        found = {pid: state_of(pid) for pid in descendants(os.getpid()) - self.before}
        return {pid: state for pid, state in found.items() if state is not None and
                os.path.basename((state.split()[2:] or [""])[0]) not in SERVICES}

    def must_be_gone(self, what):
        try:
            until(lambda: not self.left(), "the end")
            # Also of those that are not below this process any more.
            until(lambda: not any(self.token in word and "test-kills" not in word for pid in os.listdir("/proc")
                                  if pid.isdigit() for word in words_of(pid)), "the end of all")
        except AssertionError:
            raise AssertionError(f"{what}: left are {self.left()}") from None


# Whom, and when: as soon as this is there.
VICTIMS = {"the app": Round.app, "the runner": Round.runner, "the portal": Round.portal}
MOMENTS = {"the app's start": Round.app, "the runner's start": Round.runner, "the program's start": Round.program}


def victims(choice):
    """Each of them once in four rounds."""
    while True:
        yield from choice.sample([*VICTIMS, "the client"], len(VICTIMS) + 1)


def one(room, number, choice, victim):
    round_ = Round(room, number)
    moment = choice.choice(list(MOMENTS))
    what = f"{number}: {victim} killed at {moment}"
    until(lambda: MOMENTS[moment](round_), moment)
    pid = round_.client.pid if victim == "the client" else until(lambda: VICTIMS[victim](round_), victim)
    if victim == "the runner" and moment == "the program's start":
        pid = choice.choice([pid, until(round_.program, "the program")])
    app = until(round_.app, "the app") if victim == "the client" else None
    kill(pid)
    if app is not None:
        # Flatpak lets the app go on without the command that has started it.
        kill(app)
    if pid == round_.portal() or round_.client.poll() is None and victim != "the client":
        # One whose program, not its runner, was killed goes on; so does one whose portal was not needed yet.
        app = round_.app()
        if app is not None and choice.random() < 0.5:
            kill(app)
    end = time.monotonic() + PATIENCE_S
    while round_.client.poll() is None and round_.program() is None and time.monotonic() < end:
        time.sleep(0.005)
    if round_.client.poll() is None:
        app = round_.app()
        kill(app if app is not None else round_.client.pid)
    round_.client.wait(PATIENCE_S)
    round_.must_be_gone(what)
    round_.path.unlink()
    return what


def ordinary_run(room):
    path = room.data / "ordinary.sh"
    path.write_text("echo ran\n", encoding="ascii")
    answer = room.ctl("run", "--no-history", "--tier", "F", path)
    equal(answer.stdout, "ran\n", shlex.quote(answer.stderr))


def goes_away(room):
    """What those left that were killed is removed by the next runs."""
    for _ in range(5):
        ordinary_run(room)
        if not room.folders_of_runs():
            return
    must(not room.folders_of_runs(), f"folders are left: {room.folders_of_runs()}")


def kills(tap, room):
    ordinary_run(room)
    choice = random.Random(SEED)
    tap.note(f"FH_FLATPAK_SEED={SEED}")
    for number, victim in zip(range(TIMES), victims(choice)):
        tap.note(one(room, number, choice, victim))


def main():
    tap = Tap()
    reason = flatpak_room.why_not()
    if reason is None:
        # Orphans come to this process, and are seen.
        Processes()
        with flatpak_room.Room() as room:
            room.install()
            tap.case(f"{TIMES} kills leave no process", kills, tap, room)
            tap.case("and the next runs find nothing in their way", goes_away, room)
    elif flatpak_room.must_work():
        tap.ok(False, "Flatpak works here", [reason])
    else:
        tap.skip("kills in tier F", reason)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
