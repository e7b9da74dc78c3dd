/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What it costs to be watched: one call that is refused and told, one that is looked at and let
 * through, and the slow-down of scripts at each level of watching. In interleaved rounds, because
 * absolute times drift; the ratios to no watching at all are what counts.
 */
#include "runner-client.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PYTHON "/usr/bin/python3"
#define CALLS  20000

enum script
{
  SCRIPT_REFUSED,
  SCRIPT_WATCHED,
  SCRIPT_ORDINARY,
  SCRIPT_HELLO,
  N_SCRIPTS,
};

#define N_LEVELS 3

static const struct
{
  const char *name;
  int calls; /* that it makes; 0: only the whole is of interest */
  const char *source;
} scripts[N_SCRIPTS] = {
  [SCRIPT_REFUSED] = { "a call that is refused",
                       CALLS,
                       "import ctypes\n"
                       "call = ctypes.CDLL(None).ptrace\n"
                       "for _ in range(20000): call(16, 1, 0, 0)\n" },
  [SCRIPT_WATCHED] = { "a call that is looked at",
                       CALLS,
                       "import os\n"
                       "for _ in range(20000): os.close(os.open('/usr/bin/env', os.O_RDONLY))\n" },
  [SCRIPT_ORDINARY] = { "json, collections, re, 100 files",
                        0,
                        "import json, collections, re, os\n"
                        "folder = os.path.dirname(os.__file__)\n"
                        "for name in sorted(os.listdir(folder))[:140]:\n"
                        "    if name.endswith('.py'):\n"
                        "        with open(os.path.join(folder, name), 'rb') as file:\n"
                        "            file.read()\n" },
  [SCRIPT_HELLO] = { "print('hello')", 0, "print('hello')\n" },
};

static const char *const levels[N_LEVELS] = { "off", "attempts", "files" };

struct cell
{
  struct samples times;
  char problem[128];
};

static void
measure (const char *runner, enum script script, uint8_t watch, struct cell *cell, bool keep)
{
  const char *argv[] = { PYTHON, "-u", "main.py", NULL };
  const char *env[] = { "PATH=/usr/local/bin:/usr/bin:/bin",
                        "HOME=/workspace",
                        "LANG=C.UTF-8",
                        "PYTHONDONTWRITEBYTECODE=1",
                        NULL };
  const struct fh_policy policy = { .wall_ms = 60000,
                                    .memory_bytes = (uint64_t) 512 << 20,
                                    .disk_bytes = (uint64_t) 256 << 20,
                                    .processes = 128,
                                    .watch = watch,
                                    .home = (char *) "/home/nobody",
                                    .argv = (char **) argv,
                                    .env = (char **) env };
  const struct runner_program program = { .name = "main.py", .content = scripts[script].source };
  struct runner_run run;
  int error = runner_run (runner, &policy, &program, &run);

  if (error != 0)
    snprintf (cell->problem, sizeof cell->problem, "the runner: %s", strerror (-error));
  else if (run.status != FH_WIRE_EXITED || run.exit_code != 0)
    snprintf (cell->problem,
              sizeof cell->problem,
              "ended with wire status %d, exit code %d, step \"%.64s\"",
              run.status,
              run.exit_code,
              run.step);
  else if (keep)
    samples_add (&cell->times, run.time_us);
}

static void
print_row (enum script script, struct cell cells[N_LEVELS])
{
  const int calls = scripts[script].calls;
  double off = (double) samples_median (&cells[0].times);
  double off_minimum = (double) samples_minimum (&cells[0].times);

  for (int level = 0; level < N_LEVELS; level++)
    {
      double median = (double) samples_median (&cells[level].times);
      double minimum = (double) samples_minimum (&cells[level].times);

      if (cells[level].problem[0] != '\0' || cells[level].times.count == 0)
        {
          printf ("%-34s %-9s left out: %s\n",
                  scripts[script].name,
                  levels[level],
                  cells[level].problem);
          continue;
        }
      printf ("%-34s %-9s %9.2f %9.2f %9.3f %9.3f",
              scripts[script].name,
              levels[level],
              median / 1000,
              minimum / 1000,
              median / off,
              minimum / off_minimum);
      if (calls > 0 && level > 0)
        printf (" %9.2f µs more per call", (minimum - off_minimum) / calls);
      printf ("\n");
    }
}

int
main (int argc, char *argv[])
{
  long rounds = argc > 1 ? strtol (argv[1], NULL, 10) : 30;
  const char *runner = getenv ("FH_RUNNER");
  static struct cell cells[N_SCRIPTS][N_LEVELS];

  if (argc > 2 || rounds < 1 || rounds > 100000 || runner == NULL)
    {
      fprintf (stderr, "Usage: FH_RUNNER=PROGRAM guards [ROUNDS]\n");
      return 2;
    }
  for (long round = -1; round < rounds; round++)
    for (int script = 0; script < N_SCRIPTS; script++)
      for (int i = 0; i < N_LEVELS; i++)
        {
          /* The order changes in each round. The first round warms the caches. */
          const int level = (int) ((i + round + 1) % N_LEVELS);

          /* The long ones are measured well enough by a few. */
          if (scripts[script].calls == 0 || round < 5)
            measure (runner,
                     (enum script) script,
                     (uint8_t) level,
                     &cells[script][level],
                     round >= 0);
        }
  printf ("%ld interleaved rounds%s\n\n", rounds, geteuid () == 0 ? ", as root" : "");
  printf ("%-34s %-9s %9s %9s %9s %9s\n",
          "",
          "watching",
          "median ms",
          "min ms",
          "× median",
          "× min");
  for (int script = 0; script < N_SCRIPTS; script++)
    {
      print_row ((enum script) script, cells[script]);
      for (int level = 0; level < N_LEVELS; level++)
        samples_clear (&cells[script][level].times);
    }
  return 0;
}
