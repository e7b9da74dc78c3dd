/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways in which one Python file is run, side by side: without any guard, and behind those of
 * fumehoodctl, of the runner alone and of bubblewrap. Each benchmark takes the ones it needs.
 */
#pragma once

#include "runner-client.h"

enum way
{
  WAY_BARE,
  WAY_CTL,
  WAY_RUNNER,
  WAY_RUNNER_AS_USER, /* without a user id of the guest's own, because a folder is only the user's
                       */
  WAY_BOOTSTRAP,
  WAY_PREPARED,       /* the runner, and in it the same Python entry that fumehoodctl uses */
  WAY_FORKED,         /* the next run of a warm interpreter, whose sandbox is ready */
  WAY_FORKED_AT_ONCE, /* as soon as the last one has ended */
  WAY_BUBBLEWRAP,
  N_WAYS,
};

/* Where things are, and the file that is run. */
struct programs
{
  const char *runner; /* NULL: not here */
  const char *ctl;
  const char *guest_folder; /* NULL: WAY_BOOTSTRAP is left out */
  char folder[64];          /* of the file, and of fumehoodctl's history */
  char file[96];
  const char *source;
  uint8_t watch;                /* enum fh_wire_watch, of runs by the runner */
  struct runner_forked *forked; /* once it was needed */
};

struct outcome
{
  int64_t time_us;
  uint64_t output;
  char problem[128]; /* "" when the program ran and ended with status 0 */
};

/* From FH_RUNNER, FH_CTL and FH_DATA_DIR; `source` is written to a fresh temporary folder. Ends
 * the program when that fails. */
void programs_init (struct programs *programs, const char *source);
void programs_clear (struct programs *programs);

const char *programs_name (enum way way);
/* `discard`: the output goes to /dev/null where that is possible, and is not counted. */
void
programs_run (const struct programs *programs, enum way way, bool discard, struct outcome *outcome);
