/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-merge.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>

#include "batch-output.h"
#include "batch-score-text.h"
#include "command.h"
#include "message.h"
#include "run-error.h"

/* Gaps that are named; the others are counted. */
#define MAX_NAMED 10

typedef struct
{
  FhBatchOutput *output;
  FhBatchScore *score;
  GHashTable *seen; /* (element-type guint64 utf8) hashes of samples by their numbers */
  guint64 of;       /* 0: not known yet */
  guint64 n_twice;
  gboolean is_written;
  GError *error;
} Merge;

static void
merge_clear (Merge *merge)
{
  g_clear_pointer (&merge->output, fh_batch_output_free);
  g_clear_pointer (&merge->score, fh_batch_score_free);
  g_clear_pointer (&merge->seen, g_hash_table_unref);
  g_clear_error (&merge->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Merge, merge_clear)

static void
refuse (Merge *merge, const FhBatchResult *result)
{
  if (merge->error == NULL)
    fh_run_error_refuse (&merge->error,
                         _ ("The result of “%s” is of another batch than the others."),
                         result->id);
}

static void
add_cb (const FhBatchResult *result, const char *text, gsize size, gpointer user_data)
{
  Merge *merge = user_data;
  const char *known = g_hash_table_lookup (merge->seen, &result->number);
  g_autofree char *line = NULL;

  if ((merge->of != 0 && merge->of != result->of) ||
      (known != NULL && !g_str_equal (known, result->hash)))
    {
      refuse (merge, result);
      return;
    }
  merge->of = result->of;
  if (known != NULL)
    {
      merge->n_twice++;
      return;
    }
  g_hash_table_insert (merge->seen,
                       g_memdup2 (&result->number, sizeof result->number),
                       g_strdup (result->hash));
  fh_batch_score_add (merge->score, result);
  line = g_strdup_printf ("%.*s\n", (int) size, text);
  merge->is_written &= fh_batch_output_write (merge->output, line, size + 1);
}

static void
tell_missing (const Merge *merge)
{
  const guint64 n_missing = merge->of - g_hash_table_size (merge->seen);
  g_autoptr (GString) names = g_string_new (NULL);
  guint64 named = 0;

  if (merge->n_twice > 0)
    fh_message (_ ("Results that were there twice and are left out: %" PRIu64), merge->n_twice);
  if (n_missing == 0)
    return;
  for (guint64 number = 1; named < MIN (n_missing, MAX_NAMED); number++)
    {
      if (g_hash_table_contains (merge->seen, &number))
        continue;
      g_string_append_printf (names, "%s%" PRIu64, named++ > 0 ? ", " : "", number);
    }
  fh_message (_ ("Samples without a result: %" PRIu64 " of %" PRIu64 " (number %s%s)"),
              n_missing,
              merge->of,
              names->str,
              n_missing > MAX_NAMED ? ", …" : "");
}

static int
finish (Merge *merge, const FhBatchCommandLine *line, const FhBatchProblems *problems)
{
  const guint64 n_missing = merge->of - g_hash_table_size (merge->seen);

  if (!merge->is_written)
    return fh_batch_output_is_unread (merge->output) ? FH_EXIT_UNREAD : FH_EXIT_FAILED;
  tell_missing (merge);
  if (line->score && !fh_batch_score_print (merge->score, problems, n_missing, line->output))
    return FH_EXIT_FAILED;
  return n_missing == 0 ? 0 : FH_EXIT_FAILED;
}

static gboolean
read_all (Merge *merge, const FhBatchCommandLine *line, GError **error)
{
  for (guint i = 0; line->files[i] != NULL && merge->error == NULL; i++)
    {
      if (!fh_batch_output_read (line->files[i], add_cb, merge, NULL, error))
        return FALSE;
    }
  if (merge->error == NULL && merge->of == 0)
    fh_run_error_refuse (&merge->error, "%s", _ ("There are no results in these files."));
  if (merge->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&merge->error));
  return FALSE;
}

int
fh_batch_merge (const FhBatchCommandLine *line)
{
  g_auto (Merge) merge = { .is_written = TRUE };
  g_autoptr (FhBatchProblems) problems = NULL;
  g_autoptr (GError) error = NULL;

  merge.score = fh_batch_score_new ();
  merge.seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  if (line->problems != NULL)
    problems = fh_batch_problems_load (line->problems, &error);
  if (error == NULL)
    merge.output = fh_batch_output_open (line->output, FH_BATCH_OUTPUT_MERGED, &error);
  if (error == NULL && read_all (&merge, line, &error))
    return finish (&merge, line, problems);
  /* The file is ours: it was not there before. */
  if (merge.output != NULL && line->output != NULL)
    g_unlink (line->output);
  fh_message ("%s", error->message);
  return FH_EXIT_FAILED;
}
