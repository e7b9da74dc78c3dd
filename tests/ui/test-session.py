# SPDX-License-Identifier: GPL-3.0-or-later
"""Session mode of a tab: cells by keys, their output and values, stop, reset, and a new interpreter."""

import json
import sys

from accessible import caret, find_all, name_of, names, press, read, state, write
from cell_programs import CELLS, HOSTILE, STUBBORN, VARIABLES, WAITING
from fumehood import fresh_session, running
from measuring import runner_of
from tap import Tap, equal
from waiting import not_yet, wait_equal, wait_for


def put_cursor(app, line):
    """By keyboard, as Ctrl+I does."""
    app.key("ctrl+i")
    entry = app.get("text", "Go to line")
    wait_for(lambda: state(entry, "FOCUSED") or state(entry, "FOCUSABLE"), "the entry")
    write(entry, str(line))
    app.key("Return")
    wait_for(lambda: state(app.editor, "FOCUSED"), "the editor to have the focus")


def count(app, text):
    return app.output().count(text)


def place(app):
    button = app.find("push button", lambda name: ", column " in name)
    return name_of(button) if button is not None else ""


def is_offered(app):
    app.type(CELLS)
    app.press("Use a Session")
    wait_for(lambda: state(app.get("push button", "Session"), "PRESSED")
             or state(app.get("push button", "Session"), "CHECKED"), "session mode")


def runs_the_cell_at_the_cursor(app):
    put_cursor(app, 2)
    app.key("ctrl+Return")
    app.wait_output("[1] first")
    app.wait_output("counted 3")
    app.wait_output("[1, 2, 3]")
    app.wait_output("Finished normally.")
    app.wait_result("Finished normally.")


def goes_on_to_the_next(app):
    before = caret(app.editor)
    app.key("shift+Return")
    app.wait_output("[2] first")
    wait_for(lambda: caret(app.editor) > before, "the cursor to go on")
    app.wait_result("Finished normally.")
    app.key("shift+Return")
    app.wait_output("[3] second")
    app.wait_result("Finished normally.")
    wait_equal(lambda: count(app, "counted 3"), 2, "runs of the first cell")


def links_lead_to_the_cell(app):
    app.key("ctrl+Return")
    app.wait_output("ZeroDivisionError: ")
    app.wait_result("Failed. ZeroDivisionError")
    app.wait_output('File "<cell 3>", line 3')
    app.press("Cell 3, line 3")
    wait_for(lambda: place(app).startswith("Line 8, "), "the line in which the function failed")
    put_cursor(app, 11)
    app.key("ctrl+shift+o")
    app.key("F8")
    places = set()
    wait_for(lambda: places.add(place(app)) or "Line 8, column 1" in places, "the line of the function")
    app.key("ctrl+shift+o")
    app.key("F8")
    wait_for(lambda: place(app) == "Line 11, column 1", "the line of the call")


def drops_what_waits_behind_a_failure(app):
    app.press("Run")
    app.wait_output("1 cell that waited did not run.")
    app.wait_result("Failed.")
    not_yet(lambda: "never" in app.output().split("1 cell that waited")[0].split("[8]")[-1], "it ran")


def stop_keeps_the_session(app):
    app.type(WAITING)
    put_cursor(app, 2)
    app.key("ctrl+Return")
    app.wait_output("waiting")
    app.key("ctrl+Return")
    app.key("ctrl+Return")
    app.get("status bar", "2 cells wait")
    app.press("Stop")
    app.wait_output("2 cells that waited did not run.")
    app.wait_output("KeyboardInterrupt")
    app.wait_output("The session goes on: its variables are still there.")
    app.wait_result("Stopped by you.")
    put_cursor(app, 8)
    app.key("ctrl+Return")
    app.wait_output("kept is 7")


def kill_is_said(app):
    app.type(STUBBORN)
    put_cursor(app, 2)
    app.key("ctrl+Return")
    app.wait_output("stubborn")
    app.key("shift+F5")
    app.key("shift+F5")
    app.wait_output("The session has ended: its variables are gone.")
    app.wait_result("Stopped by you.")
    put_cursor(app, 10)
    app.key("ctrl+Return")
    app.wait_output("\nFalse\n")


def restart_is_said(app):
    """The interpreter ends while no cell runs."""
    app.type("import threading, os\nthreading.Timer(1, os._exit, (0,)).start()\n")
    app.key("ctrl+Return")
    app.wait_result("Finished normally.")
    wait_for(lambda: runner_of(app.pid) is None, "the interpreter to end")
    app.key("ctrl+Return")
    app.wait_output("A new one was started: variables of earlier cells are gone.")
    wait_for(lambda: runner_of(app.pid) is None, "the new one to end as well, before anything else is run in it")


def input_is_not_there(app):
    app.type("# %%\nname = input('Who? ')\n")
    put_cursor(app, 2)
    app.key("ctrl+Return")
    app.wait_output("EOFError: EOF when reading a line")
    app.wait_output("A cell cannot ask for input.")


def reset_forgets(app):
    app.type("# %%\nthere = 1\n\n# %%\nprint('there' in globals())\n")
    put_cursor(app, 2)
    app.key("ctrl+Return")
    app.wait_result("Finished normally.")
    put_cursor(app, 5)
    app.key("ctrl+Return")
    app.wait_output("\nTrue\n")
    app.press("Session menu")
    app.press("Reset Session", "menu item")
    before = count(app, "\nFalse\n")
    put_cursor(app, 5)
    app.key("ctrl+Return")
    wait_for(lambda: count(app, "\nFalse\n") == before + 1, "a namespace without the name")


def comes_back(session, app):
    """It is asked for, because its variables are lost."""
    app.quit_session()
    with running(session) as again:
        again.get("label", "This session has ended: its variables are gone.")
        again.screenshot("session-ended")
        wait_for(lambda: state(again.get("push button", "Session"), "PRESSED")
                 or state(again.get("push button", "Session"), "CHECKED"), "session mode")
        stays_in_the_history(again)
        again.quit()


def killed(session):
    """What has ended is in the history all the same, and the tab shows it again."""
    with running(session) as app:
        app.type("# %% first\nprint('one')\n# %% second\nprint('two')\n2 * 21\n")
        app.press("Session")
        app.press("Run")
        app.wait_output("42")
        app.press("History")
        wait_for(lambda: app.find("label", "Session of 2 cells, so far"), "the entry")
        drafts = session.path("XDG_STATE_HOME") / "fumehood" / "drafts"
        wait_for(lambda: any('"run"' in path.read_text(encoding="utf-8") for path in drafts.glob("*.json")), "the draft")
        app.kill()
    with running(session) as app:
        app.wait_result("Finished normally.")
        app.wait_output("[1] Finished normally.\none\n[2] Finished normally.\ntwo\n42\n")
        # The output is shown, and the keyboard is in the code, as in other tabs.
        app.get("page tab", "Cells")
        wait_for(lambda: any(state(tab, "SELECTED") for tab in find_all(app.root, "page tab", "Output")), "the output")
        press(app.get("page tab", "Cells"))
        for words in ("[1] first", "[2] second"):
            wait_for(lambda words=words: app.find("label", words), words)
        app.get("tree table", "Cells")
        wait_for(lambda: state(app.get("text", "Source code"), "FOCUSED"), "the keyboard in the code")
        # The list of the cells is no output of theirs.
        app.get("label", lambda name: name.startswith("Time") and "stdout" not in name)
        app.screenshot("session-killed")
        app.quit()


def opens_a_notebook(session):
    """As a session, and it is saved as one; its outputs are told to get lost."""
    path = session.path("HOME") / "some.ipynb"
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["Words."]},
             {"cell_type": "code", "metadata": {}, "execution_count": 7, "source": "x = 5\n!echo {x}",
              "outputs": [{"output_type": "stream", "name": "stdout", "text": "old"}]}]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    with running(session, str(path)) as app:
        text = "# %% [markdown]\n# Words.\n\n# %%\nx = 5\n!echo {x}\n"
        wait_for(lambda: app.find("text", "Source code") and read(app.editor) == text, "the cells")
        app.get("label", "Only the code and the text of this notebook are shown. Saving it here removes the rest from the file, "
                "such as outputs.")
        app.press("Run")
        app.wait_output("5\n")
        app.wait_output("Lines for a notebook that were run as what they mean there: 3")
        app.wait_result("Finished normally.")
        app.screenshot("notebook")
        write(app.editor, text + "\n# %%\nprint(x)\n")
        app.key("ctrl+s")
        saved = wait_for(lambda: "print(x)" in path.read_text(encoding="utf-8") and json.loads(path.read_text(encoding="utf-8")), "the file")
        app.get("label", "Saved without the outputs: the notebook gets the code and the text")
        equal([(cell["cell_type"], "".join(cell["source"])) for cell in saved["cells"]],
              [("markdown", "Words."), ("code", "x = 5\n!echo {x}"), ("code", "print(x)")], "the cells in the file")
        app.quit_session()


def is_on(app):
    return any(state(app.get("push button", "Session"), name) for name in ("PRESSED", "CHECKED"))


def stays_in_the_history(app):
    """One entry, with its cells, once the session has ended."""
    app.type("# %% first\none = 1\n# %% second\nprint(one / 0)\n")
    app.press("Run")
    # The result of the last run may be there from before a restart.
    app.wait_output("one / 0")
    app.wait_result("Failed.")
    for answer in ("Cancel", "End"):
        app.press("Session")
        app.get("label", "Its variables are lost.")
        press(app.get("push button", lambda name, answer=answer: name.replace("_", "") == answer))
        wait_for(lambda: app.find_dialog() is None, "the question to go")
        app.session.display.focus(app.window)
        wait_for(lambda answer=answer: is_on(app) == (answer == "Cancel"), "session mode as it was answered")
    app.press("History")
    entry = wait_for(lambda: app.find("label", "Session of 2 cells"), "the entry")
    app.double_click(entry)
    for words in ("[1] first", "[2] second", "ok", "failed", "Cell"):
        wait_for(lambda words=words: app.find("label", words), words)
    app.screenshot("session-history")
    app.press("Only failed")
    app.wait_gone("label", "[1] first")


def table(app):
    """What the table of variables says, row by row."""
    node = app.find("tree table", "Variables")
    return names(node) if node else []


def lists_variables(app):
    app.type(VARIABLES)
    put_cursor(app, 2)
    app.key("ctrl+Return")
    app.wait_result("Finished normally.")
    app.key("ctrl+shift+v")
    wait_for(lambda: "numbers" in table(app), "the variables")
    for words in ("[0, 1, 2,", "list", "250", "pairs", "{'one': [1, 11]", "broken", "<unrepresentable>"):
        wait_for(lambda words=words: any(words in text for text in table(app)), words)
    not_yet(lambda: {"os", "_hidden"} & set(table(app)), "a module or a private name is listed")


def marks_what_changed(app):
    put_cursor(app, 18)
    app.key("ctrl+Return")
    wait_for(lambda: "added" in table(app), "the new variable")
    wait_equal(lambda: len(find_all(app.root, "image", "new")), 1, "what is marked as new")
    wait_equal(lambda: len(find_all(app.root, "image", "changed")), 1, "what is marked as changed")


def shows_all_on_request(app):
    app.press("Modules, functions and private names")
    wait_for(lambda: "os" in table(app) and "_hidden" in table(app), "the rest of the names")
    app.press("Modules, functions and private names")
    wait_for(lambda: "os" not in table(app), "the short list")


def searches_variables(app):
    app.press("Search in the variables")
    write(app.get("entry", "Search variables"), "pair")
    wait_for(lambda: "numbers" not in table(app) and "pairs" in table(app), "the matches")
    app.press("Search in the variables")
    wait_for(lambda: "numbers" in table(app), "all of them again")


def survives_hostile_values(app):
    """What costs time or space to look at is cut, and the next cell runs."""
    app.type(HOSTILE)
    app.key("ctrl+Return")
    wait_for(lambda: "endless" in table(app), "the variables", timeout=20)
    wait_for(lambda: table(app).count("<unrepresentable>") >= 2, "what has no text")
    # Each later cell would take the time that they may cost.
    app.type("del endless, huge, sly")
    app.key("ctrl+Return")
    wait_for(lambda: "endless" not in table(app), "them to go")


def looks_good(app):
    """Pictures for people; what is asked is that it fits."""
    app.type(CELLS)
    app.press("Run")
    app.wait_result("Failed.")
    app.screenshot("session-variables")
    app.key("ctrl+shift+o")
    app.screenshot("session")
    app.key("ctrl+shift+v")
    before = app.session.display.size(app.window)
    app.resize(360, 640)
    app.screenshot("session-narrow")
    app.resize(*before)
    app.key("ctrl+shift+o")
    app.wait_output("Failed.")


def unanswered_calls_fail(app):
    """The window declares nothing; what a program makes up must not wait for ever, as its time does not count then."""
    app.type("import gc\n"
             "ours = next(o for o in gc.get_objects() if type(o).__name__ == 'Session')\n"
             "ours.ask({'name': 'made_up'}, {})\n")
    app.key("ctrl+Return")
    app.wait_output("RuntimeError: nobody answers this function")
    app.wait_result("Failed.")


CASES = (
    ("a text with cells is offered a session", is_offered),
    ("Ctrl+Return runs the cell at the cursor", runs_the_cell_at_the_cursor),
    ("Shift+Return goes on to the next", goes_on_to_the_next),
    ("a traceback leads to its cells", links_lead_to_the_cell),
    ("a failure drops what waits", drops_what_waits_behind_a_failure),
    ("Stop keeps the session", stop_keeps_the_session),
    ("a session that ended is said, and a new one begins", kill_is_said),
    ("an interpreter that ended between cells is replaced, and that is said", restart_is_said),
    ("variables are listed", lists_variables),
    ("what is new or has changed is marked", marks_what_changed),
    ("modules, functions and private names are shown on request", shows_all_on_request),
    ("variables are searched", searches_variables),
    ("hostile values are cut", survives_hostile_values),
    ("it fits into a narrow window", looks_good),
    ("a call that nobody answers fails", unanswered_calls_fail),
    ("a cell that asks for input is told why there is none", input_is_not_there),
    ("Reset forgets the variables", reset_forgets),
)


def main():
    tap = Tap()
    with fresh_session() as session, running(session) as app:
        for name, case in CASES:
            tap.case(name, case, app)
        tap.case("session mode comes back with the tab", comes_back, session, app)
    with fresh_session() as session:
        tap.case("a notebook is opened and saved", opens_a_notebook, session)
    with fresh_session() as session:
        tap.case("killed", killed, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
