/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "history-export.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder-writer.h"
#include "json-output.h"
#include "run-result.h"
#include "save-files.h"

static gboolean
fail (GError **error, int code, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error,
               G_IO_ERROR,
               (int) g_io_error_from_errno (code),
               /* Translators: a path, then the system's reason. */
               _ ("“%s” could not be written: %s."),
               name,
               g_strerror (code));
  return FALSE;
}

static gboolean
check_free (int folder, const char *file, gboolean force, GError **error)
{
  g_autofree char *name = NULL;
  struct stat info;

  if (force || fstatat (folder, file, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return TRUE;
  name = g_filename_display_name (file);
  g_set_error (error,
               G_IO_ERROR,
               G_IO_ERROR_EXISTS,
               _ ("“%s” already exists. Use --force to replace it."),
               name);
  return FALSE;
}

typedef struct
{
  const char *name;
  GBytes *bytes;
} Part;

/* Replaces a link instead of following it. */
static gboolean
write_parts (int folder, const Part *parts, guint count, gboolean force, GError **error)
{
  for (guint i = 0; i < count; i++)
    {
      if (!check_free (folder, parts[i].name, force, error))
        return FALSE;
    }
  for (guint i = 0; i < count; i++)
    {
      if (!fh_folder_replace_file (folder, parts[i].name, parts[i].bytes, 0))
        return fail (error, errno, parts[i].name);
    }
  return TRUE;
}

static GBytes *
result_json (FhRunResult *result)
{
  g_autoptr (JsonNode) node = fh_run_result_to_json (result, 0);
  char *text = fh_json_object_to_text (json_node_get_object (node), TRUE);

  return g_bytes_new_take (text, strlen (text));
}

static gboolean
export_files (FhResultFiles *files, int folder, GError **error)
{
  const char *name;
  gboolean ok;
  int fd;

  if (g_list_model_get_n_items (G_LIST_MODEL (files)) == 0)
    return TRUE;
  fd = fh_folder_open_parent (folder, "files/x", &name);
  if (fd < 0)
    return fail (error, errno, "files");
  ok = fh_save_files (files, fd);
  close (fd);
  if (!ok)
    g_set_error_literal (error,
                         G_IO_ERROR,
                         G_IO_ERROR_FAILED,
                         _ ("Some of the files left behind could not be exported."));
  return ok;
}

static gboolean
export_folder (const FhHistoryRun *run, const char *folder, gboolean force, GError **error)
{
  FhOutputLog *output = fh_run_result_get_parts (run->result)->output;
  g_autoptr (GBytes) out = fh_output_log_dup_bytes (output, FH_STREAM_STDOUT);
  g_autoptr (GBytes) err = fh_output_log_dup_bytes (output, FH_STREAM_STDERR);
  g_autoptr (GBytes) json = result_json (run->result);
  const Part parts[] = {
    { "source", fh_run_request_get_parts (run->request)->source },
    { "stdout", out },
    { "stderr", err },
    { "result.json", json },
  };
  int fd = fh_save_files_open (folder, error);
  gboolean ok;

  if (fd < 0)
    return FALSE;
  ok = write_parts (fd, parts, G_N_ELEMENTS (parts), force, error) &&
       export_files (fh_run_result_get_parts (run->result)->files, fd, error);
  close (fd);
  return ok;
}

static gboolean
export_file (const FhHistoryRun *run, const char *target, gboolean force, GError **error)
{
  char *json = fh_history_entry_export (run->entry, run->request, run->result);
  g_autoptr (GBytes) bytes = g_bytes_new_take (json, strlen (json));
  g_autofree char *parent = g_path_get_dirname (target);
  g_autofree char *name = g_path_get_basename (target);
  const Part part = { name, bytes };
  int fd = fh_save_files_open (parent, error);
  gboolean ok;

  if (fd < 0)
    return FALSE;
  ok = write_parts (fd, &part, 1, force, error);
  close (fd);
  return ok;
}

gboolean
fh_history_export (const FhHistoryRun *run, const char *target, gboolean force, GError **error)
{
  if (g_str_has_suffix (target, "/") || g_file_test (target, G_FILE_TEST_IS_DIR))
    return export_folder (run, target, force, error);
  return export_file (run, target, force, error);
}
