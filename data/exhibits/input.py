# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts words. Give it some text: write it into “Standard Input” of the run options."""

import sys
from collections import Counter

words = Counter(word.strip(".,;:!?").lower() for word in sys.stdin.read().split())
if not words:
    sys.exit("There is no input yet.")

width = max(len(word) for word in words)
for word, count in words.most_common(10):
    print(f"{word:{width}}  {'▇' * count} {count}")
