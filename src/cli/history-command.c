/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "history-export.h"
#include "history-options.h"
#include "history-text.h"
#include "history.h"
#include "message.h"
#include "run-markdown.h"
#include "save-files.h"
#include "sync-wait.h"
#include "terminal-text.h"

static int
fail (const GError *error)
{
  fh_message ("%s", error->message);
  return FH_EXIT_FAILED;
}

static void
notice_cb (FhHistory *history, const char *sentence, gpointer data)
{
  fh_message ("%s", sentence);
}

/* Prints untrusted bytes: escaped on a terminal, else unchanged. */
static gboolean
print_bytes (int fd, GBytes *bytes)
{
  g_autofree char *safe = NULL;
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);

  if (!isatty (fd))
    return fh_print_bytes (fd, data, size);
  safe = fh_terminal_text (data, size);
  return fh_print_bytes (fd, safe, strlen (safe));
}

/* JSON and Markdown do not escape all control characters. */
static int
print_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return print_bytes (STDOUT_FILENO, bytes) ? 0 : FH_EXIT_FAILED;
}

static int
list (FhHistory *history, const FhHistoryOptions *options)
{
  g_autofree char *search = g_strjoinv (" ", options->words);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  entries = fh_history_list (history, search, 0, options->limit, &error);
  if (entries == NULL)
    return fail (error);
  if (options->json)
    {
      text = fh_history_text_list_json (entries);
      return print_text (text);
    }
  text = fh_history_text_list (entries);
  if (entries->len == 0)
    fh_message ("%s",
                options->action == FH_HISTORY_ACTION_SEARCH ? _ ("No runs found.")
                                                            : _ ("The history is empty."));
  return fh_print (text) ? 0 : FH_EXIT_FAILED;
}

static gboolean
load (FhHistory *history, gint64 id, FhHistoryRun *run, GError **error)
{
  return fh_history_load (history, id, &run->entry, &run->request, &run->result, error);
}

static gint64
first_id (const FhHistoryOptions *options)
{
  return g_array_index (options->ids, gint64, 0);
}

static gboolean
print_output (FhOutputLog *output)
{
  g_autoptr (GBytes) out = fh_output_log_dup_bytes (output, FH_STREAM_STDOUT);
  g_autoptr (GBytes) err = fh_output_log_dup_bytes (output, FH_STREAM_STDERR);

  return print_bytes (STDOUT_FILENO, out) && print_bytes (STDERR_FILENO, err);
}

static int
show (FhHistory *history, const FhHistoryOptions *options)
{
  g_auto (FhHistoryRun) run = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!load (history, first_id (options), &run, &error))
    return fail (error);
  if (options->source)
    return print_bytes (STDOUT_FILENO, fh_run_request_get_parts (run.request)->source)
               ? 0
               : FH_EXIT_FAILED;
  if (options->output)
    return print_output (fh_run_result_get_parts (run.result)->output) ? 0 : FH_EXIT_FAILED;
  if (options->review)
    {
      text = fh_run_markdown_new_review (run.request, run.result);
      return print_text (text);
    }
  if (options->json)
    {
      text = fh_history_entry_export (run.entry, run.request, run.result);
      return print_text (text);
    }
  text = fh_history_text_run (&run);
  return fh_print (text) ? 0 : FH_EXIT_FAILED;
}

static int export(FhHistory *history, const FhHistoryOptions *options)
{
  g_auto (FhHistoryRun) run = { 0 };
  g_autoptr (GError) error = NULL;
  const char *target = options->words[1];

  if (!load (history, first_id (options), &run, &error))
    return fail (error);
  if (g_str_equal (target, "-"))
    {
      g_autofree char *json = fh_history_entry_export (run.entry, run.request, run.result);

      return print_text (json);
    }
  return fh_history_export (&run, target, options->force, &error) ? 0 : fail (error);
}

static int
save_files (FhHistory *history, const FhHistoryOptions *options)
{
  g_auto (FhHistoryRun) run = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean ok;
  int folder;

  if (!load (history, first_id (options), &run, &error))
    return fail (error);
  folder = fh_save_files_open (options->words[1], &error);
  if (folder < 0)
    return fail (error);
  ok = fh_save_files (fh_run_result_get_parts (run.result)->files, folder);
  close (folder);
  return ok ? 0 : FH_EXIT_FAILED;
}

/* Tries all of them, even if one fails. */
static int
set_deleted (FhHistory *history, const FhHistoryOptions *options, gboolean deleted)
{
  int status = 0;

  for (guint i = 0; i < options->ids->len; i++)
    {
      g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
      g_autoptr (GError) error = NULL;
      const gint64 id = g_array_index (options->ids, gint64, i);

      fh_history_set_deleted_async (history, id, deleted, NULL, fh_sync_wait_cb, wait);
      if (!fh_history_change_finish (history, fh_sync_wait_get (wait), &error))
        status = fail (error);
    }
  return status;
}

static int
purge (FhHistory *history)
{
  g_autoptr (GError) error = NULL;

  return fh_history_purge (history, &error) ? 0 : fail (error);
}

int
fh_command_history (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhHistoryOptions) options = fh_history_options_parse (argv, &error);
  g_autoptr (FhHistory) history = NULL;

  if (options == NULL)
    return fh_message_usage ("history", error);
  history = fh_history_new (NULL);
  g_signal_connect (history, "notice", G_CALLBACK (notice_cb), NULL);
  switch (options->action)
    {
    case FH_HISTORY_ACTION_SHOW:
      return show (history, options);
    case FH_HISTORY_ACTION_EXPORT:
      return export(history, options);
    case FH_HISTORY_ACTION_SAVE_FILES:
      return save_files (history, options);
    case FH_HISTORY_ACTION_DELETE:
      return set_deleted (history, options, TRUE);
    case FH_HISTORY_ACTION_RESTORE:
      return set_deleted (history, options, FALSE);
    case FH_HISTORY_ACTION_PURGE:
      return purge (history);
    case FH_HISTORY_ACTION_LIST:
    case FH_HISTORY_ACTION_SEARCH:
    default:
      return list (history, options);
    }
}
