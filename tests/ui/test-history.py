# SPDX-License-Identifier: GPL-3.0-or-later
"""Every run is found again after a restart, and no unsaved text is lost, however the app ended. Rows that
the list has destroyed are not touched.

FH_REPEATS says how often the last case is repeated, each time in a home of its own; with --rows it is the
only one."""

import contextlib
import os
import sys

from accessible import children, extents, find_all, labelled_rows, middle, names, parent, press, read, showing, state, write
from fumehood import fresh_session, is_pressed, running
from tap import Tap, equal, must
from waiting import not_yet, wait_equal, wait_for

FIRST = "print('a needle in the output')\n"
SECOND = "raise SystemExit('it broke')\n"
EXIT_CODES = (3, 4, 5)
REPEATS = int(os.environ.get("FH_REPEATS", "2"))
FAILING = """```bash
echo a thimble
```

```python
import os
raise ValueError("too small")
```

```bash
echo never
```
"""
DRAFT = "# never run, never saved\nanswer = 42\n"


def history_rows(app):
    return labelled_rows(app.root)


def wait_rows(app, count):
    return wait_for(lambda: len(history_rows(app)) == count and history_rows(app), f"{count} runs in the history")


def show_history(app):
    """It may be there from before a restart."""
    if not is_pressed(app.get("push button", "History")):
        app.press("History")
    wait_for(lambda: history_rows(app), "the history")


def holds(app, name, text):
    """Some tab shows this: GTK does not tell which one is in front."""
    return any(read(node) == text for node in find_all(app.root, "text", name))


def keeps_runs(session):
    with running(session) as app:
        app.run(FIRST)
        app.wait_result("Finished normally.")
        app.run(SECOND)
        app.wait_result("Ended with exit code 1.")
        app.quit()


def lists_them_after_a_restart(session):
    with running(session) as app:
        show_history(app)
        rows = wait_rows(app, 2)
        labels = " ".join(names(rows[0]))
        must("it broke" in labels or "Failed" in labels, f"the newest run is not first: {labels!r}")
        app.quit()


def finds_one_and_opens_it(session):
    with running(session) as app:
        show_history(app)
        write(app.get("entry", "Search runs"), "needle")
        rows = wait_rows(app, 1)
        app.double_click(rows[0])
        wait_for(lambda: holds(app, "Source code", FIRST), "the program of the run")
        wait_for(lambda: holds(app, "Output", "a needle in the output\n"), "its output")
        app.quit()


def keeps_unsaved_text(session):
    with running(session) as app:
        app.type(DRAFT)
        drafts = session.path("XDG_STATE_HOME") / "fumehood" / "drafts"
        wait_for(
            lambda: any("never run" in path.read_text(encoding="utf-8") for path in drafts.glob("*.json")),
            "the draft on disk",
        )
        app.kill()
    with running(session) as app:
        wait_for(lambda: read(app.editor) == DRAFT, "the unsaved text")
        app.quit()


def keeps_a_program_that_is_cut_off():
    """The app is killed while it runs: its entry is there, and the tab shows what is known of it."""
    with fresh_session() as session:
        with running(session) as app:
            app.run("import time\nprint('begun', flush=True)\ntime.sleep(600)\n")
            app.wait_output("begun")
            drafts = session.path("XDG_STATE_HOME") / "fumehood" / "drafts"
            wait_for(lambda: any('"run"' in path.read_text(encoding="utf-8") for path in drafts.glob("*.json")),
                     "the draft that names its entry")
            app.kill()
        with running(session) as app:
            wait_for(lambda: "The run still went on when this was saved." in app.result(), "the result")
            app.wait_output("begun")
            show_history(app)
            wait_rows(app, 1)
            app.screenshot("history-cut-off")
            app.quit()


def leaves_nothing_else(session):
    kept = sorted(path.name for path in (session.path("XDG_STATE_HOME") / "fumehood").iterdir())
    strange = [name for name in kept if name != "drafts" and not name.startswith("history.db")]
    equal(strange, [], "files in the state folder")


def pin(app):
    return app.find("image", "Pinned")


def covers_no_menu(app, row):
    """The tooltip of a row comes where the pointer moves and then rests, but not over the menu that was opened there."""
    x, y = middle(row)
    for step in range(4):
        app.session.display.click(app.window, x + step % 2, y, times=0)
        app.settle()
    not_yet(lambda: app.find(None, lambda name: name.startswith("Finished\n")), "a tooltip over the menu")


def deletes_and_takes_it_back(session):
    """And a pinned run shows that it is kept."""
    with running(session) as app:
        app.run(FIRST)
        app.wait_result("Finished normally.")
        show_history(app)
        row = wait_rows(app, 1)[0]
        app.choose(row)
        app.key("Menu")
        app.get("menu item", "Pin")
        covers_no_menu(app, row)
        app.press("Pin", "menu item")
        wait_for(lambda: pin(app), "the sign of a pinned run")
        app.key("Delete")
        press(app.get("push button", "Undo"))
        row = wait_rows(app, 1)[0]
        wait_for(lambda: pin(app), "its pin")
        app.click(row)
        app.key("Delete")
        app.get("label", "1 run deleted")
        app.quit()
    with running(session) as app:
        app.get("label", "No Runs Yet")
        app.quit()


def deletes_one_after_the_other():
    """The key works again on what takes the place of a deleted run."""
    with fresh_session() as session, running(session) as app:
        for number in (1, 2, 3, 4):
            app.run(f"print('number {number}')\n")
            app.wait_output(f"number {number}")
            app.wait_result("Finished normally.")
        show_history(app)
        app.click(wait_rows(app, 4)[1])
        for count in (3, 2):
            wait_for(lambda: any(state(row, "FOCUSED") for row in history_rows(app)), "a run with the focus")
            app.key("Delete")
            wait_rows(app, count)
        for count in (3, 4):
            app.key("ctrl+z")
            wait_rows(app, count)
        app.click(history_rows(app)[1])
        for count in (3, 2):
            app.key("Delete")
            wait_rows(app, count)
        wait_equal(lambda: ["number 4" in " ".join(names(row)) for row in history_rows(app)], [True, False], "the others")
        app.get("label", "2 runs deleted")
        app.screenshot("runs-deleted")
        app.click(history_rows(app)[0])
        app.key("Delete")
        wait_rows(app, 1)
        app.key("Delete")
        app.get("label", "No Runs Yet")
        app.key("ctrl+z")
        wait_rows(app, 1)
        app.quit()


def alive(app):
    if app.process.poll() is not None:
        raise AssertionError(f"the app ended with status {app.process.returncode}:\n{app.printed()}")
    return True


def is_active(app):
    return alive(app) and any(state(window, "ACTIVE") for window in children(app.root))


def switch_away_and_back(app):
    display = app.session.display
    display.focus(display.root)
    wait_for(lambda: not is_active(app), "the window to lose the focus")
    display.focus(app.window)
    wait_for(lambda: is_active(app), "the window to have the focus again")


def rows_of(place):
    return [row for row in children(place) if showing(row)]


def wait_shown(app, place, count):
    return wait_for(lambda: alive(app) and len(rows_of(place)) == count and rows_of(place), f"{count} rows")


def destroys_rows(session):
    """Deleting makes the list give a row away, and every return to the window goes through all rows."""
    with running(session) as app:
        for code in EXIT_CODES:
            app.run(f"raise SystemExit({code})\n")
            app.wait_result(f"Ended with exit code {code}.")
        app.key("F9")
        rows = wait_rows(app, 3)
        place = parent(rows[0])
        # One after the other, in the same tab, and the keys stay with the list.
        for row in (1, 0):
            app.click(rows[row])
            app.wait_result(f"Ended with exit code {EXIT_CODES[2 - row]}.")
        wait_equal(lambda: len(find_all(app.root, "text", "Source code")), 2, "tabs")
        app.screenshot("history-clicked")
        app.key("Delete")
        app.double_click(wait_shown(app, place, 2)[-1])
        wait_for(lambda: alive(app) and app.result() == f"Ended with exit code {EXIT_CODES[0]}.", "the opened run")
        switch_away_and_back(app)
        app.key("F9")
        wait_for(lambda: alive(app) and not showing(place), "the history to go")
        app.key("F10")
        wait_for(lambda: alive(app) and app.find("menu item"), "the menu")
        app.key("Escape")
        wait_for(lambda: alive(app) and not app.find("menu item"), "the menu to go")
        switch_away_and_back(app)
        app.key("F9")
        wait_shown(app, place, 2)
        app.quit()


ANSWER = """Two steps.

```sh
echo a thimble
```

```python
raise SystemExit(3)
```
"""


def keeps_an_answer():
    """One entry, with its blocks, which ended as the block that failed. It is there again in its tab after a restart."""
    with fresh_session() as session, contextlib.ExitStack() as stack:
        app = stack.enter_context(running(session))
        app.run(ANSWER)
        app.wait_output("Ended with exit code 3.")
        show_history(app)
        [row] = wait_rows(app, 1)
        app.click(row)
        app.get("tree table", "Blocks")
        # The keyboard is still in the row, which the key of the menu is about, and leaves it for the code.
        app.key("Menu")
        app.get("menu item", "Open in New Tab")
        app.key("Escape")
        app.wait_gone("menu item", "Open in New Tab")
        app.key("Escape")
        wait_for(lambda: any(state(node, "FOCUSED") for node in find_all(app.root, "text", "Source code")),
                 "the keyboard in the code")
        app.double_click(row)
        app.get("tree table", "Blocks")
        for words in ("[1] echo a thimble", "ok", "[2] raise SystemExit(3)", "failed"):
            wait_for(lambda words=words: app.find("label", words), words)
        app.wait_result("Block 2: Ended with exit code 3.")
        for name in ("Block 1: Shell, finished", "Block 2: Python, failed"):
            app.get("push button", name)
        app.screenshot("answer-history")
        app.quit()
        again = stack.enter_context(running(session))
        again.wait_result("Block 2: Ended with exit code 3.")
        again.get("push button", "Block 2: Python, failed")
        again.quit()


def restores_an_answer():
    """A past answer looks as it did when it ended: headings, links, the line that failed, and what became of its blocks.
    What ran alone runs again alone."""
    with fresh_session() as session:
        with running(session) as app:
            app.type(FAILING)
            app.get("push button", "Block 3: Bash, will run")
            app.click(app.editor)
            app.key("ctrl+Home")
            app.key("ctrl+shift+b")
            app.press("Run This Block", "menu item")
            app.wait_result("Block 1: Finished normally.")
            app.run()
            app.wait_result("Block 2: Ended with exit code 1.")
            shown = app.output()
            not_yet(lambda: app.find(None, lambda name: name and name.startswith("This differs from the last run")),
                    "runs of other blocks were compared")
            looks_failed(app, shown)
            app.quit()
        with running(session) as app:
            looks_failed(app, shown)
            show_history(app)
            rows = wait_rows(app, 2)
            wait_for(lambda: "3 blocks: Bash, Python" in names(history_rows(app)[0]), "what the answer is")
            wait_for(lambda: "Block 1 of 3: Bash" in names(history_rows(app)[1]), "which block it was")
            app.click(rows[0])
            app.press("Output", "page tab")
            looks_failed(app, shown)
            app.choose(rows[1])
            app.key("Menu")
            app.press("Run Again", "menu item")
            wait_rows(app, 3)
            app.wait_result("Block 1: Finished normally.")
            wait_for(lambda: "Block 1 of 3: Bash" in names(history_rows(app)[0]), "that block in the history, alone")
            for name in ("Block 1: Bash, finished", "Block 2: Python, will run", "Block 3: Bash, will run"):
                app.get("push button", name)
            app.quit()


def looks_failed(app, shown):
    """`shown`: what its output was."""
    app.wait_result("Block 2: Ended with exit code 1.")
    wait_equal(app.output, shown, "the output")
    must("[2] Python, line 6\n" in shown and "1 block after it did not run." in shown, f"no headings: {shown}")
    for name in ("Block 1: Bash, finished", "Block 2: Python, failed", "Block 3: Bash, did not run"):
        app.get("push button", name)
    app.press("Block 2, line 2")
    app.get("push button", "Line 7, column 1")


def destroys_rows_again_and_again():
    for _ in range(REPEATS):
        with fresh_session() as session:
            destroys_rows(session)


def set_width(app, width):
    """And waits until the parts of the window follow, which at once decides about the history."""
    app.resize(width, 640)
    menu = app.get("push button", "Main menu")
    wait_for(lambda: width - 120 < extents(menu)[0] < width, "the bar to follow")


def follows_the_room(session):
    """It goes where there is none, and comes back only if it was there."""
    with running(session) as app:
        history = app.get("push button", "History")
        for is_wanted in (False, True):
            set_width(app, 1000)
            if is_wanted:
                app.key("F9")
                wait_for(lambda: history_rows(app), "the history")
            set_width(app, 360)
            wait_for(lambda: not is_pressed(history) and not history_rows(app), "the history to go")
            set_width(app, 1000)
            wait_equal(lambda: is_pressed(history), is_wanted, "whether it came back")
        app.quit()


CASES = (
    ("two programs are run", keeps_runs),
    ("the history goes and comes with the room for it", follows_the_room),
    ("the history lists them after a restart, newest first", lists_them_after_a_restart),
    ("a run is found by its output and opened", finds_one_and_opens_it),
    ("unsaved text survives a kill", keeps_unsaved_text),
    ("nothing strange is left in the state folder", leaves_nothing_else),
)


def main():
    tap = Tap()
    with fresh_session() as session:
        for name, case in CASES if "--rows" not in sys.argv else ():
            tap.case(name, case, session)
    with fresh_session() as session:
        tap.case("a run is pinned, deleted, and deleting it is undone", deletes_and_takes_it_back, session)
    tap.case("runs are deleted by key, one after the other", deletes_one_after_the_other)
    tap.case("a program that is cut off is kept", keeps_a_program_that_is_cut_off)
    tap.case("an answer is one entry with its blocks", keeps_an_answer)
    tap.case("a past answer is shown as it was, and runs again as it did", restores_an_answer)
    tap.case(f"{REPEATS} times: a run is deleted, another opened, another window used", destroys_rows_again_and_again)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
