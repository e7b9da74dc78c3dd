# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program tried, what it left, and which guards it had: read, filtered, saved, chosen."""

import os
import re
import stat
import sys
from pathlib import Path

from accessible import caret, children, find, find_all, get, middle, name_of, names, press, read, state, write
from fumehood import fresh_session, running
from tap import Tap, equal, must
from waiting import not_yet, wait_for

EXAMPLE = Path(os.environ["FH_SOURCE_ROOT"]) / "data" / "exhibits" / "curious-code.py"
# Without the licence line, as the app shows it.
CURIOUS = EXAMPLE.read_text(encoding="utf-8").split("\n", 1)[1]
BLOCKED = ("Open ~/.ssh/id_rsa", "Look up key.example.com", "Connect to 1.1.1.1:443", "Write to /usr/bin/python3")
ALLOWED = "Create /workspace/note.txt"
HEADINGS = ("Every Guard Is Active", "Some Guards Are Weaker Here")
QUIET = "print(sum(range(10)))\n"
LEAVES = "open('left.txt', 'w').write('left behind')\n"


def give_key(session):
    """The user has what the example looks for."""
    folder = session.path("HOME") / ".ssh"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "id_rsa").write_text("a key\n")


def cells(app):
    """What the rows say in their first columns, as far as they can be seen."""
    return [name for name in names(app.root) if name]


def wait_cell(app, text):
    return wait_for(lambda: find(app.root, "label", text), f"a cell {text!r}")


def wait_no_cell(app, text):
    app.wait_gone("label", text)


def click(app, node):
    app.session.display.click(app.window, *middle(node))


def turn_to(app, page):
    press(app.get("page tab", page))
    wait_for(lambda: any(state(tab, "SELECTED") for tab in find_all(app.root, "page tab", page)), f"the page {page}")


def blocked_button(app):
    return find(app.root, "push button", lambda name: re.fullmatch(r"\d+ attempts? blocked", name))


def n_blocked(app):
    """Returns how many there are, as the button says."""
    button = blocked_button(app)
    return int(name_of(button).split()[0]) if button else 0


def names_weaker_guards_first(app):
    """On the empty page, and in the list that explains them."""
    words = ("Not available", "Weaker than usual", "Active")
    weaker = name_of(get(app.root, None, lambda name: name in HEADINGS)) != HEADINGS[0]
    details = name_of(get(app.root, "label", lambda name: name.startswith(words) and "Active: " in name))
    equal(details.startswith("Active: "), not weaker, details)
    app.press("What protects you now")
    wait_for(lambda: any(name in words for name in names(app.root, None)), "a row of a guard")
    first = next(name for name in names(app.root, None) if name in words)
    equal(first == "Active", not weaker, first)
    app.screenshot("guards-weaker")
    app.press("What protects you now")


def tells_of_attempts(app):
    app.run(CURIOUS)
    app.wait_result("Finished normally.")
    wait_for(lambda: n_blocked(app) >= len(BLOCKED), f"{len(BLOCKED)} attempts that were blocked")
    press(blocked_button(app))
    for text in (*BLOCKED, ALLOWED):
        wait_cell(app, text)
    wait_for(lambda: {"Blocked", "Hidden"} <= set(cells(app)), "verdicts in words")


def filters_attempts(app):
    app.press("Only blocked")
    wait_no_cell(app, ALLOWED)
    wait_cell(app, BLOCKED[0])
    app.press("Only blocked")
    wait_cell(app, ALLOWED)
    app.press("Search in the attempts")
    write(get(app.root, "entry", "Search attempts"), "EXAMPLE.com")
    wait_no_cell(app, BLOCKED[0])
    wait_cell(app, "Look up key.example.com")
    write(get(app.root, "entry", "Search attempts"), "nothing like this")
    wait_cell(app, "No Matches")
    app.press("Search in the attempts")
    wait_cell(app, BLOCKED[0])


def explains_an_attempt(app):
    click(app, wait_cell(app, BLOCKED[0]))
    line = wait_for(
        lambda: find(app.root, "push button", lambda name: re.fullmatch(r"Go to _?Line \d+", name)),
        "the button that goes to the line",
    )
    wait_for(lambda: any("ENOENT" in text for text in cells(app)), "the error")
    wait_for(lambda: any("hidden" in text for text in cells(app)), "what became of it")
    source = get(app.root, "text", "Source code")
    number = int(name_of(line).split()[-1])
    press(line)
    wait_for(lambda: read(source)[: caret(source)].count("\n") + 1 == number, f"the cursor in line {number}")
    must("open(" in CURIOUS.split("\n")[number - 1] or "read" in CURIOUS.split("\n")[number - 1],
         f"line {number} opens nothing")
    app.press("Hide the details")
    app.wait_gone("push button", "Hide the details")


def is_quiet_about_nothing(app):
    app.run(QUIET)
    app.wait_result("Finished normally.")
    wait_cell(app, "No Attempts")
    wait_for(lambda: blocked_button(app) is None, "nothing to be blocked")
    app.wait_gone("page tab", "Files")


def saves_a_file(app):
    app.run(LEAVES)
    app.wait_result("Finished normally.")
    get(app.root, "page tab", "Files")
    turn_to(app, "Files")
    app.press("Save “left.txt”")
    target = app.session.path("HOME") / "kept.txt"
    app.save_as(target)
    equal(target.read_text(encoding="utf-8"), "left behind", "the content")
    must(stat.S_IMODE(target.stat().st_mode) & 0o111 == 0, "the file can be executed")


def goes_without_network_once(app):
    with app.options():
        app.tab_to("list item", "Network")
        app.key("Return")
        wait_for(lambda: find(app.root, None, "Switched off for the next run: Network"), "the notice")
        app.screenshot("guards-switches")
    app.screenshot("guards-notice")
    app.run(QUIET)
    app.wait_result("Finished normally.")
    app.get("label", "Guards that were switched off: Network.")
    app.press("What protects you now")
    app.press("This Run")
    get(app.root, None, "Some Guards Were Switched Off")
    get(app.root, None, lambda name: name.startswith("The program can use the network"))
    app.screenshot("guards-result")
    app.press("Next Run")
    get(app.root, "heading", lambda name: name in HEADINGS)
    get(app.root, "push button", lambda name: name.replace("_", "") == "Run Without Protection…")
    app.press("What protects you now")


def asks_before_running_unprotected(app):
    """Enter is no consent."""
    before = app.result()
    app.activate("run-unprotected")
    get(app.root, None, "Run Without Protection?")
    # Newer libadwaita asks inside of the window.
    if len(children(app.root)) > 1:
        app.session.display.focus(wait_for(app.find_dialog, "the question"))
    app.screenshot("guards-unprotected-question")
    app.key("Return")
    app.wait_gone(None, "Run Without Protection?")
    app.session.display.focus(app.window)
    app.settle()
    not_yet(lambda: app.is_running() or app.result() != before, "something was run")


def runs_unprotected_when_told(app):
    secret = app.session.path("HOME") / "secret.txt"
    secret.write_text("top secret", encoding="utf-8")
    app.type(f"print(open({str(secret)!r}).read())\n")
    app.activate("run-unprotected")
    answer = get(app.root, "push button", lambda name: name.replace("_", "") == "Run Without Protection")
    press(answer)
    turn_to(app, "Output")
    app.wait_output("top secret")
    app.wait_result("Finished normally.")
    get(app.root, "label", "Without protection")
    app.screenshot("guards-unprotected")
    app.session.display.focus(app.window)
    # The next one is guarded again.
    app.run()
    app.wait_result("Ended with exit code 1.")
    app.wait_gone("label", "Without protection")


CASES = (
    ("it names weaker guards first", names_weaker_guards_first),
    ("what was tried is listed", tells_of_attempts),
    ("attempts are filtered", filters_attempts),
    ("an attempt is explained, and leads to its line", explains_an_attempt),
    ("where nothing was tried nothing is shown", is_quiet_about_nothing),
    ("a file that was left is saved", saves_a_file),
    ("a guard is switched off for one run", goes_without_network_once),
    ("running without protection asks first", asks_before_running_unprotected),
    ("running without protection is for one run", runs_unprotected_when_told),
)


def shapes(session, scheme):
    with running(session, ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}") as app:
        app.resize(1200, 760)
        app.run(CURIOUS)
        app.wait_result("Finished normally.")
        app.key("ctrl+shift+a")
        click(app, wait_cell(app, BLOCKED[0]))
        get(app.root, "push button", "Hide the details")
        for width, height in ((1200, 760), (1000, 700), (800, 600), (360, 640)):
            app.resize(width, height)
            app.screenshot(f"attempts-{width}-{scheme}")
        turn_to(app, "Files")
        app.screenshot(f"files-360-{scheme}")
        app.resize(1000, 700)
        app.screenshot(f"files-1000-{scheme}")
        app.quit()


def main():
    tap = Tap()
    with fresh_session() as session:
        give_key(session)
        with running(session) as app:
            app.resize(1200, 760)
            for name, case in CASES:
                tap.case(name, case, app)
            tap.case("the app ends well", app.quit)
    for scheme in ("light", "dark"):
        with fresh_session() as session:
            tap.case(f"every width has its shape, {scheme}", shapes, session, scheme)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
