/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that a backend sends for /workspace and /tmp. They are collected in memory, and init
 * writes them before there is a guest. Only a kept container or a folder of the user can already
 * hold something of that name: it is put aside for the run. No link is ever followed.
 */
#pragma once

#include "wire-policy.h"
#include "wire-result-file.h"

/* All files of a run together: what another one may have handed on. */
#define WORKSPACE_MAX_BYTES ((size_t) FH_HANDED_ON_MAX)
#define WORKSPACE_MAX_FILES 2000

struct workspace_file
{
  char *name;   /* a path below the workspace or /tmp, see FH_FILE_PATH_MAX */
  uint8_t kind; /* enum fh_file_kind; REMOVED: what a project folder has there is hidden */
  bool is_in_tmp;
  bool is_there; /* left by an earlier program: it is not written */
  uint16_t mode;
  uint64_t modified_us; /* 0: when it is written */
  uint8_t *data;
  size_t size;
  size_t capacity;
  unsigned int was_entered; /* how many of its folders existed before */
  char *aside;              /* the name to which what was there was moved; or NULL */
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
/* Puts aside what has the name of a file, and records which folders exist. */
void workspace_make_room (struct workspace *workspace, int folder);
/* Removes the files and folders that were added, and puts back what was there, unless the file was
 * changed: then the changed one stays. */
void workspace_remove (const struct workspace *workspace, int folder);
/* True for the path of something that was put aside. */
bool workspace_is_aside (const struct workspace *workspace, const char *path);
/* Frees the contents if no other process needs them: they are not read again after being written.
 * Only system calls. */
void workspace_forget (const struct workspace *workspace);
/* A sealed memfd with the content of the last file (F_SEAL_*, fcntl (2)). Its descriptor, or -1
 * with errno. */
int workspace_seal_last (const struct workspace *workspace);
/* The file of that path, or NULL. */
const struct workspace_file *
workspace_find (const struct workspace *workspace, const char *path, bool is_in_tmp);
/* True if a regular file with these bytes, `size` in all, was sent. Leaves `fd` at its start. */
bool workspace_is_same (const struct workspace_file *file, int fd, uint64_t size);
/* True if a link with this target was sent. */
bool workspace_is_same_link (const struct workspace_file *file, const char *target, size_t size);
/* A folder below the workspace, made if it does not exist. Only system calls. Its descriptor, or a
 * negative errno. */
int workspace_make_folder (int folder, const char *path);
/* Writes the files below `folder` or below `tmp`, the folders of both, and with `replaces` in place
 * of others. Only system calls. Returns 0 or a negative errno. */
int workspace_write (const struct workspace *workspace, int folder, int tmp, bool replaces);
