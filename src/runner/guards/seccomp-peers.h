/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The filter for peers: in a container the runner and its init live among the guest's processes and
 * under the same user, so the kernel would let the guest stop them, end them or change how they
 * run. It is put on the guest alone, and refuses that for these two, by their numbers; everybody
 * else in there is the guest's to signal. The kernel itself keeps all signals from the first
 * process.
 *
 * A program that ends the runner all the same, or some other one that lives in a container that is
 * kept, gains nothing: the run then ends as an error, and container-keep.c kills what is left of
 * it.
 */
#pragma once

#include "setup.h"

/* In the process that becomes the guest, whose parent is init. Returns 0 or a negative errno. */
int seccomp_peers_enter (const struct setup *setup);
