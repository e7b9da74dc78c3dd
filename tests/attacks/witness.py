# SPDX-License-Identifier: GPL-3.0-or-later
"""The witness: an ordinary process of the same user, outside of every sandbox, that no attack may disturb.

It repeats what desktop programs do, especially what the kernel limits per user or for the whole machine: it
passes descriptors, watches folders, makes pipes, sends through a TCP connection and a UDP socket, takes a lock,
opens files of the system and forks. One of those it has locked, as a reader. It reports each failure by name, with the time.

    python3 witness.py [FILES]    prints a line of JSON for each failure; FILES is its limit of descriptors

A line on standard input is answered with the same line after the next complete round.
"""

import ctypes
import fcntl
import json
import os
import resource
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time

# The usual limit.
FILES = 1024
PIPE_BYTES = 65536
SYSTEM_FILE = "/usr/bin/env"
PAUSE = 0.05
# Far longer than a busy machine takes.
SLOW = 20

libc = ctypes.CDLL(None, use_errno=True)


def answer_of(result, name):
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result


class Rounds:
    """The checks, in the process that is the witness."""

    def __init__(self):
        self.left, self.right = socket.socketpair()
        self.file = tempfile.TemporaryFile()  # pylint: disable=consider-using-with
        self.held = None
        # Several witnesses can have it at the same time.
        self.locked = os.open(SYSTEM_FILE, os.O_RDONLY)
        fcntl.flock(self.locked, fcntl.LOCK_SH | fcntl.LOCK_NB)
        self.udp = socket.socket(type=socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.udp.settimeout(SLOW)

    def descriptors(self):
        """Receives what it sent, so nothing stays in flight."""
        socket.send_fds(self.left, [b"x"], [self.file.fileno()])
        os.close(socket.recv_fds(self.right, 1, 1)[1][0])

    def inotify(self):
        watcher = answer_of(libc.inotify_init1(os.O_CLOEXEC), "inotify_init1")
        try:
            answer_of(libc.inotify_add_watch(watcher, b"/tmp", 2), "inotify_add_watch")
        finally:
            os.close(watcher)

    def pipes(self):
        ends = os.pipe()
        try:
            size = fcntl.fcntl(ends[0], fcntl.F_GETPIPE_SZ)
        finally:
            os.close(ends[0])
            os.close(ends[1])
        if size != PIPE_BYTES:
            raise OSError(0, f"a new pipe has {size} bytes")

    def connect(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            client = socket.create_connection(server.getsockname(), timeout=SLOW)
            self.held = (client, server.accept()[0])
        self.held[1].settimeout(SLOW)

    def tcp(self):
        """Uses one connection; makes a new one only after a failure."""
        if self.held is None:
            self.connect()
        try:
            self.held[0].sendall(b"x" * 4096)
            left = 4096
            while left > 0:
                part = len(self.held[1].recv(left))
                if part == 0:
                    raise ConnectionError("the connection was closed")
                left -= part
        except OSError:
            for one in self.held:
                one.close()
            self.held = None
            raise

    def datagrams(self):
        self.udp.sendto(b"x" * 512, self.udp.getsockname())
        self.udp.recv(512)

    def locks(self):
        fcntl.lockf(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(self.file, fcntl.LOCK_UN)

    def opens(self):
        for path in (SYSTEM_FILE, "/dev/null"):
            os.close(os.open(path, os.O_RDONLY))

    def processes(self):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)

    def one(self):
        for check in (self.descriptors, self.inotify, self.pipes, self.tcp, self.datagrams, self.locks,
                      self.opens, self.processes):
            try:
                check()
            except OSError as error:
                say({"name": check.__name__, "at": time.monotonic(), "fault": str(error)})


def say(line):
    print(json.dumps(line), flush=True)


def be_witness(files):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, hard), hard))
    rounds = Rounds()
    asked = []
    while True:
        # Only a complete round after the question answers it.
        rounds.one()
        for word in asked:
            say({"answer": word})
        asked = []
        if select.select([sys.stdin], [], [], PAUSE)[0]:
            words = os.read(0, 65536).decode("ascii").split()
            if not words:
                return 0
            asked = words


class Witness:
    """The tests' side. Several threads may ask."""

    def __init__(self, files=FILES):
        words = [sys.executable, os.path.abspath(__file__), str(files)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        self._changed = threading.Condition()
        self._faults = []
        self._answers = set()
        self._asked = 0
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self):
        for line in self.process.stdout:
            told = json.loads(line)
            with self._changed:
                if "answer" in told:
                    self._answers.add(told["answer"])
                else:
                    self._faults.append(told)
                self._changed.notify_all()

    def noticed(self, since, patience=30.0):
        """What has failed since that time (of time.monotonic): a dictionary of names and first reasons.

        Waits for one more complete round; "starved" if there is none.
        """
        with self._changed:
            self._asked += 1
            word = str(self._asked)
            try:
                self.process.stdin.write(word + "\n")
                self.process.stdin.flush()
            except (OSError, ValueError):
                return {"killed": f"the witness ended: {self.process.wait()}"}
            came = self._changed.wait_for(lambda: word in self._answers, patience)
            self._answers.discard(word)
            faults = [one for one in self._faults if one["at"] >= since]
        found = {}
        for one in faults:
            found.setdefault(one["name"], one["fault"])
        if not came:
            found["starved"] = f"the witness did not get round within {patience} s"
        return found

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


if __name__ == "__main__":
    sys.exit(be_witness(int(sys.argv[1]) if len(sys.argv) > 1 else FILES))
