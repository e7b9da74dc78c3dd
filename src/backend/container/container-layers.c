/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-arguments.h"

static gboolean
is_guarded (const FhContainerParts *parts, FhGuard guard)
{
  return !(parts->guards->without & 1u << guard);
}

static char *
filesystem_layers (const FhContainerParts *parts)
{
  const char *const *volumes = parts->options->volumes;
  const guint n = volumes != NULL ? g_strv_length ((GStrv) (gpointer) volumes) : 0;
  GString *text = g_string_new ("container");

  g_string_append (text, parts->options->is_writable ? ", writable layer" : ", read-only root");
  if (parts->options->work_dir != NULL && parts->workspace != NULL)
    g_string_append (text, ", bound work folder");
  if (n > 0)
    g_string_append_printf (text, ", %u %s", n, n == 1 ? "volume" : "volumes");
  return g_string_free (text, FALSE);
}

static char *
network_layers (const FhContainerParts *parts)
{
  const char *network = parts->options->network;

  if (network != NULL && g_str_equal (network, "host"))
    return NULL;
  if (network != NULL && !g_str_equal (network, "none"))
    return g_strdup_printf ("network namespace, network %s", network);
  if (network == NULL && !is_guarded (parts, FH_GUARD_NETWORK))
    return g_strdup ("network namespace, the engine's network");
  return g_strdup ("network namespace, loopback only");
}

static char *
process_layers (const FhContainerParts *parts)
{
  return g_strdup (fh_container_processes (parts) > 0 ? "pid namespace, cgroup pids.max"
                                                      : "pid namespace");
}

static char *
call_layers (const FhContainerParts *parts)
{
  if (parts->seccomp_profile == NULL || !is_guarded (parts, FH_GUARD_SYSTEM_CALLS))
    return g_strdup ("the engine's seccomp profile");
  return g_strdup ("seccomp profile of the container");
}

static char *
privilege_layers (const FhContainerParts *parts)
{
  GString *text = g_string_new (NULL);

  if (parts->engine->is_rootless)
    g_string_append (text, "user namespace, ");
  g_string_append (text, "no capabilities, no new privileges");
  if (parts->options->is_root)
    g_string_append (text, ", user 0");
  return g_string_free (text, FALSE);
}

static char *
time_layers (const FhContainerParts *parts)
{
  const guint cpus = parts->options->milli_cpus;

  if (cpus == 0 || !parts->engine->limits_cpus)
    return NULL;
  return g_strdup_printf ("cgroup limit of %u.%03u CPUs", cpus / 1000, cpus % 1000);
}

static char *
disk_layers (const FhContainerParts *parts)
{
  if (fh_container_mounts_size (parts) == 0)
    return NULL;
  return g_strdup (parts->engine->kind == FH_ENGINE_DOCKER ? "sized tmpfs, limited inodes"
                                                           : "sized tmpfs");
}

char *
fh_container_layers (const FhContainerParts *parts, FhGuard guard)
{
  g_return_val_if_fail (parts != NULL, NULL);

  switch (guard)
    {
    case FH_GUARD_FILESYSTEM:
      return filesystem_layers (parts);
    case FH_GUARD_NETWORK:
      return network_layers (parts);
    case FH_GUARD_PROCESSES:
      return process_layers (parts);
    case FH_GUARD_SYSTEM_CALLS:
      return call_layers (parts);
    case FH_GUARD_PRIVILEGES:
      return privilege_layers (parts);
    case FH_GUARD_MEMORY:
      return fh_container_memory (parts) > 0 ? g_strdup ("cgroup memory limit, no swap") : NULL;
    case FH_GUARD_TIME:
      return time_layers (parts);
    case FH_GUARD_DISK:
      return disk_layers (parts);
    case FH_GUARD_ENVIRONMENT:
      return g_strdup ("no proxies of the client");
    case FH_GUARD_OUTPUT:
    case FH_GUARD_INTERPRETER:
      return NULL;
    default:
      g_return_val_if_reached (NULL);
    }
}
