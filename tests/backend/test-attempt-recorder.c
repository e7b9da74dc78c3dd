/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One act has one row, whichever side reported it first, and reports take no room from what guards
 * see. */
#include "run-driver.h"

static FhAttemptFacts
act (FhVerdict verdict, const char *object, guint line)
{
  return (FhAttemptFacts){
    .guard = FH_GUARD_FILESYSTEM,
    .verdict = verdict,
    .line = line,
    .operation = "open",
    .object = object,
  };
}

static void
see (FhAttemptRecorder *recorder, FhVerdict verdict, const char *object)
{
  FhAttemptFacts facts = act (verdict, object, 0);
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&facts);

  g_assert_true (fh_attempt_recorder_add (recorder, attempt));
}

static void
report (FhAttemptRecorder *recorder, const char *object, guint line)
{
  FhAttemptFacts facts = act (FH_VERDICT_OBSERVED, object, line);

  facts.count = 1;
  fh_attempt_recorder_report (recorder, &facts);
}

static guint
count_attempts (FhAttemptRecorder *recorder)
{
  return g_list_model_get_n_items (G_LIST_MODEL (fh_attempt_recorder_get_log (recorder)));
}

static const FhAttemptFacts *
get_facts (FhAttemptRecorder *recorder, guint position)
{
  return fh_attempt_get_facts (
      fh_attempt_log_get (fh_attempt_recorder_get_log (recorder), position));
}

/* What a guard saw and what the interpreter told of it are one row, whichever came first. */
static void
test_reports_merge (void)
{
  g_autoptr (FhAttemptRecorder) recorder = fh_attempt_recorder_new ();

  see (recorder, FH_VERDICT_HIDDEN, "/seen first");
  report (recorder, "/seen first", 7);
  report (recorder, "/told first", 8);
  report (recorder, "/told only", 9);
  report (recorder, "/told only", 9);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (fh_attempt_recorder_get_log (recorder)), ==, 1);
  see (recorder, FH_VERDICT_DENIED, "/told first");
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (fh_attempt_recorder_get_log (recorder)), ==, 2);
  g_assert_cmpuint (count_attempts (recorder), ==, 3);
  g_assert_cmpuint (get_facts (recorder, 0)->line, ==, 7);
  g_assert_cmpuint (get_facts (recorder, 1)->line, ==, 8);
  g_assert_false (get_facts (recorder, 1)->is_reported);
  g_assert_cmpint (get_facts (recorder, 1)->verdict, ==, FH_VERDICT_DENIED);
  g_assert_true (get_facts (recorder, 2)->is_reported);
  g_assert_cmpuint (get_facts (recorder, 2)->count, ==, 2);
  /* The same act with another verdict is another row. */
  see (recorder, FH_VERDICT_HIDDEN, "/told first");
  g_assert_cmpuint (count_attempts (recorder), ==, 4);
}

/* A report without an operation tells only the line, to guards that saw it before or will later. */
static void
test_lines (void)
{
  g_autoptr (FhAttemptRecorder) recorder = fh_attempt_recorder_new ();
  FhAttemptFacts line = act (FH_VERDICT_OBSERVED, "/before", 3);

  line.operation = "";
  see (recorder, FH_VERDICT_DENIED, "/before");
  fh_attempt_recorder_report (recorder, &line);
  line.object = "/after";
  line.line = 4;
  fh_attempt_recorder_report (recorder, &line);
  line.line = 5;
  fh_attempt_recorder_report (recorder, &line);
  g_assert_cmpuint (count_attempts (recorder), ==, 1);
  see (recorder, FH_VERDICT_HIDDEN, "/after");
  see (recorder, FH_VERDICT_HIDDEN, "/elsewhere");
  g_assert_cmpuint (get_facts (recorder, 0)->line, ==, 3);
  g_assert_cmpuint (get_facts (recorder, 1)->line, ==, 4);
  g_assert_cmpuint (get_facts (recorder, 2)->line, ==, 0);
}

/* A program that makes up attempts does not hide what guards see. */
static void
test_reports_leave_room (void)
{
  g_autoptr (FhAttemptRecorder) recorder = fh_attempt_recorder_new ();
  FhAttemptLog *log = fh_attempt_recorder_get_log (recorder);

  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *object = g_strdup_printf ("/made-up/%u", i);

      report (recorder, object, 1);
    }
  g_assert_cmpuint (count_attempts (recorder), ==, 512);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (log), ==, 1488);
  for (guint i = 0; i < 512; i++)
    {
      g_autofree char *object = g_strdup_printf ("/real/%u", i);

      see (recorder, FH_VERDICT_DENIED, object);
    }
  g_assert_cmpuint (count_attempts (recorder), ==, 1024);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 512);
  fh_attempt_recorder_set_dropped (recorder, 12);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (log), ==, 1500);
  /* One that turned out to be real leaves room for another report. */
  see (recorder, FH_VERDICT_DENIED, "/made-up/3");
  g_assert_cmpuint (count_attempts (recorder), ==, 1024);
  g_assert_false (get_facts (recorder, 3)->is_reported);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attempt-recorder/reports-merge", test_reports_merge);
  g_test_add_func ("/attempt-recorder/lines", test_lines);
  g_test_add_func ("/attempt-recorder/reports-leave-room", test_reports_leave_room);
  return g_test_run ();
}
