/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run folder: where a program writes that has no filesystem of its own. It is made anew for
 * each run, nobody but the user can enter it, and all of it is removed when the run is over:
 *
 *   fumehood-run-…/workspace   what is /workspace in other sandboxes
 *   fumehood-run-…/tmp         what is /tmp there
 *
 * It is locked while it is in use, so that one which a killed runner has left behind can be told
 * from one that is needed, and is removed by the next run.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

struct setup;

struct run_folder
{
  bool is_made;
  char path[PATH_MAX];
  char workspace[PATH_MAX];
  char tmp[PATH_MAX];
  int base; /* the folder that it lies in */
  int fd;   /* its own */
};

/* Makes it in the user's folder for caches, or where else the user has one of his own; `home` may
 * be "". Returns 0 or a negative errno. */
int run_folder_make (struct run_folder *folder, const char *home);
/* Removes all of it, whatever the program has made of it, without following a link. Nobody may be
 * left who works in it. False when something is still there after ten seconds. */
bool run_folder_remove (struct run_folder *folder);

/* Init's own step: the workspace becomes its working folder. */
int run_folder_enter (struct setup *setup);
