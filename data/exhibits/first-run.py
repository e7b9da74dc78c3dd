# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks around as curious code would."""

import os
import socket
import sys

BOLD, RED, PLAIN = "\033[1m", "\033[31m", "\033[0m"


def attempt(what, action):
    """Tries something and prints the result."""
    try:
        result = action()
    except OSError as error:
        reason = error.strerror or error
        result = f"{RED}{reason}{PLAIN}"
    print(f"  {what}: {result}")


def list_homes():
    names = os.listdir("/home")
    return ", ".join(names) or "nothing there"


def read_key():
    path = os.path.expanduser("~/.ssh/id_rsa")
    with open(path) as key:
        return key.read()


def connect():
    address = ("192.0.2.1", 80)
    with socket.create_connection(address, 1):
        return "connected"


def keep_a_note():
    with open("note.txt", "w") as note:
        note.write("hello")
    return f"written to {os.getcwd()}"


version = sys.version.split()[0]
print(f"Hello from {BOLD}Python {version}{PLAIN}!")
print("What can I reach from here?")
attempt("the homes of people", list_homes)
attempt("an SSH key", read_key)
attempt("the network", connect)
attempt("a file of my own", keep_a_note)
print("Done.")
