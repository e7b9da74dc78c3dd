# SPDX-License-Identifier: GPL-3.0-or-later
"""With a user manager: batches of copies of a warm interpreter, each in a control group of its own."""

import functools
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

from runs import ENVIRONMENT, HERE, INSIDE, MIB, SLOW, STARTED, guards_of, interrupt_twice, near
from tap import equal, must
from traces import Traces, groups, read, running_leaf, wait_for
from with_systemd import FORKS, STUBBORN

PLACE = Path.home()

# With the ways in which a run may end that are not its own, or that the kernel decides.
HOSTILE = {
    "heap": "x = bytearray(300 << 20); print('no')",
    "children": """
        import os, time
        for i in range(6):
            if os.fork() == 0:
                x = b"x" * (20 << 20)
                time.sleep(60)
                os._exit(0)
        time.sleep(60)
        print("no")
        """,
    "one-child": """
        import os
        if os.fork() == 0:
            x = bytearray(300 << 20)
            os._exit(0)
        os.wait()
        print("no")
        """,
    "shared": """
        import mmap
        m = mmap.mmap(-1, 300 << 20)
        for i in range(0, len(m), 4096):
            m[i] = 1
        print("no")
        """,
    "files": """
        with open("/tmp/x", "wb") as f:
            for i in range(300):
                f.write(b"x" * (1 << 20))
        print("no")
        """,
    "forks": FORKS + "    raise SystemExit(3)\n",
    # Only the first one gives up.
    "bomb": """
        import os
        first, failures = os.getpid(), 0
        while failures < 50 or os.getpid() != first:
            try:
                os.fork()
            except OSError:
                failures += 1
        raise SystemExit(3)
        """,
    "killer": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos.kill(-1, signal.SIGKILL)\nprint('no')",
    "signal": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "fine": "x = bytearray(30 << 20); print('yes')",
}


def start(named, *options):
    """A batch; one program at a time, unless the options say otherwise."""
    lines = "".join(json.dumps({"id": name, "source": textwrap.dedent(source)}) + "\n" for name, source in named.items())
    path = PLACE / "samples.jsonl"
    path.write_text(lines, encoding="utf-8")
    process = subprocess.Popen([HERE / "fumehoodctl", "batch", "--no-history", "--jobs=1", "--disk-limit=1G", *options, path],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=ENVIRONMENT, cwd="/")
    STARTED.append(process)
    return process


def finish(process):
    output, errors = process.communicate(timeout=30 * SLOW)
    equal(process.returncode, 0, f"exit status; {errors}")
    return {result["id"]: result for result in map(json.loads, output.splitlines())}


def batch(named, *options):
    results = finish(start(named, "--timeout=500", *options))
    equal(set(results), set(named), "results")
    return results


def all_are_forked(results):
    equal([name for name, result in results.items() if not result["forked"]], [], "what was not copied")


def verdict(result):
    return {key: result[key] for key in ("status", "cause", "exit_code", "signal", "stdout", "memory_exceeded")}


def test_guards_are_the_kernels():
    results = batch({"a": "print(1)", "b": "print(2)"})
    all_are_forked(results)
    for result in results.values():
        guards = guards_of(result)
        equal((guards["memory"]["level"], guards["memory"]["layers"]), ("active", "cgroup memory.max, no swap"), "memory")
        must("pids.max" in guards["processes"]["layers"], guards["processes"])
        equal(guards["environment"]["reason"], "forked", "environment")


@functools.cache
def hostile_runs():
    """Returns what there was before, and the results of cold runs and of copies."""
    limits = ("--memory=64M", "--processes=9", "--timeout=500", "--jobs=2")
    return Traces(), finish(start(HOSTILE, "--cold", *limits)), finish(start(HOSTILE, *limits))


def test_verdicts_are_those_of_cold_runs():
    _, cold, warm = hostile_runs()
    for name in HOSTILE:
        equal(verdict(warm[name]), verdict(cold[name]), name)
    all_are_forked(warm)
    equal({name: warm[name]["cause"] for name in ("heap", "children", "one-child", "shared", "files")},
          dict.fromkeys(("heap", "children", "one-child", "shared", "files"), "certain"), "what the kernel counted")
    equal((warm["forks"]["status"], warm["fine"]["status"]), ("process-limit", "ok"), "others")


def test_the_peak_is_the_runs_own():
    """Neither that of another run, nor what the interpreter holds that it is a copy of."""
    large = "x = bytearray(100 << 20)"
    results = batch({"first": "pass", "large": large, "second": "pass", "child": """
        import os
        if os.fork() == 0:
            x = bytearray(50 << 20)
            os._exit(0)
        os.wait()
        """, "last": "pass"}, "--memory=256M", "--preload=json,asyncio,ctypes,decimal,unittest")
    all_are_forked(results)
    near(results["large"]["memory_peak"], 100 * MIB, 120 * MIB, "peak of a large one")
    near(results["child"]["memory_peak"], 50 * MIB, 70 * MIB, "peak of a child")
    for name in ("first", "second", "last"):
        near(results[name]["memory_peak"], 1, 16 * MIB, "peak of a small one")


def test_limits_are_what_the_kernel_was_told():
    process = start({"one": "import time; time.sleep(300)"}, "--memory=96M", "--processes=7", "--timeout=250")
    leaf = wait_for(running_leaf, "running leaf")
    warm = leaf.parent / "warm"
    for folder, processes in ((leaf, "8"), (warm, "9")):
        equal(read(folder, "memory.max"), str(96 * MIB), f"memory.max of {folder}")
        equal(read(folder, "memory.swap.max"), "0", f"memory.swap.max of {folder}")
        equal(read(folder, "memory.oom.group"), "1", f"memory.oom.group of {folder}")
        equal(read(folder, "pids.max"), processes, f"pids.max of {folder}")
    # The runner has a child now and then.
    wait_for(lambda: [len(read(folder, "cgroup.procs").split()) for folder in (warm, leaf.parent / "supervisor")] == [1, 1],
             "one process in each of the others")
    interrupt_twice(process)
    process.communicate()


def test_everything_in_the_group_is_killed():
    # This process was never inside, and no signal to what is inside reaches it: only cgroup.kill.
    with subprocess.Popen(["/bin/sleep", "600"]) as bystander:
        process = start({"one": "import time; time.sleep(300)", "two": "print(2)"}, "--timeout=20")
        leaf = wait_for(running_leaf, "running leaf")
        (leaf / "cgroup.procs").write_text(str(bystander.pid), encoding="ascii")
        results = finish(process)
        equal([result["status"] for result in results.values()], ["timed-out", "ok"], "ends")
        all_are_forked(results)
        wait_for(lambda: bystander.poll() is not None, "end of the bystander")
        equal(bystander.returncode, -signal.SIGKILL, "end of the bystander")


def test_control_groups_are_out_of_reach():
    for result in batch({"one": INSIDE, "two": INSIDE}).values():
        equal(result["stdout"].splitlines(), ["0::/", "False False", "False", "-1 True", "[]"], "inside")


# In namespaces of its own a module may mount, before the guards of runs apply: its own group, too, whose limits it must
# not change.
AHEAD = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
told = [open("/proc/self/cgroup").read().strip()]
read, write = os.pipe()
if os.fork() == 0:
    # Users, mounts, control groups.
    said = [libc.unshare(0x10000000 | 0x20000 | 0x2000000), libc.mount(b"none", b"/tmp", b"cgroup2", 0, None)]
    said.append(sorted(os.listdir("/tmp"))[:3])
    for place in ("", "../", "../../", "../supervisor/"):
        for name in ("memory.max", "memory.swap.max", "pids.max", "cgroup.max.descendants", "cgroup.freeze", "cgroup.kill"):
            try:
                with open(f"/tmp/{place}{name}", "w") as file:
                    file.write("1" if name in ("cgroup.freeze", "cgroup.kill") else "max")
                said.append(f"{place}{name} was written")
            except OSError as error:
                said.append(error.errno)
    try:
        os.mkdir("/tmp/sub")
        said.append("a group was written")
    except OSError as error:
        said.append(error.errno)
    os.write(write, repr(said).encode())
    os._exit(0)
os.wait()
told.append(os.read(read, 10000).decode())
"""


def test_a_module_cannot_change_its_limits():
    home = PLACE / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True, timeout=10 * SLOW)
    (packages,) = home.glob("lib/python3*/site-packages")
    (packages / "ahead.py").write_text(AHEAD, encoding="ascii")
    process = start({"one": "import ahead, time; print(ahead.told, flush=True); time.sleep(300)"}, "--memory=96M", "--processes=7",
                    "--timeout=20", "--preload=ahead", f"--interpreter={home}/bin/python3")
    # The run before looks whether there is such a module, and is no copy of a warm interpreter.
    leaf = wait_for(lambda: (found := running_leaf()) and (found.parent / "warm").is_dir() and found, "running leaf")
    for folder, processes in ((leaf, "8"), (leaf.parent / "warm", "9")):
        equal([read(folder, name) for name in ("memory.max", "memory.swap.max", "pids.max", "cgroup.max.descendants")],
              [str(96 * MIB), "0", processes, "0"], f"limits of {folder}")
    result = finish(process)["one"]
    print(f"# the module was told {result['stdout'].strip()}")
    must(result["forked"] and "was written" not in result["stdout"], "it changed something")


def test_cpu_time_is_the_runs_own():
    spin = """
        import os, time
        while time.process_time() < 2:
            pass
        """
    results = batch({"first": "pass", "spins": spin, "second": "pass"})
    all_are_forked(results)
    times = {name: (result["cpu_user_us"] + result["cpu_system_us"]) / 1e6 for name, result in results.items()}
    near(times["spins"], 1.5, 10, f"CPU time of {times}")
    # Neither has the time of the one that spins.
    must(times["first"] < times["spins"] and times["second"] < times["spins"], f"CPU time: {times}")


def test_nothing_is_left():
    traces, _, warm = hostile_runs()
    all_are_forked(warm)
    traces.check()


def test_a_killed_runner_leaves_nothing():
    traces = Traces()
    process = start({"one": textwrap.dedent(STUBBORN)}, "--timeout=250")
    leaf = wait_for(running_leaf, "running leaf")
    # The runner comes before a child that it has now and then.
    os.kill(min(map(int, read(leaf.parent / "supervisor", "cgroup.procs").split())), signal.SIGKILL)
    wait_for(lambda: not leaf.parent.exists(), "end of its group")
    # The sample may have been started again.
    process.kill()
    process.communicate()
    traces.check()


def test_a_killed_caller_leaves_nothing():
    traces = Traces()
    process = start({"one": textwrap.dedent(STUBBORN)}, "--timeout=250")
    wait_for(running_leaf, "running leaf")
    process.kill()
    process.communicate()
    traces.check()


def test_a_leaf_that_cannot_be_made():
    """Then no copy is made: the program gets a sandbox of its own, with the same guard."""
    process = start({"one": "import time; time.sleep(300)", "two": "print(2)"}, "--timeout=20")
    leaf = wait_for(running_leaf, "running leaf")
    (leaf / "cgroup.max.descendants").write_text("max", encoding="ascii")
    (leaf / "sub").mkdir()
    results = finish(process)
    equal([(result["status"], result["forked"]) for result in results.values()], [("timed-out", True), ("ok", False)],
          "ends")
    equal(guards_of(results["two"])["memory"]["level"], "active", "memory")


def test_leaves_come_and_go():
    """One scope for many runs, with one leaf at a time."""
    named = {str(number): f"print({number})" for number in range(10)}
    output = PLACE / "leaves.jsonl"
    output.unlink(missing_ok=True)
    process = start(named, "--timeout=250", f"--output={output}")
    seen = set()
    most = 0
    while process.poll() is None:
        leaves = [Path(folder) for folder in groups() if folder.endswith("/run")]
        seen |= {leaf.parent for leaf in leaves}
        most = max(most, len(leaves))
        time.sleep(0.05)
    finish(process)
    results = {result["id"]: result for result in map(json.loads, output.read_text(encoding="utf-8").splitlines())}
    all_are_forked(results)
    equal({name: result["stdout"] for name, result in results.items()}, {name: f"{name}\n" for name in named}, "output")
    equal((len(seen), most), (1, 1), "scopes, and leaves at a time")


ALL = [value for name, value in list(globals().items()) if name.startswith("test_")]
LOGIN = [test_guards_are_the_kernels]
