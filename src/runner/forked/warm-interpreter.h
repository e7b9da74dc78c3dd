/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The warm interpreter, as the supervisor sees it: a process in namespaces of its own that forks a
 * run when it is asked to; see fork-module.c. It is renewed after some runs, and on any doubt: then
 * this runner ends, and the backend starts another.
 *
 * Its network is complete, with loopback and the supervisor's sockets, and a run stays in it
 * instead of making its own, which takes longer than all else in the setup. This is no weaker: one
 * run at a time is in there, and it has no privilege over it, as its own users are not those that
 * own it. And nothing was ever done in it: what a network keeps, such as ports, names, neighbours
 * and counters, comes from sockets alone. A run has none but the guest channel until it calls
 * socket (2) or socketpair (2), which its filter asks the supervisor about, and can give that one a
 * name only by bind (2) or connect (2), which are asked about as well. Settings in /proc are
 * read-only. Once such a call is let through, or a run's calls were not heard of, no run stays in
 * the network again.
 */
#pragma once

#include "init-message.h"
#include "spawn.h"

/* The status socket and the guest channel of a run are made there, with two ends each. */
#define WARM_NETWORK_ENDS 4

enum warm_network
{
  WARM_NETWORK_UNPROVEN,  /* no run has shown yet that its calls are heard of */
  WARM_NETWORK_UNTOUCHED, /* the next run gets it */
  WARM_NETWORK_IN_USE,    /* a run is in it */
  WARM_NETWORK_TOUCHED,   /* or perhaps: each run makes its own */
};

struct warm_interpreter
{
  struct spawned process;
  struct plan *plan;
  unsigned int runs; /* that were forked */
  bool is_doubtful;  /* no other run may be forked */
  enum warm_network network;
  struct init_ready network_ready; /* what that is worth to a run */
  int dns;                         /* the descriptors named in there, or -1 */
  int sockets;
};

/* Builds its sandbox and waits until it can fork. Returns NULL, or with errno the name of the step
 * that failed. Borrows the plan. */
const char *warm_interpreter_start (struct warm_interpreter *warm, struct plan *plan);
/* Makes a run in this control group, which begins as spawn () does. It may stay in the network. */
const char *warm_interpreter_fork (struct warm_interpreter *warm,
                                   const struct cgroup *cgroup,
                                   struct spawned *spawned);
/* Once the first process of the run is dead: what all of it used. */
void warm_interpreter_reap (struct warm_interpreter *warm, struct rusage *usage);
/* True if the run is in its network. `warm`: may be NULL. */
bool warm_interpreter_shares_network (const struct warm_interpreter *warm);
/* Adds the network to what the guards of a run that stays in it are worth, and duplicates its
 * descriptors. False with errno. */
bool warm_interpreter_add_network (const struct warm_interpreter *warm,
                                   struct init_ready *ready,
                                   int inside[N_INIT_DESCRIPTORS]);
/* Once everything in a run is dead. `was_heard`: of all calls that its filter asks about. */
void warm_interpreter_judge_network (struct warm_interpreter *warm,
                                     bool was_heard,
                                     bool has_touched_network);
/* The highest of its descriptors. */
int warm_interpreter_last_descriptor (const struct warm_interpreter *warm);
/* False if it must be replaced. */
bool warm_interpreter_is_good (const struct warm_interpreter *warm);
void warm_interpreter_end (struct warm_interpreter *warm);
