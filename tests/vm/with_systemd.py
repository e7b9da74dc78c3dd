# SPDX-License-Identifier: GPL-3.0-or-later
"""With a user manager: the kernel's own limits, by control groups."""

import json
import os
import signal
import socket
import subprocess
import time

from leftovers import counters_of, is_own, own_users
from runs import (ENVIRONMENT, HERE, INSIDE, MIB, SLOW, ended, finish, guards_of, interrupt_twice, near, over_memory,
                  run, start)
from tap import equal, must
from traces import Traces, read, running_leaf, wait_for

# As many children as there can be; how many, and why no more.
FORKS = """
    import os, time
    children = 0
    try:
        while True:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            children += 1
    except OSError as error:
        print(children, error.errno, flush=True)
    """

# Children and grandchildren that want to stay.
STUBBORN = """
    import os, signal, time
    for number in range(1, 32):
        try:
            signal.signal(number, signal.SIG_IGN)
        except OSError:
            pass
    for i in range(5):
        if os.fork() == 0:
            os.setsid()
            for j in range(4):
                if os.fork() == 0:
                    os.setsid()
                    time.sleep(600)
            time.sleep(600)
    print("ready", flush=True)
    time.sleep(600)
    """


def end_the_stubborn(*options, has_systemd=True):
    """They are stopped when all of them sleep, and nothing is left."""
    traces = Traces()
    process = start(STUBBORN, "--timeout=500", *options)
    wait_for(lambda: traces.sleepers() == 26, "program with all of its children")
    interrupt_twice(process)
    result = finish(process)
    ended(result, "stopped")
    equal((result["stdout"], result["signal"]), ("ready\n", signal.SIGKILL), "output and signal")
    traces.check(has_systemd)
    return result


def test_guards_are_told_before_the_run():
    output = subprocess.run([HERE / "fumehoodctl", "guards", "--json"], capture_output=True, text=True,
                            env=ENVIRONMENT, check=True).stdout
    probe = json.loads(output)
    guards = guards_of(probe)
    equal(probe["tier"], "A", "tier")
    equal(guards["memory"]["level"], "active", "memory")
    must("memory.max" in guards["memory"]["layers"], guards["memory"])
    equal(guards["processes"]["level"], "active", "processes")
    must("pids.max" in guards["processes"]["layers"], guards["processes"])


def test_guards_are_told_with_the_result():
    result = run("print('hello')")
    ended(result, "ok")
    equal(result["tier"], "A", "tier")
    guards = guards_of(result)
    equal(guards["memory"]["level"], "active", "memory")
    must("memory.max" in guards["memory"]["layers"], guards["memory"])
    must("pids.max" in guards["processes"]["layers"], guards["processes"])


def test_an_old_landlock_is_told():
    release = tuple(int(number) for number in os.uname().release.split(".")[:2])
    guard = guards_of(run("pass"))["filesystem"]
    expected = ("degraded", "old-landlock") if release < (6, 2) else ("active", None)
    equal((guard["level"], guard["reason"]), expected, f"filesystem on Linux {os.uname().release}")


def test_a_user_number_of_its_own():
    result = run("import os; print(os.getuid()); open('left', 'w').close(); os.chmod('left', 0o600)")
    ended(result, "ok")
    equal(result["stdout"], "1000\n", "who it is inside")
    guard = guards_of(result)["privileges"]
    equal((guard["level"], guard["reason"]), ("active", "own-user"), "privileges")
    must("own user number" in guard["layers"], guard)
    equal([file["path"] for file in result["files"]], ["left"], "what it left behind")


def test_limits_are_what_the_kernel_was_told():
    process = start("import time; time.sleep(300)", "--memory=96M", "--processes=7", "--timeout=250")
    leaf = wait_for(running_leaf, "running leaf")
    equal(read(leaf, "memory.max"), str(96 * MIB), "memory.max")
    equal(read(leaf, "memory.swap.max"), "0", "memory.swap.max")
    equal(read(leaf, "memory.oom.group"), "1", "memory.oom.group")
    equal(read(leaf, "pids.max"), "8", "pids.max")
    inside = read(leaf, "cgroup.procs").split()
    for pid in inside:
        must(is_own(pid, own_users()), f"what runs there: {pid}")
    supervisor = read(leaf.parent / "supervisor", "cgroup.procs").split()
    equal(len(supervisor), 1, "processes in the other leaf")
    interrupt_twice(process)
    ended(finish(process), "stopped")


def test_a_heap_that_grows():
    result = run("x = bytearray(300 << 20); print('no')", "--memory=64M")
    over_memory(result)
    equal(result["stdout"], "", "output")
    near(result["memory_peak"], 62 * MIB, 64 * MIB, "peak")


def test_memory_of_many_children():
    result = run("""
        import os, time
        for i in range(20):
            if os.fork() == 0:
                x = b"x" * (40 << 20)
                time.sleep(60)
                os._exit(0)
        time.sleep(60)
        print("no")
        """, "--memory=256M")
    over_memory(result)
    equal(result["stdout"], "", "output")
    near(result["memory_peak"], 250 * MIB, 256 * MIB, "peak")


def test_a_child_that_grows_alone():
    # The parent would take no notice and end well.
    result = run("""
        import os
        if os.fork() == 0:
            x = bytearray(300 << 20)
            os._exit(0)
        os.wait()
        print("no")
        """, "--memory=64M")
    over_memory(result)
    equal(result["stdout"], "", "output")


def test_shared_memory():
    over_memory(run("""
        import mmap
        m = mmap.mmap(-1, 300 << 20)
        for i in range(0, len(m), 4096):
            m[i] = 1
        print("no")
        """, "--memory=64M"))


def test_shared_memory_that_is_no_longer_mapped():
    over_memory(run("""
        import os
        for i in range(30):
            with open(f"/dev/shm/{i}", "wb") as f:
                for j in range(10):
                    f.write(b"x" * (1 << 20))
        print("no")
        """, "--memory=64M", "--disk-limit=1G"))


def test_files_in_memory():
    over_memory(run("""
        with open("/tmp/x", "wb") as f:
            for i in range(300):
                f.write(b"x" * (1 << 20))
        print("no")
        """, "--memory=64M", "--disk-limit=1G"))


def test_what_waits_in_pipes():
    # Memory that no process has mapped: only the kernel knows of it.
    over_memory(run("""
        import os, time
        for child in range(4):
            if os.fork() == 0:
                for i in range(180):
                    r, w = os.pipe()
                    os.set_blocking(w, False)
                    os.write(w, bytes(1 << 16))
                time.sleep(60)
        time.sleep(60)
        print("no")
        """, "--memory=32M"))


def test_the_peak_is_the_kernels():
    result = run("x = bytearray(100 << 20)", "--memory=256M")
    ended(result, "ok")
    near(result["memory_peak"], 100 * MIB, 125 * MIB, "peak")
    # However short it was, and however small everything else.
    result = run("""
        import os
        for i in range(3):
            if os.fork() == 0:
                x = bytearray(50 << 20)
                os._exit(0)
            os.wait()
        """, "--memory=256M")
    ended(result, "ok")
    near(result["memory_peak"], 50 * MIB, 80 * MIB, "peak")


def test_a_program_below_the_limit():
    result = run("x = bytearray(50 << 20); print('yes')", "--memory=80M")
    ended(result, "ok")
    equal(result["stdout"], "yes\n", "output")


def test_no_memory_limit():
    result = run("x = bytearray(300 << 20); print('yes')", "--memory=none")
    ended(result, "ok")
    equal(guards_of(result)["memory"]["level"], "off", "memory")
    near(result["memory_peak"], 300 * MIB, 340 * MIB, "peak")


def test_the_memory_guard_switched_off():
    # More than the limit that holds otherwise.
    result = run("x = bytearray(540 << 20); print('yes')", "--without=memory")
    ended(result, "ok")
    guards = guards_of(result)
    equal((guards["memory"]["level"], guards["memory"]["reason"]), ("off", "switched-off"), "memory")
    must("pids.max" in guards["processes"]["layers"], guards["processes"])


def test_too_many_processes():
    result = run(FORKS + "raise SystemExit(3)", "--processes=9")
    ended(result, "process-limit")
    equal(result["exit_code"], 3, "exit code")
    equal(result["stdout"], "8 11\n", "children and errno")
    near(result["processes_peak"], 1, 9, "processes")


def test_too_many_processes_that_are_coped_with():
    result = run(FORKS, "--processes=9")
    ended(result, "ok")
    equal(result["stdout"], "8 11\n", "children and errno")


def test_too_many_threads():
    result = run("""
        import threading, time
        started = 0
        try:
            for i in range(50):
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
                started += 1
        except RuntimeError:
            print(started, flush=True)
            raise
        """, "--processes=12")
    ended(result, "process-limit")
    equal(result["stdout"], "11\n", "threads")


def test_a_tree_that_ignores_signals():
    near(end_the_stubborn()["processes_peak"], 26, 26, "processes")


def test_a_time_limit():
    result = run("import time; print('ready', flush=True); time.sleep(600)", "--timeout=20")
    ended(result, "timed-out", "wall")
    equal(result["stdout"], "ready\n", "output")
    near(result["wall_us"], 20_000_000, 60_000_000, "time")


def test_everything_in_the_group_is_killed():
    # This process was never inside, and no signal to what is inside reaches it: only cgroup.kill.
    with subprocess.Popen(["/bin/sleep", "100"]) as bystander:
        process = start("import time; time.sleep(300)", "--timeout=250")
        leaf = wait_for(running_leaf, "running leaf")
        (leaf / "cgroup.procs").write_text(str(bystander.pid), encoding="ascii")
        process.send_signal(signal.SIGINT)
        ended(finish(process), "stopped")
        wait_for(lambda: bystander.poll() is not None, "end of the bystander")
        equal(bystander.returncode, -signal.SIGKILL, "end of the bystander")


def test_a_relay_of_children():
    # Each one is gone before it could be looked at.
    result = run("""
        import os
        while True:
            if os.fork() == 0:
                for i in range(200_000):
                    pass
                os._exit(0)
            os.wait()
        """, "--cpu-time=3")
    ended(result, "timed-out", "cpu")
    near(result["cpu_user_us"] + result["cpu_system_us"], 3_000_000, 9_000_000, "CPU time")


def test_a_relay_that_is_not_waited_for():
    result = run("""
        import os, signal
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            if os.fork() == 0:
                for i in range(200_000):
                    pass
                os._exit(0)
            try:
                os.wait()
            except ChildProcessError:
                pass
        """, "--cpu-time=3")
    ended(result, "timed-out", "cpu")


def test_cpu_time_of_children_is_counted():
    result = run("""
        import os, time
        total = 0
        for i in range(10):
            r, w = os.pipe()
            if os.fork() == 0:
                while time.process_time() < 0.2:
                    pass
                os._exit(0)
            os.wait()
        print(sum(os.times()[:4]))
        """)
    ended(result, "ok")
    counted = (result["cpu_user_us"] + result["cpu_system_us"]) / 1e6
    near(counted, 2.0, 2 * float(result["stdout"]) + 1, "CPU time")


def test_no_other_counter_is_needed():
    """For the first one that is open on the computer the kernel would let the run wait."""
    process = start("import time; time.sleep(300)", "--timeout=250")
    leaf = wait_for(running_leaf, "running leaf")
    equal(counters_of(int(read(leaf.parent / "supervisor", "cgroup.procs"))), 0, "counters")
    interrupt_twice(process)
    process.communicate()


def test_control_groups_are_out_of_reach():
    result = run(INSIDE)
    ended(result, "ok")
    equal(result["stdout"].splitlines(), ["0::/", "False False", "False", "-1 True", "[]"], "inside")


def test_a_killed_runner_leaves_nothing():
    traces = Traces()
    process = start("import time; time.sleep(300)", "--timeout=250")
    leaf = wait_for(running_leaf, "running leaf")
    os.kill(int(read(leaf.parent / "supervisor", "cgroup.procs")), signal.SIGKILL)
    ended(finish(process), "internal-error")
    traces.check()


def test_a_killed_caller_leaves_nothing():
    traces = Traces()
    process = start(STUBBORN, "--timeout=250")
    wait_for(running_leaf, "running leaf")
    process.kill()
    process.communicate()
    traces.check()


def test_a_scope_that_comes_late():
    """The backend is gone while systemd is busy: a runner that has ended by then would leave an empty scope for good."""
    traces = Traces()
    ours, theirs = socket.socketpair()
    with ours, theirs, subprocess.Popen([HERE / "fumehood-runner"], pass_fds=[3], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                                        preexec_fn=lambda: os.dup2(theirs.fileno(), 3)) as runner:
        theirs.close()
        ours.close()
        # Long enough for a runner that does not wait.
        time.sleep(0.5)
        must(runner.poll() is None, "it has ended")
        subprocess.run(["busctl", "--user", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                        "org.freedesktop.systemd1.Manager", "StartTransientUnit", "ssa(sv)a(sa(sv))",
                        "io.github.fumehood.Fumehood-run-late.scope", "fail", "3", "PIDs", "au", "1", str(runner.pid),
                        "Delegate", "b", "true", "CollectMode", "s", "inactive-or-failed", "0"],
                       stdout=subprocess.DEVNULL, check=True)
        equal(runner.wait(timeout=SLOW), 0, "exit status")
    traces.check()


def test_two_at_once():
    both = [start(f"x = bytearray({size} << 20); print('done')", "--memory=64M", "--timeout=120")
            for size in (300, 20)]
    first, second = [finish(process) for process in both]
    over_memory(first)
    ended(second, "ok")


def test_eight_in_a_row():
    traces = Traces()
    begun = time.monotonic()
    for i in range(8):
        result = run(f"print({i})", "--memory=64M")
        ended(result, "ok")
        equal(result["stdout"], f"{i}\n", "output")
        equal(guards_of(result)["memory"]["level"], "active", f"memory in run {i}")
    traces.check()
    print(f"# {(time.monotonic() - begun) / 8:.2f} s for each")


def test_files_that_are_only_read():
    # What the kernel keeps of them it can let go of.
    result = run("""
        import os
        size = 0
        for folder, _, names in os.walk("/usr"):
            for name in names:
                path = os.path.join(folder, name)
                if size > 40 << 20 or os.path.islink(path) or not os.path.isfile(path):
                    continue
                with open(path, "rb") as file:
                    while data := file.read(1 << 20):
                        size += len(data)
        print(size > 40 << 20)
        """, "--memory=32M")
    ended(result, "ok")
    equal(result["stdout"], "True\n", "more than the limit")
    near(result["memory_peak"], 20 * MIB, 32 * MIB, "peak")


def test_processes_of_another_user():
    # As in a container that was given the host's bus: the numbers there mean others here.
    container = ["unshare", "--user", "--map-current-user", "--pid", "--fork", "--mount-proc"]
    ended_run = subprocess.run(
        [*container, HERE / "fumehoodctl", "run", "--json", "--no-history", "--language=sh", "-"],
        input="echo hello", capture_output=True, text=True, check=True, cwd="/",
        env={**ENVIRONMENT, "G_MESSAGES_DEBUG": "fh-backend"})
    *debugging, line = ended_run.stdout.splitlines()
    result = json.loads(line)
    ended(result, "ok")
    equal(guards_of(result)["memory"]["reason"], "no-cgroup", "memory")
    must("its processes are not ours" in "".join(debugging), ended_run.stdout)


def test_a_bus_that_is_not_there():
    # Systemd itself still listens, on its own socket.
    ENVIRONMENT["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
    result = run("print('hello')")
    del ENVIRONMENT["DBUS_SESSION_BUS_ADDRESS"]
    ended(result, "ok")
    equal(guards_of(result)["memory"]["level"], "active", "memory")


APPLICATION = [value for name, value in list(globals().items()) if name.startswith("test_")]
LOGIN = [
    test_guards_are_told_with_the_result,
    test_a_heap_that_grows,
    test_too_many_processes,
    test_a_tree_that_ignores_signals,
]
