/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work-folder.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "path-error.h"

/* These folders are not allowed, nor are those that contain them. Other programs have sockets in
 * /tmp. */
static const char *const too_wide[] = {
  "/home", "/media",   "/mnt", "/opt", "/root",    "/run/user", "/srv",
  "/tmp",  "/var/lib", "/run", "/var", "/var/tmp", "/dev/shm",
};

/* These folders are not allowed, nor is anything in them. */
static const char *const of_system[] = {
  "/bin",    "/boot", "/dev", "/etc",      "/lib",  "/lib32", "/lib64",
  "/libx32", "/proc", "/sys", "/run/user", "/sbin", "/usr",
};

static gboolean
is_in (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  if (length > 0 && folder[length - 1] == '/')
    length--;
  return strncmp (path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Both by its name and without links. A missing folder may be created later. */
static void
add_place (GPtrArray *list, char *path)
{
  char *real = path != NULL && path[0] == '/' ? realpath (path, NULL) : NULL;

  if (path != NULL && path[0] == '/')
    g_ptr_array_add (list, g_canonicalize_filename (path, "/"));
  if (real != NULL)
    g_ptr_array_add (list, g_strdup (real));
  free (real);
  g_free (path);
}

/* $HOME and the account's home: either may have the user's files. */
static GPtrArray *
homes (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  struct passwd account;
  struct passwd *found = NULL;
  char buffer[16384];

  add_place (list, g_strdup (g_get_home_dir ()));
  if (getpwuid_r (getuid (), &account, buffer, sizeof buffer, &found) == 0 && found != NULL)
    add_place (list, g_strdup (account.pw_dir));
  return list;
}

/* Adds folders of each home. */
static void
add_of_homes (GPtrArray *list, const char *const *names)
{
  g_autoptr (GPtrArray) all_homes = homes ();

  for (guint i = 0; i < all_homes->len; i++)
    {
      for (guint j = 0; names[j] != NULL; j++)
        add_place (list, g_build_filename (g_ptr_array_index (all_homes, i), names[j], NULL));
    }
}

/* Folders that contain private things. */
static GPtrArray *
private_folders (void)
{
  static const char *const in_home[] = { ".config",
                                         ".cache",
                                         ".local/share",
                                         ".local/state",
                                         NULL };
  const char *const of_user[] = {
    g_get_user_config_dir (), g_get_user_cache_dir (),   g_get_user_data_dir (),
    g_get_user_state_dir (),  g_get_user_runtime_dir (),
  };
  GPtrArray *list = homes ();

  add_of_homes (list, in_home);
  for (guint i = 0; i < G_N_ELEMENTS (of_user); i++)
    add_place (list, g_strdup (of_user[i]));
  return list;
}

/* Folders that are never shown: keys, Fumehood's own data, and the engines' data. */
static GPtrArray *
closed_folders (void)
{
  static const char *const in_home[] = {
    ".ssh", ".gnupg", ".docker", ".local/share/docker", ".local/share/containers", NULL
  };
  const char *const of_user[] = { g_get_user_config_dir (),
                                  g_get_user_cache_dir (),
                                  g_get_user_data_dir (),
                                  g_get_user_state_dir () };
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  add_of_homes (list, in_home);
  for (guint i = 0; i < G_N_ELEMENTS (of_user); i++)
    add_place (list, g_build_filename (of_user[i], "fumehood", NULL));
  add_place (list, g_strdup (g_getenv ("DOCKER_CONFIG")));
  return list;
}

/* By name when there is nothing else: on another machine, or not created yet. `opened`: the
 * existing part of the path. */
static gboolean
lies_in_any (const char *path, FhOpenedPath *opened, const char *const *folders, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (is_in (path, folders[i]) ||
          (opened != NULL && fh_opened_path_lies_in (opened, folders[i])))
        return TRUE;
    }
  return FALSE;
}

static gboolean
holds_any (const char *path, FhOpenedPath *opened, const char *const *folders, guint n)
{
  const gboolean is_there = opened != NULL && g_str_equal (opened->path, path);

  for (guint i = 0; i < n; i++)
    {
      if (is_in (folders[i], path) || (is_there && fh_opened_path_holds (opened, folders[i])))
        return TRUE;
    }
  return FALSE;
}

static gboolean
holds_private_things (const char *path, FhOpenedPath *opened)
{
  g_autoptr (GPtrArray) list = private_folders ();

  return holds_any (path, opened, (const char *const *) list->pdata, list->len);
}

static gboolean
is_closed (const char *path, FhOpenedPath *opened)
{
  g_autoptr (GPtrArray) list = closed_folders ();

  return lies_in_any (path, opened, (const char *const *) list->pdata, list->len);
}

static gboolean
is_of_system (const char *path, FhOpenedPath *opened)
{
  return !is_in (path, "/dev/shm") &&
         lies_in_any (path, opened, of_system, G_N_ELEMENTS (of_system));
}

static gboolean
is_too_wide (const char *path, FhOpenedPath *opened)
{
  return holds_any (path, opened, too_wide, G_N_ELEMENTS (too_wide));
}

/* `opened`: the existing part of the path; NULL for another machine's. */
static gboolean
check (const char *path, FhOpenedPath *opened, GError **error)
{
  if (is_too_wide (path, opened) || (opened != NULL && holds_private_things (path, opened)))
    return fh_path_refuse (error,
                           _ ("“%s” cannot be the work folder, because the program could read and "
                              "change everything in it. Choose a folder below it."),
                           path);
  if (is_of_system (path, opened) || (opened != NULL && is_closed (path, opened)))
    return fh_path_refuse (error,
                           _ ("“%s” cannot be the work folder, because it belongs to the system, "
                              "or contains keys or Fumehood’s data. Choose an ordinary folder."),
                           path);
  return TRUE;
}

gboolean
fh_work_folder_check (FhOpenedPath *opened, GError **error)
{
  g_return_val_if_fail (opened != NULL, FALSE);

  return check (opened->path, opened, error);
}

gboolean
fh_work_folder_check_volume (FhOpenedPath *opened, gboolean is_writable, GError **error)
{
  g_return_val_if_fail (opened != NULL, FALSE);

  if (is_closed (opened->path, opened))
    return fh_path_refuse (error,
                           _ ("“%s” cannot be shown to a container, because it contains keys or "
                              "the data of Fumehood or container engines. Choose another folder."),
                           opened->path);
  if (!is_writable)
    return TRUE;
  if (is_of_system (opened->path, opened))
    return fh_path_refuse (
        error,
        _ ("“%s” belongs to the system, so no container may change it. Leave “:rw” out, "
           "or choose another folder."),
        opened->path);
  if (is_too_wide (opened->path, opened) || holds_private_things (opened->path, opened))
    return fh_path_refuse (
        error,
        _ ("“%s” contains more than work files, for example your settings, and a container could "
           "change all of it. Leave out “:rw”, or choose a folder below it."),
        opened->path);
  return TRUE;
}

gboolean
fh_work_folder_check_path (const char *path, GError **error)
{
  g_autofree char *plain = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  if (path[0] != '/')
    return fh_path_refuse (error, _ ("“%s” is not the full path of a folder."), path);
  plain = g_canonicalize_filename (path, "/");
  return check (plain, NULL, error);
}

/* Creates missing folders, but none in a forbidden place. */
static FhOpenedPath *
complete (FhOpenedPath *known, const char *missing, GError **error)
{
  g_autofree char *wished = g_build_filename (known->path, missing, NULL);

  if (!check (wished, known, error))
    return NULL;
  return fh_opened_path_make (known, missing, error);
}

/* Whether it can be listed. */
static gboolean
check_access (FhOpenedPath *opened, GError **error)
{
  int fd = fh_opened_path_read_folder (opened);

  if (fd < 0)
    return fh_errno_error (error, errno, NULL);
  close (fd);
  return TRUE;
}

FhOpenedPath *
fh_work_folder_make (const char *path, GError **error)
{
  g_autofree char *missing = NULL;
  g_autoptr (FhOpenedPath) opened = NULL;
  GError *reason = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  if (path[0] != '/')
    {
      fh_path_refuse (error, _ ("“%s” is not the full path of a folder."), path);
      return NULL;
    }
  opened = fh_opened_path_new (path, &missing, &reason);
  if (opened != NULL && missing != NULL)
    {
      FhOpenedPath *all = complete (opened, missing, &reason);

      fh_opened_path_unref (opened);
      opened = all;
    }
  if (opened == NULL || !fh_work_folder_check (opened, &reason) || !check_access (opened, &reason))
    {
      fh_path_explain (error,
                       reason,
                       /* Translators: the path of a folder, then the system's reason. */
                       _ ("The work folder “%s” cannot be used: %s."),
                       path);
      return NULL;
    }
  return g_steal_pointer (&opened);
}
