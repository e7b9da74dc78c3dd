/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * /etc inside: a handful of the host's files, chosen by name because programs do not work without
 * them, and synthetic ones in place of those that would tell about the user and the machine.
 */
#pragma once

#include "setup.h"

/* Those that are made up. */
struct etc_file
{
  const char *name;
  const char *text;
  bool is_of_network; /* the host's own stands in for it where the network is the host's */
};

extern const struct etc_file etc_files_made[]; /* ends with a name of NULL */
/* Those of the host that are shown, NULL-terminated; folders with a version in their name are in
 * the plan. */
extern const char *const etc_files_of_host[];

int etc_files_apply (struct setup *setup);
/* Finds the folders of /etc that carry a version in their name; before the sandbox exists. */
void etc_files_find_folders (struct plan *plan);
