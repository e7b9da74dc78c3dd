/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A choice of guards is checked, and its words are stable. */
#include <string.h>

#include "run-error.h"
#include "run-guards.h"

static void
assert_refused (const FhRunGuards *guards, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (fh_run_guards_check (guards, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” is not in “%s”", part, error->message);
}

static void
assert_good (const FhRunGuards *guards)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_run_guards_check (guards, &error));
  g_assert_no_error (error);
}

static void
test_switches (void)
{
  assert_good (&FH_RUN_GUARDS_DEFAULT);
  assert_good (&(FhRunGuards){ .without = FH_RUN_GUARDS_SWITCHES });
  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      if (!(FH_RUN_GUARDS_SWITCHES & 1u << i))
        assert_refused (&(FhRunGuards){ .without = 1u << i }, "cannot be switched off one by one");
    }
  assert_refused (&(FhRunGuards){ .without = 1u << 31 }, "cannot be switched off one by one");
}

static void
assert_host (const char *name, gboolean is_good)
{
  const char *const hosts[] = { name, NULL };

  g_test_message ("%s", name);
  if (is_good)
    assert_good (&(FhRunGuards){ .allow_hosts = hosts });
  else
    assert_refused (&(FhRunGuards){ .allow_hosts = hosts }, "not a host name");
}

static void
test_hosts (void)
{
  const char *const one[] = { "example.com", NULL };
  const char *many[66] = { NULL };
  g_autofree char *longest = g_strnfill (254, 'a');

  assert_host ("example.com", TRUE);
  assert_host ("xn--bcher-kva.example", TRUE);
  assert_host ("localhost", TRUE);
  assert_host ("Example.com", FALSE);
  assert_host ("", FALSE);
  assert_host ("1.1.1.1", FALSE);
  assert_host ("[::1]", FALSE);
  assert_host ("a b", FALSE);
  assert_host (".com", FALSE);
  assert_host ("com.", FALSE);
  assert_host ("a..b", FALSE);
  assert_host ("-a.b", FALSE);
  assert_host ("a-.b", FALSE);
  assert_host ("0x7f.1", FALSE);
  assert_host ("http://a", FALSE);
  assert_host (longest, FALSE);
  for (guint i = 0; i < 64; i++)
    many[i] = "a";
  assert_good (&(FhRunGuards){ .allow_hosts = many });
  many[64] = "a";
  assert_refused (&(FhRunGuards){ .allow_hosts = many }, "At most 64");
  assert_refused (&(FhRunGuards){ .allow_hosts = one, .without = 1u << FH_GUARD_NETWORK },
                  "switched off");
}

static void
test_imports (void)
{
  const char *const none[] = { NULL };
  static const char *const bad[] = {
    "os/path", "\xff", ".os", "os.", "os..path", "1os", "a-b", "*"
  };

  g_assert_cmpuint (g_strv_length ((GStrv) (gpointer) fh_run_guards_default_imports ()), ==, 28);
  assert_good (&(FhRunGuards){ .imports = fh_run_guards_default_imports () });
  assert_good (&(FhRunGuards){ .imports = none });
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      const char *const one[] = { bad[i], NULL };

      assert_refused (&(FhRunGuards){ .imports = one }, "name of a module");
    }
}

static void
test_names (void)
{
  for (guint i = FH_TIER_AUTO; i <= FH_TIER_UNPROTECTED; i++)
    {
      FhTier tier;

      g_assert_true (fh_tier_from_string (fh_tier_to_string ((FhTier) i), &tier));
      g_assert_cmpint (tier, ==, i);
      g_assert_cmpint (strlen (fh_tier_title ((FhTier) i)), >, 0);
    }
  g_assert_false (fh_tier_from_string ("a", &(FhTier){ 0 }));
}

static FhRunLimits
limits_without (guint without)
{
  const FhRunLimits all = FH_RUN_LIMITS_DEFAULT;

  return fh_run_guards_limits (&(FhRunGuards){ .without = without }, &all);
}

static void
test_limits (void)
{
  const FhRunLimits all = FH_RUN_LIMITS_DEFAULT;
  FhRunLimits some = limits_without (0);

  g_assert_true (fh_run_limits_equal (&some, &all));
  some = limits_without (1u << FH_GUARD_TIME | 1u << FH_GUARD_DISK);
  g_assert_cmpuint (some.wall_ms, ==, 0);
  g_assert_cmpuint (some.cpu_ms, ==, 0);
  g_assert_cmpuint (some.disk_bytes, ==, 0);
  g_assert_cmpuint (some.memory_bytes, ==, all.memory_bytes);
  g_assert_cmpuint (some.output_bytes, ==, all.output_bytes);
  some = limits_without (1u << FH_GUARD_MEMORY | 1u << FH_GUARD_OUTPUT);
  g_assert_cmpuint (some.memory_bytes, ==, 0);
  g_assert_cmpuint (some.output_bytes, ==, 0);
  g_assert_cmpuint (some.wall_ms, ==, all.wall_ms);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-guards/switches", test_switches);
  g_test_add_func ("/run-guards/hosts", test_hosts);
  g_test_add_func ("/run-guards/imports", test_imports);
  g_test_add_func ("/run-guards/names", test_names);
  g_test_add_func ("/run-guards/limits", test_limits);
  return g_test_run ();
}
