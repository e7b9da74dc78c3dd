# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of attempts have in common."""

import os
import pwd
import shutil
import tempfile

from sandboxed import ended, python
from tap import equal, must

HOME = pwd.getpwuid(os.getuid()).pw_dir

TRY = """
import ctypes, errno, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(function):
    try:
        function()
    except OSError as error:
        print(errno.errorcode.get(error.errno, error.errno), end=' ')
    else:
        print('done', end=' ')
"""


def tried(code, **limits):
    """The attempts of a program, as a result."""
    result = python(TRY + code, **limits)
    ended(result, "exited", exit_code=0)
    return result


def find(result, operation, obj):
    found = [a for a in result.attempts.values() if (a.operation, a.object) == (operation, obj)]
    must(len(found) == 1, f"{operation} {obj!r} is not among {list(result.attempts.values())}: {result}")
    return found[0]


def told(result, operation, obj, verdict, guard, error=None, layer=None):
    attempt = find(result, operation, obj)
    equal((attempt.verdict, attempt.guard), (verdict, guard), repr(attempt))
    if error is not None:
        equal(attempt.error, error, repr(attempt))
    if layer is not None:
        equal(attempt.layer, layer, repr(attempt))
    return attempt


def not_there(result, operation, obj, guard="filesystem"):
    """What does not exist inside, and perhaps nowhere."""
    attempt = find(result, operation, obj)
    equal((attempt.guard, attempt.error), (guard, 2), repr(attempt))
    must(attempt.verdict == "hidden" or attempt.is_missing, repr(attempt))
    return attempt


def nothing(result):
    equal(list(result.attempts.values()), [], f"attempts of {result}")


def with_home(function):
    """A folder of the user's, with a key in it, that stands for the home."""
    home = tempfile.mkdtemp(prefix="home-", dir=HOME)
    try:
        os.mkdir(f"{home}/.ssh")
        for name in (".ssh/id_rsa", ".bashrc", "notes.txt"):
            with open(f"{home}/{name}", "w", encoding="ascii") as file:
                file.write("secret\n")
        function(home)
    finally:
        shutil.rmtree(home)
