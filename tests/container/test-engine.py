# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine and the images that the other tests go by are what these take them for."""

import os

from containers import PLAIN, PYTHON, call, foreign, image, inspect, main, named, new_name, removed, state, volumes
from relay import remote
from tap import equal, must


def out(name, *words, options=()):
    return call("run", "--rm", "--network", "none", *options, name, *words).stdout


def has_python():
    equal(out(PYTHON, "python3", "-c", "import ssl, sqlite3, ctypes, sys; print(sys.version_info[0])"), "3\n", "Python")
    equal(out(PYTHON, "bash", "-c", "x=(1 2); echo ${#x[@]}; perl -e 'print 6 * 7, qq(\\n)'"), "2\n42\n", "bash")
    equal(out(PYTHON, "sh", "-c", "ls -d /usr/bin/gcc /usr/bin/git /var/lib/dpkg 2>/dev/null || echo none"), "none\n",
          "no more than is in the image of that name")


def has_none():
    answer = call("run", "--rm", "--network", "none", PLAIN, "sh", "-c", "command -v python3 || echo none; id -u")
    equal(answer.stdout, "none\n0\n", "a shell")


def belongs_to_root():
    equal(out(PYTHON, "find", "/", "-xdev", "!", "-user", "root", "!", "-path", "/proc/*"), "", "files of others")


def keeps_limits():
    """Without them, half of the tests would see nothing."""
    text = out(PYTHON, "sh", "-c", "cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max; "
               "cat /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max; true",
               options=("--memory", "64m", "--pids-limit", "7"))
    equal(text, "67108864\n7\n", "limits")


def other_images():
    with image('ENTRYPOINT ["echo", "entered"]', "ENV WORD=here") as name:
        equal(out(name, "now"), "entered now\n", "the entrypoint")
        must("WORD=here\n" in out(name, options=("--entrypoint", "env")), "its environment")
    must(call("image", "inspect", name, check=False).returncode != 0, "the image is still there")


def helpers_see():
    name = new_name()
    must(inspect(name) is None and state(name) is None, "a name that no container has")
    with foreign(name, "--volume", "/place"):
        equal(state(name), "running", "its state")
        must(name in named(f"name={name}"), "it is not in the list")
        [mount] = inspect(name)["Mounts"]
        must(mount["Name"] in volumes(), "its volume is not in the list")
    must(state(name) is None, "it is still there")
    must(mount["Name"] not in volumes(), "its volume is still there")
    with removed(name):
        call("create", "--name", name, PLAIN)
    must(state(name) is None, "it is still there")


def from_far_away():
    with remote() as host:
        answer = call("run", "--interactive", "--rm", "--network", "none", PLAIN, "sh", "-c", "cat; echo end; echo e >&2",
                      env={**os.environ, "DOCKER_HOST": host}, stdin=None, input="x" * 300_000 + "\n")
    must(host.startswith("tcp://"), host)
    equal((answer.stdout, answer.stderr), ("x" * 300_000 + "\nend\n", "e\n"), "what came through")


if __name__ == "__main__":
    main({
        "an image with Python": has_python,
        "an image without": has_none,
        "files in images belong to root": belongs_to_root,
        "limits are kept": keeps_limits,
        "images made from others": other_images,
        "as if it were on another computer": from_far_away,
        "what is there is seen, and removed": helpers_see,
    })
