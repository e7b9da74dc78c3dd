/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best tier that works is used, nothing below the last one, and a run is told which it was. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "native-sandbox.h"
#include "stand-in.h"
#include "tier-selection.h"

static void
selected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out = user_data;

  *out = g_object_ref (result);
}

static FhTierSelection *
select_tier (const char *act, FhTier tier)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  FhTierSelection *selection;

  stand_in_use (act);
  fh_tier_select_async (tier, NULL, selected_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  selection = fh_tier_select_finish (result, &error);
  g_assert_no_error (error);
  return selection;
}

static void
test_best (void)
{
  g_autoptr (FhTierSelection) selection = select_tier ("probe", FH_TIER_AUTO);

  g_assert_cmpint (fh_tier_selection_get_tier (selection), ==, FH_TIER_NAMESPACES);
  g_assert_cmpuint (selection->probes->len, ==, 1);
  g_assert_null (fh_tier_selection_explain (selection));
  g_assert_null (fh_tier_selection_advise (selection));
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_NAMESPACES);
}

static void
test_falls (void)
{
  g_autoptr (FhTierSelection) selection = select_tier ("falls", FH_TIER_AUTO);
  g_autofree char *why = fh_tier_selection_explain (selection);
  g_autofree char *advice = fh_tier_selection_advise (selection);

  g_assert_cmpint (fh_tier_selection_get_tier (selection), ==, FH_TIER_LANDLOCK);
  g_assert_cmpuint (selection->probes->len, ==, 3);
  g_assert_nonnull (strstr (why, "user-namespace-map"));
  g_assert_nonnull (strstr (advice, "AppArmor"));
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_LANDLOCK);
}

static void
test_nothing_works (void)
{
  g_autoptr (FhTierSelection) selection = select_tier ("setup-fails", FH_TIER_AUTO);

  g_assert_cmpint (fh_tier_selection_get_tier (selection), ==, FH_TIER_AUTO);
  g_assert_cmpuint (selection->probes->len, ==, 3);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
}

/* A probe of one tier says nothing about the best one. */
static void
test_only_one (void)
{
  g_autoptr (FhTierSelection) one = select_tier ("falls", FH_TIER_BUBBLEWRAP);
  g_autoptr (FhTierSelection) other = select_tier ("falls", FH_TIER_LANDLOCK);

  fh_tier_cache_write (FH_TIER_AUTO);
  g_assert_cmpint (fh_tier_selection_get_tier (one), ==, FH_TIER_AUTO);
  g_assert_cmpuint (one->probes->len, ==, 1);
  g_assert_cmpint (fh_tier_selection_get_tier (other), ==, FH_TIER_LANDLOCK);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
}

static FhRunResult *
run_in (const char *act, FhTier tier)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (FhSandbox) sandbox = fh_native_sandbox_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRun) run = NULL;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .guards = &(FhRunGuards){ .watch = FH_WATCH_ATTEMPTS, .tier = tier },
      },
      &error);
  g_assert_no_error (error);
  stand_in_use (act);
  run = fh_sandbox_run (sandbox, request);
  while (fh_run_get_state (run) != FH_RUN_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  return g_object_ref (fh_run_get_result (run));
}

static void
test_run_falls (void)
{
  g_autoptr (FhRunResult) first = NULL;
  g_autoptr (FhRunResult) second = NULL;

  fh_tier_cache_write (FH_TIER_AUTO);
  first = run_in ("falls", FH_TIER_AUTO);
  g_assert_cmpint (fh_run_result_get_parts (first)->outcome->status, ==, FH_RUN_STATUS_OK);
  g_assert_cmpstr (fh_run_result_get_parts (first)->tier, ==, "B");
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_LANDLOCK);
  second = run_in ("falls", FH_TIER_AUTO);
  g_assert_cmpstr (fh_run_result_get_parts (second)->tier, ==, "B");
}

/* The best tier would work, had not something else used up what it takes just now: neither this run
 * nor a later one gets a weaker one by that. */
static void
test_shortage (void)
{
  g_autoptr (FhTierSelection) selection = NULL;
  g_autoptr (FhRunResult) result = NULL;

  fh_tier_cache_write (FH_TIER_AUTO);
  result = run_in ("runs-short", FH_TIER_AUTO);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status,
                   ==,
                   FH_RUN_STATUS_GUARD_FAILED);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->error, ==, ETOOMANYREFS);
  g_assert_nonnull (strstr (fh_run_result_get_parts (result)->sentence, "in transit"));
  selection = select_tier ("runs-short", FH_TIER_AUTO);
  g_assert_cmpint (fh_tier_selection_get_tier (selection), ==, FH_TIER_AUTO);
  g_assert_cmpuint (selection->probes->len, ==, 1);
  g_assert_cmpint (fh_tier_cache_read (), ==, FH_TIER_AUTO);
}

/* What the note says does not hold any more. */
static void
test_run_rises (void)
{
  g_autoptr (FhRunResult) result = NULL;

  stand_in_use ("falls");
  fh_tier_cache_write (FH_TIER_BUBBLEWRAP);
  result = run_in ("falls", FH_TIER_AUTO);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  g_assert_cmpstr (fh_run_result_get_parts (result)->tier, ==, "B");
}

static void
test_run_in_one_tier (void)
{
  g_autoptr (FhRunResult) best = run_in ("falls", FH_TIER_NAMESPACES);
  g_autoptr (FhRunResult) none = run_in ("falls", FH_TIER_UNPROTECTED);

  g_assert_cmpint (fh_run_result_get_parts (best)->outcome->status, ==, FH_RUN_STATUS_GUARD_FAILED);
  g_assert_cmpstr (fh_run_result_get_parts (none)->tier, ==, "none");
}

/* Where the sandbox itself can be built, it is this run that cannot be had. */
static void
test_run_that_cannot_be_prepared (void)
{
  g_autoptr (FhRunResult) choosy = NULL;
  g_autoptr (FhRunResult) refused = NULL;

  fh_tier_cache_write (FH_TIER_AUTO);
  choosy = run_in ("choosy", FH_TIER_AUTO);
  g_assert_cmpint (fh_run_result_get_parts (choosy)->outcome->status,
                   ==,
                   FH_RUN_STATUS_GUARD_FAILED);
  g_assert_cmpstr (fh_run_result_get_parts (choosy)->outcome->step, ==, "files");
  refused = run_in ("setup-fails", FH_TIER_AUTO);
  g_assert_cmpint (fh_run_result_get_parts (refused)->outcome->status,
                   ==,
                   FH_RUN_STATUS_GUARD_FAILED);
  g_assert_cmpstr (fh_run_result_get_parts (refused)->outcome->step, ==, "uid-map");
}

int
main (int argc, char **argv)
{
  g_autofree char *runtime = NULL;
  g_autofree char *folder = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  runtime = g_dir_make_tmp ("fh-tiers-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  g_test_add_func ("/tier-selection/best", test_best);
  g_test_add_func ("/tier-selection/falls", test_falls);
  g_test_add_func ("/tier-selection/nothing-works", test_nothing_works);
  g_test_add_func ("/tier-selection/only-one", test_only_one);
  g_test_add_func ("/tier-selection/run-falls", test_run_falls);
  g_test_add_func ("/tier-selection/shortage", test_shortage);
  g_test_add_func ("/tier-selection/run-rises", test_run_rises);
  g_test_add_func ("/tier-selection/run-in-one-tier", test_run_in_one_tier);
  g_test_add_func ("/tier-selection/run-that-cannot-be-prepared", test_run_that_cannot_be_prepared);
  status = g_test_run ();
  fh_tier_cache_write (FH_TIER_AUTO);
  folder = g_build_filename (runtime, "fumehood", NULL);
  g_rmdir (folder);
  g_rmdir (runtime);
  stand_in_end ();
  return status;
}
