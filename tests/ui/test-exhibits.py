# SPDX-License-Identifier: GPL-3.0-or-later
"""The gallery of exhibits: found, run with one key, and seen with and without their guard; and a run of one's own that
is run again without one of its guards."""

import sys

from accessible import find_all, name_of, press
from fumehood import fresh_session, running
from tap import Tap
from waiting import not_yet, wait_for


def labels(app):
    return [name_of(label) for label in find_all(app.root, "label")]


def wait_compared(app, mark, title):
    """The name of one side, when it began, and its title."""
    wait_for(lambda: any(label.startswith(mark) and label.endswith(f" · {title}") for label in labels(app)), f"{mark} … {title}")


def wait_label(app, beginning):
    wait_for(lambda: any(label.startswith(beginning) for label in labels(app)), f"{beginning!r}")


def other_window(app, do):
    """The window that comes when something is done, which then has the keyboard."""
    before = set(app.session.display.windows())
    do()
    app.window = wait_for(lambda: [window for window in app.session.display.windows() if window not in before],
                          "another window")[0]
    app.session.display.focus(app.window)


def back(app, window):
    app.window = window
    app.session.display.focus(window)


def cards(app):
    """The names of the cards that are shown."""
    return [name_of(card) for card in find_all(app.root, "table cell")]


def choose(app, filter_name, *keys):
    """By keyboard, in the list of a filter."""
    app.tab_to("push button", filter_name)
    app.move_focus("Return")
    for key in (*keys, "Return"):
        app.key(key)


def found(app):
    other_window(app, lambda: app.key("ctrl+e"))
    wait_for(lambda: "A First Run, Files, Easy" in cards(app), "the first card")
    wait_label(app, "Looks around as")
    app.screenshot("exhibits")
    for key in ("c", "u", "r", "i", "o", "u", "s", "space", "c", "o"):
        app.key(key)
    wait_for(lambda: cards(app) == ["Curious Code, Network, Easy", "A First Run, Files, Easy"],
             "the one of that name before one that tells of it")
    wait_label(app, "Looks for keys")
    for _ in "curious co":
        app.key("BackSpace")
    wait_for(lambda: cards(app)[0] == "A First Run, Files, Easy", "the order of all cards")
    for key in ("f", "o", "r", "k", "space", "b", "o"):
        app.key(key)
    wait_for(lambda: cards(app) == ["Fork Bomb, Processes, Easy"], "the one that was searched for")
    wait_label(app, "Starts processes until")
    wait_label(app, "This guard cannot be switched off.")
    app.wait_gone("push button", "Run With and Without the Guard")
    app.key("x")
    wait_for(lambda: cards(app) == [], "nothing to be found")
    wait_for(lambda: not any(label.startswith("Starts processes until") for label in labels(app)), "its details to go")
    app.key("Return")
    app.settle()
    wait_label(app, "No Exhibits Found")
    not_yet(app.is_running, "what was not found was run")
    app.key("BackSpace")
    wait_for(lambda: cards(app) == ["Fork Bomb, Processes, Easy"], "it to be found again")
    wait_label(app, "Starts processes until")
    for _ in "fork bo":
        app.key("BackSpace")
    choose(app, "Guard", *["Down"] * 7)
    wait_for(lambda: len(cards(app)) == 5 and all(", Time, " in card for card in cards(app)), "those of a guard")
    choose(app, "Difficulty", "End")
    wait_label(app, "No Exhibits Found")
    choose(app, "Difficulty", "Up", "Up")
    wait_for(lambda: len(cards(app)) == 3, "the easy ones")
    app.click(app.get("table cell", "Reading Standard Input, Time, Easy"))
    wait_label(app, "Waits for a text")
    app.wait_gone("label", "Without the Guard")


def first_start(app):
    """There is nothing, and nothing has run: the first run is one press away."""
    app.get("label", "See what code does before you trust it")
    not_yet(lambda: app.result() or app.output() or app.is_running(), "something ran")
    app.press("Try the First Run")
    app.wait_result("Finished normally.")
    app.get("push button", "Show the Explanation")
    app.wait_gone("label", "See what code does before you trust it")


def run_by_key(app, main_window):
    """The window of exhibits goes, and comes back without what was searched for."""
    app.click(app.get("table cell", "Time Bomb, Time, Easy"))
    wait_label(app, "Looks harmless")
    app.key("Return")
    back(app, main_window)
    app.wait_result("Stopped after 1 s: ")


def explained(app, main_window):
    """The question stays beside the result, and so does the way to the explanation."""
    question = "Question for the class: How long would you have to watch"
    wait_label(app, question)
    app.screenshot("exhibit-question")
    other_window(app, lambda: app.press("Show the Explanation"))
    wait_label(app, "Looks harmless")
    wait_for(lambda: len(cards(app)) > 30, "all cards")
    app.screenshot("exhibit-explained")
    app.key("Escape")
    back(app, main_window)
    wait_for(lambda: app.find("table cell") is None, "the exhibits to go")
    app.press("Hide this notice")
    app.wait_gone("push button", "Show the Explanation")
    not_yet(lambda: any(label.startswith(question) for label in labels(app)), "the question came back")


def opened(app, main_window):
    """It is looked at first, and then runs with the options that it has in the gallery."""
    other_window(app, lambda: app.key("ctrl+e"))
    app.click(app.get("table cell", "Time Bomb, Time, Easy"))
    app.press("Open Without Running")
    back(app, main_window)
    wait_for(lambda: app.find("push button", "Time limit: 1 s"), "its limit of time")
    app.get("label", "Run the code to see its output here")
    not_yet(app.is_running, "it was run")
    app.key("F5")
    app.wait_result("Stopped after 1 s: ")


def compared(app, main_window):
    """One that shows what it finds only without its guard."""
    other_window(app, lambda: app.key("ctrl+e"))
    choose(app, "Guard", "Down", "Down", "Down")
    wait_label(app, "The program can read your environment variables")
    other_window(app, lambda: app.press("Run With and Without the Guard"))
    wait_compared(app, "− With the guard · ", "Environment Reader")
    wait_compared(app, "+ Without the guard · ", "Environment Reader")
    wait_label(app, "Stopped: none of interest")
    wait_label(app, "It worked")
    app.screenshot("exhibits-compared")
    app.session.display.close_window(app.window)
    back(app, main_window)


def ask_without(app, guard):
    app.activate("show-guards")
    press(app.get("push button", "This Run"))
    press(app.get("push button", f"Run Again Without “{guard}” and Compare…"))
    wait_label(app, f"Run Again Without the Guard “{guard}”?")


def without_a_guard(app, main_window):
    app.run("import os\nprint(sorted(os.environ)[:1])\n")
    app.wait_gone("push button", "Show the Explanation")
    app.wait_result("Finished normally.")
    app.wait_output("[")
    before = app.output()
    ask_without(app, "Environment")
    wait_label(app, "The program can read your environment variables")
    app.screenshot("run-without")
    app.key("Return")
    app.wait_gone("label", "Run Again Without the Guard “Environment”?")
    not_yet(lambda: app.is_running() or app.output() != before, "Enter ran it")
    ask_without(app, "Environment")
    other_window(app, lambda: app.press("Run Without This Guard"))
    wait_compared(app, "− With the guard · ", "print(sorted(os.environ)[:1])")
    wait_compared(app, "+ Without the guard · ", "print(sorted(os.environ)[:1])")
    app.session.display.close_window(app.window)
    back(app, main_window)
    app.activate("show-guards")
    press(app.get("push button", "This Run"))
    app.get("heading", "Some Guards Were Switched Off")
    press(app.get("push button", "Next Run"))
    app.wait_gone("heading", "Some Guards Were Switched Off")
    not_yet(lambda: app.find("heading", "Some Guards Are Switched Off"), "it is off for the next run, too")
    app.key("Escape")
    app.wait_gone("push button", "Next Run")


def pictures(session, scheme):
    with running(session, ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}") as app:
        other_window(app, lambda: app.key("ctrl+e"))
        app.resize(360, 720)
        wait_label(app, "Looks around as")
        app.screenshot(f"exhibits-narrow-{scheme}")


def main():
    tap = Tap()
    with fresh_session() as session:
        with running(session, OPENAI_API_KEY="witness") as app:
            window = app.window
            tap.case("the first start", first_start, app)
            tap.case("a run is run again without one guard, after a question", without_a_guard, app, window)
            tap.case("an exhibit is found by words, guard and difficulty", found, app)
            tap.case("it runs with one key", run_by_key, app, window)
            tap.case("its explanation is to be found beside its result", explained, app, window)
            tap.case("it is opened without being run", opened, app, window)
            tap.case("one is seen with and without its guard", compared, app, window)
            tap.case("the window ends", app.quit)
        tap.case("in a narrow window, in the dark", pictures, session, "dark")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
