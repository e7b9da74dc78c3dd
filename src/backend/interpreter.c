/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "interpreter.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flatpak-info.h"
#include "installation.h"
#include "run-error.h"

/* An interpreter is more than its program: libraries, a virtual environment, the installation that
 * the environment was made from. All of these live under a few prefixes, and each one outside /usr
 * must be shown to the sandbox at its own path, because interpreters keep absolute paths. Of an
 * installation (installation.h) only its usual folders are shown; of any other program only its own
 * file. */

/* A pyvenv.cfg or a pyenv version file has a few lines. */
#define MAX_CONFIGURATION ((gsize) 64 << 10)

void
fh_interpreter_free (FhInterpreter *interpreter)
{
  if (interpreter == NULL)
    return;
  g_free (interpreter->path);
  g_free (interpreter->name);
  g_strfreev (interpreter->shown);
  g_free (interpreter);
}

/* Visible in every sandbox. */
static gboolean
is_of_the_system (const char *path)
{
  const char *const folders[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      if (fh_installation_is_below (path, folders[i]))
        return TRUE;
    }
  return FALSE;
}

static char *
read_configuration (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  struct stat info;
  char *text = NULL;

  if (stat (path, &info) != 0 || !S_ISREG (info.st_mode) ||
      info.st_size > (off_t) MAX_CONFIGURATION)
    return NULL;
  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static gboolean
holds_python (const char *folder)
{
  const char *const names[] = { "python3", "python" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *program = g_build_filename (folder, names[i], NULL);

      if (access (program, X_OK) == 0)
        return TRUE;
    }
  return FALSE;
}

/* From the "home" of a pyvenv.cfg: the bin folder of the Python that the environment was made from.
 * A project may bring such a file, so a folder without a Python in it is not shown. */
static char *
base_prefix_of_environment (const char *prefix)
{
  g_autofree char *text = read_configuration (prefix, "pyvenv.cfg");
  g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      char *equals = strchr (lines[i], '=');
      g_autofree char *folder = NULL;
      g_autofree char *program = NULL;

      if (equals == NULL)
        continue;
      *equals = '\0';
      if (!g_str_equal (g_strstrip (lines[i]), "home"))
        continue;
      /* Resolved, because "/bin" is a link to "/usr/bin" on most systems. */
      folder = fh_installation_real_path (g_strstrip (equals + 1));
      if (folder == NULL || !holds_python (folder))
        return NULL;
      program = g_build_filename (folder, "python", NULL);
      return fh_installation_prefix_of (program);
    }
  return NULL;
}

typedef struct
{
  const char *program; /* as the user named it, for messages */
  const FhLanguage *language;
  GPtrArray *list;
} Prefixes;

/* Adds one path unless it is visible anyway. */
static void
add_path (Prefixes *prefixes, const char *path)
{
  if (!g_ptr_array_find_with_equal_func (prefixes->list, path, g_str_equal, NULL))
    g_ptr_array_add (prefixes->list, g_strdup (path));
}

static gboolean
add_parts (Prefixes *prefixes, const char *prefix, GError **error)
{
  g_auto (GStrv) parts = NULL;

  if (is_of_the_system (prefix))
    return TRUE;
  if (!fh_installation_has_place (prefix, prefixes->program, error) ||
      !fh_installation_may_be_shown (prefix, prefixes->program, error))
    return FALSE;
  parts = fh_installation_list_parts (prefix);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (!fh_installation_has_place (parts[i], prefixes->program, error))
        return FALSE;
      add_path (prefixes, parts[i]);
    }
  return TRUE;
}

/* Adds a prefix under its name and its real path: links inside may use either. */
static gboolean
add_prefix (Prefixes *prefixes, const char *named, GError **error)
{
  g_autofree char *real = fh_installation_real_path (named);

  return add_parts (prefixes, named, error) &&
         (real == NULL || g_str_equal (real, named) || add_parts (prefixes, real, error));
}

/* Adds the installation of a program, or the program alone. The system's has nothing to add, so
 * that its folders need not be searched for a library. */
static gboolean
add_program (Prefixes *prefixes, const char *real, GError **error)
{
  g_autofree char *prefix = fh_installation_prefix_of (real);

  if (prefix != NULL && is_of_the_system (prefix))
    return TRUE;
  if (prefix != NULL && fh_installation_looks_like_one (prefix, prefixes->language))
    return add_prefix (prefixes, prefix, error);
  if (is_of_the_system (real))
    return TRUE;
  if (!fh_installation_has_place (real, prefixes->program, error))
    return FALSE;
  add_path (prefixes, real);
  return TRUE;
}

static gboolean
check_program (const char *path, const FhLanguage *language, GError **error)
{
  struct stat info;

  if (stat (path, &info) != 0)
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INTERPRETER,
                   /* Translators: a path, the reason, and the name of a language. */
                   _ ("The interpreter “%s” cannot be used: %s. Choose another one for %s."),
                   path,
                   g_strerror (errno),
                   language->name);
      return FALSE;
    }
  if (!S_ISREG (info.st_mode) || access (path, X_OK) != 0)
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INTERPRETER,
                   /* Translators: a path, and the name of a language. */
                   _ ("“%s” is not a program that can be executed. Choose another interpreter "
                      "for %s."),
                   path,
                   language->name);
      return FALSE;
    }
  return TRUE;
}

/* The version that a pyenv shim stands for: $PYENV_VERSION, else the user's global choice. */
static char *
pyenv_version (const char *root)
{
  const char *chosen = g_getenv ("PYENV_VERSION");
  g_autofree char *text = NULL;

  if (chosen != NULL && *chosen != '\0')
    text = g_strdup (chosen);
  else
    text = read_configuration (root, "version");
  if (text == NULL)
    return g_strdup ("system");
  /* Several versions may be chosen; the first one gives the interpreter. */
  g_strstrip (text);
  text[strcspn (text, ":\n \t")] = '\0';
  if (*text == '\0' || strchr (text, '/') != NULL || g_str_equal (text, ".."))
    return g_strdup ("system");
  return g_steal_pointer (&text);
}

/* A pyenv shim is a script that would need all of pyenv inside, so it is replaced by what it stands
 * for. NULL when `path` is not a shim. */
static char *
resolve_shim (const char *path, const FhLanguage *language)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *folder_name = g_path_get_basename (folder);
  g_autofree char *root = g_path_get_dirname (folder);
  g_autofree char *versions = g_build_filename (root, "versions", NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *version = NULL;

  if (!g_str_equal (folder_name, "shims") || !g_file_test (versions, G_FILE_TEST_IS_DIR))
    return NULL;
  version = pyenv_version (root);
  if (g_str_equal (version, "system"))
    return g_build_filename ("/usr/bin", language->interpreter, NULL);
  return g_build_filename (versions, version, "bin", name, NULL);
}

/* In an app of Flatpak, nothing of this computer but its runtime is there. */
static void
set_unseen (GError **error, const char *name, const FhLanguage *language)
{
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INTERPRETER,
               /* Translators: a path or the name of a program; the name of a language. */
               _ ("“%s” cannot be used: Fumehood is installed with Flatpak and sees only what "
                  "Flatpak’s runtime brings, not the programs and environments of your computer. "
                  "Use the runtime’s %s."),
               name,
               language->name);
}

/* Returns the path at which an extension of Flatpak's SDK brings a program, or NULL. */
static char *
find_in_extensions (const char *name)
{
  g_autoptr (GDir) extensions = g_dir_open (FH_SDK_EXTENSIONS, 0, NULL);
  const char *extension;

  while (extensions != NULL && (extension = g_dir_read_name (extensions)) != NULL)
    {
      g_autofree char *path = g_build_filename (FH_SDK_EXTENSIONS, extension, "bin", name, NULL);

      if (access (path, X_OK) == 0)
        return g_steal_pointer (&path);
    }
  return NULL;
}

char *
fh_interpreter_find (const char *name)
{
  char *path;

  g_return_val_if_fail (name != NULL, NULL);

  if (strchr (name, '/') != NULL)
    return g_canonicalize_filename (name, NULL);
  path = g_find_program_in_path (name);
  return path != NULL ? path : find_in_extensions (name);
}

static char *
locate (const FhLanguage *language, const char *path, GError **error)
{
  const char *name = path != NULL && *path != '\0' ? path : language->interpreter;
  g_autofree char *found = NULL;
  g_autofree char *target = NULL;

  if (name == language->interpreter)
    {
      found = g_build_filename ("/usr/bin", name, NULL);
      if (access (found, X_OK) == 0)
        return g_steal_pointer (&found);
      g_clear_pointer (&found, g_free);
    }
  found = fh_interpreter_find (name);
  if (found == NULL && fh_flatpak_is_inside ())
    {
      set_unseen (error, name, language);
      return NULL;
    }
  if (found == NULL)
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INTERPRETER,
                   /* Translators: the name of a program, and of a language. */
                   _ ("“%s” is not installed here. Install %s, or choose another interpreter."),
                   name,
                   language->name);
      return NULL;
    }
  target = resolve_shim (found, language);
  return target != NULL ? g_steal_pointer (&target) : g_steal_pointer (&found);
}

/* "3.11" from "python3.11", "" for a name without a version. */
static const char *
version_in (const char *name)
{
  const char *digits = name + strcspn (name, "0123456789");

  return strchr (digits, '.') != NULL ? digits : "";
}

static char *
name_of_environment (const char *prefix)
{
  g_autofree char *base = g_path_get_basename (prefix);
  const char *const plain[] = { "venv", ".venv", "env", ".env", NULL };

  if (g_strv_contains (plain, base))
    {
      g_autofree char *parent = g_path_get_dirname (prefix);

      return g_path_get_basename (parent);
    }
  return g_steal_pointer (&base);
}

static char *
describe (const FhLanguage *language, const char *prefix, const char *real)
{
  g_autofree char *conda = g_build_filename (prefix, "conda-meta", NULL);
  g_autofree char *parent = g_path_get_dirname (prefix);
  g_autofree char *program = g_path_get_basename (real);
  g_autofree char *name = NULL;
  const char *version = version_in (program);

  if (fh_installation_is_virtual_environment (prefix))
    {
      name = name_of_environment (prefix);
      return g_strdup_printf ("%s (venv)", name);
    }
  if (g_file_test (conda, G_FILE_TEST_IS_DIR))
    {
      name = g_path_get_basename (prefix);
      return g_strdup_printf ("%s (conda)", name);
    }
  if (g_str_has_suffix (parent, "/versions"))
    {
      name = g_path_get_basename (prefix);
      return g_strdup_printf ("%s %s (pyenv)", language->name, name);
    }
  name = g_strconcat (language->name, *version ? " " : "", version, NULL);
  if (is_of_the_system (real))
    {
      /* Translators: "Python 3.11 (system)": the one that belongs to the operating system. */
      return g_strdup_printf (_ ("%s (system)"), name);
    }
  return g_strdup_printf ("%s (%s)", name, prefix);
}

/* TRUE if the link, of which `named` is the prefix (nullable), is in the installation that it leads
 * to. */
static gboolean
is_part_of_installation (const Prefixes *prefixes, const char *named, const char *real)
{
  g_autofree char *real_named = named != NULL ? fh_installation_real_path (named) : NULL;
  g_autofree char *installed = fh_installation_prefix_of (real);

  return installed != NULL && g_strcmp0 (real_named, installed) == 0 &&
         fh_installation_looks_like_one (installed, prefixes->language);
}

/* What must be visible for `path` to work. *path is replaced by its target when the link is not
 * part of an installation. */
static gboolean
collect_prefixes (Prefixes *prefixes, char **path, const char *real, GError **error)
{
  g_autofree char *named = fh_installation_prefix_of (*path);

  if (named != NULL && fh_installation_is_virtual_environment (named))
    {
      g_autofree char *base = base_prefix_of_environment (named);

      if (!add_prefix (prefixes, named, error))
        return FALSE;
      if (base != NULL && fh_installation_looks_like_one (base, prefixes->language) &&
          !add_prefix (prefixes, base, error))
        return FALSE;
    }
  else if (!is_of_the_system (*path) && !is_part_of_installation (prefixes, named, real))
    {
      g_free (*path);
      *path = g_strdup (real);
    }
  return add_program (prefixes, real, error);
}

FhInterpreter *
fh_interpreter_resolve (const FhLanguage *language, const char *path, GError **error)
{
  g_autoptr (FhInterpreter) interpreter = g_new0 (FhInterpreter, 1);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *program = NULL;
  g_autofree char *real = NULL;
  g_autofree char *prefix = NULL;
  Prefixes prefixes = { .language = language, .list = list };

  g_return_val_if_fail (language != NULL, NULL);

  program = locate (language, path, error);
  if (program == NULL)
    return NULL;
  if (fh_flatpak_is_inside () && !is_of_the_system (program))
    {
      set_unseen (error, program, language);
      return NULL;
    }
  if (!check_program (program, language, error))
    return NULL;
  real = fh_installation_real_path (program);
  if (real == NULL)
    real = g_strdup (program);
  prefixes.program = program;
  interpreter->path = g_strdup (program);
  if (!collect_prefixes (&prefixes, &interpreter->path, real, error))
    return NULL;
  prefix = fh_installation_prefix_of (interpreter->path);
  interpreter->name = describe (language, prefix != NULL ? prefix : interpreter->path, real);
  g_ptr_array_add (list, NULL);
  interpreter->shown = g_strdupv ((char **) list->pdata);
  return g_steal_pointer (&interpreter);
}

/* The list of all */

/* Looks where installers put interpreters. Unusable ones are left out; choosing one by its path
 * explains what is wrong. */

/* Limits the menu when a folder is full of environments. */
#define MAX_INTERPRETERS 64

typedef struct
{
  const FhLanguage *language;
  GPtrArray *found;
} Search;

static void
add_interpreter (Search *search, const char *path)
{
  g_autoptr (FhInterpreter) interpreter = NULL;

  if (search->found->len >= MAX_INTERPRETERS || !g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    return;
  interpreter = fh_interpreter_resolve (search->language, path, NULL);
  if (interpreter == NULL)
    return;
  for (guint i = 0; i < search->found->len; i++)
    {
      const FhInterpreter *other = g_ptr_array_index (search->found, i);

      if (g_str_equal (other->path, interpreter->path))
        return;
    }
  g_ptr_array_add (search->found, g_steal_pointer (&interpreter));
}

static void
add_from_prefix (Search *search, const char *prefix)
{
  g_autofree char *path = g_build_filename (prefix, "bin", search->language->interpreter, NULL);

  add_interpreter (search, path);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Every folder below `parent` that is a prefix, sorted by name. */
static void
add_below (Search *search, const char *parent)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *prefix = g_build_filename (parent, g_ptr_array_index (names, i), NULL);

      add_from_prefix (search, prefix);
    }
}

static void
add_conda (Search *search, const char *home)
{
  const char *const names[] = { "miniconda3", "anaconda3", "miniforge3", "mambaforge", NULL };
  g_autofree char *list = g_build_filename (home, ".conda", "environments.txt", NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *prefix = g_build_filename (home, names[i], NULL);
      g_autofree char *environments = g_build_filename (prefix, "envs", NULL);

      add_from_prefix (search, prefix);
      add_below (search, environments);
    }
  if (g_file_get_contents (list, &text, NULL, NULL))
    {
      g_auto (GStrv) lines = g_strsplit (text, "\n", MAX_INTERPRETERS);

      for (guint i = 0; lines[i] != NULL; i++)
        {
          if (g_path_is_absolute (g_strstrip (lines[i])))
            add_from_prefix (search, lines[i]);
        }
    }
}

static void
add_python (Search *search)
{
  const char *home = g_get_home_dir ();
  const char *environment = g_getenv ("VIRTUAL_ENV");
  const char *pyenv_root = g_getenv ("PYENV_ROOT");
  g_autofree char *pyenv = NULL;
  g_autofree char *uv = g_build_filename (g_get_user_data_dir (), "uv", "python", NULL);

  if (environment != NULL && g_path_is_absolute (environment))
    add_from_prefix (search, environment);
  if (pyenv_root != NULL && g_path_is_absolute (pyenv_root))
    pyenv = g_build_filename (pyenv_root, "versions", NULL);
  else
    pyenv = g_build_filename (home, ".pyenv", "versions", NULL);
  add_below (search, pyenv);
  add_below (search, uv);
  add_conda (search, home);
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const FhLanguage *language = data;
  const char *const system_folders[] = { "/usr/bin", "/usr/local/bin" };
  Search search = { .language = language };

  search.found = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_interpreter_free);
  for (guint i = 0; i < G_N_ELEMENTS (system_folders); i++)
    {
      g_autofree char *path = g_build_filename (system_folders[i], language->interpreter, NULL);

      add_interpreter (&search, path);
    }
  add_below (&search, FH_SDK_EXTENSIONS);
  if (g_str_equal (language->id, "python"))
    add_python (&search);
  g_task_return_pointer (task, search.found, (GDestroyNotify) g_ptr_array_unref);
}

void
fh_interpreter_list_async (const FhLanguage *language,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_return_if_fail (language != NULL);

  g_task_set_source_tag (task, fh_interpreter_list_async);
  g_task_set_task_data (task, (gpointer) language, NULL);
  g_task_run_in_thread (task, list_in_thread);
}

GPtrArray *
fh_interpreter_list_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
