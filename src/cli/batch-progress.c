/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-progress.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "message.h"
#include "run-limits.h"

/* Between two lines. */
#define ON_TERMINAL_MS 200
#define ELSEWHERE_MS   30000

#define BAR_WIDTH 20

struct _FhBatchProgress
{
  guint64 total;
  guint64 done;
  guint64 passed;
  gint64 begin;
  guint timer;
};

static void
append_bar (GString *text, guint64 done, guint64 total)
{
  const guint64 filled = done * BAR_WIDTH / total;

  g_string_append_c (text, '[');
  for (guint i = 0; i < BAR_WIDTH; i++)
    g_string_append_c (text, i < filled ? '#' : '.');
  g_string_append (text, "] ");
}

char *
fh_batch_progress_describe (guint64 done, guint64 passed, guint64 total, gint64 us, gboolean bar)
{
  GString *text = g_string_new (NULL);
  const double rate = us > 0 ? (double) done * 1e6 / (double) us : 0;

  if (bar && total > 0)
    append_bar (text, done, total);
  /* Translators: three numbers: samples that were run, all of them, those that passed */
  g_string_append_printf (text,
                          _ ("%" PRIu64 " of %" PRIu64 ", %" PRIu64 " passed"),
                          done,
                          total,
                          passed);
  if (rate > 0)
    /* Translators: how many per second */
    g_string_append_printf (text, _ (", %.1f/s"), rate);
  if (rate > 0 && done < total)
    {
      const double seconds = (double) (total - done) / rate;
      g_autofree char *left = fh_run_limits_format_duration ((guint64) (seconds + 1) * 1000);

      /* Translators: a time, such as “2 min 5 s” */
      g_string_append_printf (text, _ (", %s left"), left);
    }
  return g_string_free (text, FALSE);
}

static char *
describe (FhBatchProgress *self, gboolean bar)
{
  return fh_batch_progress_describe (self->done,
                                     self->passed,
                                     self->total,
                                     g_get_monotonic_time () - self->begin,
                                     bar);
}

static gboolean
show_cb (gpointer user_data)
{
  gboolean on_terminal = fh_message_can_progress ();
  g_autofree char *line = describe (user_data, on_terminal);

  if (on_terminal)
    fh_message_progress (line);
  else
    fh_message ("%s", line);
  return G_SOURCE_CONTINUE;
}

FhBatchProgress *
fh_batch_progress_new (guint64 total)
{
  FhBatchProgress *self = g_new0 (FhBatchProgress, 1);

  self->total = total;
  self->begin = g_get_monotonic_time ();
  self->timer =
      g_timeout_add (fh_message_can_progress () ? ON_TERMINAL_MS : ELSEWHERE_MS, show_cb, self);
  return self;
}

void
fh_batch_progress_free (FhBatchProgress *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_free (self);
}

void
fh_batch_progress_add (FhBatchProgress *self, gboolean is_passed)
{
  self->done++;
  self->passed += is_passed ? 1 : 0;
}

guint64
fh_batch_progress_get_done (FhBatchProgress *self)
{
  return self->done;
}

void
fh_batch_progress_finish (FhBatchProgress *self)
{
  g_autofree char *line = describe (self, FALSE);

  g_clear_handle_id (&self->timer, g_source_remove);
  fh_message_progress (NULL);
  fh_message ("%s", line);
}
