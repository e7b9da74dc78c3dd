/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forked-runs.h"
#include "plan.h"

#include <errno.h>
#include <unistd.h>

/* A run's own state is that of supervisor_run, which begins with nothing; what it left open is
 * closed here, whatever it is. */
static bool
serve_all (struct control_channel *control, struct request *request, struct warm_interpreter *warm)
{
  const unsigned int first = (unsigned int) warm_interpreter_last_descriptor (warm) + 1;
  bool is_good = true;

  while (is_good && !control->closed && warm_interpreter_is_good (warm))
    {
      is_good = supervisor_run (control, request, warm);
      request_begin_again (request);
      if (close_range (first, ~0U, 0) < 0)
        warm->is_doubtful = true;
    }
  return is_good;
}

bool
forked_runs_serve (struct control_channel *control, struct request *request)
{
  static struct warm_interpreter warm;
  static struct cgroup cgroup;
  static struct plan plan;
  const char *step;
  bool is_good = true;

  cgroup_open (&cgroup, request->policy);
  step = plan_init (&plan, request->policy, &request->workspace, &cgroup);
  if (step == NULL)
    step = warm_interpreter_start (&warm, &plan);
  if (step != NULL)
    supervisor_refuse (control, step, errno);
  else
    {
      is_good = serve_all (control, request, &warm);
      warm_interpreter_end (&warm);
    }
  plan_clear (&plan);
  cgroup_close (&cgroup);
  if (is_good && !control->closed)
    {
      fh_frame_put (&control->pending, FH_FRAME_RETIRED, NULL, 0);
      control_channel_drain (control);
    }
  return is_good;
}
