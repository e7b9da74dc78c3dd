/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proxy-process.h"

#include "descriptor.h"
#include "wire-policy.h"
#include "wire-proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define IN_A_TURN 32

/* Reported one by one, leaving places for other attempts. */
#define HOSTS_MAX (FH_ATTEMPTS_MAX / 4)

/* Its processes die of SIGKILL one after the other, in less than a millisecond. */
#define TIMEOUT_MS 1000

bool
proxy_process_find (char *path, size_t size)
{
  static const char *const places[] = { "fumehood-proxy", "../proxy/fumehood-proxy" };
  ssize_t length = readlink ("/proc/self/exe", path, size);
  char *name;

  if (length < 0)
    return false;
  if ((size_t) length >= size)
    {
      errno = ENAMETOOLONG;
      return false;
    }
  path[length] = '\0';
  name = strrchr (path, '/') + 1;
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    {
      const size_t room = size - (size_t) (name - path);

      if ((size_t) snprintf (name, room, "%s", places[i]) < room && access (path, X_OK) == 0)
        return true;
    }
  return false;
}

/* Keeps only these descriptors; all others are close-on-exec. Both numbers are above their targets,
 * where the supervisor has the backend's socket. Returns only on failure. */
static int
become_proxy (const char *path, char *const *arguments, int listener, int report)
{
  char *const environment[] = { NULL };

  for (int fd = 0; fd <= 2; fd++)
    {
      close (fd);
      if (open ("/dev/null", O_RDWR) != fd)
        return EBADF;
    }
  if (dup2 (listener, FH_PROXY_LISTENER_FD) >= 0 && dup2 (report, FH_PROXY_REPORT_FD) >= 0 &&
      fcntl (FH_PROXY_REPORT_FD, F_SETFD, 0) == 0 && fcntl (FH_PROXY_LISTENER_FD, F_SETFD, 0) == 0)
    execve (path, arguments, environment);
  return errno;
}

/* Returns 0 or an errno. Until it executes, the child shares our memory, clone (2), and returns the
 * error there. */
static int
spawn_with (struct proxy_process *proxy, char *const *hosts, int listener, int report)
{
  char *arguments[FH_POLICY_MAX_HOSTS + 2] = { (char *) "fumehood-proxy" };
  char path[PATH_MAX];
  volatile int error = 0;
  pid_t pid;

  if (!proxy_process_find (path, sizeof path))
    return errno;
  for (size_t i = 0; i < FH_POLICY_MAX_HOSTS && hosts[i] != NULL; i++)
    arguments[i + 1] = hosts[i];
  pid = vfork ();
  if (pid == 0)
    {
      error = become_proxy (path, arguments, listener, report);
      _exit (127);
    }
  if (pid < 0)
    return errno;
  if (error != 0)
    waitpid (pid, NULL, 0);
  else
    proxy->pid = pid;
  return error;
}

bool
proxy_process_start (struct proxy_process *proxy, char *const *hosts, int listener)
{
  fh_autofd int taken = listener;
  int pair[2];
  int error;

  *proxy = PROXY_PROCESS_NONE;
  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
    return false;
  error = spawn_with (proxy, hosts, listener, pair[1]);
  close (pair[1]);
  if (error == 0)
    {
      proxy->report = pair[0];
      return true;
    }
  close (pair[0]);
  *proxy = PROXY_PROCESS_NONE;
  errno = error;
  return false;
}

void
proxy_process_prepare (const struct proxy_process *proxy, struct pollfd *fd)
{
  *fd = (struct pollfd){ .fd = proxy->report, .events = POLLIN };
}

static void
count (struct proxy_process *proxy,
       struct attempt_list *attempts,
       const struct fh_proxy_report *report,
       uint64_t time_us)
{
  struct fh_attempt attempt = {
    .guard = FH_WIRE_GUARD_NETWORK,
    .verdict = report->is_refused ? FH_WIRE_DENIED : FH_WIRE_OBSERVED,
    .time_us = time_us,
    .layer = "proxy",
    .operation = "use proxy for",
    .object = report->object,
    .command = "",
  };

  if (attempt_list_count (attempts, &attempt))
    return;
  if (proxy->hosts == HOSTS_MAX)
    attempt.object = "more hosts";
  else
    proxy->hosts++;
  attempt_list_add (attempts, &attempt);
}

/* False if there is nothing more for now. */
static bool
receive_one (struct proxy_process *proxy, struct attempt_list *attempts, uint64_t time_us)
{
  struct fh_proxy_report report;
  ssize_t size = recv (proxy->report, &report, sizeof report, MSG_DONTWAIT);

  if (size < 0 && errno == EAGAIN)
    return false;
  if (size <= 0)
    {
      fh_clear_fd (&proxy->report);
      return false;
    }
  if (size == (ssize_t) sizeof report && memchr (report.object, '\0', sizeof report.object) != NULL)
    count (proxy, attempts, &report, time_us);
  return true;
}

void
proxy_process_receive (struct proxy_process *proxy, struct attempt_list *attempts, uint64_t time_us)
{
  for (int i = 0; i < IN_A_TURN && proxy->report >= 0; i++)
    {
      if (!receive_one (proxy, attempts, time_us))
        return;
    }
}

void
proxy_process_end (struct proxy_process *proxy, struct attempt_list *attempts, uint64_t time_us)
{
  bool is_over = true;

  if (proxy->pid < 0)
    return;
  kill (proxy->pid, SIGKILL);
  /* The socket is closed when the last process has ended. */
  while (proxy->report >= 0 && is_over)
    {
      struct pollfd fd = { .fd = proxy->report, .events = POLLIN };

      is_over = poll (&fd, 1, TIMEOUT_MS) != 0;
      if (is_over)
        proxy_process_receive (proxy, attempts, time_us);
    }
  waitpid (proxy->pid, NULL, is_over ? 0 : WNOHANG);
  fh_clear_fd (&proxy->report);
  *proxy = PROXY_PROCESS_NONE;
}
