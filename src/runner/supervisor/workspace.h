/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that a backend sends for /workspace. They are collected in memory, and the sandbox's
 * first process writes them before anything of the guest exists. Only in a container that is kept,
 * or in a folder of the user's, can there be anything in the way already: that is put aside for as
 * long as the run takes, and no link is ever followed.
 */
#pragma once

#include "wire-policy.h"

/* All files of one run together; a backend that needs more binds a folder. */
#define WORKSPACE_MAX_BYTES ((size_t) 64 << 20)
#define WORKSPACE_MAX_FILES 2000

struct workspace_file
{
  char *name; /* a path below the workspace, see FH_FILE_PATH_MAX */
  uint8_t *data;
  size_t size;
  size_t capacity;
  unsigned int was_entered; /* how many of its folders were there before */
  char *aside;              /* what was in its way is there now, beside it; or NULL */
};

struct workspace
{
  struct workspace_file *files;
  size_t n_files;
  size_t total;
};

/* Takes over `piece->path`. Returns 0 or a negative errno: -EFBIG, -ENOMEM. */
int workspace_add (struct workspace *workspace, struct fh_file_piece *piece);
void workspace_clear (struct workspace *workspace);
/* Puts aside whatever is in the way of a file, and notes which of the folders are there. */
void workspace_make_room (struct workspace *workspace, int folder);
/* Removes the files and folders that were not there before, and puts back what was; but neither
 * where a file has changed meanwhile, which is then what stays. */
void workspace_remove (const struct workspace *workspace, int folder);
/* True for the path of something that was put aside. */
bool workspace_is_aside (const struct workspace *workspace, const char *path);
/* Gives the memory of the contents back where no other process needs it: what was written is not
 * read again by who wrote it. Only system calls. */
void workspace_forget (const struct workspace *workspace);
/* The file of that path, or NULL. */
const struct workspace_file *workspace_find (const struct workspace *workspace, const char *path);
/* True when these bytes, `size` in all, are what the file was sent with. Leaves `fd` at its
 * beginning. */
bool workspace_is_same (const struct workspace_file *file, int fd, uint64_t size);
/* Only system calls. Returns 0 or a negative errno. */
int workspace_write (const struct workspace *workspace, int folder);
