# SPDX-License-Identifier: GPL-3.0-or-later
"""The help opens at the right page, in a help browser or a web browser; the presenter's view; printing."""

import os
import sys
from pathlib import Path

from accessible import ANSWER_MS, GLib, bus_name, extents, find, get, press, session_bus
from fumehood import APP_PATH, fresh_session, running
from tap import Tap, must
from waiting import wait_for

LOOKS = "open('/etc/shadow')\n"


def add_browser(session, *schemes):
    """A program that notes what it is asked to open."""
    opened = session.folder / "opened.txt"
    script = session.folder / "browser.sh"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >>"{opened}"\n', encoding="utf-8")
    script.chmod(0o755)
    types = ";".join(schemes)
    applications = session.path("XDG_DATA_HOME") / "applications"
    applications.mkdir()
    (applications / "browser.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName=Browser\nExec={script} %u\nMimeType={types};\n", encoding="utf-8")
    (session.path("XDG_CONFIG_HOME") / "mimeapps.list").write_text(
        "[Default Applications]\n" + "".join(f"{name}=browser.desktop\n" for name in schemes), encoding="utf-8")
    return opened


def must_open(opened, uri):
    wait_for(lambda: opened.exists() and opened.read_text(encoding="utf-8").endswith(f"{uri}\n"), f"{uri} to be opened")


def opens_the_help_browser(app, opened):
    app.key("F1")
    must_open(opened, "help:fumehood/index")


def explains_a_guard(app, opened):
    app.press("What protects you now")
    app.press("Learn more: Network")
    must_open(opened, "help:fumehood/guard-network")
    app.screenshot("help-guards")
    app.press("What protects you now")
    app.wait_gone("push button", "Learn more: Network")


def explains_an_attempt(app, opened):
    app.run(LOOKS)
    app.wait_result("Ended with exit code 1.")
    app.press("1 attempt blocked")
    app.click(wait_for(lambda: find(app.root, "label", "Open /etc/shadow"), "the attempt"))
    press(get(app.root, "push button", lambda name: name.replace("_", "") == "Learn More"))
    must_open(opened, "help:fumehood/guard-filesystem")


def present(app):
    bus = session_bus()
    bus.call_sync(bus_name(bus, app.pid), APP_PATH, "org.gtk.Actions", "Activate",
                  GLib.Variant("(sava{sv})", ("presenter-view", [], {})), None, 0, ANSWER_MS, None)


def tab_height(app):
    return extents(app.get("label", "Open /etc/shadow"))[3]


def gets_larger(app):
    before = tab_height(app)
    present(app)
    wait_for(lambda: tab_height(app) * 10 >= before * 13, "larger text")
    app.screenshot("presenter")
    app.resize(480, 640)
    app.screenshot("presenter-narrow")
    app.resize(1200, 760)
    present(app)
    wait_for(lambda: tab_height(app) == before, "text of the usual size")


def opens_a_web_browser(session):
    opened = add_browser(session, "text/html")
    with running(session, FH_HELP_DIR=os.environ["FH_HELP_DIR"]) as app:
        app.key("F1")
        page = Path(os.environ["FH_HELP_DIR"]) / "C" / "index.html"
        must_open(opened, str(page))
        must(page.is_file(), f"there is no {page}")
        app.quit()


def main():
    tap = Tap()
    with fresh_session() as session:
        session.environment.pop("FH_HELP_DIR", None)
        opened = add_browser(session, "x-scheme-handler/help")
        with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark") as app:
            app.resize(1200, 760)
            for name, case, *arguments in (
                ("F1 opens the help", opens_the_help_browser, opened),
                ("a guard leads to its page", explains_a_guard, opened),
                ("an attempt leads to the page of its guard", explains_an_attempt, opened),
                ("the presenter's view has larger text", gets_larger),
            ):
                tap.case(name, case, app, *arguments)
            tap.case("the app ends well", app.quit)
    with fresh_session() as session:
        tap.case("without a help browser a web browser opens it", opens_a_web_browser, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
