/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves a process behind whose main thread has ended with the exit system call: /proc shows a
 * zombie, but another thread works on when the run has ended.
 *
 * baseline: works
 * mark: /dev/shm/fumehood-attack-mark
 * expect-status: ok
 * expect-attempt: any
 * within: 3
 * tiers: A A2 B B4 B5
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *
go_on (void *data)
{
  const struct timespec moment = { 0, 300000000 };
  int fd;

  for (fd = 0; fd < 100; fd++)
    close (fd);
  nanosleep (&moment, NULL);
  fd = open ("/dev/shm/fumehood-attack-mark", O_WRONLY | O_CREAT, 0600);
  if (write (fd, "evil", 4) < 0)
    close (fd);
  sleep (30);
  return NULL;
}

int
main (void)
{
  const struct timespec moment = { 0, 100000000 };
  pthread_t thread;

  if (fork () == 0)
    {
      setsid ();
      pthread_create (&thread, NULL, go_on, NULL);
      syscall (SYS_exit, 0);
    }
  nanosleep (&moment, NULL);
  return 0;
}
