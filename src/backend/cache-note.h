/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Small notes about what was found out here, so that it need not be found out again. They live in
 * $XDG_RUNTIME_DIR/fumehood or, without one, in the user's cache, and are believed only when they
 * are the user's own and nobody else's to write. */
#define FH_CACHE_NOTE_MAX 8192

/* (transfer full) */
char *fh_cache_note_path (const char *name);

/* The text of a note; NULL when there is none that can be believed. (transfer full) */
char *fh_cache_note_read (const char *path);

/* Writes it as a whole or not at all; that it cannot is no error. */
void fh_cache_note_write (const char *path, const char *text);

/* One line about a file that an answer depends on: its name here, path, time, size and number.
 * It is another line when the file is another one, or is not there. */
void fh_cache_note_append_file (GString *text, const char *name, const char *path);

/* The lines "boot …" and "kernel …". FALSE when they cannot be told. */
gboolean fh_cache_note_append_boot (GString *text);

G_END_DECLS
