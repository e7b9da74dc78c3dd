/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-copy.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "clients.h"
#include "program-archive.h"
#include "wire-container.h"

/* Some megabytes over some megabits per second. */
#define TIMEOUT_S 120

/* Podman changes the owner to the container's user unless told not to; Docker keeps the archive's
 * owner by default. */
static char *
copy (FhEngine *engine,
      const char *container_name,
      GBytes *archive,
      GCancellable *cancellable,
      GError **error)
{
  const gboolean is_podman = fh_engine_get_facts (engine)->kind == FH_ENGINE_PODMAN;
  g_autofree char *place = g_strconcat (container_name, ":" FH_CONTAINER_PROGRAMS, NULL);
  const char *const arguments[] = { "cp",
                                    is_podman ? "--archive=false" : "-",
                                    is_podman ? "-" : place,
                                    is_podman ? place : NULL,
                                    NULL };
  g_auto (FhClient) client = fh_engine_client (engine, arguments);

  client.input = archive;
  fh_clients_run (&client, 1, TIMEOUT_S * 1000, cancellable, NULL, NULL);
  if (!g_error_matches (client.error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_TIMED_OUT))
    return fh_engine_take_answer (engine, &client, error);
  g_set_error (error,
               FH_ENGINE_ERROR,
               FH_ENGINE_ERROR_TIMED_OUT,
               _ ("Copying Fumehood’s own programs into the container took longer "
                  "than %u seconds."),
               TIMEOUT_S);
  return NULL;
}

gboolean
fh_container_copy_programs (FhEngine *engine,
                            const char *container_name,
                            const char *runner,
                            const char *guest_folder,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (GBytes) archive = fh_program_archive_new (runner, guest_folder, error);
  g_autofree char *answer =
      archive != NULL ? copy (engine, container_name, archive, cancellable, error) : NULL;

  return answer != NULL;
}

gboolean
fh_container_open_folders (FhEngine *engine,
                           const char *container_name,
                           gboolean has_workspace,
                           GCancellable *cancellable,
                           GError **error)
{
  const char *const arguments[] = { "exec",
                                    "--user=0:0",
                                    "--",
                                    container_name,
                                    FH_CONTAINER_RUNNER,
                                    FH_OPEN_ARGUMENT,
                                    FH_CONTAINER_HOME,
                                    has_workspace ? FH_CONTAINER_WORKSPACE : NULL,
                                    NULL };
  g_autofree char *answer = NULL;

  if (fh_engine_get_facts (engine)->kind != FH_ENGINE_DOCKER)
    return TRUE;
  answer = fh_engine_call (engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, error);
  return answer != NULL;
}
