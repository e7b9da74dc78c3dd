/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-status.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

#include "run-limits.h"
#include "word-list.h"

/* The sentences about an end, used by the window, the command line, JSON and notifications. They
 * depend on the status only, never on exit codes: a program may exit with 124 or 137 itself. The
 * advice is in run-advice.c. */

const char *const fh_run_status_words[] = {
  [FH_RUN_STATUS_OK] = "ok",
  [FH_RUN_STATUS_FAILED] = "failed",
  [FH_RUN_STATUS_SIGNALLED] = "signalled",
  [FH_RUN_STATUS_TIMED_OUT] = "timed-out",
  [FH_RUN_STATUS_MEMORY_EXCEEDED] = "memory-exceeded",
  [FH_RUN_STATUS_OUTPUT_LIMIT] = "output-limit",
  [FH_RUN_STATUS_DISK_LIMIT] = "disk-limit",
  [FH_RUN_STATUS_PROCESS_LIMIT] = "process-limit",
  [FH_RUN_STATUS_VIOLATION] = "violation",
  [FH_RUN_STATUS_STOPPED] = "stopped",
  [FH_RUN_STATUS_NOT_STARTED] = "not-started",
  [FH_RUN_STATUS_GUARD_FAILED] = "guard-failed",
  [FH_RUN_STATUS_INTERNAL_ERROR] = "internal-error",
  [FH_RUN_STATUS_OPERATION_LIMIT] = "operation-limit",
  NULL,
};

/* In the order of the statuses. */
static const struct
{
  const char *title;
  FhRunSeverity severity;
  const char *icon_name;
  int exit_status; /* of fumehoodctl, if it is not that of the program */
} statuses[] = {
  { N_ ("Finished"), FH_RUN_SEVERITY_GOOD, "object-select-symbolic", 0 },
  { N_ ("Failed"), FH_RUN_SEVERITY_PROGRAM, "dialog-error-symbolic", 1 },
  { N_ ("Crashed"), FH_RUN_SEVERITY_PROGRAM, "dialog-error-symbolic", 128 },
  { N_ ("Timed out"), FH_RUN_SEVERITY_LIMIT, "alarm-symbolic", 124 },
  { N_ ("Out of memory"), FH_RUN_SEVERITY_LIMIT, "dialog-warning-symbolic", 137 },
  { N_ ("Too much output"), FH_RUN_SEVERITY_LIMIT, "dialog-warning-symbolic", 137 },
  { N_ ("Disk space used up"), FH_RUN_SEVERITY_LIMIT, "drive-harddisk-symbolic", 137 },
  { N_ ("Too many processes"), FH_RUN_SEVERITY_LIMIT, "dialog-warning-symbolic", 137 },
  { N_ ("Forbidden system call"), FH_RUN_SEVERITY_LIMIT, "action-unavailable-symbolic", 137 },
  { N_ ("Stopped"), FH_RUN_SEVERITY_LIMIT, "media-playback-stop-symbolic", 130 },
  { N_ ("Not started"), FH_RUN_SEVERITY_OURS, "dialog-error-symbolic", 125 },
  { N_ ("Nothing was run"), FH_RUN_SEVERITY_OURS, "security-low-symbolic", 125 },
  { N_ ("Internal error"), FH_RUN_SEVERITY_OURS, "dialog-error-symbolic", 125 },
  { N_ ("Too many operations"), FH_RUN_SEVERITY_LIMIT, "dialog-warning-symbolic", 137 },
};

const char *const fh_run_cause_words[] = {
  [FH_RUN_CAUSE_NONE] = "",
  [FH_RUN_CAUSE_WALL] = "wall",
  [FH_RUN_CAUSE_CPU] = "cpu",
  [FH_RUN_CAUSE_CERTAIN] = "certain",
  [FH_RUN_CAUSE_LIKELY] = "likely",
  [FH_RUN_CAUSE_SOCKETS] = "sockets",
  [FH_RUN_CAUSE_LOCKS] = "file-locks",
  [FH_RUN_CAUSE_DESCRIPTORS] = "open-files-under-way",
  [FH_RUN_CAUSE_PIPES] = "pipes",
  [FH_RUN_CAUSE_CHANNEL] = "connection",
  [FH_RUN_CAUSE_ITSELF] = "itself",
  [FH_RUN_CAUSE_SAID] = "said",
  [FH_RUN_CAUSE_OPEN] = "open-files",
  [FH_RUN_CAUSE_UNSEEN] = "unseen",
  [FH_RUN_CAUSE_PROCESSES] = "processes",
  [FH_RUN_CAUSE_UNFINISHED] = "unfinished",
  NULL,
};

/* For the others the name is enough; who sent SIGKILL is not known, or is the cause. */
static const struct
{
  int number;
  const char *meaning;
} signals[] = {
  { SIGHUP, N_ ("its terminal was closed") },
  { SIGINT, N_ ("interrupted") },
  { SIGQUIT, N_ ("asked to quit") },
  { SIGILL, N_ ("invalid instruction") },
  { SIGTRAP, N_ ("breakpoint without a debugger") },
  { SIGABRT, N_ ("aborted by the program itself") },
  { SIGBUS, N_ ("inaccessible memory") },
  { SIGFPE, N_ ("arithmetic error, such as division by zero") },
  { SIGSEGV, N_ ("invalid memory access") },
  { SIGPIPE, N_ ("its output was closed") },
  { SIGALRM, N_ ("its own alarm") },
  { SIGTERM, N_ ("asked to end") },
  { SIGXCPU, N_ ("CPU time limit") },
  { SIGXFSZ, N_ ("a file grew too large") },
  { SIGVTALRM, N_ ("its own alarm") },
  { SIGPROF, N_ ("its own alarm") },
  { SIGSYS, N_ ("forbidden system call") },
};

const char *
fh_signal_name (int number)
{
  const char *abbreviation = sigabbrev_np (number);
  g_autofree char *name = NULL;

  /* The C library uses the other name of the same signal. */
  if (number == SIGIO)
    return "SIGIO";
  /* There are 64 signals; a number from a damaged file must not fill the table of strings. */
  if (number < 0 || number > 128)
    return "signal ?";
  name = abbreviation != NULL ? g_strconcat ("SIG", abbreviation, NULL)
                              : g_strdup_printf ("signal %d", number);
  return g_intern_string (name);
}

static const char *
signal_meaning (int number)
{
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      if (signals[i].number == number)
        return signals[i].meaning;
    }
  return NULL;
}

static char *
signalled_sentence (const FhRunOutcome *outcome)
{
  const char *name = fh_signal_name (outcome->signal);
  const char *meaning = signal_meaning (outcome->signal);

  if (outcome->cause == FH_RUN_CAUSE_ITSELF)
    /* Translators: the name of a signal, "SIGKILL" */
    return g_strdup_printf (_ ("The program killed itself with %s."), name);
  if (meaning == NULL)
    /* Translators: the name of a signal, "SIGUSR1" */
    return g_strdup_printf (_ ("Killed by %s."), name);
  /* Translators: the name of a signal and what it means: "SIGSEGV", "invalid memory access" */
  return g_strdup_printf (_ ("Killed by %s (%s)."), name, _ (meaning));
}

/* A busy computer ends a run late, but not by so much: then the program has waited for somebody,
 * which does not count. */
#define LATE_MS 2000

static char *
timed_out_sentence (const FhRunOutcome *outcome)
{
  g_autofree char *limit = NULL;

  if (outcome->limit_ms == 0)
    return g_strdup (outcome->cause == FH_RUN_CAUSE_CPU
                         ? _ ("Stopped: the CPU time limit was reached.")
                         : _ ("Stopped: the time limit was reached."));
  limit = fh_run_limits_format_duration (outcome->limit_ms);
  if (outcome->cause == FH_RUN_CAUSE_WALL && outcome->wall_us / 1000 > outcome->limit_ms + LATE_MS)
    {
      g_autofree char *after =
          fh_run_limits_format_duration (outcome->wall_us / G_USEC_PER_SEC * 1000);

      /* Translators: two durations: "1 min 35 s", "30 s" */
      return g_strdup_printf (
          _ ("Stopped after %s: the time limit of %s, not counting waits, was reached."),
          after,
          limit);
    }
  if (outcome->cause == FH_RUN_CAUSE_CPU)
    /* Translators: a duration: "2 s" */
    return g_strdup_printf (_ ("Stopped after %s of CPU time: its limit was reached."), limit);
  /* Translators: a duration: "2 s" */
  return g_strdup_printf (_ ("Stopped after %s: the time limit was reached."), limit);
}

static const char *const kernel_object_sentences[] = {
  [FH_RUN_CAUSE_SOCKETS] = N_ ("Stopped because too much unread data was in its sockets."),
  [FH_RUN_CAUSE_LOCKS] = N_ ("Stopped because it took too many locks on files."),
  [FH_RUN_CAUSE_DESCRIPTORS] =
      N_ ("Stopped because it sent too many open files through sockets without receiving them."),
  [FH_RUN_CAUSE_PIPES] = N_ ("Stopped because it opened too many pipes."),
  [FH_RUN_CAUSE_CHANNEL] = NULL,
  [FH_RUN_CAUSE_ITSELF] = NULL,
  [FH_RUN_CAUSE_SAID] = NULL,
  [FH_RUN_CAUSE_OPEN] = N_ ("Stopped because it had so much open that its locks on files could not "
                            "be counted."),
  [FH_RUN_CAUSE_UNSEEN] = N_ ("Stopped because one of its processes could not be looked into: how "
                              "much memory that used is not known."),
  [FH_RUN_CAUSE_PROCESSES] = NULL,
  [FH_RUN_CAUSE_UNFINISHED] = NULL,
};

static char *
memory_sentence (const FhRunOutcome *outcome)
{
  const char *sentence = kernel_object_sentences[outcome->cause];
  g_autofree char *limit = NULL;

  if (sentence != NULL)
    return g_strdup (_ (sentence));
  if (outcome->cause == FH_RUN_CAUSE_SAID)
    return g_strdup (_ ("The program says that it ran out of memory."));
  if (outcome->limit_bytes == 0)
    return g_strdup (outcome->cause == FH_RUN_CAUSE_LIKELY
                         ? _ ("It probably ran out of memory.")
                         : _ ("Stopped because it used too much memory."));
  limit = fh_run_limits_format_size (outcome->limit_bytes);
  if (outcome->cause == FH_RUN_CAUSE_LIKELY)
    /* Translators: a size: "256 MiB" */
    return g_strdup_printf (_ ("It probably ran out of memory: it failed close to the limit of "
                               "%s."),
                            limit);
  /* Translators: a size: "256 MiB" */
  return g_strdup_printf (_ ("Stopped because it used more than %s of memory."), limit);
}

static char *
output_sentence (const FhRunOutcome *outcome)
{
  g_autofree char *limit = NULL;

  if (outcome->limit_bytes == 0)
    return g_strdup (_ ("Stopped because it printed too much."));
  limit = fh_run_limits_format_size (outcome->limit_bytes);
  /* Translators: a size: "64 MiB" */
  return g_strdup_printf (_ ("Stopped because it printed more than %s."), limit);
}

static char *
disk_sentence (const FhRunOutcome *outcome)
{
  g_autofree char *limit = NULL;

  if (outcome->limit_bytes == 0)
    return g_strdup (_ ("Stopped because it wrote too much to its files."));
  limit = fh_run_limits_format_size (outcome->limit_bytes);
  if (outcome->cause == FH_RUN_CAUSE_LIKELY)
    /* Translators: a size: "256 MiB" */
    return g_strdup_printf (_ ("Ended by the signal for files that grow larger than %s, which a "
                               "program can also send to itself."),
                            limit);
  /* Translators: a size: "256 MiB" */
  return g_strdup_printf (_ ("Stopped because it wrote more than %s to its files."), limit);
}

static char *
violation_sentence (const FhRunOutcome *outcome)
{
  if (outcome->cause == FH_RUN_CAUSE_CHANNEL)
    return g_strdup (_ ("Killed because it broke the connection through which Fumehood runs its "
                        "cells."));
  if (outcome->cause == FH_RUN_CAUSE_LIKELY)
    return g_strdup (_ ("Killed by the signal for forbidden system calls, which a program can also "
                        "send to itself."));
  return g_strdup (_ ("Killed because of a forbidden system call."));
}

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

/* About a run that was not started, whose guard failed, or that ended with an internal error. */
static char *
failure_sentence (const FhRunOutcome *outcome)
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

  if (outcome->status == FH_RUN_STATUS_STOPPED || outcome->status == FH_RUN_STATUS_INTERNAL_ERROR)
    return outcome->wall_us > 0;
  return fh_run_status_severity (outcome->status) != FH_RUN_SEVERITY_OURS;
}

gboolean
fh_run_outcome_is_shortage (const FhRunOutcome *outcome)
{
  g_return_val_if_fail (outcome != NULL, FALSE);

  return outcome->status == FH_RUN_STATUS_GUARD_FAILED &&
         shortage_sentence (outcome->error) != NULL;
}

guint64
fh_run_outcome_own_us (const FhRunOutcome *outcome)
{
  g_return_val_if_fail (outcome != NULL, 0);

  return outcome->wall_us - MIN (outcome->wall_us, outcome->waited_us);
}

static char *
sentence_of (const FhRunOutcome *outcome)
{
  switch (outcome->status)
    {
    case FH_RUN_STATUS_OK:
      if (outcome->cause == FH_RUN_CAUSE_UNFINISHED)
        return g_strdup (_ ("The run still went on when this was saved. What had run until then "
                            "finished normally."));
      return g_strdup (_ ("Finished normally."));
    case FH_RUN_STATUS_FAILED:
      /* Others have run before. */
      if (outcome->message != NULL && g_strcmp0 (outcome->step, FH_RUN_STEP_APPROVAL) == 0)
        return g_strdup (outcome->message);
      /* A cell of a session has none: its interpreter goes on. */
      if (outcome->exit_code < 0)
        return g_strdup (_ ("Failed."));
      return g_strdup_printf (_ ("Ended with exit code %d."), outcome->exit_code);
    case FH_RUN_STATUS_SIGNALLED:
      return signalled_sentence (outcome);
    case FH_RUN_STATUS_TIMED_OUT:
      return timed_out_sentence (outcome);
    case FH_RUN_STATUS_MEMORY_EXCEEDED:
      return memory_sentence (outcome);
    case FH_RUN_STATUS_OUTPUT_LIMIT:
      return output_sentence (outcome);
    case FH_RUN_STATUS_DISK_LIMIT:
      return disk_sentence (outcome);
    case FH_RUN_STATUS_PROCESS_LIMIT:
      return g_strdup (_ ("Stopped because it started too many processes and threads."));
    case FH_RUN_STATUS_OPERATION_LIMIT:
      return g_strdup (_ ("Stopped because it reached its limit of Python operations."));
    case FH_RUN_STATUS_VIOLATION:
      return violation_sentence (outcome);
    case FH_RUN_STATUS_STOPPED:
      return g_strdup (outcome->cause == FH_RUN_CAUSE_UNFINISHED
                           ? _ ("The run still went on when this was saved.")
                           : _ ("Stopped by you."));
    case FH_RUN_STATUS_NOT_STARTED:
    case FH_RUN_STATUS_GUARD_FAILED:
    case FH_RUN_STATUS_INTERNAL_ERROR:
      return failure_sentence (outcome);
    default:
      g_return_val_if_reached (NULL);
    }
}

char *
fh_run_outcome_remark (const FhRunOutcome *outcome)
{
  g_autoptr (GPtrArray) sentences = g_ptr_array_new ();
  g_autofree char *left = NULL;

  g_return_val_if_fail (outcome != NULL, NULL);

  /* If nothing ran, or on an internal error, it is part of the sentence. */
  if (fh_run_status_severity (outcome->status) != FH_RUN_SEVERITY_OURS &&
      g_strcmp0 (outcome->step, FH_RUN_STEP_APPROVAL) != 0 && outcome->message != NULL)
    g_ptr_array_add (sentences, (char *) outcome->message);
  if (outcome->cause == FH_RUN_CAUSE_PROCESSES)
    g_ptr_array_add (sentences,
                     _ ("As many processes and threads were running as its limit allows: perhaps "
                        "another one was refused."));
  left = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%u process was still running and was ended: some of its "
                                       "output may be missing.",
                                       "%u processes were still running and were ended: some of "
                                       "their output may be missing.",
                                       outcome->processes_ended),
                          outcome->processes_ended);
  if (outcome->processes_ended > 0)
    g_ptr_array_add (sentences, left);
  if (sentences->len == 0)
    return NULL;
  g_ptr_array_add (sentences, NULL);
  return g_strjoinv (" ", (char **) sentences->pdata);
}

/* Names the block of an answer that the sentence is about. (transfer full) */
static char *
in_answer (const FhRunOutcome *outcome, const char *sentence)
{
  /* Translators: the number of a block, and how it ended or why it did not run. */
  g_autofree char *text = g_strdup_printf (_ ("Block %u: %s"), outcome->block, sentence);
  g_autofree char *left = NULL;

  if (outcome->blocks_left == 0)
    return g_steal_pointer (&text);
  /* A person who refused a block has given the reason in words of their own. */
  if (strchr (".?!", text[strlen (text) - 1]) == NULL)
    {
      g_autofree char *open = g_steal_pointer (&text);

      text = g_strconcat (open, ".", NULL);
    }
  left = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%u block after it did not run.",
                                       "%u blocks after it did not run.",
                                       outcome->blocks_left),
                          outcome->blocks_left);
  return g_strconcat (text, " ", left, NULL);
}

char *
fh_run_outcome_sentence (const FhRunOutcome *outcome)
{
  g_autofree char *sentence = NULL;
  g_autofree char *remark = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (outcome != NULL, NULL);

  sentence = sentence_of (outcome);
  remark = fh_run_outcome_remark (outcome);
  text = remark != NULL ? g_strconcat (sentence, " ", remark, NULL) : g_steal_pointer (&sentence);
  return outcome->block > 0 ? in_answer (outcome, text) : g_steal_pointer (&text);
}

FH_DEFINE_WORDS (FhRunStatus, fh_run_status, fh_run_status_words)

const char *
fh_run_status_title (FhRunStatus status)
{
  g_return_val_if_fail (status < G_N_ELEMENTS (statuses), NULL);

  return _ (statuses[status].title);
}

FhRunSeverity
fh_run_status_severity (FhRunStatus status)
{
  g_return_val_if_fail (status < G_N_ELEMENTS (statuses), FH_RUN_SEVERITY_OURS);

  return statuses[status].severity;
}

const char *
fh_run_status_icon_name (FhRunStatus status)
{
  g_return_val_if_fail (status < G_N_ELEMENTS (statuses), NULL);

  return statuses[status].icon_name;
}

int
fh_run_outcome_exit_status (const FhRunOutcome *outcome)
{
  g_return_val_if_fail (outcome != NULL, 125);
  g_return_val_if_fail (outcome->status < G_N_ELEMENTS (statuses), 125);

  if (outcome->status == FH_RUN_STATUS_FAILED && outcome->exit_code >= 0)
    return outcome->exit_code;
  if (outcome->status == FH_RUN_STATUS_SIGNALLED)
    return 128 + outcome->signal;
  return statuses[outcome->status].exit_status;
}
