/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "protection.h"

#include "fake-backend.h"
#include "fh-test.h"

static void
check (FhProtection *protection, FakeBackend *backend)
{
  fh_protection_check (protection, FH_BACKEND (backend));
  g_assert_cmpint (fh_protection_get_state (protection), ==, FH_PROTECTION_CHECKING);
  g_assert_false (fh_protection_may_run (protection));
  while (fh_protection_get_state (protection) == FH_PROTECTION_CHECKING)
    g_main_context_iteration (NULL, TRUE);
}

/* The shield looks different where it protects less. */
static void
assert_icon (FhProtection *protection, const char *name)
{
  g_assert_cmpstr (fh_protection_get_icon_name (protection), ==, name);
}

/* Before the first probe nothing may run. */
static void
test_unknown (void)
{
  g_autoptr (FhProtection) protection = fh_protection_new ();

  g_assert_cmpint (fh_protection_get_state (protection), ==, FH_PROTECTION_CHECKING);
  g_assert_false (fh_protection_may_run (protection));
  assert_icon (protection, "security-medium-symbolic");
}

static void
test_full (void)
{
  g_autoptr (FhProtection) protection = fh_protection_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();

  check (protection, backend);
  g_assert_cmpint (fh_protection_get_state (protection), ==, FH_PROTECTION_FULL);
  assert_icon (protection, "security-high-symbolic");
  g_assert_true (fh_protection_may_run (protection));
  g_assert_cmpuint (g_list_model_get_n_items (fh_protection_get_guards (protection)),
                    ==,
                    FH_N_GUARDS);
}

static void
test_reduced (void)
{
  g_autoptr (FhProtection) protection = fh_protection_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  g_autofree char *report = NULL;

  fake_backend_set_probe (backend, TRUE, "Memory is only sampled.");
  check (protection, backend);
  g_assert_cmpint (fh_protection_get_state (protection), ==, FH_PROTECTION_REDUCED);
  assert_icon (protection, "security-medium-symbolic");
  g_assert_true (fh_protection_may_run (protection));
  g_assert_cmpstr (fh_protection_get_reason (protection), ==, "Memory is only sampled.");
  report = fh_protection_dup_report (protection);
  g_assert_nonnull (strstr (report, "memory: degraded"));
}

static void
test_refused_and_again (void)
{
  g_autoptr (FhProtection) protection = fh_protection_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();

  fake_backend_set_probe (backend, FALSE, "No user namespaces.");
  check (protection, backend);
  g_assert_cmpint (fh_protection_get_state (protection), ==, FH_PROTECTION_REFUSED);
  assert_icon (protection, "security-low-symbolic");
  g_assert_false (fh_protection_may_run (protection));
  fake_backend_fail_probe (backend, "The runner is missing.");
  check (protection, backend);
  g_assert_cmpint (fh_protection_get_state (protection), ==, FH_PROTECTION_REFUSED);
  g_assert_cmpstr (fh_protection_get_reason (protection), ==, "The runner is missing.");
  g_assert_cmpuint (g_list_model_get_n_items (fh_protection_get_guards (protection)), ==, 0);
  fake_backend_set_probe (backend, TRUE, NULL);
  check (protection, backend);
  g_assert_true (fh_protection_may_run (protection));
  g_assert_null (fh_protection_get_reason (protection));
}

/* Only the last of several checks counts. */
static void
test_overtaken (void)
{
  g_autoptr (FhProtection) protection = fh_protection_new ();
  g_autoptr (FakeBackend) backend = fake_backend_new ();

  fake_backend_set_probe (backend, FALSE, "No.");
  fh_protection_check (protection, FH_BACKEND (backend));
  fake_backend_set_probe (backend, TRUE, NULL);
  check (protection, backend);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_true (fh_protection_may_run (protection));
}

FH_TESTS ({ "/session/protection/unknown", test_unknown },
          { "/session/protection/full", test_full },
          { "/session/protection/reduced", test_reduced },
          { "/session/protection/refused-and-again", test_refused_and_again },
          { "/session/protection/overtaken", test_overtaken });
