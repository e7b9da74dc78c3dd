/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel-file.h"

#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
kernel_file_write (int folder, const char *path, const char *value)
{
  fh_autofd int fd = openat (folder, path, O_WRONLY | O_CLOEXEC);
  const ssize_t n = fd >= 0 ? write (fd, value, strlen (value)) : -1;

  if (n < 0)
    return -errno;
  return n == (ssize_t) strlen (value) ? 0 : -EIO;
}

bool
kernel_file_read (int folder, const char *path, char *text, size_t size)
{
  fh_autofd int fd = openat (folder, path, O_RDONLY | O_CLOEXEC);
  ssize_t n;

  if (fd < 0)
    return false;
  n = read (fd, text, size - 1);
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

uint64_t
kernel_file_read_number (int folder, const char *path, uint64_t otherwise)
{
  char text[64];
  char *end = text;
  const uint64_t number =
      kernel_file_read (folder, path, text, sizeof text) ? strtoull (text, &end, 10) : 0;

  return end == text ? otherwise : number;
}

uint64_t
kernel_file_number (const char *text, const char *key, uint64_t otherwise)
{
  const size_t length = strlen (key);

  for (const char *line = text; line != NULL; line = strchr (line, '\n'))
    {
      line += *line == '\n';
      if (strncmp (line, key, length) != 0)
        continue;
      line += length;
      line += *line == ':';
      if (*line == ' ' || *line == '\t')
        return strtoull (line, NULL, 10);
    }
  return otherwise;
}
