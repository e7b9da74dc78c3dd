/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of the history that is accepted holds together, and is the same after another round. */
#include "fuzz-target.h"
#include "output-log.h"

static void
count_piece (const FhOutputPiece *piece, gpointer data)
{
  guint64 *kept = data;

  g_assert (piece->stream == FH_STREAM_STDOUT || piece->stream == FH_STREAM_STDERR);
  kept[piece->stream - FH_STREAM_STDOUT] += piece->size;
}

static void
check_stream (FhOutputLog *log, FhStream stream, guint64 kept)
{
  g_autoptr (GBytes) bytes = fh_output_log_dup_bytes (log, stream);
  g_autofree char *text = fh_output_log_dup_text (log, stream);

  /* With a line in the place of what was left out, if anything was. */
  g_assert (g_bytes_get_size (bytes) >= kept);
  g_assert (fh_output_log_get_kept (log, stream) == kept);
  g_assert (fh_output_log_get_total (log, stream) >= kept);
  g_assert (kept <= FH_OUTPUT_LOG_HEAD + FH_OUTPUT_LOG_TAIL);
  g_assert (g_utf8_validate (text, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (FhOutputLog) log = NULL;
  g_autoptr (FhOutputLog) second_log = NULL;
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GBytes) second = NULL;
  g_autoptr (GError) error = NULL;
  guint64 kept[2] = { 0 };

  log = fh_output_log_deserialize (bytes, &error);
  g_assert ((log == NULL) == (error != NULL));
  if (log == NULL)
    return 0;
  fh_output_log_foreach (log, count_piece, kept);
  check_stream (log, FH_STREAM_STDOUT, kept[0]);
  check_stream (log, FH_STREAM_STDERR, kept[1]);
  /* It is frozen: this changes nothing. */
  fh_output_log_append (log, FH_STREAM_STDOUT, 0, "x", 1);
  first = fh_output_log_serialize (log);
  second_log = fh_output_log_deserialize (first, &error);
  g_assert_no_error (error);
  second = fh_output_log_serialize (second_log);
  g_assert (g_bytes_equal (first, second));
  return 0;
}
