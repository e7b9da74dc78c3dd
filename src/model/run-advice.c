/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-status.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

/* What to do about an end: the second sentence. It names the one thing that helps most often, and
 * is NULL where the program's own output says more than we could. */

/* A step of the runner and the error it failed with; the first row that fits wins. A step fits
 * when its name begins with `step`; an error of 0 fits all. */
static const struct
{
  const char *step;
  int error;
  const char *advice;
} steps[] = {
  { "", ENOMEM, N_ ("The system is short of memory. Close other programs and try again.") },
  { "", EMFILE, N_ ("Too many files are open. Close other programs and try again.") },
  { "", ENFILE, N_ ("Too many files are open. Close other programs and try again.") },
  { "user-namespace",
    ENOSPC,
    N_ ("This system allows no more user namespaces. Either the setting "
        "user.max_user_namespaces is too low, or Fumehood runs inside a container or a sandbox "
        "that forbids them; start it outside of that.") },
  { "user-namespace",
    EINVAL,
    N_ ("The kernel was built without the namespaces that guards are made of. A kernel of your "
        "distribution has them.") },
  { "user-namespace",
    ENOSYS,
    N_ ("The kernel was built without the namespaces that guards are made of, or Fumehood runs "
        "inside a container that hides them. Start it outside of that.") },
  { "user-namespace",
    EAGAIN,
    N_ ("You are running as many processes as you may. Close other programs and try again.") },
  { "user-namespace",
    0,
    N_ ("This system does not let ordinary users create user namespaces, which every guard is "
        "built on. On Ubuntu, AppArmor forbids it to programs without a profile; on other systems "
        "the setting kernel.unprivileged_userns_clone does, or the container in which Fumehood "
        "runs. Install Fumehood from a package that brings its AppArmor profile, or ask your "
        "administrator to allow user namespaces for it.") },
  { "landlock",
    0,
    N_ ("Landlock is not switched on in this kernel. It needs Linux 5.13 or newer with “landlock” "
        "among its security modules (lsm=…).") },
  { "seccomp",
    0,
    N_ ("The kernel did not accept the filter for system calls. Fumehood may be running inside "
        "another sandbox or a container that forbids it; start it outside of that.") },
  { "cgroup",
    0,
    N_ ("The control group for this run could not be made. Log out and in again, or choose no "
        "memory limit.") },
  { "workspace", ENOSPC, N_ ("The program’s files do not fit. Raise the limit of disk space.") },
  { "bind",
    ENOENT,
    N_ ("A folder that the interpreter needs is gone. Choose the interpreter again.") },
  { "mount",
    EPERM,
    N_ ("This system lets ordinary users create namespaces but not mount in them, as AppArmor on "
        "Ubuntu and most containers do. Install Fumehood from a package that brings its AppArmor "
        "profile, or start it outside of the container.") },
  { "mount",
    EACCES,
    N_ ("This system lets ordinary users create namespaces but not mount in them, as AppArmor on "
        "Ubuntu and most containers do. Install Fumehood from a package that brings its AppArmor "
        "profile, or start it outside of the container.") },
};

/* Other names of steps that fail for the same reasons. */
static const struct
{
  const char *step;
  const char *family;
} families[] = {
  { "clone", "user-namespace" },
  { "namespace", "user-namespace" },
  { "unshare", "user-namespace" },
  { "uid-map", "user-namespace" },
  { "gid-map", "user-namespace" },
  { "setgroups", "user-namespace" },
  { "id-map", "user-namespace" },
  { "pivot", "mount" },
  { "root", "mount" },
  { "loopback", "mount" },
  { "proc", "mount" },
  { "dev", "mount" },
};

static const char *
step_family (const char *step)
{
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      if (g_str_has_prefix (step, families[i].step))
        return families[i].family;
    }
  return step;
}

static const char *
guard_failed_advice (const FhRunOutcome *outcome)
{
  const char *step = outcome->step != NULL ? step_family (outcome->step) : "";

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      if (g_str_has_prefix (step, steps[i].step) &&
          (steps[i].error == 0 || steps[i].error == outcome->error))
        return steps[i].advice;
    }
  return N_ ("Your code was not started, because a guard that must hold does not. The command "
             "“fumehoodctl guards” tells what works on this computer.");
}

static const char *
not_started_advice (const FhRunOutcome *outcome)
{
  switch (outcome->error)
    {
    case E2BIG:
      return N_ ("Pass long data as standard input instead of as arguments.");
    case ENOMEM:
      return N_ ("Raise the memory limit.");
    default:
      return N_ ("Choose another interpreter, or install the one that is missing.");
    }
}

static const char *
signalled_advice (const FhRunOutcome *outcome)
{
  switch (outcome->signal)
    {
    case SIGKILL:
      return N_ ("Neither Fumehood nor one of its limits did that. Another program may have, or "
                 "the program itself, or the system because it was short of memory.");
    case SIGXFSZ:
      return N_ ("Raise the limit of disk space if the file is meant to be that large.");
    case SIGSEGV:
    case SIGBUS:
      return N_ ("That is a fault in native code, such as a module written in C, or a recursion "
                 "that is too deep.");
    default:
      return NULL;
    }
}

static const char *
choose_advice (const FhRunOutcome *outcome)
{
  switch (outcome->status)
    {
    case FH_RUN_STATUS_SIGNALLED:
      return signalled_advice (outcome);
    case FH_RUN_STATUS_TIMED_OUT:
      return N_ ("Raise the time limit if it needs longer, or look for a loop that never ends or "
                 "a wait for something that never comes.");
    case FH_RUN_STATUS_MEMORY_EXCEEDED:
      return N_ ("Raise the memory limit, or let the program work on less data at a time.");
    case FH_RUN_STATUS_OUTPUT_LIMIT:
      return N_ ("The beginning and the end of the output were kept. Let the program print less, "
                 "or raise the limit of output.");
    case FH_RUN_STATUS_DISK_LIMIT:
      return N_ ("Let the program write less, or raise the limit of disk space.");
    case FH_RUN_STATUS_PROCESS_LIMIT:
      return N_ ("Use fewer workers or threads, or raise the limit of processes.");
    case FH_RUN_STATUS_VIOLATION:
      return N_ ("Only programs for another kind of processor, and attacks, do that.");
    case FH_RUN_STATUS_NOT_STARTED:
      return not_started_advice (outcome);
    case FH_RUN_STATUS_GUARD_FAILED:
      return guard_failed_advice (outcome);
    case FH_RUN_STATUS_INTERNAL_ERROR:
      return N_ ("Whatever was running has been ended. Try again; if it happens again, please "
                 "report it.");
    case FH_RUN_STATUS_OK:
    case FH_RUN_STATUS_FAILED:
    case FH_RUN_STATUS_STOPPED:
    default:
      return NULL;
    }
}

char *
fh_run_outcome_advice (const FhRunOutcome *outcome)
{
  const char *advice;

  g_return_val_if_fail (outcome != NULL, NULL);

  advice = choose_advice (outcome);
  return advice != NULL ? g_strdup (_ (advice)) : NULL;
}
