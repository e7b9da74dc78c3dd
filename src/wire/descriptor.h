/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptors that are closed at the end of a block, whichever way it is left.
 */
#pragma once

#include <errno.h>
#include <unistd.h>

/* Closes the descriptor, unless it is negative, and sets the variable to -1. Does not change
 * errno. */
static inline void
fh_clear_fd (int *fd)
{
  const int code = errno;

  if (*fd >= 0)
    close (*fd);
  *fd = -1;
  errno = code;
}

/* Before the declaration of an `int` that is initialised: its descriptor is closed like that when
 * the variable goes out of scope. It may be one that is only held until then. */
#define fh_autofd __attribute__ ((cleanup (fh_clear_fd), unused))

/* Gives the descriptor to the caller, so that it is not closed. */
static inline int
fh_steal_fd (int *fd)
{
  const int stolen = *fd;

  *fd = -1;
  return stolen;
}
