# SPDX-License-Identifier: GPL-3.0-or-later
"""A program and its tests run in two sandboxes: what crosses, what cannot, and what does not get through."""

import json
import sys

import batch_cheats
from batch_room import KINDS, PLACE, SANITIZED, batch, lines, new_output, of_file
from tap import Tap, equal, must

HELPERS = ("from typing import List\n\ndef is_odd(n: int) -> bool:\n    return n % 2 == 1\n\n"
           "def odd_ones(numbers: List[int]) -> List[int]:\n    \"\"\"Those that is_odd.\"\"\"\n")


def statements(*tests, **more):
    return {"test_list": list(tests), **more}


def check(prompt, entry, *asserts):
    return {"prompt": prompt, "entry_point": entry, "test": "def check(candidate):\n" + "".join(f"    {line}\n" for line in asserts)}


# A problem, a solution, and the verdict that it has wherever it runs.
SAME = {
    "numbers": (statements("assert f(1) == (1.5, -2, 3j, 10**30, True, None)"), "def f(n): return (1.5, -2, 3j, 10**30, True, None)", True),
    "not-a-number": (statements("import math", "assert math.isnan(f()) and f() != f()"), "def f(): return float('nan')", True),
    "infinite": (statements("assert f() == [float('inf'), float('-inf')]"), "def f(): return [float('inf'), float('-inf')]", True),
    "texts": (statements(r"assert f() == ['\0', '\ud800', 'ä', '\u2028', '\n']"), r"def f(): return ['\0', '\ud800', 'ä', '\u2028', '\n']", True),
    "bytes": (statements("assert f(b'ab') == bytearray(b'ba')"), "def f(b): return bytearray(reversed(b))", True),
    "collections": (statements("assert f() == {1: {2, 3}, (4,): frozenset([5]), '$': [{}]}"),
                    "def f(): return {1: {2, 3}, (4,): frozenset([5]), '$': [{}]}", True),
    "exact-types": (statements("assert type(f()) is tuple and type(f()[0]) is list"), "def f(): return ([],)", True),
    "tuple-for-list": (statements("assert f() == [1]"), "def f(): return (1,)", False),
    "true-for-one": (statements("assert f() is True"), "def f(): return 1", False),
    "generator": (statements("assert list(f(3)) == [0, 1, 2]"), "def f(n): yield from range(n)", True),
    "views": (statements("assert sorted(f().items()) == [(1, 2)]", "assert f().keys() == {1}"), "def f(): return {1: 2}", True),
    "dictionary-views": (statements("assert f() == {1, 2}"), "def f(): return {1: 0, 2: 0}.keys()", True),
    "range": (statements("assert f() == range(3)"), "def f(): return range(3)", True),
    "counter": (statements("assert f('aab') == {'a': 2, 'b': 1}"), "from collections import Counter\ndef f(s): return Counter(s)", True),
    "changed-argument": (statements("x = [3, 1, 2]", "f(x)", "assert x == [1, 2, 3]"), "def f(x): x.sort()", True),
    "unchanged-argument": (statements("x = [3, 1, 2]", "assert f(x) == [1, 2, 3]", "assert x == [3, 1, 2]"), "def f(x): return sorted(x)", True),
    "changed-before-it-fails": (statements("x = [1]", "try: f(x)\nexcept KeyError: pass", "assert x == []"),
                                "def f(x):\n    x.clear()\n    raise KeyError(1)", True),
    "keywords": (statements("assert f(1, b=2) == 3"), "def f(a, b): return a + b", True),
    "two-functions": (statements("assert g(f(1)) == 4"), "def f(n): return n + 1\ndef g(n): return n * 2", True),
    "keeps-a-state": (statements("f()", "assert f() == 2"), "n = 0\ndef f():\n    global n\n    n += 1\n    return n", True),
    "expected-exception": (statements("try:\n    f()\n    assert False\nexcept ValueError as error:\n    assert str(error) == 'no'"),
                           "def f(): raise ValueError('no')", True),
    "own-exception": (statements("try:\n    f()\n    assert False\nexcept LookupError as error:\n    assert repr(error) == \"Missing('no')\""),
                      "class Missing(KeyError): pass\ndef f(): raise Missing('no')", True),
    "another-exception": (statements("try:\n    f()\nexcept ValueError:\n    pass"), "def f(): raise TypeError('no')", False),
    "raises": (statements("assert f() == 1"), "def f(): return 1 / 0", False),
    "missing-function": (statements("assert f() == 1"), "def g(): return 1", False),
    "does-not-parse": (statements("assert f() == 1"), "def f( return 1", False),
    "ends": (statements("assert f() == 1"), "import sys\ndef f(): sys.exit(0)", False),
    "fails-at-its-end": (statements("assert f() == 1"), "import atexit, os\natexit.register(os._exit, 3)\ndef f(): return 1", False),
    "prints": (statements("assert f() == 1"), "print('begun')\ndef f():\n    print('called')\n    return 1", True),
    "reads-its-input": (statements("assert f() == ''"), "import sys\ntext = sys.stdin.read()\ndef f(): return text", True),
    "calls-nothing": (statements("assert True"), "x = 1", True),
    "calls-nothing-and-fails": (statements("assert True"), "x = 1 / 0", False),
    "imports-of-the-tests": (statements("assert f(4) == 2", test_imports=["import math"]), "def f(n): return math.isqrt(n)", True),
    "setup": (statements("assert f() == 7", test_setup_code="base = 7"), "def f(): return base", True),
    "recursion": (statements("assert f(500) == 500"), "def f(n): return n and 1 + f(n - 1)", True),
    "endless-recursion": (statements("assert f(1) == 1"), "def f(n): return f(n)", False),
    "helper-of-the-problem": (check(HELPERS, "odd_ones", "assert candidate([1, 2, 3]) == [n for n in (1, 2, 3) if is_odd(n)]"),
                              "    return [n for n in numbers if is_odd(n)]\n", True),
    "wrong-with-a-helper": (check(HELPERS, "odd_ones", "assert candidate([1, 2, 3]) == [n for n in (1, 2, 3) if is_odd(n)]"),
                            "    return numbers\n", False),
    "changes-a-helper": (check(HELPERS, "odd_ones", "assert candidate([2]) == [n for n in [2] if is_odd(n)]"),
                         "    return [2]\n\ndef is_odd(n): return True\n", False),
    "many-calls": (statements(*(f"assert f({n}) == {n}" for n in range(100))), "calls = 0\ndef f(n):\n    global calls\n    calls += 1\n    return calls - 1",
                   True),
    "long-arguments": (statements("assert f('a' * 40000, b=[1] * 3) == 40003", "assert f('b' * 40000, b=[]) == 40000", "assert f('', b=[]) == 0"),
                       "def f(a, b): return len(a) + len(b)", True),
    "long-answers": (statements(*(f"assert f({n}) == 'x' * 900000 + '{n}'" for n in range(4))), "def f(n): return 'x' * 900000 + str(n)", True),
    "choices": (statements("assert f(1) == 1 and f(2) == 3 or f(3) == 3", "for n in [4, 5]: assert f(n) == n", "assert [f(n) for n in [6]] == [6]",
                           "assert (f(7) if f(0) else f(8)) == 8", "assert seen() == [1, 2, 3, 4, 5, 6, 0, 8]"),
                "called = []\ndef f(n):\n    called.append(n)\n    return n\ndef seen(): return called", True),
    "another-call-in-a-message": (statements("assert f(1) == 0, f(3)", "assert f(2) == 2"), "def f(n): return n", False),
    "no-docstring": (check("def twice(n):\n", "twice", "assert candidate(2) == 4"), "    return 2 * n\n", True),
}

# These tests need more of a program than its answers, and pass where both are together.
SHARED = {
    "a-function-as-argument": (statements("assert f(lambda n: n + 1) == 2"), "def f(g): return g(1)"),
    "a-class": (statements("assert Stack().push(1) == 1"), "class Stack:\n    def push(self, n): return n"),
    "an-object": (statements("assert f().value == 1"), "class Node: value = 1\ndef f(): return Node()"),
    "a-returned-function": (statements("assert f()(1) == 2"), "def f(): return lambda n: n + 1"),
    "a-named-tuple": (statements("assert f().x == 1"), "import collections\nPoint = collections.namedtuple('Point', 'x')\ndef f(): return Point(1)"),
    "a-variable": (statements("assert LIMIT == 3"), "LIMIT = 3"),
    "printed-output": (statements("import contextlib, io", "out = io.StringIO()", "with contextlib.redirect_stdout(out): f()",
                                  "assert out.getvalue() == 'hello\\n'"), "def f(): print('hello')"),
    "a-patched-module": (statements("import random", "random.seed(1)", "x = f()", "random.seed(1)", "assert f() == x"),
                         "import random\ndef f(): return random.random()"),
    "a-file": (statements("f()", "assert open('x').read() == 'y'"), "def f(): open('x', 'w').write('y')"),
    "a-name-of-the-function": (check("def twice(n):\n", "twice", "assert candidate.__name__ == 'twice'"), "    return 2 * n\n"),
    "a-list-in-a-dictionary": (statements("x = {'a': [1]}", "f(x)", "assert x == {'a': [1, 2]}"), "def f(x): x['a'].append(2)"),
    "a-name-with-two-meanings": (statements("f = f(1)", "assert f == 2"), "def f(n): return n + 1"),
    "a-shared-list": (statements("x = []", "y = [x]", "f(y)", "assert x == [1]"), "def f(y): y[0].append(1)"),
}


def run(name, pairs, *options):
    problems = lines(f"{name}-problems.jsonl", [{"task_id": key, **problem} for key, (problem, *_) in pairs.items()])
    samples = lines(f"{name}.jsonl", [{"id": key, "task_id": key, "completion": solution} for key, (_, solution, *_) in pairs.items()])
    output = new_output(f"{name}.out")
    batch("--problems", problems, "--jobs", "2", "--timeout", "20", "--output", output, *options, samples)
    return of_file(output)


def same_verdicts(options):
    found = run("same", SAME, *options)
    equal({key: result["passed"] for key, result in found.items()}, {key: wanted for key, (_, _, wanted) in SAME.items()}, "passed")
    equal({key: result["shared"] for key, result in found.items() if result["shared"]}, {}, "those that share an interpreter")
    equal(found["prints"]["stdout"], "begun\ncalled\n", "what a program prints")
    equal(found["raises"]["result"], "failed: ZeroDivisionError: division by zero", "an exception")
    equal(found["missing-function"]["result"], "failed: NameError: name 'f' is not defined", "a missing function")
    equal(found["ends"]["result"], "failed: ended before its tests", "an early end")
    must("assert f() == 1" in found["raises"]["stderr"], "the line that failed is told")


def calls_ahead(options):
    """Calls that are plain to see are made at once, and again one by one if the tests make others."""
    program = "def f(n):\n    print(n)\n    return n"
    found = run("ahead", {"plain": (statements("assert f(1) == 0", "assert f(2) == 2"), program),
                          "others": (statements("assert f(1) == 0, f(3)", "assert f(2) == 2"), program)}, *options)
    equal({key: (result["stdout"], result["result"]) for key, result in found.items()},
          {"plain": ("1\n2\n", "failed: AssertionError"), "others": ("1\n3\n", "failed: AssertionError: 3")}, "calls")


def shared(options):
    found = run("shared", SHARED, *options)
    equal({key for key, result in found.items() if not result["passed"]}, set(), "those that failed")
    equal({key for key, result in found.items() if not result["shared"]}, set(), "those that are not marked")


def cheats(options):
    problems = lines("cheats-problems.jsonl", [batch_cheats.PROBLEM, batch_cheats.STATEMENTS])
    samples = lines("cheats.jsonl", [
        {"id": f"{task}: {name}", "task_id": task, "completion": ("" if task == "add_one" else batch_cheats.PROBLEM["prompt"]) + code}
        for name, code in batch_cheats.CHEATS.items() for task in ("add_one", "statements")])
    output = new_output("cheats.out")
    answer = batch("--problems", problems, "--jobs", "2", "--timeout", "3", "--output", output, *options, samples)
    found = of_file(output)
    equal(len(found), 2 * len(batch_cheats.CHEATS), "results")
    equal([key for key, result in found.items() if result["passed"] and not result["shared"]], [], "cheats that pass unmarked")
    passed = [key for key, result in found.items() if result["passed"]]
    equal([key for key in passed if not result_is_doubtful(found[key])], [], "cheats that pass without a doubt")
    must(f"interpreter of their tests: {len(passed)}" in answer.stderr.decode(), answer.stderr.decode())
    equal(found["add_one: equal-int"]["doubtful"], ["Yes"], "the class of an answer")


def result_is_doubtful(result):
    return len(result["doubtful"]) > 0


def words_of_programs(options):
    """Words of a program that have no text in JSON do not take away what is told with them."""
    program = "import os\ndef f():\n    os.write(1, b'\\0fumehood-answer {\"cannot\": \"%s\", \"odd\": [\"%s\"]}\\n')\n    return 1"
    pairs = {"nul": (statements("assert f() == 1"), program % (("\\\\u0000",) * 2)),
             "half": (statements("assert f() == 1"), program % (("\\\\ud800",) * 2)),
             "raises": (statements("assert f() == 1"), "def f(): raise ValueError('a\\0b\\ud800c')")}
    found = run("words", pairs, *options)
    equal({key: (found[key]["shared"], found[key]["doubtful"]) for key in ("nul", "half")},
          {"nul": ("the answer of a call is or has \u2400", ["\u2400"]), "half": ("the answer of a call is or has ?", ["?"])}, "why they share")
    equal(found["raises"]["result"], "failed: ValueError: a\u2400b?c", "an exception")


def warmth_beside_shared(_options):
    """A sample that shares starts an interpreter of its own, which says nothing about the others."""
    problems = lines("warmth-problems.jsonl", [{"task_id": "f", **statements("assert f() == 1")}])
    samples = lines("warmth.jsonl", [{"id": "shared", "task_id": "f", "completion": "def f(): return object()"},
                                     {"id": "apart", "task_id": "f", "completion": "def f(): return 1"}])
    answer = batch("--problems", problems, "--jobs", "1", "--output", new_output("warmth.out"), samples)
    must("is a copy of a warm interpreter" in answer.stderr.decode(), answer.stderr.decode())


def tests_that_do_not_end(options):
    """The program waits for calls, and its time is over."""
    endless = {"endless": (statements("f()", "while True: pass"), "def f(): return 1"),
               "failed": (statements("assert f(1) == 0", "f(2)"), "def f(n):\n    while n == 2: pass\n    return n"),
               "after": (statements("assert f() == 1"), "def f(): return 1")}
    problems = lines("endless-problems.jsonl", [{"task_id": key, **problem} for key, (problem, *_) in endless.items()])
    samples = lines("endless.jsonl", [{"id": key, "task_id": key, "completion": solution} for key, (_, solution) in endless.items()])
    output = new_output("endless.out")
    batch("--problems", problems, "--jobs", "1", "--timeout", "1", "--output", output, *options, samples)
    equal({key: result["result"] for key, result in of_file(output).items()}, {"endless": "timed out", "failed": "failed: AssertionError", "after": "passed"}, "results")


def obstacles(_options):
    """Said before anything runs."""
    problems = lines("obstacle-problems.jsonl", [{"task_id": "f", **statements("assert f() == 1")}])
    samples = lines("obstacles.jsonl", [{"id": "input", "task_id": "f", "completion": "def f(): return int(input())", "stdin": "1\n"},
                                        {"id": "files", "task_id": "f", "completion": "def f(): return int(open('n').read())",
                                         "files": {"n": "1"}}])
    output = new_output("obstacles.out")
    batch("--problems", problems, "--output", output, samples)
    found = of_file(output)
    equal({key: (result["passed"], result["shared"]) for key, result in found.items()},
          {"input": (True, "the sample has a standard input"), "files": (True, "the sample has files")}, "results")
    equal(json.loads(json.dumps(found["input"]["doubtful"])), [], "doubts")


def main():
    tap = Tap()
    for kind, options in KINDS.items():
        for case in (same_verdicts, calls_ahead, shared, cheats, words_of_programs, tests_that_do_not_end):
            tap.case(f"{case.__name__}, {kind}", case, options)
    tap.case("obstacles", obstacles, [])
    if not SANITIZED:
        tap.case("warmth beside a sample that shares", warmth_beside_shared, [])
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
