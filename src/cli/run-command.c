/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "attempt-text.h"
#include "command.h"
#include "input-file.h"
#include "json-output.h"
#include "live-output.h"
#include "message.h"
#include "pull-line.h"
#include "run-command-line.h"
#include "run-error.h"
#include "run-json.h"
#include "save-files.h"
#include "session.h"
#include "stop-signals.h"
#include "sync-wait.h"

/* Longer input is refused; it is kept in memory and in the history. */
#define MAX_STANDARD_INPUT ((gsize) 256 << 20)

static const FhLanguage *
choose_language (const FhRunCommandLine *options, GBytes *source, GError **error)
{
  const FhLanguage *language = NULL;
  g_autofree char *start = NULL;
  const char *data;
  gsize size;

  if (options->language != NULL)
    {
      language = fh_language_lookup (options->language);
      if (language == NULL)
        {
          g_autofree char *ids = fh_language_dup_ids (", ");

          g_set_error (error,
                       FH_RUN_ERROR,
                       FH_RUN_ERROR_LANGUAGE,
                       _ ("“%s” is not a language that Fumehood can run. Choose one of: %s."),
                       options->language,
                       ids);
        }
      return language;
    }
  data = g_bytes_get_data (source, &size);
  start = g_strndup (data != NULL ? data : "", MIN (size, (gsize) 16 << 10));
  language = fh_language_guess (g_str_equal (options->file, "-") ? NULL : options->file, start);
  return language != NULL ? language : fh_language_lookup ("python");
}

static gboolean
check_language (const FhRunCommandLine *options, const FhLanguage *language, GError **error)
{
  const char *flag = fh_command_flags_find_python (options->flags);

  if (flag == NULL || g_str_equal (language->id, "python"))
    return TRUE;
  g_set_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, _ ("--%s is for Python only."), flag);
  return FALSE;
}

static FhRunRequest *
build_request (const FhRunCommandLine *options, GError **error)
{
  g_autoptr (GBytes) source = NULL;
  g_autoptr (GBytes) standard_input = NULL;
  g_autofree char *title = NULL;
  FhRunRequestInit init = { 0 };

  source = fh_input_file_read (options->file, FH_RUN_REQUEST_MAX_SOURCE, error);
  if (source == NULL)
    return NULL;
  if (options->standard_input != NULL)
    {
      standard_input = fh_input_file_read (options->standard_input, MAX_STANDARD_INPUT, error);
      if (standard_input == NULL)
        return NULL;
    }
  init.language = choose_language (options, source, error);
  if (init.language == NULL || !check_language (options, init.language, error))
    return NULL;
  if (!g_str_equal (options->file, "-"))
    title = g_path_get_basename (options->file);
  init.source = source;
  init.title = title;
  init.interpreter = options->options->interpreter;
  init.arguments = (const char *const *) options->arguments;
  init.standard_input = standard_input;
  init.limits = options->options->limits;
  init.guards = &options->options->guards;
  init.container = options->container;
  return fh_run_request_new (&init, error);
}

/* `sandbox`: NULL when nothing was run. */
static gboolean
print_json (const FhRunCommandLine *options, FhRunResult *result, FhSandbox *sandbox)
{
  g_autoptr (JsonNode) node = fh_run_json_new (result, options->options, sandbox);

  return fh_print_json (json_node_get_object (node), FALSE);
}

/* The request cannot be run. A script that reads JSON gets an object. */
static int
refuse (const FhRunCommandLine *options, const char *message)
{
  if (options->json)
    {
      FhRunOutcome outcome = {
        .status = FH_RUN_STATUS_NOT_STARTED,
        .exit_code = -1,
        .signal = -1,
        .step = "request",
        .message = message,
      };
      g_autoptr (FhOutputLog) output = fh_output_log_new ();
      g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
      g_autoptr (FhRunResult) result = fh_run_result_new (&(FhRunResultParts){
          .outcome = &outcome,
          .output = output,
          .started_at = now,
          .backend = options->container != NULL ? "container" : "native",
          .tier = "",
      });

      print_json (options, result, NULL);
    }
  else
    fh_message ("%s", message);
  return FH_EXIT_NO_RUN;
}

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer user_data)
{
  fh_live_output_obey_signals (FH_RUN (user_data));
  return G_SOURCE_CONTINUE;
}

static void
state_changed_cb (FhRun *run, GParamSpec *pspec, GMainLoop *loop)
{
  if (fh_run_get_state (run) == FH_RUN_FINISHED)
    g_main_loop_quit (loop);
}

static void
wait_for_end (FhRun *run)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  gulong handler = g_signal_connect (run, "notify::state", G_CALLBACK (state_changed_cb), loop);
  guint source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, run);

  if (fh_run_get_state (run) != FH_RUN_FINISHED)
    g_main_loop_run (loop);
  g_source_remove (source);
  g_signal_handler_disconnect (run, handler);
}

/* For a program that ended by itself nothing is printed, as without us; a person gets advice. */
static void
explain_end (FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  FhRunSeverity severity = fh_run_status_severity (outcome->status);
  g_autofree char *advice = fh_run_result_dup_advice (result);

  if (severity == FH_RUN_SEVERITY_GOOD || severity == FH_RUN_SEVERITY_PROGRAM)
    {
      if (outcome->message != NULL)
        fh_message ("%s", outcome->message);
      if (advice != NULL && isatty (STDERR_FILENO))
        fh_message ("%s", advice);
      return;
    }
  fh_message ("%s%s%s",
              fh_run_result_get_sentence (result),
              advice != NULL ? " " : "",
              advice != NULL ? advice : "");
}

static gboolean
was_watched (const FhRunCommandLine *options)
{
  const FhRunGuards *guards = &options->options->guards;

  return guards->watch != FH_WATCH_OFF && guards->tier != FH_TIER_UNPROTECTED;
}

/* Each line is a message of ours and cannot be confused with the program's output. Without
 * --attempts only their number is shown, and only on a terminal: scripts get the program's output.
 */
static void
print_attempts (const FhRunCommandLine *options, FhAttemptLog *attempts)
{
  guint n_stopped = fh_attempt_log_get_n_stopped (attempts);

  if (options->attempts && !was_watched (options) && n_stopped == 0)
    fh_message (_ ("What the program tried was not watched."));
  else if (options->attempts)
    {
      g_autofree char *summary = fh_attempt_text_summary (attempts);

      fh_message ("%s", summary);
      for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (attempts)); i++)
        {
          g_autofree char *row = fh_attempt_text_row (fh_attempt_log_get (attempts, i));

          fh_message ("%s", row);
        }
    }
  else if (n_stopped > 0 && isatty (STDERR_FILENO))
    fh_message (g_dngettext (GETTEXT_PACKAGE,
                             "%u attempt of the program was stopped; --attempts shows it.",
                             "%u attempts of the program were stopped; --attempts shows them.",
                             n_stopped),
                n_stopped);
}

static void
print_left_out (FhLiveOutput *output)
{
  guint64 left_out = fh_live_output_get_left_out (output);
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, left_out);

  if (left_out > 0)
    /* Translators: %s is a number. */
    fh_message (g_dngettext (GETTEXT_PACKAGE,
                             "%s byte of the output is not shown: it was not read in time.",
                             "%s bytes of the output are not shown: they were not read in time.",
                             (gulong) MIN (left_out, G_MAXLONG)),
                count);
}

/* The program itself cannot tell why a host that was allowed is not there. */
static void
explain_hosts (FhRunResult *result)
{
  const char *const reasons[] = { "no-proxy", "no-way-to-hosts", NULL };
  GPtrArray *guards = fh_run_result_get_guards (result);

  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *state = g_ptr_array_index (guards, i);
      const char *reason = fh_guard_state_get_reason (state);

      if (reason != NULL && g_strv_contains (reasons, reason))
        fh_message ("%s", fh_guard_state_get_sentence (state));
    }
}

static int
report (const FhRunCommandLine *options, FhRun *run, FhLiveOutput *output, FhSandbox *sandbox)
{
  FhRunResult *result = fh_run_get_result (run);

  if (options->json && !print_json (options, result, sandbox))
    return FH_EXIT_UNREAD;
  if (output != NULL && fh_live_output_is_unread (output))
    return FH_EXIT_UNREAD;
  if (output != NULL && fh_live_output_get_error (output) != 0)
    {
      fh_message (_ ("The output could not be written: %s"),
                  g_strerror (fh_live_output_get_error (output)));
      return FH_EXIT_NO_RUN;
    }
  if (!options->json)
    {
      explain_end (result);
      if (output != NULL)
        print_left_out (output);
      explain_hosts (result);
      print_attempts (options, fh_run_result_get_attempts (result));
    }
  return fh_run_outcome_exit_status (fh_run_result_get_outcome (result));
}

static void
show_pull (FhSession *session, FhPullLine *line)
{
  FhSandbox *sandbox = fh_session_get_sandbox (session);
  FhSandboxProgress progress;

  if (sandbox != NULL && fh_sandbox_get_progress (sandbox, &progress))
    fh_pull_line_update (line, &progress);
  else
    fh_message_progress (NULL);
}

static void
not_recorded_cb (FhRecorder *recorder, const char *message)
{
  fh_message (_ ("This run is not in the history: %s"), message);
}

static void
notice_cb (FhRecorder *recorder, const char *notice)
{
  fh_message ("%s", notice);
}

/* Opens the history while the program runs. */
static FhRecorder *
prepare_recorder (void)
{
  g_autoptr (FhHistory) history = fh_history_new (NULL);
  FhRecorder *recorder = fh_recorder_new (history);

  g_signal_connect (recorder, "failed", G_CALLBACK (not_recorded_cb), NULL);
  g_signal_connect (recorder, "notice", G_CALLBACK (notice_cb), NULL);
  fh_recorder_open (recorder);
  return recorder;
}

/* Waits until containers that are not kept are removed. */
static void
close_session (FhSession *session)
{
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GError) error = NULL;

  fh_session_close_async (session, fh_sync_wait_cb, wait);
  if (!fh_session_close_finish (session, fh_sync_wait_get (wait), &error))
    fh_message ("%s", error->message);
}

/* `folder`: for the files that it leaves behind, or -1. */
static int
run (const FhRunCommandLine *options, FhRunRequest *request, int folder)
{
  g_autoptr (FhSession) session = fh_session_new (NULL, NULL);
  g_autoptr (FhPullLine) pull = fh_pull_line_new ();
  g_autoptr (FhRecorder) recorder = NULL;
  g_autoptr (FhRun) one_run = NULL;
  g_autoptr (FhLiveOutput) output = NULL;
  int status;

  if (options->options->guards.tier == FH_TIER_UNPROTECTED)
    fh_message (_ ("This runs without protection: the program can do all that you can do, such as "
                   "reading, changing and deleting your files."));
  fh_stop_signals_catch ();
  if (options->container != NULL)
    g_signal_connect (session, "changed", G_CALLBACK (show_pull), pull);
  one_run = fh_session_run (session, request, NULL, FALSE);
  if (!options->json)
    output = fh_live_output_new (one_run, options->raw);
  if (!options->options->no_history)
    recorder = prepare_recorder ();
  wait_for_end (one_run);
  if (output != NULL)
    fh_live_output_finish (output);
  status = report (options, one_run, output, fh_session_get_sandbox (session));
  if (folder >= 0 && !fh_save_files (fh_run_result_get_files (fh_run_get_result (one_run)), folder))
    status = FH_EXIT_NO_RUN;
  /* Last: the caller already has the output. */
  if (recorder != NULL)
    fh_recorder_save (recorder, one_run);
  close_session (session);
  return status;
}

int
fh_command_run (int argc, char **argv)
{
  g_autoptr (FhRunCommandLine) options = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  int folder = -1;
  int status;

  options = fh_run_command_line_parse (argc, argv, &error);
  if (options == NULL)
    {
      fh_message_usage ("run", error);
      return FH_EXIT_NO_RUN;
    }
  request = build_request (options, &error);
  if (request == NULL)
    return refuse (options, error->message);
  /* Opened first, because files that cannot be saved after the run would be lost. */
  if (options->save_files != NULL)
    {
      folder = fh_save_files_open (options->save_files, &error);
      if (folder < 0)
        return refuse (options, error->message);
    }
  status = run (options, request, folder);
  if (folder >= 0)
    close (folder);
  return status;
}
