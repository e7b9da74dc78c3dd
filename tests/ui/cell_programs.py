# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sessions of the tests run."""

CELLS = """# %% first
numbers = [3, 1, 2]
print("counted", len(numbers))
sorted(numbers)

# %% second
def half(n):
    return n / 0

# %% third
half(numbers[0])

# %% fourth
print("never")
"""
WAITING = """# %%
kept = 7
print("waiting", flush=True)
import time
time.sleep(60)

# %%
print("kept is", kept)
"""
STUBBORN = """# %%
lost = 1
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("stubborn", flush=True)
while True:
    time.sleep(1)

# %%
print("lost" in globals())
"""
VARIABLES = """# %%
import os
class Broken:
    def __repr__(self):
        raise ValueError
numbers = list(range(250))
pairs = {"one": [1, 11]}
book = "x" * 20000
broken = Broken()
_hidden = 1
n = 1
def function():
    pass




# %%
added = 1
n = 2
"""
HOSTILE = """class Endless:
    def __repr__(self):
        while True:
            pass
class Huge:
    def __repr__(self):
        return "x" * 10 ** 8
class Sly(dict):
    def items(self):
        raise SystemExit
    def __len__(self):
        return -1
    def __repr__(self):
        return "<b>&amp; \\u202e"
endless, huge, sly = Endless(), Huge(), Sly(a=1)
sly["self"] = sly
"""
