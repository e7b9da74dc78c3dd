/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes memory in forked children that look like vforked ones, whose memory is their parent's: they
 * have as much of it, and a thread of the parent waits in vfork.
 *
 * baseline: skip it would take too much memory
 * options: --memory 128M
 * expect-status: memory-exceeded:certain
 * expect-attempt: memory use memory * limited
 * alone: yes
 * tiers: A A2 B
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAMILIES 6
#define SIZE     ((size_t) 48 << 20)
#define PIECE    ((size_t) 256 << 10)
#define MOST     512

static char stack[64 * 1024] __attribute__ ((aligned (16)));
static char *pieces[MOST];
static size_t n;

static int
sleeper (void *data)
{
  (void) data;
  for (;;)
    pause ();
  return 0;
}

static void
map (const char *folder)
{
  DIR *entries = opendir (folder);
  struct dirent *entry;

  while (entries != NULL && n < SIZE / PIECE && (entry = readdir (entries)) != NULL)
    {
      int fd = openat (dirfd (entries), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      struct stat status;

      if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
        {
          for (size_t at = 0; at + PIECE <= (size_t) status.st_size && n < SIZE / PIECE;
               at += PIECE)
            {
              char *piece = mmap (NULL, PIECE, PROT_READ, MAP_PRIVATE, fd, (off_t) at);
              if (piece != MAP_FAILED)
                pieces[n++] = piece;
            }
        }
      if (fd >= 0)
        close (fd);
    }
  if (entries != NULL)
    closedir (entries);
}

static void
touch (void)
{
  volatile char sum = 0;

  for (size_t i = 0; i < n; i++)
    {
      for (size_t at = 0; at < PIECE; at += 4096)
        sum = (char) (sum + pieces[i][at]);
    }
}

static void
take (int go, int done)
{
  char byte;

  touch ();
  if (read (go, &byte, 1) != 1)
    _exit (1);
  for (size_t i = 0; i < n; i++)
    {
      if (mmap (pieces[i],
                PIECE,
                PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                -1,
                0) == MAP_FAILED)
        _exit (1);
      memset (pieces[i], 'x', PIECE);
    }
  if (write (done, "x", 1) != 1)
    _exit (1);
  sleeper (NULL);
}

int
main (void)
{
  int go[2], done[2];
  char byte;

  map ("/usr/bin");
  map ("/usr/lib/x86_64-linux-gnu");
  map ("/usr/lib64");
  if (pipe (go) < 0 || pipe (done) < 0)
    return 1;
  for (int i = 0; i < FAMILIES; i++)
    {
      if (fork () != 0)
        continue;
      touch ();
      if (fork () == 0)
        take (go[0], done[1]);
      clone (sleeper, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
      _exit (1);
    }
  usleep (500000);
  if (write (go[1], "xxxxxxxxxxxxxxxx", FAMILIES) != FAMILIES)
    return 1;
  for (int i = 0; i < FAMILIES; i++)
    {
      if (read (done[0], &byte, 1) != 1)
        return 1;
    }
  sleep (2);
  printf ("%zu MiB\nSUCCEEDED\n", FAMILIES * n * PIECE >> 20);
  fflush (stdout);
  kill (0, SIGKILL);
  return 0;
}
