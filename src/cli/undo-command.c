/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "command.h"
#include "folder-apply.h"
#include "json-output.h"
#include "message.h"
#include "option-parsing.h"
#include "terminal-text.h"

#define SUMMARY N_ ("Takes back what was applied last, here or in the desktop app.")

#define DESCRIPTION                                                                                  \
  N_ ("Files get the content, the permissions and the time back that they had; added ones are\n"     \
      "removed. Hard links, set-user-ID bits and the like, and extended attributes do not come\n"    \
      "back: “fumehoodctl apply” says which files have them. Nothing is written if one of the\n" \
      "files was changed meanwhile. Call it again for what was applied before, or name that:\n"      \
      "NAME is a name that --list shows, the last one first.\n"                                      \
      "\n"                                                                                           \
      "Exit status:\n"                                                                               \
      "  0  success\n"                                                                               \
      "  1  something failed, or there is nothing to take back\n"                                    \
      "  2  wrong usage\n"                                                                           \
      "\n"                                                                                           \
      "Files:\n"                                                                                     \
      "  $XDG_STATE_HOME/fumehood/undo   (~/.local/state/fumehood/undo)")

#define NAME_WIDTH  20
#define TIME_WIDTH  21
#define FILES_WIDTH 12

typedef struct
{
  GStrv words; /* nullable */
  gboolean list;
  gboolean json;
} Line;

static void
line_clear (Line *line)
{
  g_strfreev (line->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Line, line_clear)

static gboolean
parse (Line *line, char **argv, GError **error)
{
  const FhOptionHelp help = { N_ ("[NAME]"), SUMMARY, DESCRIPTION };
  const GOptionEntry entries[] = {
    { FH_SWITCH ("list", 0, &line->list), N_ ("List what can be taken back") },
    { FH_SWITCH ("json", 0, &line->json), N_ ("With --list: print one JSON object") },
    { FH_FILES (G_OPTION_REMAINING, 0, &line->words) },
    { NULL },
  };
  const char *problem = NULL;

  if (!fh_option_parse (&help, entries, NULL, argv, error))
    return FALSE;
  if (line->words != NULL && (line->list || line->words[1] != NULL))
    problem = _ ("There are too many arguments.");
  else if (line->json && !line->list)
    problem = _ ("--json can only be used with --list.");
  if (problem != NULL)
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, problem);
  return problem == NULL;
}

/* Backups of older versions have no moment. */
static GDateTime *
moment_of (const FhFolderBackup *backup)
{
  return backup->applied_us != 0
             ? g_date_time_new_from_unix_utc (backup->applied_us / G_USEC_PER_SEC)
             : NULL;
}

static JsonObject *
to_json (const FhFolderBackup *backup)
{
  JsonObject *object = json_object_new ();
  g_autoptr (GDateTime) moment = moment_of (backup);
  g_autofree char *when = moment != NULL ? g_date_time_format_iso8601 (moment) : NULL;
  g_autofree char *folder = g_filename_display_name (backup->folder);

  fh_json_set_text (object, "name", backup->name);
  fh_json_set_text (object, "applied_at", when);
  fh_json_set_text (object, "folder", folder);
  json_object_set_int_member (object, "files", backup->files->len);
  return object;
}

static gboolean
print_json (GPtrArray *backups)
{
  g_autoptr (JsonObject) object = json_object_new ();
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < backups->len; i++)
    json_array_add_object_element (array, to_json (backups->pdata[i]));
  json_object_set_array_member (object, "applied", array);
  return fh_print_json (object, TRUE);
}

static void
append (GString *text, const FhFolderBackup *backup)
{
  g_autoptr (GDateTime) moment = moment_of (backup);
  g_autoptr (GDateTime) local = moment != NULL ? g_date_time_to_local (moment) : NULL;
  g_autofree char *when = local != NULL ? g_date_time_format (local, "%Y-%m-%d %H:%M:%S") : NULL;
  g_autofree char *folder = g_filename_display_name (backup->folder);
  g_autofree char *shown = fh_terminal_line (folder);
  g_autofree char *files =
      g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file", "%u files", backup->files->len),
                       backup->files->len);

  fh_terminal_append_cell (text, backup->name, NAME_WIDTH);
  fh_terminal_append_cell (text, when != NULL ? when : "?", TIME_WIDTH);
  fh_terminal_append_cell (text, files, FILES_WIDTH);
  g_string_append_printf (text, "%s\n", shown);
}

static gboolean
print_list (GPtrArray *backups)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < backups->len; i++)
    append (text, backups->pdata[i]);
  if (backups->len > 0)
    return fh_print (text->str);
  fh_message (_ ("There are no applied changes that could be taken back."));
  return TRUE;
}

static int
list (const Line *line)
{
  g_autoptr (GPtrArray) backups = fh_folder_list_backups ();
  gboolean ok = line->json ? print_json (backups) : print_list (backups);

  return ok ? 0 : FH_EXIT_FAILED;
}

int
fh_command_undo (int argc, char **argv)
{
  g_auto (Line) line = { 0 };
  g_autofree char *folder = NULL;
  g_autofree char *shown = NULL;
  g_autoptr (GError) error = NULL;
  guint n_files;

  if (!parse (&line, argv, &error))
    return fh_message_usage ("undo", error);
  if (line.list)
    return list (&line);
  if (!fh_folder_undo (line.words != NULL ? line.words[0] : NULL, &folder, &n_files, &error))
    {
      fh_message ("%s", error->message);
      return FH_EXIT_FAILED;
    }
  shown = g_filename_display_name (folder);
  /* Translators: the path of a folder. */
  fh_message (g_dngettext (GETTEXT_PACKAGE,
                           "%u file in “%s” has its former content again, or is gone.",
                           "%u files in “%s” have their former content again, or are gone.",
                           n_files),
              n_files,
              shown);
  return 0;
}
