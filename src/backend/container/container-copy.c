/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-copy.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine-call.h"
#include "path-error.h"
#include "program-archive.h"
#include "wire-bytes.h"
#include "wire-container.h"

/* Some megabytes over some megabits per second. */
#define TIMEOUT_S 120

/* A running client. */
typedef struct
{
  FhEngine *engine;
  char *container_name;
  char *runner;
  char *guest_folder;
  GSubprocess *client; /* once started */
  guint timeout;
  gboolean is_late;
} Copy;

static void
copy_free (gpointer data)
{
  Copy *copy = data;

  g_clear_handle_id (&copy->timeout, g_source_remove);
  g_clear_object (&copy->client);
  g_object_unref (copy->engine);
  g_free (copy->container_name);
  g_free (copy->runner);
  g_free (copy->guest_folder);
  g_free (copy);
}

static gboolean
on_timeout (gpointer data)
{
  Copy *copy = data;

  copy->timeout = 0;
  copy->is_late = TRUE;
  g_subprocess_force_exit (copy->client);
  return G_SOURCE_REMOVE;
}

static void
on_client_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Copy *copy = g_task_get_task_data (task);
  g_autoptr (GBytes) said = NULL;
  g_autofree char *text = NULL;
  GError *error = NULL;

  g_clear_handle_id (&copy->timeout, g_source_remove);
  if (!g_subprocess_communicate_finish (copy->client, result, NULL, &said, &error) &&
      !copy->is_late && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_subprocess_force_exit (copy->client);
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);
  if (copy->is_late)
    g_task_return_new_error (task,
                             FH_ENGINE_ERROR,
                             FH_ENGINE_ERROR_TIMED_OUT,
                             _ ("Copying Fumehood’s own programs into the container took longer "
                                "than %u seconds."),
                             TIMEOUT_S);
  else if (g_subprocess_get_if_exited (copy->client) &&
           g_subprocess_get_exit_status (copy->client) == 0)
    g_task_return_boolean (task, TRUE);
  else
    {
      if (said != NULL)
        text = g_strndup (g_bytes_get_data (said, NULL), g_bytes_get_size (said));
      g_task_return_error (task,
                           fh_engine_error_from_text (fh_engine_get_facts (copy->engine)->kind,
                                                      text != NULL ? text : ""));
    }
}

/* Podman changes the owner to the container's user unless told not to; Docker keeps the archive's
 * owner by default. */
static GStrv
arguments (const FhEngineFacts *engine, const char *container_name)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *instance = g_strconcat (container_name, ":" FH_CONTAINER_PROGRAMS, NULL);

  g_strv_builder_add_many (builder, engine->program, "cp", NULL);
  if (engine->kind == FH_ENGINE_PODMAN)
    g_strv_builder_add (builder, "--archive=false");
  g_strv_builder_add_many (builder, "-", instance, NULL);
  return g_strv_builder_end (builder);
}

/* The client reads from memory, so that one that exits early breaks no pipe. Consumes the
 * descriptor. */
static GSubprocess *
start (Copy *copy, int archive, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_auto (GStrv) environment = fh_engine_environment ();
  g_auto (GStrv) argv = arguments (fh_engine_get_facts (copy->engine), copy->container_name);

  g_subprocess_launcher_take_stdin_fd (launcher, archive);
  g_subprocess_launcher_set_environ (launcher, environment);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, error);
}

static void
on_archived (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Copy *copy = g_task_get_task_data (task);
  GError *error = NULL;
  int archive = (int) g_task_propagate_int (G_TASK (result), &error);

  if (archive >= 0)
    copy->client = start (copy, archive, &error);
  if (copy->client == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  copy->timeout = g_timeout_add_seconds (TIMEOUT_S, on_timeout, copy);
  g_subprocess_communicate_async (copy->client,
                                  NULL,
                                  g_task_get_cancellable (task),
                                  on_client_ended,
                                  g_object_ref (task));
}

static int
to_memory (GBytes *archive, GError **error)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (archive, &size);
  int fd = memfd_create ("programs", MFD_CLOEXEC);

  if (fd >= 0 && fh_write_all (fd, data, size) && lseek (fd, 0, SEEK_SET) == 0)
    return fd;
  fh_errno_error (error, errno, NULL);
  if (fd >= 0)
    close (fd);
  return -1;
}

static void
archive_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Copy *copy = data;
  GError *error = NULL;
  g_autoptr (GBytes) archive = fh_program_archive_new (copy->runner, copy->guest_folder, &error);
  int fd = archive != NULL ? to_memory (archive, &error) : -1;

  if (fd >= 0)
    g_task_return_int (task, fd);
  else
    g_task_return_error (task, error);
}

void
fh_container_copy_programs_async (FhEngine *engine,
                                  const char *container_name,
                                  const char *runner,
                                  const char *guest_folder,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) archiving = NULL;
  GTask *task;
  Copy *copy;

  g_return_if_fail (FH_IS_ENGINE (engine));
  g_return_if_fail (container_name != NULL);
  g_return_if_fail (runner != NULL);
  g_return_if_fail (guest_folder != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_container_copy_programs_async);
  copy = g_new0 (Copy, 1);
  copy->engine = g_object_ref (engine);
  copy->container_name = g_strdup (container_name);
  copy->runner = g_strdup (runner);
  copy->guest_folder = g_strdup (guest_folder);
  g_task_set_task_data (task, copy, copy_free);

  archiving = g_task_new (NULL, cancellable, on_archived, task);
  g_task_set_source_tag (archiving, archive_in_thread);
  /* The result is a descriptor, which must be taken in any case. */
  g_task_set_check_cancellable (archiving, FALSE);
  g_task_set_task_data (archiving, copy, NULL);
  g_task_run_in_thread (archiving, archive_in_thread);
}

gboolean
fh_container_copy_programs_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
fh_container_open_folders_async (FhEngine *engine,
                                 const char *container_name,
                                 gboolean has_workspace,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
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
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine));
  g_return_if_fail (container_name != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_container_open_folders_async);
  if (fh_engine_get_facts (engine)->kind != FH_ENGINE_DOCKER)
    g_task_return_boolean (task, TRUE);
  else
    fh_engine_call_step (task, engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, on_opened);
}

gboolean
fh_container_open_folders_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
