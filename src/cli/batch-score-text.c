/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-score-text.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "json-output.h"
#include "message.h"
#include "terminal-text.h"

static void
append_row (GString *text, const char *name, const char *value)
{
  fh_terminal_append_cell (text, name, 20);
  g_string_append_printf (text, "%s\n", value);
}

static void
append_count (GString *text, const char *name, guint64 count)
{
  g_autofree char *value = g_strdup_printf ("%" PRIu64, count);

  append_row (text, name, value);
}

static void
append_estimates (GString *text, const FhBatchScore *score, gboolean is_unshared)
{
  for (guint i = 0; fh_batch_score_ks[i] != 0; i++)
    {
      g_autofree char *name =
          /* Translators: a score in which samples count as failed that shared an interpreter with
           * their tests. The number is how many samples of a problem are tried. */
          g_strdup_printf (is_unshared ? _ ("pass@%u, unshared") : "pass@%u", fh_batch_score_ks[i]);
      g_autofree char *value = NULL;
      FhBatchEstimate estimate;

      if (!fh_batch_score_estimate (score, fh_batch_score_ks[i], is_unshared, &estimate))
        break;
      value = g_strdup_printf ("%.4f  (%.4f–%.4f)", estimate.value, estimate.low, estimate.high);
      append_row (text, name, value);
    }
}

static char *
build_table (const FhBatchScore *score)
{
  GString *text = g_string_new (NULL);

  append_count (text, _ ("problems"), fh_batch_score_get_n_tasks (score));
  append_count (text, _ ("samples"), fh_batch_score_get_counts (score)->samples);
  append_count (text, _ ("passed"), fh_batch_score_get_counts (score)->passed);
  if (fh_batch_score_get_counts (score)->shared > 0)
    /* Translators: of those that passed, how many shared an interpreter with their tests */
    append_count (text, _ ("shared"), fh_batch_score_get_counts (score)->shared);
  if (fh_batch_score_get_counts (score)->unsteady > 0)
    /* Translators: how many samples passed in some of their runs only */
    append_count (text, _ ("unsteady"), fh_batch_score_get_counts (score)->unsteady);
  append_estimates (text, score, FALSE);
  if (fh_batch_score_get_counts (score)->shared > 0)
    append_estimates (text, score, TRUE);
  return g_string_free (text, FALSE);
}

/* The problem of which there is no sample, or NULL. */
static const char *
find_missing (const FhBatchScore *score, const FhBatchProblems *problems)
{
  g_autoptr (GList) names = fh_batch_problems_list (problems);

  for (GList *name = names; name != NULL; name = name->next)
    {
      if (!fh_batch_score_has (score, name->data))
        return name->data;
    }
  return NULL;
}

gboolean
fh_batch_score_print (const FhBatchScore *score,
                      const FhBatchProblems *problems,
                      guint64 n_missing,
                      const char *output)
{
  const char *missing = problems != NULL ? find_missing (score, problems) : NULL;
  g_autofree char *path = g_strconcat (output, ".score.json", NULL);
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  g_autofree char *table = NULL;

  if (n_missing > 0 || missing != NULL)
    {
      if (missing != NULL)
        fh_message (_ ("There is no score: the problem “%s” has no sample."), missing);
      else
        fh_message (_ ("There is no score: not every sample has a result."));
      return FALSE;
    }
  object = fh_batch_score_to_json (score);
  json = fh_json_object_to_text (object, TRUE);
  if (!g_file_set_contents (path, json, -1, &error))
    {
      fh_message (_ ("The output could not be written: %s"), error->message);
      return FALSE;
    }
  table = build_table (score);
  return fh_print (table);
}
