/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be known of control groups without having one: a folder with files that say what the
 * kernel would. The real thing is tried in a virtual machine. */
#include "cgroup.h"
#include "usage-watch.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static void
assert_path (const char *text, const char *expected)
{
  char path[64];

  if (expected == NULL)
    g_assert_false (cgroup_find_path (text, path, sizeof path));
  else
    {
      g_assert_true (cgroup_find_path (text, path, sizeof path));
      g_assert_cmpstr (path, ==, expected);
    }
}

static void
test_path (void)
{
  g_autofree char *longest = g_strdup_printf ("0::/%0*d\n", 63, 0);
  g_autofree char *too_long = g_strdup_printf ("0::/%0*d\n", 64, 0);

  assert_path ("0::/user.slice/a.scope\n", "user.slice/a.scope");
  assert_path ("0::/a.scope", "a.scope");
  assert_path ("12:pids:/x\n1:name=systemd:/y\n0::/z\n", "z");
  assert_path ("0::/a..b\n", "a..b");
  assert_path (longest, g_strchomp (longest) + strlen ("0::/"));
  assert_path (too_long, NULL);
}

static void
test_no_path (void)
{
  assert_path ("", NULL);
  assert_path ("\n", NULL);
  assert_path ("0::/\n", NULL);
  assert_path ("0::/../other.scope\n", NULL);
  assert_path ("0::/a/../b\n", NULL);
  assert_path ("10::/a\n", NULL);
  assert_path ("1:name=systemd:/a\n", NULL);
}

static char *
make_box (struct cgroup *cgroup)
{
  char *folder = g_dir_make_tmp ("cgroup-XXXXXX", NULL);

  g_assert_nonnull (folder);
  *cgroup = (struct cgroup){
    .scope = -1,
    .leaf = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
    .own_processes = 1,
    .counts_memory = true,
    .counts_processes = true,
    .limits_memory = true,
    .limits_processes = true,
    .reason = "",
  };
  g_assert_cmpint (cgroup->leaf, >=, 0);
  return folder;
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
remove_box (struct cgroup *cgroup, char *folder)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
  close (cgroup->leaf);
}

static void
test_usage (void)
{
  struct cgroup cgroup;
  struct cgroup_usage usage = { 0 };
  char *folder = make_box (&cgroup);

  write_file (folder, "memory.current", "104857600\n");
  write_file (folder, "pids.current", "5\n");
  write_file (folder,
              "cpu.stat",
              "usage_usec 300\nuser_usec 200\nsystem_usec 100\ncore_sched.force_idle_usec 9\n");
  cgroup_measure (&cgroup, &usage);
  g_assert_cmpuint (usage.memory, ==, 104857600);
  g_assert_cmpuint (usage.processes, ==, 4);
  g_assert_cmpuint (usage.cpu_user_us, ==, 200);
  g_assert_cmpuint (usage.cpu_system_us, ==, 100);
  remove_box (&cgroup, folder);
}

/* A file that is missing counts as nothing, and so does a number that cannot be. */
static void
test_nothing_to_read (void)
{
  struct cgroup cgroup;
  struct cgroup_usage usage = { 0 };
  struct cgroup_outcome outcome;
  char *folder = make_box (&cgroup);

  write_file (folder, "pids.current", "0\n");
  write_file (folder, "memory.events", "");
  cgroup_measure (&cgroup, &usage);
  cgroup_conclude (&cgroup, &outcome);
  g_assert_cmpuint (usage.memory + usage.processes + usage.cpu_user_us + usage.cpu_system_us,
                    ==,
                    0);
  g_assert_cmpuint (outcome.memory_peak + outcome.processes_peak, ==, 0);
  g_assert_false (outcome.was_over_memory);
  g_assert_cmpuint (outcome.process_refusals, ==, 0);
  remove_box (&cgroup, folder);
}

static void
test_peaks (void)
{
  struct cgroup cgroup;
  struct cgroup_outcome outcome;
  char *folder = make_box (&cgroup);

  write_file (folder, "memory.peak", "67108864\n");
  write_file (folder, "pids.peak", "21\n");
  write_file (folder, "pids.events", "max 3\n");
  cgroup_conclude (&cgroup, &outcome);
  g_assert_cmpuint (outcome.memory_peak, ==, 67108864);
  g_assert_cmpuint (outcome.processes_peak, ==, 20);
  g_assert_cmpuint (outcome.process_refusals, >, 0);
  write_file (folder, "pids.events", "max 0\n");
  cgroup_conclude (&cgroup, &outcome);
  g_assert_cmpuint (outcome.process_refusals, ==, 0);
  remove_box (&cgroup, folder);
}

static void
test_out_of_memory (void)
{
  static const struct
  {
    const char *events;
    bool was_over;
  } cases[] = {
    { "low 0\nhigh 0\nmax 31\noom 1\noom_kill 2\noom_group_kill 1\n", true },
    { "low 0\nhigh 0\nmax 31\noom 1\noom_kill 1\n", true },
    /* Reached, but there was always something to let go of. */
    { "low 0\nhigh 0\nmax 31\noom 0\noom_kill 0\noom_group_kill 0\n", false },
    /* The whole computer ran out of memory: no limit of ours was reached. */
    { "low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\noom_group_kill 1\n", false },
    /* An allocation failed, and no process was killed. */
    { "low 0\nhigh 0\nmax 9\noom 2\noom_kill 0\noom_group_kill 0\n", false },
  };
  struct cgroup cgroup;
  struct cgroup_outcome outcome;
  char *folder = make_box (&cgroup);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      write_file (folder, "memory.events", cases[i].events);
      cgroup_conclude (&cgroup, &outcome);
      g_assert_cmpint (outcome.was_over_memory, ==, cases[i].was_over);
    }
  /* Without a limit there is nothing to be over. */
  write_file (folder, "memory.events", cases[0].events);
  cgroup.limits_memory = false;
  cgroup_conclude (&cgroup, &outcome);
  g_assert_false (outcome.was_over_memory);
  remove_box (&cgroup, folder);
}

static const struct fh_policy limited = {
  .cpu_ms = 1000,
  .memory_bytes = 64 << 20,
  .processes = 8,
};

/* No process is looked at: there is no folder of processes here at all. */
static void
test_watch (void)
{
  struct cgroup cgroup;
  struct usage_watch watch;
  char *folder = make_box (&cgroup);

  usage_watch_init (&watch, &limited, &cgroup);
  g_assert_true (watch.is_counted);
  watch.cpu.setup_us = 200;
  write_file (folder, "memory.current", "1000000\n");
  write_file (folder, "pids.current", "5\n");
  write_file (folder, "cpu.stat", "usage_usec 1000100\nuser_usec 500000\nsystem_usec 500100\n");
  g_assert_cmpint (usage_watch_check (&watch), ==, USAGE_WITHIN_LIMITS);
  g_assert_cmpuint (watch.memory, ==, 1000000);
  g_assert_cmpuint (watch.threads, ==, 4);
  g_assert_cmpuint (watch.cpu.user_us, ==, 500000);
  g_assert_cmpuint (watch.cpu.system_us, ==, 499900);
  write_file (folder, "cpu.stat", "usage_usec 1000200\nuser_usec 1000100\nsystem_usec 100\n");
  g_assert_cmpint (usage_watch_check (&watch), ==, USAGE_OVER_CPU);
  g_assert_cmpuint (watch.cpu.user_us, ==, 1000000);
  g_assert_cmpuint (watch.cpu.system_us, ==, 0);
  usage_watch_end (&watch);
  remove_box (&cgroup, folder);
}

/* What the kernel tells at the end is better than what was seen; on a kernel that does not tell,
 * what was seen has to do. */
static void
test_watch_concludes (void)
{
  const struct rusage rusage = { .ru_maxrss = 100 };
  const struct cgroup_outcome told = { .memory_peak = 3000000, .processes_peak = 7 };
  const struct cgroup_outcome untold = { 0 };
  struct fh_finished finished = { 0 };
  struct cgroup cgroup;
  struct usage_watch watch;
  char *folder = make_box (&cgroup);

  usage_watch_init (&watch, &limited, &cgroup);
  write_file (folder, "memory.current", "1000000\n");
  write_file (folder, "pids.current", "5\n");
  usage_watch_check_last (&watch);
  write_file (folder, "cpu.stat", "usage_usec 500\nuser_usec 300\nsystem_usec 200\n");
  usage_watch_conclude (&watch, &rusage, &told, &finished);
  g_assert_cmpuint (finished.memory_peak, ==, 3000000);
  g_assert_cmpuint (finished.processes_peak, ==, 7);
  g_assert_cmpuint (finished.cpu_user_us, ==, 300);
  g_assert_cmpuint (finished.cpu_system_us, ==, 200);
  usage_watch_conclude (&watch, &rusage, &untold, &finished);
  g_assert_cmpuint (finished.memory_peak, ==, 1000000);
  g_assert_cmpuint (finished.processes_peak, ==, 4);
  usage_watch_end (&watch);
  remove_box (&cgroup, folder);
}

/* Where the kernel has not taken the memory limit, looking goes on. */
static void
test_watch_that_is_needed (void)
{
  struct cgroup cgroup = { .leaf = -1, .counts_memory = true, .counts_processes = true };
  const struct fh_policy unlimited = { .processes = 8 };
  struct usage_watch watch;

  usage_watch_init (&watch, &limited, &cgroup);
  g_assert_false (watch.is_counted);
  usage_watch_init (&watch, &unlimited, &cgroup);
  g_assert_true (watch.is_counted);
  cgroup.counts_processes = false;
  usage_watch_init (&watch, &unlimited, &cgroup);
  g_assert_false (watch.is_counted);
}

/* A runner without a scope of its own leaves every group alone. */
static void
test_without_scope (void)
{
  const struct fh_policy policy = { .memory_bytes = 1 << 20, .processes = 5 };
  struct cgroup cgroup;
  struct cgroup_usage usage = { 0 };
  struct cgroup_outcome outcome;

  cgroup_open (&cgroup, &policy);
  g_assert_cmpint (cgroup.leaf, ==, -1);
  g_assert_cmpstr (cgroup.reason, ==, "no-cgroup");
  g_assert_false (cgroup.limits_memory || cgroup.limits_processes);
  cgroup_kill (&cgroup);
  cgroup_measure (&cgroup, &usage);
  cgroup_conclude (&cgroup, &outcome);
  g_assert_cmpuint (usage.memory, ==, 0);
  g_assert_false (outcome.was_over_memory);
  cgroup_close (&cgroup);
}

/* Nor does one that was told so but is not alone there, as this test is not: its harness is in the
 * same group, or there is none that is ours to change. */
static void
test_shared_scope (void)
{
  const struct fh_policy policy = { .flags = FH_POLICY_SCOPE, .memory_bytes = 1 << 20 };
  struct cgroup cgroup;

  cgroup_open (&cgroup, &policy);
  g_assert_cmpint (cgroup.leaf, ==, -1);
  g_assert_cmpstr (cgroup.reason, !=, "");
  g_assert_false (cgroup.limits_memory);
  cgroup_close (&cgroup);
}

/* As the warm interpreter's, as far as a usual folder can be. */
static char *
make_warm (struct cgroup *warm)
{
  char *folder = g_dir_make_tmp ("cgroup-XXXXXX", NULL);
  const int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  *warm = (struct cgroup){ .scope = fd, .name = "warm", .leaf = fd, .reason = "" };
  return folder;
}

static void
test_leaf_of_a_run (void)
{
  const struct fh_policy policy = { .flags = FH_POLICY_SCOPE, .processes = 5 };
  struct cgroup warm, run;
  g_autofree char *folder = make_warm (&warm);
  g_autofree char *leaf = g_build_filename (folder, "run", NULL);

  for (int i = 0; i < 2; i++)
    {
      g_assert_true (cgroup_open_run (&run, &warm, &policy));
      g_assert_true (g_file_test (leaf, G_FILE_TEST_IS_DIR));
      g_assert_cmpuint (run.own_processes, ==, 1);
      /* It is no control group, so nothing can be moved there. */
      g_assert_false (cgroup_take (&run, getpid ()));
      cgroup_close (&run);
      g_assert_false (g_file_test (leaf, G_FILE_TEST_EXISTS));
      g_assert_cmpint (fcntl (warm.scope, F_GETFD), >=, 0);
    }
  /* What is left of another run is not used again. */
  g_assert_cmpint (g_mkdir (leaf, 0700), ==, 0);
  g_assert_false (cgroup_open_run (&run, &warm, &policy));
  g_assert_cmpint (run.leaf, ==, -1);
  cgroup_close (&run);
  g_assert_true (g_file_test (leaf, G_FILE_TEST_IS_DIR));
  g_rmdir (leaf);
  g_rmdir (folder);
  close (warm.scope);
}

/* Guards were told: a run that is guarded less is refused. */
static void
test_leaf_that_is_weaker (void)
{
  const struct fh_policy policy = { .memory_bytes = 1 << 20, .processes = 5 };
  struct cgroup warm, run;
  g_autofree char *folder = make_warm (&warm);

  for (int i = 0; i < 3; i++)
    {
      warm.limits_memory = i == 0;
      warm.limits_processes = i == 1;
      warm.counts_memory = i == 2;
      g_assert_false (cgroup_open_run (&run, &warm, &policy));
      cgroup_close (&run);
    }
  g_rmdir (folder);
  close (warm.scope);
}

static void
test_run_without_leaf (void)
{
  const struct fh_policy policy = { .memory_bytes = 1 << 20 };
  struct cgroup warm = CGROUP_NONE;
  struct cgroup run;

  warm.reason = "no-cgroup";
  g_assert_true (cgroup_open_run (&run, &warm, &policy));
  g_assert_cmpint (run.leaf, ==, -1);
  g_assert_cmpstr (run.reason, ==, "no-cgroup");
  g_assert_true (cgroup_take (&run, getpid ()));
  cgroup_close (&run);
}

static void
test_all_limits (void)
{
  const struct fh_policy unlimited = { .cpu_ms = 1 };
  struct cgroup cgroup = CGROUP_NONE;

  g_assert_false (cgroup_limits_all (&cgroup, &unlimited));
  cgroup.leaf = STDIN_FILENO;
  g_assert_true (cgroup_limits_all (&cgroup, &unlimited));
  g_assert_false (cgroup_limits_all (&cgroup, &limited));
  cgroup.limits_memory = true;
  g_assert_false (cgroup_limits_all (&cgroup, &limited));
  cgroup.limits_processes = true;
  g_assert_true (cgroup_limits_all (&cgroup, &limited));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cgroup/path", test_path);
  g_test_add_func ("/cgroup/no-path", test_no_path);
  g_test_add_func ("/cgroup/usage", test_usage);
  g_test_add_func ("/cgroup/nothing-to-read", test_nothing_to_read);
  g_test_add_func ("/cgroup/peaks", test_peaks);
  g_test_add_func ("/cgroup/out-of-memory", test_out_of_memory);
  g_test_add_func ("/cgroup/watch", test_watch);
  g_test_add_func ("/cgroup/watch-concludes", test_watch_concludes);
  g_test_add_func ("/cgroup/watch-that-is-needed", test_watch_that_is_needed);
  g_test_add_func ("/cgroup/without-scope", test_without_scope);
  g_test_add_func ("/cgroup/shared-scope", test_shared_scope);
  g_test_add_func ("/cgroup/leaf-of-a-run", test_leaf_of_a_run);
  g_test_add_func ("/cgroup/leaf-that-is-weaker", test_leaf_that_is_weaker);
  g_test_add_func ("/cgroup/run-without-leaf", test_run_without_leaf);
  g_test_add_func ("/cgroup/all-limits", test_all_limits);
  return g_test_run ();
}
