/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks what a program left behind, breadth first, so that limits cut off what is deepest. The tree
 * may be made to mislead, and in a sandbox without mounts it may still be changing: nothing is
 * reached by a link, through another mount or outside of the root, and time and memory do not
 * depend on the tree.
 */
#pragma once

#include "wire-result-file.h"

#include <limits.h>
#include <sys/stat.h>

/* In the place of a kind, if folders are told. */
#define RESULT_WALK_FOLDER UINT8_MAX

/* Paths of folders that wait for their turn; those that do not fit are skipped. */
#define RESULT_WALK_QUEUE_SIZE ((size_t) 1 << 20)

struct result_entry
{
  const char *path; /* below the root, until the next step */
  const char *name; /* the last part of it */
  uint8_t kind;     /* enum fh_result_kind, or RESULT_WALK_FOLDER */
  struct stat status;
};

/* Called now and then: false ends the walk. */
typedef bool (*result_walk_wanted) (void *data);

struct result_walk
{
  int root; /* borrowed */
  uint64_t deadline_us;
  result_walk_wanted is_wanted;  /* NULL: always */
  void *data;                    /* for it */
  bool tells_folders;            /* each before what is in it; for the caller to set */
  bool tells_empty;              /* likewise: folders in which there is nothing */
  const char *skips;             /* likewise: the path of a folder; NULL: none */
  struct fh_results_end missing; /* what was not reported */
  int folder;                    /* the one being read, or -1 */
  bool is_empty;                 /* as far as it was read */
  size_t prefix;                 /* length of its path in `path`, including the slash */
  char path[FH_RESULT_PATH_MAX + NAME_MAX + 2];
  _Alignas(8) char names[16 * 1024];
  size_t names_at;
  size_t names_size;
  char queue[RESULT_WALK_QUEUE_SIZE];
  size_t queue_at;
  size_t queue_size;
};

/* `root` is a descriptor of a folder, of any kind. `is_wanted` and `data` are set by the caller
 * afterwards. */
void result_walk_begin (struct result_walk *walk, int root, uint64_t deadline_us);
/* The same for the part of it that is below `path`; the paths are still those from the root. */
void
result_walk_begin_at (struct result_walk *walk, int root, const char *path, uint64_t deadline_us);
/* The next entry that is not a folder, unless they are told; false at the end, or if it is to stop.
 */
bool result_walk_next (struct result_walk *walk, struct result_entry *entry);
/* Opens the last entry, a regular file, for reading, and updates it; -1 if it is no longer one, or
 * cannot be read. */
int result_walk_open (struct result_walk *walk, struct result_entry *entry);
void result_walk_leave_out (struct result_walk *walk);
void result_walk_end (struct result_walk *walk);
