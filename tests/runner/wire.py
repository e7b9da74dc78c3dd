# SPDX-License-Identifier: GPL-3.0-or-later
"""The backend's side of src/wire, for tests: starts a runner and speaks its frames."""

import contextlib
import os
import signal
import socket
import struct
import subprocess
import time

from tap import PATIENCE

POLICY, FILE, RUN, STOP, INPUT, PREPARE, REPLY, HAND_ON, PROGRAM = range(1, 10)
(GUARDS, STARTED, OUTPUT, USAGE, GUEST, FINISHED, ATTEMPT, ATTEMPTS_DROPPED, RESULT_FILE,
 RESULT_PIECE, RESULTS_END, RETIRED, WAITING) = range(16, 29)

(PROBE, GUEST_CHANNEL, SCOPE, COLLECT, SHARED_WORKSPACE, SEALED_PROGRAM, NO_SOCKETS, OLD_PORTAL, TELL_GONE,
 PROJECT, INPUT_STAYS, TYPED_INPUT, STAYS) = (1 << bit for bit in range(13))
TIER_A, TIER_A2, TIER_F, TIER_B, UNPROTECTED, TIER_D = range(6)
WATCH_OFF, WATCH_ATTEMPTS, WATCH_FILES = range(3)
SINGLE, FORKED, KEPT = range(3)

STATUS = [
    "exited", "signalled", "timed-out", "memory", "output-limit", "disk-limit", "process-limit",
    "violation", "stopped", "not-started", "setup-failed", "internal",
]
CAUSE = ["", "wall", "cpu", "certain", "likely", "sockets", "locks", "descriptors", "pipes", "channel",
         "itself", "said", "open", "unseen", "processes"]
GUARD = [
    "filesystem", "network", "processes", "system-calls", "privileges", "memory", "time", "disk",
    "output", "environment",
]
VERDICT = ["denied", "hidden", "limited", "observed"]
FILE_REGULAR, FILE_REMOVED, FILE_FOLDER, FILE_LINK = range(4)
FILE_KIND = ["file", "link", "special", "gone", "folder"]
LEVEL = ["active", "degraded", "unavailable", "off"]

MIB = 1 << 20
PIECE_MAX = 200 * 1024

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/workspace",
    "LANG": "C.UTF-8",
    "TMPDIR": "/tmp",
}


def _bytes(data):
    if isinstance(data, str):
        data = os.fsencode(data)
    return struct.pack("<I", len(data)) + data


def _strings(strings):
    return struct.pack("<I", len(strings)) + b"".join(_bytes(s) for s in strings)


def frame(kind, payload=b""):
    return struct.pack("<IHH", len(payload), kind, 0) + payload


def policy(argv, flags=0, wall_ms=100000, cpu_ms=0, memory=512 * MIB, disk=64 * MIB,
           output=64 * MIB, processes=64, open_files=0, env=None, binds=(), version=16,
           tier=TIER_A, watch=WATCH_ATTEMPTS, without=(), home="", allow_hosts=(), proofs=(), proof_kernel="",
           kind=SINGLE, preload=(), cwd=""):
    """As a backend writes it: a guard that is switched off has no limits."""
    env = ENVIRONMENT if env is None else env
    if "time" in without:
        wall_ms = cpu_ms = 0
    if "output" in without:
        output = 0
    if "memory" in without or tier == UNPROTECTED:
        memory = 0
    if "disk" in without or tier == UNPROTECTED:
        disk = 0
    if tier == UNPROTECTED:
        processes = 0
    payload = struct.pack("<IIQQQQQII", version, flags, wall_ms, cpu_ms, memory, disk, output,
                          processes, open_files)
    payload += struct.pack("<BBBI", tier, watch, kind, sum(1 << GUARD.index(name) for name in without))
    payload += _bytes(home) + _strings(allow_hosts)
    payload += _strings(argv)
    payload += _strings([f"{name}={value}" for name, value in env.items()])
    payload += _strings(preload)
    payload += struct.pack("<I", len(binds))
    for source, target, *is_copy in binds:
        payload += _bytes(source) + _bytes(target) + struct.pack("<B", *is_copy or [0])
    payload += struct.pack("<I", len(proofs))
    for path, device, inode in proofs:
        payload += _bytes(path) + struct.pack("<QQ", device, inode)
    payload += _bytes(proof_kernel)
    payload += _bytes(cwd)
    return frame(POLICY, payload)


def removed(name):
    """A file of the project folder that is not to be there."""
    return file_piece(name, b"", kind=FILE_REMOVED)


def file_piece(name, data, kind=0, is_in_tmp=False, mode=0, modified_us=0):
    return frame(FILE, _bytes(name) + struct.pack("<BBIQ", kind, is_in_tmp, mode, modified_us) + _bytes(data))


def file_pieces(name, data, **facts):
    if data is None:
        return removed(name)
    pieces = [data[at:at + PIECE_MAX] for at in range(0, len(data), PIECE_MAX)] or [b""]
    return b"".join(file_piece(name, piece, **facts) for piece in pieces)


def input_pieces(data):
    return b"".join(frame(INPUT, data[at:at + PIECE_MAX]) for at in range(0, len(data), PIECE_MAX))


class Attempt:
    """One kind of attempt, as it was last told."""

    def __init__(self, payload):
        head = "<IIBBIiQI"
        (self.id, self.count, guard, verdict, flags, self.error, self.time_us,
         self.process) = struct.unpack_from(head, payload)
        self.guard, self.verdict = GUARD[guard], VERDICT[verdict]
        self.exists_outside, self.is_uncertain, self.is_missing, self.ended_run = (bool(flags & 1 << i) for i in range(4))
        at = struct.calcsize(head)
        texts = []
        for _ in range(4):
            (size,) = struct.unpack_from("<I", payload, at)
            texts.append(os.fsdecode(payload[at + 4:at + 4 + size]))
            at += 4 + size
        if at != len(payload):
            raise ValueError("not an attempt")
        self.layer, self.operation, self.object, self.command = texts

    def news(self):
        return self.count, self.exists_outside, self.is_missing

    def __repr__(self):
        outside = " exists-outside" if self.exists_outside else " missing" if self.is_missing else ""
        return (f"<{self.verdict} {self.guard}/{self.layer} {self.operation!r} {self.object!r} "
                f"errno={self.error} {self.count}x {self.command}[{self.process}]{outside}>")


class ResultFile:
    """One file that the program left."""

    def __init__(self, kind, flags, mode, modified_us, size):
        self.kind = FILE_KIND[kind]
        self.is_program, self.is_changed, self.has_content, self.is_in_tmp = (bool(flags & 1 << i) for i in range(4))
        self.mode, self.modified_us = mode, modified_us
        self.size = size
        self.content = b""

    def __str__(self):
        return f"{self.kind} of {self.size}, {len(self.content)} bytes came"


class Result:
    """Everything one runner said."""

    def __init__(self):
        self.guards = None
        self.started = False
        self.output = []
        self.usage = []
        self.waiting = []
        self.guest = []
        self.attempts = {}
        self.attempts_dropped = 0
        self.files = {}
        self.folders = set()        # in which there is nothing
        self.files_missing = None
        self.is_partly_handed_on = False
        self.finished = False
        self.status = None
        self.exit_status = None
        self.runner_stderr = b""

    def stream(self, number):
        return b"".join(data for stream, _, data in self.output if stream == number)

    @property
    def stdout(self):
        return self.stream(1)

    @property
    def stderr(self):
        return self.stream(2)

    def __str__(self):
        if not self.finished:
            return f"no FINISHED, exit status {self.exit_status}, {self.runner_stderr!r}"
        return (f"{self.status} {self.cause} exit={self.exit_code} signal={self.signal} "
                f"step={self.step!r} errno={self.error} wall={self.wall_us / 1e6:.3f} "
                f"cpu={(self.user_us + self.system_us) / 1e6:.3f} "
                f"peak={self.memory_peak / MIB:.1f}MiB processes={self.processes_peak} "
                f"stdout={self.stdout[-300:]!r} stderr={self.stderr[-600:]!r}")

    def take(self, kind, payload):
        if kind == GUARDS:
            self.guards = self._guards(payload)
        elif kind == STARTED:
            self.started = True
        elif kind == OUTPUT:
            if not self.started:
                raise ValueError("output of a run that has not begun")
            stream, when = struct.unpack_from("<BQ", payload)
            self.output.append((stream, when, payload[9:]))
        elif kind == USAGE:
            self.usage.append(struct.unpack("<QQQI", payload))
        elif kind == WAITING:
            self._waiting(payload)
        elif kind == GUEST:
            self.guest.append(payload)
        elif kind == ATTEMPT:
            self._attempt(payload)
        elif kind == ATTEMPTS_DROPPED:
            (self.attempts_dropped,) = struct.unpack("<Q", payload)
        elif kind == RESULT_FILE:
            self._result_file(payload)
        elif kind == RESULT_PIECE:
            self._last_file.content += payload
        elif kind == RESULTS_END:
            *self.files_missing, self.is_partly_handed_on = struct.unpack("<IB?", payload)
            self.files_missing = tuple(self.files_missing)
        elif kind == FINISHED:
            self._finish(payload)
        else:
            raise ValueError(f"a frame of kind {kind}")

    def _waiting(self, payload):
        (is_waiting,) = struct.unpack("<?", payload)
        if not self.started or is_waiting == bool(self.waiting and self.waiting[-1]):
            raise ValueError("that was not news")
        self.waiting.append(is_waiting)

    def _attempt(self, payload):
        attempt = Attempt(payload)
        before = self.attempts.get(attempt.id)
        if before is None and attempt.id != len(self.attempts):
            raise ValueError("the numbers of attempts have a gap")
        if before is not None and before.news() >= attempt.news():
            raise ValueError("an attempt was told again for nothing")
        self.attempts[attempt.id] = attempt

    @staticmethod
    def _guards(payload):
        guards, at = {}, 1
        for _ in range(payload[0]):
            guard, level = payload[at], payload[at + 1]
            at += 2
            texts = []
            for _ in range(2):
                (size,) = struct.unpack_from("<I", payload, at)
                texts.append(payload[at + 4:at + 4 + size].decode())
                at += 4 + size
            guards[GUARD[guard]] = (LEVEL[level], *texts)
        return guards

    def _result_file(self, payload):
        (length,) = struct.unpack_from("<I", payload)
        path = payload[4:4 + length]
        self._last_file = ResultFile(*struct.unpack_from("<BIIQQ", payload, 4 + length))
        if self._last_file.is_in_tmp:
            path = b"/tmp/" + path
        if path in (self.folders if self._last_file.kind == "folder" else self.files):
            raise ValueError(f"{path!r} was told twice")
        if self._last_file.kind == "folder":
            self.folders.add(path)
        else:
            self.files[path] = self._last_file

    def _finish(self, payload):
        head = "<BBiiQQQQIII?QQi"
        values = struct.unpack_from(head, payload)
        (status, cause, self.exit_code, self.signal, self.wall_us, self.user_us, self.system_us,
         self.memory_peak, self.processes_peak, self.n_left, self.n_quiet, self.stays, self.stdout_bytes,
         self.stderr_bytes, self.error) = values
        self.status, self.cause = STATUS[status], CAUSE[cause]
        self.step = payload[struct.calcsize(head) + 4:].decode()
        self.finished = True


def program_message(*words):
    """FH_GUEST_RUN, see wire-guest.h."""
    body = b"\x01" + b"\0".join(os.fsencode(word) for word in ("/workspace/main.py", *words))
    return struct.pack("<I", len(body)) + body


class Conversation:
    """The frames to and from one process, over a socket."""

    def __init__(self):
        self.socket, self.theirs = socket.socketpair()
        self.result = Result()
        self.received = b""
        self.process = None

    def send(self, data):
        self.socket.sendall(data)

    def prepare(self, argv, **limits):
        self.send(policy(argv, **limits) + frame(PREPARE))

    def run(self, files=(), stdin=b"", guest_message=b"", hands_on=False):
        """`files`: pairs of a name and a content, or frames."""
        # A runner whose interpreter has ended, or that refused the policy, has gone before all is sent.
        with contextlib.suppress(ConnectionError):
            for file in files:
                self.send(file if isinstance(file, bytes) else file_pieces(*file))
            if hands_on:
                self.send(frame(HAND_ON))
            self.send(input_pieces(stdin))
            self.send(frame(RUN, guest_message))

    def start(self, argv, files=(), stdin=b"", guest_message=b"", hands_on=False, **limits):
        self.send(policy(argv, **limits))
        self.run(files, stdin, guest_message, hands_on)

    def stop(self):
        self.send(frame(STOP))

    def end_input(self):
        self.send(frame(INPUT))

    def step(self, timeout=PATIENCE):
        """Takes what arrives next; False at the end."""
        self.socket.settimeout(timeout)
        try:
            data = self.socket.recv(1 << 20)
        except ConnectionResetError:
            return False
        if not data:
            return False
        self.received += data
        while len(self.received) >= 8:
            size, kind, zero = struct.unpack_from("<IHH", self.received)
            if zero != 0 or size > 256 * 1024:
                raise ValueError("not our protocol")
            if len(self.received) < 8 + size:
                break
            payload = self.received[8:8 + size]
            self.received = self.received[8 + size:]
            self.result.take(kind, payload)
        return True

    def wait_until(self, condition, timeout=PATIENCE):
        deadline = time.monotonic() + timeout
        while not condition(self.result):
            if time.monotonic() > deadline or not self.step(timeout):
                raise TimeoutError("it did not happen")

    def finish(self, timeout=PATIENCE):
        while self.step(timeout):
            pass
        self.socket.close()
        self.result.runner_stderr = self.process.communicate(timeout=timeout)[1]
        self.result.exit_status = self.process.returncode
        return self.result

    def kill(self):
        self.process.send_signal(signal.SIGKILL)


class Runner(Conversation):
    """One runner process, by its path or a command."""

    def __init__(self, program, env=None):
        super().__init__()
        theirs = self.theirs

        def place_socket():
            os.dup2(theirs.fileno(), 3)

        command = [program] if isinstance(program, str) else program
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        pass_fds=[3] if theirs.fileno() == 3 else [],
                                        close_fds=False, preexec_fn=place_socket, env=env)
        theirs.close()


class Inside(Conversation):
    """A runner in a container, or what carries its standard input and output out of there."""

    def __init__(self, command, env=None):
        super().__init__()
        self.process = subprocess.Popen(command, stdin=self.theirs, stdout=self.theirs, env=env,
                                        stderr=subprocess.PIPE)
        self.theirs.close()

    def start(self, argv, **limits):
        super().start(argv, **{"tier": TIER_D, **limits})


def run(program, argv, runner_env=None, **limits):
    runner = Runner(program, runner_env)
    runner.start(argv, **limits)
    return runner.finish()


def python(program, code, **limits):
    return run(program, ["/usr/bin/python3", "-c", code], **limits)
