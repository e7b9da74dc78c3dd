/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that a backend sends for /workspace. They are collected in memory, and the sandbox's
 * first process writes them before anything of the guest exists. Only in a container that is kept,
 * or in a folder of the user's, can there be anything in the way already: a file is replaced there,
 * and no link is ever followed.
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
  bool was_there;           /* before it was written; see workspace_look */
  unsigned int was_entered; /* how many of its folders were there */
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
/* Notes which of the files, and of their folders, are there already. */
void workspace_look (struct workspace *workspace, int folder);
/* Removes those that were not, unless they have changed, and their folders unless there is anything
 * in them. */
void workspace_remove (const struct workspace *workspace, int folder);
/* The file of that path, or NULL. */
const struct workspace_file *workspace_find (const struct workspace *workspace, const char *path);
/* True when these bytes, `size` in all, are what the file was sent with. Leaves `fd` at its
 * beginning. */
bool workspace_is_same (const struct workspace_file *file, int fd, uint64_t size);
/* `may_replace`: files that are there already. Only system calls. Returns 0 or a negative errno. */
int workspace_write (const struct workspace *workspace, int folder, bool may_replace);
