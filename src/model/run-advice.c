/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-status.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>

/* What to do about an end: the second sentence. It names the one thing that helps most often, and
 * is NULL where the program's own output says more than we could. */

/* What a step of the runner's setup is about. Steps that are in none of these groups have no advice
 * of their own. */
typedef enum
{
  STEP_OTHER,
  STEP_NAMESPACE,
  STEP_MOUNT,
  STEP_BIND,
  STEP_FILES,
  STEP_LANDLOCK,
  STEP_FILTER,
  STEP_BUBBLEWRAP,
  STEP_MAIN_LANDLOCK,
  STEP_FOLDER,
} StepGroup;

static const struct
{
  const char *step;
  StepGroup group;
} groups[] = {
  { "user-namespace", STEP_NAMESPACE },
  { "namespaces", STEP_NAMESPACE },
  { "user-namespace-map", STEP_NAMESPACE },
  { "loopback", STEP_MOUNT },
  { "private-mounts", STEP_MOUNT },
  { "root", STEP_MOUNT },
  { "system-folders", STEP_MOUNT },
  { "etc", STEP_MOUNT },
  { "scratch", STEP_MOUNT },
  { "devices", STEP_MOUNT },
  { "proc", STEP_MOUNT },
  { "proc-read-only", STEP_MOUNT },
  { "root-read-only", STEP_MOUNT },
  { "pivot-root", STEP_MOUNT },
  { "binds", STEP_BIND },
  { "files", STEP_FILES },
  { "landlock", STEP_LANDLOCK },
  { "system-call-filter", STEP_FILTER },
  { "shared-call-filter", STEP_FILTER },
  { "bubblewrap", STEP_BUBBLEWRAP },
  { "landlock-rules", STEP_MAIN_LANDLOCK },
  { "signal-scope", STEP_LANDLOCK },
  { "run-folder", STEP_FOLDER },
  { "run-folder-entry", STEP_FOLDER },
};

/* The first row that fits wins. STEP_OTHER fits every step, an error of 0 every error. */
static const struct
{
  StepGroup group;
  int error;
  const char *advice;
} advices[] = {
  { STEP_OTHER, ENOMEM, N_ ("The system is short of memory. Close other programs and try again.") },
  { STEP_OTHER, EMFILE, N_ ("Too many files are open. Close other programs and try again.") },
  { STEP_OTHER, ENFILE, N_ ("Too many files are open. Close other programs and try again.") },
  { STEP_NAMESPACE,
    EAGAIN,
    N_ ("You are running as many processes as you may. Close other programs and try again.") },
  { STEP_NAMESPACE,
    ENOSPC,
    N_ ("This system allows no more user namespaces. Either the setting "
        "user.max_user_namespaces is too low, or Fumehood runs inside a container or a sandbox "
        "that forbids them; start it outside of that.") },
  { STEP_NAMESPACE,
    EINVAL,
    N_ ("This kernel was built without the namespaces that guards are made of. The kernels of all "
        "large distributions have them.") },
  { STEP_NAMESPACE,
    ENOSYS,
    N_ ("Either the kernel is older than Linux 5.3, or Fumehood runs inside a container that hides "
        "what it needs; start it outside of that.") },
  { STEP_NAMESPACE,
    0,
    N_ ("This system does not let ordinary users create user namespaces, which every guard is "
        "built on. On Ubuntu, AppArmor forbids it to programs without a profile; on other systems "
        "the setting kernel.unprivileged_userns_clone does, or the container in which Fumehood "
        "runs. Install Fumehood from a package that brings its AppArmor profile, or ask your "
        "administrator to allow user namespaces for it.") },
  { STEP_MOUNT,
    EPERM,
    N_ ("This system lets ordinary users create namespaces but does not let them set up anything "
        "inside, as AppArmor on Ubuntu and most containers do. Install Fumehood from a package "
        "that brings its AppArmor profile, or start it outside of the container.") },
  { STEP_MOUNT,
    EACCES,
    N_ ("This system lets ordinary users create namespaces but does not let them set up anything "
        "inside, as AppArmor on Ubuntu and most containers do. Install Fumehood from a package "
        "that brings its AppArmor profile, or start it outside of the container.") },
  { STEP_MOUNT,
    ENOSYS,
    N_ ("This kernel is too old: building the program’s private view of the files takes Linux 5.12 "
        "or newer.") },
  { STEP_BIND,
    0,
    N_ ("A folder that the interpreter needs cannot be shown to the program. Choose another "
        "interpreter, or choose this one again.") },
  { STEP_FILES,
    ENOSPC,
    N_ ("The source and the input do not fit. Raise the limit of disk space.") },
  { STEP_LANDLOCK,
    0,
    N_ ("Landlock did not work as this kernel promises. Fumehood may be running inside another "
        "sandbox or a container that forbids it; start it outside of that.") },
  { STEP_FILTER,
    0,
    N_ ("The kernel did not accept the filter for system calls. Fumehood may be running inside "
        "another sandbox or a container that forbids it; start it outside of that.") },
  { STEP_BUBBLEWRAP,
    ENOENT,
    N_ ("Bubblewrap is not installed. The package is called “bubblewrap” nearly everywhere.") },
  { STEP_BUBBLEWRAP,
    0,
    N_ ("The system’s bubblewrap cannot make a sandbox here either. The command “bwrap "
        "--unshare-all "
        "--ro-bind / / true” shows why.") },
  { STEP_MAIN_LANDLOCK,
    ENOSYS,
    N_ ("Without namespaces the program can only be kept from your files by Landlock, and this "
        "kernel’s is too old for that or switched off. It takes Linux 6.7 or newer.") },
  { STEP_MAIN_LANDLOCK,
    0,
    N_ ("Landlock did not work as this kernel promises. Fumehood may be running inside another "
        "sandbox or a container that forbids it; start it outside of that.") },
  { STEP_FOLDER,
    0,
    N_ ("No folder could be made for the program to write in. Look whether your folder for caches, "
        "“~/.cache”, is yours to write in and has room.") },
};

static StepGroup
step_group (const char *step)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      if (g_strcmp0 (step, groups[i].step) == 0)
        return groups[i].group;
    }
  return STEP_OTHER;
}

static const char *
guard_failed_advice (const FhRunOutcome *outcome)
{
  StepGroup group = step_group (outcome->step);

  for (guint i = 0; i < G_N_ELEMENTS (advices); i++)
    {
      if ((advices[i].group == STEP_OTHER || advices[i].group == group) &&
          (advices[i].error == 0 || advices[i].error == outcome->error))
        return advices[i].advice;
    }
  return N_ ("Your code was not started, because a guard that must hold does not. The command "
             "“fumehoodctl guards” tells what works on this computer.");
}

static const char *
not_started_advice (const FhRunOutcome *outcome)
{
  /* Whoever looked for the interpreter has said what to do. */
  if (outcome->message != NULL)
    return NULL;
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
      /* Without a number it was room in memory that ran out. */
      if (outcome->limit_bytes == 0)
        return N_ ("Let the program write less, or raise the limits of memory and of disk space.");
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
      return N_ ("Try again. If it happens again, please report it.");
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
