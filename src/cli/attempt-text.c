/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "attempt-text.h"

#include <glib/gi18n-lib.h>

#include "terminal-text.h"

#define VERDICT_WIDTH 14
#define GUARD_WIDTH   16

/* A limit that ended the run is told as its end, and is not counted here. */
static guint
count_tried (FhAttemptLog *attempts)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (attempts));
  guint n_tried = 0;

  for (guint i = 0; i < n; i++)
    n_tried += !fh_attempt_get_facts (fh_attempt_log_get (attempts, i))->ended_run;
  return n_tried;
}

char *
fh_attempt_text_summary (FhAttemptLog *attempts)
{
  guint total = count_tried (attempts);
  guint stopped = fh_attempt_log_get_n_stopped (attempts);
  guint dropped = (guint) MIN (fh_attempt_log_get_n_dropped (attempts), G_MAXUINT);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;

  if (total == 0 && dropped == 0)
    return g_strdup (_ ("No attempts to report."));
  first = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                        "%u attempt was blocked.",
                                        "%u attempts were blocked.",
                                        stopped),
                           stopped);
  second = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u was not blocked.", "%u were not blocked.", total - stopped),
      total - stopped);
  if (dropped > 0)
    third = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%u more is not listed.", "%u more are not listed.", dropped),
        dropped);
  return g_strjoin (" ", first, second, third, NULL);
}

static void
append_place (GString *text, const FhAttemptFacts *facts)
{
  if (*facts->command == '\0' && facts->line == 0)
    return;
  g_string_append (text, " [");
  g_string_append (text, facts->command);
  if (*facts->command != '\0' && facts->line != 0)
    g_string_append (text, ", ");
  if (facts->line != 0)
    /* Translators: a line of the source of a program */
    g_string_append_printf (text, _ ("line %u"), facts->line);
  g_string_append_c (text, ']');
}

char *
fh_attempt_text_row (FhAttempt *attempt)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);
  g_autofree char *title = fh_attempt_dup_title (attempt);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%9.3f s  ", (double) facts->time_us / 1e6);
  fh_terminal_append_cell (text, fh_attempt_verdict_title (facts), VERDICT_WIDTH);
  fh_terminal_append_cell (text, fh_guard_title (facts->guard), GUARD_WIDTH);
  g_string_append_printf (text, "%5u×  %s", facts->count, title);
  append_place (text, facts);
  return fh_terminal_line (text->str);
}
