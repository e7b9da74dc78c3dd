# SPDX-License-Identifier: GPL-3.0-or-later
"""The interpreter guard of data/guest: what it tells, and what it refuses.

Argument: the path of bootstrap.py. Nothing here needs a sandbox: the guest channel is a socket of ours.
"""

import os
import socket
import subprocess
import sys
import tempfile

from tap import PATIENCE, Tap, equal, must

BOOTSTRAP = os.path.abspath(sys.argv[1])
RUN, GUARDS, ATTEMPT = 1, 2, 17
VERDICTS = ["denied", "hidden", "limited", "observed"]


def message(kind, words):
    payload = bytes([kind]) + b"\0".join(os.fsencode(word) for word in words)
    return len(payload).to_bytes(4, "little") + payload


def heard(said):
    """What was told, as (verdict, line, operation, object)."""
    told = []
    while said:
        size = int.from_bytes(said[:4], "little")
        body, said = said[4:4 + size], said[4 + size:]
        if body[0] != ATTEMPT:
            continue
        operation, thing = body[6:].split(b"\0")
        told.append((VERDICTS[body[1]], int.from_bytes(body[2:6], "little"), operation.decode(),
                     os.fsdecode(thing)))
    return told


def guarded(source, *wanted, files=(), links=()):
    """Exit status, output of both kinds, and what was told."""
    ours, theirs = socket.socketpair()
    with tempfile.TemporaryDirectory() as folder:
        for name, content in [("main.py", source), *files]:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)

        os.mkdir(os.path.join(folder, "tmp"))
        for name, target in links:
            os.symlink(target, os.path.join(folder, name))

        def hand_over():
            os.dup2(theirs.fileno(), 3)
            os.set_inheritable(3, True)

        process = subprocess.Popen(
            ["/usr/bin/python3", "-u", BOOTSTRAP], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, cwd=folder, preexec_fn=hand_over, pass_fds=[3],
            env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1",
                 "TMPDIR": os.path.join(folder, "tmp")})
        theirs.close()
        if wanted:
            ours.sendall(message(GUARDS, wanted))
        ours.sendall(message(RUN, [os.path.join(folder, "main.py")]))
        output = process.communicate(timeout=PATIENCE)[0].decode()
        ours.setblocking(False)
        said = b""
        try:
            while piece := ours.recv(1 << 16):
                said += piece
        except BlockingIOError:
            pass
        ours.close()
        return process.returncode, output.replace(folder, "FOLDER"), heard(said)


def test_nothing_wanted():
    equal(guarded("open('/etc/hostname').close()\nprint(1)\n"), (0, "1\n", []), "bare")


def test_lines_are_told():
    status, output, told = guarded(
        "import os, socket\n"
        "open('/etc/hostname').close()\n"
        "open('made', 'w').close()\n"
        "try:\n"
        "    socket.create_connection(('127.0.0.1', 1))\n"
        "except OSError:\n"
        "    pass\n"
        "os.remove('made')\n", "report")
    equal((status, output), (0, ""), "the run")
    must(("observed", 2, "", "/etc/hostname") in told, told)
    must(("observed", 5, "", "127.0.0.1:1") in told, told)
    must(any(line == 3 and thing.endswith("/made") for _, line, _, thing in told), told)
    must(any(line == 8 and thing.endswith("/made") for _, line, _, thing in told), told)
    must(not any("/usr/" in thing for _, _, _, thing in told), told)


def test_what_only_python_knows():
    _, _, told = guarded("import os\nos.system('true')\nimport subprocess\n"
                         "subprocess.run(['echo', 'a b'])\n", "report")
    must(("observed", 2, "run in a shell", "true") in told, told)
    must(("observed", 4, "start", "echo a b") in told, told)


def test_reports_come_to_an_end():
    status, _, told = guarded("for i in range(5000):\n"
                              "    try: open('/nowhere/%d' % i)\n"
                              "    except OSError: pass\n", "report")
    must(status == 0 and 100 < len(told) <= 400, f"{status}, {len(told)} reports")


def test_hostile_names():
    _, _, told = guarded("import os\n"
                         "for name in ('/a\\nb', b'/\\xff', '/\\udcfe', '/' + 'x' * 5000):\n"
                         "    try: open(name)\n"
                         "    except OSError: pass\n"
                         "try: open('/a\\0b')\n"
                         "except ValueError: pass\n", "report")
    things = [thing for _, _, _, thing in told]
    must("/a\nb" in things and "/\udcff" in things and "/\udcfe" in things, things)
    must("/" + "x" * 999 in things, "the long one is cut")


def test_functions():
    for call, name in (("os.system('echo no')", "os.system"), ("os.remove('/nowhere/x')", "os.remove"),
                       ("os.unlink(b'/nowhere')", "os.remove"), ("os.rmdir('/nowhere/x/')", "os.rmdir"),
                       ("os.rmdir('.')", "os.rmdir"), ("os.rmdir(os.getcwd())", "os.rmdir"),
                       ("os.fork()", "os.fork"), ("os.kill(0, 0)", "os.kill"),
                       ("exit(0)", "exit"), ("__import__('shutil').rmtree('/nowhere/x')", "shutil.rmtree"),
                       ("__import__('subprocess').run(['echo', 'no'])", "subprocess.Popen"),
                       ("__import__('posix').rename('a', 'b')", "os.rename")):
        status, output, told = guarded(f"import os\n{call}\n", "functions")
        must(status == 1 and f"PermissionError: {name} is disabled" in output, f"{call}: {output}")
        must("restrict.py" not in output, output)
        equal(told, [("denied", 2, "call", name)], call)
    status, output, _ = guarded("import psutil\n", "functions")
    must(status == 1 and "ImportError" in output or "ModuleNotFoundError" in output, output)


def test_the_programs_own_files():
    """What is below the folders of the run may be removed, so that tempfile clears up."""
    status, output, told = guarded(
        "import os, tempfile\n"
        "with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory(dir='.') as two:\n"
        "    for place in (one, two):\n"
        "        os.makedirs(place + '/a/b')\n"
        "        open(place + '/a/b/c', 'w').close()\n"
        "with tempfile.NamedTemporaryFile() as file:\n"
        "    file.write(b'x')\n"
        "os.mkdir('d')\n"
        "open('d/e', 'w').close()\n"
        "top = os.open('d', os.O_RDONLY)\n"
        "os.unlink('e', dir_fd=top)\n"
        "os.rmdir(os.getcwdb() + b'/d/')\n"
        "print(sorted(os.listdir()), os.listdir(os.environ['TMPDIR']))\n", "functions")
    equal((status, output, told), (0, "['main.py', 'tmp'] []\n", []), "the run")


def test_files_of_others():
    """No link, folder descriptor or .. leads out of the folders of the run."""
    with tempfile.TemporaryDirectory() as outside:
        kept = os.path.join(outside, "kept")
        os.mkdir(kept)
        os.mkdir(os.path.join(kept, "folder"))
        with open(os.path.join(kept, "file"), "w", encoding="utf-8"):
            pass
        for call in ("os.remove('link/file')", "os.rmdir('link/folder')", "shutil.rmtree('link/folder')",
                     "os.remove('tmp/../link/file')", "os.remove('file', dir_fd=os.open('link', os.O_RDONLY))",
                     "os.remove('../kept/file', dir_fd=os.open('link', os.O_RDONLY))",
                     "shutil.rmtree('link/')", "os.rmdir('link/folder/')", "os.remove(Path('link/file'))",
                     f"os.remove({kept!r} + '/file')", f"os.remove({kept.encode()!r} + b'/file')",
                     f"os.remove(os.path.relpath({kept!r}) + '/file')"):
            source = ("import os, shutil\n"
                      "class Path:\n"
                      "    def __init__(self, path): self.path = path\n"
                      "    def __fspath__(self): return self.path\n"
                      f"{call}\n")
            status, output, told = guarded(source, "functions", links=[("link", kept)])
            must(status == 1 and "is disabled by the interpreter guard" in output, f"{call}: {output}")
            equal([one[0] for one in told], ["denied"], call)
            equal(sorted(os.listdir(kept)), ["file", "folder"], call)
        source = "import os\nos.remove('link')\nprint(os.listdir())\n"
        equal(guarded(source, "functions", links=[("link", kept)])[0], 0, "the link itself")


def test_imports():
    equal(guarded("import json\nprint(json.dumps(1))\n", "imports=json")[:2], (0, "1\n"), "allowed")
    equal(guarded("import collections.abc\nprint(1)\n", "imports=collections")[:2], (0, "1\n"), "below")
    for source, name in (("import os\n", "os"), ("import sys\n", "sys"),
                         ("from subprocess import run\n", "subprocess"), ("import os.path\n", "os.path"),
                         ("exec('import socket')\n", "socket"), ("__import__('ctypes')\n", "ctypes"),
                         ("import importlib\n", "importlib")):
        status, output, told = guarded(source, "imports=json,math")
        must(status == 1 and f"ImportError: Import of {name} is not allowed; allowed: json, math" in output,
             output)
        equal(told, [("denied", 1, "import", name)], source)


def test_dotted_imports():
    dotted = "imports=os.path,xml.dom"
    for source in ("import os.path\n", "from os import path\n", "from os.path import join as j\n",
                   "import xml.dom.minidom\n", "from xml import dom\n", "from xml.dom import minidom, pulldom\n"):
        equal(guarded(source + "print(1)\n", dotted)[:2], (0, "1\n"), source)
    for source, name in (("import os\n", "os"), ("from os import path, system\n", "os.system"), ("import xml\n", "xml"),
                         ("from os import *\n", "os"), ("import xml.sax\n", "xml.sax"), ("import xml.domino\n", "xml.domino")):
        status, output, told = guarded(source, dotted)
        must(status == 1 and f"Import of {name} is not allowed; allowed: os.path, xml.dom" in output, f"{source}: {output}")
        equal(told, [("denied", 1, "import", name)], source)
    date = "import datetime\nprint(datetime.datetime.strptime('2020', '%Y').year)\n"
    equal(guarded(date, "imports=datetime")[:2], (0, "2020\n"), "a part of datetime")


def test_unknown_modules():
    for name in ("no_such_thing", "xml.no_such_thing", "math.no_such_thing", "no_such_thing.xml"):
        status, output, told = guarded("open('begun', 'w')\n", f"imports=json,{name}")
        equal((status, told), (125, []), name)
        equal(output, f"Nothing was run: there is no module “{name}” that could be imported.\n", "why")
    source = "import helper.part\nprint(1)\n"
    beside = [("helper/__init__.py", ""), ("helper/part.py", "print(0)\n")]
    equal(guarded(source, "imports=helper.part", files=beside)[:2], (0, "0\n1\n"), "a module of the program")


def test_an_empty_list_allows_nothing():
    status, output, told = guarded("import math\n", "imports=")
    must(status == 1 and "allowed: none" in output, output)
    equal(told, [("denied", 1, "import", "math")], "told")
    equal(guarded("print(1)\n", "imports=")[:2], (0, "1\n"), "no import at all")


def test_files_beside_the_program():
    equal(guarded("import helper\nprint(helper.x)\n", "imports=", files=[("helper.py", "x = 7\n")])[:2],
          (0, "7\n"), "a part of the program")


def test_operations():
    for source in ("while True: pass\n", "x = 0\nwhile True:\n    x += 1\n", "[x for x in range(10 ** 9)]\n",
                   "def f(): f2()\ndef f2():\n    while True: pass\nf()\n",
                   "import threading\ndef f():\n    while True: pass\nthreading.Thread(target=f).start()\n",
                   "while True:\n    try: 1 / 0\n    except BaseException: pass\n"):
        status, output, told = guarded(source, "operations=20000")
        must(status == 1 and "ended the program after 20000 operations" in output, f"{source}: {output}")
        must(told and told[0][0] == "limited" and told[0][2:] == ("operations", "20000"), told)
    equal(guarded("print(sum(range(100)))\n", "operations=20000"), (0, "4950\n", []), "few operations")


def test_all_at_once():
    status, output, told = guarded("import json\nprint(json.loads('[1]'))\nopen('/nowhere')\n",
                                   "report", "functions", "imports=json", "operations=1000000")
    must(status == 1 and output.startswith("[1]\n") and "FileNotFoundError" in output, output)
    must(("observed", 3, "", "/nowhere") in told, told)


def main():
    tap = Tap()
    for name, function in list(globals().items()):
        if name.startswith("test_"):
            tap.case(name[5:].replace("_", " "), function)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
