# SPDX-License-Identifier: GPL-3.0-or-later
"""A batch of the command line is a list in the window, and each of its samples opens in a tab."""

import json
import os
import subprocess
import sys

from accessible import find, find_all, labelled_rows, names, read, write
from fumehood import fresh_session, running
from tap import Tap, equal
from waiting import wait_equal, wait_for

SAMPLES = [
    {"id": "HumanEval/0", "source": "print('zero')\n"},
    {"id": "HumanEval/1", "source": "print('one')\nassert 1 + 1 == 3\n"},
    {"id": "HumanEval/2", "source": "open('/etc/shadow').read()\n"},
    {"id": "HumanEval/3", "source": "while True: pass\n", "timeout": 1},
]


def run_batch(session):
    path = session.path("XDG_STATE_HOME") / "answers.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(sample) + "\n" for sample in SAMPLES), encoding="utf-8")
    answer = subprocess.run([os.environ["FH_CTL"], "batch", str(path)], check=False,
                            env=session.environment, stdin=subprocess.DEVNULL, capture_output=True)
    equal(answer.returncode, 0, answer.stderr.decode())


def cells(app):
    table = app.get("tree table", "Samples")
    return names(table)


def headings(app):
    titles = find_all(app.get("tree table", "Samples"), "filler", "GtkColumnViewTitle")
    return [name for title in titles for name in names(title)]


def is_shown(app, name):
    return find(app.get("tree table", "Samples"), "label", name)


def has_columns(app, *names):
    wait_for(lambda: headings(app) == list(names), f"other columns than {headings(app)}")


def open_batch(app):
    app.press("History")
    rows = wait_for(lambda: labelled_rows(app.root), "the history")
    equal(len(rows), 1, "entries")
    app.double_click(rows[0])
    wait_for(lambda: find(app.root, "tree table", "Samples") and is_shown(app, "HumanEval/3"), "the samples")


def opens_as_a_list(session):
    run_batch(session)
    with running(session) as app:
        open_batch(app)
        for words in ("passed", "failed: AssertionError", "failed: FileNotFoundError: [Errno 2] No such file or directory: '/etc/shadow'", "timed out"):
            wait_for(lambda words=words: words in cells(app), words)
        wait_equal(app.result, "1 of 4 passed.", "the result line")
        has_columns(app, "Result", "Sample", "Time")
        app.screenshot("samples")
        app.press("History")
        app.resize(1400, 700)
        has_columns(app, "Result", "Sample", "Blocked", "Time", "Memory")
        app.screenshot("samples-wide")
        app.press("Only failed")
        wait_for(lambda: not is_shown(app, "HumanEval/0"), "the sample that passed to go")
        app.press("Search in the table")
        write(app.get("entry", "Search in the table"), "assert")
        wait_for(lambda: not is_shown(app, "HumanEval/3"), "the other samples to go")
        app.double_click(wait_for(lambda: is_shown(app, "HumanEval/1"), "the sample"))
        wait_for(lambda: any(read(node) == SAMPLES[1]["source"] for node in find_all(app.root, "text", "Source code")),
                 "the program of the sample")
        app.quit()


def has_room_in_a_narrow_window(session):
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark") as app:
        app.resize(360, 640)
        open_batch(app)
        wait_equal(app.result, "1 of 4 passed.", "the result line")
        has_columns(app, "Result", "Sample", "Time")
        app.screenshot("samples-narrow-dark")
        app.quit()


def main():
    tap = Tap()
    with fresh_session() as session:
        tap.case("a batch opens as a list, and a sample in a tab", opens_as_a_list, session)
        tap.case("a narrow window shows the columns that matter", has_room_in_a_narrow_window, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
