/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deletes files that only Landlock rules still hold, which no process shows; they were written by
 * unreaped children, whose writes cannot be counted.
 *
 * baseline: skip it would fill the disk
 * options: --disk-limit 16M
 * expect-status: ok disk-limit memory-exceeded
 * expect-attempt: any
 * machine: x86_64
 * alone: yes
 * tiers: A A2 B
 */
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char data[1 << 20];

int
main (void)
{
  const struct timespec moment = { 0, 20000000 };
  const struct landlock_ruleset_attr attr = { .handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE };
  const long rules = syscall (SYS_landlock_create_ruleset, &attr, sizeof attr, 0);

  memset (data, 'x', sizeof data);
  signal (SIGCHLD, SIG_IGN);
  for (int i = 0; i < 240; i++)
    {
      struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
        .parent_fd = open ("file", O_RDWR | O_CREAT, 0600),
      };

      unlink ("file");
      if (fork () == 0)
        _exit (write (rule.parent_fd, data, sizeof data) < 0);
      while (wait (NULL) > 0)
        continue;
      if (lseek (rule.parent_fd, 0, SEEK_END) < (off_t) sizeof data ||
          syscall (SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
        {
          puts ("STOPPED");
          return 0;
        }
      close (rule.parent_fd);
      nanosleep (&moment, NULL);
    }
  sleep (2);
  puts ("SUCCEEDED");
  return 0;
}
