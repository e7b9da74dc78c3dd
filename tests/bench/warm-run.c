/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one guarded run costs where it is prepared, as the window does while a person pauses, and
 * where it is not: as the backend sees it, without a window or a command. Built for the host, it
 * also measures inside of a Flatpak whose runtime has the same libraries (flatpak.py).
 *
 * Usage: warm-run ROUNDS warm|cold [ENGINE IMAGE]. Prints milliseconds, one line for each run.
 */
#include "backend.h"

/* Longer than a sandbox takes to be built, and its interpreter to come to rest. */
#define PAUSE_MS           500
#define CONTAINER_PAUSE_MS 3000

#define SOURCE "print('hello')\n"

static gboolean
end_pause (gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_REMOVE;
}

static void
pause_for_a_person (guint ms)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  g_timeout_add (ms, end_pause, loop);
  g_main_loop_run (loop);
}

static FhRunRequest *
make_request (const FhContainerOptions *container)
{
  g_autoptr (GBytes) source = g_bytes_new_static (SOURCE, sizeof SOURCE - 1);

  return fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .container = container,
      },
      NULL);
}

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!fh_sandbox_stop_finish (FH_SANDBOX (source), result, &error))
    g_printerr ("%s\n", error->message);
  *(gboolean *) user_data = TRUE;
}

static gboolean
measure (FhBackend *backend, FhRunRequest *request, gboolean is_warm)
{
  g_autoptr (FhSandbox) sandbox = fh_backend_prepare (backend, request);
  g_autoptr (FhRun) run = NULL;
  FhRunResult *result;
  gboolean is_gone = FALSE;
  gint64 begun;

  if (is_warm)
    fh_sandbox_prepare (sandbox, request);
  pause_for_a_person (fh_run_request_get_parts (request)->container != NULL ? CONTAINER_PAUSE_MS
                                                                            : PAUSE_MS);
  begun = g_get_monotonic_time ();
  run = fh_sandbox_run (sandbox, request);
  while ((result = fh_run_get_result (run)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_print ("%.3f\n", (double) (g_get_monotonic_time () - begun) / 1000);
  /* The removal of a container is not to disturb the next round. */
  fh_sandbox_stop_async (sandbox, NULL, stopped_cb, &is_gone);
  while (!is_gone)
    g_main_context_iteration (NULL, TRUE);
  if (fh_run_result_get_parts (result)->outcome->status == FH_RUN_STATUS_OK)
    return TRUE;
  g_printerr ("%s\n", fh_run_result_get_parts (result)->sentence);
  return FALSE;
}

int
main (int argc, char *argv[])
{
  guint64 rounds = 0;
  FhContainerOptions container = { 0 };
  g_autoptr (FhBackend) backend = NULL;
  g_autoptr (FhRunRequest) request = NULL;

  if ((argc != 3 && argc != 5) ||
      !g_ascii_string_to_unsigned (argv[1], 10, 1, 100000, &rounds, NULL) ||
      !(g_str_equal (argv[2], "warm") || g_str_equal (argv[2], "cold")) ||
      (argc == 5 && !fh_engine_kind_from_string (argv[3], &container.engine)))
    {
      g_printerr ("Usage: warm-run ROUNDS warm|cold [ENGINE IMAGE]\n");
      return 2;
    }
  container.image = argc == 5 ? argv[4] : NULL;
  backend = fh_backend_new (FH_TIER_AUTO, argc == 5 ? &container : NULL);
  request = make_request (argc == 5 ? &container : NULL);
  for (guint64 i = 0; i < rounds; i++)
    if (!measure (backend, request, g_str_equal (argv[2], "warm")))
      return 1;
  return 0;
}
