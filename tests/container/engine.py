# SPDX-License-Identifier: GPL-3.0-or-later
"""A private Docker engine for tests: a daemon of our own with its own socket, storage and control groups, so that
no test touches the user's containers.

    engine.py start FOLDER GROUP   needs root; FOLDER is new, and members of GROUP may use FOLDER/docker.sock
    engine.py stop FOLDER          ends it by its process id, and removes all that it made

It has no bridge and no rules of a firewall: containers have no network, or the host's.
"""

import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

START_S = 300
STOP_S = 120
# Debian has the daemon where an ordinary user's PATH does not look.
SEARCH = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin"


def group_name(folder):
    """Returns the name of the control group of all of its containers. No other engine has a group of that name: who
    stops an engine ends all that is in its group."""
    return "fumehood-" + hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]


def answers(folder):
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5)
            client.connect(str(folder / "docker.sock"))
            client.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            return b" 200 " in client.recv(64)
    except OSError:
        return False


def start(folder, group):
    program = shutil.which("dockerd", path=SEARCH)
    if program is None:
        sys.exit("dockerd is not installed")
    folder.mkdir(mode=0o711, parents=True)
    # Whatever the mask is: users have to get to the socket, and only to that.
    folder.chmod(0o711)
    words = [program, "--iptables=false", "--ip6tables=false", "--bridge=none", "--userland-proxy=false",
             f"--host=unix://{folder}/docker.sock", f"--group={group}", f"--data-root={folder}/data",
             f"--exec-root={folder}/exec", f"--pidfile={folder}/pid", "--config-file", str(folder / "daemon.json"),
             "--exec-opt=native.cgroupdriver=cgroupfs", f"--cgroup-parent=/{group_name(folder)}", "--log-level=warn"]
    (folder / "daemon.json").write_text("{}\n", encoding="ascii")
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                                   env={**os.environ, "PATH": SEARCH})
    deadline = time.monotonic() + START_S
    while not answers(folder):
        if process.poll() is not None or time.monotonic() > deadline:
            told = (folder / "log").read_text(errors="replace")[-3000:]
            process.kill()
            process.wait()
            clean_up(folder)
            sys.exit(f"dockerd did not start:\n{told}")
        time.sleep(0.1)


def pid_in(path):
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def is_of(pid, folder):
    """Whether it is still the process that wrote the number: it was told of the folder."""
    try:
        return str(folder).encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def end(pid, folder, number):
    """Sends the signal and waits; whether it is gone."""
    deadline = time.monotonic() + STOP_S
    sent = False
    while is_of(pid, folder):
        if not sent:
            os.kill(pid, number)
            sent = True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def others_of(folder):
    """What a daemon that was killed leaves: containerd, and the shims that hold its containers."""
    for path in Path("/proc").glob("[0-9]*"):
        pid = int(path.name)
        if pid != os.getpid() and pid != os.getppid() and is_of(pid, folder):
            try:
                name = (path / "comm").read_text().strip()
            except OSError:
                continue
            if name.startswith(("dockerd", "containerd", "runc", "docker-init")):
                yield pid


def mounts_below(folder):
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        place = line.split()[4].encode().decode("unicode_escape")
        if place.startswith(f"{folder}/"):
            yield place


def clean_up(folder):
    for pid in others_of(folder):
        end(pid, folder, signal.SIGKILL)
    for place in reversed(list(mounts_below(folder))):
        subprocess.run(["umount", "--lazy", place], check=False)
    for root in [Path("/sys/fs/cgroup"), *Path("/sys/fs/cgroup").glob("*/")]:
        remove_group(root / group_name(folder))
    shutil.rmtree(folder, ignore_errors=True)


def remove_group(path):
    if not path.is_dir():
        return
    for inner, _, _ in os.walk(path, topdown=False):
        for _ in range(20):
            try:
                (Path(inner) / "cgroup.procs").read_text().split() and kill_all(Path(inner))
                os.rmdir(inner)
                break
            except OSError:
                time.sleep(0.05)


def kill_all(group):
    for word in (group / "cgroup.procs").read_text().split():
        os.kill(int(word), signal.SIGKILL)


def stop(folder):
    pid = pid_in(folder / "pid")
    if pid is not None and not end(pid, folder, signal.SIGTERM):
        end(pid, folder, signal.SIGKILL)
    clean_up(folder)
    if folder.exists():
        sys.exit(f"{folder} could not be removed")


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "start":
        start(Path(sys.argv[2]).resolve(), sys.argv[3])
    elif len(sys.argv) == 3 and sys.argv[1] == "stop":
        stop(Path(sys.argv[2]).resolve())
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
