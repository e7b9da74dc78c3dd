# SPDX-License-Identifier: GPL-3.0-or-later
"""A user number of the guest's own: the same to the program, another one to the kernel."""

import errno
import fcntl
import os
import resource
import signal
import socket
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import wire
from attempts import TRY, with_home
from sandboxed import MUST_SANDBOX, PROGRAM, PYTHON, ended, has_own_user, main, prints, python, run, start
from tap import PATIENCE, Skip, equal, must, until

# What the runner asks to map the number; without one the guest has the user's own.
HELPER = "FH_RUNNER_NEWUIDMAP"
WITHOUT = {"runner_env": dict(os.environ, **{HELPER: ""})}
COLLECT = 1 << 3


def with_helper(path):
    return {"runner_env": dict(os.environ, **{HELPER: str(path)})}


def must_have_one():
    if has_own_user(python("pass")):
        return
    must(not MUST_SANDBOX, "newuidmap and a range in /etc/subuid are there")
    raise Skip("this user has no user numbers to give: no newuidmap, or no range in /etc/subuid")


def both(code, **limits):
    """The results with a number of its own and without."""
    must_have_one()
    results = python(code, **limits), python(code, **limits, **WITHOUT)
    equal([has_own_user(result) for result in results], [True, False], "who has a number of its own")
    return results


def test_it_looks_the_same():
    own, other = both("""
        import getpass, grp, os, pathlib, pwd, re, subprocess, tempfile
        print(os.getresuid(), os.getresgid(), os.getgroups(), getpass.getuser(), pwd.getpwuid(os.getuid()))
        print(sorted(re.findall('^(?:Uid|Gid|Groups|Cap...|NoNewPrivs):.*', open('/proc/self/status').read(), re.M)))
        open('in/deep/new', 'w').close()
        for path in ('/workspace', 'data', 'in', 'in/deep', 'in/deep/data', 'in/deep/new', '/tmp', '/dev/shm', '/usr',
                     '/dev/null', '/proc/self', '/proc/1'):
            status = os.stat(path)
            print(path, oct(status.st_mode), status.st_uid, status.st_gid)
        for fd in range(3):
            status = os.fstat(fd)
            print(fd, oct(status.st_mode), status.st_uid, status.st_gid)
        for name in ('/dev/stdout', '/dev/stderr', '/proc/self/fd/1', '/dev/fd/2'):
            with open(name, 'w') as file: file.write(name + '\\n')
        with open('/dev/stdin') as file: print(repr(file.read()))
        print(subprocess.run('id; umask; cat data; echo >>data; stat -c %U:%G data', shell=True, capture_output=True))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'file')
            path.write_text('x'); path.chmod(0o400); print(path.owner(), path.read_text(), os.access(path, os.W_OK))
        """, files=[("data", b"text\n"), ("in/deep/data", b"")])
    for result in own, other:
        ended(result, "exited", exit_code=0)
    must(b"1000" in own.stdout and b"guest" in own.stdout, str(own))
    equal(own.stdout, other.stdout, "standard output")
    equal(own.stderr, other.stderr, "standard error")


def test_what_is_not_the_guests():
    """It cannot become the user outside, nor own or change what is his; neither can it without."""
    own, _ = both("""
        import os
        for change in (lambda: os.setuid(65534), lambda: os.seteuid(65534), lambda: os.setresuid(-1, -1, 65534),
                       lambda: os.setuid(0), lambda: os.setgroups([]), lambda: os.chown('/workspace', 65534, -1),
                       lambda: os.chmod('/etc/passwd', 0o666), lambda: os.kill(1, 9)):
            try: change()
            except OSError: print('refused')
        """)
    prints(own, "refused\n" * 7)


def real_user(pid):
    line = next(line for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
                if line.startswith("Uid:"))
    return {int(word) for word in line.split()[1:]}


def processes_of(runner):
    """Those of the sandbox."""
    found, new = set(), {runner.process.pid}
    while new:
        new = {int(word) for pid in new
               for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()}
        found |= new
    return found


def waiting(*arguments, **limits):
    """A run that is going on."""
    runner = start([PYTHON, "-c", "import sys, time; print('ready', flush=True); time.sleep(600)", *arguments], **limits)
    runner.wait_until(lambda result: b"ready" in result.stdout)
    return runner


def is_taken(number):
    """Whether a run has this number, as the next one will find."""
    with socket.socket(socket.AF_UNIX) as name:
        try:
            name.bind(f"\0fumehood-{number}")
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def test_numbers_of_runs():
    """All of the sandbox has it; one run has another number than the next."""
    must_have_one()
    runners = [waiting(), waiting()]
    users = [set().union(*(real_user(pid) for pid in processes_of(runner))) for runner in runners]
    must(all(is_taken(number) for user in users for number in user), f"taken: {users}")
    for runner in runners:
        runner.stop()
        ended(runner.finish(), "stopped")
    must(not any(is_taken(number) for user in users for number in user), f"free again: {users}")
    must(all(len(user) == 1 for user in users), f"one number in each: {users}")
    must(len(set().union(*users, {os.getuid()})) == 3, f"another one each time: {users}")


FLIGHT = """
    import os, socket, sys, time
    ends, n = [], 0
    try:
        for _ in range(8):
            ends.append(socket.socketpair())
            for _ in range(40):
                socket.send_fds(ends[-1][0], [b'x'], [0]); n += 1
    except OSError as error:
        print(error)
    print('ready', n, flush=True)
    time.sleep(600)
    """
PIPES = """
    import fcntl, os, time
    pipes = []
    try:
        for _ in range(80):
            pipes.append(os.pipe())
            fcntl.fcntl(pipes[-1][0], fcntl.F_SETPIPE_SZ, 1 << 20)
    except OSError as error:
        print(error)
    print('ready', len(pipes), flush=True)
    time.sleep(600)
    """


def pass_descriptor():
    """As any program of the user with a small limit of files; the kernel compares that to what is in flight."""
    ours = resource.getrlimit(resource.RLIMIT_NOFILE)
    left, right = socket.socketpair()
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, ours[1]))
    try:
        with left, right:
            socket.send_fds(left, [b"x"], [0])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, ours)


def make_pipe():
    ends = os.pipe()
    try:
        fcntl.fcntl(ends[0], fcntl.F_SETPIPE_SZ, 1 << 20)
    finally:
        os.close(ends[0])
        os.close(ends[1])


def while_it_holds(code, least, witness, **more):
    """errno of what a program of the user does meanwhile, or 0; None when the guest got too little to hold."""
    runner = start([PYTHON, "-c", textwrap.dedent(code)], **more)
    runner.wait_until(lambda result: b"ready" in result.stdout or result.finished)
    try:
        witness()
        error = 0
    except OSError as failure:
        error = failure.errno
    runner.stop()
    held = int(runner.finish().stdout.partition(b"ready ")[2].split()[0])
    return error if held >= least else None


def test_what_the_kernel_counts_for_a_user():
    """Descriptors in flight and the memory of pipes: seen by the user's other programs without a number, not with."""
    must_have_one()
    noticed = 0
    for what, code, least, witness in (("descriptors", FLIGHT, 66, pass_descriptor), ("pipes", PIPES, 55, make_pipe)):
        witness()
        if while_it_holds(code, least, witness, **WITHOUT) in (errno.ETOOMANYREFS, errno.EPERM):
            noticed += 1
            equal(while_it_holds(code, least, witness), 0, f"{what}: errno of the witness")
    if noticed == 0:
        raise Skip("the limits of the sandbox keep it from taking enough of anything")


def test_files_that_come_out():
    """The same ones, whatever their modes."""
    own, other = both("""
        import os
        for mode in (0o000, 0o200, 0o400, 0o600, 0o644, 0o700, 0o777):
            with open(f'file{mode:o}', 'w') as file: file.write(f'{mode:o}')
            os.mkdir(f'folder{mode:o}')
            with open(f'folder{mode:o}/inside', 'w') as file: file.write('x')
            os.chmod(f'file{mode:o}', mode); os.chmod(f'folder{mode:o}', mode)
        os.makedirs('a/b/c', 0o700)
        with open('a/b/c/d', 'w') as file: file.write('deep')
        os.makedirs('/tmp/a', 0o700)
        with open('/tmp/a/b', 'w') as file: file.write('for another run')
        os.chmod('/tmp/a/b', 0o600)
        os.chmod('data', 0); os.symlink('/etc/passwd', 'link'); os.mkfifo('pipe')
        with open('hole', 'wb') as file: file.truncate(1 << 20)
        os.chmod('.', 0o700)
        """, flags=COLLECT, files=[("data", b"text\n"), ("same", b"same")], hands_on=True)
    for result in own, other:
        ended(result, "exited", exit_code=0)
        for file in result.files.values():
            del file.modified_us
    must(len(own.files) > 12, str(own.files))
    equal({path: vars(file) for path, file in own.files.items()},
          {path: vars(file) for path, file in other.files.items()}, "files")
    equal(own.files[b"/tmp/a/b"].content, b"for another run", "/tmp")
    equal(own.files[b"file600"].content, b"600", "the content of a file that was closed to others")


def test_a_file_that_comes_out():
    """The user outside is of its group, and may read what is open to that; the rest takes the guest's rights."""
    for file, folder in ((0o600, 0o755), (0o604, 0o755), (0o640, 0o755), (0o644, 0o755), (0o000, 0o755), (0o644, 0o700),
                         (0o644, 0o744), (0o644, 0o711), (0o644, 0o311)):
        own, other = both(f"""
            import os
            with open('file', 'w') as file: file.write('content')
            os.chmod('file', {file}); os.chmod('.', {folder})
            """, flags=COLLECT, files=[("same", b"same")])
        for result in own, other:
            ended(result, "exited", exit_code=0)
            for found in result.files.values():
                del found.modified_us
        equal([vars(found) for found in own.files.values()], [vars(found) for found in other.files.values()],
              f"what comes out of {file:o} in {folder:o}")
        if file != 0 and folder & 0o400:
            equal(own.files[b"file"].content, b"content", f"the content of {file:o} in {folder:o}")


def test_limits_and_measures():
    """Taken of another user's processes."""
    must_have_one()
    result = python("import time; x = bytearray(b'x' * (50 << 20)); time.sleep(0.5)")
    must(result.memory_peak > 50 * wire.MIB, str(result))
    result = python("""
        import os, time
        for _ in range(100):
            if os.fork() == 0: time.sleep(600)
        """, processes=20)
    must((result.status, result.cause) in (("process-limit", ""), ("exited", "processes")), str(result))
    ended(python("while True: pass", cpu_ms=300), "timed-out", "cpu")


def test_a_stopped_sandbox_dies_with_its_runner():
    """Its first process cannot see by itself that the runner is gone."""
    must_have_one()
    runner = waiting()
    inside = processes_of(runner)
    for pid in inside:
        os.kill(pid, signal.SIGSTOP)
    runner.kill()
    runner.process.wait()
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in inside), "all are dead")


def test_runs_without_namespaces_beside_it():
    """The kernel counts the processes of all of the user's runs for those: other runs must not take theirs away."""
    must_have_one()
    runner = start([PYTHON, "-c", "import os, time\nfor _ in range(99):\n if os.fork() == 0: time.sleep(600)\n"
                                  "print('ready', flush=True)\ntime.sleep(600)"], processes=120)
    runner.wait_until(lambda result: b"ready" in result.stdout)
    prints(python("print('ran')", tier=wire.TIER_B, processes=16), "ran\n")
    runner.stop()
    runner.stop()
    ended(runner.finish(), "stopped")


def test_killing():
    must_have_one()
    for end in ("stop", "kill", "hang up"):
        runner = waiting()
        inside = processes_of(runner)
        must(len(inside) == 2, f"init and the guest: {inside}")
        if end == "stop":
            runner.stop()
            ended(runner.finish(), "stopped")
        elif end == "kill":
            runner.kill()
            runner.process.wait()
        else:
            runner.socket.close()
            runner.process.wait(PATIENCE)
        until(lambda inside=inside: not any(os.path.exists(f"/proc/{pid}") for pid in inside), f"{end}: all are dead")


def attempts_of(result):
    return sorted((a.operation, a.object, a.verdict, a.guard, a.exists_outside) for a in result.attempts.values())


def test_attempts():
    """Told alike: by way of an open folder, and in folders that only the guest can enter."""
    def in_home(home):
        code = TRY + f"""
root = os.open('/', os.O_RDONLY)
attempt(lambda: os.open('{home}/.ssh/id_rsa'[1:], 0, dir_fd=root))
attempt(lambda: os.open('etc/shadow', 0, dir_fd=root))
os.mkdir('closed', 0o700)
closed = os.open('closed', os.O_RDONLY)
attempt(lambda: os.open('made', os.O_CREAT | os.O_WRONLY, dir_fd=closed))
attempt(lambda: os.open('../.bashrc', 0, dir_fd=closed))
attempt(lambda: os.unlink('closed/made'))
attempt(lambda: os.rmdir('closed'))
import threading
thread = threading.Thread(target=lambda: attempt(lambda: os.open('home', 0, dir_fd=root)))
thread.start(); thread.join()
"""
        own, other = both(code, home=home)
        equal(own.stdout, other.stdout, "what happened")
        told = [set(attempts_of(result)) for result in (own, other)]
        must(told[1], str(other))
        # Whether what is in a closed folder was there before is not seen from outside.
        equal({t for t in told[0] if "closed/made" not in t[1]}, {t for t in told[1] if "closed/made" not in t[1]},
              "attempts")
        equal([any("closed/made" in t[1] for t in one) for one in told], [True, True], "what was made")
    with_home(in_home)


def test_descriptors_that_are_no_folders():
    """A socket that blocks its close(), in the place of a folder."""
    must_have_one()
    result = python(TRY + """
import struct
listener = socket.create_server(('127.0.0.1', 0))
sender = socket.create_connection(listener.getsockname())
sender.setblocking(False)
try:
    while True: sender.send(b'x' * 65536)
except BlockingIOError: pass
sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 60))
for fd in (sender.fileno(), 0, 999):
    attempt(lambda: os.open('home', 0, dir_fd=fd))
root = os.open('/', os.O_RDONLY)
attempt(lambda: os.open('etc/shadow', 0, dir_fd=root))
os._exit(0)
""", wall_ms=5000)
    ended(result, "exited", exit_code=0)
    must(result.wall_us < 4000000, str(result))


def test_folders_that_only_the_user_may_read():
    """An interpreter there, or anything else that is shown, can be read as before."""
    must_have_one()
    with tempfile.TemporaryDirectory(dir=Path.home()) as folder:
        Path(folder, "secret").mkdir(0o700)
        Path(folder, "secret", "file").write_text("shown", encoding="ascii")
        os.chmod(folder, 0o755)
        result = run(["/bin/cat", f"{folder}/secret/file"], binds=[(folder, folder)])
        prints(result, "shown")
        must(not has_own_user(result), str(result.guards))
        result = run(["/bin/cat", "/shown"], binds=[(f"{folder}/secret/file", "/shown", 1)])
        prints(result, "shown")
        must(has_own_user(result), "of a copy that does not matter")
        program = Path(folder, "program")
        program.write_bytes(Path("/bin/true").read_bytes())
        program.chmod(0o700)
        ended(run([str(program)], binds=[(folder, folder)]), "exited", exit_code=0)
    result = run(["/bin/true"], binds=[("/usr/share", "/shown")])
    ended(result, "exited", exit_code=0)
    must(has_own_user(result), "what is for everybody does not matter")


def test_helper_that_refuses():
    """It runs without: the sandbox is made once more, from the beginning."""
    must_have_one()
    for helper in ("/bin/false", "/nonexistent", "/etc/passwd", "/"):
        result = python("import os; print(os.getuid())", **with_helper(helper))
        prints(result, "1000\n")
        must(not has_own_user(result), f"{helper}: {result.guards}")
        equal(result.guards["privileges"][0], "active", "the guard")


def script(folder, text):
    path = Path(folder, "helper")
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
    path.chmod(0o755)
    return path


def test_helper_that_does_nothing():
    """What it says it has done is not there: nothing runs."""
    must_have_one()
    result = python("print('it ran')", **with_helper("/bin/true"))
    equal((result.status, result.started, result.output), ("setup-failed", False, []), str(result))
    must(result.step in ("root", "scratch-folders"), str(result))


def test_helper_that_maps_and_then_refuses():
    """A half-made namespace is not used."""
    must_have_one()
    with tempfile.TemporaryDirectory() as folder:
        result = python("import os; print(os.getuid(), open('/proc/self/uid_map').read().split())",
                        **with_helper(script(folder, '/usr/bin/newuidmap "$@"; exit 1')))
        prints(result, f"1000 ['1000', '{os.getuid()}', '1']\n")
        must(not has_own_user(result), str(result.guards))


def test_helper_that_hangs():
    """It is killed, and the run goes on without."""
    must_have_one()
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        result = python("print('it ran')", **with_helper(script(folder, f"echo $$ >{folder}/pid; exec sleep 600")))
        prints(result, "it ran\n")
        must(not has_own_user(result) and time.monotonic() - begun > 4.5, str(result.guards))
        pid = int(Path(folder, "pid").read_text(encoding="ascii"))
        must(not os.path.exists(f"/proc/{pid}"), "the helper is dead")


def test_runner_dies_before_the_map():
    """The sandbox that waits for it goes with the runner."""
    must_have_one()
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(f"{folder}/pid")
        runner = start([PYTHON, "-c", "print('it ran')"],
                       **with_helper(script(folder, f"echo $$ >{folder}/pid; exec sleep 600")))
        pid = int(Path(folder, "pid").read_text(encoding="ascii"))
        inside = processes_of(runner) - {pid}
        must(len(inside) == 1, f"init: {inside}")
        runner.kill()
        runner.process.wait()
        os.kill(pid, 9)
        must(not runner.finish().started, "nothing ran")
        until(lambda: not any(os.path.exists(f"/proc/{one}") for one in inside), "init is dead")


def test_helper_gets_nothing():
    """No descriptor, no variable, no terminal."""
    must_have_one()
    with tempfile.TemporaryDirectory() as folder:
        helper = script(folder, f'ls -l /proc/$$/fd >{folder}/fds; tr "\\0" "\\n" </proc/$$/environ >{folder}/variables\n'
                                'exec /usr/bin/newuidmap "$@"')
        result = python("pass", **with_helper(helper))
        ended(result, "exited", exit_code=0)
        must(has_own_user(result), "it has worked")
        fds = {line.split()[-1] for line in Path(folder, "fds").read_text(encoding="ascii").splitlines() if "->" in line}
        equal(fds - {f"{folder}/helper", f"{folder}/fds"}, {"/dev/null"}, "descriptors")
        equal(Path(folder, "variables").read_text(encoding="ascii"), "", "variables")


def test_where_nothing_can_be_gained():
    """A runner that may gain no rights does not try, as the helper could not help."""
    must_have_one()
    runner = wire.Runner(["/usr/bin/setpriv", "--no-new-privs", PROGRAM])
    runner.start([PYTHON, "-c", "print('it ran')"])
    result = runner.finish()
    prints(result, "it ran\n")
    must(not has_own_user(result), str(result.guards))


if __name__ == "__main__":
    sys.exit(main(__name__))
