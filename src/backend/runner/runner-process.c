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

#include "frame-stream.h"
#include "runner-spawn.h"

/* How long a runner that hung up may take to end before it is killed. It has nothing left to do
 * but to end what it runs, which takes milliseconds. */
#define PATIENCE_MS 2000

#define CONTAINER_ENDED N_ ("The container ended before Fumehood heard how the run ended.")

/* The conversation is over when the stream ended and the process is dead, in either order. `why`
 * is set by the first of the two that knows better than "it ended". */
struct _FhRunnerProcess
{
  GObject parent_instance;

  GSubprocess *subprocess;
  int pidfd; /* -1 on kernels without */
  FhFrameStream *stream;
  const FhRunnerListener *listener; /* NULL after fh_runner_process_close */
  gpointer user_data;
  GSource *patience;
  char *why;
  gboolean stream_ended;
  gboolean dead;
  /* Of an engine's client: what it writes to its standard error. */
  gboolean is_client;
  int complaints; /* -1 after its end */
  GSource *complaints_source;
  GString *complaint;
};

G_DEFINE_FINAL_TYPE (FhRunnerProcess, fh_runner_process, G_TYPE_OBJECT)

static void
stop_complaints (FhRunnerProcess *self)
{
  if (self->complaints_source != NULL)
    g_source_destroy (self->complaints_source);
  g_clear_pointer (&self->complaints_source, g_source_unref);
  if (self->complaints >= 0)
    close (g_steal_fd (&self->complaints));
}

/* What is over the limit is read and forgotten, because a client that cannot write stands still.
 * One that writes without end gets its turns like others. */
static void
read_complaints (FhRunnerProcess *self)
{
  char buffer[4096];

  for (guint turn = 0; self->complaints >= 0 && turn < 32; turn++)
    {
      ssize_t n = read (self->complaints, buffer, sizeof buffer);
      gsize room = FH_RUNNER_COMPLAINT_MAX - self->complaint->len;

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        stop_complaints (self);
      else
        g_string_append_len (self->complaint, buffer, (gssize) MIN ((gsize) n, room));
    }
}

static gboolean
complaints_cb (int fd, GIOCondition condition, gpointer user_data)
{
  read_complaints (FH_RUNNER_PROCESS (user_data));
  return G_SOURCE_CONTINUE;
}

static void
listen_for_complaints (FhRunnerProcess *self)
{
  self->complaints_source = g_unix_fd_source_new (self->complaints, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (self->complaints_source, G_SOURCE_FUNC (complaints_cb), self, NULL);
  g_source_attach (self->complaints_source, g_main_context_get_thread_default ());
}

/* Something that the client has started may hold its standard error open: what is there now is all
 * there is. */
static void
tell_gone (FhRunnerProcess *self)
{
  g_autoptr (FhRunnerProcess) alive = NULL;
  const FhRunnerListener *listener = self->listener;

  if (listener == NULL || !self->stream_ended || !self->dead)
    return;
  alive = g_object_ref (self);
  self->listener = NULL;
  if (self->is_client)
    read_complaints (self);
  listener->gone (self->why, self->user_data);
}

static void
stop_patience (FhRunnerProcess *self)
{
  if (self->patience == NULL)
    return;
  g_source_destroy (self->patience);
  g_clear_pointer (&self->patience, g_source_unref);
}

static gboolean
patience_ended_cb (gpointer user_data)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (user_data);

  g_clear_pointer (&self->patience, g_source_unref);
  /* It is not somebody else who kills it. */
  if (self->is_client && self->why == NULL)
    self->why = g_strdup (_ (CONTAINER_ENDED));
  fh_runner_process_kill (self);
  return G_SOURCE_REMOVE;
}

/* The source holds a reference, because the wait goes on after everybody else let go. */
static void
start_patience (FhRunnerProcess *self)
{
  if (self->dead || self->patience != NULL)
    return;
  self->patience = g_timeout_source_new (PATIENCE_MS);
  g_source_set_callback (self->patience, patience_ended_cb, g_object_ref (self), g_object_unref);
  g_source_attach (self->patience, g_main_context_get_thread_default ());
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
      self->why = g_strdup (_ ("The guarded runner sent something that makes no sense. It may be "
                               "of another version: install Fumehood anew."));
      fh_runner_process_kill (self);
    }
  if (self->dead)
    tell_gone (self);
  else
    start_patience (self);
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
      _ ("The guarded runner ended with status %d before it told how the run "
         "ended."),
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
  stop_patience (self);
  if (self->why == NULL)
    self->why = self->is_client ? describe_end_of_client (self->subprocess)
                                : describe_end (self->subprocess);
  if (self->stream_ended)
    tell_gone (self);
  else
    fh_frame_stream_set_peer_gone (self->stream);
}

static void
fh_runner_process_dispose (GObject *object)
{
  FhRunnerProcess *self = FH_RUNNER_PROCESS (object);

  self->listener = NULL;
  stop_patience (self);
  stop_complaints (self);
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
  if (self->complaint != NULL)
    g_string_free (self->complaint, TRUE);

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
  self->complaints = -1;
}

/* Takes ownership of `fd`, our end of the socket. */
static void
begin (FhRunnerProcess *self, int fd)
{
  static const FhFrameListener stream_listener = { frame_cb, stream_end_cb };
  GPid pid = fh_runner_process_get_pid (self);

  if (pid != 0)
    self->pidfd = pidfd_open (pid, 0);
  fcntl (fd, F_SETFL, O_NONBLOCK);
  self->stream = fh_frame_stream_new (fd, &stream_listener, self);
  g_subprocess_wait_async (self->subprocess, NULL, dead_cb, g_object_ref (self));
}

static gboolean
open_pair (int pair[2], GError **error)
{
  int code;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0)
    return TRUE;
  code = errno;
  g_set_error (error,
               G_IO_ERROR,
               g_io_error_from_errno (code),
               "%s: %s",
               _ ("The guarded runner could not be reached"),
               g_strerror (code));
  return FALSE;
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
      g_prefix_error (error, _ ("The guarded runner “%s” could not be started: "), path);
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
  self->subprocess = fh_runner_spawn_client (argv, environment, pair[1], &self->complaints, error);
  if (self->subprocess == NULL)
    {
      g_prefix_error (error,
                      _ ("The container engine’s program “%s” could not be started: "),
                      argv[0]);
      close (pair[0]);
      return NULL;
    }
  self->is_client = TRUE;
  self->complaint = g_string_new (NULL);
  listen_for_complaints (self);
  begin (self, pair[0]);
  return g_steal_pointer (&self);
}

char *
fh_runner_process_dup_complaint (FhRunnerProcess *self)
{
  g_return_val_if_fail (FH_IS_RUNNER_PROCESS (self), NULL);

  if (self->complaint == NULL)
    return g_strdup ("");
  return g_utf8_make_valid (self->complaint->str, (gssize) self->complaint->len);
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
  /* GLib would send the signal from its worker thread, which is too late for a program that exits
   * right after this. */
  if (self->pidfd < 0 || pidfd_send_signal (self->pidfd, SIGKILL, NULL, 0) != 0)
    g_subprocess_force_exit (self->subprocess);
}

void
fh_runner_process_close (FhRunnerProcess *self)
{
  g_return_if_fail (FH_IS_RUNNER_PROCESS (self));

  self->listener = NULL;
  fh_frame_stream_close (self->stream);
  start_patience (self);
}
