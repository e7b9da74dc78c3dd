/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether what a guest names is there: for the guest, and on the user's computer. Nothing is ever
 * opened for it but a handle of a path inside, and a last link is never followed outside.
 */
#pragma once

#include <stdbool.h>

/* A handle of what `path` leads to for the guest, whose root is `root`; or a negative errno. */
int existence_open_inside (int root, const char *path);
bool existence_is_inside (int root, const char *path);
/* errno of what keeps the guest from reading or writing (R_OK, W_OK) what `handle` is, or 0. */
int existence_error (int handle, int mode);
/* True when what `handle` is can only be read, whoever tries. */
bool existence_is_read_only (int handle);
bool existence_is_outside (const char *path);
