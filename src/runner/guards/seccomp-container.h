/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two filters for the guest in a container.
 *
 * Modes: the guest may write to bound folders of the user, and engines cannot bind them "nosuid". A
 * set-user-ID program left there would run as the user, or as root, for everyone on this computer
 * who starts it. So no file gets the set-user-ID or set-group-ID bit; inside they would have no
 * effect, because of no_new_privs.
 *
 * Peers: the runner and its init run beside the guest as the same user, so the kernel would let the
 * guest stop or kill them or change their scheduling. This filter applies to the guest only and
 * refuses that for these two process ids; all other processes are the guest's own. The kernel
 * itself drops signals to the container's first process.
 *
 * If the guest kills the runner anyway, or that of another run in a kept container, it gains
 * nothing: the run ends as an error, and kept-container.c kills what is left.
 */
#pragma once

#include "setup-state.h"

/* In the guest's process, whose parent is init. Returns 0 or a negative errno. */
int seccomp_container_enter (const struct setup *setup);
