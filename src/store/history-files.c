/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-files.h"

/* A larger position in the list is damage. */
#define MAX_POSITION 100000

static void
unref_content (gpointer content)
{
  if (content != NULL)
    g_bytes_unref (content);
}

static GPtrArray *
contents_new (void)
{
  return g_ptr_array_new_with_free_func (unref_content);
}

GPtrArray *
fh_history_files_choose (FhResultFiles *files)
{
  GPtrArray *contents = contents_new ();
  gsize room = FH_HISTORY_FILES_MAX;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      GBytes *content = fh_result_file_get_facts (fh_result_files_get (files, i))->content;
      gsize size = content != NULL ? g_bytes_get_size (content) : 0;

      if (size > FH_HISTORY_FILE_MAX || size > room)
        content = NULL;
      if (content != NULL)
        room -= size;
      g_ptr_array_add (contents, content != NULL ? g_bytes_ref (content) : NULL);
    }
  return contents;
}

FhResultFiles *
fh_history_files_join (FhResultFiles *files, GPtrArray *contents)
{
  FhResultFiles *joined = fh_result_files_new ();

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      FhResultFileFacts facts = *fh_result_file_get_facts (fh_result_files_get (files, i));
      g_autoptr (FhResultFile) file = NULL;

      facts.content = i < contents->len ? g_ptr_array_index (contents, i) : NULL;
      if (facts.kind != FH_RESULT_FILE_REGULAR ||
          (facts.content != NULL && g_bytes_get_size (facts.content) != facts.size))
        facts.content = NULL;
      file = fh_result_file_new (&facts);
      fh_result_files_add (joined, file);
    }
  fh_result_files_set_left_out (joined,
                                fh_result_files_get_facts (files)->n_left_out,
                                fh_result_files_get_facts (files)->is_incomplete);
  return joined;
}

gboolean
fh_history_files_insert (FhHistoryDatabase *database,
                         gint64 run,
                         GPtrArray *contents,
                         GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  for (guint i = 0; i < contents->len; i++)
    {
      GBytes *content = g_ptr_array_index (contents, i);
      const void *data;
      gsize size;

      if (content == NULL)
        continue;
      if (statement == NULL)
        statement = fh_history_database_prepare (
            database,
            "INSERT INTO run_files (run, position, content) VALUES (?, ?, ?)",
            error);
      if (statement == NULL)
        return FALSE;
      data = g_bytes_get_data (content, &size);
      sqlite3_bind_int64 (statement, 1, run);
      sqlite3_bind_int64 (statement, 2, i);
      sqlite3_bind_blob64 (statement, 3, data != NULL ? data : "", size, SQLITE_STATIC);
      if (!fh_history_database_finish (database, statement, error))
        return FALSE;
    }
  return TRUE;
}

GPtrArray *
fh_history_files_load (FhHistoryDatabase *database, gint64 run, GError **error)
{
  g_autoptr (GPtrArray) contents = contents_new ();
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (
      database,
      "SELECT position, content FROM run_files WHERE run = ? ORDER BY position",
      error);
  g_autoptr (GError) local = NULL;

  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, run);
  while (fh_history_database_step (database, statement, &local))
    {
      gint64 position = sqlite3_column_int64 (statement, 0);
      const void *data = sqlite3_column_blob (statement, 1);
      gsize size = (gsize) sqlite3_column_bytes (statement, 1);

      if (position < contents->len || position > MAX_POSITION)
        continue;
      g_ptr_array_set_size (contents, (int) position);
      g_ptr_array_add (contents, g_bytes_new (data, size));
    }
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  return g_steal_pointer (&contents);
}
