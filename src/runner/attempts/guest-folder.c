/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-folder.h"

#include "kernel-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
read_link (const char *link, char path[PATH_MAX])
{
  const ssize_t size = readlink (link, path, PATH_MAX - 1);

  path[size > 0 ? size : 0] = '\0';
  return path[0] == '/';
}

/* Older kernels have pidfds only of main threads. */
static int
open_process (pid_t thread)
{
  int process = pidfd_open (thread, 0);
  char file[32];
  char text[512];
  const char *line;

  if (process >= 0)
    return process;
  snprintf (file, sizeof file, "/proc/%d/status", (int) thread);
  if (!kernel_file_read (AT_FDCWD, file, text, sizeof text) ||
      (line = strstr (text, "\nTgid:")) == NULL)
    return -1;
  return pidfd_open ((pid_t) strtol (line + strlen ("\nTgid:"), NULL, 10), 0);
}

static bool has_been_cheated;

/* Uses a copy of the descriptor. The guest may have replaced it meanwhile with something whose
 * close blocks as long as the guest likes: a lingering socket, socket (7). So anything but a folder
 * stays open until this process exits, when nothing lingers, and no further copy is made. */
static bool
read_copy (pid_t thread, int folder, char path[PATH_MAX])
{
  const int process = has_been_cheated ? -1 : open_process (thread);
  const int copy = process >= 0 ? pidfd_getfd (process, folder, 0) : -1;
  struct stat status;
  char link[32];
  bool is_known;

  if (process >= 0)
    close (process);
  if (copy < 0)
    return false;
  if (fstat (copy, &status) < 0 || !S_ISDIR (status.st_mode))
    {
      has_been_cheated = true;
      return false;
    }
  snprintf (link, sizeof link, "/proc/self/fd/%d", copy);
  is_known = read_link (link, path);
  close (copy);
  return is_known;
}

bool
guest_folder_is_closed (void)
{
  return has_been_cheated;
}

/* The folder with a process's descriptors is open only to its own user. */
bool
guest_folder_path (pid_t thread, int folder, char path[PATH_MAX])
{
  char link[48];

  if (folder == AT_FDCWD)
    snprintf (link, sizeof link, "/proc/%d/cwd", (int) thread);
  else
    snprintf (link, sizeof link, "/proc/%d/fd/%d", (int) thread, folder);
  return read_link (link, path) ||
         (errno == EACCES && folder != AT_FDCWD && read_copy (thread, folder, path));
}
