/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-input.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glob.h>
#include <inttypes.h>
#include <string.h>

#include "batch-lines.h"
#include "json-guard.h"
#include "run-error.h"

struct _FhBatchInput
{
  GPtrArray *paths; /* of files */
  const FhBatchProblems *problems;
  const FhRunOptions *options;

  guint position;       /* of the next file */
  FhBatchLines *lines;  /* of the present one; nullable */
  GHashTable *of_tasks; /* how many samples of each had no id */
  guint64 number;       /* of samples so far */
};

static gboolean
is_lines (const char *path)
{
  return g_str_has_suffix (path, ".jsonl") || g_str_has_suffix (path, ".json") ||
         g_str_has_suffix (path, ".gz");
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Hidden files, and those of no language, are left out. */
static gboolean
add_folder (FhBatchInput *self, const char *path, GError **error)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, error);
  const guint before = self->paths->len;
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (*name != '.' && (is_lines (name) || fh_language_guess (name, NULL) != NULL) &&
          g_file_test (file, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (self->paths, g_steal_pointer (&file));
    }
  if (folder == NULL)
    return FALSE;
  if (self->paths->len == before)
    return fh_run_error_refuse (error, _ ("There are no programs in “%s”."), path);
  /* The order in which a folder is read is by chance. */
  qsort (self->paths->pdata + before, self->paths->len - before, sizeof (char *), compare);
  return TRUE;
}

static gboolean
add_path (FhBatchInput *self, const char *path, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return add_folder (self, path, error);
  g_ptr_array_add (self->paths, g_strdup (path));
  return TRUE;
}

static gboolean
add_pattern (FhBatchInput *self, const char *pattern, GError **error)
{
  glob_t found = { 0 };
  gboolean ok = TRUE;

  if (glob (pattern, 0, NULL, &found) != 0)
    ok = fh_run_error_refuse (error, _ ("There is no file “%s”."), pattern);
  for (gsize i = 0; ok && i < found.gl_pathc; i++)
    ok = add_path (self, found.gl_pathv[i], error);
  globfree (&found);
  return ok;
}

FhBatchInput *
fh_batch_input_new (const char *const *paths,
                    const FhBatchProblems *problems,
                    const FhRunOptions *options,
                    GError **error)
{
  g_autoptr (FhBatchInput) self = g_new0 (FhBatchInput, 1);

  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->problems = problems;
  self->options = options;
  self->of_tasks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      gboolean is_there = g_file_test (paths[i], G_FILE_TEST_EXISTS);

      if (!(is_there ? add_path : add_pattern) (self, paths[i], error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
fh_batch_input_free (FhBatchInput *self)
{
  g_ptr_array_unref (self->paths);
  g_hash_table_unref (self->of_tasks);
  g_clear_pointer (&self->lines, fh_batch_lines_free);
  g_free (self);
}

void
fh_batch_input_rewind (FhBatchInput *self)
{
  g_clear_pointer (&self->lines, fh_batch_lines_free);
  g_hash_table_remove_all (self->of_tasks);
  self->position = 0;
  self->number = 0;
}

/* A sample without an id gets its place among those of its problem, or its line. */
static char *
make_id (FhBatchInput *self, JsonObject *object)
{
  g_autofree char *task_id = NULL;
  g_autofree char *name = NULL;
  guint count;

  if (fh_batch_get_name (object, "task_id", &task_id, NULL) && task_id != NULL)
    {
      count = GPOINTER_TO_UINT (g_hash_table_lookup (self->of_tasks, task_id)) + 1;
      g_hash_table_insert (self->of_tasks, g_strdup (task_id), GUINT_TO_POINTER (count));
      return g_strdup_printf ("%s#%u", task_id, count);
    }
  name = g_filename_display_basename (g_ptr_array_index (self->paths, self->position - 1));
  return g_strdup_printf ("%s:%" PRIu64, name, fh_batch_lines_get_place (self->lines)->number);
}

static FhBatchSample *
read_line (FhBatchInput *self, const char *line, gsize size, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (JsonObject) object = fh_json_guard_parse (line, size, FH_BATCH_MAX_LINE, &local);
  g_autofree char *fault = NULL;
  g_autofree char *id = NULL;

  if (object == NULL)
    object = fh_json_guard_parse_rest (line, size, FH_BATCH_MAX_LINE, &fault);
  if (object == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  if (!json_object_has_member (object, "id"))
    id = make_id (self, object);
  if (fault != NULL)
    return fh_batch_sample_new_bad (object, line, size, self->options, id, fault, error);
  return fh_batch_sample_from_json (object, self->problems, self->options, id, error);
}

static FhBatchSample *
next_line (FhBatchInput *self, GError **error)
{
  FhBatchSample *sample = NULL;
  GError *local = NULL;
  gsize size;
  const char *line = fh_batch_lines_next (self->lines, &size, &local);

  if (line != NULL)
    {
      sample = read_line (self, line, size, error);
      if (sample == NULL)
        fh_batch_lines_prefix (self->lines, error);
      return sample;
    }
  g_clear_pointer (&self->lines, fh_batch_lines_free);
  if (local != NULL)
    g_propagate_error (error, local);
  return NULL;
}

FhBatchSample *
fh_batch_input_next (FhBatchInput *self, GError **error)
{
  g_autoptr (FhBatchSample) sample = NULL;
  g_autoptr (GError) local = NULL;

  while (sample == NULL && local == NULL)
    {
      if (self->lines != NULL)
        sample = next_line (self, &local);
      else if (self->position == self->paths->len)
        break;
      else
        {
          const char *path = g_ptr_array_index (self->paths, self->position++);
          const FhLanguage *language = is_lines (path) ? NULL : fh_language_guess (path, NULL);

          if (language != NULL)
            sample = fh_batch_sample_from_file (path, language, self->options, &local);
          else
            self->lines = fh_batch_lines_open (path, &local);
        }
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  if (sample != NULL)
    sample->number = ++self->number;
  return g_steal_pointer (&sample);
}
