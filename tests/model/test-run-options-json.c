/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was damaged is refused in the history, and costs a draft no more than that option. */
#include <string.h>

#include "json-guard.h"
#include "run-error.h"
#include "run-options.h"

#define LIMITS                                                                                     \
  "\"limits\": {\"wall_ms\": 0, \"cpu_ms\": 0, \"memory_bytes\": 0, \"disk_bytes\": 0, "           \
  "\"output_bytes\": 0, \"processes\": 0}"

static JsonObject *
parse (const char *text)
{
  JsonObject *object = fh_json_guard_parse (text, strlen (text), 1 << 20, NULL);

  g_assert_nonnull (object);
  return object;
}

/* `members`: what stands beside the limits. */
static FhRunOptions *
read_with (const char *members, GError **error)
{
  g_autofree char *text = g_strdup_printf ("{%s%s}", LIMITS, members);
  g_autoptr (JsonObject) object = parse (text);

  return fh_run_options_from_json (object, error);
}

static void
assert_refused (const char *members)
{
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", members);
  g_assert_null (read_with (members, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

static void
test_containers (void)
{
  static const char *const bad[] = {
    "[]",
    "\"python\"",
    "true",
    "{\"engine\": \"lxc\"}",
    "{\"engine\": 1}",
    "{\"after\": \"explode\"}",
    "{\"files\": {}}",
    "{\"image\": 3}",
    "{\"image\": {\"base64\": \"YQBi\"}}",
    "{\"no_pull\": \"yes\"}",
    "{\"kept\": 1}",
    "{\"milli_cpus\": -1}",
    "{\"milli_cpus\": 4294967297}",
    "{\"milli_cpus\": \"1\"}",
    "{\"volumes\": \"/:/\"}",
    "{\"volumes\": [null]}",
    "{\"volumes\": [[\"a\"]]}",
    "{\"environment\": {\"A\": \"b\"}}",
  };
  g_autoptr (FhRunOptions) absent = read_with ("", NULL);
  g_autoptr (FhRunOptions) null = read_with (", \"container\": null", NULL);
  g_autoptr (FhRunOptions) plain = read_with (", \"container\": {}", NULL);
  g_autoptr (FhRunOptions) later =
      read_with (", \"container\": {\"future\": [1], \"volumes\": null}", NULL);

  g_assert_false (absent->in_container);
  g_assert_false (null->in_container);
  g_assert_true (plain->in_container);
  g_assert_true (later->in_container);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *members = g_strconcat (", \"container\": ", bad[i], NULL);

      assert_refused (members);
    }
}

static void
test_guards (void)
{
  static const char *const good =
      ", \"guards\": {\"watch\": \"files\", \"tier\": \"none\", \"without\": [\"time\"],"
      " \"allow_hosts\": [], \"report_lines\": true, \"limit_functions\": false, \"imports\": [],"
      " \"max_operations\": 5, \"no_files\": false}";
  static const struct
  {
    const char *part;
    const char *replacement;
  } bad[] = {
    { "\"files\"", "\"all\"" },
    { "\"files\"", "null" },
    { "\"none\"", "\"Z\"" },
    { "\"time\"", "\"x\"" },
    { "[\"time\"]", "5" },
    { "\"allow_hosts\": []", "\"x\": []" },
    { "_hosts\": [", "_hosts\": [1" },
    { "true", "0" },
    { "\"max_operations\": 5", "\"x\": 5" },
    { "5", "-1" },
    { "5", "1.5" },
    { "\"no_files\": false", "\"x\": 0" },
  };
  g_autoptr (FhRunOptions) read = read_with (good, NULL);

  g_assert_cmpint (read->guards.watch, ==, FH_WATCH_FILES);
  /* To run without protection is a choice for one run. */
  g_assert_cmpint (read->guards.tier, ==, FH_TIER_AUTO);
  g_assert_cmpuint (read->guards.without, ==, 1u << FH_GUARD_TIME);
  /* None and all are not the same. */
  g_assert_nonnull (read->guards.imports);
  g_assert_null (read->guards.imports[0]);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_auto (GStrv) parts = g_strsplit (good, bad[i].part, 2);
      g_autofree char *members = g_strjoinv (bad[i].replacement, parts);

      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      assert_refused (members);
    }
  assert_refused (", \"guards\": []");
  assert_refused (", \"guards\": null");
  assert_refused (", \"guards\": {}");
  assert_refused (", \"interpreter\": 5");
}

static void
test_damaged_draft (void)
{
  g_autoptr (JsonObject) object =
      parse ("{\"limits\": {\"wall_ms\": 1, \"cpu_ms\": 9000, \"processes\": 1e99},"
             " \"guards\": {\"watch\": \"files\", \"imports\": [\"math\"], \"tier\": \"B\","
             " \"without\": [\"time\"]}, \"no_history\": true,"
             " \"container\": {\"image\": \"--privileged\", \"network\": \"bridge\"}}");
  g_autoptr (JsonObject) odd = parse ("{\"limits\": 5, \"guards\": [], \"container\": []}");
  g_autoptr (FhRunOptions) read = fh_run_options_from_draft (object);
  g_autoptr (FhRunOptions) least = fh_run_options_from_draft (odd);
  g_autoptr (FhRunOptions) defaults = fh_run_options_new ();

  g_assert_cmpuint (read->limits.wall_ms, ==, 30000);
  g_assert_cmpuint (read->limits.cpu_ms, ==, 9000);
  g_assert_cmpuint (read->limits.processes, ==, 128);
  g_assert_cmpint (read->guards.watch, ==, FH_WATCH_FILES);
  g_assert_cmpstr (read->guards.imports[0], ==, "math");
  g_assert_cmpint (read->guards.tier, ==, FH_TIER_AUTO);
  g_assert_cmpuint (read->guards.without, ==, 0);
  g_assert_true (read->no_history);
  g_assert_null (read->container.image);
  g_assert_cmpstr (read->container.network, ==, "bridge");
  /* It was meant for a container, and must not be run outside one. */
  g_assert_true (read->in_container);
  g_assert_true (least->in_container);
  least->in_container = FALSE;
  g_assert_true (fh_run_options_equal (least, defaults));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-options-json/containers", test_containers);
  g_test_add_func ("/run-options-json/guards", test_guards);
  g_test_add_func ("/run-options-json/damaged-draft", test_damaged_draft);
  return g_test_run ();
}
