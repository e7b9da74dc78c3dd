/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "warm-parent.h"

#include "descriptors.h"
#include "init-message.h"
#include "setup.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static _Noreturn void
report (const struct setup *setup, uint32_t step, int error)
{
  struct init_message message = { .kind = INIT_FAULT, .fault = { step, error } };

  init_message_send (setup->status, &message, NULL, 0);
  _exit (1);
}

/* The sockets are the supervisor's alone: they close here when the interpreter is executed. */
static void
hand_network_over (const struct setup *setup)
{
  struct init_message message = { .kind = INIT_NETWORK, .ready.skipped = setup->skipped };
  int fds[2];
  size_t n = 0;

  if (setup->dns >= 0)
    {
      message.ready.descriptors |= 1u << INIT_DNS;
      fds[n++] = setup->dns;
    }
  if (setup->sockets >= 0)
    {
      message.ready.descriptors |= 1u << INIT_SOCKETS;
      fds[n++] = setup->sockets;
    }
  if (!init_message_send (setup->status, &message, fds, n))
    report (setup, FAULT_STEP_HAND_OVER, errno);
}

/* The status socket stays open for the module that forks, which knows its number. */
static int
keep_descriptors (const struct setup *setup)
{
  int error = setup->status == SETUP_STATUS_FD ? 0 : -EMFILE;

  if (error == 0)
    error = descriptors_hand_over (SETUP_PROGRAM_FD, false);
  if (error == 0 && fcntl (setup->status, F_SETFD, 0) < 0)
    error = -errno;
  return error == 0 && setsid () < 0 ? -errno : error;
}

void
warm_parent_main (struct setup *setup)
{
  const struct plan *plan = setup->plan;
  struct fault fault;
  int error;

  /* It has no channel, as it hears nothing of a guest. Another process may have read the file
   * before, see spawn (). */
  setup->guest_channel = plan->warm_request;
  if (lseek (plan->warm_request, 0, SEEK_SET) < 0)
    report (setup, FAULT_STEP_WARM, errno);
  if (!setup_run (setup, &fault))
    report (setup, fault.step, fault.error);
  hand_network_over (setup);
  error = keep_descriptors (setup);
  if (error < 0)
    report (setup, FAULT_STEP_WARM, -error);
  execve (plan->program, plan->argv, plan->env);
  report (setup, FAULT_STEP_EXEC, errno);
}
