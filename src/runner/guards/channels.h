/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Channels: the host's sockets and named pipes in folders that the guest sees. A read-only mount
 * does not prevent their use. If a folder could get a file system of its own, its sockets and pipes
 * lead nowhere, see mounts_overlay. If not, there must be none when the guest starts, and the guard
 * reports that some may be made later. From ABI 9 on, Linux 7.1, Landlock refuses those as well.
 */
#pragma once

#include "setup-state.h"

/* Searches the whole tree. -ENOTEMPTY if there is one. */
int channels_refuse (struct setup *setup);
/* -ENOTSUP if the guest could use those that are made later. */
int channels_are_separate (struct setup *setup);
