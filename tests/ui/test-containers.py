# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a program runs, chosen by keyboard: the image is looked for, pulled and missed with an engine that is played,
and, with --real, run with the one that DOCKER_HOST names."""

import os
import sys
import tempfile
from pathlib import Path

import containers
from accessible import find, get, state, write
from fumehood import PLACE, fresh_session, running
from tap import Tap, must
from waiting import wait_equal, wait_for

FAKE = Path(os.environ["FH_SOURCE_ROOT"]) / "tests" / "execution" / "fake-docker.py"
IMAGE = "python:3-slim"
PRESENT = "The image is on this computer"
MISSING = "The image will be pulled first"
TROUBLE = "No container engine available"
SIZES = ((1200, 760), (800, 600), (360, 640))


class Engine:
    """What the played engine has and does from now on."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.set("images", f"{IMAGE}\nplain:latest\n")
        self.set("pull", "works")

    def set(self, name, content=""):
        (self.folder / name).write_text(content, encoding="utf-8")

    def clear(self, name):
        (self.folder / name).unlink(missing_ok=True)

    def calls(self):
        path = self.folder / "calls"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    @property
    def variables(self):
        return {"FH_DOCKER": str(FAKE), "FH_PODMAN": "/nonexistent/podman", "FAKE_STATE": str(self.folder)}


def says(app, text):
    return find(app.root, None, lambda name: text in name) is not None


def wait_says(app, text, timeout=15):
    wait_for(lambda: says(app, text), f"“{text}”", timeout)


def options_shown(app):
    return find(app.root, "push button", "Container") is not None


def open_options(app):
    app.press(PLACE)
    wait_for(lambda: options_shown(app), "the options")


def close_options(app):
    app.key("Escape")
    wait_for(lambda: not options_shown(app), "the options to go")


def choose_container(app):
    app.tab_to("push button", "Container")
    app.key("space")
    wait_for(lambda: find(app.root, "list item", "Container Options"), "the other place")


def name_image(app, name):
    write(get(app.root, "text", "Image"), name)


def is_chosen_by_keyboard(app, engine):
    must(not engine.calls(), "an engine was asked, although no container was chosen")
    app.key("ctrl+shift+r")
    wait_for(lambda: options_shown(app), "the options")
    choose_container(app)
    wait_says(app, PRESENT)
    wait_says(app, "Docker 20.10.24")
    app.screenshot("container-present")
    close_options(app)
    wait_says(app, f"Run in: {IMAGE}")


def offers_images(app, _engine):
    open_options(app)
    app.tab_to("push button", "Container")
    app.key("Tab")
    app.key("Down")
    wait_for(lambda: find(app.root, "list item", "plain:latest"), "the suggestion")
    app.screenshot("container-suggestions")
    # It begins at what is typed.
    app.key("Down")
    app.key("Return")
    wait_says(app, "Run in: plain:latest")
    name_image(app, IMAGE)
    wait_says(app, PRESENT)
    close_options(app)


def pulls_an_image(app, engine):
    engine.set("pull", "slow")
    open_options(app)
    name_image(app, "busybox:1.36")
    wait_says(app, MISSING)
    app.screenshot("container-missing")
    app.press("Pull")
    wait_says(app, "layers")
    app.press("Cancel")
    wait_says(app, MISSING)
    engine.set("pull", "missing")
    app.press("Pull")
    wait_says(app, "manifest unknown")
    app.screenshot("container-pull-failed")
    engine.set("pull", "works")
    app.press("Try Again")
    wait_says(app, PRESENT)
    close_options(app)


def runs_here_instead(app):
    """Without an engine: what is the matter, and the way on."""
    app.run("print('not in a container')\n")
    app.wait_result("No container engine is available.")
    wait_says(app, "Docker is installed, but its service is not running.")
    wait_says(app, "The program was not started")
    app.screenshot("container-no-engine")
    app.press("Run on This Computer")
    app.wait_output("not in a container")
    app.wait_result("Finished normally.")
    app.wait_gone("push button", "Run on This Computer")
    wait_says(app, "Run in: This Computer")


def tells_what_is_wrong(app, engine):
    open_options(app)
    name_image(app, "Not An Image")
    wait_says(app, "“Not An Image”")
    app.screenshot("container-invalid")
    engine.set("down")
    name_image(app, "other")
    wait_says(app, TROUBLE)
    app.screenshot("container-trouble")
    close_options(app)
    runs_here_instead(app)
    open_options(app)
    choose_container(app)
    engine.clear("down")
    name_image(app, IMAGE)
    wait_says(app, PRESENT)
    close_options(app)


def gives_more(app, _engine):
    """What weakens the container is said where people look for it."""
    open_options(app)
    app.tab_to("list item", "Container Options")
    app.key("Return")
    app.tab_to("combo box", "Network")
    app.move_focus("Return")
    app.key("Down")
    app.key("Return")
    wait_says(app, "The container is given: the network “bridge”")
    app.tab_to("text", "Environment Variables")
    app.screenshot("container-options")
    write(get(app.root, "text", "Environment Variables"), "no value")
    wait_says(app, "“no value” is not a variable")
    write(get(app.root, "text", "Environment Variables"), "")
    close_options(app)
    app.press("What protects you now")
    wait_says(app, "The container is given: the network “bridge”")
    app.screenshot("container-shield")
    app.key("Escape")


def has_no_switch_without_meaning(app, _engine):
    with app.options():
        wait_says(app, "A container has its network in Container Options")
        network = get(app.root, "list item", lambda name: name == "Network")
        wait_for(lambda: not state(network, "SENSITIVE"), "the switch of the network not to be movable")
        app.screenshot("container-guards")


def is_remembered(app, _engine):
    """The tab comes back as it was; a new one begins anew."""
    app.activate("new-tab")
    wait_says(app, "Run in: This Computer")
    app.activate("close-tab")
    wait_says(app, f"Run in: {IMAGE}")


CASES = (
    ("a container is chosen by keyboard", is_chosen_by_keyboard),
    ("images of the engine are offered", offers_images),
    ("an image is pulled", pulls_an_image),
    ("what is wrong is told", tells_what_is_wrong),
    ("what a container is given is told", gives_more),
    ("switches without a meaning are off", has_no_switch_without_meaning),
    ("a tab has a place of its own", is_remembered),
)


def runs(app):
    open_options(app)
    choose_container(app)
    wait_says(app, PRESENT)
    close_options(app)
    app.run("import os\nprint('in', os.getcwd(), os.path.exists('/.dockerenv'))\n")
    app.wait_result("Finished normally.", 60)
    app.wait_output("in /workspace")
    wait_equal(app.output, "in /workspace True\n", "the output")
    wait_says(app, f"In a container: {IMAGE} (Docker)")
    app.screenshot("container-run")
    app.press("What protects you now")
    app.press("This Run")
    wait_says(app, "A container")
    app.screenshot("container-run-shield")
    app.key("Escape")


def containers_of(pid):
    """The names of those that a process has made: its number is a part of the owner."""
    words = ["ps", "--all", "--format", '{{.Names}} {{.Label "io.github.fumehood.owner"}}']
    lines = containers.call(*words).stdout.splitlines()
    return [line.split()[0] for line in lines if f".{pid}." in line]


def has_one_container(pid):
    """Beside the run's there can be one for a moment, which finds out what protects the next run."""
    wait_for(lambda: len(containers_of(pid)) == 1, "one container", 30)


def keeps(app):
    """What one run leaves is there in the next, until the container is restarted or removed with its tab."""
    open_options(app)
    app.tab_to("list item", "Keep the Container")
    app.key("Tab")
    app.key("Return")
    close_options(app)
    # Its output shows that this run has begun: the result of the one before reads the same.
    app.run("open('left.txt', 'w').write('still here')\nprint('written')\n")
    app.wait_output("written", timeout=60)
    app.wait_result("Finished normally.", 60)
    app.run("print(open('left.txt').read())\n")
    app.wait_output("still here", timeout=60)
    app.wait_result("Finished normally.", 60)
    has_one_container(app.pid)
    open_options(app)
    wait_says(app, "The container is ready")
    app.screenshot("container-kept")
    app.press("Stop and Remove the Container")
    wait_for(lambda: not containers_of(app.pid), "the container to go", 30)
    close_options(app)


def is_let_go(app):
    app.run("print('once more')\n")
    app.wait_output("once more", timeout=60)
    app.wait_result("Finished normally.", 60)
    has_one_container(app.pid)
    app.quit()
    wait_for(lambda: not containers_of(app.pid), "the container to go with the window", 30)


def dies(session, variables, keep):
    """The next start of anything of ours removes what a window that was killed has left."""
    with running(session, **variables) as app:
        if keep:
            open_options(app)
            app.tab_to("list item", "Keep the Container")
            app.key("Tab")
            app.key("Return")
            close_options(app)
        app.run("import time\nprint('on')\ntime.sleep(60)\n")
        app.wait_output("on", timeout=60)
        pid = app.pid
        has_one_container(pid)
        app.kill()
    with running(session, **variables) as app:
        app.run("print('next')\n")
        app.wait_output("next", timeout=60)
        wait_for(lambda: not containers_of(pid), "the container of the dead to go", 30)
        app.quit()
        wait_for(lambda: not containers_of(app.pid), "the container to go with the window", 30)


def one_that_waits(pid):
    """The container of a process in which an interpreter waits for its program."""
    for name in containers_of(pid):
        if "bootstrap.py" in containers.call("top", name, "-eo", "pid,args", check=False).stdout:
            return name
    return None


def is_made_ahead(variables):
    """While a person pauses; it is the run's, and if it never gets one it goes, also when the window is killed."""
    with fresh_session() as session:
        session.prepare_runs(True)
        with running(session, **variables) as app:
            app.resize(1200, 760)
            open_options(app)
            choose_container(app)
            wait_says(app, PRESENT)
            close_options(app)
            app.type("print('ahead')\n")
            name = wait_for(lambda: one_that_waits(app.pid), "an interpreter that waits", 30)
            app.run()
            app.wait_output("ahead", timeout=60)
            wait_for(lambda: name not in containers_of(app.pid), "its end, as it is used once", 30)
            wait_for(lambda: one_that_waits(app.pid), "the next one", 30)
            pid = app.pid
            app.kill()
        wait_for(lambda: one_that_waits(pid) is None, "the end of who waited", 30)
        with running(session, **variables) as app:
            app.type("print('next')\n")
            wait_for(lambda: one_that_waits(app.pid), "an interpreter that waits", 30)
            wait_for(lambda: not containers_of(pid), "the container of the dead to go", 30)
            app.quit()
            wait_for(lambda: not containers_of(app.pid), "the container to go with the window", 30)


def real_engine(tap):
    """The same with a real one, without which nothing is run."""
    cases = (("a program runs in a container", runs), ("a container is kept", keeps),
             ("the container goes with the window", is_let_go))
    # The last case kills one as well.
    ends = () if containers.IS_SHORT else (("a window is killed", False), ("a window that keeps its container is killed", True))
    ahead = "a container is made ahead"
    reason = containers.why_not()
    if reason is not None:
        for name in (*dict(cases + ends), ahead):
            if containers.must_work():
                tap.ok(False, name, [reason])
            else:
                tap.skip(name, reason)
        return
    variables = {"FH_DOCKER": containers.CLIENT, "FH_PODMAN": "/nonexistent/podman"}
    with fresh_session() as session:
        with running(session, **variables) as app:
            app.resize(1200, 760)
            for name, case in cases:
                tap.case(name, case, app)
        for name, keep in ends:
            tap.case(name, dies, session, variables, keep)
    tap.case(ahead, is_made_ahead, variables)


def comes_back(session, engine):
    with running(session, **engine.variables) as app:
        wait_says(app, f"Run in: {IMAGE}")
        open_options(app)
        wait_says(app, "The container is given: the network “bridge”")
        app.quit()


def shapes(session, engine, scheme):
    with running(session, ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}", **engine.variables) as app:
        app.resize(1200, 760)
        open_options(app)
        choose_container(app)
        wait_says(app, PRESENT)
        close_options(app)
        for width, height in SIZES:
            app.resize(width, height)
            open_options(app)
            app.screenshot(f"container-{width}-{scheme}")
            close_options(app)
            app.press("What protects you now")
            app.screenshot(f"container-shield-{width}-{scheme}")
            app.key("Escape")
        app.quit()


def main():
    tap = Tap()
    if "--real" in sys.argv:
        real_engine(tap)
        return tap.done()
    # A call of the fake engine may outlive its app for a moment, and write there.
    with tempfile.TemporaryDirectory(prefix="fumehood-engine-", ignore_cleanup_errors=True) as folder:
        engine = Engine(folder)
        with fresh_session() as session:
            with running(session, **engine.variables) as app:
                app.resize(1200, 760)
                for name, case in CASES:
                    tap.case(name, case, app, engine)
                tap.case("the app ends well", app.quit)
            tap.case("the place of a tab comes back", comes_back, session, engine)
        for scheme in ("light", "dark"):
            with fresh_session() as session:
                tap.case(f"every width has its shape, {scheme}", shapes, session, engine, scheme)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
