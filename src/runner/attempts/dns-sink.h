/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The DNS sink: the supervisor's end of 127.0.0.1, port 53, inside. The network there leads
 * nowhere, so a look-up could only time out; here it fails at once, and the name is reported.
 *
 * A flood only delays the sender: the number of questions per period is limited, and nothing here
 * blocks.
 */
#pragma once

#include "attempt-list.h"
#include "dns-question.h"

#include <netinet/in.h>
#include <poll.h>

struct dns_sink
{
  unsigned int names;      /* distinct names that were reported */
  int fd;                  /* -1: none */
  unsigned int taken;      /* questions in this period */
  uint64_t period_end_us;  /* 0 before the first one */
  uint64_t rests_until_us; /* UINT64_MAX unless it pauses */
  /* A look-up asks for both address types, from one port: the half that was counted. */
  in_port_t half_port;
  uint16_t half_type; /* 0: none */
  char half_name[DNS_NAME_TEXT_SIZE];
};

/* Takes ownership of `fd`, which is non-blocking, or -1. */
void dns_sink_init (struct dns_sink *sink, int fd);
void dns_sink_close (struct dns_sink *sink);
void dns_sink_prepare (const struct dns_sink *sink, struct pollfd *fd);
/* Answers pending questions. `time_us` is since the start of the program. */
void dns_sink_move (struct dns_sink *sink, struct attempt_list *attempts, uint64_t time_us);
