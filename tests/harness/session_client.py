# SPDX-License-Identifier: GPL-3.0-or-later
"""A caller of `fumehoodctl session`, which FH_CTL names: what it says and hears is checked against the schema."""

import json
import os
import select
import subprocess
import tempfile
import time
from pathlib import Path

import jsonschema
from tap import PATIENCE, equal, must

CTL = os.environ.get("FH_CTL", "fumehoodctl")
ROOT = Path(os.environ["FH_SOURCE_ROOT"])
SCHEMA = json.loads((ROOT / "data" / "session.schema.json").read_text())
PLACE = tempfile.TemporaryDirectory(prefix="fh-session-")


def checker(part):
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": SCHEMA["$defs"]})


ORDERS, ANSWERS = checker("order"), checker("answer")


class Session:
    def __init__(self, *words, history=False, environment=()):
        environment = {**os.environ, "XDG_STATE_HOME": PLACE.name, "LC_ALL": "C.UTF-8", "LANGUAGE": "", **dict(environment)}
        words = words if history else (*words, "--no-history")
        self.process = subprocess.Popen([CTL, "session", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment)
        self.received = b""
        self.number = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.stdin.close()
        status, said = self.process.wait(PATIENCE), self.process.stderr.read()
        if kind is None:
            equal((status, said), (0, b""), "exit status and messages")

    def say(self, **what):
        ORDERS.validate(what)
        self.line(json.dumps(what).encode())

    def line(self, data):
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def hear(self, timeout=PATIENCE):
        end = time.monotonic() + timeout
        while b"\n" not in self.received:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            piece = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            must(piece, f"nothing more came after {self.received[-300:]!r}")
            self.received += piece
        line, _, self.received = self.received.partition(b"\n")
        answer = json.loads(line)
        ANSWERS.validate(answer)
        return answer

    def hear_until(self, kind):
        """All up to the first of this type."""
        heard = [self.hear()]
        while heard[-1]["type"] != kind:
            heard.append(self.hear())
        return heard

    def ask(self, **what):
        self.number += 1
        self.say(id=self.number, **what)
        answer = self.hear()
        equal(answer["id"], self.number, f"id of {answer}")
        return answer

    def run(self, code, **more):
        answer = self.ask(type="execute", code=code, **more)
        equal(answer["type"], "result", str(answer))
        return answer


def works(answer, value=None, stdout=""):
    must(answer["success"] and answer["exception"] is None and answer["error"] is None, str(answer))
    equal((answer["value"], answer["stdout"]), (value, stdout), "value and output")
