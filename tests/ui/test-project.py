# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program changed in its copy of a project folder is looked at, applied and taken back."""

import os
import subprocess
import sys

from accessible import find_all, names, press, showing, state
from fumehood import fresh_session, is_pressed, running
from tap import Tap, equal, must
from waiting import ANSWER_S, not_yet, wait_for

PROGRAM = """import os
text = open('main.py').read()
open('main.py', 'w').write(text.replace('apple', 'pear'))
open('notes.txt', 'w').write('new\\n')
open('.envrc', 'w').write('echo here\\n')
os.remove('old.txt')
"""
MAIN = "fruit = 'apple'\nprint(fruit)\n"


def make_project(session):
    folder = session.folder / "project"
    folder.mkdir()
    (folder / "main.py").write_text(MAIN, encoding="utf-8")
    (folder / "old.txt").write_text("old\n", encoding="utf-8")
    program = session.folder / "changes.py"
    program.write_text(PROGRAM, encoding="utf-8")
    subprocess.run([os.environ["FH_CTL"], "run", "--project", str(folder), str(program)], check=True,
                   env=session.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=ANSWER_S)
    return folder


def wait_label(app, text):
    wait_for(lambda: text in names(app.root), f"{text!r}")


def open_run(app, position=0):
    app.resize(1200, 760)
    # It may be there from before a restart.
    if not is_pressed(app.get("push button", "History")):
        app.press("History")
    place = app.get("list", "Past runs")
    rows = wait_for(lambda: [row for row in find_all(place, "list item") if showing(row)], "the run")
    app.double_click(rows[position])
    # The tab before it has no files, but may have the changes that it showed before a restart.
    wait_for(lambda: any(map(showing, find_all(app.root, "page tab", "Files"))), "the run")
    press([page for page in find_all(app.root, "page tab", "Changes") if showing(page)][-1])
    wait_for(lambda: app.find("list", "Changes to the project folder"), "the changes")


def check(app, name):
    return app.get("check box", name)


def is_checked(app, name):
    return state(check(app, name), "CHECKED")


def shows(app):
    """All but what may execute by itself is chosen, and a selected file shows what differs."""
    open_run(app)
    for name in ("Changed: main.py", "Added: notes.txt", "Deleted: old.txt"):
        wait_for(lambda name=name: is_checked(app, name), f"{name} to be chosen")
    not_yet(lambda: is_checked(app, "Added: .envrc"), ".envrc is chosen")
    app.click(app.get("label", "main.py"))
    wait_label(app, "fruit = 'pear'")
    wait_label(app, "fruit = 'apple'")
    app.screenshot("changes")


def applies(app, folder):
    app.press("Apply…")
    wait_for(lambda: any("1 added, 1 changed, 1 deleted" in label for label in names(app.root)), "a question with counts")
    app.screenshot("changes-apply")
    app.key("Return")
    wait_for(lambda: sorted(path.name for path in folder.iterdir()) == ["main.py", "notes.txt"], "the files")
    equal((folder / "main.py").read_text(encoding="utf-8"), MAIN.replace("apple", "pear"), "main.py")
    # The offer does not stay for long.
    press(app.get("push button", "Undo"))
    wait_for(lambda: sorted(path.name for path in folder.iterdir()) == ["main.py", "old.txt"], "the old files")
    wait_for(lambda: is_checked(app, "Changed: main.py"), "main.py to be chosen again")
    equal((folder / "main.py").read_text(encoding="utf-8"), MAIN, "main.py")


def conflicts(app, folder):
    """Said, and nothing is overwritten by Enter."""
    mine = "fruit = 'plum'\n"
    (folder / "main.py").write_text(mine, encoding="utf-8")
    wait_for(lambda: is_checked(app, "Changed: main.py"), "main.py to be chosen again")
    app.press("Apply…")
    wait_for(lambda: any("Changed on the disk since the run" in label for label in names(app.root)), "the conflict")
    app.key("Escape")
    equal((folder / "main.py").read_text(encoding="utf-8"), mine, "main.py")


def runs_again(app, folder):
    """In the window, with the folder that the run had: its options say so."""
    (folder / "main.py").write_text(MAIN, encoding="utf-8")
    with app.options():
        wait_for(lambda: any(label.startswith(f"{folder} — ") for label in names(app.root)), "the folder in the options")
        app.screenshot("project-options")
    (folder / "other.txt").write_text("another file\n", encoding="utf-8")
    app.run("import os\nos.remove('other.txt')\n")
    app.wait_result("Finished normally.")
    press(app.get("page tab", "Changes"))
    wait_for(lambda: app.find("check box", "Deleted: other.txt"), "the change of the new run")
    app.wait_gone("check box", "Changed: main.py")
    must((folder / "other.txt").exists(), "other.txt is gone")


def narrow(app):
    app.key("F9")
    app.resize(360, 640)
    app.screenshot("changes-narrow")


def takes_back_later(app, folder):
    """What was applied elsewhere, or before a restart."""
    open_run(app, -1)
    undo = app.get("push button", "Take back what was applied last")
    wait_for(lambda: state(undo, "SENSITIVE"), "the button that takes it back")
    wait_label(app, "Applied")
    app.screenshot("changes-applied")
    press(undo)
    wait_for(lambda: not (folder / "notes.txt").exists() and (folder / "old.txt").exists(), "the old files")
    wait_for(lambda: is_checked(app, "Changed: main.py"), "main.py to be chosen again")
    equal((folder / "main.py").read_text(encoding="utf-8"), MAIN, "main.py")
    wait_for(lambda: not state(undo, "SENSITIVE"), "nothing to take back")
    app.press("Apply…")
    wait_for(lambda: any("1 added, 1 changed, 1 deleted" in label for label in names(app.root)), "a question with counts")
    app.key("Return")
    wait_for(lambda: state(undo, "SENSITIVE"), "the button after changes are applied here")


def main():
    tap = Tap()
    with fresh_session() as session:
        folder = make_project(session)
        with running(session) as app:
            tap.case("the changes of a run", shows, app)
            tap.case("they are applied after a question, and taken back", applies, app, folder)
            tap.case("a file that was changed meanwhile", conflicts, app, folder)
            tap.case("another run in the same folder", runs_again, app, folder)
            tap.case("a narrow window", narrow, app)
            app.quit()
        subprocess.run([os.environ["FH_CTL"], "apply", "1", "--all"], check=True, env=session.environment,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=ANSWER_S)
        with running(session) as app:
            tap.case("they are taken back after a restart", takes_back_later, app, folder)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
