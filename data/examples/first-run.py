# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks around as curious code would, and prints what it finds behind the guards."""

import os
import socket
import sys


def attempt(what, action):
    """Tries something and prints the result."""
    try:
        print(f"  {what}: {action()}")
    except OSError as error:
        print(f"  {what}: \033[31m{error.strerror or error}\033[0m")


def home_folders():
    return ", ".join(os.listdir("/home")) or "nothing there"


def connect():
    with socket.create_connection(("192.0.2.1", 80), timeout=1):
        return "connected"


def keep_a_note():
    with open("note.txt", "w", encoding="utf-8") as note:
        return f"{note.write('hello')} characters written to {os.getcwd()}"


print(f"Hello from \033[1mPython {sys.version.split()[0]}\033[0m, process {os.getpid()} in this sandbox.")
print("What can I reach from here?")
attempt("the homes of people", home_folders)
attempt("an SSH key", lambda: open(os.path.expanduser("~/.ssh/id_rsa"), encoding="utf-8").read())
attempt("the network", connect)
attempt("a file of my own", keep_a_note)
print("Done.", file=sys.stderr)
