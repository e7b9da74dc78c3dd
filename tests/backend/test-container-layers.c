/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine's part in each guard, in words. */
#include "container-parts.h"

static void
assert_layers (const Parts *parts, FhGuard guard, const char *expected)
{
  g_autofree char *layers = fh_container_layers (&parts->made_from, guard);

  g_assert_cmpstr (layers, ==, expected);
}

static void
test_layers (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  assert_layers (&parts, FH_GUARD_FILESYSTEM, "container, read-only root");
  assert_layers (&parts, FH_GUARD_NETWORK, "network namespace, loopback only");
  assert_layers (&parts, FH_GUARD_PROCESSES, "pid namespace, cgroup pids.max");
  assert_layers (&parts, FH_GUARD_SYSTEM_CALLS, "seccomp profile of the container");
  assert_layers (&parts, FH_GUARD_PRIVILEGES, "no capabilities, no new privileges");
  assert_layers (&parts, FH_GUARD_MEMORY, "cgroup memory limit, no swap");
  assert_layers (&parts, FH_GUARD_TIME, NULL);
  assert_layers (&parts, FH_GUARD_DISK, "sized tmpfs, limited inodes");
  assert_layers (&parts, FH_GUARD_OUTPUT, NULL);
  assert_layers (&parts, FH_GUARD_ENVIRONMENT, "no proxies of the client");
  assert_layers (&parts, FH_GUARD_INTERPRETER, NULL);
}

static void
test_weaker_layers (void)
{
  const char *const volumes[] = { "/a:/b", "/c:/d", NULL };
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_PODMAN);
  parts.engine.is_rootless = TRUE;
  parts.engine.limits_processes = FALSE;
  parts.options = (FhContainerOptions){ .network = "bridge",
                                        .is_writable = TRUE,
                                        .is_root = TRUE,
                                        .volumes = volumes,
                                        .milli_cpus = 500 };
  parts.guards.without = 1u << FH_GUARD_MEMORY | 1u << FH_GUARD_SYSTEM_CALLS;
  parts.limits = fh_run_guards_limits (&parts.guards, &parts.limits);
  assert_layers (&parts, FH_GUARD_FILESYSTEM, "container, writable layer, 2 volumes");
  assert_layers (&parts, FH_GUARD_NETWORK, "network namespace, network bridge");
  assert_layers (&parts, FH_GUARD_PROCESSES, "pid namespace");
  assert_layers (&parts, FH_GUARD_SYSTEM_CALLS, "the engine's seccomp profile");
  assert_layers (&parts,
                 FH_GUARD_PRIVILEGES,
                 "user namespace, no capabilities, no new privileges, user 0");
  assert_layers (&parts, FH_GUARD_MEMORY, NULL);
  assert_layers (&parts, FH_GUARD_TIME, "cgroup limit of 0.500 CPUs");
  assert_layers (&parts, FH_GUARD_DISK, "sized tmpfs");
  parts.options.work_dir = parts.made_from.workspace = "/home/u/work";
  assert_layers (&parts,
                 FH_GUARD_FILESYSTEM,
                 "container, writable layer, bound work folder, 2 volumes");
  parts.options.network = "host";
  assert_layers (&parts, FH_GUARD_NETWORK, NULL);
  parts.options.network = NULL;
  parts.guards.without = 1u << FH_GUARD_NETWORK | 1u << FH_GUARD_DISK;
  parts.limits = fh_run_guards_limits (&parts.guards, &parts.limits);
  assert_layers (&parts, FH_GUARD_NETWORK, "network namespace, the engine's network");
  assert_layers (&parts, FH_GUARD_DISK, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-layers/layers", test_layers);
  g_test_add_func ("/container-layers/weaker-layers", test_weaker_layers);
  return g_test_run ();
}
