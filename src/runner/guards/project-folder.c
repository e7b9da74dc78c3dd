/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project-folder.h"

#include "descriptor.h"
#include "mounts.h"
#include "open-below.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The folder that overlayfs works in, beside /workspace in the scratch file system. */
#define WORK "work"

int
project_folder_open (const struct fh_policy *policy)
{
  const struct fh_proof *proof = &policy->proofs[0];
  fh_autofd int folder = fh_openat2 (AT_FDCWD,
                                     proof->path,
                                     O_PATH | O_DIRECTORY,
                                     RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
  struct stat status;

  if (folder < 0 || fstat (folder, &status) < 0)
    return -errno;
  if (status.st_dev != proof->device || status.st_ino != proof->inode)
    return -ESTALE;
  return fh_steal_fd (&folder);
}

/* Overlayfs could not delete folders without attributes of the user. */
static int
check_attributes (int folder)
{
  return fsetxattr (folder, "user.fumehood", "y", 1, 0) < 0 ||
                 fremovexattr (folder, "user.fumehood") < 0
             ? -errno
             : 0;
}

/* An overlay that is not attached, over `below`. Its layer and what overlayfs works with have to be
 * reached by the same mount. Its descriptor, or a negative errno. */
static int
make_overlay (struct setup *setup, int below)
{
  char lower[32], upper[32], work[32];
  const char *const options[] = {
    "userxattr", NULL, "index", "off", "lowerdir", lower, "upperdir", upper, "workdir", work, NULL,
  };
  fh_autofd int fd = -1;
  int error;

  if (setup->plan->without_overlays)
    return -ENODEV;
  if (mkdirat (setup->scratch, WORK, 0700) < 0)
    return -errno;
  setup->layer = openat (setup->scratch, "workspace", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (setup->layer < 0)
    return -errno;
  error = check_attributes (setup->layer);
  if (error < 0)
    return error;
  fd = openat (setup->scratch, WORK, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return -errno;
  snprintf (lower, sizeof lower, "/proc/self/fd/%d", below);
  snprintf (upper, sizeof upper, "/proc/self/fd/%d", setup->layer);
  snprintf (work, sizeof work, "/proc/self/fd/%d", fd);
  return mounts_new_filesystem ("overlay", options, MOUNTS_PLAIN);
}

/* The others of the policy are meant to replace the folder's. */
static int
check_program (const struct workspace *workspace, int folder)
{
  if (workspace->n_files == 0)
    return 0;
  return faccessat (folder,
                    workspace->files[workspace->n_files - 1].name,
                    F_OK,
                    AT_SYMLINK_NOFOLLOW) == 0
             ? -EEXIST
             : 0;
}

int
project_folder_apply (struct setup *setup)
{
  const struct plan *plan = setup->plan;
  fh_autofd int folder = -1;
  int tree;

  if (!(plan->policy->flags & FH_POLICY_PROJECT))
    return 0;
  folder = project_folder_open (plan->policy);
  if (folder < 0)
    return folder;
  tree = check_program (plan->workspace, folder);
  if (tree == 0)
    tree = make_overlay (setup, folder);
  if (tree >= 0)
    tree = mounts_attach (tree, setup->root, "workspace");
  if (tree < 0)
    return tree;
  close (setup->workspace);
  setup->workspace = openat (setup->root, "workspace", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return setup->workspace < 0 ? -errno : 0;
}

int
project_folder_try (struct setup *setup)
{
  const uint32_t flags = setup->plan->policy->flags;
  fh_autofd int tree = -1;

  if (!(flags & FH_POLICY_PROBE) || flags & FH_POLICY_PROJECT)
    return 0;
  tree = make_overlay (setup, setup->empty);
  return tree < 0 ? tree : 0;
}
