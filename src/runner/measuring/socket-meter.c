/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "socket-meter.h"

#include "clock.h"
#include "kernel-file.h"
#include "numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Far from any limit, and close to one. */
#define PAUSE_US       200000
#define SHORT_PAUSE_US 10000

/* Our own sockets inside: this one, DNS, the proxy. */
#define OF_OURS 4

/* Memory of a socket itself; and of one in TIME_WAIT, which has two entries for its port besides.
 */
#define SOCKET_BYTES  2048
#define WAITING_BYTES 512

/* If the kernel's setting cannot be read. */
#define USUAL_BUFFER 212992

/* All but TIME_WAIT and NEW_SYN_RECV, which are not full sockets. */
#define TCP_STATES (0x3fffu & ~(1u << TCP_TIME_WAIT | 1u << 12))

struct request
{
  struct nlmsghdr header;
  union
  {
    struct inet_diag_req_v2 inet;
    struct unix_diag_req local;
  };
};

struct total
{
  uint64_t sockets;
  uint64_t bytes;
  /* These are of the last Unix socket, if it was requested. */
  bool has_peer;
  uint8_t state;
  uint32_t unread; /* not 0: unread data; in a listening one, connections */
};

bool
socket_counts_parse (const char *text, struct socket_counts *counts)
{
  const char *tcp = strstr (text, "\nTCP: ");
  const char *udp = strstr (text, "\nUDP: ");

  *counts = (struct socket_counts){ 0 };
  return tcp != NULL && udp != NULL &&
         sscanf (text, "sockets: used %" SCNu64, &counts->used) == 1 &&
         sscanf (tcp,
                 " TCP: inuse %*u orphan %*u tw %" SCNu64 " alloc %*u mem %" SCNu64,
                 &counts->waiting,
                 &counts->tcp_pages) == 2 &&
         sscanf (udp, " UDP: inuse %*u mem %" SCNu64, &counts->udp_pages) == 1;
}

bool
socket_protocols_parse (const char *text, uint64_t *others)
{
  static const char *const internet[] = { "TCP", "UDP", "MPTCP" };

  *others = 0;
  if (strncmp (text, "protocol ", 9) != 0)
    return false;
  while ((text = strchr (text, '\n')) != NULL && *++text != '\0')
    {
      bool is_internet = false;
      uint64_t sockets;
      char name[32];

      if (sscanf (text, "%31s %*u %" SCNu64, name, &sockets) != 2)
        return false;
      for (size_t i = 0; i < sizeof internet / sizeof internet[0]; i++)
        is_internet = is_internet || strncmp (name, internet[i], strlen (internet[i])) == 0;
      *others += is_internet ? 0 : sockets;
    }
  return true;
}

/* The first process is in the sandbox's network as long as it exists. */
static bool
read_counts (int proc, struct socket_counts *counts)
{
  char text[1024];

  return kernel_file_read (proc, "1/net/sockstat", text, sizeof text) &&
         socket_counts_parse (text, counts);
}

static uint64_t
held_by (const uint32_t memory[SK_MEMINFO_VARS])
{
  const uint64_t sent = memory[SK_MEMINFO_WMEM_QUEUED] > memory[SK_MEMINFO_WMEM_ALLOC]
                            ? memory[SK_MEMINFO_WMEM_QUEUED]
                            : memory[SK_MEMINFO_WMEM_ALLOC];

  return sent + memory[SK_MEMINFO_RMEM_ALLOC] + memory[SK_MEMINFO_FWD_ALLOC] +
         memory[SK_MEMINFO_OPTMEM] + memory[SK_MEMINFO_BACKLOG];
}

/* Adds one attribute about memory, or a Unix socket. */
static void
add_attribute (struct total *total, bool is_local, unsigned short type, const char *at, size_t size)
{
  const unsigned short kind = is_local ? UNIX_DIAG_MEMINFO : INET_DIAG_SKMEMINFO;
  uint32_t memory[SK_MEMINFO_VARS] = { 0 };

  memcpy (memory, at, size < sizeof memory ? size : sizeof memory);
  if (type == kind)
    total->bytes += held_by (memory);
  /* A closed socket has no inode. */
  else if (is_local && type == UNIX_DIAG_PEER)
    total->has_peer = memory[0] != 0;
  else if (is_local && type == UNIX_DIAG_RQLEN)
    total->unread = memory[0];
}

/* Adds the attributes of one socket. */
static void
add_attributes (struct total *total, const char *at, size_t size, bool is_local)
{
  struct rtattr attribute;

  total->sockets++;
  while (size >= sizeof attribute)
    {
      size_t length;

      memcpy (&attribute, at, sizeof attribute);
      length = RTA_ALIGN (attribute.rta_len);
      if (attribute.rta_len < sizeof attribute || length > size)
        return;
      add_attribute (total,
                     is_local,
                     attribute.rta_type,
                     at + sizeof attribute,
                     attribute.rta_len - sizeof attribute);
      at += length;
      size -= length;
    }
}

enum answer
{
  ANSWER_GOES_ON,
  ANSWER_ENDED,
  ANSWER_FAILED,
};

static enum answer
read_answer (struct total *total, const struct request *request, const char *at, size_t size)
{
  const bool is_local = request->local.sdiag_family == AF_UNIX;
  const size_t fixed = is_local ? sizeof (struct unix_diag_msg) : sizeof (struct inet_diag_msg);
  struct nlmsghdr header;

  while (size >= sizeof header)
    {
      const size_t start = NLMSG_HDRLEN + NLMSG_ALIGN (fixed);

      memcpy (&header, at, sizeof header);
      if (header.nlmsg_type == NLMSG_DONE)
        return ANSWER_ENDED;
      if (header.nlmsg_type == NLMSG_ERROR || header.nlmsg_len < sizeof header ||
          header.nlmsg_len > size)
        return ANSWER_FAILED;
      if (header.nlmsg_seq == request->header.nlmsg_seq && header.nlmsg_len >= start)
        {
          if (is_local)
            total->state =
                (uint8_t) at[NLMSG_HDRLEN + offsetof (struct unix_diag_msg, udiag_state)];
          add_attributes (total, at + start, header.nlmsg_len - start, is_local);
        }
      if (!(header.nlmsg_flags & NLM_F_MULTI))
        return ANSWER_ENDED;
      if (NLMSG_ALIGN (header.nlmsg_len) >= size)
        break;
      at += NLMSG_ALIGN (header.nlmsg_len);
      size -= NLMSG_ALIGN (header.nlmsg_len);
    }
  return ANSWER_GOES_ON;
}

/* Sends the request and reads the whole answer, which the kernel generates as it is read. */
static bool
query (int diag, struct request *request, size_t size, struct total *total)
{
  static _Alignas(struct nlmsghdr) char text[32 * 1024];
  static uint32_t sequence;
  enum answer answer = ANSWER_GOES_ON;

  request->header.nlmsg_len = (uint32_t) (sizeof request->header + size);
  request->header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request->header.nlmsg_flags |= NLM_F_REQUEST;
  request->header.nlmsg_seq = ++sequence;
  if (send (diag, request, request->header.nlmsg_len, MSG_DONTWAIT) < 0)
    return false;
  while (answer == ANSWER_GOES_ON)
    {
      ssize_t n = recv (diag, text, sizeof text, MSG_DONTWAIT);

      answer = n > 0 ? read_answer (total, request, text, (size_t) n) : ANSWER_FAILED;
    }
  return answer == ANSWER_ENDED;
}

static bool
ask_for_local (int diag, struct total *total)
{
  struct request request = {
    .header.nlmsg_flags = NLM_F_DUMP,
    .local = { .sdiag_family = AF_UNIX, .udiag_states = ~0u, .udiag_show = UDIAG_SHOW_MEMINFO },
  };

  return query (diag, &request, sizeof request.local, total);
}

static bool
ask_for_inet (int diag, uint8_t family, uint8_t protocol, struct total *total)
{
  struct request request = {
    .header.nlmsg_flags = NLM_F_DUMP,
    .inet = {
      .sdiag_family = family,
      .sdiag_protocol = protocol,
      .idiag_ext = 1u << (INET_DIAG_SKMEMINFO - 1),
      .idiag_states = protocol == IPPROTO_TCP ? TCP_STATES : ~0u,
    },
  };

  return query (diag, &request, sizeof request.inet, total);
}

uint64_t
socket_meter_full (void)
{
  static uint64_t size;

  if (size == 0)
    size = kernel_file_read_number (AT_FDCWD, "/proc/sys/net/core/wmem_default", 0);
  return size > 0 ? size : USUAL_BUFFER;
}

/* Unread data is charged to its sender. If that was closed, or the connection was not accepted yet,
 * the kernel does not report its size. */
static uint64_t
sent_by_closed (const struct total *total)
{
  if (total->state == TCP_LISTEN)
    return total->unread * socket_meter_full ();
  return total->unread > 0 && !total->has_peer ? socket_meter_full () : 0;
}

uint64_t
socket_meter_unix (int diag, uint32_t inode)
{
  struct total total = { 0 };
  struct request request = {
    .local = {
      .sdiag_family = AF_UNIX,
      .udiag_states = ~0u,
      .udiag_ino = inode,
      .udiag_show = UDIAG_SHOW_MEMINFO | UDIAG_SHOW_PEER | UDIAG_SHOW_RQLEN,
      .udiag_cookie = { INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE },
    },
  };

  return query (diag, &request, sizeof request.local, &total)
             ? total.bytes + sent_by_closed (&total)
             : 0;
}

/* If not even the lists can be read: the machine's TCP and UDP memory, and all other sockets as if
 * they were full. */
static uint64_t
guess (const struct socket_meter *meter, const struct socket_counts *counts)
{
  const uint64_t pages = counts->tcp_pages + counts->udp_pages;

  return pages * (uint64_t) sysconf (_SC_PAGESIZE) + counts->used * meter->buffer;
}

/* What sockets may hold that are in no list. One of the internet is in none while it has no port,
 * which is idle unless it has lost its port with data unread in it; all such data is in the sum for
 * the machine, except for less than a MiB for each processor. Any other may have been closed while
 * what it sent is unread. */
static uint64_t
held_by_unlisted (const struct socket_meter *meter,
                  int proc,
                  const struct socket_counts *counts,
                  const struct total *local,
                  const struct total *internet)
{
  const uint64_t listed = local->sockets + internet->sockets + OF_OURS;
  const uint64_t unlisted = counts->used > listed ? counts->used - listed : 0;
  const uint64_t pages = counts->tcp_pages + counts->udp_pages;
  const uint64_t most = pages * (uint64_t) sysconf (_SC_PAGESIZE);
  const uint64_t rest = most > internet->bytes ? most - internet->bytes : 0;
  char text[16 * 1024];
  uint64_t others;

  if (unlisted == 0 || !meter->has_few_families ||
      !kernel_file_read (proc, "1/net/protocols", text, sizeof text) ||
      !socket_protocols_parse (text, &others))
    return unlisted * meter->buffer;
  others = smaller (unlisted, others > local->sockets ? others - local->sockets : 0);
  return others * meter->buffer + smaller ((unlisted - others) * meter->buffer, rest);
}

static uint64_t
measure (const struct socket_meter *meter, int proc, struct socket_counts *counts)
{
  struct total local = { 0 };
  struct total internet = { 0 };
  struct socket_counts after;

  if (meter->diag < 0 || !ask_for_local (meter->diag, &local) ||
      !ask_for_inet (meter->diag, AF_INET, IPPROTO_TCP, &internet) ||
      !ask_for_inet (meter->diag, AF_INET6, IPPROTO_TCP, &internet) ||
      !ask_for_inet (meter->diag, AF_INET, IPPROTO_UDP, &internet) ||
      !ask_for_inet (meter->diag, AF_INET6, IPPROTO_UDP, &internet))
    return guess (meter, counts);
  /* Some were closed meanwhile. */
  if (read_counts (proc, &after) && after.used < counts->used)
    counts->used = after.used;
  return local.bytes + internet.bytes + held_by_unlisted (meter, proc, counts, &local, &internet) +
         counts->used * SOCKET_BYTES + counts->waiting * WAITING_BYTES;
}

/* An upper bound, without looking at each. */
static bool
may_be_much (const struct socket_counts *counts)
{
  const uint64_t pages = counts->tcp_pages + counts->udp_pages;

  return counts->used > 64 ||
         pages * (uint64_t) sysconf (_SC_PAGESIZE) > SOCKET_METER_MOST_BYTES / 8;
}

/* The cost of measuring grows with the lists. */
static bool
is_time (const struct socket_meter *meter, const struct socket_counts *counts, uint64_t now)
{
  const uint64_t pause = may_be_much (counts) ? SHORT_PAUSE_US : PAUSE_US;

  return now >= meter->measured_us + (8 * meter->cost_us > pause ? 8 * meter->cost_us : pause);
}

bool
socket_meter_measure (struct socket_meter *meter, int proc)
{
  const uint64_t ours = OF_OURS + meter->ends;
  struct socket_counts counts;
  uint64_t begun;

  if (!read_counts (proc, &counts))
    return false;
  if (counts.used <= ours || counts.used > SOCKET_METER_MOST_SOCKETS)
    {
      meter->bytes = counts.used > ours ? counts.used * SOCKET_BYTES : 0;
      return counts.used > SOCKET_METER_MOST_SOCKETS;
    }
  if (!is_time (meter, &counts, clock_now_us ()))
    return false;
  begun = clock_own_cpu_us ();
  if (meter->buffer == 0)
    meter->buffer = socket_meter_full ();
  meter->bytes = measure (meter, proc, &counts);
  meter->measured_us = clock_now_us ();
  meter->cost_us = clock_own_cpu_us () - begun;
  return meter->bytes > SOCKET_METER_MOST_BYTES;
}
