/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptors that are closed at the end of a block, whichever way it is left.
 */
#pragma once

#include <errno.h>
#include <unistd.h>

/* Before the declaration of an `int` that is initialised: the descriptor in it is closed when the
 * variable goes out of scope, unless it is negative. Does not change errno. */
#define fh_autofd __attribute__ ((cleanup (fh_autofd_close)))

static inline void
fh_autofd_close (int *fd)
{
  const int code = errno;

  if (*fd >= 0)
    close (*fd);
  errno = code;
}

/* Gives the descriptor to the caller, so that it is not closed. */
static inline int
fh_steal_fd (int *fd)
{
  const int stolen = *fd;

  *fd = -1;
  return stolen;
}
