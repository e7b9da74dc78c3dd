/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-recorder.h"

/* A flood of made-up reports must leave room in the log for what guards saw. */
#define MAX_REPORTED (FH_ATTEMPT_LOG_MAX / 2)
#define MAX_LINES    512

struct _FhAttemptRecorder
{
  FhAttemptLog *log;
  GHashTable *lines; /* object → line, of attempts that no guard has seen yet */
  guint n_lines;     /* reports so far, in the table or not */
  guint n_reported;  /* rows in the log that only the interpreter reported */
  guint64 dropped;
  guint64 dropped_reports;
};

FhAttemptRecorder *
fh_attempt_recorder_new (void)
{
  FhAttemptRecorder *self = g_new0 (FhAttemptRecorder, 1);

  self->log = fh_attempt_log_new ();
  self->lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
fh_attempt_recorder_free (FhAttemptRecorder *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->log);
  g_hash_table_unref (self->lines);
  g_free (self);
}

FhAttemptLog *
fh_attempt_recorder_get_log (FhAttemptRecorder *self)
{
  return self->log;
}

gboolean
fh_attempt_recorder_add (FhAttemptRecorder *self, FhAttempt *attempt)
{
  const FhAttemptFacts *facts;
  FhAttempt *report;

  facts = fh_attempt_get_facts (attempt);
  report = fh_attempt_log_find_act (self->log, facts->operation, facts->object, TRUE);
  if (report == NULL)
    {
      fh_attempt_set_line (attempt,
                           GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, facts->object)));
      return fh_attempt_log_add (self->log, attempt);
    }
  fh_attempt_set_line (attempt, fh_attempt_get_facts (report)->line);
  fh_attempt_log_replace (self->log, report, attempt);
  self->n_reported--;
  return TRUE;
}

static void
show_dropped (FhAttemptRecorder *self)
{
  fh_attempt_log_set_n_dropped (self->log, self->dropped + self->dropped_reports);
}

/* The table keeps the line for guards that report later than the interpreter. */
static void
take_line (FhAttemptRecorder *self, FhAttempt *about)
{
  const FhAttemptFacts *hint = fh_attempt_get_facts (about);

  if (self->n_lines == MAX_LINES || hint->line == 0)
    return;
  self->n_lines++;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->log)); i++)
    {
      FhAttempt *seen = fh_attempt_log_get (self->log, i);

      if (g_str_equal (fh_attempt_get_facts (seen)->object, hint->object))
        fh_attempt_set_line (seen, hint->line);
    }
  if (!g_hash_table_contains (self->lines, hint->object))
    g_hash_table_insert (self->lines, g_strdup (hint->object), GUINT_TO_POINTER (hint->line));
}

/* TRUE when it is known: seen by a guard, or reported before. */
static gboolean
merge (FhAttemptRecorder *self, FhAttempt *report)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (report);
  FhAttempt *seen = fh_attempt_log_find_act (self->log, facts->operation, facts->object, FALSE);
  FhAttempt *told;

  if (seen != NULL)
    {
      fh_attempt_set_line (seen, facts->line);
      return TRUE;
    }
  told = fh_attempt_log_find (self->log, facts);
  if (told == NULL)
    return FALSE;
  fh_attempt_set_line (told, facts->line);
  fh_attempt_add_count (told, facts->count);
  return TRUE;
}

void
fh_attempt_recorder_report (FhAttemptRecorder *self, const FhAttemptFacts *facts)
{
  FhAttemptFacts reported;
  g_autoptr (FhAttempt) report = NULL;

  reported = *facts;
  reported.is_reported = TRUE;
  report = fh_attempt_new (&reported);
  if (*fh_attempt_get_facts (report)->operation == '\0')
    take_line (self, report);
  else if (merge (self, report))
    return;
  else if (self->n_reported >= MAX_REPORTED)
    {
      self->dropped_reports++;
      show_dropped (self);
    }
  else if (fh_attempt_log_add (self->log, report))
    self->n_reported++;
}

void
fh_attempt_recorder_set_dropped (FhAttemptRecorder *self, guint64 count)
{
  self->dropped = count;
  show_dropped (self);
}
