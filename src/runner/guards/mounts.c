/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mounts.h"

#include "descriptor.h"
#include "open-below.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Links on hosts with a merged /usr, folders on others. On NixOS and Guix /usr points into
 * /nix/store. */
const char *const mounts_system_entries[] = {
  "/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin", "/nix/store", "/gnu/store", NULL,
};

/* Files up to this size are copied rather than mounted. */
#define COPIED_BYTES_MAX (512 * 1024)

int
mounts_new_filesystem (const char *type, const char *const options[], unsigned int attributes)
{
  fh_autofd int context = fsopen (type, FSOPEN_CLOEXEC);
  int mount;

  if (context < 0)
    return -errno;
  for (size_t i = 0; options[i] != NULL; i += 2)
    {
      const char *value = options[i + 1];
      const unsigned int command = value == NULL ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING;

      if (value != NULL && value[0] == '\0')
        continue;
      if (fsconfig (context, command, options[i], value, 0) < 0)
        return -errno;
    }
  if (fsconfig (context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
    return -errno;
  mount = fsmount (context, FSMOUNT_CLOEXEC, attributes);
  return mount < 0 ? -errno : mount;
}

/* Clones the tree of `folder`, read-only. Returns its descriptor or a negative errno. */
static int
clone_tree (int folder)
{
  struct mount_attr set = { .attr_set = MOUNTS_PLAIN | MOUNT_ATTR_RDONLY };
  fh_autofd int tree =
      open_tree (folder, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_EMPTY_PATH);

  if (tree < 0 || mount_setattr (tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &set, sizeof set) < 0)
    return -errno;
  return fh_steal_fd (&tree);
}

int
mounts_attach (int tree, int folder, const char *target)
{
  fh_autofd int taken = tree;

  return move_mount (taken, "", folder, target, MOVE_MOUNT_F_EMPTY_PATH) < 0 ? -errno : 0;
}

/* The folder in which `target` lies, an absolute path inside; missing ones are made. Returns its
 * descriptor, or a negative errno; `name` is the last part. */
static int
open_parent (struct setup *setup, const char *target, const char **name)
{
  const int folder = fh_open_parent (setup->root, target + 1, 0755, name, NULL);

  return folder < 0 ? -errno : folder;
}

static int
make_mount_point (int folder, const char *name, bool is_folder)
{
  fh_autofd int fd = -1;

  if (is_folder)
    return mkdirat (folder, name, 0755) < 0 && errno != EEXIST && errno != EROFS ? -errno : 0;
  fd = openat (folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  return fd < 0 && errno != EEXIST ? -errno : 0;
}

/* Attaches `tree` to `target`, an absolute path inside, and closes it. */
static int
show (struct setup *setup, int tree, const char *target)
{
  fh_autofd int taken = tree;
  fh_autofd int folder = -1;
  const char *name;
  struct stat status;
  int error;

  if (tree < 0)
    return tree;
  if (fstat (tree, &status) < 0)
    return -errno;
  folder = open_parent (setup, target, &name);
  if (folder < 0)
    return folder;
  error = make_mount_point (folder, name, S_ISDIR (status.st_mode));
  return error < 0 ? error : mounts_attach (fh_steal_fd (&taken), folder, name);
}

int
mounts_overlay (struct setup *setup, int folder)
{
  char layers[64];
  const char *const options[] = { "lowerdir", layers, NULL };

  if (setup->plan->without_overlays)
    return -ENODEV;
  snprintf (layers, sizeof layers, "/proc/self/fd/%d:/proc/self/fd/%d", folder, setup->empty);
  return mounts_new_filesystem ("overlay", options, MOUNTS_PLAIN | MOUNT_ATTR_RDONLY);
}

static int
copy_content (int from, int to)
{
  char buffer[16 * 1024];
  ssize_t size;

  while ((size = read (from, buffer, sizeof buffer)) > 0)
    {
      if (write (to, buffer, (size_t) size) != size)
        return -ENOSPC;
    }
  return size < 0 ? -errno : 0;
}

static int
copy_file (int from, int folder, const char *name)
{
  struct stat status;
  fh_autofd int to = -1;

  if (fstat (from, &status) < 0)
    return -errno;
  if (!S_ISREG (status.st_mode))
    return -EINVAL;
  to = openat (folder,
               name,
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               0444 | (status.st_mode & 0111));
  return to < 0 ? -errno : copy_content (from, to);
}

int
mounts_copy (struct setup *setup, const char *source, const char *target)
{
  const char *name;
  fh_autofd int from = open (source, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  fh_autofd int folder = -1;

  if (from < 0)
    return -errno;
  folder = open_parent (setup, target, &name);
  return folder < 0 ? folder : copy_file (from, folder, name);
}

/* `handle` is a regular file: a copy of it has no locks of the host's programs. -EEXIST if it must
 * be mounted, as the guest could change a copy among its own files. */
static int
copy_handle (struct setup *setup, int handle, const struct stat *status, const char *target)
{
  char source[64];

  if (!S_ISREG (status->st_mode) || status->st_size > COPIED_BYTES_MAX ||
      strncmp (target, "/tmp/", 5) == 0 || strncmp (target, "/workspace/", 11) == 0)
    return -EEXIST;
  snprintf (source, sizeof source, "/proc/self/fd/%d", handle);
  return mounts_copy (setup, source, target);
}

/* An overlay like that of mounts_overlay for `source`, as `target`, an absolute path inside. Makes
 * missing folders and never follows a link there. `resolve`: flags of openat2 (2) for the source.
 * `is_shared`: it is the host's own folder, with its sockets. */
static int
bind_read_only (struct setup *setup,
                const char *source,
                const char *target,
                uint64_t resolve,
                bool *is_shared)
{
  fh_autofd int handle = fh_openat2 (AT_FDCWD, source, O_PATH, resolve);
  struct stat status;
  int tree = -EINVAL;
  int error;

  *is_shared = false;
  if (handle < 0 || fstat (handle, &status) < 0)
    return -errno;
  error = copy_handle (setup, handle, &status, target);
  /* It is in a folder that is shown already, or there is no room. */
  if (error != -EEXIST && error != -ENOSPC)
    return error;
  if (S_ISDIR (status.st_mode))
    tree = mounts_overlay (setup, handle);
  /* Older kernels have no unprivileged overlays, and some folders cannot be under one. */
  *is_shared = S_ISDIR (status.st_mode) && tree < 0;
  if (*is_shared || S_ISREG (status.st_mode))
    tree = clone_tree (handle);
  return show (setup, tree, target);
}

/* mount(2) takes half the time of open_tree and move_mount. The working folder is the new root. */
int
mounts_bind_from (struct setup *setup,
                  const char *source,
                  const char *path,
                  unsigned int attributes)
{
  struct mount_attr set = { .attr_set = attributes };
  const char *target = path + 1;
  char parent[NAME_MAX + 1];
  struct stat status;
  int error;

  if (stat (source, &status) < 0)
    return -errno;
  for (const char *at = strchr (target, '/'); at != NULL; at = strchr (at + 1, '/'))
    {
      if (at - target > NAME_MAX)
        return -ENAMETOOLONG;
      memcpy (parent, target, (size_t) (at - target));
      parent[at - target] = '\0';
      if (mkdirat (setup->root, parent, 0755) < 0 && errno != EEXIST)
        return -errno;
    }
  error = make_mount_point (setup->root, target, S_ISDIR (status.st_mode));
  if (error < 0)
    return error;
  if (mount (source, target, NULL, MS_BIND | MS_REC, NULL) < 0 ||
      mount_setattr (setup->root, target, AT_RECURSIVE, &set, sizeof set) < 0)
    return -errno;
  return 0;
}

int
mounts_make_private (struct setup *setup)
{
  return mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -errno : 0;
}

/* Attach the new root over the old one. This process still sees the mount below, and no folder of
 * the host is needed. */
int
mounts_make_root (struct setup *setup)
{
  const char *const options[] = {
    "size", "4m", "nr_inodes", "4k", "mode", "0755", NULL,
  };
  fh_autofd int root = mounts_new_filesystem ("tmpfs", options, MOUNTS_PLAIN);

  if (root < 0)
    return root;
  if (move_mount (root, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) < 0)
    return -errno;
  setup->root = fh_steal_fd (&root);
  return fchdir (setup->root) < 0 ? -errno : 0;
}

int
mounts_open_root (struct setup *setup)
{
  setup->root = open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return setup->root < 0 || fchdir (setup->root) < 0 ? -errno : 0;
}

int
mounts_bind_system (struct setup *setup)
{
  char link[PATH_MAX];
  bool is_shared;

  for (size_t i = 0; mounts_system_entries[i] != NULL; i++)
    {
      const char *entry = mounts_system_entries[i];
      ssize_t size = readlink (entry, link, sizeof link - 1);
      int error;

      if (size >= 0)
        {
          link[size] = '\0';
          error = symlinkat (link, setup->root, entry + 1) < 0 ? -errno : 0;
        }
      else
        error = bind_read_only (setup, entry, entry, 0, &is_shared);
      if (error < 0 && error != -ENOENT)
        return error;
    }
  return 0;
}

/* Attaches one folder of the scratch file system. */
static int
attach_scratch_folder (struct setup *setup, const char *name, mode_t mode, const char *target)
{
  int error;
  int tree;

  if (mkdirat (setup->scratch, name, mode) < 0 || fchmodat (setup->scratch, name, mode, 0) < 0)
    return -errno;
  error = guest_user_give (setup, setup->scratch, name);
  if (error < 0)
    return error;
  tree = open_tree (setup->scratch, name, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  if (tree < 0)
    return -errno;
  return mounts_attach (tree, setup->root, target);
}

int
mounts_make_scratch_folders (struct setup *setup)
{
  if (mkdirat (setup->root, "tmp", 0755) < 0 || mkdirat (setup->root, "workspace", 0755) < 0 ||
      mkdirat (setup->root, "dev", 0755) < 0 || mkdirat (setup->root, "dev/shm", 0755) < 0)
    return -errno;
  return 0;
}

/* The file system must be attached before parts of it can be cloned (Linux before 6.15); then its
 * own /tmp covers it. */
int
mounts_make_scratch (struct setup *setup)
{
  const struct plan *plan = setup->plan;
  const char *const options[] = {
    "size", plan->scratch_size, "nr_inodes", plan->scratch_inodes, "mode", "0755", NULL,
  };
  int error = 0;

  setup->scratch = mounts_new_filesystem ("tmpfs", options, MOUNTS_PLAIN);
  if (setup->scratch < 0)
    return setup->scratch;
  if (move_mount (setup->scratch, "", setup->root, "tmp", MOVE_MOUNT_F_EMPTY_PATH) < 0)
    return -errno;
  error = attach_scratch_folder (setup, "workspace", 0755, "workspace");
  if (error == 0)
    error = attach_scratch_folder (setup, "shm", 01777, "dev/shm");
  if (error == 0)
    error = attach_scratch_folder (setup, "tmp", 01777, "tmp");
  if (error < 0)
    return error;
  setup->workspace = openat (setup->root, "workspace", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  setup->tmp = openat (setup->root, "tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return setup->workspace < 0 || setup->tmp < 0 ? -errno : 0;
}

int
mounts_bind_policy (struct setup *setup)
{
  const struct fh_policy *policy = setup->plan->policy;

  for (size_t i = 0; i < policy->n_binds; i++)
    {
      const struct fh_bind *bind = &policy->binds[i];
      int error;

      if (bind->is_copy)
        error = mounts_copy (setup, bind->source, bind->target);
      else
        error = bind_read_only (setup,
                                bind->source,
                                bind->target,
                                RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
                                &setup->is_shared[i]);
      if (error < 0)
        return error;
    }
  return 0;
}

/* The file, and the folders that were made for it. */
static int
give_path (const struct setup *setup, int root, const char *path)
{
  char folder[FH_FILE_PATH_MAX + 1];
  int error = guest_user_give (setup, root, path);

  for (size_t i = 0; error == 0 && path[i] != '\0'; i++)
    {
      folder[i] = '\0';
      if (path[i] == '/')
        error = guest_user_give (setup, root, folder);
      folder[i] = path[i];
    }
  return error;
}

/* The mounts are the warm interpreter's, which did not keep what it knew of them. Those that are
 * not the host's own are overlays, and copies are no mounts. */
int
mounts_find_shared (struct setup *setup)
{
  const struct fh_policy *policy = setup->plan->policy;
  struct statfs status;

  for (size_t i = 0; i < policy->n_binds; i++)
    {
      if (policy->binds[i].is_copy)
        continue;
      if (statfs (policy->binds[i].target, &status) < 0)
        return -errno;
      setup->is_shared[i] = status.f_type != OVERLAYFS_SUPER_MAGIC;
    }
  return 0;
}

int
mounts_write_files (struct setup *setup)
{
  const struct workspace *workspace = setup->plan->workspace;
  int error = workspace_write (workspace, setup->workspace, setup->tmp, false);

  for (size_t i = 0; error == 0 && i < workspace->n_files; i++)
    {
      const struct workspace_file *file = &workspace->files[i];

      error = give_path (setup, file->is_in_tmp ? setup->tmp : setup->workspace, file->name);
    }
  workspace_forget (workspace);
  return error;
}

int
mounts_make_root_read_only (struct setup *setup)
{
  struct mount_attr set = { .attr_set = MOUNT_ATTR_RDONLY };

  return mount_setattr (setup->root, "", AT_EMPTY_PATH, &set, sizeof set) < 0 ? -errno : 0;
}

int
mounts_pivot (struct setup *setup)
{
  if (sys_pivot_root (".", ".") < 0 || umount2 (".", MNT_DETACH) < 0 || chdir ("/workspace") < 0)
    return -errno;
  return 0;
}

int
mounts_enter_workspace (struct setup *setup)
{
  return chdir ("/workspace") < 0 ? -errno : 0;
}
