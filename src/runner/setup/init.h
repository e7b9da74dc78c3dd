/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Init: the sandbox's first process, pid 1 inside. It sets the sandbox up, starts the guest, reaps
 * orphans and reports how the guest's main process ended. When init exits, the kernel kills
 * everything else. It exits when the supervisor kills it, when the runner dies, or after the main
 * process ended; if others are left then, a moment later.
 *
 * The kernel delivers no signals to pid 1 from its own namespace, so nothing inside can stop or
 * kill it.
 */
#pragma once

#include "setup.h"

_Noreturn void init_main (struct setup *setup);
/* The same in a child of a warm interpreter; returns in the guest, which is a copy of that. */
void init_fork (struct setup *setup);
