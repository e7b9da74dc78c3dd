# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program in a container tries against the engine, the other containers, the runner beside it and this computer."""

import contextlib
import json
import os
import subprocess

import containers
from containers import IS_SHORT, PLAIN, PYTHON, inspect, main, new_name, ours, removed
from guarded import CTL, RUN, STATE, command, environment, must_appear, must_vanish, run, save
from tap import equal, must

# What is tried, each time; the line tells how it went.
TRY = """
import errno, os
def attempt(name, function, *arguments):
    try: function(*arguments)
    except OSError as error: print(name, errno.errorcode.get(error.errno, error.errno))
    except Exception as error: print(name, type(error).__name__)
    else: print(name, 'DONE')
libc = __import__('ctypes').CDLL(None, use_errno=True)
def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1: raise OSError(__import__('ctypes').get_errno(), name)
"""


@contextlib.contextmanager
def ways(is_one_enough=False):
    """Options of a one-shot run and of one in a kept container, which is removed. One is enough, in the suite container,
    for walls that both have from the engine in the same way."""
    name = new_name("attack")
    with removed(name):
        yield [("--keep", name)] if IS_SHORT and is_one_enough else [(), ("--keep", name)]


def tells(source, *options, **more):
    """The lines that it wrote, by their first word; none of them may be DONE unless it is expected."""
    result = run(TRY + source, *options, **more)
    must(result.success, str(result))
    return result, dict(line.split(" ", 1) for line in result.stdout.splitlines())


def nothing_is_done(source, *options, **more):
    result, lines = tells(source, *options, **more)
    done = sorted(name for name, how in lines.items() if how == "DONE")
    must(lines and not done, f"done: {done} {lines} {options}")
    return result


def denied(result):
    return {(one["guard"], one["operation"], one["object"]) for one in result.attempts
            if one["verdict"] in ("denied", "hidden", "limited")}


def socket_of_the_engine():
    places = ["/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock",
              os.environ["DOCKER_HOST"].removeprefix("unix://")]
    with ways(is_one_enough=True) as all_ways:
        for options in all_ways:
            nothing_is_done(f"import socket\nfor n, path in enumerate({places!r}):\n"
                            "    attempt(n, socket.socket(socket.AF_UNIX).connect, path)\n"
                            "    attempt(f'see-{n}', os.stat, path)\n"
                            "attempt('host', lambda: os.environ['DOCKER_HOST'])\n", *options)
    for path in ("/var/run/docker.sock", "/run/docker.sock"):
        for volume in (f"{path}:/run/engine.sock", f"{path}:{path}:rw"):
            answer = command(*RUN, "--volume", volume, save("print(1)\n"))
            must(answer.returncode == 125 and answer.stdout == b"", f"{volume}: {answer}")


def capabilities():
    source = ("text = open('/proc/self/status').read()\nfor line in text.splitlines():\n"
              "    if line.startswith(('Cap', 'NoNewPrivs', 'Seccomp:', 'Groups')): print(*line.split())\n")
    with ways(is_one_enough=True) as all_ways:
        for options in [*all_ways, ("--root",), ("--writable",), ("--watch", "off")]:
            result = run(source, *options).must_be(success=True)
            lines = dict(line.partition(":")[::2] for line in result.stdout.splitlines())
            for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
                equal(int(lines[name], 16), 0, f"{name} {options}")
            equal((lines["NoNewPrivs"].strip(), lines["Seccomp"].strip()), ("1", "2"), str(options))
            must(set(lines["Groups"].split()) <= ({"0"} if "--root" in options else {str(os.getgid())}), str(lines))


def setuid_programs():
    """A program of the image that runs as root for everybody."""
    name, container = new_name("image"), new_name("attack")
    try:
        containers.call("run", "--name", container, "--network", "none", PYTHON, "sh", "-c",
                        "mkdir /suid && cp /bin/grep /suid && chmod 4755 /suid/grep")
        containers.call("commit", container, name)
        containers.remove(container)
        outside = containers.call("run", "--rm", "--network", "none", "--user", "1234", "--entrypoint", "/suid/grep", name,
                                  "Uid", "/proc/self/status").stdout.split()
        equal(outside[2], "0", "that it is an attack")
        run("/suid/grep Uid /proc/self/status\n", image=name, suffix=".sh").must_be(
            success=True, stdout=lambda text: set(text.split()[1:]) == {str(os.getuid())})
    finally:
        containers.remove(container)
        containers.call("image", "rm", "--force", name, check=False)


def setuid_results():
    folder = os.path.join(STATE.name, "results")
    for options in ((), ("--root",)):
        nothing_is_done("""
import shutil
os.umask(0)
shutil.copy('/bin/true', 'tool')
fd = os.open('tool', os.O_RDONLY)
for mode in (0o4755, 0o2755, 0o6777):
    attempt(f'chmod-{mode}', os.chmod, 'tool', mode)
    attempt(f'fchmod-{mode}', os.fchmod, fd, mode)
    attempt(f'at-{mode}', call, 'syscall', 452, -100, b'tool', mode, 0)
    attempt(f'open-{mode}', os.open, 'new', os.O_CREAT | os.O_WRONLY, mode)
    attempt(f'creat-{mode}', call, 'creat', b'new', mode)
    attempt(f'node-{mode}', os.mknod, 'node', 0o100000 | mode)
    attempt(f'unnamed-{mode}', os.open, '.', os.O_TMPFILE | os.O_WRONLY, mode)
attempt('device', os.mknod, 'device', 0o20666, os.makedev(1, 3))
os.chmod('tool', 0o1755); os.chmod('tool', 0o755); os.close(os.open('plain', os.O_CREAT, 0o777)); os.open('plain', 0, 0o4755)
""", "--work-dir", folder, *options)
        for name in os.listdir(folder):
            status = os.stat(os.path.join(folder, name), follow_symlinks=False)
            must(status.st_mode & 0o6000 == 0 and name != "device", f"{name}: {oct(status.st_mode)} {options}")
            must(options or status.st_uid == os.getuid(), f"{name} belongs to {status.st_uid}")
    containers.call("run", "--rm", "--network", "none", "--volume", f"{folder}:/place", PLAIN, "sh", "-c", "rm -rf /place/*")


def our_programs():
    """What runs the next program must not be the work of this one."""
    with ways() as all_ways:
        for options in all_ways:
            nothing_is_done("""
for root, folders, files in os.walk('/opt/fumehood'):
    for name in [root, *[os.path.join(root, n) for n in folders + files]]:
        attempt('chmod-' + name, os.chmod, name, 0o777)
        attempt('rename-' + name, os.rename, name, name + '.old')
        if os.path.isdir(name): attempt('new-' + name, lambda: open(name + '/new', 'w'))
        else:
            attempt('write-' + name, lambda: open(name, 'r+b'))
            attempt('remove-' + name, os.unlink, name)
attempt('link', os.symlink, '/workspace', '/opt/fumehood/guest/json')
""", *options)


def programs_of_root():
    """User 0 inside may move folders, but does not get the next run."""
    name = new_name("attack")
    source = r"""
set +e
for place in /opt/fumehood/runner /opt/fumehood/guest /opt/fumehood /opt; do mv $place $place.old; done
mkdir -p /opt/fumehood/guest
for place in /opt/fumehood/runner /opt/fumehood/guest/bootstrap.py /opt.old/fumehood/runner; do
  printf '#!/bin/sh\necho forged\n' >$place; chmod 755 $place
done
printf '/workspace/forged.so\n' >/etc/ld.so.preload
echo tried
"""
    with removed(name):
        options = ("--keep", name, "--root", "--writable")
        for image in (PYTHON,) if IS_SHORT else (PLAIN, PYTHON):
            for _ in range(2):
                run(source, *options, image=image, suffix=".sh").must_be(success=True, stdout="tried\n")
            containers.remove(name)


def runner():
    """It cannot be read, traced, imitated or killed, although it belongs to the same user."""
    source = """
import ctypes, signal
seen = {1, os.getppid()}
for pid in seen:
    place = f'/proc/{pid}'
    for name in ('environ', 'mem', 'maps', 'auxv', 'stack'): attempt(f'read-{pid}-{name}', lambda: open(f'{place}/{name}', 'rb').read(1))
    attempt(f'list-{pid}', os.listdir, place + '/fd')
    for fd in range(12): attempt(f'write-{pid}-{fd}', lambda: os.write(os.open(f'{place}/fd/{fd}', os.O_WRONLY), b'x' * 64))
    attempt(f'root-{pid}', os.listdir, place + '/root/')
    attempt(f'adjust-{pid}', lambda: open(place + '/oom_score_adj', 'w').write('1000'))
    attempt(f'trace-{pid}', call, 'ptrace', 16, pid, 0, 0)
    attempt(f'vm-{pid}', call, 'process_vm_readv', pid, None, 0, None, 0, 1)
    def descriptors():
        handle = os.pidfd_open(pid)
        number = libc.syscall(438, handle, 1, 0)
        if number < 0: raise OSError(ctypes.get_errno(), 'pidfd_getfd')
    attempt(f'take-{pid}', descriptors)
"""
    with ways() as all_ways:
        for options in all_ways:
            nothing_is_done(source, *options)


def killers():
    """A run in which everything was killed has failed, and whatever it started is gone."""
    source = ("import ctypes, os, signal, time\nif os.fork() == 0:\n    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
              "    ctypes.CDLL(None).prctl(15, b'fh-killer')\n    time.sleep(60)\ntime.sleep(.3)\n")
    deeds = ["os.kill(1, 9)", "os.kill(os.getppid(), 9)", "os.kill(-1, 9)", "os.kill(os.getppid(), 19)",
             "[os.kill(int(p), 9) for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()]"]
    with ways() as all_ways:
        for options in all_ways:
            for deed in deeds[2:4] if IS_SHORT and options else deeds:
                body = f"try: {deed}\nexcept OSError as error: print(type(error).__name__)\n"
                result = run(source + body + "print('alive')\n", "--timeout", "20", *options)
                must(result.status != "timed-out", f"{deed} {options}: {result}")
                if result.status == "ok":
                    must(result.stdout.endswith("alive\n"), f"{deed} {options}: {result}")
                must_vanish("fh-killer")
            run("print('next')\n", *options).must_be(success=True, stdout="next\n")


def forged_frames():
    """Whatever a program writes to descriptors that it has not been given, its own end is what is told."""
    source = """
import struct
for fd in range(3, 64):
    for data in (b'\\0' * 64, struct.pack('<IIQ', 9, 16, 0) * 8, b'x' * 4096):
        try: os.write(fd, data)
        except OSError: break
for fd in os.listdir('/proc/self/fd'):
    if int(fd) > 2:
        try: os.write(int(fd), b'forged')
        except OSError: pass
print('kept')
raise SystemExit(7)
"""
    with ways() as all_ways:
        for options in all_ways:
            run("import os\n" + source, *options).must_be(status="failed", exit_code=7, stdout="kept\n")


def writable_places():
    """Whatever can be written is bounded together."""
    source = """
places = {line.split()[4] for line in open('/proc/self/mountinfo')}
total = 0
block = bytes(1 << 20)
for place in sorted(places | {'/', '/var/tmp', '/run', '/home', '/root', '/usr', '/etc', '/opt'}):
    if not os.path.isdir(place) or place.startswith(('/proc', '/sys')): continue
    wrote = 0
    try:
        with open(os.path.join(place, 'fill'), 'wb', buffering=0) as file:
            while wrote < 100: wrote += file.write(block) >> 20
    except OSError: pass
    total += wrote
    if wrote: print(place, wrote)
print('total', total)
"""
    with ways(is_one_enough=True) as all_ways:
        for options in all_ways:
            result = run("import os\n" + source, "--memory", "none", "--timeout", "60", "--disk-limit", "64M", *options)
            must(result.status in ("ok", "disk-limit", "memory-exceeded", "signalled"), str(result))
            if result.status == "ok":
                lines = dict(line.split() for line in result.stdout.splitlines())
                must(int(lines["total"]) < 4 * 64 + 10, f"{options}: {lines}")
                must(set(lines) <= {"/workspace", "/tmp", "/dev/shm", "/home/fumehood", "total"}, f"{options}: {lines}")


def kernel():
    """Calls that only take a process further out."""
    result = nothing_is_done("""
import ctypes, socket
attempt('namespace', call, 'unshare', 0x10000000)
attempt('mount', call, 'mount', b'none', b'/tmp', b'tmpfs', 0, None)
attempt('unmount', call, 'umount2', b'/workspace', 2)
attempt('root', os.chroot, '/tmp')
attempt('trace', call, 'ptrace', 0, 0, 0, 0)
attempt('keys', call, 'syscall', 248, b'user', b'name', b'data', 4, -3)
attempt('programs', call, 'syscall', 321, 0, None, 0)
attempt('faults', call, 'syscall', 323, 0)
attempt('ring', call, 'syscall', 425, 1, None)
attempt('events', call, 'syscall', 298, None, 0, -1, -1, 0)
attempt('module', call, 'syscall', 313, -1, b'', 0)
attempt('restart', call, 'reboot', 0)
attempt('name', socket.sethostname, 'other')
attempt('clock', call, 'syscall', 227, 0, None)
attempt('device', os.mknod, '/tmp/device', 0o60666, os.makedev(8, 0))
for path in ('/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/sys/vm/overcommit_memory', '/proc/1/oom_score_adj'):
    attempt('write-' + path, lambda: open(path, 'w').write('1'))
for path in ('/proc/kcore', '/dev/mem', '/dev/kmsg', '/proc/kmsg'): attempt('read-' + path, lambda: open(path, 'rb').read(1))
for folder, _, names in os.walk('/sys/fs/cgroup'):
    for name in ('cgroup.procs', 'memory.limit_in_bytes', 'memory.max', 'pids.max', 'release_agent', 'notify_on_release'):
        if name in names: attempt('group-' + name, lambda: open(os.path.join(folder, name), 'w').write('0'))
""")
    told = {operation for guard, operation, _ in denied(result)}
    must({"mount", "ptrace"} <= told, f"told: {sorted(told)}")


def network():
    source = """
import socket
print('interfaces', sorted(os.listdir('/sys/class/net')))
for n, address in enumerate([('1.1.1.1', 443), ('169.254.169.254', 80), ('172.17.0.1', 2375), ('10.0.0.1', 22)]):
    s = socket.socket(); s.settimeout(3)
    attempt(n, s.connect, address)
attempt('name', socket.getaddrinfo, 'key.example.com', 443)
attempt('packet', socket.socket, socket.AF_PACKET, socket.SOCK_RAW)
attempt('raw', socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)
attempt('machine', socket.socket, 40, socket.SOCK_STREAM)
"""
    with ways(is_one_enough=True) as all_ways:
        for options in all_ways:
            result, lines = tells(source, *options)
            equal(lines.pop("interfaces"), "['lo']", "interfaces")
            must("DONE" not in lines.values(), f"{options}: {lines}")
            told = {(operation, where) for guard, operation, where in denied(result) if guard == "network"}
            must({("connect", "1.1.1.1:443"), ("look up", "key.example.com")} <= told, f"told: {told} {result}")


def what_the_engine_keeps():
    """Nothing of what a program writes is in the engine's logs, and the container is as narrow as it was asked to be."""
    name = new_name("attack")
    path = save("__import__('ctypes').CDLL(None).prctl(15, b'fh-kept')\nimport time\nprint('x' * 100, flush=True)\ntime.sleep(60)\n")
    with removed(name):
        process = subprocess.Popen([CTL, *RUN, "--json", "--no-history", "--container-name", name, path],
                                   env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        try:
            must_appear("fh-kept", process)
            found = inspect(name)
        finally:
            process.terminate()
            process.communicate(timeout=300)
    host = found["HostConfig"]
    equal(host["LogConfig"]["Type"], "none", "the log")
    equal((host["Privileged"], host["NetworkMode"], host["PidMode"], host["ReadonlyRootfs"]), (False, "none", "", True), name)
    equal((host["CapAdd"], [word.upper() for word in host["CapDrop"]]), (None, ["ALL"]), "capabilities")
    must(0 < host["PidsLimit"] <= 4096 and 0 < host["Memory"] <= host["MemorySwap"], str(host))
    equal(host["MemorySwap"], host["Memory"], "swap")
    must(not host["Devices"] and not host["VolumesFrom"] and not host["PortBindings"], str(host))
    must(any("no-new-privileges" in word for word in host["SecurityOpt"]), str(host["SecurityOpt"]))
    equal(found["Config"]["User"], f"{os.getuid()}:{os.getgid()}", "its user")
    must(set(found["Config"]["Labels"]) >= {containers.LABEL}, str(found["Config"]["Labels"]))
    for mount in found["Mounts"]:
        must(not mount.get("RW") or mount["Destination"] == "/workspace", str(mount))


def names_that_are_options():
    """What a user or a model types goes to the engine's client as what it is, or not at all."""
    words = ["--privileged", "-v/:/host", "a b", "a;b", "$(id)", "../x", "a\nb", "", "x" * 300, "ü", ".", "-"]
    for option in ("--container-name", "--keep", "--network"):
        for word in words:
            answer = command(*RUN, "--json", "--no-history", f"{option}={word}", save("print('ran')\n"))
            must(answer.returncode == 125 and b'"stdout": "ran' not in answer.stdout, f"{option}={word!r}: {answer}")
    for word in ("--privileged", "-it", "a b", "UPPER", "a;b", "$(id)", "https://a/b", "x@y", "../x"):
        answer = command("run", "--engine=docker", "--no-pull", f"--container={word}", save("print('ran')\n"))
        must(answer.returncode == 125 and answer.stdout == b"", f"--container={word!r}: {answer}")
    for word in ("/:/host", "/etc:/workspace", "/etc:/opt/fumehood", "/etc:/", "etc", "/etc:/a,b:rw,z", "/etc:/a:ro:rw",
                 "/etc:/a:exec", "name:/a", "/etc:a", "/etc:/proc", "/etc:/a,readonly=false"):
        answer = command(*RUN, "--volume", word, save("import os; print('ran', os.listdir('/'))\n"))
        must(b"host" not in answer.stdout and (answer.returncode == 125 or b"ran" in answer.stdout), f"{word!r}: {answer}")
    for word in ("A B=1", "=x", "", "A\n=1", "--env"):
        answer = command(*RUN, f"--env={word}", save("print('ran')\n"))
        must(answer.returncode == 125 and answer.stdout == b"", f"--env={word!r}: {answer}")
    must(not ours() & {word for word in words}, "a container of such a name")


def strange_folders():
    """A folder may have any name; it is that one that is bound, and nothing more."""
    secret = os.path.join(STATE.name, "secret")
    os.makedirs(secret, exist_ok=True)
    names = ("a,readonly", "a\nb", "a,source=secret", "a,b", "a:b", "a b", "a\"b", "a'b", "--privileged", "ü", "a\\b",
             "a=b,dst=c")
    # test-walls.py has such names as well, without anything of ours inside.
    for name in names[:3] if IS_SHORT else names:
        folder = os.path.join(STATE.name, "strange", name)
        os.makedirs(folder)
        with open(os.path.join(folder, "mark"), "w", encoding="utf-8") as file:
            file.write(name)
        answer = command(*RUN, "--work-dir", folder, save("print(repr(open('mark').read()))\n"))
        if answer.returncode == 125:
            must(answer.stdout == b"" and len(answer.stderr) > 20, str(answer))
        else:
            equal((answer.returncode, answer.stdout.decode()), (0, repr(name) + "\n"), name)


def files_with_names():
    names = ("--rm.py", "-v.py", "a b.py", "a,b.py", "a\nb.py", "--privileged", "$(id).py")
    for name in names[::3] if IS_SHORT else names:
        folder = os.path.join(STATE.name, "named")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write("import sys\nprint('ran', sys.argv[1:])\n")
        answer = command(*RUN, "--json", "--no-history", "--language", "python", path, "--", "--privileged", "-v/:/host")
        equal(json.loads(answer.stdout)["stdout"], "ran ['--privileged', '-v/:/host']\n", name)


def others():
    """Neither processes nor files nor memory of this computer or of another container."""
    other = new_name("attack")
    with containers.foreign(other):
        source = """
import socket
print('processes', len([n for n in os.listdir('/proc') if n.isdigit()]))
print('host', socket.gethostname())
print('hosts', open('/etc/hosts').read().split() if os.path.exists('/etc/hosts') else '')
print('mounts', sum('/workspace' in line for line in open('/proc/self/mountinfo')))
print('home', os.path.exists(HOME))
""".replace("HOME", repr(os.path.expanduser("~")))
        _, lines = tells(source)
        must(int(lines["processes"]) <= 4, str(lines))
        must(lines["host"] != os.uname().nodename and lines["home"] == "False", str(lines))


def no_more_processes():
    """The engine bounds them, too: the kernel's own number is what counts."""
    name = new_name("attack")
    with removed(name):
        for options in ((), ("--keep", name)):
            result = run("import ctypes, os, time\nctypes.CDLL(None).prctl(15, b'fh-many')\nn = 0\ntry:\n"
                         "    while n < 5000:\n        if os.fork() == 0: time.sleep(60)\n        n += 1\n"
                         "except OSError: pass\nprint(n)\n", "--timeout", "10", "--processes", "40", *options)
            must(result.status in ("process-limit", "ok", "failed"), str(result))
            # The runner and what starts it count as well, and have room of their own.
            must(int(result.stdout or 0) <= 40 + 16, str(result))
            must("start a process" in {one["operation"] for one in result.attempts}, str(result))
            must_vanish("fh-many")


def what_was_tried_is_told():
    with ways(is_one_enough=True) as all_ways:
        for options in all_ways:
            result = nothing_is_done("import ctypes\nattempt('mount', call, 'mount', b'none', b'/tmp', b'tmpfs', 0, None)\n"
                                     "attempt('write', lambda: open('/etc/passwd', 'w'))\n"
                                     "attempt('write', lambda: open('/usr/bin/new', 'w'))\n"
                                     "attempt('trace', call, 'ptrace', 16, 1, 0, 0)\n", "--watch", "files", *options)
            told = denied(result)
            must({("system-calls", "mount")} <= {entry[:2] for entry in told} or "mount" in {e[1] for e in told}, str(told))
            must(any("/etc/passwd" in (where or "") for _, _, where in told), str(told))


if __name__ == "__main__":
    main({
        "136 the engine's socket": socket_of_the_engine,
        "137 capabilities": capabilities,
        "137 programs that are root for everybody": setuid_programs,
        "138 results belong to the user": setuid_results,
        "141 what the engine keeps": what_the_engine_keeps,
        "142 processes are bounded": no_more_processes,
        "143 what can be written is bounded": writable_places,
        "144 network and names": network,
        "147 names that look like options": names_that_are_options,
        "147 folders with strange names": strange_folders,
        "147 files with strange names": files_with_names,
        "our programs cannot be changed": our_programs,
        "our programs cannot be changed by root": programs_of_root,
        "the runner is out of reach": runner,
        "the runner is killed": killers,
        "frames cannot be forged": forged_frames,
        "the kernel": kernel,
        "other containers, and this computer": others,
        "what was tried is told": what_was_tried_is_told,
    })
