# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores a key in the kernel's keyring, where it would outlive the program."""

import ctypes
import os

ADD_KEY = 217 if os.uname().machine == "aarch64" else 248
KEY_SPEC_PROCESS_KEYRING = -2

libc = ctypes.CDLL(None, use_errno=True)
key = libc.syscall(ADD_KEY, b"user", b"exhibit", b"payload", 7, KEY_SPEC_PROCESS_KEYRING)
print(f"It worked: key {key}" if key >= 0 else f"Stopped: {os.strerror(ctypes.get_errno())}")
