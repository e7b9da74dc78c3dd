/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A container that is made ahead of its run, for tests that have a real engine:
 *
 *   ahead-client ENGINE IMAGE
 *
 * obeys the lines of its standard input, and answers each with a line:
 *
 *   prepare            "preparing", at once
 *   run FILE [WORD…]   the result as JSON; prepared or not
 *   drop               "dropped", once nothing is left
 *
 * At the end of its input it exits, whatever is prepared. */
#include <gio/gunixinputstream.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "run-result.h"

static FhContainerOptions container;
static FhSandbox *sandbox;

static FhRunRequest *
new_request (const char *path, const char *const *arguments)
{
  g_autofree char *text = g_strdup ("");
  g_autoptr (GBytes) source = NULL;
  g_autoptr (GError) error = NULL;
  FhRunRequest *request;
  gsize size = 0;

  if (path != NULL)
    g_clear_pointer (&text, g_free);
  if (path != NULL && !g_file_get_contents (path, &text, &size, &error))
    g_error ("%s", error->message);
  source = g_bytes_new_take (g_steal_pointer (&text), size);
  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .arguments = arguments,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .container = &container,
      },
      &error);
  g_assert_no_error (error);
  return request;
}

static void
run (char **words)
{
  g_autoptr (FhRunRequest) request = new_request (words[1], (const char *const *) words + 2);
  g_autoptr (FhRun) started = fh_sandbox_run (sandbox, request);
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;

  while (fh_run_get_result (started) == NULL)
    g_main_context_iteration (NULL, TRUE);
  node = fh_run_result_to_json (fh_run_get_result (started), 0);
  text = json_to_string (node, FALSE);
  puts (text);
}

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  puts (fh_sandbox_stop_finish (FH_SANDBOX (source), result, &error) ? "dropped" : error->message);
  *(gboolean *) user_data = TRUE;
}

static void
drop (void)
{
  gboolean is_done = FALSE;

  fh_sandbox_stop_async (sandbox, NULL, stopped_cb, &is_done);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
}

static void
obey (const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  if (g_str_equal (line, "prepare"))
    {
      g_autoptr (FhRunRequest) request = new_request (NULL, NULL);

      fh_sandbox_prepare (sandbox, request);
      puts ("preparing");
    }
  else if (g_str_equal (line, "drop"))
    drop ();
  else if (g_strv_length (words) > 1)
    run (words);
  fflush (stdout);
}

static void
line_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GDataInputStream *input = G_DATA_INPUT_STREAM (source);
  g_autofree char *line = g_data_input_stream_read_line_finish (input, result, NULL, NULL);

  if (line == NULL)
    {
      g_main_loop_quit (user_data);
      return;
    }
  obey (line);
  g_data_input_stream_read_line_async (input, 0, NULL, line_cb, user_data);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GInputStream) standard = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GDataInputStream) input = g_data_input_stream_new (standard);
  g_autoptr (FhBackend) backend = NULL;
  g_autoptr (FhRunRequest) request = NULL;

  setlocale (LC_ALL, "");
  if (argc != 3 || !fh_engine_kind_from_string (argv[1], &container.engine))
    {
      fputs ("usage: ahead-client ENGINE IMAGE\n", stderr);
      return 2;
    }
  container.image = argv[2];
  backend = fh_backend_new (FH_TIER_AUTO, &container);
  request = new_request (NULL, NULL);
  sandbox = fh_backend_prepare (backend, request);
  g_data_input_stream_read_line_async (input, 0, NULL, line_cb, loop);
  g_main_loop_run (loop);
  /* As at the end of the app, which waits for no engine. */
  return 0;
}
