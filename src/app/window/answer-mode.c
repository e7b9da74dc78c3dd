/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/answer-mode.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/run-labels.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

struct _FhAnswerMode
{
  GObject parent_instance;

  GPtrArray *blocks;
  FhOutputView *output;
  FhAnswerRun *answer;
  FhOutputSection *section; /* of the block that runs; nullable */
  FhRun *run;               /* of the last one; nullable */
  guint is_closed : 1;
};

enum
{
  SIGNAL_STARTED,
  SIGNAL_DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhAnswerMode, fh_answer_mode, G_TYPE_OBJECT)

static char *
dup_heading (const FhAnswerBlock *block, guint index)
{
  const char *name = block->language != NULL ? block->language->name : block->word;

  if (block->file_name != NULL)
    /* Translators: a number, the name of a language, the name of a file. */
    return g_strdup_printf (_ ("[%u] %s: %s"), index + 1, name, block->file_name);
  /* Translators: a number, the name of a language, the number of a line. */
  return g_strdup_printf (_ ("[%u] %s from line %u on"), index + 1, name, block->line);
}

/* `run`: nullable. */
static void
begin_section (FhAnswerMode *self, guint index, FhRun *run)
{
  g_autofree char *heading = dup_heading (self->blocks->pdata[index], index);

  self->section = fh_output_section_new (heading, run);
  fh_output_view_add_section (self->output, self->section);
}

static void
say (FhAnswerMode *self, const char *text)
{
  fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_ENDING, text);
}

static void
end_section (FhAnswerMode *self)
{
  fh_output_section_end (self->section);
  g_clear_object (&self->section);
}

static void
started_cb (FhAnswerMode *self, guint index, FhRun *run)
{
  g_set_object (&self->run, run);
  begin_section (self, index, run);
  g_signal_emit (self, signals[SIGNAL_STARTED], 0, run);
}

static void
finished_cb (FhAnswerMode *self, guint index, FhRun *run)
{
  FhRunResult *result = fh_run_get_result (run);
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  const guint n_left = self->blocks->len - index - 1;
  g_autofree char *time = fh_run_label_elapsed (outcome->wall_us);
  /* Translators: how a cell ended, and how long it took */
  g_autofree char *ending =
      g_strdup_printf (_ ("%s (%s)"), fh_run_result_get_sentence (result), time);

  say (self, ending);
  if (fh_run_outcome_exit_status (outcome) != 0 && n_left > 0)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("%u block after it does not run.", "%u blocks after it do not run.", n_left),
          n_left);

      say (self, text);
    }
  end_section (self);
}

static void
saved_cb (FhAnswerMode *self, guint index)
{
  const FhAnswerBlock *block = self->blocks->pdata[index];
  g_autofree char *text = g_strdup_printf (_ ("Code saved to %s"), block->file_name);

  begin_section (self, index, NULL);
  say (self, text);
  end_section (self);
}

static void
refused_cb (FhAnswerMode *self, guint index, const char *message)
{
  begin_section (self, index, NULL);
  say (self, message);
  end_section (self);
}

static void
done_cb (FhAnswerMode *self)
{
  g_signal_emit (self, signals[SIGNAL_DONE], 0);
}

void
fh_answer_mode_stop (FhAnswerMode *self)
{
  g_return_if_fail (FH_IS_ANSWER_MODE (self));

  fh_answer_run_stop (self->answer);
}

void
fh_answer_mode_close (FhAnswerMode *self)
{
  g_return_if_fail (FH_IS_ANSWER_MODE (self));

  if (self->is_closed)
    return;
  self->is_closed = TRUE;
  g_signal_handlers_disconnect_by_data (self->answer, self);
  fh_answer_run_stop (self->answer);
  if (self->section != NULL)
    end_section (self);
}

gboolean
fh_answer_mode_is_busy (FhAnswerMode *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), FALSE);

  return !fh_answer_run_is_done (self->answer);
}

FhRun *
fh_answer_mode_get_run (FhAnswerMode *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), NULL);

  return self->run;
}

FhResultFiles *
fh_answer_mode_dup_files (FhAnswerMode *self)
{
  g_return_val_if_fail (FH_IS_ANSWER_MODE (self), NULL);

  return fh_answer_run_dup_files (self->answer);
}

static void
fh_answer_mode_dispose (GObject *object)
{
  FhAnswerMode *self = FH_ANSWER_MODE (object);

  fh_answer_mode_close (self);
  g_clear_object (&self->run);
  g_clear_object (&self->output);

  G_OBJECT_CLASS (fh_answer_mode_parent_class)->dispose (object);
}

static void
fh_answer_mode_finalize (GObject *object)
{
  FhAnswerMode *self = FH_ANSWER_MODE (object);

  g_object_unref (self->answer);
  g_ptr_array_unref (self->blocks);

  G_OBJECT_CLASS (fh_answer_mode_parent_class)->finalize (object);
}

static void
fh_answer_mode_class_init (FhAnswerModeClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_answer_mode_dispose;
  G_OBJECT_CLASS (klass)->finalize = fh_answer_mode_finalize;

  signals[SIGNAL_STARTED] = fh_signal_new ("started", type, 1, FH_TYPE_RUN);
  signals[SIGNAL_DONE] = fh_signal_new ("done", type, 0);
}

static void
fh_answer_mode_init (FhAnswerMode *self)
{
}

FhAnswerMode *
fh_answer_mode_new (FhSession *session,
                    GPtrArray *blocks,
                    FhOptions *options,
                    FhOutputView *output,
                    gboolean keep)
{
  g_autoptr (FhRunOptions) values = NULL;
  FhAnswerMode *self;

  g_return_val_if_fail (FH_IS_SESSION (session) && FH_IS_OPTIONS (options), NULL);
  g_return_val_if_fail (blocks != NULL && blocks->len > 0 && FH_IS_OUTPUT_VIEW (output), NULL);

  self = g_object_new (FH_TYPE_ANSWER_MODE, NULL);
  values = fh_options_dup_run_values (options);
  self->blocks = g_ptr_array_ref (blocks);
  self->output = g_object_ref (output);
  self->answer = fh_answer_run_new (session, blocks, values, keep);
  fh_connect (self->answer, "started", started_cb, self);
  fh_connect (self->answer, "finished", finished_cb, self);
  fh_connect (self->answer, "saved", saved_cb, self);
  fh_connect (self->answer, "refused", refused_cb, self);
  fh_connect (self->answer, "done", done_cb, self);
  fh_output_view_begin_session (output);
  fh_answer_run_start (self->answer);
  return self;
}
