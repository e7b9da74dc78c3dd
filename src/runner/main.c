/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fumehood-runner: one process, one sandbox. A backend starts it with a socket on descriptor 3 and
 * speaks the frames of src/wire; it is not for use by hand. In a container, where an engine starts
 * it, the frames use standard input and output.
 *
 * Exit status: 0 if the outcome was reported to the backend, whatever it was; 1 if the backend
 * broke the protocol or memory ran out; 2 if it was not started by a backend.
 */
#include "cgroup.h"
#include "config.h"
#include "init.h"
#include "kept-container.h"
#include "plan.h"
#include "request.h"
#include "setup.h"
#include "stage-numbers.h"
#include "supervisor.h"
#include "wire-container.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* bubblewrap may have left more open than the stage needs. */
static bool
tidy_stage (void)
{
  struct stat status;

  if (fstat (STAGE_STATUS_FD, &status) < 0 || !S_ISSOCK (status.st_mode))
    return false;
  return close_range (3, STAGE_STATUS_FD - 1, 0) == 0 &&
         close_range (STAGE_REQUEST_FD + 1, ~0U, 0) == 0 &&
         close_range (3, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

/* The inner stage under bubblewrap, stage-numbers.h. The outer runner takes care of the control
 * group. Returns the exit status if it fails. */
static int
stage_main (void)
{
  static const struct cgroup no_cgroup = CGROUP_NONE;
  static struct request request;
  static struct plan plan;
  struct setup setup;

  if (!tidy_stage () || !request_read (&request, STAGE_REQUEST_FD))
    return 1;
  close (STAGE_REQUEST_FD);
  if (plan_init (&plan, request.policy, &request.workspace, &no_cgroup) != NULL)
    return 1;
  setup_init (&setup, &plan);
  setup.status = STAGE_STATUS_FD;
  for (int i = 0; i < 3; i++)
    setup.stdio[i] = STAGE_STDIO_FD + i;
  init_main (&setup);
}

static const char help[] =
    "Usage: fumehood-runner [--container | --keep | --open FOLDER…]\n"
    "\n"
    "Runs one program in a sandbox. Fumehood starts it with a socket on descriptor 3;\n"
    "it is not for use by hand. Use “fumehoodctl run” instead.\n"
    "\n"
    "  --container  run the program in this container, with the protocol on standard\n"
    "               input and output\n"
    "  --keep       be the first process of a container, until SIGTERM\n"
    "  --open       make these folders of a container writable for all its users\n"
    "  --help       show this text\n"
    "  --version    show the version\n";

static int
usage_error (const char *message)
{
  fprintf (stderr, "fumehood-runner: %s\nTry “fumehood-runner --help”.\n", message);
  return 2;
}

/* Terminal signals go to the whole foreground group; the front end decides and sends a stop frame.
 * A pipe that the guest closes must not kill the runner either. */
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

/* A signal from the guest would carry its process id; one from outside the container carries 0. */
static void
end_on_sigterm (int number, siginfo_t *info, void *context)
{
  if (info->si_pid == 0)
    _exit (1);
}

/* The kernel drops signals that a container's first process does not handle, so the engine would
 * wait for nothing when it stops the container. */
static void
handle_sigterm (void)
{
  const struct sigaction action = { .sa_sigaction = end_on_sigterm, .sa_flags = SA_SIGINFO };

  if (getpid () == 1)
    sigaction (SIGTERM, &action, NULL);
}

/* Close descriptors that a careless parent left open. Descriptors 0 to 2 must exist, or a pipe
 * would take their place. */
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

/* Moves standard input and output to descriptors of our own, which no other process inherits.
 * Messages to people go to standard error. */
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

static bool
may_prepare (const struct request *request)
{
  return request->policy != NULL && fh_policy_can_wait (request->policy) &&
         request->workspace.n_files == 0 && request->input.size == 0;
}

static void
retire (struct control_channel *control)
{
  if (control->closed)
    return;
  fh_frame_put (&control->pending, FH_FRAME_RETIRED, NULL, 0);
  control_channel_drain (control);
}

/* Receives a request and runs it. */
static int
serve (struct control_channel *control, bool is_inside)
{
  static struct request request;
  struct fh_frame frame;
  int result;

  /* What is made for the program has to be open to it, and it is often another user. The mask of
   * the user, who may hide all new files from others, would close it. The program has this one. */
  request = (struct request){ .is_inside = is_inside, .users_mask = umask (022) };
  while ((result = control_channel_wait (control, &frame)) > 0)
    {
      const bool is_prepared = frame.kind == FH_FRAME_PREPARE && may_prepare (&request);

      if (frame.kind == FH_FRAME_STOP)
        {
          send_stopped (control);
          result = 0;
          break;
        }
      /* A sandbox for many runs is always prepared. */
      if (!is_prepared && (!request_take (&request, &frame) ||
                           (request.is_complete && request.policy->kind != FH_POLICY_SINGLE)))
        {
          result = -1;
          break;
        }
      if (is_prepared || request.is_complete)
        {
          result = is_prepared && request.policy->kind == FH_POLICY_FORKED
                       ? forked_runs_serve (control, &request)
                       : supervisor_run (control, &request, NULL);
          if (result && request.policy->kind == FH_POLICY_KEPT)
            retire (control);
          result = result ? 0 : -1;
          break;
        }
    }
  if (result < 0)
    fprintf (stderr, "fumehood-runner: invalid message from the backend (version mismatch?)\n");
  else if (request.policy == NULL && !is_inside)
    {
      /* A backend that is still there and has stopped the run need not wait for this. */
      close (control->in);
      cgroup_wait_for_scope ();
    }
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
    return kept_container_open (argv + 2);
  if (argc == 2 && strcmp (argv[1], FH_KEEP_ARGUMENT) == 0)
    return kept_container_wait ();
  if (argc == 2 && strcmp (argv[1], FH_CONTAINER_ARGUMENT) == 0)
    {
      handle_sigterm ();
      return converse (true);
    }
  if (argc > 1)
    return usage_error ("unknown arguments");
  if (fstat (FH_WIRE_FD, &status) < 0 || !S_ISSOCK (status.st_mode))
    return usage_error ("there is no socket on descriptor 3");
  return converse (false);
}
