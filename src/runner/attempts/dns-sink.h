/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The DNS sink: the supervisor's end of 127.0.0.1, port 53, inside. The network there leads
 * nowhere, so a look-up could only fail after a while; here it fails at once, and the name that was
 * asked for is told.
 *
 * Whoever floods it waits: the number of questions that are taken in a period is limited, and no
 * call here ever blocks.
 */
#pragma once

#include "attempt-list.h"
#include "dns-question.h"

#include <netinet/in.h>
#include <poll.h>

struct dns_sink
{
  unsigned int names;      /* different ones that were told */
  int fd;                  /* -1: there is none */
  unsigned int taken;      /* questions in this period */
  uint64_t period_end_us;  /* 0 before the first one */
  uint64_t rests_until_us; /* UINT64_MAX unless it does */
  /* A look-up asks for both kinds of addresses, from one port: half of one that was counted. */
  in_port_t half_port;
  uint16_t half_type; /* 0: none */
  char half_name[DNS_NAME_TEXT_SIZE];
};

/* Owns `fd`, which does not block, or is -1. */
void dns_sink_init (struct dns_sink *sink, int fd);
void dns_sink_close (struct dns_sink *sink);
void dns_sink_prepare (const struct dns_sink *sink, struct pollfd *fd);
/* Answers what has been asked. `time_us` is since the start of the program. */
void dns_sink_move (struct dns_sink *sink, struct attempt_list *attempts, uint64_t time_us);
