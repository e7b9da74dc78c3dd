/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <time.h>

/* Files below an open folder, reached by openat2 (2): the way never leaves the folder, follows no
 * link and enters no other mount, even if names change at the same time. Paths are relative and
 * have no "..". All functions block and fail with errno. */

/* Opens the folder that `path` lies in (O_PATH); `name` is set to the last part. With `made`,
 * missing folders are created and their paths appended (element-type filename). -1 with errno. */
int fh_tree_open_parent (int root, const char *path, GPtrArray *made, const char **name);

/* Appends the folders on the way to `path` that do not exist, outer ones first, unless they are
 * there already (element-type filename). */
void fh_tree_find_missing (int root, const char *path, GPtrArray *missing);

/* Whether the folder that `path` lies in is still the open `parent`. FALSE with errno. */
gboolean fh_tree_is_parent (int root, const char *path, int parent);

/* Reads a file to its end; `size` is what it may have, and no more than `room` bytes are read
 * (EFBIG). NULL with errno. (transfer full) */
GBytes *fh_tree_read_all (int fd, guint64 size, guint64 room);

/* The SHA-256 in hexadecimal; NULL gives NULL. (transfer full) */
char *fh_tree_digest (GBytes *content);

/* A regular file. */
typedef struct
{
  gboolean exists;
  guint mode; /* permissions: 0777 */
  /* It has other names (hard links), a set-user-id bit or the like, or extended attributes: a file
   * that is put in its place has none of these. */
  gboolean is_special;
  struct timespec changed;
  GBytes *content; /* NULL: there is none */
  char *digest;    /* SHA-256 in hexadecimal; NULL: there is none */
} FhTreeFile;

/* Reads one. That there is none is no error; anything but a regular file is (EEXIST, ELOOP for a
 * link, EISDIR), and so is one of more than `room` bytes (EFBIG). */
gboolean fh_tree_read (int parent, const char *name, guint64 room, FhTreeFile *file);
void fh_tree_file_clear (FhTreeFile *file);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhTreeFile, fh_tree_file_clear)

/* The reason for people, translated, for a sentence that ends with it. */
const char *fh_tree_reason (int code);
