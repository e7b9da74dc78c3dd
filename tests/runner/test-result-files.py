# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program leaves in its workspace is told: nothing else is, whatever tree it builds."""

import sys
import time

import sandboxed
import wire
from tap import PATIENCE, Skip, equal, must

MIB = wire.MIB
TIER = [wire.TIER_A]


def left_by(code, files=(), flags=wire.COLLECT, **limits):
    """The files that a Python program left; it must have ended well."""
    result = sandboxed.python(code, files=files, flags=flags, tier=TIER[0], **limits)
    sandboxed.ended(result, "exited", exit_code=0)
    must(result.files_missing is not None, "no end of the list")
    for path, file in result.files.items():
        expected = file.size if file.has_content else 0
        equal(len(file.content), expected, f"bytes of {path!r}")
        path = path.removeprefix(b"/tmp/") if file.is_in_tmp else path
        must(b".." not in path.split(b"/") and not path.startswith(b"/"), f"a path like {path!r}")
    return result


def test_nothing_was_left():
    result = left_by("pass")
    equal(result.files, {}, "files")
    equal(result.files_missing, (0, 0), "missing")


def test_only_what_was_asked_for_is_reported():
    result = sandboxed.python("open('a', 'w').write('x')")
    sandboxed.ended(result, "exited", exit_code=0)
    must(result.files_missing is None and not result.files, "files were told")


def test_nothing_is_told_when_nothing_ran():
    for argv in ["/nowhere/python3"], ["/etc/passwd"]:
        result = sandboxed.run(argv, flags=wire.COLLECT, files=[("main.py", b"x")])
        sandboxed.ended(result, "not-started")
        must(result.files_missing is None and not result.files, "files were told")
    result = sandboxed.run([], flags=wire.COLLECT | wire.PROBE)
    must(result.files_missing is None, "a probe has files")


def test_plain_files():
    result = left_by("""
        import os
        os.makedirs("plots/deep")
        open("a.txt", "w").write("hello")
        open("empty", "w")
        open("plots/deep/b.bin", "wb").write(bytes(range(256)) * 4096)
        os.umask(0)
        os.write(os.open("run.sh", os.O_CREAT | os.O_WRONLY, 0o4755), b"#!/bin/sh")
    """)
    equal(sorted(result.files), [b"a.txt", b"empty", b"plots/deep/b.bin", b"run.sh"], "paths")
    equal(result.files_missing, (0, 0), "missing")
    equal(result.files[b"a.txt"].content, b"hello", "a.txt")
    equal(result.files[b"plots/deep/b.bin"].content, bytes(range(256)) * 4096, "b.bin")
    must(result.files[b"empty"].has_content, "an empty file has a content")
    must(result.files[b"run.sh"].is_program and not result.files[b"a.txt"].is_program, "programs")
    must(not any(file.is_changed for file in result.files.values()), "nothing was there before")


def test_what_was_there_before_is_told_when_it_changed():
    source = b"x" * 5000
    files = [("main.py", source), ("other.txt", b"")]
    equal(left_by("pass", files).files, {}, "untouched files")
    result = left_by("file = open('main.py', 'r+b'); file.seek(4999); file.write(b'y')", files)
    equal(list(result.files), [b"main.py"], "the changed file")
    file = result.files[b"main.py"]
    must(file.is_changed, "it was there before")
    equal(file.content, b"x" * 4999 + b"y", "its content")
    result = left_by("import os; os.rename('main.py', 'copy.py'); os.mkfifo('main.py')", files)
    must(result.files[b"main.py"].is_changed and result.files[b"main.py"].kind == "special", "pipe")
    equal(result.files[b"copy.py"].content, source, "the renamed file")
    must(not result.files[b"copy.py"].is_changed, "copy.py was not there before")
    equal(left_by("import os; os.remove('main.py')", files).files, {}, "a removed file")


def test_dates_and_modes_tell_nothing():
    files = [("main.py", b"x" * 5000)]
    equal(left_by("import os; os.utime('main.py', (1, 1)); os.chmod('main.py', 0o600)",
                  files).files, {}, "files of another date")
    # The same size and the same date, and even the same number.
    result = left_by("""
        import os
        status = os.stat("main.py")
        with open("main.py", "r+b") as file:
            file.seek(4999)
            file.write(b"y")
        os.utime("main.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    """, files)
    equal(list(result.files), [b"main.py"], "the changed file")


def test_links_are_named_and_not_followed():
    result = left_by("""
        import os
        for name, target in (("passwd", "/etc/passwd"), ("up", "../../../etc"), ("self", "."),
                             ("loop", "loop"), ("dangling", "nowhere"), ("root", "/proc/1/root"),
                             ("fd", "/proc/self/fd/0"), ("etc", "/etc")):
            os.symlink(target, name)
        os.mkdir("folder")
        os.symlink("..", "folder/up")
        os.symlink("/usr", "folder/usr")
    """)
    equal(len(result.files), 10, "number of links")
    for path, file in result.files.items():
        equal(file.kind, "link", repr(path))
        must(not file.has_content and file.size == 0, f"{path!r} tells too much")


def test_special_files_are_named_and_not_opened():
    result = left_by("""
        import os
        os.mkfifo("pipe")
        os.link("pipe", "second")
    """)
    equal({path: file.kind for path, file in result.files.items()},
          {b"pipe": "special", b"second": "special"}, "kinds")


def test_a_socket_is_named():
    result = left_by("import socket; socket.socket(socket.AF_UNIX).bind('socket')")
    equal({path: file.kind for path, file in result.files.items()}, {b"socket": "special"}, "kinds")


def test_names_are_passed_on_as_they_are():
    names = [b"new\nline", b"-rf", b"%s%n", b"bad\xff\xfe", b"\xe2\x80\xaetxt.exe", b"n" * 255,
             b"\x1b[31mred", b"spa ce", b"...", b"~", b"C:\\x"]
    result = left_by(f"""
        for name in {names!r}:
            open(name, "wb").write(name)
    """)
    equal({path: file.content for path, file in result.files.items()},
          {name: name for name in names}, "names and contents")


def test_hard_links_are_files_of_the_sandbox():
    result = left_by("""
        import os
        open("a", "w").write("same")
        os.link("a", "b")
        for target in ("/etc/passwd", "/usr/bin/env", "/etc/hostname"):
            try:
                os.link(target, "stolen")
            except OSError:
                pass
    """)
    equal(sorted(result.files), [b"a", b"b"], "paths")
    equal(result.files[b"b"].content, b"same", "content")


def test_holes_count_as_size_and_cost_nothing():
    result = left_by("""
        import os
        os.truncate(os.open("huge", os.O_CREAT | os.O_WRONLY), 1 << 40)
        os.truncate(os.open("large", os.O_CREAT | os.O_WRONLY), (16 << 20) + 1)
        os.truncate(os.open("fits", os.O_CREAT | os.O_WRONLY), 16 << 20)
    """, disk=0)
    equal(result.files[b"huge"].size, 1 << 40, "size of the largest")
    must(not result.files[b"huge"].has_content and not result.files[b"large"].has_content, "cut")
    equal(result.files[b"fits"].content, bytes(16 * MIB), "content of one that fits")


def test_contents_stop_at_their_limit():
    result = left_by("""
        import os
        for i in range(6):
            os.truncate(os.open(str(i), os.O_CREAT | os.O_WRONLY), 15 << 20)
        open("small", "w").write("x")
    """, disk=0)
    kept = [file for file in result.files.values() if file.has_content]
    equal(len(result.files), 7, "files in the list")
    must(result.files[b"small"].has_content, "a small one still fits")
    equal(sum(len(file.content) for file in kept), 60 * MIB + 1, "bytes in all")


def test_shallow_files_come_before_deep_ones():
    result = left_by("""
        import os
        os.makedirs("modules/many")
        for i in range(2500):
            open(f"modules/many/{i}", "w")
        open("zz-result.txt", "w").write("mine")
    """)
    equal(len(result.files), 2000, "files in the list")
    equal(result.files[b"zz-result.txt"].content, b"mine", "the one that matters")
    equal(result.files_missing, (501, 0), "missing")


def test_only_for_another_run():
    """Unless it is asked for, what is no file of the result is not told, wherever it lies."""
    code = """
        import os, tempfile
        os.mkdir("folder"); os.symlink("folder", "link"); open("file", "w").write("1"); os.chmod("file", 0o640)
        os.utime("file", ns=(0, 1700000000123456789))
        os.chdir(tempfile.gettempdir())
        os.mkdir("folder"); os.symlink("/etc", "link"); open("file", "w").write("22"); os.mkfifo("pipe")
        os.makedirs(".cache/fonts"); open(".cache/fonts/a", "w"); os.makedirs("a/.cache"); open("a/.cache/b", "w")
        os.chmod("file", 0o6711)
    """
    alone = left_by(code)
    equal((set(alone.files), alone.folders), ({b"file", b"link"}, set()), "alone")
    result = left_by(code, hands_on=True)
    equal(set(result.files), {b"file", b"link", b"/tmp/file", b"/tmp/link", b"/tmp/a/.cache/b"}, "files")
    equal(result.folders, {b"folder", b"/tmp/folder"}, "folders")
    equal([result.files[name].content for name in (b"link", b"/tmp/link", b"/tmp/file")], [b"folder", b"/etc", b"22"],
          "contents")
    equal((result.files[b"file"].mode, result.files[b"file"].modified_us), (0o640, 1700000000123456), "mode and time")
    equal(result.files[b"/tmp/file"].mode, 0o711, "no more than permissions")
    equal((result.files_missing, result.is_partly_handed_on), ((0, 0), False), "missing")


def test_what_another_run_was_given():
    """It is there as it was, and told only if it has changed."""
    time_us = 1600000000654321
    files = [wire.file_piece("file", b"1", mode=0o640, modified_us=time_us), wire.file_piece("link", b"file", kind=wire.FILE_LINK),
             wire.file_piece("file", b"2", is_in_tmp=True), wire.file_piece("gone", b"", is_in_tmp=True),
             wire.file_piece("piped", b"x", is_in_tmp=True), wire.file_piece("a/link", b"..", kind=wire.FILE_LINK, is_in_tmp=True),
             wire.file_piece("empty/folder", b"", kind=wire.FILE_FOLDER, is_in_tmp=True), ("main.py", b"")]
    code = """
        import os, stat, sys, tempfile
        tmp = tempfile.gettempdir() + "/"
        status = os.stat("file")
        assert (stat.S_IMODE(status.st_mode), status.st_mtime_ns) == (0o640, 1600000000654321000), status
        assert os.readlink("link") == "file" and open("link").read() == "1"
        assert open(tmp + "file").read() == "2" and os.readlink(tmp + "a/link") == ".."
        assert os.listdir(tmp + "empty/folder") == []
    """
    flags = wire.COLLECT | wire.TELL_GONE
    result = left_by(code, files, flags, hands_on=True)
    equal((result.files, result.folders), ({}, {b"/tmp/empty/folder"}), "unchanged")
    result = left_by(code + """
        os.remove(tmp + "gone"); os.remove(tmp + "piped"); os.mkfifo(tmp + "piped"); os.remove("link")
        os.symlink("elsewhere", "link"); os.chmod("file", 0o600); os.chmod(tmp + "file", 0)
    """, files, flags, hands_on=True)
    equal({name: file.kind for name, file in result.files.items()},
          {b"link": "link", b"file": "file", b"/tmp/gone": "gone", b"/tmp/piped": "gone", b"/tmp/file": "file"}, "told")
    equal(result.files[b"link"].content, b"elsewhere", "another target")
    must(not result.files[b"/tmp/file"].has_content and result.is_partly_handed_on, "it cannot be read")
    equal(result.files_missing, (0, 0), "no file of the result is missing")


def test_much_for_another_run():
    result = left_by("""
        import os, tempfile
        os.chdir(tempfile.gettempdir())
        for i in range(1500): os.mkdir(f"d{i}")
        for i in range(1500): open(f"f{i}", "w")
    """, hands_on=True)
    equal((len(result.files) + len(result.folders), result.is_partly_handed_on), (2000, True), "at most")
    equal(result.files_missing, (0, 0), "nothing of the result is missing")


def test_empty_folders():
    """Neither a link to one, nor one with a pipe, is empty; neither does it matter whether it can be entered."""
    result = left_by("""
        import os
        os.makedirs("a/b"); os.mkdir("with"); os.mkfifo("with/pipe"); os.symlink("a", "link")
        os.mkdir("closed"); os.chmod("closed", 0o111); os.makedirs("x/" * 30)
    """, hands_on=True)
    must({b"a/b", b"x/" * 29 + b"x"} <= result.folders <= {b"a/b", b"x/" * 29 + b"x", b"closed"}, str(result.folders))
    equal(set(result.files), {b"with/pipe", b"link"}, "files")
    result = left_by("import os\nfor i in range(2500): os.mkdir(str(i))\n", hands_on=True)
    equal((len(result.folders), len(result.files)), (2000, 0), "at most")


def test_many_files():
    before = time.monotonic()
    count = 50000 if sandboxed.IS_LONG else 12000
    result = left_by(f"""
        import os
        for i in range({count}):
            os.close(os.open(str(i), os.O_CREAT))
        for i in range({count}):
            os.mkdir(f"folder-{{i}}")
    """, disk=0, wall_ms=0)
    equal(len(result.files), 2000, "files in the list")
    left_out, is_incomplete = result.files_missing
    must(left_out >= count - 2000 or is_incomplete, f"missing: {result.files_missing}")
    must(time.monotonic() - before - result.wall_us / 1e6 < PATIENCE, "it took too long")


def test_deep_trees():
    result = left_by("""
        import os
        open("top", "w")
        for i in range(3000):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
            if i < 100:
                open("file", "w")
    """, wall_ms=60000, disk=0)
    must(b"top" in result.files, "the file at the top")
    must(all(len(path) <= 4095 and path.count(b"/") <= 32 for path in result.files), "too deep")
    must(result.files_missing[0] > 0, "nothing said to be missing")


def test_depth_ends_where_the_protocol_says():
    result = left_by("""
        import os
        for i in range(40):
            open("file", "w")
            os.mkdir("d")
            os.chdir("d")
    """)
    equal(sorted(path.count(b"/") for path in result.files), list(range(33)), "depths")
    equal(result.files_missing, (1, 0), "missing")


def test_what_cannot_be_read_is_said():
    result = left_by("""
        import os
        open("readable", "w").write("x")
        os.write(os.open("secret", os.O_CREAT | os.O_WRONLY, 0), b"x")
        os.mkdir("closed", 0)
    """)
    equal(sorted(result.files), [b"readable", b"secret"], "paths")
    must(not result.files[b"secret"].has_content, "it cannot be read")
    equal(result.files_missing, (0, 1), "missing")


def test_a_closed_folder_is_said():
    result = left_by("import os; os.mkdir('a'); open('a/b', 'w'); open('c', 'w'); os.chmod('a', 0)")
    equal((list(result.files), result.files_missing), ([b"c"], (0, 1)), "a closed folder")
    result = left_by("import os; open('a', 'w'); os.chmod('.', 0)")
    equal((result.files, result.files_missing), ({}, (0, 1)), "a closed workspace")


def test_those_left_behind_write_no_more():
    result = left_by("""
        import os, time
        if os.fork() == 0:
            os.setsid()
            while True:
                with open("grows", "ab") as file:
                    file.write(b"x" * 20000)
                time.sleep(0.001)  # or the disk is full before the program has ended
        while not os.path.exists("grows") or os.path.getsize("grows") < 1000000:
            time.sleep(0.01)
    """, disk=32 * MIB)
    file = result.files[b"grows"]
    must(file.size >= 1000000 and len(file.content) in (0, file.size), str(file))


def test_files_of_a_run_that_was_killed():
    result = sandboxed.python("""
        import time
        open("partial", "w").write("so far")
        time.sleep(600)
    """, flags=wire.COLLECT, wall_ms=3000)
    sandboxed.ended(result, "timed-out", "wall")
    equal(result.files[b"partial"].content, b"so far", "content")


def test_one_stop_leaves_the_files_and_two_do_not():
    code = "open('a', 'w'); print(1, flush=True)\nimport signal; signal.signal(2, lambda *_: None)\nwhile True: pass"
    for stops, paths, is_incomplete in (1, [b"a"], 0), (2, [], 1):
        runner = sandboxed.start([sandboxed.PYTHON, "-c", code], flags=wire.COLLECT)
        runner.wait_until(lambda result: result.output)
        for _ in range(stops):
            runner.stop()
        result = runner.finish()
        sandboxed.ended(result, "stopped")
        equal((list(result.files), result.files_missing), (paths, (0, is_incomplete)), f"{stops} stops")


def fill(total):
    """A program that leaves that many MiB in files of 8 MiB."""
    return ["/usr/bin/python3", "-c", f"""
import os
for i in range({total // 8}):
    os.truncate(os.open(str(i), os.O_CREAT | os.O_WRONLY), 8 << 20)
"""]


def test_stop_ends_it_at_once():
    runner = sandboxed.start(fill(64), flags=wire.COLLECT, disk=0)
    runner.wait_until(lambda result: result.files)
    runner.stop()
    result = runner.finish()
    sandboxed.ended(result, "exited", exit_code=0)
    equal(result.files_missing[1], 1, "said to be incomplete")
    must(sum(len(file.content) for file in result.files.values()) < 64 * MIB, "all was sent")


def test_a_backend_that_reads_slowly_gets_everything():
    runner = sandboxed.start(fill(16), flags=wire.COLLECT, disk=0)
    runner.wait_until(lambda result: result.files)
    time.sleep(2.5)
    result = runner.finish()
    equal(result.files_missing, (0, 0), "missing")
    equal(sum(len(file.content) for file in result.files.values()), 16 * MIB, "bytes")


def test_a_backend_that_goes_away_ends_it():
    runner = sandboxed.start(fill(64), flags=wire.COLLECT, disk=0)
    runner.wait_until(lambda result: result.files)
    runner.socket.close()
    runner.process.wait(timeout=PATIENCE)
    runner.process.stderr.close()


def test_another_frame_breaks_it():
    runner = sandboxed.start(fill(64), flags=wire.COLLECT, disk=0)
    runner.wait_until(lambda result: result.files)
    runner.send(wire.frame(wire.RUN))
    equal(runner.finish().exit_status, 1, "exit status of the runner")


def without_namespaces(test):
    """The same, where the workspace is an ordinary folder of the user's."""
    def run():
        TIER[0] = wire.TIER_B
        try:
            result = sandboxed.run([], flags=wire.PROBE, tier=wire.TIER_B)
            if result.status == "setup-failed":
                raise Skip(f"no such sandbox here: {result.step}")
            test()
        finally:
            TIER[0] = wire.TIER_A
    return run


for one in (test_nothing_was_left, test_plain_files, test_what_was_there_before_is_told_when_it_changed,
            test_links_are_named_and_not_followed, test_special_files_are_named_and_not_opened,
            test_names_are_passed_on_as_they_are, test_hard_links_are_files_of_the_sandbox,
            test_holes_count_as_size_and_cost_nothing, test_deep_trees,
            test_what_cannot_be_read_is_said, test_those_left_behind_write_no_more):
    globals()[one.__name__ + "_without_namespaces"] = without_namespaces(one)


if __name__ == "__main__":
    sys.exit(sandboxed.main(__name__))
