/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fault: the step that failed, and errno. It is sent over the status socket, so the step is a
 * number: an index into the table of setup.c, or one of the few below.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Steps outside the table of setup.c. */
enum fault_step
{
  FAULT_STEP_EXEC = 1000, /* the guest's program could not be executed */
  FAULT_STEP_START,       /* the process for the guest could not be made */
  FAULT_STEP_LANDLOCK,    /* its Landlock rules could not be applied */
  FAULT_STEP_SIGNALS,     /* its signals could not be restricted */
  FAULT_STEP_HAND_OVER,   /* init could not send its descriptors to the supervisor */
  FAULT_STEP_WARM,        /* the warm interpreter cannot fork */
  FAULT_STEP_FILES,       /* its number of open files could not be limited */
};

struct fault
{
  uint32_t step;
  int32_t error; /* errno */
};
