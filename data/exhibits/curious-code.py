# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks for keys, calls home and changes files.

Run it, then open “Attempts” beside the output: it lists what the
code tried, and the result. It does no harm.
"""

import os
import socket
import subprocess

HOME = os.path.expanduser("~")


def attempt(what, function, *arguments):
    """Tries something and prints whether it worked."""
    try:
        function(*arguments)
        print(f"  yes  {what}")
    except OSError as error:
        print(f"  no   {what}: {error.strerror or error}")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path):
    with open(path, "w", encoding="utf-8") as file:
        file.write("I was here.\n")


def connect(address):
    with socket.create_connection(address, timeout=2):
        pass


print("Looking for keys")
attempt("read the SSH key", read, f"{HOME}/.ssh/id_rsa")
attempt("read the password hashes", read, "/etc/shadow")

print("Calling home")
attempt("look up a name", socket.getaddrinfo, "key.example.com", 443)
attempt("connect to 1.1.1.1", connect, ("1.1.1.1", 443))

print("Changing things")
attempt("replace a system program", write, "/usr/bin/python3")
attempt("leave a note in the workspace", write, "note.txt")

print("Starting programs")
attempt("start three of them", lambda: [subprocess.run(["true"], check=True) for _ in range(3)])
