# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts primes, with a progress bar, a color and a mistake at the end."""

import sys
import time


def primes(limit):
    """All primes below a limit, by the sieve of Eratosthenes."""
    sieve = [True] * limit
    for n in range(2, limit):
        if sieve[n]:
            yield n
            sieve[n * n :: n] = [False] * len(sieve[n * n :: n])


for step in range(1, 11):
    bar = "█" * step + "░" * (10 - step)
    print(f"\rsieving {bar} {step * 10:3d} %", end="", flush=True)
    time.sleep(0.02)
print()

found = list(primes(1000))
print(f"\033[1;32m{len(found)} primes\033[0m below 1000, the largest is {found[-1]}")
try:
    open("/home/secrets.txt", encoding="utf-8")
except OSError as error:
    print(f"\033[33mno secrets here:\033[0m {error}", file=sys.stderr)
print(f"one more: {found[len(found)]}")
