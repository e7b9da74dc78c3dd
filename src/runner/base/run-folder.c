/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-folder.h"

#include "descriptor.h"
#include "hostile-folder.h"
#include "setup-state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX     FH_RUN_FOLDER_PREFIX
#define NEW_PREFIX FH_LEFTOVER_NEW PREFIX
#define N_LETTERS  12
#define OWN_FOLDER "fumehood"

#define REMOVAL_TIMEOUT_MS 10000

/* The user's alone, or sticky like /tmp. */
static bool
is_safe (int folder)
{
  struct stat status;

  if (fstat (folder, &status) < 0 || !S_ISDIR (status.st_mode))
    return false;
  if (status.st_uid == geteuid () && !(status.st_mode & (S_IWGRP | S_IWOTH)))
    return true;
  return status.st_uid == 0 && (status.st_mode & S_ISVTX);
}

/* Opens the folder `name` in `path`, making it if `name` is not NULL. -1 if it is not suitable. */
static int
open_base (char *base, const char *path, const char *name)
{
  fh_autofd int fd = -1;

  if (path == NULL || path[0] != '/' ||
      snprintf (base, PATH_MAX, "%s%s%s", path, name ? "/" : "", name ? name : "") >= PATH_MAX - 64)
    return -1;
  if (name != NULL)
    mkdir (base, 0700);
  fd = open (base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && is_safe (fd))
    return fh_steal_fd (&fd);
  if (fd >= 0)
    errno = EACCES;
  return -1;
}

static int
choose_name (char name[sizeof NEW_PREFIX + N_LETTERS])
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
  unsigned char random[N_LETTERS];

  if (getrandom (random, sizeof random, 0) != sizeof random)
    return -EIO;
  strcpy (name, NEW_PREFIX);
  for (size_t i = 0; i < N_LETTERS; i++)
    name[sizeof NEW_PREFIX - 1 + i] = letters[random[i] % 32];
  name[sizeof NEW_PREFIX - 1 + N_LETTERS] = '\0';
  return 0;
}

static int
make_in (struct run_folder *folder, const char *base)
{
  char new_name[sizeof NEW_PREFIX + N_LETTERS];
  const char *name = new_name + strlen (NEW_PREFIX) - strlen (PREFIX);
  int error = choose_name (new_name);

  if (error < 0)
    return error;
  if (snprintf (folder->path, PATH_MAX, "%s/%s", base, name) >= PATH_MAX ||
      snprintf (folder->workspace, PATH_MAX, "%s/workspace", folder->path) >= PATH_MAX ||
      snprintf (folder->tmp, PATH_MAX, "%s/tmp", folder->path) >= PATH_MAX)
    return -ENAMETOOLONG;
  if (mkdirat (folder->base, new_name, 0700) < 0)
    return -errno;
  folder->fd = openat (folder->base, new_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder->fd < 0 || flock (folder->fd, LOCK_EX | LOCK_NB) < 0 ||
      renameat (folder->base, new_name, folder->base, name) < 0)
    {
      error = -errno;
      unlinkat (folder->base, new_name, AT_REMOVEDIR);
      return error;
    }
  folder->is_made = true;
  if (mkdirat (folder->fd, "workspace", 0700) < 0 || mkdirat (folder->fd, "tmp", 0700) < 0)
    return -errno;
  return 0;
}

/* In the folder that is open as `folder->base`. */
static int
make_here (struct run_folder *folder, const char *base)
{
  int error;

  fh_hostile_folder_remove_leftovers (folder->base, PREFIX);
  error = make_in (folder, base);
  if (error < 0)
    run_folder_remove (folder);
  return error;
}

/* Which of them could be used is not known if none could be opened. */
static int
why_none (void)
{
  return errno == EMFILE || errno == ENFILE ? -errno : -EACCES;
}

int
run_folder_make_in (struct run_folder *folder, const char *path)
{
  char base[PATH_MAX];

  *folder = (struct run_folder){ .fd = -1 };
  folder->base = open_base (base, path, NULL);
  return folder->base < 0 ? why_none () : make_here (folder, base);
}

int
run_folder_make (struct run_folder *folder, const char *home)
{
  char cache[PATH_MAX];
  char runtime[64];
  char base[PATH_MAX];

  snprintf (cache, sizeof cache, "%s/.cache", home);
  snprintf (runtime, sizeof runtime, "/run/user/%u", (unsigned int) geteuid ());
  *folder = (struct run_folder){ .fd = -1 };
  if (home[0] == '/')
    mkdir (cache, 0700);
  if ((folder->base = open_base (base, getenv ("XDG_CACHE_HOME"), OWN_FOLDER)) < 0 &&
      (folder->base = open_base (base, cache, OWN_FOLDER)) < 0 &&
      (folder->base = open_base (base, getenv ("XDG_RUNTIME_DIR"), OWN_FOLDER)) < 0 &&
      (folder->base = open_base (base, runtime, OWN_FOLDER)) < 0 &&
      (folder->base = open_base (base, getenv ("TMPDIR"), NULL)) < 0 &&
      (folder->base = open_base (base, "/tmp", NULL)) < 0)
    return why_none ();
  return make_here (folder, base);
}

bool
run_folder_remove (struct run_folder *folder)
{
  bool is_gone = true;

  if (folder->is_made)
    is_gone = fh_hostile_folder_remove (folder->base,
                                        strrchr (folder->path, '/') + 1,
                                        REMOVAL_TIMEOUT_MS);
  fh_clear_fd (&folder->fd);
  if (folder->is_made || folder->base > 0)
    close (folder->base);
  *folder = (struct run_folder){ .fd = -1, .base = -1 };
  return is_gone;
}

int
run_folder_enter (struct setup *setup)
{
  setup->workspace =
      open (setup->plan->folder.workspace, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  setup->tmp = open (setup->plan->folder.tmp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (setup->workspace < 0 || setup->tmp < 0 || fchdir (setup->workspace) < 0)
    return -errno;
  setup->proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return setup->proc < 0 ? -errno : 0;
}
