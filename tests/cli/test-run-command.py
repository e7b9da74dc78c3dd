# SPDX-License-Identifier: GPL-3.0-or-later
"""What `fumehoodctl run` and `guards` print and return, with a fake runner (fake-runner.c)."""

import contextlib
import fcntl
import json
import os
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from called import (CTL, PLACE, ROOM, call, children, environment, file, has_signal, on_terminal, refused, run,
                    wait_until)
from tap import PATIENCE, Skip, Tap, equal, must


def plain():
    answer = run(file("a.py"))
    equal((answer.returncode, answer.stderr), (0, b""), "exit status and stderr")
    must(answer.stdout.startswith(b"main.py 9 1 "), repr(answer.stdout))


def pipe_is_the_input():
    """So is a file; --stdin comes first, and what stands for the program is not its input too."""
    def given(*words, content=b"piped\n"):
        reader, writer = os.pipe()
        os.write(writer, content)
        os.close(writer)
        with os.fdopen(reader) as stdin:
            return run(*words, act="stdin", stdin=stdin).stdout

    equal(given(file("a.py")), b"piped\n", "the input")
    with open(file("input.txt", b"from a file\n"), "rb") as stdin:
        equal(run(file("a.py"), act="stdin", stdin=stdin).stdout, b"from a file\n", "the input")
    equal(given("--stdin", file("input.txt", b"named\n"), file("a.py")), b"named\n", "the input")
    equal(given("-", content=b"print(1)\n"), b"", "the input of a program that was piped")


def open_pipe_is_said():
    """It may never end, and then nothing would happen without a word."""
    process = subprocess.Popen([CTL, "run", file("a.py")], env=environment(act="stdin"), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    must(b"Waiting for the end of the standard input" in process.stderr.readline(), "it is not said")
    equal(process.communicate(b"late\n", timeout=PATIENCE)[0], b"late\n", "the input")


def as_json():
    answer = run("--json", file("a.py"))
    result = json.loads(answer.stdout)
    equal(answer.stdout.count(b"\n"), 1, "lines")
    equal((result["status"], result["success"], answer.stderr), ("ok", True, b""), "result")
    for name in ("stdout", "stderr", "error", "timeout", "memory_exceeded", "exit_code", "execution_time"):
        must(name in result, f"{name} is missing")


def options_anywhere():
    answer = run(file("a.py"), "--timeout", "2", "--", "--json", "-x")
    must(b"wall=2000" in answer.stdout, repr(answer.stdout))


def bad_command_lines():
    source = file("a.py")
    refused(run(), "Name the file")
    refused(run(source, source), "Only one file")
    refused(run("--no-such-option", source), "no-such-option", "--help")
    refused(run("--timeout", "abc", source), "--timeout", "abc")
    refused(run("--timeout", "0", source), "--timeout")
    refused(run("--memory", "5 potatoes", source), "--memory", "5 potatoes")
    refused(run("--output-limit", "much", source), "--output-limit", "much")
    refused(run("--cpu-time", "-1", source), "--cpu-time")
    refused(run("--processes", "0", source), "--processes")
    refused(run("--processes", "many", source), "--processes", "many")
    refused(run("--language", "cobol", source), "cobol", "python")
    refused(run("--interpreter", "/nowhere/python3", source), "/nowhere/python3")
    refused(run("--interpreter", "no-such-python", source), "no-such-python", "PATH")
    refused(run("-", "--stdin", "-"), "both")


def bad_files():
    refused(run(str(ROOM / "missing.py")), "missing.py", "No such file")
    refused(run(str(ROOM)), str(ROOM), "directory")
    refused(run("--stdin", str(ROOM / "no-input"), file("a.py")), "no-input")
    huge = file("huge.py", b"#" * ((8 << 20) + 1))
    refused(run(huge), "huge.py", "8.0\u00a0MiB")
    with open(huge, "rb") as source:
        refused(run("-", stdin=source), "standard input", "8.0\u00a0MiB")
    os.unlink(huge)


def unreadable_file():
    if os.geteuid() == 0:
        raise Skip("root reads everything")
    path = file("locked.py")
    os.chmod(path, 0)
    refused(run(path), "locked.py", "Permission denied")


def largest_file():
    answer = run(file("large.py", b"#" * (8 << 20)))
    must(answer.stdout.startswith(b"main.py 8388608 "), f"{answer.stdout!r} {answer.stderr!r}")


def odd_files():
    must(run(file("empty.py", b"")).stdout.startswith(b"main.py 0 1 "), "an empty program is run")
    must(run(file("odd.py", b"\0\xff\xfe")).stdout.startswith(b"main.py 3 1 "), "any bytes are passed on")
    name = os.fsencode(ROOM) + b"/\xff\n.py"
    Path(os.fsdecode(name)).write_bytes(b"x")
    equal(run(name).returncode, 0, "a name that is no text")


def refusals_as_json():
    answer = run("--json", str(ROOM / "missing.py"))
    result = json.loads(answer.stdout)
    equal((result["status"], result["success"], answer.returncode), ("not-started", False, 125), "result")
    must("missing.py" in result["error"], result["error"])
    equal(answer.stderr, b"", "stderr")


def languages():
    for words, name in ((["x.sh"], "main.sh"), (["x.py"], "main.py"), (["x"], "main.py"),
                        (["--language", "BASH", "x"], "main.sh")):
        content = b"#!/bin/bash\necho\n" if name == "main.sh" else b"\n"
        words = [*words[:-1], file(words[-1], content)]
        must(run(*words).stdout.startswith(name.encode()), f"{words} is {name}")
    answer = run("-", input=b"#!/bin/sh\necho hi\n", stdin=None)
    must(answer.stdout.startswith(b"main.sh"), repr(answer.stdout))


def faults():
    for act, part in (("killed", "signal 9"), ("dies", "status 7"), ("nonsense", "Invalid message"),
                      ("leaves-at-once", "status 0")):
        answer = run(file("a.py"), act=act)
        equal(answer.returncode, 125, act)
        must(part in answer.stderr.decode(), f"{act}: {answer.stderr!r}")
        if act in ("killed", "dies"):
            equal(answer.stdout, b"partial", f"{act}: what was written before")
    answer = run(file("a.py"), act="setup-fails")
    equal((answer.returncode, answer.stdout), (125, b""), "setup-fails")
    must(len(answer.stderr) > 40, f"a sentence with advice is expected: {answer.stderr!r}")


def no_runner():
    for path in (ROOM / "not-there", Path(file("no-program"))):
        refused(run(file("a.py"), env={"FH_RUNNER": str(path)}), path.name)
        answer = call("guards", env={"FH_RUNNER": str(path)})
        equal(answer.returncode, 1, "guards")
        must(path.name.encode() in answer.stdout, repr(answer.stdout))


def limits_speak():
    answer = run(file("a.py"), act="flood")
    equal(answer.returncode, 137, "exit status")
    equal(len(answer.stdout), 64 << 20, "everything is passed on")
    must(answer.stderr.startswith(b"fumehoodctl: ") and answer.stderr.count(b"\n") == 1, repr(answer.stderr))


def shown_parts():
    """--show-limit cuts what is handed on, not the run."""
    answer = run("--json", "--show-limit", "100", file("a.py"), act="flood")
    result = json.loads(answer.stdout)
    must(result["truncated"] and len(result["stdout"]) < 200, result["stdout"][:500])
    out, err = result["streams"]["stdout"], result["streams"]["stderr"]
    equal((out["bytes"], out["kept"], out["truncated"], err["truncated"]), (64 << 20, 100, True, False), "streams")
    result = json.loads(run("--json", "--show-limit", "1000", file("a.py")).stdout)
    equal((result["success"], result["truncated"]), (True, False), "short output")
    refused(run("--show-limit", "100", file("a.py")), "--json")
    refused(run("--show-limit", "15", file("a.py")), "--show-limit", "16 bytes")


def start(*words, act):
    return subprocess.Popen([CTL, "run", "--no-history", *words], env=environment(act), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_runner(process):
    wait_until(lambda: children(process), "no runner")


def stop_once():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = start(file("a.py"), act="obeys")
        wait_for_runner(process)
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
        equal(process.returncode, 130, "exit status")
        must(err.startswith(b"fumehoodctl: "), repr(err))


def stop_by_force():
    process = start(file("a.py"), act="stubborn")
    wait_for_runner(process)
    process.send_signal(signal.SIGINT)
    wait_until(lambda: not has_signal(process.pid, "ShdPnd", signal.SIGINT), "the signal was not delivered")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    equal(process.returncode, 130, "exit status")


def reader_goes_away():
    process = start(file("a.py"), act="flood")
    process.stdout.read(100)
    process.stdout.close()
    err = process.stderr.read()
    equal((process.wait(timeout=PATIENCE), err), (141, b""), "exit status and stderr")
    process.stderr.close()


def waiting_bytes(stream):
    (count,) = struct.unpack("i", fcntl.ioctl(stream, termios.FIONREAD, bytes(4)))
    return count


def reader_stalls():
    """Without a reader one Ctrl+C ends the run, and what was not passed on is counted."""
    process = start(file("a.py"), act="flood")
    wait_until(lambda: waiting_bytes(process.stdout) >= 65536, "the pipe is not full")
    process.send_signal(signal.SIGINT)
    equal(process.wait(timeout=PATIENCE), 137, "exit status")
    passed_on, err = process.communicate()
    count = re.search(rb"(\d+) bytes of the output are not shown", err)
    must(count, repr(err))
    equal(len(passed_on) + int(count[1]), 64 << 20, "bytes passed on and left out")


ORDERS = b"\x1b]52;c;cm0=\x07\x1b]0;title\x07\x1bPq\x1b\\\x1b[2Jtext\xff \x1b[31mred\n"


def without_summary(got):
    """What a program printed: the figures that follow for a person are cut off."""
    program, sign, figures = got.partition(b"\x1b[0;7m\xe2\x9a\x97" if b"\x1b[0;7m" in got else "⚗".encode())
    must(sign and b" s, " in figures and figures.count(b"\n") == 1, repr(got))
    return program


def terminal():
    def printed(*words, **options):
        return without_summary(on_terminal(*words, **options))

    equal(printed(ORDERS), b"text\xef\xbf\xbd \x1b[0;31mred\n\x1b[0m", "a terminal")
    equal(printed(ORDERS, term="dumb"), b"text\xef\xbf\xbd red\n", "a terminal without colors")
    equal(printed(ORDERS, "--color=never"), b"text\xef\xbf\xbd red\n", "no colors")
    equal(printed(ORDERS, "--raw"), ORDERS, "--raw")
    equal(printed(b"caf\xc3"), b"caf\xef\xbf\xbd\n", "an unfinished character")
    equal(printed("⚗ fumehoodctl: fine\n".encode()), "\ufffd fumehoodctl: fine\n".encode(), "the sign is ours")


def one_stream_is_no_terminal():
    with tempfile.TemporaryFile() as out:
        equal(on_terminal(ORDERS, stdout=out), b"", "nothing is for the terminal")
        out.seek(0)
        equal(out.read(), ORDERS, "a file gets every byte")


def messages_on_terminal():
    """They start on a new line, with a sign."""
    label = "\x1b[0;7m⚗ fumehoodctl:\x1b[0m ".encode()
    got = on_terminal(b"", act="dies")
    must(got.startswith(b"partial\n" + label) and got.endswith(b"\n") and got.count(b"\n") == 2, repr(got))
    got = on_terminal(b"", act="setup-fails")
    must(got.startswith(label) and got.count(b"\n") == 1, repr(got))
    got = on_terminal(b"", act="dies", term="dumb")
    must(got.startswith("partial\n⚗ fumehoodctl: ".encode()), repr(got))
    got = on_terminal(b"", "--language", "co\x1b]0;x\x07bol\u202e\u009b")
    must(b"\x1b]" not in got and b"\\x1b]0;x\\x07bol\\u202e\\x9b" in got, repr(got))


def full_disk():
    with open("/dev/full", "wb") as full:
        answer = run(file("a.py"), stdout=full, stderr=subprocess.PIPE, capture_output=False)
    equal(answer.returncode, 125, "exit status")
    must(b"No space left" in answer.stderr, repr(answer.stderr))


def closed_descriptors():
    words = [CTL, "run", "--no-history", file("a.py")]
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        process = subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", *words], env=environment(),
                                 stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
        equal(process.returncode, 0, closed)


def history_is_broken():
    (ROOM / "plain").write_bytes(b"")
    answer = call("run", file("a.py"), env={"XDG_STATE_HOME": str(ROOM / "plain")})
    equal(answer.returncode, 0, "exit status")
    must(answer.stdout.startswith(b"main.py"), repr(answer.stdout))
    must(answer.stderr.startswith(b"fumehoodctl: ") and answer.stderr.count(b"\n") == 1, repr(answer.stderr))


def damage(database, table):
    """Overwrites the first page of the table."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with open(database, "r+b") as content:
        content.seek((page - 1) * size)
        content.write(b"\xa5" * size)


def history_is_damaged():
    """Some damage is found on opening, some only when a run is added."""
    for table in ("runs", "runs_deleted", "run_contents"):
        state = ROOM / f"damaged-{table}"
        call("run", file("a.py"), env={"XDG_STATE_HOME": str(state)})
        damage(state / "fumehood" / "history.db", table)
        answer = call("run", file("a.py"), env={"XDG_STATE_HOME": str(state)})
        equal(answer.returncode, 0, "exit status")
        must(b"was damaged" in answer.stderr and answer.stderr.count(b"\n") == 1, f"{table}: {answer.stderr!r}")


def history_is_kept():
    state = ROOM / "kept"
    call("run", file("a.py"), env={"XDG_STATE_HOME": str(state)})
    must((state / "fumehood" / "history.db").is_file(), "the run is kept")
    call("run", "--no-history", file("a.py"), env={"XDG_STATE_HOME": str(ROOM / "none")})
    must(not (ROOM / "none").exists(), "--no-history leaves nothing")


def history_shows_options():
    """Those that differ from the defaults."""
    env = {"XDG_STATE_HOME": str(ROOM / "options")}
    call("run", file("a.py"), env=env)
    call("run", "--memory", "64", "--cpu-time", "5", "--allow-imports", "json", file("a.py"), env=env)
    must("Options" not in call("history", "show", "1", env=env).stdout.decode(), "all by default")
    shown = call("history", "show", "2", env=env).stdout.decode()
    must(all(part in shown for part in ("CPU Time: 5 s", "Memory: 64 MiB", "Allowed Imports: json")), shown)


def guards():
    answer = call("guards", act="probe")
    equal((answer.returncode, answer.stderr), (0, b""), "exit status and stderr")
    must(b"network namespace" in answer.stdout and b"degraded" in answer.stdout, repr(answer.stdout))
    found = json.loads(call("guards", "--json", act="probe").stdout)
    equal((found["may_run"], found["tier"], len(found["guards"])), (True, "A", 2), "guards")


def guards_fail():
    answer = call("guards", act="probe-fails")
    equal(answer.returncode, 1, "exit status")
    found = json.loads(call("guards", "--json", act="probe-fails").stdout)
    must(not found["may_run"] and found["reason"] and found["advice"], str(found))
    equal(call("guards", "extra", act="probe").returncode, 2, "a word too many")


def helps():
    equal(call("--version").stdout.split()[0], b"fumehoodctl", "version")
    for words in (["--help"], ["run", "--help"], ["guards", "--help"], ["history", "--help"]):
        answer = call(*words)
        equal((answer.returncode, answer.stderr), (0, b""), str(words))
        must(b"Usage:" in answer.stdout and len(answer.stdout) > 300, str(words))
        must(all(len(line) <= 100 for line in answer.stdout.decode().splitlines()), f"{words}: a line is too long")
    must(all(word in call("--help").stdout for word in (b"run", b"guards", b"history")), "all commands are named")
    must(b"124" in call("run", "--help").stdout, "exit statuses are named")
    equal(call("walk").returncode, 2, "no such command")
    equal(call().returncode, 2, "no command")


CASES = {
    "output and exit status are the program's": plain,
    "a pipe is the program's input": pipe_is_the_input,
    "a pipe that stays open is said": open_pipe_is_said,
    "JSON": as_json,
    "options anywhere, arguments after --": options_anywhere,
    "invalid command lines": bad_command_lines,
    "files that cannot be run": bad_files,
    "unreadable file": unreadable_file,
    "the largest file": largest_file,
    "files with anything in them": odd_files,
    "refusals as JSON": refusals_as_json,
    "languages": languages,
    "faults of the runner": faults,
    "no runner": no_runner,
    "a limit is explained": limits_speak,
    "only parts are shown": shown_parts,
    "a signal stops": stop_once,
    "two signals kill": stop_by_force,
    "the reader goes away": reader_goes_away,
    "the reader stalls": reader_stalls,
    "a terminal gets text and colors": terminal,
    "one stream is no terminal": one_stream_is_no_terminal,
    "messages on a terminal": messages_on_terminal,
    "a full disk": full_disk,
    "closed descriptors": closed_descriptors,
    "a history that cannot be written": history_is_broken,
    "a history that is damaged": history_is_damaged,
    "the history is kept or not": history_is_kept,
    "the history shows options": history_shows_options,
    "guards": guards,
    "guards that fail": guards_fail,
    "help and version": helps,
}


def main():
    tap = Tap()
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
