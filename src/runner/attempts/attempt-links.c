/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-links.h"

#include "attempt-existence.h"
#include "attempt-path.h"
#include "descriptor.h"
#include "guest-folder.h"
#include "open-below.h"
#include "stage-numbers.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Parts that are looked at. Each takes some microseconds, for which all other calls wait. */
#define LOOKS_MAX 256

static const struct
{
  const char *link;
  const char *target;
} links_of_devices[] = {
  { "/dev/fd", "/proc/self/fd" },
  { "/dev/stdin", "/proc/self/fd/0" },
  { "/dev/stdout", "/proc/self/fd/1" },
  { "/dev/stderr", "/proc/self/fd/2" },
};

struct walk
{
  const struct attempt_call *call;
  char done[PATH_MAX]; /* without links and dots; "" is the root */
  char rest[PATH_MAX];
  int folder; /* a handle of `done`; -1: none */
  int found;  /* as links_follow returns it */
  int n_looks;
};

/* The folder of the guest's own that `path` is in, or NULL. */
static const char *
own_folder_of (const struct attempt_scene *scene, const char *path)
{
  static const char *const inside[] = {
    "/workspace", "/tmp", "/dev/shm", STAGE_SCRATCH "/workspace", STAGE_SCRATCH "/tmp",
  };
  const size_t n = scene->policy->tier == FH_WIRE_TIER_BUBBLEWRAP ? 5 : 3;

  if (scene->folder != NULL)
    return path_is_within (path, scene->folder->workspace) ? scene->folder->workspace
           : path_is_within (path, scene->folder->tmp)     ? scene->folder->tmp
                                                           : NULL;
  for (size_t i = 0; i < n; i++)
    {
      if (path_is_within (path, inside[i]))
        return inside[i];
    }
  return NULL;
}

/* A handle of the folder of the guest's own that `path` is in, to open the rest of `path` in. The
 * way to it may have links: bubblewrap's, or the user's. */
static int
open_own_folder (const struct attempt_scene *scene, const char *path, const char **rest)
{
  const char *own = own_folder_of (scene, path);

  *rest = path + strlen (own);
  *rest += **rest == '/';
  return scene->folder != NULL ? existence_open_outside (own)
                               : existence_open_inside (scene->root, own);
}

/* A handle of `path`, which is in a folder of the guest's own, if no part of it is a link. `flags`
 * are those of open (2). */
static int
open_own (const struct attempt_scene *scene, const char *path, uint64_t flags)
{
  const bool has_way = scene->folder != NULL || scene->policy->tier == FH_WIRE_TIER_BUBBLEWRAP;
  const char *rest = path + 1;
  fh_autofd int own = has_way ? open_own_folder (scene, path, &rest) : -1;
  const int folder = has_way ? own : scene->root;
  int handle;

  if (folder < 0)
    return folder;
  handle = fh_openat2 (folder,
                       *rest == '\0' ? "." : rest,
                       O_PATH | flags,
                       RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
  return handle < 0 ? -errno : handle;
}

static void
leave_folder (struct walk *walk)
{
  char *end = strrchr (walk->done, '/');

  if (end != NULL)
    *end = '\0';
  fh_clear_fd (&walk->folder);
}

/* True for the caller's own entry of /proc, and for all entries if `is_any`. */
static bool
is_entry_of_process (const struct attempt_call *call, const char *name, size_t size, bool is_any)
{
  char number[16];

  if ((size == 4 && strncmp (name, "self", size) == 0) ||
      (size == 11 && strncmp (name, "thread-self", size) == 0))
    return true;
  snprintf (number, sizeof number, "%u", attempt_call_process (call));
  return isdigit ((unsigned char) *name) &&
         (is_any || (strlen (number) == size && strncmp (name, number, size) == 0));
}

/* Where `done`, a link in /proc to what another process than the caller has open, leads. If that
 * process is the guest's but not this user's, its open files are closed to this process. */
static bool
read_link_of_other (struct walk *walk, char path[PATH_MAX])
{
  const struct attempt_scene *scene = walk->call->scene;
  const ssize_t size = scene->folder != NULL
                           ? readlink (walk->done, path, PATH_MAX - 1)
                           : readlinkat (scene->root, walk->done + 1, path, PATH_MAX - 1);

  if (size < 0 && errno == EACCES)
    walk->found = LINKS_CLOSED;
  path[size > 0 ? size : 0] = '\0';
  return size > 0;
}

/* The links of /proc to the root, the working folder and open files of a process. All have the
 * same root. */
static void
follow_process (struct walk *walk, bool follows_last)
{
  const char *name = walk->done + strlen ("/proc/");
  size_t size = strcspn (name, "/");
  const char *link = name + size;
  const bool is_last = walk->rest[strspn (walk->rest, "/")] == '\0';
  int folder = AT_FDCWD;
  char path[PATH_MAX];

  if (strncmp (link, "/task/", 6) == 0)
    link += 6 + strcspn (link + 6, "/");
  if (strcmp (link, "/root") == 0 && is_entry_of_process (walk->call, name, size, true))
    {
      walk->done[0] = '\0';
      return;
    }
  if (strncmp (link, "/fd/", 4) == 0 && isdigit ((unsigned char) link[4]))
    folder = (int) strtol (link + 4, NULL, 10);
  else if (strcmp (link, "/cwd") != 0)
    return;
  if ((is_last && !follows_last) ||
      (is_entry_of_process (walk->call, name, size, false)
           ? !guest_folder_path (walk->call->thread, folder, path)
           : !read_link_of_other (walk, path)) ||
      path[0] != '/')
    return;
  strcpy (walk->done, strcmp (path, "/") == 0 ? "" : path);
  if (is_last && folder != AT_FDCWD)
    walk->found = LINKS_OPEN;
}

/* The last part of `done`, which is open, is a link. False if it cannot be followed. */
static bool
follow_link (struct walk *walk)
{
  char link[PATH_MAX];
  char rest[PATH_MAX];
  const ssize_t size = readlinkat (walk->folder, "", link, sizeof link - 1);

  walk->found = -ELOOP;
  if (size <= 0)
    return false;
  link[size] = '\0';
  if (snprintf (rest, sizeof rest, "%s/%s", link, walk->rest) >= (int) sizeof rest)
    return false;
  strcpy (walk->rest, rest);
  leave_folder (walk);
  if (link[0] == '/')
    walk->done[0] = '\0';
  walk->found = LINKS_NOT_SEEN;
  return true;
}

/* These links say of each process what is its own, so this one would be told another's. */
static bool
replace_link_of_process (struct walk *walk)
{
  const uint32_t process = attempt_call_process (walk->call);

  if (strcmp (walk->done, "/proc/self") == 0)
    snprintf (walk->done, sizeof walk->done, "/proc/%u", process);
  else if (strcmp (walk->done, "/proc/thread-self") == 0)
    snprintf (walk->done, sizeof walk->done, "/proc/%u/task/%u", process, process);
  else if (strcmp (walk->done, "/proc/net") == 0)
    snprintf (walk->done, sizeof walk->done, "/proc/%u/net", process);
  else
    return false;
  return true;
}

/* Moves to the folder that `done` is in. That is another one than its name says if `done` leads
 * through links, as some of the system do. */
static void
go_up (struct walk *walk)
{
  const struct attempt_scene *scene = walk->call->scene;
  char text[PATH_MAX];
  char link[32];
  ssize_t size = -1;
  fh_autofd int handle = -1;

  if (walk->folder < 0 && !replace_link_of_process (walk) && walk->done[0] != '\0' &&
      walk->n_looks++ < LOOKS_MAX && snprintf (text, sizeof text, "%s/.", walk->done) < PATH_MAX)
    handle = scene->folder != NULL ? existence_open_outside (text)
                                   : existence_open_inside (scene->root, text);
  if (handle >= 0)
    {
      snprintf (link, sizeof link, "/proc/self/fd/%d", handle);
      size = readlink (link, text, sizeof text - 1);
    }
  if (size > 0 && text[0] == '/')
    {
      text[size] = '\0';
      strcpy (walk->done, size == 1 ? "" : text);
    }
  leave_folder (walk);
}

/* Looks at the last part of `done`, in a folder of the guest's own. False if that is the end. */
static bool
look_at_part (struct walk *walk, const char *name, bool follows_last)
{
  const bool is_last = walk->rest[strspn (walk->rest, "/")] == '\0';
  struct stat status;
  int handle;

  if (walk->folder < 0)
    handle = open_own (walk->call->scene, walk->done, O_NOFOLLOW);
  else
    {
      handle = fh_openat2 (walk->folder, name, O_PATH | O_NOFOLLOW, RESOLVE_BENEATH);
      handle = handle < 0 ? -errno : handle;
      fh_clear_fd (&walk->folder);
    }
  walk->found = handle < 0 ? handle : 0;
  walk->folder = handle;
  if (handle < 0)
    return false;
  if (fstat (handle, &status) == 0 && S_ISLNK (status.st_mode) && (!is_last || follows_last))
    return follow_link (walk);
  return true;
}

/* These links are in every /dev, which is not the guest's to change. */
static void
follow_device (char done[PATH_MAX])
{
  for (size_t i = 0; i < sizeof links_of_devices / sizeof links_of_devices[0]; i++)
    {
      if (strcmp (done, links_of_devices[i].link) == 0)
        {
          strcpy (done, links_of_devices[i].target);
          return;
        }
    }
}

/* Moves the next part from `rest` to `done`. False if that is the end. */
static bool
walk_part (struct walk *walk, bool follows_last)
{
  const struct attempt_scene *scene = walk->call->scene;
  const char *part = walk->rest + strspn (walk->rest, "/");
  const size_t size = strcspn (part, "/");
  const size_t n = strlen (walk->done);
  char name[NAME_MAX + 1];
  const char *own;

  if (size == 0 || size > NAME_MAX || n + 1 + size >= PATH_MAX)
    return false;
  memcpy (name, part, size);
  name[size] = '\0';
  memmove (walk->rest, part + size, strlen (part + size) + 1);
  walk->found = LINKS_NOT_SEEN;
  if (strcmp (name, ".") == 0)
    return true;
  if (strcmp (name, "..") == 0)
    {
      go_up (walk);
      return true;
    }
  walk->done[n] = '/';
  strcpy (walk->done + n + 1, name);
  if (follows_last || walk->rest[strspn (walk->rest, "/")] != '\0')
    follow_device (walk->done);
  own = own_folder_of (scene, walk->done);
  if (own != NULL && strlen (own) < strlen (walk->done))
    return walk->n_looks++ < LOOKS_MAX && look_at_part (walk, name, follows_last);
  fh_clear_fd (&walk->folder);
  if (strncmp (walk->done, "/proc/", strlen ("/proc/")) == 0)
    follow_process (walk, follows_last);
  return walk->found != LINKS_CLOSED;
}

/* True if the path may go through a folder of the guest's own, or what it has open, or if it goes
 * up again. */
static bool
may_lead_elsewhere (const struct attempt_scene *scene, const char *path, const char *joined)
{
  if (own_folder_of (scene, joined) != NULL || path_is_within (joined, "/proc") ||
      strstr (path, "..") != NULL)
    return true;
  for (size_t i = 0; i < sizeof links_of_devices / sizeof links_of_devices[0]; i++)
    {
      if (path_is_within (joined, links_of_devices[i].link))
        return true;
    }
  return false;
}

int
links_follow (const struct attempt_call *call,
              const char *base,
              const char *path,
              bool follows_last,
              char joined[PATH_MAX])
{
  const struct attempt_scene *scene = call->scene;
  struct walk walk = { .call = call, .folder = -1, .found = LINKS_NOT_SEEN };

  if (!may_lead_elsewhere (scene, path, joined))
    return LINKS_NOT_SEEN;
  /* Most have no link, and are found by one call. */
  if (own_folder_of (scene, joined) != NULL && strstr (path, "..") == NULL)
    {
      fh_autofd int handle = open_own (scene, joined, follows_last ? 0 : O_NOFOLLOW);

      if (handle != -ELOOP)
        return handle < 0 ? handle : 0;
    }
  strcpy (walk.done, path[0] == '/' || strcmp (base, "/") == 0 ? "" : base);
  strcpy (walk.rest, path);
  while (walk_part (&walk, follows_last))
    continue;
  fh_clear_fd (&walk.folder);
  if (walk.n_looks > LOOKS_MAX)
    return -ELOOP;
  path = walk.rest + strspn (walk.rest, "/");
  if (!path_join (walk.done[0] == '\0' ? "/" : walk.done, path, joined))
    return -ELOOP;
  return walk.found;
}
