# SPDX-License-Identifier: GPL-3.0-or-later
"""What one run of a forked sandbox tries against the next, against the last, and against the interpreter that forks
them; and that each of these would be noticed."""

import ast
import contextlib
import errno
import os
import re
import signal
import sys
import tempfile
from pathlib import Path

import wire
from forked import BINDS, NOT_HERE, Forked, cold
from sandboxed import ended, main, prints
from tap import Skip, equal, must
from tiered import MARK, processes_of

MIB = wire.MIB
SECRET = "a-secret-of-the-other-run"
NEXT = "the-source-of-the-next-run"

# Prints how often each word is in this process's own memory. Each word is written in two parts, so that the
# searching program does not find itself.
SEARCH = """
import re, sys
parts = {parts!r}
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    ranges = [line.split() for line in maps]
    found = dict.fromkeys(range(len(parts)), 0)
    for fields in ranges:
        if "r" not in fields[1] or fields[-1] in ("[vvar]", "[vsyscall]", "[vvar_vclock]"):
            continue
        begin, end = (int(word, 16) for word in fields[0].split("-"))
        try:
            memory.seek(begin)
            data = memory.read(end - begin)
        except OSError:
            continue
        for number, (left, right) in enumerate(parts):
            at = data.find(left)
            while at >= 0:
                found[number] += data[at + len(left):at + len(left) + len(right)] == right
                at = data.find(left, at + 1)
        del data
print(list(found.values()))
"""


def search_for(*words):
    return SEARCH.format(parts=[(os.fsencode(word[:6]), os.fsencode(word[6:])) for word in words])


def warm(**limits):
    return Forked(MARK, **limits)


def told(result):
    ended(result, "exited", exit_code=0)
    return result.stdout.decode()


def test_nothing_of_another_run_is_in_memory():
    with warm() as forked:
        seen = told(forked.one(f"kept = ['{SECRET}' * 1000]\n" + search_for(SECRET)))
        must(seen != "[0]\n", "its own is found")
        told(forked.one(f"""
import os
data = b"{SECRET}" * 4096
for path in ("/tmp/x", "/dev/shm/x", "/workspace/x"):
    open(path, "wb").write(data)
os.environ["X"] = "{SECRET}"
print("{SECRET}")
"""))
        equal(told(forked.one(search_for(SECRET))), "[0]\n", "after another run")
        # The source of the next one is sent when this one has ended.
        forked.begin(search_for(NEXT))
        equal(told(forked.end()), "[0]\n", "before the next run")
        told(forked.one(f"'{NEXT}'"))


def test_nothing_of_the_host_is_in_memory():
    with tempfile.TemporaryDirectory(prefix="fh-of-the-host-") as folder:
        os.mkdir(folder + "/shown")
        with open(folder + "/shown/file", "w", encoding="ascii") as file:
            file.write("shown")
        os.chmod(folder, 0o755)
        words = (folder, "home-of-somebody", "/fumehood-runner", BINDS[0][1])
        with warm(home="/home/home-of-somebody", binds=[*BINDS, (folder + "/shown", "/opt/shown")]) as forked:
            result = forked.one("print(open('/opt/shown/file').read())\n" + search_for(*words))
            must(re.fullmatch(r"shown\n\[0, 0, 0, [1-9]\d*\]\n", told(result)), f"found of {words}: {result}")


def test_what_the_last_run_used_is_not_in_memory():
    """Init learns from the kernel what its run used, on a stack that is memory of the interpreter."""
    # The kernel tells the most memory, in KiB, and then three numbers that are always 0: getrusage (2).
    source = """
import struct
found = 0
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for fields in [line.split() for line in maps]:
        if not fields[1].startswith("rw"):
            continue
        begin, end = (int(word, 16) for word in fields[0].split("-"))
        memory.seek(begin)
        words = memory.read(end - begin)
        words = struct.unpack("<%dQ" % (len(words) // 8), words)
        found += sum(102400 < words[at] < 125000 and not any(words[at + 1:at + 4])
                     and max(words[at - 3], words[at - 1]) < 1000000 for at in range(3, len(words) - 4))
print(found)
"""
    hungry = "b'x' * (100 << 20)"
    with warm() as forked:
        for _ in range(2):
            first = told(forked.one(source))
            told(forked.one(hungry))
            equal(told(forked.one(source)), first, "what looks like the use of a run")


def test_nobody_else_is_there():
    """By number, by handle, by /proc, as the parent, in the session and the group."""
    source = """
import ctypes, os, signal
libc = ctypes.CDLL(None, use_errno=True)
seen = set()
for pid in range(-1, 5000):
    try:
        if pid not in (-1, 0):
            os.kill(pid, 0)
            seen.add(pid)
    except ProcessLookupError:
        pass
    except PermissionError:
        seen.add(pid)
    try:
        if pid > 0:
            os.close(os.pidfd_open(pid))
            seen.add(pid)
    except OSError:
        pass
print(sorted(seen), sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))
print(os.getppid(), os.getpgid(1), os.getsid(1))
status = dict(line.split(":", 1) for line in open("/proc/1/status"))
print(status["PPid"].strip(), status["NSpid"].split())
for name in ("mem", "maps", "environ", "root", "cwd", "fd", "exe"):
    try:
        path = "/proc/1/" + name
        print(name, os.listdir(path) if name in ("root", "cwd", "fd") else open(path, "rb").read(10))
    except OSError as error:
        print(name, "refused")
for call in (lambda: libc.ptrace(16, 1, 0, 0), lambda: libc.syscall(438, os.getpid(), 0, 0),
             lambda: libc.syscall(312, os.getpid(), 1, 0, 0, 0),
             lambda: libc.setns(os.open("/proc/self/ns/pid", os.O_RDONLY), 0)):
    print(call())
"""
    expected = told(cold(source))
    must("refused" in expected and "[1, 2] [1, 2]" in expected, expected)
    with warm() as forked:
        for _ in range(2):
            equal(told(forked.one(source)), expected, "as in a sandbox of its own")


def test_what_is_done_to_init():
    """It shares the memory of the interpreter, and nothing else: what a run does to it ends with it."""
    state = """
import os, resource
names = ("NOFILE", "AS", "DATA", "STACK", "FSIZE", "CPU")
limits = [getattr(resource, "RLIMIT_" + name) for name in names]
print([resource.getrlimit(limit) for limit in limits], os.sched_getaffinity(0), os.getpriority(os.PRIO_PROCESS, 0),
      os.sched_getaffinity(1), os.getpriority(os.PRIO_PROCESS, 1), os.sched_getscheduler(1))
"""
    attack = state + """
import signal
done = []
for call in (*[lambda limit=limit: resource.prlimit(1, limit, (1, 1)) for limit in limits],
             lambda: os.sched_setaffinity(1, {min(os.sched_getaffinity(0))}),
             lambda: os.setpriority(os.PRIO_PROCESS, 1, 19), lambda: os.setpriority(os.PRIO_USER, 0, 19),
             lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
             *[lambda number=number: os.kill(1, number) for number in range(1, 65)]):
    try:
        call()
        done.append(True)
    except OSError:
        done.append(False)
print(any(done), file=__import__("sys").stderr)
"""
    with warm() as forked:
        first = forked.one(state).stdout
        for _ in range(3):
            result = forked.one(attack)
            equal((result.status, result.stdout, result.stderr), ("exited", first, b"True\n"), "a run that attacks init")
            equal(forked.one(state).stdout, first, "what the next one finds")


def test_survivors():
    """Left by one run: daemons that are deaf, in sessions of their own, and write to all that they have."""
    source = """
import fcntl, os, signal, sys, time
for number in range(10):
    if os.fork() == 0:
        os.setsid()
        for one in range(1, 32):
            try:
                signal.signal(one, signal.SIG_IGN)
            except OSError:
                pass
        file = open("/tmp/lock%d" % number, "w")
        fcntl.flock(file, fcntl.LOCK_EX)
        for fd in range(0, 300):
            try:
                os.set_blocking(fd, False)
            except OSError:
                pass
        while True:
            for fd in range(1, 300):
                try:
                    os.write(fd, b"\\x01\\0\\0\\0\\x10forged")
                except OSError:
                    pass
time.sleep(0.2)
os._exit(3)
"""
    with warm(processes=32) as forked:
        for _ in range(3):
            result = forked.one(source)
            must(result.status in ("exited", "output-limit"), str(result))
            result = forked.one("import os, time; time.sleep(0.2); print(sorted(os.listdir('/tmp')), "
                                "[name for name in os.listdir('/proc') if name.isdigit()])")
            prints(result, "[] ['1', '2']\n")
            equal((result.guest, result.stderr), ([], b""), "what was forged")


def test_a_forged_end():
    """Whatever a run writes where it can, its end is the one that the kernel saw, and the next has its own."""
    frames = wire.frame(wire.FINISHED, bytes(80)) + wire.frame(wire.RETIRED) + wire.frame(wire.STARTED)
    source = f"""
import os, socket
for fd in range(0, 1024):
    for data in ({frames!r}, b"F", b"B", b"K", bytes(160), (4).to_bytes(4, "little") + bytes(156)):
        try:
            os.write(fd, data)
        except OSError:
            pass
        try:
            socket.socket(fileno=os.dup(fd)).send(data)
        except OSError:
            pass
os._exit(5)
"""
    with warm() as forked:
        for _ in range(3):
            ended(forked.one(source), "exited", exit_code=5)
            prints(forked.one("print('mine')"), "mine\n")


def test_limits_are_not_used_up():
    """A run that takes all it may leaves as much to the next."""
    hungry = """
import ctypes, os, resource, socket, time
libc = ctypes.CDLL(None, use_errno=True)
kept = []
for make in (lambda: os.pipe(), lambda: socket.socketpair(), lambda: libc.inotify_init1(0),
             lambda: open("/tmp/" + str(len(kept)), "w"), lambda: libc.shmget(len(kept) + 1, 4096, 0o1666),
             lambda: libc.semget(len(kept) + 1, 1, 0o1666)):
    for _ in range(100):
        try:
            kept.append(make())
        except OSError:
            break
children = 0
while True:
    try:
        if os.fork() == 0:
            time.sleep(100)
    except OSError:
        break
    children += 1
    if children > 100:
        break
print(children)
"""
    def printed(result):
        """It ends well, and is told to have perhaps been refused a process."""
        must((result.status, result.exit_code) == ("exited", 0), str(result))
        return result.cause, result.stdout.decode()

    with warm(processes=20) as forked:
        answers = [printed(forked.one(hungry)) for _ in range(4)]
        equal(len(set(answers)), 1, f"{answers}")
        equal(answers[0], printed(cold(hungry, processes=20)), "as many as in a sandbox of its own")


def test_objects_of_the_kernel():
    """What outlives its process. The system call filter refuses these, so it is switched off."""
    source = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
key = 0x466f726b
print(libc.shmget(key, 4096, 0o666), libc.semget(key, 1, 0o666), libc.msgget(key, 0o666),
      libc.mq_open(b"/left", 0o2) >= 0, libc.syscall(250, 11, -3, 0, 0) >= 0)
print(libc.shmget(key, 4096, 0o1666) >= 0, libc.semget(key, 1, 0o1666) >= 0, libc.msgget(key, 0o1666) >= 0)
libc.mq_open(b"/left", 0o102, 0o600, None)
libc.syscall(248, b"user", b"left", b"data", 4, -3)
"""
    with warm(without=("system-calls",)) as forked:
        first = told(forked.one(source))
        must(first.startswith("-1 -1 -1 False") and first.endswith("True True True\n"), first)
        for _ in range(2):
            equal(told(forked.one(source)), first, "what the next finds")


def test_poisoned_modules():
    """Of the interpreter, of C, and of those imported ahead."""
    source = """
import builtins, codecs, ctypes, io, json, os, posix, sys
print(json.loads("[1]"), len("ab"), os.getcwd(), sys.stdout.encoding, (1).__add__(1), codecs.encode("a", "rot13"))
builtins.len = lambda one: 99
builtins.print = None
builtins.open = None
json.loads = None
os.getcwd = posix.getcwd = lambda: "poisoned"
codecs.register(lambda name: 1 / 0)
sys.settrace(lambda *arguments: None)
sys.addaudithook(lambda *arguments: None)
sys.meta_path[:] = []
sys.path[:] = []
sys.excepthook = sys.displayhook = sys.unraisablehook = None
ctypes.memset(id(1) + 24, 7, 1)
os._exit(0)
"""
    with warm(preload=("json", "ctypes", "codecs")) as forked:
        first = told(forked.one(source))
        equal(first, "[1] 2 /workspace utf-8 2 n\n", "what the first finds")
        for _ in range(2):
            equal(told(forked.one(source)), first, "what the next finds")


def test_clocks_and_signals_do_not_wait():
    source = """
import os, signal, time
for clock in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
    signal.setitimer(clock, 0.3)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.signal(signal.SIGVTALRM, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
for target in (0, os.getppid()):
    try:
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        os.kill(target, signal.SIGUSR1)
    except OSError:
        pass
"""
    with warm() as forked:
        for _ in range(2):
            told(forked.one(source))
            prints(forked.one("import time; time.sleep(0.5); print('in peace')"), "in peace\n")


@contextlib.contextmanager
def ahead(source, **limits):
    """With a module of ours that is imported ahead."""
    with tempfile.TemporaryDirectory(prefix="fh-ahead-") as folder:
        path = Path(folder, "ahead.py")
        path.write_text(source, encoding="ascii")
        os.chmod(folder, 0o755)
        with warm(preload=("ahead",), binds=[*BINDS, (str(path), "/opt/ahead/ahead.py", 1)],
                  env={**wire.ENVIRONMENT, "PYTHONPATH": "/opt/ahead"}, **limits) as forked:
            yield forked


def test_the_warm_interpreter_can_do_little():
    """Should a module that is imported ahead be hostile: it has no capability, no network, no file of the user, no
    process but its own."""
    with ahead("""
import os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
told = [status[name].strip() for name in ("CapPrm", "CapEff", "CapBnd", "CapInh", "CapAmb", "NoNewPrivs")]
told.append(sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))
told.append([line.split(":")[0].strip() for line in open("/proc/net/dev")][2:])
for path in ("/home", "/root", "/var", "/run"):
    told.append(os.path.exists(path))
for path in ("/x", "/tmp/x", "/workspace/x", "/dev/shm/x", "/usr/x", "/etc/x"):
    try:
        open(path, "w")
        told.append(path)
    except OSError:
        pass
""") as forked:
        text = told(forked.one("import ahead; print(ahead.told)"))
        none = "0000000000000000"
        equal(text, f"{[none] * 5 + ['1', [1], ['lo'], False, False, False, False]}\n", "of the warm interpreter")


def test_a_run_that_ends_before_it_is_asked_for():
    """It has not begun: nothing is told of it, and no other is made that may lack what had come for it."""
    with ahead("import os; os.register_at_fork(after_in_child=lambda: os._exit(3))") as forked:
        must(forked.is_retired(), "no more runs are taken")
        equal((forked.result.started, forked.result.finished), (False, False), "what was told")


# The errors of calls that no import needs. Alone they would be others, or none.
CALLS = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
numbers = dict(ptrace=(101, 16, 1, 0, 0), bpf=(321, 0, 0, 0), perf_event_open=(298, 0, 0, -1, -1, 0),
               io_uring_setup=(425, 1, 0), userfaultfd=(323, 0xffff), process_vm_readv=(310, 1, 0, 0, 0, 0, 0),
               kexec_load=(246, 0, 0, 0, 0), add_key=(248, b"user", b"left", b"data", 4, -3), keyctl=(250, 0, -3, 0),
               keyctl_join=(250, 1, b"name"), open_by_handle_at=(304, -1, 0, 0), shmget=(29, 0x1234, 4096, 0o1777),
               msgget=(68, 0x1234, 0o1777), memfd_create=(319, b"x", 0), algorithms=(41, 38, 5, 0), vsock=(41, 40, 1, 0),
               clone=(56, 0x20200, 0, 0, 0, 0), setns=(308, -1, 0), chroot=(161, b"/nowhere"), personality=(135, 0x0040000))
told = {}
for name, call in numbers.items():
    ctypes.set_errno(0)
    libc.syscall(*call)
    told[name] = ctypes.get_errno()
child = os.fork()
if child == 0:
    libc.syscall(0x40000000 | 39)
    os._exit(0)
told["x32"] = os.waitpid(child, 0)[1]
"""


def test_calls_of_a_module_that_is_imported_ahead():
    if os.uname().machine != "x86_64":
        raise Skip("the numbers are of another processor")
    def answers(**limits):
        with ahead(CALLS, **limits) as forked:
            return ast.literal_eval(told(forked.one("import ahead; print(ahead.told)")))
    guarded, alone = answers(), answers(without=("system-calls",))
    equal(guarded, {**dict.fromkeys(guarded, errno.ENOSYS), "x32": signal.SIGSYS}, "with the filter")
    same = [name for name in alone if alone[name] == guarded[name]]
    must(len(same) <= 2, f"without the filter the answers are the same of {same}")


def test_refused_calls_are_reported():
    """Though the filter of the warm interpreter, which the run has as well, refuses them too."""
    source = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print(libc.ptrace(16, 1, 0, 0), ctypes.get_errno(), libc.unshare(0x10000000), ctypes.get_errno())
"""
    def attempts(result):
        ended(result, "exited", exit_code=0)
        return result.stdout, sorted((attempt.verdict, attempt.operation) for attempt in result.attempts.values())
    expected = attempts(cold(source))
    must(len(expected[1]) == 2, f"they are reported: {expected}")
    with ahead("") as forked:
        equal(attempts(forked.one(source)), expected, "answers and reports")


def test_hundreds_of_runs():
    """Each as the first, with nothing left over in the runner, which counts its descriptors."""
    # Memory that is filled when it is freed becomes resident by chance, a megabyte of it.
    os.environ.pop("MALLOC_PERTURB_", None)
    with warm() as forked:
        def state():
            process = f"/proc/{forked.process.pid}"
            with open(process + "/status", encoding="ascii") as file:
                resident = int(re.search(r"RssAnon:\s+(\d+)", file.read())[1])
            return len(os.listdir(process + "/fd")), resident
        states = []
        for number in range(301):
            prints(forked.one(f"print({number})"), f"{number}\n")
            if number in (50, 175, 300):
                states.append(state())
        files, residents = zip(*states)
        # Those of a run may be closed a moment after its end was told.
        must(abs(files[2] - files[0]) <= 20, f"descriptors: {files}")
        # The first look at what a run uses takes a megabyte for good, whenever that is.
        must(min(residents[1] - residents[0], residents[2] - residents[1]) < 256, f"KiB: {residents}")
    must(not processes_of(MARK), "nobody is left")


if __name__ == "__main__":
    sys.exit(main(__name__, NOT_HERE))
