# SPDX-License-Identifier: GPL-3.0-or-later
"""Everyday programs that mean no harm: each with what it prints when all that it needs works."""

import sys


class Program:
    """`needs`: commands and, by "python:NAME", modules of the system without which it cannot be tried."""

    def __init__(self, source, output, *options, language="python", needs=(), stdin=0):
        self.source = source.lstrip("\n")
        self.output = output
        self.options = options
        self.language = language
        self.needs = (needs,) if isinstance(needs, str) else needs
        self.stdin = stdin


def shell(source, output, *options, **more):
    return Program("set -eu -o pipefail\n" + source.lstrip("\n"), output, *options, language="bash", **more)


PROGRAMS = {
    "50 threads": Program("""
import threading
barrier, lock, total = threading.Barrier(50), threading.Lock(), 0
def work():
    global total
    barrier.wait()
    with lock: total += 1
threads = [threading.Thread(target=work) for _ in range(50)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(total)
""", "50\n"),
    "asyncio with a server": Program("""
import asyncio
async def serve(reader, writer):
    writer.write((await reader.readline()).upper())
    writer.close()
async def main():
    server = await asyncio.start_server(serve, '127.0.0.1', 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b'hello\\n')
    print(await reader.readline())
asyncio.run(main())
""", "b'HELLO\\n'\n"),
    "a pool of processes": Program("""
import multiprocessing
def square(n): return n * n
if __name__ == '__main__':
    with multiprocessing.Pool(3) as pool: print(sum(pool.map(square, range(100))))
""", "328350\n"),
    "100 pipelines": Program("""
import subprocess
for n in range(100):
    out = subprocess.run(f'echo {n} | cat | cat', shell=True, capture_output=True, check=True).stdout
    assert out == b'%d\\n' % n
print('all')
""", "all\n", "--timeout", "60"),
    "temporary files": Program("""
import os, tempfile
with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(dir=folder) as file:
    file.write(b'x' * 5000); file.flush()
    os.rename(file.name, file.name + '.new'); os.rename(file.name + '.new', file.name)
    with tempfile.SpooledTemporaryFile(10) as other: other.write(b'x' * 100); print(other.tell(), os.stat(file.name).st_size)
""", "100 5000\n"),
    "a database": Program("""
import sqlite3
with sqlite3.connect('data.db') as database:
    database.execute('pragma journal_mode = wal')
    database.execute('create table t (n integer)')
    database.executemany('insert into t values (?)', [(n,) for n in range(1000)])
    print(*database.execute('select sum(n) from t').fetchone())
""", "499500\n"),
    "numpy": Program("""
import numpy
print(int(numpy.linalg.norm(numpy.ones((64, 64)) @ numpy.ones((64, 64)))), numpy.random.default_rng(1).integers(10) < 10)
""", "4096 True\n", "--interpreter", "/usr/bin/python3", needs="python:numpy"),
    "matplotlib": Program("""
import matplotlib
matplotlib.use('Agg')
from matplotlib import pyplot
pyplot.plot([1, 4, 9]); pyplot.title('Squares'); pyplot.savefig('chart.png')
print(open('chart.png', 'rb').read(4))
""", "b'\\x89PNG'\n", "--interpreter", "/usr/bin/python3", "--timeout", "60", "--memory", "1G",
                          needs="python:matplotlib"),
    "node": shell("""
node -e 'const fs = require("fs"); fs.writeFileSync("a", "text");
require("http").createServer((q, a) => a.end("served")).listen(0, "127.0.0.1", function () {
  require("http").get({host: "127.0.0.1", port: this.address().port}, a => a.on("data", d => console.log(String(d), fs.readFileSync("a", "utf8")))
    .on("end", () => process.exit(0)));
});'
""", "served text\n", "--memory", "2G", needs="node"),
    "gcc": shell("""
printf '#include <stdio.h>\\n#include <math.h>\\nint main (void) { printf ("%%.2f\\\\n", sqrt (2)); }\\n' >a.c
gcc -O2 -Wall -g -o a a.c -lm && ./a
""", "1.41\n", needs="gcc"),
    "make": shell("""
printf 'all: b\\n\\t@cat b\\nb: a\\n\\t@tr a-z A-Z <a >b\\n' >Makefile
echo made >a && make -s -j 3
""", "MADE\n", needs="make"),
    "git": shell("""
git init -q -b main . && echo a >file && git add file
git -c user.name=n -c user.email=e@example.com commit -q -m first
git log --format=%s && git status --short --branch
""", "first\n## main\n?? main.sh\n", needs="git"),
    "locales": Program("""
import locale, time
locale.setlocale(locale.LC_ALL, '')
print(locale.format_string('%d', 1234, grouping=True).replace(',', ''), time.strftime('%Y', time.gmtime(0)), locale.getpreferredencoding())
""", "1234 1970 UTF-8\n"),
    "100 MB of input": Program("""
import hashlib, sys
size = 0
while data := sys.stdin.buffer.read(1 << 16): size += len(data)
print(size)
""", "100000000\n", "--timeout", "60", stdin=100_000_000),
    "signals and alarms": Program("""
import os, signal, time
seen = []
for number in (signal.SIGUSR1, signal.SIGALRM, signal.SIGTERM): signal.signal(number, lambda n, _: seen.append(n))
os.kill(os.getpid(), signal.SIGUSR1); signal.raise_signal(signal.SIGTERM); signal.alarm(1); signal.pause()
print(len(seen), signal.sigtimedwait([signal.SIGUSR2], 0.01))
""", "3 None\n"),
    "ssl": Program("""
import hashlib, hmac, secrets, ssl
context = ssl.create_default_context()
print(context.verify_mode.name, len(secrets.token_hex(4)), hmac.new(b'k', b'm', 'sha256').hexdigest()[:8], ssl.RAND_status())
""", "CERT_REQUIRED 8 b60090e3 True\n"),
    "time zones": Program("""
from datetime import datetime
from zoneinfo import ZoneInfo
print(datetime(2024, 7, 1, tzinfo=ZoneInfo('Europe/Berlin')).utcoffset())
""", "2:00:00\n", needs="/usr/share/zoneinfo/Europe/Berlin"),
    "ctypes": Program("""
import ctypes, ctypes.util
libc = ctypes.CDLL(None)
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))(lambda a, b: a[0] - b[0])
numbers = (ctypes.c_int * 3)(3, 1, 2)
libc.qsort(numbers, 3, 4, compare)
print(list(numbers), libc.strlen(b'four'), ctypes.util.find_library('m') is not None)
""", "[1, 2, 3] 4 True\n"),
    "perl": shell("""
perl -MPOSIX -MFile::Temp -MTime::HiRes -e 'my ($f, $n) = File::Temp::tempfile (); print $f "x"; close $f; printf "%d %s\\n", -s $n, floor (2.5)'
""", "1 2\n", needs=("perl", "perl:Time::HiRes")),
    "awk and sed": shell("""
seq 1000 | sed -n 's/^\\(.*\\)7$/\\1/p' | sort -n | uniq | awk '{ s += $1 } END { print s, NR }'
""", "4950 100\n", needs=("awk", "sed")),
    "process substitution": shell("""
diff <(seq 3) <(seq 2 4) | grep -c '^[<>]' || true
cat <<<"$(tee >(wc -c >count) <<<four)"; sleep 0.2; cat count
mapfile -t lines < <(seq 3); echo "${#lines[@]} ${RANDOM:+random}"
""", "2\nfour\n5\n3 random\n"),
    "a virtual environment": shell("""
python3 -m venv --without-pip place && place/bin/python -c 'import sys; print(sys.prefix.endswith("place"))'
""", "True\n", "--timeout", "60", needs=("python3", "python:venv", "python:ensurepip")),
    "archives": Program("""
import gzip, io, lzma, os, shutil, tarfile, zipfile
os.makedirs('d/e'); open('d/e/f', 'w').write('text')
for kind in ('zip', 'gztar', 'xztar'): shutil.unpack_archive(shutil.make_archive('a-' + kind, kind, 'd'), 'out-' + kind)
print(*[open(f'out-{kind}/e/f').read() for kind in ('zip', 'gztar', 'xztar')])
""", "text text text\n"),
    "tar": shell("mkdir d && seq 100 >d/f && ln -s f d/l && tar czpf d.tgz d && rm -r d && tar xzpf d.tgz && tail -n 1 d/l\n",
                 "100\n", needs=("tar", "gzip")),
    "sockets": Program("""
import socket, threading
for family, address in ((socket.AF_INET, ('127.0.0.1', 0)), (socket.AF_INET6, ('::1', 0)), (socket.AF_UNIX, 'socket')):
    with socket.socket(family) as server:
        server.bind(address); server.listen()
        threading.Thread(target=lambda: server.accept()[0].sendall(b'served')).start()
        with socket.socket(family) as client: client.connect(server.getsockname()); print(client.recv(10))
with socket.socket(type=socket.SOCK_DGRAM) as one:
    one.bind(('127.0.0.1', 0)); one.sendto(b'datagram', one.getsockname()); print(one.recv(10))
print(socket.gethostbyname('localhost'))
""", "b'served'\nb'served'\nb'served'\nb'datagram'\n127.0.0.1\n"),
    "select, poll and epoll": Program("""
import os, select, selectors
reader, writer = os.pipe(); os.write(writer, b'x')
poll, epoll = select.poll(), select.epoll(); poll.register(reader); epoll.register(reader)
print(len(select.select([reader], [], [], 1)[0]), len(poll.poll(1)), len(epoll.poll(1)), os.eventfd(1) > 0)
""", "1 1 1 True\n"),
    "memory maps": Program("""
import mmap
with open('file', 'w+b') as file:
    file.truncate(10000)
    with mmap.mmap(file.fileno(), 0) as memory: memory[5000:5004] = b'here'; memory.flush(); memory.resize(20000)
    file.seek(5000); print(file.read(4))
shared = mmap.mmap(-1, 4096); shared[0] = 7; print(shared[0])
""", "b'here'\n7\n"),
    "threads and fork": Program("""
import os, threading, time
stop = threading.Event()
threads = [threading.Thread(target=stop.wait) for _ in range(5)]
for thread in threads: thread.start()
for n in range(10):
    if os.fork() == 0: os._exit(n)
print(sum(os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(10)))
stop.set()
""", "45\n"),
    "shared memory": Program("""
from multiprocessing import shared_memory, Process, Semaphore
def work(name, semaphore):
    memory = shared_memory.SharedMemory(name); memory.buf[0] = 5; memory.close(); semaphore.release()
if __name__ == '__main__':
    memory, semaphore = shared_memory.SharedMemory(create=True, size=4096), Semaphore(0)
    child = Process(target=work, args=(memory.name, semaphore)); child.start(); semaphore.acquire(); child.join()
    print(memory.buf[0]); memory.close(); memory.unlink()
""", "5\n"),
    "its own priority": Program("""
import os, resource
before = os.nice(0)
print(os.nice(1) - before, os.getpriority(os.PRIO_PROCESS, 0) == before + 1, len(os.sched_getaffinity(0)) > 0)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1])); os.sched_yield()
""", "1 True True\n"),
    "without a terminal": Program("""
import curses, os, readline, shutil, sys
try: os.get_terminal_size()
except OSError as error: print(shutil.get_terminal_size().columns, sys.stdout.isatty())
curses.setupterm('xterm', 1)
print(curses.tigetnum('colors') > 0)
for n in range(3): print(f'\\r{n} %', end='')
print()
""", "80 False\nTrue\n\r0 %\r1 %\r2 %\n", needs=("python:readline", "python:curses")),
    "links, modes and times": Program("""
import os, pathlib, shutil
os.makedirs('a/b'); pathlib.Path('a/b/c').write_text('x'); os.symlink('b', 'a/l'); os.link('a/b/c', 'a/h')
os.chmod('a/b/c', 0o600); os.utime('a/b/c', (1, 1)); os.truncate('a/h', 0); shutil.copytree('a', 'd', symlinks=True)
print(sorted(os.listdir('d')), oct(os.stat('d/h').st_mode)[-3:], os.path.exists('/no/such/file'), os.access('/usr', os.W_OK))
shutil.rmtree('a'); os.rename('d', 'e'); print(len(list(pathlib.Path('.').rglob('*'))) > 3)
""", "['b', 'h', 'l'] 600 False False\nTrue\n"),
    "folders": Program("""
import os, pathlib, shutil
os.makedirs('a/b'); pathlib.Path('a/b/c').write_text('x'); os.symlink('b', 'a/l'); os.rename('a/b/c', 'a/c')
os.link('a/c', 'a/b/h'); shutil.move('a/b', 'd'); print(sorted(os.listdir('.'))[:2], os.stat('d/h').st_nlink); shutil.rmtree('d')
print(shutil.disk_usage('.').total > 0, len(list(pathlib.Path('.').rglob('*'))) > 2, os.path.exists('/no/such/file'))
""", "['a', 'd'] 2\nTrue True False\n"),
    "what it runs on": Program("""
import getpass, os, platform, pwd, socket, sys, sysconfig, time, uuid, warnings
print(platform.system(), os.cpu_count() > 0, pwd.getpwuid(os.getuid()).pw_name == getpass.getuser(), bool(socket.gethostname()))
print(os.path.isdir(sysconfig.get_path('stdlib')), uuid.uuid4() != uuid.uuid1(), time.tzname[0] != '', os.path.expanduser('~') != '~')
""", "Linux True True True\nTrue True True True\n"),
}

# Where something cannot work, and why: (name, tier). Without namespaces Landlock guards the user's own tree, and
# what it does not know about files and sockets is refused altogether.
NO_SOCKETS = "there are no sockets but pairs"
NO_MODES = "the modes and times of files cannot be changed"
NO_SHARED_MEMORY = "there is no folder of shared memory, in which semaphores are"
EXCEPTIONS = {
    ("asyncio with a server", "B"): NO_SOCKETS,
    ("sockets", "B"): NO_SOCKETS,
    ("node", "B"): NO_SOCKETS,
    ("a pool of processes", "B"): NO_SHARED_MEMORY,
    ("shared memory", "B"): NO_SHARED_MEMORY,
    ("gcc", "B"): NO_MODES,
    ("git", "B"): NO_MODES,
    ("a virtual environment", "B"): NO_MODES,
    ("tar", "B"): NO_MODES,
    ("links, modes and times", "B"): NO_MODES,
    ("what it runs on", "B"): "there is no list of users",
    ("matplotlib", "B"): "fontconfig sees its cache for all users there, and tries to write to it",
}

if __name__ == "__main__":
    sys.exit("everyday.py is a module of the tests")
