# SPDX-License-Identifier: GPL-3.0-or-later
# Fills the folder of shared memory.
#
# baseline: skip it would stop the machine
# options: --memory 128M --disk-limit 16M
# expect-status: ok disk-limit memory-exceeded
# expect-attempt: any
# alone: yes
# tiers: A A2
try:
    with open("/dev/shm/big", "wb", buffering=0) as file:
        for _ in range(300):
            if file.write(b"x" * (1 << 20)) < 1 << 20:
                raise OSError("the file is cut")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
