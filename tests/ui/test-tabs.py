# SPDX-License-Identifier: GPL-3.0-or-later
"""Tabs as people know them from editors: closed and reopened, moved, found again after a restart, with a warning where
something still runs; and what is dropped on the window."""

import json
import sys

import services
from accessible import extents, find, find_all, name_of, press, read, state, write
from dragging import Drag
from fumehood import fresh_session, running
from tap import Tap, equal
from waiting import not_yet, wait_equal, wait_for

SLEEPS = "import time\nprint('on', flush=True)\ntime.sleep(600)\n"
TITLE = "print('on', flush=True)"
SLEEPS_AT_ONCE = "import time; time.sleep(600)\n"
DROPPED = "print('ran')\n"


def editors(app):
    return find_all(app.root, "text", "Source code")


def wait_codes(app, *codes):
    """Of all tabs, in any order: GTK does not tell which one is in front."""
    wait_for(lambda: sorted(map(read, editors(app))) == sorted(codes), f"the tabs {codes}")


def open_tab(app, code):
    """Presses the key for a new tab, and waits until it can be typed there."""
    before = editors(app)
    app.key("ctrl+t")
    [editor] = wait_for(lambda: [node for node in editors(app) if node not in before], "another tab")
    wait_for(lambda: state(editor, "FOCUSED"), "the keyboard to be there")
    write(editor, code)
    wait_for(lambda: code.strip() in titles(app), "its title")


def titles(app):
    """From left to right."""
    bar = find(app.root, "filler", "AdwTabBar")
    labels = find_all(bar, "label") if bar is not None else []
    return [name_of(label) for label in sorted(labels, key=lambda label: extents(label)[0])]


def wait_titles(app, *wanted):
    wait_for(lambda: titles(app) == list(wanted), f"the tabs {wanted} in that order")


def reopens(app):
    app.type("one = 1\n")
    open_tab(app, "two = 2\n")
    open_tab(app, "three = 3\n")
    for code in ("three = 3\n", "two = 2\n"):
        app.key("ctrl+w")
        wait_for(lambda code=code: code not in map(read, editors(app)), "the tab to go")
    app.key("ctrl+shift+t")
    wait_codes(app, "one = 1\n", "two = 2\n")
    app.key("ctrl+shift+t")
    wait_codes(app, "one = 1\n", "two = 2\n", "three = 3\n")
    app.key("ctrl+w")
    press(app.get("push button", "Undo"))
    wait_codes(app, "one = 1\n", "two = 2\n", "three = 3\n")


def moves(app):
    wait_titles(app, "one = 1", "two = 2", "three = 3")
    app.key("ctrl+shift+Prior")
    wait_titles(app, "one = 1", "three = 3", "two = 2")


def lists_all(app):
    """Where there are more tabs than fit beside each other."""
    wait_for(lambda: app.find("push button", "All tabs") is None, "no list where all are to be seen")
    for number in range(12):
        open_tab(app, f"name_{number} = {number}\n")
    open_tab(app, SLEEPS_AT_ONCE)
    app.activate("run")
    wait_for(app.is_running, "the program to run")
    runs = f"{SLEEPS_AT_ONCE.strip()} — running"
    app.press("All tabs")
    wait_for(lambda: state(app.get(None, runs), "CHECKED"), "the tab in front to be marked")
    app.screenshot("tab-list")
    press(app.get(None, "name_3 = 3"))
    app.get("frame", "name_3 = 3")
    app.press("All tabs")
    press(app.get(None, runs))
    app.get("frame", SLEEPS_AT_ONCE.strip())
    app.activate("stop")
    wait_for(lambda: not app.is_running(), "the program to end")


def leaves_keys_to_the_text(app):
    """The first and the last place of the text, not of the tabs."""
    editor = wait_for(lambda: next((node for node in editors(app) if state(node, "FOCUSED")), None), "the keyboard")
    write(editor, "three = 3\n\n")
    for keys, place in (("ctrl+End", 11), ("ctrl+Home", 0), ("ctrl+shift+End", 11), ("ctrl+shift+Home", 0)):
        app.key(keys)
        wait_equal(lambda: editor.get("Text", "CaretOffset"), place, f"the cursor after {keys}")
    write(editor, "three = 3\n")
    wait_titles(app, "one = 1", "three = 3", "two = 2")


def keeps_its_state(session):
    with running(session) as app:
        app.resize(940, 650)
        reopens(app)
        moves(app)
        leaves_keys_to_the_text(app)
        app.key("F9")
        app.get("entry", "Search runs")
        app.quit()
    with running(session) as app:
        wait_titles(app, "one = 1", "three = 3", "two = 2")
        wait_equal(lambda: session.display.size(app.window), (940, 650), "the size of the window")
        app.get("entry", "Search runs")
        focused = wait_for(lambda: [node for node in editors(app) if state(node, "FOCUSED")], "the keyboard in a tab")
        wait_equal(lambda: read(focused[0]), "three = 3\n", "the tab in front")
        app.quit()


def focused_codes(app):
    return [read(node) for node in editors(app) if state(node, "FOCUSED")]


def tab_in_front(session, *codes):
    """After a start; of the tabs only the one in front is seen."""
    with running(session) as app:
        wait_for(lambda: focused_codes(app) == list(codes), f"{codes} in front")
        app.quit()


def keeps_the_front():
    """That of the window that was used last; an exhibit that has run is kept, too."""
    with fresh_session() as session:
        with running(session) as app:
            app.type("one = 1\n")
            open_tab(app, "two = 2\n")
            open_tab(app, "three = 3\n")
            app.key("ctrl+Prior")
            wait_for(lambda: setting(session, "selected-tab") == draft(session, "two = 2\n"), "it to be written")
            app.key("ctrl+n")
            other = wait_for(app.find_dialog, "another window")
            session.display.focus(other)
            editor = wait_for(lambda: next((node for node in editors(app) if read(node) == ""), None), "its tab")
            write(editor, "there = 1\n")
            wait_for(lambda: focused_codes(app) == ["there = 1\n"], "the keyboard in the other window")
            session.display.focus(app.window)
            wait_for(lambda: focused_codes(app) == ["two = 2\n"], "the keyboard in the first one again")
            wait_for(lambda: setting(session, "selected-tab") == draft(session, "two = 2\n"), "it to be written again")
            services.activate("quit")
            app.wait_end()
        tab_in_front(session, "two = 2\n")
        with running(session) as app:
            app.settle()
            app.activate("exhibit", services.GLib.Variant("(ss)", ("first-run.py", "run")))
            app.wait_result("Finished normally.")
            services.activate("quit")
            app.wait_end()
        with running(session) as app:
            wait_for(lambda: any("Looks" in read(editor) for editor in editors(app)), "the exhibit that has run")
            app.wait_result("Finished normally.")


def reopens_a_window(app):
    """Its texts are in reach of the other one."""
    display = app.session.display
    app.type("here = 1\n")
    app.key("ctrl+n")
    other = wait_for(app.find_dialog, "another window")
    display.focus(other)
    editor = wait_for(lambda: next((node for node in editors(app) if read(node) == ""), None), "its tab")
    write(editor, "there = 1\n")
    display.close_window(other)
    wait_codes(app, "here = 1\n")
    display.focus(app.window)
    app.key("ctrl+shift+t")
    wait_codes(app, "here = 1\n", "there = 1\n")


def setting(session, key):
    """As it is on the disk."""
    path = session.path("XDG_CONFIG_HOME") / "glib-2.0" / "settings" / "keyfile"
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line.partition("=")[2].strip("'") for line in lines if line.startswith(f"{key}=")), None)


def draft(session, code):
    """The name of the draft with this text, or None."""
    drafts = session.path("XDG_STATE_HOME") / "fumehood" / "drafts"
    return next((path.stem for path in drafts.glob("*.json")
                 if json.loads(path.read_text(encoding="utf-8"))["text"] == code), None)


def is_in_sight(app, title):
    """In the bar of the tabs, which scrolls."""
    bar = find(app.root, "filler", "AdwTabBar")
    label = find(bar, "label", title)
    if label is None:
        return False
    left, _, width, _ = extents(bar)
    start, _, extent, _ = extents(label)
    return left <= start and start + extent <= left + width


def is_as_it_was_after_a_kill(session):
    with running(session) as app:
        app.resize(910, 660)
        for number in range(14):
            open_tab(app, f"name_{number} = {number}\n")
        app.key("alt+3")
        code = wait_for(lambda: next((read(node) for node in editors(app) if state(node, "FOCUSED")), None), "a tab")
        wait_for(lambda: draft(session, code) and setting(session, "selected-tab") == draft(session, code),
                 "the tab in front to be kept")
        wait_for(lambda: draft(session, "name_13 = 13\n"), "the last text")
        app.kill()
    with running(session) as app:
        wait_for(lambda: len(titles(app)) >= 14, "the tabs")
        wait_for(lambda: any(state(node, "FOCUSED") and read(node) == code for node in editors(app)), "the tab in front")
        wait_equal(lambda: session.display.size(app.window), (910, 660), "the size of the window")
        wait_for(lambda: is_in_sight(app, code.strip()), "the tab in front to be in sight")
        app.screenshot("tabs-after-a-kill")
        app.quit()


def question(app, key, heading, body):
    """What is asked when it is pressed."""
    app.key(key)
    app.get(None, heading)
    # Newer libadwaita asks inside of the window.
    if app.find_dialog() is not None:
        app.session.display.focus(app.find_dialog())
    app.get("label", body)


def press_answer(app, button):
    press(app.get("push button", lambda name: name.replace("_", "") == button))


def answer(app, button):
    press_answer(app, button)
    wait_for(lambda: app.find_dialog() is None, "the question to go")


def warns_before_a_tab_is_closed(app):
    app.run(SLEEPS)
    app.wait_output("on")
    question(app, "ctrl+w", "Stop the Program?", f"“{TITLE}” is still running. Closing the tab stops it.")
    # Enter does what loses nothing.
    app.key("Return")
    wait_for(lambda: app.find(None, "Stop the Program?") is None, "the question to go")
    app.session.display.focus(app.window)
    not_yet(lambda: not app.is_running(), "it was stopped all the same")
    runner = app.runner()
    question(app, "ctrl+w", "Stop the Program?", f"“{TITLE}” is still running. Closing the tab stops it.")
    answer(app, "Stop and Close")
    app.session.display.focus(app.window)
    wait_for(lambda: not runner_lives(runner), "the runner to end")
    wait_for(lambda: SLEEPS not in map(read, editors(app)), "the tab to go")


def runner_lives(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def warns_before_the_window_is_closed(session):
    with running(session) as app:
        app.run(SLEEPS)
        app.wait_output("on")
        runner = app.runner()
        question(app, "ctrl+shift+w", "Close the Window?", f"Closing the window stops what runs:\n• {TITLE}")
        press_answer(app, "Stop and Close")
        app.wait_end()
        # The runner learns of its end a little later.
        wait_for(lambda: not runner_lives(runner), "the program to end after its window")


def center(app, node):
    """In the middle of the screen's place of a node."""
    display = app.session.display
    place, (left, _, top, _) = app.window.get_geometry(), display.shadow(app.window)
    x, y, width, height = extents(node)
    return place.x + left + x + width // 2, place.y + top + y + height // 2


def drops_a_file(app):
    """It is opened, never run."""
    path = app.session.path("HOME") / "from the web.py"
    path.write_text(DROPPED, encoding="utf-8")
    drag = Drag(app.session.display.name, "text/uri-list", path.as_uri().encode() + b"\r\n")
    drag.drop(app.window, *center(app, app.get("push button", "Run")))
    wait_codes(app, DROPPED)
    not_yet(lambda: app.result() or app.is_running(), "it was run")


def drops_text(app):
    """On the code it is inserted."""
    drag = Drag(app.session.display.name, "text/plain;charset=utf-8", b"# dropped\n")
    drag.drop(app.window, *center(app, app.editor))
    wait_for(lambda: "# dropped\n" in read(app.editor), "the text")


def drops_text_on_the_example(app):
    """It gives way, as if it were pasted."""
    app.press("Try the First Run")
    wait_for(lambda: read(app.editor), "the example")
    app.wait_result("Finished normally")
    drag = Drag(app.session.display.name, "text/plain;charset=utf-8", b"```python\nprint(1)\n```\n")
    drag.drop(app.window, *center(app, app.editor))
    wait_for(lambda: read(app.editor) == "print(1)\n", "the code alone")


def main():
    tap = Tap()
    with fresh_session() as session:
        tap.case("tabs, their order, the size and the sidebar are there after a restart", keeps_its_state, session)
    with fresh_session() as session:
        with running(session) as app:
            tap.case("the tabs of a window that was closed are reopened in another one", reopens_a_window, app)
            app.quit()
    tap.case("the tab in front is that of the window that was used last, among those that are kept", keeps_the_front)
    with fresh_session() as session:
        tap.case("after a kill the same tab is in front and in sight", is_as_it_was_after_a_kill, session)
    with fresh_session() as session:
        with running(session) as app:
            app.resize(1000, 700)
            tap.case("text is dropped on the first example", drops_text_on_the_example, app)
            tap.case("a tab whose program runs is not closed at once", warns_before_a_tab_is_closed, app)
            tap.case("a file is dropped", drops_a_file, app)
            tap.case("text is dropped", drops_text, app)
            app.quit()
    with fresh_session() as session:
        with running(session) as app:
            app.resize(1000, 700)
            tap.case("a list has all tabs", lists_all, app)
            app.quit()
    with fresh_session() as session:
        tap.case("nor is the window", warns_before_the_window_is_closed, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
