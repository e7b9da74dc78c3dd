/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All descendants of a process are found and killed, and no other process. */
#include "process-tree.h"

#include "headless.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct census
{
  int proc;
  uint32_t top;
  size_t n;
};

static bool
count_descendant (uint32_t pid, void *data)
{
  struct census *census = data;
  struct process process;
  bool descends = false;

  if (!process_read (census->proc, pid, &process) || process_is_dead (&process))
    return true;
  while (!descends && process.parent > 1)
    {
      descends = process.parent == census->top;
      if (!descends && !process_read (census->proc, process.parent, &process))
        break;
    }
  census->n += descends;
  return true;
}

/* Living descendants of `top`. */
static size_t
process_tree_count (int proc, pid_t top)
{
  struct census census = { proc, (uint32_t) top, 0 };

  process_for_each (proc, NULL, count_descendant, &census);
  return census.n;
}

static int proc = -1;

static _Noreturn void
sleep_for_ever (void)
{
  for (;;)
    poll (NULL, 0, -1);
}

/* A child that says on the pipe how far it is. */
static pid_t
start (void (*act) (int ready))
{
  int pair[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe2 (pair, O_CLOEXEC), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      act (pair[1]);
      _exit (0);
    }
  close (pair[1]);
  g_assert_cmpint (read (pair[0], &byte, 1), ==, 1);
  close (pair[0]);
  return pid;
}

static void
say_ready (int ready)
{
  if (write (ready, "x", 1) != 1)
    _exit (1);
}

/* A daemon, and a chain of children. */
static void
make_family (int ready)
{
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  if (fork () == 0)
    {
      setsid ();
      if (fork () > 0)
        _exit (0);
      sleep_for_ever ();
    }
  wait (NULL);
  for (int i = 0; i < 5; i++)
    if (fork () > 0)
      sleep_for_ever ();
  /* The last of the chain: all others are there. */
  say_ready (ready);
  sleep_for_ever ();
}

static void
end (pid_t pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static void
test_family (void)
{
  pid_t other = start (make_family);
  pid_t top = start (make_family);

  g_assert_cmpuint (process_tree_count (proc, top), ==, 6);
  g_assert_true (process_tree_kill (proc, top, 0));
  g_assert_cmpuint (process_tree_count (proc, top), ==, 0);
  g_assert_cmpint (kill (top, 0), ==, 0);
  g_assert_cmpuint (process_tree_count (proc, other), ==, 6);
  g_assert_true (process_tree_kill (proc, other, 0));
  end (top);
  end (other);
}

static void
test_spared (void)
{
  pid_t top = start (make_family);

  g_assert_true (process_tree_kill (proc, getpid (), top));
  g_assert_cmpint (waitpid (top, NULL, WNOHANG), ==, 0);
  g_assert_cmpuint (process_tree_count (proc, top), ==, 0);
  end (top);
}

static void
test_no_descendants (void)
{
  g_assert_cmpuint (process_tree_count (proc, getpid ()), ==, 0);
  g_assert_true (process_tree_kill (proc, getpid (), 0));
}

static void
test_tasks_of_user (void)
{
  gsize before = process_tree_tasks_of (proc, geteuid (), 1);
  pid_t top;

  g_assert_cmpuint (before, >=, 1);
  g_assert_cmpuint (process_tree_tasks_of (proc, 4000000000u, 1), ==, 0);
  g_assert_cmpuint (process_tree_tasks_of (proc, geteuid () - 1, 2), >=, 1);
  top = start (make_family);
  g_assert_cmpuint (process_tree_tasks_of (proc, geteuid (), 1), >, 1);
  g_assert_true (process_tree_kill (proc, top, 0));
  end (top);
}

/* It is no zombie, and its end is its real one. */
static void
test_headless (void)
{
  pid_t pid = headless_start (4096, NULL);
  siginfo_t info = { 0 };

  g_assert_cmpuint (process_tree_count (proc, getpid ()), ==, 1);
  g_assert_cmpint (waitid (P_PID, (id_t) pid, &info, WEXITED | WNOHANG | WNOWAIT), ==, 0);
  g_assert_cmpint (info.si_pid, ==, 0);
  g_assert_true (process_tree_kill (proc, getpid (), 0));
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  g_assert_cmpuint (process_tree_count (proc, getpid ()), ==, 0);
}

/* Nothing is left to be waited for, not even what others have left behind. */
static void
test_end (void)
{
  g_assert_true (process_tree_end (proc));
  g_assert_cmpint (prctl (PR_SET_CHILD_SUBREAPER, 1), ==, 0);
  start (make_family);
  headless_start (4096, NULL);
  g_assert_true (process_tree_end (proc));
  g_assert_cmpint (waitpid (-1, NULL, __WALL), <, 0);
  g_assert_cmpint (errno, ==, ECHILD);
  g_assert_cmpint (prctl (PR_SET_CHILD_SUBREAPER, 0), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_test_add_func ("/process-tree/family", test_family);
  g_test_add_func ("/process-tree/spared", test_spared);
  g_test_add_func ("/process-tree/none", test_no_descendants);
  g_test_add_func ("/process-tree/tasks-of-user", test_tasks_of_user);
  g_test_add_func ("/process-tree/headless", test_headless);
  g_test_add_func ("/process-tree/end", test_end);
  return g_test_run ();
}
