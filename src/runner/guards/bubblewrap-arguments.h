/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arguments of bwrap(1): the same view as mounts.c, devices.c and etc-files.c build.
 */
#pragma once

#include "bubblewrap.h"

/* Writes them, each with its NUL. Returns 0 or a negative errno. */
int bubblewrap_write_arguments (struct bubblewrap *bubblewrap, const struct plan *plan, FILE *out);

/* Hands a file over, and takes it in any case. Returns the number that bwrap knows it by, or -1. */
int bubblewrap_add_file (struct bubblewrap *bubblewrap, int fd);
/* The same for a fresh file with this content. */
int bubblewrap_add_data (struct bubblewrap *bubblewrap, const char *data, size_t size);
