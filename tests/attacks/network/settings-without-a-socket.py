# SPDX-License-Identifier: GPL-3.0-or-later
# Changes its network without making a socket: by the files of /proc, and by the sockets that it has from the beginning.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import fcntl
import os
import stat
import struct

INTERFACE = b"lo".ljust(16, b"\0")
REQUESTS = {
    0x8914: INTERFACE + struct.pack("H", 0),                                            # SIOCSIFFLAGS
    0x8916: INTERFACE + struct.pack("H2s4s", 2, b"", bytes([127, 0, 0, 9])),            # SIOCSIFADDR
    0x8922: INTERFACE + struct.pack("i", 999),                                          # SIOCSIFMTU
    0x8923: INTERFACE + b"other".ljust(16, b"\0"),                                      # SIOCSIFNAME
    0x8931: INTERFACE,                                                                  # SIOCADDMULTI
    0x8943: INTERFACE + struct.pack("i", 7),                                            # SIOCSIFTXQLEN
    0x890b: b"", 0x8955: b"", 0x89a0: b"bridge", 0x8983: b"", 0x89f0: INTERFACE,        # routes, neighbours, bridges, tunnels
}


def writes(path):
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        return True
    except OSError:
        return False


def asks(handle, number, argument):
    try:
        fcntl.ioctl(handle, number, argument.ljust(256, b"\0"))
        return True
    except OSError:
        return False


done = [os.path.join(folder, name) for top in ("/proc/sys/net", "/proc/self/net", "/proc/1/net", "/sys/class/net")
        for folder, _, names in os.walk(top) for name in names if writes(os.path.join(folder, name))]
for handle in range(1024):
    try:
        if stat.S_ISSOCK(os.fstat(handle).st_mode):
            done += [hex(number) for number, argument in REQUESTS.items() if asks(handle, number, argument)]
    except OSError:
        pass
print(done)
print("SUCCEEDED" if done else "STOPPED")
