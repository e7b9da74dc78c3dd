/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fault.h"

#include "setup.h"

const char *
fault_step_name (const struct fault *fault)
{
  const char *name = setup_step_name (fault->step);

  if (name != NULL)
    return name;
  if (fault->step == FAULT_STEP_LANDLOCK)
    return "landlock-rules";
  if (fault->step == FAULT_STEP_SIGNALS)
    return "shared-call-filter";
  return fault->step == FAULT_STEP_EXEC ? "exec" : "start";
}
