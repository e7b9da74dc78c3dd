/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared-mappings.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* With more mappings than this it takes too long to know. */
#define MAX_MAPPINGS 4096

/* What maps, in proc(5), calls shared memory without a file. */
#define NO_FILE "/dev/zero (deleted)\n"

struct sizes
{
  uint64_t scratch;
  uint64_t no_file;
};

static bool
ends_with (const char *line, const char *end)
{
  const size_t size = strlen (line);
  const size_t end_size = strlen (end);

  return size >= end_size && strcmp (line + size - end_size, end) == 0;
}

static void
take (struct sizes *sizes, const char *line, dev_t scratch)
{
  uint64_t start, end;
  unsigned int device[2];
  char kind;

  if (sscanf (line,
              "%" SCNx64 "-%" SCNx64 " %*3c%c %*x %x:%x",
              &start,
              &end,
              &kind,
              &device[0],
              &device[1]) != 5)
    return;
  if (makedev (device[0], device[1]) == scratch)
    sizes->scratch += end - start;
  else if (kind == 's' && ends_with (line, NO_FILE))
    sizes->no_file += end - start;
}

static bool
measure (const struct process_table *table, uint32_t pid, dev_t scratch, struct sizes *sizes)
{
  char line[4096 + 128];
  unsigned int n = 0;
  FILE *file;
  int fd;

  snprintf (line, sizeof line, "%u/maps", pid);
  fd = openat (table->proc, line, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  file = fdopen (fd, "r");
  if (file == NULL)
    {
      close (fd);
      return false;
    }
  while (n <= MAX_MAPPINGS && fgets (line, sizeof line, file) != NULL)
    {
      take (sizes, line, scratch);
      n++;
    }
  fclose (file);
  return n <= MAX_MAPPINGS;
}

uint64_t
shared_mappings_without_file (const struct process_table *table,
                              uint32_t pid,
                              dev_t scratch,
                              uint64_t shared_bytes)
{
  struct sizes sizes = { 0 };
  uint64_t rest;

  if (!measure (table, pid, scratch, &sizes) || shared_bytes <= sizes.scratch)
    return 0;
  rest = shared_bytes - sizes.scratch;
  return rest < sizes.no_file ? rest : sizes.no_file;
}
