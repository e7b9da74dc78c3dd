/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "changes-text.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "folder-apply.h"
#include "message.h"
#include "readable-text.h"
#include "terminal-text.h"
#include "text-diff.h"

#define NAME_WIDTH  32
#define SIZES_WIDTH 20

static char *
describe_size (const FhFolderChangeFacts *facts)
{
  g_autofree char *old_size = g_format_size_full (facts->old_size, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *new_size = g_format_size_full (facts->new_size, G_FORMAT_SIZE_IEC_UNITS);

  if (facts->kind == FH_FOLDER_CHANGE_CHANGED && facts->problem != FH_FOLDER_CHANGE_LINK)
    return g_strdup_printf ("%s → %s", old_size, new_size);
  return g_strdup (facts->kind == FH_FOLDER_CHANGE_DELETED ? old_size : new_size);
}

static void
append_change (GString *text, FhFolderChange *change)
{
  const FhFolderChangeFacts *facts = fh_folder_change_get_facts (change);
  const char *remark = fh_folder_change_get_remark (change);
  g_autofree char *name = fh_terminal_line (fh_folder_change_get_facts (change)->name);
  g_autofree char *size = describe_size (facts);

  /* Changes that "all" leaves out stand out. */
  g_string_append_printf (text,
                          "%s %s  ",
                          fh_folder_change_is_in_all (change) ? " " : "!",
                          fh_folder_change_get_letter (change));
  if (remark == NULL)
    fh_terminal_append_cell (text, name, NAME_WIDTH);
  else
    {
      fh_terminal_append_cell (text, name, NAME_WIDTH);
      fh_terminal_append_cell (text, size, SIZES_WIDTH);
    }
  g_string_append_printf (text, "%s\n", remark != NULL ? remark : size);
}

static void
append_hidden (GString *text, FhFolderChanges *changes)
{
  const FhFolderChangesFacts *facts = fh_folder_changes_get_facts (changes);
  g_autoptr (GString) names = g_string_new (NULL);

  if (facts->n_hidden == 0)
    return;
  for (guint i = 0; facts->hidden[i] != NULL; i++)
    {
      g_autofree char *name = fh_terminal_line (facts->hidden[i]);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
    }
  if (facts->n_hidden > g_strv_length (facts->hidden))
    g_string_append (names, ", …");
  /* Translators: names of files and folders. */
  g_string_append_printf (text, _ ("Not shown to the program: %s"), names->str);
  g_string_append_c (text, '\n');
}

static void
append_left_out (GString *text, FhFolderChanges *changes)
{
  guint n_cached = fh_folder_changes_get_facts (changes)->n_cached;
  guint n_left_out = fh_folder_changes_get_facts (changes)->n_left_out;

  if (n_cached > 0)
    {
      g_string_append_printf (
          text,
          g_dngettext (GETTEXT_PACKAGE,
                       "%u file in caches or folders of packages is not in the list.",
                       "%u files in caches or folders of packages are not in the list.",
                       n_cached),
          n_cached);
      g_string_append_c (text, '\n');
    }
  if (n_left_out > 0)
    {
      g_string_append_printf (
          text,
          g_dngettext (GETTEXT_PACKAGE,
                       "%u more file or folder was left than can be collected.",
                       "%u more files or folders were left than can be collected.",
                       n_left_out),
          n_left_out);
      g_string_append_c (text, '\n');
    }
}

char *
fh_changes_text (FhFolderChanges *changes)
{
  g_autofree char *folder =
      g_filename_display_name (fh_folder_changes_get_facts (changes)->place.path);
  g_autofree char *shown = fh_terminal_line (folder);
  GString *text = g_string_new (NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (changes));

  /* Translators: the path of a folder. */
  g_string_append_printf (text,
                          n > 0 ? _ ("Changes for “%s”:") : _ ("No changes for “%s”."),
                          shown);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < n; i++)
    append_change (text, fh_folder_changes_get (changes, i));
  append_left_out (text, changes);
  append_hidden (text, changes);
  return g_string_free (text, FALSE);
}

void
fh_changes_explain (FhFolderChanges *changes, gint64 id)
{
  g_autofree char *text = fh_changes_text (changes);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    fh_message ("%s", lines[i]);
  if (g_list_model_get_n_items (G_LIST_MODEL (changes)) == 0)
    return;
  if (id > 0)
    fh_message (_ ("Nothing was written there. To apply them: fumehoodctl apply %" PRId64 " --all"),
                id);
  else
    fh_message (_ ("Nothing was written there, and they cannot be applied later, because this run "
                   "is not in the history."));
}

static gboolean
is_text (GBytes *bytes)
{
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);

  return size == 0 || fh_valid_text_check (data, size);
}

char *
fh_changes_diff (FhFolderChanges *changes, FhFolderChange *change, GError **error)
{
  const FhFolderChangeFacts *facts = fh_folder_change_get_facts (change);
  const char *name = fh_folder_change_get_facts (change)->name;
  g_autoptr (GBytes) before = fh_folder_read_original (changes, change, error);
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);
  g_autoptr (FhTextDiff) diff = NULL;
  g_autofree char *old_name = g_strconcat ("a/", name, NULL);
  g_autofree char *new_name = g_strconcat ("b/", name, NULL);
  GBytes *after = facts->content != NULL ? facts->content : empty;

  if (before == NULL)
    return NULL;
  if (!is_text (before) || !is_text (after))
    /* Translators: names of files. */
    return g_strdup_printf (_ ("%s and %s differ, and are not text.\n"), old_name, new_name);
  diff = fh_text_diff_new (before, after);
  return g_string_free (
      fh_text_diff_to_unified (diff,
                               facts->kind == FH_FOLDER_CHANGE_ADDED ? "/dev/null" : old_name,
                               facts->kind == FH_FOLDER_CHANGE_DELETED ? "/dev/null" : new_name),
      FALSE);
}
