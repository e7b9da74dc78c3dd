/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process table: all processes of a sandbox, read from the sandbox's own /proc, which shows
 * only them, under their ids inside. A sandbox without a pid namespace has no /proc of its own:
 * there, descendants of its first process are taken. What was learned about a process is kept from
 * one reading to the next; as ids are reused, a process is known by its id and start time.
 */
#pragma once

#include "process.h"

/* The sandbox's own first process, where orphans end up. It counts only for CPU time. */
#define PROCESS_INIT 1

struct process_table
{
  int proc;                  /* a folder opened for reading */
  uint32_t top;              /* the sandbox's first process, if others are visible too; else 0 */
  int64_t first;             /* offset of the processes in it, 0 if unknown yet */
  struct process *processes; /* sorted by id */
  size_t n;
  size_t capacity;
  struct process *before; /* the previous reading */
  size_t n_before;
  size_t capacity_before;
};

/* True for the sandbox's own first process. */
static inline bool
process_is_init (const struct process_table *table, uint32_t pid)
{
  return pid == (table->top != 0 ? table->top : PROCESS_INIT);
}

/* Frees the lists. The folder stays open. */
void process_table_clear (struct process_table *table);
/* False if nothing could be read. */
bool process_table_read (struct process_table *table);
/* Then finds children that use their parent's memory until execve, vfork (2), which /proc shows for
 * both processes: sums must not count it twice. Sets `uses_parents_memory`. */
void process_table_find_vforked (struct process_table *table);
/* Reads it, and returns how many live beside init. A control group only counts threads. */
uint32_t process_table_count (struct process_table *table);
/* NULL if there is none with this id. */
struct process *process_table_find (const struct process_table *table, uint32_t pid);
