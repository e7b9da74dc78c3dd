# SPDX-License-Identifier: GPL-3.0-or-later
"""The life of a container: one that is made for a run, one that is kept, and what others do to it meanwhile."""

import json
import os
import signal
import subprocess

from containers import at_length, foreign, inspect, main, new_name, ours, removed, state
from containers import call as engine
from guarded import CTL, RUN, STATE, command, environment, must_appear, must_vanish, run, save
from tap import PATIENCE, equal, must, until

# When what it has printed has been read, it takes a name by which it is found among the processes of this computer.
NAMED = ("import array, fcntl, os, signal, sys, time\nprint('ready', flush=True)\nleft = array.array('i', [1])\n"
         "while left[0]: fcntl.ioctl(1, 0x541b, left)\n__import__('ctypes').CDLL(None).prctl(15, {!r})\n")


def control(*words):
    """fumehoodctl container …, in words: (exit status, what it said)."""
    answer = command("container", words[0], "--engine=docker", *words[1:])
    return answer.returncode, (answer.stdout + answer.stderr).decode()


def done(*words):
    status, text = control(*words)
    equal(status, 0, f"container {' '.join(words)}: {text}")
    return text


def start(process_name, statements, *options):
    """A run that has begun; it ends by finish()."""
    path = save(NAMED.format(process_name.encode()) + statements)
    process = subprocess.Popen([CTL, *RUN, "--json", "--no-history", *options, path], env=environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    must_appear(process_name, process)
    return process


def finish(process):
    out, errors = process.communicate(timeout=PATIENCE)
    must(out, f"no JSON but {errors!r}")
    return json.loads(out)


def given_name():
    name = new_name()
    with removed(name):
        process = start("fh-given", "time.sleep(60)\n", "--container-name", name)
        equal(state(name), "running", "a container of that name")
        process.send_signal(signal.SIGINT)
        equal(finish(process)["status"], "stopped", "status")
        must(state(name) is None, "it is still there")


def is_kept():
    name = new_name()
    with removed(name):
        run("import os\nopen('left', 'w').write('text')\nos.makedirs(os.path.expanduser('~/.local'), exist_ok=True)\n"
            "open(os.path.expanduser('~/.local/own'), 'w').write('mine')\nprint(os.getpid())\n", "--keep", name).must_be(
                success=True)
        first = inspect(name)
        equal(first["State"]["Status"], "running", "state")
        run("import os\nprint(open('left').read(), open(os.path.expanduser('~/.local/own')).read())\n", "--keep",
            name).must_be(success=True, stdout="text mine\n")
        equal(inspect(name)["Id"], first["Id"], "the same container")
        done("remove", name)
        must(state(name) is None, "it is still there")


def start_folder():
    """Made in the workspace, if nothing is there; never where a link leads that an earlier run has left."""
    name = new_name()
    with removed(name):
        run("import os\nprint(os.getcwd())\nos.symlink('/etc', '../away')\n", "--keep", name, "--cwd", "data/in").must_be(
            success=True, stdout="/workspace/data/in\n")
        run("import os\nprint(os.getcwd())\n", "--keep", name, "--cwd", "/etc").must_be(success=True, stdout="/etc\n")
        for folder in ("data/away", "data/away/new", "/no/such"):
            run("print('ran')\n", "--keep", name, "--cwd", folder).must_be(
                success=False, stdout="", sentence=lambda text: text.startswith("Nothing was run: it could not start in"))
        run("import os\nprint(sorted(os.listdir('data')))\n", "--keep", name).must_be(stdout="['away', 'in']\n")


@at_length
def module_of_a_run():
    """What pip would do, without a network."""
    name = new_name()
    with removed(name):
        run("import os, site\nfolder = site.getusersitepackages()\nos.makedirs(folder)\n"
            "open(folder + '/fh_installed.py', 'w').write('answer = 42')\n", "--keep", name).must_be(success=True)
        run("import fh_installed\nprint(fh_installed.answer)\n", "--keep", name).must_be(success=True, stdout="42\n")
        run("import fh_installed\n").must_be(exit_code=1, stderr=lambda text: "ModuleNotFoundError" in text)


def program_of_a_run():
    """Into the image's own folders, as its package manager does."""
    name = new_name()
    options = ("--keep", name, "--writable", "--root")
    with removed(name):
        run("printf '#!/bin/sh\\necho installed\\n' >/usr/local/bin/fh-tool && chmod 755 /usr/local/bin/fh-tool\n", *options,
            suffix=".sh").must_be(success=True)
        run("fh-tool; id -u\n", *options, suffix=".sh").must_be(success=True, stdout="installed\n0\n")
        done("restart", name)
        run("fh-tool\n", *options, suffix=".sh").must_be(success=True, stdout="installed\n")


def nothing_is_shared():
    run("open('/workspace/left', 'w'); open('/tmp/left', 'w')\n").must_be(success=True)
    run("import os\nprint(os.listdir('/workspace'), os.listdir('/tmp'))\n").must_be(stdout="['main.py'] []\n")
    run("open('/left', 'w')\n").must_be(exit_code=1, stderr=lambda text: "Read-only file system" in text)


@at_length
def restarts():
    name = new_name()
    with removed(name):
        run("open('left', 'w').write('text')\n", "--keep", name).must_be(success=True)
        before = inspect(name)
        done("restart", name)
        after = inspect(name)
        equal(after["State"]["Status"], "running", "state")
        must(after["Id"] == before["Id"] and after["State"]["StartedAt"] > before["State"]["StartedAt"], "not restarted")
        run("print(open('left').read())\n", "--keep", name).must_be(success=True, stdout="text\n")


def stops_twice():
    name = new_name()
    with removed(name):
        run("open('left', 'w').write('text')\n", "--keep", name, "--after", "stop").must_be(success=True)
        equal(state(name), "exited", "after the run")
        done("stop", name)
        equal(state(name), "exited", "after the stop")
        run("print(open('left').read())\n", "--keep", name).must_be(success=True, stdout="text\n")
        equal(state(name), "running", "after the next run")
        done("stop", name)
        # It ends by itself; one that does not is killed.
        must(inspect(name)["State"]["ExitCode"] != 137, "it was killed")
        done("stop", name)
        done("remove", name)
        must(name in done("stop", name), "it is not said that there is none")


def keeps_no_longer():
    name = new_name()
    with removed(name):
        run("print(1)\n", "--keep", name, "--after", "remove").must_be(success=True)
        must(state(name) is None, "it is still there")


def listed():
    name, other = new_name(), new_name()
    with removed(name), foreign(other):
        run("print(1)\n", "--keep", name).must_be(success=True)
        text = done("list")
        must(name in text and other not in text, text)


@at_length
def removed_between_runs():
    name = new_name()
    with removed(name):
        run("open('/tmp/left', 'w')\n", "--keep", name).must_be(success=True)
        engine("rm", "--force", "--volumes", name)
        result = run("import os\nprint(os.listdir('/tmp'))\n", "--keep", name).must_be(success=True, stdout="[]\n")
        told = result.messages + json.dumps(result.object)
        must(state(name) == "running" and ("gone" in told or "anew" in told or "again" in told), told)


@at_length
def removed_during_a_run():
    name = new_name()
    with removed(name):
        for options in (["--container-name", name], ["--keep", name]):
            process = start("fh-gone", "time.sleep(60)\n", *options)
            engine("rm", "--force", "--volumes", name)
            result = finish(process)
            must(result["status"] not in ("ok", "failed", "timed-out", "memory-exceeded"), str(result)[:600])
            must(result["stdout"] == "ready\n" and result["error"], str(result)[:600])
            must_vanish("fh-gone")
        run("print('next')\n", "--keep", name).must_be(success=True, stdout="next\n")


def killed_by_others():
    name = new_name()
    with removed(name):
        for options in (["--container-name", name], ["--keep", name]):
            process = start("fh-killed", "time.sleep(60)\n", *options)
            engine("kill", name)
            result = finish(process)
            must(result["status"] not in ("ok", "failed", "timed-out", "memory-exceeded"), str(result)[:600])
            must(not result["memory_exceeded"] and result["error"], str(result)[:600])
            must_vanish("fh-killed")
        # Its own program, and none of the runs before.
        run("import os\nprint(sum(name.startswith('fumehood-') for name in os.listdir('.')))\n", "--keep", name).must_be(
            success=True, stdout="1\n")


def paused_by_others():
    """A program that cannot move at all cannot be asked to end."""
    name, kept = new_name(), new_name()
    with removed(name, kept):
        runs = [start(f"fh-paused-{number}", "time.sleep(60)\n", option, one, "--timeout", "6")
                for number, (option, one) in enumerate((("--container-name", name), ("--keep", kept)))]
        engine("pause", name, kept)
        for number, process in enumerate(runs):
            result = finish(process)
            must(result["status"] != "ok" and not result["success"], str(result)[:600])
            must_vanish(f"fh-paused-{number}")
        must(state(name) is None, "it is still there")
        engine("unpause", kept, check=False)
        run("print('next')\n", "--keep", kept).must_be(success=True, stdout="next\n")


@at_length
def client_is_killed():
    name = new_name()
    with removed(name):
        for options in (["--container-name", name], ["--keep", name]):
            process = start("fh-client", "time.sleep(60)\n", *options)
            with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as children:
                for pid in children.read().split():
                    os.kill(int(pid), signal.SIGKILL)
            result = finish(process)
            must(result["status"] == "internal-error" and result["stdout"] == "ready\n", str(result)[:600])
            must_vanish("fh-client")
            must("--keep" in options or state(name) is None, "it is still there")


@at_length
def owner_is_killed():
    """What a crash leaves goes with the next run, at the latest."""
    name = new_name()
    with removed(name):
        process = start("fh-owner", "time.sleep(60)\n", "--container-name", name)
        process.kill()
        process.communicate()
        must_vanish("fh-owner")
        run("print(1)\n").must_be(success=True)
        until(lambda: state(name) is None, "its removal")


def name_is_taken():
    name = new_name()
    with foreign(name):
        before = inspect(name)
        for option in ("--keep", "--container-name"):
            result = run("print(1)\n", option, name)
            result.must_be(status="not-started", exit_status=125, stdout="", error=lambda text: name in text)
        for word in ("stop", "restart", "remove"):
            status, text = control(word, name)
            must(status != 0 and name in text, f"{word}: {status} {text}")
        after = inspect(name)
        must(after["Id"] == before["Id"] and after["State"]["StartedAt"] == before["State"]["StartedAt"]
             and after["State"]["Running"], "it was touched")


def not_there():
    for word in ("stop", "restart", "remove"):
        name = new_name()
        status, text = control(word, name)
        # Stopped and removed is what it is.
        must((status == 0) == (word != "restart") and name in text, f"{word}: {status} {text}")


@at_length
def own_codes():
    """Other than of 124 and 137, it is never guessed what they might mean; nor in a kept one."""
    name = new_name()
    with removed(name):
        for code in (124, 125, 126, 127, 137, 143):
            run(f"raise SystemExit({code})\n", "--keep", name).must_be(
                status="failed", exit_code=code, exit_status=code, timeout=False, memory_exceeded=False)


def memory_of_each_run():
    """The counters of a kept container are of all of its runs."""
    name = new_name()
    options = ("--keep", name, "--memory", "96M", "--timeout", "20")
    child = ("import os\nif os.fork() == 0:\n    x = bytearray(b'x') * (300 << 20)\n    os._exit(0)\n"
             "os.wait()\nprint('parent')\n")
    with removed(name):
        run(child, "--memory", "96M", "--timeout", "20").must_be(
            status="memory-exceeded", cause="certain", memory_exceeded=True, success=False)
        run(child, *options).must_be(status="memory-exceeded", cause="certain", memory_exceeded=True)
        run("print('fine')\n", *options).must_be(success=True, stdout="fine\n", memory_exceeded=False)
        run("import os; os.kill(os.getpid(), 9)\n", *options).must_be(status="signalled", signal=9, memory_exceeded=False)
        run("x = bytearray(b'x') * (300 << 20)\n", *options).must_be(status="memory-exceeded", cause="certain")
        run("print('fine')\n", *options).must_be(success=True, stdout="fine\n")


def nothing_lives_on():
    """Neither what a run started nor what ignores every signal is there in the next one."""
    name = new_name()
    daemon = ("import os, signal, time\nfor n in range(1, 17):\n    try: signal.signal(n, signal.SIG_IGN)\n"
              "    except (OSError, ValueError): pass\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
              "        __import__('ctypes').CDLL(None).prctl(15, b'fh-daemon')\n        os.write(1, b'up ')\n"
              "        time.sleep(60)\n    os._exit(0)\nos.wait()\ntime.sleep(.3)\nprint('done')\n")
    with removed(name):
        for options in ((), ("--keep", name)):
            run(daemon, *options).must_be(status="ok", stdout="up done\n", elapsed=lambda s: s < 30)
            must_vanish("fh-daemon")


def blocks_of_an_answer():
    """Each has a container of its own, in which it finds what those before it have left."""
    text = b"""```sh
mkdir -p empty v1; echo one > v1/name; ln -s v1 current; printf '#!/bin/sh\\ncat current/name\\n' > /tmp/show
chmod 750 /tmp/show; touch -d @1000000000 v1/name
```
```python
import os
print(oct(os.stat('/tmp/show').st_mode), os.readlink('current'), int(os.stat('v1/name').st_mtime), os.listdir('empty'))
os.remove('current')
os.symlink('empty', 'current')
open('empty/name', 'w').write('two\\n')
```
```sh
/tmp/show; ls /tmp
```
"""
    answer = command(*RUN, "--no-history", "-", stdin=None, input=text)
    equal((answer.returncode, answer.stdout), (0, b"0o100750 v1 1000000000 []\ntwo\nshow\n"), answer.stderr)


@at_length
def stands_still():
    name = new_name()
    with removed(name):
        for options in ((), ("--keep", name)):
            run("import os, signal\nprint('stops', flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)\n", "--timeout", "1",
                *options).must_be(status="timed-out", stdout="stops\n", exit_status=124, elapsed=lambda s: s < 30)


@at_length
def folder_of_the_user():
    folder = os.path.join(STATE.name, "work", "below")
    run("import os\nprint(os.getcwd(), os.listdir('.'))\nopen('result', 'w').write('made')\n", "--work-dir",
        folder).must_be(success=True, stdout=lambda text: text.startswith("/workspace ["))
    with open(os.path.join(folder, "result"), encoding="ascii") as file:
        equal(file.read(), "made", "the result")
    equal(os.stat(os.path.join(folder, "result")).st_uid, os.getuid(), "its owner")
    with open(os.path.join(folder, "given"), "w", encoding="ascii") as file:
        file.write("given")
    run("print(open('given').read(), open('result').read())\n", "--work-dir", folder).must_be(stdout="given made\n")


def none_is_left():
    """The last word of this file: whatever the tests did, each has removed what it kept."""
    left = {name for name in ours() if name.startswith("fh-test-")}
    must(not left, f"left: {left}")


if __name__ == "__main__":
    main({
        "a name that was given": given_name,
        "one run shares nothing with the next": nothing_is_shared,
        "blocks of an answer": blocks_of_an_answer,
        "a container is kept": is_kept,
        "where a program starts": start_folder,
        "a module of one run is there in the next": module_of_a_run,
        "a program of one run is there in the next": program_of_a_run,
        "restart": restarts,
        "stop twice, and start again": stops_twice,
        "kept no longer than a run": keeps_no_longer,
        "the list is of ours": listed,
        "removed behind our back": removed_between_runs,
        "removed during a run": removed_during_a_run,
        "killed from outside": killed_by_others,
        "paused from outside": paused_by_others,
        "the client is killed": client_is_killed,
        "its owner is killed": owner_is_killed,
        "a name that others have": name_is_taken,
        "a name that no container has": not_there,
        "exit codes are the program's own": own_codes,
        "memory is counted for each run": memory_of_each_run,
        "nothing lives on": nothing_lives_on,
        "a stopped process": stands_still,
        "a folder of the user": folder_of_the_user,
        "none is left": none_is_left,
    })
