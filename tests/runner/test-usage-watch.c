/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "usage-watch.h"

#include "clock.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

static const struct cgroup no_cgroup = CGROUP_NONE;

static void
begin (struct usage_watch *watch, const struct fh_policy *policy, int proc)
{
  usage_watch_init (watch, policy, &no_cgroup);
  usage_watch_begin (watch, proc, -1, 0);
}

/* What is not a folder of processes cannot be read. One look may go wrong, two may not. */
static enum usage_verdict
look_twice (const struct fh_policy *policy)
{
  struct usage_watch watch;
  enum usage_verdict verdict;

  begin (&watch, policy, open ("/dev/null", O_RDONLY | O_CLOEXEC));
  g_assert_cmpint (usage_watch_check (&watch), ==, USAGE_WITHIN_LIMITS);
  g_assert_cmpuint (watch.next_us, <, UINT64_MAX);
  verdict = usage_watch_check (&watch);
  usage_watch_end (&watch);
  return verdict;
}

static void
test_unreadable (void)
{
  const struct fh_policy memory = { .memory_bytes = 1 << 20 };
  const struct fh_policy cpu = { .cpu_ms = 1000 };
  const struct fh_policy processes = { .processes = 10 };
  const struct fh_policy none = { 0 };

  g_assert_cmpint (look_twice (&memory), ==, USAGE_UNSEEN);
  g_assert_cmpint (look_twice (&cpu), ==, USAGE_OVER_CPU);
  g_assert_cmpint (look_twice (&processes), ==, USAGE_OVER_PROCESSES);
  g_assert_cmpint (look_twice (&none), ==, USAGE_WITHIN_LIMITS);
}

static void
put (const char *folder, const char *file, const char *text)
{
  g_autofree char *path = g_build_filename (folder, file, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* A process that has memory and does not say how much. */
static void
test_opaque (void)
{
  const struct fh_policy policy = { .memory_bytes = 1 << 20 };
  g_autofree char *folder = g_dir_make_tmp ("fh-proc-XXXXXX", NULL);
  g_autofree char *command = g_strconcat ("rm -r ", folder, NULL);
  struct usage_watch watch;

  put (folder, "2/stat", "2 (x) S 1 2 2 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 3 409600 999 0 20 0 21\n");
  put (folder, "2/status", "Name:\tx\nThreads:\t1\n");
  begin (&watch, &policy, open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  g_assert_cmpint (usage_watch_check (&watch), ==, USAGE_WITHIN_LIMITS);
  g_assert_true (watch.is_suspect);
  g_assert_cmpint (usage_watch_check (&watch), ==, USAGE_UNSEEN);
  usage_watch_end (&watch);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

/* A control group of which the kernel counts everything. */
static void
test_rest (void)
{
  const struct fh_policy policy = { .memory_bytes = 1 << 30 };
  g_autofree char *folder = g_dir_make_tmp ("fh-cgroup-XXXXXX", NULL);
  g_autofree char *command = g_strconcat ("rm -r ", folder, NULL);
  struct cgroup cgroup = CGROUP_NONE;
  struct usage_watch watch;
  uint64_t pauses[3];

  put (folder, "memory.current", "4096\n");
  put (folder, "pids.current", "3\n");
  put (folder, "cpu.stat", "user_usec 10\nsystem_usec 5\n");
  cgroup.leaf = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  cgroup.counts_memory = cgroup.counts_processes = cgroup.limits_memory = true;
  usage_watch_init (&watch, &policy, &cgroup);
  usage_watch_begin (&watch, open ("/dev/null", O_RDONLY | O_CLOEXEC), -1, 0);
  for (int i = 0; i < 20; i++)
    {
      usage_watch_check (&watch);
      usage_watch_rest (&watch);
      pauses[i < 2 ? i : 2] = watch.next_us - clock_now_us ();
    }
  g_assert_cmpuint (pauses[0], <=, 50000);
  g_assert_cmpuint (pauses[2], >, 4000000);
  g_assert_cmpuint (pauses[2], <=, 5000000);
  put (folder, "cpu.stat", "user_usec 11\nsystem_usec 5\n");
  usage_watch_check (&watch);
  usage_watch_rest (&watch);
  g_assert_cmpuint (watch.next_us, <=, clock_now_us () + 50000);
  usage_watch_end (&watch);
  close (cgroup.leaf);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

/* Where nothing but looks finds out what is used, none is left out. */
static void
test_no_rest (void)
{
  const struct fh_policy policy = { .memory_bytes = 1 << 30 };
  g_autofree char *folder = g_dir_make_tmp ("fh-proc-XXXXXX", NULL);
  g_autofree char *command = g_strconcat ("rm -r ", folder, NULL);
  struct usage_watch watch;

  begin (&watch, &policy, open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < 10; i++)
    {
      usage_watch_check (&watch);
      usage_watch_rest (&watch);
      g_assert_cmpuint (watch.next_us, <=, clock_now_us () + 50000);
    }
  usage_watch_end (&watch);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static void
work (uint64_t us)
{
  const uint64_t begun = clock_own_cpu_us ();

  while (clock_own_cpu_us () - begun < us)
    continue;
}

/* Only what is more than any run costs. */
static void
test_served (void)
{
  const struct fh_policy policy = { .cpu_ms = 1000 };
  struct usage_watch watch;
  uint64_t served;

  begin (&watch, &policy, -1);
  work (1000);
  usage_watch_settle (&watch);
  g_assert_cmpuint (watch.served_us, ==, 0);
  work (100000);
  usage_watch_settle (&watch);
  served = watch.served_us;
  g_assert_cmpuint (served, >=, 90000);
  g_assert_cmpuint (usage_watch_cpu_us (&watch), ==, served);
  /* It does not become less. */
  watch.looks = 1000;
  usage_watch_settle (&watch);
  g_assert_cmpuint (watch.served_us, ==, served);
  usage_watch_end (&watch);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runner/usage-watch/unreadable", test_unreadable);
  g_test_add_func ("/runner/usage-watch/opaque", test_opaque);
  g_test_add_func ("/runner/usage-watch/rest", test_rest);
  g_test_add_func ("/runner/usage-watch/no-rest", test_no_rest);
  g_test_add_func ("/runner/usage-watch/served", test_served);
  return g_test_run ();
}
