# SPDX-License-Identifier: GPL-3.0-or-later
"""A program whose interpreter was there before it ends as under bare Python: the same output, files
and exit status, whether data/guest/ending.py ends it or leaves that to Python.

Argument: the path of bootstrap.py. Many more such programs are in test-bootstrap.py.
"""

import sys
import tempfile
from pathlib import Path

from comparison import bare, guarded, normal
from tap import Tap, equal

PYTHON = "/usr/bin/python3"

# Tells on descriptor 2 that ending.py ends the process: os has taken the original before.
SITE = b"""import os, posix
def end(status, end=posix._exit, write=posix.write):
    write(2, b'[ended]')
    end(status)
posix._exit = end
"""

D = b"class D:\n    def __init__(self, name): self.name = name\n    def __del__(self): print('del', self.name)\n"

# Ended by ending.py.
QUICK = [
    ("prints", b"print(1)\n"),
    ("exit 3", b"import sys\nsys.exit(3)\n"),
    ("exit 257", b"import sys\nsys.exit(257)\n"),
    ("exit -1", b"import sys\nsys.exit(-1)\n"),
    ("exit None", b"import sys\nsys.exit(None)\n"),
    ("uncaught", b"print('a')\n1/0\n"),
    ("own excepthook", b"import sys\nsys.excepthook = lambda *_: print('hook')\n1/0\n"),
    ("global with a finalizer", D + b"d = D(1)\ne = D(2)\n_f = D(3)\n"),
    ("global in a function's namespace", D + b"d = D(1)\ndef f(): return d\n_p = D(2)\n"),
    ("cycle", D + b"a = D(1)\na.b = D(2)\na.b.a = a\ndel a\n"),
    ("finalizer uses globals", b"import json\nclass D:\n    def __del__(self): print(json, D)\nd = D()\n"),
    ("object in the frame of an exception", D + b"def f():\n    d = D(1)\n    1/0\nf()\n"),
    ("generator that is suspended", b"def g():\n    try:\n        yield\n    finally:\n        print('finally')\nx = g()\nnext(x)\n"),
    ("atexit", b"import atexit\natexit.register(print, 1)\natexit.register(print, 2)\n"),
    ("atexit fails", b"import atexit\natexit.register(lambda: 1/0)\natexit.register(print, 2)\n"),
    ("atexit and __file__", b"import atexit\natexit.register(lambda: print(sorted(globals())))\n"),
    ("atexit and __file__ after sys.exit", b"import atexit, sys\natexit.register(lambda: print(sorted(globals())))\nsys.exit()\n"),
    ("atexit and __file__ after an exception", b"import atexit\natexit.register(lambda: print(sorted(globals())))\n1/0\n"),
    ("atexit registered by a function of atexit", b"import atexit\natexit.register(lambda: atexit.register(print, 2))\n"),
    ("weakref.finalize", b"import weakref\nclass C: pass\nc = C()\nweakref.finalize(c, print, 'finalized')\n"),
    ("weak reference with a callback", b"import weakref\nclass C: pass\nc = C()\nr = weakref.ref(c, lambda _: print('gone'))\n"),
    ("file that is not closed", b"f = open('made', 'w')\nf.write('x' * 9)\n"),
    ("thread outlives main", b"import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()\n"),
    ("stdout replaced", b"import io, sys\nsys.stdout = io.TextIOWrapper(open(1, 'wb', closefd=False))\nprint('x')\n"),
    ("stdout closed", b"import sys\nsys.stdout.close()\n"),
    ("no stdout", b"import sys\nsys.stdout = None\n"),
    ("logging", b"import logging\nlogging.basicConfig(filename='made')\nlogging.warning('w')\n"),
    ("finalizer in another module", D + b"import json\njson.d = D(1)\n"),
    ("module of the program", b"import part\nprint(part.d.name)\n"),
    ("garbage collector off", D + b"import gc\ngc.disable()\na = D(1)\na.a = a\ndel a\n"),
    ("finalizer fails", b"class D:\n    def __del__(self): 1/0\nd = D()\n"),
    ("finalizer exits", b"import sys\nclass D:\n    def __del__(self): sys.exit(3)\nd = D()\n"),
    ("finalizer imports", b"class D:\n    def __del__(self):\n        import colorsys\n        print('imported')\nd = D()\n"),
]

# Left to Python.
ORDINARY = [
    ("exit with text", b"import sys\nsys.exit('bye')\n"),
    ("exit with a huge number", b"import sys\nsys.exit(1 << 70)\n"),
    ("keyboard interrupt", b"raise KeyboardInterrupt\n"),
    ("excepthook exits", b"import sys\ndef hook(*_): sys.exit(4)\nsys.excepthook = hook\n1/0\n"),
    ("finalizer in a module of Python", D + b"import io\nio.d = D(1)\n"),
    ("file in builtins", b"import builtins\nbuiltins.f = open('made', 'w')\nf.write('x' * 9)\n"),
    ("daemon thread", b"import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"),
    ("C library's buffers", b"import ctypes\nctypes.CDLL(None).printf(b'from C')\n"),
    ("stdout is full", b"import sys\nsys.stdout = open('/dev/full', 'w')\nsys.stdout.write('x')\n"),
    ("trace", b"import sys\nsys.settrace(lambda *_: None)\n"),
    ("fork", b"import os\npid = os.fork()\nif pid:\n    os.waitpid(pid, 0)\nprint('done', file=open('made' + str(bool(pid)), 'w'))\nif pid: raise KeyboardInterrupt\n"),
]


def run(source, run_it):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.py").write_bytes(source)
        (folder / "part.py").write_bytes(D + b"d = D('of a part')\n")
        (folder / "site").mkdir()
        (folder / "site/sitecustomize.py").write_bytes(SITE)
        result = run_it(folder)
        made = sorted((path.name, path.read_bytes()) for path in folder.glob("made*"))
        return normal(result.stdout, folder), normal(result.stderr, folder), result.returncode, made


def ends(source, is_quick):
    expected = run(source, lambda folder: bare(PYTHON, folder, []))
    stdout, stderr, *rest = run(source, lambda folder: guarded(
        PYTHON, folder, [], is_early=True, environment={"PYTHONPATH": str(folder / "site")}.items())[0])
    equal((stdout, stderr.replace(b"[ended]", b""), *rest), expected, "output, exit status and files")
    equal(stderr.count(b"[ended]"), int(is_quick), "times that ending.py has ended it")


def main():
    tap = Tap()
    for name, source in QUICK:
        tap.case(name, ends, source, True)
    for name, source in ORDINARY:
        tap.case("left to Python: " + name, ends, source, False)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
