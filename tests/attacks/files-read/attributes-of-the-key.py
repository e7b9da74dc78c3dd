# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the extended attributes of a private key without opening it.
#
# baseline: may not every file system has them
# arguments: home
# expect-status: ok
# expect-attempt: any
# expect-attempt-B: filesystem read attributes of */.ssh/id_rsa denied
# tiers: A A2 B
import ctypes
import os
import sys

AT_FDCWD, GETXATTRAT, LISTXATTRAT, FILE_GETATTR = -100, 464, 465, 468
key = os.fsencode(sys.argv[1] + "/.ssh/id_rsa")
libc = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(1000)


class Arguments(ctypes.Structure):
    _fields_ = [("value", ctypes.c_uint64), ("size", ctypes.c_uint32), ("flags", ctypes.c_uint32)]


handle = os.open("/usr", os.O_RDONLY)
try:
    handle = os.open(key, os.O_PATH)
except OSError as error:
    print(error)
arguments = Arguments(ctypes.addressof(room), 1000, 0)
answers = [libc.listxattr(path, room, 1000) for path in (key, b"/proc/self/fd/%d" % handle)]
answers += [libc.getxattr(path, b"user.note", room, 1000) for path in (key, b"/proc/self/fd/%d" % handle)]
answers += [libc.llistxattr(key, room, 1000), libc.lgetxattr(key, b"user.note", room, 1000),
            libc.flistxattr(handle, room, 1000), libc.fgetxattr(handle, b"user.note", room, 1000),
            libc.syscall(LISTXATTRAT, AT_FDCWD, key, 0, room, 1000),
            libc.syscall(GETXATTRAT, AT_FDCWD, key, 0, b"user.note", ctypes.byref(arguments), 16)]
# Whether it may be changed at all, how it is stored.
answers.append(libc.syscall(FILE_GETATTR, AT_FDCWD, key, room, 24, 0) + 1)
print(answers, room.raw.rstrip(b"\0"))
print("SUCCEEDED" if max(answers) > 0 else "STOPPED")
