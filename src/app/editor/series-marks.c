/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/series-marks.h"

#include <string.h>

#include "traceback-parser.h"

struct _FhSeriesMarks
{
  FhSeries *series;
  FhEditorBlocks *blocks; /* nullable */
  FhEditorCells *cells;   /* nullable */
  guint running;          /* the number of the cell that runs; 0: none */
};

/* Marks the line that the output of a failed block names: compilers name the first fault first,
 * interpreters the innermost call last. */
static void
mark_line (FhEditorBlocks *blocks, guint number, const FhLanguage *language, FhOutputLog *output)
{
  g_autofree char *text = fh_output_log_dup_text (output, FH_STREAM_STDERR);
  guint line = 0;

  for (const char *at = text; *at != '\0' && (line == 0 || language->command == NULL);)
    {
      const gsize size = strcspn (at, "\n");
      FhSourcePlace place;

      if (fh_traceback_find (at, size, language->file_name, &place))
        line = place.line;
      at += size;
      at += *at == '\n';
    }
  fh_editor_blocks_mark_line (blocks, number, line);
}

static FhBlockState
find_block_state (FhStep *step)
{
  switch (fh_step_get_state (step))
    {
    case FH_STEP_ASKING:
      return FH_BLOCK_STATE_ASKING;
    case FH_STEP_FINISHED:
      if (!fh_step_has_failed (step))
        return FH_BLOCK_STATE_DONE;
      return fh_run_result_get_parts (fh_run_get_result (fh_step_get_run (step)))
                         ->outcome->status == FH_RUN_STATUS_STOPPED
                 ? FH_BLOCK_STATE_STOPPED
                 : FH_BLOCK_STATE_FAILED;
    case FH_STEP_SAVED:
      return FH_BLOCK_STATE_SAVED;
    case FH_STEP_REFUSED:
      return FH_BLOCK_STATE_REFUSED;
    case FH_STEP_WAITING:
    case FH_STEP_RUNNING:
    case FH_STEP_NOT_RUN:
      break;
    }
  return FH_BLOCK_STATE_RUNNING;
}

static void
mark_block (FhSeriesMarks *self, FhStep *step)
{
  const FhStepState state = fh_step_get_state (step);

  /* Blocks that will not run are marked together at the end. */
  if (state == FH_STEP_WAITING || state == FH_STEP_NOT_RUN)
    return;
  fh_editor_blocks_set_state (self->blocks, fh_step_get_number (step), find_block_state (step));
  if (state == FH_STEP_FINISHED && fh_step_has_failed (step))
    mark_line (self->blocks,
               fh_step_get_number (step),
               fh_step_get_language (step),
               fh_run_get_output (fh_step_get_run (step)));
}

static void
mark_cell (FhSeriesMarks *self, FhStep *step)
{
  const FhStepState state = fh_step_get_state (step);
  const guint number = fh_step_get_number (step);

  if (state == FH_STEP_RUNNING || state == FH_STEP_REFUSED)
    fh_editor_cells_mark (self->cells, number, fh_step_get_line (step));
  if (state == FH_STEP_RUNNING)
    self->running = number;
  if (state != FH_STEP_FINISHED && state != FH_STEP_REFUSED)
    return;
  fh_editor_cells_set_mark (self->cells,
                            number,
                            fh_step_has_failed (step) ? FH_CELL_MARK_FAILED : FH_CELL_MARK_DONE);
  self->running = 0;
}

static void
step_cb (FhSeriesMarks *self, FhStep *step)
{
  if (fh_step_is_silent (step))
    return;
  if (self->blocks != NULL)
    mark_block (self, step);
  if (self->cells != NULL)
    mark_cell (self, step);
}

static void
end (FhSeriesMarks *self)
{
  if (self->blocks != NULL)
    fh_editor_blocks_end (self->blocks);
}

void
fh_series_marks_free (FhSeriesMarks *self)
{
  g_signal_handlers_disconnect_by_data (self->series, self);
  end (self);
  if (self->running > 0)
    fh_editor_cells_set_mark (self->cells, self->running, FH_CELL_MARK_FAILED);
  g_object_unref (self->series);
  g_clear_object (&self->blocks);
  g_clear_object (&self->cells);
  g_free (self);
}

FhSeriesMarks *
fh_series_marks_new (FhSeries *series, FhEditorBlocks *blocks, FhEditorCells *cells)
{
  FhSeriesMarks *self;

  g_return_val_if_fail (FH_IS_SERIES (series), NULL);
  g_return_val_if_fail (FH_IS_EDITOR_BLOCKS (blocks) != FH_IS_EDITOR_CELLS (cells), NULL);

  self = g_new0 (FhSeriesMarks, 1);
  self->series = g_object_ref (series);
  g_set_object (&self->blocks, blocks);
  g_set_object (&self->cells, cells);
  g_signal_connect_swapped (series, "step-changed", G_CALLBACK (step_cb), self);
  g_signal_connect_swapped (series, "done", G_CALLBACK (end), self);
  return self;
}

void
fh_series_marks_show_past (FhEditorBlocks *blocks, FhRunResult *result)
{
  static const FhBlockState states[] = {
    [FH_BLOCK_END_NOT_RUN] = FH_BLOCK_STATE_NOT_RUN,
    [FH_BLOCK_END_DONE] = FH_BLOCK_STATE_DONE,
    [FH_BLOCK_END_FAILED] = FH_BLOCK_STATE_FAILED,
    [FH_BLOCK_END_STOPPED] = FH_BLOCK_STATE_STOPPED,
    [FH_BLOCK_END_SAVED] = FH_BLOCK_STATE_SAVED,
    [FH_BLOCK_END_REFUSED] = FH_BLOCK_STATE_REFUSED,
  };
  GPtrArray *runs = fh_run_result_get_parts (result)->blocks;

  g_return_if_fail (FH_IS_EDITOR_BLOCKS (blocks));

  fh_editor_blocks_set_past (blocks);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      const FhBlockRun *run = runs->pdata[i];
      g_autoptr (FhOutputLog) output = NULL;

      fh_editor_blocks_set_state (blocks, run->number, states[run->end]);
      if (run->end != FH_BLOCK_END_FAILED || run->language == NULL)
        continue;
      output = fh_block_run_dup_output (run, fh_run_result_get_parts (result)->output);
      mark_line (blocks, run->number, run->language, output);
    }
}
