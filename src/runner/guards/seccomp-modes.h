/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The filter for modes: in a container the guest may write into folders of the user's that are
 * bound there, and no engine can bind them "nosuid". A program that it left there with the
 * set-user-ID bit would be the user himself, or root, for everybody on this computer who starts
 * it. So no file gets that bit or its sister for groups; inside they would be without effect,
 * because of no_new_privs.
 */
#pragma once

/* In the process that becomes the guest. Returns 0 or a negative errno. */
int seccomp_modes_enter (void);
