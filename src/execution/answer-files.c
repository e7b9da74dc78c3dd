/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-files.h"

#include <string.h>

#include "run-title.h"

/* At most so many empty folders come along. They count among the files of a run, so none does if
 * there are many files already. */
#define FOLDERS_MAX 100

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

GHashTable *
fh_answer_files_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) fh_run_file_free);
}

static FhRunFile *
new_file (const char *path, GBytes *content, gboolean is_program)
{
  FhRunFile *file = fh_run_file_new (path, content);

  file->is_program = is_program;
  return file;
}

static gboolean
is_folder (gpointer path, gpointer file, gpointer data)
{
  return ((FhRunFile *) file)->is_folder;
}

/* Keeps the empty folders that a block has left, and no longer those of the blocks before it.
 * Folders with files in them come with these. */
static void
take_folders (GHashTable *files, GPtrArray *folders)
{
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);

  g_hash_table_foreach_remove (files, is_folder, NULL);
  if (g_hash_table_size (files) > FH_RUN_FILES_MAX / 2)
    return;
  for (guint i = 0; i < MIN (folders->len, FOLDERS_MAX); i++)
    {
      FhRunFile *folder = fh_run_file_new (folders->pdata[i], nothing);

      folder->is_folder = TRUE;
      if (fh_run_file_path_is_safe (folder->path))
        g_hash_table_replace (files, folder->path, folder);
      else
        fh_run_file_free (folder);
    }
}

void
fh_answer_files_put (GHashTable *files, const char *path, GBytes *content, gboolean is_program)
{
  FhRunFile *file;

  g_return_if_fail (files != NULL && path != NULL && content != NULL);

  file = new_file (path, content, is_program);
  g_hash_table_replace (files, file->path, file);
}

void
fh_answer_files_take (GHashTable *files, FhResultFiles *results)
{
  GPtrArray *gone;

  g_return_if_fail (files != NULL && FH_IS_RESULT_FILES (results));

  gone = fh_result_files_get_gone (results);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (results)); i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (results, i));

      if (facts->kind == FH_RESULT_FILE_REGULAR && facts->content != NULL &&
          fh_run_file_path_is_safe (facts->path))
        fh_answer_files_put (files, facts->path, facts->content, facts->is_program);
    }
  for (guint i = 0; i < gone->len; i++)
    g_hash_table_remove (files, gone->pdata[i]);
  take_folders (files, fh_result_files_get_folders (results));
}

FhResultFiles *
fh_answer_files_dup_results (GHashTable *files)
{
  FhResultFiles *results = fh_result_files_new ();
  g_autoptr (GList) paths = NULL;

  g_return_val_if_fail (files != NULL, results);

  paths = g_list_sort (g_hash_table_get_keys (files), (GCompareFunc) strcmp);
  for (GList *at = paths; at != NULL; at = at->next)
    {
      const FhRunFile *kept = g_hash_table_lookup (files, at->data);
      g_autoptr (FhResultFile) file = NULL;

      if (kept->is_folder)
        continue;
      /* All paths have been checked. */
      file = fh_result_file_new (&(FhResultFileFacts){ .path = kept->path,
                                                       .kind = FH_RESULT_FILE_REGULAR,
                                                       .size = g_bytes_get_size (kept->content),
                                                       .is_program = kept->is_program,
                                                       .content = kept->content });
      fh_result_files_add (results, file);
    }
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
      FhRunFile *file;

      if (g_strcmp0 (kept->path, program) == 0)
        continue;
      file = new_file (kept->path, kept->content, kept->is_program);
      file->is_folder = kept->is_folder;
      g_ptr_array_add (beside, file);
    }
  return beside;
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

      if (facts->kind == FH_FOLDER_CHANGE_DELETED && !g_hash_table_contains (files, facts->path))
        g_ptr_array_add (paths, (gpointer) facts->path);
    }
  g_ptr_array_add (paths, NULL);
  return paths;
}
