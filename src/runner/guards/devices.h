/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * /dev and /proc inside: the devices that programs need, a process list of the sandbox only, and
 * the few files about the machine that programs need.
 */
#pragma once

#include "setup-state.h"

int devices_apply (struct setup *setup);
/* Leaves /proc writable, because the limits are written there next. */
int proc_apply (struct setup *setup);
/* With nothing covered: where a part is, no process can mount a /proc of its own. */
int proc_apply_open (struct setup *setup);
int proc_make_read_only (struct setup *setup);

/* The contents of /dev and what is covered in /proc, for other ways to build them. The lists end
 * with NULL. */
struct devices_link
{
  const char *target;
  const char *name; /* without the leading slash */
};
extern const char *const devices_nodes[];
extern const struct devices_link devices_links[];
extern const char *const devices_covered_settings[];
/* True if an entry of a /proc must be covered by something empty: everything except processes, what
 * programs need, and what is readable by root only. */
bool devices_is_covered (int proc, const char *name, bool is_root, bool *is_folder);
