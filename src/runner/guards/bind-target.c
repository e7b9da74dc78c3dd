/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bind-target.h"

#include <limits.h>
#include <string.h>

static bool
is_normal_path (const char *path)
{
  if (path[0] != '/' || path[1] == '\0' || strlen (path) >= PATH_MAX)
    return false;
  for (const char *part = path; *part != '\0'; part = strchrnul (part + 1, '/'))
    {
      size_t size = (size_t) (strchrnul (part + 1, '/') - part - 1);

      if (size == 0 || size > NAME_MAX || (size == 1 && part[1] == '.') ||
          (size == 2 && part[1] == '.' && part[2] == '.'))
        return false;
    }
  return true;
}

/* True if `path` is `folder` or below it. */
static bool
is_within (const char *path, const char *folder)
{
  size_t size = strlen (folder);

  return strncmp (path, folder, size) == 0 && (path[size] == '\0' || path[size] == '/');
}

bool
bind_target_is_allowed (const char *target)
{
  return is_normal_path (target) && strcmp (target, "/workspace") != 0 &&
         strcmp (target, "/tmp") != 0 && !is_within (target, "/proc") &&
         !is_within (target, "/dev");
}
