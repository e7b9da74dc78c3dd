/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared-mappings.h"

#include "descriptor.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* More mappings than this take too long to read. */
#define MAX_MAPPINGS 4096

/* In proc(5)'s maps: shared memory without a file. */
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
add_mapping (struct sizes *sizes, const char *line, dev_t scratch)
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
measure (int proc, const struct process *process, dev_t scratch, struct sizes *sizes)
{
  char line[4096 + 128];
  unsigned int n = 0;
  fh_autofd int fd = process_open (proc, process, "maps", O_RDONLY);
  FILE *file = fd >= 0 ? fdopen (fd, "r") : NULL;

  if (file == NULL)
    return false;
  fh_steal_fd (&fd);
  while (n <= MAX_MAPPINGS && fgets (line, sizeof line, file) != NULL)
    {
      add_mapping (sizes, line, scratch);
      n++;
    }
  fclose (file);
  return n <= MAX_MAPPINGS;
}

uint64_t
shared_mappings_without_file (int proc,
                              const struct process *process,
                              dev_t scratch,
                              uint64_t shared_bytes)
{
  struct sizes sizes = { 0 };
  uint64_t rest;

  if (!measure (proc, process, scratch, &sizes) || shared_bytes <= sizes.scratch)
    return 0;
  rest = shared_bytes - sizes.scratch;
  return rest < sizes.no_file ? rest : sizes.no_file;
}
