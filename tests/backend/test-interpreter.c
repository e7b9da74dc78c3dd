/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpreters in made-up homes: links and configuration files stand for real installations. */
#include <glib/gstdio.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "installation.h"
#include "interpreter.h"
#include "run-error.h"

static char *home;

static const FhLanguage *
python (void)
{
  return fh_language_lookup ("python");
}

static char *
in_home (const char *path)
{
  return g_build_filename (home, path, NULL);
}

static void
make_parent (const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
}

static char *
make_program (const char *name)
{
  char *path = in_home (name);

  make_parent (path);
  g_assert_true (g_file_set_contents_full (path, "#!/bin/sh\n", -1, 0, 0755, NULL));
  return path;
}

static char *
make_file (const char *name, const char *text)
{
  char *path = in_home (name);

  make_parent (path);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static char *
make_link (const char *name, const char *target)
{
  char *path = in_home (name);

  make_parent (path);
  g_assert_cmpint (symlink (target, path), ==, 0);
  return path;
}

/* The landmark of Python's library, without which a folder is not taken for an installation. */
static void
make_library (const char *prefix)
{
  g_autofree char *name = g_build_filename (prefix, "lib", "python3.12", "os.py", NULL);

  g_free (make_file (name, ""));
}

/* Of a folder its parts, of a program that has none the program. */
static void
assert_shown (const FhInterpreter *interpreter, const char *first, const char *second)
{
  const char *const prefixes[] = { first, second, NULL };
  g_autoptr (GStrvBuilder) expected = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (guint i = 0; prefixes[i] != NULL; i++)
    {
      g_auto (GStrv) parts = fh_installation_list_parts (prefixes[i]);

      if (!g_file_test (prefixes[i], G_FILE_TEST_IS_DIR))
        g_strv_builder_add (expected, prefixes[i]);
      else
        g_assert_cmpuint (g_strv_length (parts), >, 0);
      g_strv_builder_addv (expected, (const char **) parts);
    }
  list = g_strv_builder_end (expected);
  g_assert_cmpstrv (interpreter->shown, list);
}

static FhInterpreter *
resolve (const char *path)
{
  g_autoptr (GError) error = NULL;
  FhInterpreter *interpreter = fh_interpreter_resolve (python (), path, &error);

  g_assert_no_error (error);
  return interpreter;
}

static void
refuse (const char *path, const char *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fh_interpreter_resolve (python (), path, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INTERPRETER);
  if (strstr (error->message, says) == NULL)
    g_error ("“%s” is not in “%s”", says, error->message);
}

static void
test_system (void)
{
  g_autoptr (FhInterpreter) interpreter = resolve (NULL);
  g_autoptr (FhInterpreter) named = resolve ("python3");

  g_assert_cmpstr (interpreter->path, ==, "/usr/bin/python3");
  g_assert_cmpuint (g_strv_length (interpreter->shown), ==, 0);
  g_assert_true (g_str_has_prefix (interpreter->name, "Python 3"));
  g_assert_nonnull (strstr (interpreter->name, "system"));
  g_assert_nonnull (named);
}

static void
test_shells (void)
{
  g_autoptr (FhInterpreter) sh = fh_interpreter_resolve (fh_language_lookup ("sh"), NULL, NULL);
  g_autoptr (FhInterpreter) named =
      fh_interpreter_resolve (fh_language_lookup ("sh"), "/bin/sh", NULL);

  g_assert_cmpstr (sh->path, ==, "/usr/bin/sh");
  g_assert_cmpstr (named->path, ==, "/bin/sh");
  g_assert_cmpuint (g_strv_length (named->shown), ==, 0);
}

static void
test_environment_of_system (void)
{
  g_autofree char *configuration =
      make_file ("work/tool/.venv/pyvenv.cfg", "home = /bin\nversion = 3.11.2\n");
  g_autofree char *program = make_link ("work/tool/.venv/bin/python", "/usr/bin/python3");
  g_autofree char *prefix = in_home ("work/tool/.venv");
  g_autoptr (FhInterpreter) interpreter = resolve (program);

  g_assert_nonnull (configuration);
  g_assert_cmpstr (interpreter->path, ==, program);
  g_assert_cmpstr (interpreter->name, ==, "tool (venv)");
  assert_shown (interpreter, prefix, NULL);
}

static void
test_environment_of_pyenv (void)
{
  g_autofree char *real = make_program (".pyenv/versions/3.12.1/bin/python3.12");
  g_autofree char *base = in_home (".pyenv/versions/3.12.1");
  g_autofree char *python_link = make_link (".pyenv/versions/3.12.1/bin/python", "python3.12");
  g_autofree char *text = g_strdup_printf ("include-system-site-packages = false\n"
                                           "home = %s/bin\n",
                                           base);
  g_autofree char *configuration = make_file ("envs/mine/pyvenv.cfg", text);
  g_autofree char *program = make_link ("envs/mine/bin/python3", python_link);
  g_autofree char *prefix = in_home ("envs/mine");
  g_autoptr (FhInterpreter) interpreter = NULL;

  make_library (".pyenv/versions/3.12.1");
  interpreter = resolve (program);
  g_assert_true (g_str_has_prefix (real, base) && g_str_has_prefix (configuration, prefix));
  g_assert_cmpstr (interpreter->path, ==, program);
  g_assert_cmpstr (interpreter->name, ==, "mine (venv)");
  assert_shown (interpreter, prefix, base);
}

static void
test_pyenv (void)
{
  g_autofree char *real = make_program (".pyenv/versions/3.13.0/bin/python3");
  g_autofree char *base = in_home (".pyenv/versions/3.13.0");
  g_autofree char *shim = make_program (".pyenv/shims/python3");
  g_autofree char *version = make_file (".pyenv/version", "3.13.0\n3.12.1\n");
  g_autoptr (FhInterpreter) direct = NULL;
  g_autoptr (FhInterpreter) through_shim = NULL;

  make_library (".pyenv/versions/3.13.0");
  direct = resolve (real);
  through_shim = resolve (shim);
  g_assert_nonnull (version);
  g_assert_cmpstr (direct->name, ==, "Python 3.13.0 (pyenv)");
  assert_shown (direct, base, NULL);
  g_assert_cmpstr (through_shim->path, ==, real);

  g_setenv ("PYENV_VERSION", "9.9.9", TRUE);
  refuse (shim, "9.9.9");
  g_setenv ("PYENV_VERSION", "../../..", TRUE);
  {
    g_autoptr (FhInterpreter) system = resolve (shim);

    g_assert_cmpstr (system->path, ==, "/usr/bin/python3");
  }
  g_unsetenv ("PYENV_VERSION");
}

static void
test_conda (void)
{
  g_autofree char *mark = make_file ("miniconda3/conda-meta/history", "");
  g_autofree char *program = make_program ("miniconda3/bin/python3");
  g_autofree char *prefix = in_home ("miniconda3");
  g_autoptr (FhInterpreter) interpreter = resolve (program);

  g_assert_nonnull (mark);
  g_assert_cmpstr (interpreter->name, ==, "miniconda3 (conda)");
  assert_shown (interpreter, prefix, NULL);
}

/* ~/.local/bin/python3 → somewhere else: the installation is shown, not ~/.local. */
static void
test_lone_link (void)
{
  g_autofree char *real = make_program ("apps/cpython-3.12/bin/python3.12");
  g_autofree char *prefix = in_home ("apps/cpython-3.12");
  g_autofree char *link = make_link (".local/bin/python3", real);
  g_autofree char *in_home_itself = make_link ("mypython", real);
  g_autoptr (FhInterpreter) interpreter = NULL;
  g_autoptr (FhInterpreter) other = NULL;

  make_library ("apps/cpython-3.12");
  interpreter = resolve (link);
  other = resolve (in_home_itself);
  g_assert_cmpstr (interpreter->path, ==, real);
  assert_shown (interpreter, prefix, NULL);
  g_assert_cmpstr (other->path, ==, real);
  assert_shown (other, prefix, NULL);
}

/* What stands beside such a program is not shown, whatever it is. */
static void
test_lone_program (void)
{
  const char *const names[] = {
    ".config/python3",         "python3",         "bin/python3", ".local/bin/python3.9",
    "Documents/tools/python3", "apps/bin/python3"
  };
  g_autofree char *packages = make_file (".local/lib/python3.9/site-packages/os.py", "");

  g_assert_nonnull (packages);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *program = make_program (names[i]);
      g_autoptr (FhInterpreter) interpreter = resolve (program);

      g_assert_cmpstr (interpreter->path, ==, program);
      assert_shown (interpreter, program, NULL);
      g_assert_true (g_str_has_prefix (interpreter->name, "Python"));
    }
}

/* A project may say anything in its pyvenv.cfg. */
static void
test_environment_of_nothing (void)
{
  g_autofree char *bait = make_program ("keys/bin/python3");
  g_autofree char *base = in_home ("keys/bin");
  g_autofree char *text = g_strdup_printf ("home = %s\n", base);
  g_autofree char *configuration = make_file ("trap/pyvenv.cfg", text);
  g_autofree char *program = make_link ("trap/bin/python3", "/usr/bin/python3");
  g_autofree char *prefix = in_home ("trap");
  g_autoptr (FhInterpreter) interpreter = resolve (program);

  g_assert_true (g_str_has_prefix (bait, base) && g_str_has_prefix (configuration, prefix));
  assert_shown (interpreter, prefix, NULL);
}

static void
test_refused (void)
{
  g_autofree char *plain = make_file ("not-executable", "");
  g_autofree char *dangling = make_link ("dangling", "/nowhere/at/all");
  g_autofree char *folder = in_home ("bin");

  refuse (plain, "not a program");
  refuse (folder, "not a program");
  refuse (dangling, "cannot be used");
  refuse ("/nowhere/python3", "cannot be used");
  refuse ("no-such-python-anywhere", "not installed");
}

/* All of these look like environments, and hold more than that. */
static void
test_private_folders (void)
{
  const char *const prefixes[] = {
    "",
    ".config",
    ".cache",
    ".local",
    ".local/share",
    ".local/state",
    ".local/state/fumehood",
    "settings",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      g_autofree char *mark = g_build_filename (prefixes[i], "pyvenv.cfg", NULL);
      g_autofree char *name = g_build_filename (prefixes[i], "bin", "python3", NULL);
      g_autofree char *configuration = make_file (mark, "home = /usr/bin\n");
      g_autofree char *program = make_program (name);

      refuse (program, "your own files");
      g_unlink (configuration);
    }
}

/* The same through a link and below a name that is not the real one. */
static void
test_private_folder_through_link (void)
{
  g_autofree char *configuration = make_file (".config/pyvenv.cfg", "home = /usr/bin\n");
  g_autofree char *program = make_program (".config/bin/python3");
  g_autofree char *target = in_home (".config");
  g_autofree char *link = make_link ("elsewhere/env", target);
  g_autofree char *through = g_build_filename (link, "bin", "python3", NULL);

  g_assert_nonnull (program);
  refuse (through, "your own files");
  g_unlink (configuration);
}

static void
test_places_of_sandbox (void)
{
  g_autofree char *program = g_strdup_printf ("/dev/shm/fh-python-%d", (int) getpid ());

  if (!g_file_set_contents_full (program, "#!/bin/sh\n", -1, 0, 0755, NULL))
    {
      g_test_skip ("/dev/shm cannot be written here");
      return;
    }
  refuse (program, "something else");
  g_unlink (program);
}

/* A shell has no landmarks: bin and lib side by side are enough, but not right below a home. */
static void
test_shell_of_its_own (void)
{
  g_autofree char *program = make_program ("brew/cellar/bin/bash");
  g_autofree char *library = make_file ("brew/cellar/lib/libreadline.so", "");
  g_autofree char *prefix = in_home ("brew/cellar");
  g_autofree char *mine = make_program ("scripts/bin/bash");
  g_autofree char *my_library = make_file ("scripts/lib/functions", "");
  const FhLanguage *bash = fh_language_lookup ("bash");
  g_autoptr (FhInterpreter) interpreter = fh_interpreter_resolve (bash, program, NULL);
  g_autoptr (FhInterpreter) lone = fh_interpreter_resolve (bash, mine, NULL);

  g_assert_true (library != NULL && my_library != NULL);
  assert_shown (interpreter, prefix, NULL);
  assert_shown (lone, mine, NULL);
}

/* $HOME may say anything; the account knows better. */
static void
test_home_of_account (void)
{
  const struct passwd *account = getpwuid (getuid ());
  g_autofree char *real = account != NULL ? g_canonicalize_filename (account->pw_dir, NULL) : NULL;
  g_autofree char *config = NULL;

  if (real == NULL || !g_file_test (real, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("this account has no home");
      return;
    }
  config = g_build_filename (real, ".config", NULL);
  g_assert_false (fh_installation_may_be_shown (real, "python3", NULL));
  g_assert_false (fh_installation_may_be_shown (config, "python3", NULL));
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
test_list (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GString) names = g_string_new (NULL);

  fh_interpreter_list_async (python (), NULL, listed_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  list = fh_interpreter_list_finish (result, NULL);
  for (guint i = 0; i < list->len; i++)
    {
      const FhInterpreter *interpreter = g_ptr_array_index (list, i);

      g_string_append_printf (names, "%s;", interpreter->name);
    }
  g_assert_nonnull (strstr (names->str, "(system)"));
  g_assert_nonnull (strstr (names->str, "Python 3.13.0 (pyenv)"));
  g_assert_nonnull (strstr (names->str, "miniconda3 (conda)"));
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK) && g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      dir = g_dir_open (path, 0, NULL);
      while ((name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *child = g_build_filename (path, name, NULL);

          remove_tree (child);
        }
    }
  g_remove (path);
}

int
main (int argc, char **argv)
{
  g_autofree char *settings = NULL;
  int status;

  home = g_dir_make_tmp ("fh-interpreter-XXXXXX", NULL);
  g_assert_nonnull (home);
  g_setenv ("HOME", home, TRUE);
  settings = in_home ("settings");
  g_setenv ("XDG_CONFIG_HOME", settings, TRUE);
  g_unsetenv ("XDG_STATE_HOME");
  g_unsetenv ("XDG_DATA_HOME");
  g_unsetenv ("XDG_CACHE_HOME");
  g_unsetenv ("PYENV_VERSION");
  g_unsetenv ("PYENV_ROOT");
  g_unsetenv ("VIRTUAL_ENV");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/interpreter/system", test_system);
  g_test_add_func ("/interpreter/shells", test_shells);
  g_test_add_func ("/interpreter/environment-of-system", test_environment_of_system);
  g_test_add_func ("/interpreter/environment-of-pyenv", test_environment_of_pyenv);
  g_test_add_func ("/interpreter/pyenv", test_pyenv);
  g_test_add_func ("/interpreter/conda", test_conda);
  g_test_add_func ("/interpreter/lone-link", test_lone_link);
  g_test_add_func ("/interpreter/lone-program", test_lone_program);
  g_test_add_func ("/interpreter/environment-of-nothing", test_environment_of_nothing);
  g_test_add_func ("/interpreter/refused", test_refused);
  g_test_add_func ("/interpreter/private-folders", test_private_folders);
  g_test_add_func ("/interpreter/private-folder-through-link", test_private_folder_through_link);
  g_test_add_func ("/interpreter/places-of-sandbox", test_places_of_sandbox);
  g_test_add_func ("/interpreter/shell-of-its-own", test_shell_of_its_own);
  g_test_add_func ("/interpreter/home-of-account", test_home_of_account);
  g_test_add_func ("/interpreter/list", test_list);
  status = g_test_run ();
  remove_tree (home);
  g_free (home);
  return status;
}
