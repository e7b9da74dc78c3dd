/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-score.h"

#include <math.h>

static double
choose (double n, double k)
{
  double product = 1;

  for (double i = 0; i < k; i++)
    product *= (n - i) / (k - i);
  return product;
}

/* Against the definition, and against values that anyone can check. */
static void
test_estimator (void)
{
  g_assert_cmpfloat_with_epsilon (fh_batch_pass_at_k (6, 3, 1), 0.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (fh_batch_pass_at_k (5, 1, 2), 0.4, 1e-12);
  g_assert_cmpfloat_with_epsilon (fh_batch_pass_at_k (4, 2, 2), 1 - 1.0 / 6, 1e-12);
  g_assert_cmpfloat (fh_batch_pass_at_k (1, 0, 1), ==, 0);
  g_assert_cmpfloat (fh_batch_pass_at_k (1, 1, 1), ==, 1);
  g_assert_cmpfloat (fh_batch_pass_at_k (10, 1, 10), ==, 1);
  for (guint n = 1; n <= 30; n++)
    {
      for (guint c = 0; c <= n; c++)
        {
          for (guint k = 1; k <= n; k++)
            g_assert_cmpfloat_with_epsilon (fh_batch_pass_at_k (n, c, k),
                                            1 - choose (n - c, k) / choose (n, k),
                                            1e-9);
        }
    }
}

static void
add (FhBatchScore *score, const char *task_id, gboolean is_passed, gboolean is_shared)
{
  g_autofree char *name = g_strdup (task_id);

  fh_batch_score_add (score,
                      &(FhBatchResult){
                          .task_id = name,
                          .is_passed = is_passed,
                          .is_shared = is_shared,
                          .is_unsteady = !is_passed && is_shared,
                      });
}

static void
test_mean (void)
{
  g_autoptr (FhBatchScore) score = fh_batch_score_new ();
  g_autoptr (JsonObject) object = NULL;
  FhBatchEstimate estimate;

  for (guint i = 0; i < 10; i++)
    {
      add (score, "easy", TRUE, i < 3);
      add (score, "hard", i == 0, i == 5);
    }
  g_assert_cmpuint (fh_batch_score_get_n_tasks (score), ==, 2);
  g_assert_cmpuint (fh_batch_score_get_counts (score)->samples, ==, 20);
  g_assert_cmpuint (fh_batch_score_get_counts (score)->passed, ==, 11);
  g_assert_cmpuint (fh_batch_score_get_counts (score)->shared, ==, 3);
  g_assert_cmpuint (fh_batch_score_get_counts (score)->unsteady, ==, 1);
  g_assert_true (fh_batch_score_has (score, "hard"));
  g_assert_false (fh_batch_score_has (score, "other"));
  g_assert_true (fh_batch_score_estimate (score, 1, FALSE, &estimate));
  g_assert_cmpfloat_with_epsilon (estimate.value, 0.55, 1e-12);
  g_assert_true (fh_batch_score_estimate (score, 10, FALSE, &estimate));
  g_assert_cmpfloat_with_epsilon (estimate.value, 1, 1e-12);
  g_assert_true (fh_batch_score_estimate (score, 1, TRUE, &estimate));
  g_assert_cmpfloat_with_epsilon (estimate.value, 0.4, 1e-12);
  g_assert_true (fh_batch_score_estimate (score, 10, TRUE, &estimate));
  g_assert_cmpfloat_with_epsilon (estimate.value, 1, 1e-12);
  g_assert_false (fh_batch_score_estimate (score, 11, FALSE, &estimate));
  object = fh_batch_score_to_json (score);
  g_assert_cmpfloat (json_object_get_double_member (object, "pass@1"), ==, 0.55);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (object, "pass@1_unshared"),
                                  0.4,
                                  1e-12);
  g_assert_false (json_object_has_member (object, "pass@100"));
}

static void
assert_interval (guint n, guint n_solved, double low, double high)
{
  g_autoptr (FhBatchScore) score = fh_batch_score_new ();
  FhBatchEstimate estimate;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      add (score, name, i < n_solved, FALSE);
    }
  g_assert_true (fh_batch_score_estimate (score, 1, FALSE, &estimate));
  g_assert_cmpfloat_with_epsilon (estimate.low, low, 1e-4);
  g_assert_cmpfloat_with_epsilon (estimate.high, high, 1e-4);
}

/* The expected ones are of Wilson's formula, as tables of statistics have them. */
static void
test_interval (void)
{
  g_autoptr (FhBatchScore) score = fh_batch_score_new ();
  FhBatchEstimate estimate;

  assert_interval (100, 50, 0.4038, 0.5962);
  assert_interval (10, 0, 0, 0.2775);
  assert_interval (164, 164, 0.9771, 1);
  assert_interval (0, 0, 0, 1);
  /* Every problem is solved as often: the mean says more than that of as many answers. */
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i / 10);

      add (score, name, i % 2 == 0 && i != 4, FALSE);
    }
  g_assert_true (fh_batch_score_estimate (score, 1, FALSE, &estimate));
  g_assert_cmpfloat (estimate.low, >, 0.4);
  g_assert_cmpfloat (estimate.high, <, 0.6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/batch-score/estimator", test_estimator);
  g_test_add_func ("/batch-score/mean", test_mean);
  g_test_add_func ("/batch-score/interval", test_interval);
  return g_test_run ();
}
