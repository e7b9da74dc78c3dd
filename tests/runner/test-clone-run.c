/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "syscalls.h"

#include <glib.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#define N_VALUES 8

#ifdef __SANITIZE_ADDRESS__
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

static _Alignas(16) char stack[1 << 20];

/* The child that shares this process's memory forks one that returns, and ends as that one does. */
static void
fork_one (void *data)
{
  const pid_t pid = fork ();
  int status;

  if (pid == 0)
    return;
  _exit (waitpid (pid, &status, 0) == pid && WIFEXITED (status) ? WEXITSTATUS (status) : 1);
}

/* Values that are in registers or on the stack are those from before the call, in the parent and in
 * what returns from there. */
static int
status_of_fork (int number, double fraction)
{
  struct clone_args args = {
    .flags = CLONE_VM,
    .stack = (uint64_t) (uintptr_t) stack,
    .stack_size = sizeof stack,
    .exit_signal = SIGCHLD,
  };
  int numbers[N_VALUES];
  double fractions[N_VALUES];
  bool are_same = true;
  int status = 0;
  pid_t pid;

  for (int i = 0; i < N_VALUES; i++)
    {
      numbers[i] = number * i;
      fractions[i] = fraction * i;
    }
  pid = sys_clone3_run (&args, fork_one, NULL);
  if (pid > 0 && waitpid (pid, &status, __WALL) != pid)
    return -1;
  for (int i = 0; i < N_VALUES; i++)
    are_same = are_same && numbers[i] == number * i && fractions[i] == fraction * i;
  if (pid == 0)
    _exit (are_same ? 7 : 2);
  return pid > 0 && are_same && WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

static void
test_return (void)
{
  if (IS_SANITIZED)
    {
      g_test_skip ("the sanitizer knows of no other stack");
      return;
    }
  for (int i = 0; i < 50; i++)
    g_assert_cmpint (status_of_fork (i, i + 0.25), ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clone-run/return", test_return);
  return g_test_run ();
}
