/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client-errors.h"
#include "descriptor.h"
#include "leftover-folders.h"
#include "main-source.h"
#include "path-error.h"
#include "portal-child.h"
#include "runner-spawn.h"
#include "wire-event.h"

/* From the end of the connection to the kill. Ending what it runs takes a runner milliseconds. */
#define END_GRACE_MS 2000

#define CONTAINER_ENDED N_ ("The container exited before it reported the result of the run.")

/* `gone` is called when the stream has ended, the process is dead and its leftovers are removed, in
 * any order. `why` is set by the first of these that knows a reason. */
struct _FhRunnerProcess
{
  GObject parent_instance;

  GSubprocess *subprocess; /* or: */
  FhPortalChild *child;
  FhPortalFolder *folder; /* of the child */
  int wait_status;        /* once it is dead; -1: unknown */
  int pidfd;              /* -1 on kernels without */
  FhFrameStream *stream;
  const FhRunnerListener *listener; /* NULL after fh_runner_process_close */
  gpointer user_data;
  GSource *deadline;
  char *why;
  gboolean stream_ended;
  gboolean dead;
  gboolean is_sweeping;
  FhClientErrors *client_errors; /* NULL unless it is an engine's client */
};

G_DEFINE_FINAL_TYPE (FhRunnerProcess, fh_runner_process, G_TYPE_OBJECT)

static void
flooded_cb (gpointer user_data)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (user_data);

  if (self->why == NULL)
    self->why = g_strdup (_ ("The container engine’s client kept writing error messages and was "
                             "stopped."));
  fh_runner_process_kill (self);
}

/* Does not wait for the end of the client's standard error: a process that the client started may
 * hold it open. */
static void
report_gone (FhRunnerProcess *self)
{
  g_autoptr (FhRunnerProcess) alive = NULL;
  const FhRunnerListener *listener = self->listener;

  if (listener == NULL || !self->stream_ended || !self->dead || self->is_sweeping)
    return;
  alive = g_object_ref (self);
  self->listener = NULL;
  if (self->client_errors != NULL)
    fh_client_errors_read (self->client_errors);
  listener->gone (self->why, self->user_data);
}

static gboolean
deadline_cb (gpointer user_data)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (user_data);

  g_clear_pointer (&self->deadline, g_source_unref);
  /* We kill it ourselves; don't report an outside signal. */
  if (self->client_errors != NULL && self->why == NULL)
    self->why = g_strdup (_ (CONTAINER_ENDED));
  fh_runner_process_kill (self);
  return G_SOURCE_REMOVE;
}

/* The source holds a reference, because all others may be dropped meanwhile. */
static void
start_deadline (FhRunnerProcess *self)
{
  if (self->dead || self->deadline != NULL)
    return;
  self->deadline = fh_source_attach (g_timeout_source_new (END_GRACE_MS),
                                     deadline_cb,
                                     g_object_ref (self),
                                     g_object_unref);
}

static gboolean
frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (user_data);

  return self->listener->frame (frame, self->user_data);
}

static void
stream_end_cb (FhFrameStreamEnd how, gpointer user_data)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (user_data);

  self->stream_ended = TRUE;
  if (how == FH_FRAME_STREAM_BROKEN)
    {
      g_free (self->why);
      self->why = g_strdup (_ ("Invalid message from the guarded runner (version mismatch?). "
                               "Reinstall Fumehood."));
      fh_runner_process_kill (self);
    }
  if (self->dead)
    report_gone (self);
  else
    start_deadline (self);
}

static char *
describe_end (FhRunnerProcess *self)
{
  const int status = self->wait_status;

  if (status < 0)
    return g_strdup (_ ("Flatpak’s portal ended while the program ran, so the program was "
                        "stopped."));
  if (WIFSIGNALED (status) && self->client_errors != NULL)
    {
      /* Translators: %d is the number of a signal. */
      return g_strdup_printf (_ ("The container engine’s program was killed from outside (signal "
                                 "%d)."),
                              WTERMSIG (status));
    }
  if (self->client_errors != NULL)
    return g_strdup (_ (CONTAINER_ENDED));
  if (WIFSIGNALED (status))
    {
      /* Translators: %d is the number of a signal. */
      return g_strdup_printf (_ ("The guarded runner was killed from outside (signal %d)."),
                              WTERMSIG (status));
    }
  /* Translators: %d is an exit status. */
  return g_strdup_printf (
      _ ("The guarded runner exited with status %d before it reported the result of the run."),
      WEXITSTATUS (status));
}

static void
swept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FH_RUNNER_PROCESS (source)->is_sweeping = FALSE;
  report_gone (FH_RUNNER_PROCESS (source));
}

static void
handle_death (FhRunnerProcess *self, int wait_status)
{
  self->wait_status = wait_status;
  self->dead = TRUE;
  fh_source_clear (&self->deadline);
  if (self->why == NULL)
    self->why = describe_end (self);
  /* The run ends only when that is done, because a command ends with it. */
  self->is_sweeping =
      self->subprocess != NULL && self->client_errors == NULL && WIFSIGNALED (wait_status);
  if (self->is_sweeping)
    fh_leftover_folders_sweep_async (self, swept_cb);
  if (self->stream_ended)
    report_gone (self);
  else
    fh_frame_stream_set_peer_gone (self->stream);
}

static void
dead_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRunnerProcess) self = FH_RUNNER_PROCESS (user_data);

  g_subprocess_wait_finish (self->subprocess, result, NULL);
  handle_death (self, g_subprocess_get_status (self->subprocess));
}

/* As the runner itself would. */
static void
report_fault (FhRunnerProcess *self, const char *step, int error)
{
  const struct fh_finished finished = {
    .status = FH_WIRE_SETUP_FAILED,
    .exit_code = -1,
    .signal = -1,
    .error = error,
    .step = step,
  };
  struct fh_buffer buffer;
  struct fh_frame frame = { .kind = FH_FRAME_FINISHED };

  if (self->listener == NULL)
    return;
  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD);
  fh_finished_encode (&finished, &buffer);
  frame.payload = buffer.data + FH_FRAME_HEADER_SIZE;
  frame.size = buffer.size - FH_FRAME_HEADER_SIZE;
  self->listener->frame (&frame, self->user_data);
  fh_buffer_clear (&buffer);
}

static void
child_ended_cb (const char *step, int error, int wait_status, gpointer user_data)
{
  g_autoptr (FhRunnerProcess) self = FH_RUNNER_PROCESS (user_data);

  if (step != NULL)
    report_fault (self, step, error);
  /* Also without the portal: then the program cannot be killed from here, but the runner does it
   * when the connection ends. */
  handle_death (self, wait_status);
}

static void
fh_runner_process_dispose (GObject *object)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (object);

  self->listener = NULL;
  fh_source_clear (&self->deadline);
  if (self->client_errors != NULL)
    fh_client_errors_stop (self->client_errors);
  if (self->stream != NULL)
    fh_frame_stream_close (self->stream);
  g_clear_object (&self->stream);
  g_clear_object (&self->subprocess);
  g_clear_object (&self->child);
  g_clear_pointer (&self->folder, fh_portal_folder_free);
  g_clear_pointer (&self->why, g_free);

  G_OBJECT_CLASS (fh_runner_process_parent_class)->dispose (object);
}

static void
fh_runner_process_finalize (GObject *object)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (object);

  fh_clear_fd (&self->pidfd);
  fh_client_errors_free (self->client_errors);

  G_OBJECT_CLASS (fh_runner_process_parent_class)->finalize (object);
}

static void
fh_runner_process_class_init (FhRunnerProcessClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_runner_process_dispose;
  object_class->finalize = fh_runner_process_finalize;
}

static void
fh_runner_process_init (FhRunnerProcess *self)
{
  self->pidfd = -1;
}

/* Takes ownership of `fd`, our end of the socket. */
static void
begin (FhRunnerProcess *self, int fd)
{
  GPid pid = fh_runner_process_get_pid (self);

  if (pid != 0)
    self->pidfd = pidfd_open (pid, 0);
  fcntl (fd, F_SETFL, O_NONBLOCK);
  self->stream = fh_frame_stream_new (fd, frame_cb, self, stream_end_cb, self);
  if (self->subprocess != NULL)
    g_subprocess_wait_async (self->subprocess, NULL, dead_cb, g_object_ref (self));
}

static gboolean
open_pair (int pair[2], GError **error)
{
  return socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0 ||
         fh_errno_error (error, errno, _ ("Could not connect to the guarded runner"));
}

/* Closes the socket. */
static gboolean
start_child (FhRunnerProcess *self, const char *path, int socket_fd, GError **error)
{
  const char *const argv[] = { path, NULL };
  const int null = open ("/dev/null", O_RDWR | O_CLOEXEC);
  const int fds[] = { null, null, null, socket_fd };
  const FhPortalSpawn spawn = { argv,
                                fds,
                                G_N_ELEMENTS (fds),
                                fh_portal_folder_get_fd (self->folder) };

  if (null >= 0)
    {
      self->child = fh_portal_child_new (&spawn, child_ended_cb, g_object_ref (self));
      close (null);
    }
  else
    fh_errno_error (error, errno, _ ("Could not connect to the guarded runner"));
  close (socket_fd);
  return self->child != NULL;
}

FhRunnerProcess *
fh_runner_process_start (const char *path,
                         int cpu,
                         FhPortalFolder *folder,
                         const FhRunnerListener *listener,
                         gpointer user_data,
                         GError **error)
{
  g_autoptr (FhRunnerProcess) self = NULL;
  int pair[2];

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (listener != NULL, NULL);

  self = g_object_new (FH_TYPE_RUNNER_PROCESS, NULL);
  self->folder = folder;
  if (!open_pair (pair, error))
    return NULL;
  self->listener = listener;
  self->user_data = user_data;
  if (folder == NULL)
    self->subprocess = fh_runner_spawn (path, cpu, pair[1], error);
  else
    start_child (self, path, pair[1], error);
  if (self->subprocess == NULL && self->child == NULL)
    {
      g_prefix_error (error, _ ("Could not start the guarded runner “%s”: "), path);
      close (pair[0]);
      return NULL;
    }
  begin (self, pair[0]);
  return g_steal_pointer (&self);
}

FhRunnerProcess *
fh_runner_process_start_client (const char *const *argv,
                                const char *const *environment,
                                const FhRunnerListener *listener,
                                gpointer user_data,
                                GError **error)
{
  g_autoptr (FhRunnerProcess) self = NULL;
  int pair[2];
  int errors = -1;

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);
  g_return_val_if_fail (listener != NULL, NULL);

  if (!open_pair (pair, error))
    return NULL;
  self = g_object_new (FH_TYPE_RUNNER_PROCESS, NULL);
  self->listener = listener;
  self->user_data = user_data;
  self->subprocess = fh_runner_spawn_client (argv, environment, pair[1], &errors, error);
  if (self->subprocess == NULL)
    {
      g_prefix_error (error, _ ("Could not start the container engine’s program “%s”: "), argv[0]);
      close (pair[0]);
      return NULL;
    }
  self->client_errors = fh_client_errors_new (errors, flooded_cb, self);
  begin (self, pair[0]);
  return g_steal_pointer (&self);
}

char *
fh_runner_process_dup_client_stderr (FhRunnerProcess *self)
{
  g_return_val_if_fail (FH_IS_RUNNER_PROCESS (self), NULL);

  return self->client_errors != NULL ? fh_client_errors_dup_text (self->client_errors)
                                     : g_strdup ("");
}

int
fh_runner_process_get_exit_status (FhRunnerProcess *self)
{
  g_return_val_if_fail (FH_IS_RUNNER_PROCESS (self), -1);

  if (!self->dead || self->wait_status < 0 || !WIFEXITED (self->wait_status))
    return -1;
  return WEXITSTATUS (self->wait_status);
}

GPid
fh_runner_process_get_pid (FhRunnerProcess *self)
{
  const char *identifier;

  g_return_val_if_fail (FH_IS_RUNNER_PROCESS (self), 0);

  identifier = self->subprocess != NULL ? g_subprocess_get_identifier (self->subprocess) : NULL;
  return identifier != NULL ? atoi (identifier) : 0;
}

void
fh_runner_process_send (FhRunnerProcess *self, GBytes *frames)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  fh_frame_stream_send (self->stream, frames);
}

void
fh_runner_process_send_file (FhRunnerProcess *self, const char *name, GBytes *content)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  fh_frame_stream_send_file (self->stream,
                             &(FhRunFile){ .path = (char *) name, .content = content });
}

void
fh_runner_process_send_files (FhRunnerProcess *self, GPtrArray *files)
{
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const FhRunFile *file = g_ptr_array_index (files, i);

      fh_frame_stream_send_file (self->stream, file);
    }
}

void
fh_runner_process_send_input (FhRunnerProcess *self, GBytes *standard_input)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  fh_frame_stream_send_input (self->stream, standard_input);
}

void
fh_runner_process_set_listener (FhRunnerProcess *self,
                                const FhRunnerListener *listener,
                                gpointer user_data)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));
  g_return_if_fail (self->listener != NULL && listener != NULL);

  self->listener = listener;
  self->user_data = user_data;
}

void
fh_runner_process_send_frame (FhRunnerProcess *self, enum fh_frame_kind kind, GBytes *payload)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  fh_frame_stream_send_frame (self->stream, kind, payload);
}

void
fh_runner_process_let_paint (FhRunnerProcess *self)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  fh_frame_stream_let_paint (self->stream);
}

void
fh_runner_process_kill (FhRunnerProcess *self)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  if (self->dead)
    return;
  if (self->child != NULL)
    {
      fh_portal_child_kill (self->child);
      return;
    }
  /* GLib would send the signal from its worker thread: too late if we exit right after this. */
  if (self->pidfd < 0 || pidfd_send_signal (self->pidfd, SIGKILL, NULL, 0) != 0)
    g_subprocess_force_exit (self->subprocess);
}

void
fh_runner_process_close (FhRunnerProcess *self)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  self->listener = NULL;
  fh_frame_stream_close (self->stream);
  if (self->folder != NULL)
    fh_portal_folder_leave (self->folder);
  start_deadline (self);
}
