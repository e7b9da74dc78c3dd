/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The socket meter: how much data is in the sockets of a sandbox with its own network. It is kernel
 * memory charged to no process, and TCP and UDP memory counts against limits of the whole machine,
 * tcp(7).
 *
 * A netlink socket of that network lists the memory of each socket, sock_diag(7), including those
 * without descriptors. A Unix socket that is closed while what it sent is unread is not listed, but
 * counted in /proc/net/sockstat, and counts as full. Those of TCP and UDP that have no port are not
 * listed either: what the whole machine holds bounds what is in them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Limits per sandbox. Connections are between its own processes, so programs need a few hundred
 * KiB. */
#define SOCKET_METER_MOST_SOCKETS 4096
#define SOCKET_METER_MOST_BYTES   ((uint64_t) 64 << 20)

struct socket_meter
{
  int diag;             /* NETLINK_SOCK_DIAG in the sandbox's network; -1: none */
  uint64_t measured_us; /* when the lists were last read, and the CPU time it took */
  uint64_t cost_us;
  uint64_t bytes;        /* memory at that time */
  uint64_t buffer;       /* assumed for an unlisted socket, 0 if unknown yet */
  uint64_t ends;         /* sockets of the sandbox's first process that are in there besides ours */
  bool has_few_families; /* Unix and the internet: a filter refuses all others */
};

/* Values of /proc/net/sockstat. Sizes in pages, for the whole machine. */
struct socket_counts
{
  uint64_t used;
  uint64_t waiting; /* connections in TIME_WAIT */
  uint64_t tcp_pages;
  uint64_t udp_pages;
};

/* Measures if it is time to. `proc` is the sandbox's /proc. True if there is too much, whatever the
 * memory limit is. */
bool socket_meter_measure (struct socket_meter *meter, int proc);
/* Unread data sent by the Unix socket of this inode, in bytes; `diag` is of its network. Data in it
 * from a closed socket counts as a full one. 0 for other sockets, and for closed ones. */
uint64_t socket_meter_unix (int diag, uint32_t inode);
/* The memory of a full socket with buffers of the default size. */
uint64_t socket_meter_full (void);
/* False if `text` is not such a file. */
bool socket_counts_parse (const char *text, struct socket_counts *counts);
/* How many sockets of /proc/net/protocols are neither TCP nor UDP; closed Unix sockets count as
 * long as what they sent is unread. False if `text` is not such a file. */
bool socket_protocols_parse (const char *text, uint64_t *others);
