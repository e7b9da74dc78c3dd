/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work-folder.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run-error.h"

/* None of these, and none that they are in. /tmp is where others have their sockets. */
static const char *const too_wide[] = {
  "/home", "/media",   "/mnt", "/opt", "/root",    "/run/user", "/srv",
  "/tmp",  "/var/lib", "/run", "/var", "/var/tmp", "/dev/shm",  NULL,
};

/* None of these, and nothing in them. */
static const char *const of_system[] = {
  "/bin",    "/boot", "/dev", "/etc",      "/lib",  "/lib32", "/lib64",
  "/libx32", "/proc", "/sys", "/run/user", "/sbin", "/usr",   NULL,
};

static gboolean
is_in (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  if (length > 0 && folder[length - 1] == '/')
    length--;
  return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static void
add_real_path (GPtrArray *list, char *path)
{
  char *real = path != NULL && path[0] == '/' ? realpath (path, NULL) : NULL;

  if (real != NULL)
    {
      g_ptr_array_add (list, g_strdup (real));
      free (real);
    }
  g_free (path);
}

/* What $HOME says and what the account says: either may be the one with the user's files. */
static GPtrArray *
homes (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  struct passwd account;
  struct passwd *found = NULL;
  char buffer[16384];

  add_real_path (list, g_strdup (g_get_home_dir ()));
  if (getpwuid_r (getuid (), &account, buffer, sizeof buffer, &found) == 0 && found != NULL)
    add_real_path (list, g_strdup (account.pw_dir));
  return list;
}

/* Folders that hold private things beside whatever else is in them. */
static GPtrArray *
private_folders (void)
{
  const char *const in_home[] = { ".config", ".cache", ".local/share", ".local/state" };
  const char *const of_user[] = {
    g_get_user_config_dir (), g_get_user_cache_dir (),   g_get_user_data_dir (),
    g_get_user_state_dir (),  g_get_user_runtime_dir (),
  };
  GPtrArray *list = homes ();
  guint n_homes = list->len;

  for (guint i = 0; i < n_homes; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (in_home); j++)
        add_real_path (list, g_build_filename (g_ptr_array_index (list, i), in_home[j], NULL));
    }
  for (guint i = 0; i < G_N_ELEMENTS (of_user); i++)
    add_real_path (list, g_strdup (of_user[i]));
  return list;
}

/* Folders of which nothing is to be bound: keys, and what Fumehood itself keeps. */
static GPtrArray *
closed_folders (void)
{
  const char *const in_home[] = { ".ssh", ".gnupg" };
  const char *const of_user[] = { g_get_user_config_dir (),
                                  g_get_user_cache_dir (),
                                  g_get_user_data_dir (),
                                  g_get_user_state_dir () };
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) all_homes = homes ();

  for (guint i = 0; i < all_homes->len; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (in_home); j++)
        add_real_path (list, g_build_filename (g_ptr_array_index (all_homes, i), in_home[j], NULL));
    }
  for (guint i = 0; i < G_N_ELEMENTS (of_user); i++)
    add_real_path (list, g_build_filename (of_user[i], "fumehood", NULL));
  return list;
}

static gboolean
holds_private_things (const char *path)
{
  g_autoptr (GPtrArray) list = private_folders ();

  for (guint i = 0; i < list->len; i++)
    {
      if (is_in (g_ptr_array_index (list, i), path))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_closed (const char *path)
{
  g_autoptr (GPtrArray) list = closed_folders ();

  for (guint i = 0; i < list->len; i++)
    {
      if (is_in (path, g_ptr_array_index (list, i)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_of_system (const char *path)
{
  if (is_in (path, "/dev/shm"))
    return FALSE;
  for (guint i = 0; of_system[i] != NULL; i++)
    {
      if (is_in (path, of_system[i]))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_too_wide (const char *path)
{
  for (guint i = 0; too_wide[i] != NULL; i++)
    {
      if (is_in (too_wide[i], path))
        return TRUE;
    }
  return FALSE;
}

static gboolean
refuse (GError **error, const char *text, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_set_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, text, name);
#pragma GCC diagnostic pop
  return FALSE;
}

static gboolean
check_closed (const char *path, gboolean is_here, GError **error)
{
  if (is_of_system (path) || (is_here && is_closed (path)))
    return refuse (error,
                   _ ("“%s” cannot be the work folder, because it belongs to the system or holds "
                      "keys or the data of Fumehood. Choose an ordinary folder."),
                   path);
  return TRUE;
}

static gboolean
check_wide (const char *path, gboolean is_here, GError **error)
{
  if (is_too_wide (path) || (is_here && holds_private_things (path)))
    return refuse (error,
                   _ ("“%s” cannot be the work folder, because the program could read and change "
                      "all that is in it. Choose a folder below it."),
                   path);
  return TRUE;
}

gboolean
fh_work_folder_check_path (const char *path, GError **error)
{
  g_autofree char *plain = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  if (path[0] != '/')
    return refuse (error, _ ("“%s” is not a whole path of a folder."), path);
  plain = g_canonicalize_filename (path, "/");
  return check_wide (plain, FALSE, error) && check_closed (plain, FALSE, error);
}

/* The path without links, of which the last parts may be missing. */
static char *
real_path_of_missing (const char *path)
{
  g_autofree char *known = g_canonicalize_filename (path, "/");
  g_autofree char *rest = g_strdup ("");

  for (;;)
    {
      char *real = realpath (known, NULL);
      g_autofree char *parent = NULL;
      g_autofree char *name = NULL;
      char *longer;

      if (real != NULL)
        {
          char *all = rest[0] == '\0' ? g_strdup (real) : g_build_filename (real, rest, NULL);

          free (real);
          return all;
        }
      if (errno != ENOENT || g_file_test (known, G_FILE_TEST_IS_SYMLINK))
        return NULL;
      parent = g_path_get_dirname (known);
      name = g_path_get_basename (known);
      longer = rest[0] == '\0' ? g_strdup (name) : g_build_filename (name, rest, NULL);
      g_free (rest);
      rest = longer;
      g_free (known);
      known = g_steal_pointer (&parent);
    }
}

static char *
fail (GError **error, const char *path, int code)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error,
               G_IO_ERROR,
               (int) g_io_error_from_errno (code),
               /* Translators: the path of a folder, then the system's reason. */
               _ ("The work folder “%s” cannot be used: %s."),
               name,
               g_strerror (code));
  return NULL;
}

char *
fh_work_folder_make (const char *path, GError **error)
{
  g_autofree char *wished = NULL;
  g_autofree char *made = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  if (path[0] != '/')
    {
      refuse (error, _ ("“%s” is not a whole path of a folder."), path);
      return NULL;
    }
  wished = real_path_of_missing (path);
  if (wished == NULL)
    return fail (error, path, errno == 0 ? ENOENT : errno);
  /* Looked at before, so that nothing is made in a wrong place, and after, as what counts. */
  if (!check_wide (wished, TRUE, error) || !check_closed (wished, TRUE, error))
    return NULL;
  if (g_mkdir_with_parents (wished, 0700) != 0)
    return fail (error, path, errno);
  made = real_path_of_missing (wished);
  if (made == NULL || !g_file_test (made, G_FILE_TEST_IS_DIR))
    return fail (error, path, ENOTDIR);
  if (!check_wide (made, TRUE, error) || !check_closed (made, TRUE, error))
    return NULL;
  if (access (made, R_OK | X_OK) != 0)
    return fail (error, path, errno);
  return g_steal_pointer (&made);
}
