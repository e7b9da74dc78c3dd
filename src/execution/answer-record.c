/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "answer-record.h"

#include <glib/gi18n-lib.h>

static const FhAnswerBlock *
get_block (FhAnswerRun *answer, guint index)
{
  return g_ptr_array_index (fh_answer_run_get_blocks (answer), index);
}

/* (transfer full) */
static char *
dup_place (const FhAnswerBlock *block)
{
  const char *name = block->language != NULL ? block->language->name : block->word;

  /* Translators: the name of a language, the number of a line. */
  return g_strdup_printf (_ ("%s, line %u"), name, block->line);
}

static void
started_cb (FhAnswerRun *answer, guint index, FhRun *run, FhOldSeriesRecord *record)
{
  const FhAnswerBlock *block = get_block (answer, index);

  fh_old_series_record_begin_block (record, block->number, block->line, run);
}

static void
finished_cb (FhAnswerRun *answer, guint index, FhRun *run, FhOldSeriesRecord *record)
{
  g_autofree char *place = dup_place (get_block (answer, index));

  fh_old_series_record_end_block (record, place);
}

static void
say (FhOldSeriesRecord *record, const FhAnswerBlock *block, const char *text)
{
  g_autofree char *place = dup_place (block);
  g_autofree char *line = g_strdup_printf ("%s: %s", place, text);

  fh_old_series_record_say (record, g_strdelimit (line, "\n", ' '));
}

static void
saved_cb (FhAnswerRun *answer, guint index, FhOldSeriesRecord *record)
{
  const FhAnswerBlock *block = get_block (answer, index);
  g_autofree char *text = fh_answer_block_dup_saved (block);

  say (record, block, text);
}

static void
refused_cb (FhAnswerRun *answer, guint index, const char *message, FhOldSeriesRecord *record)
{
  say (record, get_block (answer, index), message);
  fh_old_series_record_refuse (record, message);
}

static void
done_cb (FhAnswerRun *answer, FhOldSeriesRecord *record)
{
  g_autoptr (FhResultFiles) files = fh_answer_run_dup_files (answer);

  fh_old_series_record_set_files (record, files, fh_answer_run_get_changes (answer));
  if (fh_answer_run_get_exit_status (answer) == FH_ANSWER_STOPPED)
    fh_old_series_record_refuse (record, NULL);
}

/* The entry has one: that of the first block which could be run. */
static const FhLanguage *
choose_language (GPtrArray *blocks)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];

      if (block->language != NULL)
        return block->language;
    }
  return fh_language_lookup ("python");
}

FhOldSeriesRecord *
fh_answer_record_new (FhAnswerRun *answer, FhHistory *history, const char *title, const char *text)
{
  GPtrArray *blocks;
  FhOldSeriesRecord *record;

  g_return_val_if_fail (FH_IS_ANSWER_RUN (answer), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  blocks = fh_answer_run_get_blocks (answer);
  if (blocks->len == 0)
    return NULL;
  record = fh_old_series_record_new_answer (history,
                                            fh_answer_run_get_options (answer),
                                            choose_language (blocks),
                                            title,
                                            text);
  g_signal_connect_object (answer, "started", G_CALLBACK (started_cb), record, 0);
  g_signal_connect_object (answer, "finished", G_CALLBACK (finished_cb), record, 0);
  g_signal_connect_object (answer, "saved", G_CALLBACK (saved_cb), record, 0);
  g_signal_connect_object (answer, "refused", G_CALLBACK (refused_cb), record, 0);
  g_signal_connect_object (answer, "done", G_CALLBACK (done_cb), record, 0);
  return record;
}
