/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "save-files.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "folder-writer.h"
#include "input-file.h"
#include "message.h"
#include "result-file-name.h"
#include "run-error.h"

int
fh_save_files_open (const char *folder, GError **error)
{
  g_autofree char *whole = NULL;
  g_autofree char *name = NULL;
  GError *reason = NULL;
  int fd;

  g_return_val_if_fail (folder != NULL, -1);

  whole = fh_whole_path (folder);
  fd = fh_folder_open (whole, &reason);
  if (fd >= 0)
    return fd;
  name = g_filename_display_name (folder);
  if (reason->domain == FH_RUN_ERROR)
    g_propagate_error (error, reason);
  else
    {
      g_set_error (error,
                   reason->domain,
                   reason->code,
                   /* Translators: the path of a folder, then the system's reason. */
                   _ ("Files cannot be saved in “%s”: %s."),
                   name,
                   reason->message);
      g_error_free (reason);
    }
  return -1;
}

static gboolean
save_file (FhResultFile *file, int folder)
{
  const FhResultFileFacts *facts = fh_result_file_get_facts (file);
  g_autofree char *path = fh_result_path_to_path (facts->path);
  g_autofree char *taken = NULL;
  const char *wished = strrchr (facts->path, '/');
  const char *name;
  int parent = fh_folder_open_parent (folder, path, &name);

  if (parent < 0 || !fh_folder_add_file (parent, name, facts->content, &taken))
    {
      fh_message (_ ("“%s” could not be saved: %s."),
                  fh_result_file_get_facts (file)->name,
                  g_strerror (errno));
      if (parent >= 0)
        close (parent);
      return FALSE;
    }
  close (parent);
  if (!g_str_equal (taken, wished != NULL ? wished + 1 : facts->path))
    /* Translators: the names of a file: the program's, and ours. */
    fh_message (_ ("“%s” was saved as “%s”."), fh_result_file_get_facts (file)->name, taken);
  return TRUE;
}

static void
print_missing (FhResultFiles *files, guint n_without)
{
  guint n_left_out = fh_result_files_get_facts (files)->n_left_out;

  if (n_without > 0)
    fh_message (g_dngettext (GETTEXT_PACKAGE,
                             "%u file was not saved: it is a link, a special file or too large.",
                             "%u files were not saved: they are links, special files or too large.",
                             n_without),
                n_without);
  if (n_left_out > 0)
    fh_message (g_dngettext (GETTEXT_PACKAGE,
                             "%u more file or folder was left behind and not saved.",
                             "%u more files or folders were left behind and not saved.",
                             n_left_out),
                n_left_out);
  if (fh_result_files_get_facts (files)->is_incomplete)
    fh_message (_ ("Some of the files left behind could not be read."));
}

gboolean
fh_save_files (FhResultFiles *files, int folder)
{
  guint n_without = 0;
  gboolean ok = TRUE;

  g_return_val_if_fail (FH_IS_RESULT_FILES (files), FALSE);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      FhResultFile *file = fh_result_files_get (files, i);

      if (fh_result_file_get_facts (file)->content == NULL)
        n_without++;
      else
        ok &= save_file (file, folder);
    }
  print_missing (files, n_without);
  return ok;
}
