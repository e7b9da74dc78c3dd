/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the guest inherits: descriptors and signal dispositions.
 */
#pragma once

#include "setup-state.h"

/* Pipes on 0 to 2, the guest channel on 3 if there is one, the status socket on SETUP_STATUS_FD;
 * closes everything else. */
int descriptors_apply (struct setup *setup);

/* Makes the kernel kill this process when the runner dies for any reason; prctl (2),
 * PR_SET_PDEATHSIG. */
/* Opens what the supervisor gets, before the system call filter applies. */
int descriptors_open_handles (struct setup *setup);
int lifeline_apply (struct setup *setup);

/* Without a pid namespace: this process adopts orphans and outlives the runner until it has killed
 * them all; prctl (2), PR_SET_CHILD_SUBREAPER. */
int orphans_apply (struct setup *setup);

/* In the guest's process: unblocks signals, and keeps no descriptors above `last`. Unless the guest
 * is forked, execve follows, and also resets what signals do. Returns 0 or a negative errno. */
int descriptors_hand_over (unsigned int last, bool is_forked);
