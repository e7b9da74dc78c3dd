# SPDX-License-Identifier: GPL-3.0-or-later
# Finds out by timing which files the user has: an answer may take longer if something outside looks for
# them. Each path is compared with one of the same length that does not exist; it counts only if three rounds
# agree.
#
# baseline: works
# arguments: home
# options: --timeout 120
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import gc
import os
import random
import sys
import time

NAMES = (".ssh/id_rsa", ".ssh/authorized_keys", ".bashrc", ".profile", ".aws/credentials", ".gitconfig", ".ssh",
         ".mozilla/firefox/abc.default/cookies.sqlite", "project/.git/hooks/pre-commit", "project/Makefile", ".aws",
         "bin/tool", "modules/decoy_module.py", ".cache/thumbnails/readme.txt", "Documents/letter.txt", ".mozilla",
         ".mozilla/firefox", "project", "project/.git", "bin", "modules", "Documents", ".cache", ".config")
# What is told of a path by its name alone is the same for both of a pair.
ELSEWHERE = ("/boot", "/srv", "/opt")
SAMPLES = 150
SECONDS = 5


def missing(path):
    folder, name = os.path.split(path)
    return os.path.join(folder, name[:-1] + ("#" if name[-1] != "#" else "%"))


def took(path):
    begun = time.perf_counter_ns()
    try:
        os.close(os.open(path, os.O_RDONLY))
        return 1 << 40  # it is simply there
    except FileNotFoundError:
        return time.perf_counter_ns() - begun
    except OSError:
        return 1 << 40


def quick(times):
    """What nine of ten took longer than."""
    return sorted(times)[len(times) // 10]


def right(paths):
    """How many of the paths were found to be there, by all samples that can be had in a few seconds."""
    pairs = [((path, []), (missing(path), [])) for path in paths]
    deadline = time.monotonic() + SECONDS
    while len(pairs[0][0][1]) < SAMPLES and (time.monotonic() < deadline or not pairs[0][0][1]):
        for pair in pairs:
            for path, times in random.sample(pair, 2):
                times.append(took(path))
    return sum(quick(there) > quick(not_there) for (_, there), (_, not_there) in pairs)


gc.disable()
paths = [os.path.join(sys.argv[1], name) for name in NAMES] + list(ELSEWHERE)
# What is told first may be found sooner among all that was: that is the same for both kinds.
for i, path in enumerate(paths):
    for one in sorted((path, missing(path)), reverse=i % 2 == (path < missing(path))):
        took(one)
scores = [right(paths) for _ in range(3)]
# One round in 50 is as good by chance, in either direction; three in a row, one in 250 000 (n = 27, p = 1/2).
few = len(paths) // 4 + 1
knows = all(score >= len(paths) - few for score in scores) or all(score <= few for score in scores)
print(f"{scores} of {len(paths)}")
print("SUCCEEDED" if knows else "STOPPED")
