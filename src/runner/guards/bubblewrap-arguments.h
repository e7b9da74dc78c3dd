/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arguments of bwrap(1): the same view as mounts.c, devices.c and etc-files.c build.
 */
#pragma once

#include "bubblewrap.h"

/* Writes them NUL-terminated. Returns 0 or a negative errno. */
int bubblewrap_write_arguments (struct bubblewrap *bubblewrap, const struct plan *plan, FILE *out);

/* Moves a descriptor above the stage's own ones, closing the old number. -1 if that fails. */
int bubblewrap_move_up (int fd);
/* Hands a file to bwrap; takes `fd` even on failure. Returns the number that bwrap knows it by, or
 * -1. */
int bubblewrap_add_file (struct bubblewrap *bubblewrap, int fd);
/* The same for a new file with this content. */
int bubblewrap_add_data (struct bubblewrap *bubblewrap, const char *data, size_t size);
