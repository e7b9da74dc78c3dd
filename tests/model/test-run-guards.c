/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A choice of guards is checked, its words are stable, and one that was stored protects. */
#include <string.h>

#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"
#include "run-guards-json.h"

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
        assert_refused (&(FhRunGuards){ .without = 1u << i }, "no switch of their own");
    }
  assert_refused (&(FhRunGuards){ .without = 1u << 31 }, "no switch of their own");
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
  const char *const bad[] = { "os/path", NULL };
  const char *const bytes[] = { "\xff", NULL };

  g_assert_cmpuint (g_strv_length ((GStrv) (gpointer) fh_run_guards_default_imports ()), ==, 28);
  assert_good (&(FhRunGuards){ .imports = fh_run_guards_default_imports () });
  assert_good (&(FhRunGuards){ .imports = none });
  assert_refused (&(FhRunGuards){ .imports = bad }, "name of a module");
  assert_refused (&(FhRunGuards){ .imports = bytes }, "name of a module");
}

static void
test_names (void)
{
  for (guint i = FH_WATCH_OFF; i <= FH_WATCH_FILES; i++)
    {
      FhWatchLevel level;

      g_assert_true (
          fh_watch_level_from_string (fh_watch_level_to_string ((FhWatchLevel) i), &level));
      g_assert_cmpint (level, ==, i);
    }
  for (guint i = FH_TIER_AUTO; i <= FH_TIER_UNPROTECTED; i++)
    {
      FhTier tier;

      g_assert_true (fh_tier_from_string (fh_tier_to_string ((FhTier) i), &tier));
      g_assert_cmpint (tier, ==, i);
      g_assert_cmpint (strlen (fh_tier_title ((FhTier) i)), >, 0);
    }
  g_assert_false (fh_watch_level_from_string ("all", &(FhWatchLevel){ 0 }));
  g_assert_false (fh_tier_from_string ("a", &(FhTier){ 0 }));
}

static gboolean
read_text (const char *text, FhRunGuardsRead *read, GError **error)
{
  g_autofree char *whole = g_strconcat ("{\"guards\": ", text, "}", NULL);
  g_autoptr (JsonObject) object = fh_json_guard_parse (whole, strlen (whole), 1 << 20, NULL);

  g_assert_nonnull (object);
  return fh_run_guards_from_json (json_object_get_member (object, "guards"), read, error);
}

static char *
write_text (const FhRunGuards *guards)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, fh_run_guards_to_json (guards));
  return fh_json_to_text (node, FALSE);
}

static void
test_round_trip (void)
{
  const char *const hosts[] = { "a.example", "b.example", NULL };
  const char *const none[] = { NULL };
  const FhRunGuards guards = {
    .watch = FH_WATCH_FILES,
    .tier = FH_TIER_LANDLOCK,
    .without = 1u << FH_GUARD_MEMORY | 1u << FH_GUARD_TIME,
    .allow_hosts = hosts,
    .report_lines = TRUE,
    .limit_functions = TRUE,
    .imports = none,
    .max_operations = 10000000,
    .no_files = TRUE,
  };
  g_autofree char *text = write_text (&guards);
  g_autofree char *again = NULL;
  g_auto (FhRunGuardsRead) read = { 0 };

  g_assert_true (read_text (text, &read, NULL));
  g_assert_cmpint (read.guards.watch, ==, FH_WATCH_FILES);
  g_assert_cmpint (read.guards.tier, ==, FH_TIER_LANDLOCK);
  g_assert_cmpuint (read.guards.without, ==, guards.without);
  g_assert_cmpstrv (read.guards.allow_hosts, hosts);
  g_assert_true (read.guards.report_lines);
  g_assert_true (read.guards.limit_functions);
  /* None and all are not the same. */
  g_assert_nonnull (read.guards.imports);
  g_assert_null (read.guards.imports[0]);
  g_assert_cmpuint (read.guards.max_operations, ==, 10000000);
  g_assert_true (read.guards.no_files);
  again = write_text (&read.guards);
  g_assert_cmpstr (text, ==, again);
}

static void
test_unprotected_is_not_read_back (void)
{
  g_autofree char *text = write_text (&(FhRunGuards){ .tier = FH_TIER_UNPROTECTED });
  g_auto (FhRunGuardsRead) read = { 0 };

  g_assert_nonnull (strstr (text, "\"none\""));
  g_assert_true (read_text (text, &read, NULL));
  g_assert_cmpint (read.guards.tier, ==, FH_TIER_AUTO);
}

static void
test_nonsense (void)
{
  static const char *const texts[] = {
    "[]",
    "null",
    "{}",
    "{\"watch\":\"all\",\"tier\":\"A\",\"without\":[],\"allow_hosts\":[],\"report_lines\":false,"
    "\"limit_functions\":false,"
    "\"imports\":null,\"max_operations\":0,\"no_files\":false}",
    "{\"watch\":\"off\",\"tier\":\"Z\",\"without\":[],\"allow_hosts\":[],\"report_lines\":false,"
    "\"limit_functions\":false,"
    "\"imports\":null,\"max_operations\":0,\"no_files\":false}",
    "{\"watch\":\"off\",\"tier\":\"A\",\"without\":[\"x\"],\"allow_hosts\":[],"
    "\"report_lines\":false,\"limit_functions\":false,\"imports\":null,\"max_operations\":0,\"no_"
    "files\":false}",
    "{\"watch\":\"off\",\"tier\":\"A\",\"without\":[],\"allow_hosts\":[1],"
    "\"report_lines\":false,\"limit_functions\":false,\"imports\":null,\"max_operations\":0,\"no_"
    "files\":false}",
    "{\"watch\":\"off\",\"tier\":\"A\",\"without\":[],\"allow_hosts\":[],\"report_lines\":false,"
    "\"limit_functions\":0,"
    "\"imports\":null,\"max_operations\":0,\"no_files\":false}",
    "{\"watch\":\"off\",\"tier\":\"A\",\"without\":[],\"allow_hosts\":[],\"report_lines\":false,"
    "\"limit_functions\":false,"
    "\"imports\":null,\"max_operations\":-1,\"no_files\":false}",
  };
  g_auto (FhRunGuardsRead) absent = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (FhRunGuardsRead) read = { 0 };
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", texts[i]);
      g_assert_false (read_text (texts[i], &read, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
    }
  g_assert_true (fh_run_guards_from_json (NULL, &absent, NULL));
  g_assert_cmpint (absent.guards.watch, ==, FH_WATCH_ATTEMPTS);
  g_assert_cmpint (absent.guards.tier, ==, FH_TIER_AUTO);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-guards/switches", test_switches);
  g_test_add_func ("/run-guards/hosts", test_hosts);
  g_test_add_func ("/run-guards/imports", test_imports);
  g_test_add_func ("/run-guards/names", test_names);
  g_test_add_func ("/run-guards/round-trip", test_round_trip);
  g_test_add_func ("/run-guards/unprotected-is-not-read-back", test_unprotected_is_not_read_back);
  g_test_add_func ("/run-guards/nonsense", test_nonsense);
  return g_test_run ();
}
