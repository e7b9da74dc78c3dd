/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output pump: sends what the guest writes to one of its streams to the backend as frames, up
 * to the limit. What comes after the limit is counted as far as it is read, but not sent.
 */
#pragma once

#include "control-channel.h"

struct output_pump
{
  int fd; /* -1 when the stream has ended */
  enum fh_wire_stream stream;
  uint64_t limit; /* 0: none */
  uint64_t total; /* bytes read */
  bool over_limit;
  bool is_in_line; /* the last one read did not end a line */
};

void
output_pump_init (struct output_pump *pump, int fd, enum fh_wire_stream stream, uint64_t limit);
void output_pump_close (struct output_pump *pump);
/* How many bytes could be moved now. */
uint64_t output_pump_waiting (const struct output_pump *pump);
/* Moves at most FH_OUTPUT_MAX bytes. `time_us`: since the guest was started. False if nothing is
 * available. */
bool output_pump_move (struct output_pump *pump, struct control_channel *channel, uint64_t time_us);
