# SPDX-License-Identifier: GPL-3.0-or-later
"""J and H16: what the lists of others forbid by name runs here and reaches nothing. tests/attacks has the real ones."""

import os
import socket
import tempfile
from pathlib import Path

from guarded import environment, main, must, run

HOME = str(Path.home())


class Decoy:
    """A file of the user's in a folder that everyone may write to: it has to be there afterwards, unchanged."""

    def __enter__(self):
        self.file = tempfile.NamedTemporaryFile(dir="/tmp", prefix="fh-decoy-")
        self.file.write(b"mine")
        self.file.flush()
        os.chmod(self.file.name, 0o666)
        return self

    def __exit__(self, *error):
        must(Path(self.file.name).read_bytes() == b"mine", "the user's file is unchanged")
        self.file.close()


def contained(source, *options, **expected):
    with Decoy() as decoy:
        result = run(source.replace("DECOY", decoy.file.name), *options)
        result.must_be(**expected)
        return result


def commands():
    """J1, J3, J6, J7, J9: however a command is started, it is inside."""
    starts = {
        "os.system": "import os; os.system(C)",
        "Popen": "import subprocess; subprocess.Popen(C, shell=True).wait()",
        "posix": "import posix; posix.system(C)",
        "spawn": "import os; os.waitpid(os.posix_spawn('/bin/sh', ['sh', '-c', C], os.environ), 0)",
        "reload": "import importlib, os; importlib.reload(os); os.system(C)",
        "ctypes": "import ctypes; ctypes.CDLL(None).system(C.encode())",
    }
    for name, start in starts.items():
        result = contained(f"C = 'echo over > DECOY; rm -f DECOY; id -un; pwd'\n{start}\n")
        must(result.stdout == "guest\n/workspace\n", f"{name}: {result}")


def deletes():
    """J2, H16."""
    contained("import shutil; shutil.rmtree('/tmp', ignore_errors=True)\n", exit_status=0)
    for line in ("rm -rf / 2>/dev/null", "mv DECOY /dev/null 2>/dev/null", "dd if=/dev/zero of=DECOY count=1 2>/dev/null",
                 "echo Hello > /dev/sda 2>/dev/null"):
        with Decoy() as decoy:
            run(line.replace("DECOY", decoy.file.name) + "\ntrue\n", suffix=".sh").must_be(
                status=lambda status: status in ("ok", "failed"))


def fork_bomb():
    """H16: it ends by the limit of processes or of time, and the user's other programs go on."""
    run(":(){ :|:& };:\nsleep 5\n", "--language", "bash", "--timeout", "2", "--processes", "50", suffix=".sh").must_be(
        elapsed=lambda seconds: seconds < 100)
    run("print('still here')\n").must_be(status="ok")


def kills():
    """J4, J5: signals reach only what is inside."""
    me = os.getpid()
    contained(f"import os\nfor pid in (1, {me}, {os.getppid()}):\n    try: os.kill(pid, 9)\n    except OSError: pass\n"
              "if os.fork() == 0: os._exit(0)\nos.wait()\n", status=lambda status: status in ("ok", "signalled"))


def switched_off():
    """In the mode that only advises, the functions are refused by name."""
    result = run("import os; os.system('echo ran')\n", "--limit-functions").must_be(status="failed")
    must("ran" not in result.stdout, str(result))


def environment_is_hidden():
    """J10."""
    result = run("import os; print(sorted(os.environ))\n", env=environment(FH_TEST_SECRET="hidden-words"))
    must("FH_TEST_SECRET" not in result.stdout and b"hidden-words" not in result.raw, str(result))


def home_is_absent():
    """J11."""
    source = f"import os; print(os.path.exists({HOME + '/.ssh'!r}), os.path.exists({HOME!r}) and os.listdir({HOME!r}))\n"
    result = run(source).must_be(status="ok")
    must(result.stdout in ("False False\n", "False []\n"), str(result))
    users = run("print([line.split(':')[0] for line in open('/etc/passwd')])\n").must_be(status="ok")
    must(users.stdout == "['root', 'guest', 'nobody']\n", str(users))


def writes_outside():
    """J12."""
    source = """
for path in ("/etc/x", "/usr/x", "/bin/sh", "DECOY", "/proc/sys/kernel/hostname"):
    try:
        open(path, "r+" if path == "DECOY" else "w").write("over")
        print("wrote", path)
    except OSError:
        pass
"""
    contained(source, status="ok", stdout="")


def network():
    """J13: a server of the user's is not reached."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        run(f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2)\n").must_be(status="failed")
        try:
            server.accept()
            must(False, "it was reached")
        except BlockingIOError:
            pass


if __name__ == "__main__":
    main({
        "J1, J3, J6-J9: commands": commands,
        "J2, H16: deleting": deletes,
        "H16: a fork bomb": fork_bomb,
        "J4, J5: signals": kills,
        "J1: refused by name": switched_off,
        "J10: the environment": environment_is_hidden,
        "J11: the home folder": home_is_absent,
        "J12: writing outside": writes_outside,
        "J13: the network": network,
    })
