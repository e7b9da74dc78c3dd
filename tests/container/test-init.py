# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that sets up a kept container: once for each container, before its first program."""

import json
import os
import signal
import subprocess
import tempfile

from containers import call as engine
from containers import at_length, inspect, main, new_name, removed
from guarded import CTL, RUN, command, environment, must_appear, must_vanish, run, save
from session_client import Session, works
from tap import equal, must

# Each time it runs, a line is added.
COUNT = "echo once >>~/count; echo 'setting up'; echo 'for all' >&2"
LOOK = "import os\nprint(len(open(os.path.expanduser('~/count')).readlines()))\n"


def once_in_three():
    name = new_name()
    with removed(name):
        first = run(LOOK, "--keep", name, "--container-init", COUNT).must_be(success=True, stdout="1\n")
        equal(sorted(first.stderr.splitlines()), ["for all", "setting up"], "what the command wrote")
        for _ in range(2):
            run(LOOK, "--keep", name, "--container-init", COUNT).must_be(success=True, stdout="1\n", stderr="")
        run(LOOK, "--keep", name).must_be(success=True, stdout="1\n", stderr="")
        # Another command is another set-up.
        run(LOOK, "--keep", name, "--container-init", COUNT + " # again").must_be(success=True, stdout="2\n")


def again_after_removal():
    name = new_name()
    options = ("--keep", name, "--container-init", "touch /tmp/here; " + COUNT)
    with removed(name):
        for _ in range(2):
            run("import os\nprint(os.listdir('/tmp'))\n", *options).must_be(success=True, stdout="['here']\n")
        before = inspect(name)["Id"]
        engine("rm", "--force", "--volumes", name)
        run("import os\nprint(os.listdir('/tmp'))\n", *options).must_be(
            success=True, stdout="['here']\n", stderr=lambda text: "setting up" in text)
        must(inspect(name)["Id"] != before, "the same container")
        # Removed with its folders.
        must(command("container", "remove", "--engine=docker", name).returncode == 0, "remove")
        run(LOOK, *options).must_be(success=True, stdout="1\n")


def fails():
    """The program is not run, and the next run tries it again."""
    name = new_name()
    init = "echo tried >>~/count; echo 'no such package' >&2; [ -e ~/mended ] || exit 7"
    with removed(name):
        for _ in range(2):
            run("print('ran')\n", "--keep", name, "--container-init", init).must_be(
                status="not-started", success=False, exit_status=125, stdout="", stderr="no such package\n",
                sentence=lambda text: name in text and "set-up command" in text and "exit status 7" in text)
        run("import os\nopen(os.path.expanduser('~/mended'), 'w')\n", "--keep", name).must_be(success=True)
        for _ in range(2):
            run(LOOK, "--keep", name, "--container-init", init).must_be(success=True, stdout="3\n")


def takes_too_long():
    name = new_name()
    with removed(name):
        run("print('ran')\n", "--keep", name, "--timeout", "3", "--container-init", "echo begun; exec sleep 600.5").must_be(
            status="not-started", stdout="", stderr="begun\n",
            sentence=lambda text: "set-up command" in text and "3 s" in text)
        # The time of the command is not the program's.
        run("import time\ntime.sleep(4)\n", "--keep", name, "--timeout", "7", "--container-init", "sleep 4").must_be(
            success=True)


@at_length
def killed():
    name = new_name()
    with removed(name):
        run("print('ran')\n", "--keep", name, "--container-init", "kill -9 $$").must_be(
            status="not-started", stdout="", sentence=lambda text: "SIGKILL" in text and "set-up command" in text)


def is_stopped():
    """Whoever stops the run stops the command."""
    name, called = new_name(), "fh-init-sleep"
    init = f"ln -sf /bin/sleep ~/{called}; echo ready; exec ~/{called} 60"
    with removed(name):
        process = subprocess.Popen([CTL, *RUN, "--json", "--no-history", "--keep", name, "--container-init", init,
                                    save("print('ran')\n")],
                                   env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        must_appear(called, process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
        result = json.loads(out)
        must(result["status"] == "stopped" and result["stdout"] == "", str(result)[:600])
        must_vanish(called)
        run("print('ran')\n", "--keep", name, "--container-init", "true").must_be(success=True, stdout="ran\n")


def is_guarded():
    """As the program is: its network, its limits, its files; and what it tried is listed."""
    name = new_name()
    init = ("id -u; grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status; ls /proc/net/dev >/dev/null;"
            " touch /usr/x || true; python3 -c 'import ctypes; ctypes.CDLL(None).mount(0, 0, 0, 0, 0)'; ulimit -n")
    with removed(name):
        result = run("print('ran')\n", "--keep", name, "--file-limit", "64", "--container-init", init).must_be(success=True)
        told = result.stderr.split()
        must(told[0] == str(os.getuid()) and told[-1] == "64", result.stderr)
        must("CapEff:\t0000000000000000" in result.stderr and "NoNewPrivs:\t1" in result.stderr, result.stderr)
        must("Seccomp:\t2" in result.stderr and "Read-only file system" in result.stderr, result.stderr)
        must(any("mount" in json.dumps(attempt) for attempt in result.attempts), str(result.attempts))


@at_length
def without_its_files():
    """It does not start in the program's folder, nor with the options of its language."""
    name = new_name()
    with removed(name):
        run("import os\nprint(os.getcwd())\n", "--keep", name, "--cwd", "data", "--allow-imports", "os", "--container-init",
            "pwd").must_be(success=True, stdout="/workspace/data\n", stderr="/workspace\n")
        run("import os\nprint(os.listdir('/workspace'))\n", "--keep", name).must_be(
            stdout=lambda text: text.count("fumehood-") <= 1)


@at_length
def in_a_copied_folder():
    name = new_name()
    with removed(name), tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "given"), "w", encoding="ascii") as file:
            file.write("given")
        options = ("--keep", name, "--work-dir", folder, "--container-files", "copy", "--container-init", COUNT)
        for _ in range(2):
            run("import os\nprint(open('given').read(), open(os.path.expanduser('~/count')).read())\n",
                *options).must_be(success=True, stdout="given once\n\n")


def before_cells():
    """Before the first of a session; what it installs can be imported there."""
    name = new_name()
    init = "mkdir -p ~/.local && echo 'answer = 42' >~/.local/fh_installed.py; [ -e ~/ready ] || { touch ~/ready; exit 3; }"
    words = (*RUN[1:], f"--keep={name}", f"--container-init={init}")
    importing = "import os, sys\nsys.path.append(os.path.expanduser('~/.local'))\nimport fh_installed\nfh_installed.answer"
    with removed(name), Session(*words, environment=environment()) as client:
        failed = client.run(importing)
        must(failed["status"] == "not-started" and "exit status 3" in json.dumps(failed), str(failed))
        works(client.run(importing), "42")
        works(client.run("fh_installed.answer + 1"), "43")


def needs_a_kept_one():
    for options in ((), ("--container-name", new_name())):
        answer = command(*RUN, "--json", "--no-history", *options, "--container-init", "true", save("print(1)\n"))
        told = (answer.stdout + answer.stderr).decode()
        must(answer.returncode != 0 and "kept for further runs can have a set-up command" in told, told)


if __name__ == "__main__":
    main({
        "once in three runs": once_in_three,
        "again in a new container": again_after_removal,
        "a command that fails": fails,
        "a command that takes too long": takes_too_long,
        "a command that is killed": killed,
        "a command that is stopped": is_stopped,
        "under the guards of the run": is_guarded,
        "not where the program starts": without_its_files,
        "where files are copied": in_a_copied_folder,
        "before the cells of a session": before_cells,
        "only in a container that is kept": needs_a_kept_one,
    })
