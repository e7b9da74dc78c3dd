/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time-zone.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

char *
fh_time_zone_of_user (void)
{
  static const char zones[] = "/zoneinfo/";
  const char *chosen = g_getenv ("TZ");
  char target[PATH_MAX];
  const char *zone;
  ssize_t size;

  if (chosen != NULL && *chosen != '\0')
    return g_strdup (*chosen == ':' ? chosen + 1 : chosen);
  size = readlink ("/etc/localtime", target, sizeof target - 1);
  if (size < 0)
    return NULL;
  target[size] = '\0';
  zone = g_strrstr (target, zones);
  return zone != NULL ? g_strdup (zone + sizeof zones - 1) : NULL;
}

gboolean
fh_time_zone_is_plain (const char *name)
{
  gsize length =
      strspn (name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/");

  return length > 0 && length < 64 && name[length] == '\0' && name[0] != '/';
}
