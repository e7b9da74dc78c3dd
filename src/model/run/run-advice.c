/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-status.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>

#include "output-log.h"

/* The advice after the sentence about an end: the one thing that helps most often. NULL if the
 * program's own output is more helpful. */

/* Steps of the runner's setup that have the advice of another one. */
static const struct
{
  const char *step;
  const char *others; /* between spaces */
} groups[] = {
  { "namespaces", "user-namespace network-namespace user-namespace-map" },
  { "private-mounts",
    "loopback root system-folders etc scratch devices proc proc-read-only "
    "root-read-only pivot-root" },
  { "system-call-filter", "shared-call-filter" },
  { "landlock", "signal-scope" },
  { "run-folder", "run-folder-entry" },
  { "portal", "portal-version" },
  { "sub-sandbox", "sub-sandbox-network sub-sandbox-folder" },
};

#define STEP(step, error) step, error

/* The first row that matches wins. NULL matches every step, error 0 every error. */
static const struct
{
  const char *step;
  int error;
  const char *advice;
} advices[] = {
  { STEP (NULL, ENOMEM), N_ ("Close other runs and programs, then try again.") },
  { STEP (NULL, EMFILE), N_ ("Close other runs and programs, then try again.") },
  { STEP (NULL, ENFILE), N_ ("Close other runs and programs, then try again.") },
  { STEP (NULL, EAGAIN), N_ ("Close other runs and programs, then try again.") },
  { STEP (NULL, ETOOMANYREFS),
    N_ ("Other runs or programs have sent open files that were not received yet. "
        "Close other runs and programs, then try again.") },
  { STEP ("namespaces", ENOSPC),
    N_ ("Other runs and programs may have used them up: close some and try again. "
        "Otherwise the setting user.max_user_namespaces is too low, or Fumehood runs "
        "inside a container or sandbox that forbids them: start it outside.") },
  { STEP ("namespaces", EINVAL),
    N_ ("This kernel was built without the namespaces that the guards need. The "
        "kernels of all major distributions have them.") },
  { STEP ("namespaces", ENOSYS),
    N_ ("Either the kernel is older than Linux 5.3, or Fumehood runs inside a "
        "container that hides what it needs: start it outside.") },
  { STEP ("namespaces", 0),
    N_ ("This system does not let ordinary users create user namespaces, which every guard is "
        "built on. On Ubuntu, AppArmor forbids it to programs without a profile; on other systems "
        "the setting kernel.unprivileged_userns_clone does, or the container in which Fumehood "
        "runs. Install Fumehood from a package that brings its AppArmor profile, or ask your "
        "administrator to allow user namespaces for it.") },
  { STEP ("private-mounts", EPERM),
    N_ ("This system lets ordinary users create namespaces but does not let them set up anything "
        "inside, as AppArmor on Ubuntu and most containers do. Install Fumehood from a package "
        "that brings its AppArmor profile, or start it outside of the container.") },
  { STEP ("private-mounts", EACCES),
    N_ ("This system lets ordinary users create namespaces but does not let them set up anything "
        "inside, as AppArmor on Ubuntu and most containers do. Install Fumehood from a package "
        "that brings its AppArmor profile, or start it outside of the container.") },
  { STEP ("private-mounts", ENOSYS),
    N_ ("This kernel is too old. Linux 5.12 or newer is needed.") },
  { STEP ("binds", 0),
    N_ ("A folder of the interpreter could not be mounted. Choose another "
        "interpreter, or choose this one again.") },
  { STEP ("channels", EACCES),
    N_ ("One of the interpreter’s folders may be entered but not listed, so that sockets and pipes "
        "in it cannot be found. Make it readable, or choose another interpreter.") },
  { STEP ("channels", ELOOP),
    N_ ("The interpreter’s folders are nested too deeply to be searched for sockets and pipes. "
        "Choose another interpreter.") },
  { STEP ("channels", 0),
    N_ ("The interpreter’s folders contain a socket or a pipe, and the program "
        "could use it to talk to other programs of yours. Remove it, or choose "
        "another interpreter.") },
  { STEP ("start-folder", ENOENT),
    N_ ("Folders below /workspace are made. Others have to exist inside the sandbox, where the "
        "folders of this computer are hidden.") },
  { STEP ("files", ENOSPC), N_ ("The source and the input do not fit. Raise the disk limit.") },
  { STEP ("files", 0),
    N_ ("The program could not be put into its folder, which may have been removed or closed "
        "meanwhile. Choose another work folder, or another image, or try again.") },
  { STEP ("landlock", 0),
    N_ ("Landlock did not work although this kernel supports it. Fumehood may be "
        "running inside a container or sandbox that forbids it: start it outside.") },
  { STEP ("system-call-filter", 0),
    N_ ("The kernel did not accept the system call filter. Fumehood may be running "
        "inside a container or sandbox that forbids it: start it outside.") },
  { STEP ("bubblewrap", ENOENT),
    N_ ("Bubblewrap is not installed. Install the package “bubblewrap”.") },
  { STEP ("bubblewrap", 0),
    N_ ("The system’s bubblewrap cannot make a sandbox here either. The command “bwrap "
        "--unshare-all "
        "--ro-bind / / true” shows why.") },
  { STEP ("landlock-rules", ENOSYS),
    N_ ("Without namespaces only Landlock can protect your files, but it is switched "
        "off or too old in this kernel. Linux 6.7 or newer is needed.") },
  { STEP ("landlock-rules", 0),
    N_ ("Landlock did not work although this kernel supports it. Fumehood may be "
        "running inside a container or sandbox that forbids it: start it outside.") },
  { STEP ("run-folder", 0),
    N_ ("No folder could be created for the program’s files. Check that your cache "
        "folder, “~/.cache”, is writable and has free space.") },
  { STEP ("container-folders", 0),
    N_ ("If the container is kept between runs, restart it, because it still shows "
        "the old files. Otherwise try again when no other program is using that "
        "folder.") },
  { STEP ("container-places", 0),
    N_ ("A symbolic link in this image is where Fumehood’s programs or the program’s "
        "folders belong. Choose another image.") },
  { STEP ("portal", ETIMEDOUT),
    N_ ("Flatpak’s portal did not answer. Log out and in again, or restart the service "
        "“flatpak-portal”.") },
  { STEP ("portal", 0),
    N_ ("Inside Flatpak, Flatpak’s own portal has to make the sandboxes. Update Flatpak, and see "
        "that its service “flatpak-portal” is installed and running.") },
  { STEP ("sub-sandbox", 0),
    N_ ("Flatpak’s portal made a sandbox, but not the one that Fumehood asked for. Update "
        "Flatpak.") },
};

static const char *
guard_failed_advice (const FhRunOutcome *outcome)
{
  const char *step = outcome->step;

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_auto (GStrv) others = g_strsplit (groups[i].others, " ", -1);

      if (outcome->step != NULL && g_strv_contains ((const char *const *) others, outcome->step))
        step = groups[i].step;
    }
  for (guint i = 0; i < G_N_ELEMENTS (advices); i++)
    {
      if ((advices[i].step == NULL || g_strcmp0 (advices[i].step, step) == 0) &&
          (advices[i].error == 0 || advices[i].error == outcome->error))
        return advices[i].advice;
    }
  return N_ ("Your code was not started, because a required guard does not work. Run "
             "“fumehoodctl guards” to see what works on this computer.");
}

static const char *
not_started_advice (const FhRunOutcome *outcome)
{
  /* The message about the interpreter already says what to do. */
  if (outcome->message != NULL)
    return NULL;
  switch (outcome->error)
    {
    case E2BIG:
      return N_ ("Pass long data as standard input instead of as arguments.");
    case ENOMEM:
      return N_ ("Raise the memory limit.");
    case EMFILE:
    case ENFILE:
    case EAGAIN:
      return N_ ("Close other runs and programs, then try again.");
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
      if (outcome->cause == FH_RUN_CAUSE_ITSELF)
        return NULL;
      return N_ ("No guard did that, and who did is not known: one of the program’s own processes, "
                 "another program, or the system because it was short of memory.");
    case SIGXFSZ:
      return N_ ("Raise the disk limit if the file is meant to be that large.");
    case SIGSEGV:
    case SIGBUS:
      return N_ ("It used memory that is not its own: a fault in code written in C or C++, which "
                 "a module of another language may be, or a recursion without end.");
    default:
      return NULL;
    }
}

static const char *const processes_advice =
    N_ ("Use fewer workers or threads, or raise the process limit.");

/* A log keeps all of what fits in it; the rest of the output was never read. */
static const char *
output_advice (const FhRunOutcome *outcome)
{
  if (outcome->limit_bytes > 0 && outcome->limit_bytes <= FH_OUTPUT_LOG_HEAD + FH_OUTPUT_LOG_TAIL)
    return N_ ("What it printed up to the limit was kept. Let the program print less, or raise the "
               "output limit.");
  return N_ ("The beginning and the end of what it printed up to the limit were kept. Let the "
             "program print less, or raise the output limit.");
}

static const char *
choose_advice (const FhRunOutcome *outcome)
{
  switch (outcome->status)
    {
    case FH_RUN_STATUS_SIGNALLED:
      return signalled_advice (outcome);
    case FH_RUN_STATUS_TIMED_OUT:
      if (outcome->cause == FH_RUN_CAUSE_CPU)
        return N_ ("Raise the limit of CPU time if it needs more, or look for a loop that never "
                   "ends.");
      return N_ ("Raise the time limit if it needs longer, or look for a loop that never ends or "
                 "a wait for something that never comes.");
    case FH_RUN_STATUS_MEMORY_EXCEEDED:
      if (outcome->cause == FH_RUN_CAUSE_UNSEEN)
        return N_ ("Let the program run only files that may be read: what a process uses is found "
                   "out by looking into it.");
      if (outcome->cause >= FH_RUN_CAUSE_SOCKETS && outcome->cause != FH_RUN_CAUSE_SAID)
        return N_ ("The kernel keeps these in memory that all programs share, so each run has a "
                   "limit. Let the program release what it no longer needs.");
      return N_ ("Raise the memory limit, or let the program work on less data at a time.");
    case FH_RUN_STATUS_OUTPUT_LIMIT:
      return output_advice (outcome);
    case FH_RUN_STATUS_DISK_LIMIT:
      /* An outcome without an errno says that memory ran out. */
      if (outcome->limit_bytes == 0)
        return N_ ("Let the program write less, or raise the memory and disk limits.");
      return N_ ("Let the program write less, or raise the disk limit.");
    case FH_RUN_STATUS_PROCESS_LIMIT:
      return processes_advice;
    case FH_RUN_STATUS_OPERATION_LIMIT:
      return N_ ("Look for a loop that never ends, or raise the limit of operations.");
    case FH_RUN_STATUS_VIOLATION:
      return N_ ("Only attacks and programs for another kind of processor do that.");
    case FH_RUN_STATUS_NOT_STARTED:
      return not_started_advice (outcome);
    case FH_RUN_STATUS_GUARD_FAILED:
      return guard_failed_advice (outcome);
    case FH_RUN_STATUS_INTERNAL_ERROR:
      if (g_strcmp0 (outcome->step, "init") == 0 && outcome->error == 0)
        return N_ ("Something outside Fumehood stopped it, perhaps the system because memory ran "
                   "out. Try again. If it happens again, please report it.");
      return N_ ("Try again. If it happens again, please report it.");
    case FH_RUN_STATUS_FAILED:
      return outcome->cause == FH_RUN_CAUSE_PROCESSES ? processes_advice : NULL;
    case FH_RUN_STATUS_OK:
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

  if (g_strcmp0 (outcome->step, FH_RUN_STEP_ENGINE) == 0)
    return g_strdup (outcome->message);
  advice = choose_advice (outcome);
  return advice != NULL ? g_strdup (_ (advice)) : NULL;
}
