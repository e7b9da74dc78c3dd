# SPDX-License-Identifier: GPL-3.0-or-later
"""From the clipboard to a result: one paste and one key, for whatever a model may have answered."""

import shutil
import sys
import time

from accessible import find, press, read, showing
from clipboard import Clipboard
from fumehood import fresh_session, running
from tap import Skip, Tap, equal, must
from waiting import not_yet, wait_equal, wait_for

FENCE = """```python
print("from a fence")
```
"""
ANSWER = """First some data:

```sh
printf '3\\n4\\n' > numbers.txt
```

A page that shows it:

```html
<!-- filename: site/index.html -->
<h1>Numbers</h1>
```

1. And now the sum:

   ```python
   numbers = [int(line) for line in open("numbers.txt")]
   print("the sum is", sum(numbers))
   ```
"""
FAILS = """```sh
echo before
exit 3
```

```python
print("never")
```
"""
PLAIN = """import math
print("plain", math.factorial(5))
"""
PLOT = """Here is your plot:

```python
import struct, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

rows = b"".join(b"\\0" + bytes(3 * x // 2 % 256 for x in range(y, y + 120)) for y in range(90))
with open("plot.png", "wb") as file:
    file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 120, 90, 8, 0, 0, 0, 0))
               + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
print("drawn")
```

I hope that it helps.
"""
TRIES = """```python
import socket
try:
    socket.create_connection(("192.0.2.1", 80))
except OSError:
    print("refused")
```
"""
JAVASCRIPT = """const sum = [20, 22].reduce((a, b) => a + b);
console.log("from node", sum);
"""
PROSE = "Dear reader,\n\nthere is no code here, only advice:\n\n- be kind\n- be brief\n"
SESSION = """>>> total = 0
>>> for n in range(4):
...     total += n
...
>>> print("the total is", total)
the total is 6
"""
TYPED = """total = 0
for n in range(4):
    total += n

print("the total is", total)
"""
TERMINAL = """$ echo one > numbers.txt
$ cat numbers.txt
one
$ ls \\
>   -1 missing || echo "was missing"
ls: cannot access 'missing': No such file or directory
"""
COMMANDS = """echo one > numbers.txt
cat numbers.txt
ls \\
  -1 missing || echo "was missing"
"""
PAGE = """<meta charset="utf-8"><pre><code class="language-python"><span class="hljs-built_in">print</span>(6 * 7, \
<span>"from a page"</span>)</code></pre>"""
TRACEBACK = """Traceback (most recent call last):
  File "main.py", line 3, in <module>
    1/0
ZeroDivisionError: division by zero
"""


# How long each kind of clipboard took, from the paste to the output, in seconds.
TIMES = []


class Hands:
    """What a person does with the app until the output is there."""

    def __init__(self, app):
        self.app, self.did = app, []

    def __enter__(self):
        def watch(name, do):
            def did(*arguments):
                self.did.append(arguments[0])
                do(*arguments)
            setattr(self.app, name, did)

        for name in ("key", "press", "click", "activate"):
            watch(name, getattr(self.app, name))
        return self

    def __exit__(self, *_):
        for name in ("key", "press", "click", "activate"):
            delattr(self.app, name)


def paste_and_run(app, clipboard, text, output, by_key=False, html=None):
    """An empty tab, what it offers or Ctrl+V, Ctrl+Enter, and the output can be read."""
    app.type("")
    clipboard.copy(text, html)
    begun = time.monotonic()
    with Hands(app) as hands:
        if by_key:
            app.key("ctrl+v")
        else:
            app.press("Paste an Answer")
        wait_for(lambda: read(app.editor) != "", "the text")
        app.key("ctrl+Return")
        app.wait_output(output)
    TIMES.append(time.monotonic() - begun)
    equal(hands.did, ["ctrl+v" if by_key else "Paste an Answer", "ctrl+Return"], "one paste and one key")


def tells_what_happened(app, attempts):
    """The summary is in sight without more ado, and so is what was stopped; the rest is one key away."""
    wait_for(lambda: not app.is_running() and app.result() != "", "the summary")
    wait_for(lambda: showing(app.result_line()), "the summary in sight")
    for attempt in attempts:
        app.get(None, lambda name: name and attempt in name)
    if attempts:
        app.key("ctrl+shift+a")
        app.get("label", attempts[0])
        app.key("ctrl+shift+o")
        wait_for(lambda: app.find("text", "Output"), "the output")


def fence(app, clipboard):
    paste_and_run(app, clipboard, FENCE, "from a fence", by_key=True)
    wait_equal(lambda: read(app.editor), 'print("from a fence")\n', "text")
    app.wait_gone("push button", "Paste an Answer")
    app.key("ctrl+z")
    wait_for(lambda: read(app.editor) == FENCE, "the whole text")


def session(app, clipboard):
    """What was typed is run, and what was printed is left out; one undo brings all of it."""
    paste_and_run(app, clipboard, SESSION, "the total is 6", by_key=True)
    app.wait_result("Finished normally")
    wait_equal(lambda: read(app.editor), TYPED, "text")
    app.get("label", "Only the code was pasted")
    app.screenshot("answer-session")
    app.key("ctrl+z")
    wait_for(lambda: read(app.editor) == SESSION, "the whole text")


def typed_values(app, clipboard):
    """What a fence shows of Python's prompt prints its values again, so it stays an answer."""
    text = "```pycon\n>>> x = 20\n>>> x + 1\n21\n```\n"
    paste_and_run(app, clipboard, text, "21\n", by_key=True)
    wait_equal(lambda: read(app.editor), text, "text")


def terminal(app, clipboard):
    paste_and_run(app, clipboard, TERMINAL, "was missing", by_key=True)
    wait_equal(lambda: read(app.editor), COMMANDS, "text")


def page(app, clipboard):
    """A browser offers HTML as well."""
    paste_and_run(app, clipboard, 'print(6 * 7, "from a page")', "42 from a page", by_key=True, html=PAGE)


def answer(app, clipboard):
    paste_and_run(app, clipboard, ANSWER, "the sum is 7")
    app.wait_result("Finished normally")
    output = app.output()
    for part in ("[1] Shell, line 4", "Code saved to site/index.html", "[3] Python, line 17"):
        must(part in output, f"{part!r} is not in {output!r}")
    app.get("push button", lambda name: name.replace("\xa0", " ").endswith("stdout 13 bytes  ·  stderr 0 bytes"))
    wait_equal(lambda: read(app.editor), ANSWER, "text")
    app.get(name=lambda name: name.startswith("This is an answer with 3 code blocks"))
    app.screenshot("answer")
    press(app.get("page tab", "Files"))
    app.screenshot("answer-files")
    for file in ("site/index.html", "numbers.txt"):
        wait_for(lambda: find(app.root, name=lambda label: label and file in label), f"the file {file}")


def stops(app, clipboard):
    paste_and_run(app, clipboard, FAILS, "1 block after it did not run.")
    not_yet(lambda: "never" in app.output(), "the second block ran")


def refused(app, clipboard):
    """What it tried is told where it is looked for."""
    paste_and_run(app, clipboard, TRIES, "refused", by_key=True)
    tells_what_happened(app, ["Connect to 192.0.2.1:80"])


def javascript(app, clipboard):
    """Said in the fence, and known by itself."""
    if shutil.which("node") is None:
        raise Skip("no node")
    for text in (f"```js\n{JAVASCRIPT}```\n", JAVASCRIPT):
        paste_and_run(app, clipboard, text, "from node 42", by_key=True)
        app.wait_result("Finished normally.")


def plain(app, clipboard):
    paste_and_run(app, clipboard, PLAIN, "plain 120")


def traceback(app, clipboard):
    """It is no program, and that is what is said."""
    paste_and_run(app, clipboard, TRACEBACK, "SyntaxError")


def plot(app, clipboard):
    """A picture that the only block leaves is seen below what it prints: one paste, one key."""
    paste_and_run(app, clipboard, PLOT, "drawn")
    app.get("scroll pane", "Pictures of the program")
    app.get("push button", "plot.png")


def plots_in_an_answer(app, clipboard):
    """The same of one block among others."""
    paste_and_run(app, clipboard, PLOT + "\n```sh\nls\n```\n", "plot.png")
    app.get("push button", "plot.png")


def prose(app, clipboard):
    """Without code it is run as what it may be, and what Python says of it is shown."""
    paste_and_run(app, clipboard, PROSE, "SyntaxError")
    wait_equal(lambda: read(app.editor), PROSE, "the text")


def is_stopped(app, clipboard):
    paste_and_run(app, clipboard, "```sh\necho begun; sleep 60\n```\n\n```sh\necho next\n```\n", "begun")
    app.press("Stop")
    app.wait_output("1 block after it did not run.")
    wait_for(lambda: not app.is_running(), "the end")
    not_yet(lambda: "next" in app.output(), "the second block ran")


def first_start(app, clipboard):
    """The example gives way to what is pasted, and one undo more brings it back."""
    app.press("Try the First Run")
    example = wait_for(lambda: read(app.editor), "the example")
    app.wait_result("Finished normally")
    clipboard.copy(FENCE)
    app.key("ctrl+v")
    wait_for(lambda: read(app.editor) == 'print("from a fence")\n', "the code alone")
    app.key("ctrl+Return")
    app.wait_output("from a fence")
    app.wait_result("Finished normally")
    app.key("ctrl+z")
    wait_for(lambda: read(app.editor) == FENCE, "the whole text")
    app.key("ctrl+z")
    wait_for(lambda: read(app.editor) == example, "the example")


def never_unprotected(app, clipboard):
    """Its prose is no program: what stands in backticks there is not run, least of all without a guard."""
    secret = app.session.path("HOME") / "was-run"
    app.type("print(1)\n")
    wait_for(lambda: app.is_enabled("run-unprotected"), "a program may be run without protection")
    app.activate("run-unprotected")
    question = app.get("push button", lambda name: name.replace("_", "") == "Run Without Protection")
    app.type(f"Call `touch {secret}` first:\n\n```sh\necho one block\n```\n")
    wait_for(lambda: not app.is_enabled("run-unprotected"), "an answer may not")
    # The question was about another text.
    press(question)
    app.wait_gone(None, "Run Without Protection?")
    app.session.display.focus(app.window)
    app.run()
    app.wait_output("one block")
    app.wait_result("Finished normally")
    wait_for(lambda: not app.is_enabled("run-unprotected") and not app.is_enabled("run-without"), "no such way to run it")
    app.activate("run-unprotected")
    must(not secret.exists(), "the prose was run")


KINDS = {
    "a fence": fence,
    "an answer with three blocks": answer,
    "plain code": plain,
    "a traceback": traceback,
    "a session of Python": session,
    "commands in a terminal": terminal,
    "a page in a browser": page,
    "JavaScript": javascript,
    "a program that tries something": refused,
}
OTHERS = {
    "a block that fails": stops,
    "a picture": plot,
    "a picture in an answer": plots_in_an_answer,
    "prose without code": prose,
    "values that were typed": typed_values,
    "Stop": is_stopped,
    "without protection": never_unprotected,
}


def main():
    tap = Tap()
    with fresh_session() as screen, running(screen) as app:
        clipboard = Clipboard(screen.display.name)
        tap.case("the first start", first_start, app, clipboard)
        for name, case in KINDS.items():
            if tap.case(name, case, app, clipboard) and tap.case(f"{name}: what happened", tells_what_happened, app, ()):
                tap.note(f"from the paste of {name} to its output: {TIMES[-1]:.2f} s")
        for name, case in OTHERS.items():
            tap.case(name, case, app, clipboard)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
