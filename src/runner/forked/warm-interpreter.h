/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The warm interpreter, as the supervisor sees it: a process in namespaces of its own that forks a
 * run when it is asked to; see fork-module.c. It is renewed after some runs, and on any doubt: then
 * this runner ends, and the backend starts another.
 */
#pragma once

#include "spawn.h"

struct warm_interpreter
{
  struct spawned process;
  struct plan *plan;
  unsigned int runs; /* that were forked */
  bool is_doubtful;  /* no other run may be forked */
};

/* Builds its sandbox and waits until it can fork. Returns NULL, or with errno the name of the step
 * that failed. Borrows the plan. */
const char *warm_interpreter_start (struct warm_interpreter *warm, struct plan *plan);
/* Makes a run in this control group, which begins as spawn () does. */
const char *warm_interpreter_fork (struct warm_interpreter *warm,
                                   const struct cgroup *cgroup,
                                   struct spawned *spawned);
/* Once the first process of the run is dead: what all of it used. */
void warm_interpreter_reap (struct warm_interpreter *warm, struct rusage *usage);
/* The highest of its descriptors. */
int warm_interpreter_last_descriptor (const struct warm_interpreter *warm);
/* False if it must be replaced. */
bool warm_interpreter_is_good (const struct warm_interpreter *warm);
void warm_interpreter_end (struct warm_interpreter *warm);
