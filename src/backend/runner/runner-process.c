/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "frame-stream.h"

/* How long a runner that hung up may take to end before it is killed. It has nothing left to do
 * but to end what it runs, which takes milliseconds. */
#define PATIENCE_MS 2000

#define FIRST_SAFE_FD 10

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
};

G_DEFINE_FINAL_TYPE (FhRunnerProcess, fh_runner_process, G_TYPE_OBJECT)

static void
tell_gone (FhRunnerProcess *self)
{
  g_autoptr (FhRunnerProcess) alive = NULL;
  const FhRunnerListener *listener = self->listener;

  if (listener == NULL || !self->stream_ended || !self->dead)
    return;
  alive = g_object_ref (self);
  self->listener = NULL;
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

static void
dead_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRunnerProcess) self = FH_RUNNER_PROCESS (user_data);

  g_subprocess_wait_finish (self->subprocess, result, NULL);
  self->dead = TRUE;
  stop_patience (self);
  if (self->why == NULL)
    self->why = describe_end (self->subprocess);
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

static void
take_errno (GError **error, const char *what)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", what, g_strerror (code));
}

static gboolean
write_all (int fd, const guint8 *data, gsize size)
{
  while (size > 0)
    {
      ssize_t n = write (fd, data, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      data += n;
      size -= (gsize) n;
    }
  return TRUE;
}

/* The program gets a sealed file of its own: it can seek, it cannot reach anything of ours by
 * opening /proc/self/fd/0 again, and nobody has to feed a pipe. */
static int
open_standard_input (GBytes *bytes, GError **error)
{
  const int seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  int fd = memfd_create ("standard-input", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd >= 0 && write_all (fd, data, size) && lseek (fd, 0, SEEK_SET) == 0 &&
      fcntl (fd, F_ADD_SEALS, seals) == 0)
    return fd;
  take_errno (error, _ ("The standard input could not be prepared"));
  if (fd >= 0)
    close (fd);
  return -1;
}

/* GLib's posix_spawn puts each descriptor where it belongs and then closes what it was before, even
 * when that number has just been given to another one. Numbers above all targets are safe. */
static int
move_up (int fd)
{
  int moved = fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, FIRST_SAFE_FD) : -1;

  if (fd >= 0)
    close (fd);
  return moved;
}

/* The folder for caches is where a sandbox writes that has no filesystem of its own. */
static char **
runner_environment (void)
{
  const char *cache = g_getenv ("XDG_CACHE_HOME");
  char **environment = NULL;

  environment = g_environ_setenv (environment, "PATH", "/usr/local/bin:/usr/bin:/bin", TRUE);
  environment = g_environ_setenv (environment, "LANG", "C.UTF-8", TRUE);
  if (cache != NULL && g_path_is_absolute (cache))
    environment = g_environ_setenv (environment, "XDG_CACHE_HOME", cache, TRUE);
  return environment;
}

/* With all descriptors of ours close-on-exec, GLib may keep them "open" and then takes
 * posix_spawn, which costs the same however large the calling process is; a fork from a window
 * of 100 MB takes milliseconds. The runner itself changes to "/" and closes what is not its own.
 * Takes both descriptors. */
static GSubprocess *
spawn (const char *path, int socket_fd, int standard_input, GError **error)
{
  const char *const argv[] = { path, NULL };
  g_auto (GStrv) environment = runner_environment ();
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_INHERIT_FDS);
  int output = move_up (open ("/dev/null", O_WRONLY | O_CLOEXEC));

  socket_fd = move_up (socket_fd);
  standard_input = move_up (standard_input);
  g_subprocess_launcher_set_environ (launcher, environment);
  if (socket_fd >= 0)
    g_subprocess_launcher_take_fd (launcher, socket_fd, FH_WIRE_FD);
  if (output >= 0)
    g_subprocess_launcher_take_stdout_fd (launcher, output);
  if (standard_input >= 0)
    g_subprocess_launcher_take_stdin_fd (launcher, standard_input);
  return g_subprocess_launcher_spawnv (launcher, argv, error);
}

FhRunnerProcess *
fh_runner_process_start (const char *path,
                         GBytes *standard_input,
                         const FhRunnerListener *listener,
                         gpointer user_data,
                         GError **error)
{
  g_autoptr (FhRunnerProcess) self = NULL;
  GPid pid;
  int input = -1;
  int pair[2];

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (listener != NULL, NULL);

  if (standard_input != NULL && g_bytes_get_size (standard_input) > 0)
    {
      input = open_standard_input (standard_input, error);
      if (input < 0)
        return NULL;
    }
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    {
      take_errno (error, _ ("The guarded runner could not be reached"));
      if (input >= 0)
        close (input);
      return NULL;
    }
  self = g_object_new (FH_TYPE_RUNNER_PROCESS, NULL);
  self->listener = listener;
  self->user_data = user_data;
  self->subprocess = spawn (path, pair[1], input, error);
  if (self->subprocess == NULL)
    {
      g_prefix_error (error, _ ("The guarded runner “%s” could not be started: "), path);
      close (pair[0]);
      return NULL;
    }
  pid = fh_runner_process_get_pid (self);
  if (pid != 0)
    self->pidfd = pidfd_open (pid, 0);
  fcntl (pair[0], F_SETFL, O_NONBLOCK);
  {
    static const FhFrameListener stream_listener = { frame_cb, stream_end_cb };

    self->stream = fh_frame_stream_new (pair[0], &stream_listener, self);
  }
  g_subprocess_wait_async (self->subprocess, NULL, dead_cb, g_object_ref (self));
  return g_steal_pointer (&self);
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
