# SPDX-License-Identifier: GPL-3.0-or-later
"""`fumehoodctl mcp --ask` and the real window: a person sees the code, and runs or refuses it."""

import contextlib
import sys

import accessible
import services
from fumehood import Fumehood, fresh_session
from mcp_client import Client
from services import APP_ID, APP_PATH, GLib
from tap import Tap, equal, must
from waiting import wait_equal, wait_for

HIDDEN = "print('shown')\u202e\tx = 'hidden'  # \u200b"


class Person:
    """Who sits at the window."""

    def __init__(self, session, app):
        self.display, self.app = session.display, app
        self.main = app.window

    def dialog(self):
        return next((window for window in self.display.windows() if window != self.main), None)

    def find(self, role, name):
        """In the dialog, as a screen reader sees it: the window behind it has a button Run as well. None if it is
        not there, or goes meanwhile."""
        with contextlib.suppress(GLib.Error):
            for window in accessible.children(self.app.root):
                if accessible.name_of(window) == "Run This Code?":
                    return accessible.find(window, role, name)
        return None

    def code(self):
        with contextlib.suppress(GLib.Error):
            node = self.find("text", "Code")
            return accessible.read(node) if node else None
        return None

    def wait_for_question(self):
        wait_for(self.dialog, "a question")
        return wait_for(self.code, "its code")

    def wait_for_none(self):
        wait_for(lambda: self.dialog() is None, "the question to go away")

    def press(self, name):
        def ready():
            button = self.find("push button", name)
            return button if button and accessible.state(button, "SENSITIVE") else None

        accessible.press(wait_for(ready, f"{name} to be ready"))


def ask(client, code, token=None):
    return client.begin("execute_python_code", token=token, code=code)


def approved(client, person):
    number = ask(client, "print(6 * 7)\n" * 3)
    equal(person.wait_for_question(), "print(6 * 7)\n" * 3, "what is shown")
    wait_for(lambda: person.find(None, "“test” asks for this: Run Python Code"), "who asks for what")
    person.app.window = person.dialog()
    person.app.screenshot("approval")
    person.app.window = person.main
    person.press("Run")
    equal(client.ended(number, "execute_python_code")["structuredContent"]["stdout"], "42\n" * 3, "its output")
    person.wait_for_none()


def seen_in_the_history(client, person):
    """While the window is not touched: nothing but the file tells it."""
    def rows():
        return sum(accessible.find(row, "label") is not None for row in accessible.find_all(person.app.root, "list item"))

    if not rows():
        person.app.press("History")
    before = wait_for(rows, "the history")
    number = ask(client, "print('as it happens')")
    person.wait_for_question()
    person.press("Run")
    client.ended(number, "execute_python_code")
    wait_for(lambda: rows() == before + 1, "the run in the window's history")
    person.wait_for_none()


def refused(client, person):
    number = ask(client, HIDDEN)
    shown = person.wait_for_question()
    must("\\u202e\tx = 'hidden'" in shown and "\\u200b" in shown, f"what hides something is seen: {shown!r}")
    accessible.write(wait_for(lambda: person.find("text", "Reason for refusing"), "the entry"), "not today")
    person.press("Refuse")
    text = client.ended(number, "execute_python_code")["content"][0]["text"]
    equal(text, "Code execution was not approved. Reason: not today", "what the assistant is told")
    person.wait_for_none()


def closed(client, person):
    number = ask(client, "print('never')")
    person.wait_for_question()
    person.display.close_window(person.dialog())
    equal(client.ended(number, "execute_python_code")["isError"], True, "closing is no yes")
    person.wait_for_none()


def withdrawn(client, person):
    number = ask(client, "print('never')")
    person.wait_for_question()
    client.cancel(number)
    person.wait_for_none()


def many(client, person):
    """One at a time, and not too many of them."""
    numbers = [ask(client, f"print({i})") for i in range(3)]
    for left in (2, 1, 0):
        wait_for(lambda: left == 0 or person.find(None, f"{left} more question{'s wait' if left > 1 else ' waits'}."), "the rest")
        wait_equal(lambda: len(person.display.windows()), 2, "windows")
        shown = person.wait_for_question()
        person.press("Run")
        wait_for(lambda: person.code() != shown, "the next one")
    equal([client.ended(number, "execute_python_code")["structuredContent"]["stdout"] for number in numbers],
          ["0\n", "1\n", "2\n"], "all ran")
    person.wait_for_none()
    bus = accessible.session_bus()
    answers = []
    for number in range(25):
        question = (f"q{number}", "flood", "tool", "code", "python", "")
        bus.call(APP_ID, f"{APP_PATH}/Approval", "io.github.fumehood.Approval", "Ask", GLib.Variant("(ssssss)", question),
                 None, 0, 60000, None, lambda source, result: answers.append(finish(source, result)))
    wait_for(lambda: answered(answers) == 5, "what is too many to be refused")
    must(all("LimitsExceeded" in answer for answer in answers), str(answers))
    for number in range(25):
        services.call(APP_ID, f"{APP_PATH}/Approval", "io.github.fumehood.Approval", "Withdraw", GLib.Variant("(s)", (f"q{number}",)))
    wait_for(lambda: answered(answers) == 25, "the others to be withdrawn")
    person.wait_for_none()


def finish(source, result):
    try:
        return str(source.call_finish(result))
    except GLib.Error as error:
        return error.message


def answered(answers):
    while GLib.MainContext.default().iteration(False):
        continue
    return len(answers)


def window_closed(client, person):
    """With questions that wait: none of them opens another window."""
    numbers = [ask(client, f"print({i})") for i in range(3)]
    person.wait_for_question()
    person.app.quit()
    for number in numbers:
        equal(client.ended(number, "execute_python_code")["isError"], True, "what waited")


def gone(session, person):
    """The assistant ends while it asks."""
    with Client("--ask", environment=session.environment) as client:
        ask(client, "print('never')")
        person.wait_for_question()
    person.wait_for_none()


def main():
    tap = Tap()
    with fresh_session() as session:
        app = Fumehood(session)
        person = Person(session, app)
        with Client("--ask", environment=session.environment) as client:
            for name, case in (("what is approved runs", approved),
                               ("it is seen in the history", seen_in_the_history),
                               ("what is refused does not", refused),
                               ("a closed question is refused", closed), ("a cancelled call takes its question away", withdrawn),
                               ("many questions", many)):
                tap.case(name, case, client, person)
        tap.case("who asked is gone", gone, session, person)
        with Client("--ask", environment=session.environment) as client:
            tap.case("closing the window refuses all", window_closed, client, person)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
