# SPDX-License-Identifier: GPL-3.0-or-later
"""Setting up: every step that fails is named and nothing runs; what is no request is refused."""

import errno
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import wire
from sandboxed import PROGRAM, PYTHON, ended, main, prints, python, run, shell
from tap import Skip, equal, must, until

SETUP_C = os.path.join(os.path.dirname(__file__), "..", "..", "src", "runner", "setup", "setup.c")
STEP = re.compile(r'^  \{ "([a-z-]+)", ([A-Z0-9 |]+), (REQUIRED|OPTIONAL), \w+(?:, \w+)? \},$',
                  re.MULTILINE)
TIERS = {"A": wire.TIER_A, "B": wire.TIER_B, "U": wire.UNPROTECTED}
if os.path.exists("/usr/bin/bwrap"):
    TIERS["A2"] = wire.TIER_A2


def steps(tier="A"):
    with open(SETUP_C, encoding="utf-8") as file:
        found = STEP.findall(file.read())
    must(len(found) > 20, f"the table of steps was not found: {found}")
    return [(name, required == "REQUIRED") for name, tiers, required in found
            if tier in tiers.split(" | ")]


def with_failing(step, **limits):
    return python("print('it ran')", runner_env=dict(os.environ, FH_RUNNER_FAIL_STEP=step), **limits)


def nothing_ran(result, step, error):
    equal((result.status, result.step, result.error), ("setup-failed", step, error), "the fault")
    must(not result.started and not result.output, f"something ran: {result}")
    equal((result.exit_code, result.signal, result.exit_status), (-1, -1, 0), "no exit")


def test_every_required_step():
    if with_failing("root").status == "exited":
        raise Skip("this runner was built without -Dtests=true")
    for tier, number in TIERS.items():
        must(len(steps(tier)) > 3, f"tier {tier} has no steps")
        for name, required in steps(tier):
            if required:
                nothing_ran(with_failing(name, tier=number), name, errno.EIO)


def test_every_optional_step():
    for tier, number in TIERS.items():
        for name, required in steps(tier):
            if not required:
                prints(with_failing(name, tier=number), "it ran\n")
    if with_failing("root").status != "exited":
        equal(with_failing("dns-sink").guards["network"][::2], ("degraded", "no-dns-sink"), "guard")
        equal(with_failing("keyring").guards["privileges"][::2], ("degraded", "no-keyring"), "guard")
        equal(with_failing("core-handler").guards["processes"][::2], ("degraded", "core-handler"), "guard")


def first_process_of(runner):
    path = f"/proc/{runner.process.pid}/task/{runner.process.pid}/children"
    return int(until(lambda: Path(path).read_text(encoding="ascii").split(), "the start of a child", pause=0)[0])


def test_setting_up_that_hangs():
    data = b"x" * (60 << 20)
    runner = wire.Runner(PROGRAM)
    runner.start([PYTHON, "-c", "print('it ran')"], files=[("data", data)], disk=128 * wire.MIB)
    os.kill(first_process_of(runner), signal.SIGSTOP)
    begun = time.monotonic()
    result = runner.finish()
    if result.started:
        raise Skip("setting up was over too soon to be stopped")
    nothing_ran(result, "timeout", errno.ETIMEDOUT)
    must(9 < time.monotonic() - begun, "after ten seconds")


def test_all_guards_are_reported():
    guards = python("pass").guards
    equal(sorted(guards), sorted(wire.GUARD), "guards")
    for name, (level, layers, reason) in guards.items():
        must(layers != "", f"{name} has no layers")
        if name not in ("memory", "filesystem"):
            must((level, reason) in (("active", ""), ("active", "own-user")), f"{name}: {level}, {reason}")
    equal(guards["memory"][::2], ("degraded", "no-cgroup"), "memory")


def test_guards_that_are_off():
    guards = python("pass", wall_ms=0, cpu_ms=0, memory=0, disk=0, output=0, processes=0).guards
    off = sorted(name for name, guard in guards.items() if guard[0] == "off")
    equal(off, ["disk", "memory", "output", "time"], "guards that are off")
    must("limit" not in guards["processes"][1], str(guards["processes"]))


def test_probe():
    result = run([], flags=wire.PROBE)
    ended(result, "exited", exit_code=0)
    must(not result.started and not result.output and len(result.guards) == 10, str(result))
    result = run([PYTHON, "-c", "print('it ran')"], flags=wire.PROBE)
    ended(result, "exited", exit_code=0)
    must(not result.started and not result.output, "nothing is executed")


def test_what_the_user_hides_from_others():
    """The guest is another user in tier A, and the mask says how new files of the user are."""
    before = os.umask(0o022)
    try:
        for mask in (0o077, 0o177, 0o777, 0):
            os.umask(mask)
            for tier in TIERS.values():
                copies = [("/etc/passwd", "/opt/x", 1)] if tier in (wire.TIER_A, wire.TIER_A2) else []
                read = "/opt/x" if copies else "/etc/ld.so.cache"
                result = shell(f"umask && : > /dev/null && cat file && cat {read} > copy", tier=tier, binds=copies,
                               files=[("file", b"it ran\n")])
                # Without protection it could write files of the user, which are to be as the user's others are.
                prints(result, f"{mask if tier == wire.UNPROTECTED else 0o022:04o}\nit ran\n")
    finally:
        os.umask(before)


def test_probe_proves_that_copies_can_be_read():
    copy = ("/etc/passwd", "/opt/x", 1)
    ended(run([], flags=wire.PROBE, binds=[copy]), "exited", exit_code=0)
    if with_failing("root").status != "exited":
        fails = dict(os.environ, FH_RUNNER_FAIL_STEP="guest-files")
        nothing_ran(run([], flags=wire.PROBE, binds=[copy], runner_env=fails), "guest-files", errno.EIO)


def test_targets_that_are_refused():
    with tempfile.TemporaryDirectory() as folder:
        for target in ("/", "/proc", "/proc/sys", "/dev", "/dev/shm", "/workspace", "/tmp", "//tmp",
                       "/tmp/", "/opt/../proc", "/opt/./x", "/opt//x", "/opt/..", "/opt/."):
            result = python("print('it ran')", binds=[(folder, target)])
            nothing_ran(result, "binds", errno.EINVAL)


def test_sources_that_cannot_be_bound():
    nothing_ran(python("pass", binds=[("/no/such/folder", "/opt/x")]), "binds", errno.ENOENT)
    with tempfile.TemporaryDirectory() as folder:
        # Below a link that leads out of the new root, and below a file.
        os.symlink("/", f"{folder}/link")
        result = python("pass", binds=[(folder, "/opt/x"), (folder, "/opt/x/link/tmp/y")])
        must(result.status == "setup-failed" and result.step == "binds", str(result))
        result = python("pass", binds=[("/usr/bin/env", "/opt/f"), (folder, "/opt/f/x")])
        must(result.status == "setup-failed" and result.step == "binds", str(result))


def test_sources_that_cannot_be_copied():
    nothing_ran(python("pass", binds=[("/no/such/file", "/opt/x", 1)]), "binds", errno.ENOENT)
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(f"{folder}/fifo")
        with open(f"{folder}/large", "wb") as file:
            file.truncate(5 << 20)
        for name, error in (("", errno.EINVAL), ("fifo", errno.EINVAL), ("large", errno.ENOSPC)):
            nothing_ran(python("pass", binds=[(f"{folder}/{name}", "/opt/x", 1)]), "binds", error)
        copy = ("/etc/passwd", "/opt/x", 1)
        nothing_ran(python("pass", binds=[copy, copy]), "binds", errno.EEXIST)


def where(command):
    """Runs the runner after this shell command, as the root of a user namespace of its own."""
    unshare = ["unshare", "--user", "--map-root-user", "--mount", "--net"]
    if subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode != 0:
        raise Skip("unshare is of no use here")
    runner = wire.Runner([*unshare, "/bin/sh", "-c", f'{command} && exec "$0"', PROGRAM])
    runner.start([PYTHON, "-c", "print('it ran')"])
    return runner.finish()


def test_kernel_without_user_namespaces():
    result = where("echo 0 > /proc/sys/user/max_user_namespaces")
    nothing_ran(result, "user-namespace", errno.ENOSPC)


def test_kernel_without_network_namespaces():
    result = where("echo 0 > /proc/sys/user/max_net_namespaces")
    nothing_ran(result, "network-namespace", errno.ENOSPC)


def test_covered_proc_of_a_container():
    result = where("mount -t tmpfs none /proc/sys")
    nothing_ran(result, "proc", errno.EPERM)


def breaks_protocol(data):
    runner = wire.Runner(PROGRAM)
    try:
        runner.send(data)
    except BrokenPipeError:
        pass
    result = runner.finish()
    must(not result.started and not result.finished, str(result))
    equal(result.exit_status, 1, "exit status")
    must(b"invalid message" in result.runner_stderr, str(result.runner_stderr))


def test_what_is_no_request():
    policy = wire.policy([PYTHON, "-c", "print('it ran')"])
    start = wire.frame(wire.RUN)
    piece = wire.file_pieces("main.py", b"x")
    for data in (b"\xff" * 100,
                 struct.pack("<IHH", 0, wire.POLICY, 1) + b"x",
                 struct.pack("<IHH", 300000, wire.POLICY, 0),
                 start,
                 piece,
                 policy + policy,
                 wire.frame(99) + policy + start,
                 policy + wire.frame(wire.GUARDS),
                 policy + wire.frame(wire.POLICY, b"short"),
                 wire.policy([]) + start,
                 wire.policy([PYTHON], version=1) + start,
                 wire.policy([PYTHON], without=["filesystem"]) + start,
                 wire.policy([PYTHON], version=6) + start,
                 wire.policy([PYTHON], tier=wire.TIER_D) + start,
                 wire.policy([PYTHON], flags=wire.SHARED_WORKSPACE) + start,
                 wire.input_pieces(b"input"),
                 wire.policy([PYTHON], binds=[("/usr", "/opt/x", 2)]) + start,
                 policy[:8] + b"\0" * (len(policy) - 8) + start):
        breaks_protocol(data)


def test_names_of_files_that_are_refused():
    policy = wire.policy([PYTHON, "-c", "print('it ran')"])
    for name in (b"", b".", b"..", b"a//b", b"a/../b", b"/etc/passwd", b"../x", b"a\0b", b"a" * 256):
        breaks_protocol(policy + wire.frame(wire.FILE, struct.pack("<I", len(name)) + name +
                                            struct.pack("<I", 1) + b"x"))


def test_same_file_twice():
    result = run([PYTHON, "-c", "pass"], files=[("a", b"1"), ("b", b"2"), ("a", b"3")])
    nothing_ran(result, "files", errno.EEXIST)
    result = run([PYTHON, "-c", "pass"], files=[("a", b"1"), ("a/b", b"2")])
    nothing_ran(result, "files", errno.ENOTDIR)


def test_files_larger_than_the_disk():
    result = run([PYTHON, "-c", "pass"], files=[("a", b"x" * (2 << 20))], disk=1 << 20)
    equal((result.status, result.step), ("setup-failed", "files"), "the fault")


def test_nonsense_after_the_start():
    runner = wire.Runner(PROGRAM)
    runner.start([PYTHON, "-c", "import time; print('ready', flush=True); time.sleep(60)"])
    runner.wait_until(lambda result: b"ready" in result.stdout)
    runner.send(b"\xff" * 100)
    result = runner.finish()
    must(not result.finished, str(result))
    equal(result.exit_status, 1, "exit status")


def test_end_of_file_before_the_start():
    runner = wire.Runner(PROGRAM)
    runner.send(wire.policy([PYTHON, "-c", "print('it ran')"]))
    runner.socket.shutdown(1)
    result = runner.finish()
    must(not result.started and not result.finished, str(result))
    equal(result.exit_status, 0, "exit status")


def test_closed_standard_descriptors():
    runner = wire.Runner(["/bin/sh", "-c", f"exec {PROGRAM} <&- >&- 2>&-"])
    runner.start([PYTHON, "-c", "print(open('/proc/self/cmdline').read(6), input())"])
    result = runner.finish()
    ended(result, "exited", exit_code=1)
    must(b"EOFError" in result.stderr, str(result))


if __name__ == "__main__":
    sys.exit(main(__name__))
