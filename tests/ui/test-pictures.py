# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program draws is seen: beside its output, among its files, and again after a restart. Decoding goes on in a
sandbox, whose end is nothing worse than a sentence."""

import base64
import importlib.util
import os
import re
import signal
import sys

import hostile_files
from accessible import extents, find_all, labelled_rows, names, read
from clipboard import Clipboard, paste
from fumehood import fresh_session, running
from measuring import command_name, descendants
from tap import Skip, Tap, equal
from waiting import wait_equal, wait_for

PLOT = """import matplotlib.pyplot as plt

rain = {"Jan": 52, "Feb": 41, "Mar": 48, "Apr": 39, "May": 61, "Jun": 70}
days = [17, 14, 15, 12, 14, 13]
plt.bar(rain.keys(), rain.values(), label="mm")
plt.plot(rain.keys(), days, "o-", color="tab:orange", label="days")
plt.title("Rain in half a year")
plt.legend()
plt.show()
print("drawn")
"""
ANSWER = """Here is a chart of your numbers. It compares the **rain** of each month with the number of rainy days:

```python
import matplotlib.pyplot as plt

months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
rain = [52, 41, 48, 39, 61, 70]
days = [17, 14, 15, 12, 14, 13]

figure, axis = plt.subplots(figsize=(7, 4))
axis.bar(months, rain, label="Rain in mm")
axis.plot(months, days, "o-", color="tab:orange", label="Days with rain")
axis.set_title("Rain in half a year")
axis.legend()
plt.tight_layout()
plt.show()
print(f"{sum(rain)} mm on {sum(days)} days")
```

### What it shows

- `axis.bar` draws the amounts,
- `axis.plot` draws the days above them.

If matplotlib is missing, install it with `pip install matplotlib`.
"""
BARS = b"\x1f\x77\xb4"
WRITES = """import base64
data = "%s"
with open("square.png", "wb") as file:
    file.write(base64.b64decode(data))
with open("table.csv", "w") as file:
    file.write("name,value\\nalpha,1\\n\\"be,ta\\",2\\n")
with open("page.html", "w") as file:
    file.write("<script>alert(1)</script>")
print("written")
"""
SLOW = """with open("slow.svg", "wb") as file:
    file.write(%r)
print("written")
"""
RED, BLUE = b"\xff\x00\x00", b"\x00\x00\xff"


def square(color, side=64):
    return hostile_files.png(side, side, b"\x00" + color * side)


def count(app, color):
    """Pixels of just this color on the screen, whose theme has none of it."""
    _, _, pixels = app.session.display.picture(app.window)
    # No color that is asked for overlaps with itself.
    return sum(match.start() % 3 == 0 for match in re.finditer(re.escape(color), pixels))


def wait_red(app, least=1000):
    wait_for(lambda: count(app, RED) >= least, "the picture", 20)


def wait_said(app, text, timeout=20):
    wait_for(lambda: any(text in said for said in names(app.root)), f"{text!r}", timeout)


def open_file(app, name):
    """From the list of files, by mouse."""
    app.click(wait_for(lambda: labelled_rows(app.root, name), name)[0])


def a_picture_is_beside_the_output(app):
    app.run(WRITES % base64.b64encode(square(RED)).decode())
    app.wait_output("written")
    app.wait_result("Finished normally.")
    app.get("push button", "square.png")
    wait_red(app)


def it_is_looked_at(app):
    app.press("square.png")
    wait_said(app, "64 × 64")
    app.get("push button", "Zoom in")
    wait_equal(lambda: count(app, RED), 64 * 64, "its own size")
    app.press("Zoom in")
    wait_for(lambda: count(app, RED) > 90 * 90, "one and a half times its size")
    app.press("Zoom in")
    wait_for(lambda: count(app, RED) > 135 * 135, "twice one and a half times its size")
    app.press("Own size")
    wait_for(lambda: count(app, RED) == 64 * 64, "its own size again")
    app.press("Zoom out")
    wait_for(lambda: 0 < count(app, RED) < 50 * 50, "a smaller one")
    app.press("Fit")
    app.press("Copy what is shown")
    wait_said(app, "Picture copied")
    data = paste(app.session.display.name, "image/png")
    equal((data[:8], data[16:24]), (b"\x89PNG\r\n\x1a\n", bytes([0, 0, 0, 64] * 2)), "what another program gets")
    app.press("All files")


def tables_and_html_are_text(app):
    open_file(app, "table.csv")
    wait_said(app, "be,ta")
    wait_said(app, "2 rows below the titles")
    app.screenshot("file-table")
    app.key("Escape")
    open_file(app, "page.html")
    view = app.get("text", "Text of the file")
    wait_for(lambda: read(view) == "<script>alert(1)</script>", "the source of the page")
    app.key("Escape")
    app.get("list item")


def it_has_the_room_of_the_output(app):
    """Where nothing was printed, also when the run is shown again."""
    app.key("ctrl+shift+o")
    app.run((WRITES % base64.b64encode(square(RED)).decode()).replace('print("written")\n', ""))
    app.wait_result("Finished normally.")
    app.get("label", "The program printed nothing")
    wait_for(lambda: extents(app.get("scroll pane", "Pictures of the program"))[3] > 2 * extents(app.get("text", "Output"))[3],
             "the larger part for the picture")
    app.run(WRITES % base64.b64encode(square(RED)).decode())
    app.wait_output("written")
    wait_for(lambda: extents(app.get("scroll pane", "Pictures of the program"))[3] < extents(app.get("text", "Output"))[3],
             "the larger part for the output")


def it_is_there_after_a_restart(session):
    with running(session) as app:
        app.press("History")
        rows = wait_for(lambda: labelled_rows(app.root), "the history")
        app.double_click(rows[0])
        wait_for(lambda: any(read(node) == "written\n" for node in find_all(app.root, "text", "Output")), "the output")
        wait_red(app)
        app.press("square.png")
        wait_said(app, "64 × 64")
        app.quit()


def plots_are_seen(session):
    if importlib.util.find_spec("matplotlib") is None:
        raise Skip("matplotlib is not installed")
    for scheme, width, height in (("light", 1200, 760), ("dark", 1200, 760), ("narrow", 420, 760)):
        with running(session, ADW_DEBUG_COLOR_SCHEME="prefer-dark" if scheme == "dark" else "default") as app:
            app.resize(width, height)
            app.run(PLOT)
            app.wait_result("Finished normally.", timeout=60)
            app.wait_output("drawn")
            app.get("push button", "figure-1.png")
            wait_for(lambda: count(app, BARS) > 100, "the bars", 30)
            app.screenshot(f"plot-{scheme}")
            app.press("figure-1.png")
            wait_said(app, " × ")
            app.screenshot(f"plot-file-{scheme}")
            app.quit()


def an_answer_plots(session):
    """One paste, one key, and the picture of its only block is there, and again after a restart."""
    if importlib.util.find_spec("matplotlib") is None:
        raise Skip("matplotlib is not installed")
    with running(session) as app:
        app.type("")
        Clipboard(session.display.name).copy(ANSWER)
        app.press("Paste an Answer")
        wait_for(lambda: "plt.show()" in read(app.editor), "the code")
        app.key("ctrl+Return")
        app.wait_output("311 mm on 85 days", timeout=60)
        app.wait_result("Finished normally.")
        see_chart(app, "answer-plot")
        app.quit()
    with running(session) as app:
        app.press("History")
        app.double_click(wait_for(lambda: labelled_rows(app.root), "the history")[0])
        wait_for(lambda: any("311 mm" in read(node) for node in find_all(app.root, "text", "Output")), "the output")
        see_chart(app, "answer-plot-again")
        app.quit()


def see_chart(app, name):
    app.get("push button", "figure-1.png")
    wait_for(lambda: count(app, BARS) > 1000, "the bars", 30)
    app.screenshot(name)


def decoder_of(app):
    """(decoder, its runner), or None. The process that is named like it may be init, which it came from."""
    for pid in descendants(app.pid):
        if command_name(pid).startswith("fumehood-decod"):
            return pid
    return None


def killed(app, find):
    """Kills what works on a picture that takes long, and expects a sentence."""
    app.run(SLOW % hostile_files.hostile("/")["filter.svg"][0])
    app.wait_result("Finished normally.")
    os.kill(wait_for(find, "the decoder", 20), signal.SIGKILL)
    wait_said(app, "This picture could not be shown.")
    # The next one is decoded as if nothing had been.
    app.run(WRITES % base64.b64encode(square(RED, 65)).decode())
    app.wait_result("Finished normally.")
    wait_red(app)


def the_decoder_is_killed(app):
    killed(app, lambda: decoder_of(app))


def its_runner_is_killed(app):
    def runner():
        decoder = decoder_of(app)
        if decoder is None:
            return None
        return next((pid for pid in descendants(app.pid) if command_name(pid).startswith("fumehood-runne") and
                     decoder in descendants(pid)), None)
    killed(app, runner)


def what_takes_too_long_ends(app):
    app.run(SLOW % hostile_files.hostile("/")["filter.svg"][0])
    app.wait_result("Finished normally.")
    wait_said(app, "This picture could not be shown.", 60)
    wait_for(lambda: decoder_of(app) is None, "the decoder to be gone")


def main():
    tap = Tap()
    with fresh_session() as session:
        with running(session) as app:
            for case in (a_picture_is_beside_the_output, it_is_looked_at, tables_and_html_are_text,
                         it_has_the_room_of_the_output):
                tap.case(case.__name__.replace("_", " "), case, app)
            app.quit()
        tap.case("it is there after a restart", it_is_there_after_a_restart, session)
    with fresh_session() as session:
        tap.case("plots are seen", plots_are_seen, session)
    with fresh_session() as session:
        tap.case("an answer plots", an_answer_plots, session)
    with fresh_session() as session:
        with running(session) as app:
            for case in (the_decoder_is_killed, its_runner_is_killed, what_takes_too_long_ends):
                tap.case(case.__name__.replace("_", " "), case, app)
            app.quit()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
