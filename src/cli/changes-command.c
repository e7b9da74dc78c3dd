/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "changes-text.h"
#include "command.h"
#include "folder-apply.h"
#include "folder-changes.h"
#include "history.h"
#include "json-output.h"
#include "message.h"
#include "option-parsing.h"
#include "terminal-text.h"

#define CHANGES_SUMMARY N_ ("Shows what a program has changed in its copy of a project folder.")

#define CHANGES_DESCRIPTION                                                                         \
  N_ ("ID is the number of a run that “fumehoodctl history” lists. Each line is one file: A\n"  \
      "was added, M was changed, D was deleted. With “!” in front it is not among “all”:\n" \
      "it may execute by itself, as .envrc does, its name deceives, or it cannot be applied.\n"     \
      "\n"                                                                                          \
      "Exit status:\n"                                                                              \
      "  0  success\n"                                                                              \
      "  1  something failed, or the run has no project folder\n"                                   \
      "  2  wrong usage\n"                                                                          \
      "\n"                                                                                          \
      "Examples:\n"                                                                                 \
      "  fumehoodctl run --project ~/project program.py\n"                                          \
      "  fumehoodctl changes 17 --diff")

#define APPLY_SUMMARY N_ ("Writes what a program has changed in its copy to the project folder.")

#define APPLY_DESCRIPTION                                                                            \
  N_ ("Name files of “fumehoodctl changes ID”, or a folder for those in it. --all and folders\n" \
      "leave out what may execute by itself, as hidden files can: name such files one by one.\n"     \
      "All chosen files are written, or none: not if one of them was changed after the run.\n"       \
      "Existing files keep their permissions, and new ones are not executable. Links, and what\n"    \
      "belongs to version control, are never written. A file with other names (hard links), a\n"     \
      "set-user-ID bit or the like, or extended attributes loses them: that is said before.\n"       \
      "\n"                                                                                           \
      "Exit status:\n"                                                                               \
      "  0  success\n"                                                                               \
      "  1  something failed: nothing was written\n"                                                 \
      "  2  wrong usage\n"                                                                           \
      "\n"                                                                                           \
      "Examples:\n"                                                                                  \
      "  fumehoodctl apply 17 --all\n"                                                               \
      "  fumehoodctl apply 17 src/main.py --force\n"                                                 \
      "  fumehoodctl undo")

/* A command line of these commands. */
typedef struct
{
  GStrv words; /* the run, then paths; nullable */
  gint64 id;
  gboolean all;
  gboolean force;
  gboolean diff;
  gboolean json;
} Line;

static void
line_clear (Line *line)
{
  g_strfreev (line->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Line, line_clear)

static int
fail (const GError *error)
{
  fh_message ("%s", error->message);
  return FH_EXIT_FAILED;
}

static gboolean
refuse (GError **error, const char *sentence)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, sentence);
  return FALSE;
}

static gboolean
parse_id (Line *line, GError **error)
{
  guint64 id;

  if (line->words == NULL || line->words[0] == NULL)
    return refuse (error, _ ("Name the run: its number in the history."));
  if (!g_ascii_string_to_unsigned (line->words[0], 10, 1, G_MAXINT64, &id, NULL))
    {
      g_set_error (error,
                   G_OPTION_ERROR,
                   G_OPTION_ERROR_BAD_VALUE,
                   _ ("“%s” is not the ID of a run."),
                   line->words[0]);
      return FALSE;
    }
  line->id = (gint64) id;
  return TRUE;
}

/* NULL with a message. (transfer full) */
static FhFolderChanges *
load (const Line *line)
{
  g_autoptr (FhHistory) history = fh_history_new (NULL);
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (GError) error = NULL;
  FhFolderChanges *changes;

  if (!fh_history_load (history, line->id, NULL, NULL, &result, &error))
    {
      fh_message ("%s", error->message);
      return NULL;
    }
  changes = fh_run_result_get_parts (result)->changes;
  if (changes == NULL)
    {
      fh_message (_ ("This run had no project folder: see “fumehoodctl run --project”."));
      return NULL;
    }
  return g_object_ref (changes);
}

static gboolean
is_named (FhFolderChange *change, const char *word)
{
  return g_str_equal (fh_folder_change_get_facts (change)->path, word) ||
         g_str_equal (fh_folder_change_get_facts (change)->name, word);
}

static gboolean
is_in_folder (FhFolderChange *change, const char *word)
{
  const char *path = fh_folder_change_get_facts (change)->path;
  gsize size = strlen (word);

  while (size > 0 && word[size - 1] == '/')
    size--;
  return strncmp (path, word, size) == 0 && path[size] == '/' &&
         fh_folder_change_is_in_all (change);
}

/* Chooses what a word names: that change, or else those in a folder. */
static gboolean
choose_word (FhFolderChanges *changes, const char *word, GPtrArray *chosen)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (changes));
  const guint before = chosen->len;

  for (guint i = 0; i < n; i++)
    {
      if (is_named (fh_folder_changes_get (changes, i), word))
        g_ptr_array_add (chosen, fh_folder_changes_get (changes, i));
    }
  for (guint i = 0; chosen->len == before && i < n; i++)
    {
      if (is_in_folder (fh_folder_changes_get (changes, i), word))
        g_ptr_array_add (chosen, fh_folder_changes_get (changes, i));
    }
  if (chosen->len > before)
    return TRUE;
  fh_message (_ ("“%s” is not among the changes of this run that can be applied."), word);
  return FALSE;
}

/* NULL with a message. (transfer container) */
static GPtrArray *
choose (const Line *line, FhFolderChanges *changes)
{
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  for (guint i = 1; line->words[i] != NULL; i++)
    {
      if (!choose_word (changes, line->words[i], chosen))
        return NULL;
    }
  return g_steal_pointer (&chosen);
}

/* changes */

static gboolean
print_safe (const char *text)
{
  g_autofree char *safe =
      isatty (STDOUT_FILENO) ? fh_terminal_text (text, strlen (text)) : g_strdup (text);

  return fh_print (safe);
}

static int
print_diffs (FhFolderChanges *changes, GPtrArray *chosen)
{
  int status = 0;

  for (guint i = 0; i < chosen->len; i++)
    {
      FhFolderChange *change = chosen->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autofree char *diff = NULL;

      if (!fh_folder_change_is_applicable (change))
        {
          fh_message ("“%s”: %s",
                      fh_folder_change_get_facts (change)->name,
                      fh_folder_change_get_remark (change));
          continue;
        }
      diff = fh_changes_diff (changes, change, &error);
      if (diff == NULL)
        status = fail (error);
      else if (!print_safe (diff))
        return FH_EXIT_FAILED;
    }
  return status;
}

static int
show (const Line *line, FhFolderChanges *changes)
{
  g_autoptr (GPtrArray) chosen = choose (line, changes);
  g_autoptr (JsonObject) object = NULL;
  g_autofree char *text = NULL;

  if (chosen == NULL)
    return FH_EXIT_FAILED;
  if (line->words[1] == NULL)
    {
      for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (changes)); i++)
        g_ptr_array_add (chosen, fh_folder_changes_get (changes, i));
    }
  if (line->diff)
    return print_diffs (changes, chosen);
  if (line->json)
    {
      object = json_object_new ();
      fh_folder_changes_add_to_json (changes, object);
      return fh_print_json (object, TRUE) ? 0 : FH_EXIT_FAILED;
    }
  text = fh_changes_text (changes);
  return fh_print (text) ? 0 : FH_EXIT_FAILED;
}

int
fh_command_changes (int argc, char **argv)
{
  g_auto (Line) line = { 0 };
  const FhOptionHelp help = { N_ ("ID [PATH…]"), CHANGES_SUMMARY, CHANGES_DESCRIPTION };
  const GOptionEntry entries[] = {
    { FH_SWITCH ("diff", 0, &line.diff),
      N_ ("Show the lines that differ, of all files or those named") },
    { FH_SWITCH ("json", 0, &line.json), N_ ("Print one JSON object") },
    { FH_FILES (G_OPTION_REMAINING, 0, &line.words) },
    { NULL },
  };
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autoptr (GError) error = NULL;

  if (!fh_option_parse (&help, entries, NULL, argv, &error) || !parse_id (&line, &error))
    return fh_message_usage ("changes", error);
  if ((line.json && (line.diff || line.words[1] != NULL)) || (line.words[1] != NULL && !line.diff))
    {
      refuse (&error, _ ("PATH can only be used with --diff, and --json alone."));
      return fh_message_usage ("changes", error);
    }
  changes = load (&line);
  return changes != NULL ? show (&line, changes) : FH_EXIT_FAILED;
}

/* apply */

/* Adds all changes but those that have to be named. */
static void
add_all (FhFolderChanges *changes, GPtrArray *chosen)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (changes)); i++)
    {
      FhFolderChange *change = fh_folder_changes_get (changes, i);

      if (fh_folder_change_is_in_all (change))
        g_ptr_array_add (chosen, change);
      else
        fh_message (_ ("“%s” is left out: %s"),
                    fh_folder_change_get_facts (change)->name,
                    fh_folder_change_get_remark (change));
    }
}

static void
tell_applied (FhFolderChanges *changes, const FhFolderApplied *applied)
{
  g_autofree char *folder =
      g_filename_display_name (fh_folder_changes_get_facts (changes)->place.path);

  if (applied->backup == NULL)
    /* Translators: the path of a folder. */
    fh_message (_ ("“%s” is like that already: nothing was written."), folder);
  else
    /* Translators: the path of a folder, then numbers. */
    fh_message (_ ("Applied to “%s”: %u written, %u deleted. To take it back: fumehoodctl undo"),
                folder,
                applied->n_written,
                applied->n_deleted);
}

/* Prints what “undo” will not bring back. FALSE with a message if the folder cannot be used. */
static gboolean
tell_special (FhFolderChanges *changes, GPtrArray *chosen)
{
  g_autoptr (GPtrArray) special = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) conflicts = NULL;
  g_autoptr (GError) error = NULL;

  conflicts = fh_folder_find_conflicts (changes, chosen, special, &error);
  for (guint i = 0; i < special->len; i++)
    fh_message (
        _ ("“%s” has other names (hard links), a set-user-ID bit or the like, or extended "
           "attributes: the new file has none of these, and undo does not bring them back."),
        fh_folder_change_get_facts (special->pdata[i])->name);
  if (conflicts == NULL)
    fail (error);
  return conflicts != NULL;
}

static int
apply (const Line *line, FhFolderChanges *changes)
{
  g_autoptr (GPtrArray) chosen = choose (line, changes);
  g_auto (FhFolderApplied) applied = { 0 };
  g_autoptr (GError) error = NULL;

  if (chosen == NULL)
    return FH_EXIT_FAILED;
  if (line->all)
    add_all (changes, chosen);
  if (chosen->len == 0)
    {
      fh_message (_ ("There is nothing to apply."));
      return FH_EXIT_FAILED;
    }
  if (!tell_special (changes, chosen))
    return FH_EXIT_FAILED;
  if (!fh_folder_apply (changes, chosen, line->force ? chosen : NULL, &applied, &error))
    return fail (error);
  tell_applied (changes, &applied);
  return 0;
}

int
fh_command_apply (int argc, char **argv)
{
  g_auto (Line) line = { 0 };
  const FhOptionHelp help = { N_ ("ID [PATH…]"), APPLY_SUMMARY, APPLY_DESCRIPTION };
  const GOptionEntry entries[] = {
    { FH_SWITCH ("all", 0, &line.all),
      N_ ("Apply all changes but those of files that may execute by themselves") },
    { FH_SWITCH ("force", 'f', &line.force),
      N_ ("Also replace the named files if they were changed after the run") },
    { FH_FILES (G_OPTION_REMAINING, 0, &line.words) },
    { NULL },
  };
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autoptr (GError) error = NULL;

  if (!fh_option_parse (&help, entries, NULL, argv, &error) || !parse_id (&line, &error))
    return fh_message_usage ("apply", error);
  if (line.all == (line.words[1] != NULL) || (line.all && line.force))
    {
      refuse (&error,
              line.all ? _ ("--all is for all changes: name no files, and use no --force.")
                       : _ ("Name the files to apply, or use --all."));
      return fh_message_usage ("apply", error);
    }
  changes = load (&line);
  return changes != NULL ? apply (&line, changes) : FH_EXIT_FAILED;
}
