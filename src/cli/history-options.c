/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "history-options.h"
#include "option-parsing.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DEFAULT_LIMIT 20

#define SUMMARY N_ ("Lists, shows and exports past runs, including those of the desktop app.")

#define DESCRIPTION                                                                                  \
  N_ ("Actions:\n"                                                                                   \
      "  list          The most recent runs, newest first (the default)\n"                           \
      "  search WORD…  Runs with all words, or words that begin with them, in their title,\n"      \
      "                source or output\n"                                                           \
      "  show ID       One run: its result, source and output\n"                                     \
      "  export ID FILE\n"                                                                           \
      "                One run as JSON; “-” is standard output. If FILE ends in “/” or is\n" \
      "                a folder, the files source, stdout, stderr and result.json are\n"             \
      "                written to it, and the files left behind to its folder files\n"               \
      "  save-files ID FOLDER\n"                                                                     \
      "                Save the files that the program left behind\n"                                \
      "  delete ID…    Delete runs\n"                                                              \
      "  restore ID…   Restore runs that were deleted less than an hour ago\n"                     \
      "  purge         Remove deleted runs from the disk now\n"                                      \
      "\n"                                                                                           \
      "An ID is a number that “list” shows. Control characters in what programs wrote are\n"     \
      "escaped; --source, --output and --review print it byte for byte, unless to a terminal.\n"     \
      "\n"                                                                                           \
      "Files:\n"                                                                                     \
      "  $XDG_STATE_HOME/fumehood/history.db   (~/.local/state/fumehood/history.db)\n"               \
      "\n"                                                                                           \
      "Exit status:\n"                                                                               \
      "  0  success\n"                                                                               \
      "  1  something failed, or there is no such run\n"                                             \
      "  2  wrong usage\n"                                                                           \
      "\n"                                                                                           \
      "Examples:\n"                                                                                  \
      "  fumehoodctl history search numpy ValueError\n"                                              \
      "  fumehoodctl history show 17 --output > output.txt\n"                                        \
      "  fumehoodctl history show 17 --review > review.md\n"                                         \
      "  fumehoodctl history export 17 run-17/")

typedef struct
{
  const char *name;
  FhHistoryAction action;
  guint min_words;
  guint max_words;
  guint ids; /* how many of the words, from the first, are ids */
} Action;

static const Action actions[] = {
  { "list", FH_HISTORY_ACTION_LIST, 0, 0, 0 },
  { "search", FH_HISTORY_ACTION_SEARCH, 1, G_MAXUINT, 0 },
  { "show", FH_HISTORY_ACTION_SHOW, 1, 1, 1 },
  { "export", FH_HISTORY_ACTION_EXPORT, 2, 2, 1 },
  { "save-files", FH_HISTORY_ACTION_SAVE_FILES, 2, 2, 1 },
  { "delete", FH_HISTORY_ACTION_DELETE, 1, G_MAXUINT, G_MAXUINT },
  { "restore", FH_HISTORY_ACTION_RESTORE, 1, G_MAXUINT, G_MAXUINT },
  { "purge", FH_HISTORY_ACTION_PURGE, 0, 0, 0 },
};

void
fh_history_options_free (FhHistoryOptions *options)
{
  g_strfreev (options->words);
  g_array_unref (options->ids);
  g_free (options);
}

static gboolean
fail (GError **error, const char *sentence)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, sentence);
  return FALSE;
}

static gboolean
parse_limit (FhHistoryOptions *options, const char *text, GError **error)
{
  guint64 limit;

  options->limit = DEFAULT_LIMIT;
  if (text == NULL)
    return TRUE;
  if (options->action != FH_HISTORY_ACTION_LIST && options->action != FH_HISTORY_ACTION_SEARCH)
    return fail (error, _ ("--limit can only be used with “list” and “search”."));
  if (g_str_equal (text, "none"))
    options->limit = G_MAXUINT;
  else if (g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &limit, NULL))
    options->limit = (guint) limit;
  else
    return fail (error, _ ("--limit must be a positive number or “none”."));
  return TRUE;
}

static gboolean
check_switches (const FhHistoryOptions *options, GError **error)
{
  gboolean lists =
      options->action == FH_HISTORY_ACTION_LIST || options->action == FH_HISTORY_ACTION_SEARCH;
  gboolean shows = options->action == FH_HISTORY_ACTION_SHOW;

  if ((options->source || options->output || options->review) && !shows)
    return fail (error, _ ("--source, --output and --review can only be used with “show”."));
  if (options->json && !shows && !lists)
    return fail (error, _ ("--json can only be used with “list”, “search” and “show”."));
  if (options->json + options->source + options->output + options->review > 1)
    return fail (error, _ ("Use only one of --json, --source, --output and --review."));
  if (options->force && options->action != FH_HISTORY_ACTION_EXPORT)
    return fail (error, _ ("--force can only be used with “export”."));
  return TRUE;
}

static gboolean
parse_ids (FhHistoryOptions *options, guint count, GError **error)
{
  for (guint i = 0; i < count && options->words[i] != NULL; i++)
    {
      guint64 number;
      gint64 id;

      if (!g_ascii_string_to_unsigned (options->words[i], 10, 1, G_MAXINT64, &number, NULL))
        {
          g_set_error (error,
                       G_OPTION_ERROR,
                       G_OPTION_ERROR_BAD_VALUE,
                       _ ("“%s” is not the ID of a run."),
                       options->words[i]);
          return FALSE;
        }
      id = (gint64) number;
      g_array_append_val (options->ids, id);
    }
  return TRUE;
}

static const Action *
find_action (const char *name, GError **error)
{
  if (name == NULL)
    return &actions[0];
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      if (g_str_equal (actions[i].name, name))
        return &actions[i];
    }
  g_set_error (error,
               G_OPTION_ERROR,
               G_OPTION_ERROR_BAD_VALUE,
               _ ("The action must be list, search, show, export, save-files, delete, "
                  "restore or purge, not “%s”."),
               name);
  return NULL;
}

static gboolean
interpret (FhHistoryOptions *options, const char *const *words, const char *limit, GError **error)
{
  const Action *action = find_action (words[0], error);
  guint count;

  if (action == NULL)
    return FALSE;
  options->action = action->action;
  options->words = g_strdupv ((char **) (words[0] != NULL ? words + 1 : words));
  count = g_strv_length (options->words);
  if (count < action->min_words)
    return fail (error, _ ("This action needs more arguments."));
  if (count > action->max_words)
    return fail (error, _ ("There are too many arguments."));
  return parse_ids (options, action->ids, error) && parse_limit (options, limit, error) &&
         check_switches (options, error);
}

FhHistoryOptions *
fh_history_options_parse (char **argv, GError **error)
{
  const FhOptionHelp help = { N_ ("[ACTION] [ARGUMENT…]"), SUMMARY, DESCRIPTION };
  static const char *const nothing[] = { NULL };
  g_autoptr (FhHistoryOptions) options = g_new0 (FhHistoryOptions, 1);
  g_auto (GStrv) words = NULL;
  g_autofree char *limit = NULL;
  const GOptionEntry entries[] = {
    { FH_TEXT ("limit", 'n', &limit),
      N_ ("Show at most N runs, or “none” for all (default: 20)"),
      N_ ("N") },
    { FH_SWITCH ("json", 0, &options->json), N_ ("Print one JSON object") },
    { FH_SWITCH ("source", 0, &options->source), N_ ("Print only the source") },
    { FH_SWITCH ("output", 0, &options->output),
      N_ ("Print only the output, to standard output and standard error") },
    { FH_SWITCH ("review", 0, &options->review),
      N_ ("Print what it tried, what was blocked and what it left, as Markdown") },
    { FH_SWITCH ("force", 'f', &options->force), N_ ("Replace existing files") },
    { FH_FILES (G_OPTION_REMAINING, 0, &words) },
    { NULL },
  };

  options->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (!fh_option_parse (&help, entries, NULL, argv, error) ||
      !interpret (options, words ? (const char *const *) words : nothing, limit, error))
    return NULL;
  return g_steal_pointer (&options);
}
