# SPDX-License-Identifier: GPL-3.0-or-later
"""The system call filter: every call of the deny list, tried with arguments that do nothing.

A call that is not filtered would answer EFAULT, EBADF or EINVAL to such arguments, or succeed.
"""

import errno
import os
import signal
import sys

import wire
from machine import architectures
from sandboxed import ended, main, prints, python
from tap import Skip, equal, must

BAD = 0xDEAD0000

# Numbers of x86-64; from 424 on they are the same everywhere.
DENIED = {
    errno.ENOSYS: {
        "clone3": 435, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431,
        "fsmount": 432, "fspick": 433, "mount_setattr": 442, "statmount": 457, "listmount": 458,
        "open_tree_attr": 467, "quotactl_fd": 443, "process_mrelease": 448, "io_uring_setup": 425,
        "io_uring_enter": 426, "io_uring_register": 427, "userfaultfd": 323, "map_shadow_stack": 453,
        "lsm_set_self_attr": 460, "set_mempolicy_home_node": 450, "memfd_create": 319,
        "memfd_secret": 447, "shmget": 29, "msgget": 68, "semget": 64, "create_module": 174,
        "query_module": 178, "nfsservctl": 180, "_sysctl": 156, "sysfs": 139, "uselib": 134,
        "ustat": 136, "vmsplice": 278, "io_setup": 206, "io_destroy": 207, "io_getevents": 208, "io_submit": 209,
        "io_cancel": 210, "io_pgetevents": 333, "mq_timedsend": 242, "mq_timedreceive": 243, "mq_notify": 244,
        "mq_getsetattr": 245, "remap_file_pages": 216, "cachestat": 451, "mincore": 27, "futex_wake": 454, "futex_wait": 455,
        "futex_requeue": 456, "mq_open": 240, "mq_unlink": 241, "shmat": 30, "shmctl": 31, "shmdt": 67, "msgsnd": 69,
        "msgrcv": 70, "msgctl": 71, "semop": 65, "semctl": 66, "semtimedop": 220, "the first unknown one": 470, "one of the future": 600,
        "the last possible": 0x3FFFFFFF, "setxattrat": 463, "landlock_create_ruleset": 444, "landlock_add_rule": 445,
    },
    errno.EINVAL: {"splice": 275, "tee": 276, "sendfile": 40},
    errno.EOPNOTSUPP: {"setxattr": 188, "lsetxattr": 189, "fsetxattr": 190},
    errno.EPERM: {
        "unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161,
        "quotactl": 179, "swapon": 167, "swapoff": 168, "ptrace": 101, "process_vm_readv": 310,
        "process_vm_writev": 311, "process_madvise": 440, "pidfd_getfd": 438, "kcmp": 312,
        "move_pages": 279, "migrate_pages": 256, "bpf": 321, "perf_event_open": 298,
        "fanotify_init": 300, "fanotify_mark": 301, "lookup_dcookie": 212, "mbind": 237,
        "get_mempolicy": 239, "set_mempolicy": 238, "add_key": 248, "request_key": 249, "keyctl": 250,
        "name_to_handle_at": 303, "open_by_handle_at": 304, "reboot": 169, "kexec_load": 246,
        "kexec_file_load": 320, "init_module": 175, "finit_module": 313, "delete_module": 176,
        "sethostname": 170, "setdomainname": 171, "settimeofday": 164, "clock_settime": 227,
        "clock_adjtime": 305, "adjtimex": 159, "acct": 163, "syslog": 103, "vhangup": 153,
        "modify_ldt": 154, "iopl": 172, "ioperm": 173,
    },
}

CALL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    words = [ctypes.c_ulong(word & (1 << 64) - 1) for word in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    return ctypes.get_errno() if result < 0 else 0
"""


def with_upper_halves(value):
    """A 32-bit value as the kernel understands it, and the same with bits that do not count."""
    return value, value | 1 << 32, value | 0xFFFFFFFF << 32


def on_this_machine():
    if os.uname().machine != "x86_64":
        raise Skip("the numbers are those of x86-64")


def answers(calls, **policy):
    """errno of each (number, *arguments), 0 for success."""
    result = python(f"{CALL}\nfor words in {calls!r}: print(call(*words))", **policy)
    ended(result, "exited", exit_code=0)
    return [int(line) for line in result.stdout.split()]


def check_denied_calls(**policy):
    on_this_machine()
    wrong = []
    for expected, table in DENIED.items():
        got = answers([(number, BAD, BAD, BAD, BAD, BAD, BAD) for number in table.values()], **policy)
        wrong += [f"{name}: {errno.errorcode.get(answer, answer)} instead of "
                  f"{errno.errorcode[expected]}"
                  for name, answer in zip(table, got, strict=True) if answer != expected]
    equal(wrong, [], "answers")


def test_denied_calls():
    check_denied_calls(watch=wire.WATCH_OFF)


def test_denied_calls_that_are_told():
    check_denied_calls(watch=wire.WATCH_ATTEMPTS)


def test_denied_calls_with_every_file():
    check_denied_calls(watch=wire.WATCH_FILES)


def test_denied_calls_without_namespaces():
    check_denied_calls(tier=wire.TIER_B, watch=wire.WATCH_OFF)


def test_denied_calls_without_namespaces_that_are_told():
    check_denied_calls(tier=wire.TIER_B, watch=wire.WATCH_ATTEMPTS)


def test_watchers_of_files():
    on_this_machine()
    calls = [(253,), (294, 0), (294, BAD)]
    for watch in (wire.WATCH_OFF, wire.WATCH_ATTEMPTS):
        for tier in (wire.TIER_A, wire.TIER_B):
            equal(answers(calls, tier=tier, watch=watch), [errno.EMFILE] * 3, "as if there were too many")


def test_attributes_without_namespaces():
    on_this_machine()
    for watch in (wire.WATCH_OFF, wire.WATCH_ATTEMPTS):
        # getxattr, lgetxattr, listxattr, llistxattr; getxattrat and listxattrat
        got = answers([(number, BAD, BAD, BAD, BAD) for number in (191, 192, 194, 195)], tier=wire.TIER_B, watch=watch)
        equal(set(got), {errno.ENOTSUP}, "by path")
        got = answers([(number, BAD, BAD, BAD, BAD, BAD, BAD) for number in (464, 465)], tier=wire.TIER_B, watch=watch)
        equal(set(got), {errno.ENOSYS}, "by the newer calls")
    prints(python("""
        import os, subprocess
        open('a', 'w').write('x')
        print(os.listxattr(os.open('a', os.O_RDONLY)), flush=True)
        subprocess.run('ls -l a | cut -c 1-10; cp a b; cat b', shell=True)
        """, tier=wire.TIER_B), "[]\n-rw-r--r--\nx")


def test_clocks_of_others():
    on_this_machine()
    prints(python("""
        import os, threading, time
        print(*[time.clock_gettime(clock) >= 0 for clock in (0, 1, 2, 3, 7, -2, -6, -7, -8)],
              time.clock_gettime(time.pthread_getcpuclockid(threading.get_ident())) >= 0)
        """, tier=wire.TIER_B), " ".join(["True"] * 10) + "\n")
    for tier, expected in ((wire.TIER_B, errno.EINVAL), (wire.TIER_A, 0)):
        for watch in (wire.WATCH_OFF, wire.WATCH_ATTEMPTS):
            # clock_getres of the first process, the runner's own where there are no namespaces
            got = answers([(229, word, 0) for kind in range(3) for word in with_upper_halves(~1 << 3 & 0xFFFFFFFF | kind)],
                          tier=tier, watch=watch)
            equal(set(got), {expected}, "clocks of the first process")


def test_barriers():
    on_this_machine()
    # QUERY, and what runtimes use: registering before PRIVATE_EXPEDITED
    equal(answers([(324, command, 0, 0) for command in (16, 8)]), [0, 0], "those of the program itself")
    others = (1, 2, 4, 512, 3)
    got = answers([(324, word, 0, 0) for command in others for word in with_upper_halves(command)])
    equal(got, [errno.EINVAL] * 3 * len(others), "the others")


def test_options_of_a_process():
    on_this_machine()
    got = answers([(157, word, 1, 1, 0, 0) for option in (35, 62, 78) for word in with_upper_halves(option)])
    equal(got, [errno.EINVAL] * 9, "answers")
    prints(python("""
        import ctypes
        libc = ctypes.CDLL(None)
        print(libc.prctl(15, b'name', 0, 0, 0), libc.prctl(1, 9, 0, 0, 0), open('/proc/self/comm').read(), end='')
        """), "0 0 name\n")


def test_calls_that_are_allowed():
    on_this_machine()
    # read, write, openat, mmap, epoll_ctl, execve, statx, seccomp, pidfd_send_signal
    numbers = (0, 1, 257, 9, 233, 59, 332, 317, 424)
    for number, answer in zip(numbers, answers([(number, BAD, BAD, BAD, BAD, BAD, BAD) for number in numbers]), strict=True):
        must(answer not in (errno.EPERM, errno.ENOSYS), f"{number}: {errno.errorcode[answer]}")


def test_clone_with_namespaces():
    on_this_machine()
    flags = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
    equal(answers([(56, flag | 17 | upper, 0, 0, 0, 0) for flag in flags for upper in (0, 1 << 63)]),
          [errno.EPERM] * 2 * len(flags), "answers, each without and with the upper half")


def test_threads_and_processes_still_start():
    prints(python("""
        import os, subprocess, threading
        thread = threading.Thread(target=print, args=('thread',)); thread.start(); thread.join()
        print(subprocess.run(['true']).returncode, os.waitpid(os.posix_spawn('/bin/true', ['true'],
              {}), 0)[1])
        """), "thread\n0 0\n")


def test_waiting_for_a_thread():
    on_this_machine()
    vfork, thread = 0x4000, 0x10000 | 0x800 | 0x400 | 0x200 | 0x100
    flags = (vfork, vfork | 17, vfork | thread)
    equal(answers([(56, word | upper, 0, 0, 0, 0) for word in flags for upper in (0, 1 << 63)]), [errno.EINVAL] * 2 * len(flags),
          "answers, each without and with the upper half")


def test_copies_without_splicing():
    """What uses sendfile and splice does without."""
    prints(python("""
        import os, shutil, socket, subprocess
        open('a', 'wb').write(b'x' * 300000)
        shutil.copyfile('a', 'b')
        near, far = socket.socketpair()
        with open('a', 'rb') as file, far:
            if os.fork() == 0:
                far.close()
                near.sendfile(file)
                os._exit(0)
            near.close()
            with far.makefile('rb') as other:
                print(len(other.read()))
        print(os.path.getsize('b'), flush=True)
        subprocess.run('cp a c; cat a | cat >d; cat c d b | wc -c', shell=True)
        """), "300000\n300000\n900000\n")


def test_socket_families():
    on_this_machine()
    for call in (41, 53):
        allowed = (1, 2, 10) if call == 41 else (1,)
        families = [family for family in range(64) if family not in allowed]
        families += [*with_upper_halves(38), *with_upper_halves(16), 0xFFFFFFFF, 1 << 31, 1 << 16 | 1]
        got = answers([(call, family, 1, 0, BAD) for family in families])
        equal(set(got), {errno.EAFNOSUPPORT}, "answers")
    equal(answers([(41, 1, 1, 0), (41, 2, 1, 0), (41, 10, 2, 0)]), [0, 0, 0], "allowed families")
    equal(answers([(41, 1 << 32 | 1, 1, 1 << 32)]), [0], "an allowed one, as the kernel sees it")


def test_socket_protocols():
    on_this_machine()
    # 262 is MPTCP; IPv6 has the same ones.
    calls = [(41, family, 1, value) for protocol in (2, 33, 115, 132, 136, 256, 262, 1 << 31) for family in (2, 10)
             for value in with_upper_halves(protocol)]
    equal(answers(calls), [errno.EPROTONOSUPPORT] * len(calls), f"protocols: {calls}")
    calls = [(41, 2, kind, value) for kind, protocol in ((3, 255), (3, 1), (2, 1), (2, 58))
             for value in with_upper_halves(protocol)]
    equal(answers(calls), [errno.EPERM] * len(calls), f"raw sockets and pings: {calls}")
    equal(answers([(41, 2, 1, 6), (41, 2, 2, 17), (41, 10, 1, 0), (41, 1, 1, 1)]), [0] * 4, "allowed")


def test_socket_options():
    on_this_machine()
    prints(python("""
        import socket, struct
        for family, kind in ((socket.AF_UNIX, socket.SOCK_STREAM), (socket.AF_INET, socket.SOCK_DGRAM)):
            s = socket.socket(family, kind)
            for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                before = s.getsockopt(socket.SOL_SOCKET, option)
                s.setsockopt(socket.SOL_SOCKET, option, 2 * before)
                print(s.getsockopt(socket.SOL_SOCKET, option) == before, end=' ')
        s.setsockopt(socket.IPPROTO_IP, 8, 1)  # IP_PKTINFO has the number of SO_RCVBUF
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        print(s.getsockopt(socket.IPPROTO_IP, 8), s.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR))
        """), "True True True True 1 1\n")
    calls = [(54, 0, level, option, BAD, 4) for level in with_upper_halves(1) for option in (7, 1 << 32 | 8, 76)]
    equal(answers([*calls, (54, 0, 6, 31, BAD, 4)]), [0, 0, errno.ENOPROTOOPT] * 3 + [errno.ENOENT],
          "sizes, SO_PASSPIDFD and TCP_ULP")
    filters = [(54, 0, 1, value, BAD, 16) for option in (26, 44, 50, 51, 52) for value in with_upper_halves(option)]
    equal(set(answers(filters)), {errno.EPERM}, "filters")
    rare = {0: (4, 16, 17, 37, 41, 43, 48, 64, 128, 255), 1: (60, 61, 73), 6: (14, 19, 32, 37, 38, 43), 17: (100,),
            41: (1, 6, 27, 32, 35, 46, 54, 59, 64, 200), 132: (0,), 270: (1,), 279: (1,), 282: (1,)}
    calls = [(54, 0, level, option, BAD, 16) for level, options in rare.items() for option in options]
    equal(set(answers(calls)), {errno.ENOPROTOOPT}, "what few programs know")
    equal(answers([(54, 0, 41, 20, BAD, 20), (54, 0, 41, 42, BAD, 136)]), [errno.ENODEV] * 2, "groups of IPv6")
    usual = {0: (1, 2, 8, 10, 32, 35, 36, 42, 45), 1: (2, 6, 9, 15, 20), 6: (1, 4, 9, 13, 18, 23, 30), 17: (1, 103, 104),
             41: (2, 16, 26, 49, 50, 66, 67)}
    calls = [(54, 0, level, option, BAD, 16) for level, options in usual.items() for option in options]
    equal(set(answers(calls)), {errno.ENOTSOCK}, "what many know, on a pipe")
    equal(answers([(55, 0, 1, 77, BAD, BAD), (55, 0, 6, 35, BAD, BAD), (55, 0, 1, 4, BAD, BAD)]),
          [errno.ENOPROTOOPT, errno.ENOPROTOOPT, errno.ENOTSOCK], "reading")


def test_bytes_out_of_band():
    on_this_machine()
    calls = [call for flags in (*with_upper_halves(1), 0x4001)
             for call in ((44, 0, BAD, 1, flags, 0, 0), (46, 0, BAD, flags), (307, 0, BAD, 1, flags))]
    equal(answers(calls), [errno.EOPNOTSUPP] * len(calls), "sendto, sendmsg and sendmmsg")
    equal(answers([(54, 0, 1, 2, BAD, 4)]), [errno.ENOTSOCK], "any other option, on a pipe")


def test_file_controls():
    on_this_machine()
    # F_SETLEASE, F_NOTIFY, F_SETDELEG
    calls = [(72, 0, value, 0) for command in (1024, 1026, 1040) for value in with_upper_halves(command)]
    equal(answers(calls), [errno.EPERM] * len(calls), f"commands: {calls}")
    prints(python("""
        import fcntl
        file = open('/workspace/file', 'w')
        fcntl.lockf(file, fcntl.LOCK_EX)
        print(fcntl.fcntl(file, fcntl.F_GETFD), fcntl.fcntl(file, fcntl.F_GETLEASE))
        """), "1 2\n")


def test_disks_of_the_host():
    on_this_machine()
    equal(answers([(162,), (306, BAD)]), [0, 0], "sync and syncfs do nothing")


def test_terminal_requests():
    on_this_machine()
    calls = [(16, 0, value, BAD) for request in (0x5412, 0x541C, 0x541D, 0x5423) for value in with_upper_halves(request)]
    equal(answers([*calls, (16, 0, 0x5401, BAD)]), [errno.EPERM] * len(calls) + [errno.ENOTTY], "and TCGETS on a pipe")


def test_personality():
    on_this_machine()
    values = (0x0040000, 0x0400000, 0x0100000, 0x0020000, 8, 0x80440000, 0xFFFFFFFE, 1)
    asking = [(135, 0xFFFFFFFF), (135, 0)]
    calls = [(135, word) for value in values for word in (*with_upper_halves(value), 0xFFFFFFFF)]
    equal(answers([*asking, *calls]), [0, 0] + [errno.EPERM, errno.EPERM, errno.EPERM, 0] * len(values), "answers")


def test_listener_of_its_own():
    on_this_machine()
    calls = [(317, operation, flags, BAD) for operation in with_upper_halves(1) for flags in (*with_upper_halves(8), 9, 0x28)]
    equal(answers([*calls, (317, 1, 0, BAD)]), [errno.EPERM] * len(calls) + [errno.EFAULT],
          "NEW_LISTENER, and an ordinary filter")


def test_init_cannot_be_slowed_down():
    on_this_machine()
    # prlimit64, sched_setaffinity, sched_setattr, sched_setparam, sched_setscheduler,
    # setpriority and ioprio_set; the last two also by the user whose process it is
    calls = [call for pid in with_upper_halves(1)
             for call in ((302, pid, 0, BAD, 0), (203, pid, 8, BAD), (314, pid, BAD, 0), (142, pid, BAD),
                          (144, pid, 5, BAD), (141, 0, pid, 19), (251, 1, pid, 3 << 13),
                          (141, 2, 1000, 19), (141, 1 << 32 | 2, 0, 19), (251, 3, 1000, 3 << 13))]
    equal(answers(calls), [errno.EPERM] * len(calls), "answers")
    prints(python("""
        import os
        def state():
            words = open('/proc/1/stat').read().split()
            return words[17:19], words[40], open('/proc/1/limits').read()
        before = state()
        for change in (lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)),
                       lambda: os.sched_setaffinity(1, {0}),
                       lambda: os.setpriority(os.PRIO_PROCESS, 1, 19),
                       lambda: os.setpriority(os.PRIO_USER, 0, 19),
                       lambda: os.setpriority(os.PRIO_PGRP, 0, 5)):
            try:
                change()
            except PermissionError:
                print('no', end=' ')
        print(state() == before)
        """), "no no no no True\n")


def test_a_program_may_change_itself():
    prints(python("""
        import os, resource, subprocess, threading
        pid = os.getpid()
        resource.setrlimit(resource.RLIMIT_NOFILE, (100, 200))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (90, 190))
        os.sched_setaffinity(pid, os.sched_getaffinity(0))
        os.sched_setaffinity(threading.get_native_id(), {min(os.sched_getaffinity(0))})
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
        os.setpriority(os.PRIO_PROCESS, pid, 12)
        child = subprocess.Popen(['sleep', '60'])
        os.setpriority(os.PRIO_PROCESS, child.pid, 17)
        resource.prlimit(child.pid, resource.RLIMIT_CPU, (9, 9))
        print(resource.getrlimit(resource.RLIMIT_NOFILE), os.nice(1), os.getpriority(0, child.pid))
        child.kill()
        """), "(90, 190) 13 17\n")


def test_nested_user_namespace():
    prints(python("""
        import os, subprocess
        print(subprocess.run(['unshare', '-U', 'true'], stderr=subprocess.DEVNULL).returncode)
        print(open('/proc/sys/user/max_user_namespaces').read())
        """), "1\n0\n\n")


def test_foreign_architecture():
    if "i386" not in architectures():
        raise Skip("this kernel has no 32-bit calls")
    for number in (20, 500, 0x3FFFFFFF):
        # mov $number, %eax (20 is getpid of 32-bit programs); int $0x80; ret
        result = python(f"""
            import ctypes, mmap
            code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            code.write(b'\\xb8' + ({number}).to_bytes(4, 'little') + b'\\xcd\\x80\\xc3')
            address = ctypes.addressof(ctypes.c_char.from_buffer(code))
            print(ctypes.CFUNCTYPE(ctypes.c_int)(address)(), flush=True)
            """)
        ended(result, "violation", "likely", exit_code=-1, signal=signal.SIGSYS)
        equal(result.stdout, b"", "output")


def test_x32_calls():
    on_this_machine()
    for number in (0x40000000 | 39, 0x40000000 | 600):
        result = python(f"{CALL}\nprint(call({number}), flush=True)")
        ended(result, "violation", "likely", signal=signal.SIGSYS)


def test_foreign_architecture_in_a_child():
    on_this_machine()
    prints(python(f"""{CALL}
pid = os.fork()
if pid == 0:
    call(0x40000000 | 39)
    os._exit(0)
print(os.waitpid(pid, 0)[1] & 127)
"""), "31\n")


def test_pages_in_memory():
    """Reading only what is in memory, and dropping it from there, tell what others read."""
    prints(python("""
        import ctypes, errno, mmap, os
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/usr/bin/env", "rb") as file:
            try:
                os.preadv(file.fileno(), [bytearray(16)], 0, os.RWF_NOWAIT)
            except OSError as error:
                print(errno.errorcode[error.errno])
            print(os.preadv(file.fileno(), [bytearray(16)], 0))
            print(libc.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED))
        for advice in (20, 21, mmap.MADV_DONTNEED):
            print(libc.madvise(0, 0, advice))
        """), "ENOTSUP\n16\n0\n0\n0\n0\n")


if __name__ == "__main__":
    sys.exit(main(__name__))
