/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is saved is read back as it was, or not at all. */
#include "presets.h"

#include <glib/gstdio.h>
#include <string.h>

#include "run-error.h"

static char *
path_of (const char *file)
{
  return g_build_filename (g_get_user_config_dir (), "fumehood", "presets", file, NULL);
}

static void
parse (FhRunOptions *options, const char *key, const char *text)
{
  g_assert_true (fh_run_option_parse (fh_run_option_find (key), options, text, NULL));
}

static void
save (const char *name, const FhRunOptions *options)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_preset_save (name, options, &error));
  g_assert_no_error (error);
}

static void
test_round_trip (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) again = NULL;
  g_autofree char *path = path_of ("lab-1.json");
  GStatBuf info;

  parse (options, "limits.memory_bytes", "64");
  parse (options, "guards.imports", "json xml.dom");
  parse (options, "in_container", "yes");
  parse (options, "container.environment", "KEY=secret");
  save ("lab-1", options);
  again = fh_preset_load ("lab-1", NULL);
  g_assert_nonnull (again);
  g_assert_true (fh_run_options_equal (options, again));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
}

/* A guard that is off is a choice for one run. */
static void
test_for_one_run (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) again = NULL;

  parse (options, "guards.without", "network");
  parse (options, "guards.unprotected", "yes");
  save ("open", options);
  again = fh_preset_load ("open", NULL);
  g_assert_cmpuint (again->guards.without, ==, 0);
  g_assert_cmpint (again->guards.tier, ==, FH_TIER_AUTO);
}

static void
test_names (void)
{
  static const char *const bad[] = { "", ".", "..", ".a", "-a", "a/b", "../a", "a b", "ü", "a\n" };
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autofree char *longest = g_strnfill (64, 'a');
  g_autofree char *longer = g_strnfill (65, 'a');

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (fh_preset_save (bad[i], options, NULL));
      g_assert_null (fh_preset_load (bad[i], NULL));
    }
  g_assert_true (fh_preset_check_name (longest, NULL));
  g_assert_false (fh_preset_check_name (longer, NULL));
}

static void
assert_refused (const char *text, const char *part)
{
  g_autofree char *path = path_of ("bad.json");
  g_autoptr (FhRunOptions) options = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_test_message ("%.60s", text);
  options = fh_preset_load ("bad", &error);
  g_assert_null (options);
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, part));
}

/* A limit that cannot be read must not become the default. */
static void
test_damaged (void)
{
  static const char *const texts[] = {
    "",
    "[]",
    "{}",
    "{\"version\": 2}",
    "{\"version\": 1, \"limits\": {\"memory_bytes\": \"64M\"}}",
    "{\"version\": 1, \"limits\": {\"memory_bytes\": 1}}",
    "{\"version\": 1, \"limits\": []}",
    "{\"version\": 1, \"guards\": {\"no_such_guard\": true}}",
    "{\"version\": 1, \"guards\": {\"without\": [\"network\"]}}",
    "{\"version\": 1, \"in_container\": 1}",
  };
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) earlier = NULL;
  g_autofree char *huge = g_strnfill ((1 << 20) + 1, ' ');
  g_autofree char *path = path_of ("earlier.json");

  save ("bad", options);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused (texts[i], "damaged");
  assert_refused (huge, "not a file of Fumehood");
  g_assert_true (
      g_file_set_contents (path, "{\"version\": 1, \"limits\": {\"wall_ms\": 1000}}", -1, NULL));
  earlier = fh_preset_load ("earlier", NULL);
  g_assert_nonnull (earlier);
  g_assert_cmpuint (earlier->limits.wall_ms, ==, 1000);
}

static void
test_missing (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (GError) none = NULL;
  g_autoptr (GError) other = NULL;

  g_assert_null (fh_preset_load ("no-such", &none));
  g_assert_nonnull (strstr (none->message, "nor any other"));
  save ("one", options);
  g_assert_null (fh_preset_load ("no-such", &other));
  g_assert_nonnull (strstr (other->message, "Saved are: one."));
}

/* The user's folder of settings, which GLib looks up once. */
static char *
make_settings (void)
{
  char *settings = g_dir_make_tmp ("fumehood-presets-XXXXXX", NULL);

  g_assert_nonnull (settings);
  g_setenv ("XDG_CONFIG_HOME", settings, TRUE);
  return settings;
}

static void
remove_settings (const char *settings)
{
  g_autofree char *folder = path_of (NULL);
  g_autofree char *parent = g_path_get_dirname (folder);
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder) | g_rmdir (parent) | g_rmdir (settings), ==, 0);
}

static void
keep_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static void
assert_listed (const char *expected)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *joined = NULL;

  fh_preset_list_async (NULL, keep_result_cb, &result);
  names = fh_preset_list_finish (wait_for (&result), NULL);
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, expected);
}

/* As a window does it: saved, loaded, deleted, and saved again with what was in it. */
static void
test_in_a_thread (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) again = NULL;
  g_autoptr (FhRunOptions) was = NULL;
  g_autoptr (GAsyncResult) saved = NULL;
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GAsyncResult) deleted = NULL;
  g_autoptr (GAsyncResult) missing = NULL;
  GError *error = NULL;

  parse (options, "limits.memory_bytes", "65");
  fh_preset_save_async ("threaded", options, NULL, keep_result_cb, &saved);
  g_assert_true (fh_preset_save_finish (wait_for (&saved), &error));
  assert_listed ("one threaded");
  fh_preset_load_async ("threaded", NULL, keep_result_cb, &loaded);
  again = fh_preset_load_finish (wait_for (&loaded), &error);
  g_assert_true (fh_run_options_equal (options, again));
  fh_preset_delete_async ("threaded", NULL, keep_result_cb, &deleted);
  g_assert_true (fh_preset_delete_finish (wait_for (&deleted), &was, &error));
  g_assert_true (fh_run_options_equal (options, was));
  assert_listed ("one");
  g_clear_pointer (&was, fh_run_options_free);
  fh_preset_delete_async ("threaded", NULL, keep_result_cb, &missing);
  g_assert_false (fh_preset_delete_finish (wait_for (&missing), &was, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_null (was);
  g_clear_error (&error);
}

int
main (int argc, char *argv[])
{
  g_autofree char *settings = make_settings ();
  int result;

  g_test_init (&argc, &argv, NULL);
  /* The first, while there are no others. */
  g_test_add_func ("/presets/missing", test_missing);
  g_test_add_func ("/presets/in-a-thread", test_in_a_thread);
  g_test_add_func ("/presets/round-trip", test_round_trip);
  g_test_add_func ("/presets/for-one-run", test_for_one_run);
  g_test_add_func ("/presets/names", test_names);
  g_test_add_func ("/presets/damaged", test_damaged);
  result = g_test_run ();
  remove_settings (settings);
  return result;
}
