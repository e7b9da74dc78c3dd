# SPDX-License-Identifier: GPL-3.0-or-later
"""Type code, press Run, read both panes and the result line, press Stop."""

import sys
import time

from accessible import Announcements, extents, find, find_all, labelled_rows, read, state
from floods import Deaths
from fumehood import fresh_session, running
from measuring import runner_of
from session import has_gtk
from tap import Skip, Tap, equal, must
from waiting import SANITIZED, not_yet, wait_equal, wait_for

GREETING = """import sys
print("to the left")
print("to the right", file=sys.stderr)
"""
WAITING = """import time
print("waiting", flush=True)
time.sleep(60)
"""
STUBBORN = """import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("stubborn", flush=True)
while True:
    time.sleep(1)
"""


def reads_both_streams(app):
    app.run(GREETING)
    app.wait_result("Finished normally.")
    for text in ("to the left", "to the right"):
        app.wait_output(text)
    for pane, text in (("Standard output", "to the left\n"), ("Standard error", "to the right\n")):
        app.show(pane)
        app.wait_output(text, pane)
        wait_equal(lambda pane=pane: app.output(pane), text, pane)
    app.show("Output")


def runs_by_key(app):
    app.type("print('by key')")
    app.key("ctrl+Return")
    app.wait_output("by key")
    app.wait_result("Finished normally.")
    app.type("print('by the other key')")
    app.key("F5")
    app.wait_output("by the other key")
    app.wait_result("Finished normally.")


def tells_the_exit_code(app):
    app.run("raise SystemExit(3)")
    app.wait_result("Ended with exit code 3.")


def sums_up_a_failure(app):
    """What the program said, where, what was stopped, and all of that for the assistant."""
    app.run("import socket\n\nsocket.getaddrinfo('pypi.org', 443)\n")
    app.wait_result("Ended with exit code 1.")
    app.get("label", "“socket.gaierror: [Errno -2] Name or service not known”")
    app.get("label", "Blocked: Look up pypi.org.")
    app.screenshot("failure")
    app.press("1 attempt blocked")
    app.click(wait_for(lambda: app.find("label", "Look up pypi.org"), "the attempt"))
    with app.options(lambda: app.press("Show “Allowed Hosts”")):
        entry = app.get("text", "Allowed Hosts")
        for key in "pypi":
            app.key(key)
        wait_for(lambda: read(entry) == "pypi", "what is typed to be in the option")
        app.screenshot("failure-option")
        _, y, _, height = extents(entry)
        must(0 < y and y + height < app.session.display.size(app.window)[1], f"the option is at {y}, out of sight")
        for _ in "pypi":
            app.key("BackSpace")
        wait_for(lambda: read(entry) == "", "the option as it was")
    app.press("Other ways to copy")
    app.press("Copy as a Review", "menu item")
    app.get("label", "The review was copied")
    app.press("Copy as a Reply to the Model")
    app.get("label", "The reply was copied")
    app.press("Line 3")
    wait_for(lambda: app.find("push button", "Line 3, column 1"), "the line")
    app.key("ctrl+a")
    app.key("ctrl+v")
    wait_for(lambda: "- Look up pypi.org: " in read(app.editor), "the report")


def counts_the_files(app):
    """What the program left is told beside the figures, and leads to it."""
    app.run("for name in 'abc':\n    open(name, 'w').write(name)\n")
    app.wait_result("Finished normally.")
    app.screenshot("files-made")
    app.press("3 files")
    wait_for(lambda: labelled_rows(app.root, "a"), "the files")
    app.run("print('none')")
    app.wait_output("none")
    app.wait_result("Finished normally.")
    app.wait_gone("push button", "3 files")


def shows_the_version_that_ran(app):
    """The code has changed since: the line is shown in the code that was run, in a tab of its own."""
    changed = "# a new line\n# another\n# one more\n"
    app.type(changed)
    app.press("Line 3")
    app.get("label", "The code has changed since this run")
    app.screenshot("stale-link")
    app.press("Show That Version")
    wait_for(lambda: any("getaddrinfo" in read(editor) for editor in find_all(app.root, "text", "Source code")),
             "the code that was run")
    wait_for(lambda: app.find("push button", "Line 3, column 1"), "the line")
    app.activate("close-tab")
    wait_for(lambda: read(app.editor) == changed, "the tab that was left")


def walks_through_a_traceback(app):
    app.run("def divide():\n    return 1 / 0\n\n\ndivide()\n")
    app.wait_result("Ended with exit code 1.")
    for line, what in ((2, "the line that failed"), (5, "the line of the call")):
        app.key("F8")
        wait_for(lambda line=line: app.find("push button", f"Line {line}, column 1"), what)


def tells_what_cannot_run(app):
    """Until the language is chosen, or it is run in spite of that."""
    app.run("print('before')\n")
    app.wait_output("before")
    app.wait_result("Finished normally.")
    app.run("using System;\nnamespace A\n{\n    class B\n    {\n")
    app.get("label", "This looks like C#, which Fumehood cannot run. Nothing was run.")
    app.screenshot("foreign")
    not_yet(lambda: app.output() != "before\n", "it was run")
    app.press("Run Anyway")
    app.wait_output("SyntaxError")
    app.wait_result("Ended with exit code 1.")


def tells_a_signal(app):
    app.run("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    app.wait_result("Killed by SIGSEGV")


def shows_output_live(app):
    app.run(WAITING)
    app.wait_output("waiting")
    wait_for(app.is_running, "the program to run")


def stops(app):
    app.press("Stop")
    app.wait_result("Stopped by you.")


def run_until(app, program, output):
    """The output of the run before may have been the same, so what shows it is not enough."""
    app.run(program)
    wait_for(app.is_running, "the run")
    app.wait_output(output)


def stops_by_key(app):
    run_until(app, WAITING, "waiting")
    app.key("shift+F5")
    app.wait_result("Stopped by you.")


def stops_by_force(app):
    """Without the second of grace that a program gets which is asked only once, and which is measured on this machine."""
    asked, forced = seconds_to_die(app, 1), seconds_to_die(app, 2)
    must(SANITIZED or forced < asked, f"it took {forced} s, and without force {asked} s")


def seconds_to_die(app, keys):
    """Returns when the program dies, which is what counts; the window may be told later."""
    run_until(app, STUBBORN, "stubborn")
    deaths = Deaths(app.runner())
    before = time.monotonic()
    for _ in range(keys):
        app.key("shift+F5")
    deaths.join()
    app.wait_result("Stopped by you.")
    return deaths.time - before


def leaves_no_runner(app):
    wait_for(lambda: runner_of(app.pid) is None, "the runner to be gone")


def announces_the_result(app):
    if not has_gtk("4.14"):
        raise Skip("this GTK cannot ask a screen reader to speak")
    announcements = Announcements(app.root)
    app.run("raise SystemExit(4)")
    wait_for(announcements.said, "an announcement")
    equal(announcements.said(), ["Ended with exit code 4."], "what is announced")
    app.wait_result("Ended with exit code 4.")


def wait_for_question(app):
    wait_for(lambda: app.find(None, "The program waits for input."), "the program to wait")
    wait_equal(app.result, "Waiting for input…", "the result line")


def answers_by_key(app):
    """The entry takes the keyboard when the program asks, F6 leads around, and at the end the editor has it again."""
    app.run("name = input('Name? ')\nprint(f'Hello {name}.')\nprint(input('Again? '))\n")
    wait_for_question(app)
    entry = app.get("text", "Input for the program")
    wait_for(lambda: state(entry, "FOCUSED"), "the focus")
    app.key("F6")
    wait_for(lambda: not state(entry, "FOCUSED"), "the focus to leave the entry")
    not_yet(lambda: state(app.editor, "FOCUSED"), "the output is passed over")
    app.key("F6")
    wait_for(lambda: state(app.editor, "FOCUSED"), "the editor")
    app.key("F6")
    wait_for(lambda: state(entry, "FOCUSED"), "the focus")
    for key in ("a", "d", "a", "Return"):
        app.key(key)
    app.wait_output("Name? ada\nHello ada.\nAgain? ")
    wait_for_question(app)
    app.key("x")
    app.key("Return")
    app.wait_result("Finished normally.")
    app.wait_output("Again? x\nx\n")
    wait_equal(app.output, "Name? ada\nHello ada.\nAgain? x\nx\n", "what was asked and answered")
    app.wait_gone("text", "Input for the program")
    wait_for(lambda: state(app.editor, "FOCUSED"), "the editor to have the focus again")
    app.screenshot("input-given")


def ends_the_input_by_key(app):
    app.run("import sys\nprint(repr(sys.stdin.read()))\n")
    wait_for_question(app)
    wait_for(lambda: state(app.get("text", "Input for the program"), "FOCUSED"), "the focus")
    for key in ("a", "Return", "b", "ctrl+d"):
        app.key(key)
    app.wait_output("'a\\nb'")
    app.wait_result("Finished normally.")


def starts_clean(app):
    app.run("print('second life')")
    app.wait_output("second life")
    app.wait_result("Finished normally.")
    not_yet(lambda: "stubborn" in app.output(), "old output is still shown")
    wait_for(app.can_run, "the Run button")


def saves_options(app):
    """The file is what --preset of the command line loads."""
    saved = app.session.path("XDG_CONFIG_HOME") / "fumehood" / "presets" / "lab.ini"
    with app.options():
        app.tab_to("list item", "Saved Options")
        app.key("Return")
        app.get("text", "Save These Options As")
        app.move_focus("Down")
        for key in ("l", "a", "b", "Return"):
            app.key(key)
        app.screenshot("options-typed")
        wait_for(saved.exists, "the file of the preset")
        app.get("list item", "lab")
        app.move_focus("Down")
        app.screenshot("options-saved")
        app.key("Return")
        wait_for(lambda: find(app.root, None, "These options are loaded"), "the options to be loaded")
        app.press("Delete the preset “lab”")
        wait_for(lambda: not saved.exists(), "the file to go")
        app.press("Undo")
        wait_for(saved.exists, "the file to come back")


def limits_time_by_key(app):
    """The menu begins with the shortest."""
    app.key("ctrl+shift+l")
    app.get(None, "10 min")
    app.key("Return")
    wait_for(lambda: app.find("push button", "Time limit: 1 s"), "the new limit")
    app.run("while True: pass\n")
    app.wait_result("Stopped after 1 s")


def follows_the_first_line():
    """Of a text that is typed, as of a file; unless its language was chosen."""
    with fresh_session() as session, running(session) as app:
        app.run("#!/usr/bin/env bash\necho it is ${BASH_VERSION:+bash}\n")
        app.wait_output("it is bash")
        app.wait_result("Finished normally.")
        app.quit()


CASES = (
    ("both streams and the result are read", reads_both_streams),
    ("Ctrl+Return and F5 run", runs_by_key),
    ("the exit code is told", tells_the_exit_code),
    ("a failure is summed up", sums_up_a_failure),
    ("a line of another version is shown in that", shows_the_version_that_ran),
    ("the files that were made are counted", counts_the_files),
    ("F8 walks through a traceback", walks_through_a_traceback),
    ("what cannot run is told", tells_what_cannot_run),
    ("a signal is told", tells_a_signal),
    ("output is live", shows_output_live),
    ("Stop stops", stops),
    ("Shift+F5 stops", stops_by_key),
    ("Stop twice forces", stops_by_force),
    ("no runner is left", leaves_no_runner),
    ("a screen reader is told of the result", announces_the_result),
    ("questions are answered by key", answers_by_key),
    ("Ctrl+D ends the input", ends_the_input_by_key),
    ("a new run starts clean", starts_clean),
    ("options are saved and loaded", saves_options),
    ("time is limited by key", limits_time_by_key),
)


def main():
    tap = Tap()
    with fresh_session() as session, running(session) as app:
        for name, case in CASES:
            tap.case(name, case, app)
        tap.case("the app ends well", app.quit)
    tap.case("the first line of a typed text says its language", follows_the_first_line)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
