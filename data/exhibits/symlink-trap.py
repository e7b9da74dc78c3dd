# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves a result that is only a link: saving it carelessly would save a file of yours."""

import os

os.makedirs("results", exist_ok=True)
os.symlink("/etc/passwd", "results/report.txt")
os.symlink(os.path.expanduser("~"), "results/data")
os.mkfifo("results/never-ends.csv")
with open("results/summary.txt", "w", encoding="utf-8") as file:
    file.write("This one is a real file.\n")
print("Four results are waiting in Files. Which of them can be saved?")
