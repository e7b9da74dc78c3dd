/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-files.h"

#include <string.h>

#include "run-title.h"

/* Links, empty folders and what lies in /tmp come along only while all files of an answer together
 * are so few: they must not make its files too many, which would be refused. */
#define FILES_MAX (FH_RUN_FILES_MAX / 2)

/* Memory is given out in these. */
#define PAGE ((gsize) 4096)

/* Files cannot be sent to where others lie already: there a program writes them. It does not go
 * through a link, which may lead anywhere. */
#define WRITER                                                                                     \
  "set -f; IFS=/; at=.\n"                                                                          \
  "for part in $1; do at=$at/$part; test ! -L \"$at\" || exit 73; done\n"                          \
  "mkdir -p -- \"$(dirname -- \"./$1\")\" && cat > \"./$1\"\n"

FhRunOptions *
fh_answer_files_copy_options (const FhRunOptions *options, const FhLanguage *language)
{
  FhRunOptions *copy = fh_run_options_copy (options);

  /* These are about Python. */
  if (!g_str_equal (language->id, "python"))
    {
      copy->guards.report_lines = FALSE;
      g_clear_pointer (&copy->interpreter, g_free);
    }
  return copy;
}

char *
fh_answer_files_dup_title (const FhAnswerBlock *block, guint number, GBytes *source)
{
  g_autofree char *title = fh_run_title_choose (block->file_name, source);

  if (number == 0)
    return g_steal_pointer (&title);
  return g_strdup_printf ("[%u] %s", number, title);
}

FhRunRequest *
fh_answer_files_new_writer (const FhAnswerBlock *block, const FhRunOptions *options, GError **error)
{
  const char *const arguments[] = { block->file_name, NULL };
  const FhLanguage *language = fh_language_lookup ("sh");
  g_autoptr (FhRunOptions) values = fh_answer_files_copy_options (options, language);
  g_autoptr (GBytes) source = g_bytes_new_static (WRITER, strlen (WRITER));
  g_autoptr (GBytes) code = g_bytes_new (block->code, strlen (block->code));

  return fh_run_request_new (&(FhRunRequestInit){ .language = language,
                                                  .source = source,
                                                  .title = block->file_name,
                                                  .arguments = arguments,
                                                  .standard_input = code,
                                                  .options = values },
                             error);
}

static guint
hash_file (gconstpointer key)
{
  const FhRunFile *file = key;

  return g_str_hash (file->path) + (file->is_in_tmp ? 1 : 0);
}

static gboolean
equal_file (gconstpointer a, gconstpointer b)
{
  const FhRunFile *first = a;
  const FhRunFile *second = b;

  return first->is_in_tmp == second->is_in_tmp && g_str_equal (first->path, second->path);
}

GHashTable *
fh_answer_files_new (void)
{
  return g_hash_table_new_full (hash_file, equal_file, NULL, (GDestroyNotify) fh_run_file_free);
}

static void
remove_file (GHashTable *files, const char *path, gboolean is_in_tmp)
{
  g_hash_table_remove (files, &(FhRunFile){ .path = (char *) path, .is_in_tmp = is_in_tmp });
}

/* Takes the file. */
static void
put (GHashTable *files, FhRunFile *file)
{
  g_hash_table_replace (files, file, file);
}

/* Makes real folders of what are links until now: these may lead anywhere. */
static void
drop_links_above (GHashTable *files, const char *path)
{
  g_autofree char *folder = g_strdup (path);
  const FhRunFile *file;
  char *slash;

  while ((slash = strrchr (folder, '/')) != NULL)
    {
      *slash = '\0';
      file = g_hash_table_lookup (files, &(FhRunFile){ .path = folder });
      if (file != NULL && file->kind == FH_RUN_FILE_LINK)
        remove_file (files, folder, FALSE);
    }
}

void
fh_answer_files_put (GHashTable *files, const char *path, GBytes *content)
{
  FhRunFile *file;

  g_return_if_fail (files != NULL && path != NULL && content != NULL);

  file = fh_run_file_new (path, content);
  file->modified_us = (guint64) g_get_real_time ();
  file->is_new = TRUE;
  file->is_from_answer = TRUE;
  drop_links_above (files, path);
  put (files, file);
}

/* A program may also leave the file as it was. */
static gboolean
is_from_answer (GHashTable *files, const FhResultFileFacts *facts)
{
  const FhRunFile *old = g_hash_table_lookup (files, &(FhRunFile){ .path = (char *) facts->path });

  return facts->is_from_answer || (old != NULL && old->is_from_answer && facts->content != NULL &&
                                   g_bytes_equal (old->content, facts->content));
}

/* A file that could not be collected is not to come back as it was before. */
static gboolean
take_results (GHashTable *files, FhResultFiles *results)
{
  gboolean is_whole = TRUE;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (results)); i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (results, i));
      const gboolean from_answer = is_from_answer (files, facts);
      FhRunFile *file;

      remove_file (files, facts->path, FALSE);
      if (facts->kind != FH_RESULT_FILE_REGULAR)
        continue;
      if (facts->content == NULL || !fh_run_file_path_is_safe (facts->path))
        {
          is_whole = FALSE;
          continue;
        }
      file = fh_run_file_new (facts->path, facts->content);
      file->mode = facts->mode == 0 && facts->is_program ? 0755 : facts->mode;
      file->modified_us = facts->modified_us;
      file->is_from_answer = from_answer;
      put (files, file);
    }
  return is_whole && fh_result_files_get_facts (results)->n_left_out == 0 &&
         !fh_result_files_get_facts (results)->is_incomplete;
}

static gboolean
is_folder (gpointer key, gpointer file, gpointer data)
{
  return ((FhRunFile *) file)->kind == FH_RUN_FILE_FOLDER;
}

/* A block tells all of its empty folders; those with files in them come with these. FALSE if a path
 * is too long. */
static gboolean
take_handed_on (GHashTable *files, GPtrArray *handed_on)
{
  gboolean is_whole = TRUE;

  g_hash_table_foreach_remove (files, is_folder, NULL);
  for (guint i = 0; i < handed_on->len; i++)
    {
      const FhRunFile *file = handed_on->pdata[i];

      if (file->kind == FH_RUN_FILE_REMOVED)
        remove_file (files, file->path, file->is_in_tmp);
    }
  for (guint i = 0; i < handed_on->len; i++)
    {
      const FhRunFile *file = handed_on->pdata[i];

      if (file->kind == FH_RUN_FILE_REMOVED)
        continue;
      if (fh_run_file_path_is_safe (file->path))
        put (files, fh_run_file_copy (file));
      else
        is_whole = FALSE;
    }
  return is_whole;
}

static gboolean
is_result (const FhRunFile *file)
{
  return file->kind == FH_RUN_FILE_REGULAR && !file->is_in_tmp;
}

static gboolean
is_no_result (gpointer key, gpointer file, gpointer data)
{
  return !is_result (file);
}

/* Returns how many bytes they take in a file system of memory. `largest`: (out) */
static guint64
count_bytes (GHashTable *files, FhRunFile **largest)
{
  guint64 n_bytes = 0;
  gsize most = 0;
  GHashTableIter iter;
  gpointer file;

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, NULL, &file))
    {
      const gsize size = g_bytes_get_size (((FhRunFile *) file)->content);

      n_bytes += (size + PAGE - 1) / PAGE * PAGE;
      if (size >= most)
        *largest = file;
      most = MAX (size, most);
    }
  return n_bytes;
}

/* Files with holes, or with several names, are larger for the next block than they were. FALSE if
 * something had to be dropped. */
static gboolean
keep_few (GHashTable *files, gsize max_bytes)
{
  FhRunFile *largest = NULL;
  gboolean is_whole = TRUE;

  if (g_hash_table_size (files) > FILES_MAX || count_bytes (files, &largest) > max_bytes)
    is_whole = g_hash_table_foreach_remove (files, is_no_result, NULL) == 0;
  while (count_bytes (files, &largest) > max_bytes)
    {
      g_hash_table_remove (files, largest);
      is_whole = FALSE;
    }
  return is_whole;
}

gsize
fh_answer_files_max_bytes (const FhRunOptions *options)
{
  const FhRunLimits limits = fh_run_guards_limits (&options->guards, &options->limits);
  gsize max_bytes = FH_RUN_FILES_MAX_HANDED_ON;

  if (limits.disk_bytes > 0)
    max_bytes = MIN (max_bytes, limits.disk_bytes);
  if (limits.memory_bytes > 0)
    max_bytes = MIN (max_bytes, limits.memory_bytes);
  return max_bytes;
}

static void
set_old (gpointer key, gpointer file, gpointer data)
{
  ((FhRunFile *) file)->is_new = FALSE;
}

gboolean
fh_answer_files_take (GHashTable *files, FhResultFiles *results, gsize max_bytes)
{
  GPtrArray *gone;
  gboolean is_whole;

  g_return_val_if_fail (files != NULL && FH_IS_RESULT_FILES (results), FALSE);

  g_hash_table_foreach (files, set_old, NULL);
  gone = fh_result_files_get_facts (results)->gone;
  is_whole = take_results (files, results);
  for (guint i = 0; i < gone->len; i++)
    remove_file (files, gone->pdata[i], FALSE);
  is_whole &= take_handed_on (files, fh_result_files_get_facts (results)->handed_on);
  return keep_few (files, max_bytes) && is_whole &&
         !fh_result_files_get_facts (results)->is_partly_handed_on;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (((const FhRunFile *) a)->path, ((const FhRunFile *) b)->path);
}

FhResultFiles *
fh_answer_files_dup_results (GHashTable *files)
{
  g_autoptr (GPtrArray) handed_on =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  FhResultFiles *results = fh_result_files_new ();
  g_autoptr (GList) sorted = NULL;

  g_return_val_if_fail (files != NULL, results);

  sorted = g_list_sort (g_hash_table_get_values (files), compare_paths);
  for (GList *at = sorted; at != NULL; at = at->next)
    {
      const FhRunFile *kept = at->data;
      g_autoptr (FhResultFile) file = NULL;

      if (!is_result (kept))
        {
          g_ptr_array_add (handed_on, fh_run_file_copy (kept));
          continue;
        }
      /* All paths have been checked. */
      file = fh_result_file_new (&(FhResultFileFacts){ .path = kept->path,
                                                       .kind = FH_RESULT_FILE_REGULAR,
                                                       .size = g_bytes_get_size (kept->content),
                                                       .is_program = (kept->mode & 0100) != 0,
                                                       .mode = kept->mode,
                                                       .modified_us = kept->modified_us,
                                                       .is_from_answer = kept->is_from_answer,
                                                       .content = kept->content });
      fh_result_files_add (results, file);
    }
  fh_result_files_set_handed_on (results, NULL, handed_on, FALSE);
  return results;
}

GPtrArray *
fh_answer_files_dup_beside (GHashTable *files, const char *program)
{
  GPtrArray *beside = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  GHashTableIter iter;
  gpointer value;

  g_return_val_if_fail (files != NULL, beside);

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const FhRunFile *kept = value;

      if (kept->is_in_tmp || g_strcmp0 (kept->path, program) != 0)
        g_ptr_array_add (beside, fh_run_file_copy (kept));
    }
  return beside;
}

static gboolean
contains (GHashTable *files, const char *path)
{
  return g_hash_table_contains (files, &(FhRunFile){ .path = (char *) path });
}

GPtrArray *
fh_answer_files_list_removed (GHashTable *files, FhFolderChanges *changes)
{
  GPtrArray *paths = g_ptr_array_new ();
  guint n = changes != NULL ? g_list_model_get_n_items (G_LIST_MODEL (changes)) : 0;

  for (guint i = 0; i < n; i++)
    {
      const FhFolderChangeFacts *facts =
          fh_folder_change_get_facts (fh_folder_changes_get (changes, i));

      if (facts->kind == FH_FOLDER_CHANGE_DELETED && !contains (files, facts->path))
        g_ptr_array_add (paths, (gpointer) facts->path);
    }
  g_ptr_array_add (paths, NULL);
  return paths;
}
