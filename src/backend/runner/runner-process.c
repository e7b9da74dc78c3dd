/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "main-source.h"
#include "path-error.h"
#include "runner-spawn.h"

/* From the end of the connection to the kill. Ending what it runs takes a runner milliseconds. */
#define END_GRACE_MS 2000

/* A client that writes more than this to its standard error is killed, as it would starve us. */
#define CLIENT_STDERR_FLOOD ((gsize) 1 << 20)

#define CONTAINER_ENDED N_ ("The container exited before it reported the result of the run.")

/* `gone` is called when the stream has ended and the process is dead, in either order. `why` is set
 * by the first of the two that knows a reason. */
struct _FhRunnerProcess
{
  GObject parent_instance;

  GSubprocess *subprocess;
  int pidfd; /* -1 on kernels without */
  FhFrameStream *stream;
  const FhRunnerListener *listener; /* NULL after fh_runner_process_close */
  gpointer user_data;
  GSource *deadline;
  char *why;
  gboolean stream_ended;
  gboolean dead;
  /* Of an engine's client. */
  gboolean is_client;
  int stderr_fd; /* -1 after its end */
  GSource *stderr_source;
  GString *client_stderr; /* the first FH_RUNNER_CLIENT_STDERR_MAX bytes */
  gsize stderr_size;      /* all bytes */
};

G_DEFINE_FINAL_TYPE (FhRunnerProcess, fh_runner_process, G_TYPE_OBJECT)

static void
stop_stderr (FhRunnerProcess *self)
{
  fh_source_clear (&self->stderr_source);
  if (self->stderr_fd >= 0)
    close (g_steal_fd (&self->stderr_fd));
}

/* Killed before its standard error is closed: a client that sees it closed exits by itself, and its
 * messages would be taken for the reason. */
static void
end_flood (FhRunnerProcess *self)
{
  if (self->why == NULL)
    self->why = g_strdup (_ ("The container engine’s client kept writing error messages and was "
                             "stopped."));
  fh_runner_process_kill (self);
  stop_stderr (self);
}

/* Bytes over FH_RUNNER_CLIENT_STDERR_MAX are read and dropped, or the client would block. */
static void
read_stderr (FhRunnerProcess *self)
{
  char buffer[4096];

  for (guint turn = 0; self->stderr_fd >= 0 && turn < 32; turn++)
    {
      ssize_t n = read (self->stderr_fd, buffer, sizeof buffer);
      gsize room = FH_RUNNER_CLIENT_STDERR_MAX - self->client_stderr->len;

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        stop_stderr (self);
      else
        {
          g_string_append_len (self->client_stderr, buffer, (gssize) MIN ((gsize) n, room));
          self->stderr_size += (gsize) n;
          if (self->stderr_size > CLIENT_STDERR_FLOOD)
            end_flood (self);
        }
    }
}

static gboolean
stderr_cb (int fd, GIOCondition condition, gpointer user_data)
{
  read_stderr (FH_RUNNER_PROCESS (user_data));
  return G_SOURCE_CONTINUE;
}

/* Does not wait for the end of the client's standard error: a process that the client started may
 * hold it open. */
static void
report_gone (FhRunnerProcess *self)
{
  g_autoptr (FhRunnerProcess) alive = NULL;
  const FhRunnerListener *listener = self->listener;

  if (listener == NULL || !self->stream_ended || !self->dead)
    return;
  alive = g_object_ref (self);
  self->listener = NULL;
  if (self->is_client)
    read_stderr (self);
  listener->gone (self->why, self->user_data);
}

static gboolean
deadline_cb (gpointer user_data)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (user_data);

  g_clear_pointer (&self->deadline, g_source_unref);
  /* We kill it ourselves; don't report an outside signal. */
  if (self->is_client && self->why == NULL)
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
describe_end (GSubprocess *subprocess)
{
  if (g_subprocess_get_if_signaled (subprocess))
    {
      /* Translators: %d is the number of a signal. */
      return g_strdup_printf (_ ("The guarded runner was killed from outside (signal %d)."),
                              g_subprocess_get_term_sig (subprocess));
    }
  /* Translators: %d is an exit status. */
  return g_strdup_printf (
      _ ("The guarded runner exited with status %d before it reported the result of the run."),
      g_subprocess_get_if_exited (subprocess) ? g_subprocess_get_exit_status (subprocess) : -1);
}

static char *
describe_end_of_client (GSubprocess *subprocess)
{
  if (g_subprocess_get_if_signaled (subprocess))
    {
      /* Translators: %d is the number of a signal. */
      return g_strdup_printf (_ ("The container engine’s program was killed from outside (signal "
                                 "%d)."),
                              g_subprocess_get_term_sig (subprocess));
    }
  return g_strdup (_ (CONTAINER_ENDED));
}

static void
dead_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRunnerProcess) self = FH_RUNNER_PROCESS (user_data);

  g_subprocess_wait_finish (self->subprocess, result, NULL);
  self->dead = TRUE;
  fh_source_clear (&self->deadline);
  if (self->why == NULL)
    self->why = self->is_client ? describe_end_of_client (self->subprocess)
                                : describe_end (self->subprocess);
  if (self->stream_ended)
    report_gone (self);
  else
    fh_frame_stream_set_peer_gone (self->stream);
}

static void
fh_runner_process_dispose (GObject *object)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (object);

  self->listener = NULL;
  fh_source_clear (&self->deadline);
  stop_stderr (self);
  if (self->stream != NULL)
    fh_frame_stream_close (self->stream);
  g_clear_object (&self->stream);
  g_clear_object (&self->subprocess);
  g_clear_pointer (&self->why, g_free);

  G_OBJECT_CLASS (fh_runner_process_parent_class)->dispose (object);
}

static void
fh_runner_process_finalize (GObject *object)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (object);

  if (self->pidfd >= 0)
    close (self->pidfd);
  if (self->client_stderr != NULL)
    g_string_free (self->client_stderr, TRUE);

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
  self->stderr_fd = -1;
}

/* Takes ownership of `fd`, our end of the socket. */
static void
begin (FhRunnerProcess *self, int fd)
{
  GPid pid = fh_runner_process_get_pid (self);

  if (pid != 0)
    self->pidfd = pidfd_open (pid, 0);
  fcntl (fd, F_SETFL, O_NONBLOCK);
  self->stream =
      fh_frame_stream_new (fd, self->listener->frame, self->user_data, stream_end_cb, self);
  g_subprocess_wait_async (self->subprocess, NULL, dead_cb, g_object_ref (self));
}

static gboolean
open_pair (int pair[2], GError **error)
{
  return socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0 ||
         fh_errno_error (error, errno, _ ("Could not connect to the guarded runner"));
}

FhRunnerProcess *
fh_runner_process_start (const char *path,
                         GBytes *standard_input,
                         const FhRunnerListener *listener,
                         gpointer user_data,
                         GError **error)
{
  g_autoptr (FhRunnerProcess) self = NULL;
  int pair[2];

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (listener != NULL, NULL);

  if (!open_pair (pair, error))
    return NULL;
  self = g_object_new (FH_TYPE_RUNNER_PROCESS, NULL);
  self->listener = listener;
  self->user_data = user_data;
  self->subprocess = fh_runner_spawn (path, pair[1], standard_input, error);
  if (self->subprocess == NULL)
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

  g_return_val_if_fail (argv != NULL && argv[0] != NULL, NULL);
  g_return_val_if_fail (listener != NULL, NULL);

  if (!open_pair (pair, error))
    return NULL;
  self = g_object_new (FH_TYPE_RUNNER_PROCESS, NULL);
  self->listener = listener;
  self->user_data = user_data;
  self->subprocess = fh_runner_spawn_client (argv, environment, pair[1], &self->stderr_fd, error);
  if (self->subprocess == NULL)
    {
      g_prefix_error (error, _ ("Could not start the container engine’s program “%s”: "), argv[0]);
      close (pair[0]);
      return NULL;
    }
  self->is_client = TRUE;
  self->client_stderr = g_string_new (NULL);
  self->stderr_source =
      fh_source_attach (g_unix_fd_source_new (self->stderr_fd, G_IO_IN | G_IO_HUP | G_IO_ERR),
                        G_SOURCE_FUNC (stderr_cb),
                        self,
                        NULL);
  begin (self, pair[0]);
  return g_steal_pointer (&self);
}

char *
fh_runner_process_dup_client_stderr (FhRunnerProcess *self)
{
  g_return_val_if_fail (FH_IS_RUNNER_PROCESS (self), NULL);

  if (self->client_stderr == NULL)
    return g_strdup ("");
  return g_utf8_make_valid (self->client_stderr->str, (gssize) self->client_stderr->len);
}

int
fh_runner_process_get_exit_status (FhRunnerProcess *self)
{
  g_return_val_if_fail (FH_IS_RUNNER_PROCESS (self), -1);

  if (!self->dead || !g_subprocess_get_if_exited (self->subprocess))
    return -1;
  return g_subprocess_get_exit_status (self->subprocess);
}

GPid
fh_runner_process_get_pid (FhRunnerProcess *self)
{
  const char *identifier;

  g_return_val_if_fail (FH_IS_RUNNER_PROCESS (self), 0);

  identifier = g_subprocess_get_identifier (self->subprocess);
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

  fh_frame_stream_send_file (self->stream, name, content);
}

void
fh_runner_process_send_input (FhRunnerProcess *self, GBytes *standard_input)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  fh_frame_stream_send_input (self->stream, standard_input);
}

static void
send_empty (FhRunnerProcess *self, enum fh_frame_kind kind)
{
  struct fh_buffer buffer;
  g_autoptr (GBytes) frame = NULL;

  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE);
  fh_frame_end (&buffer, fh_frame_begin (&buffer, kind));
  frame = g_bytes_new (buffer.data, buffer.size);
  fh_buffer_clear (&buffer);
  fh_frame_stream_send (self->stream, frame);
}

void
fh_runner_process_send_start (FhRunnerProcess *self)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  send_empty (self, FH_FRAME_START);
}

void
fh_runner_process_send_stop (FhRunnerProcess *self)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  send_empty (self, FH_FRAME_STOP);
}

void
fh_runner_process_kill (FhRunnerProcess *self)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  if (self->dead)
    return;
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
  start_deadline (self);
}
