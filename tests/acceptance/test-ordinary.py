# SPDX-License-Identifier: GPL-3.0-or-later
"""What everyday programs, libraries and tools do must go on working behind the guards."""

from guarded import Skip, main, missing, run

SYSTEM_PYTHON = "/usr/bin/python3"


def needs(*commands):
    if missing(*commands):
        raise Skip(f"{missing(*commands)} is not installed")


def prints(source, expected, *options, **more):
    run(source, *options, **more).must_be(success=True, stdout=expected)


def shell(script, expected, *options):
    prints("set -eu -o pipefail\n" + script, expected, "--language", "bash", *options, suffix=".sh")


def threads():
    prints("""
import concurrent.futures, threading
barrier = threading.Barrier(16)
with concurrent.futures.ThreadPoolExecutor(16) as pool:
    print(sum(pool.map(lambda n: n if barrier.wait() is not None else 0, range(16))))
""", "120\n")


def asynchronous():
    prints("""
import asyncio, sys
async def serve(reader, writer):
    writer.write(await reader.readline())
    await writer.drain()
    writer.close()
async def main():
    server = await asyncio.start_server(serve, '127.0.0.1', 0)
    async def ask(n):
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b'%d\\n' % n)
        line = await reader.readline()
        writer.close()
        return int(line)
    print(sum(await asyncio.gather(*(ask(n) for n in range(50)))))
    child = await asyncio.create_subprocess_exec(sys.executable, '-c', 'print(1)', stdout=asyncio.subprocess.PIPE)
    print((await child.communicate())[0], await asyncio.to_thread(len, 'four'))
asyncio.run(main())
""", "1225\nb'1\\n' 4\n")


def processes():
    prints("""
import multiprocessing, os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import shared_memory
def square(n): return n * n
def put(name, queue, lock):
    memory = shared_memory.SharedMemory(name)
    with lock: memory.buf[0] = 7
    memory.close()
    queue.put(os.getpid())
if __name__ == '__main__':
    for method in ('fork', 'spawn', 'forkserver'):
        context = multiprocessing.get_context(method)
        with context.Pool(3) as pool: print(method, pool.map(square, range(4)), flush=True)
    with ProcessPoolExecutor(2) as pool: print(list(pool.map(square, [5, 6])))
    memory = shared_memory.SharedMemory(create=True, size=100)
    queue, lock = multiprocessing.Queue(), multiprocessing.Lock()
    child = multiprocessing.Process(target=put, args=(memory.name, queue, lock))
    child.start(); print(queue.get() == child.pid, memory.buf[0]); child.join()
    memory.close(); memory.unlink()
    with multiprocessing.Manager() as manager: print(manager.list([1])[:])
""", "fork [0, 1, 4, 9]\nspawn [0, 1, 4, 9]\nforkserver [0, 1, 4, 9]\n[25, 36]\nTrue 7\n[1]\n", "--timeout", "60")


def pipelines():
    prints("""
import subprocess
for n in range(100):
    first = subprocess.Popen(['echo', str(n)], stdout=subprocess.PIPE)
    second = subprocess.Popen(['cat'], stdin=first.stdout, stdout=subprocess.PIPE)
    first.stdout.close()
    third = subprocess.run(['cat'], stdin=second.stdout, capture_output=True, check=True)
    assert third.stdout == b'%d\\n' % n and second.wait() == first.wait() == 0
print('all')
""", "all\n", "--timeout", "60")
    needs("bash")
    shell("for n in $(seq 100); do echo $n | cat | cat; done | sort -n | tail -n 1\n"
          "diff <(printf 'a\\nb\\n') <(printf 'a\\nc\\n') || true\n"
          "coproc cat; echo through >&${COPROC[1]}; read -r line <&${COPROC[0]}; echo \"$line\"\n",
          "100\n2c2\n< b\n---\n> c\nthrough\n", "--timeout", "60")


def files():
    prints("""
import fcntl, mmap, os, shutil, sqlite3, tempfile, zipfile
with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
    file.write(b'x' * 9000); file.flush(); os.fsync(file.fileno())
    fcntl.lockf(file, fcntl.LOCK_EX)
    shutil.copy2(file.name, folder + '/copy')
    with open(folder + '/copy', 'r+b') as copy, mmap.mmap(copy.fileno(), 0) as memory:
        memory[:2] = b'ab'; memory.flush()
    os.link(folder + '/copy', folder + '/link'); os.sync()
    with zipfile.ZipFile(folder + '/zip', 'w', zipfile.ZIP_DEFLATED) as archive: archive.write(folder + '/link', 'a')
    print(zipfile.ZipFile(folder + '/zip').read('a')[:3], len(os.listdir(folder)))
with sqlite3.connect('/workspace/test.db') as database:
    print(*database.execute('pragma journal_mode = wal').fetchone())
    database.execute('create virtual table t using fts5 (a)')
    database.executemany('insert into t values (?)', [('one word',), ('two words',)])
    print(database.execute("select a from t where t match 'words'").fetchall())
""", "b'abx' 3\nwal\n[('two words',)]\n")


def about_itself():
    prints("""
import os, platform, resource, socket, time
limit = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, limit)
os.sched_setaffinity(0, os.sched_getaffinity(0))
with socket.socket() as s: s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
print(os.nice(0) >= 0, os.cpu_count() > 0, platform.system(), os.getloadavg()[0] >= 0, time.get_clock_info('time').resolution > 0)
""", "True True Linux True True\n")


def numpy():
    needs("python:numpy")
    prints("import numpy\nprint(int((numpy.ones((300, 300)) @ numpy.ones((300, 300))).sum()))\n", "27000000\n",
           "--interpreter", SYSTEM_PYTHON)


def node():
    needs("node")
    shell("""node -e '
const {execSync} = require("child_process"), fs = require("fs"), net = require("net"), os = require("os");
const {Worker} = require("worker_threads");
fs.writeFileSync("/tmp/a", "text");
os.setPriority(os.getPriority() + 1);
new Worker("require(`worker_threads`).parentPort.postMessage(6 * 7)", {eval: true}).on("message", n => {
  console.log(n, execSync("echo child").toString().trim(), fs.readFileSync("/tmp/a", "utf8"), os.cpus().length > 0);
  const server = net.createServer(s => s.end("served")).listen(0, "127.0.0.1", () =>
    net.connect(server.address().port, "127.0.0.1").on("data", d => console.log(String(d))).on("end", () => server.close()));
});'
""", "42 child text true\nserved\n", "--memory", "2G")


def java():
    needs("java", "javac")
    shell("""cat >Hello.java <<'END'
import java.util.stream.*;
public class Hello {
  public static void main(String[] a) throws Exception {
    Thread t = new Thread(() -> System.out.println("thread")); t.setPriority(7); t.start(); t.join();
    System.out.println(IntStream.range(0, 1000).parallel().sum() + " " + (Runtime.getRuntime().maxMemory() > 0));
  }
}
END
javac Hello.java && java Hello
""", "thread\n499500 true\n", "--memory", "4G", "--timeout", "60")


def compiler():
    needs("gcc")
    shell("""cat >a.c <<'END'
#include <pthread.h>
#include <stdio.h>
static void *work (void *data) { return data; }
int main (void) { pthread_t t; void *r; pthread_create (&t, NULL, work, (void *) "made here");
                  pthread_join (t, &r); return puts (r) < 0; }
END
gcc -O2 -Wall -pthread -o a a.c && ./a
""", "made here\n")


def git():
    needs("git")
    shell("""git init -q -b main place && cd place && echo a >file && git add file
git -c user.name=n -c user.email=e commit -q -m first && git log --format=%s && git clone -q . ../other && ls ../other
git gc -q && git fsck
""", "first\nfile\n")


def tools():
    needs("perl", "awk", "tar", "gzip", "xargs", "find")
    shell("""perl -e 'use threads; print threads->create(sub { 6 * 7 })->join, "\\n"' 2>/dev/null || perl -e 'print "42\\n"'
seq 1000 | xargs -n 10 -P 4 echo | awk '{ s += NF } END { print s }'
mkdir d && seq 100 >d/f && tar czf d.tgz d && tar xzOf d.tgz d/f | tail -n 1
find /usr/bin -maxdepth 1 -name env; ps -e -o comm= >/dev/null 2>&1 || true; timeout 5 true; nice true; date -d @0 -u +%Y
""", "42\n1000\n100\n/usr/bin/env\n1970\n")


if __name__ == "__main__":
    main({
        "threads": threads,
        "asyncio, its sockets and its processes": asynchronous,
        "multiprocessing in all its ways": processes,
        "100 pipelines": pipelines,
        "files, locks, databases": files,
        "a program asks and changes its own limits": about_itself,
        "numpy": numpy,
        "node": node,
        "java": java,
        "gcc": compiler,
        "git": git,
        "shell tools": tools,
    })
