/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Setting up: what the sandbox's first process does to itself, in the order of the table in
 * setup.c, before it starts the guest. Only system calls happen here; see plan.h.
 */
#pragma once

#include "descriptor-numbers.h"
#include "fault.h"
#include "plan.h"

#include <sys/types.h>

/* What the steps hand on to one another. Descriptors are -1 until they are opened. */
struct setup
{
  const struct plan *plan;
  int stdio[3];       /* the guest's ends of the pipes, as the supervisor numbered them */
  int guest_channel;  /* the guest's end, or -1 */
  int status;         /* this process's end of the status socket */
  pid_t runner;       /* in a container: who made this process */
  int root;           /* the new root folder; later what the guest sees as / */
  int proc;           /* the sandbox's own /proc */
  int scratch;        /* the sized tmpfs that holds all that can be written */
  int workspace;      /* /workspace */
  int proc_folder;    /* /proc, opened for reading; later handed out, as the next one */
  int root_handle;    /* O_PATH of what the guest sees as / */
  int listener;       /* of the system call filter, or -1 */
  int listener_error; /* errno of what kept it from being made, or 0 */
  int dns;            /* struct init_ready */
  int proxy;          /* struct init_ready */
  int landlock_abi;   /* 0: the kernel has no Landlock */
  int rules;          /* a Landlock ruleset that the guest alone is put under, or -1 */
  bool has_scope;     /* signals of this process reach the sandbox and nobody else */
  uint64_t skipped;   /* optional steps that failed, as bits by setup_step number */
};

/* A step: does one thing, returns 0 or a negative errno. */
typedef int (*setup_apply) (struct setup *setup);

/* Nothing is open yet. */
void setup_init (struct setup *setup, const struct plan *plan);
/* True when all required steps succeeded; otherwise `fault` names the first that did not. */
bool setup_run (struct setup *setup, struct fault *fault);
/* The step with this number, or NULL. */
const char *setup_step_name (uint32_t number);
/* True when the named step was tried, failed and was optional. */
bool setup_was_skipped (uint64_t skipped, const char *name);
