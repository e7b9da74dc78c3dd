/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-path.h"

#include "wire-container.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define WORKSPACE "/workspace"

static const char *const scratch[] = { "/tmp", "/dev/shm", NULL };

/* Private parts of the system folders. */
static const char *const private_in_system[] = {
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/security",
  "/etc/ssh/ssh_host_rsa_key",
  "/etc/ssh/ssh_host_ecdsa_key",
  "/etc/ssh/ssh_host_ed25519_key",
  "/etc/ssl/private",
  "/etc/krb5.keytab",
  "/etc/machine-id",
  "/etc/NetworkManager",
  "/etc/wireguard",
  "/etc/crontab",
  "/etc/cron.d",
  "/etc/hostid",
  "/sys/class/dmi",
  "/sys/firmware",
  "/sys/devices/virtual/dmi",
  "/sys/class/net",
  "/sys/kernel/debug",
  "/sys/kernel/tracing",
  "/sys/kernel/security",
  "/proc/kcore",
  "/proc/kallsyms",
  "/proc/keys",
  "/proc/kmsg",
  "/proc/sysrq-trigger",
  "/proc/timer_list",
  "/proc/key-users",
  "/proc/sched_debug",
  "/dev/mem",
  "/dev/kmem",
  "/dev/port",
  "/dev/kmsg",
  "/dev/userfaultfd",
  "/dev/fuse",
  "/dev/kvm",
  "/dev/ptmx",
  "/dev/input",
  "/dev/dri",
  "/dev/snd",
  "/dev/video0",
  "/dev/disk",
  "/dev/mapper",
  "/dev/sda",
  "/dev/vda",
  "/dev/nvme0n1",
  NULL,
};

static const char *const system_folders[] = {
  "/usr",   "/lib",    "/lib64", "/bin",       "/etc",       "/proc", "/sbin",
  "/lib32", "/libx32", "/sys",   "/nix/store", "/gnu/store", "/dev",  NULL,
};

/* The name service cache, user databases, fonts, time zones: most programs look for them. */
static const char *const quiet[] = {
  "/var/run/nscd",    "/run/nscd",    "/run/systemd", "/var/cache/fontconfig", "/var/run/setrans",
  "/run/setrans",     "/var/lib/sss", "/run/userdb",  "/run/host/userdb",      "/run/uuidd",
  "/var/lib/libuuid", "/var/tmp",     NULL,
};

static const char *const private_folders[] = {
  "/home", "/root", "/run", "/var", "/mnt", "/media", NULL,
};

/* Private names below the home. */
static const char *const private_names[] = {
  ".ssh",     ".gnupg",          ".aws",       ".kube",          ".docker", ".netrc",
  ".mozilla", ".password-store", ".config/gh", ".config/gcloud", ".azure",  ".git-credentials",
  NULL,
};

static bool
is_within_any (const char *path, const char *const folders[])
{
  for (size_t i = 0; folders[i] != NULL; i++)
    {
      if (path_is_within (path, folders[i]))
        return true;
    }
  return false;
}

/* Appends the parts of `path` to `joined`, whose length is `size`. */
static bool
append (char joined[PATH_MAX], size_t *size, const char *path)
{
  while (*path != '\0')
    {
      const char *end = strchrnul (path, '/');
      const size_t part = (size_t) (end - path);

      if (part == 2 && path[0] == '.' && path[1] == '.')
        {
          while (*size > 0 && joined[--*size] != '/')
            continue;
        }
      else if (part > 0 && !(part == 1 && path[0] == '.'))
        {
          if (*size + 1 + part >= PATH_MAX)
            return false;
          joined[(*size)++] = '/';
          memcpy (joined + *size, path, part);
          *size += part;
        }
      path = *end == '/' ? end + 1 : end;
    }
  return true;
}

/* All processes inside have the same root: /proc/self/root/home is /home. */
static const char *
skip_roots (const char *path)
{
  while (strncmp (path, "/proc/", 6) == 0)
    {
      const char *at = path + 6;

      if (strncmp (at, "self/", 5) == 0)
        at += 4;
      else if (strncmp (at, "thread-self/", 12) == 0)
        at += 11;
      else
        while (isdigit ((unsigned char) *at))
          at++;
      if (strncmp (at, "/root", 5) != 0 || (at[5] != '/' && at[5] != '\0'))
        break;
      path = at[5] == '\0' ? "/" : at + 5;
    }
  return path;
}

bool
path_join (const char *base, const char *path, char joined[PATH_MAX])
{
  size_t size = 0;

  if ((path[0] != '/' && !append (joined, &size, base)) ||
      !append (joined, &size, path[0] == '/' ? skip_roots (path) : path))
    return false;
  if (size == 0)
    joined[size++] = '/';
  joined[size] = '\0';
  return true;
}

/* `name` is the part after the home, with a slash. */
static bool
is_private_name (const char *name)
{
  if (*name++ != '/')
    return false;
  for (size_t i = 0; private_names[i] != NULL; i++)
    {
      if (path_is_within (name, private_names[i]))
        return true;
    }
  return false;
}

bool
path_has_private_name (const char *path)
{
  while ((path = strchr (path, '/')) != NULL && !is_private_name (path))
    path++;
  return path != NULL;
}

/* Belongs to the container itself. */
static bool
is_home_inside (const char *path, const struct fh_policy *policy)
{
  return policy->tier == FH_WIRE_TIER_CONTAINER && path_is_within (path, FH_CONTAINER_HOME);
}

enum path_place
path_place_of (const char *path, const struct fh_policy *policy)
{
  if (path_is_within (path, WORKSPACE))
    return is_private_name (path + strlen (WORKSPACE)) ? PATH_PRIVATE : PATH_WORKSPACE;
  if (is_home_inside (path, policy))
    return is_private_name (path + strlen (FH_CONTAINER_HOME)) ? PATH_PRIVATE : PATH_WORKSPACE;
  if (is_within_any (path, scratch))
    return PATH_SCRATCH;
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      if (path_is_within (path, policy->binds[i].target))
        return PATH_SYSTEM;
    }
  if (is_within_any (path, private_in_system))
    return PATH_PRIVATE;
  if (is_within_any (path, system_folders))
    return PATH_SYSTEM;
  if (is_within_any (path, quiet))
    return PATH_QUIET;
  if (is_within_any (path, private_folders) ||
      (policy->home[0] == '/' && policy->home[1] != '\0' && path_is_within (path, policy->home)))
    return PATH_PRIVATE;
  return PATH_ELSEWHERE;
}

bool
path_is_shown (const char *path, const struct fh_policy *policy)
{
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      if (path_is_within (path, policy->binds[i].source))
        return true;
    }
  return false;
}

bool
path_is_plainly_system (const char *path)
{
  return (strncmp (path, "/usr/", 5) == 0 || strncmp (path, "/lib/", 5) == 0) &&
         strstr (path, "/..") == NULL;
}

void
path_in_home (const char *path, char shown[PATH_MAX])
{
  const char *home = NULL;

  if (path_is_within (path, WORKSPACE))
    home = WORKSPACE;
  else if (path_is_within (path, FH_CONTAINER_HOME))
    home = FH_CONTAINER_HOME;
  snprintf (shown,
            PATH_MAX,
            "%s%s",
            home != NULL ? "~" : "",
            home != NULL ? path + strlen (home) : path);
}
