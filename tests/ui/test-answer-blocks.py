# SPDX-License-Identifier: GPL-3.0-or-later
"""The blocks of an answer in the window: what each is and will be, how it went, and the menus that change that."""

import sys

from accessible import children, find, find_all, name_of, press, read, state, write
from clipboard import Clipboard
from fumehood import Fumehood, fresh_session
from tap import Tap, equal, must
from waiting import wait_for

ANSWER = """# A plan

First the module, which everything else needs:

```python
# filename: tools.py
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
COBOL = "Look:\n\n```sh\necho shell\n```\n\nand\n\n```cobol\nDISPLAY 'x'.\n```\n"
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
PROSE = "Dear reader,\n\nthere is no code in this answer, only advice:\n\n- be kind\n- be brief\n"


def paste(app, clipboard, text):
    """An empty tab, and Ctrl+V."""
    app.type("")
    app.click(app.editor)
    clipboard.copy(text)
    app.key("ctrl+v")
    wait_for(lambda: read(app.editor) != "", "the text")


def chips(app):
    """What is said about each block, in their order."""
    names = [name_of(node) for node in find_all(app.root, "push button") + find_all(app.root, "toggle button")]
    return sorted({name for name in names if name and name.startswith("Block ")})


def wait_chips(app, *expected):
    try:
        wait_for(lambda: chips(app) == list(expected), "the blocks")
    except AssertionError as error:
        raise AssertionError(f"{error}: expected {expected}, there is {chips(app)}") from None


def choose(app, number, *path):
    """In the menu of a block."""
    chip = wait_for(lambda: find_all(app.root, None, lambda name: name and name.startswith(f"Block {number}:")), "it")[-1]
    press(chip)
    for label in path:
        item = wait_for(lambda: find(app.root, None, label), f"the item {label}")
        press(item)


def shown(app, clipboard):
    paste(app, clipboard, ANSWER)
    wait_chips(app, "Block 1: Python, will run", "Block 2: html, will be saved", "Block 3: Python?, will run")
    app.screenshot("answer-blocks")
    app.key("ctrl+Return")
    app.wait_output("half of 42 is 21.0")
    wait_chips(app, "Block 1: Python, finished", "Block 2: html, saved", "Block 3: Python?, finished")
    app.screenshot("answer-blocks-done")
    app.key("ctrl+shift+p")
    wait_for(lambda: find(app.root, "push button", "Show Text"), "x")
    app.screenshot("answer-blocks-folded")
    app.key("ctrl+shift+b")
    app.screenshot("answer-blocks-menu")
    app.key("Escape")
    app.resize(360, 640)
    app.screenshot("answer-blocks-narrow")


def main():
    tap = Tap()
    with fresh_session() as session:
        clipboard = Clipboard(session.display.name)
        app = Fumehood(session)
        for name, case in {"what each block is, and how it went": shown}.items():
            tap.case(name, case, app, clipboard)
        app.quit()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
