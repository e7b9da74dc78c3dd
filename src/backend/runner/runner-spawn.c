/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner-spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wire-frame.h"

#define FIRST_SAFE_FD 10

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
 * of 100 MB takes milliseconds. The runner itself changes to "/" and closes what is not its own. */
GSubprocess *
fh_runner_spawn (const char *path, int socket_fd, GBytes *standard_input, GError **error)
{
  const char *const argv[] = { path, NULL };
  g_auto (GStrv) environment = runner_environment ();
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_INHERIT_FDS);
  int output = move_up (open ("/dev/null", O_WRONLY | O_CLOEXEC));
  int input = -1;

  socket_fd = move_up (socket_fd);
  g_subprocess_launcher_set_environ (launcher, environment);
  if (socket_fd >= 0)
    g_subprocess_launcher_take_fd (launcher, socket_fd, FH_WIRE_FD);
  if (output >= 0)
    g_subprocess_launcher_take_stdout_fd (launcher, output);
  if (standard_input != NULL && g_bytes_get_size (standard_input) > 0)
    {
      input = move_up (open_standard_input (standard_input, error));
      if (input < 0)
        return NULL;
      g_subprocess_launcher_take_stdin_fd (launcher, input);
    }
  return g_subprocess_launcher_spawnv (launcher, argv, error);
}

/* Between fork and exec. */
static void
leave_session (gpointer user_data)
{
  setsid ();
}

/* A function to be called in the child makes GLib fork. What that costs is little beside what an
 * engine does. */
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
