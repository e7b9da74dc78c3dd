/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * /dev and /proc inside: the few devices that programs cannot do without, and a process listing
 * of the sandbox alone, whose files about the machine are covered.
 */
#pragma once

#include "setup.h"

int devices_apply (struct setup *setup);
/* Leaves /proc writable, because the limits are written there next. */
int proc_apply (struct setup *setup);
int proc_make_read_only (struct setup *setup);

/* What there is in /dev and what is covered in /proc, for those who make them in another way. All
 * end with NULL. */
struct devices_link
{
  const char *target;
  const char *name; /* without the first slash */
};
extern const char *const devices_nodes[];
extern const struct devices_link devices_links[];
extern const char *const devices_covered_files[];
extern const char *const devices_covered_folders[];
