# SPDX-License-Identifier: GPL-3.0-or-later
# Signals, stops, limits and slows everything in the sandbox: its first process and the runner, which is the second.
#
# baseline: skip it would end the app
# expect-status: ok
# expect-attempt: any
# tiers: F
import ctypes
import os
import resource
import signal

SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_pidfd_open, SYS_pidfd_send_signal = 200, 234, 129, 434, 424
libc = ctypes.CDLL(None, use_errno=True)
done = []
signal.signal(signal.SIGTERM, signal.SIG_IGN)
own = {os.getpid()}
for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGCONT):
    for pid in [pid for pid in range(1, 64) if pid not in own]:
        try:
            os.kill(pid, number)
            done.append(("kill", pid, number))
        except OSError:
            pass
        ways = ((SYS_tkill, pid, number), (SYS_tgkill, pid, pid, number),
                (SYS_rt_sigqueueinfo, pid, number, ctypes.create_string_buffer(128)))
        done += [(way[0], pid, number) for way in ways if libc.syscall(*way) == 0]
        pidfd = libc.syscall(SYS_pidfd_open, pid, 0)
        if pidfd >= 0 and libc.syscall(SYS_pidfd_send_signal, pidfd, number, None, 0) == 0:
            done.append(("pidfd", pid, number))
for pid in (1, 2, os.getppid()):
    for what in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_AS):
        try:
            resource.prlimit(pid, what, (1, 1))
            done.append(("limit", pid, what))
        except OSError:
            pass
    try:
        os.sched_setaffinity(pid, {0})
        done.append(("affinity", pid))
    except OSError:
        pass
# All at once, which spares the sender only when it is a SIGSTOP or SIGKILL to a first process.
child = os.fork()
if child == 0:
    for pid in (-1, -os.getpgid(0), 0):
        if pid == -1:
            try:
                os.kill(pid, signal.SIGTERM)
            except OSError:
                pass
    os._exit(0)
os.waitpid(child, 0)
print(done)
print("SUCCEEDED" if done else "STOPPED")
