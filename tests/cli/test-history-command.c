/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stored-run.h"

/* The real fumehoodctl, whose path is in FH_CTL, with a history of its own. */
typedef struct
{
  char *folder;
  char *out;
  gsize out_size;
  char *err;
  int status;
} Fixture;

static const char hostile_source[] = "print ('\x1b[2J') # \xff\n";
static const char hostile_output[] = "\x1b]0;owned\x07"
                                     "a\0b\xff\r\n";

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autoptr (FhHistory) history = NULL;
  g_autoptr (FhRunRequest) request =
      fh_test_request_bytes (hostile_source, sizeof hostile_source - 1);
  g_autoptr (FhRunResult) result =
      fh_test_result_bytes (3, hostile_output, sizeof hostile_output - 1);

  fixture->folder = fh_test_folder_new ();
  path = g_build_filename (fixture->folder, "fumehood", "history.db", NULL);
  history = fh_history_new (path);
  fh_test_add (history, 1, "import numpy\n", "apples\n");
  fh_test_add (history, 2, "import os\n", "bananas\n");
  g_assert_cmpint (fh_history_add (history, request, result, NULL), ==, 3);
  g_assert_true (fh_test_history_set_pinned (history, 1, TRUE, NULL));
}

static void
clear_answer (Fixture *fixture)
{
  g_clear_pointer (&fixture->out, g_free);
  g_clear_pointer (&fixture->err, g_free);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  clear_answer (fixture);
  fh_test_folder_remove (fixture->folder);
}

static GSubprocessLauncher *
new_launcher (Fixture *fixture, GSubprocessFlags flags)
{
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (flags);

  g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", fixture->folder, TRUE);
  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
  g_subprocess_launcher_setenv (launcher, "TZ", "UTC", TRUE);
  return launcher;
}

static char **
make_argv (const char *command_line)
{
  g_autofree char *whole = g_strconcat ("ctl history ", command_line, NULL);
  GError *error = NULL;
  char **argv;

  g_assert_true (g_shell_parse_argv (whole, NULL, &argv, &error));
  g_assert_no_error (error);
  g_free (argv[0]);
  argv[0] = g_strdup (g_getenv ("FH_CTL"));
  return argv;
}

/* The content, with a NUL at the end. */
static char *
take_text (GBytes *bytes, gsize *size)
{
  const void *data = g_bytes_get_data (bytes, size);
  char *text = g_malloc0 (*size + 1);

  if (*size > 0)
    memcpy (text, data, *size);
  return text;
}

/* Runs `fumehoodctl history COMMAND_LINE` with pipes and keeps its results. */
static int
ctl (Fixture *fixture, const char *command_line)
{
  g_autoptr (GSubprocessLauncher) launcher =
      new_launcher (fixture, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_auto (GStrv) argv = make_argv (command_line);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GBytes) err = NULL;
  GError *error = NULL;
  gsize size;

  clear_answer (fixture);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate (process, NULL, NULL, &out, &err, &error));
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  fixture->out = take_text (out, &fixture->out_size);
  fixture->err = take_text (err, &size);
  fixture->status = g_subprocess_get_exit_status (process);
  return fixture->status;
}

/* The same with a terminal as stdout. Returns its output without carriage returns. */
static char *
ctl_on_terminal (Fixture *fixture, const char *command_line)
{
  g_autoptr (GSubprocessLauncher) launcher =
      new_launcher (fixture, G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_auto (GStrv) argv = make_argv (command_line);
  g_autoptr (GSubprocess) process = NULL;
  GString *text = g_string_new (NULL);
  int terminal = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
  GError *error = NULL;
  char buffer[4096];
  gssize n;

  g_assert_cmpint (terminal, >=, 0);
  g_assert_cmpint (grantpt (terminal), ==, 0);
  g_assert_cmpint (unlockpt (terminal), ==, 0);
  g_subprocess_launcher_take_stdout_fd (launcher,
                                        open (ptsname (terminal), O_RDWR | O_NOCTTY | O_CLOEXEC));
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, &error);
  g_assert_no_error (error);
  g_subprocess_launcher_close (launcher);
  while ((n = read (terminal, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  close (terminal);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_string_replace (text, "\r\n", "\n", 0);
  return g_string_free (text, FALSE);
}

static JsonNode *
parse (Fixture *fixture)
{
  GError *error = NULL;
  JsonNode *node = json_from_string (fixture->out, &error);

  g_assert_no_error (error);
  return node;
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) lines = NULL;

  g_assert_cmpint (ctl (fixture, "list"), ==, 0);
  lines = g_strsplit (fixture->out, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  g_assert_true (g_str_has_prefix (lines[0], "    ID  STARTED"));
  g_assert_true (g_str_has_prefix (lines[1], "     3  2026-01-01 00:00:03  Python"));
  g_assert_true (g_str_has_prefix (lines[2], "     2  "));
  g_assert_nonnull (strstr (lines[2], "import os"));
  g_assert_nonnull (strstr (lines[3], "★ import numpy"));
  g_assert_cmpint (ctl (fixture, ""), ==, 0);
  g_assert_nonnull (strstr (fixture->out, "\n     3  "));
  g_assert_cmpint (ctl (fixture, "--limit 1"), ==, 0);
  g_assert_null (strstr (fixture->out, "import os"));
  g_assert_cmpint (ctl (fixture, "list --limit none"), ==, 0);
  g_assert_nonnull (strstr (fixture->out, "import numpy"));
}

static void
test_list_json (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonNode) node = NULL;
  JsonArray *runs;
  JsonObject *run;

  g_assert_cmpint (ctl (fixture, "list --json"), ==, 0);
  node = parse (fixture);
  runs = json_object_get_array_member (json_node_get_object (node), "runs");
  g_assert_cmpuint (json_array_get_length (runs), ==, 3);
  run = json_array_get_object_element (runs, 2);
  g_assert_cmpint (json_object_get_int_member (run, "id"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (run, "title"), ==, "import numpy");
  g_assert_cmpstr (json_object_get_string_member (run, "status"), ==, "ok");
  g_assert_cmpstr (json_object_get_string_member (run, "language"), ==, "python");
  g_assert_cmpstr (json_object_get_string_member (run, "started_at"), ==, "2026-01-01T00:00:01Z");
  g_assert_true (json_object_get_boolean_member (run, "pinned"));
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (ctl (fixture, "search import banan"), ==, 0);
  g_assert_nonnull (strstr (fixture->out, "import os"));
  g_assert_null (strstr (fixture->out, "numpy"));
  g_assert_cmpint (ctl (fixture, "search -- '-\"*' xylophone"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, "");
  g_assert_nonnull (strstr (fixture->err, "No run"));
}

static void
test_show (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (ctl (fixture, "show 1"), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->out, "Run 1: import numpy\n"));
  g_assert_nonnull (strstr (fixture->out, "\nSource:\nimport numpy\n"));
  g_assert_nonnull (strstr (fixture->out, "\nOutput:\napples\n"));
  g_assert_null (strstr (fixture->out, "Error output:"));
}

static void
test_show_parts_exactly (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (ctl (fixture, "show 3 --source"), ==, 0);
  g_assert_cmpmem (fixture->out, fixture->out_size, hostile_source, sizeof hostile_source - 1);
  g_assert_cmpint (ctl (fixture, "show --output 3"), ==, 0);
  g_assert_cmpmem (fixture->out, fixture->out_size, hostile_output, sizeof hostile_output - 1);
}

static void
test_show_review (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (ctl (fixture, "show 1 --review"), ==, 0);
  g_assert_true (g_str_has_prefix (fixture->out, "### `import numpy`\n\n"));
  g_assert_true (g_str_has_suffix (fixture->out, "Standard output:\n\n```\napples\n```\n"));
}

static void
test_show_json (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;

  g_assert_cmpint (ctl (fixture, "show 2 --json"), ==, 0);
  node = parse (fixture);
  object = json_node_get_object (node);
  g_assert_cmpint (json_object_get_int_member (object, "id"), ==, 2);
  g_assert_cmpstr (
      json_object_get_string_member (json_object_get_object_member (object, "request"), "source"),
      ==,
      "import os\n");
  g_assert_cmpstr (
      json_object_get_string_member (json_object_get_object_member (object, "result"), "stdout"),
      ==,
      "bananas\n");
}

static void
test_terminal_is_safe (Fixture *fixture, gconstpointer data)
{
  static const char *const command_lines[] = {
    "list",          "show 3",     "show 3 --source", "show 3 --output", "show 3 --review",
    "show 3 --json", "export 3 -", "list --json",
  };

  for (guint i = 0; i < G_N_ELEMENTS (command_lines); i++)
    {
      g_autofree char *text = ctl_on_terminal (fixture, command_lines[i]);

      g_assert_cmpuint (strlen (text), >, 20);
      for (const char *p = text; *p != '\0'; p++)
        {
          if (g_ascii_iscntrl (*p) && *p != '\n' && *p != '\t')
            g_error ("“history %s” sent \\x%02x to the terminal", command_lines[i], (guint8) *p);
        }
      g_assert_true (g_utf8_validate (text, -1, NULL));
    }
  {
    g_autofree char *text = ctl_on_terminal (fixture, "show 3 --output");

    g_assert_cmpstr (text, ==, "\\x1b]0;owned\\x07a\\x00b\\xff\\x0d\n");
  }
}

static void
assert_holds (const char *folder, const char *name, const void *data, gsize size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *content = NULL;
  gsize content_size;

  g_assert_true (g_file_get_contents (path, &content, &content_size, NULL));
  g_assert_cmpmem (content, content_size, data, size);
}

static void
test_export (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->folder, "run.json", NULL);
  g_autofree char *folder = g_build_filename (fixture->folder, "deep", "run", NULL);
  g_autofree char *to_file = g_strdup_printf ("export 3 %s", file);
  g_autofree char *to_folder = g_strdup_printf ("export 3 %s/", folder);
  g_autofree char *forced = g_strconcat (to_folder, " --force", NULL);
  g_autofree char *json = NULL;
  g_autofree char *result = g_build_filename (folder, "result.json", NULL);

  g_assert_cmpint (ctl (fixture, "export 3 -"), ==, 0);
  json = g_strdup (fixture->out);
  g_assert_cmpint (ctl (fixture, to_file), ==, 0);
  assert_holds (fixture->folder, "run.json", json, strlen (json));
  g_assert_cmpint (ctl (fixture, to_file), ==, 1);
  g_assert_nonnull (strstr (fixture->err, "--force"));

  g_assert_cmpint (ctl (fixture, to_folder), ==, 0);
  assert_holds (folder, "source", hostile_source, sizeof hostile_source - 1);
  assert_holds (folder, "stdout", hostile_output, sizeof hostile_output - 1);
  assert_holds (folder, "stderr", "", 0);
  g_assert_true (g_file_test (result, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpint (ctl (fixture, to_folder), ==, 1);
  g_assert_cmpint (ctl (fixture, forced), ==, 0);
}

static void
test_export_follows_no_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *precious = g_build_filename (fixture->folder, "precious", NULL);
  g_autofree char *link = g_build_filename (fixture->folder, "link", NULL);
  g_autofree char *command_line = g_strdup_printf ("export 1 %s --force", link);

  g_assert_true (g_file_set_contents (precious, "keep", -1, NULL));
  g_assert_cmpint (symlink (precious, link), ==, 0);
  g_assert_cmpint (ctl (fixture, command_line), ==, 0);
  assert_holds (fixture->folder, "precious", "keep", 4);
}

static void
test_delete_and_restore (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (ctl (fixture, "delete 1 99 2"), ==, 1);
  g_assert_nonnull (strstr (fixture->err, "99"));
  g_assert_cmpint (ctl (fixture, "list"), ==, 0);
  g_assert_null (strstr (fixture->out, "import"));
  g_assert_cmpint (ctl (fixture, "restore 1"), ==, 0);
  g_assert_cmpint (ctl (fixture, "show 1"), ==, 0);
  g_assert_cmpint (ctl (fixture, "show 2"), ==, 1);
  g_assert_cmpint (ctl (fixture, "purge"), ==, 0);
  g_assert_cmpint (ctl (fixture, "restore 2"), ==, 1);
}

static void
test_empty_history (Fixture *fixture, gconstpointer data)
{
  fh_test_folder_remove (g_steal_pointer (&fixture->folder));
  fixture->folder = fh_test_folder_new ();
  g_assert_cmpint (ctl (fixture, "list"), ==, 0);
  g_assert_cmpstr (fixture->out, ==, "");
  g_assert_nonnull (strstr (fixture->err, "empty"));
  g_assert_cmpint (ctl (fixture, "show 1"), ==, 1);
}

static void
test_damaged_history (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "fumehood", "history.db", NULL);
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);

  /* Without a checkpoint the journal would repair the file. */
  g_assert_cmpint (g_unlink (wal), ==, 0);
  g_assert_true (g_file_set_contents (path, "no database at all", -1, NULL));
  g_assert_cmpint (ctl (fixture, "list"), ==, 0);
  g_assert_nonnull (strstr (fixture->err, "history.db.damaged-"));
  g_assert_cmpint (ctl (fixture, "list"), ==, 0);
  g_assert_null (strstr (fixture->err, "damaged"));
}

static void
test_usage (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = {
    "frobnicate",
    "show",
    "show one",
    "show 0",
    "show -- -1",
    "show 1 2",
    "search",
    "compare 1 2",
    "export 1",
    "export 1 a b",
    "delete",
    "delete x",
    "restore",
    "list extra",
    "list --source",
    "search a --output",
    "show 1 --limit 3",
    "list --limit 0",
    "list --limit many",
    "list --limit=-1",
    "delete 1 --json",
    "show 1 --json --source",
    "show 1 --json --review",
    "list --review",
    "list --force",
    "purge 1",
    "--bogus",
    "show 99999999999999999999",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      ctl (fixture, wrong[i]);
      if (fixture->status != 2 || fixture->out_size != 0 ||
          !g_str_has_prefix (fixture->err, "fumehoodctl: "))
        g_error ("“history %s”: status %d, %s", wrong[i], fixture->status, fixture->err);
    }
  g_assert_cmpint (ctl (fixture, "--help"), ==, 0);
  g_assert_nonnull (strstr (fixture->out, "Exit status"));
}

#define ADD(name, function)                                                                        \
  g_test_add ("/history-command/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* Every control character on a terminal is then the program's. */
  g_setenv ("NO_COLOR", "1", TRUE);
  ADD ("list", test_list);
  ADD ("list-json", test_list_json);
  ADD ("search", test_search);
  ADD ("show", test_show);
  ADD ("show-parts-exactly", test_show_parts_exactly);
  ADD ("show-review", test_show_review);
  ADD ("show-json", test_show_json);
  ADD ("terminal-is-safe", test_terminal_is_safe);
  ADD ("export", test_export);
  ADD ("export-follows-no-link", test_export_follows_no_link);
  ADD ("delete-and-restore", test_delete_and_restore);
  ADD ("empty-history", test_empty_history);
  ADD ("damaged-history", test_damaged_history);
  ADD ("usage", test_usage);
  return g_test_run ();
}
