/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-call.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct
{
  int number;
  const char *name;
} signals[] = {
  { SIGHUP, "SIGHUP" },   { SIGINT, "SIGINT" },   { SIGQUIT, "SIGQUIT" }, { SIGKILL, "SIGKILL" },
  { SIGTERM, "SIGTERM" }, { SIGSTOP, "SIGSTOP" }, { SIGCONT, "SIGCONT" }, { SIGUSR1, "SIGUSR1" },
  { SIGUSR2, "SIGUSR2" }, { SIGSEGV, "SIGSEGV" }, { SIGABRT, "SIGABRT" }, { SIGALRM, "SIGALRM" },
};

/* In a container: the runner and init, which a filter or Landlock protects. */
static bool
is_peer (const struct attempt_call *call, int process)
{
  return call->scene->policy->tier == FH_WIRE_TIER_CONTAINER &&
         (process == call->scene->init || process == -call->scene->init || process == getpid ());
}

/* Signal 0 only asks whether a process exists; signals to oneself are harmless. */
static void
check_signal (const struct attempt_call *call)
{
  const int process = (int) call->arguments[0];
  const int number = (int) call->arguments[1];
  const char *name = NULL;
  const bool is_denied = is_peer (call, process);
  char object[64];

  if (number == SIGKILL && attempt_call_is_main (call) &&
      (process == 0 || (uint32_t) process == attempt_call_process (call)))
    call->scene->kills_itself = true;
  if (number == 0 || process == 0 || (uint32_t) process == attempt_call_process (call))
    return;
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
                           .error = is_denied ? EPERM : 0,
                           .layer = is_denied ? "landlock" : "seccomp",
                           .operation = "signal",
                           .object = object,
                       });
}

void
attempt_watched (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  if (watched->act == SECCOMP_ACT_SIGNAL)
    check_signal (call);
  else if (watched->act >= SECCOMP_ACT_CONNECT)
    attempt_network (call, watched->act);
  else
    attempt_files (call, watched);
  if (watched->act == SECCOMP_ACT_EXECUTE)
    call->scene->last_thread = 0;
}
