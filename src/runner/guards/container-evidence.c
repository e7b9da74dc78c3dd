/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-evidence.h"

#include "descriptor.h"
#include "kernel-file.h"
#include "path-within.h"
#include "wire-container.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Contents vanish with the container, or it cannot be written to. */
static const char *const passing_filesystems[] = {
  "tmpfs",  "ramfs",   "proc",       "sysfs",   "devpts",  "devtmpfs", "mqueue",
  "cgroup", "cgroup2", "securityfs", "debugfs", "tracefs", "bpf",      NULL,
};

/* In every container: the engine's files and our programs. */
static const char *const places_of_engine[] = {
  "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/run/.containerenv", "/opt/fumehood", NULL,
};

/* The parts of a line of /proc/self/mountinfo that matter. */
struct mount
{
  char place[256];
  char options[256];
  char type[64];
};

/* Copies the next word of a line, or the start of a long one, and returns what follows. */
static const char *
read_word (const char *line, char *word, size_t capacity)
{
  const size_t size = strcspn (line, " \n");

  snprintf (word, capacity, "%.*s", (int) size, line);
  return line + size + (line[size] == ' ');
}

/* What is missing is empty: then it counts as a folder that can be written to. */
static void
read_mount (const char *line, struct mount *mount)
{
  char word[8];

  *mount = (struct mount){ 0 };
  for (int i = 0; i < 4; i++)
    line = read_word (line, word, sizeof word);
  line = read_word (line, mount->place, sizeof mount->place);
  line = read_word (line, mount->options, sizeof mount->options);
  do
    line = read_word (line, word, sizeof word);
  while (word[0] != '\0' && strcmp (word, "-") != 0);
  read_word (line, mount->type, sizeof mount->type);
}

static bool
is_one_of (const char *word, const char *const words[])
{
  for (size_t i = 0; words[i] != NULL; i++)
    {
      if (strcmp (word, words[i]) == 0)
        return true;
    }
  return false;
}

static bool
is_read_only (const struct mount *mount)
{
  return mount->type[0] != '\0' && strncmp (mount->options, "ro", 2) == 0 &&
         (mount->options[2] == ',' || mount->options[2] == '\0');
}

static bool
is_of_engine (const char *place)
{
  for (size_t i = 0; places_of_engine[i] != NULL; i++)
    {
      if (path_is_within (place, places_of_engine[i]))
        return true;
    }
  return false;
}

/* The last mount on a path covers earlier ones. */
static void
take_mount (const struct mount *mount, void *data)
{
  struct container_evidence *evidence = data;

  if (strcmp (mount->place, "/") == 0)
    evidence->has_read_only_root = is_read_only (mount);
  else if (!is_read_only (mount) && !is_one_of (mount->type, passing_filesystems) &&
           !is_of_engine (mount->place))
    evidence->writable_folders++;
}

static void
for_each_mount (const char *mountinfo,
                void (*take) (const struct mount *mount, void *data),
                void *data)
{
  struct mount mount;

  for (const char *line = mountinfo; *line != '\0'; line += strcspn (line, "\n") + 1)
    {
      const size_t size = strcspn (line, "\n");

      if (size > 0)
        {
          read_mount (line, &mount);
          take (&mount, data);
        }
      if (line[size] == '\0')
        break;
    }
}

void
container_evidence_take_mounts (struct container_evidence *evidence, const char *mountinfo)
{
  evidence->has_read_only_root = false;
  evidence->writable_folders = 0;
  for_each_mount (mountinfo, take_mount, evidence);
}

enum place
{
  PLACE_PROGRAMS,
  PLACE_RUNNER,
  PLACE_GUEST,
  PLACE_WORKSPACE,
  PLACE_TMP,
  PLACE_HOME,
  N_PLACES,
};

static void
take_place (const struct mount *mount, void *data)
{
  static const char *const places[N_PLACES] = {
    FH_CONTAINER_PROGRAMS,  FH_CONTAINER_RUNNER, FH_CONTAINER_GUEST,
    FH_CONTAINER_WORKSPACE, FH_CONTAINER_TMP,    FH_CONTAINER_HOME,
  };
  bool *is_there = data;

  for (int i = 0; i < N_PLACES; i++)
    is_there[i] = is_there[i] || strcmp (mount->place, places[i]) == 0;
}

static bool
has_home (const struct fh_policy *policy)
{
  for (size_t i = 0; policy->env[i] != NULL; i++)
    {
      if (strcmp (policy->env[i], "HOME=" FH_CONTAINER_HOME) == 0)
        return true;
    }
  return false;
}

/* Our programs are bound one by one, or copied into a volume. */
bool
container_places_are_ours (const char *mountinfo, const struct fh_policy *policy)
{
  const bool needs_guest = policy->flags & FH_POLICY_GUEST_CHANNEL;
  bool is_there[N_PLACES] = { false };

  for_each_mount (mountinfo, take_place, is_there);
  if (!is_there[PLACE_PROGRAMS] &&
      (!is_there[PLACE_RUNNER] || (needs_guest && !is_there[PLACE_GUEST])))
    return false;
  return is_there[PLACE_WORKSPACE] && is_there[PLACE_TMP] &&
         (is_there[PLACE_HOME] || !has_home (policy));
}

void
container_evidence_take_status (struct container_evidence *evidence, const char *status)
{
  static const char key[] = "\nCapEff:";
  const char *line = strstr (status, key);

  evidence->capabilities = line == NULL ? 0 : strtoull (line + strlen (key), NULL, 16);
  evidence->has_no_new_privileges = kernel_file_number (status, "NoNewPrivs", 0) == 1;
  evidence->has_filter = kernel_file_number (status, "Seccomp", 0) == 2;
}

/* The whole file, to be freed; "" if it cannot be read. */
static char *
read_file (const char *path)
{
  FILE *file = fopen (path, "re");
  char *text = NULL;
  size_t capacity = 0;

  /* The kernel writes no NUL, so this reads the whole file. */
  if (file != NULL && getdelim (&text, &capacity, '\0', file) < 0)
    text = NULL;
  if (file != NULL)
    fclose (file);
  return text != NULL ? text : strdup ("");
}

/* Tunnels that the kernel puts into every network exist but are not up. */
static bool
is_up (int socket, const char *name)
{
  struct ifreq request = { 0 };

  snprintf (request.ifr_name, sizeof request.ifr_name, "%s", name);
  if (ioctl (socket, SIOCGIFFLAGS, &request) < 0)
    return true;
  return request.ifr_flags & IFF_UP && !(request.ifr_flags & IFF_LOOPBACK);
}

/* Two heading lines, then lines "NAME: …". Assume a network if it cannot be read. */
static bool
find_network (void)
{
  char *devices = read_file ("/proc/net/dev");
  fh_autofd int fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool is_found = devices == NULL || devices[0] == '\0';
  char *rest = NULL;
  const char *line = devices != NULL ? strtok_r (devices, "\n", &rest) : NULL;

  for (; line != NULL; line = strtok_r (NULL, "\n", &rest))
    {
      char name[IFNAMSIZ];

      if (sscanf (line, " %15[^: |]:", name) == 1 && strchr (line, ':') != NULL)
        is_found = is_found || is_up (fd, name);
    }
  free (devices);
  return is_found;
}

/* One line that maps everything to itself: the computer's own user namespace. */
static bool
find_user_namespace (void)
{
  char text[256] = "";
  unsigned long inside = 0;
  unsigned long outside = 0;
  unsigned long count = 0;

  if (!kernel_file_read (AT_FDCWD, "/proc/self/uid_map", text, sizeof text) ||
      sscanf (text, "%lu %lu %lu", &inside, &outside, &count) != 3)
    return false;
  return outside != 0 || count < UINT32_MAX;
}

/* Only tmpfs has a size of its own. */
static uint64_t
size_of (const struct statfs *status)
{
  if (status->f_type != TMPFS_MAGIC || status->f_blocks == 0)
    return UINT64_MAX;
  return (uint64_t) status->f_blocks * (uint64_t) status->f_bsize;
}

static uint64_t
find_space (int workspace)
{
  struct statfs status;
  uint64_t space = UINT64_MAX;
  uint64_t other = 0;

  if (workspace >= 0 && fstatfs (workspace, &status) == 0)
    space = size_of (&status);
  /* A folder that is not writable cannot be filled. */
  if (access (FH_CONTAINER_TMP, W_OK) == 0 && statfs (FH_CONTAINER_TMP, &status) == 0)
    other = size_of (&status);
  return other > space ? other : space;
}

bool
container_places_check (const struct fh_policy *policy)
{
  char *mounts = read_file ("/proc/self/mountinfo");
  const bool is_ours = mounts != NULL && container_places_are_ours (mounts, policy);

  free (mounts);
  return is_ours;
}

void
container_evidence_read (struct container_evidence *evidence, int workspace)
{
  char *mounts = read_file ("/proc/self/mountinfo");
  char *status = read_file ("/proc/self/status");

  *evidence = (struct container_evidence){ 0 };
  if (mounts != NULL)
    container_evidence_take_mounts (evidence, mounts);
  if (status != NULL)
    container_evidence_take_status (evidence, status);
  free (mounts);
  free (status);
  evidence->has_network = find_network ();
  evidence->has_user_namespace = find_user_namespace ();
  evidence->is_root = geteuid () == 0;
  evidence->space = find_space (workspace);
}
