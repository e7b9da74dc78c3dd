/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Init: the sandbox's first process, pid 1 inside. It sets the sandbox up, starts the guest, reaps
 * what is orphaned and tells the supervisor how the guest's main process ended. When it goes, the
 * kernel kills everything else; it goes when the supervisor kills it, when the runner dies, or by
 * itself once the main process ended, after a moment if others are left.
 *
 * The kernel does not deliver to pid 1 what another process of its namespace sends, so nothing
 * inside can stop or kill it.
 */
#pragma once

#include "setup.h"

_Noreturn void init_main (struct setup *setup);
