/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dns-sink.h"

#include "clock.h"
#include "descriptor.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Limits to 2500 look-ups per second, more than any real resolver needs, which take 5 % of a
 * processor. */
#define PERIOD_US   50000
#define IN_A_PERIOD 250

#define IN_A_TURN 32

/* Names that are reported one by one. */
#define NAMES_MAX (FH_ATTEMPTS_MAX / 4)

void
dns_sink_init (struct dns_sink *sink, int fd)
{
  *sink = (struct dns_sink){ .fd = fd, .rests_until_us = UINT64_MAX };
}

void
dns_sink_close (struct dns_sink *sink)
{
  fh_clear_fd (&sink->fd);
  sink->rests_until_us = UINT64_MAX;
}

void
dns_sink_prepare (const struct dns_sink *sink, struct pollfd *fd)
{
  const bool rests = sink->rests_until_us != UINT64_MAX;

  *fd = (struct pollfd){ .fd = rests ? -1 : sink->fd, .events = POLLIN };
}

static uint16_t
other_half (uint16_t type)
{
  if (type == DNS_TYPE_A)
    return DNS_TYPE_AAAA;
  return type == DNS_TYPE_AAAA ? DNS_TYPE_A : 0;
}

/* True if this question belongs to a look-up that was counted. */
static bool
is_counted (struct dns_sink *sink, const struct dns_question *question, in_port_t port)
{
  const bool is_half = sink->half_type != 0 && sink->half_type == question->type &&
                       sink->half_port == port && strcmp (sink->half_name, question->name) == 0;

  sink->half_type = is_half ? 0 : other_half (question->type);
  sink->half_port = port;
  strcpy (sink->half_name, question->name);
  return is_half;
}

static void
count (struct dns_sink *sink, struct attempt_list *attempts, const char *name, uint64_t time_us)
{
  struct fh_attempt attempt = {
    .guard = FH_WIRE_GUARD_NETWORK,
    .verdict = FH_WIRE_DENIED,
    .time_us = time_us,
    .layer = "dns",
    .operation = "look up",
    .object = name,
    .command = "",
  };

  if (attempt_list_count (attempts, &attempt))
    return;
  /* Don't let DNS names crowd out other attempts. */
  if (sink->names == NAMES_MAX)
    attempt.object = "more names";
  else
    sink->names++;
  attempt_list_add (attempts, &attempt);
}

/* True if there was a message. */
static bool
answer_one (struct dns_sink *sink, struct attempt_list *attempts, uint64_t time_us)
{
  uint8_t message[DNS_MESSAGE_MAX];
  uint8_t answer[DNS_MESSAGE_MAX];
  struct dns_question question;
  struct sockaddr_in from;
  socklen_t from_size = sizeof from;
  bool is_question;
  ssize_t size = recvfrom (sink->fd,
                           message,
                           sizeof message,
                           MSG_DONTWAIT,
                           (struct sockaddr *) &from,
                           &from_size);

  if (size < 0)
    return false;
  is_question = dns_question_parse (&question, message, (size_t) size);
  if (is_question && !is_counted (sink, &question, from.sin_port))
    count (sink, attempts, question.name, time_us);
  size =
      (ssize_t) dns_answer_write (answer, message, (size_t) size, is_question ? &question : NULL);
  if (size > 0)
    sendto (sink->fd,
            answer,
            (size_t) size,
            MSG_DONTWAIT | MSG_NOSIGNAL,
            (struct sockaddr *) &from,
            from_size);
  return true;
}

void
dns_sink_move (struct dns_sink *sink, struct attempt_list *attempts, uint64_t time_us)
{
  uint64_t now;

  if (sink->fd < 0)
    return;
  now = clock_now_us ();
  if (now >= sink->period_end_us)
    {
      sink->period_end_us = now + PERIOD_US;
      sink->taken = 0;
      sink->rests_until_us = UINT64_MAX;
    }
  for (int i = 0; i < IN_A_TURN && sink->taken < IN_A_PERIOD; i++)
    {
      if (!answer_one (sink, attempts, time_us))
        return;
      sink->taken++;
    }
  if (sink->taken == IN_A_PERIOD)
    sink->rests_until_us = sink->period_end_us;
}
