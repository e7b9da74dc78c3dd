/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a runner tells of attempts reaches the run as told, and nonsense ends the conversation. */
#include "run-events.h"

#include <string.h>

#include "wire-attempt.h"
#include "wire-guest.h"
#include "wire-result-file.h"

static const FhOrder in_namespaces = { .tier = FH_TIER_NAMESPACES };

static FhRun *
new_guarded_run (const FhRunGuards *guards)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)", 8);
  g_autoptr (FhRunRequest) request = NULL;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .guards = guards,
      },
      NULL);
  return fh_run_new (request, "native");
}

static FhRun *
new_run (void)
{
  return new_guarded_run (NULL);
}

static gboolean
hear (FhRunEvents *feed, struct fh_buffer *buffer)
{
  struct fh_frame frame = {
    .kind = (uint16_t) (buffer->data[4] | buffer->data[5] << 8),
    .payload = buffer->data + FH_FRAME_HEADER_SIZE,
    .size = (uint32_t) (buffer->size - FH_FRAME_HEADER_SIZE),
  };
  gboolean makes_sense = fh_run_events_handle (feed, &frame);

  fh_buffer_clear (buffer);
  return makes_sense;
}

static enum fh_wire_verdict verdict = FH_WIRE_HIDDEN;

static gboolean
tell_with (FhRunEvents *feed, uint32_t id, uint32_t count, const char *object, uint32_t flags)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 8192);
  fh_attempt_encode (
      &(struct fh_attempt){
          .id = id,
          .count = count,
          .guard = FH_WIRE_GUARD_FILESYSTEM,
          .verdict = (uint8_t) verdict,
          .flags = flags,
          .error = 2,
          .time_us = 1500,
          .process = 3,
          .layer = "mount",
          .operation = "open",
          .object = object,
          .command = "python3",
      },
      &buffer);
  return hear (feed, &buffer);
}

static gboolean
tell (FhRunEvents *feed, uint32_t id, uint32_t count, const char *object)
{
  return tell_with (feed, id, count, object, FH_ATTEMPT_EXISTS_OUTSIDE);
}

static void
test_attempts (void)
{
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (FhRunEvents) feed = fh_run_events_new (run, &in_namespaces);
  FhAttemptLog *log = fh_run_get_attempts (run);
  const FhAttemptFacts *facts;

  g_assert_true (tell (feed, 0, 1, "/a"));
  g_assert_true (tell (feed, 1, 4, "/b"));
  g_assert_true (tell (feed, 0, 9, "/a"));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (log)), ==, 2);
  g_assert_cmpstr (fh_attempt_get_facts (fh_attempt_log_get (log, 1))->object, ==, "/b");
  facts = fh_attempt_get_facts (fh_attempt_log_get (log, 0));
  g_assert_cmpstr (facts->object, ==, "/a");
  g_assert_cmpuint (facts->count, ==, 9);
  g_assert_cmpint (facts->guard, ==, FH_GUARD_FILESYSTEM);
  g_assert_cmpint (facts->verdict, ==, FH_VERDICT_HIDDEN);
  g_assert_true (facts->exists_outside);
  g_assert_false (facts->is_reported);
  g_assert_cmpint (facts->error, ==, 2);
  g_assert_cmpuint (facts->time_us, ==, 1500);
  g_assert_cmpuint (facts->process, ==, 3);
  g_assert_cmpstr (facts->layer, ==, "mount");
  g_assert_cmpstr (facts->operation, ==, "open");
  g_assert_cmpstr (facts->command, ==, "python3");
}

static void
count_cb (FhAttempt *attempt, GParamSpec *pspec, guint *count)
{
  (*count)++;
}

/* What the user has is found out when the program has ended, and does not change after that. */
static void
test_exists_after_all (void)
{
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (FhRunEvents) feed = fh_run_events_new (run, &in_namespaces);
  guint changes = 0;
  FhAttempt *attempt;

  g_assert_true (tell_with (feed, 0, 1, "/a", 0));
  attempt = fh_attempt_log_get (fh_run_get_attempts (run), 0);
  g_assert_false (fh_attempt_get_facts (attempt)->exists_outside);
  g_signal_connect (attempt, "notify::exists-outside", G_CALLBACK (count_cb), &changes);
  g_assert_true (tell_with (feed, 0, 1, "/a", FH_ATTEMPT_EXISTS_OUTSIDE));
  g_assert_true (fh_attempt_get_facts (attempt)->exists_outside);
  g_assert_true (tell_with (feed, 0, 2, "/a", 0));
  g_assert_true (fh_attempt_get_facts (attempt)->exists_outside);
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpuint (fh_attempt_get_facts (attempt)->count, ==, 2);
}

/* What nobody has was not hidden: the attempt is another one then, in the same place. */
static void
test_missing_after_all (void)
{
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (FhRunEvents) feed = fh_run_events_new (run, &in_namespaces);
  FhAttemptLog *log = fh_run_get_attempts (run);
  const FhAttemptFacts *facts;

  g_assert_true (tell_with (feed, 0, 1, "/a", 0));
  fh_attempt_set_line (fh_attempt_log_get (log, 0), 7);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 1);
  verdict = FH_WIRE_OBSERVED;
  /* Nothing else may change. */
  g_assert_false (tell_with (feed, 0, 1, "/a", 0));
  g_assert_false (tell_with (feed, 0, 1, "/b", FH_ATTEMPT_IS_MISSING));
  g_assert_true (tell_with (feed, 0, 2, "/a", FH_ATTEMPT_IS_MISSING));
  verdict = FH_WIRE_HIDDEN;
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (log)), ==, 1);
  facts = fh_attempt_get_facts (fh_attempt_log_get (log, 0));
  g_assert_cmpint (facts->verdict, ==, FH_VERDICT_OBSERVED);
  g_assert_true (facts->is_missing);
  g_assert_cmpuint (facts->count, ==, 2);
  g_assert_cmpuint (facts->line, ==, 7);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (log), ==, 0);
}

static void
test_dropped (void)
{
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (FhRunEvents) feed = fh_run_events_new (run, &in_namespaces);
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 64);
  fh_attempts_dropped_encode (77, &buffer);
  g_assert_true (hear (feed, &buffer));
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (fh_run_get_attempts (run)), ==, 77);
}

static void
test_nonsense (void)
{
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (FhRunEvents) feed = fh_run_events_new (run, &in_namespaces);
  const struct fh_frame cut = { FH_FRAME_ATTEMPT, (const uint8_t *) "abc", 3 };
  const struct fh_frame unknown = { 999, (const uint8_t *) "", 0 };

  /* a gap at the start, a gap later, another one under a number that is taken */
  g_assert_false (tell (feed, 1, 1, "/a"));
  g_assert_true (tell (feed, 0, 1, "/a"));
  g_assert_false (tell (feed, 2, 1, "/b"));
  g_assert_false (tell (feed, 0, 2, "/b"));
  g_assert_false (fh_run_events_handle (feed, &cut));
  g_assert_false (fh_run_events_handle (feed, &unknown));
  for (uint32_t id = 1; id < FH_ATTEMPTS_MAX; id++)
    {
      g_autofree char *object = g_strdup_printf ("/%u", id);

      g_assert_true (tell (feed, id, 1, object));
    }
  g_assert_false (tell (feed, FH_ATTEMPTS_MAX, 1, "/one more"));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fh_run_get_attempts (run))),
                    ==,
                    FH_ATTEMPTS_MAX);
}

static FhRunStatus
status_after (const char *message, gsize size, guint64 max_operations, FhRunOutcome outcome)
{
  FhRunGuards guards = FH_RUN_GUARDS_DEFAULT;
  const struct fh_frame frame = { FH_FRAME_GUEST, (const uint8_t *) message, (uint32_t) size };
  g_autoptr (FhRunEvents) feed = NULL;
  g_autoptr (FhRun) run = NULL;

  guards.max_operations = max_operations;
  run = new_guarded_run (&guards);
  feed = fh_run_events_new (run, &in_namespaces);
  g_assert_true (fh_run_events_handle (feed, &frame));
  fh_run_events_refine_outcome (feed, &outcome);
  return outcome.status;
}

/* The interpreter's word changes how a run ended only if there was a limit, and only for the exit
 * code with which the guard ends a program. */
static void
test_operations (void)
{
  static const char reached[] = "\x11\x02\x01\x00\x00\x00operations\00050";
  static const char denied[] = "\x11\x00\x01\x00\x00\x00operations\00050";
  const gsize size = sizeof reached - 1;
  const FhRunOutcome failed = { .status = FH_RUN_STATUS_FAILED, .exit_code = 1 };
  const FhRunOutcome other = { .status = FH_RUN_STATUS_FAILED, .exit_code = 2 };
  const FhRunOutcome ok = { .status = FH_RUN_STATUS_OK };
  const FhRunOutcome late = { .status = FH_RUN_STATUS_TIMED_OUT, .exit_code = 1 };

  g_assert_cmpint (status_after (reached, size, 50, failed), ==, FH_RUN_STATUS_OPERATION_LIMIT);
  g_assert_cmpint (status_after (reached, size, 0, failed), ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpint (status_after (denied, size, 50, failed), ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpint (status_after (reached, size, 50, other), ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpint (status_after (reached, size, 50, ok), ==, FH_RUN_STATUS_OK);
  g_assert_cmpint (status_after (reached, size, 50, late), ==, FH_RUN_STATUS_TIMED_OUT);
}

static gboolean
tell_file (FhRunEvents *feed)
{
  const struct fh_result_file file = { .path = (char *) "a.txt" };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 8192);
  fh_result_file_encode (&file, &buffer);
  return hear (feed, &buffer);
}

static void
test_files (void)
{
  const FhRunGuards unwanted = { .watch = FH_WATCH_ATTEMPTS, .no_files = TRUE };
  const FhRunGuards unprotected = { .watch = FH_WATCH_ATTEMPTS, .tier = FH_TIER_UNPROTECTED };
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (FhRunEvents) feed = fh_run_events_new (run, &in_namespaces);
  g_autoptr (FhRun) second = new_guarded_run (&unwanted);
  g_autoptr (FhRunEvents) deaf = fh_run_events_new (second, &in_namespaces);
  const FhOrder unprotected_order = { .tier = FH_TIER_UNPROTECTED };
  g_autoptr (FhRun) third = new_guarded_run (&unprotected);
  g_autoptr (FhRunEvents) bare = fh_run_events_new (third, &unprotected_order);
  FhResultFiles *files = fh_run_get_files (run);

  g_assert_true (tell_file (feed));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 0);
  fh_run_events_end (feed);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 1);
  /* The end of the list did not come. */
  g_assert_true (fh_result_files_get_facts (files)->is_incomplete);
  g_assert_false (tell_file (deaf));
  fh_run_events_end (deaf);
  g_assert_false (tell_file (bare));
  fh_run_events_end (bare);
}

/* They are needed, but not wanted in the run. */
static void
test_files_elsewhere (void)
{
  const FhRunGuards unwanted = { .watch = FH_WATCH_ATTEMPTS, .no_files = TRUE };
  g_autoptr (FhRun) run = new_guarded_run (&unwanted);
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  const FhOrder order = { .tier = FH_TIER_CONTAINER, .left = files };
  g_autoptr (FhRunEvents) feed = fh_run_events_new (run, &order);

  g_assert_true (tell_file (feed));
  fh_run_events_end (feed);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fh_run_get_files (run))), ==, 0);
}

static void
append_call_cb (FhRun *run, GBytes *json, GString *calls)
{
  g_string_append_printf (calls,
                          "%.*s|",
                          (int) g_bytes_get_size (json),
                          (const char *) g_bytes_get_data (json, NULL));
}

static void
say_of_cell (FhRunEvents *feed, enum fh_guest_message kind, const void *json, gsize size)
{
  g_autofree guint8 *message = g_malloc0 (FH_GUEST_CELL_HEAD + size);
  struct fh_buffer buffer;

  message[0] = (guint8) kind;
  memcpy (message + FH_GUEST_CELL_HEAD, json, size);
  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD);
  fh_frame_put (&buffer, FH_FRAME_GUEST, message, FH_GUEST_CELL_HEAD + size);
  g_assert_true (hear (feed, &buffer));
}

/* Pieces are put together; too many are an answer that cannot be read. */
static void
test_cells (void)
{
  static const char piece[60000];
  g_autoptr (GBytes) source = g_bytes_new_static ("1", 1);
  g_autoptr (FhRunRequest) request =
      fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                               .source = source,
                                               .limits = FH_RUN_LIMITS_DEFAULT,
                                               .cell = source },
                          NULL);

  for (guint n = 2; n < 200; n += 100)
    {
      g_autoptr (FhRun) run = fh_run_new (request, "native");
      FhRunEvents *feed = fh_run_events_new (run, &in_namespaces);
      g_autoptr (GString) calls = g_string_new (NULL);

      g_signal_connect (run, "call", G_CALLBACK (append_call_cb), calls);
      say_of_cell (feed, FH_GUEST_MORE, "ab", 2);
      say_of_cell (feed, FH_GUEST_CALL, "c", 1);
      g_assert_cmpstr (calls->str, ==, "abc|");
      for (guint i = 0; i < n; i++)
        say_of_cell (feed, FH_GUEST_MORE, piece, sizeof piece);
      say_of_cell (feed, FH_GUEST_ANSWER, "", 0);
      g_assert_nonnull (fh_run_get_answer (run));
      g_assert_cmpuint (g_bytes_get_size (fh_run_get_answer (run)), <=, FH_GUEST_ANSWER_MAX);
      fh_run_events_free (feed);
    }
}

/* A run that is no cell has neither calls nor an answer. */
static void
test_no_cells (void)
{
  g_autoptr (FhRun) run = new_run ();
  FhRunEvents *feed = fh_run_events_new (run, &in_namespaces);

  say_of_cell (feed, FH_GUEST_ANSWER, "{}", 2);
  g_assert_null (fh_run_get_answer (run));
  fh_run_events_free (feed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-events/attempts", test_attempts);
  g_test_add_func ("/run-events/exists-after-all", test_exists_after_all);
  g_test_add_func ("/run-events/missing-after-all", test_missing_after_all);
  g_test_add_func ("/run-events/dropped", test_dropped);
  g_test_add_func ("/run-events/operations", test_operations);
  g_test_add_func ("/run-events/files", test_files);
  g_test_add_func ("/run-events/files-elsewhere", test_files_elsewhere);
  g_test_add_func ("/run-events/nonsense", test_nonsense);
  g_test_add_func ("/run-events/cells", test_cells);
  g_test_add_func ("/run-events/no-cells", test_no_cells);
  return g_test_run ();
}
