/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pipes and the socket between the supervisor and a sandbox, both ends of each, ours first. -1:
 * not open.
 */
#pragma once

#include <stdbool.h>

struct ends
{
  int status[2];
  int input[2];
  int output[2][2];
};

#define ENDS_NONE                                                                                  \
  {                                                                                                \
    { -1, -1 }, { -1, -1 },                                                                        \
    {                                                                                              \
      { -1, -1 }, { -1, -1 }                                                                       \
    }                                                                                              \
  }

/* False with errno; what was opened before is to be closed. */
bool ends_make (struct ends *ends);
/* Closes those of one side. Keeps errno. */
void ends_close (struct ends *ends, int side);
