/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-files.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <limits.h>
#include <string.h>

#include "json-member.h"
#include "run-error.h"

FhRunFile *
fh_run_file_new (const char *path, GBytes *content)
{
  FhRunFile *file = g_new0 (FhRunFile, 1);

  file->path = g_strdup (path);
  file->content = g_bytes_ref (content);
  return file;
}

FhRunFile *
fh_run_file_copy (const FhRunFile *file)
{
  FhRunFile *copy = g_memdup2 (file, sizeof *file);

  copy->path = g_strdup (file->path);
  g_bytes_ref (copy->content);
  return copy;
}

void
fh_run_file_free (FhRunFile *file)
{
  g_free (file->path);
  g_bytes_unref (file->content);
  g_free (file);
}

/* The rule is that of fh_path_is_below in the runner. */
gboolean
fh_run_file_path_is_safe (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", FH_RUN_FILE_MAX_DEPTH + 1);

  if (*path == '\0' || strlen (path) > FH_RUN_FILE_MAX_PATH ||
      g_strv_length (parts) > FH_RUN_FILE_MAX_DEPTH)
    return FALSE;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*parts[i] == '\0' || strlen (parts[i]) > NAME_MAX || g_str_equal (parts[i], ".") ||
          g_str_equal (parts[i], ".."))
        return FALSE;
    }
  return TRUE;
}

/* A file cannot be the folder of another one. `paths` holds all of them. */
static gboolean
is_in_a_file (const char *path, GHashTable *paths)
{
  g_autofree char *folder = g_strdup (path);
  char *slash;

  while ((slash = strrchr (folder, '/')) != NULL)
    {
      *slash = '\0';
      if (g_hash_table_contains (paths, folder))
        return TRUE;
    }
  return FALSE;
}

/* `program` is NULL for those in /tmp. */
static gboolean
check_places (GPtrArray *files, const char *program, gboolean is_in_tmp, GError **error)
{
  g_autoptr (GHashTable) paths = g_hash_table_new (g_str_hash, g_str_equal);

  if (program != NULL)
    g_hash_table_add (paths, (gpointer) program);
  for (guint i = 0; i < files->len; i++)
    {
      const FhRunFile *file = g_ptr_array_index (files, i);

      if (file->is_in_tmp != is_in_tmp)
        continue;
      if (!fh_run_file_path_is_safe (file->path))
        return fh_run_error_refuse (error,
                                    _ ("“%s” is no path of a file in the workspace. Name it like "
                                       "“data/table.csv”."),
                                    file->path);
      if (!g_hash_table_add (paths, file->path))
        return fh_run_error_refuse (error,
                                    _ ("“%s” is there twice: files need names of their own, other "
                                       "than that of the program."),
                                    file->path);
    }
  for (guint i = 0; i < files->len; i++)
    {
      const FhRunFile *file = g_ptr_array_index (files, i);

      if (file->is_in_tmp == is_in_tmp && file->kind == FH_RUN_FILE_FOLDER)
        g_hash_table_remove (paths, file->path);
    }
  for (guint i = 0; i < files->len; i++)
    {
      const FhRunFile *file = g_ptr_array_index (files, i);

      if (file->is_in_tmp == is_in_tmp && is_in_a_file (file->path, paths))
        return fh_run_error_refuse (error,
                                    _ ("“%s” cannot be in a folder that is a file."),
                                    file->path);
    }
  return TRUE;
}

gboolean
fh_run_files_check (GPtrArray *files, const char *program, gsize max_bytes, GError **error)
{
  gsize room = max_bytes;

  if (files == NULL)
    return TRUE;
  if (files->len > FH_RUN_FILES_MAX)
    return fh_run_error_refuse (error,
                                _ ("There are too many files: at most %d can be sent."),
                                FH_RUN_FILES_MAX);
  for (guint i = 0; i < files->len; i++)
    {
      const FhRunFile *file = g_ptr_array_index (files, i);

      if (g_bytes_get_size (file->content) > room)
        return fh_run_error_refuse (error,
                                    _ ("The files are too large: at most %d MiB can be sent."),
                                    (int) (max_bytes >> 20));
      room -= g_bytes_get_size (file->content);
    }
  return check_places (files, program, FALSE, error) && check_places (files, NULL, TRUE, error);
}

JsonNode *
fh_run_files_to_json (GPtrArray *files)
{
  g_autoptr (JsonObject) object = json_object_new ();
  gsize room = FH_RUN_FILES_MAX_BYTES;

  for (guint i = 0; i < files->len; i++)
    {
      const FhRunFile *file = g_ptr_array_index (files, i);
      const gsize size = g_bytes_get_size (file->content);

      if (file->kind != FH_RUN_FILE_REGULAR || file->is_in_tmp || size > room)
        continue;
      room -= size;
      json_object_set_member (object, file->path, fh_json_bytes_to_node (file->content));
    }
  return json_node_init_object (json_node_alloc (), object);
}

gboolean
fh_run_files_from_json (JsonNode *node, GPtrArray **files, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  JsonObjectIter iter;
  const char *path;
  JsonNode *member;

  g_return_val_if_fail (node != NULL && files != NULL, FALSE);

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return fh_json_refuse_member ("files", error);
  json_object_iter_init_ordered (&iter, json_node_get_object (node));
  while (json_object_iter_next_ordered (&iter, &path, &member))
    {
      g_autoptr (GBytes) content = NULL;

      if (JSON_NODE_HOLDS_NULL (member))
        return fh_json_refuse_member (path, error);
      if (!fh_json_bytes_from_node (member, path, &content, error))
        return FALSE;
      g_ptr_array_add (found, fh_run_file_new (path, content));
    }
  *files = g_steal_pointer (&found);
  return TRUE;
}
