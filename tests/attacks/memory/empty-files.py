# SPDX-License-Identifier: GPL-3.0-or-later
# Makes more empty files than the memory has room for: each is an object of the kernel's, with a long name.
#
# baseline: skip it would take too much memory
# options: --memory 64M --disk-limit 2G --timeout 60
# expect-status: ok disk-limit
# expect-attempt: any
# alone: yes
# tiers: A A2
import os

OBJECT = 1500
made = 0
try:
    for folder in range(200):
        os.mkdir(f"{folder}")
        for _ in range(1000):
            os.close(os.open(f"{folder}/{made:0200}", os.O_CREAT | os.O_WRONLY))
            made += 1
except OSError as error:
    print(error)
print(made * OBJECT >> 20, "MiB")
print("SUCCEEDED" if made * OBJECT > 64 << 20 else "STOPPED")
