/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process table: all processes of a sandbox at one look, read from the sandbox's own /proc.
 * That shows them and nobody else, under numbers that mean nothing outside. A sandbox without a pid
 * namespace has no /proc of its own: there, those are taken who descend from its first process.
 * What was learned about a process is kept from look to look; as numbers are used again, a process
 * is known by its number and the time of its start.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sandbox's own first process, which counts only for CPU time, where orphans end up. */
#define PROCESS_INIT 1

/* What memory-meter.c knows of one process, in bytes. */
struct process_memory
{
  uint64_t own;    /* at this look: anonymous memory, swapped memory and page tables */
  uint64_t tables; /* of `own`, page tables */
  uint64_t shared; /* at this look: shared memory that is mapped */
  bool is_alone;   /* nobody else can have a part in `own` */

  /* Its part of what it shares with others, as last measured, and `own` at that time. */
  uint64_t part;
  uint64_t part_shared;
  uint64_t part_without_file; /* of `part_shared` */
  uint64_t own_then;

  /* The same from the round of measurements that is under way. */
  bool is_in_round;
  bool is_fresh;
  uint64_t fresh;
  uint64_t fresh_shared;
  uint64_t fresh_without_file;
  uint64_t fresh_own_then;
};

struct process
{
  uint32_t pid;
  uint32_t parent;
  uint64_t started; /* ticks */
  char state;       /* as in proc(5) */
  uint32_t threads;
  uint64_t cpu_user_us; /* its own */
  uint64_t cpu_system_us;
  uint64_t children_user_us; /* of those that it has waited for */
  uint64_t children_system_us;
  uint64_t new_user_us; /* since the last look, or its start */
  uint64_t new_system_us;
  uint64_t size_bytes; /* address space */
  uint64_t resident_bytes;
  /* Addresses that execve draws by lot: equal only for those that came out of one by fork. */
  uint64_t image[2];
  bool borrows_memory; /* it is its parent's, who waits in vfork for this one to execve */
  uint32_t lends;      /* to how many children its memory is lent */
  bool is_of_others;   /* does not belong to the sandbox; none of those stays in a table */
  bool is_new;         /* not there at the last look, or has become another program since */
  struct process_memory memory;
};

struct process_table
{
  int proc;                  /* a folder opened for reading */
  uint32_t top;              /* the sandbox's first process, where others are seen too; else 0 */
  int64_t first;             /* where in it the processes begin, 0 before that is known */
  struct process *processes; /* by number */
  size_t n;
  size_t capacity;
  struct process *before; /* the last look */
  size_t n_before;
  size_t capacity_before;
};

/* True for the sandbox's own first process. */
static inline bool
process_is_init (const struct process_table *table, uint32_t pid)
{
  return pid == (table->top != 0 ? table->top : PROCESS_INIT);
}

/* Frees what is kept. The folder stays open. */
void process_table_clear (struct process_table *table);
/* False when nothing could be read. */
bool process_table_read (struct process_table *table);
/* NULL when there is none of that number. */
struct process *process_table_find (const struct process_table *table, uint32_t pid);
/* What is known of one process now; false when it is gone. */
bool process_read_stat (const struct process_table *table, uint32_t pid, struct process *process);
/* Reads a file of one process as text; false when the process is gone. */
bool process_read (const struct process_table *table,
                   uint32_t pid,
                   const char *file,
                   char *text,
                   size_t capacity);
