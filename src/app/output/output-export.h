/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "output-log.h"

G_BEGIN_DECLS

/* Takes what a program wrote out of the app. `streams`: FH_STREAM_STDOUT, FH_STREAM_STDERR or both,
 * or'ed, which then stand in order of arrival. */

/* Everything kept, bytes as they came; a line tells what was left out. (transfer full) */
GBytes *fh_output_export_bytes (FhOutputLog *log, guint streams);

/* The same as plain text for the clipboard: without colours, progress bars as they ended. */
char *fh_output_export_text (FhOutputLog *log, guint streams);

/* "output.txt", "stdout.txt" or "stderr.txt". */
const char *fh_output_export_file_name (guint streams);

/* Replaces the file's contents with those bytes. */
void fh_output_export_save_async (GFile *file,
                                  FhOutputLog *log,
                                  guint streams,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean fh_output_export_save_finish (GFile *file, GAsyncResult *result, GError **error);

G_END_DECLS
