# SPDX-License-Identifier: GPL-3.0-or-later
"""`fumehoodctl mcp --ask`, with an app of the test's own behind it: nothing runs without a yes."""

import contextlib
import json
import os
import select
import signal
import sqlite3
import sys
import tempfile
from pathlib import Path

from mcp_client import PLACE, Client
from session_bus import SessionBus
from tap import PATIENCE, Tap, equal, must

APP_ID = os.environ["FH_APP_ID"]
HERE = Path(__file__).resolve().parent
NOT_APPROVED = "Code execution was not approved. Reason: "


class App:
    """What the app was asked."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.received = b""

    def asked(self, timeout=PATIENCE):
        while b"\n" not in self.received:
            must(select.select([self.pipe], [], [], timeout)[0], "the app was not called")
            self.received += os.read(self.pipe, 1 << 16)
        line, _, self.received = self.received.partition(b"\n")
        return json.loads(line)


@contextlib.contextmanager
def app(*answer):
    """A bus that starts an app which answers so; without words, a bus without an app."""
    with tempfile.TemporaryDirectory(prefix="fh-bus-") as name:
        folder = Path(name)
        os.mkfifo(folder / "pipe")
        # For both ends, so that neither waits for the other to open it.
        pipe = os.open(folder / "pipe", os.O_RDWR)
        program = f"{sys.executable} -B {HERE / 'approving_app.py'} {APP_ID} {folder / 'pipe'} {' '.join(answer)}"
        bus = SessionBus(folder, dict(os.environ), {APP_ID: program} if answer else {})
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        try:
            yield App(pipe)
        finally:
            os.environ.pop("DBUS_SESSION_BUS_ADDRESS")
            bus.close()
            os.close(pipe)


def refusal(result):
    text = result["content"][0]["text"]
    must(result["isError"] and text.startswith(NOT_APPROVED) and "structuredContent" not in result, str(result))
    return text.removeprefix(NOT_APPROVED)


def approved():
    with app("approve") as asked, Client("--ask", "--memory", "100M") as client:
        equal(client.run("execute_python_code", code="print('yes')", timeout=7)["stdout"], "yes\n", "output")
        method, _, name, tool, code, language, summary = asked.asked()
        equal((method, name, tool, code, language), ("Ask", "test", "Run Python Code", "print('yes')", "python"), "question")
        must("7 s" in summary and "100 MiB" in summary, summary)
        equal(client.run("session_execute", code="x = 2")["success"], True, "a cell")
        equal(asked.asked()[4], "x = 2", "its code")
        client.run("execute_code_blocks", blocks=[{"language": "python", "code": "'one'"}, {"language": "sh", "code": "echo two"}])
        must("'one'" in (both := asked.asked()[4]) and "echo two" in both, both)


def switched_off():
    with app("approve") as asked, Client("--ask", "--without", "network") as client:
        for tool in ("execute_python_code", "session_execute"):
            client.run(tool, code="1")
            must("Switched Off: Network" in (summary := asked.asked()[6]), summary)


def refused():
    with app("refuse", "not", "today") as asked, Client("--ask") as client:
        for tool, arguments in (("execute_python_code", {"code": "print('no')  # refused"}),
                                ("execute_shell_command", {"command": "echo no"}), ("session_execute", {"code": "1"}),
                                ("execute_code_blocks", {"blocks": [{"language": "sh", "code": "echo no"}]})):
            equal(refusal(client.call(tool, **arguments)), "not today", tool)
            asked.asked()
        must(not any("refused" in one["title"] for one in client.ask("resources/list")["result"]["resources"]), "history")
        # These run no code of the caller's.
        equal(client.run("inspect_code", code="import os")["imports"][0]["module"], "os", "a look")
        equal(client.call("list_variables")["content"][0]["text"], "There is no session of this name.", "variables")
    with app("refuse"), Client("--ask") as client:
        equal(refusal(client.call("execute_python_code", code="1")), "None was given.", "without a reason")


def without_an_app():
    with app(), Client("--ask") as client:
        must("could not be reached" in refusal(client.call("execute_python_code", code="1")), "a bus without an app")
    for address in ("unix:path=/nowhere/bus", "nonsense"):
        with Client("--ask", DBUS_SESSION_BUS_ADDRESS=address) as client:
            must("could not be reached" in refusal(client.call("execute_python_code", code="1")), address)
    with app("die") as asked, Client("--ask") as client:
        must(refusal(client.call("execute_python_code", code="1")), "an app that ends")
        equal(asked.asked()[0], "Ask", "it was asked")


def too_long():
    with app("approve"), Client("--ask") as client:
        must("too long" in refusal(client.call("execute_python_code", code="#" + "x" * (1 << 20))), "code that cannot be shown")


def withdrawn():
    with app("silent") as asked, Client("--ask") as client:
        number = client.begin("execute_python_code", token="a", code="1")
        question = asked.asked()
        must("is asked" in client.progress("a")["message"], "progress")
        client.cancel(number)
        equal(asked.asked(), ["Withdraw", question[1]], "what was asked")
        equal(client.ask("ping")["result"], {}, "the server goes on")
        client.begin("execute_python_code", code="2")
        asked.asked()


def two_signals():
    """What is still on its way when a second signal ends the server must find nothing that is freed."""
    place = Path(PLACE.name) / "busy"
    (place / "fumehood").mkdir(parents=True)
    with app("silent") as asked, contextlib.closing(sqlite3.connect(place / "fumehood" / "history.db", isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        client = Client("--ask", XDG_STATE_HOME=str(place))
        client.begin("execute_python_code", code="1")
        asked.asked()
        client.request("resources/read", uri="fumehood://run/1")
        equal(client.ask("ping")["result"], {}, "the question before was taken")
        client.process.send_signal(signal.SIGTERM)
        client.process.send_signal(signal.SIGINT)
        must(client.process.wait(PATIENCE) in (130, 143), "a second signal ends it while the history is locked")
        must(b"CRITICAL" not in (said := client.process.communicate()[1]) and b"Sanitizer" not in said, repr(said))


CASES = {
    "what is approved runs": approved,
    "a guard that is off is told": switched_off,
    "what is refused does not run": refused,
    "without an app nothing runs": without_an_app,
    "code that is too long to be shown": too_long,
    "a cancelled call withdraws its question": withdrawn,
    "two signals while everything waits": two_signals,
}


def main():
    tap = Tap()
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
