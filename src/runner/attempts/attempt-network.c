/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-address.h"
#include "attempt-call.h"
#include "attempt-existence.h"
#include "attempt-path.h"
#include "guest-memory.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DNS_PORT 53

/* Messages of a sendmmsg (2) that are inspected. */
#define MESSAGES_MAX 4

static const char *
operation_of (enum seccomp_act act)
{
  if (act == SECCOMP_ACT_CONNECT)
    return "connect";
  return act == SECCOMP_ACT_BIND ? "bind" : "send to";
}

static void
report (const struct attempt_call *call,
        enum seccomp_act act,
        enum fh_wire_verdict verdict,
        const char *layer,
        const char *object,
        int error,
        uint32_t flags)
{
  attempt_call_report (call,
                       &(const struct attempt_finding){
                           .guard = FH_WIRE_GUARD_NETWORK,
                           .verdict = (uint8_t) verdict,
                           .layer = layer,
                           .operation = operation_of (act),
                           .object = object,
                           .error = error,
                           .flags = flags,
                       });
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

static void
check_internet (const struct attempt_call *call, enum seccomp_act act, struct address *address)
{
  const bool has_own_network =
      !(call->scene->policy->without & 1u << FH_WIRE_GUARD_NETWORK) && !call->scene->has_network;
  const bool is_here = address->is_loopback || address->is_any;

  if (is_of_no_interest (call, act, address))
    return;
  if (act != SECCOMP_ACT_BIND && !is_here && has_own_network)
    report (call, act, FH_WIRE_DENIED, "network namespace", address->text, ENETUNREACH, 0);
  else
    report (call, act, FH_WIRE_OBSERVED, "seccomp", address->text, 0, 0);
}

/* Whether the user has it is checked at the end. From inside a container that cannot be seen, and
 * in tier B there are no such sockets. */
static uint32_t
flags_of (const struct attempt_call *call)
{
  return call->scene->policy->tier == FH_WIRE_TIER_CONTAINER ? 0 : ATTEMPT_MAY_BE_OUTSIDE;
}

/* Displays and agents have their sockets in /tmp, of which the program has its own. */
static bool
is_missing (const struct attempt_call *call, const char *path)
{
  int handle = existence_open_inside (call->scene->root, path);

  if (handle >= 0)
    close (handle);
  return handle < 0;
}

/* A socket in the program's folders is its own; abstract names are in its own network. All others
 * are the user's or the system's, in folders that are not there. */
static void
check_unix (const struct attempt_call *call, enum seccomp_act act, struct address *address)
{
  char path[PATH_MAX];
  enum path_place place;

  if (address->text[0] == '@')
    {
      report (call, act, FH_WIRE_OBSERVED, "seccomp", address->text, 0, 0);
      return;
    }
  if (address->text[0] != '/' || !path_join ("/", address->text, path))
    return;
  place = path_place_of (path, call->scene->policy);
  if (act == SECCOMP_ACT_BIND)
    return;
  if (place == PATH_PRIVATE)
    report (call, act, FH_WIRE_HIDDEN, "mount", path, ENOENT, flags_of (call));
  else if (place == PATH_SCRATCH && flags_of (call) != 0 && is_missing (call, path))
    report (call,
            act,
            FH_WIRE_HIDDEN,
            "mount",
            path,
            ENOENT,
            flags_of (call) | ATTEMPT_ONLY_IF_OUTSIDE);
  else if (place == PATH_ELSEWHERE || place == PATH_SYSTEM)
    report (call, act, FH_WIRE_OBSERVED, "seccomp", path, 0, 0);
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
  if (guest_memory_read (call->thread, at, &from, (size_t) size) != size ||
      !address_read (&address, &from, (size_t) size))
    return;
  if (address.family == AF_UNIX)
    check_unix (call, act, &address);
  else
    check_internet (call, act, &address);
}

/* `at` is the address of a struct msghdr. */
static bool
check_message (const struct attempt_call *call, uint64_t at)
{
  struct msghdr message;

  if (guest_memory_read (call->thread, at, &message, sizeof message) != sizeof message)
    return false;
  check_address (call,
                 SECCOMP_ACT_SEND,
                 (uint64_t) (uintptr_t) message.msg_name,
                 message.msg_namelen);
  return true;
}

void
attempt_network (const struct attempt_call *call, enum seccomp_act act)
{
  const uint64_t *arguments = call->arguments;

  if (act == SECCOMP_ACT_SEND)
    check_address (call, act, arguments[4], (uint32_t) arguments[5]);
  else if (act == SECCOMP_ACT_SEND_MESSAGE)
    check_message (call, arguments[1]);
  else if (act == SECCOMP_ACT_SEND_MESSAGES)
    {
      for (uint32_t i = 0; i < MESSAGES_MAX && i < (uint32_t) arguments[2]; i++)
        {
          if (!check_message (call, arguments[1] + i * sizeof (struct mmsghdr)))
            return;
        }
    }
  else
    check_address (call, act, arguments[1], (uint32_t) arguments[2]);
}
