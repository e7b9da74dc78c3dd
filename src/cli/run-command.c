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
#include "container-backend.h"
#include "container-run.h"
#include "input-file.h"
#include "json-text.h"
#include "live-output.h"
#include "message.h"
#include "native-backend.h"
#include "run-error.h"
#include "run-keeper.h"
#include "run-options.h"
#include "run-result-json.h"
#include "save-files.h"
#include "stop-signals.h"

/* A program that wants more should be given a file by other means. */
#define MAX_STANDARD_INPUT ((gsize) 256 << 20)

/* 128 + SIGPIPE: what a shell reports for a program whose reader went away. */
#define EXIT_UNREAD 141

static const FhLanguage *
choose_language (const FhRunOptions *options, GBytes *source, GError **error)
{
  const FhLanguage *language = NULL;

  if (options->language != NULL)
    {
      language = fh_language_lookup (options->language);
      if (language == NULL)
        g_set_error (error,
                     FH_RUN_ERROR,
                     FH_RUN_ERROR_LANGUAGE,
                     _ ("“%s” is not a language that Fumehood can run. Choose python, sh or bash."),
                     options->language);
      return language;
    }
  if (!g_str_equal (options->file, "-"))
    language = fh_language_guess (options->file, NULL);
  if (language == NULL)
    {
      gsize size;
      const char *data = g_bytes_get_data (source, &size);
      g_autofree char *start = g_strndup (data != NULL ? data : "", MIN (size, (gsize) 16 << 10));

      language = fh_language_guess (NULL, start);
    }
  return language != NULL ? language : fh_language_lookup ("python");
}

/* A path is meant from the present folder, a mere name is looked up as a shell would. In a
 * container both are the image's. */
static gboolean
locate_interpreter (const FhRunOptions *options, char **path, GError **error)
{
  const char *name = options->interpreter;

  if (name == NULL)
    return TRUE;
  if (options->container.options != NULL)
    {
      *path = g_strdup (name);
      return TRUE;
    }
  *path = strchr (name, '/') != NULL ? g_canonicalize_filename (name, NULL)
                                     : g_find_program_in_path (name);
  if (*path != NULL)
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INTERPRETER,
               _ ("There is no interpreter “%s” in your PATH. Name it with its whole path."),
               name);
  return FALSE;
}

static gboolean
check_language (const FhRunOptions *options, const FhLanguage *language, GError **error)
{
  if (!fh_guard_options_need_python (&options->guards) || g_str_equal (language->id, "python"))
    return TRUE;
  g_set_error_literal (error,
                       FH_RUN_ERROR,
                       FH_RUN_ERROR_INVALID,
                       _ ("--report-lines, --limit-functions, --allow-imports and --max-operations "
                          "are for Python only."));
  return FALSE;
}

static FhRunRequest *
build_request (const FhRunOptions *options, GError **error)
{
  g_autoptr (GBytes) source = NULL;
  g_autoptr (GBytes) standard_input = NULL;
  g_autofree char *title = NULL;
  g_autofree char *interpreter = NULL;
  FhRunRequestInit init = { 0 };

  if (!locate_interpreter (options, &interpreter, error))
    return NULL;
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
  init.interpreter = interpreter;
  init.arguments = (const char *const *) options->arguments;
  init.standard_input = standard_input;
  init.limits = options->limits;
  init.guards = &options->guards.guards;
  init.container = options->container.options;
  return fh_run_request_new (&init, error);
}

/* `container`: NULL for a run on this computer. */
static gboolean
print_json (FhRunResult *result, FhContainerRun *container)
{
  g_autoptr (JsonNode) node = fh_run_result_to_json (result);
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;

  json_object_set_member (json_node_get_object (node),
                          "container",
                          container != NULL ? fh_container_run_to_json (container)
                                            : json_node_init_null (json_node_alloc ()));
  text = fh_json_to_text (node, FALSE);
  line = g_strconcat (text, "\n", NULL);
  return fh_print (line);
}

/* Something that was asked for cannot be run. A script that reads JSON gets its object. */
static int
refuse (const FhRunOptions *options, const char *message)
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
          .backend = options->container.options != NULL ? "container" : "native",
          .tier = "",
      });

      print_json (result, NULL);
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

/* The program's own end speaks for itself, as it would without us. */
static void
explain_end (FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  FhRunSeverity severity = fh_run_status_severity (outcome->status);
  g_autofree char *advice = NULL;

  if (severity == FH_RUN_SEVERITY_GOOD || severity == FH_RUN_SEVERITY_PROGRAM)
    {
      if (outcome->message != NULL)
        fh_message ("%s", outcome->message);
      return;
    }
  advice = fh_run_outcome_advice (outcome);
  fh_message ("%s%s%s",
              fh_run_result_get_sentence (result),
              advice != NULL ? " " : "",
              advice != NULL ? advice : "");
}

static gboolean
was_watched (const FhRunOptions *options)
{
  const FhRunGuards *guards = &options->guards.guards;

  return guards->watch != FH_WATCH_OFF && guards->tier != FH_TIER_UNPROTECTED;
}

/* Each line is a message of ours, so that nobody takes it for one of the program's. Unless they are
 * asked for, a mere hint is given, and only to people: scripts get what the program wrote. */
static void
tell_attempts (const FhRunOptions *options, FhAttemptLog *attempts)
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

static int
report (const FhRunOptions *options, FhRun *run, FhLiveOutput *output, FhContainerRun *container)
{
  FhRunResult *result = fh_run_get_result (run);

  if (options->json && !print_json (result, container))
    return EXIT_UNREAD;
  if (output != NULL && fh_live_output_is_unread (output))
    return EXIT_UNREAD;
  if (output != NULL && fh_live_output_get_error (output) != 0)
    {
      fh_message (_ ("The output could not be written: %s"),
                  g_strerror (fh_live_output_get_error (output)));
      return FH_EXIT_NO_RUN;
    }
  if (!options->json)
    {
      explain_end (result);
      tell_attempts (options, fh_run_result_get_attempts (result));
    }
  return fh_run_outcome_exit_status (fh_run_result_get_outcome (result));
}

static FhBackend *
choose_backend (const FhRunOptions *options)
{
  if (options->container.options != NULL)
    return FH_BACKEND (fh_container_backend_new (options->container.options));
  return FH_BACKEND (fh_native_backend_new ());
}

/* `folder`: where the files go that it left behind, or -1. */
static int
run (const FhRunOptions *options, FhRunRequest *request, int folder)
{
  g_autoptr (FhBackend) backend = choose_backend (options);
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRun) one_run = NULL;
  g_autoptr (FhLiveOutput) output = NULL;
  g_autoptr (FhRunKeeper) keeper = NULL;
  g_autoptr (FhContainerRun) container = NULL;
  int status;

  if (options->guards.without_protection)
    fh_message (_ ("This runs without protection: the program can do all that you can do, such as "
                   "reading, changing and deleting your files."));
  fh_stop_signals_catch ();
  sandbox = fh_backend_prepare (backend, &options->limits);
  if (options->container.options != NULL)
    container = fh_container_run_new (FH_CONTAINER_SANDBOX (sandbox), options->container.options);
  one_run = fh_sandbox_run (sandbox, request);
  if (!options->json)
    output = fh_live_output_new (one_run, options->raw);
  if (!options->no_history)
    keeper = fh_run_keeper_new ();
  wait_for_end (one_run);
  if (output != NULL)
    fh_live_output_finish (output);
  status = report (options, one_run, output, container);
  if (folder >= 0 && !fh_save_files (fh_run_result_get_files (fh_run_get_result (one_run)), folder))
    status = FH_EXIT_NO_RUN;
  /* Comes last, when everything that the caller waits for was written. */
  if (keeper != NULL)
    fh_run_keeper_keep (keeper, one_run);
  if (container != NULL)
    fh_container_run_let_go (container);
  return status;
}

int
fh_command_run (int argc, char **argv)
{
  g_autoptr (FhRunOptions) options = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  int folder = -1;
  int status;

  options = fh_run_options_parse (argc, argv, &error);
  if (options == NULL)
    {
      fh_message (_ ("%s Try “fumehoodctl run --help”."), error->message);
      return FH_EXIT_NO_RUN;
    }
  request = build_request (options, &error);
  if (request == NULL)
    return refuse (options, error->message);
  /* Opened first: what a run left could not be had once more. */
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
