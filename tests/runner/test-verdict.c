/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdict.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>

#define MEMORY ((uint64_t) 256 << 20)

static const struct fh_policy limited = {
  .cpu_ms = 1000,
  .memory_bytes = MEMORY,
  .disk_bytes = 1 << 20,
  .processes = 8,
};
static const struct fh_policy unlimited;

/* Wait statuses as wait(2) gives them on Linux. */
#define EXITED(code)      ((code) << 8)
#define SIGNALLED(number) (number)

static struct fh_finished
conclude (const struct verdict_evidence *evidence)
{
  struct verdict verdict = { 0 };
  struct fh_finished finished = { 0 };

  verdict_conclude (&verdict, evidence, &finished);
  return finished;
}

static void
assert_verdict (const struct verdict_evidence *evidence, int status, int cause)
{
  struct fh_finished finished = conclude (evidence);

  g_assert_cmpint (finished.status, ==, status);
  g_assert_cmpint (finished.cause, ==, cause);
}

static void
test_ordinary_ends (void)
{
  struct verdict_evidence evidence = { .policy = &limited, .is_known = true };
  struct fh_finished finished;

  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = EXITED (137);
  finished = conclude (&evidence);
  g_assert_cmpint (finished.status, ==, FH_WIRE_EXITED);
  g_assert_cmpint (finished.exit_code, ==, 137);
  g_assert_cmpint (finished.signal, ==, -1);
  evidence.wait_status = SIGNALLED (SIGTERM);
  finished = conclude (&evidence);
  g_assert_cmpint (finished.status, ==, FH_WIRE_SIGNALLED);
  g_assert_cmpint (finished.exit_code, ==, -1);
  g_assert_cmpint (finished.signal, ==, SIGTERM);
  g_assert_cmpstr (finished.step, ==, "");
}

static void
test_interpreter_that_read_nothing (void)
{
  static const int ends[] = { EXITED (0), EXITED (2), SIGNALLED (SIGKILL), SIGNALLED (SIGTERM) };
  struct verdict_evidence evidence = { .policy = &limited, .is_known = true, .is_unread = true };

  for (size_t i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      struct fh_finished finished;

      evidence.wait_status = ends[i];
      finished = conclude (&evidence);
      g_assert_cmpint (finished.status, ==, FH_WIRE_NOT_STARTED);
      g_assert_cmpstr (finished.step, ==, "interpreter");
      g_assert_cmpint (finished.exit_code, ==, -1);
      g_assert_cmpint (finished.signal, ==, -1);
    }
  evidence.memory_peak = MEMORY;
  evidence.wait_status = SIGNALLED (SIGKILL);
  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY);
}

static void
test_init_died_first (void)
{
  struct verdict_evidence evidence = { .policy = &limited, .was_started = true };
  struct fh_finished finished = conclude (&evidence);

  g_assert_cmpint (finished.status, ==, FH_WIRE_SIGNALLED);
  g_assert_cmpint (finished.signal, ==, SIGKILL);
  evidence.was_started = false;
  finished = conclude (&evidence);
  g_assert_cmpint (finished.status, ==, FH_WIRE_INTERNAL);
  g_assert_cmpstr (finished.step, ==, "init");
  g_assert_cmpint (finished.error, ==, 0);
  g_assert_cmpint (finished.signal, ==, -1);
}

static void
test_signals_that_tell_a_limit (void)
{
  struct verdict_evidence evidence = { .policy = &limited, .is_known = true };

  evidence.wait_status = SIGNALLED (SIGSYS);
  assert_verdict (&evidence, FH_WIRE_VIOLATION, FH_WIRE_CAUSE_LIKELY);
  evidence.wait_status = SIGNALLED (SIGXFSZ);
  assert_verdict (&evidence, FH_WIRE_DISK_LIMIT, FH_WIRE_CAUSE_LIKELY);
  evidence.wait_status = SIGNALLED (SIGXCPU);
  evidence.cpu_us = 999000;
  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
  evidence.cpu_us = 1000000;
  assert_verdict (&evidence, FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_CPU);
  evidence.policy = &unlimited;
  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = SIGNALLED (SIGXFSZ);
  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
}

/* What the program did is certain, so nothing is guessed. */
static void
test_killed_itself (void)
{
  struct verdict_evidence evidence = {
    .policy = &limited,
    .is_known = true,
    .wait_status = SIGNALLED (SIGKILL),
    .memory_peak = MEMORY,
    .killed_itself = true,
  };

  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_ITSELF);
  evidence.was_over_memory = true;
  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_CERTAIN);
  evidence.was_over_memory = false;
  evidence.wait_status = EXITED (0);
  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE);
}

static void
test_memory_is_likely (void)
{
  static const int numbers[] = { SIGSEGV, SIGABRT, SIGBUS, SIGKILL };
  struct verdict_evidence evidence = { .policy = &limited, .is_known = true };

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      evidence.wait_status = SIGNALLED (numbers[i]);
      evidence.memory_peak = MEMORY - MEMORY / 20;
      assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY);
      evidence.memory_peak = MEMORY / 2;
      assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
    }
  evidence.memory_peak = MEMORY;
  evidence.wait_status = SIGNALLED (SIGTERM);
  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = EXITED (137);
  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = SIGNALLED (SIGKILL);
  evidence.policy = &unlimited;
  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
}

/* The kernel has killed in the sandbox because of its memory limit. */
static void
test_memory_is_certain (void)
{
  struct verdict_evidence evidence = {
    .policy = &limited,
    .was_started = true,
    .memory_is_counted = true,
    .was_over_memory = true,
  };

  /* Together with init, with the main process, or only one of its children. */
  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_CERTAIN);
  g_assert_cmpint (conclude (&evidence).signal, ==, SIGKILL);
  evidence.is_known = true;
  evidence.wait_status = SIGNALLED (SIGKILL);
  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_CERTAIN);
  evidence.wait_status = EXITED (0);
  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_CERTAIN);
  g_assert_cmpint (conclude (&evidence).exit_code, ==, 0);
}

/* Near the limit is no evidence where the kernel would have said that it was over. */
static void
test_memory_that_is_counted (void)
{
  struct verdict_evidence evidence = {
    .policy = &limited,
    .was_started = true,
    .is_known = true,
    .wait_status = SIGNALLED (SIGSEGV),
    .memory_peak = MEMORY,
    .memory_is_counted = true,
  };

  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = SIGNALLED (SIGKILL);
  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = EXITED (1);
  evidence.says_out_of_memory = true;
  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY);
}

static void
test_the_guests_own_word (void)
{
  struct verdict_evidence evidence = {
    .policy = &limited,
    .is_known = true,
    .says_out_of_memory = true,
  };

  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = EXITED (3);
  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = SIGNALLED (SIGTERM);
  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
  evidence.wait_status = EXITED (1);
  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_SAID);
  evidence.memory_peak = MEMORY;
  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY);
  evidence.policy = &unlimited;
  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE);
}

static void
test_limits_that_were_reached (void)
{
  struct verdict_evidence evidence = {
    .policy = &limited,
    .is_known = true,
    .disk_is_full = true,
    .was_refused_process = true,
    .may_lack_processes = true,
  };

  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_PROCESSES);
  evidence.wait_status = EXITED (2);
  assert_verdict (&evidence, FH_WIRE_DISK_LIMIT, FH_WIRE_CAUSE_NONE);
  evidence.disk_is_full = false;
  assert_verdict (&evidence, FH_WIRE_PROCESS_LIMIT, FH_WIRE_CAUSE_NONE);
  /* That so many ran is no proof that one was refused. */
  evidence.was_refused_process = false;
  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_PROCESSES);
  evidence.wait_status = SIGNALLED (SIGTERM);
  assert_verdict (&evidence, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_PROCESSES);
  /* A program may go on without the process that it was refused. */
  evidence.wait_status = EXITED (0);
  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_PROCESSES);
}

static void
test_first_cause_wins (void)
{
  struct verdict_evidence evidence = {
    .policy = &limited,
    .is_known = true,
    .wait_status = SIGNALLED (SIGKILL),
    .memory_peak = MEMORY,
  };
  struct verdict verdict = { 0 };
  struct fh_finished finished = { 0 };

  verdict_decide (&verdict, FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_WALL);
  verdict_decide (&verdict, FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE);
  verdict_fault (&verdict, FH_WIRE_SETUP_FAILED, "root", EIO);
  verdict_conclude (&verdict, &evidence, &finished);
  g_assert_cmpint (finished.status, ==, FH_WIRE_TIMED_OUT);
  g_assert_cmpint (finished.cause, ==, FH_WIRE_CAUSE_WALL);
  g_assert_cmpint (finished.signal, ==, SIGKILL);
  g_assert_cmpint (finished.error, ==, 0);
}

static void
test_faults (void)
{
  struct verdict_evidence evidence = { .policy = &limited };
  struct verdict verdict = { 0 };
  struct fh_finished finished = { 0 };

  verdict_fault (&verdict, FH_WIRE_SETUP_FAILED, "root", EPERM);
  verdict_conclude (&verdict, &evidence, &finished);
  g_assert_cmpint (finished.status, ==, FH_WIRE_SETUP_FAILED);
  g_assert_cmpstr (finished.step, ==, "root");
  g_assert_cmpint (finished.error, ==, EPERM);
  g_assert_cmpint (finished.exit_code, ==, -1);
  g_assert_cmpint (finished.signal, ==, -1);
}

/* Its interpreter goes on. */
static void
test_the_word_of_a_cell (void)
{
  struct fh_policy policy = { .kind = FH_POLICY_KEPT, .memory_bytes = 1 << 20 };
  struct verdict_evidence evidence = {
    .policy = &policy,
    .is_known = true,
    .was_started = true,
    .says_out_of_memory = true,
  };

  assert_verdict (&evidence, FH_WIRE_MEMORY, FH_WIRE_CAUSE_SAID);
  policy.memory_bytes = 0;
  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE);
  policy.memory_bytes = 1 << 20;
  policy.kind = FH_POLICY_SINGLE;
  assert_verdict (&evidence, FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verdict/ordinary-ends", test_ordinary_ends);
  g_test_add_func ("/verdict/interpreter-that-read-nothing", test_interpreter_that_read_nothing);
  g_test_add_func ("/verdict/init-died-first", test_init_died_first);
  g_test_add_func ("/verdict/signals-that-tell-a-limit", test_signals_that_tell_a_limit);
  g_test_add_func ("/verdict/killed-itself", test_killed_itself);
  g_test_add_func ("/verdict/memory-is-likely", test_memory_is_likely);
  g_test_add_func ("/verdict/memory-is-certain", test_memory_is_certain);
  g_test_add_func ("/verdict/memory-that-is-counted", test_memory_that_is_counted);
  g_test_add_func ("/verdict/the-guests-own-word", test_the_guests_own_word);
  g_test_add_func ("/verdict/the-word-of-a-cell", test_the_word_of_a_cell);
  g_test_add_func ("/verdict/limits-that-were-reached", test_limits_that_were_reached);
  g_test_add_func ("/verdict/first-cause-wins", test_first_cause_wins);
  g_test_add_func ("/verdict/faults", test_faults);
  return g_test_run ();
}
