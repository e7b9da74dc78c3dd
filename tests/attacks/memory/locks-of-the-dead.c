/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets children that share its open files take locks and end: the locks remain without an owner.
 * The other kind without an owner are open file description locks.
 *
 * baseline: skip it would take memory that no process accounts for
 * options: --timeout 120
 * expect-status: ok memory-exceeded:file-locks
 * expect-attempt: any
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_FILES 200
#define N_LOCKS 130

static int files[N_FILES];
static int n_files;
static int taken;

static int
take (void *command)
{
  for (int i = 0; i < n_files * N_LOCKS; i++)
    {
      struct flock lock = { .l_type = F_RDLCK, .l_start = 2 * (i / n_files), .l_len = 1 };

      if (fcntl (files[i % n_files], *(int *) command, &lock) == 0)
        taken++;
    }
  return 0;
}

int
main (void)
{
  static char stack[1 << 16];
  int of_process = F_SETLK;
  int of_file = F_OFD_SETLK;
  struct dirent *entry;
  pid_t child;

  if (chdir ("/usr/bin") < 0)
    return 1;
  for (DIR *folder = opendir ("."); n_files < N_FILES && (entry = readdir (folder)) != NULL;)
    {
      int file = open (entry->d_name, O_RDONLY | O_NOFOLLOW);

      if (file >= 0)
        files[n_files++] = file;
    }
  child = clone (take, stack + sizeof stack, CLONE_VM | CLONE_FILES | SIGCHLD, &of_process);
  if (child > 0)
    waitpid (child, NULL, 0);
  printf ("%d by a child that ended\n", taken);
  take (&of_file);
  printf ("%d together\n", taken);
  sleep (2);
  puts (taken > 50000 ? "SUCCEEDED" : "STOPPED");
  return 0;
}
