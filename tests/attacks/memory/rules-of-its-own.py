# SPDX-License-Identifier: GPL-3.0-or-later
# Makes Landlock rulesets of hundreds of thousands of rules, in memory that is charged to no process.
#
# baseline: may kernels before Linux 6.7 do not have them
# expect-status: ok
# expect-attempt: none
# machine: x86_64
# tiers: A A2 B
import ctypes
import struct

SYS_landlock_create_ruleset, SYS_landlock_add_rule, RULE_NET_PORT, BIND_TCP = 444, 445, 2, 1
libc = ctypes.CDLL(None, use_errno=True)
attributes = struct.pack("QQ", 0, BIND_TCP)
rules = 0
for _ in range(4):
    ruleset = libc.syscall(SYS_landlock_create_ruleset, attributes, 16, 0)
    for port in range(65536 if ruleset >= 0 else 0):
        rules += libc.syscall(SYS_landlock_add_rule, ruleset, RULE_NET_PORT, struct.pack("QQ", BIND_TCP, port), 0) == 0
print(rules, ctypes.get_errno())
print("SUCCEEDED" if rules > 0 else "STOPPED")
