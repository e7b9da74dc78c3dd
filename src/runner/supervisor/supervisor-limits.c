/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "supervisor-private.h"

#include <errno.h>
#include <signal.h>

/* The words say what the program did when it met the limit. */
static void
add (struct supervisor *self,
     enum fh_wire_guard guard,
     const char *layer,
     const char *operation,
     const char *object,
     int error)
{
  const struct fh_attempt attempt = {
    .guard = (uint8_t) guard,
    .verdict = FH_WIRE_LIMITED,
    .error = error,
    .time_us = self->ended_us > self->started_us ? self->ended_us - self->started_us : 0,
    .layer = layer,
    .operation = operation,
    .object = object,
    .command = "",
  };

  attempt_list_add (&self->attempts, &attempt);
}

static void
add_disk (struct supervisor *self, const struct fh_finished *finished)
{
  if (self->evidence.disk_is_full)
    add (self, FH_WIRE_GUARD_DISK, "tmpfs", "write", "", ENOSPC);
  else if (finished->signal == SIGXFSZ && finished->status == FH_WIRE_DISK_LIMIT)
    add (self, FH_WIRE_GUARD_DISK, "rlimit", "write", "", EFBIG);
  else if (finished->status == FH_WIRE_DISK_LIMIT)
    add (self, FH_WIRE_GUARD_DISK, "supervisor", "write", "", 0);
}

void
supervisor_add_limits (struct supervisor *self, const struct fh_finished *finished)
{
  if (!self->evidence.was_started)
    return;
  add_disk (self, finished);
  if (self->evidence.saw_process_limit)
    add (self,
         FH_WIRE_GUARD_PROCESSES,
         self->cgroup.limits_processes ? "cgroup" : "rlimit",
         "start a process",
         "",
         EAGAIN);
  if (finished->status == FH_WIRE_MEMORY)
    add (self,
         FH_WIRE_GUARD_MEMORY,
         self->evidence.was_over_memory ? "cgroup" : "supervisor",
         "use memory",
         "",
         0);
  if (finished->status == FH_WIRE_TIMED_OUT)
    add (self,
         FH_WIRE_GUARD_TIME,
         finished->signal == SIGXCPU ? "rlimit" : "supervisor",
         finished->cause == FH_WIRE_CAUSE_CPU ? "use CPU time" : "run on",
         "",
         0);
  for (int i = 0; i < 2; i++)
    {
      if (self->output[i].over_limit)
        add (self,
             FH_WIRE_GUARD_OUTPUT,
             "supervisor",
             "write to",
             i == 0 ? "standard output" : "standard error",
             0);
    }
}
