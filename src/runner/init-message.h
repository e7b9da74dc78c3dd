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
  INIT_READY,     /* all guards stand; `ready`, and the descriptors that it names */
  INIT_STARTED,   /* the guest's program is running, since `begun_us` */
  INIT_ENDED,     /* the main process ended: `wait_status` as from wait(2) */
  INIT_CHANNEL,   /* before all others, when there is a guest channel: our end of it */
};

/* What init hands out when it is ready, in this order, as far as it has been made. */
enum init_descriptor
{
  INIT_PROC,      /* the sandbox's own /proc */
  INIT_WORKSPACE, /* /workspace */
  INIT_ROOT,      /* what the guest sees as / */
  INIT_LISTENER,  /* where the system call filter asks, seccomp_unotify (2) */
  INIT_DNS,       /* a datagram socket at 127.0.0.1, port 53, inside */
  INIT_PROXY,     /* a listening socket at 127.0.0.1 inside */
  N_INIT_DESCRIPTORS,
};

struct init_ready
{
  uint64_t cpu_us; /* what setting up has cost, which is not the guest's */
  int32_t landlock_abi;
  int32_t has_scope; /* struct setup */
  int32_t listener_error;
  uint64_t skipped;     /* struct setup */
  uint32_t descriptors; /* which of them come with it, 1 << enum init_descriptor */
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
    uint64_t begun_us; /* CLOCK_BOOTTIME */
  };
};

/* What the supervisor may send: one byte that asks for SIGINT to the guest's main group, or for the
 * end of everybody where killing init is not enough for that. */
#define INIT_INTERRUPT 'I'
#define INIT_KILL      'K'

/* Sets the message's time and sends it with `n` descriptors. False when the other end is gone. */
bool init_message_send (int socket, struct init_message *message, const int fds[], size_t n);
/* Takes the next message without waiting, and the descriptors that came with it, one after the
 * other; the others are -1. False when there is none. */
bool init_message_receive (int socket, struct init_message *message, int fds[N_INIT_DESCRIPTORS]);
