# SPDX-License-Identifier: GPL-3.0-or-later
"""The window in every shape that people use, photographed: build/screenshots/*.png."""

import os
import sys
from pathlib import Path

from accessible import press, state
from fumehood import SCREENSHOTS, fresh_session, running
from tap import Tap, must
from waiting import wait_for

SHOWCASE = Path(__file__).parent / "showcase.py"
CURIOUS = Path(os.environ["FH_SOURCE_ROOT"]) / "data" / "exhibits" / "curious-code.py"
# Without the licence line, which no assistant would answer with.
PROGRAM = SHOWCASE.read_text(encoding="utf-8").split("\n", 1)[1]
CHAT = """Here is a helper that reads prices, and a program that uses it.

Create `prices.py`:

```python
def read(text):
    \"\"\"Pairs of a name and a price, one in each line.\"\"\"
    rows = (line.split(":") for line in text.splitlines())
    return {name: float(price) for name, price in rows}
```

Some data to try it with, as `prices.json`:

```json
{"text": "tea: 2.5\\ncoffee: 3.2"}
```

Now the program:

```python
import json
from prices import read

with open("prices.json") as file:
    found = read(json.load(file)["text"])
print("The dearest is", max(found, key=found.get))
```
"""
CELLS = """# %% Some prices
prices = {"tea": 2.5, "coffee": 3.2, "water": 1.1}
print(len(prices), "drinks")

# %% Their mean
from statistics import mean
average = mean(prices.values())
round(average, 2)

# %% The dearest
dearest = max(prices, key=prices.get)
f"{dearest} costs {prices[dearest] / average:.0%} of the mean"
"""
PICTURES = (
    "main", "past-runs", "answer", "session", "dark", "empty-light", "wide-light", "guards-light", "options-light", "history-light", "wide-dark",
    "history-contrast", "empty-narrow", "narrow-light", "history-narrow", "narrow-dark",
)


def finished_run(app):
    app.get("text", "Source code")
    app.run(PROGRAM)
    app.wait_result("Ended with exit code 1.")
    app.get("frame", lambda title: title.startswith("Counts primes"))


def shapes_of_a_wide_window(session):
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-light") as app:
        app.resize(1200, 760)
        app.screenshot("empty-light")
        finished_run(app)
        app.screenshot("wide-light")
        app.press("What protects you now")
        app.screenshot("guards-light")
        app.press("What protects you now")
        with app.options():
            app.screenshot("options-light")
        app.press("History")
        app.get("list item")
        app.screenshot("history-light")
        app.quit()


def for_the_front_page(session):
    """With its shadow as large as software centers show it, for someone who has a key: data/screenshots/main.png."""
    keys = session.path("HOME") / ".ssh"
    keys.mkdir(mode=0o700)
    (keys / "id_rsa").write_text("a key\n", encoding="ascii")
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-light") as app:
        app.resize(878, 578)
        app.get("text", "Source code")
        app.run(CURIOUS.read_text(encoding="utf-8").split("\n", 1)[1])
        app.wait_result("Finished normally.")
        app.key("ctrl+shift+a")
        app.get("label", "Connect to 1.1.1.1:443")
        app.screenshot("main", cutout=True)
        app.quit()


def for_software_centers(session):
    """The second picture there: data/screenshots/past-runs.png."""
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-light") as app:
        app.resize(878, 578)
        app.run("# Is the network really gone?\nimport socket\nsocket.create_connection(('example.com', 80))\n")
        app.wait_result("Ended with exit code 1.")
        finished_run(app)
        app.run("# What is the 100th prime?\nprint([n for n in range(2, 542) if all(n % d for d in range(2, n))][99])\n")
        app.wait_result("Finished normally.")
        app.press("History")
        app.get("list item")
        app.screenshot("past-runs", cutout=True)
        app.quit()


def an_answer(session):
    """The third picture in software centers: data/screenshots/answer.png."""
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-light") as app:
        app.resize(878, 578)
        app.run(CHAT)
        app.wait_result("Finished normally.")
        app.screenshot("answer", cutout=True)
        app.quit()


def a_session(session):
    """The fourth: data/screenshots/session.png."""
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-light") as app:
        app.resize(878, 578)
        app.type(CELLS)
        app.press("Use a Session")
        wait_for(lambda: any(state(app.get("push button", "Session"), name) for name in ("PRESSED", "CHECKED")), "session mode")
        app.run()
        app.wait_output("of the mean")
        app.wait_result("Finished normally.")
        app.key("ctrl+shift+v")
        app.get("label", "prices")
        app.screenshot("session", cutout=True)
        app.quit_session()


def in_the_dark(session):
    """The fifth: data/screenshots/dark.png."""
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark") as app:
        app.resize(878, 578)
        finished_run(app)
        app.screenshot("dark", cutout=True)
        app.quit()


def dark(session):
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark") as app:
        app.resize(1200, 760)
        finished_run(app)
        app.screenshot("wide-dark")
        app.quit()


def high_contrast(session):
    """And without motion, as the desktop's settings for accessibility ask for."""
    settings = session.path("XDG_CONFIG_HOME") / "gtk-4.0" / "settings.ini"
    settings.write_text(settings.read_text(encoding="utf-8") + "gtk-enable-animations=false\n", encoding="utf-8")
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark", ADW_DEBUG_HIGH_CONTRAST="1") as app:
        app.resize(1200, 760)
        finished_run(app)
        app.press("History")
        app.get("list item")
        app.screenshot("history-contrast")
        app.quit()


def narrow(session):
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-light") as app:
        app.resize(360, 640)
        app.screenshot("empty-narrow")
        finished_run(app)
        app.screenshot("narrow-light")
        app.press("History")
        app.get("list item")
        app.screenshot("history-narrow")
        app.quit()


def narrow_dark(session):
    with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark") as app:
        app.resize(360, 640)
        finished_run(app)
        app.screenshot("narrow-dark")
        app.quit()


def runs_while_narrow(session):
    with running(session) as app:
        app.resize(360, 640)
        app.run("import time; print('busy', flush=True); time.sleep(60)")
        app.wait_output("busy")
        press(app.get("push button", "Stop"))
        app.wait_result("Stopped by you.")
        app.quit()


LINES = "for n in range(300): print('line', n)\n"
ANSWER = f"First this:\n\n```python\n{LINES}```\n\nThen that:\n\n```python\nprint('the end')\n```\n"


def is_drawn(app):
    """Something is to be seen in the lower half of the window: a blank page has one color there."""
    app.settle()
    width, height, pixels = app.session.display.picture(app.window)
    row = len(pixels) // height
    half = pixels[row * (height // 2):]
    size = row // width
    return len({half[at:at + size] for at in range(0, len(half), size)}) > 8


def resized_elsewhere(session):
    """What was scrolled is drawn again after the window got another size while another tab was in front. GTK warns of
    each part that it was not told to lay out, and does not draw it."""
    answer = session.folder / "answer.md"
    answer.write_text(ANSWER, encoding="utf-8")
    with running(session, str(answer)) as app:
        app.resize(1390, 860)
        app.run()
        app.wait_result("Finished normally.")
        app.key("ctrl+t")
        for size in ((1120, 720), (1390, 860), (370, 640), (1120, 720)):
            app.key("alt+2")
            app.settle()
            app.resize(*size)
            app.settle()
            app.key("alt+1")
            app.settle()
            wait_for(lambda: is_drawn(app), "the page to be drawn")
            app.must_not_warn()
        app.quit()


def narrow_again(session):
    """A window that was left narrow, with a tab that is looked at only later."""
    error = session.folder / "error.py"
    answer = session.folder / "answer.md"
    error.write_text("1 / 0\n", encoding="utf-8")
    answer.write_text(ANSWER, encoding="utf-8")
    with running(session, str(error), str(answer)) as app:
        app.resize(370, 640)
        app.key("alt+1")
        app.settle()
        app.quit()
    with running(session) as app:
        wait_for(lambda: session.display.size(app.window)[0] == 370, "the narrow window")
        app.settle()
        app.key("alt+2")
        wait_for(lambda: is_drawn(app), "the page to be drawn")
        app.must_not_warn()
        app.quit()


def history_and_back(session):
    """The history comes and goes beside a session, faster than it slides."""
    with running(session) as app:
        app.resize(1120, 720)
        app.type("# %%\nfor n in range(300): print(n)\n# %%\nprint('the end')\n")
        app.press("Session")
        app.run()
        app.wait_output("the end")
        for _ in range(6):
            app.key("F9")
            app.settle()
        wait_for(lambda: is_drawn(app), "the window to be drawn")
        app.must_not_warn()
        app.quit()


def pictures_exist():
    missing = [name for name in PICTURES if not (SCREENSHOTS / f"{name}.png").exists()]
    must(not missing, f"no picture of {', '.join(missing)}")


def main():
    tap = Tap()
    for picture in PICTURES:
        (SCREENSHOTS / f"{picture}.png").unlink(missing_ok=True)
    for name, case in (
        ("1200 px, light", shapes_of_a_wide_window),
        ("1200 px, dark", dark),
        ("1200 px, high contrast without motion", high_contrast),
        ("the front page", for_the_front_page),
        ("past runs for software centers", for_software_centers),
        ("an answer for software centers", an_answer),
        ("a session for software centers", a_session),
        ("a dark window for software centers", in_the_dark),
        ("360 px, light", narrow),
        ("360 px, dark", narrow_dark),
        ("360 px are enough to run and stop", runs_while_narrow),
        ("resized while another tab is in front", resized_elsewhere),
        ("narrow, and another tab after a new start", narrow_again),
        ("the history comes and goes", history_and_back),
    ):
        with fresh_session() as session:
            tap.case(name, case, session)
    tap.case("the pictures are there", pictures_exist)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
