/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-cgroup.h"

#include <glib.h>
#include <glib/gstdio.h>

#define MIB ((guint64) 1 << 20)

struct fixture
{
  char *folder;
  GPtrArray *paths;
  struct container_cgroup container;
};

static void
set_up (struct fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("fh-cgroup-XXXXXX", NULL);
  fixture->paths = g_ptr_array_new_with_free_func (g_free);
}

static void
tear_down (struct fixture *fixture, gconstpointer data)
{
  container_cgroup_close (&fixture->container);
  for (guint i = 0; i < fixture->paths->len; i++)
    g_unlink (g_ptr_array_index (fixture->paths, i));
  for (const char *const *name = (const char *const[]){ "memory", "pids", NULL }; *name; name++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, *name, NULL);

      g_rmdir (path);
    }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_ptr_array_unref (fixture->paths);
  g_free (fixture->folder);
}

static void
put (struct fixture *fixture, const char *name, const char *text)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_ptr_array_add (fixture->paths, path);
}

static struct cgroup
grant (struct fixture *fixture, guint64 memory, guint processes, guint64 input)
{
  const struct fh_policy policy = { .memory_bytes = memory, .processes = processes };
  struct cgroup cgroup = CGROUP_NONE;

  container_cgroup_grant (&fixture->container, &policy, input, &cgroup);
  return cgroup;
}

static void
test_version_2 (struct fixture *fixture, gconstpointer data)
{
  struct cgroup_outcome outcome;
  struct cgroup cgroup;

  put (fixture, "cgroup.controllers", "memory pids\n");
  put (fixture, "memory.max", "134217728\n");
  put (fixture, "memory.swap.max", "0\n");
  put (fixture, "memory.peak", "5000000\n");
  put (fixture, "memory.events", "low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 0\n");
  put (fixture, "pids.max", "72\n");
  put (fixture, "pids.events", "max 4\n");
  container_cgroup_open (&fixture->container, fixture->folder);
  g_assert_cmpuint (fixture->container.memory_limit, ==, 128 * MIB);
  g_assert_cmpuint (fixture->container.processes_limit, ==, 72);
  cgroup = grant (fixture, 112 * MIB, 64, 0);
  g_assert_true (cgroup.limits_memory && cgroup.limits_swap && cgroup.limits_processes);
  g_assert_cmpstr (cgroup.reason, ==, "");

  /* What is from before the run says nothing about it. */
  container_cgroup_conclude (&fixture->container, &outcome);
  g_assert_false (outcome.was_over_memory);
  g_assert_cmpuint (outcome.process_refusals, ==, 0);
  g_assert_cmpuint (outcome.memory_peak, ==, 0);

  /* Another group lacks memory: this group's own limit was not met. */
  put (fixture, "memory.events", "low 0\nhigh 0\nmax 7\noom 3\noom_kill 3\noom_group_kill 0\n");
  g_assert_false (container_cgroup_was_over_memory (&fixture->container));
  put (fixture, "memory.events", "low 0\nhigh 0\nmax 9\noom 4\noom_kill 3\noom_group_kill 0\n");
  put (fixture, "memory.peak", "134217728\n");
  put (fixture, "pids.events", "max 5\n");
  container_cgroup_conclude (&fixture->container, &outcome);
  g_assert_true (outcome.was_over_memory);
  g_assert_cmpuint (outcome.process_refusals, >, 0);
  g_assert_cmpuint (outcome.memory_peak, ==, 128 * MIB);
}

static void
test_version_1 (struct fixture *fixture, gconstpointer data)
{
  struct cgroup_outcome outcome;
  struct cgroup cgroup;

  put (fixture, "memory/memory.limit_in_bytes", "134217728\n");
  put (fixture, "memory/memory.memsw.limit_in_bytes", "134217728\n");
  put (fixture, "memory/memory.max_usage_in_bytes", "5000000\n");
  put (fixture, "memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  put (fixture, "pids/pids.max", "max\n");
  container_cgroup_open (&fixture->container, fixture->folder);
  g_assert_cmpuint (fixture->container.memory_limit, ==, 128 * MIB);
  g_assert_cmpuint (fixture->container.swap_limit, ==, 0);
  g_assert_cmpuint (fixture->container.processes_limit, ==, CONTAINER_NO_LIMIT);
  cgroup = grant (fixture, 128 * MIB, 64, 0);
  g_assert_true (cgroup.limits_memory && cgroup.limits_swap && !cgroup.limits_processes);

  put (fixture, "memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  g_assert_false (container_cgroup_was_over_memory (&fixture->container));
  put (fixture, "memory/memory.max_usage_in_bytes", "134000000\n");
  container_cgroup_conclude (&fixture->container, &outcome);
  g_assert_true (outcome.was_over_memory);
  g_assert_cmpuint (outcome.memory_peak, ==, 134000000);
}

static void
test_more_than_asked_for (struct fixture *fixture, gconstpointer data)
{
  struct cgroup cgroup;

  put (fixture, "cgroup.controllers", "memory pids\n");
  put (fixture, "memory.max", "1073741824\n");
  put (fixture, "pids.max", "1000\n");
  container_cgroup_open (&fixture->container, fixture->folder);
  cgroup = grant (fixture, 512 * MIB, 64, 0);
  g_assert_false (cgroup.limits_memory || cgroup.limits_processes);
  g_assert_cmpstr (cgroup.reason, ==, "container-larger");
  /* But the runner's own part is not held against it. */
  cgroup = grant (fixture, 1024 * MIB - CONTAINER_OWN_MEMORY, 990, 0);
  g_assert_true (cgroup.limits_memory && cgroup.limits_processes);
  cgroup = grant (fixture, 800 * MIB, 0, 200 * MIB);
  g_assert_true (cgroup.limits_memory && !cgroup.limits_processes);
  /* Without a question. */
  cgroup = grant (fixture, 0, 0, 0);
  g_assert_false (cgroup.limits_memory || cgroup.limits_processes);
  g_assert_cmpstr (cgroup.reason, ==, "");
}

static void
test_nothing_granted (struct fixture *fixture, gconstpointer data)
{
  struct cgroup_outcome outcome;
  struct cgroup cgroup;

  put (fixture, "memory/memory.limit_in_bytes", "9223372036854771712\n");
  put (fixture, "memory/memory.oom_control", "oom_kill 0\n");
  container_cgroup_open (&fixture->container, fixture->folder);
  cgroup = grant (fixture, 64 * MIB, 10, 0);
  g_assert_false (cgroup.limits_memory || cgroup.limits_swap || cgroup.limits_processes);
  g_assert_cmpstr (cgroup.reason, ==, "not-granted");
  put (fixture, "memory/memory.oom_control", "oom_kill 5\n");
  put (fixture, "memory/memory.max_usage_in_bytes", "9223372036854771712\n");
  g_assert_false (container_cgroup_was_over_memory (&fixture->container));

  container_cgroup_close (&fixture->container);
  container_cgroup_open (&fixture->container, "/nowhere");
  cgroup = grant (fixture, 64 * MIB, 10, 0);
  g_assert_cmpstr (cgroup.reason, ==, "not-granted");
  container_cgroup_conclude (&fixture->container, &outcome);
  g_assert_false (outcome.was_over_memory || outcome.process_refusals > 0);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/container-cgroup/" name, struct fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("version-2", test_version_2);
  ADD ("version-1", test_version_1);
  ADD ("more-than-asked-for", test_more_than_asked_for);
  ADD ("nothing-granted", test_nothing_granted);
  return g_test_run ();
}
