/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workspace.h"

#include "descriptor.h"
#include "open-below.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* How many leftovers a file may have that were put aside. */
#define ASIDE_MAX 100

#define FOLDER_MODE 0755

/* A new path begins a new file, so only the newest one can grow. */
static struct workspace_file *
file_for (struct workspace *workspace, struct fh_file_piece *piece)
{
  struct workspace_file *files = workspace->files;
  size_t n = workspace->n_files;

  if (n > 0 && files[n - 1].is_in_tmp == piece->is_in_tmp &&
      strcmp (files[n - 1].name, piece->path) == 0)
    {
      free (piece->path);
      piece->path = NULL;
      return &files[n - 1];
    }
  if (n == WORKSPACE_MAX_FILES)
    return NULL;
  files = realloc (files, (n + 1) * sizeof *files);
  if (files == NULL)
    return NULL;
  workspace->files = files;
  workspace->n_files++;
  files[n] = (struct workspace_file){
    .name = piece->path,
    .kind = piece->kind,
    .is_in_tmp = piece->is_in_tmp,
    .is_there = piece->is_there,
    .mode = piece->mode != 0 ? piece->mode : 0644,
    .modified_us = piece->modified_us,
  };
  piece->path = NULL;
  return &files[n];
}

int
workspace_add (struct workspace *workspace, struct fh_file_piece *piece)
{
  struct workspace_file *file;
  size_t size;

  if (piece->size > WORKSPACE_MAX_BYTES - workspace->total)
    return -EFBIG;
  file = file_for (workspace, piece);
  if (file == NULL)
    return workspace->n_files == WORKSPACE_MAX_FILES ? -EFBIG : -ENOMEM;
  size = file->size + piece->size;
  if (file->kind != FH_FILE_REGULAR && file->size > 0)
    return -EINVAL;
  if (size > file->capacity)
    {
      size_t capacity = size < 2 * file->capacity ? 2 * file->capacity : size;
      uint8_t *data = realloc (file->data, capacity);

      if (data == NULL)
        return -ENOMEM;
      file->data = data;
      file->capacity = capacity;
    }
  if (piece->size > 0)
    memcpy (file->data + file->size, piece->data, piece->size);
  file->size = size;
  workspace->total += piece->size;
  return 0;
}

void
workspace_clear (struct workspace *workspace)
{
  for (size_t i = 0; i < workspace->n_files; i++)
    {
      free (workspace->files[i].name);
      free (workspace->files[i].data);
      free (workspace->files[i].aside);
    }
  free (workspace->files);
  *workspace = (struct workspace){ 0 };
}

int
workspace_make_folder (int folder, const char *path)
{
  char inside[FH_FILE_PATH_MAX + sizeof "/."];
  const char *name;
  int made;

  snprintf (inside, sizeof inside, "%s/.", path);
  made = fh_open_parent (folder, inside, FOLDER_MODE, &name, NULL);
  return made < 0 ? -errno : made;
}

/* As overlayfs marks what was deleted. Takes no privilege. */
static int
hide (int folder, const char *name)
{
  return mknodat (folder, name, S_IFCHR, makedev (0, 0)) < 0 ? -errno : 0;
}

static int
set_time (int fd, uint64_t modified_us)
{
  const struct timespec times[] = {
    { .tv_nsec = UTIME_OMIT },
    { .tv_sec = (time_t) (modified_us / 1000000),
      .tv_nsec = (long) (modified_us % 1000000 * 1000) },
  };

  return modified_us > 0 && futimens (fd, times) < 0 ? -errno : 0;
}

static int
write_content (const struct workspace_file *file, int folder, const char *name)
{
  int fd = openat (folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  int error = fd < 0 || !fh_write_all (fd, file->data, file->size) || fchmod (fd, file->mode) < 0
                  ? -errno
                  : set_time (fd, file->modified_us);

  if (fd >= 0 && close (fd) < 0 && error == 0)
    error = -errno;
  return error;
}

static int
write_link (const struct workspace_file *file, int folder, const char *name)
{
  char target[FH_FILE_LINK_MAX + 1];

  memcpy (target, file->data, file->size);
  target[file->size] = '\0';
  return symlinkat (target, folder, name) < 0 ? -errno : 0;
}

static int
make_folder (const struct workspace_file *file, int folder)
{
  fh_autofd int made = workspace_make_folder (folder, file->name);

  return made < 0 ? made : 0;
}

static int
write_file (const struct workspace_file *file, int folder, bool replaces)
{
  const char *name;
  fh_autofd int parent = fh_open_parent (folder, file->name, FOLDER_MODE, &name, NULL);

  if (parent < 0)
    return -errno;
  if (replaces)
    unlinkat (parent, name, 0);
  if (file->kind == FH_FILE_REMOVED)
    return hide (parent, name);
  if (file->kind == FH_FILE_LINK)
    return write_link (file, parent, name);
  return write_content (file, parent, name);
}

int
workspace_write (const struct workspace *workspace, int folder, int tmp, bool replaces)
{
  for (size_t i = 0; i < workspace->n_files; i++)
    {
      const struct workspace_file *file = &workspace->files[i];
      const int root = file->is_in_tmp ? tmp : folder;
      int error = 0;

      if (file->is_there)
        continue;
      error = file->kind == FH_FILE_FOLDER ? make_folder (file, root)
                                           : write_file (file, root, replaces);
      if (error < 0)
        return error;
    }
  return 0;
}

int
workspace_seal_last (const struct workspace *workspace)
{
  const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  const struct workspace_file *last =
      workspace->n_files > 0 ? &workspace->files[workspace->n_files - 1] : NULL;
  fh_autofd int fd = -1;

  errno = ENOENT;
  if (last != NULL)
    fd = memfd_create ("program", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0 || !fh_write_all (fd, last->data, last->size) || fcntl (fd, F_ADD_SEALS, seals) < 0 ||
      lseek (fd, 0, SEEK_SET) < 0)
    return -1;
  return fh_steal_fd (&fd);
}

/* Not every file system supports RENAME_NOREPLACE. */
static bool
rename_to_free (int folder, const char *name, const char *other)
{
  if (renameat2 (folder, name, folder, other, RENAME_NOREPLACE) == 0)
    return true;
  return errno == EINVAL && faccessat (folder, other, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
         renameat (folder, name, folder, other) == 0;
}

/* Runs that were killed may have left some: those are the user's files, too. */
static char *
put_aside (int folder, const char *name)
{
  char other[NAME_MAX + 1];

  for (unsigned int i = 0; i < ASIDE_MAX; i++)
    {
      snprintf (other, sizeof other, ".%.200s.before-%u", name, i);
      if (rename_to_free (folder, name, other))
        return strdup (other);
    }
  return NULL;
}

void
workspace_make_room (struct workspace *workspace, int folder)
{
  for (size_t i = 0; i < workspace->n_files; i++)
    {
      struct workspace_file *file = &workspace->files[i];
      const char *name;
      fh_autofd int parent = fh_open_parent (folder, file->name, 0, &name, &file->was_entered);

      if (parent < 0)
        continue;
      if (file->kind != FH_FILE_FOLDER && faccessat (parent, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        file->aside = put_aside (parent, name);
    }
}

bool
workspace_is_aside (const struct workspace *workspace, const char *path)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const size_t prefix = (size_t) (name - path);

  for (size_t i = 0; i < workspace->n_files; i++)
    {
      const struct workspace_file *file = &workspace->files[i];
      const char *last = strrchr (file->name, '/');

      if (file->aside != NULL && strcmp (file->aside, name) == 0 &&
          prefix == (last != NULL ? (size_t) (last + 1 - file->name) : 0) &&
          strncmp (file->name, path, prefix) == 0)
        return true;
    }
  return false;
}

void
workspace_forget (const struct workspace *workspace)
{
  const uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);

  for (size_t i = 0; i < workspace->n_files; i++)
    {
      const uintptr_t begin = (uintptr_t) workspace->files[i].data;
      const uintptr_t first = (begin + page - 1) / page * page;
      const uintptr_t last = (begin + workspace->files[i].size) / page * page;

      if (workspace->files[i].size > 0 && last > first)
        madvise ((void *) first, last - first, MADV_DONTNEED);
    }
}

const struct workspace_file *
workspace_find (const struct workspace *workspace, const char *path, bool is_in_tmp)
{
  for (size_t i = 0; i < workspace->n_files; i++)
    {
      if (workspace->files[i].is_in_tmp == is_in_tmp &&
          strcmp (workspace->files[i].name, path) == 0)
        return &workspace->files[i];
    }
  return NULL;
}

bool
workspace_is_same (const struct workspace_file *file, int fd, uint64_t size)
{
  static uint8_t piece[64 * 1024];
  uint64_t done = 0;

  if (size != file->size || file->kind != FH_FILE_REGULAR)
    return false;
  while (done < size)
    {
      ssize_t n = read (fd, piece, sizeof piece);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0 || (uint64_t) n > size - done ||
          memcmp (piece, file->data + done, (size_t) n) != 0)
        break;
      done += (uint64_t) n;
    }
  return lseek (fd, 0, SEEK_SET) == 0 && done == size;
}

bool
workspace_is_same_link (const struct workspace_file *file, const char *target, size_t size)
{
  return file->kind == FH_FILE_LINK && size == file->size && memcmp (target, file->data, size) == 0;
}

/* True if the file is as it was sent, or gone. */
static bool
is_unchanged (const struct workspace_file *file, int parent, const char *name)
{
  fh_autofd int fd =
      openat (parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat status;

  if (fd < 0)
    return errno == ENOENT;
  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
         workspace_is_same (file, fd, (uint64_t) status.st_size);
}

/* A file that the program changed replaces what was there before. A folder stays. */
static void
clear_up (const struct workspace_file *file, int parent, const char *name)
{
  if (file->kind == FH_FILE_FOLDER)
    return;
  if (!is_unchanged (file, parent, name))
    {
      if (file->aside != NULL)
        unlinkat (parent, file->aside, 0);
      return;
    }
  unlinkat (parent, name, 0);
  if (file->aside != NULL)
    rename_to_free (parent, file->aside, name);
}

/* Removes the last `n` folders of a path, the innermost first, if they are empty. */
static void
remove_folders (int folder, const char *path, unsigned int n)
{
  char at[FH_FILE_PATH_MAX + 1];

  strcpy (at, path);
  for (unsigned int i = 0; i < n; i++)
    {
      fh_autofd int parent = -1;
      const char *name;

      *strrchr (at, '/') = '\0';
      parent = fh_open_parent (folder, at, 0, &name, NULL);
      if (parent < 0)
        return;
      unlinkat (parent, name, AT_REMOVEDIR);
    }
}

void
workspace_remove (const struct workspace *workspace, int folder)
{
  for (size_t i = 0; i < workspace->n_files; i++)
    {
      const struct workspace_file *file = &workspace->files[i];
      const char *name;
      unsigned int depth;
      fh_autofd int parent = fh_open_parent (folder, file->name, 0, &name, &depth);

      if (parent < 0)
        continue;
      clear_up (file, parent, name);
      if (depth > file->was_entered)
        remove_folders (folder, file->name, depth - file->was_entered);
    }
}
