# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel keeps for all programs of a user, or for the whole machine, where a control group counts the memory
of a run: some of it is in no group's memory, the rest is the kernel's to count."""

import subprocess
import sys
from pathlib import Path

from runs import ended, near, over_memory, run
from tap import equal, must
from traces import wait_for

# Written by guest.sh's handler of crashes, a line for each.
CRASHES = Path("/run/core-calls")
CRASH = "import os; os.abort()"


def test_locks_on_files():
    # Small enough for the group, and more than there may be.
    ended(run("""
        import fcntl, os, time
        for number in range(350):
            file = os.open(f"file-{number}", os.O_RDWR | os.O_CREAT)
            for place in range(280):
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 2 * place)
        time.sleep(60)
        print("no")
        """, "--memory=512M"), "memory-exceeded", "file-locks")


def test_what_waits_in_sockets():
    # TCP has one limit for the whole machine, so what the group allows may be too much.
    result = run("""
        import os, socket, time
        for _ in range(6):
            if os.fork() == 0:
                held, sockets = 0, []
                with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
                    while held < 24 << 20 and len(sockets) < 380:
                        client = socket.create_connection(server.getsockname())
                        sockets += [client, server.accept()[0]]
                        for one in sockets[-2:]:
                            one.setblocking(False)
                            try:
                                while True: held += one.send(bytes(65536))
                            except BlockingIOError:
                                pass
                time.sleep(60)
        time.sleep(60)
        print("no")
        """, "--memory=512M")
    ended(result, "memory-exceeded", "sockets")


def test_memory_behind_a_main_thread_that_has_ended():
    # 60 is exit, which ends one thread alone.
    over_memory(run("""
        import ctypes, threading, time
        def grow():
            time.sleep(1)
            held = bytearray(300 << 20)
            print("no", len(held), flush=True)
            time.sleep(60)
        threading.Thread(target=grow).start()
        ctypes.CDLL(None).syscall(60, 0)
        """, "--memory=64M"))


def crashes():
    return len(CRASHES.read_text(encoding="ascii").splitlines()) if CRASHES.exists() else 0


def crash_outside():
    before = crashes()
    subprocess.run([sys.executable, "-c", CRASH], check=False, stderr=subprocess.DEVNULL)
    wait_for(lambda: crashes() > before, "call of the handler of crashes")


def test_a_crash_calls_nothing_outside():
    crash_outside()
    before = crashes()
    for tier in ("A", "A2"):
        result = run(CRASH, f"--tier={tier}")
        ended(result, "signalled")
        equal(result["signal"], 6, f"signal in tier {tier}")
    # Whatever was called before that would have been told by now.
    crash_outside()
    equal(crashes(), before + 1, "calls for crashes inside")


def test_files_that_are_on_their_way():
    # With a user number of its own they are not the user's.
    result = run("""
        import socket, time
        pairs, sent = [], 0
        try:
            while sent < 3000:
                pairs.append(socket.socketpair())
                socket.send_fds(pairs[-1][0], [b"x"], [0] * 200)
                sent += 200
        except OSError as error:
            print(error.errno)
        print(sent)
        """)
    must(result["status"] == "ok", str(result))
    near(int(result["stdout"].split()[-1]), 200, 1000, "files on their way")


ALL = [value for name, value in list(globals().items()) if name.startswith("test_")]
