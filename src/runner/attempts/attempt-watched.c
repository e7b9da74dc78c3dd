/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-call.h"

#include "attempt-existence.h"
#include "descriptor.h"
#include "kernel-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Beyond that it is not known. */
#define GENERATIONS_MAX 64

static const struct
{
  int number;
  const char *name;
} signals[] = {
  { SIGHUP, "SIGHUP" },   { SIGINT, "SIGINT" },   { SIGQUIT, "SIGQUIT" }, { SIGKILL, "SIGKILL" },
  { SIGTERM, "SIGTERM" }, { SIGSTOP, "SIGSTOP" }, { SIGCONT, "SIGCONT" }, { SIGUSR1, "SIGUSR1" },
  { SIGUSR2, "SIGUSR2" }, { SIGSEGV, "SIGSEGV" }, { SIGABRT, "SIGABRT" }, { SIGALRM, "SIGALRM" },
};

/* True if `process` exists and `init` neither has started nor adopted it. */
static bool
is_of_somebody (pid_t process, pid_t init)
{
  for (int i = 0; i < GENERATIONS_MAX && process != init; i++)
    {
      char file[32];
      char text[1024];

      snprintf (file, sizeof file, "/proc/%d/status", (int) process);
      if (!kernel_file_read (AT_FDCWD, file, text, sizeof text))
        return false;
      process = (pid_t) kernel_file_number (text, "PPid", 0);
      if (process <= 1)
        return true;
    }
  return false;
}

/* In a container the runner and init, which a filter or Landlock protects; without a pid namespace
 * all processes but those that init has started, or has adopted. */
static bool
is_protected (const struct attempt_call *call, int process)
{
  const struct attempt_scene *scene = call->scene;

  if (scene->policy->tier == FH_WIRE_TIER_CONTAINER)
    return process == scene->init || process == -scene->init || process == getpid ();
  return scene->folder != NULL && process != -1 &&
         (process == scene->init || is_of_somebody (abs (process), scene->init));
}

/* False for groups of processes, too: whether one of them gets the signal is not known. */
static bool
is_there (const struct attempt_call *call, int process)
{
  const struct attempt_scene *scene = call->scene;
  char path[32];
  fh_autofd int handle = -1;

  snprintf (path, sizeof path, "/proc/%d", process);
  if (process <= 0)
    return false;
  handle = scene->folder != NULL ? open (path, O_PATH | O_CLOEXEC)
                                 : existence_open_inside (scene->root, path);
  return handle >= 0;
}

/* Signal 0 only asks whether a process exists; signals to oneself are harmless. All but kill (2)
 * are what threads of a program do among themselves, unless it is refused. */
static void
check_signal (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  const int process = (int) call->arguments[watched->paths[0].folder];
  const int number = (int) call->arguments[watched->paths[0].path];
  const char *name = NULL;
  char object[64];
  bool is_denied;
  bool is_certain;

  if (number == SIGKILL && attempt_call_is_main (call) &&
      (process == 0 || (uint32_t) process == attempt_call_process (call)))
    call->scene->kills_itself = true;
  if (number == 0 || process == 0 || (uint32_t) process == attempt_call_process (call))
    return;
  is_denied = is_protected (call, process);
  if (!is_denied && strcmp (watched->name, "kill") != 0)
    return;
  /* The kernel keeps most signals from the first process of a pid namespace. */
  is_certain = is_denied || (process != 1 && is_there (call, process));
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    {
      if (signals[i].number == number)
        name = signals[i].name;
    }
  if (name != NULL)
    snprintf (object, sizeof object, "%d (%s)", process, name);
  else
    snprintf (object, sizeof object, "%d (%d)", process, number);
  attempt_call_report (call,
                       &(const struct attempt_finding){
                           .guard = FH_WIRE_GUARD_PROCESSES,
                           .verdict = is_denied ? FH_WIRE_DENIED : FH_WIRE_OBSERVED,
                           .flags = is_certain ? 0 : FH_ATTEMPT_IS_UNCERTAIN,
                           .error = is_denied ? EPERM : 0,
                           .layer = is_denied ? "landlock" : "seccomp",
                           .operation = "signal",
                           .object = object,
                       });
}

/* Refused in any case; what a program does to its own processes is not worth a word. */
static void
check_control (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  if (is_protected (call, (int) call->arguments[watched->paths[0].folder]))
    attempt_refused (call);
}

void
attempt_watched (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  if (watched->act == SECCOMP_ACT_SIGNAL)
    check_signal (call, watched);
  else if (watched->act == SECCOMP_ACT_CONTROL)
    check_control (call, watched);
  else if (watched->act >= SECCOMP_ACT_CONNECT)
    attempt_network (call, watched->act);
  else
    attempt_files (call, watched);
  if (watched->act == SECCOMP_ACT_EXECUTE)
    call->scene->last_thread = 0;
}
