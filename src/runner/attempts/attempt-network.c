/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-address.h"
#include "attempt-call.h"
#include "attempt-target.h"
#include "guest-folder.h"
#include "guest-memory.h"
#include "tier.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define DNS_PORT 53

/* Messages of a sendmmsg (2) that are inspected, each for a microsecond or two. The C library sends
 * two at once. */
#define MESSAGES_MAX 64

static const char *
operation_of (enum seccomp_act act)
{
  if (act == SECCOMP_ACT_CONNECT)
    return "connect";
  return act == SECCOMP_ACT_BIND ? "bind" : "send to";
}

/* Whether anything is there that answers, or the address can be had, is not known beforehand. */
static void
report (const struct attempt_call *call,
        enum seccomp_act act,
        enum fh_wire_verdict verdict,
        const char *layer,
        const char *object,
        int error,
        uint32_t flags)
{
  attempt_call_report (
      call,
      &(const struct attempt_finding){
          .guard = FH_WIRE_GUARD_NETWORK,
          .verdict = (uint8_t) verdict,
          .layer = layer,
          .operation = operation_of (act),
          .object = object,
          .error = error,
          .flags = flags | (verdict == FH_WIRE_OBSERVED ? FH_ATTEMPT_IS_UNCERTAIN : 0),
      });
}

static void
observe (const struct attempt_call *call, enum seccomp_act act, const char *object)
{
  report (call, act, FH_WIRE_OBSERVED, "seccomp", object, 0, 0);
}

/* The C library's own calls for each look-up, and connections to our proxy. Connecting to port 0
 * only asks for the route and sends nothing. */
static bool
is_of_no_interest (const struct attempt_call *call,
                   enum seccomp_act act,
                   const struct address *address)
{
  const bool is_here = address->is_loopback || address->is_any;

  if (act == SECCOMP_ACT_BIND)
    return address->port == 0;
  return is_here && (address->port == DNS_PORT || address->port == 0 ||
                     (address->port == call->scene->proxy_port && address->port != 0));
}

/* Then each was refused, and that was told. A call that names an address all the same has something
 * else as its descriptor, and fails. */
static bool
has_no_sockets (const struct fh_policy *policy)
{
  return tier_has_run_folder (policy) || policy->flags & FH_POLICY_NO_SOCKETS;
}

/* A stream ignores the address of a message, send (2), unless the message opens the connection. */
static bool
message_opens_connection (const struct attempt_call *call, enum seccomp_act act)
{
  const unsigned int flags = act == SECCOMP_ACT_SEND_MESSAGE ? 2 : 3;

  return call->arguments[flags] & MSG_FASTOPEN;
}

/* True if the kernel looks for a way to the address, and finds none in the guest's network. Other
 * calls fail for another reason, or send to where the socket is connected. */
static bool
needs_way (const struct attempt_call *call, enum seccomp_act act)
{
  const int descriptor = (int) call->arguments[0];

  if (!guest_folder_may_be_socket (call->thread, descriptor))
    return false;
  return act == SECCOMP_ACT_CONNECT || message_opens_connection (call, act) ||
         guest_folder_socket_type (call->thread, descriptor) != SOCK_STREAM;
}

static void
check_internet (const struct attempt_call *call, enum seccomp_act act, struct address *address)
{
  const bool has_own_network =
      !(call->scene->policy->without & 1u << FH_WIRE_GUARD_NETWORK) && !call->scene->has_network;
  const bool is_here = address->is_loopback || address->is_any;

  if (is_of_no_interest (call, act, address) ||
      (has_own_network && has_no_sockets (call->scene->policy)))
    return;
  if (act != SECCOMP_ACT_BIND && !is_here && has_own_network && needs_way (call, act))
    report (call, act, FH_WIRE_DENIED, "network namespace", address->text, ENETUNREACH, 0);
  else
    observe (call, act, address->text);
}

/* Whether the user has it is checked at the end. From inside a container that cannot be seen, and
 * in tier B there are no such sockets. */
static uint32_t
flags_of (const struct attempt_call *call)
{
  return call->scene->policy->tier == FH_WIRE_TIER_CONTAINER ? 0 : ATTEMPT_MAY_BE_OUTSIDE;
}

static void
hide (const struct attempt_call *call, enum seccomp_act act, const char *path, uint32_t flags)
{
  report (call, act, FH_WIRE_HIDDEN, "mount", path, ENOENT, flags_of (call) | flags);
}

/* A socket in the program's folders is its own; abstract names are in its own network. Others are
 * the user's or the system's, in folders that are not there but in a container. Displays and agents
 * have their sockets in /tmp, of which the program has its own. */
static void
check_unix (const struct attempt_call *call, enum seccomp_act act, struct address *address)
{
  struct target target = { .operation = operation_of (act) };
  bool is_own, is_there;

  if (address->text[0] == '@' ||
      !target_resolve (call, address->text, act != SECCOMP_ACT_BIND, &target))
    {
      observe (call, act, address->text);
      return;
    }
  is_own = target_is_own (&target);
  is_there = act == SECCOMP_ACT_BIND || target_is_there (&target);
  if (target_is_unknown (&target))
    observe (call, act, target.path);
  else if (is_there && !is_own && target.place != PATH_QUIET)
    observe (call, act, target.path);
  else if (!is_there && target.place == PATH_PRIVATE)
    hide (call, act, target.path, 0);
  else if (!is_there && target.place == PATH_SCRATCH && flags_of (call) != 0)
    hide (call, act, target.path, ATTEMPT_ONLY_IF_OUTSIDE);
  else if (target.place == PATH_ELSEWHERE || target.place == PATH_SYSTEM)
    observe (call, act, target.path);
}

/* Memory that is not there makes the call fail. */
static void
report_unread (const struct attempt_call *call, enum seccomp_act act)
{
  if (guest_memory_is_closed (errno))
    observe (call, act, "");
}

static void
check_address (const struct attempt_call *call, enum seccomp_act act, uint64_t at, uint64_t size)
{
  struct sockaddr_storage from = { 0 };
  struct address address;

  if (at == 0)
    return;
  if (size > sizeof from)
    size = sizeof from;
  if (guest_memory_read (call->thread, at, &from, (size_t) size) != size)
    {
      report_unread (call, act);
      return;
    }
  /* Sockets of IPv4 take an address without a family for one of theirs, but for connect(2). */
  if (from.ss_family == AF_UNSPEC && act != SECCOMP_ACT_CONNECT)
    from.ss_family = AF_INET;
  if (!address_read (&address, &from, (size_t) size))
    return;
  if (address.family == AF_UNIX)
    check_unix (call, act, &address);
  else
    check_internet (call, act, &address);
}

/* `at` is the address of a struct msghdr. */
static bool
check_message (const struct attempt_call *call, enum seccomp_act act, uint64_t at)
{
  struct msghdr message;

  if (guest_memory_read (call->thread, at, &message, sizeof message) != sizeof message)
    {
      report_unread (call, act);
      return false;
    }
  check_address (call, act, (uint64_t) (uintptr_t) message.msg_name, message.msg_namelen);
  return true;
}

static void
check_messages (const struct attempt_call *call, enum seccomp_act act, uint64_t at, uint32_t n)
{
  for (uint32_t i = 0; i < MESSAGES_MAX && i < n; i++)
    {
      if (!check_message (call, act, at + i * sizeof (struct mmsghdr)))
        return;
    }
  if (n > MESSAGES_MAX)
    observe (call, act, "");
}

void
attempt_network (const struct attempt_call *call, enum seccomp_act act)
{
  const uint64_t *arguments = call->arguments;

  if (act == SECCOMP_ACT_SEND)
    check_address (call, act, arguments[4], (uint32_t) arguments[5]);
  else if (act == SECCOMP_ACT_SEND_MESSAGE)
    check_message (call, act, arguments[1]);
  else if (act == SECCOMP_ACT_SEND_MESSAGES)
    check_messages (call, act, arguments[1], (uint32_t) arguments[2]);
  else
    check_address (call, act, arguments[1], (uint32_t) arguments[2]);
}
