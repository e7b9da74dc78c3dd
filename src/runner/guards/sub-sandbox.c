/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sub-sandbox.h"

#include "kernel-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* In a pid namespace, ids are given out in order. Where init or a desktop runs, the second id is
 * never a child of the first that was started for us. */
#define FIRST_PROCESS 1
#define OUR_PROCESS   2

static bool
is_alone (void)
{
  struct statfs status;

  return getpid () == OUR_PROCESS && getppid () == FIRST_PROCESS &&
         statfs ("/proc", &status) == 0 && status.f_type == PROC_SUPER_MAGIC &&
         access ("/.flatpak-info", F_OK) == 0;
}

/* Two lines of headings, then one for each interface. */
static bool
has_loopback_only (void)
{
  char text[4096] = "";
  char *rest = NULL;
  const char *line;
  unsigned int number = 0;

  /* A text that does not fit is that of many interfaces. */
  if (!kernel_file_read (AT_FDCWD, "/proc/self/net/dev", text, sizeof text) ||
      strlen (text) + 1 == sizeof text)
    return false;
  for (line = strtok_r (text, "\n", &rest); line != NULL; line = strtok_r (NULL, "\n", &rest))
    {
      line += strspn (line, " ");
      if (number++ >= 2 && strncmp (line, "lo:", 3) != 0)
        return false;
    }
  return number >= 2;
}

/* 0 if the folder is the one that the app has asked for, else an errno. */
static int
check_folder (const struct fh_proof *proof)
{
  struct stat status;

  if (lstat (proof->path, &status) < 0)
    return errno;
  return S_ISDIR (status.st_mode) && status.st_dev == proof->device && status.st_ino == proof->inode
             ? 0
             : ESTALE;
}

const char *
sub_sandbox_check (const struct fh_policy *policy)
{
  const char *step = NULL;
  int error = 0;

  if (!is_alone ())
    {
      step = "sub-sandbox";
      error = EXDEV;
    }
  else if (!has_loopback_only ())
    {
      step = "sub-sandbox-network";
      error = ENOTUNIQ;
    }
  else if ((error = check_folder (&policy->proofs[0])) != 0)
    step = "sub-sandbox-folder";
  errno = error;
  return step;
}
