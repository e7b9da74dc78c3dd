/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptor.h"
#include "hostile-folder.h"
#include "main-source.h"
#include "path-error.h"
#include "wire-event.h"

/* From the end of the connection to the kill. Ending what it runs takes a runner milliseconds. */
#define END_GRACE_MS 2000

/* See move_up(). */
#define FIRST_SAFE_FD 10

/* So much of a client's standard error is kept. One that writes more than the second has gone
 * wrong, and is stopped before it starves us. */
#define ERRORS_MAX   ((gsize) 64 << 10)
#define ERRORS_FLOOD ((gsize) 1 << 20)
#define ERROR_TURNS  32

#define CONTAINER_ENDED N_ ("The container exited before it reported the result of the run.")

G_DEFINE_FINAL_TYPE (FhRunner, fh_runner, G_TYPE_OBJECT)

/* Keeps the text. */
static void
stop_errors (FhRunner *self)
{
  fh_source_clear (&self->errors_source);
  if (self->errors_fd >= 0)
    close (g_steal_fd (&self->errors_fd));
}

/* The client is killed before its standard error is closed: one that sees it closed exits by
 * itself, and its messages would be taken for the reason. */
static void
stop_flood (FhRunner *self)
{
  if (self->why == NULL)
    self->why = g_strdup (_ ("The container engine’s client kept writing error messages and was "
                             "stopped."));
  fh_runner_kill (self);
  stop_errors (self);
}

/* The beginning is kept, the rest is read and dropped, or the client would block. */
static void
read_errors (FhRunner *self)
{
  char buffer[4096];

  for (guint turn = 0; self->errors_fd >= 0 && turn < ERROR_TURNS; turn++)
    {
      ssize_t n = read (self->errors_fd, buffer, sizeof buffer);

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        {
          stop_errors (self);
          return;
        }
      g_string_append_len (self->errors,
                           buffer,
                           (gssize) MIN ((gsize) n, ERRORS_MAX - self->errors->len));
      self->errors_size += (gsize) n;
      if (self->errors_size > ERRORS_FLOOD)
        stop_flood (self);
    }
}

static gboolean
errors_cb (int fd, GIOCondition condition, gpointer user_data)
{
  read_errors (FH_RUNNER (user_data));
  return G_SOURCE_CONTINUE;
}

/* Does not wait for the end of the client's standard error: a process that the client started may
 * hold it open. */
static void
report_gone (FhRunner *self)
{
  g_autoptr (FhRunner) alive = NULL;
  const FhRunnerListener *listener = self->listener;

  if (listener == NULL || !self->stream_ended || !self->dead || self->is_sweeping)
    return;
  alive = g_object_ref (self);
  self->listener = NULL;
  read_errors (self);
  listener->gone (self->why, self->user_data);
}

static gboolean
deadline_cb (gpointer user_data)
{
  FhRunner *self = FH_RUNNER (user_data);

  g_clear_pointer (&self->deadline, g_source_unref);
  /* We kill it ourselves; don't report an outside signal. */
  if (self->errors != NULL && self->why == NULL)
    self->why = g_strdup (_ (CONTAINER_ENDED));
  fh_runner_kill (self);
  return G_SOURCE_REMOVE;
}

/* The source holds a reference, because all others may be dropped meanwhile. */
static void
start_deadline (FhRunner *self)
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
  FhRunner *self = FH_RUNNER (user_data);

  return self->listener->frame (frame, self->user_data);
}

static void
stream_end_cb (gboolean is_broken, gpointer user_data)
{
  FhRunner *self = FH_RUNNER (user_data);

  self->stream_ended = TRUE;
  if (is_broken)
    {
      g_free (self->why);
      self->why = g_strdup (_ ("Invalid message from the guarded runner (version mismatch?). "
                               "Reinstall Fumehood."));
      fh_runner_kill (self);
    }
  if (self->dead)
    report_gone (self);
  else
    start_deadline (self);
}

static char *
describe_end (FhRunner *self)
{
  const int status = self->wait_status;

  if (status < 0)
    return g_strdup (_ ("Flatpak’s portal ended while the program ran, so the program was "
                        "stopped."));
  if (WIFSIGNALED (status) && self->errors != NULL)
    {
      /* Translators: %d is the number of a signal. */
      return g_strdup_printf (_ ("The container engine’s program was killed from outside (signal "
                                 "%d)."),
                              WTERMSIG (status));
    }
  if (self->errors != NULL)
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

/* Removes what runners have made for a program and could not remove themselves, in the places where
 * run-folder.c may make it; not what belongs to runners that live. */
static void
sweep_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "fumehood", NULL);
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".cache", "fumehood", NULL);
  g_autofree char *runtime = g_build_filename (g_get_user_runtime_dir (), "fumehood", NULL);
  const char *const places[] = { cache, home, runtime, g_get_tmp_dir () };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      fh_autofd int parent = open (places[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

      if (parent >= 0)
        fh_hostile_folder_remove_leftovers (parent, FH_RUN_FOLDER_PREFIX);
    }
  g_task_return_boolean (task, TRUE);
}

static void
swept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FH_RUNNER (source)->is_sweeping = FALSE;
  report_gone (FH_RUNNER (source));
}

static void
handle_death (FhRunner *self, int wait_status)
{
  self->wait_status = wait_status;
  self->dead = TRUE;
  fh_source_clear (&self->deadline);
  if (self->why == NULL)
    self->why = describe_end (self);
  /* The run ends only when that is done, because a command ends with it. */
  self->is_sweeping = self->subprocess != NULL && self->errors == NULL && WIFSIGNALED (wait_status);
  if (self->is_sweeping)
    {
      g_autoptr (GTask) task = g_task_new (self, NULL, swept_cb, NULL);

      g_task_run_in_thread (task, sweep_in_thread);
    }
  if (self->stream_ended)
    report_gone (self);
  else
    fh_frame_stream_set_peer_gone (self->stream);
}

static void
dead_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhRunner) self = FH_RUNNER (user_data);

  g_subprocess_wait_finish (self->subprocess, result, NULL);
  handle_death (self, g_subprocess_get_status (self->subprocess));
}

/* As the runner itself would. */
static void
report_fault (FhRunner *self, const char *step, int error)
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
  g_autoptr (FhRunner) self = FH_RUNNER (user_data);

  if (step != NULL)
    report_fault (self, step, error);
  /* Also without the portal: then the program cannot be killed from here, but the runner does it
   * when the connection ends. */
  handle_death (self, wait_status);
}

/* Whatever would call back holds a reference, so nothing is pending any more. */
static void
fh_runner_finalize (GObject *object)
{
  FhRunner *self = FH_RUNNER (object);

  fh_source_clear (&self->deadline);
  stop_errors (self);
  g_clear_pointer (&self->stream, fh_frame_stream_free);
  g_clear_object (&self->subprocess);
  g_clear_object (&self->child);
  g_clear_pointer (&self->folder, fh_portal_folder_free);
  g_free (self->why);
  if (self->pidfd >= 0)
    close (self->pidfd);
  if (self->errors != NULL)
    g_string_free (self->errors, TRUE);
  g_object_unref (self->closing);

  G_OBJECT_CLASS (fh_runner_parent_class)->finalize (object);
}

static void
fh_runner_class_init (FhRunnerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_runner_finalize;
}

static void
fh_runner_init (FhRunner *self)
{
  self->pidfd = self->errors_fd = -1;
  self->closing = g_cancellable_new ();
}

/* GLib's posix_spawn moves each descriptor to its target and then closes its old number, even if
 * that has just become another's target. Numbers above all targets are safe. */
static int
move_up (int fd)
{
  int moved = fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, FIRST_SAFE_FD) : -1;

  if (fd >= 0)
    close (fd);
  return moved;
}

/* A sandbox without a filesystem of its own writes to the cache folder. */
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

/* Moves this thread, from which a child inherits its place: sched_setaffinity (2). FALSE, and
 * nothing is moved, if that is not possible. */
static gboolean
move_to (int cpu, cpu_set_t *usual)
{
  cpu_set_t one;

  if (cpu >= CPU_SETSIZE || sched_getaffinity (0, sizeof *usual, usual) != 0)
    return FALSE;
  CPU_ZERO (&one);
  CPU_SET (cpu, &one);
  return sched_setaffinity (0, sizeof one, &one) == 0;
}

/* All our descriptors are close-on-exec, so GLib may inherit them and use posix_spawn, whose cost
 * does not depend on our size; a fork from a window of 100 MB takes milliseconds. The runner itself
 * changes to "/" and closes what is not its own. */
static GSubprocess *
spawn_runner (const char *path, int cpu, int socket_fd, GError **error)
{
  const char *const argv[] = { path, NULL };
  g_auto (GStrv) environment = runner_environment ();
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_INHERIT_FDS);
  int output = move_up (open ("/dev/null", O_WRONLY | O_CLOEXEC));
  GSubprocess *runner;
  cpu_set_t usual;

  socket_fd = move_up (socket_fd);
  g_subprocess_launcher_set_environ (launcher, environment);
  if (socket_fd >= 0)
    g_subprocess_launcher_take_fd (launcher, socket_fd, FH_WIRE_FD);
  if (output >= 0)
    g_subprocess_launcher_take_stdout_fd (launcher, output);
  if (cpu < 0 || !move_to (cpu, &usual))
    return g_subprocess_launcher_spawnv (launcher, argv, error);
  runner = g_subprocess_launcher_spawnv (launcher, argv, error);
  sched_setaffinity (0, sizeof usual, &usual);
  return runner;
}

/* Between fork and exec. */
static void
leave_session (gpointer user_data)
{
  setsid ();
}

/* A child setup function makes GLib fork, which is cheap beside what an engine does. */
static GSubprocess *
spawn_client (const char *const *argv,
              const char *const *environment,
              int socket_fd,
              int *errors,
              GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_INHERIT_FDS);
  GSubprocess *client;
  int pair[2];

  socket_fd = move_up (socket_fd);
  if (socket_fd < 0 || !g_unix_open_pipe (pair, FD_CLOEXEC, error))
    return NULL;
  g_unix_set_fd_nonblocking (pair[0], TRUE, NULL);
  g_subprocess_launcher_set_environ (launcher, (char **) environment);
  g_subprocess_launcher_set_child_setup (launcher, leave_session, NULL, NULL);
  g_subprocess_launcher_take_stdout_fd (launcher,
                                        fcntl (socket_fd, F_DUPFD_CLOEXEC, FIRST_SAFE_FD));
  g_subprocess_launcher_take_stdin_fd (launcher, socket_fd);
  g_subprocess_launcher_take_stderr_fd (launcher, move_up (pair[1]));
  client = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (client != NULL)
    *errors = pair[0];
  else
    close (pair[0]);
  return client;
}

/* Takes ownership of `fd`, our end of the socket. */
static void
begin (FhRunner *self, int fd)
{
  GPid pid = fh_runner_get_pid (self);

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
start_child (FhRunner *self, const char *path, int socket_fd, GError **error)
{
  const char *const argv[] = { path, NULL };
  const int null = open ("/dev/null", O_RDWR | O_CLOEXEC);
  const int fds[] = { null, null, null, socket_fd };
  const FhPortalSpawn spawn = { argv, fds, G_N_ELEMENTS (fds), self->folder->handle };

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

FhRunner *
fh_runner_start (const char *path, int cpu, FhPortalFolder *folder, GError **error)
{
  g_autoptr (FhRunner) self = g_object_new (FH_TYPE_RUNNER, NULL);
  int pair[2];

  self->folder = folder;
  if (!open_pair (pair, error))
    return NULL;
  if (folder == NULL)
    self->subprocess = spawn_runner (path, cpu, pair[1], error);
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

FhRunner *
fh_runner_start_client (const char *const *argv, const char *const *environment, GError **error)
{
  g_autoptr (FhRunner) self = g_object_new (FH_TYPE_RUNNER, NULL);
  int pair[2];

  if (!open_pair (pair, error))
    return NULL;
  self->subprocess = spawn_client (argv, environment, pair[1], &self->errors_fd, error);
  if (self->subprocess == NULL)
    {
      g_prefix_error (error, _ ("Could not start the container engine’s program “%s”: "), argv[0]);
      close (pair[0]);
      return NULL;
    }
  self->errors = g_string_new (NULL);
  self->errors_source =
      fh_source_attach (g_unix_fd_source_new (self->errors_fd, G_IO_IN | G_IO_HUP | G_IO_ERR),
                        G_SOURCE_FUNC (errors_cb),
                        self,
                        NULL);
  begin (self, pair[0]);
  return g_steal_pointer (&self);
}

void
fh_runner_listen (FhRunner *self, const FhRunnerListener *listener, gpointer user_data)
{
  g_return_if_fail (!g_cancellable_is_cancelled (self->closing) && listener != NULL);

  self->listener = listener;
  self->user_data = user_data;
}

char *
fh_runner_dup_client_stderr (FhRunner *self)
{
  return self->errors != NULL ? g_utf8_make_valid (self->errors->str, (gssize) self->errors->len)
                              : g_strdup ("");
}

int
fh_runner_get_exit_status (FhRunner *self)
{
  if (!self->dead || self->wait_status < 0 || !WIFEXITED (self->wait_status))
    return -1;
  return WEXITSTATUS (self->wait_status);
}

GPid
fh_runner_get_pid (FhRunner *self)
{
  const char *identifier;

  identifier = self->subprocess != NULL ? g_subprocess_get_identifier (self->subprocess) : NULL;
  return identifier != NULL ? atoi (identifier) : 0;
}

void
fh_runner_kill (FhRunner *self)
{
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
fh_runner_close (FhRunner *self)
{
  self->listener = NULL;
  g_cancellable_cancel (self->closing);
  fh_frame_stream_close (self->stream);
  if (self->folder != NULL)
    fh_portal_folder_leave (self->folder);
  start_deadline (self);
}
