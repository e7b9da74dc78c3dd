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

/* Of those that sendmmsg (2) takes at once. */
#define MESSAGES_MAX 4

static const char *
operation_of (enum seccomp_act act)
{
  if (act == SECCOMP_ACT_CONNECT)
    return "connect";
  return act == SECCOMP_ACT_BIND ? "bind" : "send to";
}

static void
tell (const struct attempt_call *call,
      enum seccomp_act act,
      enum fh_wire_verdict verdict,
      const char *layer,
      const char *object,
      int error,
      uint32_t flags)
{
  attempt_call_tell (call,
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

/* What the C library does for every look-up, and what goes to our own proxy. Port 0 is a question
 * for the way to an address, which sends nothing. */
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
look_at_internet (const struct attempt_call *call, enum seccomp_act act, struct address *address)
{
  const bool has_own_network =
      !(call->scene->policy->without & 1u << FH_WIRE_GUARD_NETWORK) && !call->scene->has_network;
  const bool is_here = address->is_loopback || address->is_any;

  if (is_of_no_interest (call, act, address))
    return;
  if (act != SECCOMP_ACT_BIND && !is_here && has_own_network)
    tell (call, act, FH_WIRE_DENIED, "network namespace", address->text, ENETUNREACH, 0);
  else
    tell (call, act, FH_WIRE_OBSERVED, "seccomp", address->text, 0, 0);
}

/* From within a container nobody sees what is outside. */
static uint32_t
flags_of (const struct attempt_call *call, const char *path)
{
  const bool is_inside = call->scene->policy->tier == FH_WIRE_TIER_CONTAINER;
  int handle = is_inside ? -1 : existence_open_outside (path);

  if (handle < 0)
    return 0;
  close (handle);
  return FH_ATTEMPT_EXISTS_OUTSIDE;
}

/* Displays and agents have theirs in the folder of temporary files, of which the program has one of
 * its own. */
static bool
is_hidden (const struct attempt_call *call, const char *path, enum path_place place)
{
  int handle;

  if (place != PATH_SCRATCH)
    return place == PATH_PRIVATE;
  handle = existence_open_inside (call->scene->root, path);
  if (handle >= 0)
    close (handle);
  return handle < 0 && flags_of (call, path) != 0;
}

/* A socket in the program's own folders is its own; a name without a folder lives in its own
 * network. All others are the user's or the computer's, and none of those folders is there. */
static void
look_at_unix (const struct attempt_call *call, enum seccomp_act act, struct address *address)
{
  char path[PATH_MAX];
  enum path_place place;

  if (address->text[0] == '@')
    {
      tell (call, act, FH_WIRE_OBSERVED, "seccomp", address->text, 0, 0);
      return;
    }
  if (address->text[0] != '/' || !path_join ("/", address->text, path))
    return;
  place = path_place_of (path, call->scene->policy);
  if (act != SECCOMP_ACT_BIND && is_hidden (call, path, place))
    tell (call, act, FH_WIRE_HIDDEN, "mount", path, ENOENT, flags_of (call, path));
  else if (act != SECCOMP_ACT_BIND && (place == PATH_ELSEWHERE || place == PATH_SYSTEM))
    tell (call, act, FH_WIRE_OBSERVED, "seccomp", path, 0, 0);
}

static void
look_at_address (const struct attempt_call *call, enum seccomp_act act, uint64_t at, uint64_t size)
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
    look_at_unix (call, act, &address);
  else
    look_at_internet (call, act, &address);
}

/* `at` is the address of a struct msghdr. */
static bool
look_at_message (const struct attempt_call *call, uint64_t at)
{
  struct msghdr message;

  if (guest_memory_read (call->thread, at, &message, sizeof message) != sizeof message)
    return false;
  look_at_address (call,
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
    look_at_address (call, act, arguments[4], (uint32_t) arguments[5]);
  else if (act == SECCOMP_ACT_SEND_MESSAGE)
    look_at_message (call, arguments[1]);
  else if (act == SECCOMP_ACT_SEND_MESSAGES)
    {
      for (uint32_t i = 0; i < MESSAGES_MAX && i < (uint32_t) arguments[2]; i++)
        {
          if (!look_at_message (call, arguments[1] + i * sizeof (struct mmsghdr)))
            return;
        }
    }
  else
    look_at_address (call, act, arguments[1], (uint32_t) arguments[2]);
}
