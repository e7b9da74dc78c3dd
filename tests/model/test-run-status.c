/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-status.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static const FhRunStatus all[] = {
  FH_RUN_STATUS_OK,
  FH_RUN_STATUS_FAILED,
  FH_RUN_STATUS_SIGNALLED,
  FH_RUN_STATUS_TIMED_OUT,
  FH_RUN_STATUS_MEMORY_EXCEEDED,
  FH_RUN_STATUS_OUTPUT_LIMIT,
  FH_RUN_STATUS_DISK_LIMIT,
  FH_RUN_STATUS_PROCESS_LIMIT,
  FH_RUN_STATUS_VIOLATION,
  FH_RUN_STATUS_STOPPED,
  FH_RUN_STATUS_NOT_STARTED,
  FH_RUN_STATUS_GUARD_FAILED,
  FH_RUN_STATUS_INTERNAL_ERROR,
  FH_RUN_STATUS_OPERATION_LIMIT,
};

static void
assert_sentence (FhRunOutcome outcome, const char *expected)
{
  g_autofree char *sentence = fh_run_outcome_sentence (&outcome);

  g_assert_cmpstr (sentence, ==, expected);
}

#define ASSERT_SENTENCE(expected, ...) assert_sentence ((FhRunOutcome){ __VA_ARGS__ }, expected)

static void
test_program_sentences (void)
{
  ASSERT_SENTENCE ("Finished normally.", .status = FH_RUN_STATUS_OK);
  ASSERT_SENTENCE ("Ended with exit code 3.",
                   .status = FH_RUN_STATUS_FAILED,
                   .exit_code = 3,
                   .signal = -1);
  ASSERT_SENTENCE ("Killed by SIGSEGV (invalid memory access).",
                   .status = FH_RUN_STATUS_SIGNALLED,
                   .signal = SIGSEGV);
  ASSERT_SENTENCE ("Killed by SIGKILL.", .status = FH_RUN_STATUS_SIGNALLED, .signal = SIGKILL);
  ASSERT_SENTENCE ("The program killed itself with SIGKILL.",
                   .status = FH_RUN_STATUS_SIGNALLED,
                   .cause = FH_RUN_CAUSE_ITSELF,
                   .signal = SIGKILL);
  ASSERT_SENTENCE ("Killed by SIGUSR1.", .status = FH_RUN_STATUS_SIGNALLED, .signal = SIGUSR1);
  ASSERT_SENTENCE (
      "Ended with exit code 3. As many processes and threads were running as its limit "
      "allows: perhaps another one was refused.",
      .status = FH_RUN_STATUS_FAILED,
      .cause = FH_RUN_CAUSE_PROCESSES,
      .exit_code = 3,
      .signal = -1);
  ASSERT_SENTENCE ("Killed by signal 50.", .status = FH_RUN_STATUS_SIGNALLED, .signal = 50);
}

static void
test_unfinished (void)
{
  ASSERT_SENTENCE ("The run still went on when this was saved. What had run until then finished "
                   "normally.",
                   .status = FH_RUN_STATUS_OK,
                   .cause = FH_RUN_CAUSE_UNFINISHED);
}

/* 124 and 137 are exit codes like any other: a program may end itself with them. */
static void
test_nothing_is_guessed (void)
{
  ASSERT_SENTENCE ("Ended with exit code 124.", .status = FH_RUN_STATUS_FAILED, .exit_code = 124);
  ASSERT_SENTENCE ("Ended with exit code 137.", .status = FH_RUN_STATUS_FAILED, .exit_code = 137);
}

/* A busy computer ends a run a little late, which is no wait. */
static void
test_time_without_waits (void)
{
  ASSERT_SENTENCE (
      "Stopped after 1 min 35 s: the time limit of 30 s, not counting waits, was reached.",
      .status = FH_RUN_STATUS_TIMED_OUT,
      .cause = FH_RUN_CAUSE_WALL,
      .wall_us = 95200000,
      .limit_ms = 30000);
  ASSERT_SENTENCE ("Stopped after 30 s: the time limit was reached.",
                   .status = FH_RUN_STATUS_TIMED_OUT,
                   .cause = FH_RUN_CAUSE_WALL,
                   .wall_us = 30900000,
                   .limit_ms = 30000);
}

static void
test_limit_sentences (void)
{
  ASSERT_SENTENCE ("Stopped after 2 s: the time limit was reached.",
                   .status = FH_RUN_STATUS_TIMED_OUT,
                   .cause = FH_RUN_CAUSE_WALL,
                   .limit_ms = 2000);
  ASSERT_SENTENCE ("Stopped after 1.5 s of CPU time: its limit was reached.",
                   .status = FH_RUN_STATUS_TIMED_OUT,
                   .cause = FH_RUN_CAUSE_CPU,
                   .limit_ms = 1500);
  ASSERT_SENTENCE ("Stopped because it used more than 256 MiB of memory.",
                   .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
                   .cause = FH_RUN_CAUSE_CERTAIN,
                   .limit_bytes = (guint64) 256 << 20);
  ASSERT_SENTENCE ("It probably ran out of memory: it failed close to the limit of 256 MiB.",
                   .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
                   .cause = FH_RUN_CAUSE_LIKELY,
                   .limit_bytes = (guint64) 256 << 20);
  ASSERT_SENTENCE ("Stopped because too much unread data was in its sockets.",
                   .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
                   .cause = FH_RUN_CAUSE_SOCKETS,
                   .limit_bytes = (guint64) 256 << 20);
  ASSERT_SENTENCE ("Stopped because it took too many locks on files.",
                   .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
                   .cause = FH_RUN_CAUSE_LOCKS);
  ASSERT_SENTENCE ("Stopped because it sent too many open files through sockets without receiving "
                   "them.",
                   .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
                   .cause = FH_RUN_CAUSE_DESCRIPTORS);
  ASSERT_SENTENCE ("The program says that it ran out of memory.",
                   .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
                   .cause = FH_RUN_CAUSE_SAID,
                   .limit_bytes = (guint64) 512 << 20);
  ASSERT_SENTENCE (
      "Stopped because it had so much open that its locks on files could not be counted.",
      .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
      .cause = FH_RUN_CAUSE_OPEN);
  ASSERT_SENTENCE ("Stopped because it opened too many pipes.",
                   .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
                   .cause = FH_RUN_CAUSE_PIPES);
  ASSERT_SENTENCE ("Stopped because it printed more than 64 MiB.",
                   .status = FH_RUN_STATUS_OUTPUT_LIMIT,
                   .limit_bytes = (guint64) 64 << 20);
  ASSERT_SENTENCE ("Stopped by you.", .status = FH_RUN_STATUS_STOPPED);
  ASSERT_SENTENCE (
      "Finished normally. 1 process was still running and was ended: some of its output "
      "may be missing.",
      .status = FH_RUN_STATUS_OK,
      .processes_ended = 1);
  ASSERT_SENTENCE (
      "Ended with exit code 3. A remark. 2 processes were still running and were ended: "
      "some of their output may be missing.",
      .status = FH_RUN_STATUS_FAILED,
      .exit_code = 3,
      .message = "A remark.",
      .processes_ended = 2);
}

static void
test_sentences_of_answers (void)
{
  ASSERT_SENTENCE ("Block 2: Ended with exit code 3. A remark. 1 block after it did not run.",
                   .status = FH_RUN_STATUS_FAILED,
                   .exit_code = 3,
                   .message = "A remark.",
                   .block = 2,
                   .blocks_left = 1);
  ASSERT_SENTENCE ("Block 1: Unsupported language cobol. 4 blocks after it did not run.",
                   .status = FH_RUN_STATUS_FAILED,
                   .exit_code = 1,
                   .step = FH_RUN_STEP_APPROVAL,
                   .message = "Unsupported language cobol",
                   .block = 1,
                   .blocks_left = 4);
  ASSERT_SENTENCE ("Block 7: Finished normally.", .status = FH_RUN_STATUS_OK, .block = 7);
}

static void
test_unseen_sentence (void)
{
  ASSERT_SENTENCE ("Stopped because one of its processes could not be looked into: how much memory "
                   "that used is not known.",
                   .status = FH_RUN_STATUS_MEMORY_EXCEEDED,
                   .cause = FH_RUN_CAUSE_UNSEEN,
                   .limit_bytes = (guint64) 512 << 20);
}

static void
test_our_sentences (void)
{
  ASSERT_SENTENCE ("Could not start: the interpreter was not found inside the sandbox.",
                   .status = FH_RUN_STATUS_NOT_STARTED,
                   .step = "exec",
                   .error = ENOENT);
  ASSERT_SENTENCE ("Could not start: the interpreter ended before it had read the program. What it "
                   "printed may say why.",
                   .status = FH_RUN_STATUS_NOT_STARTED,
                   .step = "interpreter");
  ASSERT_SENTENCE ("Could not start. The interpreter “/x” was not found.",
                   .status = FH_RUN_STATUS_NOT_STARTED,
                   .message = "The interpreter “/x” was not found.");
  ASSERT_SENTENCE ("Nothing was run: the step “user-namespace” failed (Operation not permitted).",
                   .status = FH_RUN_STATUS_GUARD_FAILED,
                   .step = "user-namespace",
                   .error = EPERM);
  ASSERT_SENTENCE ("Fumehood itself failed. The runner went away.",
                   .status = FH_RUN_STATUS_INTERNAL_ERROR,
                   .message = "The runner went away.");
  ASSERT_SENTENCE ("The container was removed while the program ran.",
                   .status = FH_RUN_STATUS_INTERNAL_ERROR,
                   .step = "container",
                   .message = "The container was removed while the program ran.");
  ASSERT_SENTENCE ("Finished normally. The container was made anew.",
                   .status = FH_RUN_STATUS_OK,
                   .message = "The container was made anew.");
  ASSERT_SENTENCE ("Killed because it broke the connection through which Fumehood runs its cells.",
                   .status = FH_RUN_STATUS_VIOLATION,
                   .cause = FH_RUN_CAUSE_CHANNEL);
  ASSERT_SENTENCE ("Killed by the signal for forbidden system calls, which a program can also send "
                   "to itself.",
                   .status = FH_RUN_STATUS_VIOLATION,
                   .cause = FH_RUN_CAUSE_LIKELY);
  ASSERT_SENTENCE ("Ended by the signal for files that grow larger than 1 MiB, which a program can "
                   "also send to itself.",
                   .status = FH_RUN_STATUS_DISK_LIMIT,
                   .cause = FH_RUN_CAUSE_LIKELY,
                   .limit_bytes = 1 << 20);
  ASSERT_SENTENCE ("Could not start. %s%n", .status = FH_RUN_STATUS_NOT_STARTED, .message = "%s%n");
}

/* What others have used up is said in plain words, and is no failure of ours. */
static void
test_shortages (void)
{
  static const int shortages[] = { ENOMEM, EMFILE, ENFILE, EAGAIN, ETOOMANYREFS };

  ASSERT_SENTENCE (
      "Nothing was run: your account has too many open files in transit between programs.",
      .status = FH_RUN_STATUS_GUARD_FAILED,
      .step = "descriptor-passing",
      .error = ETOOMANYREFS);
  ASSERT_SENTENCE ("Nothing was run: your account has reached its limit of processes.",
                   .status = FH_RUN_STATUS_GUARD_FAILED,
                   .step = "user-namespace",
                   .error = EAGAIN);
  ASSERT_SENTENCE ("Nothing was run: the system’s limit of namespaces was reached.",
                   .status = FH_RUN_STATUS_GUARD_FAILED,
                   .step = "namespaces",
                   .error = ENOSPC);
  ASSERT_SENTENCE ("Nothing was run: too many files are open.",
                   .status = FH_RUN_STATUS_NOT_STARTED,
                   .step = "exec",
                   .error = EMFILE);
  ASSERT_SENTENCE ("Nothing was run: the sandbox ended before your program started.",
                   .status = FH_RUN_STATUS_INTERNAL_ERROR,
                   .step = "init");
  for (guint i = 0; i < G_N_ELEMENTS (shortages); i++)
    {
      FhRunOutcome outcome = { .status = FH_RUN_STATUS_GUARD_FAILED, .error = shortages[i] };
      g_autofree char *sentence = fh_run_outcome_sentence (&outcome);

      g_assert_true (fh_run_outcome_is_shortage (&outcome));
      g_assert_true (g_str_has_prefix (sentence, "Nothing was run: "));
      outcome.status = FH_RUN_STATUS_OK;
      g_assert_false (fh_run_outcome_is_shortage (&outcome));
    }
  for (guint i = 0; i < 2; i++)
    {
      FhRunOutcome outcome = { .status = FH_RUN_STATUS_GUARD_FAILED, .error = i == 0 ? EPERM : 0 };

      g_assert_false (fh_run_outcome_is_shortage (&outcome));
    }
}

static void
test_has_run (void)
{
  static const struct
  {
    FhRunOutcome outcome;
    gboolean expected;
  } rows[] = {
    { { .status = FH_RUN_STATUS_OK }, TRUE },
    { { .status = FH_RUN_STATUS_TIMED_OUT }, TRUE },
    { { .status = FH_RUN_STATUS_STOPPED, .wall_us = 1 }, TRUE },
    { { .status = FH_RUN_STATUS_STOPPED }, FALSE },
    { { .status = FH_RUN_STATUS_INTERNAL_ERROR, .wall_us = 1 }, TRUE },
    { { .status = FH_RUN_STATUS_INTERNAL_ERROR }, FALSE },
    { { .status = FH_RUN_STATUS_GUARD_FAILED }, FALSE },
    { { .status = FH_RUN_STATUS_NOT_STARTED, .wall_us = 1 }, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (fh_run_outcome_has_run (&rows[i].outcome), ==, rows[i].expected);
}

/* Every status has its words whatever else is known: nothing, or the limits. */
static void
test_every_status_speaks (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      for (guint j = 0; j < 4; j++)
        {
          FhRunOutcome outcome = {
            .status = all[i],
            .exit_code = -1,
            .signal = -1,
            .limit_ms = j & 1 ? 1000 : 0,
            .limit_bytes = j & 1 ? 1 << 20 : 0,
            .error = j & 2 ? EIO : 0,
            .step = j & 2 ? "step" : NULL,
          };
          g_autofree char *sentence = fh_run_outcome_sentence (&outcome);
          g_autofree char *advice = fh_run_outcome_advice (&outcome);

          g_assert_true (g_str_has_suffix (sentence, "."));
          g_assert_true (advice == NULL || g_str_has_suffix (advice, "."));
          g_assert_null (strstr (sentence, "(null)"));
          g_assert_null (strstr (sentence, "no limit"));
        }
      g_assert_cmpstr (fh_run_status_title (all[i]), !=, "");
      g_assert_true (g_str_has_suffix (fh_run_status_icon_name (all[i]), "-symbolic"));
    }
}

static void
assert_advice (const char *step, int error, const char *part)
{
  FhRunOutcome outcome = { .status = FH_RUN_STATUS_GUARD_FAILED, .step = step, .error = error };
  g_autofree char *advice = fh_run_outcome_advice (&outcome);

  g_test_message ("%s %d: %s", step, error, advice);
  g_assert_nonnull (strstr (advice, part));
}

static void
test_advice (void)
{
  FhRunOutcome ok = { .status = FH_RUN_STATUS_OK };
  FhRunOutcome failed = { .status = FH_RUN_STATUS_FAILED, .exit_code = 1 };
  FhRunOutcome no_room = { .status = FH_RUN_STATUS_DISK_LIMIT };
  g_autofree char *advice = fh_run_outcome_advice (&no_room);

  g_assert_nonnull (strstr (advice, "memory and disk limits"));
  g_assert_null (fh_run_outcome_advice (&ok));
  g_assert_null (fh_run_outcome_advice (&failed));
  assert_advice ("user-namespace", EPERM, "AppArmor");
  assert_advice ("user-namespace-map", EACCES, "AppArmor");
  assert_advice ("namespaces", ENOSPC, "user.max_user_namespaces");
  assert_advice ("network-namespace", EPERM, "AppArmor");
  assert_advice ("user-namespace", EINVAL, "built without");
  assert_advice ("landlock", EIO, "Landlock");
  assert_advice ("pivot-root", EPERM, "AppArmor");
  assert_advice ("system-call-filter", EINVAL, "filter");
  assert_advice ("binds", ENOENT, "interpreter");
  assert_advice ("files", ENOSPC, "disk limit");
  assert_advice ("container-folders", ESTALE, "restart");
  assert_advice ("namespace-limit", EPERM, "fumehoodctl guards");
  assert_advice ("whatever", ENOMEM, "Close other runs and programs");
  assert_advice ("start", EAGAIN, "Close other runs and programs");
  assert_advice ("pipes", EMFILE, "Close other runs and programs");
  assert_advice ("descriptor-passing", ETOOMANYREFS, "Close other runs and programs");
  assert_advice ("user-namespace", ENOSPC, "used them up");
  assert_advice ("whatever", EIO, "fumehoodctl guards");
  assert_advice (NULL, 0, "fumehoodctl guards");
}

static void
test_signal_names (void)
{
  g_assert_cmpstr (fh_signal_name (SIGSEGV), ==, "SIGSEGV");
  g_assert_cmpstr (fh_signal_name (SIGKILL), ==, "SIGKILL");
  g_assert_cmpstr (fh_signal_name (77), ==, "signal 77");
  g_assert_true (fh_signal_name (77) == fh_signal_name (77));
  g_assert_nonnull (fh_signal_name (-1));
  g_assert_nonnull (fh_signal_name (G_MAXINT));
  for (int i = 1; i < 32; i++)
    g_assert_true (g_str_has_prefix (fh_signal_name (i), "SIG"));
}

static void
test_words (void)
{
  FhRunStatus status;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_assert_cmpuint (all[i], ==, i);
      g_assert_true (fh_run_status_from_string (fh_run_status_to_string (all[i]), &status));
      g_assert_cmpuint (status, ==, all[i]);
    }
  for (guint i = 0; i <= FH_RUN_CAUSE_UNFINISHED; i++)
    {
      g_assert_nonnull (fh_run_cause_words[i]);
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (fh_run_cause_words[i], !=, fh_run_cause_words[j]);
    }
  g_assert_null (fh_run_cause_words[FH_RUN_CAUSE_UNFINISHED + 1]);
  g_assert_cmpstr (fh_run_status_to_string (FH_RUN_STATUS_TIMED_OUT), ==, "timed-out");
  g_assert_cmpstr (fh_run_cause_words[FH_RUN_CAUSE_NONE], ==, "");
  g_assert_false (fh_run_status_from_string ("OK", &status));
}

static void
test_severity (void)
{
  g_assert_cmpint (fh_run_status_severity (FH_RUN_STATUS_OK), ==, FH_RUN_SEVERITY_GOOD);
  g_assert_cmpint (fh_run_status_severity (FH_RUN_STATUS_FAILED), ==, FH_RUN_SEVERITY_PROGRAM);
  g_assert_cmpint (fh_run_status_severity (FH_RUN_STATUS_STOPPED), ==, FH_RUN_SEVERITY_LIMIT);
  g_assert_cmpint (fh_run_status_severity (FH_RUN_STATUS_GUARD_FAILED), ==, FH_RUN_SEVERITY_OURS);
}

static void
test_exit_status (void)
{
  static const struct
  {
    FhRunOutcome outcome;
    int expected;
  } rows[] = {
    { { .status = FH_RUN_STATUS_OK, .exit_code = 0 }, 0 },
    { { .status = FH_RUN_STATUS_FAILED, .exit_code = 3 }, 3 },
    { { .status = FH_RUN_STATUS_FAILED, .exit_code = 255 }, 255 },
    { { .status = FH_RUN_STATUS_SIGNALLED, .signal = SIGSEGV }, 139 },
    { { .status = FH_RUN_STATUS_TIMED_OUT, .signal = SIGKILL }, 124 },
    { { .status = FH_RUN_STATUS_MEMORY_EXCEEDED, .signal = SIGKILL }, 137 },
    { { .status = FH_RUN_STATUS_MEMORY_EXCEEDED, .exit_code = 1 }, 137 },
    { { .status = FH_RUN_STATUS_OUTPUT_LIMIT }, 137 },
    { { .status = FH_RUN_STATUS_DISK_LIMIT }, 137 },
    { { .status = FH_RUN_STATUS_PROCESS_LIMIT }, 137 },
    { { .status = FH_RUN_STATUS_VIOLATION }, 137 },
    { { .status = FH_RUN_STATUS_OPERATION_LIMIT, .exit_code = 1 }, 137 },
    { { .status = FH_RUN_STATUS_STOPPED }, 130 },
    { { .status = FH_RUN_STATUS_NOT_STARTED }, 125 },
    { { .status = FH_RUN_STATUS_GUARD_FAILED }, 125 },
    { { .status = FH_RUN_STATUS_INTERNAL_ERROR }, 125 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (fh_run_outcome_exit_status (&rows[i].outcome), ==, rows[i].expected);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-status/program-sentences", test_program_sentences);
  g_test_add_func ("/run-status/unfinished", test_unfinished);
  g_test_add_func ("/run-status/nothing-is-guessed", test_nothing_is_guessed);
  g_test_add_func ("/run-status/limit-sentences", test_limit_sentences);
  g_test_add_func ("/run-status/time-without-waits", test_time_without_waits);
  g_test_add_func ("/run-status/sentences-of-answers", test_sentences_of_answers);
  g_test_add_func ("/run-status/unseen-sentence", test_unseen_sentence);
  g_test_add_func ("/run-status/our-sentences", test_our_sentences);
  g_test_add_func ("/run-status/shortages", test_shortages);
  g_test_add_func ("/run-status/has-run", test_has_run);
  g_test_add_func ("/run-status/every-status-speaks", test_every_status_speaks);
  g_test_add_func ("/run-status/advice", test_advice);
  g_test_add_func ("/run-status/signal-names", test_signal_names);
  g_test_add_func ("/run-status/words", test_words);
  g_test_add_func ("/run-status/severity", test_severity);
  g_test_add_func ("/run-status/exit-status", test_exit_status);
  return g_test_run ();
}
