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

/* A program can write hundreds of .pth files, and long ones. */
#define MAX_PTH_FILES 64
#define MAX_PTH_SIZE  ((gsize) 64 << 10)
#define MAX_PTH_PARTS 8

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

/* The parts that are shown */

static const char *const of_environment[] = {
  "bin", "include", "lib", "lib32", "lib64", "share", "pyvenv.cfg", NULL,
};

/* A Python built from source has these, as have Node and Ruby; conda adds the rest. */
static const char *const of_installation[] = {
  "bin",
  "compiler_compat",
  "conda-meta",
  "etc",
  "include",
  "lib",
  "lib32",
  "lib64",
  "libexec",
  "man",
  "mkspecs",
  "plugins",
  "qml",
  "resources",
  "sbin",
  "share",
  "ssl",
  "translations",
  "aarch64-conda-linux-gnu",
  "x86_64-conda-linux-gnu",
  NULL,
};

typedef struct
{
  const char *prefix; /* not resolved */
  char real[PATH_MAX];
  const char *const *names;
  GStrvBuilder *list;
  guint n_pth_files;
  guint n_pth_parts;
} Parts;

/* The rest of the path below the folder, or NULL. */
static const char *
rest_below (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && path[length] == '/' && path[length + 1] != '\0'
             ? path + length + 1
             : NULL;
}

static gboolean
is_standard (const Parts *parts, const char *rest)
{
  g_autofree char *first = g_strndup (rest, strcspn (rest, "/"));

  return g_strv_contains (parts->names, first);
}

static gboolean
is_wanted (const Parts *parts, const char *path, const char *name)
{
  char real[PATH_MAX];
  struct stat info;
  const char *rest;

  if (lstat (path, &info) != 0)
    return FALSE;
  if (S_ISREG (info.st_mode))
    return g_str_equal (name, "pyvenv.cfg");
  if (S_ISDIR (info.st_mode))
    return TRUE;
  if (!S_ISLNK (info.st_mode) || realpath (path, real) == NULL || stat (real, &info) != 0)
    return FALSE;
  rest = rest_below (real, parts->real);
  return S_ISDIR (info.st_mode) && rest != NULL && is_standard (parts, rest);
}

/* `path`: a line of a .pth file. */
static void
add_named_folder (Parts *parts, const char *path)
{
  g_autofree char *tidy = g_path_is_absolute (path) ? g_canonicalize_filename (path, NULL) : NULL;
  g_autofree char *part = NULL;
  char real[PATH_MAX];
  const char *rest;

  /* Resolved, wherever it claims to be. */
  if (tidy == NULL || realpath (tidy, real) == NULL || !g_file_test (real, G_FILE_TEST_IS_DIR))
    return;
  rest = rest_below (real, parts->real);
  if (rest == NULL || *rest == '.' || strstr (rest, "/.") != NULL || is_standard (parts, rest) ||
      parts->n_pth_parts == MAX_PTH_PARTS)
    return;
  parts->n_pth_parts++;
  part = g_build_filename (parts->prefix, rest, NULL);
  g_strv_builder_add (parts->list, part);
}

static void
read_pth_file (Parts *parts, const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  struct stat info;

  if (parts->n_pth_files++ >= MAX_PTH_FILES || lstat (path, &info) != 0 ||
      !S_ISREG (info.st_mode) || info.st_size > (off_t) MAX_PTH_SIZE ||
      !g_file_get_contents (path, &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    add_named_folder (parts, g_strstrip (lines[i]));
}

static void
read_site_packages (Parts *parts, const char *library)
{
  g_autofree char *folder = g_build_filename (library, "site-packages", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_suffix (name, ".pth"))
        read_pth_file (parts, path);
    }
}

static void
add_named_folders (Parts *parts)
{
  g_autofree char *lib = g_build_filename (parts->prefix, "lib", NULL);
  g_autoptr (GDir) dir = g_dir_open (lib, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *library = g_build_filename (lib, name, NULL);

      if (g_str_has_prefix (name, "python3") || g_str_has_prefix (name, "pypy3"))
        read_site_packages (parts, library);
    }
}

GStrv
fh_installation_list_parts (const char *prefix)
{
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  Parts parts = { .prefix = prefix, .list = list, .names = of_installation };

  g_return_val_if_fail (prefix != NULL, NULL);

  if (realpath (prefix, parts.real) == NULL)
    return g_strv_builder_end (list);
  if (fh_installation_is_virtual_environment (prefix))
    parts.names = of_environment;
  for (guint i = 0; parts.names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (prefix, parts.names[i], NULL);

      if (is_wanted (&parts, path, parts.names[i]))
        g_strv_builder_add (list, path);
    }
  if (parts.names == of_environment)
    add_named_folders (&parts);
  return g_strv_builder_end (list);
}
