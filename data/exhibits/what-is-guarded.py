# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries what careless or hostile code might try, and shows the results."""

import os
import socket
import subprocess


def attempt(what, action):
    try:
        result = action()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"\033[32m✓\033[0m {what}: refused ({error})")
    else:
        print(f"\033[33m•\033[0m {what}: {result}")


attempt("list other people's homes", lambda: os.listdir("/home"))
attempt("read the password file", lambda: f"{len(open('/etc/passwd').readlines())} made-up users")
attempt("overwrite a program", lambda: open("/usr/bin/python3", "wb"))
attempt("call home", lambda: socket.create_connection(("192.0.2.1", 443), timeout=1))
attempt("become root", lambda: os.setuid(0))
attempt("see other programs", lambda: f"{sum(name.isdigit() for name in os.listdir('/proc'))} visible")
attempt("look at the environment", lambda: ", ".join(sorted(os.environ)))
attempt("write 1 GiB", lambda: os.posix_fallocate(os.open("big", os.O_CREAT | os.O_WRONLY), 0, 2**30))
attempt("start another program", lambda: subprocess.check_output(["uname", "-n"], text=True).strip())
