# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of twice the size, in a wide and in a narrow window: all that can be pressed and read lies between the sides of
the window, and can be looked at: build/screenshots/large-text-*.png. Of the usual size it is also looked at in high contrast."""

import sys

from accessible import Node, Tree, extents, find_all, name_of, press, showing
from fumehood import fresh_session, running
from tap import Tap, must
from waiting import wait_equal, wait_for

PROGRAM = """import socket
for address in ("192.0.2.1", "192.0.2.2"):
    try:
        socket.create_connection((address, 80))
    except OSError as error:
        print("refused:", error)
print("a word " * 40)
1 / 0
"""
FAILED = "Ended with exit code 1."
ROLES = ("push button", "label")
# As wide as it may become where it is to be narrower: what 240 px are to text of the usual size.
NARROWEST = 480
# How tall a line of the program is, and how wide its number at least, where text has the usual size.
LINE, NUMBERS = 17, 26


class Look:
    """Looks at the window in one state after another."""

    def __init__(self, app, width):
        self.app, self.width = app, width
        app.resize(width, 700)

    def __call__(self, state):
        app = self.app
        app.screenshot(f"large-text-{self.width}-{state}")
        tree = Tree(app.root, exact=True)
        outside = []
        edge = app.session.display.size(app.window)[0]
        must(edge <= max(self.width, NARROWEST), f"the window became {edge} px wide")
        self._look(tree, app.root.path, edge, outside)
        must(not outside, "\n".join([f"beyond the {edge} px of the window:", *outside]))

    def _look(self, tree, path, edge, outside):
        """What can be scrolled may be beyond the edge, and so may what is only for a wider place: a squeezer shows one
        of its parts and leaves the others where they were."""
        role, name = tree.known.get(path, ("", ""))
        if role == "scroll pane" or name == "AdwSqueezer":
            return
        node = Node(tree.owner, path)
        if role in ROLES and showing(node):
            x, _, width, _ = extents(node)
            if x < 0 or x + width > edge:
                outside.append(f"{role} {name!r} from {x} to {x + width}")
        for child in tree.below.get(path, ()):
            if path == tree.path or showing(Node(tree.owner, child)):
                self._look(tree, child, edge, outside)


def finished(app):
    app.get("text", "Source code")
    app.run(PROGRAM)
    app.wait_result(FAILED)


def is_large(app):
    """The label of a button is at least half as tall again as usual."""
    height = extents(app.get("label", "Session"))[3]
    must(height > 28, f"a label is {height} px tall")


def shows_what_can_be_done(app, look):
    """The buttons of an empty tab are above the bar below it, and those of the header beside each other."""
    look("empty")
    below = extents(app.get("label", "Session"))[1]
    for name in ("Paste an Answer", "Open…", "Try the First Run"):
        wait_for(lambda name=name: sum(extents(app.get("push button", name))[1::2]) < below, f"“{name}” to be in sight")
    run, guards = extents(app.get("push button", "Run")), extents(app.get("push button", "What protects you now"))
    must(guards[0] - run[0] - run[2] < 24, "a gap behind the Run button")


def shows_a_run(app, look):
    """Lines of the result that were hidden before have all the room that they need, one below the other."""
    finished(app)
    look("run")
    parts = [app.get("status bar", FAILED), *(app.get("label", lambda name, begin=begin: name and name.startswith(begin))
                                              for begin in ("“ZeroDivisionError", "Blocked: Connect"))]
    for above, below in zip(parts, parts[1:]):
        wait_for(lambda above=above, below=below: extents(below)[1] >= extents(above)[1] + extents(above)[3], "lines apart")
    wait_for(lambda: look.width == 1000 or extents(parts[2])[3] > 60, "two lines of what was blocked")


def shows_attempts(app, look):
    app.key("ctrl+shift+a")
    app.get("label", "Connect to 192.0.2.1:80")
    look("attempts")
    app.key("ctrl+shift+o")


def shows_options(app, look):
    with app.options():
        app.resize(look.width, 640)
        app.screenshot(f"large-text-{look.width}-options")
        app.tab_to("list item", "Network")
        app.screenshot(f"large-text-{look.width}-options-guards")


def shows_the_history(app, look):
    app.key("F9")
    app.get("entry", "Search runs")
    look("history")
    app.key("F9")


def shows_a_notice(app, look):
    """Its button is below its text where both do not fit beside each other."""
    app.type("# %%\nprint(1)\n# %%\nprint(2)\n")
    button = app.get("push button", "Use a Session")
    text = next(node for node in find_all(app.root, "label") if "has cells" in name_of(node) and extents(node)[2] > 0)
    look("notice")
    wait_for(lambda: extents(text)[2] > look.width / 2, "room for the text")
    wait_equal(lambda: extents(button)[1] > extents(text)[1] + extents(text)[3] / 2, look.width == 360, "the button's place")


def luminance(color):
    """As the WCAG defines it."""
    parts = [part / 255 for part in color]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrasts_of_numbers(app):
    """How clear the number of each line of the program is."""
    x, y, _, _ = extents(app.editor)
    display = app.session.display
    app.settle()
    left, _, top, _ = display.shadow(app.window)
    across, _, pixels = display.picture(app.window)
    for line in range(PROGRAM.count("\n") + 1):
        begins = [3 * ((top + y + 8 + LINE * line + row) * across + left + x) for row in range(LINE - 4)]
        seen = [luminance(pixels[at:at + 3]) for begin in begins for at in range(begin + 6, begin + 3 * NUMBERS, 3)]
        yield (max(seen) + 0.05) / (min(seen) + 0.05)


def in_high_contrast(session, style):
    with running(session, ADW_DEBUG_COLOR_SCHEME=f"prefer-{style}", ADW_DEBUG_HIGH_CONTRAST="1") as app:
        app.resize(1000, 700)
        finished(app)
        app.key("ctrl+shift+a")
        app.get("label", "Connect to 192.0.2.1:80")
        app.screenshot(f"{style}-contrast")
        contrasts = list(contrasts_of_numbers(app))
        must(min(contrasts) >= 7, f"the numbers of lines are dim: {contrasts}")
        app.quit()


def main():
    tap = Tap()
    for width in (1000, 360):
        with fresh_session() as session:
            session.display.set_dpi(2 * 96)
            with running(session) as app:
                look = Look(app, width)
                tap.case(f"{width} px: the text is large", is_large, app)
                for name, case in (("an empty tab", shows_what_can_be_done), ("a run", shows_a_run), ("its attempts", shows_attempts),
                                   ("the options", shows_options), ("the history", shows_the_history),
                                   ("a notice with a button", shows_a_notice)):
                    tap.case(f"{width} px: {name}", case, app, look)
                app.quit()
    for style in ("light", "dark"):
        with fresh_session() as session:
            session.display.set_dpi(96)
            tap.case(f"{style} high contrast", in_high_contrast, session, style)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
