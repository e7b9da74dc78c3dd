/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * /etc inside: a few of the host's files that programs need, by name, and generated ones instead of
 * those that describe the user and the machine.
 */
#pragma once

#include "setup-state.h"

/* A generated file. */
struct etc_file
{
  const char *name;
  const char *text;
  bool is_of_network; /* replaced by the host's if the network is the host's */
};

extern const struct etc_file etc_files_made[]; /* ends with a NULL name */
/* Visible files of the host, NULL-terminated; folders with a version in their name are in the
 * plan. */
extern const char *const etc_files_of_host[];

int etc_files_apply (struct setup *setup);
/* Finds the folders of /etc with a version in their name, before there is a sandbox. */
void etc_files_find_folders (struct plan *plan);
