/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages between init and the supervisor, on the status socket, which keeps their boundaries.
 * Both ends are ours: the guest has no way to that socket.
 */
#pragma once

#include "fault.h"

#include <stddef.h>

enum init_message_kind
{
  INIT_FAULT = 1, /* `fault`; nothing ran */
  INIT_READY,     /* all guards stand; `ready`, and two descriptors: /proc and /workspace */
  INIT_STARTED,   /* the guest's program is running */
  INIT_ENDED,     /* the main process ended: `wait_status` as from wait(2) */
  INIT_CHANNEL,   /* before all others, when there is a guest channel: our end of it */
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

/* Sets the message's time and sends it with `n` descriptors. False when the other end is gone. */
bool init_message_send (int socket, struct init_message *message, const int fds[], size_t n);
/* Takes the next message without waiting, and the descriptors that came with it or -1. False when
 * there is none. */
bool init_message_receive (int socket, struct init_message *message, int fds[2]);
