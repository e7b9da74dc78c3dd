/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Init: the sandbox's first process, pid 1 inside. It sets the sandbox up, starts the guest, reaps
 * what is orphaned and tells the supervisor how the guest's main process ended. When it goes, the
 * kernel kills everything else; it goes when the supervisor kills it, when the runner dies, or by
 * itself once the main process ended, after a moment if others are left.
 *
 * The kernel does not deliver to pid 1 what another process of its namespace sends, so nothing
 * inside can stop or kill it.
 */
#pragma once

#include "setup.h"

/* Messages on the status socket, which keeps their boundaries. */
enum init_message_kind
{
  INIT_FAULT = 1, /* `fault`; nothing ran */
  INIT_READY,     /* all guards stand; `ready`, and two descriptors: /proc and /workspace */
  INIT_STARTED,   /* the guest's program is running */
  INIT_ENDED,     /* the main process ended: `wait_status` as from wait(2) */
};

struct init_ready
{
  uint64_t cpu_us; /* what setting up has cost, which is not the guest's */
  int32_t landlock_abi;
  uint32_t skipped; /* struct setup */
};

struct init_message
{
  uint32_t kind;
  uint64_t time_us; /* CLOCK_BOOTTIME */
  union
  {
    struct fault fault;
    struct init_ready ready;
    int32_t wait_status;
  };
};

/* What the supervisor may send: one byte that asks for SIGINT to the guest's main group. */
#define INIT_INTERRUPT 'I'

_Noreturn void init_main (struct setup *setup);
