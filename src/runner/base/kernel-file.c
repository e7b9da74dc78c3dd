/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
kernel_file_write (int folder, const char *path, const char *value)
{
  int fd = openat (folder, path, O_WRONLY | O_CLOEXEC);
  size_t size = strlen (value);
  int error = 0;
  ssize_t n;

  if (fd < 0)
    return -errno;
  n = write (fd, value, size);
  if (n != (ssize_t) size)
    error = n < 0 ? -errno : -EIO;
  close (fd);
  return error;
}

bool
kernel_file_read (int folder, const char *path, char *text, size_t size)
{
  int fd = openat (folder, path, O_RDONLY | O_CLOEXEC);
  ssize_t n;

  if (fd < 0)
    return false;
  n = read (fd, text, size - 1);
  close (fd);
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
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
