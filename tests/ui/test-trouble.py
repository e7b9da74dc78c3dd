# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input and a world in disorder: a clear sentence, and nothing lost."""

import os
import re
import signal
import sqlite3
import sys

from accessible import find_all, name_of, press, read, write
from fumehood import fresh_session, running
from tap import Tap, equal, must
from waiting import not_yet, wait_for

NOT_RUN = re.compile("Nothing was run, because the guards could not be set up").match


def says(app, words):
    """Some label of the window holds the words, or the result does."""
    return words in app.result() or any(words in name_of(node) for node in find_all(app.root) if name_of(node))


def wait_said(app, words, timeout=10):
    wait_for(lambda: says(app, words), f"the words {words!r}", timeout)


def state_folder(session):
    folder = session.path("XDG_STATE_HOME") / "fumehood"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def empty_source(session):
    with running(session) as app:
        app.run("")
        wait_for(lambda: app.result() or not app.is_running(), "the end of an empty program")
        app.quit()


def nul_and_odd_characters(session):
    with running(session) as app:
        app.run("print('\\x00', '\\udcff'.encode('utf-8', 'surrogatepass'), '\\u202e')\n")
        app.wait_result("Finished normally.")
        app.quit()


def hostile_output(session):
    """Escapes, markup, broken UTF-8 and a forged result line stay text in the pane."""
    with running(session) as app:
        app.run(
            "import sys\n"
            "out = sys.stdout.buffer\n"
            "out.write(b'\\x1b]0;owned\\x07\\x1b]52;c;AAAA\\x07<b>bold</b>&amp;\\xff\\xfe%s%n\\n')\n"
            "out.write(b'Finished normally.\\n')\n"
            "out.flush()\n"
            "sys.exit(7)\n"
        )
        app.wait_result("Ended with exit code 7.")
        app.wait_output("<b>bold</b>&amp;")
        not_yet(lambda: "owned" in app.output(), "a title sequence was shown")
        app.quit()


def too_large_file(session):
    large = session.folder / "large.py"
    large.write_bytes(b"# " + b"x" * (10 << 20) + b"\n")
    with running(session, str(large)) as app:
        wait_said(app, "“large.py” is too large")
        app.quit()


def invalid_utf8_file(session):
    odd = session.folder / "odd.py"
    odd.write_bytes(b"print('caf\xe9')\n")
    with running(session, str(odd)) as app:
        wait_said(app, "bytes that are not text")
        app.quit()
    equal(odd.read_bytes(), b"print('caf\xe9')\n", "the file")


def saving_asks_before_it_loses_bytes(session):
    odd = session.folder / "latin.py"
    odd.write_bytes(b"print('caf\xe9')\n")
    with running(session, str(odd)) as app:
        wait_said(app, "Saving replaces them in the file")
        not_yet(lambda: app.find("label", "• latin.py"), "it is marked as changed")
        ask_to_save(app, "Replace Bytes That Are Not Text?", "Return")
        equal(odd.read_bytes(), b"print('caf\xe9')\n", "the file after Enter")
        app.quit()
    # It is asked again by a tab that was there before.
    with running(session) as app:
        wait_said(app, "Saving replaces them in the file")
        ask_to_save(app, "Replace Bytes That Are Not Text?", "Replace")
        wait_for(lambda: odd.read_bytes() == "print('caf\ufffd')\n".encode(), "the saved file")
        app.quit()


def changed_file_is_reloaded(session):
    changed = session.folder / "changed.py"
    changed.write_text("here = 1\n", encoding="utf-8")
    with running(session, str(changed)) as app:
        wait_for(lambda: read(app.editor) == "here = 1\n", "the file")
        changed.write_text("there = 2\n", encoding="utf-8")
        os.utime(changed, (1, 1))
        write(app.editor, "mine = 3\n")
        ask_to_save(app, "Replace the Changed File?", "Reload")
        wait_for(lambda: read(app.editor) == "there = 2\n", "the changed file")
        app.quit()


def ask_to_save(app, heading, answer):
    """Answers the question by a button, or by Return."""
    app.session.display.focus(app.window)
    app.key("ctrl+s")
    app.get(None, heading)
    # Newer libadwaita asks inside of the window.
    if app.find_dialog() is not None:
        app.session.display.focus(app.find_dialog())
    if answer == "Return":
        app.key("Return")
    else:
        press(app.get("push button", lambda name: name.replace("_", "") == answer))
    wait_for(lambda: app.find(None, heading) is None, "the question to go")
    app.session.display.focus(app.window)


def missing_file(session):
    with running(session, str(session.folder / "not-there.py")) as app:
        wait_said(app, "not-there.py")
        app.quit()


def opening_runs_nothing(session):
    script = session.folder / "script.py"
    script.write_text("print('ran by itself')\n", encoding="utf-8")
    with running(session, str(script)) as app:
        wait_for(lambda: "ran by itself" in read(app.editor), "the file in the editor")
        not_yet(app.output, "it ran before Run was pressed")
        app.quit()


def missing_runner(session):
    with running(session, FH_RUNNER=str(session.folder / "no-runner")) as app:
        app.type("print('guarded?')")
        wait_said(app, "no-runner")
        wait_for(lambda: not app.is_enabled("run"), "it not to be runnable")
        app.activate("run")
        not_yet(app.output, "it ran without a runner")
        app.quit()


def asked_for_while_refused(session):
    """`--run` asks for one text and one press: what is typed while the guards are refused is not run when they can be
    set up after all."""
    runner = session.folder / "runner"
    asked = session.folder / "asked.py"
    asked.write_text("print('as asked')\n", encoding="utf-8")
    with running(session, "--run", str(asked), FH_RUNNER=str(runner)) as app:
        app.get("alert", NOT_RUN)
        app.type("print('never started')")
        runner.symlink_to(os.environ["FH_RUNNER"])
        app.press("Check Again")
        wait_for(app.can_run, "the guards to be set up")
        not_yet(lambda: app.is_running() or app.output() or app.result(), "it ran by itself")
        app.run()
        app.wait_output("never started")
        app.wait_gone("alert", NOT_RUN)
        app.quit()


def asked_for_before_probe(session):
    """Guards that are known only after a while: the program that was asked for runs then, unless it was edited."""
    slow = session.folder / "slow"
    gate = session.folder / "gate"
    asked = session.folder / "asked.py"
    asked.write_text("print('as asked')\n", encoding="utf-8")
    os.mkfifo(gate)
    slow.write_text(f'#!/bin/sh\nread line <>"{gate}"\nexec "{os.environ["FH_RUNNER"]}" "$@"\n', encoding="utf-8")
    slow.chmod(0o755)
    with running(session, "--run", str(asked), FH_RUNNER=str(slow)) as app:
        wait_for(lambda: "as asked" in read(app.editor), "the file in the editor")
        app.type("print('never started')")
        wait_said(app, "Nothing was run, because the code or its options have changed since.")
        opened = os.open(gate, os.O_RDWR)
        wait_for(lambda: os.write(opened, b"go\n") and app.can_run(), "the guards to be set up")
        not_yet(lambda: app.is_running() or app.output() or app.result(), "it ran by itself")
        app.quit()
        os.close(opened)


def killed_runner(session):
    with running(session) as app:
        app.run("import time; print('up', flush=True); time.sleep(60)")
        app.wait_output("up")
        os.kill(app.runner(), signal.SIGKILL)
        wait_for(lambda: not app.is_running(), "the end of the run")
        wait_said(app, "killed from outside")
        app.run("print('next')")
        app.wait_output("next")
        app.wait_result("Finished normally.")
        app.quit()


def damaged_history(session):
    history = state_folder(session) / "history.db"
    history.write_bytes(b"this is no database " * 1000)
    with running(session) as app:
        wait_said(app, "damaged")
        app.run("print('kept')")
        app.wait_result("Finished normally.")
        app.quit()
    must(list(history.parent.glob("history.db.damaged-*")), "the damaged history was not set aside")
    with sqlite3.connect(history) as database:
        equal(database.execute("PRAGMA integrity_check").fetchone()[0], "ok", "the new history")


def folder_for_history(session):
    (state_folder(session) / "history.db").mkdir()
    with running(session) as app:
        wait_said(app, "history.db")
        app.run("print('still runs')")
        app.wait_output("still runs")
        app.wait_result("Finished normally.")
        app.quit()


def set_arguments(app, text):
    with app.options():
        write(app.get("text", "Arguments"), text)


def reason_goes(session):
    """Why nothing was run is told once, and no longer when something has run."""
    with running(session) as app:
        app.type("print('ran')\n")
        set_arguments(app, "'open")
        app.activate("run")
        wait_said(app, "The arguments cannot be used")
        app.activate("run")
        set_arguments(app, "")
        app.run()
        app.wait_result("Finished normally.")
        wait_for(lambda: not says(app, "The arguments cannot be used"), "the reason to go")
        app.quit()


CASES = (
    ("an empty program ends", empty_source),
    ("NUL and odd characters in code", nul_and_odd_characters),
    ("hostile output stays text", hostile_output),
    ("a file of 10 MB is refused by name", too_large_file),
    ("a file that is not UTF-8 is told and left alone", invalid_utf8_file),
    ("saving asks before bytes are lost that are not text", saving_asks_before_it_loses_bytes),
    ("a file that another program has changed can be reloaded", changed_file_is_reloaded),
    ("a file that is not there is named", missing_file),
    ("opening a file runs nothing", opening_runs_nothing),
    ("a missing runner is named and nothing runs", missing_runner),
    ("a run that was asked for while guards are refused is not made up for", asked_for_while_refused),
    ("a run that was asked for belongs to its text", asked_for_before_probe),
    ("the reason why nothing was run goes", reason_goes),
    ("a runner killed from outside is told", killed_runner),
    ("a damaged history is set aside", damaged_history),
    ("the app runs without a history", folder_for_history),
)


def main():
    tap = Tap()
    for name, case in CASES:
        with fresh_session() as session:
            tap.case(name, case, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
