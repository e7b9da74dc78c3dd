/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "output-log.h"

/* Copies and saves output. `streams`: FH_STREAM_STDOUT, FH_STREAM_STDERR or both, or'ed; both are
 * in order of arrival. */

/* All bytes that were kept, unchanged; a line says how many are missing. (transfer full) */
GBytes *fh_output_export_bytes (FhOutputLog *log, guint streams);

/* The same as plain text for the clipboard: without colors, progress bars in their last state. */
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

/* Returns what a buffer shows as output of the first of these streams. (transfer full) */
FhOutputLog *fh_output_export_new_log (GtkTextBuffer *buffer, guint streams);
