# SPDX-License-Identifier: GPL-3.0-or-later
"""Sandboxes that stay: programs run in one after the other, beside what earlier ones have left."""

import contextlib
import os
import struct
import sys
import time

import wire
from many_runs import OneResult
from sandboxed import main, PROGRAM
from tap import PATIENCE, equal, must
from wire import MIB

SHELL = ["/bin/sh", "/workspace/main.sh"]
LEFT = "sleep 600 >/dev/null 2>&1 &\n"


class Staying(wire.Runner):
    """Each program is a file, which its interpreter runs."""

    def __init__(self, code, argv=None, flags=0, **more):
        super().__init__(PROGRAM)
        self.result = OneResult()
        self.before = {}
        self.start(argv or SHELL, files=[(os.path.basename((argv or SHELL)[-1]), code.encode())], hands_on=True,
                   flags=wire.STAYS | wire.COLLECT | wire.TELL_GONE | flags, **more)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.socket.close()
        self.process.communicate(timeout=PATIENCE)

    def end(self):
        self.wait_until(lambda result: result.finished)
        for name, file in self.result.files.items():
            self.before.pop(os.fsdecode(name), None)
            if file.kind == "file":
                self.before[os.fsdecode(name)] = file.content
        return self.result

    def begin(self, code, stays=True, argv=None, has_channel=False, new=(), guest_message=b""):
        argv = argv or SHELL
        self.result = OneResult()
        environment = [f"{name}={value}" for name, value in wire.ENVIRONMENT.items()]
        files = [frame_of(name, content, 2) for name, content in self.before.items()]
        files += [frame_of(name, content, 0) for name, content in new]
        files.append(frame_of(os.path.basename(argv[-1]), code.encode(), 0))
        program = wire.frame(wire.PROGRAM, struct.pack("<BB", has_channel, stays) + strings(argv) + strings(environment))
        with contextlib.suppress(ConnectionError):
            self.send(b"".join(files) + wire.frame(wire.HAND_ON) + program + wire.frame(wire.RUN, guest_message))

    def next(self, code, **more):
        self.begin(code, **more)
        return self.end()


def frame_of(name, content, flags):
    return wire.file_piece(name, content, is_in_tmp=flags)


def strings(words):
    return struct.pack("<I", len(words)) + b"".join(struct.pack("<I", len(word)) + word.encode() for word in words)


def is_told(result, stdout="", status="exited", stays=True, n_quiet=0):
    equal((result.status, result.stdout.decode(), bool(result.stays), result.n_quiet),
          (status, stdout, stays, n_quiet), str(result))


def test_what_one_has_left_is_there_for_the_next():
    with Staying("echo one; mkfifo pipe; { cat pipe; sleep 600; } >got 2>&1 &\n") as staying:
        is_told(staying.end(), "one\n", n_quiet=2)
        is_told(staying.next("echo hello >pipe\nwhile pidof cat >/dev/null; do :; done\ncat got; ls\n"),
                "hello\ngot\nmain.sh\npipe\n", n_quiet=1)
        is_told(staying.next("kill $(pidof sleep)\necho three\n", stays=False), "three\n", stays=False)
        staying.finish()


def test_each_has_its_own_end():
    with Staying(LEFT) as staying:
        is_told(staying.end(), n_quiet=1)
        result = staying.next(LEFT + "exit 3\n")
        is_told(result, stays=False, n_quiet=2)
        equal(result.exit_code, 3, "exit code")
        equal(staying.finish().exit_status, 0, "the runner")
    with Staying("echo no >&2\n") as staying:
        is_told(staying.end())
        result = staying.next("kill -SEGV $$\n")
        equal((result.status, result.signal, result.stays), ("signalled", 11, False), str(result))
        staying.finish()
    with Staying(":") as staying:
        is_told(staying.end())
        result = staying.next("", argv=["/usr/bin/nothing-there", "x"])
        equal((result.status, result.step, result.started), ("not-started", "exec", False), str(result))
        staying.finish()


def test_the_last_one_ends_all():
    with Staying(LEFT) as staying:
        staying.end()
        is_told(staying.next(LEFT, stays=False), stays=False, n_quiet=2)
        staying.finish()


def test_files_are_those_of_each():
    with Staying("echo 1 >a; echo 1 >b; mkdir empty") as staying:
        result = staying.end()
        equal(sorted(result.files), [b"a", b"b"], "first")
        result = staying.next("echo 2 >a; rm b; echo new >c; ls; cat put", new=[("put", b"here\n")])
        equal(result.stdout, b"a\nc\nempty\nmain.sh\nput\nhere\n", str(result))
        equal({name: file.kind for name, file in result.files.items()}, {b"a": "file", b"b": "gone", b"c": "file"}, "second")
        staying.before["put"] = b"here\n"
        result = staying.next("ls", argv=["/bin/sh", "/workspace/other.sh"])
        equal((result.stdout, dict(result.files)), (b"a\nc\nempty\nother.sh\nput\n", {}), "the program of another one is gone")


def test_output_of_what_was_left_belongs_to_the_next():
    with Staying("mkfifo pipe; { cat pipe; echo late; } &\necho one\n") as staying:
        result = staying.end()
        equal((result.stdout, result.n_quiet), (b"one\n", 2), str(result))
        result = staying.next("echo told >pipe\nwhile pidof cat >/dev/null; do :; done; echo two\n")
        equal(sorted(result.stdout.split()), [b"late", b"told", b"two"], str(result))
        # Nobody holds the pipes now.
        is_told(staying.next("echo three\n"), "three\n")


def test_a_channel_of_its_own():
    show = "import os\nprint(os.path.exists('/proc/self/fd/3'))\n"
    python = ["/usr/bin/python3", "/workspace/main.py"]
    with Staying(show, argv=python) as staying:
        is_told(staying.end(), "False\n")
        is_told(staying.next("import os\nprint(os.read(3, 5))\n", argv=python, has_channel=True, guest_message=b"hello"),
                "b'hello'\n")
        is_told(staying.next(show, argv=python), "False\n")


def test_limits_hold_for_all():
    hold = "import time\nheld = bytearray(%d << 20)\nopen('ready', 'w').close()\ntime.sleep(600)\n"
    start = "cat >hold.py <<END\n" + hold + "END\npython3 hold.py >/dev/null 2>&1 &\nuntil test -e ready; do :; done\n"
    with Staying(start % 80, memory=128 * MIB) as staying:
        equal(staying.end().status, "exited", "first")
        result = staying.next("python3 -c 'held = bytearray(80 << 20)\nwhile True: pass'\n")
        must(result.status == "memory" and not result.stays, str(result))
        staying.finish()
    with Staying("for i in 1 2 3 4 5 6; do sleep 600 >/dev/null 2>&1 & done\n", processes=10) as staying:
        is_told(staying.end(), n_quiet=6)
        result = staying.next("for i in 1 2 3 4 5 6; do sleep 600 >/dev/null 2>&1 & done\n")
        must(not result.stays and result.status in ("exited", "process-limit"), str(result))
        staying.finish()
    with Staying(LEFT, wall_ms=1000) as staying:
        is_told(staying.end(), n_quiet=1)
        result = staying.next("sleep 600\n")
        equal((result.status, result.cause, result.stays), ("timed-out", "wall", False), str(result))
        staying.finish()
    with Staying("echo 1234567890\n", output=15) as staying:
        is_told(staying.end(), "1234567890\n")
        is_told(staying.next("echo 1234567890\n"), "1234567890\n")


def test_what_each_used_is_its_own():
    with Staying("python3 -c 'held = bytearray(60 << 20)\nsum(range(10000000))'\n") as staying:
        first = staying.end()
        second = staying.next(":")
        third = staying.next(":", stays=False)
        must(first.memory_peak > 60 * MIB, first)
        for later in second, third:
            must(0 < later.memory_peak < 30 * MIB and later.user_us < first.user_us, str(later))
        staying.finish()


def test_a_stop_ends_all():
    with Staying(LEFT) as staying:
        is_told(staying.end(), n_quiet=1)
        # It may have crossed the end of the last program.
        staying.stop()
        is_told(staying.next("echo on\n"), "on\n", n_quiet=1)
        staying.begin("echo on\nsleep 600\n")
        staying.wait_until(lambda result: result.stdout == b"on\n")
        staying.stop()
        result = staying.end()
        equal((result.status, result.stays), ("stopped", False), str(result))
        staying.finish()


def test_the_end_between_two_is_told():
    # No process reaches the limit alone, or it would end by itself.
    hold = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)\nheld = bytearray(80 << 20)\ntime.sleep(600)\n"
    start = "cat >hold.py <<END\n" + hold + "END\nfor i in 1 2; do python3 hold.py >/dev/null 2>&1 & done\n"
    start += "(sleep 1; touch go) >/dev/null 2>&1 &\n"
    with Staying(start, memory=128 * MIB) as staying:
        must(staying.end().stays, "first")
        staying.result = OneResult()
        result = staying.end()
        equal((result.status, result.started, result.stays), ("memory", False, False), str(result))
        staying.finish()


def test_attempts_of_what_was_left_are_told_with_the_next():
    left = "{ cat pipe >/dev/null; cat /home/someone/.ssh/id_rsa; exec cat pipe; } >/dev/null 2>&1 &\n"
    with Staying("mkfifo pipe; " + left) as staying:
        must(not any("id_rsa" in attempt.object for attempt in staying.end().attempts.values()), "first")
        result = staying.next("echo go >pipe\necho end >pipe\n")
        must(any(attempt.object == "/home/someone/.ssh/id_rsa" for attempt in result.attempts.values()), result.attempts)
        must(not any(attempt.object in ("/bin/sh", "/usr/bin/dash") for attempt in result.attempts.values()),
             f"its own start is no attempt: {result.attempts}")


def test_the_left_cannot_stand_in_the_way():
    with Staying("rm main.sh; mkdir -p main.sh/x\n") as staying:
        must(staying.end().stays, "first")
        result = staying.next("echo no\n")
        equal((result.status, result.step, result.stays, result.stdout), ("setup-failed", "files", False, b""), str(result))
        staying.finish()
    with Staying("rm main.sh; ln -s /etc/passwd main.sh; ln -s / root\n") as staying:
        must(staying.end().stays, "first")
        is_told(staying.next("echo yes; test -L main.sh || echo a file\n"), "yes\na file\n")


def test_the_protocol():
    """What may come when: a runner that is told anything else gives up."""
    for wrong in (wire.frame(wire.RUN), wire.frame(wire.PROGRAM), wire.frame(wire.PROGRAM, b"\0\2" + strings(SHELL) + strings([])),
                  wire.frame(wire.PROGRAM, b"\0\0" + strings(["sh"]) + strings([])),
                  wire.frame(wire.PROGRAM, b"\0\0" + strings([]) + strings([]))):
        with Staying(":") as staying:
            is_told(staying.end())
            staying.result = OneResult()
            with contextlib.suppress(ConnectionError):
                staying.send(wrong)
            equal(staying.finish().exit_status, 1, wrong)
    for flags, more in ((wire.STAYS, {"tier": wire.TIER_B}), (wire.STAYS, {"tier": wire.UNPROTECTED})):
        equal(wire.run(PROGRAM, SHELL, flags=flags, **more).exit_status, 1, (flags, more))


def test_each_program_has_its_own_input():
    """A line that comes when nothing runs is not the next program's, and the time stops while one waits."""
    asks = "read line && echo \"<$line>\"\n"
    with Staying(asks, flags=wire.INPUT_STAYS | wire.TYPED_INPUT, wall_ms=3000) as staying:
        for line in ("one", "two"):
            staying.wait_until(lambda result: result.waiting and result.waiting[-1])
            staying.send(wire.input_pieces(line.encode() + b"\n"))
            is_told(staying.end(), f"<{line}>\n")
            staying.send(wire.input_pieces(b"late\n"))
            staying.begin(asks)
        staying.wait_until(lambda result: result.waiting and result.waiting[-1])
        staying.send(wire.input_pieces(b"three\n"))
        is_told(staying.end(), "<three>\n")


def test_everything_ends_with_the_backend():
    mark = f"6{os.getpid()}"
    with Staying(f"sleep {mark} >/dev/null 2>&1 &\n") as staying:
        is_told(staying.end(), n_quiet=1)
        must(is_running(mark), "it is not there")
    deadline = time.monotonic() + PATIENCE
    while is_running(mark) and time.monotonic() < deadline:
        time.sleep(0.01)
    must(not is_running(mark), "it goes on")


def is_running(mark):
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline", "rb") as file:
            if file.read() == b"sleep\0" + mark.encode() + b"\0":
                return True
    return False


if __name__ == "__main__":
    sys.exit(main(__name__))
