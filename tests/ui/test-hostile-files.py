# SPDX-License-Identifier: GPL-3.0-or-later
"""A program leaves whatever could harm those who look at it: the window lists it, opens it and saves it, says what it does
not show, and touches nothing outside."""

import sys

import hostile_files
from accessible import Tree, children, find_all, get, name_of, parent, press, state, write
from fumehood import fresh_session, running
from measuring import Pulse
from tap import Tap, equal, must
from waiting import not_yet, wait_for

# Far more than are listed, and than a sandbox has room for.
MANY = 100000
BLUE = b"\x00\x00\xff"
# Seconds in which the window answers while it is told of all of them, beside other programs.
STALL = 3
NOT_SHOWN = "This picture could not be shown. "
STRANGE = ("two\\nlines.png", "\\u202egnp.exe", "--help.png", "<b>bold&amp;.svg")
LINKS = ("link.png", "link.svg", "link.txt", "everything", "link-to-itself.png")


def facts(path):
    status = path.stat()
    return status.st_mode, status.st_size, status.st_mtime_ns, path.read_bytes()


def leaves_all(app, witness):
    """The window answers meanwhile."""
    pulse = Pulse(app.pid)
    app.run(hostile_files.leftovers(str(witness), MANY))
    app.wait_result("Finished normally.", timeout=90)
    median, longest = pulse.stop()
    must(longest < STALL, f"the window did not answer for {longest:.2f} s, usually {median:.3f} s")
    app.wait_output("left\n")


def rows(app):
    """{name: description} of those in sight and near it: the others are made when they are scrolled to."""
    tree = Tree(app.get("list", "Files of the program"))
    said = [[tree.known[path][1] for path in tree.paths(row) if tree.known[path][0] == "label"]
            for row in tree.below[tree.path]]
    return {name: description for name, description in said}


def all_is_listed(app):
    """Under harmless names, as what it is; and what is missing is said."""
    press(app.get("page tab", "Files"))
    listed = wait_for(lambda: rows(app), "the files")
    app.screenshot("hostile-files")
    for name in LINKS:
        must(listed[name].startswith("A symbolic link; it was not followed"), f"{name}: {listed[name]}")
    for name in ("pipe.png", "socket.png"):
        must(listed[name].startswith("A pipe, a socket or a device"), f"{name}: {listed[name]}")
    must(listed["sparse.bin"].endswith("too large to keep"), f"sparse.bin: {listed['sparse.bin']}")
    must(any(name.startswith("d/" * 9) for name in listed), "nothing of the deep folders")
    expected = {*STRANGE, *hostile_files.hostile("/")}
    must(expected <= listed.keys(), f"missing: {expected - listed.keys()}")
    must(not any(sign in name for name in listed for sign in "\n\u202e"), f"a name is not harmless: {sorted(listed)}")
    app.get("label", lambda text: "are not listed" in text and int(text.split()[0]) > 10000)


def opened(said):
    """The texts of the page with one file, once it is shown, or why not."""
    texts = [name_of(label) for label in said]
    return texts if any(" × " in text or text.startswith(NOT_SHOWN) for text in texts) else None


def pictures_are_opened(app, outside):
    """By keyboard, one after the other. To leave those that take long is enough."""
    endings = {name: ending for name, (_, ending) in hostile_files.hostile(outside).items()}
    listed = rows(app)
    app.click(children(app.get("list", "Files of the program"))[0])
    said = find_all(parent(parent(app.get("push button", "All files"))), "label", hidden=True)
    app.key("Escape")
    for name in listed:
        if name in endings:
            app.key("Return")
            wait_for(lambda n=name: name_of(said[0]) == n, name)
            if name not in ("deep.svg", "filter.svg"):
                texts = wait_for(lambda: opened(said), f"{name} or why not", 30)
                must(endings[name] in ("any", "shown") or NOT_SHOWN in " ".join(texts), f"{name}: {texts}")
                must(endings[name] != "shown" or " × " in texts[1], f"{name}: {texts}")
            if name == "reaching.svg":
                app.screenshot("hostile-picture")
                not_yet(lambda: BLUE in app.session.display.picture(app.window)[2], "a file of this computer is shown")
            app.key("Escape")
        app.key("Down")
        if name == max(endings):
            break


def all_is_saved(app, folder):
    windows = len(children(app.root))
    app.press("Save all files")
    wait_for(lambda: len(children(app.root)) > windows, "the dialog")
    dialog = children(app.root)[-1]
    button = get(dialog, "push button", "Open")
    app.session.display.focus(app.session.display.windows()[-1])
    app.key("ctrl+l")
    write(get(dialog, "text", "GtkFileChooserEntry"), str(folder))
    wait_for(lambda: state(button, "SENSITIVE"), "the button of the dialog")
    press(button)
    # All that are listed but links, what is special, and what is too large.
    wait_for(lambda: sum(path.is_file() for path in folder.rglob("*")) == hostile_files.FILES_MAX - len(LINKS) - 3,
             "the files", 30)
    hostile_files.must_be_harmless(folder)


def main():
    tap = Tap()
    with fresh_session() as session:
        witness = session.folder / "witness.png"
        witness.write_bytes(hostile_files.png(64, 64, b"\x00" + BLUE * 64))
        folder = session.folder / "saved"
        folder.mkdir()
        before = facts(witness)
        with running(session) as app:
            tap.case("all is left", leaves_all, app, witness)
            tap.case("all is listed", all_is_listed, app)
            tap.case("pictures are opened", pictures_are_opened, app, str(witness))
            tap.case("all is saved", all_is_saved, app, folder)
            app.quit()
        tap.case("the witness is as before", equal, facts(witness), before, "the witness")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
