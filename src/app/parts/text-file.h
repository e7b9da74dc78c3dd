/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Reads a source file as text for an editor. FH_RUN_ERROR_TOO_LARGE over FH_RUN_REQUEST_MAX_SOURCE
 * bytes. `repaired`: bytes that were NUL or not UTF-8 were replaced, so saving would change the
 * file. Errors name the file. (transfer full) */
void fh_text_file_load_async (GFile *file,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
char *fh_text_file_load_finish (GAsyncResult *result, gboolean *repaired, GError **error);

/* The same from a stream; `name` is its name in errors. */
void fh_text_file_read_async (GInputStream *stream,
                              const char *name,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

/* Replaces the file's contents, atomically if the file system can. `version`: what they must be;
 * G_IO_ERROR_WRONG_ETAG if they have changed since. NULL: whatever they are. */
void fh_text_file_save_async (GFile *file,
                              const char *text,
                              const char *version,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean fh_text_file_save_finish (GAsyncResult *result, GError **error);

/* The version that was loaded or saved; NULL if the file system knows none. (transfer full) */
char *fh_text_file_dup_version (GAsyncResult *result);
