# SPDX-License-Identifier: GPL-3.0-or-later
"""What the app tells a desktop and what a desktop asks of it: notifications, the end of the session, tabs that come
back as they were."""

import signal
import sys
from contextlib import closing
from pathlib import Path

import accessible
import services
from fumehood import fresh_session, running
from services import APP_ID, GLib
from tap import Tap, equal, must
from waiting import not_yet, wait_for

SEEN = "# seen\nprint(1)\n"
UNSEEN = "# unseen <b>&amp;\nraise SystemExit(7)\n"
ENDLESS = "# endless\nimport time\nprint('on', flush=True)\ntime.sleep(600)\n"
ASKS = "# asks\ninput('Name? ')\n"
LOG_OUT = 1


def is_active(app):
    return any(accessible.state(window, "ACTIVE") for window in accessible.children(app.root))


def look_away(app):
    display = app.session.display
    display.focus(display.root)
    wait_for(lambda: not is_active(app), "the window to lose the focus")


def look_back(app):
    app.session.display.focus(app.window)
    wait_for(lambda: is_active(app), "the window to have the focus again")


def is_in_front(root, beginning):
    accessible.get(root, "frame", lambda title: title.startswith(beginning))


def title_of(root):
    return accessible.name_of(accessible.get(root, "frame"))


def has_tabs(root, names):
    """What is in tabs that are not shown is told by GTK 4.8, but no longer by 4.18."""
    return set(names) <= {name for _, name in accessible.Tree(root).known.values()}


def notifies(session):
    services.make_activatable(session)
    with closing(services.Notifications()) as desktop:
        with running(session) as app:
            wait_for(lambda: is_active(app), "the window to have the focus")
            app.run(SEEN)
            app.wait_result("Finished normally.")
            equal(desktop.shown, [], "notifications of a run that was seen")
            look_away(app)
            desktop.withdrawn.clear()
            app.run(UNSEEN)
            wait_for(lambda: desktop.shown, "a notification")
            [(page, told)] = desktop.shown
            equal(told["title"], "unseen <b>&amp;", "the title of the notification")
            equal(told["body"], "Ended with exit code 7.", "its text")
            equal((told["default-action"], told["default-action-target"]), ("app.show-page", page), "its action")
            must(page not in desktop.withdrawn, "the notification went too early")
            app.activate("new-tab")
            is_in_front(app.root, "New Snippet")
            services.activate("show-page", GLib.Variant("s", page))
            is_in_front(app.root, "unseen")
            look_back(app)
            wait_for(lambda: page in desktop.withdrawn, "the notification to go")
            app.activate("new-tab")
            app.quit()
        equal(app.printed(), "", "what the app printed")
        # The notification outlives the app.
        services.activate("show-page", GLib.Variant("s", page))
        is_in_front(services.window_of_the_app(), "unseen")
        services.quit_app()


def tells_of_a_wait(session):
    """Of a program in a tab that is not in front, and in a window that is not in use; not of one that is seen."""
    services.make_activatable(session)
    with closing(services.Notifications()) as desktop:
        with running(session) as app:
            wait_for(lambda: is_active(app), "the window to have the focus")
            app.run(ASKS)
            app.get("status bar", "The program waits for input.")
            equal(desktop.shown, [], "notifications of a wait that is seen")
            answer(app, "seen")
            app.wait_result("Finished normally.")
            app.activate("run")
            app.activate("new-tab")
            is_in_front(app.root, "New Snippet")
            wait_for(lambda: desktop.shown, "a notification of the wait in the other tab")
            [(key, told)] = desktop.shown
            equal((told["title"], told["body"]), ("asks", "The program waits for input."), "what it says")
            equal(told["default-action"], "app.show-page", "its action")
            app.screenshot("waiting-tab")
            services.activate("show-page", GLib.Variant("s", told["default-action-target"]))
            is_in_front(app.root, "asks")
            wait_for(lambda: key in desktop.withdrawn, "it to go when the tab is seen")
            answer(app, "again")
            app.wait_result("Finished normally.")
            look_away(app)
            desktop.shown.clear()
            desktop.withdrawn.clear()
            app.activate("run")
            wait_for(lambda: [shown for shown, _ in desktop.shown] == [key], "a notification of the wait in the window")
            app.activate("stop")
            wait_for(lambda: key in desktop.withdrawn, "it to go when the program does not wait any more")
            wait_for(lambda: len(desktop.shown) == 2, "a notification of the end")
            equal(desktop.shown[1][1]["body"], "Stopped by you.", "what it says of the end")
            must(desktop.shown[1][0] not in desktop.withdrawn, "the notification of the end went")
            app.quit()


def answer(app, text):
    accessible.write(app.get("text", "Input for the program"), text)
    app.press("Send")


def starts_for_an_action(session):
    services.make_activatable(session)
    must(not services.has_owner(APP_ID), "the app already runs")
    services.activate("new-window")
    accessible.get(services.window_of_the_app(), "text", "Source code")
    services.quit_app()


def opens_files(session):
    """As a file manager does it: “Open With”, or a file that falls on the icon."""
    services.make_activatable(session)
    wanted = {"a note.txt": "nothing but words\n", "answer.md": "Try this:\n\n```python\nprint(1)\n```\n",
              "script.sh": "echo hello\n", "tool.py": "print('hello')\n"}
    addresses = []
    for name, text in wanted.items():
        path = session.path("HOME") / name
        path.write_text(text, encoding="utf-8")
        addresses.append(path.as_uri())
    services.call(APP_ID, services.APP_PATH, "org.freedesktop.Application", "Open",
                  GLib.Variant("(asa{sv})", (addresses, {})))
    root = services.window_of_the_app()

    def texts():
        return [accessible.read(node) for node in accessible.find_all(root, "text", "Source code", hidden=True)]

    wait_for(lambda: has_tabs(root, wanted), "a tab for each file")
    session.display.focus(session.display.windows()[-1])
    for number in range(len(wanted)):
        session.display.key(f"alt+{number + 1}")
        name = wait_for(lambda: next(filter(title_of(root).startswith, wanted), None), "a title not yet seen")
        wait_for(lambda: wanted[name] in texts(), f"the text of {name}")
        del wanted[name]
    not_yet(lambda: accessible.find(root, "status bar"), "a file was run")
    services.quit_app()


def keeps_the_user_from_logging_out(session):
    with closing(services.SessionManager()) as manager:
        with running(session) as app:
            must(APP_ID in manager.clients, "the app would not be told of the end of the session")
            equal(manager.inhibitors, {}, "what the app holds up while nothing runs")
            app.run(ENDLESS)
            app.wait_output("on")
            equal(list(manager.inhibitors.values()), [(LOG_OUT, "A program is running")], "what it holds up meanwhile")
            accessible.press(app.get("push button", "Stop"))
            app.wait_result("Stopped by you.")
            wait_for(lambda: not manager.inhibitors, "the app to allow it again")
            app.quit()


def is_told_of_the_end(session):
    """Text is written some time after the last key; a session that ends does not wait."""
    with closing(services.SessionManager()) as manager:
        with running(session) as app:
            app.type("# typed just before\n")
            manager.log_out(APP_ID, "QueryEndSession")
            wait_for(lambda: manager.responses == [True], "an answer whether the session may end")
            manager.log_out(APP_ID, "EndSession")
            app.wait_end()
    with running(session) as app:
        wait_for(lambda: accessible.read(app.editor) == "# typed just before\n", "what was typed")
        app.quit()


def is_asked_to_end(session):
    with running(session) as app:
        app.type("# typed just before\n")
        app.process.send_signal(signal.SIGTERM)
        app.wait_end()
    with running(session) as app:
        wait_for(lambda: accessible.read(app.editor) == "# typed just before\n", "what was typed")
        app.quit()


def restores_the_selected_tab(session):
    files = []
    for name in ("first.py", "second.py", "third.py"):
        path = session.path("HOME") / name
        path.write_text(f"# {name}\n", encoding="utf-8")
        files.append(str(path))
    with running(session, *files) as app:
        wait_for(lambda: has_tabs(app.root, [Path(file).name for file in files]), "three tabs")
        is_in_front(app.root, "third.py")
        # Before that it gets no keys.
        wait_for(lambda: is_active(app), "the window to have the focus")
        app.key("alt+2")
        is_in_front(app.root, "second.py")
        app.quit()
    with running(session) as app:
        is_in_front(app.root, "second.py")
        app.quit()


def main():
    tap = Tap()
    for name, case in (
        ("a run that ends unseen is notified of, and the notification opens its tab", notifies),
        ("a program that waits for input unseen is notified of, until it goes on", tells_of_a_wait),
        ("the bus starts the app for an action", starts_for_an_action),
        ("files are opened as text, and not run", opens_files),
        ("the session does not end by mistake while a program runs", keeps_the_user_from_logging_out),
        ("what was typed last survives the end of the session", is_told_of_the_end),
        ("and a polite end of the process", is_asked_to_end),
        ("the tab that was in front is in front again", restores_the_selected_tab),
    ):
        with fresh_session() as session:
            tap.case(name, case, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
