/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "installation.h"

#include <glib/gi18n-lib.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run-error.h"

char *
fh_installation_prefix_of (const char *program)
{
  g_autofree char *folder = NULL;
  g_autofree char *base = NULL;

  g_return_val_if_fail (program != NULL, NULL);

  folder = g_path_get_dirname (program);
  base = g_path_get_basename (folder);
  return g_str_equal (base, "bin") ? g_path_get_dirname (folder) : NULL;
}

static gboolean
has (const char *folder, const char *name, GFileTest test)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, test);
}

gboolean
fh_installation_is_virtual_environment (const char *prefix)
{
  g_return_val_if_fail (prefix != NULL, FALSE);

  return has (prefix, "pyvenv.cfg", G_FILE_TEST_IS_REGULAR);
}

/* Python itself looks for os.py to find its library. A folder without it may hold only the packages
 * of `pip install --user`. */
static gboolean
has_python_library (const char *prefix, const char *library)
{
  g_autofree char *path = g_build_filename (prefix, library, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = NULL;

      if (!g_str_has_prefix (name, "python3") && !g_str_has_prefix (name, "pypy3"))
        continue;
      folder = g_build_filename (path, name, NULL);
      if (has (folder, "os.py", G_FILE_TEST_IS_REGULAR) ||
          has (folder, "os.pyc", G_FILE_TEST_IS_REGULAR))
        return TRUE;
    }
  return FALSE;
}

char *
fh_installation_real_path (const char *path)
{
  char buffer[PATH_MAX];

  return realpath (path, buffer) != NULL ? g_strdup (buffer) : NULL;
}

static void
add_real_path (GPtrArray *list, const char *path)
{
  char *real;

  if (path == NULL || !g_path_is_absolute (path))
    return;
  real = fh_installation_real_path (path);
  g_ptr_array_add (list, real != NULL ? real : g_canonicalize_filename (path, NULL));
}

/* $HOME and the account's home: either may have the user's files. */
static GPtrArray *
homes (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  struct passwd account;
  struct passwd *found = NULL;
  char buffer[16384];

  add_real_path (list, g_get_home_dir ());
  if (getpwuid_r (getuid (), &account, buffer, sizeof buffer, &found) == 0 && found != NULL)
    add_real_path (list, account.pw_dir);
  return list;
}

static gboolean
is_right_below_a_home (const char *prefix)
{
  g_autoptr (GPtrArray) list = homes ();
  g_autofree char *real = fh_installation_real_path (prefix);
  g_autofree char *parent = g_path_get_dirname (real != NULL ? real : prefix);

  return g_ptr_array_find_with_equal_func (list, parent, g_str_equal, NULL);
}

gboolean
fh_installation_looks_like_one (const char *prefix, const FhLanguage *language)
{
  g_return_val_if_fail (prefix != NULL, FALSE);
  g_return_val_if_fail (language != NULL, FALSE);

  if (fh_installation_is_virtual_environment (prefix) ||
      has (prefix, "conda-meta", G_FILE_TEST_IS_DIR) || has_python_library (prefix, "lib") ||
      has_python_library (prefix, "lib64"))
    return TRUE;
  return !g_str_equal (language->id, "python") && has (prefix, "bin", G_FILE_TEST_IS_DIR) &&
         has (prefix, "lib", G_FILE_TEST_IS_DIR) && !is_right_below_a_home (prefix);
}

/* Folders that contain private things. Fumehood's own history and drafts are in the state
 * folder. */
static GPtrArray *
private_folders (void)
{
  const char *const in_home[] = { ".config", ".cache", ".local/share", ".local/state" };
  const char *const of_user[] = {
    g_get_user_config_dir (), g_get_user_cache_dir (),   g_get_user_data_dir (),
    g_get_user_state_dir (),  g_get_user_runtime_dir (),
  };
  g_autofree char *own = g_build_filename (g_get_user_state_dir (), "fumehood", NULL);
  GPtrArray *list = homes ();
  guint n_homes = list->len;

  for (guint i = 0; i < n_homes; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (in_home); j++)
        {
          g_autofree char *path = g_build_filename (g_ptr_array_index (list, i), in_home[j], NULL);

          add_real_path (list, path);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (of_user); i++)
    add_real_path (list, of_user[i]);
  for (int i = 0; i < G_USER_N_DIRECTORIES; i++)
    add_real_path (list, g_get_user_special_dir ((GUserDirectory) i));
  add_real_path (list, own);
  return list;
}

gboolean
fh_installation_is_below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static gboolean
is_private (const char *prefix)
{
  const char *const of_all[] = { "/", "/home", "/root", "/mnt", "/media", "/srv", NULL };
  g_autofree char *parent = g_path_get_dirname (prefix);
  g_autoptr (GPtrArray) list = NULL;

  /* Folders in /home are homes, even if not this user's. */
  if (g_strv_contains (of_all, prefix) || g_str_equal (parent, "/home"))
    return TRUE;
  list = private_folders ();
  for (guint i = 0; i < list->len; i++)
    {
      if (fh_installation_is_below (g_ptr_array_index (list, i), prefix))
        return TRUE;
    }
  return FALSE;
}

gboolean
fh_installation_may_be_shown (const char *prefix, const char *program, GError **error)
{
  g_return_val_if_fail (prefix != NULL, FALSE);
  g_return_val_if_fail (program != NULL, FALSE);

  if (is_private (prefix))
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INTERPRETER,
                   /* Translators: both are paths. */
                   _ ("The interpreter “%s” is part of “%s”, and showing all of that to the "
                      "program would show your own files too. Choose the system’s interpreter, or "
                      "make a virtual environment in a folder of its own."),
                   program,
                   prefix);
      return FALSE;
    }
  return TRUE;
}

gboolean
fh_installation_has_place (const char *path, const char *program, GError **error)
{
  const char *const covered[] = { "/proc", "/dev", "/sys", "/workspace" };
  const char *const shared[] = { "/tmp", "/run", "/etc", "/var", "/opt", NULL };
  gboolean is_taken;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (program != NULL, FALSE);

  is_taken = g_strv_contains (shared, path);
  for (guint i = 0; i < G_N_ELEMENTS (covered); i++)
    is_taken = is_taken || fh_installation_is_below (path, covered[i]);
  if (!is_taken)
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INTERPRETER,
               /* Translators: both are paths. */
               _ ("The interpreter “%s” cannot be used, because the sandbox has something else at "
                  "“%s”. Choose the system’s interpreter, or one that is installed elsewhere."),
               program,
               path);
  return FALSE;
}
