# SPDX-License-Identifier: GPL-3.0-or-later
"""How guards are chosen on the command line of `fumehoodctl run`, and how it reports attempts."""

import json
import sqlite3
import sys

from called import PLACE, ROOM, call, file, on_terminal, refused, run
from tap import Tap, equal, must

NETWORK, SYSTEM_CALLS, MEMORY, TIME, DISK, OUTPUT, ENVIRONMENT = 1, 3, 5, 6, 7, 8, 9


def asked(*words, source=None):
    """What the runner gets."""
    answer = run(*words, source or file("a.py"), act="guards")
    equal((answer.returncode, answer.stderr), (0, b""), f"{words}")
    return answer.stdout.decode(errors="replace")


def defaults():
    must(asked().startswith("watch=1 tier=0 without=0 collect=1 hosts=guest="), asked())
    must("imports=" not in asked() and "functions" not in asked(), asked())


def presets():
    """--preset is where the options begin, and what is typed changes them."""
    source = file("a.py")
    refused(run("--preset", "mine", source), "--preset", "no preset “mine”")
    refused(run("--save-preset", "../mine", source), "--save-preset", "../mine")
    saved = asked("--watch", "files", "--max-operations", "77", "--no-files", "--save-preset", "mine")
    must("watch=2 " in saved and "operations=77" in saved, saved)
    equal(asked("--preset", "mine"), saved, "the same options")
    changed = asked("--preset", "mine", "--watch", "off", "--max-operations", "78")
    must("watch=0 " in changed and "operations=78" in changed and "collect=0" in changed, changed)
    must("watch=1 " in asked(), "without --preset")
    asked("--without", "time", "--save-preset", "careless")
    must("without=0 " in asked("--preset", "careless"), "a guard that was off for one run")
    (ROOM / "config/fumehood/presets/mine.ini").write_text("[Options]\nlimits.memory_bytes=1\n")
    refused(run("--preset", "mine", source), "--preset", "damaged")


def watch():
    for level, number in (("off", 0), ("attempts", 1), ("files", 2)):
        must(f"watch={number} " in asked("--watch", level), level)
    refused(run("--watch", "everything", file("a.py")), "--watch", "everything", "attempts")


def without():
    names = {"network": NETWORK, "system-calls": SYSTEM_CALLS, "memory": MEMORY, "time": TIME, "disk": DISK,
             "output": OUTPUT, "environment": ENVIRONMENT}
    for name, number in names.items():
        must(f"without={1 << number:x} " in asked("--without", name), name)
    both = f"without={1 << NETWORK | 1 << TIME:x} "
    must(both in asked("--without", "network", "--without", "time"), "repeated")
    must(both in asked("--without", "network, time"), "with a comma")


def limits_without_guard():
    for option, name in (("--timeout", "time"), ("--cpu-time", "time"), ("--memory", "memory"),
                         ("--disk-limit", "disk"), ("--output-limit", "output")):
        refused(run(option, "64", "--without", name, file("a.py")), option, f"--without {name}")
    equal(run("--timeout", "9", "--without", "memory", file("a.py")).returncode, 0, "another limit")


def no_switch():
    for name in ("filesystem", "processes", "privileges"):
        refused(run("--without", name, file("a.py")), "--without", "without protection")
    refused(run("--without", "fear", file("a.py")), "fear", "system-calls")


def sentences():
    """What GLib says about options ends as what we say."""
    for words, text in ((("undo", "--nope"), "There is no option --nope."), (("inspect", "--nope"), "There is no option --nope."),
                        (("undo", "-x"), "Unknown option -x."), (("run", "--timeout"), "Missing argument for --timeout.")):
        equal(call(*words).stderr.decode(), f"fumehoodctl: {text} Try “fumehoodctl {words[0]} --help”.\n", str(words))


def hosts():
    must("hosts=example.com b.example guest" in asked("--allow-host", "Example.COM.", "--allow-host", "b.example"),
         "two hosts")
    must("hosts=xn--bcher-kva.example " in asked("--allow-host", "bücher.example"), "another alphabet")
    for name in ("1.1.1.1", "http://a.example", "a.example:443", "a..b", "*", "a b", "a.example,b.example"):
        answer = run("--allow-host", name, file("a.py"))
        equal((answer.returncode, answer.stdout), (125, b""), name)
    refused(run("--allow-host", "a.example", "--without", "network", file("a.py")), "no effect")
    refused(run("--allow-host", "a.example", "--without-protection", file("a.py")), "every host")
    refused(run("--without", "sockets", "--without-protection", file("a.py")), "cannot be blocked")


def tiers():
    refused(run("--tier", "C", file("a.py")), "--tier", "A2")
    refused(run("--tier", "none", file("a.py")), "--without-protection")
    refused(run("--tier", "A", "--without-protection", file("a.py")), "not both")
    must("tier=3 " in asked("--tier", "B"), asked("--tier", "B"))


def probed_tiers():
    found = json.loads(call("guards", "--json", "--tier", "B", act="probe").stdout)
    equal((found["may_run"], found["tier"]), (True, "B"), "what was found")
    must("(tier B)" in call("guards", "--tier", "B", act="probe").stdout.decode(), "the tier is shown")
    for words in (["--tier", "C"], ["--tier", "none"], ["B"]):
        answer = call("guards", *words, act="probe")
        equal((answer.returncode, answer.stdout), (2, b""), str(words))


def interpreter():
    must("imports=json,math" in asked("--allow-imports", "json, math"), "a list")
    must(asked("--allow-imports", "none").count("imports=.") == 1, asked("--allow-imports", "none"))
    must(asked("--allow-imports", "").count("imports=.") == 1, "an empty list allows nothing")
    text = asked("--allow-imports", "default,numpy")
    must("imports=re,json," in text and ",uuid,numpy" in text, text)
    must("operations=5000" in asked("--max-operations", "5000"), "operations")
    must("operations=" not in asked("--max-operations", "none"), "no limit")
    must("functions" in asked("--limit-functions"), "functions")
    must("report" in asked("--report-lines") and "report" not in asked(), "lines")
    for number in ("0", "-1", "many", "1e6"):
        refused(run("--max-operations", number, file("a.py")), "--max-operations", number)
    refused(run("--allow-imports", "os/path", file("a.py")), "os/path")
    shell = file("a.sh", b"#!/bin/sh\n")
    for words in (["--limit-functions"], ["--allow-imports", "none"], ["--max-operations", "1"], ["--report-lines"]):
        refused(run(*words, shell), "Python")
    equal(run("--attempts", shell).returncode, 0, "attempts of a shell script")


def files():
    must("collect=0" in asked("--no-files"), "--no-files")


def unprotected_warns():
    answer = run("--without-protection", file("a.py"), act="guards")
    must(answer.stderr.startswith(b"fumehoodctl: ") and b"without protection" in answer.stderr, repr(answer.stderr))
    must(b" tier=4 " in answer.stdout, repr(answer.stdout))


def unprotected_is_not_remembered():
    state = ROOM / "unprotected"
    call("run", "--without-protection", file("a.py"), act="guards", env={"XDG_STATE_HOME": str(state)})
    shown = call("history", "show", "1", "--json", env={"XDG_STATE_HOME": str(state)})
    equal(json.loads(shown.stdout)["request"]["guards"]["tier"], "auto", "what a second run would ask for")


def attempts_as_json():
    result = json.loads(run("--json", file("a.py"), act="attempts").stdout)
    first, second = result["attempts"]
    equal((first["guard"], first["operation"], first["object"], first["verdict"], first["error"], first["count"]),
          ("network", "connect", "1.1.1.1:443", "denied", "ENETUNREACH", 2), "the first")
    equal(second["verdict"], "observed", "the second")
    equal((result["attempts_stopped"], result["attempts_dropped"]), (1, 3), "numbers")
    must(first["title"] and first["sentence"], "words")


def attempts_are_quiet():
    """A script gets what the program wrote and nothing else."""
    answer = run(file("a.py"), act="attempts")
    equal((answer.returncode, answer.stdout, answer.stderr), (5, b"", b"theirs\n"), "all of it")


def limit_is_no_attempt():
    """The limit that ended the run is told as its end."""
    text = run("--attempts", file("a.py"), act="meets-limit").stderr.decode()
    must("No attempts to report." in text and "Keep running" not in text, text)
    result = json.loads(run("--json", file("a.py"), act="meets-limit").stdout)
    equal((result["attempts_stopped"], [a["ended_run"] for a in result["attempts"]]), (0, [True]), "numbers")


def attempts_listed():
    answer = run("--attempts", file("a.py"), act="attempts")
    equal((answer.returncode, answer.stdout), (5, b""), "exit status and stdout")
    theirs, summary, *rows = answer.stderr.decode().splitlines()
    equal(theirs, "theirs", "the program's own comes first")
    must("1 attempt was blocked" in summary and "1 was not blocked" in summary and "3 more" in summary, summary)
    equal(len(rows), 2, "rows")
    must(all(row.startswith("fumehoodctl: ") for row in rows), str(rows))
    must("Blocked" in rows[0] and "Network" in rows[0] and "2×" in rows[0] and "Connect to 1.1.1.1:443" in rows[0],
         rows[0])
    must("\\u001b[2J\\n80" in rows[1], rows[1])
    none = run("--attempts", file("a.py")).stderr.decode()
    must(none.count("\n") == 1 and "No attempts" in none, none)


def nothing_watched():
    for words in (["--watch", "off"], ["--without-protection"]):
        last = run("--attempts", *words, file("a.py")).stderr.decode().splitlines()[-1]
        must("not watched" in last, last)


def attempts_on_terminal():
    got = on_terminal(b"", act="attempts").decode()
    must("Blocked: Connect to 1.1.1.1:443" in got and "To allow that: --without=network" in got, repr(got))
    must("Blocked" not in on_terminal(b"", act="tells").decode(), "nothing was blocked")
    got = on_terminal(b"", "--attempts", act="attempts").decode()
    equal(got.count("⚗"), 5, "each line begins with the sign")
    must("\x1b[2J" not in got, repr(got))


def attempts_in_history():
    state = {"XDG_STATE_HOME": str(ROOM / "attempts")}
    call("run", file("a.py"), act="attempts", env=state)
    shown = call("history", "show", "1", env=state).stdout.decode()
    must("Attempts:" in shown and "Connect to 1.1.1.1:443" in shown and "1 attempt was blocked" in shown, shown)
    call("run", file("a.py"), env=state)
    shown = call("history", "show", "2", env=state).stdout.decode()
    must("Attempts:" not in shown and "own sandbox\n" in shown, shown)


def old_entries():
    """Runs of versions without guards and attempts are shown as before."""
    state = ROOM / "old"
    env = {"XDG_STATE_HOME": str(state)}
    call("run", file("a.py"), env=env)
    database = state / "fumehood" / "history.db"
    with sqlite3.connect(database) as connection:
        rows = connection.execute("SELECT rowid, * FROM run_contents").fetchall()
        names = [column[1] for column in connection.execute("PRAGMA table_info(run_contents)")]
        for row in rows:
            for name, value in zip(names, row[1:]):
                try:
                    content = json.loads(value)
                except (TypeError, ValueError):
                    continue
                if not isinstance(content, dict) or "version" not in content:
                    continue
                for new in ("attempts", "attempts_dropped", "attempts_stopped", "files", "files_left_out",
                            "files_incomplete"):
                    content.pop(new, None)
                if "language" in content:
                    del content["guards"]
                connection.execute(f"UPDATE run_contents SET {name} = ? WHERE rowid = ?",
                                   (json.dumps(content).encode(), row[0]))
    shown = call("history", "show", "1", env=env)
    equal((shown.returncode, shown.stderr), (0, b""), "exit status and stderr")
    found = json.loads(call("history", "show", "1", "--json", env=env).stdout)
    equal((found["request"]["guards"]["watch"], found["result"]["attempts"]), ("attempts", []), "defaults")


CASES = {
    "the usual choice": defaults,
    "what is watched": watch,
    "presets": presets,
    "guards are switched off": without,
    "limits of guards that are off": limits_without_guard,
    "guards that have no switch": no_switch,
    "sentences about options": sentences,
    "hosts": hosts,
    "tiers": tiers,
    "tiers that are tried": probed_tiers,
    "the interpreter guard": interpreter,
    "no files": files,
    "running without protection warns": unprotected_warns,
    "running without protection is not remembered": unprotected_is_not_remembered,
    "attempts in JSON": attempts_as_json,
    "attempts do not disturb scripts": attempts_are_quiet,
    "attempts are listed": attempts_listed,
    "a limit is no attempt": limit_is_no_attempt,
    "attempts without watching": nothing_watched,
    "attempts on a terminal": attempts_on_terminal,
    "attempts in the history": attempts_in_history,
    "entries of earlier versions": old_entries,
}


def main():
    tap = Tap()
    for name, function in CASES.items():
        tap.case(name, function)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
