/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log grows at its end, up to its limit, and not after the end of the run. */
#include "attempt-log.h"

static FhAttempt *
add (FhAttemptLog *log, FhVerdict verdict, const char *object)
{
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&(FhAttemptFacts){
      .guard = FH_GUARD_FILESYSTEM,
      .verdict = verdict,
      .operation = "open",
      .object = object,
  });

  return fh_attempt_log_add (log, attempt) ? attempt : NULL;
}

static guint
count (FhAttemptLog *log)
{
  return g_list_model_get_n_items (G_LIST_MODEL (log));
}

static void
append_changes_cb (GListModel *model, guint position, guint removed, guint added, GString *trace)
{
  g_string_append_printf (trace, "%u-%u+%u ", position, removed, added);
}

static void
test_grows (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  g_autoptr (GString) trace = g_string_new (NULL);
  g_autoptr (FhAttempt) item = NULL;
  guint64 dropped = 0;
  guint stopped = 0;
  guint items = 0;

  g_signal_connect (log, "items-changed", G_CALLBACK (append_changes_cb), trace);
  add (log, FH_VERDICT_DENIED, "/a");
  add (log, FH_VERDICT_OBSERVED, "/b");
  add (log, FH_VERDICT_HIDDEN, "/c");
  add (log, FH_VERDICT_LIMITED, "/d");
  fh_attempt_log_set_n_dropped (log, 9);
  g_assert_cmpstr (trace->str, ==, "0-0+1 1-0+1 2-0+1 3-0+1 ");
  g_object_get (log, "n-items", &items, "n-stopped", &stopped, "n-dropped", &dropped, NULL);
  g_assert_cmpuint (items, ==, 4);
  g_assert_cmpuint (stopped, ==, 3);
  g_assert_cmpuint (dropped, ==, 9);
  item = g_list_model_get_item (G_LIST_MODEL (log), 1);
  g_assert_cmpstr (fh_attempt_get_facts (item)->object, ==, "/b");
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (log), 4));
  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (log)) == FH_TYPE_ATTEMPT);
}

static void
test_find (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  FhAttempt *denied = add (log, FH_VERDICT_DENIED, "/a");
  FhAttempt *hidden = add (log, FH_VERDICT_HIDDEN, "/a");
  FhAttemptFacts facts = *fh_attempt_get_facts (hidden);

  g_assert_true (fh_attempt_log_find (log, &facts) == hidden);
  facts.count = 7;
  facts.time_us = 1;
  g_assert_true (fh_attempt_log_find (log, &facts) == hidden);
  facts.is_reported = TRUE;
  g_assert_null (fh_attempt_log_find (log, &facts));
  g_assert_true (fh_attempt_log_find_act (log, "open", "/a", FALSE) == denied);
  g_assert_null (fh_attempt_log_find_act (log, "open", "/a", TRUE));
  g_assert_null (fh_attempt_log_find_act (log, "list", "/a", FALSE));
}

static void
test_replace (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  g_autoptr (GString) trace = g_string_new (NULL);
  g_autoptr (FhAttempt) other = NULL;
  FhAttempt *second;
  FhAttempt *twin;

  add (log, FH_VERDICT_DENIED, "/a");
  second = add (log, FH_VERDICT_OBSERVED, "/b");
  twin = add (log, FH_VERDICT_HIDDEN, "/b");
  g_signal_connect (log, "items-changed", G_CALLBACK (append_changes_cb), trace);
  other = fh_attempt_new (&(FhAttemptFacts){
      .verdict = FH_VERDICT_DENIED,
      .operation = "connect",
      .object = "1.1.1.1:1",
  });
  fh_attempt_log_replace (log, second, other);
  g_assert_cmpstr (trace->str, ==, "1-1+1 ");
  g_assert_true (fh_attempt_log_get (log, 1) == other);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 3);
  g_assert_true (fh_attempt_log_find_act (log, "connect", "1.1.1.1:1", FALSE) == other);
  /* What stood behind the one that is gone is found now. */
  g_assert_true (fh_attempt_log_find_act (log, "open", "/b", FALSE) == twin);
}

static void
test_limit (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();

  for (guint i = 0; i < FH_ATTEMPT_LOG_MAX + 3; i++)
    {
      g_autofree char *object = g_strdup_printf ("/%u", i);

      g_assert_true ((add (log, FH_VERDICT_DENIED, object) != NULL) == (i < FH_ATTEMPT_LOG_MAX));
    }
  g_assert_cmpuint (count (log), ==, FH_ATTEMPT_LOG_MAX);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (log), ==, 3);
}

static void
test_freeze (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  FhAttempt *first = add (log, FH_VERDICT_DENIED, "/a");
  g_autoptr (FhAttempt) other = fh_attempt_new (&(FhAttemptFacts){ .operation = "x" });

  fh_attempt_log_freeze (log);
  g_assert_null (add (log, FH_VERDICT_DENIED, "/b"));
  fh_attempt_log_replace (log, first, other);
  fh_attempt_log_set_n_dropped (log, 5);
  g_assert_cmpuint (count (log), ==, 1);
  g_assert_true (fh_attempt_log_get (log, 0) == first);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (log), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attempt-log/grows", test_grows);
  g_test_add_func ("/attempt-log/find", test_find);
  g_test_add_func ("/attempt-log/replace", test_replace);
  g_test_add_func ("/attempt-log/limit", test_limit);
  g_test_add_func ("/attempt-log/freeze", test_freeze);
  return g_test_run ();
}
