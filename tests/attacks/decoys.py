# SPDX-License-Identifier: GPL-3.0-or-later
"""Decoys: a home with secrets, servers and a process that an attack would love to get at.

They are what attacks are tried on outside of the sandbox, and what must be untouched after all of them ran
inside. Nothing of the user's is ever the target.
"""

import contextlib
import hashlib
import os
import queue
import secrets
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from leftovers import Processes

# Anything an attack leaves on the host has this in its name.
MARK = "fumehood-attack"

# The name of what they make in System V's way, "FUME".
KEY = 0x46554D45

# What a mount of a sandbox is called, or where it is.
OF_A_SANDBOX = (MARK, "fumehood-run", " /workspace")

HOME_FILES = {
    ".ssh/id_rsa": "-----BEGIN OPENSSH PRIVATE KEY-----\n{secret}\n-----END OPENSSH PRIVATE KEY-----\n",
    ".ssh/authorized_keys": "",
    ".bashrc": "# {secret}\nalias ls='ls --color'\n",
    ".profile": "# {secret}\n",
    ".aws/credentials": "[default]\naws_secret_access_key = {secret}\n",
    ".config/autostart/readme.txt": "{secret}\n",
    ".mozilla/firefox/abc.default/cookies.sqlite": "SQLite format 3\0{secret}\n",
    ".gitconfig": "[user]\n\tname = {secret}\n",
    "project/.git/hooks/pre-commit": "#!/bin/sh\n# {secret}\n",
    "project/Makefile": "all:\n\techo {secret}\n",
    "bin/tool": "#!/bin/sh\necho {secret}\n",
    "modules/decoy_module.py": "SECRET = '{secret}'\n",
    ".cache/thumbnails/readme.txt": "{secret}\n",
    "Documents/letter.txt": "Dear {secret}\n",
}


def make_folder(purpose, home=None):
    """In the user's home, where the real ones are, or another; or where temporary files go."""
    home = home or Path.home()
    place = home if os.access(home, os.W_OK | os.X_OK) and home.stat().st_uid == os.getuid() else None
    return Path(tempfile.mkdtemp(prefix=f".{MARK}-{purpose}-", dir=place))


class Home:
    """A home with all that people have in theirs."""

    def __init__(self, secret, place):
        self.path = make_folder("home", place)
        self.secret = secret
        self.fill()

    def fill(self):
        for name, text in HOME_FILES.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.format(secret=self.secret), encoding="utf-8")
        (self.path / ".ssh/id_rsa").chmod(0o600)
        for name in ("bin/tool", "project/.git/hooks/pre-commit"):
            (self.path / name).chmod(0o755)
        # Not every file system has such attributes.
        with contextlib.suppress(OSError):
            os.setxattr(self.path / ".ssh/id_rsa", "user.note", self.secret.encode())

    def refill(self):
        """As new, after an attack was let at it."""
        self.remove()
        self.path.mkdir(mode=0o700)
        self.fill()

    def remove(self):
        subprocess.run(["chmod", "-R", "u+rwx", str(self.path)], check=False, capture_output=True)
        shutil.rmtree(self.path, ignore_errors=True)

    def snapshot(self):
        """Names with all that can be changed about them, except when they were last read."""
        found = {}
        for path in [self.path, *sorted(self.path.rglob("*"))]:
            info = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found[str(path.relative_to(self.path))] = (
                oct(info.st_mode), info.st_uid, info.st_gid, info.st_size, info.st_nlink, info.st_mtime_ns,
                info.st_ctime_ns, content, sorted(os.listxattr(path, follow_symlinks=False)))
        return found


class Environment:
    """A project that is its own virtual environment, as `python -m venv .` makes it, with settings beside it. As
    soon as a program runs in there a service of the host makes a socket in it, which goes when none does. In a busy
    one another service has had a socket and two pipes for long, deep in its folders."""

    def __init__(self, secret, servers, is_busy):
        self.path = make_folder("environment")
        self.python = str(self.path / "bin/python3")
        self.folder = self.path / "lib/python3/site-packages/service/run"
        self.folder.mkdir(parents=True)
        (self.path / "bin").mkdir()
        os.symlink(os.path.realpath("/usr/bin/python3"), self.python)
        (self.path / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n",
                                              encoding="ascii")
        (self.path / ".env").write_text(f"API_KEY={secret}\n", encoding="ascii")
        (self.path / ".git").mkdir()
        (self.path / ".git/config").write_text(f"token = {secret}\n", encoding="ascii")
        self.pipes = []
        # Here attacks that are going on are counted, and it is told that there are some.
        self.attacks = 0
        self.is_attacked = threading.Event()
        self.lock = threading.Lock()
        if is_busy:
            servers.add("deep", socket.socket(socket.AF_UNIX), str(self.folder / "agent.sock"))
            servers.watch("pipe", self._make_pipe("orders", os.O_RDONLY))
            os.write(self._make_pipe("words", os.O_RDWR), b"SECRET-words\n")
        threading.Thread(target=self._serve, args=(servers,), daemon=True).start()

    def _make_pipe(self, name, flags):
        os.mkfifo(self.folder / name)
        self.pipes.append(os.open(self.folder / name, flags | os.O_NONBLOCK))
        return self.pipes[-1]

    def attack(self, more):
        with self.lock:
            self.attacks += more
            (self.is_attacked.set if self.attacks else self.is_attacked.clear)()

    def is_used(self):
        """Whether a program runs that was started with this folder's Python, or has the folder among its arguments."""
        for name in os.listdir("/proc"):
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0") if name.isdigit() else []
            except OSError:
                continue
            if b"python" in os.path.basename(words[0] if words else b"") and any(
                    os.fsencode(self.path) in word for word in words):
                return True
        return False

    def _serve(self, servers):
        server, path = None, str(self.folder / "later.sock")
        while True:
            if server is None:
                self.is_attacked.wait()
            time.sleep(0.1)
            if self.is_used() == (server is not None) or not self.folder.is_dir():
                continue
            if server is None:
                server = servers.add("later", socket.socket(socket.AF_UNIX), path)
            else:
                servers.end(server, path)
                server = None

    def remove(self):
        for pipe in self.pipes:
            os.close(pipe)
        shutil.rmtree(self.path, ignore_errors=True)


class Servers:
    """Servers of several kinds that count connections and answer none."""

    def __init__(self, folder):
        self.counts = {}
        self._lock = threading.Lock()
        self._selector = selectors.DefaultSelector()
        tcp = self.add("tcp", socket.socket(), ("127.0.0.1", 0))
        self.tcp = tcp.getsockname()[1]
        udp = self.add("udp", socket.socket(type=socket.SOCK_DGRAM), ("127.0.0.1", 0))
        self.udp = udp.getsockname()[1]
        self.unix = str(folder / "agent.sock")
        self.add("unix", socket.socket(socket.AF_UNIX), self.unix)
        self.bus = str(folder / "bus")
        self.add("bus", socket.socket(socket.AF_UNIX), self.bus)
        self.datagram = str(folder / "log.sock")
        self.add("datagram", socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), self.datagram)
        self.display = f"/tmp/fh-decoy-{os.getpid()}"
        self.add("display", socket.socket(socket.AF_UNIX), self.display)
        self.abstract = f"{MARK}-{os.getpid()}"
        self.add("abstract", socket.socket(socket.AF_UNIX), "\0" + self.abstract)
        self._rounds = queue.SimpleQueue()
        ends = os.pipe()
        self._bell = ends[1]
        self._selector.register(ends[0], selectors.EVENT_READ, None)
        threading.Thread(target=self._serve, daemon=True).start()

    def add(self, name, server, address):
        server.bind(address)
        if server.type == socket.SOCK_STREAM:
            server.listen(64)
        server.setblocking(False)
        self.watch(name, server)
        return server

    def watch(self, name, server):
        with self._lock:
            self.counts.setdefault(name, 0)
        self._selector.register(server, selectors.EVENT_READ, name)

    def end(self, server, path):
        self._selector.unregister(server)
        server.close()
        os.unlink(path)

    def _serve(self):
        while True:
            ready, taken = self._selector.select(), 0
            rings = sum(len(os.read(key.fd, 1)) for key, _ in ready if key.data is None)
            for key, _ in ready:
                if key.data is None:
                    continue
                try:
                    if isinstance(key.fileobj, int):
                        if not os.read(key.fileobj, 1 << 16):
                            time.sleep(0.01)  # its writer has gone
                            continue
                    elif key.fileobj.type == socket.SOCK_STREAM:
                        client = key.fileobj.accept()[0]
                        client.sendall(b"decoy\n")
                        client.close()
                    else:
                        key.fileobj.recv(1 << 16)
                except OSError:
                    pass
                with self._lock:
                    self.counts[key.data] += 1
                taken += 1
            if rings:
                self._rounds.put(taken)

    def reached(self, expected=""):
        """How often each has been reached since the last call, without those that were not."""
        deadline = time.monotonic() + 20
        while expected and not self.counts[expected] and time.monotonic() < deadline:
            time.sleep(0.01)
        # The servers have counted all that came before this when they have gone round and found nothing more.
        while True:
            os.write(self._bell, b"x")
            if self._rounds.get() == 0:
                break
        with self._lock:
            reached = {name: count for name, count in self.counts.items() if count}
            self.counts = dict.fromkeys(self.counts, 0)
        return reached


class Host:
    """What else of the machine an attack could leave something in."""

    @staticmethod
    def snapshot():
        found = {}
        for place in ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock"):
            try:
                found[place] = sorted(name for name in os.listdir(place) if MARK in name)
            except OSError:
                continue
        for kind in ("shm", "msg", "sem"):
            try:
                lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
            except OSError:
                continue
            found[f"System V {kind}"] = [line for line in lines if line.split()[0] == str(KEY)]
        # Others may mount what they like meanwhile.
        found["mounts"] = sorted(line for line in Path("/proc/self/mountinfo").read_text().splitlines()
                                 if any(word in line for word in OF_A_SANDBOX))
        found["limits of names"] = [os.uname().nodename, Path("/proc/self/uid_map").read_text()]
        return found


class Decoys:
    """All of them together, and the words by which an attack names them. `place`: where the home is."""

    def __init__(self, place=None):
        self.secret = f"SECRET-{secrets.token_hex(12)}"
        self.folder = make_folder("session")
        for name in ("state", "cache", "config"):
            (self.folder / name).mkdir(mode=0o700)
        self.processes = Processes()
        self.home = Home(self.secret, place)
        self.servers = Servers(self.folder)
        self.project = Environment(self.secret, self.servers, False)
        self.busy = Environment(self.secret, self.servers, True)
        self.process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"],
                                        env=dict(os.environ, DECOY_TOKEN=self.secret))
        self.processes.known.add(self.process.pid)
        self.key = os.open(self.home.path / ".ssh/id_rsa", os.O_RDONLY)

    @contextlib.contextmanager
    def used_by(self, one):
        """While an attack goes on: to look for programs in an environment all the time would keep a machine busy."""
        used = [environment for name, environment in (("project", self.project), ("busy", self.busy))
                if name in one.arguments or f"{{{name}}}" in one.options]
        for environment in used:
            environment.attack(1)
        try:
            yield
        finally:
            for environment in used:
                environment.attack(-1)

    def revive(self):
        """The process, when an attack outside has killed it."""
        if self.process.poll() is not None:
            self.processes.known.discard(self.process.pid)
            self.process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"],
                                            env=dict(os.environ, DECOY_TOKEN=self.secret))
            self.processes.known.add(self.process.pid)

    def argument(self, name):
        return str({
            "home": self.home.path, "tcp": self.servers.tcp, "udp": self.servers.udp, "unix": self.servers.unix,
            "bus": self.servers.bus, "datagram": self.servers.datagram, "abstract": self.servers.abstract,
            "display": self.servers.display,
            "pid": self.process.pid, "uid": os.getuid(), "hostname": os.uname().nodename, "user": Path.home().name,
            "key": "SECRET-", "project": self.project.path, "busy": self.busy.path,
        }[name])

    def environment(self):
        """What a desktop session has, and a program under guard must not get."""
        kept = {name: value for name, value in os.environ.items() if name.startswith(("FH_", "ASAN", "LSAN", "UBSAN"))}
        for name in ("PATH", "LANG", "TMPDIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
            if name in os.environ:
                kept[name] = os.environ[name]
        return {
            **kept, "HOME": str(self.home.path), "LC_ALL": "C.UTF-8", "OPENAI_API_KEY": self.secret,
            "AWS_SECRET_ACCESS_KEY": self.secret, "SSH_AUTH_SOCK": self.servers.unix, "DISPLAY": ":97",
            "PYTHONPATH": str(self.home.path / "modules"), "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_CACHE_HOME": str(self.folder / "cache"), "XDG_CONFIG_HOME": str(self.folder / "config"),
        }

    def remove(self):
        self.process.kill()
        self.process.wait()
        os.close(self.key)
        os.unlink(self.servers.display)
        self.home.remove()
        self.project.remove()
        self.busy.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit("decoys.py is a module of the tests")
