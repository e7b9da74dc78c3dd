# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shell or a file manager may ask of the app, and what comes back after a crash."""

import os
import subprocess
import sys

import accessible
from fumehood import fresh_session, running
from tap import Tap, equal, must
from waiting import ANSWER_S, not_yet, wait_for


def call(session, *arguments, text=None):
    """Calls the program once more, as a shell would; it hands over to the one that runs."""
    return subprocess.run(
        [os.environ["FH_APP"], *arguments],
        env=session.environment, input=text, capture_output=True, text=True, timeout=ANSWER_S, check=False,
    )


def write(session, name, text):
    path = session.path("HOME") / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def texts(app):
    """What the editors of all tabs hold."""
    return [accessible.read(editor) for editor in accessible.find_all(app.root, "text", "Source code")]


def shows(app, text):
    wait_for(lambda: text in texts(app), f"an editor with {text!r}; there are {texts(app)!r}")


def version(session):
    result = call(session, "--version")
    equal(result.returncode, 0, "exit status")
    must(result.stdout.startswith("fumehood "), result.stdout)


def unknown_option(session):
    result = call(session, "--no-such-option")
    must(result.returncode != 0, "an unknown option was taken")
    must("no-such-option" in result.stderr, result.stderr)


def second_call(session):
    opened = write(session, "opened.py", "print('opened')\n")
    asked = write(session, "asked.py", "print('as' + 'ked')\n")
    with running(session) as app:
        equal(call(session, opened).returncode, 0, "exit status")
        shows(app, "print('opened')\n")
        equal(call(session, "-", text="print('piped')\n").returncode, 0, "exit status")
        shows(app, "print('piped')\n")
        equal(call(session, "--run", asked).returncode, 0, "exit status")
        shows(app, "print('as' + 'ked')\n")
        wait_for(lambda: "asked\n" in everything_printed(app), "the output of the program")
        not_yet(lambda: "opened" in everything_printed(app), "a file that was only opened ran")
        app.quit()
    equal(app.printed(), "", "what the app printed")


def everything_printed(app):
    """The output of all tabs."""
    views = accessible.find_all(app.root, None, "Output")
    return "".join(accessible.read(view) for view in views if accessible.is_text(view))


def dismiss(label):
    """Closes the toast of a label: the next one comes when it is gone."""
    toast = accessible.parent(accessible.parent(label))
    accessible.press(accessible.get(toast, "push button"))


def bad_files(session):
    large = write(session, "large.py", "#" * (8 * 1024 * 1024 + 1))
    with running(session, "/nowhere/at/all.py") as app:
        dismiss(app.get(name=lambda name: "all.py" in name and "Could not open" in name))
        equal(call(session, large).returncode, 0, "exit status")
        app.get(name=lambda name: "large.py" in name and "too large" in name)
        app.quit()
    equal(app.printed(), "", "what the app printed")


def crash(session):
    with running(session) as app:
        app.type("print('never saved')\n")
        drafts = session.path("XDG_STATE_HOME") / "fumehood" / "drafts"
        wait_for(
            lambda: any("never saved" in path.read_text() for path in drafts.glob("*.json")),
            "the draft on the disk",
        )
        app.kill()
    with running(session) as app:
        shows(app, "print('never saved')\n")
        app.quit()


def main():
    tap = Tap()
    with fresh_session() as session:
        tap.case("--version", version, session)
        tap.case("an unknown option", unknown_option, session)
        tap.case("a second call opens tabs and runs only what it is asked to", second_call, session)
        tap.case("files that cannot be opened are named", bad_files, session)
        tap.case("what was typed is back after a crash", crash, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
