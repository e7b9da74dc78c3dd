/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the supervisor is made of, for its own files: supervisor.c turns the loop,
 * supervisor-hearing.c understands what init and the backend say, supervisor-limits.c knows which
 * limits were met, supervisor-inside.c what is different in a container.
 */
#pragma once

#include "attempt-list.h"
#include "container-cgroup.h"
#include "disk-watch.h"
#include "dns-sink.h"
#include "guest-channel.h"
#include "init-message.h"
#include "input-pump.h"
#include "output-pump.h"
#include "poll-until.h"
#include "proxy-process.h"
#include "seccomp-listener.h"
#include "spawn.h"
#include "supervisor.h"
#include "usage-watch.h"
#include "verdict.h"

/* Setting up, and dying of SIGKILL, take milliseconds. Both can hang on a filesystem whose server
 * is gone; then what is known is told, and nobody waits any longer. */
#define PATIENCE_US     10000000
#define USAGE_PERIOD_US 100000

enum phase
{
  PHASE_SETTING_UP,
  PHASE_RUNNING,
  PHASE_ENDING,
  PHASE_DRAINING,
  PHASE_FINISHED,
};

enum poll_slot
{
  POLL_STATUS,
  POLL_INIT,
  POLL_CONTROL,
  POLL_CONTROL_OUT,
  POLL_OUTPUT,
  POLL_INPUT = POLL_OUTPUT + 2,
  POLL_GUEST = POLL_INPUT + 2,
  POLL_DNS,
  POLL_PROXY,
  POLL_LISTENER,
  N_POLL_SLOTS,
};

struct supervisor
{
  const struct fh_policy *policy;
  struct plan *plan;
  struct control_channel *control;
  struct request *request;
  struct cgroup cgroup;
  struct container_cgroup container; /* where the runner is in one */
  int shared_workspace;              /* its folder, where others know it as well; else -1 */
  struct timespec since;             /* what has changed in there from then on is the program's */
  struct spawned sandbox;
  int inside[N_INIT_DESCRIPTORS]; /* from init; -1 where there is none, or before */
  struct output_pump output[2];
  struct input_pump input;
  struct guest_channel guest;
  struct usage_watch watch;
  struct disk_watch disk;
  struct attempt_list attempts;
  struct dns_sink dns;
  struct proxy_process proxy;
  struct seccomp_listener listener;
  struct verdict verdict;
  struct verdict_evidence evidence;
  struct rusage rusage; /* of everything that ran inside, as far as it was waited for */
  enum phase phase;
  bool is_protocol_broken;
  bool has_survivors; /* not all that ran inside could be killed */
  unsigned int stops;
  uint64_t started_us; /* 0 before */
  uint64_t ended_us;
  uint64_t deadline_us; /* wall clock */
  uint64_t grace_us;    /* the end of patience after a stop */
  uint64_t patience_us; /* the same for setting up, or for the end */
  bool has_hung_up;     /* init's end of the status socket is closed */
  uint64_t next_usage_us;
};

/* Microseconds since the program was started; 0 before. */
uint64_t supervisor_time_us (const struct supervisor *self);
/* Kills everything inside, once. */
void supervisor_kill (struct supervisor *self);
/* The same for a reason, which counts when it is the first one. */
void
supervisor_end_by (struct supervisor *self, enum fh_wire_status status, enum fh_wire_cause cause);
/* Adds an attempt for each limit that the program met. */
void supervisor_add_limits (struct supervisor *self, const struct fh_finished *finished);
/* Before anything else: what the sandbox is to be made in. */
void supervisor_enter (struct supervisor *self);
void supervisor_watch_disk (struct supervisor *self);
/* Once init is ready. */
void supervisor_begin_to_watch (struct supervisor *self, uint64_t setup_cpu_us);
/* The opposite of entering. */
void supervisor_leave (struct supervisor *self);
/* Takes one message of init; false when there is no more. */
bool supervisor_hear_init (struct supervisor *self);
/* Takes all that the backend has sent. */
void supervisor_hear_backend (struct supervisor *self);
