/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proxy's own sandbox. It runs in the host's network and reads what a hostile program sends. An
 * attacker who takes it over gets a process that can look up names and connect to a few ports, but
 * cannot write or execute a file, nor read one of the user's.
 *
 * Without Landlock the rest still holds: a list of the system calls that it may make.
 */
#pragma once

/* Returns 0 or a negative errno. */
int confinement_apply (void);
