# SPDX-License-Identifier: GPL-3.0-or-later
# Fills pipes in many processes. A guest with a user id of its own leaves the user's other pipes alone, and
# its own are small once there are a thousand, but there can be any number.
#
# baseline: skip it would take too much memory
# options: --memory 128M
# expect-status: memory-exceeded
# expect-attempt: memory use memory|open pipes * limited
# alone: yes
# tiers: A
import os
import signal
import time

PROCESSES, EACH = 100, 195


def fill():
    held = []
    for _ in range(EACH):
        try:
            held.append(os.pipe())
        except OSError:
            break
        os.set_blocking(held[-1][1], False)
        try:
            while os.write(held[-1][1], b"x" * 4096):
                pass
        except BlockingIOError:
            pass
    return held


done_reader, done_writer = os.pipe()
for _ in range(PROCESSES):
    if os.fork() == 0:
        fill()
        os.write(done_writer, b"x")
        signal.pause()
for _ in range(PROCESSES):
    os.read(done_reader, 1)
time.sleep(2)
print(PROCESSES * EACH, "pipes")
print("SUCCEEDED", flush=True)
os.kill(0, signal.SIGKILL)
