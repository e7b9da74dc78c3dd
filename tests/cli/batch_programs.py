# SPDX-License-Identifier: GPL-3.0-or-later
"""Small problems with answers of which it is known whether they are right: as MBPP's own file, and samples of it.

They are made of templates with numbers drawn from a fixed seed. The tests of a problem are what its right answer says;
an answer counts as wrong only if it fails one of them here.
"""

import random

# The answer with {a} and {b} drawn, a wrong one, and what it is called with.
TEMPLATES = (
    ("def f(n):\n    return sum(x for x in range(n) if x % {a} == 0 or x % {b} == 0)\n",
     "def f(n):\n    return sum(x for x in range(n) if x % {a} == 0 and x % {b} == 0)\n",
     [(50,), (99,), (1000,)]),
    ("def f(text):\n    return ' '.join(reversed(text.split()))[:{a} * {b}]\n",
     "def f(text):\n    return ' '.join(text.split())[:{a} * {b}]\n",
     [("one two three",), ("a b",), ("",)]),
    ("import math\n\ndef f(x, y):\n    return math.gcd(x * {a}, y * {b})\n",
     "import math\n\ndef f(x, y):\n    return math.lcm(x, y) + {a} + {b}\n",
     [(12, 18), (7, 5), (100, 10)]),
    ("def f(n):\n    sieve = [True] * (n + {a})\n    for i in range(2, n):\n        for j in range(2 * i, n, i):\n"
     "            sieve[j] = False\n    return sum(sieve[2:n]) + {b}\n",
     "def f(n):\n    return sum(n % i != 0 for i in range(2, n)) + {a} + {b}\n",
     [(30,), (100,), (2,)]),
    ("from itertools import groupby\n\ndef f(text):\n"
     "    return [(key, len(list(group)) * {a} + {b}) for key, group in groupby(text)]\n",
     "def f(text):\n    return [(key, text.count(key) * {a} + {b}) for key in text]\n",
     [("aaab",), ("abba",), ("zzz",)]),
    ("def f(text):\n    return ''.join(chr((ord(c) - 97 + {a} * {b}) % 26 + 97) for c in text)\n",
     "def f(text):\n    return ''.join(chr(ord(c) + {a} * {b} + 26) for c in text)\n",
     [("hello",), ("xyz",), ("abc",)]),
    ("def f(items):\n    flat = []\n    for item in items:\n"
     "        flat += f(item) if isinstance(item, list) else [item * {a} + {b}]\n    return flat\n",
     "def f(items):\n    return [item * {a} + {b} for item in items if not isinstance(item, list)]\n",
     [([1, [2, [3]]],), ([[]],), ([[4], 5],)]),
    ("def f(text):\n    depth = 0\n    for c in text:\n        depth += (c == '(') - (c == ')')\n"
     "        if depth < 0:\n            return -{a}\n    return depth * {b}\n",
     "def f(text):\n    return (text.count('(') - text.count(')')) * {b}\n",
     [("(())",), (")(",), ("(()",)]),
    ("def f(n):\n    x, y = 0, 1\n    for _ in range(n):\n        x, y = y, (x + y) % {a}{b}7\n    return x\n",
     "def f(n):\n    x, y = 1, 1\n    for _ in range(n):\n        x, y = y, (x + y) % {a}{b}7\n    return x\n",
     [(10,), (25,), (3,)]),
    ("def f(rows):\n    return [[x * {a} - {b} for x in row] for row in zip(*rows)]\n",
     "def f(rows):\n    return [[x * {a} - {b} for x in row] for row in rows]\n",
     [([[1, 2], [3, 4]],), ([[1, 2, 3]],), ([],)]),
)


def passes(code, tests):
    """These programs are ours."""
    scope = {}
    exec(code, scope)  # pylint: disable=exec-used
    try:
        for test in tests:
            exec(test, scope)  # pylint: disable=exec-used
    except Exception:  # pylint: disable=broad-except
        return False
    return True


def problem(number, chance):
    right, wrong, calls = TEMPLATES[number % len(TEMPLATES)]
    a, b = chance.sample(range(2, 10), 2)
    right, wrong = (code.replace("{a}", str(a)).replace("{b}", str(b)) for code in (right, wrong))
    scope = {}
    exec(right, scope)  # pylint: disable=exec-used
    tests = [f"assert f({', '.join(map(repr, call))}) == {scope['f'](*call)!r}" for call in calls]
    assert passes(right, tests) and not passes(wrong, tests), (number, right, wrong)
    return right, wrong, {"task_id": number, "text": "", "code": right, "test_setup_code": "", "test_list": tests}


def make(count, seed=11):
    """The problems, their samples, and by the samples' ids which of them are right: every other one."""
    chance = random.Random(seed)
    problems, samples, expected = [], [], {}
    for number in range(1, count + 1):
        right, wrong, entry = problem(number, chance)
        is_right = number % 2 == 1
        problems.append(entry)
        samples.append({"id": f"p{number}", "task_id": number, "completion": right if is_right else wrong})
        expected[f"p{number}"] = is_right
    return problems, samples, expected
