/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-score.h"

const guint fh_batch_score_ks[] = { 1, 10, 100, 0 };

typedef struct
{
  guint64 samples;
  guint64 passed;
} Task;

struct _FhBatchScore
{
  GHashTable *tasks; /* (element-type utf8 Task) */
  Task all;
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

void
fh_batch_score_add (FhBatchScore *score, const char *task_id, gboolean is_passed)
{
  Task *task = g_hash_table_lookup (score->tasks, task_id);

  if (task == NULL)
    {
      task = g_new0 (Task, 1);
      g_hash_table_insert (score->tasks, g_strdup (task_id), task);
    }
  task->samples++;
  score->all.samples++;
  task->passed += is_passed ? 1 : 0;
  score->all.passed += is_passed ? 1 : 0;
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

guint64
fh_batch_score_get_n_samples (const FhBatchScore *score)
{
  return score->all.samples;
}

guint64
fh_batch_score_get_n_passed (const FhBatchScore *score)
{
  return score->all.passed;
}

gboolean
fh_batch_score_estimate (const FhBatchScore *score, guint k, double *estimate)
{
  GHashTableIter iter;
  gpointer value;
  double sum = 0;

  g_hash_table_iter_init (&iter, score->tasks);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Task *task = value;

      if (task->samples < k)
        return FALSE;
      sum += fh_batch_pass_at_k (task->samples, task->passed, k);
    }
  *estimate = g_hash_table_size (score->tasks) > 0 ? sum / g_hash_table_size (score->tasks) : 0;
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (a, b);
}

JsonObject *
fh_batch_score_to_json (const FhBatchScore *score)
{
  JsonObject *object = json_object_new ();
  JsonObject *tasks = json_object_new ();
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (score->tasks), compare_names);

  for (guint i = 0; fh_batch_score_ks[i] != 0; i++)
    {
      g_autofree char *name = g_strdup_printf ("pass@%u", fh_batch_score_ks[i]);
      double estimate;

      if (fh_batch_score_estimate (score, fh_batch_score_ks[i], &estimate))
        json_object_set_double_member (object, name, estimate);
    }
  json_object_set_int_member (object, "problems", fh_batch_score_get_n_tasks (score));
  json_object_set_int_member (object, "samples", (gint64) score->all.samples);
  json_object_set_int_member (object, "passed", (gint64) score->all.passed);
  for (GList *name = names; name != NULL; name = name->next)
    {
      const Task *task = g_hash_table_lookup (score->tasks, name->data);
      JsonObject *counts = json_object_new ();

      json_object_set_int_member (counts, "samples", (gint64) task->samples);
      json_object_set_int_member (counts, "passed", (gint64) task->passed);
      json_object_set_object_member (tasks, name->data, counts);
    }
  json_object_set_object_member (object, "by_problem", tasks);
  return object;
}
