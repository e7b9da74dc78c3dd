/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-open.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* As folders of temporary files are: everybody has files in them, of which only he disposes. */
#define MODE 01777

static bool
open_folder (const char *path)
{
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool ok = fd >= 0 && fchmod (fd, MODE) == 0;

  if (!ok)
    perror (path);
  if (fd >= 0)
    close (fd);
  return ok;
}

int
container_open (char *const paths[])
{
  bool ok = true;

  for (size_t i = 0; paths[i] != NULL; i++)
    ok = open_folder (paths[i]) && ok;
  return ok ? 0 : 1;
}
