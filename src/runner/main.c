/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fumehood-runner: one process, one sandbox. A backend starts it with a socket on descriptor 3 and
 * speaks the frames of src/wire with it; it is of no use by hand.
 *
 * Exit status: 0 when the run, however it ended, was told to the backend; 1 when the backend broke
 * the protocol or there was no memory; 2 when it was not started by a backend at all.
 */
#include "config.h"

#include "plan.h"
#include "request.h"
#include "stage.h"
#include "supervisor.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "Usage: fumehood-runner\n"
    "\n"
    "Runs one program in a sandbox. Fumehood starts it with a socket on descriptor 3\n"
    "and tells it there what to run; it is not meant to be started by hand. See\n"
    "“fumehoodctl run --help” for that.\n"
    "\n"
    "  --help     show this text\n"
    "  --version  show the version\n";

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
serve (struct control_channel *control)
{
  struct request request = { 0 };
  struct fh_frame frame;
  int result;

  while ((result = control_channel_wait (control, &frame)) > 0)
    {
      if (frame.kind == FH_FRAME_START && request.policy != NULL)
        {
          plan_apply_switches (request.policy);
          result = supervisor_run (control, request.policy, &request.workspace) ? 0 : -1;
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

int
main (int argc, char **argv)
{
  struct control_channel control;
  struct stat status;
  int result;

  if (argc == 2 && strcmp (argv[1], "--help") == 0)
    return fputs (help, stdout) < 0 ? 1 : 0;
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    return puts ("fumehood-runner " FH_VERSION) < 0 ? 1 : 0;
  if (argc == 2 && strcmp (argv[1], STAGE_ARGUMENT) == 0)
    return stage_main ();
  if (argc > 1)
    return usage_error ("it takes no arguments");
  if (fstat (FH_WIRE_FD, &status) < 0 || !S_ISSOCK (status.st_mode))
    return usage_error ("there is no socket on descriptor 3");
  ignore_signals ();
  if (!tidy_descriptors () || !control_channel_init (&control, FH_WIRE_FD))
    {
      perror ("fumehood-runner");
      return 1;
    }
  result = serve (&control);
  control_channel_clear (&control);
  return result;
}
