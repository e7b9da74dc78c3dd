# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks for tier B that are left out in the app as a Flatpak, and attempts that are not reported there; and why."""

import sys

OF_THE_HOST = "the app may not see the interpreters of this computer, only those of its runtime"

LEFT_OUT = {
    "files-read/secrets-beside-the-environment": OF_THE_HOST,
    "host-services/pipe-in-environment": OF_THE_HOST,
    "host-services/socket-deep-in-environment": OF_THE_HOST,
    "host-services/socket-made-later": OF_THE_HOST,
}

# What Flatpak's own filter refuses without a word: no attempt can be reported.
REFUSED_BY_FLATPAK = {
    "acct", "add_key", "chroot", "clone", "clone3", "fsmount", "fsopen", "fspick", "fsconfig", "get_mempolicy", "ioctl",
    "keyctl", "mbind", "migrate_pages", "modify_ldt", "mount", "mount_setattr", "move_mount", "move_pages", "open_tree",
    "perf_event_open", "personality", "pivot_root", "ptrace", "quotactl", "request_key", "set_mempolicy", "setns",
    "socket", "syslog", "umount2", "unshare", "uselib",
}

if __name__ == "__main__":
    sys.exit("attacks_elsewhere.py is a module of the tests")
