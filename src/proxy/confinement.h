/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proxy's own sandbox. It stands in the host's network and reads what a hostile program sends;
 * whoever took it over would find a process that can look names up and connect to a few ports, and
 * that can neither write nor execute a file, nor read one of the user's.
 *
 * Where the kernel has no Landlock the rest still holds.
 */
#pragma once

/* Returns 0 or a negative errno. */
int confinement_apply (void);
