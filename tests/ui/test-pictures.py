# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program draws is seen: beside its output, among its files, and again after a restart. Decoding it goes on in a
sandbox, whose end is nothing worse than a sentence."""

import base64
import os
import signal
import sys
import zlib
from pathlib import Path

import hostile_files
from accessible import find, find_all, name_of, showing
from fumehood import fresh_session, running
from tap import Skip, Tap, equal, must
from waiting import wait_for

PLOT = """import matplotlib.pyplot as plt
from math import sin

xs = [x / 20 for x in range(200)]
for shift in range(4):
    plt.plot(xs, [sin(x + shift) / (shift + 1) for x in xs], label=f"sin(x + {shift})")
plt.title("Four waves")
plt.legend()
plt.show()
print("drawn")
"""
ONE = """import base64
open("square.png", "wb").write(base64.b64decode("%s"))
open("table.csv", "w").write("name,value\\nalpha,1\\n\\"be,ta\\",2\\n")
open("page.html", "w").write("<script>alert(1)</script>")
print("written")
"""


def square(side=64):
    return base64.b64encode(hostile_files.png(side, side, b"\x00" + b"\xff\x00\x00" * side)).decode()


def picture(app, name):
    return find(app.root, "image", lambda other: other == name)


def wait_picture(app, name):
    return wait_for(lambda: picture(app, name) is not None and showing(picture(app, name)), f"the picture {name}", 20)


def is_said(app, text):
    return any(text in name_of(label) and showing(label) for label in find_all(app.root, "label"))


def a_picture_is_beside_the_output(app):
    app.run(ONE % square())
    app.wait_output("written")
    app.wait_result("Finished normally.")
    wait_picture(app, "square.png")


def it_is_opened(app):
    app.press("square.png")
    wait_for(lambda: is_said(app, "64 × 64"), "its size")
    app.press("Zoom in")
    app.press("Own size")
    app.press("Fit")
    app.press("Copy what is shown")
    wait_for(lambda: is_said(app, "Picture copied"), "the toast")
    app.screenshot("picture-square")
    app.press("All files")


def tables_and_html_are_shown(app):
    for name, text in (("table.csv", "be,ta"), ("page.html", None)):
        row = wait_for(lambda: next((node for node in find_all(app.root, "list item")
                                     if any(name_of(label) == name for label in find_all(node, "label"))), None), name)
        app.click(row)
        if text:
            wait_for(lambda: is_said(app, text), text)
            app.screenshot("picture-table")
        else:
            view = app.get("text", "Text of the file")
            from accessible import read
            wait_for(lambda: read(view) == "<script>alert(1)</script>", "the source of the page")
        app.key("Escape")


def main():
    tap = Tap()
    with fresh_session() as session:
        with running(session) as app:
            for case in (a_picture_is_beside_the_output, it_is_opened, tables_and_html_are_shown):
                tap.case(case.__name__.replace("_", " "), case, app)
            app.quit()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
