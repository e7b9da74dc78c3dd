/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What it costs to be watched: one call that is refused and told, one that is looked at and let
 * through, and the slow-down of scripts at each level of watching. In interleaved rounds, because
 * absolute times drift; the ratios to no watching at all are what counts.
 */
#include "programs.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS 20000

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

/* Watched from the interpreter's start on, and from the program's start on. */
static const struct
{
  const char *name;
  enum way way;
} kinds[] = { { "cold", WAY_BOOTSTRAP }, { "forked", WAY_FORKED } };

#define N_KINDS 2

struct cell
{
  struct programs programs;
  struct samples times;
  char problem[128];
};

static void
measure (struct cell *cell, enum way way, bool keep)
{
  struct outcome outcome;

  if (cell->problem[0] != '\0')
    return;
  programs_run (&cell->programs, way, true, &outcome);
  memcpy (cell->problem, outcome.problem, sizeof cell->problem);
  if (keep)
    samples_add (&cell->times, outcome.time_us);
}

static void
print_row (enum script script, int kind, struct cell cells[N_LEVELS])
{
  const int calls = scripts[script].calls;
  double off = (double) samples_median (&cells[0].times);
  double off_minimum = (double) samples_minimum (&cells[0].times);

  for (int level = 0; level < N_LEVELS; level++)
    {
      double median = (double) samples_median (&cells[level].times);
      double minimum = (double) samples_minimum (&cells[level].times);

      printf ("%-34s %-6s %-9s ", scripts[script].name, kinds[kind].name, levels[level]);
      if (cells[level].problem[0] != '\0' || cells[level].times.count == 0)
        {
          printf ("left out: %s\n", cells[level].problem);
          continue;
        }
      printf ("%9.2f %9.2f %9.3f %9.3f",
              median / 1000,
              minimum / 1000,
              median / off,
              minimum / off_minimum);
      if (calls > 0 && level > 0)
        printf (" %9.2f µs more per call", (minimum - off_minimum) / calls);
      printf ("\n");
    }
}

static struct cell cells[N_SCRIPTS][N_KINDS][N_LEVELS];

/* The order of the levels changes in each round. The first round warms the caches, and the long
 * scripts are measured well enough by a few. */
static void
measure_round (long round)
{
  for (int script = 0; script < N_SCRIPTS; script++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (int i = 0; i < N_LEVELS; i++)
        {
          const int level = (int) ((i + round + 1) % N_LEVELS);

          if (scripts[script].calls == 0 || round < 5)
            measure (&cells[script][kind][level], kinds[kind].way, round >= 0);
        }
}

int
main (int argc, char *argv[])
{
  long rounds = argc > 1 ? strtol (argv[1], NULL, 10) : 30;

  if (argc > 2 || rounds < 1 || rounds > 100000)
    {
      fprintf (stderr, "Usage: guards [ROUNDS]\n");
      return 2;
    }
  for (int script = 0; script < N_SCRIPTS; script++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (int level = 0; level < N_LEVELS; level++)
        {
          programs_init (&cells[script][kind][level].programs, scripts[script].source);
          cells[script][kind][level].programs.watch = (uint8_t) level;
        }
  for (long round = -1; round < rounds; round++)
    measure_round (round);
  printf ("%ld interleaved rounds%s\n\n", rounds, geteuid () == 0 ? ", as root" : "");
  printf ("%-34s %-6s %-9s %9s %9s %9s %9s\n",
          "",
          "kind",
          "watching",
          "median ms",
          "min ms",
          "× median",
          "× min");
  for (int script = 0; script < N_SCRIPTS; script++)
    for (int kind = 0; kind < N_KINDS; kind++)
      {
        print_row ((enum script) script, kind, cells[script][kind]);
        for (int level = 0; level < N_LEVELS; level++)
          {
            samples_clear (&cells[script][kind][level].times);
            programs_clear (&cells[script][kind][level].programs);
          }
      }
  return 0;
}
