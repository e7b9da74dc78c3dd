/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdict.h"

#include <signal.h>
#include <sys/wait.h>

void
verdict_decide (struct verdict *verdict, enum fh_wire_status status, enum fh_wire_cause cause)
{
  if (verdict->is_decided)
    return;
  *verdict = (struct verdict){ .is_decided = true, .status = status, .cause = cause, .step = "" };
}

void
verdict_fault (struct verdict *verdict, enum fh_wire_status status, const char *step, int32_t error)
{
  if (verdict->is_decided)
    return;
  verdict_decide (verdict, status, FH_WIRE_CAUSE_NONE);
  verdict->step = step;
  verdict->error = error;
}

/* Within a tenth of the limit. */
static bool
was_near_memory_limit (const struct verdict_evidence *evidence)
{
  const uint64_t limit = evidence->policy->memory_bytes;

  return limit > 0 && evidence->memory_peak >= limit - limit / 10;
}

/* Anybody can say that. A program that wants far too much at once never comes near the limit. */
static void
decide_by_its_word (struct verdict *verdict, const struct verdict_evidence *evidence)
{
  if (evidence->says_out_of_memory && evidence->policy->memory_bytes > 0)
    verdict_decide (verdict,
                    FH_WIRE_MEMORY,
                    was_near_memory_limit (evidence) ? FH_WIRE_CAUSE_LIKELY : FH_WIRE_CAUSE_SAID);
}

static bool
has_used_its_cpu_time (const struct verdict_evidence *evidence)
{
  const uint64_t limit_ms = evidence->policy->cpu_ms;

  return limit_ms > 0 && evidence->cpu_us / 1000 >= limit_ms;
}

/* A program can send itself any signal. For those that the kernel sends near a limit, check that
 * the limit was near. Nothing tells SIGSYS and SIGXFSZ of the kernel from those that the program
 * sends, so the verdict is only likely. */
static void
decide_by_signal (struct verdict *verdict, const struct verdict_evidence *evidence, int number)
{
  const struct fh_policy *policy = evidence->policy;

  if (number == SIGKILL && evidence->killed_itself)
    verdict_decide (verdict, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_ITSELF);
  if (number == SIGSYS)
    verdict_decide (verdict, FH_WIRE_VIOLATION, FH_WIRE_CAUSE_LIKELY);
  if (number == SIGXFSZ && policy->disk_bytes > 0)
    verdict_decide (verdict, FH_WIRE_DISK_LIMIT, FH_WIRE_CAUSE_LIKELY);
  if (number == SIGXCPU && has_used_its_cpu_time (evidence))
    verdict_decide (verdict, FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_CPU);
  if ((number == SIGSEGV || number == SIGABRT || number == SIGBUS || number == SIGKILL) &&
      !evidence->memory_is_counted && was_near_memory_limit (evidence))
    verdict_decide (verdict, FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY);
}

static void
decide_by_failure (struct verdict *verdict, const struct verdict_evidence *evidence)
{
  const bool is_exit_1 =
      WIFEXITED (evidence->wait_status) && WEXITSTATUS (evidence->wait_status) == 1;

  /* That is how an interpreter that ran out of memory ends. */
  if (is_exit_1)
    decide_by_its_word (verdict, evidence);
  if (evidence->disk_is_full)
    verdict_decide (verdict, FH_WIRE_DISK_LIMIT, FH_WIRE_CAUSE_NONE);
  if (evidence->was_refused_process)
    verdict_decide (verdict, FH_WIRE_PROCESS_LIMIT, FH_WIRE_CAUSE_NONE);
}

static void
decide (struct verdict *verdict, const struct verdict_evidence *evidence)
{
  const int status = evidence->wait_status;
  const bool has_failed = WIFSIGNALED (status) || WEXITSTATUS (status) != 0;

  /* Regardless of how the main process ended. */
  if (evidence->was_over_memory)
    verdict_decide (verdict, FH_WIRE_MEMORY, FH_WIRE_CAUSE_CERTAIN);
  /* Init died first, and we did not kill it. */
  if (!evidence->is_known)
    {
      if (evidence->was_started)
        verdict_decide (verdict, FH_WIRE_SIGNALLED, FH_WIRE_CAUSE_NONE);
      /* Without an errno: it was killed from outside, or it would have reported one. */
      verdict_fault (verdict, FH_WIRE_INTERNAL, "init", 0);
      return;
    }
  /* The interpreter goes on. */
  if (evidence->policy->kind == FH_POLICY_KEPT)
    decide_by_its_word (verdict, evidence);
  if (WIFSIGNALED (status))
    decide_by_signal (verdict, evidence, WTERMSIG (status));
  if (has_failed)
    decide_by_failure (verdict, evidence);
  /* However it ended, that says nothing about the program. What it printed may say why. */
  if (evidence->is_unread)
    verdict_fault (verdict, FH_WIRE_NOT_STARTED, "interpreter", 0);
  /* A program may use all that it is allowed and end for another reason: this is only a doubt. */
  verdict_decide (verdict,
                  WIFSIGNALED (status) ? FH_WIRE_SIGNALLED : FH_WIRE_EXITED,
                  evidence->may_lack_processes ? FH_WIRE_CAUSE_PROCESSES : FH_WIRE_CAUSE_NONE);
}

void
verdict_conclude (struct verdict *verdict,
                  const struct verdict_evidence *evidence,
                  struct fh_finished *finished)
{
  const int status = evidence->wait_status;

  decide (verdict, evidence);
  finished->status = verdict->status;
  finished->cause = verdict->cause;
  finished->step = verdict->step;
  finished->error = verdict->error;
  finished->exit_code = -1;
  finished->signal = -1;
  if (verdict->status == FH_WIRE_NOT_STARTED || verdict->status == FH_WIRE_SETUP_FAILED ||
      verdict->status == FH_WIRE_INTERNAL)
    return;
  if (!evidence->is_known)
    finished->signal = evidence->was_started ? SIGKILL : -1;
  else if (WIFSIGNALED (status))
    finished->signal = WTERMSIG (status);
  else
    finished->exit_code = WEXITSTATUS (status);
}
