/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program-path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The PATH of a program that has none, confstr (3). */
#define DEFAULT_FOLDERS "/bin:/usr/bin"

static const char *
find_folders (char *const env[])
{
  for (size_t i = 0; env[i] != NULL; i++)
    {
      if (strncmp (env[i], "PATH=", 5) == 0)
        return env[i] + 5;
    }
  return DEFAULT_FOLDERS;
}

static bool
is_program (const char *path)
{
  struct stat status;

  if (stat (path, &status) < 0)
    return false;
  if (S_ISREG (status.st_mode) && faccessat (AT_FDCWD, path, X_OK, AT_EACCESS) == 0)
    return true;
  errno = EACCES;
  return false;
}

/* Searches the folders that this user can write to, or the others. False with errno. */
static bool
find_in (const char *folder, const char *name, bool is_own, char *path, size_t size)
{
  int error = ENOENT;

  while (true)
    {
      const size_t length = strcspn (folder, ":");
      int written = snprintf (path, size, "%.*s", (int) length, folder);

      if (folder[0] == '/' && written > 0 && (size_t) written < size &&
          (faccessat (AT_FDCWD, path, W_OK, AT_EACCESS) == 0) == is_own)
        {
          written = snprintf (path, size, "%.*s/%s", (int) length, length == 1 ? "" : folder, name);
          if (written > 0 && (size_t) written < size && is_program (path))
            return true;
          /* Like execvp, report EACCES rather than ENOENT. */
          if (errno == EACCES)
            error = EACCES;
        }
      if (folder[length] == '\0')
        break;
      folder += length + 1;
    }
  errno = error;
  return false;
}

bool
program_path_find (const char *name, char *const env[], char *path, size_t size)
{
  const char *folders = find_folders (env);
  int error;

  if (find_in (folders, name, false, path, size))
    return true;
  error = errno;
  if (find_in (folders, name, true, path, size))
    return true;
  if (error == EACCES)
    errno = EACCES;
  return false;
}
