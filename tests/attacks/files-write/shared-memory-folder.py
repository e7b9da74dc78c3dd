# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves a file in the folder of shared memory, where the next run would find it.
#
# baseline: works
# mark: /dev/shm/fumehood-attack-mark
# expect-status: ok failed
# expect-attempt: any
# tiers: A A2 B
with open("/dev/shm/fumehood-attack-mark", "w", encoding="ascii") as file:
    file.write("evil")
