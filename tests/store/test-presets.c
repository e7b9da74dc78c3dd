/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is saved is read back as it was, or not at all. */
#include "presets.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

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
  g_autofree char *path = path_of ("lab-1.ini");
  GStatBuf info;

  parse (options, "limits.memory_bytes", "64");
  parse (options, "guards.imports", "json xml.dom");
  parse (options, "in_container", "yes");
  g_assert_true (fh_run_option_parse_list (fh_run_option_find ("container.environment"),
                                           options,
                                           (const char *[]){ "KEY=two\nlines; \\ \"", "b=", NULL },
                                           NULL));
  parse (options, "container.work_dir", "/not-utf-8/\xff");
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
write_file (const char *file, const char *text)
{
  g_autofree char *path = path_of (file);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_holds (const char *file, const char *expected)
{
  g_autofree char *path = path_of (file);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static gboolean
is_there (const char *file)
{
  g_autofree char *path = path_of (file);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* It is told, and stays as it is. */
static void
assert_refused (const char *file, const char *text)
{
  g_autoptr (FhRunOptions) options = NULL;
  g_autoptr (GError) error = NULL;

  write_file (file, text);
  g_test_message ("%s: %.60s", file, text);
  options = fh_preset_load ("bad", &error);
  g_assert_null (options);
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "“bad” is damaged"));
  assert_holds (file, text);
}

/* A limit that cannot be read must not become the default. */
static void
test_damaged (void)
{
  static const char *const texts[] = {
    "",
    "limits.wall_ms=1000\n",
    "[Others]\n",
    "[Options]\nno sense\n",
    "[Options]\nlimits.memory_bytes=\n",
    "[Options]\nlimits.memory_bytes=\"64M\"\n",
    "[Options]\nlimits.memory_bytes=1\n",
    "[Options]\nlimits.memory_bytes=67108864 \\\n",
    "[Options]\nlimits=[]\n",
    "[Options]\nguards.no_such_guard=true\n",
    "[Options]\nguards.without=[\"network\"]\n",
    "[Options]\nin_container=1\n",
  };
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) earlier = NULL;
  FhRunOptions *was;

  save ("bad", options);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused ("bad.ini", texts[i]);
  g_assert_true (fh_preset_delete ("bad", &was, NULL));
  g_assert_null (was);
  write_file ("earlier.ini", "[Options]\nlimits.wall_ms=1000\n");
  earlier = fh_preset_load ("earlier", NULL);
  g_assert_nonnull (earlier);
  g_assert_cmpuint (earlier->limits.wall_ms, ==, 1000);
}

/* The file as earlier versions wrote it. */
static char *
old_text (const FhRunOptions *options)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();

  json_object_set_int_member (object, "version", 1);
  fh_run_options_to_draft (options, object);
  json_node_set_object (node, object);
  return json_to_string (node, TRUE);
}

/* Every option comes over, and the old file goes only when the new one is there. */
static void
test_import (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) first = NULL;
  g_autoptr (FhRunOptions) second = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) names = NULL;

  parse (options, "limits.memory_bytes", "64");
  parse (options, "limits.processes", "none");
  parse (options, "guards.imports", "json xml.dom");
  parse (options, "in_container", "yes");
  parse (options, "interpreter", "python3.\xff");
  parse (options, "container.volumes", "/a:/b\n/c:/d");
  parse (options, "container.milli_cpus", "1.5");
  parse (options, "no_history", "yes");
  fh_run_options_check (options, &error);
  g_assert_no_error (error);
  text = old_text (options);
  write_file ("old.v1.json", text);
  names = fh_preset_list ();
  g_assert_true (g_strv_contains ((const char *const *) names, "old.v1"));
  first = fh_preset_load ("old.v1", NULL);
  g_assert_nonnull (first);
  g_assert_true (fh_run_options_equal (options, first));
  g_assert_true (is_there ("old.v1.ini"));
  g_assert_false (is_there ("old.v1.json"));
  second = fh_preset_load ("old.v1", NULL);
  g_assert_true (fh_run_options_equal (options, second));
}

static void
test_import_of_what_is_damaged (void)
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
  g_autoptr (FhRunOptions) again = NULL;
  FhRunOptions *was;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused ("bad.json", texts[i]);
  g_assert_false (is_there ("bad.ini"));
  /* Only the person replaces or deletes it. */
  save ("bad", options);
  again = fh_preset_load ("bad", NULL);
  g_assert_nonnull (again);
  g_assert_false (is_there ("bad.json"));
  g_assert_true (fh_preset_delete ("bad", &was, NULL));
  g_clear_pointer (&was, fh_run_options_free);
  write_file ("bad.json", "{}");
  g_assert_true (fh_preset_delete ("bad", &was, NULL));
  g_assert_null (was);
  g_assert_false (is_there ("bad.json"));
}

/* A file that was not written whole leaves the old one, which is read until it is. */
static void
test_import_that_cannot_be_written (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) again = NULL;
  g_autofree char *text = NULL;
  g_autofree char *folder = path_of (NULL);

  if (geteuid () == 0)
    {
      g_test_skip ("root can write everywhere");
      return;
    }
  parse (options, "limits.memory_bytes", "65");
  text = old_text (options);
  write_file ("fixed.json", text);
  g_assert_cmpint (g_chmod (folder, 0500), ==, 0);
  again = fh_preset_load ("fixed", NULL);
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
  g_assert_nonnull (again);
  g_assert_true (fh_run_options_equal (options, again));
  assert_holds ("fixed.json", text);
  g_assert_false (is_there ("fixed.ini"));
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
test_delete (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) was = NULL;
  g_autoptr (GError) error = NULL;

  parse (options, "limits.memory_bytes", "65");
  save ("short-lived", options);
  g_assert_true (fh_preset_delete ("short-lived", &was, NULL));
  g_assert_true (fh_run_options_equal (options, was));
  g_clear_pointer (&was, fh_run_options_free);
  g_assert_false (fh_preset_delete ("short-lived", &was, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_null (was);
}

int
main (int argc, char *argv[])
{
  g_autofree char *settings = make_settings ();
  int result;

  g_test_init (&argc, &argv, NULL);
  /* The first, while there are no others. */
  g_test_add_func ("/presets/missing", test_missing);
  g_test_add_func ("/presets/round-trip", test_round_trip);
  g_test_add_func ("/presets/for-one-run", test_for_one_run);
  g_test_add_func ("/presets/names", test_names);
  g_test_add_func ("/presets/damaged", test_damaged);
  g_test_add_func ("/presets/delete", test_delete);
  g_test_add_func ("/presets/import", test_import);
  g_test_add_func ("/presets/import-damaged", test_import_of_what_is_damaged);
  g_test_add_func ("/presets/import-fails", test_import_that_cannot_be_written);
  result = g_test_run ();
  remove_settings (settings);
  return result;
}
