/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Landlock: the second guard over files, which holds even if something is wrong with the mounts;
 * landlock(7). It also keeps the guest from sockets and signals outside.
 */
#pragma once

#include "setup.h"

/* Sets setup->landlock_abi, to 0 when this kernel has no Landlock, which is no fault here. */
int landlock_apply (struct setup *setup);
