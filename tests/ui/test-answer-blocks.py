# SPDX-License-Identifier: GPL-3.0-or-later
"""The blocks of an answer in the window: what each is and will be, how it went, and the menus that change that."""

import contextlib
import functools
import re
import sys

from accessible import (GLib, Tree, children, extents, find, find_all, get, labelled_rows, name_of, press, read,
                        showing, state, write)
from clipboard import Clipboard
from fumehood import fresh_session, running
from tap import Tap
from waiting import not_yet, wait_equal, wait_for

ANSWER = """# A plan

First the module, which everything else needs:

```python
# filename: tools.py
import os  # also as the __main__ module
def half(n):
    return n / 2
```

Then something for the web:

```html
<h1>Half</h1>
```

- And it is used:

  ```
  import tools
  import sys
  print("half of 42 is", tools.half(42))
  ```

Some words at the end.
"""
ODD = "```console\n>>> print('one')\none\n```\n\nand\n\n```python\nprint(“two”)\n```\n"
CANNOT = "Look:\n\n```sh\necho shell\n```\n\nand\n\n```cobol\nDISPLAY 'x'.\n```\n\n```pwsh\nls\n```\n"
FAILS = """Some prose before it.

```python
print("fine")
```

```python
def broken():
    return 1 / 0

broken()
```

```python
print("never")
```
"""
# What is of interest happens in the first block, and the last one is quiet.
TRIES = """```python
import socket
try:
    socket.create_connection(("192.0.2.7", 80))
except OSError:
    open("left.txt", "w").write("one")
```

```python
import time
print("quiet", flush=True)
time.sleep(600)
```
"""


LONG = "".join(f"Block {number}:\n\n```python\n" + f"print({number})\n" * 40 + "```\n\n" for number in range(1, 7))


def paste(app, clipboard, text):
    """Into an empty tab."""
    app.type("")
    clipboard.copy(text)
    app.press("Paste an Answer")
    wait_for(lambda: read(app.editor) != "", "the text")


def chips(app):
    """What is said about each block, in their order."""
    return sorted({name_of(node) for node in find_all(app.root, "push button", lambda name: re.match(r"Block \d+:", name))})


def wait_chips(app, *expected):
    try:
        wait_for(lambda: chips(app) == list(expected), "the blocks")
    except AssertionError as error:
        raise AssertionError(f"{error}: expected {expected}, there is {chips(app)}") from None


def place(app):
    """Of the cursor."""
    button = app.find("push button", lambda name: ", column " in name)
    return name_of(button) if button is not None else None


def open_menu(app, number):
    """With the keyboard."""
    # The button within the menu button, which comes later. The result of a block is called so as well.
    chip = wait_for(lambda: [node for role in ("push button", "toggle button")
                             for node in find_all(app.root, role, lambda name: name.startswith(f"Block {number}:"))
                             if node.get("Action", "NActions") > 0], f"block {number}")
    press(chip[-1])


def items(app, label):
    """Of menus; those of submenus are behind the others."""
    return [node for role in ("menu item", "radio menu item", "check menu item")
            for node in find_all(app.root, role, label)]


def choose(app, number, *path):
    """In the menu of a block."""
    open_menu(app, number)
    for label in path:
        press(wait_for(lambda: items(app, label), f"the item {label}")[-1])
    # As long as the menu is there, it takes the next click and the keys.
    wait_for(lambda: not items(app, path[-1]), "the menu to close")
    # GTK 4.8 can keep the grab of a menu whose items were pressed through accessibility until the next click, which is
    # lost, and so are all keys before it. Then nothing has the focus.
    app.settle()
    if Tree(app.root).focus() is None:
        app.click(app.editor)


def dialog(app):
    """The window that asks, or None."""
    with contextlib.suppress(GLib.Error):
        return next((window for window in children(app.root) if name_of(window) == "Run This Code?"), None)
    return None


def answer_question(app, button):
    def ready():
        node = find(dialog(app), "push button", button) if dialog(app) else None
        return node if node and state(node, "SENSITIVE") else None

    def is_gone():
        """The next one may be there at once."""
        other = dialog(app)
        return other is None or other.path != question.path

    node = wait_for(ready, f"{button} to be ready")
    question = dialog(app)
    press(node)
    wait_for(is_gone, "the question to go")


def shown(app, clipboard):
    paste(app, clipboard, ANSWER)
    wait_chips(app, "Block 1: Python, will run", "Block 2: HTML, will be saved", "Block 3: Python?, will run")
    app.screenshot("answer-blocks")
    app.key("ctrl+Return")
    app.wait_output("half of 42 is 21.0")
    wait_chips(app, "Block 1: Python, finished", "Block 2: HTML, saved", "Block 3: Python?, finished")


def folded(app, _clipboard):
    """Only the code is seen, until the cursor goes into the rest."""
    app.click(app.editor)
    app.key("ctrl+Home")
    app.key("ctrl+shift+p")
    wait_for(lambda: find(app.root, "push button", "Show Text"), "the code alone")
    wait_equal(lambda: place(app), "Line 5, column 1", "the cursor, which was in the text")
    wait_for(lambda: "Some words" not in read(app.editor), "the text not to be read")
    app.screenshot("answer-folded")
    app.key("ctrl+i")
    write(wait_for(lambda: find(app.root, "text", "Go to line"), "the entry"), "11")
    app.key("Return")
    wait_for(lambda: find(app.root, "push button", "Only Code"), "all of it")
    wait_equal(lambda: read(app.editor), ANSWER, "the text")


def chosen(app, clipboard):
    """A guess that is wrong, and what is done with all blocks of a language."""
    paste(app, clipboard, ANSWER)
    wait_chips(app, "Block 1: Python, will run", "Block 2: HTML, will be saved", "Block 3: Python?, will run")
    choose(app, 3, "Language", "Shell")
    wait_chips(app, "Block 1: Python, will run", "Block 2: HTML, will be saved", "Block 3: Shell, will run")
    choose(app, 3, "Language", "Python")
    wait_chips(app, "Block 1: Python, will run", "Block 2: HTML, will be saved", "Block 3: Python, will run")
    choose(app, 1, "All Python Blocks", "Ask First")
    wait_chips(app, "Block 1: Python, will ask first", "Block 2: HTML, will be saved", "Block 3: Python, will ask first")


def by_keyboard(app, clipboard):
    """The menu of the block at the cursor, which runs alone, with the files that the last run has left."""
    paste(app, clipboard, ANSWER)
    wait_chips(app, "Block 1: Python, will run", "Block 2: HTML, will be saved", "Block 3: Python?, will run")
    app.get("label", lambda name: name and name.startswith(
        "This is an answer with 3 code blocks: 2 to run, 1 to save as files. Run does it in order."))
    # Each block has a language of its own.
    with app.options():
        app.get("list item", "Notebook Lines")
        not_yet(lambda: app.find("list item", "Language"), "there is a language for all blocks")
    app.click(app.editor)
    app.key("ctrl+End")
    app.key("ctrl+shift+b")
    wait_for(lambda: items(app, "Run This Block"), "the menu")
    app.key("Down")
    app.key("Down")
    app.key("Return")
    wait_chips(app, "Block 1: Python, will run", "Block 2: HTML, will be saved", "Block 3: Python?, finished")
    app.wait_output("half of 42 is 21.0")


def in_sight(app, number):
    """Whether what is said about a block stands in the editor."""
    found = find_all(app.root, "push button", lambda name: name.startswith(f"Block {number}:"))
    _, top, _, height = extents(app.editor)
    return any(top <= extents(node)[1] < top + height for node in found if showing(node))


def scrolled(app, clipboard):
    """What is said about a block goes along with it, and its menu by keyboard is where that can be seen."""
    paste(app, clipboard, LONG)
    wait_for(lambda: in_sight(app, 1) and not in_sight(app, 6), "the first block")
    app.click(app.editor)
    app.key("ctrl+End")
    app.key("ctrl+shift+b")
    wait_for(lambda: items(app, "Run This Block"), "the menu")
    wait_for(lambda: in_sight(app, 6) and not in_sight(app, 1), "what is said about the last block")
    app.key("Escape")
    wait_for(lambda: not items(app, "Run This Block"), "the menu to close")


def refused(app, _clipboard):
    app.click(app.editor)
    app.key("ctrl+Return")
    window = wait_for(lambda: dialog(app), "a question")
    wait_for(lambda: find(window, "label", lambda name: name and "Imports" in name and "os" in name), "a look at it")
    wait_chips(app, "Block 1: Python, waits for your answer", "Block 2: HTML, will be saved",
               "Block 3: Python, will ask first")
    write(get(window, "text", "Reason for refusing"), "not today")
    answer_question(app, "Refuse")
    app.wait_output("not today")
    app.wait_result("Block 1: Code execution was not approved. Reason: not today. 2 blocks after it did not run.")
    wait_chips(app, "Block 1: Python, refused", "Block 2: HTML, did not run", "Block 3: Python, did not run")


def closed(app, _clipboard):
    """Closing is no yes."""
    app.key("ctrl+Return")
    wait_for(lambda: dialog(app), "a question")
    other = wait_for(lambda: next((other for other in app.session.display.windows() if other != app.window), None), "it")
    app.session.display.close_window(other)
    wait_chips(app, "Block 1: Python, refused", "Block 2: HTML, did not run", "Block 3: Python, did not run")


def stopped(app, _clipboard):
    """Stop takes the question away."""
    app.key("ctrl+Return")
    wait_for(lambda: dialog(app), "a question")
    app.press("Stop")
    wait_for(lambda: dialog(app) is None, "the question to go")
    wait_chips(app, "Block 1: Python, refused", "Block 2: HTML, did not run", "Block 3: Python, did not run")


def once(app, _clipboard):
    app.key("ctrl+Return")
    wait_for(lambda: dialog(app), "a question")
    answer_question(app, "Run Once")
    wait_for(lambda: dialog(app), "the next question")
    answer_question(app, "Run Once")
    app.wait_output("half of 42 is 21.0")
    wait_chips(app, "Block 1: Python, finished", "Block 2: HTML, saved", "Block 3: Python, finished")


def always(app, _clipboard):
    app.key("ctrl+Return")
    wait_for(lambda: dialog(app), "a question")
    answer_question(app, "Always in This Tab")
    app.wait_output("half of 42 is 21.0")
    wait_chips(app, "Block 1: Python, finished", "Block 2: HTML, saved", "Block 3: Python, finished")
    app.key("ctrl+Return")
    app.wait_output("half of 42 is 21.0")
    wait_for(lambda: not app.is_running(), "the end")


def restored(app, _clipboard):
    """What was chosen is there after a new start."""
    wait_chips(app, "Block 1: Python", "Block 2: HTML, will be saved", "Block 3: Shell, finished")
    app.key("ctrl+Return")
    wait_chips(app, "Block 1: Python, finished", "Block 2: HTML, saved", "Block 3: Shell, saved")


def odd(app, clipboard):
    """What is done to its blocks so that they run is told, and can be undone."""
    paste(app, clipboard, ODD)
    wait_chips(app, "Block 1: Python, will run", "Block 2: Python, will run")
    app.get("label", lambda name: name.startswith("Block 1: The prompts") and "Block 2: " in name)
    app.screenshot("answer-repaired")
    app.key("ctrl+Return")
    app.wait_output("two")
    app.press("Read as Written")
    wait_chips(app, "Block 1: console, will be saved", "Block 2: Python, will run")
    app.get("label", "The blocks are read as they stand there.")
    app.key("ctrl+Return")
    app.wait_output("SyntaxError")
    app.press("Read as Meant")
    wait_chips(app, "Block 1: Python, will run", "Block 2: Python, will run")
    app.press("Read as Written")
    app.get("label", "The blocks are read as they stand there.")


def still_as_written(app, _clipboard):
    app.get("label", "The blocks are read as they stand there.")
    wait_chips(app, "Block 1: console, saved", "Block 2: Python, failed")


def cannot_run(app, clipboard):
    """It is said before anything runs."""
    paste(app, clipboard, CANNOT)
    wait_chips(app, "Block 1: Shell, will run", "Block 2: cobol, unknown language", "Block 3: PowerShell, not installed")
    wait_for(lambda: find(app.root, name=lambda name: name and "block 2: Unsupported language cobol" in name), "why")
    app.key("ctrl+Return")
    app.wait_output("Unsupported language cobol")
    wait_chips(app, "Block 1: Shell, finished", "Block 2: cobol, refused", "Block 3: PowerShell, did not run")
    app.wait_result("Block 2: Unsupported language cobol. 1 block after it did not run.")


def saves_a_diff(app, clipboard):
    """Without a project folder there is nothing that it could change."""
    paste(app, clipboard, "A change:\n\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n\n```sh\nls\n```\n")
    wait_chips(app, "Block 1: Diff, will be saved", "Block 2: Shell, will run")


def links(app, clipboard):
    """From a traceback to the line of the tab."""
    paste(app, clipboard, FAILS)
    app.key("ctrl+Return")
    app.wait_output("ZeroDivisionError")
    wait_chips(app, "Block 1: Python, finished", "Block 2: Python, failed", "Block 3: Python, did not run")
    app.wait_result("Block 2: Ended with exit code 1. 1 block after it did not run.")
    app.screenshot("answer-failed")
    app.key("ctrl+shift+o")
    app.key("F8")
    wait_for(lambda: place(app) == "Line 9, column 1", "the line of the function")
    # From the editor, where the jump has led.
    app.key("F8")
    wait_for(lambda: place(app) == "Line 11, column 1", "the line of the call")
    app.press(lambda name: name and name.startswith("Block 2, line "))
    wait_for(lambda: place(app).startswith("Line 9, "), "the line that failed")


def again(app, clipboard):
    """An answer that was run twice can be compared with itself, and its past run knows the lines of its blocks."""
    lines = functools.partial(find_all, app.root, "push button", "Block 2, line 2")
    places = functools.partial(find_all, app.root, "push button", lambda name: ", column " in name)
    app.press("Run")
    wait_for(lambda: app.is_enabled("compare"), "two runs to compare")
    app.press("History")
    app.double_click(wait_for(lambda: labelled_rows(app.root, "Some prose before it."), "the past run")[0])
    wait_for(lambda: len(lines()) == 2, "the line in a tab of its own")
    app.screenshot("answer-past")
    for line in lines():
        press(line)
    wait_for(lambda: all(name_of(place).startswith("Line 9, ") for place in places()), "the line that failed")
    app.key("ctrl+w")
    wait_for(lambda: len(lines()) == 1, "the tab to close")
    app.press("History")


def types_to_blocks(app, clipboard):
    """Each of them that waits for input has the entry."""
    paste(app, clipboard, "".join(f"```python\nprint('<{n}', input() + '>')\n```\n\n" for n in (1, 2)))
    app.key("ctrl+Return")
    for number, name in ((1, "Ada"), (2, "Grace")):
        entry = app.get("text", "Input for the program")
        wait_for(lambda: state(entry, "FOCUSED"), "the focus")
        write(entry, name)
        app.key("Return")
        app.wait_output(f"<{number} {name}>")
    app.wait_result("Finished normally.")


def no_session(app, clipboard):
    """Its prose is not run as Python."""
    paste(app, clipboard, FAILS)
    app.press("Session")
    app.get("label", lambda name: name.startswith("An answer is no session"))
    wait_chips(app, "Block 1: Python, will run", "Block 2: Python, will run", "Block 3: Python, will run")


def one_block(app, clipboard):
    """It sees what those before it have left. This is another answer, for which nothing was chosen."""
    paste(app, clipboard, ANSWER.replace("half", "part"))
    wait_chips(app, "Block 1: Python, will run", "Block 2: HTML, will be saved", "Block 3: Python?, will run")
    choose(app, 1, "Run This Block")
    wait_chips(app, "Block 1: Python, finished", "Block 2: HTML, will be saved", "Block 3: Python?, will run")
    choose(app, 3, "Run from Here")
    app.wait_output("part of 42 is 21.0")
    wait_chips(app, "Block 1: Python, finished", "Block 2: HTML, will be saved", "Block 3: Python?, finished")


def shapes(session, clipboard, scheme):
    with running(session, ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}") as app:
        paste(app, clipboard, FAILS)
        choose(app, 1, "All Python Blocks", "Ask First")
        app.click(app.editor)
        app.key("ctrl+Return")
        window = wait_for(lambda: dialog(app), "a question")
        wait_for(lambda: not find(window, "label", "Looking at the code…"), "a look at it")
        own, app.window = app.window, next(other for other in app.session.display.windows() if other != app.window)
        app.screenshot(f"answer-question-{scheme}")
        app.resize(360, 560)
        app.screenshot(f"answer-question-360-{scheme}")
        app.window = own
        answer_question(app, "Always in This Tab")
        app.wait_output("ZeroDivisionError")
        wait_chips(app, "Block 1: Python, finished", "Block 2: Python, failed", "Block 3: Python, did not run")
        app.screenshot(f"answer-blocks-{scheme}")
        app.resize(360, 640)
        app.screenshot(f"answer-blocks-360-{scheme}")
        app.quit()


def attempts_of_all(app, clipboard):
    """What a block before has tried is told while the next one runs, and when that is stopped; with the block."""
    paste(app, clipboard, TRIES)
    app.run()
    app.wait_output("quiet")
    app.key("ctrl+shift+a")
    app.get("label", "Connect to 192.0.2.7:80")
    app.activate("stop")
    app.wait_result("Stopped by you.")
    app.get("label", "Connect to 192.0.2.7:80")
    app.get("push button", "1 attempt blocked")
    app.get("push button", "1 file")
    app.get(None, "Block")
    app.screenshot("answer-stopped")
    app.key("ctrl+shift+o")


def main():
    tap = Tap()
    with fresh_session() as session:
        clipboard = Clipboard(session.display.name)
        with running(session) as app:
            for name, case in (("what each block is, and how it went", shown), ("only the code", folded),
                               ("a menu by keyboard", by_keyboard),
                               ("scrolled", scrolled), ("what is chosen in the menus", chosen), ("a block is refused", refused),
                               ("a closed question is refused", closed), ("Stop refuses", stopped),
                               ("a block is run once", once), ("always in this tab", always),
                               ("what cannot run is said before", cannot_run),
                               ("a diff without a project is saved", saves_a_diff),
                               ("links lead into the block", links),
                               ("an answer that is run again, and its past run", again),
                               ("blocks that wait for input", types_to_blocks),
                               ("an answer is no session", no_session),
                               ("attempts of all blocks", attempts_of_all), ("one block, and from there on", one_block)):
                tap.case(name, case, app, clipboard)
            choose(app, 3, "Language", "Shell")
            choose(app, 3, "All Shell Blocks", "Save Only")
            app.quit()
        with running(session) as app:
            tap.case("the choices of a tab are kept", restored, app, clipboard)
            tap.case("as it is meant, and as it is written", odd, app, clipboard)
            app.quit()
        with running(session) as app:
            tap.case("as it is written after a new start", still_as_written, app, clipboard)
    for scheme in ("light", "dark"):
        with fresh_session() as session:
            tap.case(f"every width, {scheme}", shapes, session, Clipboard(session.display.name), scheme)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
