/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-score.h"

#include <math.h>

const guint fh_batch_score_ks[] = { 1, 10, 100, 0 };

struct _FhBatchScore
{
  GHashTable *tasks; /* (element-type utf8 FhBatchCounts) */
  FhBatchCounts all;
};

FhBatchScore *
fh_batch_score_new (void)
{
  FhBatchScore *score = g_new0 (FhBatchScore, 1);

  score->tasks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return score;
}

void
fh_batch_score_free (FhBatchScore *score)
{
  g_hash_table_unref (score->tasks);
  g_free (score);
}

/* The score is computed as a product, because the binomial coefficients would overflow. */
double
fh_batch_pass_at_k (guint64 n, guint64 c, guint64 k)
{
  double all_fail = 1;

  g_return_val_if_fail (c <= n && k <= n, 0);

  if (n - c < k)
    return 1;
  for (guint64 i = n - c + 1; i <= n; i++)
    all_fail *= 1 - (double) k / (double) i;
  return 1 - all_fail;
}

static void
count (FhBatchCounts *counts, const FhBatchResult *result)
{
  counts->samples++;
  counts->passed += result->is_passed ? 1 : 0;
  counts->shared += result->is_passed && result->is_shared ? 1 : 0;
  counts->unsteady += result->is_unsteady ? 1 : 0;
}

void
fh_batch_score_add (FhBatchScore *score, const FhBatchResult *result)
{
  const char *task_id = result->task_id != NULL ? result->task_id : result->id;
  FhBatchCounts *task = g_hash_table_lookup (score->tasks, task_id);

  if (task == NULL)
    {
      task = g_new0 (FhBatchCounts, 1);
      g_hash_table_insert (score->tasks, g_strdup (task_id), task);
    }
  count (task, result);
  count (&score->all, result);
}

gboolean
fh_batch_score_has (const FhBatchScore *score, const char *task_id)
{
  return g_hash_table_contains (score->tasks, task_id);
}

guint
fh_batch_score_get_n_tasks (const FhBatchScore *score)
{
  return g_hash_table_size (score->tasks);
}

const FhBatchCounts *
fh_batch_score_get_counts (const FhBatchScore *score)
{
  return &score->all;
}

/* Wilson's interval, which stays within 0 and 1 and is not empty where all problems are solved. It
 * is for answers that are yes or no; where those of problems lie between, their mean varies less,
 * as if there were more of them. */
static void
set_interval (FhBatchEstimate *estimate, guint n, double variance)
{
  const double z = 1.959964; /* of 95 % */
  const double p = estimate->value;
  const double m = variance > 0 ? MAX (n * p * (1 - p) / variance, n) : n;
  const double center = (p + z * z / (2 * m)) / (1 + z * z / m);
  const double half = z * sqrt (p * (1 - p) / m + z * z / (4 * m * m)) / (1 + z * z / m);

  estimate->low = MAX (center - half, 0);
  estimate->high = MIN (center + half, 1);
}

gboolean
fh_batch_score_estimate (const FhBatchScore *score,
                         guint k,
                         gboolean is_unshared,
                         FhBatchEstimate *estimate)
{
  const guint n = g_hash_table_size (score->tasks);
  GHashTableIter iter;
  gpointer value;
  double sum = 0;
  double squares = 0;

  g_hash_table_iter_init (&iter, score->tasks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const FhBatchCounts *task = value;
      double solved;

      if (task->samples < k)
        return FALSE;
      solved =
          fh_batch_pass_at_k (task->samples, task->passed - (is_unshared ? task->shared : 0), k);
      sum += solved;
      squares += solved * solved;
    }
  *estimate = (FhBatchEstimate){ .high = 1 };
  if (n == 0)
    return TRUE;
  estimate->value = sum / n;
  set_interval (estimate, n, squares / n - estimate->value * estimate->value);
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (a, b);
}

static void
set_estimate (JsonObject *object, const FhBatchScore *score, guint k, gboolean is_unshared)
{
  g_autofree char *name = g_strdup_printf ("pass@%u%s", k, is_unshared ? "_unshared" : "");
  g_autofree char *interval = g_strconcat (name, "_interval", NULL);
  FhBatchEstimate estimate;
  JsonArray *ends;

  if (!fh_batch_score_estimate (score, k, is_unshared, &estimate))
    return;
  ends = json_array_new ();
  json_array_add_double_element (ends, estimate.low);
  json_array_add_double_element (ends, estimate.high);
  json_object_set_double_member (object, name, estimate.value);
  json_object_set_array_member (object, interval, ends);
}

JsonObject *
fh_batch_score_to_json (const FhBatchScore *score)
{
  JsonObject *object = json_object_new ();
  JsonObject *tasks = json_object_new ();
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (score->tasks), compare_names);

  for (guint i = 0; fh_batch_score_ks[i] != 0; i++)
    {
      set_estimate (object, score, fh_batch_score_ks[i], FALSE);
      set_estimate (object, score, fh_batch_score_ks[i], TRUE);
    }
  json_object_set_int_member (object, "problems", fh_batch_score_get_n_tasks (score));
  json_object_set_int_member (object, "samples", (gint64) score->all.samples);
  json_object_set_int_member (object, "passed", (gint64) score->all.passed);
  json_object_set_int_member (object, "shared", (gint64) score->all.shared);
  json_object_set_int_member (object, "unsteady", (gint64) score->all.unsteady);
  for (GList *name = names; name != NULL; name = name->next)
    {
      const FhBatchCounts *task = g_hash_table_lookup (score->tasks, name->data);
      JsonObject *counts = json_object_new ();

      json_object_set_int_member (counts, "samples", (gint64) task->samples);
      json_object_set_int_member (counts, "passed", (gint64) task->passed);
      json_object_set_object_member (tasks, name->data, counts);
    }
  json_object_set_object_member (object, "by_problem", tasks);
  return object;
}
