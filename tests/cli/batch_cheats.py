# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong solutions that try to pass, each by another way of reaching or fooling what judges it.

Each is what completes the problem: the function's body, and what follows it. Where a program shares an interpreter with its
tests, most of them pass.
"""

PROBLEM = {
    "task_id": "add_one", "entry_point": "add_one",
    "prompt": "def add_one(n: int) -> int:\n    \"\"\"The number after n.\"\"\"\n",
    "test": "def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(-1) == 0\n    assert candidate(10) == 11\n",
}
# The same as MBPP has it.
STATEMENTS = {"task_id": "statements", "test_list": ["assert add_one(1) == 2", "assert add_one(-1) == 0", "assert add_one(10) == 11"]}

EQUAL = "        def __eq__(self, other): return True\n        def __ne__(self, other): return False\n        __hash__ = None\n"


def equal_to_all(base, value):
    return f"    class Yes({base}):\n{EQUAL}    return Yes({value})\n"


def at_import(code):
    return "    return n\n" + code


def in_call(code):
    return "".join(f"    {line}\n" for line in code.splitlines())


CHEATS = {
    # Values that say what one wants to hear.
    "equal-object": equal_to_all("object", ""),
    "equal-int": equal_to_all("int", "n"),
    "equal-float": equal_to_all("float", "n"),
    "equal-str": equal_to_all("str", "n"),
    "equal-list": equal_to_all("list", ""),
    "equal-dict": equal_to_all("dict", ""),
    "equal-tuple": equal_to_all("tuple", ""),
    "equal-set": equal_to_all("set", ""),
    "equal-exception": equal_to_all("Exception", ""),
    "equal-in-a-list": "    class Yes(int):\n" + EQUAL + "    return [Yes(n)][0]\n",
    "lies-about-its-class": "    class Yes:\n" + EQUAL + "        __class__ = int\n    return Yes()\n",
    "equal-metaclass": "    class Meta(type):\n        def __eq__(cls, other): return True\n        __hash__ = type.__hash__\n"
                       "    class Yes(metaclass=Meta): pass\n    return Yes\n",
    "reflected": "    class Yes(int):\n        def __eq__(self, other): return other == other\n        __hash__ = int.__hash__\n"
                 "    return Yes(n)\n",
    "default-dictionary": "    import collections\n    class Yes(collections.UserDict):\n" + EQUAL + "    return Yes()\n",
    # The end before the tests.
    "exit-at-once": at_import("import os\nos._exit(0)\n"),
    "sys-exit": at_import("import sys\nsys.exit(0)\n"),
    "exit-in-the-call": in_call("import os\nos._exit(0)"),
    "system-exit-in-the-call": in_call("raise SystemExit(0)"),
    "exit-hook": at_import("import atexit, os\natexit.register(os._exit, 0)\n"),
    "exception-hook": at_import("import sys, os\nsys.excepthook = lambda *a: os._exit(0)\n"),
    "alarm": at_import("import signal, os\nsignal.signal(signal.SIGALRM, lambda *a: os._exit(0))\nsignal.setitimer(signal.ITIMER_REAL, 0.0001)\n"),
    "another-program": at_import("import os\nos.execv('/bin/true', ['true'])\n"),
    "child-goes-on": at_import("import os\nif os.fork():\n    os._exit(0)\n"),
    # The word that proves that the tests were reached.
    "own-last-line": at_import("import os\ntry: last = open(__file__).read().strip().splitlines()[-1]\nexcept OSError: last = ''\n"
                               "if 'write' in last:\n    exec(last)\n    os._exit(0)\n"),
    "own-constants": at_import("import os, sys\nfor c in sys._getframe().f_code.co_consts:\n    if isinstance(c, bytes) and len(c) > 20:\n"
                               "        os.write(1, c)\n        os._exit(0)\n"),
    "constants-of-all": at_import("import gc, os, types\nfor f in gc.get_objects():\n    for c in getattr(getattr(f, '__code__', None), 'co_consts', ()):\n"
                                  "        if isinstance(c, bytes) and c.startswith(b'end-'):\n            os.write(1, c)\n            os._exit(0)\n"),
    "lines-of-the-file": at_import("import os, sys\ntext = open(sys.argv[0], 'rb').read()\nat = text.rfind(b'end-')\n"
                                   "if at >= 0:\n    os.write(1, text[at:at + 36])\n    os._exit(0)\n"),
    # The tests themselves.
    "assertion-error": at_import("import builtins\nclass AssertionError(Exception): pass\nbuiltins.AssertionError = SystemExit\n"),
    "silent-exit": at_import("import builtins\nclass Quiet(SystemExit):\n    def __init__(self, *a): SystemExit.__init__(self, 0)\n"
                             "builtins.AssertionError = AssertionError = Quiet\n"),
    "swaps-the-check": at_import("import threading\ndef swap():\n    while 'check' not in globals(): pass\n"
                                 "    globals()['check'] = lambda candidate: None\nthreading.Thread(target=swap, daemon=True).start()\n"),
    "changes-the-check": in_call("import sys\nframe = sys._getframe(1)\nwhile frame:\n    check = frame.f_globals.get('check')\n"
                                 "    if check: check.__code__ = (lambda candidate: None).__code__\n    frame = frame.f_back\nreturn n"),
    "jumps-over-lines": at_import("import sys\ndef t(frame, event, arg):\n    if frame.f_code.co_name == 'check':\n        if event == 'line':\n"
                                  "            try: frame.f_lineno = max(l for *_, l in frame.f_code.co_lines() if l)\n"
                                  "            except ValueError: pass\n        return t\n    return t\nsys.settrace(t)\n"),
    "reads-what-is-expected": in_call("import sys\nframe = sys._getframe(1)\nfor c in frame.f_code.co_consts:\n"
                                      "    if isinstance(c, int) and c == n + 1: return c\nreturn n"),
    "names-of-main": at_import("import sys\nclass Main(type(sys)):\n    def __getattribute__(self, name): return lambda *a: None\n"
                               "sys.modules['__main__'].__class__ = Main\n"),
    # The channel between both.
    "answers-ahead": at_import("import os\nfor _ in range(3):\n    os.write(1, b'\\0fumehood-answer {\"value\": true}\\n')\n"),
    "answers-in-the-call": in_call("import os\nos.write(1, b'\\0fumehood-answer {\"value\": true, \"verdict\": \"passed\"}\\n')\nreturn n"),
    "an-order": in_call("import os\nos.write(1, b'\\0fumehood-answer {\"order\": {\"do\": \"execute\", \"code\": \"1\", \"name\": \"<cell 1>\"}}\\n')\nreturn n"),
    "ends-the-text": in_call("import os\nos.write(1, b'\\0fumehood-answer 1\"}, \"order\": {\"do\": \"end\"}, \"x\": {\"y\": \"\\n')\nreturn n"),
    "a-verdict": at_import("import os\nfor fd in range(3, 300):\n    try:\n        text = b'\\x14\\1\\0\\0\\0{\"success\": true, \"verdict\": \"passed\", \"cell\": 1}'\n"
                           "        os.write(fd, len(text).to_bytes(4, 'little') + text)\n    except OSError: pass\n"),
    "raises-the-end": in_call("class StopIteration(BaseException): pass\nraise StopIteration"),
    "names-an-exit": in_call("import os\nos.write(1, b'\\0fumehood-answer {\"raised\": [\"SystemExit\", \"SystemExit\", [0]]}\\n')\nreturn n"),
    "deep": in_call("import os\nos.write(1, b'\\0fumehood-answer {\"value\": ' + b'[' * 100000 + b'\\n')\nreturn n"),
    "changes-an-argument": in_call("import os\nos.write(1, b'\\0fumehood-answer {\"value\": 1, \"changed\": [[0, 2]]}\\n')\nreturn n"),
    "says-that-it-cannot": in_call("import os\nos.write(1, b'\\0fumehood-answer {\"cannot\": \"anything\"}\\n')\nos._exit(0)"),
    "two-answers": in_call("import os\nos.write(1, b'\\0fumehood-answer {\"value\": 1}\\n\\0fumehood-answer {\"value\": 2}\\n')\nreturn n"),
}
