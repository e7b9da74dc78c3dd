# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that come along with a run in a container, in its own folder or in one of the user's, and those that it leaves."""

import errno
import os
import signal
import sys
import time

import wire
from contained import folder, main, python, run
from sandboxed import ended, prints
from tap import equal

MIB = 1 << 20


def test_files(box):
    code = b"import os; print(sorted(os.path.join(d, f) for d, _, fs in os.walk('.') for f in fs))"
    files = [("main.py", code), ("a/b/c.txt", b"c"), ("a/d", b""), ("large", bytes(3 * MIB))]
    result = run(box.one_shot(), ["python3", "main.py"], files=files)
    prints(result, "['./a/b/c.txt', './a/d', './large', './main.py']\n")
    result = run(box.one_shot(), ["python3", "main.py"], files=[("a", b"1"), ("a/b", b"2")])
    equal((result.status, result.step, result.started), ("setup-failed", "files", False), str(result))


def test_result_files(box):
    result = python(box.one_shot(), """
        import os
        os.makedirs('x/y'); open('x/y/z', 'w').write('new')
        open('a/in', 'a').write('more')
        os.symlink('/etc/passwd', 'link')""", files=[("a/in", b"in "), ("same", b"same")], flags=wire.COLLECT)
    ended(result, "exited", exit_code=0)
    found = {path: (one.content, one.is_changed, one.kind) for path, one in result.files.items()}
    equal(found, {b"x/y/z": (b"new", False, "file"), b"a/in": (b"in more", True, "file"), b"link": (b"", False, "link")},
          "the files")
    equal(result.files_missing, (0, 0), "what is missing")


def test_shared_workspace(box):
    with folder() as place:
        for name, text in (("kept", "kept"), ("changed", "before"), ("replaced", "before")):
            with open(f"{place}/{name}", "w", encoding="ascii") as file:
                file.write(text)
            os.chmod(f"{place}/{name}", 0o666)
        os.symlink("kept", f"{place}/link")
        time.sleep(0.05)
        result = run(box.one_shot(workspace=place), ["python3", "p/main.py"], flags=wire.COLLECT | wire.SHARED_WORKSPACE,
                     files=[("p/main.py", b"open('new', 'w').write('new'); open('changed', 'a').write('!')"),
                            ("edited", b"x"), ("replaced", b"after"), ("link", b"mine")])
        ended(result, "exited", exit_code=0)
        found = {path: one.content for path, one in result.files.items()}
        equal(found, {b"new": b"new", b"changed": b"before!"}, "the files")
        # What came along is gone, but not what was there under that name.
        equal(sorted(os.listdir(place)), ["changed", "kept", "link", "new", "replaced"], "what is left")
        equal(os.readlink(f"{place}/link"), "kept", "the link")
        for name, text in (("kept", "kept"), ("replaced", "before")):
            with open(f"{place}/{name}", encoding="ascii") as file:
                equal(file.read(), text, name)
        result = run(box.one_shot(workspace=place), ["sh", "-c", "echo"], flags=wire.SHARED_WORKSPACE,
                     files=[("kept/x", b"x")])
        equal((result.status, result.step, result.error), ("setup-failed", "files", errno.ENOTDIR), str(result))


def test_sealed_program(box):
    """What is run is what was sent, although the file of that name is another by then."""
    with folder() as place:
        message = b"\x03main.py"
        result = run(box.one_shot(workspace=place),
                     ["python3", "-c", """if True:
                         import os
                         open('/workspace/main.py', 'w').write('forged')
                         print(os.read(3, 100), os.read(4, 100), sorted(os.listdir('/proc/self/fd'))[:5])
                         for forge in (lambda: os.pwrite(4, b'x', 0), lambda: os.ftruncate(4, 0)):
                             try: forge()
                             except OSError as error: print(error.errno)
                         """],
                     flags=wire.SHARED_WORKSPACE | wire.SEALED_PROGRAM | wire.GUEST_CHANNEL, guest_message=message,
                     files=[("data", b"x"), ("main.py", b"honest")])
        prints(result, f"{message!r} b'honest' ['0', '1', '2', '3', '4']\n{errno.EPERM}\n{errno.EPERM}\n")
        # Without a file there is nothing to run.
        result = run(box.one_shot(workspace=place), ["true"], guest_message=message,
                     flags=wire.SHARED_WORKSPACE | wire.SEALED_PROGRAM | wire.GUEST_CHANNEL)
        equal((result.status, result.step, result.error), ("setup-failed", "files", errno.ENOENT), str(result))


def test_shared_workspace_that_grows(box):
    with folder() as place:
        with open(f"{place}/large", "wb") as file:
            file.write(bytes(30 * MIB))
        result = python(box.one_shot(workspace=place), """
            import os, time
            for i in range(20): open(str(i), 'wb').write(os.urandom(1 << 20))
            time.sleep(10)""", flags=wire.SHARED_WORKSPACE, disk=10 * MIB)
        ended(result, "disk-limit", signal=signal.SIGKILL)
        result = python(box.one_shot(workspace=place), "open('x', 'wb').write(bytes(100)); print(1)",
                        flags=wire.SHARED_WORKSPACE, disk=10 * MIB)
        prints(result, "1\n")


if __name__ == "__main__":
    sys.exit(main(__name__))
