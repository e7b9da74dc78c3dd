/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fault: the step that failed and why. It crosses the status socket as it is, therefore the
 * step is a number of the table in setup.c or one of the few that are not in that table.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Steps outside the table of setup.c. */
enum fault_step
{
  FAULT_STEP_EXEC = 1000, /* the guest's program could not be executed */
  FAULT_STEP_START,       /* the process for the guest could not be made */
  FAULT_STEP_LANDLOCK,    /* it could not be put under the rules made for it */
  FAULT_STEP_SIGNALS,     /* it could not be kept from sending signals */
};

struct fault
{
  uint32_t step;
  int32_t error; /* errno */
};

/* The step's name on the wire; never NULL. */
const char *fault_step_name (const struct fault *fault);
