# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions whose cells run in a container: one interpreter in one container, under the guards of both, until it ends."""

import contextlib
import time

import containers
from guarded import environment
from relay import remote
from session_client import Session, works
from tap import equal, must, until
from work import command, folder, nothing_left, save

HERE = ("--engine=docker", "--container", containers.PYTHON)


def session(*words, **more):
    return Session(*HERE, *words, environment=environment(**more))


def paths(answer):
    return [file["path"] for file in answer["files"]]


def objects(answer):
    return [attempt["object"] for attempt in answer["attempts"] if attempt["verdict"] != "observed"]


def restarted(client, code):
    """The answer of a cell that a new interpreter runs, although the caller has not asked for one."""
    client.say(type="execute", id=1, code=code)
    heard = client.hear_until("result")
    equal([one["type"] for one in heard], ["restarted", "result"], "what is told")
    return heard[-1]


def one_namespace():
    with nothing_left(), session() as client:
        answer = client.run("import os\nx = 41\nopen('left', 'w').write('a')\nNone")
        works(answer)
        equal((answer["tier"], paths(answer)), ("D", ["left"]), "tier and files")
        place = client.run("os.uname().nodename")["value"]
        answer = client.run("x + 1")
        works(answer, "42")
        equal((paths(answer), answer["attempts"]), ([], []), "files and attempts of a cell without any")
        equal(client.run("os.uname().nodename")["value"], place, "the container")
        equal(paths(client.run("open('left', 'w').write('more')\nopen('new', 'w')")), ["left", "new"], "what was changed")
        must("/etc/shadow" in objects(client.run("open('/etc/shadow')")), "an attempt")
        equal(objects(client.run("1")), [], "attempts of the next")
        answer = client.run("1 / 0")
        must(not answer["success"] and answer["error"] == "ZeroDivisionError: division by zero", str(answer))
        equal(client.ask(type="list_variables")["variables"][0]["repr"], "41", "a variable")


@containers.at_length
def reset_and_calls():
    with nothing_left(), session() as client:
        client.ask(type="set_context", value="words")
        client.ask(type="declare_function", name="ask", parameters="what")
        for _ in range(2):
            client.say(type="execute", id=1, code="seen = ask(context)\nseen")
            call = client.hear()
            equal((call["type"], call["arguments"]), ("call", {"what": "words"}), "call")
            client.say(type="reply", call=call["call"], value=[1])
            works(client.hear(), "[1]")
            equal(client.ask(type="reset")["type"], "done", "reset")
            equal(client.run("seen")["error"], "NameError: name 'seen' is not defined", "after a reset")


def ends_of_cells():
    with nothing_left(), session() as client:
        client.run("x = 1")
        answer = client.run("print('begun', flush=True)\nimport time; time.sleep(100)", timeout=2)
        must(answer["timeout"] and answer["stdout"] == "begun\n" and not answer["session_ended"], str(answer))
        client.say(type="execute", id=1, code="print('on', flush=True)\nwhile True: pass", events=["output"])
        client.hear_until("output")
        client.say(type="interrupt", id=2)
        equal(client.hear_until("result")[-1]["status"], "stopped", "an interrupt")
        works(client.run("x"), "1")
        answer = client.run("import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(100)", timeout=2)
        must(answer["timeout"] and answer["session_ended"], str(answer))
        equal(client.run("x")["error"], "NameError: name 'x' is not defined", "a new interpreter")
        answer = client.run("import os; os._exit(5)")
        must(answer["session_ended"] and answer["exit_code"] == 5, str(answer))
        works(client.run("6 * 7"), "42")


@containers.at_length
def an_interpreter_that_ends_between_cells():
    with nothing_left(), session() as client:
        client.run("import os, threading\nx = 1\nname = os.uname().nodename\nthreading.Timer(0.2, os._exit, [1]).start()")
        until(lambda: not any(containers.state(name) == "running"
                                         for name in containers.ours_of(client.process.pid)), "its end")
        works(restarted(client, "'x' in globals()"), "False")


def a_container_that_is_removed():
    """By someone else, between two cells and while one runs."""
    with nothing_left(), session() as client:
        client.run("x = 1")
        containers.remove(*containers.ours_of(client.process.pid))
        works(restarted(client, "'x' in globals()"), "False")
        client.say(type="execute", id=1, code="print('on', flush=True)\nimport time; time.sleep(100)", events=["output"])
        client.hear_until("output")
        containers.remove(*containers.ours_of(client.process.pid))
        answer = client.hear_until("result")[-1]
        must(not answer["success"] and answer["session_ended"], str(answer))
        works(client.run("6 * 7"), "42")


def limits():
    with nothing_left(), session("--memory=64M", "--processes=8", "--disk-limit=1M", "--output-limit=1M") as client:
        answer = client.run("import os\nn = 0\ntry:\n for n in range(100):\n  if os.fork() == 0:\n   import time; time.sleep(100)\n"
                            "except BlockingIOError: pass\nn")
        must(answer["success"] and 4 <= int(answer["value"]) <= 8, str(answer))
        must("start a process" in [one["operation"] for one in answer["attempts"]], str(answer["attempts"]))
        answer = client.run("1")
        equal([one["operation"] for one in answer["attempts"]], [], "a limit is told once")
        answer = client.run("open('big', 'w').write('x' * (4 << 20))")
        must(not answer["success"] and "disk" in [one["guard"] for one in answer["attempts"]], str(answer))
    for code, status in (("b = b'x' * (256 << 20)", "memory-exceeded"), ("while True: print('x' * 1000)", "output-limit")):
        with nothing_left(), session("--memory=64M", "--output-limit=1M") as client:
            answer = client.run(code)
            equal((answer["status"], answer["session_ended"]), (status, True), str(answer))
            works(client.run("6 * 7"), "42")


def folders_and_kept_containers():
    name = containers.new_name("cells")
    with containers.removed(name), folder(**{"data.txt": "42"}) as work:
        with session(f"--keep={name}", f"--work-dir={work}") as client:
            answer = client.run("open('out', 'w').write(open('data.txt').read())\nimport os; open(os.path.expanduser('~/word'), 'w').write('w')")
            must(answer["success"], str(answer))
            equal(((work / "out").read_text(), paths(answer)), ("42", ["out"]), "what the cell wrote")
            refused = command("run", *HERE, f"--keep={name}", f"--work-dir={work}", "--no-history", save("1"))
            equal(refused.returncode, 125, f"another run meanwhile: {refused.stderr}")
            (work / "data.txt").write_text("43")
            works(client.run("open('data.txt').read()"), "'43'")
            client.ask(type="reset")
            works(client.run("import os; open('out').read() + open(os.path.expanduser('~/word')).read()"), "'42w'")
        with session(f"--keep={name}", f"--work-dir={work}") as client:
            works(client.run("import os; open(os.path.expanduser('~/word')).read()"), "'w'")


def an_engine_elsewhere():
    """Where nothing can be bound: programs and files are copied."""
    with remote() as host, folder(**{"data.txt": "42"}) as work, nothing_left():
        with session(f"--work-dir={work}", DOCKER_HOST=host) as client:
            works(client.run("n = open('out', 'w').write(open('data.txt').read())"))
            equal((work / "out").read_text(), "42", "what the cell wrote")
            works(client.run("open('out', 'a').write('!')\nn"), "2")
            equal((work / "out").read_text(), "42!", "what the next cell wrote")
            must(client.run("import os; os._exit(1)")["session_ended"], "an end")
            works(client.run("open('out').read()"), "'42!'")


def an_end_while_a_cell_runs():
    with nothing_left():
        client = session()
        with contextlib.closing(client.process.stdout), contextlib.closing(client.process.stderr):
            client.say(type="execute", id=1, code="print('on', flush=True)\nimport time; time.sleep(100)", events=["output"])
            client.hear_until("output")
            client.process.terminate()
            equal(client.process.wait(300), 128 + 15, "exit status")
            client.process.stdin.close()


@containers.at_length
def a_cell_is_fast():
    """Nothing is asked of the engine for it."""
    with session() as client:
        times = []
        client.run("v = 0")
        for number in range(100):
            begun = time.monotonic()
            works(client.run("v += 1\nv"), str(number + 1))
            times.append(time.monotonic() - begun)
        print(f"# a cell takes {sorted(times)[50] * 1000:.1f} ms")
        must(client.process.poll() is None, "it goes on")


containers.main({case.__name__.replace("_", " "): case for case in (
    one_namespace, reset_and_calls, ends_of_cells, an_interpreter_that_ends_between_cells, a_container_that_is_removed,
    limits, folders_and_kept_containers, an_engine_elsewhere, an_end_while_a_cell_runs, a_cell_is_fast)})
