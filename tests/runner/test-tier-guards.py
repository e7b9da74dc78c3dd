# SPDX-License-Identifier: GPL-3.0-or-later
"""The guards of each tier: what they are worth there is told, and single ones can be switched off."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import wire
from sandboxed import PROGRAM, ended, main, prints, python, shell
from tap import equal, must, until
from tiered import GUARDED, MARK, in_tiers, processes_of


def test_guards_of_bubblewrap():
    def check(name, tier):
        guards = python("pass", **tier).guards
        degraded = {"network": "no-dns-sink", "memory": "no-cgroup", "disk": "no-inode-limit"}
        for guard, (level, _, reason) in guards.items():
            expected = ("degraded", degraded[guard]) if guard in degraded else ("active", "")
            equal((level, reason), expected, guard)
    in_tiers(check, ("A2",))


def test_inner_stage_tells_nothing():
    """The runner's place is not shown, and no program inside can change it."""
    lines = [line.split() for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()]
    # Where this system lies on its disk, if it is a tree in another one: all of its mounts say so.
    tree = next(fields[3] for fields in lines if fields[4] == "/").rstrip("/")

    def check(name, tier):
        result = python("""
            import os
            print(open("/proc/1/cmdline").read().split(chr(0))[0])
            for path in ("/init", "/proc/1/exe", "/proc/1/root/init"):
                for flags in (os.O_RDONLY, os.O_WRONLY):
                    try:
                        os.close(os.open(path, flags))
                        print("opened", path)
                    except OSError:
                        pass
            shown = open("/proc/self/mountinfo").read().replace(" TREE", " ")
            print("fumehood" in shown)
            """.replace("TREE", tree), **tier)
        prints(result, "init\nFalse\n")
    in_tiers(check, ("A2",))


def test_environment():
    def check(name, tier):
        tier["runner_env"]["SECRET_TOKEN"] = "secret"
        result = python("import os; print(sorted(os.environ))", **tier)
        prints(result, "['HOME', 'LANG', 'PATH', 'TMPDIR']\n")
    in_tiers(check)


def test_guards_without_namespaces():
    def check(name, tier):
        guards = python("pass", **tier).guards
        states = {guard: (level, reason) for guard, (level, _, reason) in guards.items()}
        degraded = {"filesystem": "landlock-only", "network": "no-namespaces",
                    "processes": "no-namespaces", "privileges": "no-namespaces",
                    "memory": "no-cgroup", "disk": "watched"}
        for guard, (level, reason) in states.items():
            if guard in degraded:
                equal((level, reason), ("degraded", degraded[guard]), guard)
            else:
                equal(level, "active", guard)
        _, _, reason = python("pass", allow_hosts=["a.example"], **tier).guards["network"]
        equal(reason, "no-way-to-hosts", "with an allowed host")
    in_tiers(check, ("B",))


def test_guards_without_protection():
    def check(name, tier):
        for guard, (level, _, reason) in python("pass", **tier).guards.items():
            if guard in ("time", "output"):
                equal((level, reason), ("active", ""), guard)
            else:
                equal((level, reason), ("off", "unprotected"), guard)
    in_tiers(check, ("none",))


def test_older_landlock():
    """Where signals cannot be kept inside, there are none; below ABI 4 nothing runs."""
    def check(name, tier):
        environment = dict(tier["runner_env"], FH_RUNNER_LANDLOCK_ABI="5")
        result = python("import os; os.kill(os.getpid(), 0)", tier=tier["tier"],
                        runner_env=environment)
        ended(result, "exited", exit_code=1)
        must(b"PermissionError" in result.stderr, str(result))
        result = shell(f"(setsid sh -c 'sleep 600; :' {MARK} &); sleep 601", wall_ms=500,
                       tier=tier["tier"], runner_env=environment)
        ended(result, "timed-out", "wall")
        environment["FH_RUNNER_LANDLOCK_ABI"] = "3"
        result = python("print('it ran')", tier=tier["tier"], runner_env=environment)
        equal((result.status, result.step, result.stdout), ("setup-failed", "landlock-rules", b""),
              name)
    in_tiers(check, ("B",))


def test_owners_of_files_in_older_landlock():
    """The kernel sends no signal in the program's name either, to whomever it says owns a file."""
    code = """
        import fcntl, os, socket, struct
        calls = {
            "F_SETOWN": lambda end: fcntl.fcntl(end, fcntl.F_SETOWN, PID),
            "F_SETOWN_EX": lambda end: fcntl.fcntl(end, 15, struct.pack("ii", 1, PID)),
            "FIOSETOWN": lambda end: fcntl.ioctl(end, 0x8901, struct.pack("i", PID)),
            "SIOCSPGRP": lambda end: fcntl.ioctl(end, 0x8902, struct.pack("i", PID)),
        }
        for name, call in calls.items():
            end, other = socket.socketpair()
            try:
                call(end)
            except PermissionError:
                print(name)
            fcntl.fcntl(end, 10, 9)
            fcntl.fcntl(end, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            other.send(b"x")
        """

    def check(name, tier):
        environment = dict(tier["runner_env"], FH_RUNNER_LANDLOCK_ABI="5")
        with subprocess.Popen(["sleep", "60"]) as victim:
            try:
                result = python(code.replace("PID", str(victim.pid)), tier=tier["tier"],
                                runner_env=environment)
                prints(result, "F_SETOWN\nF_SETOWN_EX\nFIOSETOWN\nSIOCSPGRP\n")
                equal(victim.poll(), None, "the other process")
            finally:
                victim.kill()
    in_tiers(check, ("B",))


def test_killed_runner_in_older_landlock():
    """The first process ends all others when the runner can no longer do so."""
    def check(name, tier):
        environment = dict(tier["runner_env"], FH_RUNNER_LANDLOCK_ABI="5")
        # The first ones while init has still to tell that the program was started.
        for pause in (0, 0, 0, 0.001, 0.002, 0.005, 0.1):
            runner = wire.Runner(PROGRAM, env=environment)
            runner.start(["/bin/sh", "-c", f"(setsid sh -c 'sleep 600; :' {MARK} &); echo; sleep 601"],
                         tier=tier["tier"])
            runner.wait_until(lambda result: result.stdout)
            time.sleep(pause)
            runner.kill()
            runner.finish()
        until(lambda: not processes_of(MARK), "the end of all")
        # Its remover was killed.
        shutil.rmtree(os.path.join(environment["XDG_CACHE_HOME"], "fumehood"))
    in_tiers(check, ("B",))


def test_switches():
    """What is switched off is off, and everything else is as it was."""
    def check(name, tier):
        before = python("pass", **tier).guards
        for guard in ("system-calls", "memory", "time", "disk", "output", "environment"):
            result = python("print('ran')", without=[guard], **tier)
            prints(result, "ran\n")
            equal(result.guards[guard][::2], ("off", "switched-off"), guard)
            del result.guards[guard]
            equal(result.guards, {key: before[key] for key in result.guards}, guard)
        code = "import ctypes; libc = ctypes.CDLL(None, use_errno=True); libc.syncfs(-1); " \
               "print(ctypes.get_errno())"
        prints(python(code, **tier), "0\n")
        prints(python(code, without=["system-calls"], **tier), "9\n")
        prints(shell("head -c 3000000 /dev/zero | wc -c; head -c 3000000 /dev/zero | tr '\\0' x",
                     output=1 << 20, without=["output"], **tier), "3000000\n" + "x" * 3000000)
        prints(shell("head -c 3000000 /dev/zero > file; wc -c < file", disk=1 << 20,
                     without=["disk"], **tier), "3000000\n")
        prints(python("print(len(bytearray(300 << 20)))", memory=64 * wire.MIB, without=["memory"],
                      **tier), f"{300 << 20}\n")
        prints(shell("sleep 0.5; echo late", wall_ms=200, without=["time"], **tier), "late\n")
    in_tiers(check, GUARDED)


def test_network_that_is_the_users():
    """Without the network guard a server can be reached."""
    def check(name, tier):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            result = python(f"""
                import socket
                print(socket.create_connection(("127.0.0.1", {port})).fileno() > 0)
                """, without=["network"], **tier)
            prints(result, "True\n")
            server.settimeout(60)
            server.accept()
        equal(result.guards["network"][::2], ("off", "switched-off"), name)
    in_tiers(check, GUARDED)


def test_messages_to_the_users_network():
    """The C library looks names up with sendmmsg."""
    def check(name, tier):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
            server.bind(("127.0.0.1", 0))
            prints(python(f"""
                import socket
                client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                client.connect(("127.0.0.1", {server.getsockname()[1]}))
                print(client.sendmsg([b"question"]))
                """, without=["network"], **tier), "8\n")
            server.settimeout(60)
            equal(server.recv(100), b"question", name)
    in_tiers(check, GUARDED)


def test_local_sockets_without_namespaces():
    def check(name, tier):
        code = """
            import socket
            try:
                socket.socket(socket.AF_UNIX)
                print("could")
            except OSError as error:
                print(error.errno)
            """
        for without in ((), ("network",), ("system-calls",)):
            prints(python(code, without=without, **tier), "97\n")
    in_tiers(check, ("B",))


def test_ways_around_the_filters():
    """Without the system call guard, what the other guards need is refused all the same."""
    def check(name, tier):
        result = python("""
            import ctypes, os
            libc = ctypes.CDLL(None, use_errno=True)
            for number, arguments in ((425, (1, 0)), (101, (16, os.getppid(), 0, 0)),
                                      (250, (0, -3, 0)), (310, (os.getppid(), 0, 0, 0, 0, 0)),
                                      (300, (0x200, 0)), (29, (1, 4096, 0o1600)),
                                      (68, (1, 0o1600)), (64, (1, 1, 0o1600)), (141, (2, 0, 5)),
                                      (251, (3, 0, 2 << 13 | 7)), (72, (0, 1024, 0)),
                                      (72, (0, 1026, 1))):
                libc.syscall(number, *arguments)
                print(ctypes.get_errno(), end=" ")
            print(os.getpriority(os.PRIO_PROCESS, 0))
            os.setpriority(os.PRIO_PROCESS, 0, 7)
            print(os.getpriority(os.PRIO_PROCESS, 0))
            """, without=["system-calls"], **tier)
        prints(result, "38 1 1 1 1 38 38 38 1 1 1 1 5\n7\n")
    if os.uname().machine == "x86_64":
        in_tiers(check, ("B",))


CALL_CLONE = 56 if os.uname().machine == "x86_64" else 220


def test_requests_to_file_systems():
    """What is open for reading only cannot be changed by ioctl."""
    def check(name, tier):
        with tempfile.NamedTemporaryFile() as file:
            result = python("""
                import errno, fcntl, os, struct
                with open("/tmp/of-the-user") as theirs, open("of-our-own", "w+") as own:
                    for request in (0x40086602, 0x401c5820, 0x40087602, 0x40806685, 0xc0406618,
                                    0xc0109428, 0x50009417, 0x00000002, 0x80081272, 0x80045200):
                        for one in (theirs, own):
                            try:
                                fcntl.ioctl(one, request, bytes(128))
                                print(hex(request), "was done")
                            except OSError as error:
                                if error.errno != errno.ENOTTY:
                                    print(hex(request), error)
                    try:
                        fcntl.ioctl(own, 0x40049409, theirs.fileno())
                    except OSError as error:
                        print("no" if error.errno == errno.ENOTTY else "perhaps")
                    print(len(fcntl.ioctl(0, 0x541b, bytes(4))))
                """.replace("/tmp/of-the-user", file.name), binds=[(file.name, file.name)], **tier)
            prints(result, "perhaps\n4\n")
    in_tiers(check, ("B",))


def test_requests_that_tell_of_others():
    """PIDFD_GET_INFO, the interfaces of the network, and handles of other processes."""
    def check(name, tier):
        result = python(f"""
            import ctypes, errno, fcntl, os, signal, socket
            libc = ctypes.CDLL(None, use_errno=True)
            def answer(function, *words):
                try:
                    return function(*words) and "done"
                except OSError as error:
                    return errno.errorcode[error.errno]
            print(answer(os.pidfd_open, {os.getpid()}), answer(os.pidfd_open, os.getpid()))
            handle = ctypes.c_int(-1)
            # CLONE_PIDFD
            child = libc.syscall({CALL_CLONE}, 0x1000 | signal.SIGCHLD, 0, ctypes.byref(handle), 0, 0)
            if child == 0:
                signal.pause()
            print(answer(fcntl.ioctl, handle.value, 0xc068ff0b, bytes([7] * 104)))
            print(answer(fcntl.ioctl, socket.socketpair()[0], 0x8912, bytes(40)))
            print(answer(fcntl.ioctl, socket.socketpair()[0], 0x541b, bytes(4)))
            signal.pidfd_send_signal(handle.value, signal.SIGKILL)
            """, **tier)
        prints(result, "ENOSYS ENOSYS\nENOTTY\nENOTTY\ndone\n")
    in_tiers(check, ("B",))


if __name__ == "__main__":
    sys.exit(main(__name__))
