/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A new path begins a new file, so only the newest one can still grow. */
static struct workspace_file *
file_for (struct workspace *workspace, struct fh_file_piece *piece)
{
  struct workspace_file *files = workspace->files;
  size_t n = workspace->n_files;

  if (n > 0 && strcmp (files[n - 1].name, piece->path) == 0)
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
  files[n] = (struct workspace_file){ .name = piece->path };
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
    }
  free (workspace->files);
  *workspace = (struct workspace){ 0 };
}

static int
write_file (const struct workspace_file *file, int folder)
{
  int fd = openat (folder, file->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  size_t done = 0;

  if (fd < 0)
    return -errno;
  while (done < file->size)
    {
      ssize_t n = write (fd, file->data + done, file->size - done);

      if (n < 0 && errno != EINTR)
        {
          int error = errno;

          close (fd);
          return -error;
        }
      if (n > 0)
        done += (size_t) n;
    }
  close (fd);
  return 0;
}

int
workspace_write (const struct workspace *workspace, int folder)
{
  for (size_t i = 0; i < workspace->n_files; i++)
    {
      int error = write_file (&workspace->files[i], folder);

      if (error < 0)
        return error;
    }
  return 0;
}
