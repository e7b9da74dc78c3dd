# SPDX-License-Identifier: GPL-3.0-or-later
"""The tiers: what holds in all of them, and that nothing is left behind."""

import errno
import glob
import os
import socket
import sys
import tempfile
import time

import wire
from sandboxed import LATE, ended, main, prints, python, shell, start, times
from tap import Skip, equal, must, until
from tiered import BUBBLEWRAP, GUARDED, MARK, in_tiers, processes_of


def test_bubblewrap_is_there():
    if not os.path.exists(BUBBLEWRAP):
        raise Skip(f"there is no {BUBBLEWRAP}: nothing here is tried in tier A2")


def test_hello():
    in_tiers(lambda name, tier: prints(python("print('hello')", **tier), "hello\n"))


def test_many_at_a_time():
    """Where process 1 waits for its turn, a program has written before the runner knows of its start: wire.py looks."""
    for _ in times(3, 36):
        for runner in [start(["/bin/sh", "-c", "echo fast"]) for _ in range(20)]:
            prints(runner.finish(), "fast\n")


def test_standard_input():
    def check(name, tier):
        prints(python("import sys; print(sys.stdin.read().split())", stdin=b"one\ntwo\n", **tier),
               "['one', 'two']\n")
    in_tiers(check)


def test_exit_codes():
    def check(name, tier):
        ended(python("raise SystemExit(7)", **tier), "exited", exit_code=7)
        ended(python("import os; os.abort()", **tier), "signalled", signal=6)
        # Seen only where the filter asks about kill (2) and init is a process of ours.
        cause = "itself" if name in ("A", "B") else ""
        ended(python("import os; os.kill(os.getpid(), 9)", **tier), "signalled", cause, signal=9)
    in_tiers(check)


def test_program_that_is_not_there():
    def check(name, tier):
        runner = wire.Runner(os.environ["FH_RUNNER"], env=tier["runner_env"])
        runner.start(["/no/such/program"], tier=tier["tier"])
        result = runner.finish()
        equal((result.status, result.step), ("not-started", "exec"), name)
    in_tiers(check)


def test_paths_inside():
    def check(name, tier):
        result = python("""
            import os
            print(open(os.environ["HOME"] + "/data").read(), open("data").read())
            open(os.environ["TMPDIR"] + "/x", "w").write("y")
            print(os.path.samefile(os.environ["HOME"], "."), os.listdir("."))
            """, files=[("data", b"text")], **tier)
        prints(result, "text text\nTrue ['data']\n")
        result = wire.run(os.environ["FH_RUNNER"], ["/bin/sh", "/workspace/main.sh", "/workspace"],
                          files=[("main.sh", b"cd \"$1\" && cat main.sh | wc -l\n")], **tier)
        prints(result, "1\n")
    in_tiers(check)


def test_start_folder():
    """Made below the workspace, as the guest's own; what the policy names is found from there."""
    def check(name, tier):
        result = python("""
            import os
            open("new", "w").write("written")
            print(os.path.samefile("../..", os.environ["HOME"]), open("x").read(), open("../b/new").read())
            """, files=[("a/b/x", b"text")], cwd="/workspace/a/b", **tier)
        prints(result, "True text written\n")
        result = wire.run(os.environ["FH_RUNNER"], ["/bin/sh", "/workspace/main.sh", "/workspace/main.sh"],
                          files=[("main.sh", b"pwd; : > here && cat \"$1\" | wc -l\n")], cwd="/workspace/new/folder",
                          **tier)
        must(result.stdout.endswith(b"/workspace/new/folder\n1\n"), f"{name}: {result.stdout}")
        prints(wire.run(os.environ["FH_RUNNER"], ["/bin/sh", "-c", "pwd"], cwd="/usr/lib", **tier), "/usr/lib\n")
    in_tiers(check)


def test_start_folder_that_cannot_be():
    def check(name, tier):
        for cwd, files, error in (("/no/such", [], errno.ENOENT), ("/workspace/x", [("x", b"")], errno.ENOTDIR)):
            result = wire.run(os.environ["FH_RUNNER"], ["/bin/true"], cwd=cwd, files=files, **tier)
            equal((result.status, result.step, result.error, result.started),
                  ("setup-failed", "start-folder", error, False), name)
        for cwd in ("workspace", "/workspace/../etc", "/workspace//a", "/" + "a/" * 40 + "a"):
            runner = wire.Runner(os.environ["FH_RUNNER"], env=tier["runner_env"])
            runner.start(["/bin/true"], cwd=cwd, tier=tier["tier"])
            must(runner.finish().status in (None, "internal"), f"{name}: {cwd} is taken")
    in_tiers(check)


def test_file_limit():
    def check(name, tier):
        result = python("""
            import errno, os, resource, subprocess, sys
            files = []
            try:
                while True:
                    files.append(os.open("/dev/null", os.O_RDONLY))
            except OSError as error:
                print(error.errno == errno.EMFILE, files[-1])
            for fd in files[4:]:
                os.close(fd)
            print(resource.getrlimit(resource.RLIMIT_NOFILE))
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (65, 65))
            except ValueError:
                print("cannot be raised")
            sys.stdout.flush()
            subprocess.run(["/bin/sh", "-c", "ulimit -n"])
            """, open_files=64, **tier)
        prints(result, "True 63\n(64, 64)\ncannot be raised\n64\n")
    in_tiers(check, GUARDED)
    # The least that may be asked for is enough to start an interpreter.
    in_tiers(lambda name, tier: prints(python("import json; print(json.dumps(1))", open_files=16, **tier), "1\n"),
             GUARDED)


def test_timeout_kills_the_tree():
    def check(name, tier):
        result = shell(f"""
            sleep 600 & (setsid sleep 601 &)
            (trap '' TERM HUP; setsid sh -c 'sleep 602; sleep 603' {MARK} &)
            sleep 604
            """, wall_ms=700, **tier)
        ended(result, "timed-out", "wall")
    in_tiers(check)


def test_daemon_left_behind():
    def check(name, tier):
        result = shell(f"(setsid sh -c 'sleep 600; :' {MARK} > /dev/null 2>&1 &); echo done", **tier)
        prints(result, "done\n")
    in_tiers(check)


def test_output_of_helpers():
    def check(name, tier):
        result = python(LATE % "os.write(1, b'late'); os._exit(0)", **tier)
        ended(result, "exited", exit_code=7)
        equal((result.stdout, result.n_left), (b"main is done\nlate", 0), f"output in tier {name}")
        result = python(LATE % "time.sleep(600)", MARK, **tier)
        ended(result, "exited", exit_code=7)
        equal(result.n_left, 1, f"processes that were ended in tier {name}")
    in_tiers(check)


def test_stop():
    def check(name, tier):
        environment = tier.pop("runner_env")
        runner = wire.Runner(os.environ["FH_RUNNER"], env=environment)
        runner.start(["/usr/bin/python3", "-c", "print('ready', flush=True)\nwhile True: pass"],
                     **tier)
        runner.wait_until(lambda result: b"ready" in result.stdout)
        runner.stop()
        result = runner.finish()
        equal(result.status, "stopped", name)
        must(b"KeyboardInterrupt" in result.stderr, str(result))
    in_tiers(check)


def let_next_run_clean_up(environment, **tier):
    """It removes what an earlier one could not, or had no time for, however young it is."""
    python("pass", runner_env=environment, **tier)
    equal(glob.glob(f"{environment['XDG_CACHE_HOME']}/fumehood/*fumehood-run-*"), [], "left over")


def test_runner_that_is_killed():
    def check(name, tier):
        environment = tier.pop("runner_env")
        runner = wire.Runner(os.environ["FH_RUNNER"], env=environment)
        runner.start(["/bin/sh", "-c", f"(setsid sh -c 'sleep 600; :' {MARK} &); echo ready; sleep 601"],
                     **tier)
        runner.wait_until(lambda result: b"ready" in result.stdout)
        runner.kill()
        runner.finish()
        until(lambda: not processes_of(MARK), f"tier {name}: the end of all")
        let_next_run_clean_up(environment, **tier)
    in_tiers(check)


def test_output_limit():
    in_tiers(lambda name, tier: ended(shell("yes", output=1 << 20, **tier), "output-limit"))


def test_memory():
    def check(name, tier):
        result = python("""
            import os, time
            for _ in range(6):
                if os.fork() == 0:
                    data = bytearray(60 << 20)
                    for at in range(0, len(data), 4096):
                        data[at] = 1
                    time.sleep(600)
            time.sleep(600)
            """, memory=200 * wire.MIB, **tier)
        ended(result, "memory", "certain")
    in_tiers(check, GUARDED)


def test_bounded_fork_bomb():
    def check(name, tier):
        result = python("""
            import os
            while True:
                try:
                    os.fork()
                except OSError:
                    pass
            """, wall_ms=1500 if name == "B" else 600, processes=30, **tier)
        must(result.status in ("timed-out", "process-limit"), str(result))
        # Without namespaces the kernel counts all of the user's processes, of which others may have
        # ended meanwhile: then it is the supervisor who puts an end to it.
        if name == "B":
            must(result.processes_peak <= 30 or result.status == "process-limit", str(result))
        else:
            must(result.processes_peak <= 40, str(result))
    in_tiers(check, GUARDED)


def test_disk():
    def check(name, tier):
        result = python("""
            import time
            for number in range(200):
                open(f"file-{number}", "wb").write(b"x" * (1 << 20))
                time.sleep(0.01)
            """, disk=24 * wire.MIB, **tier)
        must(result.status == "disk-limit", f"tier {name}: {result}")
    in_tiers(check, GUARDED)


def test_files_without_a_name():
    def check(name, tier):
        result = python("""
            import tempfile, time
            kept = []
            for number in range(200):
                kept.append(tempfile.TemporaryFile())
                kept[-1].write(b"x" * (1 << 20))
                kept[-1].flush()
                time.sleep(0.01)
            """, disk=24 * wire.MIB, **tier)
        must(result.status == "disk-limit", f"tier {name}: {result}")
    in_tiers(check, ("B",))


def test_many_folders():
    def check(name, tier):
        result = python("""
            import os, time
            for number in range(60):
                os.mkdir(f"many-{number}")
                for other in range(1000):
                    os.mkdir(f"many-{number}/{other}")
                time.sleep(0.01)
            """, disk=16 * wire.MIB, **tier)
        must(result.status == "disk-limit", f"tier {name}: {result}")
        # A busy machine does not remove them all in the time that a run has for that.
        let_next_run_clean_up(tier.pop("runner_env"), **tier)
    in_tiers(check, GUARDED)


def test_folders_that_are_hard_to_remove():
    def check(name, tier):
        result = python("""
            import os
            os.symlink("/usr", "link")
            os.mkfifo("fifo")
            os.mkdir("closed")
            open("closed/file", "w").close()
            os.mkdir("closed/folder")
            os.mkdir("closed/folder/another")
            folder = os.open("closed", os.O_RDONLY)
            os.umask(0o777)
            os.mkdir("nobody")
            os.umask(0)
            for depth in range(300):
                os.mkdir("d")
                os.chdir("d")
            print("made")
            """, disk=0, **tier)
        prints(result, "made\n")
    in_tiers(check)


def test_files_of_the_user():
    """Neither to be read nor to be changed, in any way."""
    def check(name, tier):
        with tempfile.TemporaryDirectory(dir=os.path.expanduser("~")) as home:
            os.chmod(home, 0o755)
            path = f"{home}/id_rsa"
            with open(path, "w", encoding="ascii") as file:
                file.write("secret")
            before = os.stat(path)
            result = python(f"""
                import os
                def tries(action):
                    try:
                        action()
                        print("could")
                    except OSError:
                        pass
                path, folder = {path!r}, {home!r}
                tries(lambda: open(path).read())
                tries(lambda: open(path, "a"))
                tries(lambda: os.truncate(path, 0))
                tries(lambda: os.listdir(folder))
                tries(lambda: open(folder + "/new", "w"))
                tries(lambda: os.mkdir(folder + "/folder"))
                tries(lambda: os.unlink(path))
                tries(lambda: os.rename(path, folder + "/other"))
                tries(lambda: os.link(path, "mine"))
                tries(lambda: os.chmod(path, 0o777))
                tries(lambda: os.chown(path, os.getuid(), os.getgid()))
                tries(lambda: os.utime(path))
                tries(lambda: os.setxattr(path, "user.x", b"y"))
                tries(lambda: open("/proc/self/root" + path).read())
                os.symlink(path, "link")
                tries(lambda: open("link").read())
                tries(lambda: os.open("/etc/shadow", os.O_RDONLY))
                tries(lambda: open("/usr/new", "w"))
                tries(lambda: open("/var/tmp/new", "w"))
                tries(lambda: open("/dev/tty"))
                tries(lambda: os.listdir("/run"))
                print("done")
                """, **tier)
            prints(result, "done\n")
            after = os.stat(path)
            equal((after.st_mode, after.st_mtime_ns, after.st_ctime_ns, after.st_size),
                  (before.st_mode, before.st_mtime_ns, before.st_ctime_ns, before.st_size), name)
            equal(os.listdir(home), ["id_rsa"], name)
    in_tiers(check, GUARDED)


def test_no_network():
    def check(name, tier):
        with socket.create_server(("127.0.0.1", 0)) as server, \
                tempfile.TemporaryDirectory() as folder, \
                socket.socket(socket.AF_UNIX) as named, \
                socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams, \
                socket.socket(socket.AF_UNIX) as abstract:
            os.chmod(folder, 0o755)
            named.bind(f"{folder}/named")
            datagrams.bind(f"{folder}/datagrams")
            abstract.bind(f"\0{MARK}")
            for listener in (server, named, abstract):
                if listener is not server:
                    listener.listen()
                listener.setblocking(False)
            datagrams.setblocking(False)
            result = python(f"""
                import socket
                def tries(action):
                    try:
                        action()
                        print("could")
                    except OSError:
                        pass
                def connect(family, kind, address):
                    socket.socket(family, kind).connect(address)
                inet, unix = socket.AF_INET, socket.AF_UNIX
                stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
                tries(lambda: connect(inet, stream, ("127.0.0.1", {server.getsockname()[1]})))
                tries(lambda: connect(unix, stream, "{folder}/named"))
                tries(lambda: connect(unix, stream, "\\0{MARK}"))
                def pair_sends(kind):
                    socket.socketpair(unix, kind)[0].sendto(b"x", "{folder}/datagrams")
                tries(lambda: pair_sends(datagram))
                tries(lambda: pair_sends(socket.SOCK_RAW))
                print("done")
                """, **tier)
            prints(result, "done\n")
            for listener in (server, named, abstract):
                try:
                    listener.accept()
                    must(False, f"tier {name} reached a server")
                except BlockingIOError:
                    pass
            try:
                datagrams.recv(1)
                must(False, f"tier {name} sent a datagram")
            except BlockingIOError:
                pass
    in_tiers(check, GUARDED)


def test_other_processes():
    def check(name, tier):
        code = f"""
            import os, resource
            def tries(action):
                try:
                    action()
                    print("could")
                except OSError:
                    pass
            other = {os.getpid()}
            tries(lambda: os.kill(other, 0))
            tries(lambda: os.setpriority(os.PRIO_PROCESS, other, 19))
            tries(lambda: resource.prlimit(other, resource.RLIMIT_NOFILE))
            tries(lambda: os.sched_setaffinity(other, {{0}}))
            tries(lambda: open(f"/proc/{{other}}/environ").read())
            tries(lambda: open(f"/proc/{{other}}/mem"))
            print("done")
            """
        prints(python(code, **tier), "done\n")
    in_tiers(check, GUARDED)


def test_guest_cannot_get_rid_of_init():
    result = python("""
        import os, signal
        def tries(action):
            try:
                action()
                print("could")
            except OSError:
                pass
        tries(lambda: os.kill(os.getppid(), signal.SIGKILL))
        tries(lambda: os.kill(os.getppid(), signal.SIGSTOP))
        print("done")
        """, tier=wire.TIER_B)
    prints(result, "done\n")


def test_init_that_is_killed():
    """Without protection the guest can do that; the runner finds everybody all the same."""
    def check(name, tier):
        result = shell(f"(setsid sh -c 'sleep 600; :' {MARK} &); kill -9 $PPID; sleep 601",
                       wall_ms=5000, **tier)
        must(result.status == "signalled", f"tier {name}: {result}")
    in_tiers(check, ("none",))


def test_moving_from_folder_to_folder():
    in_tiers(lambda name, tier: prints(python("""
        import os, tempfile
        os.makedirs('one/two'); open('one/file', 'w').close()
        os.rename('one/file', 'one/two/file'); os.link('one/two/file', 'link'); os.rename('one/two', 'two')
        with tempfile.NamedTemporaryFile() as file:
            os.mkdir(file.name + '-folder'); os.link(file.name, file.name + '-folder/link')
        print(os.stat('two/file').st_nlink)
        """, **tier), "2\n"))


if __name__ == "__main__":
    sys.exit(main(__name__))
