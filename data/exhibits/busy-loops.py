# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes in four processes at once, so that each second costs four."""

import multiprocessing
import time

SECONDS_OF_WORK = 1.5


def burn(_):
    start = time.process_time()
    while time.process_time() - start < SECONDS_OF_WORK:
        pass
    return time.process_time() - start


if __name__ == "__main__":
    with multiprocessing.Pool(4) as pool:
        used = sum(pool.map(burn, range(4)))
    print(f"It worked: {used:.1f} s of CPU time")
