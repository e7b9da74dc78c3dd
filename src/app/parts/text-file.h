/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reads a whole file of source code as text for an editor. Over FH_RUN_REQUEST_MAX_SOURCE bytes:
 * FH_RUN_ERROR_TOO_LARGE. `repaired` tells whether bytes had to be replaced because they were not
 * UTF-8 or were NUL: saving would change the file. Errors name the file. (transfer full) */
void fh_text_file_load_async (GFile *file,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
char *fh_text_file_load_finish (GAsyncResult *result, gboolean *repaired, GError **error);

/* The same from a stream that is read to its end, which `name` calls by name in errors. */
void fh_text_file_read_async (GInputStream *stream,
                              const char *name,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

/* Replaces the file's contents atomically where the file system can. */
void fh_text_file_save_async (GFile *file,
                              const char *text,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean fh_text_file_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
