# SPDX-License-Identifier: GPL-3.0-or-later
"""What people know from other such apps: figures of a run, arguments, the time that is left, colors, progress bars,
the style and the size of the text."""

import re
import sys

from accessible import caret, extents, find_all, name_of, press, read, state
from fumehood import fresh_session, running
from tap import Tap, must
from waiting import wait_equal, wait_for

SLEEPS = "import time\nprint('on', flush=True)\ntime.sleep(60)\n"
OUTPUT = r"""import sys, time
for percent in (1, 50, 100):
    sys.stdout.write(f'\r{percent} %')
    sys.stdout.flush()
print('\n\x1b[31mred\x1b[0m and \x1b[1mbold\x1b[0m \x1b]0;title\x07')
"""


def shows_figures(app):
    app.run("print('x' * 9)\n")
    app.wait_result("Finished normally.")
    # They are folded up behind the time; their button has them as its name.
    press(app.get("push button", lambda name: name.startswith("Time") and "CPU" in name))
    figures = name_of(app.get("label", lambda name: name.startswith("Time")))
    must(re.fullmatch(r"Time [\d.]+ m?s · CPU [\d.]+ m?s · Peak memory [\d.]+ MiB · stdout 10 bytes · stderr 0 bytes",
                      " ".join(figures.split())), figures)


def takes_arguments(app):
    app.type("import sys\nprint(sys.argv[1:])\n")
    with app.options():
        entry = app.get("text", lambda name: name.replace("_", "") == "Arguments")
        entry.call("EditableText", "SetTextContents", "(s)", "one 'two three'")
    app.run()
    app.wait_output("['one', 'two three']")
    app.wait_result("Finished normally.")


def counts_down(app):
    app.run(SLEEPS)
    app.get("label", lambda name: re.match(r"\d+\.\d s of 30 s", name.replace("\xa0", " ")))
    app.get("progress bar")
    app.get("push button", "Figures of the run so far")
    wait_for(app.is_running, "Stop")
    app.key("shift+F5")
    app.wait_result("Stopped by you.")
    app.wait_gone("progress bar")


def understands_terminals(app):
    """Colors and lines that are written again; nothing else of a terminal."""
    app.run(OUTPUT)
    app.wait_result("Finished normally.")
    app.wait_output("red and bold")
    wait_equal(app.output, "100 %\nred and bold \n", "what is shown")
    # Looked at, as GTK 4.8 ends with a fault when it is asked for the color of a text.
    app.type("# Nothing here is red.\n")
    wait_for(lambda: has_red(app), "something red")


def has_red(app):
    app.settle()
    _, _, pixels = app.session.display.picture(app.window)
    return any(red > 150 and max(green, blue) < 80 for red, green, blue in zip(pixels[::3], pixels[1::3], pixels[2::3]))


def brightness(app):
    """Of the editor's ground, which fills its lower right corner."""
    x, y, width, height = extents(app.editor)
    display = app.session.display
    app.settle()
    left, _, top, _ = display.shadow(app.window)
    across, _, pixels = display.picture(app.window)
    at = 3 * ((top + y + height - 20) * across + left + x + width - 40)
    return sum(pixels[at:at + 3]) / 3


def goes_dark(app):
    """All of the window, the editor's colors included, as soon as it is preferred."""
    wait_for(lambda: brightness(app) > 200, "a bright window at the beginning")
    for style, is_dark in (("dark", True), ("light", False)):
        app.session.prefer_style(style)
        wait_for(lambda is_dark=is_dark: (brightness(app) < 100) == is_dark, f"the {style} style")


def ink_width(app):
    """How far the text of the code reaches, in pixels; its ground is bright."""
    x, y, width, height = extents(app.editor)
    display = app.session.display
    app.settle()
    left, _, top, _ = display.shadow(app.window)
    across, _, pixels = display.picture(app.window)
    furthest = 0
    for row in range(top + y, top + y + height // 2):
        begin = 3 * (row * across + left + x)
        line = pixels[begin:begin + 3 * (width - 40)]
        furthest = max(furthest, max((at for at in range(0, len(line), 3) if sum(line[at:at + 3]) < 300), default=0))
    return furthest // 3


def changes_the_size_of_the_text(app):
    app.type("M" * 20)
    before = wait_for(lambda: ink_width(app), "the text")
    app.key("ctrl+plus")
    app.key("ctrl+plus")
    wait_for(lambda: ink_width(app) * 100 > before * 112, "larger text")
    app.key("ctrl+0")
    wait_for(lambda: ink_width(app) == before, "text of the usual size")
    app.key("ctrl+minus")
    app.key("ctrl+minus")
    wait_for(lambda: ink_width(app) * 100 < before * 88, "smaller text")
    app.key("ctrl+0")
    wait_for(lambda: ink_width(app) == before, "the usual size again")


def type_keys(app, word):
    for key in word:
        app.key(key)


def has_keyboard(app, role, name):
    wait_for(lambda: any(state(node, "FOCUSED") for node in find_all(app.root, role, name)), f"the keyboard in {name}")


def searches_again(app):
    """The word of the last search is there, and what is typed replaces it."""
    app.type("run = 1\nprint(run)\n")
    app.run()
    app.wait_output("1")
    app.click(app.editor)
    for keys in ("ctrl+f", "ctrl+h"):
        for word in ("run", "pri"):
            app.key(keys)
            entry = app.get("entry", "Find")
            type_keys(app, word)
            wait_equal(lambda entry=entry: read(entry), word, f"what is looked for after {keys}")
            app.get("label", re.compile(r"\d of 2" if word == "run" else "1 of 1").fullmatch)
            app.key("Escape")
            has_keyboard(app, "text", "Source code")


def searches_the_output_again(app):
    """The same there; afterwards the keyboard is in the output, at the match."""
    app.run("for i in range(300):\n    print('line', i)\n")
    app.wait_output("line 299")
    for word in ("250", "120"):
        app.key("ctrl+shift+f")
        entry = app.get("entry", "Find in output")
        type_keys(app, word)
        wait_equal(lambda entry=entry: read(entry), word, "what is looked for")
        app.get("status bar", "1 of 1")
        app.key("Escape")
        has_keyboard(app, "text", "Output")
        view = app.get("text", "Output")
        wait_equal(lambda view=view: caret(view), read(view).index(word), "the cursor at the match")


def main():
    tap = Tap()
    with fresh_session() as session:
        with running(session) as app:
            tap.case("figures of a run", shows_figures, app)
            tap.case("arguments", takes_arguments, app)
            tap.case("the time that is left", counts_down, app)
            tap.case("colors, and lines that are written again", understands_terminals, app)
            tap.case("the last search is typed over", searches_again, app)
            tap.case("the same in the output, which has the keyboard afterwards", searches_the_output_again, app)
            tap.case("the dark style", goes_dark, app)
            tap.case("the size of the text", changes_the_size_of_the_text, app)
            app.quit()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
