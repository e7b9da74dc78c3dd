# SPDX-License-Identifier: GPL-3.0-or-later
"""C: the time limit holds whatever the program does about it, and takes the whole tree."""

import json
import os
import signal
import subprocess
import time

from guarded import CTL, IN_CONTAINER, RUN, command, environment, main, must, must_appear, must_vanish, run, save

# In seconds, on a busy computer. The programs would go on for much longer.
SLACK = 25
# A statement that waits until all that was printed has been read.
TAKEN = "left = array.array('i', [1])\nwhile left[0]: fcntl.ioctl(1, 0x541b, left)\n"


def times_out(source, seconds, **more):
    result = run(source, "--timeout", str(seconds))
    result.must_be(status="timed-out", timeout=True, success=False, exit_status=124, exit_code=None,
                   error=lambda text: "time" in text.lower(), elapsed=lambda s: s < seconds + SLACK,
                   wall_us=lambda us: us < (seconds + SLACK) * 1e6, **more)
    return result


def busy():
    times_out("while True: pass\n", 2, cause="wall")


def sleeping():
    times_out("import time; time.sleep(60); print('no')\n", 1, stdout="")


def partial_output():
    times_out("import time, sys\nprint(123)\nsys.stdout.write('no newline')\ntime.sleep(60)\nprint(456)\n", 5,
              stdout="123\nno newline")


def within_the_default():
    run("import time\nprint(123)\ntime.sleep(5)\nprint(456)\n").must_be(success=True, stdout="123\n456\n")


def zero_is_refused():
    for text in ("0", "abc", "-1", "0.01", "25h"):
        answer = command(*RUN, "--timeout", text, save("print(1)\n"))
        must(answer.returncode == 125, f"{text}: {answer.returncode}")
        must(answer.stdout == b"", f"{text}: {answer.stdout!r}")
        must(b"--timeout" in answer.stderr and answer.stderr.count(b"\n") == 1, f"{text}: {answer.stderr!r}")


def catches_everything():
    times_out("import time\nfor _ in range(3):\n    try: time.sleep(30)\n    except BaseException: print('caught')\n", 1)


def cancels_timers():
    times_out("import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0)\nsignal.alarm(0)\ntime.sleep(60)\n", 2)


def ignores_signals():
    times_out("import signal, time\n"
              "for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM): signal.signal(n, signal.SIG_IGN)\n"
              "time.sleep(60)\n", 2)


def named(name):
    """A statement that names the process, so that it can be found from outside."""
    return f"__import__('ctypes').CDLL(None).prctl(15, {name.encode()!r}); os.write(1, b'named ')\n"


def child_holds_the_output():
    result = run("import os, time\nif os.fork() == 0:\n    " + named("fh-c9") +
                 "    time.sleep(60)\n    os._exit(0)\ntime.sleep(.5)\nprint('parent')\n", "--timeout", "30")
    result.must_be(status="ok", stdout=lambda text: sorted(text.split()) == ["named", "parent"], elapsed=lambda s: s < 2 + SLACK)
    must_vanish("fh-c9")


def child_outlives_the_limit():
    times_out("import os, time\nif os.fork() == 0:\n    " + named("fh-c10") +
              "    time.sleep(60)\n    open('late', 'w').write('x')\n    os._exit(0)\ntime.sleep(60)\n", 5, stdout="named ")
    must_vanish("fh-c10")


def child_leaves_the_session():
    times_out("import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        " + named("fh-c11") +
              "        time.sleep(60)\n    os._exit(0)\nos.wait()\ntime.sleep(60)\n", 5, stdout="named ")
    must_vanish("fh-c11")


def thread():
    times_out("import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\nprint('main done')\n", 5,
              stdout="main done\n")


def one_long_call():
    times_out("sum(range(10**10))\n", 1)


def start_sleeper(statements=""):
    """A run that printed "named ready", named itself and sleeps."""
    path = save("import array, fcntl, os, signal, time\n" + statements + "print('named ready', flush=True)\n" + TAKEN +
                "__import__('ctypes').CDLL(None).prctl(15, b'fh-c14')\ntime.sleep(60)\nprint('late')\n")
    process = subprocess.Popen([CTL, *RUN, "--json", "--no-history", "--timeout=120", path], env=environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    must_appear("fh-c14", process)
    return process


def stop(first, *later):
    """Signals to a running fumehoodctl, 0.2 s apart: (its JSON, exit status, seconds from the first signal)."""
    process = start_sleeper("for n in (signal.SIGINT, signal.SIGTERM): signal.signal(n, signal.SIG_IGN)\n" if later else "")
    begin = time.monotonic()
    process.send_signal(first)
    for number in later:
        time.sleep(0.2)
        process.send_signal(number)
    out, _ = process.communicate(timeout=300)
    seconds = time.monotonic() - begin
    must_vanish("fh-c14")
    return json.loads(out), process.returncode, seconds


def stopped():
    for number in (signal.SIGINT, signal.SIGTERM):
        result, status, _ = stop(number)
        # A second later it would have been killed.
        must((result["status"], result["signal"], status) == ("stopped", signal.SIGINT, 130), f"{result} {status}")
        must(result["stdout"] == "named ready\n", str(result)[:300])


def stopped_twice():
    """The second stop does not wait for the second that the first one leaves the program; on a busy computer that shows
    in the quickest of a few runs."""
    times = []
    while not times or min(times) >= 0.9:
        must(len(times) < 5, f"the second stop took {times} s")
        result, status, seconds = stop(signal.SIGINT, signal.SIGINT)
        must((result["status"], result["signal"], status) == ("stopped", signal.SIGKILL, 130), f"{result} {status}")
        times.append(seconds)


def stopped_stubborn():
    result, _, seconds = stop(signal.SIGINT, 0)
    must((result["status"], result["signal"]) == ("stopped", signal.SIGKILL), str(result)[:300])
    must(0.9 < seconds < 50, f"one that ignores signals is killed after a second, not {seconds:.2f} s")


def runner_is_killed():
    process = start_sleeper()
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as children:
        os.kill(int(children.read()), signal.SIGKILL)
    out, _ = process.communicate(timeout=300)
    result = json.loads(out)
    must(result["status"] == "internal-error" and process.returncode == 125, str(result["status"]))
    must(("container" if IN_CONTAINER else "signal 9") in result["error"], str(result)[:300])
    must(result["stdout"] == "named ready\n", str(result)[:300])
    must_vanish("fh-c14")


def next_run_is_new():
    times_out("x = 123\nopen('left', 'w').write('x')\nwhile True: pass\n", 1)
    run("import os\nprint(os.listdir('.'))\nprint(x)\n").must_be(
        stdout="['main.py']\n", exit_code=1, stderr=lambda text: "NameError" in text)


def long_enough():
    run("import time; time.sleep(2); print('done')\n", "--timeout", "25").must_be(success=True, stdout="done\n")


def processor_time():
    result = run("import os\nfor _ in range(2): os.fork()\nwhile True: pass\n", "--cpu-time", "1", "--timeout", "20")
    result.must_be(status="timed-out", cause="cpu", exit_status=124)


if __name__ == "__main__":
    main({
        "C1 busy loop": busy,
        "C2 sleep": sleeping,
        "C3 partial output is kept": partial_output,
        "C4 within the default limit": within_the_default,
        "C5 senseless limits are refused": zero_is_refused,
        "C6 catches every exception": catches_everything,
        "C7 cancels timers": cancels_timers,
        "C8 ignores signals": ignores_signals,
        "C9 child holds stdout": child_holds_the_output,
        "C10 child outlives the limit": child_outlives_the_limit,
        "C11 child leaves the session": child_leaves_the_session,
        "C12 thread that is not a daemon": thread,
        "C13 one long call": one_long_call,
        "C14 stopped by the user": stopped,
        "C14 stopped twice": stopped_twice,
        "C14 stopped while it ignores signals": stopped_stubborn,
        "C15 the next run starts anew": next_run_is_new,
        "C16 a longer limit": long_enough,
        "C18 the runner is killed": runner_is_killed,
        "C17 processor time of the tree": processor_time,
    })
