/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu-time.h"

#include "clock.h"

#include <glib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct process processes[4];
static struct process_table table = { .proc = -1, .processes = processes };

static uint64_t
count (struct cpu_time *time)
{
  cpu_time_count (time, &table);
  return time->user_us + time->system_us;
}

static void
test_living_and_waited_for (void)
{
  struct cpu_time time = { .setup_us = 5 };

  table.n = 2;
  processes[0] = (struct process){ .pid = 1, .cpu_system_us = 8, .new_system_us = 8 };
  processes[1] = (struct process){ .pid = 2, .cpu_user_us = 100, .new_user_us = 100 };
  g_assert_cmpuint (count (&time), ==, 103);
  g_assert_false (time.may_be_more);
  /* It has waited for a child that was never seen. */
  processes[0].new_system_us = 0;
  processes[1] = (struct process){
    .pid = 2,
    .cpu_user_us = 110,
    .new_user_us = 10,
    .children_user_us = 200,
  };
  g_assert_cmpuint (count (&time), ==, 113);
  g_assert_true (time.may_be_more);
  processes[1].new_user_us = 0;
  g_assert_cmpuint (count (&time), ==, 313);
  g_assert_false (time.may_be_more);
  g_assert_cmpuint (time.user_us, ==, 310);
  g_assert_cmpuint (time.system_us, ==, 3);
}

/* As one that is just being waited for. */
static void
test_seen_twice (void)
{
  struct cpu_time time = { 0 };

  table.n = 2;
  processes[0] = (struct process){ .pid = 2, .cpu_user_us = 10, .new_user_us = 10 };
  processes[1] = (struct process){ .pid = 3, .cpu_user_us = 500, .new_user_us = 500 };
  g_assert_cmpuint (count (&time), ==, 510);
  processes[0].children_user_us = 500;
  processes[0].new_user_us = processes[1].new_user_us = 0;
  g_assert_cmpuint (count (&time), ==, 510);
  table.n = 1;
  g_assert_cmpuint (count (&time), ==, 510);
  g_assert_cmpuint (count (&time), ==, 510);
  cpu_time_settle (&time);
  g_assert_cmpuint (time.user_us, ==, 510);
}

/* They are not waited for, and never two at a time. */
static void
test_lost (void)
{
  struct cpu_time time = { 0 };

  for (unsigned int i = 0; i < 10; i++)
    {
      table.n = 2;
      processes[0] = (struct process){ .pid = 2, .cpu_user_us = 1, .new_user_us = i == 0 };
      processes[1] = (struct process){ .pid = 3 + i, .cpu_user_us = 100, .new_user_us = 100 };
      g_assert_cmpuint (count (&time), ==, 101 + 100 * i);
      table.n = 1;
      processes[0].new_user_us = 0;
      g_assert_cmpuint (count (&time), ==, 101 + 100 * i);
      g_assert_true (time.is_losing);
    }
}

static void
test_last_look (void)
{
  struct cpu_time time = { .setup_us = 30 };

  table.n = 1;
  processes[0] = (struct process){ .pid = 1, .children_user_us = 50, .cpu_system_us = 20 };
  g_assert_cmpuint (count (&time), ==, 0);
  cpu_time_settle (&time);
  /* There was not as much system time. */
  g_assert_cmpuint (time.user_us, ==, 40);
  g_assert_cmpuint (time.system_us, ==, 0);
}

/* The kernel reaps it, and it was never seen. */
static void
compute_in_child (uint64_t us)
{
  const pid_t child = fork ();

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      while (clock_own_cpu_us () < us)
        continue;
      _exit (0);
    }
  while (waitpid (child, NULL, 0) >= 0)
    continue;
}

static void
test_all (void)
{
  struct cpu_time time = { 0 };
  uint64_t counted;

  table.n = 0;
  /* CPU time that was used before the kernel counts is not subtracted from its count. */
  compute_in_child (300000);
  cpu_time_begin_to_count_all (0);
  compute_in_child (100000);
  cpu_time_begin (&time, 1000);
  g_assert_cmpuint (count (&time), ==, 0);
  signal (SIGCHLD, SIG_IGN);
  compute_in_child (100000);
  compute_in_child (100000);
  signal (SIGCHLD, SIG_DFL);
  counted = count (&time);
  if (time.base_us == 0)
    {
      g_test_skip ("the kernel does not count for this user");
      return;
    }
  g_assert_cmpuint (counted, >=, 120000);
  g_assert_cmpuint (count (&time), ==, counted);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runner/cpu-time/living-and-waited-for", test_living_and_waited_for);
  g_test_add_func ("/runner/cpu-time/seen-twice", test_seen_twice);
  g_test_add_func ("/runner/cpu-time/lost", test_lost);
  g_test_add_func ("/runner/cpu-time/last-look", test_last_look);
  g_test_add_func ("/cpu-time/all", test_all);
  return g_test_run ();
}
