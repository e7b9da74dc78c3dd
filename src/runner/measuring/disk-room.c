/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "disk-room.h"

#include "kernel-file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The kernel's inode, its entry in a folder, and a name of any length. */
#define INODE_BYTES 2048

static uint64_t
smaller (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static uint64_t
without (uint64_t all, uint64_t part)
{
  return all > part ? all - part : 0;
}

/* Bytes written by all processes. If the kernel does not say, the maximum: then nothing is
 * certain. */
static uint64_t
read_dirtied (void)
{
  char text[4096];
  uint64_t pages = UINT64_MAX;

  if (kernel_file_read (AT_FDCWD, "/proc/vmstat", text, sizeof text))
    pages = kernel_file_number (text, "nr_dirtied", UINT64_MAX);
  return pages == UINT64_MAX ? UINT64_MAX : pages * (uint64_t) sysconf (_SC_PAGESIZE);
}

static uint64_t
read_free (int folder)
{
  struct statfs status;

  return fstatfs (folder, &status) == 0 ? status.f_bfree * (uint64_t) status.f_frsize : 0;
}

/* Reads what all threads, and reaped children, have written. The thread is named as if it were a
 * process, because task/THREAD/io has that thread's own writes only. A zombie reports nothing.
 * False if the process lives and cannot be read. */
static bool
read_written (int proc, struct process *process)
{
  const struct process alone = { .pid = process->thread, .thread = process->thread };
  uint64_t bytes = UINT64_MAX;
  char text[512];

  if (process_read_file (proc, &alone, "io", text, sizeof text))
    bytes = kernel_file_number (text, "write_bytes", UINT64_MAX);
  if (bytes == UINT64_MAX)
    return !process_read_again (proc, process) && !process->is_opaque;
  process->written_bytes = bytes;
  return true;
}

void
disk_room_begin (struct disk_room *room, int folder)
{
  *room = (struct disk_room){ .folder = folder };
  if (folder < 0)
    return;
  room->free_before = read_free (folder);
  room->dirtied_before = read_dirtied ();
}

/* While a child is being reaped, its writes can be counted twice, or not at all. If they stay
 * missing, it was not reaped and will not be seen again. */
void
disk_room_count (struct disk_room *room, uint64_t sample)
{
  const uint64_t before = room->settled;
  uint64_t low, high;

  room->samples[0] = room->samples[1];
  room->samples[1] = room->samples[2];
  room->samples[2] = sample;
  low = smaller (room->samples[0], room->samples[1]);
  high = low == room->samples[0] ? room->samples[1] : room->samples[0];
  room->settled = sample < low ? low : smaller (sample, high);
  room->written += without (room->settled, before);
}

void
disk_room_conclude (struct disk_room *room, uint64_t dirtied, uint64_t shrunk, bool is_whole)
{
  room->shrunk = shrunk;
  room->most = is_whole ? smaller (room->written, shrunk) : shrunk;
  room->least = smaller (shrunk, without (room->written, without (dirtied, shrunk)));
}

void
disk_room_measure (struct disk_room *room, struct process_table *table)
{
  bool is_whole = true;
  uint64_t dirtied;
  uint64_t sample = 0;

  if (room->folder < 0)
    return;
  dirtied = read_dirtied ();
  for (size_t i = 0; i < table->n; i++)
    {
      struct process *process = &table->processes[i];

      if (process_is_init (table, process->pid))
        continue;
      is_whole = read_written (table->proc, process) && is_whole;
      sample += process->written_bytes;
    }
  disk_room_count (room, sample);
  disk_room_conclude (room,
                      dirtied < UINT64_MAX ? without (dirtied, room->dirtied_before) : UINT64_MAX,
                      without (room->free_before, read_free (room->folder)),
                      is_whole);
}

struct scratch_usage
usage_of_scratch (const int *folders, size_t n)
{
  struct scratch_usage usage = { 0 };
  struct statfs status;

  for (size_t i = 0; i < n; i++)
    {
      if (folders[i] < 0 || fstatfs (folders[i], &status) < 0)
        continue;
      usage.bytes += (status.f_blocks - status.f_bfree) * (uint64_t) status.f_bsize;
      usage.inode_bytes += (status.f_files - status.f_ffree) * INODE_BYTES;
      usage.is_full =
          usage.is_full || status.f_bfree == 0 || (status.f_files > 0 && status.f_ffree == 0);
    }
  return usage;
}
