# SPDX-License-Identifier: GPL-3.0-or-later
"""Past runs are found from the desktop's search: the bus starts the app, which answers without a window."""

import os
import subprocess
import sys

import accessible
import services
from fumehood import fresh_session
from services import APP_ID, APP_PATH, GLib
from tap import Tap, equal, must
from waiting import ANSWER_S, not_yet, wait_equal, wait_for

INTERFACE = "org.gnome.Shell.SearchProvider2"
HOSTILE = "# needle <b>bold</b> &amp; \u202eback %s\nprint('<i>straw</i>\\n' * 3)\n"
TITLE = "needle <b>bold</b> &amp; back %s"
SECRET = "# needle that is not kept\nprint('secret')\n"
LIMIT = 20


def run(session, code, *options):
    result = subprocess.run(
        [os.environ["FH_CTL"], "run", *options, "-"], env=session.environment, input=code, capture_output=True,
        text=True, check=False, timeout=ANSWER_S,
    )
    equal(result.returncode, 0, f"exit status of a run that said {result.stderr!r}")


def ask(method, signature=None, *arguments):
    variant = GLib.Variant(signature, arguments) if signature else None
    answer = services.call(APP_ID, f"{APP_PATH}/SearchProvider", INTERFACE, method, variant)
    return answer[0] if answer else None


def results(*words):
    return ask("GetInitialResultSet", "(as)", words)


def printed(session):
    path = session.folder / "app.log"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def answers_without_a_window(session):
    run(session, HOSTILE)
    run(session, SECRET, "--no-history")
    must(not services.has_owner(APP_ID), "the app already runs")
    equal(len(results("needle")), 1, "runs found by a word of the title")
    must(services.has_owner(APP_ID), "the app does not answer")
    not_yet(session.display.windows, "a search opened a window")


def shows_plain_text(_session):
    [found] = ask("GetResultMetas", "(as)", results("straw"))
    equal(found["name"], TITLE, "the name of a result")
    must(found["description"].startswith("Finished · Python · "), f"a result is described as {found['description']!r}")
    must("\n" not in found["name"] + found["description"], "a result has several lines")
    equal(found["icon"], ("themed", [APP_ID, f"{APP_ID}-symbolic"]), "its icon")


def finds_only_what_is_kept(_session):
    for words in (("secret",), ("that", "is", "not", "kept"), ("",), (" ", ""), (), ('"', "*"), ("NEAR(", "needle")):
        equal(results(*words), [], f"runs found by {words}")
    equal(results("%_"), [], "runs found by signs of LIKE")
    equal(ask("GetResultMetas", "(as)", ["0", "999999", "../x"]), [], "what is shown of runs that are not there")


def forgets_what_is_deleted(session):
    """By another program, while the app runs."""
    run(session, "# a straggler\nprint(1)\n")
    [identifier] = results("straggler")
    for action, count in (("delete", 0), ("restore", 1), ("delete", 0)):
        subprocess.run([os.environ["FH_CTL"], "history", action, identifier], env=session.environment, check=True,
                       capture_output=True, timeout=ANSWER_S)
        equal(len(results("straggler")), count, f"runs found after “{action}”")


def narrows_and_is_bounded(session):
    for number in range(LIMIT + 1):
        run(session, f"# many, of which this is number{number}\n")
    many = results("many")
    equal(len(many), LIMIT, "results")
    equal(len(ask("GetResultMetas", "(as)", many)), LIMIT, "what is shown of them")
    must(many == sorted(many, key=int, reverse=True), f"not newest first: {many}")
    equal(len(ask("GetSubsearchResultSet", "(asas)", many, ["many", "number7"])), 1, "results of a longer search")


def refuses_what_is_no_result(session):
    for identifier in ("", "x", "-1", "0", "1; DROP TABLE runs", "9" * 30):
        try:
            ask("ActivateResult", "(sasu)", identifier, [], 0)
        except GLib.Error as error:
            must("InvalidArgs" in str(error), str(error))
        else:
            raise AssertionError(f"{identifier!r} was taken for a result")
    not_yet(session.display.windows, "a window was opened")


def opens_a_result(_session):
    ask("ActivateResult", "(sasu)", results("needle")[0], ["needle"], 0)
    root = services.window_of_the_app()
    wait_for(lambda: any(accessible.read(node) == HOSTILE for node in accessible.find_all(root, "text", "Source code")),
             "the program of the run")
    services.quit_app()


def opens_the_history(_session):
    ask("LaunchSearch", "(asu)", ["many", "number7"], 0)
    root = services.window_of_the_app()
    entry = accessible.get(root, "entry", "Search runs")
    wait_equal(lambda: accessible.read(entry), "many number7", "what is searched for")
    wait_for(lambda: len([row for row in accessible.find_all(root, "list item")
                          if accessible.find(row, "label") is not None]) == 1, "one run in the history")
    services.quit_app()


def leaves_by_itself(session):
    results("needle")
    wait_for(lambda: not services.has_owner(APP_ID), "the app to end when it is not needed", timeout=30)
    equal(printed(session), "", "what the app printed")


def main():
    tap = Tap()
    with fresh_session() as session:
        services.make_activatable(session)
        for name, case in (
            ("a call starts the app, which answers without a window", answers_without_a_window),
            ("what a program is called is shown as it is", shows_plain_text),
            ("runs that are not kept are not found, and no sign is special", finds_only_what_is_kept),
            ("a run that was deleted is not found", forgets_what_is_deleted),
            ("a longer search narrows a shorter one, and results are bounded", narrows_and_is_bounded),
            ("what is no result is refused", refuses_what_is_no_result),
            ("a result opens in a window", opens_a_result),
            ("all results are shown in the history", opens_the_history),
            ("the app ends when it is not needed", leaves_by_itself),
        ):
            tap.case(name, case, session)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
