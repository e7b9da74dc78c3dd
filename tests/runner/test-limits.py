# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of memory, processes, disk, output and input."""

import os
import signal
import struct
import sys

import wire
from leftovers import descendants
from sandboxed import IS_LONG, PYTHON, SANITIZED, ended, main, prints, python, run, shell, start
from tap import at_best, equal, must, until

MIB = wire.MIB


def peak_of(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))


def test_memory_error_ends_as_any_other_failure_without_word_from_inside():
    result = python("x = bytearray(1 << 30)", memory=256 * MIB)
    ended(result, "exited", exit_code=1)
    must(b"MemoryError" in result.stderr, str(result))


SAYS_OUT_OF_MEMORY = """
import os, sys
try:
    x = bytearray(1 << 30)
except MemoryError:
    os.write(3, b'\\x01\\0\\0\\0\\x10')
sys.exit({code})
"""


def test_memory_error_with_word_from_inside():
    limits = {"memory": 256 * MIB, "flags": wire.GUEST_CHANNEL}
    result = python(SAYS_OUT_OF_MEMORY.format(code=1), **limits)
    ended(result, "memory", "said", exit_code=1)
    must(not [attempt for attempt in result.attempts.values() if attempt.guard == "memory"], "no guard has seen that")
    equal(result.guest, [b"\x10"], "messages")
    ended(python(SAYS_OUT_OF_MEMORY.format(code=0), **limits), "exited", exit_code=0)
    limits["memory"] = 0
    ended(python("import os; os.write(3, b'\\x01\\0\\0\\0\\x10'); os._exit(1)", **limits), "exited",
          exit_code=1)


def test_text_about_memory_is_no_evidence():
    ended(python("import sys; sys.exit('MemoryError: out of memory, Killed')", memory=64 * MIB),
          "exited", exit_code=1)


def test_caught_memory_error():
    prints(python("""
        pieces = []
        try:
            while True:
                pieces.append(bytearray(1 << 20))
        except MemoryError:
            count = len(pieces)
            del pieces
        print(200 < count < 256)
        """, memory=256 * MIB), "True\n")


def test_memory_within_the_limit():
    prints(python("x = [0] * (25 << 20); print(len(x))", memory=256 * MIB), f"{25 << 20}\n")


def test_children_together():
    result = python("""
        import os, time
        for _ in range(8):
            if os.fork() == 0:
                x = bytearray(200 << 20)
                time.sleep(60)
        time.sleep(60)
        """, memory=256 * MIB)
    ended(result, "memory", "certain", signal=signal.SIGKILL)
    must(256 * MIB < result.memory_peak < 800 * MIB, f"not far over: {result}")


def test_shared_memory_without_a_file():
    result = python("""
        import mmap
        pieces = []
        while True:
            pieces.append(mmap.mmap(-1, 8 << 20))
            pieces[-1].write(b'x' * (8 << 20))
        """, memory=128 * MIB)
    ended(result, "memory", "certain")
    must(result.memory_peak < 200 * MIB, f"not far over: {result}")


def test_children_that_share_are_not_counted_twice():
    prints(python("""
        import os, time
        x = bytearray(b'x' * (120 << 20))
        children = []
        for _ in range(6):
            pid = os.fork()
            if pid == 0:
                time.sleep(1)
                os._exit(0)
            children.append(pid)
        for pid in children: os.waitpid(pid, 0)
        print('fine')
        """, memory=256 * MIB), "fine\n")


def test_files_count_as_memory():
    """And as what they are, when they are most of it."""
    result = python("""
        import os, time
        with open('/tmp/file', 'wb') as file:
            while True:
                file.write(b'x' * (1 << 20))
                file.flush()
        """, memory=64 * MIB, disk=1024 * MIB)
    ended(result, "disk-limit")


def test_files_take_no_more_than_the_memory():
    result = shell("df -B1 --output=size /tmp | tail -1 | tr -d ' '", memory=64 * MIB, disk=1024 * MIB)
    prints(result, f"{64 * MIB}\n")


def test_files_and_shared_memory_together():
    result = python("""
        import mmap, time
        file = open('/tmp/file', 'wb')
        for _ in range(100): file.write(b'x' * (1 << 20))
        file.flush()
        x = mmap.mmap(-1, 120 << 20)
        for i in range(120): x[i << 20:(i + 1) << 20] = b'y' * (1 << 20)
        time.sleep(60)
        """, memory=200 * MIB, disk=1024 * MIB)
    ended(result, "memory", "certain")


def test_mapped_files_count_once():
    prints(python("""
        import mmap, time
        file = open('/tmp/file', 'w+b')
        for _ in range(120): file.write(b'x' * (1 << 20))
        file.flush()
        x = mmap.mmap(file.fileno(), 120 << 20)
        print(sum(x[i << 12] for i in range(120 << 8)) // 120 // 256)
        time.sleep(0.5)
        """, memory=200 * MIB, disk=1024 * MIB), "120\n")


def test_page_tables_count():
    """A page of zeros costs nothing, but where it is mapped has to be written down."""
    result = python("""
        import mmap, os, time
        for _ in range(20):
            if os.fork() == 0:
                while True:
                    x = mmap.mmap(-1, 64 << 20, flags=0x4022, prot=mmap.PROT_READ)
                    x.madvise(15)  # MADV_NOHUGEPAGE
                    keep = globals().setdefault('keep', [])
                    keep.append(x)
                    for at in range(0, len(x), 2 << 20): x[at]
                    if len(keep) == 60:
                        time.sleep(60)
        time.sleep(60)
        """, memory=128 * MIB)
    ended(result, "memory", "certain")


def test_no_memory_limit():
    result = python("x = bytearray(b'x') * (600 << 20); print(len(x) >> 20)", memory=0)
    prints(result, "600\n")
    equal(result.guards["memory"][0], "off", "the guard")


def test_unaccounted_memory_is_not_to_be_had():
    prints(python("""
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        for call in (29, 68, 64, 319):  # shmget, msgget, semget, memfd_create
            print(libc.syscall(call, 0, 4096, 0o1600), ctypes.get_errno())
        """) if os.uname().machine == "x86_64" else shell("printf '-1 38\\n%.0s' 1 2 3 4"),
           "-1 38\n" * 4)


def test_threads_at_the_default_limit():
    prints(python("""
        import threading, time
        threads = [threading.Thread(target=time.sleep, args=(0.3,)) for _ in range(50)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(threads))
        """, memory=512 * MIB, processes=128), "50\n")


def test_fork_bomb():
    result = shell("bomb() { bomb | bomb & }; bomb; sleep 600", wall_ms=1000, processes=64)
    must(result.status in ("timed-out", "process-limit", "exited"), str(result))
    must(result.processes_peak <= 64, str(result))


def full(result):
    """Only a control group counts how many processes were refused; without one this is told as a doubt."""
    is_counted = "pids.max" in result.guards["processes"][1]
    return ("process-limit", "") if is_counted else ("exited", "processes")


def test_fork_bomb_in_python():
    result = python("""
        import os, time
        while True:
            if os.fork() == 0:
                time.sleep(60)
        """, processes=32)
    ended(result, *full(result), exit_code=1)
    must(b"BlockingIOError" in result.stderr, str(result))
    equal(result.processes_peak, 32, "as many as allowed")


def test_thread_bomb():
    result = python("""
        import threading, time
        try:
            while True:
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError:
            time.sleep(0.2)
            raise
        """, processes=32, memory=1024 * MIB)
    ended(result, *full(result), exit_code=1)


def test_reaching_the_limit_is_no_failure():
    """Where nobody counts what is refused, the doubt is told all the same."""
    result = python("""
        import os, time
        try:
            while True:
                if os.fork() == 0:
                    time.sleep(60)
        except BlockingIOError:
            time.sleep(0.2)
            print('enough')
        """, processes=32)
    ended(result, "exited", full(result)[1], exit_code=0)
    equal(result.stdout, b"enough\n", "stdout")


def test_disk_full():
    result = shell("dd if=/dev/zero of=/workspace/big bs=1M count=100", disk=16 * MIB)
    ended(result, "disk-limit")
    result = python("open('/tmp/big', 'wb').write(b'x' * (100 << 20))", disk=16 * MIB)
    ended(result, "disk-limit", exit_code=1)


def test_one_limit_for_all_folders():
    result = shell("""
        set -e
        for place in /workspace /tmp /dev/shm; do
          dd if=/dev/zero of=$place/part bs=1M count=7 2>/dev/null
        done
        """, disk=16 * MIB)
    ended(result, "disk-limit")


def test_sparse_file():
    ended(shell("exec truncate -s 1T /workspace/sparse", disk=16 * MIB), "disk-limit", "likely",
          signal=signal.SIGXFSZ)


def test_signal_of_a_large_file():
    """A program that sends it to itself has written nothing, and no attempt says so."""
    result = shell("kill -XFSZ $$", disk=16 * MIB)
    ended(result, "disk-limit", "likely", signal=signal.SIGXFSZ)
    equal(result.attempts, {}, "attempts")


def test_too_many_files():
    result = python("""
        for i in range(10**6):
            open(f'/workspace/{i}', 'w').close()
        """, disk=16 * MIB)
    ended(result, "disk-limit", exit_code=1)


def test_disk_within_the_limit():
    prints(shell("dd if=/dev/zero of=big bs=1M count=10 2>/dev/null && rm big && echo fine",
                 disk=16 * MIB), "fine\n")


def test_watches():
    """None; few where the user has switched off what refuses them, as their queues are charged to no process."""
    for without, memory, count in ((), 0, 0), (("system-calls",), 0, 16), (("system-calls",), 512 * MIB, 2):
        prints(python("""
            import ctypes
            libc = ctypes.CDLL(None)
            count = 0
            while count < 100 and libc.inotify_init() >= 0:
                count += 1
            print(count)
            """, without=without, memory=memory), f"{count}\n")


def test_what_processes_share_is_not_near_the_limit():
    """Each has the interpreter's pages, which together look like almost all of the limit."""
    for number in (20, 22, 24):
        result = python(f"""
            import os, time
            for _ in range({number}):
                if os.fork() == 0:
                    time.sleep(600)
            time.sleep(0.5)
            os.abort()
            """, memory=128 * MIB)
        ended(result, "signalled", signal=signal.SIGABRT)


def test_empty_files_are_bounded():
    prints(python("""
        import os
        count = 0
        try:
            while True:
                os.mkdir(str(count))
                count += 1
        except OSError:
            print(4000 < count < 4096)
        """, memory=32 * MIB, disk=1024 * MIB), "True\n")


def test_core_dumps():
    result = python("""
        import os, resource
        print(resource.getrlimit(resource.RLIMIT_CORE), open('/proc/self/coredump_filter').read())
        """)
    prints(result, "(1, 1) 00000000\n\n")


def test_core_limit_stays():
    """With 0 the kernel would start the host's program for cores."""
    prints(python("""
        import ctypes, resource
        libc = ctypes.CDLL(None, use_errno=True)
        for limit in (0, 5, resource.RLIM_INFINITY):
            resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
        print(libc.syscall(160, 4, (ctypes.c_ulong * 2)(0, 0)) if hasattr(libc, 'iopl') else 0)
        page = libc.mmap
        page.restype = ctypes.c_void_p
        # An address whose lower half is zero.
        at = page(ctypes.c_void_p(1 << 36), 4096, 3, 0x100032, -1, 0)
        print(at == 1 << 36, libc.prlimit(0, 4, ctypes.c_void_p(at), None), resource.getrlimit(4))
        """), "0\nTrue 0 (1, 1)\n")


def test_limits_cannot_be_raised():
    prints(python("""
        import resource
        for name in ('DATA', 'NPROC', 'FSIZE', 'CORE', 'NOFILE', 'STACK', 'MEMLOCK', 'AS'):
            limit = getattr(resource, 'RLIMIT_' + name)
            soft, hard = resource.getrlimit(limit)
            try:
                resource.setrlimit(limit, (soft + 1, hard + 1))
                if resource.getrlimit(limit) != (soft, hard):
                    print(name, 'was raised')
            except ValueError:
                pass
        """), "")


def test_output_limit():
    for number in (1, 2):
        result = python(f"import os\nwhile True: os.write({number}, b'x' * 1000)", output=100000)
        ended(result, "output-limit", signal=signal.SIGKILL)
        equal(len(result.stream(number)), 100000, "bytes sent")
        must((result.stdout_bytes, result.stderr_bytes)[number - 1] > 100000, "bytes counted")


def test_output_of_exactly_the_limit():
    result = python("import os; os.write(1, b'x' * 100000)", output=100000)
    ended(result, "exited", exit_code=0)
    equal(len(result.stdout), 100000, "bytes")


def test_output_limit_when_the_program_has_ended():
    result = python("import os; os.write(1, b'x' * 60000); os._exit(0)", output=50000)
    ended(result, "output-limit")


def test_flood_and_a_backend_that_does_not_read():
    runner = start([PYTHON, "-c", "while True: print('x' * 1000)"], wall_ms=2000, output=0)
    # Nothing is read before the program is dead: only its time limit ends it.
    until(lambda: descendants(runner.process.pid), "the start")
    until(lambda: not descendants(runner.process.pid), "the end")
    peak = peak_of(runner.process.pid)
    result = runner.finish()
    ended(result, "timed-out", "wall")
    must(2.0 <= result.wall_us / 1e6, f"it was ended before its time: {result}")
    must(peak < (200 if SANITIZED else 24) * MIB, f"the runner took {peak / MIB:.1f} MiB")


def test_flood_and_a_backend_that_reads():
    runner = start([PYTHON, "-c", "while True: print('x' * 1000)"], wall_ms=2500, output=0)
    runner.wait_until(lambda result: len(result.usage) > 5)
    peak = peak_of(runner.process.pid)
    result = runner.finish()
    ended(result, "timed-out", "wall")
    equal(result.stdout_bytes, len(result.stdout), "everything came")
    must(peak < (200 if SANITIZED else 24) * MIB, f"the runner took {peak / MIB:.1f} MiB")


def test_large_input():
    data = bytes(range(256)) * ((100 if IS_LONG else 20) * MIB // 256)
    result = python("""
        import sys, zlib
        size = crc = 0
        while piece := sys.stdin.buffer.read(1 << 20):
            size += len(piece)
            crc = zlib.crc32(piece, crc)
        print(size, crc)
        """, stdin=data)
    import zlib
    prints(result, f"{len(data)} {zlib.crc32(data)}\n")


def test_no_input():
    result = python("input()")
    ended(result, "exited", exit_code=1)
    must(b"EOFError" in result.stderr, str(result))
    prints(python("import sys; print(repr(sys.stdin.read()))"), "''\n")


def test_input_that_is_not_read():
    prints(python("import os; os.close(0); print('fine')", stdin=b"x" * (10 * MIB)), "fine\n")


def test_input_is_a_pipe():
    prints(python("import os, stat; print(stat.S_ISFIFO(os.fstat(0).st_mode))", stdin=b"x"), "True\n")


def test_large_source():
    source = b"x = 0\n" + b"# " + b"a" * (8 * MIB - 40) + b"\nprint('end of it')\n"
    result = run([PYTHON, "/workspace/main.py"], files=[("main.py", source)])
    prints(result, "end of it\n")


def test_several_files():
    files = [("main.py", b"import other; print(other.x, open('data').read())"),
             ("other.py", b"x = 5"), ("data", b"")]
    prints(run([PYTHON, "/workspace/main.py"], files=files), "5 \n")


def test_guest_message():
    message = struct.pack("<I", 200000) + b"m" * 200000
    result = python("""
        import os
        data = b''
        while len(data) < 200004: data += os.read(3, 1 << 16)
        os.write(3, b'\\x05\\0\\0\\0\\x20echo')
        os.write(3, b'\\x02\\0')
        os.write(3, b'\\0\\0\\x21!')
        print(len(data), data[4:6])
        """, flags=wire.GUEST_CHANNEL, guest_message=message)
    prints(result, "200004 b'mm'\n")
    equal(result.guest, [b"\x20echo", b"\x21!"], "messages")


def test_guest_channel_is_bounded():
    result = python("""
        import os
        message = (1000).to_bytes(4, 'little') + b'\\x20' * 1000
        for _ in range(5000): os.write(3, message)
        print('through')
        """, flags=wire.GUEST_CHANNEL)
    prints(result, "through\n")
    must(0 < sum(map(len, result.guest)) <= 65536, "bounded")


def test_nonsense_on_the_guest_channel():
    for nonsense in ("b'\\xff' * 100", "b'\\0' * 100", "b'\\x01'", "b'\\x10\\0\\0\\0'"):
        result = python(f"import os; os.write(3, {nonsense}); print('fine')",
                        flags=wire.GUEST_CHANNEL)
        prints(result, "fine\n")
        equal(result.guest, [], "messages")


def test_usage_frames():
    def told():
        result = python("import time; x = bytearray(b'x' * (50 << 20)); time.sleep(1)")
        ended(result, "exited", exit_code=0)
        must(len(result.usage) <= 16 * result.wall_us / 1e6, f"{len(result.usage)} in {result.wall_us} us")
        return result

    result = at_best(told, lambda result: len(result.usage) >= 7 and result.usage[-1][0] > 800000)
    # While it sleeps; the last one may find it on its way out.
    wall, _, memory, processes = result.usage[-2]
    must(wall > 500000 and 50 * MIB < memory < 100 * MIB and processes == 1, str(result.usage))


if __name__ == "__main__":
    sys.exit(main(__name__))
