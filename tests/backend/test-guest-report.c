/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an interpreter says about its program is a hint: bounded, marked, and never trusted. */
#include <string.h>

#include "run-events.h"

static FhRun *
new_run (const char *language, const FhRunGuards *guards)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)", 8);
  g_autoptr (FhRunRequest) request = NULL;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup (language),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .guards = guards,
      },
      NULL);
  return fh_run_new (request, "native");
}

#define HANDLE(run, text) fh_guest_report_handle (run, (const guint8 *) (text), sizeof (text) - 1)

static const FhAttemptFacts *
only_attempt (FhRun *run)
{
  FhAttemptLog *log = fh_run_get_attempts (run);

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (log)), ==, 1);
  return fh_attempt_get_facts (fh_attempt_log_get (log, 0));
}

static void
test_refusal (void)
{
  g_autoptr (FhRun) run = new_run ("python", NULL);
  const FhAttemptFacts *facts;

  HANDLE (run, "\x11\x00\x07\x00\x00\x00import\0os");
  HANDLE (run, "\x11\x00\x07\x00\x00\x00import\0os");
  facts = only_attempt (run);
  g_assert_cmpint (facts->guard, ==, FH_GUARD_INTERPRETER);
  g_assert_cmpint (facts->verdict, ==, FH_VERDICT_DENIED);
  g_assert_true (facts->is_reported);
  g_assert_cmpuint (facts->line, ==, 7);
  g_assert_cmpuint (facts->count, ==, 2);
  g_assert_cmpstr (facts->operation, ==, "import");
  g_assert_cmpstr (facts->object, ==, "os");
}

static void
test_nonsense (void)
{
  g_autoptr (FhRun) run = new_run ("python", NULL);
  g_autofree char *long_object = g_strnfill (2000, 'x');
  g_autoptr (GByteArray) long_message = g_byte_array_new ();

  HANDLE (run, "");
  HANDLE (run, "\x10");
  HANDLE (run, "\x11");
  HANDLE (run, "\x11\x00\x07\x00\x00\x00");
  HANDLE (run, "\x11\x00\x07\x00\x00\x00import");
  HANDLE (run, "\x11\x04\x07\x00\x00\x00import\0os");
  HANDLE (run, "\x11\x00\x07\x00\x00\x00import\0os\0more");
  g_byte_array_append (long_message, (const guint8 *) "\x11\x00\x07\x00\x00\x00import\0", 13);
  g_byte_array_append (long_message, (const guint8 *) long_object, 2000);
  fh_guest_report_handle (run, long_message->data, long_message->len);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fh_run_get_attempts (run))), ==, 0);
}

static void
add_seen (FhRun *run, const char *object)
{
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&(FhAttemptFacts){
      .guard = FH_GUARD_FILESYSTEM,
      .verdict = FH_VERDICT_HIDDEN,
      .count = 1,
      .layer = "mount",
      .operation = "open",
      .object = object,
  });

  fh_run_add_attempt (run, attempt);
}

static void
test_line_before_the_guard (void)
{
  g_autoptr (FhRun) run = new_run ("python", NULL);

  HANDLE (run, "\x11\x03\x05\x00\x00\x00\0/home/me/key");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fh_run_get_attempts (run))), ==, 0);
  add_seen (run, "/home/me/key");
  g_assert_cmpuint (only_attempt (run)->line, ==, 5);
  g_assert_false (only_attempt (run)->is_reported);
}

static void
test_line_after_the_guard (void)
{
  g_autoptr (FhRun) run = new_run ("python", NULL);

  add_seen (run, "~/.ssh/id_rsa");
  HANDLE (run, "\x11\x03\x00\x01\x00\x00\0/workspace/.ssh/id_rsa");
  HANDLE (run, "\x11\x03\x09\x00\x00\x00\0/workspace/.ssh/id_rsa");
  g_assert_cmpuint (only_attempt (run)->line, ==, 256);
}

static void
test_guard_state (void)
{
  static const char *const imports[] = { "re", "json", NULL };
  static const char *const none[] = { NULL };
  FhRunGuards guards = FH_RUN_GUARDS_DEFAULT;
  g_autoptr (FhRun) plain = new_run ("python", NULL);
  g_autoptr (FhRun) shell = new_run ("sh", NULL);
  g_autoptr (FhGuardState) off = fh_guest_report_guard_state (fh_run_get_request (plain));
  g_autoptr (FhGuardState) on = NULL;
  g_autoptr (FhGuardState) empty = NULL;
  g_autoptr (FhRun) limited = NULL;
  g_autoptr (FhRun) without = NULL;

  g_assert_cmpint (fh_guard_state_get_facts (off)->level, ==, FH_GUARD_LEVEL_OFF);
  g_assert_null (fh_guest_report_guard_state (fh_run_get_request (shell)));
  guards.imports = imports;
  guards.limit_functions = TRUE;
  guards.max_operations = 9;
  limited = new_run ("python", &guards);
  on = fh_guest_report_guard_state (fh_run_get_request (limited));
  g_assert_cmpint (fh_guard_state_get_facts (on)->level, ==, FH_GUARD_LEVEL_ACTIVE);
  g_assert_cmpstr (fh_guard_state_get_facts (on)->layers,
                   ==,
                   "audit hook on functions, 2 modules to import, 9 operations");
  guards = (FhRunGuards){ .imports = none };
  without = new_run ("python", &guards);
  empty = fh_guest_report_guard_state (fh_run_get_request (without));
  g_assert_cmpstr (fh_guard_state_get_facts (empty)->layers, ==, "0 modules to import");
}

/* What an earlier run left in a home that is kept may run before anything of ours. */
static void
test_kept_home (void)
{
  const FhContainerOptions kept = { .name = "lesson",
                                    .is_kept = TRUE,
                                    .after = FH_CONTAINER_LEAVE };
  const FhRunGuards guards = { .limit_functions = TRUE };
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)", 8);

  for (int is_kept = 0; is_kept < 2; is_kept++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FhGuardState) state = NULL;
      g_autoptr (FhRunRequest) request =
          fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                   .source = source,
                                                   .limits = FH_RUN_LIMITS_DEFAULT,
                                                   .guards = &guards,
                                                   .container = is_kept ? &kept : NULL },
                              &error);

      g_assert_no_error (error);
      state = fh_guest_report_guard_state (request);
      g_assert_cmpint (fh_guard_state_get_facts (state)->level,
                       ==,
                       is_kept ? FH_GUARD_LEVEL_DEGRADED : FH_GUARD_LEVEL_ACTIVE);
      g_assert_cmpstr (fh_guard_state_get_facts (state)->reason, ==, is_kept ? "kept-home" : NULL);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guest-report/refusal", test_refusal);
  g_test_add_func ("/guest-report/nonsense", test_nonsense);
  g_test_add_func ("/guest-report/line-before-the-guard", test_line_before_the_guard);
  g_test_add_func ("/guest-report/line-after-the-guard", test_line_after_the_guard);
  g_test_add_func ("/guest-report/guard-state", test_guard_state);
  g_test_add_func ("/guest-report/kept-home", test_kept_home);
  return g_test_run ();
}
