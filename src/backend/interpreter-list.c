/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "flatpak-info.h"
#include "interpreter.h"

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
