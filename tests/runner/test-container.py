# SPDX-License-Identifier: GPL-3.0-or-later
"""A runner that lives in a container: everything it says comes out of its standard output, everything it hears by its
standard input."""

import ctypes
import errno
import os
import signal
import socket
import sys
import textwrap
import time

import wire
from contained import folder, main, python, run, start
from sandboxed import ended, prints
from tap import Skip, at_best, equal, must, until

MIB = 1 << 20


def test_hello(box):
    result = python(box.one_shot(), """
        import sys
        print('out'); print('err', file=sys.stderr)
        sys.exit(7)""")
    ended(result, "exited", exit_code=7)
    equal((result.stdout, result.stderr), (b"out\n", b"err\n"), "the streams")
    equal((result.stdout_bytes, result.stderr_bytes), (4, 4), "bytes")


def test_bytes_that_are_no_text(box):
    result = python(box.one_shot(), r"import os; os.write(1, b'\xff\x00\xfe\n' * 3); os.write(2, b'\xc3')")
    ended(result, "exited", exit_code=0)
    equal((result.stdout, result.stderr), (b"\xff\x00\xfe\n" * 3, b"\xc3"), "the streams")


def test_program_by_its_name(box):
    prints(run(box.one_shot(), ["sh", "-c", "echo $0 $1", "zero", "one"]), "zero one\n")
    prints(run(box.one_shot(), ["printenv", "PATH"], env={"PATH": "/nowhere:/usr/bin:/bin"}), "/nowhere:/usr/bin:/bin\n")
    for argv, environment in ((["no-such-program"], None), (["sh"], {"PATH": "/nowhere"}), (["sh"], {"PATH": "usr/bin"})):
        result = run(box.one_shot(), argv, **({} if environment is None else {"env": environment}))
        equal((result.status, result.step, result.error, result.started), ("not-started", "exec", errno.ENOENT, False),
              f"{argv} in {environment}")
    result = run(box.one_shot(), ["bin/sh"])
    equal((result.status, result.step, result.error), ("not-started", "exec", errno.EINVAL), "a relative path")
    result = run(box.one_shot(), ["/etc/passwd"])
    equal((result.status, result.error), ("not-started", errno.EACCES), "a file that is no program")


def test_signals(box):
    for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM):
        result = python(box.one_shot(), f"import os; os.kill(os.getpid(), {int(number)})")
        cause = "itself" if number == signal.SIGKILL else ""
        ended(result, "signalled", cause, exit_code=-1, signal=number)
    # What looks like a signal, a timeout or a lack of memory is an exit code.
    for code in (124, 137, 139):
        ended(python(box.one_shot(), f"import os; os._exit({code})"), "exited", exit_code=code)


def test_standard_input(box):
    count = "import sys; d = sys.stdin.buffer.read(); print(len(d), d[:3], d[-3:])"
    prints(python(box.one_shot(), count), "0 b'' b''\n")
    prints(python(box.one_shot(), count, stdin=b"\xff\x00\n"), f"3 {bytes([255, 0, 10])!r} {bytes([255, 0, 10])!r}\n")
    # Who does not read it is not waited for.
    prints(python(box.one_shot(), "print(1)", stdin=b"x" * MIB), "1\n")


def test_input_while_it_runs(box):
    runner = start(box.one_shot(), ["python3", "-u", "-c", "print(input('one? '), input('two? '))"],
                   flags=wire.INPUT_STAYS)
    for n, line in ((1, b"first\n"), (2, b"second\n")):
        runner.wait_until(lambda result, n=n: result.waiting == [True, False, True][:2 * n - 1])
        runner.send(wire.input_pieces(line))
    prints(runner.finish(), "one? two? first second\n")


def test_much_standard_input(box):
    size = 100 * MIB
    code = """
        import sys
        n = 0
        while piece := sys.stdin.buffer.read(65536):
            n += len(piece)
            last = piece[-3:]
        print(n, last)"""
    environment = {}
    data = b"x" * (size - 3) + b"end"
    prints(python(box.one_shot(environment=environment), code, stdin=data, memory=1024 * MIB), f"{size} b'end'\n")


def test_too_much_standard_input(box):
    if box.limits_memory:
        raise Skip("the container has not as much memory")
    runner = wire.Inside(box.one_shot())
    runner.send(wire.policy(["true"], tier=wire.TIER_D))
    piece = wire.frame(wire.INPUT, bytes(256 * 1024))
    try:
        for _ in range(1024):
            runner.send(piece)
        runner.send(wire.frame(wire.INPUT, b"x") + wire.frame(wire.RUN))
    except (BrokenPipeError, ConnectionResetError):
        pass
    result = runner.finish()
    must(not result.started and result.exit_status != 0, str(result))


def test_output_limit(box):
    result = python(box.one_shot(), "while True: print('x' * 1000)", output=MIB)
    ended(result, "output-limit", signal=signal.SIGKILL)
    equal(len(result.stdout), MIB, "bytes that came")


TIMEOUTS = {
    "a loop": "while True: pass",
    "one that ignores everything": """
        import signal, time
        for n in range(1, 32):
            try: signal.signal(n, signal.SIG_IGN)
            except OSError: pass
        while True: time.sleep(1)""",
    "children that keep its output open": """
        import os, time
        for _ in range(5):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    while True: time.sleep(1)
                os._exit(0)
        while True: time.sleep(1)""",
    "a stopped one": "import os, signal; print(1, flush=True); os.kill(os.getpid(), signal.SIGSTOP)",
}


def test_timeouts(box):
    def took(code):
        result = python(box.one_shot(), code, wall_ms=500)
        ended(result, "timed-out", "wall")
        must(500_000 <= result.wall_us, f"not before: {result}")
        return result.wall_us

    for code in TIMEOUTS.values():
        at_best(lambda code=code: took(code), lambda wall_us: wall_us < 2_000_000)


def test_children_that_are_left_behind(box):
    result = python(box.one_shot(), """
        import subprocess
        subprocess.Popen(['sleep', '600'], start_new_session=True)
        print('done')""")
    prints(result, "done\n")


def test_stop(box):
    for code, stops, expected in (("import time\ntry: time.sleep(60)\nexcept KeyboardInterrupt: print('asked')", 1, b"asked\n"),
                                  (TIMEOUTS["one that ignores everything"], 1, b""),
                                  (TIMEOUTS["one that ignores everything"], 2, b"")):
        runner = start(box.one_shot(), ["python3", "-c", textwrap.dedent(code)], wall_ms=30000)
        runner.wait_until(lambda result: result.started)
        time.sleep(0.3)
        for _ in range(stops):
            runner.stop()
        result = runner.finish()
        equal((result.status, result.stdout), ("stopped", expected), str(result))
        must(result.wall_us < 3_000_000, str(result))


def test_stop_before_the_start(box):
    runner = wire.Inside(box.one_shot())
    runner.stop()
    equal(runner.finish().status, "stopped", "the end")


def test_memory(box):
    result = python(box.one_shot(), "x = b'x' * (400 << 20)", memory=64 * MIB)
    if not box.limits_memory:
        ended(result, "exited", exit_code=1)
        must(b"MemoryError" in result.stderr, str(result))
        return
    ended(result, "memory", "certain", signal=signal.SIGKILL)
    # Nor when it was a child, and the program goes on.
    result = python(box.one_shot(), """
        import subprocess, time
        subprocess.run(['python3', '-c', 'x = b"x" * (400 << 20)'])
        time.sleep(5)
        print('went on')""", memory=128 * MIB)
    ended(result, "memory", "certain", signal=signal.SIGKILL)
    must(100 * MIB < result.memory_peak <= 129 * MIB, str(result))
    # Killed by itself, far from the limit.
    ended(python(box.one_shot(), "import os; os.kill(os.getpid(), 9)", memory=128 * MIB), "signalled", "itself",
          signal=9)


def test_memory_of_several(box):
    """Without a common limit they are measured together."""
    result = python(box.one_shot(), """
        import os, time
        for _ in range(4):
            if os.fork() == 0:
                x = bytearray(os.urandom(1)) * (30 << 20)
                time.sleep(20); os._exit(0)
        time.sleep(20)""", memory=60 * MIB)
    equal(result.status, "memory", str(result))


def test_processes(box):
    if not box.limits_processes:
        raise Skip("there is no common limit here")
    result = python(box.one_shot(), """
        import os, time
        n = 0
        try:
            while True:
                if os.fork() == 0: time.sleep(30); os._exit(0)
                n += 1
        except OSError as error: print(error.errno, 40 < n < 64)""", processes=60)
    prints(result, f"{errno.EAGAIN} True\n")
    must(any(a.operation == "start a process" for a in result.attempts.values()), str(result.attempts))


def test_space(box):
    result = python(box.one_shot(), """
        try:
            for i in range(200): open(f'/tmp/{i}', 'wb').write(bytes(1 << 20))
        except OSError as error: print(error.errno); raise SystemExit(1)""", memory=1024 * MIB, disk=64 * MIB)
    if box.limits_memory and result.status == "memory":
        return
    ended(result, "disk-limit", exit_code=1)
    equal(result.stdout, b"%d\n" % errno.ENOSPC, "what it was told")


ATTEMPTS = """
    import ctypes, os, socket
    def attempt(f, *a):
        try: f(*a)
        except OSError: pass
    attempt(open, '/home/me/.ssh/id_rsa'); attempt(open, os.environ['HOME'] + '/.aws/credentials')
    attempt(open, '/etc/x', 'w'); attempt(open, '/etc/shadow')
    s = socket.socket(); s.settimeout(1); attempt(s.connect, ('192.0.2.1', 443))
    ctypes.CDLL(None).ptrace(16, 1, 0, 0); ctypes.CDLL(None).unshare(0x10000000)"""


def test_attempts(box):
    # What the engine's own filter refuses cannot be reported.
    for engine_filter, calls in ((False, {"ptrace", "unshare"}), (True, {"ptrace"})):
        result = python(box.one_shot(engine_filter=engine_filter), ATTEMPTS)
        ended(result, "exited", exit_code=0)
        seen = {(a.verdict, a.operation, a.object) for a in result.attempts.values()}
        for wanted in (("hidden", "open", "/home/me/.ssh/id_rsa"), ("hidden", "open", "~/.aws/credentials"),
                       ("denied", "create", "/etc/x"), ("denied", "connect", "192.0.2.1:443")):
            must(wanted in seen, f"{wanted} is not in {seen}")
        must(calls <= {operation for _, operation, _ in seen}, str(seen))
        must(not any(a.exists_outside for a in result.attempts.values()), "what is outside was told")


def test_names_that_are_looked_up(box):
    result = python(box.one_shot(), """
        import socket
        try: socket.getaddrinfo('key.example.com', 443)
        except OSError: pass""")
    ended(result, "exited", exit_code=0)
    if box.name != "docker":
        raise Skip("its /etc/resolv.conf is the computer's")
    must(("look up", "key.example.com") in {(a.operation, a.object) for a in result.attempts.values()},
         str(result.attempts))


HOSTILE = """
    import ctypes, fcntl, os, resource, signal, socket
    libc = ctypes.CDLL(None, use_errno=True)
    def get_away(what, f, *a):
        try: f(*a)
        except (OSError, ValueError): return
        print('it can', what)
    init = os.getppid()
    peers = sorted({init, int(open(f'/proc/{init}/stat').read().rpartition(')')[2].split()[1]), 1} - {0})
    for peer in peers:
        for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGCONT, signal.SIGSEGV):
            for f in (os.kill, os.killpg):
                try: f(peer, number)
                except OSError: pass
        get_away(f'limit {peer}', resource.prlimit, peer, resource.RLIMIT_CPU, (1, 1))
        get_away(f'slow {peer}', os.setpriority, os.PRIO_PROCESS, peer, 19)
        get_away(f'bind {peer}', os.sched_setaffinity, peer, {0})
        get_away(f'read {peer}', os.listdir, f'/proc/{peer}/fd')
        get_away(f'open {peer}', open, f'/proc/{peer}/mem', 'rb')
        if libc.ptrace(16, peer, 0, 0) == 0: print('it can ptrace', peer)
        try: signal.pidfd_send_signal(os.open(f'/proc/{peer}', os.O_RDONLY), signal.SIGKILL)
        except OSError: pass
        ours, other = socket.socketpair()
        for owner in (peer, -peer):
            try:
                fcntl.fcntl(ours, fcntl.F_SETOWN, owner)
                fcntl.fcntl(ours, 10, signal.SIGKILL)
                fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
                other.send(b'x')
            except OSError: pass
    try: os.kill(-1, signal.SIGKILL)
    except OSError: pass
    print('alive')
    """


def test_guest_against_its_keepers(box):
    for environment in ({}, {"FH_RUNNER_LANDLOCK_ABI": "5"}):
        prints(python(box.one_shot(environment=environment), HOSTILE), "alive\n")


def test_guest_in_a_kept_container_against_its_keepers(box):
    for environment in ({}, {"FH_RUNNER_LANDLOCK_ABI": "5"}):
        with box.kept(environment) as (command, keeper):
            prints(python(command, HOSTILE), "alive\n")
            prints(python(command, "print('again')"), "again\n")
            until(lambda: not keeper.others(), "no process is left")


def test_descriptors(box):
    result = python(box.one_shot(), """
        import os
        print(sorted(int(n) for n in os.listdir('/proc/self/fd')))
        print([os.readlink(f'/proc/self/fd/{n}').partition(':')[0] for n in range(3)])""")
    prints(result, "[0, 1, 2, 3]\n['pipe', 'pipe', 'pipe']\n")


def test_end_of_input_takes_everything_down(box):
    code = TIMEOUTS["children that keep its output open"]
    runner = start(box.one_shot(), ["python3", "-c", textwrap.dedent(code)], wall_ms=0)
    runner.wait_until(lambda result: result.started)
    runner.socket.shutdown(1)
    result = runner.finish()
    must(not result.finished, str(result))
    with box.kept() as (command, keeper):
        runner = start(command, ["python3", "-c", textwrap.dedent(code)], wall_ms=0)
        runner.wait_until(lambda result: result.started)
        until(lambda: len(keeper.others()) > 3, "it runs")
        runner.socket.shutdown(1)
        runner.finish()
        until(lambda: not keeper.others(), "no process is left")


def test_kept(box):
    with box.kept() as (command, keeper):
        prints(python(command, "open('/workspace/x', 'w').write('kept'); open('/tmp/y', 'w')"), "")
        prints(python(command, """
            import subprocess
            subprocess.Popen(['sleep', '600'], start_new_session=True)
            print(open('/workspace/x').read())""", flags=wire.SHARED_WORKSPACE, files=[("main", b"")]), "kept\n")
        until(lambda: not keeper.others(), "no process is left")
        result = python(command, "import os; print(os.listdir('/workspace'))", flags=wire.COLLECT | wire.SHARED_WORKSPACE)
        prints(result, "['x']\n")
        equal(result.files, {}, "files that are not this run's")
        # Its first process is not the program's to end.
        result = python(command, "import os\nfor n in (15, 2, 9):\n  try: os.kill(1, n)\n  except OSError: pass")
        ended(result, "exited", exit_code=0)
        prints(python(command, "print(1)"), "1\n")
        equal(keeper.stop(), 0, "exit status")


def test_runner_that_is_killed(box):
    """From outside, as no program inside can: no process is left, and the result says that it was killed."""
    for environment in ({}, {"FH_RUNNER_LANDLOCK_ABI": "5"}):
        with box.kept(environment) as (command, keeper):
            code = TIMEOUTS["children that keep its output open"]
            runner = start(command, ["python3", "-c", textwrap.dedent(code)], wall_ms=0)
            runner.wait_until(lambda result: result.started)
            until(lambda: len(keeper.others()) > 3, "it runs")
            keeper.kill_runner()
            must(not runner.finish().finished, "it was believed")
            until(lambda: not keeper.others(), "no process is left")


def test_nonsense(box):
    policy = wire.policy(["true"], tier=wire.TIER_D)
    start_frame = wire.frame(wire.RUN)
    for data in (b"\xff" * 100,
                 wire.policy(["true"], tier=wire.TIER_A) + start_frame,
                 wire.policy(["true"], tier=wire.TIER_B) + start_frame,
                 wire.policy(["true"], tier=wire.UNPROTECTED) + start_frame,
                 start_frame,
                 wire.input_pieces(b"early") + policy + start_frame,
                 policy + wire.file_pieces("../x", b"") + start_frame,
                 policy + wire.file_pieces("a//x", b"") + start_frame,
                 policy + wire.file_pieces("/x", b"") + start_frame):
        runner = wire.Inside(box.one_shot())
        try:
            runner.send(data)
        except BrokenPipeError:
            pass
        result = runner.finish()
        must(not result.started and not result.finished and result.exit_status == 1, f"{data[:40]}: {result}")
        must(b"invalid message" in result.runner_stderr, str(result.runner_stderr))
    result = run(box.one_shot(), ["true"], binds=[("/usr", "/opt/x")])
    equal((result.status, result.step), ("setup-failed", "binds"), str(result))


def test_disk_that_an_earlier_run_has_filled(box):
    with box.kept() as (command, _):
        prints(python(command, """
            try:
                with open('/tmp/big', 'wb', buffering=0) as file:
                    for _ in range(63): file.write(bytes(1 << 20))
                for n in range(20): open(f'/tmp/{n}', 'wb').write(bytes(1 << 20))
            except OSError as error: print(error.errno)"""), f"{errno.ENOSPC}\n")
        ended(python(command, "raise SystemExit(3)"), "exited", exit_code=3)


def test_sockets_without_a_file(box):
    if ctypes.CDLL(None).syscall(444, None, 0, 1) < 6:
        raise Skip("this kernel's Landlock knows no sockets")
    name = f"\0fumehood-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        prints(python(box.one_shot(network=True), f"""
            import socket
            try: socket.socket(socket.AF_UNIX).connect({name!r})
            except PermissionError: print('refused')
            mine = socket.socket(socket.AF_UNIX)
            mine.bind({name + "-mine"!r})
            mine.listen()
            socket.socket(socket.AF_UNIX).connect({name + "-mine"!r})"""), "refused\n")


def test_no_sockets(box):
    for options in ({}, {"without": ["system-calls"]}):
        result = python(box.one_shot(), """
            import socket
            for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_VSOCK):
                try: socket.socket(family)
                except OSError as error: print(error.errno)
            for make in (lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
                         lambda: socket.socketpair(socket.AF_TIPC)):
                try: print(make())
                except OSError: pass
            left, right = socket.socketpair()
            left.send(b'pair')
            print(right.recv(9))""", flags=wire.NO_SOCKETS, **options)
        prints(result, f"{errno.EAFNOSUPPORT}\n" * 4 + "b'pair'\n")
        equal(result.guards["network"], ("active", "network namespace, no sockets", ""), "the guard")
        refused = {(a.guard, a.verdict) for a in result.attempts.values() if a.operation == "socket"}
        equal(refused, set() if options else {("network", "denied")}, "the attempts")


def test_guards(box):
    result = run(box.one_shot(), [], flags=wire.PROBE)
    equal(result.status, "exited", str(result))
    levels = {guard: (level, reason) for guard, (level, _, reason) in result.guards.items()}
    wanted = {name: ("active", "") for name in wire.GUARD} | {"filesystem": ("active", "container")}
    if not box.limits_memory:
        wanted |= {"memory": ("degraded", "not-granted"), "processes": ("degraded", "not-granted")}
    equal(levels, wanted, "the guards")
    must("reports" in result.guards["system-calls"][1], str(result.guards))
    with folder() as place:
        result = run(box.one_shot(workspace=place, network=True), [], flags=wire.PROBE | wire.SHARED_WORKSPACE)
        levels = {guard: (level, reason) for guard, (level, _, reason) in result.guards.items()}
        equal((levels["filesystem"], levels["disk"]), (("degraded", "shared-folder"), ("degraded", "shared-folder")),
              "with a folder of the user's")


if __name__ == "__main__":
    sys.exit(main(__name__))
