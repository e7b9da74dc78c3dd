/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "descriptor.h"
#include "path-error.h"
#include "wire-frame.h"

#define FIRST_SAFE_FD 10

/* GLib's posix_spawn moves each descriptor to its target and then closes its old number, even if
 * that has just become another's target. Numbers above all targets are safe. */
static int
move_up (int fd)
{
  fh_autofd int taken = fd;

  return fd >= 0 ? fcntl (fd, F_DUPFD_CLOEXEC, FIRST_SAFE_FD) : -1;
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
GSubprocess *
fh_runner_spawn (const char *path, int cpu, int socket_fd, GError **error)
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
GSubprocess *
fh_runner_spawn_client (const char *const *argv,
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
