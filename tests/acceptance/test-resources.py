# SPDX-License-Identifier: GPL-3.0-or-later
"""D: memory, processes and disk."""

from guarded import RUN, command, main, must, must_vanish, run, save

LIMIT = ("--memory", "256M", "--timeout", "20")


def exceeds(source, *options):
    return run(source, *LIMIT, *options).must_be(
        memory_exceeded=True, status="memory-exceeded", success=False, timeout=False,
        error=lambda text: "memory" in text.lower())


def fits(source, **more):
    return run(source, *LIMIT).must_be(memory_exceeded=False, **more)


def one_block():
    exceeds("x = bytearray(1 << 30)\nprint(len(x))\n")


def under_the_limit():
    fits("x = [0] * (25 * 1024 * 1024)\nprint(len(x))\n", stdout="26214400\n", success=True)


def caught():
    fits("try:\n    bytearray(1 << 40)\nexcept MemoryError:\n    print('caught')\n", stdout="caught\n", success=True)


def only_a_word():
    fits("import sys\nprint('MemoryError is a class', file=sys.stderr)\nsys.exit(1)\n", status="failed", exit_code=1)


def string():
    exceeds("x = 'x' * (1 << 30)\nprint(len(x))\n")


def grows():
    exceeds("x = []\nwhile True: x.append(bytearray(1 << 20))\n")


def no_limit():
    run("x = bytearray(600 << 20)\nprint(len(x) >> 20)\n", "--memory", "none").must_be(success=True, stdout="600\n")
    run("x = bytearray(600 << 20)\nprint(len(x) >> 20)\n").must_be(memory_exceeded=True)


def many_threads():
    source = ("import threading\nb = threading.Barrier(101)\n"
              "ts = [threading.Thread(target=b.wait) for _ in range(100)]\n"
              "[t.start() for t in ts]\nb.wait()\n[t.join() for t in ts]\nprint(len(ts))\n")
    fits(source, success=True, stdout="100\n")
    run(source, "--memory", "none").must_be(success=True)


def fork_bomb():
    result = run("import ctypes, os\nctypes.CDLL(None).prctl(15, b'fh-d8')\nwhile True:\n    try: os.fork()\n"
                 "    except OSError: pass\n", "--timeout", "2")
    result.must_be(success=False, elapsed=lambda s: s < 40, processes_peak=lambda n: 2 < n <= 140)
    must_vanish("fh-d8")


def disk():
    result = run("with open('big', 'wb') as f:\n    for _ in range(300): f.write(bytes(1 << 20))\nprint('all')\n",
                 "--memory", "none")
    result.must_be(success=False, stdout="")
    told = result.status == "disk-limit" or "No space left" in result.stderr or "File too large" in result.stderr
    must(told, str(result))


def less_disk():
    run("open('small', 'wb').write(bytes(1 << 20))\nprint('fits')\n", "--disk-limit", "4M").must_be(stdout="fits\n")
    run("open('big', 'wb').write(bytes(8 << 20))\nprint('all')\n", "--disk-limit", "4M").must_be(
        success=False, stdout="")


def shared_with_children():
    """Six children for a second, when all is within the limit; then what only one of them takes."""
    fits("import os, time\ndata = bytearray(os.urandom(1 << 20) * 25)\nfor _ in range(6):\n    if os.fork() == 0:\n"
         "        time.sleep(30)\n        os._exit(0)\ntime.sleep(1)\nmore = bytearray(b'x') * (60 << 20)\n"
         "time.sleep(0.3)\nprint('fits')\n", stdout="fits\n", success=True)


def children_together():
    exceeds("import os, time\nfor _ in range(4):\n    if os.fork() == 0:\n        x = bytearray(b'x') * (100 << 20)\n"
            "        time.sleep(30)\n        os._exit(0)\ntime.sleep(30)\n")


def senseless_sizes():
    for text in ("5 potatoes", "0", "1", "-5M", "2P"):
        answer = command(*RUN, "--memory", text, save("print(1)\n"))
        must(answer.returncode == 125 and b"--memory" in answer.stderr and answer.stdout == b"",
             f"{text}: {answer.returncode} {answer.stderr!r}")


if __name__ == "__main__":
    main({
        "D1 one large block": one_block,
        "D2 200 MiB of 256": under_the_limit,
        "D3 a caught MemoryError is no failure": caught,
        "D4 the word MemoryError is no evidence": only_a_word,
        "D5 a string of 1 GiB": string,
        "D5 grows bit by bit": grows,
        "D6 no memory limit": no_limit,
        "D7 50 threads at the default limit": many_threads,
        "D8 fork bomb": fork_bomb,
        "D9 300 MB on disk": disk,
        "D9 a smaller disk": less_disk,
        "D10 children together": children_together,
        "D10 memory that children share counts once": shared_with_children,
        "D11 senseless sizes are refused": senseless_sizes,
    })
