# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program sees and may do inside: files, descriptors, environment, privileges, network."""

import errno
import os
import re
import sys
import tempfile

import wire
from sandboxed import PROGRAM, has_own_user, main, prints, python, run, shell
from tap import Skip, equal, must


def outside(code):
    """The same code without a sandbox: an attack that fails here proves nothing."""
    try:
        exec(code, {})  # pylint: disable=exec-used
    except OSError as error:
        raise Skip(f"does not work outside of a sandbox either: {error}") from error


def test_root_holds_only_what_it_should():
    result = python("import os; print(*sorted(os.listdir('/')))")
    names = set(result.stdout.decode().split())
    must({"dev", "etc", "proc", "tmp", "usr", "workspace"} <= names, str(names))
    for name in ("home", "root", "run", "var", "sys", "mnt", "media", "boot", "srv", "opt"):
        must(name not in names, f"/{name} is visible")


def test_files_of_the_user():
    home = os.path.expanduser("~")
    for path in (home, "/root", "/run/user", "/var/log", "/sys/class", "/etc/shadow",
                 "/etc/machine-id", "/etc/hostid", "/proc/1/root/home", "/proc/self/root/../home"):
        prints(python(f"import os; print(os.path.lexists({path!r}))"), "False\n")


def test_identity():
    prints(python("""
        import os, pwd, grp, socket
        print(os.getuid(), os.geteuid(), os.getgid(), os.getpid() > 1, os.getppid())
        print(len(pwd.getpwall()), pwd.getpwuid(os.getuid()).pw_dir, grp.getgrgid(1000).gr_name)
        print(socket.gethostname(), os.getcwd(), open('/etc/hostname').read().strip())
        """), "1000 1000 1000 True 1\n3 /workspace guest\nsandbox /workspace sandbox\n")


def test_etc_is_a_choice():
    allowed = re.compile(
        r"^(R|alternatives|fonts|group|hostname|hosts|java-.*|ld\.so\.cache|localtime|matplotlibrc|"
        r"mtab|nsswitch\.conf|passwd|pki|resolv\.conf|ssl)$")
    result = python("import os; print(*os.listdir('/etc'))")
    unexpected = [name for name in result.stdout.decode().split() if not allowed.match(name)]
    equal(unexpected, [], "files in /etc")


def test_environment_is_what_was_given():
    environment = {"PATH": "/usr/bin", "GREETING": "hello = world", "EMPTY": ""}
    result = run(["/usr/bin/env", "-0"], env=environment)
    got = dict(item.split("=", 1) for item in result.stdout.decode().split("\0") if item)
    equal(got, environment, "environment")


def test_descriptors():
    code = "import os; print(*sorted(int(n) for n in os.listdir('/proc/self/fd')))"
    # The last one is the folder that is being listed.
    prints(python(code), "0 1 2 3\n")
    prints(python(code, flags=wire.GUEST_CHANNEL), "0 1 2 3 4\n")
    extra = os.open("/", os.O_RDONLY)
    os.set_inheritable(extra, True)
    prints(python(code), "0 1 2 3\n")
    os.close(extra)


def test_standard_descriptors_are_pipes():
    prints(python("""
        import os, stat
        for fd in range(3):
            print(stat.S_ISFIFO(os.fstat(fd).st_mode), os.isatty(fd))
        try:
            open('/dev/tty')
        except OSError as error:
            print('no terminal')
        print(os.getsid(0) == os.getpgrp() == os.getpid())
        """), "True False\n" * 3 + "no terminal\nTrue\n")


def test_processes_of_others():
    prints(python("import os; print(*sorted(int(n) for n in os.listdir('/proc') if n.isdigit()))"),
           "1 2\n")
    prints(python("""
        for name in ('environ', 'maps', 'mem', 'exe', 'fd', 'cwd', 'root'):
            try:
                import os
                path = f'/proc/1/{name}'
                os.readlink(path) if name in ('exe', 'cwd', 'root') else os.open(path, 0)
                print(name, 'is readable')
            except PermissionError:
                pass
        """), "")


def test_other_end_of_the_guest_channel():
    """It belongs to init, as far as the guest can find out; init made it before it took the guest's number."""
    result = python("""
        import os, socket, struct
        channel = socket.socket(fileno=3)
        print(struct.unpack('iii', channel.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)))
        try:
            pidfd = channel.getsockopt(socket.SOL_SOCKET, 77)  # SO_PEERPIDFD, Linux 6.5
            print([line.split()[1] for line in open(f'/proc/self/fdinfo/{pidfd}') if line.startswith('Pid:')])
        except OSError:
            print(['1'])
        """, flags=wire.GUEST_CHANNEL)
    prints(result, f"(1, {65534 if has_own_user(result) else 1000}, 1000)\n['1']\n")


def test_who_writes_to_the_guest_channel():
    prints(python("""
        import socket
        channel = socket.socket(fileno=3)
        try:
            channel.setsockopt(socket.SOL_SOCKET, 76, 1)  # SO_PASSPIDFD
        except OSError as error:
            print(error.errno)
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        print(channel.recv(5))
        """, flags=wire.GUEST_CHANNEL, guest_message=b"hello"), "92\nb'hello'\n")


def test_where_the_runner_lies():
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/some-runner"
        os.symlink(os.path.realpath(PROGRAM), program)
        code = "print([open(f'/proc/1/{name}', 'rb').read() for name in ('cmdline', 'comm')])"
        prints(wire.python(program, code), "[b'some-runner\\x00', b'some-runner\\n']\n")


def test_what_tells_about_the_machine():
    files = ("cmdline", "config.gz", "diskstats", "interrupts", "kallsyms", "keys", "mdstat", "modules",
             "partitions", "swaps", "version_signature", "sys/kernel/random/boot_id", "kcore", "kmsg",
             "sysrq-trigger", "timer_list")
    outside("open('/proc/cmdline', 'rb').read(1)[0]")
    prints(python(f"""
        import os
        for name in {files!r}:
            path = f'/proc/{{name}}'
            try:
                if os.path.exists(path) and open(path, 'rb').read(1): print(name, 'can be read')
            except PermissionError:
                pass
            for change in (lambda: open(path, 'wb'), lambda: os.chmod(path, 0o777)):
                try:
                    change()
                    print(name, 'can be changed')
                except OSError:
                    pass
        for name in ('bus', 'scsi', 'asound', 'driver'):
            path = f'/proc/{{name}}'
            if os.path.exists(path) and os.listdir(path): print(name, 'is not empty')
            try:
                open(path + '/new', 'w')
                print(name, 'can be written')
            except OSError:
                pass
        """), "")


def test_proc_is_a_choice():
    """Only files that are known to be harmless are there, whatever a new kernel adds."""
    result = python("""
        import os
        for name in os.listdir('/proc'):
            path = f'/proc/{name}'
            if name.isdigit() or os.path.islink(path): continue
            try:
                if os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(1): print(name)
            except PermissionError:
                pass
        """)
    allowed = "cpuinfo devices filesystems loadavg locks meminfo stat sys uptime version vmstat".split()
    equal(set(result.stdout.decode().split()) - set(allowed), set(), "files of /proc")


def test_what_programs_read_of_the_machine():
    prints(python("""
        import os
        for name in ('cpuinfo', 'filesystems', 'loadavg', 'meminfo', 'mounts', 'net/dev', 'self/status',
                     'stat', 'uptime', 'version', 'vmstat', 'sys/kernel/osrelease', 'sys/kernel/random/uuid'):
            if not open(f'/proc/{name}').read(): print(name, 'is empty')
        """), "")


def test_writing_to_proc():
    prints(python("""
        for path in ('/proc/sys/kernel/hostname', '/proc/sysrq-trigger', '/proc/self/oom_score_adj',
                     '/proc/self/coredump_filter', '/proc/self/uid_map',
                     '/proc/sys/user/max_user_namespaces'):
            try:
                with open(path, 'w') as file: file.write('0')
                print(path, 'can be written')
            except OSError:
                pass
        """), "")


def test_devices():
    prints(python("""
        import os
        print(*sorted(os.listdir('/dev')))
        print(open('/dev/zero', 'rb').read(2), len(open('/dev/urandom', 'rb').read(4)))
        open('/dev/null', 'w').write('x')
        try:
            open('/dev/full', 'wb', 0).write(b'x')
        except OSError as error:
            print(error.errno)
        """), "fd full null random shm stderr stdin stdout urandom zero\nb'\\x00\\x00' 4\n28\n")


def test_nothing_of_the_system_can_be_changed():
    result = python("""
        import os
        for place in ('/', '/usr', '/usr/bin', '/etc', '/dev', '/proc', '/bin', '/lib'):
            for change in (lambda path: open(path + '/new', 'w'), lambda path: os.mkdir(path + '/d'),
                           lambda path: os.chmod(path, 0o777), lambda path: os.utime(path),
                           lambda path: os.symlink('x', path + '/l')):
                try:
                    change(place)
                    print(place, 'was changed')
                except OSError:
                    pass
        for path in ('/usr/bin/env', '/etc/passwd', '/etc/ld.so.cache', '/dev/null'):
            for change in (lambda path: os.chmod(path, 0o777), os.unlink,
                           lambda path: os.rename(path, '/tmp/x'), lambda path: os.utime(path),
                           lambda path: os.link(path, '/tmp/link')):
                try:
                    change(path)
                    print(path, 'was changed')
                except OSError:
                    pass
            if path != '/dev/null':
                try:
                    open(path, 'r+b')
                    print(path, 'can be written')
                except OSError:
                    pass
        """)
    prints(result, "")


def test_places_to_write():
    prints(python("""
        import os, tempfile
        for place in ('/workspace', '/tmp', '/dev/shm'):
            with open(place + '/file', 'w') as file: file.write('x')
            os.mkdir(place + '/folder'); os.symlink('file', place + '/link')
            os.mkfifo(place + '/fifo'); os.rename(place + '/file', place + '/folder/file')
            os.truncate(place + '/folder/file', 0)
        print(tempfile.gettempdir(), os.statvfs('/tmp').f_blocks == os.statvfs('/dev/shm').f_blocks)
        os.rename('/tmp/fifo', '/tmp/folder/fifo')
        """), "/tmp True\n")


def test_device_nodes_cannot_be_made():
    prints(python("""
        import os, stat
        for kind in (stat.S_IFCHR, stat.S_IFBLK):
            for place in ('/workspace', '/tmp', '/dev/shm'):
                try:
                    os.mknod(place + '/node', kind | 0o600, os.makedev(1, 3))
                    print('made')
                except PermissionError:
                    pass
        """), "")


def test_set_user_id_means_nothing():
    prints(shell("""
        cp /usr/bin/id /workspace/id && chmod 6755 /workspace/id && /workspace/id -u
        grep -v nosuid /proc/self/mounts
        true
        """), "1000\n")


def test_mounts():
    home = os.path.expanduser("~")
    result = python("print(open('/proc/self/mountinfo').read())")
    text = result.stdout.decode()
    for line in text.strip().splitlines():
        options = line.split()[5].split(",")
        target = line.split()[4]
        must("nosuid" in options, line)
        must("nodev" in options or target.startswith("/dev/"), line)
        must("ro" in options or target in ("/tmp", "/workspace", "/dev/shm"), line)
    must(home not in text or len(home) < 4, f"{home} is named in the mounts")


def test_privileges():
    status = dict(line.split(":\t", 1) for line in python(
        "print(open('/proc/self/status').read())").stdout.decode().splitlines() if ":\t" in line)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        equal(int(status[name], 16), 0, name)
    equal((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"), "NoNewPrivs and Seccomp")
    equal(status["SigIgn"][-16:], "0000000001001000", "what Python itself ignores")


def test_init_is_as_guarded():
    status = dict(line.split(":\t", 1) for line in python(
        "print(open('/proc/1/status').read())").stdout.decode().splitlines() if ":\t" in line)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        equal(int(status[name], 16), 0, name)
    equal((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"), "NoNewPrivs and Seccomp")


def test_network_is_loopback_only():
    prints(python("""
        print(*[line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line])
        """), "lo\n")
    prints(python("""
        import socket, errno
        def attempt(family, address):
            with socket.socket(family, socket.SOCK_STREAM) as s:
                s.settimeout(60)
                try:
                    s.connect(address)
                    print('connected to', address)
                except OSError as error:
                    print(errno.errorcode[error.errno])
        attempt(socket.AF_INET, ('1.1.1.1', 80))
        attempt(socket.AF_INET, ('10.0.0.1', 80))
        attempt(socket.AF_INET6, ('2606:4700::1111', 80))
        attempt(socket.AF_INET, ('127.0.0.1', 22))
        """), "ENETUNREACH\nENETUNREACH\nENETUNREACH\nECONNREFUSED\n")


def test_names_are_not_found_and_it_is_quick():
    result = python("""
        import socket, time
        begun = time.monotonic()
        try:
            print(socket.getaddrinfo('example.com', 80))
        except socket.gaierror:
            print('not found', time.monotonic() - begun < 5)
        print(socket.gethostbyname('localhost'))
        """)
    prints(result, "not found True\n127.0.0.1\n")


def test_own_servers_work():
    prints(python("""
        import socket, threading
        server = socket.create_server(('127.0.0.1', 8000))
        threading.Thread(target=lambda: server.accept()[0].sendall(b'served')).start()
        print(socket.create_connection(('127.0.0.1', 8000)).recv(10))
        left, right = socket.socketpair(); left.send(b'x'); print(right.recv(1))
        """), "b'served'\nb'x'\n")


def test_what_sockets_can_hold():
    result = python("""
        import socket
        def held(left, right):
            total = 0
            for _ in range(50):
                for one, other in ((left, right), (right, left)):
                    one.setblocking(False)
                    try:
                        while True: total += one.send(b'x' * 65536)
                    except BlockingIOError:
                        pass
                # What is read in between tells the kernel to make room for more.
                left.recv(65536)
            return total - 50 * 65536
        server = socket.create_server(('127.0.0.1', 0))
        client = socket.create_connection(server.getsockname())
        print(held(client, server.accept()[0]), held(*socket.socketpair()))
        """)
    # By itself TCP goes up to tens of MiB here.
    for size in result.stdout.split():
        must(int(size) < 2 * wire.MIB, f"a pair of sockets holds {int(size) / wire.MIB:.1f} MiB")
    prints(result, result.stdout.decode())


def test_abstract_sockets_of_the_host():
    import socket
    name = f"\0fumehood-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        outside(f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})")
        prints(python(f"""
            import socket
            try:
                socket.socket(socket.AF_UNIX).connect({name!r})
                print('connected')
            except ConnectionRefusedError:
                print('refused')
            """), "refused\n")


def test_ordinary_programs_work():
    prints(python("""
        import asyncio, multiprocessing, sqlite3, subprocess, tempfile
        def double(x): return 2 * x
        async def wait(): await asyncio.sleep(0.01); return 'async'
        if __name__ == '__main__':
            print(asyncio.run(wait()))
            with multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(double, [1, 2]))
            print(subprocess.run(['echo', 'sub'], capture_output=True).stdout)
            db = sqlite3.connect('/workspace/test.db'); db.execute('create table t (a)'); db.commit()
            print(db.execute('pragma journal_mode=wal').fetchone())
        """), "async\n[2, 4]\nb'sub\\n'\n('wal',)\n")
    prints(shell("printf 'b\\na\\n' | sort | awk '{ print NR, $0 }'; date -d @0 +%Y >/dev/null"),
           "1 a\n2 b\n")


def test_bound_folder():
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/file", "w", encoding="ascii") as file:
            file.write("content")
        os.symlink("/etc/shadow", f"{folder}/link")
        os.mkdir(f"{folder}/sub")
        target = "/home/someone/.local/deep"
        prints(python(f"""
            import os
            print(open('{target}/file').read(), sorted(os.listdir('{target}')), os.listdir('/home'))
            for change in (lambda: open('{target}/file', 'a'), lambda: os.unlink('{target}/file'),
                           lambda: open('{target}/sub/new', 'w'), lambda: os.chmod('{target}', 0)):
                try:
                    change()
                    print('changed')
                except OSError as error:
                    print(error.errno)
            print(os.path.exists('{target}/link'))
            """, binds=[(folder, target)]),
            "content ['file', 'link', 'sub'] ['someone']\n30\n30\n30\n30\nFalse\n")
        prints(shell("ls /tmp/x/y; ls /opt/app/one", binds=[(folder, "/tmp/x/y"),
                                                            (folder + "/file", "/opt/app/one")]),
               "file\nlink\nsub\n/opt/app/one\n")


def test_copied_file():
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/file", "w", encoding="ascii") as file:
            file.write("content" * 10000)
        prints(python(f"""
            import os
            print(open('/opt/app/file').read() == 'content' * 10000, os.listdir('/opt/app'))
            for change in (lambda: open('/opt/app/file', 'a'), lambda: os.unlink('/opt/app/file'),
                           lambda: os.chmod('/opt/app/file', 0o777), lambda: open('/opt/app/new', 'w')):
                try:
                    change()
                    print('changed')
                except OSError as error:
                    print(error.errno)
            print({folder!r} in open('/proc/self/mountinfo').read())
            """, binds=[(f"{folder}/file", "/opt/app/file", 1)]),
            "True ['file']\n13\n30\n30\n30\nFalse\n")


def test_program_in_a_bound_folder():
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/program", "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho from there\n")
        os.chmod(f"{folder}/program", 0o755)
        prints(run(["/opt/app/program"], binds=[(folder, "/opt/app")]), "from there\n")
        with open(f"{folder}/program", "w", encoding="ascii") as file:
            file.write("#!/opt/app/no-such-interpreter\n")
        result = run(["/opt/app/program"], binds=[(folder, "/opt/app")])
        equal((result.status, result.error), ("not-started", errno.ELIBACC), "why")


def test_landlock_is_there():
    # The filter refuses the guest any of its own.
    prints(python("""
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        # The kernel refuses a 17th ruleset: 15 of our own fit on top of the one that is there.
        attr = (ctypes.c_uint64 * 1)(1 << 13)
        count = 0
        while count < 20:
            fd = libc.syscall(444, attr, 8, 0)
            if fd < 0 or libc.syscall(446, fd, 0) < 0: break
            count += 1
        print(count)
        """, without=["system-calls"]), "15\n")


def test_landlock_forbids_what_the_mounts_allow():
    # /dev/null is on a mount of its own and the device itself may be written; running it may not.
    prints(python("""
        import os
        try:
            os.execv('/proc/self/fd/0', ['x'])
        except OSError as error:
            print(error.errno)
        """), "13\n")


if __name__ == "__main__":
    sys.exit(main(__name__))
