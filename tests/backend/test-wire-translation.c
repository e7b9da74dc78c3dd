/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-translation.h"

static GPtrArray *
translate (const struct fh_guard_report *reports, gsize count)
{
  struct fh_buffer buffer;
  GPtrArray *guards;

  fh_buffer_init (&buffer, 8192);
  fh_guards_encode (reports, count, &buffer);
  guards = fh_guard_states_from_wire (buffer.data + FH_FRAME_HEADER_SIZE,
                                      buffer.size - FH_FRAME_HEADER_SIZE,
                                      NULL);
  fh_buffer_clear (&buffer);
  return guards;
}

static void
test_guards (void)
{
  struct fh_guard_report reports[FH_WIRE_N_GUARDS];
  g_autoptr (GPtrArray) guards = NULL;
  g_autoptr (GPtrArray) none = NULL;

  for (guint8 i = 0; i < FH_WIRE_N_GUARDS; i++)
    reports[i] = (struct fh_guard_report){ i, i % 4, "layer", i % 2 ? "reason" : "" };
  guards = translate (reports, G_N_ELEMENTS (reports));
  g_assert_cmpuint (guards->len, ==, FH_WIRE_N_GUARDS);
  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *state = g_ptr_array_index (guards, i);

      g_assert_cmpint (fh_guard_state_get_facts (state)->guard, ==, i);
      g_assert_cmpint (fh_guard_state_get_facts (state)->level, ==, i % 4);
      g_assert_cmpstr (fh_guard_state_get_facts (state)->layers, ==, "layer");
      g_assert_cmpstr (fh_guard_state_get_facts (state)->reason, ==, i % 2 ? "reason" : NULL);
    }
  none = translate (reports, 0);
  g_assert_cmpuint (none->len, ==, 0);
}

/* Only one guard is about files. */
static void
test_guards_that_show (void)
{
  const struct fh_guard_report reports[] = {
    { FH_WIRE_GUARD_FILESYSTEM, FH_WIRE_LEVEL_ACTIVE, "layer", "" },
    { FH_WIRE_GUARD_NETWORK, FH_WIRE_LEVEL_ACTIVE, "layer", "" },
  };
  const char *const shown[] = { "/home/me/venv", NULL };
  const char *const none[] = { NULL };
  struct fh_buffer buffer;
  g_autoptr (GPtrArray) guards = NULL;

  fh_buffer_init (&buffer, 8192);
  fh_guards_encode (reports, G_N_ELEMENTS (reports), &buffer);
  guards = fh_guard_states_from_wire (buffer.data + FH_FRAME_HEADER_SIZE,
                                      buffer.size - FH_FRAME_HEADER_SIZE,
                                      shown);
  fh_buffer_clear (&buffer);
  g_assert_cmpstrv (fh_guard_state_get_facts (g_ptr_array_index (guards, 0))->shown, shown);
  g_assert_cmpstrv (fh_guard_state_get_facts (g_ptr_array_index (guards, 1))->shown, none);
}

/* The runs of a sandbox share the states that it tells; a list of its own is for each. */
static void
test_guards_that_are_told_again (void)
{
  const struct fh_guard_report report = { FH_WIRE_GUARD_TIME, FH_WIRE_LEVEL_ACTIVE, "layer", "" };
  const struct fh_guard_report other = { FH_WIRE_GUARD_TIME, FH_WIRE_LEVEL_OFF, "layer", "" };
  g_autoptr (GPtrArray) first = translate (&report, 1);
  g_autoptr (GPtrArray) second = translate (&report, 1);
  g_autoptr (GPtrArray) third = translate (&other, 1);

  g_assert_true (first != second);
  g_assert_true (first->pdata[0] == second->pdata[0]);
  g_assert_cmpint (fh_guard_state_get_facts (third->pdata[0])->level, ==, FH_GUARD_LEVEL_OFF);
  g_assert_cmpint (fh_guard_state_get_facts (first->pdata[0])->level, ==, FH_GUARD_LEVEL_ACTIVE);
}

static void
test_guards_that_make_no_sense (void)
{
  const guint8 unknown_guard[] = { 1, 99, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  const guint8 unknown_level[] = { 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0 };
  const guint8 too_many[] = { 200 };
  const guint8 cut[] = { 1, 0, 0, 5, 0, 0, 0, 'a' };

  g_assert_null (fh_guard_states_from_wire (unknown_guard, sizeof unknown_guard, NULL));
  g_assert_null (fh_guard_states_from_wire (unknown_level, sizeof unknown_level, NULL));
  g_assert_null (fh_guard_states_from_wire (too_many, sizeof too_many, NULL));
  g_assert_null (fh_guard_states_from_wire (cut, sizeof cut, NULL));
  g_assert_null (fh_guard_states_from_wire (NULL, 0, NULL));
}

static const FhRunLimits limits = {
  .wall_ms = 1,
  .cpu_ms = 2,
  .memory_bytes = 3,
  .disk_bytes = 2,
  .output_bytes = 5,
  .processes = 6,
};

static FhRunOutcome
outcome_of (guint8 status, guint8 cause, int exit_code)
{
  const struct fh_finished finished = {
    .status = status,
    .cause = cause,
    .exit_code = exit_code,
    .signal = -1,
    .step = "",
  };

  return fh_outcome_from_wire (&finished, &limits);
}

static void
test_statuses (void)
{
  const struct
  {
    guint8 wire;
    int exit_code;
    FhRunStatus status;
  } rows[] = {
    { FH_WIRE_EXITED, 0, FH_RUN_STATUS_OK },
    { FH_WIRE_EXITED, 1, FH_RUN_STATUS_FAILED },
    { FH_WIRE_SIGNALLED, -1, FH_RUN_STATUS_SIGNALLED },
    { FH_WIRE_TIMED_OUT, -1, FH_RUN_STATUS_TIMED_OUT },
    { FH_WIRE_MEMORY, -1, FH_RUN_STATUS_MEMORY_EXCEEDED },
    { FH_WIRE_OUTPUT_LIMIT, -1, FH_RUN_STATUS_OUTPUT_LIMIT },
    { FH_WIRE_DISK_LIMIT, -1, FH_RUN_STATUS_DISK_LIMIT },
    { FH_WIRE_PROCESS_LIMIT, -1, FH_RUN_STATUS_PROCESS_LIMIT },
    { FH_WIRE_VIOLATION, -1, FH_RUN_STATUS_VIOLATION },
    { FH_WIRE_STOPPED, -1, FH_RUN_STATUS_STOPPED },
    { FH_WIRE_NOT_STARTED, -1, FH_RUN_STATUS_NOT_STARTED },
    { FH_WIRE_SETUP_FAILED, -1, FH_RUN_STATUS_GUARD_FAILED },
    { FH_WIRE_INTERNAL, -1, FH_RUN_STATUS_INTERNAL_ERROR },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      FhRunOutcome outcome = outcome_of (rows[i].wire, FH_WIRE_CAUSE_NONE, rows[i].exit_code);

      g_assert_cmpint (outcome.status, ==, rows[i].status);
      g_assert_cmpint (outcome.exit_code, ==, rows[i].exit_code);
      g_assert_cmpint (outcome.cause, ==, FH_RUN_CAUSE_NONE);
      g_assert_null (outcome.step);
    }
}

/* A room that is as large as the memory was full, or a file has become too large elsewhere. */
static void
test_disk_beyond_memory (void)
{
  const struct fh_finished finished = { .status = FH_WIRE_DISK_LIMIT, .step = "" };
  FhRunLimits few = limits;

  few.disk_bytes = few.memory_bytes + 1;
  g_assert_cmpuint (fh_outcome_from_wire (&finished, &few).limit_bytes, ==, 0);
  few.memory_bytes = 0;
  g_assert_cmpuint (fh_outcome_from_wire (&finished, &few).limit_bytes, ==, few.disk_bytes);
}

/* The sentence names the limit that was in force, so each end must get its own. */
static void
test_limits (void)
{
  g_assert_cmpuint (outcome_of (FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_WALL, -1).limit_ms, ==, 1);
  g_assert_cmpuint (outcome_of (FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_CPU, -1).limit_ms, ==, 2);
  g_assert_cmpuint (outcome_of (FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY, -1).limit_bytes, ==, 3);
  g_assert_cmpuint (outcome_of (FH_WIRE_DISK_LIMIT, FH_WIRE_CAUSE_NONE, -1).limit_bytes, ==, 2);
  g_assert_cmpuint (outcome_of (FH_WIRE_OUTPUT_LIMIT, FH_WIRE_CAUSE_NONE, -1).limit_bytes, ==, 5);
  g_assert_cmpint (outcome_of (FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY, -1).cause,
                   ==,
                   FH_RUN_CAUSE_LIKELY);
  g_assert_cmpint (outcome_of (FH_WIRE_MEMORY, FH_WIRE_CAUSE_CERTAIN, -1).cause,
                   ==,
                   FH_RUN_CAUSE_CERTAIN);
}

static void
test_ours (void)
{
  FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_INTERNAL_ERROR, "runner", "Why.");

  g_assert_cmpint (outcome.exit_code, ==, -1);
  g_assert_cmpint (outcome.signal, ==, -1);
  g_assert_cmpstr (outcome.step, ==, "runner");
  g_assert_cmpstr (outcome.message, ==, "Why.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-translation/guards", test_guards);
  g_test_add_func ("/wire-translation/guards-that-show", test_guards_that_show);
  g_test_add_func ("/wire-translation/guards-that-are-told-again", test_guards_that_are_told_again);
  g_test_add_func ("/wire-translation/guards-that-make-no-sense", test_guards_that_make_no_sense);
  g_test_add_func ("/wire-translation/statuses", test_statuses);
  g_test_add_func ("/wire-translation/limits", test_limits);
  g_test_add_func ("/wire-translation/disk-beyond-memory", test_disk_beyond_memory);
  g_test_add_func ("/wire-translation/ours", test_ours);
  return g_test_run ();
}
