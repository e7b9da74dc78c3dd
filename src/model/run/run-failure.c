/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-failure.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

/* Shortages of shared resources that the errno shows in every step; run-advice.c has advice for all
 * of them. */
static const struct
{
  int error;
  const char *sentence;
} shortages[] = {
  { ENOMEM, N_ ("Nothing was run: the system is short of memory.") },
  { EMFILE, N_ ("Nothing was run: too many files are open.") },
  { ENFILE, N_ ("Nothing was run: too many files are open on this computer.") },
  { EAGAIN, N_ ("Nothing was run: your account has reached its limit of processes.") },
  { ETOOMANYREFS,
    N_ ("Nothing was run: your account has too many open files in transit between "
        "programs.") },
};

static const char *
shortage_sentence (int error)
{
  for (guint i = 0; i < G_N_ELEMENTS (shortages); i++)
    {
      if (shortages[i].error == error)
        return _ (shortages[i].sentence);
    }
  return NULL;
}

static char *
not_started_sentence (const FhRunOutcome *outcome)
{
  /* A person's word, and no failure. */
  if (outcome->message != NULL && g_strcmp0 (outcome->step, FH_RUN_STEP_APPROVAL) == 0)
    return g_strdup (outcome->message);
  if (g_strcmp0 (outcome->step, FH_RUN_STEP_ENGINE) == 0)
    return g_strdup (_ ("No container engine is available."));
  if (outcome->message != NULL)
    /* Translators: a whole sentence that tells why */
    return g_strdup_printf (_ ("Could not start. %s"), outcome->message);
  if (g_strcmp0 (outcome->step, "interpreter") == 0)
    return g_strdup (_ ("Could not start: the interpreter ended before it had read the program. "
                        "What it printed may say why."));
  switch (outcome->error)
    {
    case 0:
      return g_strdup (_ ("Could not start."));
    case ENOENT:
      return g_strdup (_ ("Could not start: the interpreter was not found inside the sandbox."));
    case EACCES:
    case EPERM:
      return g_strdup (_ ("Could not start: the interpreter is not executable."));
    case ENOEXEC:
    case ELIBBAD:
      return g_strdup (_ ("Could not start: this computer cannot run the interpreter."));
    case E2BIG:
      return g_strdup (_ ("Could not start: the arguments are too long."));
    case ENOMEM:
      return g_strdup (_ ("Could not start: there was not enough memory for the interpreter."));
    case EMFILE:
    case ENFILE:
    case EAGAIN:
      return g_strdup (shortage_sentence (outcome->error));
    default:
      /* Translators: the system's own words for an error: "Too many levels of symbolic links" */
      return g_strdup_printf (_ ("Could not start the interpreter (%s)."),
                              g_strerror (outcome->error));
    }
}

static char *
guard_failed_sentence (const FhRunOutcome *outcome)
{
  if (outcome->step == NULL)
    return outcome->message != NULL
               /* Translators: a whole sentence that tells why */
               ? g_strdup_printf (_ ("Nothing was run. %s"), outcome->message)
               : g_strdup (_ ("Nothing was run: a guard could not be set up."));
  if (fh_run_outcome_is_shortage (outcome))
    return g_strdup (shortage_sentence (outcome->error));
  /* namespaces (7); in other steps it means a lack of space. */
  if (outcome->error == ENOSPC &&
      (g_str_equal (outcome->step, "user-namespace") || g_str_equal (outcome->step, "namespaces") ||
       g_str_equal (outcome->step, "network-namespace")))
    return g_strdup (_ ("Nothing was run: the system’s limit of namespaces was reached."));
  if (g_str_equal (outcome->step, "start-folder"))
    return g_strdup_printf (
        /* Translators: the system's own words for an error: “No such file or directory” */
        _ ("Nothing was run: it could not start in the folder that was chosen (%s)."),
        g_strerror (outcome->error));
  if (outcome->error == ESTALE && g_str_equal (outcome->step, "container-folders"))
    return g_strdup (
        _ ("Nothing was run: a file or folder for the container was replaced after the "
           "run or the container was prepared."));
  if (outcome->error == 0)
    /* Translators: the technical name of a step: "user-namespace" */
    return g_strdup_printf (_ ("Nothing was run: the step “%s” failed."), outcome->step);
  /* Translators: the technical name of a step and the system's own words for an error:
   * "user-namespace", "Operation not permitted" */
  return g_strdup_printf (_ ("Nothing was run: the step “%s” failed (%s)."),
                          outcome->step,
                          g_strerror (outcome->error));
}

static char *
internal_error_sentence (const FhRunOutcome *outcome)
{
  /* An engine, or another of its users, did this, not Fumehood. */
  if (outcome->message != NULL && g_strcmp0 (outcome->step, "container") == 0)
    return g_strdup (outcome->message);
  if (outcome->message != NULL)
    /* Translators: a whole sentence that tells what happened */
    return g_strdup_printf (_ ("Fumehood itself failed. %s"), outcome->message);
  if (outcome->step == NULL)
    return g_strdup (_ ("Fumehood itself failed."));
  if (g_str_equal (outcome->step, "init") && outcome->error == 0)
    return g_strdup (_ ("Nothing was run: the sandbox ended before your program started."));
  if (outcome->error == 0)
    /* Translators: the technical name of a step: "supervisor" */
    return g_strdup_printf (_ ("Fumehood itself failed in the step “%s”."), outcome->step);
  /* Translators: the technical name of a step and the system's own words for an error */
  return g_strdup_printf (_ ("Fumehood itself failed in the step “%s” (%s)."),
                          outcome->step,
                          g_strerror (outcome->error));
}

char *
fh_run_failure_sentence (const FhRunOutcome *outcome)
{
  if (outcome->status == FH_RUN_STATUS_NOT_STARTED)
    return not_started_sentence (outcome);
  if (outcome->status == FH_RUN_STATUS_GUARD_FAILED)
    return guard_failed_sentence (outcome);
  return internal_error_sentence (outcome);
}

gboolean
fh_run_outcome_has_run (const FhRunOutcome *outcome)
{
  g_return_val_if_fail (outcome != NULL, FALSE);

  switch (outcome->status)
    {
    case FH_RUN_STATUS_NOT_STARTED:
    case FH_RUN_STATUS_GUARD_FAILED:
      return FALSE;
    case FH_RUN_STATUS_STOPPED:
    case FH_RUN_STATUS_INTERNAL_ERROR:
      return outcome->wall_us > 0;
    case FH_RUN_STATUS_OK:
    case FH_RUN_STATUS_FAILED:
    case FH_RUN_STATUS_SIGNALLED:
    case FH_RUN_STATUS_TIMED_OUT:
    case FH_RUN_STATUS_MEMORY_EXCEEDED:
    case FH_RUN_STATUS_OUTPUT_LIMIT:
    case FH_RUN_STATUS_DISK_LIMIT:
    case FH_RUN_STATUS_PROCESS_LIMIT:
    case FH_RUN_STATUS_OPERATION_LIMIT:
    case FH_RUN_STATUS_VIOLATION:
    default:
      return TRUE;
    }
}

gboolean
fh_run_outcome_is_shortage (const FhRunOutcome *outcome)
{
  g_return_val_if_fail (outcome != NULL, FALSE);

  return outcome->status == FH_RUN_STATUS_GUARD_FAILED &&
         shortage_sentence (outcome->error) != NULL;
}
