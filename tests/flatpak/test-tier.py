# SPDX-License-Identifier: GPL-3.0-or-later
"""Tier F for real: programs in sub-sandboxes of Flatpak's portal, how they end, and that nothing of them stays."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import flatpak_room
import local_runtime
from tap import Tap, equal, must

PATIENCE_S = 60
RUNNER = "/app/libexec/fumehood-runner"


def until(condition, what):
    """What a condition gives, as soon as it gives something."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.02)
    raise AssertionError(f"waited too long for {what}")


def read(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def words_of(pid):
    return read(pid, "cmdline").split("\0")


def parent_of(pid):
    return next((int(line.split()[1]) for line in read(pid, "status").splitlines() if line.startswith("PPid:")), 0)


def chain_of(pid):
    """A process and those above it, up to the outermost bubblewrap of its sandbox: (pid, first word)."""
    chain = []
    while pid > 1:
        chain.append((pid, os.path.basename(words_of(pid)[0])))
        pid = parent_of(pid)
        if chain[-1][1] == "bwrap" and os.path.basename(words_of(pid)[0]) != "bwrap":
            break
    return chain


def sleeper(token):
    """The process that sleeps for so many seconds, or None."""
    for name in os.listdir("/proc"):
        if name.isdigit() and words_of(name)[:2] == ["sleep", token]:
            return int(name)
    return None


def is_alive(pid):
    return "\nState:\tZ" not in read(pid, "status") and read(pid, "status") != ""


def make_extension(room, name, programs):
    """An extension of the SDK with programs of this computer, installed for the user of the room."""
    tree, repository = room.folder / name, room.folder / "extensions"
    (tree / "files" / "bin").mkdir(parents=True)
    for program, source in programs.items():
        shutil.copy(source, tree / "files" / "bin" / program)
    app = f"{local_runtime.EXTENSIONS}.{name}"
    (tree / "metadata").write_text(f"[Runtime]\nname={app}\n\n[ExtensionOf]\nref=runtime/{local_runtime.SDK}/"
                                   f"{local_runtime.architecture()}/{local_runtime.BRANCH}\n", encoding="ascii")
    room.call("ostree", "init", f"--repo={repository}", "--mode=bare-user-only")
    room.flatpak("build-export", "--runtime", "--files=files", "--disable-sandbox", repository, tree, local_runtime.BRANCH)
    room.flatpak("--user", "remote-add", "--no-gpg-verify", "extensions", repository)
    room.flatpak("--user", "install", "--assumeyes", "--noninteractive", "extensions", app)


class Tests:
    def __init__(self, room):
        self.room = room
        self.n = 0

    def save(self, source, suffix=".py"):
        self.n += 1
        path = self.room.data / f"program-{self.n}{suffix}"
        path.write_text(source, encoding="utf-8")
        return path

    def run(self, source, *options, suffix=".py", **process):
        answer = self.room.ctl("run", "--json", "--no-history", *options, self.save(source, suffix), **process)
        must(answer.stdout, f"{answer.returncode}: {answer.stderr}")
        result = json.loads(answer.stdout)
        equal(result["tier"], "F", result["sentence"])
        return result

    def sleep(self, *options, program="exec sleep {token} & sleep 2>/dev/null; exec sleep {token}"):
        """A run that goes on: its process, and the pids of its sandbox from the inside out."""
        token = str(7_000_000 + os.getpid() + 13 * self.n)
        path = self.save(program.format(token=token), ".sh")
        run = subprocess.Popen([*self.room.words("fumehoodctl"), "run", "--json", "--no-history", *options, str(path)],
                               env=self.room.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        chain = chain_of(until(lambda: sleeper(token), "the program's start"))
        names = [name for _, name in chain]
        must(names.count("bwrap") == 2 and "fumehood-runner" in " ".join(names), f"the sandbox is {names}")
        return run, chain, token

    def must_be_gone(self, chain, token):
        until(lambda: sleeper(token) is None and not any(is_alive(pid) for pid, _ in chain),
              f"the end of {[(pid, name) for pid, name in chain if is_alive(pid)]}")

    def runner_of(self, chain):
        """The one directly below the sandbox's first process."""
        names = [name for _, name in chain]
        return chain[names.index("bwrap") - 1][0]

    def test_guards(self):
        answer = json.loads(self.room.ctl("guards", "--json").stdout)
        equal(answer["tier"], "F", str(answer)[:400])
        levels = {guard["guard"]: guard["level"] for guard in answer["guards"]}
        must("unavailable" not in levels.values() and "off" not in list(levels.values())[:5], str(levels))
        reasons = {guard["guard"]: guard["reason"] for guard in answer["guards"]}
        equal((levels["system-calls"], reasons["system-calls"]), ("degraded", "in-flatpak"), "what is not reported is said")
        equal(self.room.folders_of_runs(), [], "folders after a probe")

    def test_without_the_network_guard(self):
        """There is still no network; the program may have sockets, and reaches itself."""
        result = self.run("import socket\n"
                          "server = socket.create_server(('127.0.0.1', 0))\n"
                          "socket.create_connection(server.getsockname()).close()\n"
                          "try: socket.create_connection(('192.0.2.1', 80), 5)\n"
                          "except OSError as error: print(error.strerror)\n", "--without", "network")
        equal(result["stdout"], "Network is unreachable\n", result["stderr"])
        network = next(guard for guard in result["guards"] if guard["guard"] == "network")
        equal((network["level"], network["reason"]), ("off", "in-flatpak"), str(network))

    def test_interpreters(self):
        """None of this computer, which may well have that path; those of the SDK's extensions when it is the runtime."""
        answer = self.room.ctl("run", "--no-history", "--interpreter", "/opt/bin/python3", self.save("print('ran')"))
        must(answer.returncode == 125 and "installed with Flatpak and sees only what" in answer.stderr, answer.stderr)
        make_extension(self.room, "words", {"words-sh": "/usr/bin/dash"})
        words = self.room.words("fumehoodctl", f"--runtime={local_runtime.SDK}")
        run = ["run", "--json", "--no-history", "--interpreter", "words-sh", self.save("echo $0 ran", ".sh")]
        result = json.loads(self.room.call(*words, *run, check=False).stdout)
        must(result["stdout"].endswith(" ran\n") and result["tier"] == "F", str(result)[:500])

    def test_containers(self):
        answer = self.room.ctl("run", "--no-history", "--container=python:3-slim", self.save("print('ran')"))
        equal((answer.returncode, answer.stdout), (125, ""), answer.stderr)
        must("who controls an engine controls this computer" in answer.stderr, answer.stderr)

    def test_run(self):
        result = self.run("import sys\nprint(6 * 7)\nprint('e', file=sys.stderr)\nsys.exit(3)")
        equal((result["stdout"], result["stderr"], result["exit_code"]), ("42\n", "e\n", 3), result["sentence"])
        equal(self.room.folders_of_runs(), [], "folders after a run")

    def test_standard_input(self):
        text = "line\n" * 30000
        path = self.save(text, ".txt")
        result = self.run("import sys\nprint(len(sys.stdin.read()))", "--stdin", path)
        equal(result["stdout"], f"{len(text)}\n", result["sentence"])
        equal(self.run("import sys\nprint(sys.stdin.read() == '')")["stdout"], "True\n", "no input")

    def test_files(self):
        result = self.run("import os\nos.mkdir('a'); open('a/b', 'w').write('x' * 1000)\nprint(os.listdir('.'))")
        equal([(file["path"], file["size"]) for file in result["files"]], [("a/b", 1000)], str(result["files"]))

    def test_limits(self):
        result = self.run("while True: pass", "--timeout", "1")
        equal((result["status"], result["timeout"]), ("timed-out", True), result["sentence"])
        result = self.run("x = []\nwhile True: x.append(bytearray(1 << 20))", "--memory", "64M")
        must(result["memory_exceeded"], result["sentence"])
        result = self.run("f = open('x', 'wb')\nfor i in range(100): open(str(i), 'wb').write(bytes(1 << 20))\n"
                          "import time; time.sleep(600)", "--disk-limit", "8M", "--timeout", "60")
        equal(result["status"], "disk-limit", result["sentence"])
        equal(self.room.folders_of_runs(), [], "folders after limits")

    def test_attempts(self):
        result = self.run("for path in ('/tmp/x', '/app/bin', '/proc/1/environ', '/.flatpak-info'):\n"
                          "    try: open(path, 'ab' if path == '/tmp/x' else 'rb')\n"
                          "    except OSError as error: print(error.strerror)\n")
        tried = {attempt["object"] for attempt in result["attempts"] if attempt["verdict"] == "denied"}
        must({"/tmp/x", "/app/bin", "/.flatpak-info"} <= tried, str(result["attempts"]))
        equal(set(result["stdout"].split("\n")) - {""}, {"Permission denied"}, "what it got")

    def test_no_way_to_the_portal(self):
        """Neither by the addresses of the buses, nor by what could be below them, nor by a socket at all."""
        result = self.run("""
import os, socket
print(sorted(name for name in os.environ if 'DBUS' in name or 'DISPLAY' in name or 'FLATPAK' in name))
for path in ('/run/flatpak/bus', '/run/dbus/system_bus_socket', f'/run/user/{os.getuid()}/bus', '/run/flatpak/at-spi-bus'):
    print(os.path.exists(path))
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
    try: socket.socket(family, socket.SOCK_STREAM)
    except OSError: print('no socket')
print(sorted(map(int, os.listdir('/proc/self/fd')))[:3] if os.access('/proc/self/fd', os.R_OK) else 'hidden')
""")
        lines = result["stdout"].splitlines()
        equal(lines[0], "[]", "variables")
        equal(lines[1:5], ["False"] * 4, "sockets of buses")
        equal(lines[5:9], ["no socket"] * 4, "sockets")
        witness = self.room.run("sh", "-c", "test -S /run/flatpak/bus && echo $DBUS_SESSION_BUS_ADDRESS")
        must("/run/flatpak/bus" in witness.stdout, f"the app itself has a bus: {witness.stdout}{witness.stderr}")

    def test_no_way_to_others(self):
        result = self.run("""
import os, signal
for pid in (1, 2, 3, os.getppid()):
    try: os.kill(pid, signal.SIGKILL)
    except PermissionError: print('refused')
try: os.kill(-1, signal.SIGSTOP)
except OSError: pass
print(os.getpid() < 10)
""")
        equal(result["stdout"], "refused\n" * 4 + "True\n", result["sentence"])

    def test_stop(self):
        run, chain, token = self.sleep()
        # Of fumehoodctl inside of the app: flatpak run is bubblewrap, which a signal would end.
        inside = until(lambda: [int(name) for name in os.listdir("/proc") if name.isdigit() and
                                words_of(name)[0] == "fumehoodctl" and token_file(words_of(name)) == str(self.save_path())],
                       "fumehoodctl")
        os.kill(inside[0], signal.SIGINT)
        result = json.loads(run.communicate(timeout=PATIENCE_S)[0])
        equal(result["status"], "stopped", result["sentence"])
        self.must_be_gone(chain, token)
        equal(self.room.folders_of_runs(), [], "folders")

    def save_path(self):
        return self.room.data / f"program-{self.n}.sh"

    def test_runner_killed(self):
        run, chain, token = self.sleep()
        os.kill(self.runner_of(chain), signal.SIGKILL)
        result = json.loads(run.communicate(timeout=PATIENCE_S)[0])
        equal(result["status"], "internal-error", result["sentence"])
        self.must_be_gone(chain, token)

    def test_app_killed(self):
        run, chain, token = self.sleep()
        inside = [int(name) for name in os.listdir("/proc") if name.isdigit() and
                  words_of(name)[0] == "fumehoodctl" and token_file(words_of(name)) == str(self.save_path())]
        equal(len(inside), 1, "fumehoodctl")
        os.kill(inside[0], signal.SIGKILL)
        run.communicate(timeout=PATIENCE_S)
        self.must_be_gone(chain, token)

    def test_portal_killed(self):
        """What cannot be killed any more must not go on; and the next run finds a new portal."""
        run, chain, token = self.sleep()
        portal = parent_of(chain[-1][0])
        equal(os.path.basename(words_of(portal)[0]), "flatpak-portal", "above the sandbox")
        os.kill(portal, signal.SIGKILL)
        result = json.loads(run.communicate(timeout=PATIENCE_S)[0])
        equal(result["status"], "internal-error", result["sentence"])
        must("portal" in result["error"], result["error"])
        self.must_be_gone(chain, token)
        equal(self.run("print('again')")["stdout"], "again\n", "the next run")


def token_file(words):
    return words[-2] if len(words) > 1 else ""


def main():
    tap = Tap()
    reason = flatpak_room.why_not()
    if reason is not None:
        if flatpak_room.must_work():
            tap.ok(False, "a room", [reason])
        else:
            tap.skip("tier F", reason)
        return tap.done()
    with flatpak_room.Room() as room:
        room.install()
        tests = Tests(room)
        wanted = sys.argv[1:]
        for name in dir(tests):
            if name.startswith("test_") and (not wanted or name in wanted):
                tap.case(name[len("test_"):].replace("_", " "), getattr(tests, name))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
