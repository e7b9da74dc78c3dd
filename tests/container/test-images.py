# SPDX-License-Identifier: GPL-3.0-or-later
"""Images are found, listed and pulled by a real engine, from a registry on the loopback address."""

import contextlib
import http.server
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import registry
from containers import PLAIN, PYTHON, at_length, call, chosen, must_work, why_not
from tap import Skip, Tap, equal, must, until

CLIENT = os.environ["FH_ENGINE_CLIENT"]
CTL = os.environ["FH_CTL"]
PODMAN = shutil.which("podman")
MIB = 1 << 20
TIMEOUT_S = 300

NO_IMAGE = "error fh_engine_error_quark:3 "
FAILED = "error fh_engine_error_quark:7 "


class Place:
    """All that the cases share, in a folder of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.registry = registry.Registry(self.folder)
        self.slow = registry.Line(self.registry.port, 3 * MIB)
        self.layers = [registry.Layer(size * MIB) for size in (1, 2, 3)]
        self.pulled = set()
        self.engine = "docker"
        self.environment = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache", "LANG": "C.UTF-8"}

    def close(self):
        for name in self.pulled:
            call("image", "rm", "--force", name, check=False)
        self.slow.close()
        self.registry.stop()

    def name(self, path, port=None):
        name = f"127.0.0.1:{port or self.slow.port}/{path}"
        self.pulled.add(name)
        return name

    def start(self, *words):
        return subprocess.Popen([CLIENT, words[0], self.engine, *words[1:]], env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def ask(self, *words):
        """Exit status and lines."""
        with self.start(*words) as process:
            try:
                text, _ = process.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return process.returncode, text.splitlines()

    def told(self, *words):
        status, lines = self.ask(*words)
        must(status == 0, f"{words}: {lines}")
        return lines

    def refused(self, *words):
        """The line of the error."""
        status, lines = self.ask(*words)
        must(status == 1 and lines and lines[-1].startswith("error "), f"{words}: {status} {lines}")
        return lines[-1]


def fractions(lines):
    return [float(line.split()[1]) for line in lines if line.startswith("progress ")]


def clients_of(name):
    """Clients that are busy with this image."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if b"pull" in words and name.encode() in words and CLIENT.encode() not in words:
                found.append(int(path.parent.name))
    return found


def stands_still(line):
    count = line.count
    time.sleep(0.5)
    return line.count == count


def check_pull(place, name, expected):
    lines = place.told("pull", name)
    steps = fractions(lines)
    must(any(0.2 < step < 0.8 for step in steps), f"nothing in between: {steps}")
    equal(steps, sorted(steps), "it went backwards")
    equal(steps[-1], 1.0, "the last fraction")
    texts = [line for line in lines if "of 3 layers (" in line]
    must(len({line for line in texts if "MB" in line or "MiB" in line}) > 3, f"no bytes are told: {texts}")
    must("3 of 3 layers (" in texts[-1], texts[-1])
    must(f"id {expected}" in lines, f"the id is not {expected}: {lines[-6:]}")
    must("architecture amd64" in lines and "system linux" in lines, f"{lines[-6:]}")
    must("environment WORD=here" in lines, f"{lines[-6:]}")


def progress(place):
    expected = place.registry.put("test/three", place.layers)
    check_pull(place, place.name("test/three"), expected)


def again(place):
    """It is there: nothing to do, and no error."""
    name = place.name("test/three")
    count = place.slow.count
    equal(fractions(place.told("pull", name))[-1], 1.0, "the last fraction")
    must(place.slow.count - count < MIB, "all of it came again")


def shared_layer(place):
    """What is here already does not come again, and is told as here."""
    expected = place.registry.put("test/four", [*place.layers, registry.Layer(MIB)])
    count = place.slow.count
    lines = place.told("pull", place.name("test/four"))
    must(f"id {expected}" in lines, f"{lines[-6:]}")
    must(any("3 of 4 layers" in line for line in lines), f"{lines}")
    must(place.slow.count - count < 2 * MIB, "all of it came again")


def found_and_listed(place):
    name = place.name("test/three")
    must("architecture amd64" in place.told("find", PYTHON), "the image of Python")
    lines = place.told("list")
    for wanted in (PYTHON, PLAIN, f"{name}:latest"):
        must(f"image {wanted}" in lines, f"{wanted} is not in {lines}")
    error = place.refused("find", "127.0.0.1:1/nowhere")
    must(error.startswith(NO_IMAGE), error)


def cancelled(place):
    """In the middle: the client is gone, nothing more comes, and there is no half image."""
    expected = place.registry.put("test/cancel", [registry.Layer(4 * MIB), registry.Layer(4 * MIB)])
    name = place.name("test/cancel")
    count = place.slow.count
    error = place.refused("pull", name, "Downloading")
    must(error.startswith("error g-io-error-quark:19 ") and "canceled" in error, error)
    equal(clients_of(name), [], "clients that are left")
    until(lambda: stands_still(place.slow), "the end of what comes")
    must(place.slow.count - count < 7 * MIB, f"{place.slow.count - count} bytes came, although it was canceled")
    must(place.refused("find", name).startswith(NO_IMAGE), "there is an image")
    must(f"id {expected}" in place.told("pull", name), "it cannot be pulled afterwards")


def owner_dies(place):
    """The process that pulls is killed: its client ends too."""
    place.registry.put("test/orphan", [registry.Layer(8 * MIB)])
    name = place.name("test/orphan")
    with place.start("pull", name) as process:
        for line in process.stdout:
            if fractions([line]) > [0.1]:
                break
        must(clients_of(name), "no client is there")
        process.send_signal(signal.SIGKILL)
    until(lambda: not clients_of(name), "the end of its client")


def missing(place):
    for path in ("test/three:nosuch", "test/nosuch"):
        error = place.refused("pull", place.name(path, place.registry.port))
        must(error.startswith(NO_IMAGE + "The registry has no such image."), error)
        must("said: “" in error and "unknown" in error, error)


def refused_connection(place):
    error = place.refused("pull", place.name("test/three", registry.free_port()))
    must(error.startswith(FAILED + "The registry refused the connection."), error)
    must("connection refused”" in error, error)


def other_machine(place):
    """It says so beforehand, or it is only seen afterwards."""
    place.registry.put_list("test/arm-list", [registry.Layer(1000)], "arm64")
    error = place.refused("pull", place.name("test/arm-list", place.registry.port))
    must(error.startswith(NO_IMAGE + "There is no such image for this architecture."), error)
    place.registry.put("test/arm", [registry.Layer(1000)], architecture="arm64")
    must("architecture arm64" in place.told("pull", place.name("test/arm", place.registry.port)), "its machine")


def bad_names(place):
    for name in ("--all-tags", "-q", "a b", "", "UPPER/case", "x:y:z"):
        error = place.refused("pull", name)
        must(error.startswith(FAILED + "That is not a valid image name"), f"{name}: {error}")


class Hostile(http.server.BaseHTTPRequestHandler):
    """A registry that says what a terminal or a window should not be shown."""

    def do_GET(self):
        text = b'{"errors": [{"code": "DENIED", "message": "\\u001b]0;x\\u0007\\u001b[2J\\u202e ' + b"y" * 20000 + b'"}]}'
        self.send_response(403)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


def hostile_words(place):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        error = place.refused("pull", place.name("test/three", server.server_address[1]))
    finally:
        server.shutdown()
        server.server_close()
    must(len(error) < 2000, f"{len(error)} characters")
    must(error.isprintable() and "\N{RIGHT-TO-LEFT OVERRIDE}" not in error, error)


def command_line(place):
    expected = place.registry.put("test/ctl", [registry.Layer(MIB)])
    name = place.name("test/ctl")
    answer = subprocess.run([CTL, "image", "pull", "--engine", "docker", name], env=place.environment, text=True,
                            capture_output=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S, check=False)
    equal(answer.returncode, 0, answer.stderr)
    must(f"id {expected}" in place.told("find", name), "it is not there")


class PodmanPlace(Place):
    """Rootless, with storage and settings of its own."""

    def __init__(self, place):
        self.__dict__.update(place.__dict__)
        self.pulled = set()
        self.engine = "podman"
        root = place.folder / "podman"
        root.mkdir()
        (root / "runtime").mkdir(mode=0o700)
        settings = {
            "CONTAINERS_CONF": ("containers.conf", '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n'),
            "CONTAINERS_STORAGE_CONF": ("storage.conf", f'[storage]\ndriver = "vfs"\nrunroot = "{root}/run"\n'
                                        f'graphroot = "{root}/storage"\nrootless_storage_path = "{root}/storage"\n'),
            "CONTAINERS_REGISTRIES_CONF": ("registries.conf", "".join(
                f'[[registry]]\nlocation = "127.0.0.1:{port}"\ninsecure = true\n'
                for port in (self.slow.port, self.registry.port))),
        }
        self.environment = {**self.environment, "XDG_RUNTIME_DIR": f"{root}/runtime"}
        for variable, (name, text) in settings.items():
            (root / name).write_text(text, encoding="ascii")
            self.environment[variable] = str(root / name)
        self.environment.pop("DOCKER_HOST", None)

    def podman(self, *words):
        return subprocess.run([PODMAN, *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=TIMEOUT_S, check=False)

    def why_not(self):
        if PODMAN is None:
            return "podman is not installed"
        status, lines = self.ask("probe")
        if status != 0 or "rootless 1" not in lines:
            return f"podman does not work rootless here: {lines[-1:]}"
        return None

    def close(self):
        self.podman("image", "rm", "--all", "--force")
        self.podman("unshare", "rm", "-rf", str(self.folder / "podman" / "storage"))


@at_length
def with_podman(place):
    podman = PodmanPlace(place)
    reason = podman.why_not()
    if reason:
        raise Skip(reason)
    try:
        expected = place.registry.put("test/podman", place.layers)
        name = podman.name("test/podman")
        error = podman.refused("pull", name, "Copying blob")
        must("canceled" in error, error)
        until(lambda: not clients_of(name), "the end of its client")
        must(podman.refused("find", name).startswith(NO_IMAGE), "there is an image")
        check_pull(podman, name, expected)
        must(f"image {name}:latest" in podman.told("list"), "it is not in the list")
        missing(podman)
    finally:
        podman.close()


CASES = {
    "a pull tells bytes, layers and what came": progress,
    "what is there comes at once": again,
    "a layer that is there does not come again": shared_layer,
    "images are found and listed": found_and_listed,
    "a pull is canceled in the middle": cancelled,
    "a pull ends with the process that started it": owner_dies,
    "an image that the registry does not have": missing,
    "a registry that refuses the connection": refused_connection,
    "an image for another kind of machine": other_machine,
    "what is no name of an image": bad_names,
    "words of a hostile registry": hostile_words,
    "a pull from the command line": command_line,
    "the same with podman": with_podman,
}


def main():
    tap = Tap()
    reason = why_not() or (None if registry.PROGRAM else "docker-registry is not installed")
    if reason:
        for name in CASES:
            if must_work():
                tap.ok(False, name, [reason])
            else:
                tap.skip(name, reason)
        return tap.done()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        try:
            for name, function in chosen(CASES).items():
                begin = time.monotonic()
                tap.case(name, function, place)
                tap.note(f"{time.monotonic() - begin:.1f} s")
        finally:
            place.close()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
