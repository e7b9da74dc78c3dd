/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one guarded run costs from cold: print('hello'), in each way, in interleaved rounds, because
 * absolute times drift. The ratios to bare Python are what counts.
 */
#include "programs.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOURCE "print('hello')\n"
#define OUTPUT 6

struct row
{
  struct samples times;
  char problem[128];
};

static void
measure (const struct programs *programs, enum way way, struct row *row, bool keep)
{
  struct outcome outcome;

  if (row->problem[0] != '\0')
    return;
  programs_run (programs, way, false, &outcome);
  if (outcome.problem[0] == '\0' && outcome.output != OUTPUT)
    snprintf (outcome.problem,
              sizeof outcome.problem,
              "wrote %llu bytes and not %d",
              (unsigned long long) outcome.output,
              OUTPUT);
  memcpy (row->problem, outcome.problem, sizeof row->problem);
  if (keep)
    samples_add (&row->times, outcome.time_us);
}

static void
print_row (enum way way, struct row *row, struct row *bare)
{
  double median = (double) samples_median (&row->times);
  double minimum = (double) samples_minimum (&row->times);

  if (row->problem[0] != '\0' || row->times.count == 0)
    printf ("%-36s left out: %s\n", programs_name (way), row->problem);
  else
    printf ("%-36s %9.2f %9.2f %9.2f %9.2f\n",
            programs_name (way),
            median / 1000,
            minimum / 1000,
            median / (double) samples_median (&bare->times),
            minimum / (double) samples_minimum (&bare->times));
}

int
main (int argc, char *argv[])
{
  long rounds = argc > 1 ? strtol (argv[1], NULL, 10) : 60;
  struct row rows[N_WAYS] = { 0 };
  struct programs programs;

  if (argc > 2 || rounds < 1 || rounds > 100000)
    {
      fprintf (stderr, "Usage: cold-run [ROUNDS]\n");
      return 2;
    }
  programs_init (&programs, SOURCE);
  for (long round = -2; round < rounds; round++)
    for (int i = 0; i < N_WAYS; i++)
      {
        /* The order changes in each round. The first two rounds warm the caches. */
        enum way way = (enum way) ((i + round + 2) % N_WAYS);

        measure (&programs, way, &rows[way], round >= 0);
      }
  printf ("print('hello'), %ld interleaved rounds%s\n\n",
          rounds,
          geteuid () == 0 ? ", as root" : "");
  printf ("%-36s %9s %9s %9s %9s\n", "", "median ms", "min ms", "× median", "× min");
  for (int way = 0; way < N_WAYS; way++)
    print_row ((enum way) way, &rows[way], &rows[WAY_BARE]);
  for (int way = 0; way < N_WAYS; way++)
    samples_clear (&rows[way].times);
  programs_clear (&programs);
  return 0;
}
