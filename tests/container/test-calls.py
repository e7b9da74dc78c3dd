# SPDX-License-Identifier: GPL-3.0-or-later
"""What the engine refuses by itself, with nothing of ours inside: each profile with a table of calls."""

from containers import PYTHON, call, main, new_name, removed
from tap import equal, must
from walls import inside, profile

# Run inside: a line "NAME NUMBER A B C…" each, answered by "NAME RESULT".
CALLER = """
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
for line in sys.stdin:
    name, *words = line.split()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        result = libc.syscall(*[ctypes.c_long(int(word, 0)) for word in words])
        print(name, errno.errorcode[ctypes.get_errno()] if result < 0 else "done", flush=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        print(name, "killed", os.waitstatus_to_exitcode(status), flush=True)
"""

NEWUSER, SIGCHLD, HIGH = 0x10000000, 17, 1 << 32

# Calls with arguments that the kernel itself answers otherwise: what each profile says. None: it lets it through.
TABLE = [
    # name, number on x86-64, arguments, unwatched, watched
    ("unshare", 272, (NEWUSER,), "EPERM", None),
    ("setns", 308, (-1, 0), "EPERM", None),
    ("clone", 56, (NEWUSER | SIGCHLD, 0, 0, 0, 0), "EPERM", None),
    ("clone3", 435, (0, 0), "ENOSYS", "ENOSYS"),
    ("mount", 165, (0, 0, 0, 0, 0), "EPERM", None),
    ("umount2", 166, (0, 0), "EPERM", None),
    ("open_tree", 428, (-1, 0, 0), "ENOSYS", None),
    ("chroot", 161, (0,), "EPERM", None),
    ("ptrace", 101, (16, 0, 0, 0), "EPERM", None),
    ("process_vm_readv", 310, (1, 0, 0, 0, 0, 9), "EPERM", None),
    ("kcmp", 312, (1, 1, 99, 0, 0), "EPERM", None),
    ("pidfd_getfd", 438, (-1, 0, 0), "EPERM", None),
    ("bpf", 321, (99, 0, 0), "EPERM", None),
    ("perf_event_open", 298, (0, 0, -1, -1, 0), "EPERM", None),
    ("io_uring_setup", 425, (1, 0), "ENOSYS", None),
    ("userfaultfd", 323, (0xffff,), "ENOSYS", None),
    ("io_setup", 206, (1, 0), "ENOSYS", "ENOSYS"),
    ("vmsplice", 278, (-1, 0, 0, 0), "ENOSYS", "ENOSYS"),
    ("splice", 275, (-1, 0, -1, 0, 1, 0), "EINVAL", "EINVAL"),
    ("sendfile", 40, (-1, -1, 0, 1), "EINVAL", "EINVAL"),
    ("mbind", 237, (0, 0, 0, 0, 0, 99), "EPERM", "EPERM"),
    ("sync", 162, (), "done", "done"),
    ("inotify_init1", 294, (0,), "EMFILE", None),
    ("mq_notify", 244, (-1, 0), "ENOSYS", None),
    ("io_submit", 209, (0, 1, 0), "ENOSYS", "ENOSYS"),
    ("membarrier-asks", 324, (0, 0, 0), None, None),
    ("membarrier-global", 324, (1, 0, 0), "EPERM", None),
    ("sendto", 44, (-1, 0, 0, 0, 0, 0), None, None),
    ("sendto-oob", 44, (-1, 0, 0, 1, 0, 0), "EPERM", None),
    ("sendto-oob-high", 44, (-1, 0, 0, 1 | HIGH, 0, 0), "EPERM", None),
    ("setsockopt", 54, (-1, 1, 2, 0, 0), None, None),
    ("setsockopt-level", 54, (-1, 279, 1, 0, 0), "EPERM", None),
    ("add_key", 248, (0, 0, 0, 0, 0), "EPERM", None),
    ("keyctl", 250, (9999,), "EPERM", None),
    ("open_by_handle_at", 304, (0, 0, 0), "EPERM", None),
    ("shmget", 29, (0, 0, 0o1000), "ENOSYS", None),
    ("reboot", 169, (0, 0, 0, 0), "EPERM", None),
    ("init_module", 175, (0, 0, 0), "EPERM", None),
    ("personality", 135, (0x40000,), "EPERM", None),
    ("personality-high", 135, (0x40000 | HIGH,), "EPERM", None),
    ("personality-asks", 135, (0xffffffff,), None, None),
    ("socket-alg", 41, (38, 5, 0), "EPERM", None),
    ("socket-alg-high", 41, (38 | HIGH, 5, 0), "EPERM", None),
    ("socket-vsock", 41, (40, 1, 0), "EPERM", None),
    ("socket-unix", 41, (1, 1, 0), None, None),
    ("socket-inet6", 41, (10, 1, 0), None, None),
    ("socketpair-inet", 53, (2, 1, 0, 0), "EPERM", None),
    ("seccomp-listener", 317, (1, 8, 0), "EPERM", None),
    ("seccomp", 317, (1, 0, 0), None, None),
    ("memfd_create", 319, (0, 0), None, None),
    ("landlock_create_ruleset", 444, (0, 0, 1), None, None),
    ("pidfd_open", 434, (1, 0), None, None),
    ("openat2", 437, (-1, 0, 0, 0), None, None),
    ("close_range", 436, (900, 901, 0), None, None),
    ("vserver", 236, (), "ENOSYS", "ENOSYS"),
    ("newer-than-all", 900, (), "ENOSYS", "ENOSYS"),
]


def answers(*options):
    lines = "".join(f"{name} {' '.join(map(str, (number, *arguments)))}\n" for name, number, arguments, *_ in TABLE)
    name = new_name("calls")
    with removed(name):
        text = call("run", "--interactive", "--name", name, "--network", "none", "--cap-drop", "ALL", "--security-opt",
                    "no-new-privileges", *options, PYTHON, "python3", "-c", CALLER, stdin=None, input=lines).stdout
    return dict(line.split(" ", 1) for line in text.splitlines())


def free():
    """What the kernel of this computer answers without a filter."""
    return answers("--security-opt", "seccomp=unconfined")


def is_refused(is_watched):
    found, kernel = answers("--security-opt", f"seccomp={profile(is_watched)}"), free()
    for name, _, _, *expected in TABLE:
        told = expected[1 if is_watched else 0]
        if told is None:
            equal(found[name], kernel[name], f"{name}, which is let through")
        else:
            equal(found[name], told, name)


def unwatched():
    is_refused(False)


def watched():
    is_refused(True)


def tells_apart():
    """The table shows something: the kernel answers most of these otherwise."""
    kernel = free()
    same = [name for name, _, _, told, _ in TABLE if told is not None and kernel[name] == told]
    must(len(same) < 14, f"the kernel says the same by itself: {same}")


def foreign_architectures():
    """getpid with the number of i386 by its own entry, and of x32: neither is answered."""
    code = """
import ctypes, mmap, os
def run(code):
    child = os.fork()
    if child == 0:
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(code)
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        result = ctypes.CFUNCTYPE(ctypes.c_long)(address)()
        os._exit(7 if result == os.getpid() else 8)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(run(bytes.fromhex("b814000000cd80c3")), run(bytes.fromhex("b8270000400f05c3")), run(bytes.fromhex("b8270000000f05c3")))
"""
    for is_watched in (0, 1):
        answer = inside(code, image=PYTHON, program=("python3", "-c"), watched=is_watched)
        i386, x32, native = map(int, answer.stdout.split())
        must(i386 != 7 and x32 != 7, answer.stdout)
        equal(native, 7, "the architecture of the computer")


def switched_off():
    """Who switches the guard off has the engine's own profile, and not none."""
    system_calls = 1 << 3
    text = inside("grep Seccomp: /proc/self/status", without=system_calls).stdout
    equal(text, "Seccomp:\t2\n", "a filter")


if __name__ == "__main__":
    main({
        "calls that are not reported": unwatched,
        "calls that the runner inside tells of": watched,
        "the table tells apart": tells_apart,
        "other architectures": foreign_architectures,
        "the guard is switched off": switched_off,
    })
