/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the guest inherits besides its environment: descriptors and signal dispositions.
 */
#pragma once

#include "setup.h"

/* Pipes on 0 to 2, the guest channel on 3 if there is one, the status socket on SETUP_STATUS_FD,
 * nothing else. */
int descriptors_apply (struct setup *setup);

/* Has the kernel kill this process when the runner dies, however it dies; prctl (2),
 * PR_SET_PDEATHSIG. */
/* What the supervisor is handed out, opened before the system call filter has a say in it. */
int descriptors_open_handles (struct setup *setup);
int lifeline_apply (struct setup *setup);

/* Without a pid namespace: this process takes in the orphans, and outlives the runner until it has
 * killed everybody; prctl (2), PR_SET_CHILD_SUBREAPER. */
int orphans_apply (struct setup *setup);

/* In the process that becomes the guest, last thing before execve: default signals, and no
 * descriptor above `last` survives the execve. Returns 0 or a negative errno. */
int descriptors_hand_over (unsigned int last);
