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
  if (fault->step == FAULT_STEP_HAND_OVER)
    return "descriptor-passing";
  if (fault->step == FAULT_STEP_WARM)
    return "warm-interpreter";
  if (fault->step == FAULT_STEP_FILES)
    return "resource-limits";
  return fault->step == FAULT_STEP_EXEC ? "exec" : "start";
}
