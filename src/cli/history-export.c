/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "history-export.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json-text.h"
#include "run-result-json.h"
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

/* Only an export that cannot lose anything goes on without --force. */
static gboolean
check_free (const char *path, gboolean force, GError **error)
{
  g_autofree char *name = NULL;
  struct stat info;

  if (force || lstat (path, &info) != 0)
    return TRUE;
  name = g_filename_display_name (path);
  g_set_error (error,
               G_IO_ERROR,
               G_IO_ERROR_EXISTS,
               _ ("“%s” exists already. Use --force to replace it."),
               name);
  return FALSE;
}

static gboolean
write_file (const char *path, const void *data, gsize size, GError **error)
{
  /* Written beside and renamed: a link in its place is replaced, not followed. */
  return g_file_set_contents_full (path,
                                   data != NULL ? data : "",
                                   (gssize) size,
                                   G_FILE_SET_CONTENTS_CONSISTENT,
                                   0666,
                                   error);
}

/* What goes into the folder. */
typedef struct
{
  const char *name;
  GBytes *bytes;
} Part;

static gboolean
write_parts (const char *folder, const Part *parts, guint count, gboolean force, GError **error)
{
  if (g_mkdir_with_parents (folder, 0777) != 0)
    return fail (error, errno, folder);
  for (guint i = 0; i < count; i++)
    {
      g_autofree char *path = g_build_filename (folder, parts[i].name, NULL);

      if (!check_free (path, force, error))
        return FALSE;
    }
  for (guint i = 0; i < count; i++)
    {
      g_autofree char *path = g_build_filename (folder, parts[i].name, NULL);
      gsize size;
      const void *data = g_bytes_get_data (parts[i].bytes, &size);

      if (!write_file (path, data, size, error))
        return FALSE;
    }
  return TRUE;
}

static GBytes *
result_json (FhRunResult *result)
{
  g_autoptr (JsonNode) node = fh_run_result_to_json (result);
  g_autofree char *text = fh_json_to_text (node, TRUE);
  char *line = g_strconcat (text, "\n", NULL);

  return g_bytes_new_take (line, strlen (line));
}

/* What the program left is put beside, under a folder of its own. */
static gboolean
export_files (FhResultFiles *files, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "files", NULL);
  gboolean ok;
  int fd;

  if (g_list_model_get_n_items (G_LIST_MODEL (files)) == 0)
    return TRUE;
  fd = fh_save_files_open (path, error);
  if (fd < 0)
    return FALSE;
  ok = fh_save_files (files, fd);
  close (fd);
  if (!ok)
    g_set_error_literal (error,
                         G_IO_ERROR,
                         G_IO_ERROR_FAILED,
                         _ ("Not all that the program left behind was exported."));
  return ok;
}

static gboolean
export_folder (const FhHistoryRun *run, const char *folder, gboolean force, GError **error)
{
  FhOutputLog *output = fh_run_result_get_output (run->result);
  g_autoptr (GBytes) out = fh_output_log_dup_bytes (output, FH_STREAM_STDOUT);
  g_autoptr (GBytes) err = fh_output_log_dup_bytes (output, FH_STREAM_STDERR);
  g_autoptr (GBytes) json = result_json (run->result);
  const Part parts[] = {
    { "source", fh_run_request_get_source (run->request) },
    { "stdout", out },
    { "stderr", err },
    { "result.json", json },
  };

  return write_parts (folder, parts, G_N_ELEMENTS (parts), force, error) &&
         export_files (fh_run_result_get_files (run->result), folder, error);
}

gboolean
fh_history_export (const FhHistoryRun *run, const char *target, gboolean force, GError **error)
{
  g_autofree char *json = NULL;

  if (g_str_has_suffix (target, "/") || g_file_test (target, G_FILE_TEST_IS_DIR))
    return export_folder (run, target, force, error);
  if (!check_free (target, force, error))
    return FALSE;
  json = fh_history_text_run_json (run);
  return write_file (target, json, strlen (json), error);
}
