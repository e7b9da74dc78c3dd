# SPDX-License-Identifier: GPL-3.0-or-later
"""A fixed script in a tab: what the history keeps of it is that of records/."""

import os
import signal
import sys
from pathlib import Path

from accessible import press, state
from fumehood import Fumehood, fresh_session, running
from same_record import entries, must_be_same
from tap import Tap
from waiting import wait_for

RECORDS = Path(__file__).with_name("records")
TYPED = "name = input('Name? ')\nprint(f'Hello {name}.')\nopen('left.txt', 'w').write(name)\n"


def program(app):
    app.run(TYPED)
    wait_for(lambda: app.find(None, "The program waits for input."), "the program to wait")
    entry = app.get("text", "Input for the program")
    wait_for(lambda: state(entry, "FOCUSED"), "the focus")
    for key in ("a", "d", "a", "Return"):
        app.key(key)
    app.wait_result("Finished normally.")


ANSWER = """Take this.

```sh
echo made > made.txt
```

```ini
[never]
run = only saved
```

```python
print(open("made.txt").read(), end="")
open("left.txt", "w").write("left")
raise SystemExit(3)
```

```sh
echo never
```
"""
# A traceback would tell how far the program had come when it was stopped.
STOPPED = """```sh
echo first
```

```python
import signal, time
signal.signal(signal.SIGINT, signal.SIG_DFL)
print("begun", flush=True)
time.sleep(600)
```

```sh
echo never
```
"""
CELLS = """# %% one
x = 1
x + 1
# %% two
print("two")
1 / 0
# %% three
print("three")
"""


def answer(app):
    app.run(ANSWER)
    app.wait_result("Block 3: Ended with exit code 3.")


def stopped(app):
    app.run(STOPPED)
    app.wait_output("begun")
    app.activate("stop")
    app.wait_result("Stopped by you.")


def session(app):
    app.type(CELLS)
    app.press("Use a Session")
    wait_for(lambda: state(app.get("push button", "Session"), "PRESSED")
             or state(app.get("push button", "Session"), "CHECKED"), "session mode")
    app.run()
    app.wait_output("1 cell that waited did not run.")
    app.wait_result("Failed. ZeroDivisionError")
    app.activate("run-cell")
    app.wait_output("[3] ")
    app.wait_result("Finished normally.")


def closed(app):
    """The block that runs is a part of the answer as well: it was stopped."""
    app.run(STOPPED)
    app.wait_output("begun")
    app.key("ctrl+w")
    press(app.get("push button", lambda name: name.replace("_", "") == "Stop and Close"))
    wait_for(lambda: app.find_dialog() is None, "the question to go")
    app.session.display.focus(app.window)


def end(app):
    """As the session of the desktop does when it ends. Nobody closes the window."""
    app.process.send_signal(signal.SIGTERM)
    app.wait_end()


def record(name, act, leave=Fumehood.quit):
    with fresh_session() as session:
        with running(session) as app:
            act(app)
            leave(app)
        must_be_same(RECORDS / f"{name}.json", {"history": entries(session.environment, os.environ["FH_CTL"])})


def main():
    tap = Tap()
    tap.case("a program with typed input", record, "program", program)
    tap.case("an answer whose third block fails", record, "answer", answer)
    tap.case("an answer that is stopped in its second block", record, "stopped", stopped)
    tap.case("an answer whose tab is closed in its second block", record, "closed", closed)
    tap.case("a session with a cell that fails", record, "session", session, Fumehood.quit_session)
    tap.case("the same when the app is told to end", record, "session", session, end)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
