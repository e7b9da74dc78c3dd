/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fumehood-proxy: the only way from a sandbox to the hosts that the user allowed. A runner starts
 * it in the host's network with a listening socket of the sandbox's network on descriptor 3; on
 * descriptor 4 it reports each requested host. It never outlives its runner.
 *
 * Each connection is served by a process of its own, so that none waits for another's look-up and
 * only one counter is shared.
 */
#include "config.h"

#include "confinement.h"
#include "connection.h"
#include "wire-proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Further connections wait until one has ended. */
#define MAX_CONNECTIONS 32

static const char help[] =
    "Usage: fumehood-proxy HOST…\n"
    "\n"
    "Lets one run of Fumehood reach these hosts. fumehood-runner starts it with the sockets\n"
    "it needs; it is not for use by hand. Use the option --allow-host of “fumehoodctl run”.\n"
    "\n"
    "  --help     show this text\n"
    "  --version  show the version\n";

static bool
is_socket (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISSOCK (status.st_mode);
}

static bool
has_hung_up (int fd)
{
  struct pollfd peer = { .fd = fd };

  return poll (&peer, 1, 0) > 0 && peer.revents & (POLLHUP | POLLERR);
}

static _Noreturn void
serve (int client, pid_t parent, char *const *hosts, _Atomic uint64_t *total)
{
  const struct connection connection = {
    .client = client,
    .report = FH_PROXY_REPORT_FD,
    .hosts = hosts,
    .total = total,
  };
  sigset_t none;

  /* The parent may have died before the call above. */
  if (prctl (PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid () != parent)
    _exit (1);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  close (FH_PROXY_LISTENER_FD);
  connection_serve (&connection);
  _exit (0);
}

static unsigned int
reap (int signals)
{
  struct signalfd_siginfo info;
  unsigned int n = 0;

  while (read (signals, &info, sizeof info) > 0)
    continue;
  while (waitpid (-1, NULL, WNOHANG) > 0)
    n++;
  return n;
}

static bool
accept_one (char *const *hosts, _Atomic uint64_t *total)
{
  const int client = accept4 (FH_PROXY_LISTENER_FD, NULL, NULL, SOCK_CLOEXEC);
  const pid_t self = getpid ();
  pid_t pid;

  if (client < 0)
    return false;
  pid = fork ();
  if (pid == 0)
    serve (client, self, hosts, total);
  close (client);
  return pid > 0;
}

/* Serves until the runner closes the report socket. */
static void
run (int signals, char *const *hosts, _Atomic uint64_t *total)
{
  unsigned int n = 0;

  while (true)
    {
      struct pollfd fds[] = {
        { .fd = FH_PROXY_REPORT_FD },
        { .fd = signals, .events = POLLIN },
        { .fd = n < MAX_CONNECTIONS ? FH_PROXY_LISTENER_FD : -1, .events = POLLIN },
      };

      if (poll (fds, sizeof fds / sizeof fds[0], -1) < 0 && errno != EINTR)
        return;
      if (fds[0].revents)
        return;
      if (fds[1].revents)
        n -= reap (signals);
      if (fds[2].revents & POLLIN)
        n += accept_one (hosts, total);
      else if (fds[2].revents)
        return;
    }
}

static int
fail (const char *what, int error)
{
  fprintf (stderr, "fumehood-proxy: %s: %s\n", what, strerror (error));
  return 1;
}

int
main (int argc, char **argv)
{
  _Atomic uint64_t *total;
  sigset_t children;
  int signals;
  int error;

  if (argc == 2 && strcmp (argv[1], "--help") == 0)
    return fputs (help, stdout) < 0 ? 1 : 0;
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    return puts ("fumehood-proxy " FH_VERSION) < 0 ? 1 : 0;
  if (argc < 2 || !is_socket (FH_PROXY_LISTENER_FD) || !is_socket (FH_PROXY_REPORT_FD))
    {
      fputs ("fumehood-proxy: there are no sockets on descriptors 3 and 4\n"
             "Try “fumehood-proxy --help”.\n",
             stderr);
      return 2;
    }
  if (prctl (PR_SET_PDEATHSIG, SIGKILL) < 0 || has_hung_up (FH_PROXY_REPORT_FD))
    return 1;
  sigemptyset (&children);
  sigaddset (&children, SIGCHLD);
  sigprocmask (SIG_SETMASK, &children, NULL);
  signal (SIGPIPE, SIG_IGN);
  signal (SIGCHLD, SIG_DFL);
  signal (SIGALRM, SIG_DFL);
  total = mmap (NULL, sizeof *total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (total == MAP_FAILED || close_range (FH_PROXY_REPORT_FD + 1, ~0U, 0) < 0 || chdir ("/") < 0)
    return fail ("starting", errno);
  signals = signalfd (-1, &children, SFD_NONBLOCK | SFD_CLOEXEC);
  if (signals < 0)
    return fail ("signals", errno);
  error = confinement_apply ();
  if (error < 0)
    return fail ("confinement", -error);
  run (signals, argv + 1, total);
  return 0;
}
