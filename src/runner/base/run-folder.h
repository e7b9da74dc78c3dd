/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run folder: where a program without a file system of its own writes. It is made for each run,
 * only the user can enter it, and it is removed when the run is over:
 *
 *   fumehood-run-…/workspace   what is /workspace in other sandboxes
 *   fumehood-run-…/tmp         what is /tmp there
 *
 * It is locked before it gets its name, and while in use. One without a lock was left by a killed
 * runner: its client removes it, or else the next run.
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
  int base; /* the folder that it is in */
  int fd;   /* the folder itself */
};

/* Makes it in the user's cache folder, or in another folder of the user's own; `home` may be "".
 * Returns 0 or a negative errno. */
int run_folder_make (struct run_folder *folder, const char *home);
/* The same in a folder of the user's that is given. */
int run_folder_make_in (struct run_folder *folder, const char *path);
/* Removes it without following links, whatever the program has left. No process may still use it.
 * False if something is left after ten seconds. */
bool run_folder_remove (struct run_folder *folder);

/* A step of init: makes the workspace its working folder. */
int run_folder_enter (struct setup *setup);
