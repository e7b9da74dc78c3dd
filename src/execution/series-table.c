/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "series-table.h"

#include <string.h>

void
fh_series_table_add_line (FhOutputLog *table, guint64 time_us, const char *text)
{
  g_autofree char *line = g_strconcat (text, "\n", NULL);

  fh_output_log_append (table, FH_STREAM_STDOUT, time_us, line, strlen (line));
}

void
fh_series_table_add_row (FhOutputLog *table,
                         guint64 time_us,
                         FhStep *step,
                         const char *place,
                         const char *text)
{
  g_autofree char *row =
      place != NULL ? g_strdup_printf ("[%u] %s: %s", fh_step_get_number (step), place, text)
                    : g_strdup_printf ("[%u] %s", fh_step_get_number (step), text);

  g_return_if_fail (FH_IS_OUTPUT_LOG (table));

  g_strdelimit (row, "\t\n\r", ' ');
  fh_series_table_add_line (table, time_us, row);
}

typedef struct
{
  FhOutputLog *table;
  guint64 time_us;
  guint8 last;
} Copying;

static void
copy_piece (const FhOutputPiece *piece, gpointer user_data)
{
  Copying *copying = user_data;

  if (piece->size == 0)
    return;
  fh_output_log_append (copying->table, piece->stream, copying->time_us, piece->data, piece->size);
  copying->last = piece->data[piece->size - 1];
}

void
fh_series_table_add_output (FhOutputLog *table,
                            guint64 time_us,
                            FhOutputLog *output,
                            FhBlockRun *block)
{
  Copying copying = { .table = table, .time_us = time_us, .last = '\n' };

  g_return_if_fail (FH_IS_OUTPUT_LOG (table) && FH_IS_OUTPUT_LOG (output));

  for (guint i = 0; block != NULL && i < 2; i++)
    block->offsets[i] = fh_output_log_get_total (table, FH_STREAM_STDOUT + i);
  fh_output_log_foreach (output, copy_piece, &copying);
  for (guint i = 0; block != NULL && i < 2; i++)
    {
      block->sizes[i] = fh_output_log_get_total (table, FH_STREAM_STDOUT + i) - block->offsets[i];
      block->left_out[i] = fh_output_log_get_total (output, FH_STREAM_STDOUT + i) - block->sizes[i];
    }
  if (copying.last != '\n')
    fh_series_table_add_line (table, time_us, "");
}

static FhBlockEnd
find_end (FhStep *step, FhRunResult *result)
{
  const FhStepState state = fh_step_get_state (step);

  if (result == NULL)
    return state == FH_STEP_SAVED     ? FH_BLOCK_END_SAVED
           : state == FH_STEP_REFUSED ? FH_BLOCK_END_REFUSED
                                      : FH_BLOCK_END_NOT_RUN;
  if (fh_run_outcome_exit_status (fh_run_result_get_parts (result)->outcome) == 0)
    return FH_BLOCK_END_DONE;
  return fh_run_result_get_parts (result)->outcome->status == FH_RUN_STATUS_STOPPED
             ? FH_BLOCK_END_STOPPED
             : FH_BLOCK_END_FAILED;
}

static FhBlockRun *
new_block (FhStep *step, FhRunResult *result)
{
  const FhAnswerBlock *block = fh_step_get_block (step);
  FhBlockRun *run = g_new0 (FhBlockRun, 1);

  run->number = fh_step_get_number (step);
  run->n_blocks = block->n_blocks;
  run->language = fh_step_get_language (step);
  run->end = find_end (step, result);
  run->file_name = g_strdup (block->file_name);
  if (result != NULL)
    run->own_us = fh_run_outcome_own_us (fh_run_result_get_parts (result)->outcome);
  return run;
}

FhBlockRun *
fh_series_table_add_block (FhOutputLog *table,
                           guint64 time_us,
                           FhStep *step,
                           FhRunResult *result,
                           guint n_waiting)
{
  FhBlockRun *run;
  const char *note;
  g_autofree char *place = NULL;
  g_autofree char *left = NULL;
  g_autoptr (GString) words = NULL;

  g_return_val_if_fail (FH_IS_OUTPUT_LOG (table) && fh_step_get_block (step) != NULL, NULL);

  run = new_block (step, result);
  if (run->end == FH_BLOCK_END_NOT_RUN)
    return run;
  place = fh_step_dup_place (step);
  note = fh_step_get_note (step) != NULL ? fh_step_get_note (step) : "";
  words = g_string_new (result != NULL ? fh_run_result_get_parts (result)->sentence : note);
  fh_series_table_add_row (table, time_us, step, place, words->str);
  if (result != NULL)
    fh_series_table_add_output (table, time_us, fh_run_result_get_parts (result)->output, run);
  if (result != NULL && *note != '\0')
    g_string_append_printf (words, "\n%s", note);
  if (fh_step_has_failed (step))
    left = fh_step_dup_left (step, n_waiting);
  if (left != NULL)
    g_string_append_printf (words, "\n%s", left);
  run->heading = fh_step_dup_heading (step);
  run->words = g_string_free (g_steal_pointer (&words), FALSE);
  return run;
}

void
fh_series_table_add_waiting (GPtrArray *blocks, guint n_waiting)
{
  g_return_if_fail (blocks != NULL);

  for (guint i = 0; blocks->len > 0 && i < n_waiting; i++)
    {
      const FhBlockRun *last = blocks->pdata[blocks->len - 1];
      FhBlockRun *run = g_new0 (FhBlockRun, 1);

      run->number = last->number + 1;
      run->n_blocks = last->n_blocks;
      g_ptr_array_add (blocks, run);
    }
}
