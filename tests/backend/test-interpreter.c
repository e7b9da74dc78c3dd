/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpreters in made-up homes: links and configuration files stand for real installations. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

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

static void
assert_prefixes (const FhInterpreter *interpreter, const char *first, const char *second)
{
  const char *const expected[] = { first, second, NULL };

  g_assert_cmpstrv (interpreter->prefixes, expected);
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
  g_assert_cmpuint (g_strv_length (interpreter->prefixes), ==, 0);
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
  g_assert_cmpuint (g_strv_length (named->prefixes), ==, 0);
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
  assert_prefixes (interpreter, prefix, NULL);
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
  g_autoptr (FhInterpreter) interpreter = resolve (program);

  g_assert_true (g_str_has_prefix (real, base) && g_str_has_prefix (configuration, prefix));
  g_assert_cmpstr (interpreter->path, ==, program);
  g_assert_cmpstr (interpreter->name, ==, "mine (venv)");
  assert_prefixes (interpreter, prefix, base);
}

static void
test_pyenv (void)
{
  g_autofree char *real = make_program (".pyenv/versions/3.13.0/bin/python3");
  g_autofree char *base = in_home (".pyenv/versions/3.13.0");
  g_autofree char *shim = make_program (".pyenv/shims/python3");
  g_autofree char *version = make_file (".pyenv/version", "3.13.0\n3.12.1\n");
  g_autoptr (FhInterpreter) direct = resolve (real);
  g_autoptr (FhInterpreter) through_shim = resolve (shim);

  g_assert_nonnull (version);
  g_assert_cmpstr (direct->name, ==, "Python 3.13.0 (pyenv)");
  assert_prefixes (direct, base, NULL);
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
  assert_prefixes (interpreter, prefix, NULL);
}

/* ~/.local/bin/python3 → somewhere else: the installation is shown, not ~/.local. */
static void
test_lone_link (void)
{
  g_autofree char *real = make_program ("apps/cpython-3.12/bin/python3.12");
  g_autofree char *prefix = in_home ("apps/cpython-3.12");
  g_autofree char *link = make_link (".local/bin/python3", real);
  g_autofree char *in_home_itself = make_link ("mypython", real);
  g_autoptr (FhInterpreter) interpreter = resolve (link);
  g_autoptr (FhInterpreter) other = resolve (in_home_itself);

  g_assert_cmpstr (interpreter->path, ==, real);
  assert_prefixes (interpreter, prefix, NULL);
  g_assert_cmpstr (other->path, ==, real);
  assert_prefixes (other, prefix, NULL);
}

static void
test_refused (void)
{
  g_autofree char *in_home_bin = make_program ("bin/python3");
  g_autofree char *in_local = make_program (".local/bin/python3.9");
  g_autofree char *plain = make_file ("not-executable", "");
  g_autofree char *dangling = make_link ("dangling", "/nowhere/at/all");
  g_autofree char *folder = in_home ("bin");

  refuse (in_home_bin, "your own files");
  refuse (in_local, "your own files");
  refuse (plain, "not a program");
  refuse (folder, "not a program");
  refuse (dangling, "cannot be used");
  refuse ("/nowhere/python3", "cannot be used");
  refuse ("no-such-python-anywhere", "not installed");
}

static void
test_environment_in_home_itself (void)
{
  g_autofree char *configuration = make_file ("pyvenv.cfg", "home = /usr/bin\n");
  g_autofree char *program = in_home ("bin/python3");

  refuse (program, "your own files");
  g_unlink (configuration);
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
  int status;

  home = g_dir_make_tmp ("fh-interpreter-XXXXXX", NULL);
  g_assert_nonnull (home);
  g_setenv ("HOME", home, TRUE);
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
  g_test_add_func ("/interpreter/refused", test_refused);
  g_test_add_func ("/interpreter/environment-in-home-itself", test_environment_in_home_itself);
  g_test_add_func ("/interpreter/list", test_list);
  status = g_test_run ();
  remove_tree (home);
  g_free (home);
  return status;
}
