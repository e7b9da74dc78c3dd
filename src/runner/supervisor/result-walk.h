/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A walk over what a program left behind, folder by folder, those nearest to the root first: what a
 * limit cuts off is then what lies deep. Whoever made the tree may have made it to mislead us, and
 * in a sandbox without mounts may even still be changing it: nothing is ever reached by a link, by
 * another mount or by a way that leads out, and neither time nor memory depends on the tree.
 */
#pragma once

#include "wire-result-file.h"

#include <limits.h>
#include <sys/stat.h>

/* Paths of folders that wait for their turn; those that do not fit are left out. */
#define RESULT_WALK_QUEUE_SIZE ((size_t) 1 << 20)

struct result_entry
{
  const char *path; /* below the root, until the next step */
  const char *name; /* the last part of it */
  uint8_t kind;     /* enum fh_result_kind */
  struct stat status;
};

/* Asked now and then on the way: false ends the walk. */
typedef bool (*result_walk_wanted) (void *data);

struct result_walk
{
  int root; /* borrowed */
  uint64_t deadline_us;
  result_walk_wanted is_wanted;  /* NULL: always */
  void *data;                    /* for it */
  struct fh_results_end missing; /* what the entries do not tell */
  int folder;                    /* that is being read, or -1 */
  size_t prefix;                 /* how much of `path` names it, with a slash behind it */
  char path[FH_RESULT_PATH_MAX + NAME_MAX + 2];
  _Alignas(8) char names[16 * 1024];
  size_t names_at;
  size_t names_size;
  char queue[RESULT_WALK_QUEUE_SIZE];
  size_t queue_at;
  size_t queue_size;
};

/* `root` is a descriptor of a folder, of any kind. `is_wanted` and `data` are the caller's to set
 * afterwards. */
void result_walk_begin (struct result_walk *walk, int root, uint64_t deadline_us);
/* The next one that is not a folder; false at the end, or when it is to go no further. */
bool result_walk_next (struct result_walk *walk, struct result_entry *entry);
/* Opens the entry that was given last, a regular file, for reading, and says again what it is;
 * -1 when it is no such file any more, or cannot be read. */
int result_walk_open (struct result_walk *walk, struct result_entry *entry);
void result_walk_leave_out (struct result_walk *walk);
void result_walk_end (struct result_walk *walk);
