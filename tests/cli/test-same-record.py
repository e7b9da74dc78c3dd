# SPDX-License-Identifier: GPL-3.0-or-later
"""A fixed script of programs, answers, sessions and calls of assistants: their JSON and what the history keeps of them
are those of records/."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from mcp_client import Client
from same_record import entries, must_be_same
from session_client import CTL, Session
from tap import Tap, must
from terminal import Terminal

RECORDS = Path(__file__).with_name("records")
TYPED = "name = input('Name? ')\nprint(f'Hello {name}.')\nopen('left.txt', 'w').write(name)\n"
FENCES = {"python": "```python\n{}\n```\n\n", "sh": "```sh\n{}\n```\n\n", "html": "```html\n<!-- filename: site/index.html -->\n{}\n```\n"}
# Wherever the signal finds it, it prints the same.
WAITS = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_DFL)\nprint('begun', flush=True)\ntime.sleep(600)"
CATCHES = "import time\ntry:\n    print('begun', flush=True)\n    time.sleep(600)\nexcept KeyboardInterrupt:\n    print('caught')"


class Room:
    """A history of one case's own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="fh-record-")
        self.environment = {**os.environ, "XDG_STATE_HOME": self.folder.name, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}

    def write(self, name, *blocks):
        path = Path(self.folder.name) / name
        path.write_text("".join(FENCES[word].format(code) if word else code for word, code in blocks), encoding="utf-8")
        return path

    def words(self, *words):
        return [CTL, "run", "--json", *map(str, words)]

    def check(self, name, status, output):
        told = {"status": status, "json": json.loads(output) if isinstance(output, bytes) else output}
        must_be_same(RECORDS / f"{name}.json", {**told, "history": entries(self.environment, CTL)})


def program():
    room = Room()
    answer = subprocess.run(room.words(room.write("typed.py", ("", TYPED))), input=b"Ada\n", env=room.environment,
                            check=False, stdout=subprocess.PIPE)
    room.check("program", answer.returncode, answer.stdout)


def answer_fails():
    """A block that leaves a file, one that is saved, one that sees both and fails, and one that does not run."""
    room = Room()
    path = room.write("fails.md", ("python", "print('one')\nopen('left.txt', 'w').write('x')"), ("html", "<h1>N</h1>"),
                      ("sh", "echo *; echo wrong >&2; exit 3"), ("python", "print('never')"))
    answer = subprocess.run(room.words(path), stdin=subprocess.DEVNULL, env=room.environment, check=False, stdout=subprocess.PIPE)
    room.check("answer-fails", answer.returncode, answer.stdout)


def answer_refused():
    room = Room()
    path = room.write("refused.md", ("python", "print('one')"), ("sh", "echo two"), ("python", "print('never')"))
    screen = Terminal(*room.words("--ask", path), env=room.environment, stdout=subprocess.PIPE)
    for text, reply in (("n: no > ", "y\n"), ("n: no > ", "n\n"), ("(Enter for no reason) ", "not today\n")):
        screen.wait_for(text)
        screen.type(reply)
    output = screen.process.stdout.read()
    room.check("answer-refused", screen.finish(), output)


def answer_saved_last():
    """The last block is saved, not run."""
    room = Room()
    path = room.write("saved.md", ("python", "print('one')"), ("html", "<h1>N</h1>"))
    answer = subprocess.run(room.words(path), stdin=subprocess.DEVNULL, env=room.environment, check=False, stdout=subprocess.PIPE)
    room.check("answer-saved", answer.returncode, answer.stdout)


def stop_answer(name, code):
    """Ctrl+C while the second of three blocks runs."""
    room = Room()
    path = room.write(f"{name}.md", ("python", "print('one')"), ("python", code), ("python", "print('three')"))
    with subprocess.Popen([CTL, "run", str(path)], stdin=subprocess.DEVNULL, env=room.environment,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        lines = []
        while not lines or b"begun" not in lines[-1]:
            lines.append(process.stdout.readline())
            must(lines[-1], f"it ended before the second block: {lines}")
        process.send_signal(signal.SIGINT)
        lines.append(process.stdout.read())
        status = process.wait()
    room.check(name, status, b"".join(lines).decode().splitlines())


def answer_stopped():
    stop_answer("answer-stopped", WAITS)


def answer_goes_on():
    stop_answer("answer-goes-on", CATCHES)


def session():
    """A value, a failure, a call and its reply, a reset, and a cell after it."""
    room = Room()
    with Session(history=True, environment=room.environment.items()) as caller:
        told = [caller.ask(type="execute", code="x = [1]\nprint('one')\nx"),
                caller.ask(type="execute", code="x[5]"),
                caller.ask(type="declare_function", name="ask", parameters="what", doc="Asks.")]
        caller.say(type="execute", id=9, code="ask('why') + '!'")
        told.append(caller.hear())
        caller.say(type="reply", call=told[-1]["call"], value="because")
        told += [caller.hear(), caller.ask(type="list_variables"), caller.ask(type="reset"),
                 caller.ask(type="execute", code="x"), caller.ask(type="execute", code="2 + 2")]
    room.check("session", 0, told)


def assistant():
    """Programs and blocks by themselves, and cells of a session: each is told when it is in the history."""
    room = Room()
    with Client(environment=room.environment) as client:
        told = [client.call("execute_python_code", code="print('one')"),
                client.call("execute_shell_command", command="echo two; exit 2"),
                client.call("execute_code_blocks", blocks=[{"language": "python", "code": "print('three')\nopen('f', 'w').write('f')"},
                                                           {"language": "sh", "code": "echo *; exit 1"},
                                                           {"language": "python", "code": "print('never')"}]),
                client.call("session_execute", code="x = 6\nx * 7"),
                client.call("session_execute", code="1 / 0"),
                client.call("session_execute", code="x"),
                client.call("list_variables"),
                client.call("session_execute", code="x", reset=True)]
    room.check("assistant", 0, told)


def main():
    tap = Tap()
    for name, case in (("a program with typed input", program), ("an answer whose block fails", answer_fails),
                       ("an answer whose block is refused", answer_refused), ("an answer whose last block is saved", answer_saved_last),
                       ("an answer that is stopped", answer_stopped), ("an answer whose block catches Ctrl+C", answer_goes_on),
                       ("a session", session), ("an assistant", assistant)):
        tap.case(name, case)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
