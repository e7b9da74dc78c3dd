# SPDX-License-Identifier: GPL-3.0-or-later
"""A Slurm of one node for one test, by the programs that this computer has: all of it belongs to the user who tests,
has ports, keys and folders of its own, and ends with it."""

import contextlib
import getpass
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tap import must

# Debian has the daemons where an ordinary user's PATH does not look.
SEARCH = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "sinfo")
START_S = 300
CONFIG = """ClusterName=fumehood
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={controller}
SlurmdPort={node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
# What the node is said to have, whatever this computer has.
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=8192 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """None when there can be one, else what is missing."""
    if os.geteuid() == 0:
        return "sandboxes are tested as an ordinary user"
    missing = [name for name in PROGRAMS if shutil.which(name, path=SEARCH) is None]
    return f"not installed: {' '.join(missing)}" if missing else None


def free_ports(count):
    with contextlib.ExitStack() as sockets:
        return [sockets.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1] for _ in range(count)]


class Slurm:
    """Ended by close()."""

    def __init__(self):
        # The path of a socket is short.
        self.folder = Path(tempfile.mkdtemp(prefix="fh-slurm-", dir="/tmp"))
        self.daemons = []
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM")}
        self.environment.update(PATH=SEARCH, SLURM_CONF=str(self.folder / "slurm.conf"))
        try:
            self._configure()
            self._start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                        f"--key-file={self.folder}/key", f"--pid-file={self.folder}/munged.pid",
                        f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/seed")
            self._wait(lambda: (self.folder / "munge.socket").is_socket(), "munged")
            self._start("slurmctld", "-D")
            self._start("slurmd", "-D")
            self._wait(lambda: self.call("sinfo", "--noheader", "--format=%T").stdout.strip() == "idle", "an idle node")
        except BaseException:
            self.close()
            raise

    def _configure(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(mode=0o700)
        with open(self.folder / "key", "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as key:
            key.write(secrets.token_bytes(1024))
        controller, node = free_ports(2)
        (self.folder / "slurm.conf").write_text(CONFIG.format(
            host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=self.folder, controller=controller,
            node=node), encoding="ascii")

    def _start(self, *words):
        with open(self.folder / f"{words[0]}.out", "wb") as out:
            self.daemons.append(subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=out,
                                                 stderr=out))

    def _wait(self, condition, what):
        end = time.monotonic() + START_S
        while not condition():
            ended = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            must(not ended and time.monotonic() < end, f"waited for {what}; ended: {ended}\n{self.logs()}")
            time.sleep(0.1)

    def logs(self):
        paths = sorted([*self.folder.glob("*.out"), *self.folder.glob("*.log")])
        return "\n".join(f"{path.name}: {path.read_text(errors='replace')[-1500:]}" for path in paths)

    def call(self, *words, **options):
        return subprocess.run([str(word) for word in words], check=False, **{
            "env": self.environment, "cwd": self.folder, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True,
            "timeout": 900, **options})

    def close(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(120)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


if __name__ == "__main__":
    sys.exit("slurm.py is a module of the tests")
