/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-listener.h"

#include "descriptor.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Newer than the oldest headers. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS      SECCOMP_IOW (4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/* The kernel's structures, with room for later additions. */
union question
{
  struct seccomp_notif notif;
  char space[512];
};
union answer
{
  struct seccomp_notif_resp resp;
  char space[512];
};

/* Kernels write structures of their own size. */
static bool
has_known_sizes (void)
{
  struct seccomp_notif_sizes sizes;

  return sys_seccomp (SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0 &&
         sizes.seccomp_notif <= sizeof (union question) &&
         sizes.seccomp_notif_resp <= sizeof (union answer) &&
         sizes.seccomp_data == sizeof (struct seccomp_data);
}

void
seccomp_listener_init (struct seccomp_listener *listener, int fd, const struct attempt_scene *scene)
{
  /* Caller and listener alternate, so wake on the same CPU. */
  const uint64_t flags = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;

  *listener = (struct seccomp_listener){ .fd = fd, .scene = *scene };
  listener->scene.listener = fd;
  if (fd < 0)
    return;
  if (!has_known_sizes ())
    {
      seccomp_listener_close (listener);
      return;
    }
  listener->is_heard = fcntl (fd, F_SETFL, O_NONBLOCK) == 0;
  ioctl (fd, SECCOMP_IOCTL_NOTIF_SET_FLAGS, flags);
}

void
seccomp_listener_close (struct seccomp_listener *listener)
{
  fh_clear_fd (&listener->fd);
  listener->scene.listener = -1;
  links_as_guest_clear (&listener->scene.as_guest);
}

void
seccomp_listener_prepare (const struct seccomp_listener *listener, bool is_open, struct pollfd *fd)
{
  *fd = (struct pollfd){ .fd = is_open ? listener->fd : -1, .events = POLLIN };
}

/* Calls by init, and the execve that turns its child into the guest, are ours. Under bubblewrap
 * init is known by its number inside only. */
static bool
is_ours (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  struct attempt_scene *scene = call->scene;

  if (call->thread == scene->init ||
      (scene->policy->tier == FH_WIRE_TIER_BUBBLEWRAP && attempt_call_process (call) == INIT_PID))
    return true;
  if (scene->has_begun ||
      (scene->policy->tier != FH_WIRE_TIER_BUBBLEWRAP && !attempt_call_is_main (call)))
    return false;
  /* Init adopts what an earlier program in a sandbox that stays has left. */
  if (scene->policy->flags & FH_POLICY_STAYS && attempt_call_is_of_guest (call))
    return false;
  scene->has_begun = watched->act == SECCOMP_ACT_EXECUTE;
  /* It is about to get another name. */
  scene->last_thread = 0;
  return true;
}

static void
decide (struct seccomp_listener *listener,
        const struct seccomp_notif *notif,
        struct seccomp_notif_resp *resp)
{
  const struct seccomp_decision decision =
      seccomp_decide (&notif->data,
                      listener->scene.filter,
                      !(listener->scene.policy->flags & FH_POLICY_NO_SOCKETS));
  const struct attempt_call call = {
    .scene = &listener->scene,
    .id = notif->id,
    .thread = (pid_t) notif->pid,
    .name = decision.name,
    .arguments = (const uint64_t *) notif->data.args,
    .answer = decision.answer,
  };

  resp->id = notif->id;
  if (decision.is_refused)
    {
      resp->error = -decision.answer;
      if (decision.watched != NULL)
        attempt_watched (&call, decision.watched);
      else if (decision.name != NULL)
        attempt_refused (&call);
      return;
    }
  resp->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  if (decision.watched == NULL || decision.watched->act >= SECCOMP_ACT_CONNECT)
    listener->has_let_sockets_through = true;
  if (decision.watched == NULL)
    return;
  if (!is_ours (&call, decision.watched))
    attempt_watched (&call, decision.watched);
}

/* ENOENT, when receiving or answering: the caller was killed meanwhile. */
static bool
answer_one (struct seccomp_listener *listener)
{
  union question question;
  union answer answer;

  memset (&question, 0, sizeof question);
  memset (&answer, 0, sizeof answer);
  if (ioctl (listener->fd, SECCOMP_IOCTL_NOTIF_RECV, &question) < 0)
    return errno == ENOENT || errno == EINTR;
  decide (listener, &question.notif, &answer.resp);
  ioctl (listener->fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  return true;
}

/* Receiving blocks if nothing is pending. */
void
seccomp_listener_serve (struct seccomp_listener *listener, short events, uint64_t started_us)
{
  listener->scene.started_us = started_us;
  if (events & POLLIN ? answer_one (listener) : events == 0)
    return;
  listener->is_heard = listener->is_heard && !(events & POLLIN);
  seccomp_listener_close (listener);
}
