# SPDX-License-Identifier: GPL-3.0-or-later
"""What the backend asks an engine for is what there is then: told by the engine, and seen from inside."""

import json
import os
import tempfile
from pathlib import Path

from containers import IS_SHORT, PYTHON, call, inspect, main, new_name, removed
from tap import equal, must
from walls import inside, profile, with_program, words_of

MIB = 1 << 20
SLEEP = ("/bin/sh", "-c", "sleep 60")


def described(**settings):
    """What the engine says of such a container."""
    name = new_name("walls")
    with removed(name):
        call(*with_program(words_of("create", name=name, **settings), *SLEEP))
        return inspect(name)


def told():
    found = described()
    host, config = found["HostConfig"], found["Config"]
    equal((host["ReadonlyRootfs"], host["Privileged"], host["CapAdd"], host["CapDrop"]), (True, False, None, ["ALL"]),
          "rights")
    equal(config["User"], f"{os.getuid()}:{os.getgid()}", "the user")
    [seccomp] = [word for word in host["SecurityOpt"] if word.startswith("seccomp=")]
    equal(json.loads(seccomp.removeprefix("seccomp=")), json.loads(profile(False).read_text()), "the profile")
    must("no-new-privileges" in host["SecurityOpt"], host["SecurityOpt"])
    equal((host["Memory"], host["MemorySwap"], host["PidsLimit"], host["NanoCpus"]), (80 * MIB, 80 * MIB, 42, 0),
          "limits")
    equal((host["NetworkMode"], host["IpcMode"], host["CgroupnsMode"], host["PidMode"]),
          ("none", "private", "private", ""), "namespaces")
    equal((host["LogConfig"]["Type"], host["AutoRemove"], host["RestartPolicy"]["Name"]), ("none", False, "no"),
          "what becomes of it")
    equal((config["Hostname"], config["WorkingDir"], config["StopTimeout"], config["Tty"], config["OpenStdin"]),
          ("sandbox", "/", 1, False, True), "what it is")
    equal(config["Healthcheck"]["Test"], ["NONE"], "health checks")
    equal(sorted(mount["Destination"] for mount in found["Mounts"]), ["/opt/fumehood/guest", "/opt/fumehood/runner"],
          "what is shown")
    must(not any(mount["RW"] for mount in found["Mounts"]), "what is shown can be written")


def choices():
    found = described(cpus=1500, network="host", writable=1, root=1, memory=0, processes=0)
    host = found["HostConfig"]
    equal((host["NanoCpus"], host["NetworkMode"], host["ReadonlyRootfs"], found["Config"]["User"]),
          (1_500_000_000, "host", False, "0:0"), "choices")
    equal((host["Memory"], host["PidsLimit"] or 0), (0, 0), "no limits")


def kept():
    found = described(kept=1)
    equal(found["Config"]["Labels"]["io.github.fumehood.kept"], "1", "its label")
    must(not found["Config"]["OpenStdin"], "it waits for input")
    must("/home/fumehood" in [mount["Destination"] for mount in found["Mounts"]], "it has no home")


def no_rights():
    text = inside("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status; id -u; id -g; id -G").stdout.split()
    zero = "0000000000000000"
    equal(text, ["CapInh:", zero, "CapPrm:", zero, "CapEff:", zero, "CapBnd:", zero, "CapAmb:", zero, "NoNewPrivs:", "1",
                 "Seccomp:", "2", str(os.getuid()), str(os.getgid()), str(os.getgid())], "rights")


def nothing_to_write():
    answer = inside("for f in / /etc /bin /opt/fumehood /opt/fumehood/runner /opt/fumehood/guest /usr /var /run /home "
                    "/sys/fs/cgroup/memory /proc/sys/kernel; do { echo x >$f/x; } 2>/dev/null && echo $f; done; "
                    "echo x >/tmp/x && echo x >/workspace/x && echo x >/dev/shm/x && cat /tmp/x /workspace/x /dev/shm/x")
    equal(answer.stdout, "x\nx\nx\n", "what can be written")


def root_writes_nothing():
    answer = inside("for f in / /etc /bin /opt/fumehood /usr /opt/fumehood/guest; do { echo x >$f/x; } 2>/dev/null && "
                    "echo $f; done; chmod 777 /etc 2>/dev/null && echo chmod; grep CapEff /proc/self/status; id -u",
                    root=1)
    equal(answer.stdout, "CapEff:\t0000000000000000\n0\n", "what user 0 can do")


def sizes():
    """As much as was asked for, and programs can be started there, as in the native sandbox."""
    answer = inside("dd if=/dev/zero of=/workspace/x bs=1M count=20 2>/dev/null; wc -c </workspace/x; "
                    "dd if=/dev/zero of=/tmp/x bs=1M count=20 2>/dev/null; wc -c </tmp/x; rm /tmp/x /workspace/x; "
                    "printf '#!/bin/sh\\necho ran\\n' >/tmp/p; chmod +x /tmp/p; /tmp/p; "
                    "df -i /workspace | tail -1 | awk '{print $2}'; stat -c %a /workspace /tmp 2>/dev/null || true",
                    disk=3 * MIB)
    equal(answer.stdout.split()[:4], [str(3 * MIB), str(3 * MIB), "ran", "4096"], "sizes")


def limits():
    answer = inside("cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null; "
                    "cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null; ulimit -c; ulimit -n",
                    memory=32 * MIB, processes=10)
    equal(answer.stdout.split(), [str(48 * MIB), "12", "0", "4096"], "limits")


def alone():
    answer = inside("cat /proc/net/dev | tail -n +3 | cut -d: -f1; hostname; ls /proc | grep -c '^[0-9]'; "
                    "ls /dev/sda /dev/vda /dev/kmsg /dev/mem /var/run/docker.sock 2>/dev/null; cat /etc/hosts | grep name",
                    host="name:192.0.2.7")
    equal(answer.stdout.split()[:2], ["lo", "sandbox"], "network and name")
    must(int(answer.stdout.split()[2]) < 8, answer.stdout)
    equal(answer.stdout.split()[3:], ["192.0.2.7", "name"], "hosts that were named")


def no_proxies():
    """Those that the user's client would hand on, with the password."""
    proxy = {"httpProxy": "http://me:secret@proxy:1", "httpsProxy": "http://me:secret@proxy:1", "noProxy": "secret",
             "ftpProxy": "http://secret", "allProxy": "http://secret"}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps({"proxies": {"default": proxy}}))
        env = {"DOCKER_CONFIG": folder}
        plain = call("run", "--rm", "--network", "none", "--entrypoint", "/bin/sh", "plain:latest", "-c", "env",
                     env={**os.environ, **env}).stdout
        must("secret" in plain, "the client hands on nothing: the test shows nothing")
        text = inside("env", env=env).stdout
    must("secret" not in text, text)


HOSTILE = [
    "plain", "a,b", 'say "x"', "a=b,readonly", "a:b", "-rf --privileged", "new\nline", "ä€𝄞", "x" * 255, "$(id) `id` \\ '",
    'a,b",target=etc,"c', "type=bind,source=etc", " space ", "*?[", "%s%n",
]


def hostile_folders():
    """A folder of the user's whatever it is called; what is written there belongs to him."""
    names = HOSTILE[1::3] if IS_SHORT else HOSTILE
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            place = Path(folder) / name
            place.mkdir()
            (place / "in").write_text(name)
            answer = inside("cd /workspace; cat in; echo done >out; mkdir deep; mount | grep -c ' on /workspace '", workspace=place)
            equal(answer.stdout, f"{name}1\n", repr(name))
            status = (place / "out").stat()
            equal((status.st_uid, status.st_gid), (os.getuid(), os.getgid()), repr(name))
        equal(sorted(os.listdir(folder)), sorted(names), "nothing else was made")


def shown_folders():
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").write_text("seen")
        answer = inside("cat /mnt/place/data; echo x >/mnt/place/x || echo refused", volume=f"{folder}:/mnt/place")
        equal(answer.stdout, "seenrefused\n", "read-only")
        inside("echo x >/mnt/place/x", volume=f"{folder}:/mnt/place:rw")
        equal((Path(folder) / "x").read_text(), "x\n", "writable")


def nowhere():
    """A folder that is not there is an error and is not made, which --volume would do, as root."""
    with tempfile.TemporaryDirectory() as folder:
        answer = inside("true", check=False, workspace=f"{folder}/missing")
        must(answer.returncode == 125, f"{answer.returncode} {answer.stderr}")
        equal(os.listdir(folder), [], "what was made")


def large_image():
    """The same walls for an image with Python, and the runner is a program in both."""
    answer = inside("import os; print(os.getpid(), os.access('/opt/fumehood/runner', os.X_OK), "
                    "os.path.exists('/opt/fumehood/guest/bootstrap.py'))", image=PYTHON, program=("python3", "-c"))
    equal(answer.stdout, "1 True True\n", "the runner and its Python")


if __name__ == "__main__":
    main({
        "the engine has understood": told,
        "what the user chooses": choices,
        "a container that is kept": kept,
        "no rights inside": no_rights,
        "nothing of the image can be written": nothing_to_write,
        "nor by user 0": root_writes_nothing,
        "places of limited size": sizes,
        "limits": limits,
        "alone with itself": alone,
        "no proxies of the client": no_proxies,
        "folders with hostile names": hostile_folders,
        "folders that are shown": shown_folders,
        "a folder that is missing": nowhere,
        "an image with Python": large_image,
    })
