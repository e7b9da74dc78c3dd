/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child whose main thread has ended while another one goes on, with memory and an open file of
 * its own: what /proc shows of it by its number is a zombie. */
#pragma once

#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct headless
{
  size_t bytes;
  const char *path; /* of a file that it makes, opens and deletes; or NULL */
  int ready;
};

static inline void *
headless_go_on (void *data)
{
  const struct headless *headless = data;
  char *pages =
      mmap (NULL, headless->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  char text[256] = "Z";
  const char *at = text;

  memset (pages, 'x', headless->bytes);
  if (headless->path != NULL)
    {
      int fd = open (headless->path, O_RDWR | O_CREAT, 0600);

      if (write (fd, pages, headless->bytes) < 0 || unlink (headless->path) < 0)
        _exit (1);
    }
  /* Until the main thread has ended. */
  do
    {
      int fd = open ("/proc/self/stat", O_RDONLY);
      ssize_t size = read (fd, text, sizeof text - 1);

      text[size > 0 ? size : 0] = '\0';
      at = strrchr (text, ')');
      close (fd);
    }
  while (at == NULL || at[2] != 'Z');
  if (write (headless->ready, "x", 1) != 1)
    _exit (1);
  for (;;)
    poll (NULL, 0, -1);
  return NULL;
}

static inline pid_t
headless_start (size_t bytes, const char *path)
{
  static struct headless headless;
  pthread_t thread;
  int pair[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe2 (pair, O_CLOEXEC), ==, 0);
  headless = (struct headless){ bytes, path, pair[1] };
  pid = fork ();
  if (pid == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      if (pthread_create (&thread, NULL, headless_go_on, &headless) != 0)
        _exit (1);
      syscall (SYS_exit, 0);
    }
  close (pair[1]);
  g_assert_cmpint (read (pair[0], &byte, 1), ==, 1);
  close (pair[0]);
  return pid;
}

static inline void
headless_end (pid_t pid)
{
  kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}
