# SPDX-License-Identifier: GPL-3.0-or-later
# Hides memory in the buffers of pipes.
#
# baseline: skip pipes of all programs of the user share a limit
# options: --memory 128M
# expect-status: ok failed memory-exceeded
# expect-attempt: any
# alone: yes
# needs: memory
# tiers: A A2
import fcntl
import os

F_SETPIPE_SZ = 1031
held, pipes = 0, []
try:
    for _ in range(1000):
        reader, writer = os.pipe()
        pipes.append((reader, writer))
        os.set_blocking(writer, False)
        try:
            fcntl.fcntl(writer, F_SETPIPE_SZ, 1 << 20)
        except OSError:
            pass
        try:
            while True:
                held += os.write(writer, b"x" * 65536)
        except BlockingIOError:
            pass
except OSError as error:
    print(error)
print(held >> 20, "MiB")
print("SUCCEEDED" if held > 128 << 20 else "STOPPED")
