/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <string.h>

/* True if `path` is `folder` or below it. */
static inline bool
path_is_within (const char *path, const char *folder)
{
  const size_t size = strlen (folder);

  return strncmp (path, folder, size) == 0 && (path[size] == '\0' || path[size] == '/');
}
