/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Small files that remember what was found out about this computer. They are in
 * $XDG_RUNTIME_DIR/fumehood or, without one, in the user's cache folder, and are ignored unless
 * they belong to the user and no one else can write them. */
#define FH_CACHE_FILE_MAX 8192

/* (transfer full) */
char *fh_cache_file_path (const char *name);

/* The text of a file; NULL when it is missing or not trustworthy. (transfer full) */
char *fh_cache_file_read (const char *path);

/* Writes it atomically. Errors are ignored. */
void fh_cache_file_write (const char *path, const char *text);

/* Appends a line that identifies a file which the answer depends on: its name here, path, time,
 * size and inode. It changes when the file does. */
void fh_cache_file_append_file (GString *text, const char *name, const char *path);

/* Appends the lines "boot …" and "kernel …". FALSE when they are unknown. */
gboolean fh_cache_file_append_boot (GString *text);
