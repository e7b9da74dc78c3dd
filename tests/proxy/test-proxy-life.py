# SPDX-License-Identifier: GPL-3.0-or-later
"""The proxy as a process: it lives as long as its run, is confined, and is reported."""

import errno
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile

import proxied
import small_internet
import wire
from proxied import PRELUDE, browse
from sandboxed import PROGRAM, ended, prints, python, start
from tap import PATIENCE, equal, must, until

# With what programs use; curl is not everywhere.
FETCH = """
import shutil, subprocess, urllib.error, urllib.request
for name in 'allowed', 'other':
    try:
        print(urllib.request.urlopen(f'http://{name}.example/').status)
    except urllib.error.HTTPError as error:
        print(error.code)
if shutil.which('curl'):
    print(subprocess.check_output(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}',
                                   'http://allowed.example/'], text=True))
else:
    print(200)
"""


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def proxy_of(runner):
    return until(lambda: [pid for pid in children(runner.process.pid) if name_of(pid) == "fumehood-proxy"], "the proxy")[0]


def is_gone(pid):
    """Whether a process can do nothing any more. The kernel takes its memory before it closes its files, and makes it
    a zombie only after that: do_exit() in kernel/exit.c. The runner waits until the files are closed."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            return "\nVmSize:" not in file.read()
    except OSError:
        return True


WAITING = PRELUDE + r"""
s = socket.create_connection(('127.0.0.1', 3128))
s.sendall(b'CONNECT allowed.example:443 HTTP/1.1\r\n\r\n')
print(s.recv(1000)[9:12].decode(), flush=True)
"""


def waiting_run(code="time.sleep(600)"):
    runner = start([sys.executable, "-c", WAITING + code], allow_hosts=["allowed.example"],
                   flags=wire.INPUT_STAYS, wall_ms=100000)
    runner.wait_until(lambda result: result.stdout)
    proxy = proxy_of(runner)
    processes = [proxy, *children(proxy)]
    equal([is_gone(pid) for pid in processes], [False, False], "which of the proxy's processes are gone")
    return runner, processes


def test_nothing_survives_the_run():
    runner, processes = waiting_run("input(); os._exit(0)")
    runner.send(wire.input_pieces(b"\n"))
    ended(runner.finish(), "exited", exit_code=0)
    must(all(is_gone(pid) for pid in processes), "the proxy has survived")


def test_nothing_survives_a_stop():
    runner, processes = waiting_run()
    runner.stop()
    runner.stop()
    ended(runner.finish(), "stopped")
    must(all(is_gone(pid) for pid in processes), "the proxy has survived")


def test_nothing_survives_the_runner():
    runner, processes = waiting_run()
    runner.kill()
    until(lambda: all(is_gone(pid) for pid in processes), "the end of the proxy")
    runner.process.communicate()


def test_a_proxy_that_dies_takes_only_the_network_along():
    runner, processes = waiting_run("""
print(s.recv(1000), flush=True)
try:
    socket.create_connection(('127.0.0.1', 3128))
    print('connected')
except ConnectionRefusedError:
    print('refused')
""")
    os.kill(processes[0], signal.SIGKILL)
    result = runner.finish()
    prints(result, "200\nb''\nrefused\n")
    must(all(is_gone(pid) for pid in processes), "the proxy has survived")


def test_the_proxy_is_confined():
    runner, processes = waiting_run()
    for pid in processes:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        equal((status["NoNewPrivs"], status["Seccomp"], int(status["CapEff"], 16)), ("1", "2", 0),
              "confinement")
        equal(os.access(f"/proc/{pid}/mem", os.R_OK) and os.listdir(f"/proc/{pid}/fd"), False,
              "what others see of it")
    runner.stop()
    runner.stop()
    ended(runner.finish(), "stopped")


def test_guard_report():
    equal(browse("pass").guards["network"],
          ("active", "network namespace, loopback only, DNS sink, socket families, "
           "proxy for 1 host", "allowed-hosts"), "guard")
    must("proxy for 2 hosts" in browse("pass", ["a.example", "b.example"]).guards["network"][1],
         "hosts are counted")
    failing = browse("print(1)", runner_env=dict(os.environ, FH_RUNNER_FAIL_STEP="proxy-listener"))
    if failing.guards["network"][0] != "active":
        equal(failing.guards["network"][::2], ("degraded", "no-proxy"), "guard")
        prints(failing, "1\n")


def test_without_the_guard_there_is_no_proxy():
    result = python("import socket; print(socket.socket().connect_ex(('127.0.0.1', 3128)) != 0)",
                    allow_hosts=["allowed.example"], without=["network"])
    prints(result, "True\n")


def test_from_the_command_line():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fetch.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(FETCH)
        answer = subprocess.run(
            [os.environ["FH_CTL"], "run", "--json", "--allow-host", "Allowed.example", path],
            env={**os.environ, "HOME": folder, "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    result = json.loads(answer.stdout)
    equal(result["stdout"], "200\n403\n200\n", f"output: {answer.stderr}")
    found = {(a["operation"], a["object"], a["verdict"]) for a in result["attempts"]}
    must({("use proxy for", "allowed.example:80", "observed"),
          ("use proxy for", "other.example:80", "denied")} <= found, f"{found}")


def test_a_proxy_that_is_missing():
    with tempfile.TemporaryDirectory() as folder:
        runner = shutil.copy(PROGRAM, folder)
        result = wire.run(runner, ["/bin/echo", "it ran"], allow_hosts=["allowed.example"])
        equal((result.status, result.step, result.error, result.started),
              ("setup-failed", "proxy", errno.ENOENT, False), f"{result}")
        ended(wire.run(runner, ["/bin/true"]), "exited", exit_code=0)


def test_https():
    with tempfile.TemporaryDirectory() as folder:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*proxied.make_certificate(folder))

    def answer(client):
        with context.wrap_socket(client, server_side=True) as secure:
            return proxied.answer_http(secure)

    proxied.Server(small_internet.PUBLIC_6, 443, answer)
    result = browse(r"""
import ssl, urllib.request
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
print(len(urllib.request.urlopen('https://six.example/big', context=context).read()))
""", ["six.example"])
    prints(result, f"{len(proxied.BIG)}\n")
    equal(proxied.requests(result), {"six.example:443": "observed"}, "requests")


def test_it_is_of_no_use_by_hand():
    program = os.path.join(os.path.dirname(os.environ["FH_RUNNER"]), "../proxy/fumehood-proxy")
    for arguments, code, text in ((["--help"], 0, "Usage: fumehood-proxy"),
                                  (["--version"], 0, "fumehood-proxy "),
                                  ([], 2, "no sockets"), (["a.example"], 2, "no sockets")):
        answer = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        equal((answer.returncode, text in answer.stdout), (code, True), f"{arguments}")


def test_decoys_have_heard_nothing():
    proxied.decoys_have_heard_nothing()


if __name__ == "__main__":
    sys.exit(proxied.main(__name__))
