/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stage.h"
#include "stage-numbers.h"

#include "init.h"
#include "plan.h"
#include "request.h"
#include "setup.h"

#include <sys/stat.h>
#include <unistd.h>

/* bubblewrap may have left more open than the stage needs. */
static bool
tidy_descriptors (void)
{
  struct stat status;

  if (fstat (STAGE_STATUS_FD, &status) < 0 || !S_ISSOCK (status.st_mode))
    return false;
  return close_range (3, STAGE_STATUS_FD - 1, 0) == 0 &&
         close_range (STAGE_REQUEST_FD + 1, ~0U, 0) == 0 &&
         close_range (3, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

/* The outer runner takes care of the control group. */
int
stage_main (void)
{
  static const struct cgroup no_cgroup = CGROUP_NONE;
  static struct request request;
  static struct plan plan;
  struct setup setup;

  if (!tidy_descriptors () || !request_read (&request, STAGE_REQUEST_FD))
    return 1;
  close (STAGE_REQUEST_FD);
  if (plan_init (&plan, request.policy, &request.workspace, &no_cgroup) != NULL)
    return 1;
  setup_init (&setup, &plan);
  setup.status = STAGE_STATUS_FD;
  for (int i = 0; i < 3; i++)
    setup.stdio[i] = STAGE_STDIO_FD + i;
  init_main (&setup);
}
