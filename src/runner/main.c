/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fumehood-runner: one process, one sandbox. A backend starts it with a socket on descriptor 3 and
 * speaks the frames of src/wire with it; it is of no use by hand. In a container, where an engine
 * starts it, the frames come and go on its standard input and output.
 *
 * Exit status: 0 when the run, however it ended, was told to the backend; 1 when the backend broke
 * the protocol or there was no memory; 2 when it was not started by a backend at all.
 */
#include "config.h"

#include "container-keep.h"
#include "container-open.h"
#include "plan.h"
#include "request.h"
#include "stage.h"
#include "supervisor.h"
#include "wire-container.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "Usage: fumehood-runner [--container | --keep | --open FOLDER…]\n"
    "\n"
    "Runs one program in a sandbox. Fumehood starts it with a socket on descriptor 3\n"
    "and tells it there what to run; it is not meant to be started by hand. See\n"
    "“fumehoodctl run --help” for that.\n"
    "\n"
    "  --container  run it in the container that this program was started in, told\n"
    "               what on standard input, and tell of it on standard output\n"
    "  --keep       be the first process of such a container, until SIGTERM\n"
    "  --open       let every user of such a container write to these folders\n"
    "  --help       show this text\n"
    "  --version    show the version\n";

static int
usage_error (const char *message)
{
  fprintf (stderr, "fumehood-runner: %s\nTry “fumehood-runner --help”.\n", message);
  return 2;
}

/* What a terminal sends to all of its programs is for the one in front of the user, which will
 * tell us. A pipe that the guest closes is no reason to die either. */
static void
ignore_signals (void)
{
  static const int signals[] = {
    SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU,
  };

  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    signal (signals[i], SIG_IGN);
  signal (SIGCHLD, SIG_DFL);
}

/* From the guest it would carry the guest's number; from outside of the container it has none. */
static void
obey_engine (int number, siginfo_t *info, void *context)
{
  if (info->si_pid == 0)
    _exit (1);
}

/* The kernel keeps from the first process of a container what it has not asked for. An engine that
 * is told to stop the container would wait for nothing. */
static void
hear_engine (void)
{
  const struct sigaction action = { .sa_sigaction = obey_engine, .sa_flags = SA_SIGINFO };

  if (getpid () == 1)
    sigaction (SIGTERM, &action, NULL);
}

/* Descriptors that a careless parent left open would otherwise be the supervisor's for its whole
 * life; and 0 to 2 must be something, or a pipe would take their place. */
static bool
tidy_descriptors (void)
{
  for (int fd = 0; fd <= 2; fd++)
    {
      if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY) != fd)
        return false;
    }
  return fcntl (FH_WIRE_FD, F_SETFD, FD_CLOEXEC) == 0 && close_range (FH_WIRE_FD + 1, ~0U, 0) == 0;
}

/* Standard input and output become two descriptors of our own, of which no other process will ever
 * know; the engine's words and ours go to standard error. */
static bool
take_standard_streams (int *in, int *out)
{
  int null;

  if (close_range (FH_WIRE_FD, ~0U, 0) < 0 || fcntl (STDERR_FILENO, F_GETFD) < 0)
    return false;
  *in = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, FH_WIRE_FD);
  *out = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, FH_WIRE_FD);
  null = open ("/dev/null", O_RDWR | O_CLOEXEC);
  if (*in < 0 || *out < 0 || null < 0)
    return false;
  return dup2 (null, STDIN_FILENO) == 0 && dup2 (null, STDOUT_FILENO) == 1 && close (null) == 0;
}

static void
send_stopped (struct control_channel *control)
{
  const struct fh_finished finished = {
    .status = FH_WIRE_STOPPED,
    .exit_code = -1,
    .signal = -1,
    .step = "",
  };

  fh_finished_encode (&finished, &control->pending);
  control_channel_drain (control);
}

/* Takes a request and serves it. */
static int
serve (struct control_channel *control, bool is_inside)
{
  static struct request request;
  struct fh_frame frame;
  int result;

  request = (struct request){ .is_inside = is_inside };
  while ((result = control_channel_wait (control, &frame)) > 0)
    {
      if (frame.kind == FH_FRAME_START && request.policy != NULL)
        {
          plan_apply_switches (request.policy);
          result = supervisor_run (control, &request) ? 0 : -1;
          break;
        }
      if (frame.kind == FH_FRAME_STOP)
        {
          send_stopped (control);
          result = 0;
          break;
        }
      if (!request_take (&request, &frame))
        {
          result = -1;
          break;
        }
    }
  if (result < 0)
    fprintf (stderr, "fumehood-runner: the backend does not speak this version's protocol\n");
  request_clear (&request);
  return result < 0 ? 1 : 0;
}

static int
converse (bool is_inside)
{
  struct control_channel control;
  int in = FH_WIRE_FD;
  int out = FH_WIRE_FD;
  int result;

  ignore_signals ();
  if (!(is_inside ? take_standard_streams (&in, &out) : tidy_descriptors ()) ||
      !control_channel_init (&control, in, out))
    {
      perror ("fumehood-runner");
      return 1;
    }
  result = serve (&control, is_inside);
  control_channel_clear (&control);
  return result;
}

int
main (int argc, char **argv)
{
  struct stat status;

  if (argc == 2 && strcmp (argv[1], "--help") == 0)
    return fputs (help, stdout) < 0 ? 1 : 0;
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    return puts ("fumehood-runner " FH_VERSION) < 0 ? 1 : 0;
  if (argc == 2 && strcmp (argv[1], STAGE_ARGUMENT) == 0)
    return stage_main ();
  if (argc > 2 && strcmp (argv[1], FH_OPEN_ARGUMENT) == 0)
    return container_open (argv + 2);
  if (argc == 2 && strcmp (argv[1], FH_KEEP_ARGUMENT) == 0)
    return container_keep ();
  if (argc == 2 && strcmp (argv[1], FH_CONTAINER_ARGUMENT) == 0)
    {
      hear_engine ();
      return converse (true);
    }
  if (argc > 1)
    return usage_error ("it does not know these arguments");
  if (fstat (FH_WIRE_FD, &status) < 0 || !S_ISSOCK (status.st_mode))
    return usage_error ("there is no socket on descriptor 3");
  return converse (false);
}
