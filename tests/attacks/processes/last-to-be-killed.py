# SPDX-License-Identifier: GPL-3.0-or-later
# Asks to be killed last when the machine runs out of memory.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
for value in ("-1000", "-1", "0"):
    try:
        before = int(open("/proc/self/oom_score_adj", encoding="ascii").read())
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write(value)
        if int(value) < before:
            print("SUCCEEDED")
    except OSError as error:
        print(error)
print("STOPPED")
