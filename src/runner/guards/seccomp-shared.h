/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The filter for shared namespaces: what the guest could do to the user's other programs and files
 * if nothing but Landlock stood between them, as a second program besides that of seccomp-filter.h.
 * It is no guard of its own with a switch: without it the guards of files, network and processes
 * would not hold.
 */
#pragma once

#include "setup.h"

/* With namespaces there is little to do: see the network that is the user's, in older kernels. In a
 * container, only what the system call filter does as well, if that one is switched off. */
int seccomp_shared_apply (struct setup *setup);
/* In the process that becomes the guest: no signals where nothing keeps them inside, and in a
 * container none to its peers, and no files that are programs of somebody else. Init has to send
 * some, and to end everybody when the runner is gone. */
int seccomp_shared_enter (const struct setup *setup);
