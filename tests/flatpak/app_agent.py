# SPDX-License-Identifier: GPL-3.0-or-later
"""One start of the app for many commands in it: starting its sandbox takes longer than most programs run.

Inside of the app, as `python3 app_agent.py`: reads lines of JSON {"id", "words", "more", "patience"}, runs each at
once, with `more` variables, and answers {"id", "status", "output", "messages"}, both as base64; the status is null
when it took longer. Agent is the side of the tests."""

import base64
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

NAME = Path(__file__).name


def serve():
    lock = threading.Lock()

    def run(asked):
        with subprocess.Popen(asked["words"], env={**os.environ, **asked["more"]}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=False) as process:
            try:
                output, messages = process.communicate(timeout=asked["patience"])
                status = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                output, messages = process.communicate()
                status = None
        answer = {"id": asked["id"], "status": status, "output": base64.b64encode(output).decode(),
                  "messages": base64.b64encode(messages).decode()}
        with lock:
            print(json.dumps(answer), flush=True)

    for line in sys.stdin:
        threading.Thread(target=run, args=(json.loads(line),)).start()


class Agent:
    """Ended by close(). Several threads may call. `fds` are open in the app and in its commands as well."""

    def __init__(self, room, fds=()):
        shutil.copy(__file__, room.data / NAME)
        self.process = subprocess.Popen([*room.words("python3"), room.data / NAME], env=room.environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=fds)
        self._changed = threading.Condition()
        self._answers = {}
        self._asked = 0
        self._has_ended = False
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self):
        for line in self.process.stdout:
            answer = json.loads(line)
            with self._changed:
                self._answers[answer["id"]] = answer
                self._changed.notify_all()
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def call(self, words, patience, **more):
        """(output, messages) of a command, in bytes; TimeoutExpired when it did not end."""
        with self._changed:
            self._asked += 1
            number = self._asked
            line = {"id": number, "words": [str(word) for word in words], "more": more, "patience": patience}
            self.process.stdin.write(json.dumps(line) + "\n")
            self.process.stdin.flush()
            self._changed.wait_for(lambda: number in self._answers or self._has_ended)
            answer = self._answers.pop(number, None)
        if answer is None:
            raise RuntimeError("the app has ended")
        if answer["status"] is None:
            raise subprocess.TimeoutExpired(words, patience)
        return base64.b64decode(answer["output"]), base64.b64decode(answer["messages"])

    def close(self):
        """Whether it ended by itself."""
        self.process.stdin.close()
        try:
            return self.process.wait(30) == 0
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False
        finally:
            self.process.stdout.close()


if __name__ == "__main__":
    serve()
