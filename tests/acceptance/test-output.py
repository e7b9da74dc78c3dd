# SPDX-License-Identifier: GPL-3.0-or-later
"""E: whatever a program writes, it is bounded, counted and shown safely."""

import json
import os
import re
import signal
import subprocess

from guarded import CTL, RUN, command, environment, main, must, run, save

MIB = 1 << 20

# AddressSanitizer keeps freed memory to itself, so that only endless growth can be told.
MOST = 2000 if os.environ.get("FH_SANITIZED") else 100


def peak_memory(*words):
    """The most memory that fumehoodctl or anything that it waited for had, in MiB."""
    process = subprocess.Popen([CTL, *RUN, "--no-history", *words], env=environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_maxrss / 1024


def endless():
    path = save("while True: print('x' * 1000)\n")
    for words in (["--timeout", "1"], ["--timeout", "2", "--output-limit", "none", "--json"]):
        peak = peak_memory(*words, path)
        must(peak < MOST, f"{peak:.0f} MiB with {words}")
    run("while True: print('x' * 1000)\n", "--timeout", "1").must_be(
        status=lambda status: status in ("timed-out", "output-limit"), elapsed=lambda s: s < 40)


def complete():
    run("print('x' * 200_000)\n").must_be(success=True, stdout="x" * 200_000 + "\n")


def large():
    source = "for i in range(20): print(str(i) * 1_000_000)\n"
    result = run(source)
    total = 10 * 1_000_001 + 10 * 2_000_001
    result.must_be(success=True, stdout=lambda text: "left out" in text and len(text) < 1.2 * MIB)
    stream = result.streams["stdout"]
    must(stream["bytes"] == total and stream["truncated"] and stream["kept"] <= MIB, str(stream)[:200])
    must(result.stdout.startswith("000") and result.stdout.endswith("1919\n"), "head and tail are kept")
    whole = command(*RUN, "--no-history", save(source))
    must(len(whole.stdout) == total, f"without --json everything is passed on: {len(whole.stdout)}")


def cut():
    result = run("print('x' * 5000)\n", "--output-limit", "1k")
    result.must_be(status="output-limit", success=False, exit_status=137, error=lambda text: "1 KiB" in text)
    must(len(result.stdout) <= 1100, f"{len(result.stdout)} bytes are kept")


def left_behind():
    source = "import os, time\nif os.fork() == 0:\n    time.sleep(600)\nprint('main')\n"
    run(source).must_be(success=True, stdout="main\n", processes_ended=1,
                        sentence=lambda text: "1 process was still running" in text)
    told = command(*RUN, "--no-history", save(source)).stderr
    must(b"1 process was still running" in told, f"it is not told: {told!r}")
    run("print('alone')\n").must_be(success=True, processes_ended=0, sentence="Finished normally.")


def total_is_told():
    result = run("print('x' * 3_000_000)\n")
    stream = result.streams["stdout"]
    left_out = re.search(r"left out", result.stdout)
    line = result.stdout[result.stdout.rindex("\n", 0, left_out.start()) + 1:result.stdout.index("\n", left_out.start())]
    number = int("".join(character for character in line if character.isdigit()))
    must(stream["bytes"] == 3_000_001 and number == stream["bytes"] - stream["kept"], f"{line!r} {stream}")
    limited = run("import time\nprint('x' * 20000, flush=True)\ntime.sleep(29)\n", "--output-limit", "8k")
    limited.must_be(status="output-limit", limit_bytes=8192, elapsed=lambda s: s < 29)


def invalid_bytes():
    result = run("import os; os.write(1, b'a\\xff\\xfeb')\n").must_be(success=True, stdout="a\ufffd\ufffdb")
    result.raw.decode("utf-8")
    must(command(*RUN, "--no-history", save("import os; os.write(1, b'a\\xff\\xfeb')\n")).stdout == b"a\xff\xfeb",
         "without --json bytes are passed on")


def null_bytes():
    run("print('a\\0b')\n").must_be(success=True, stdout="a\u2400b\n")


def descriptor():
    run("import os; os.write(1, b'one\\n'); os.write(2, b'two\\n')\nos.system('echo three')\n").must_be(
        stdout="one\nthree\n", stderr="two\n")


def colours():
    result = run("print('\\x1b[31mred\\x1b[0m')\n").must_be(success=True, stdout="\x1b[31mred\x1b[0m\n")
    must(b"\x1b" not in result.raw, "JSON holds no control characters")


def nothing():
    run("pass\n").must_be(success=True, stdout="", sentence=lambda text: len(text) > 5)
    answer = command(*RUN, "--no-history", save("pass\n"))
    must((answer.returncode, answer.stdout, answer.stderr) == (0, b"", b""), "fumehoodctl adds nothing")


def characters_at_the_cut():
    for shift in range(3):
        result = run(f"import sys\nsys.stdout.write('a' * {shift} + '\u20ac' * 1_000_000)\n")
        must("\ufffd" not in result.stdout and "left out" in result.stdout, "a character was broken")


def order():
    run("import sys\nfor i in range(3):\n    print(i)\n    print(i, file=sys.stderr)\n").must_be(
        stdout="0\n1\n2\n", stderr="0\n1\n2\n")
    both = subprocess.run([CTL, *RUN, "--no-history", save("import sys, time\nfor i in range(5):\n    print('o', i)\n"
                           "    time.sleep(.03)\n    print('e', i, file=sys.stderr)\n    time.sleep(.03)\n")],
                          env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, check=False)
    must(both.stdout.decode().split("\n")[:-1] == [f"{s} {i}" for i in range(5) for s in "oe"], repr(both.stdout))


def unread():
    """One Ctrl+C ends a flood that is not read. What was passed on has no hole, and all is counted."""
    path = save("import itertools\nfor number in itertools.count(): print(number)\n")
    process = subprocess.Popen([CTL, *RUN, "--output-limit", "none", "--timeout", "60", path], env=environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    begin = b""
    while len(begin) < 10:
        begin += process.stdout.read(10 - len(begin)) or must(False, "the flood begins")
    must(begin == b"0\n1\n2\n3\n4\n", "the flood begins")
    process.send_signal(signal.SIGINT)
    process.wait(timeout=300)
    out, err = process.communicate()
    must(process.returncode == 130, f"status {process.returncode}")
    whole = b"".join(b"%d\n" % number for number in range(5, 5 + len(out)))[:len(out)]
    must(out == whole, "there is a hole in what was passed on")
    left_out = re.search(rb"(\d+) bytes of the output are not shown", err)
    kept = json.loads(command("history", "--json", "list", "-n", "1").stdout)
    run_id = kept["runs"][0]["id"]
    streams = json.loads(command("history", "export", str(run_id), "-").stdout)["result"]["streams"]
    total = streams["stdout"]["bytes"] - 10 - len(out)
    must((int(left_out[1]) if left_out else 0) == total, f"{err!r}: {total} bytes were left out")


if __name__ == "__main__":
    main({
        "E1 endless output": endless,
        "E2 200 KB": complete,
        "E3 20 MB are cut, and told": large,
        "E4 output limit": cut,
        "E5 the true total is told": total_is_told,
        "E6 bytes that are no text": invalid_bytes,
        "E7 NUL": null_bytes,
        "E8 writing to the descriptor": descriptor,
        "E9 colours": colours,
        "E10 no output": nothing,
        "E11 characters at the cut": characters_at_the_cut,
        "E12 order of the two streams": order,
        "E13 a flood that is not read": unread,
        "E14 what is left is told": left_behind,
    })
