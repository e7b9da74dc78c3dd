/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "installation-parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "installation.h"

/* A program can write hundreds of .pth files, and long ones. */
#define MAX_PTH_FILES 64
#define MAX_PTH_SIZE  ((gsize) 64 << 10)
#define MAX_PTH_PARTS 8

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
