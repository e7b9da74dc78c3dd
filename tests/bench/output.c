/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much output per second is accepted from a program that floods. Each way runs the program
 * once with the flood and once without; what is in between is the flood's own time.
 */
#include "programs.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under the limit of output that fumehoodctl has by default. */
#define FLOOD_MIB 60

#define FLOOD                                                                                      \
  "import os\n"                                                                                    \
  "line = b'x' * 79 + b'\\n'\n"                                                                    \
  "block = (line * 820)[:65536]\n"                                                                 \
  "for _ in range(%d):\n"                                                                          \
  "    view = memoryview(block)\n"                                                                 \
  "    while view:\n"                                                                              \
  "        view = view[os.write(1, view):]\n"

static const struct
{
  enum way way;
  bool discard;
  const char *name;
} rows[] = {
  { WAY_BARE, false, "a plain pipe" },
  { WAY_RUNNER, false, "the runner alone" },
  { WAY_CTL, true, "fumehoodctl run > /dev/null" },
  { WAY_CTL, false, "fumehoodctl run | reader" },
  { WAY_BUBBLEWRAP, false, "bubblewrap, a plain pipe" },
};
#define N_ROWS (sizeof rows / sizeof rows[0])

struct row
{
  struct samples flood;
  struct samples quiet;
  char problem[128];
};

static void
measure (const struct programs *programs,
         size_t row,
         uint64_t expected,
         struct samples *times,
         char *problem)
{
  struct outcome outcome;

  programs_run (programs, rows[row].way, rows[row].discard, &outcome);
  if (outcome.problem[0] == '\0' && !rows[row].discard && outcome.output != expected)
    snprintf (outcome.problem, sizeof outcome.problem, "some of the output is missing");
  if (outcome.problem[0] == '\0')
    samples_add (times, outcome.time_us);
  else
    memcpy (problem, outcome.problem, sizeof outcome.problem);
}

static void
print_row (size_t at, struct row *row)
{
  double us = (double) (samples_median (&row->flood) - samples_median (&row->quiet));

  if (row->problem[0] != '\0' || us <= 0)
    printf ("%-30s left out: %s\n", rows[at].name, row->problem);
  else
    printf ("%-30s %8.0f MB/s\n", rows[at].name, (double) FLOOD_MIB * (1 << 20) / us);
}

int
main (int argc, char *argv[])
{
  long rounds = argc > 1 ? strtol (argv[1], NULL, 10) : 7;
  struct row results[N_ROWS] = { 0 };
  struct programs flooding;
  struct programs silent;
  char source[512];

  if (argc > 2 || rounds < 1 || rounds > 1000)
    {
      fprintf (stderr, "Usage: output [ROUNDS]\n");
      return 2;
    }
  snprintf (source, sizeof source, FLOOD, FLOOD_MIB * 16);
  programs_init (&silent, "import os\n");
  programs_init (&flooding, source);
  for (long round = 0; round < rounds; round++)
    for (size_t i = 0; i < N_ROWS; i++)
      {
        struct row *row = &results[i];

        if (row->problem[0] == '\0')
          measure (&flooding, i, (uint64_t) FLOOD_MIB << 20, &row->flood, row->problem);
        if (row->problem[0] == '\0')
          measure (&silent, i, 0, &row->quiet, row->problem);
      }
  printf ("A flood of %d MiB, medians of %ld interleaved rounds\n\n", FLOOD_MIB, rounds);
  for (size_t i = 0; i < N_ROWS; i++)
    {
      print_row (i, &results[i]);
      samples_clear (&results[i].flood);
      samples_clear (&results[i].quiet);
    }
  programs_clear (&flooding);
  programs_clear (&silent);
  return 0;
}
