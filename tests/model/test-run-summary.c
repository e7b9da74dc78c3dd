/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-summary.h"

#include <string.h>

static guint without; /* guards that the next requests switch off */
static guint block;   /* the one that ended the next answers; 0: programs */

static FhRunRequest *
new_request (const char *language)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("1\n", 2);
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (GError) error = NULL;
  FhRunRequest *request;

  options->guards.without = without;
  request = fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup (language),
                                                     .source = source,
                                                     .options = options },
                                &error);

  g_assert_no_error (error);
  return request;
}

/* What is known about a run of that language with these last words and attempts. */
static FhRunSummary *
summarize (const char *language, FhRunStatus status, const char *stderr_text, FhAttemptLog *log)
{
  g_autoptr (FhRunRequest) request = new_request (language);
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (FhRunResult) result = NULL;
  const FhRunOutcome outcome = {
    .status = status,
    .cause = status == FH_RUN_STATUS_MEMORY_EXCEEDED ? FH_RUN_CAUSE_SAID : FH_RUN_CAUSE_NONE,
    .exit_code = 1,
    .signal = -1,
    .block = block,
  };

  fh_output_log_append (output, FH_STREAM_STDERR, 0, stderr_text, strlen (stderr_text));
  result = fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .attempts = log,
      .started_at = now,
      .backend = "native",
      .tier = "A",
  });
  return fh_run_summary_new (request, result);
}

static void
assert_error (const char *language, const char *text, const char *error, guint line)
{
  g_autoptr (FhRunSummary) summary = summarize (language, FH_RUN_STATUS_FAILED, text, NULL);

  g_assert_cmpstr (summary->error, ==, error);
  g_assert_cmpuint (summary->line, ==, line);
}

/* A line of an answer's output counts within its block. */
static void
test_block (void)
{
  static const char text[] = "  File \"main.py\", line 3, in f\nValueError: no\n";
  g_autoptr (FhRunSummary) alone = summarize ("python", FH_RUN_STATUS_FAILED, text, NULL);
  g_autofree char *of_alone = fh_run_summary_dup_error_sentence (alone);
  g_autoptr (FhRunSummary) part = NULL;
  g_autofree char *of_part = NULL;

  block = 2;
  part = summarize ("python", FH_RUN_STATUS_FAILED, text, NULL);
  block = 0;
  of_part = fh_run_summary_dup_error_sentence (part);
  g_assert_cmpstr (of_alone, ==, "In line 3 it said: “ValueError: no”.");
  g_assert_cmpstr (of_part, ==, "In line 3 of block 2 it said: “ValueError: no”.");
}

/* The failed block counts: with its language, and with what it wrote itself. */
static void
test_block_language (void)
{
  static const char before[] = "main.sh: line 9: ValueError: of the first block\n";
  static const char text[] = "  File \"main.py\", line 3, in f\nKeyError: no\n";
  g_autoptr (FhRunRequest) request = new_request ("bash");
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (GPtrArray) blocks = fh_block_runs_new ();
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (FhRunSummary) summary = NULL;
  const FhRunOutcome outcome = { .status = FH_RUN_STATUS_FAILED,
                                 .exit_code = 1,
                                 .signal = -1,
                                 .block = 2 };
  FhBlockRun *run = g_new0 (FhBlockRun, 1);

  run->number = run->n_blocks = 2;
  run->language = fh_language_lookup ("python");
  run->heading = g_strdup ("[2] Python");
  run->offsets[1] = strlen (before);
  run->sizes[1] = strlen (text);
  g_ptr_array_add (blocks, run);
  fh_output_log_append (output, FH_STREAM_STDERR, 0, before, strlen (before));
  fh_output_log_append (output, FH_STREAM_STDERR, 0, text, strlen (text));
  result = fh_run_result_new (&(FhRunResultParts){ .outcome = &outcome,
                                                   .output = output,
                                                   .blocks = blocks,
                                                   .started_at = now,
                                                   .backend = "native" });
  summary = fh_run_summary_new (request, result);
  g_assert_cmpstr (summary->error, ==, "KeyError: no");
  g_assert_cmpuint (summary->line, ==, 3);
  g_assert_cmpuint (summary->block, ==, 2);
}

static void
test_errors (void)
{
  assert_error ("python",
                "Traceback (most recent call last):\n"
                "  File \"/workspace/main.py\", line 7, in <module>\n"
                "  File \"/workspace/main.py\", line 3, in f\n"
                "  File \"/usr/lib/python3.11/json/decoder.py\", line 355, in raw_decode\n"
                "json.decoder.JSONDecodeError: Expecting value\n",
                "json.decoder.JSONDecodeError: Expecting value",
                3);
  assert_error ("c",
                "/workspace/main.c:2:10: error: 'foo' undeclared\n"
                "/workspace/main.c:9:1: error: unknown type\n",
                "/workspace/main.c:2:10: error: 'foo' undeclared",
                2);
  assert_error ("javascript",
                "/workspace/main.js:2\nlet b = a.b.c;\n\nTypeError: no 'c'\n"
                "    at Module._load (node:internal)\n\nNode.js v20\n",
                "TypeError: no 'c'",
                2);
  assert_error ("sh",
                "/workspace/main.sh: 2: foo: not found\n",
                "/workspace/main.sh: 2: foo: not found",
                2);
  assert_error ("python", "nothing of that kind\n", "nothing of that kind", 0);
  assert_error ("python", "", NULL, 0);
}

static void
test_hostile_words (void)
{
  g_autofree char *long_line = g_strnfill (100000, 'x');
  g_autofree char *text = g_strconcat ("ValueError: ", long_line, NULL);
  g_autoptr (FhRunSummary) summary = summarize ("python", FH_RUN_STATUS_FAILED, text, NULL);

  g_assert_cmpint (g_utf8_strlen (summary->error, -1), ==, 201);
  g_clear_pointer (&summary, fh_run_summary_free);
  summary = summarize ("python", FH_RUN_STATUS_FAILED, "ValueError: \x1b[2J\u202eevil\xff", NULL);
  g_assert_cmpstr (summary->error, ==, "ValueError: \\u001b[2J\\u202eevil\uFFFD");
  g_clear_pointer (&summary, fh_run_summary_free);
  /* One that says that it ran out of memory has failed. */
  summary = summarize ("python",
                       FH_RUN_STATUS_MEMORY_EXCEEDED,
                       "  File \"main.py\", line 2, in f\nMemoryError\n",
                       NULL);
  g_assert_cmpstr (summary->error, ==, "MemoryError");
  g_assert_cmpuint (summary->line, ==, 2);
  g_clear_pointer (&summary, fh_run_summary_free);
  /* A program that did not fail has no error, whatever it says. */
  summary = summarize ("python", FH_RUN_STATUS_OK, "ValueError: no\n", NULL);
  g_assert_null (summary->error);
  g_assert_null (fh_run_summary_dup_error_sentence (summary));
}

static void
add (FhAttemptLog *log, FhGuard guard, FhVerdict verdict, const char *operation, const char *object)
{
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&(FhAttemptFacts){ .guard = guard,
                                                                     .verdict = verdict,
                                                                     .count = 1,
                                                                     .layer = "dns",
                                                                     .operation = operation,
                                                                     .object = object,
                                                                     .command = "python3" });

  fh_attempt_log_add (log, attempt);
}

static void
test_control (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  g_autoptr (FhRunSummary) summary = NULL;
  g_autofree char *value = NULL;

  add (log, FH_GUARD_FILESYSTEM, FH_VERDICT_OBSERVED, "open", "/workspace/a");
  add (log, FH_GUARD_FILESYSTEM, FH_VERDICT_HIDDEN, "open", "/etc/shadow");
  add (log, FH_GUARD_NETWORK, FH_VERDICT_DENIED, "look up", "x.example; rm -rf ~");
  summary = summarize ("python", FH_RUN_STATUS_OK, "", log);
  g_assert_cmpstr (fh_attempt_get_facts (summary->blocked->pdata[0])->object, ==, "/etc/shadow");
  g_assert_null (fh_attempt_find_control (summary->blocked->pdata[0], &value));
  g_assert_null (value);
  g_assert_cmpuint (summary->blocked->len, ==, 2);
  g_clear_pointer (&summary, fh_run_summary_free);

  /* The first log is frozen. */
  g_clear_object (&log);
  log = fh_attempt_log_new ();
  add (log, FH_GUARD_FILESYSTEM, FH_VERDICT_HIDDEN, "open", "/usr/x");
  add (log, FH_GUARD_NETWORK, FH_VERDICT_DENIED, "look up", "pypi.org");
  summary = summarize ("python", FH_RUN_STATUS_OK, "", log);
  g_assert_cmpstr (fh_attempt_get_facts (summary->blocked->pdata[0])->object, ==, "pypi.org");
  g_assert_cmpstr (fh_attempt_find_control (summary->blocked->pdata[0], &value)->flag,
                   ==,
                   "allow-host");
  g_assert_cmpstr (value, ==, "pypi.org");
}

/* The gravest is told, whichever came first: secrets, the network, the system, the rest. */
static void
test_gravest (void)
{
  static const struct
  {
    FhGuard guard;
    const char *operation;
    const char *object;
  } attempts[] = {
    { FH_GUARD_FILESYSTEM, "open", "/srv" },
    { FH_GUARD_NETWORK, "connect", "192.0.2.1:80" },
    { FH_GUARD_NETWORK, "look up", "a.example" },
    { FH_GUARD_FILESYSTEM, "open", "/home/a/.ssh/id_rsa" },
    { FH_GUARD_NETWORK, "connect", "169.254.169.254:80" },
  };
  static const char *const told[] = {
    "/srv", "192.0.2.1:80", "192.0.2.1:80", "/home/a/.ssh/id_rsa", "/home/a/.ssh/id_rsa",
  };

  for (guint n = 1; n <= G_N_ELEMENTS (attempts); n++)
    {
      g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
      g_autoptr (FhRunSummary) summary = NULL;

      for (guint i = 0; i < n; i++)
        add (log, attempts[i].guard, FH_VERDICT_DENIED, attempts[i].operation, attempts[i].object);
      summary = summarize ("python", FH_RUN_STATUS_OK, "", log);
      g_assert_cmpstr (fh_attempt_get_facts (summary->blocked->pdata[0])->object, ==, told[n - 1]);
    }
}

/* Nothing is named twice that was tried again, or in another block. */
static void
test_blocked (void)
{
  g_autofree char *folder = g_strnfill (200, 'd');
  g_autofree char *path = g_strconcat ("/srv/", folder, NULL);
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  g_autoptr (FhRunSummary) summary = NULL;
  g_autofree char *blocked = NULL;
  g_autofree char *whole = NULL;

  add (log, FH_GUARD_FILESYSTEM, FH_VERDICT_DENIED, "open", path);
  add (log, FH_GUARD_NETWORK, FH_VERDICT_DENIED, "look up", "a.example");
  add (log, FH_GUARD_FILESYSTEM, FH_VERDICT_HIDDEN, "open", "/home/a/.ssh/id_rsa");
  add (log, FH_GUARD_FILESYSTEM, FH_VERDICT_DENIED, "open", "/home/a/.ssh/id_rsa");
  add (log, FH_GUARD_FILESYSTEM, FH_VERDICT_OBSERVED, "open", "/etc/passwd");
  summary = summarize ("python", FH_RUN_STATUS_OK, "", log);
  blocked = fh_run_summary_dup_blocked (summary, FALSE);
  g_assert_true (
      g_str_has_prefix (blocked,
                        "Blocked: Open /home/a/.ssh/id_rsa, Look up a.example, Open /srv/ddd"));
  g_assert_nonnull (strstr (blocked, "ddd…ddd"));
  g_assert_cmpint (g_utf8_strlen (blocked, -1), <, 150);
  whole = fh_run_summary_dup_blocked (summary, TRUE);
  g_assert_nonnull (strstr (whole, path));
  g_clear_pointer (&summary, fh_run_summary_free);
  g_free (blocked);

  g_clear_object (&log);
  log = fh_attempt_log_new ();
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *host = g_strdup_printf ("%u.example", i);

      add (log, FH_GUARD_NETWORK, FH_VERDICT_DENIED, "look up", host);
    }
  summary = summarize ("python", FH_RUN_STATUS_OK, "", log);
  blocked = fh_run_summary_dup_blocked (summary, FALSE);
  g_assert_cmpstr (blocked,
                   ==,
                   "Blocked: Look up 0.example, Look up 1.example, Look up 2.example, and 2 more "
                   "attempts.");
}

static void
test_unseen (void)
{
  FhRunGuards wanted = FH_RUN_GUARDS_DEFAULT;
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);

  g_assert_null (fh_attempts_why_unseen (&wanted, NULL));
  g_ptr_array_add (
      guards,
      fh_guard_state_new (FH_GUARD_SYSTEM_CALLS, FH_GUARD_LEVEL_ACTIVE, "seccomp filter", ""));
  g_assert_null (fh_attempts_why_unseen (&wanted, guards));
  g_ptr_array_set_size (guards, 0);
  g_ptr_array_add (guards, fh_guard_state_new (FH_GUARD_SYSTEM_CALLS, FH_GUARD_LEVEL_OFF, "", ""));
  g_assert_nonnull (strstr (fh_attempts_why_unseen (&wanted, guards), "could not report"));
  wanted.watch = FH_WATCH_OFF;
  g_assert_nonnull (strstr (fh_attempts_why_unseen (&wanted, guards), "were not recorded"));
  wanted.tier = FH_TIER_UNPROTECTED;
  g_assert_nonnull (strstr (fh_attempts_why_unseen (&wanted, guards), "no protection"));
}

static void
test_limit (void)
{
  g_autoptr (FhAttemptLog) log = fh_attempt_log_new ();
  g_autoptr (FhAttemptLog) other = fh_attempt_log_new ();
  g_autoptr (FhRunSummary) summary = NULL;
  g_autoptr (FhAttempt) end = fh_attempt_new (&(FhAttemptFacts){
      .guard = FH_GUARD_TIME,
      .verdict = FH_VERDICT_LIMITED,
      .ended_run = TRUE,
      .operation = "run on",
      .object = "",
  });

  fh_attempt_log_add (log, end);
  summary = summarize ("python", FH_RUN_STATUS_TIMED_OUT, "", log);
  g_assert_cmpuint (summary->blocked->len, ==, 0);
  g_assert_null (fh_run_summary_dup_blocked (summary, FALSE));
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 0);
  g_clear_pointer (&summary, fh_run_summary_free);
  add (other, FH_GUARD_PROCESSES, FH_VERDICT_LIMITED, "start a process", "");
  summary = summarize ("python", FH_RUN_STATUS_TIMED_OUT, "", other);
  g_assert_cmpuint (summary->blocked->len, ==, 1);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (other), ==, 1);
}

/* What was open is told of every run that was done so, however it ended. */
static void
test_opened (void)
{
  g_autoptr (FhRunSummary) guarded = summarize ("python", FH_RUN_STATUS_OK, "", NULL);
  g_autoptr (FhRunSummary) open = NULL;
  g_autoptr (FhRunSummary) not_run = NULL;

  g_assert_null (guarded->opened);
  without = 1u << FH_GUARD_NETWORK | 1u << FH_GUARD_MEMORY;
  open = summarize ("python", FH_RUN_STATUS_OK, "", NULL);
  not_run = summarize ("python", FH_RUN_STATUS_GUARD_FAILED, "", NULL);
  without = 0;
  g_assert_cmpstr (open->opened, ==, "Guards that were switched off: Network, Memory.");
  g_assert_null (not_run->opened);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-summary/errors", test_errors);
  g_test_add_func ("/run-summary/block", test_block);
  g_test_add_func ("/run-summary/block-language", test_block_language);
  g_test_add_func ("/run-summary/hostile-words", test_hostile_words);
  g_test_add_func ("/run-summary/control", test_control);
  g_test_add_func ("/run-summary/gravest", test_gravest);
  g_test_add_func ("/run-summary/blocked", test_blocked);
  g_test_add_func ("/run-summary/unseen", test_unseen);
  g_test_add_func ("/run-summary/limit", test_limit);
  g_test_add_func ("/run-summary/opened", test_opened);
  return g_test_run ();
}
