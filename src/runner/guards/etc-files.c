/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "etc-files.h"

#include "descriptor.h"
#include "mounts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* None of these is secret or identifies the user. Each one costs every run some time. */
const char *const etc_files_of_host[] = {
  "/etc/ld.so.cache",
  "/etc/alternatives",
  "/etc/ssl/certs",
  "/etc/pki/tls/certs",
  "/etc/fonts",
  "/etc/pki/ca-trust/extracted",
  /* Debian's matplotlib does not start without it. */
  "/etc/matplotlibrc",
  /* Without them R finds none of its packages. Its Renviron.site may have passwords. */
  "/etc/R/ldpaths",
  "/etc/R/Renviron",
  NULL,
};

/* The settings of a Java machine here, such as java-17-openjdk-amd64, are in /etc/java-17-openjdk.
 * Python's /etc/python3.11 is left out: it has hooks of the system that change how programs end. */
#define JAVA_MACHINES "/usr/lib/jvm"
#define JAVA_PREFIX   "java-"

const struct etc_file etc_files_made[] = {
  { "passwd",
    "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n"
    "guest:x:" PLAN_USER_ID ":" PLAN_USER_ID ":Guest:/workspace:/bin/sh\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n" },
  { "group", "root:x:0:\nguest:x:" PLAN_USER_ID ":\nnogroup:x:65534:\n" },
  { "hosts", "127.0.0.1 localhost sandbox\n::1 localhost sandbox\n", true },
  { "hostname", "sandbox\n" },
  { "nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n", true },
  { "resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1 ndots:1\n", true },
  { NULL, NULL, false },
};

/* Where the host's folder is while parts of it are shown; relative to the new root, which is the
 * working folder. */
#define ETC_OVERLAY "etc-of-host"

static int
write_text (int etc, const char *name, int flags, const char *text)
{
  fh_autofd int fd = openat (etc, name, O_WRONLY | O_CLOEXEC | flags, 0644);
  const size_t size = strlen (text);

  if (fd < 0)
    return -errno;
  return write (fd, text, size) == (ssize_t) size ? 0 : -EIO;
}

static int
write_or_copy (struct setup *setup, int etc, const struct etc_file *file)
{
  char path[64] = "/etc/";
  int error = -ENOENT;

  strcat (path, file->name);
  if (file->is_of_network && !setup->plan->has_own_network)
    error = mounts_copy (setup, path, path);
  if (error == -ENOENT)
    return write_text (etc, file->name, O_CREAT | O_EXCL, file->text);
  /* The machine inside has its own name. */
  if (error == 0 && strcmp (file->name, "hosts") == 0)
    error = write_text (etc, file->name, O_APPEND | O_NOFOLLOW, "\n127.0.0.1 sandbox\n");
  return error;
}

static int
bind_if_present (struct setup *setup, const char *path)
{
  char source[PATH_MAX];
  int error;

  snprintf (source,
            sizeof source,
            "%s%s",
            setup->has_etc_overlay ? ETC_OVERLAY : "/etc",
            path + strlen ("/etc"));
  error = mounts_bind_from (setup, source, path, MOUNTS_PLAIN | MOUNT_ATTR_RDONLY);
  return error == -ENOENT ? 0 : error;
}

/* One overlay over the whole folder costs less than one for each part that is shown. Without it the
 * parts are the host's own. */
static int
attach_overlay (struct setup *setup)
{
  fh_autofd int etc = open ("/etc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  fh_autofd int tree = etc < 0 ? -errno : mounts_overlay (setup, etc);

  if (tree < 0)
    return 0;
  if (mkdirat (setup->root, ETC_OVERLAY, 0700) < 0)
    return -errno;
  setup->has_etc_overlay = true;
  return mounts_attach (fh_steal_fd (&tree), setup->root, ETC_OVERLAY);
}

/* What is not shown must not stay. */
static int
detach_overlay (struct setup *setup)
{
  if (!setup->has_etc_overlay)
    return 0;
  return umount2 (ETC_OVERLAY, MNT_DETACH | UMOUNT_NOFOLLOW) < 0 ||
                 unlinkat (setup->root, ETC_OVERLAY, AT_REMOVEDIR) < 0
             ? -errno
             : 0;
}

/* The time zone is a link into /usr/share/zoneinfo, which is visible. Copy the link, not its
 * target, because programs read the zone's name from it. */
static int
link_localtime (struct setup *setup, int etc)
{
  char target[PATH_MAX];
  ssize_t size = readlink ("/etc/localtime", target, sizeof target - 1);

  if (size < 0)
    return bind_if_present (setup, "/etc/localtime");
  target[size] = '\0';
  return symlinkat (target, etc, "localtime") < 0 ? -errno : 0;
}

static int
link_mounts (int etc)
{
  return symlinkat ("../proc/self/mounts", etc, "mtab") < 0 ? -errno : 0;
}

static int
fill (struct setup *setup, int etc)
{
  int error = 0;

  for (size_t i = 0; error == 0 && etc_files_made[i].name != NULL; i++)
    error = write_or_copy (setup, etc, &etc_files_made[i]);
  for (size_t i = 0; error == 0 && etc_files_of_host[i] != NULL; i++)
    error = bind_if_present (setup, etc_files_of_host[i]);
  for (size_t i = 0; error == 0 && i < setup->plan->n_etc_folders; i++)
    error = bind_if_present (setup, setup->plan->etc_folders[i]);
  if (error == 0)
    error = link_localtime (setup, etc);
  return error == 0 ? link_mounts (etc) : error;
}

int
etc_files_apply (struct setup *setup)
{
  fh_autofd int etc = -1;
  int error;

  if (mkdirat (setup->root, "etc", 0755) < 0)
    return -errno;
  etc = openat (setup->root, "etc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (etc < 0)
    return -errno;
  error = attach_overlay (setup);
  if (error == 0)
    error = fill (setup, etc);
  return error == 0 ? detach_overlay (setup) : error;
}

static void
add_java_folder (struct plan *plan, const char *machine)
{
  const char *architecture = strrchr (machine, '-');
  size_t size = architecture != NULL ? (size_t) (architecture - machine) : 0;
  char *folder = plan->etc_folders[plan->n_etc_folders];

  if (strncmp (machine, JAVA_PREFIX, strlen (JAVA_PREFIX)) != 0 || size <= strlen (JAVA_PREFIX) ||
      size >= 64)
    return;
  snprintf (folder, sizeof plan->etc_folders[0], "/etc/%.*s", (int) size, machine);
  plan->n_etc_folders++;
}

void
etc_files_find_folders (struct plan *plan)
{
  DIR *machines = opendir (JAVA_MACHINES);
  struct dirent *entry;

  while (machines != NULL && plan->n_etc_folders < PLAN_MAX_ETC_FOLDERS &&
         (entry = readdir (machines)) != NULL)
    {
      if (entry->d_type == DT_DIR)
        add_java_folder (plan, entry->d_name);
    }
  if (machines != NULL)
    closedir (machines);
}
