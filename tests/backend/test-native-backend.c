/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "native-sandbox.h"
#include "run-error.h"
#include "stand-in.h"

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out = user_data;

  *out = g_object_ref (result);
}

static FhBackendProbe *
probe_with (const char *act, GCancellable *cancellable, GError **error)
{
  g_autoptr (FhBackend) backend = fh_backend_new (FH_TIER_AUTO, NULL);
  g_autoptr (GAsyncResult) result = NULL;

  if (act != NULL)
    stand_in_use (act);
  fh_backend_probe_async (backend, cancellable, probed_cb, &result);
  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return fh_backend_probe_finish (backend, result, error);
}

static void
test_probe (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhBackendProbe) probe = probe_with ("probe", NULL, &error);

  g_assert_no_error (error);
  g_assert_true (probe->may_run);
  g_assert_cmpstr (probe->tier, ==, "A");
  g_assert_cmpuint (probe->guards->len, ==, 2);
  g_assert_nonnull (probe->reason);
}

static void
test_probe_fails (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhBackendProbe) probe = probe_with ("probe-fails", NULL, &error);

  g_assert_no_error (error);
  g_assert_false (probe->may_run);
  g_assert_cmpstr (probe->tier, ==, "");
  g_assert_nonnull (probe->reason);
  g_assert_nonnull (probe->advice);
}

static void
test_probe_without_runner (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) early = NULL;

  g_assert_null (probe_with ("killed", NULL, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_UNAVAILABLE);
  g_setenv ("FH_RUNNER", "/nowhere/runner", TRUE);
  g_assert_null (probe_with (NULL, NULL, &early));
  g_assert_nonnull (early);
}

static void
test_probe_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (probe_with ("stubborn", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  g_test_add_func ("/native-backend/probe", test_probe);
  g_test_add_func ("/native-backend/probe-fails", test_probe_fails);
  g_test_add_func ("/native-backend/probe-without-runner", test_probe_without_runner);
  g_test_add_func ("/native-backend/probe-cancelled", test_probe_cancelled);
  status = g_test_run ();
  stand_in_end ();
  return status;
}
