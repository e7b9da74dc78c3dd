# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a batch costs the same from its first sample to its last: time, memory and open files.

Usage: long-batch.py [SAMPLES [JOBS]]

A row for each 1000 samples, of small programs of which half are wrong; once more with one in ten hostile. Memory and files
are those of fumehoodctl and of the runners together, at the end of the row.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROW = 1000
CTL = os.environ.get("FH_CTL", "fumehoodctl")


HOSTILE = (
    "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "import os\nwhile True:\n    os.fork()\n",
    "x = []\nwhile True:\n    x.append(bytearray(1 << 20))\n",
    "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\nos._exit(1)\n",
)
ROUNDS = ((["--cold"], False), ([], False), ([], True))


def write_samples(path, count, has_hostile):
    with open(path, "w", encoding="utf-8") as lines:
        for number in range(count):
            source = f"x = sum(range({number % 97}))\nassert x == {sum(range(number % 97)) + number % 2}\n"
            if has_hostile and number % 10 == 1:
                source = HOSTILE[number // 10 % len(HOSTILE)]
            lines.write(json.dumps({"id": str(number), "source": source}) + "\n")


def resident(pid):
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return int(text.split("RssAnon:")[1].split()[0])
    except (OSError, IndexError):
        return 0


def open_files(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def runners_of(pid):
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def count_lines(file):
    """Those that were added since the last call."""
    found = 0
    while piece := file.read(1 << 20):
        found += piece.count(b"\n")
    return found


def watch(process, output, count):
    """(samples, seconds, KiB of fumehoodctl, KiB of the runners, files of fumehoodctl, files of the runners) of each row."""
    rows = []
    begin = time.monotonic()
    done = 0
    with open(output, "rb") as file:
        while len(rows) < count // ROW:
            done += count_lines(file)
            if done >= (len(rows) + 1) * ROW:
                now, runners = time.monotonic(), runners_of(process.pid)
                rows.append(((len(rows) + 1) * ROW, now - begin, resident(process.pid), sum(map(resident, runners)),
                             open_files(process.pid), sum(map(open_files, runners))))
                begin = now
            elif process.poll() is not None:
                break
            time.sleep(0.005)
    return rows


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    jobs = sys.argv[2] if len(sys.argv) > 2 else "2"
    with tempfile.TemporaryDirectory(prefix="fumehood-bench-") as folder:
        samples, output = Path(folder, "samples.jsonl"), Path(folder, "results.jsonl")
        for kind, has_hostile in ROUNDS:
            write_samples(samples, count, has_hostile)
            output.write_bytes(b"")
            process = subprocess.Popen([CTL, "batch", "--no-history", "--memory", "64M", "--processes", "16", "--jobs", jobs,
                                        "--resume", "--output", output, *kind, samples],
                                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            rows = watch(process, output, count)
            process.wait()
            results = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
            print(f"fumehoodctl batch {' '.join(kind)}{'(one in ten hostile)' if has_hostile else ''}: "
                  f"{len(results)} samples, {sum(r['passed'] for r in results)} passed, "
                  f"{sum(r['forked'] for r in results)} copies of a warm interpreter\n")
            print(f"{'samples':>8} {'seconds':>8} {'MiB':>7} {'runners':>8} {'files':>6} {'runners':>8}")
            for number, seconds, memory, below, files, files_below in rows:
                print(f"{number:8} {seconds:8.2f} {memory / 1024:7.1f} {below / 1024:8.1f} {files:6} {files_below:8}")
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
