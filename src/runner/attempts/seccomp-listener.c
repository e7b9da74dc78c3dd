/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-listener.h"

#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Newer than some of the headers that this is compiled with. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS      SECCOMP_IOW (4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/* The kernel's structures, with room for what later ones may add. */
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

/* The kernel writes as much as it knows. */
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
  /* Who asks and who answers take turns, so they had better share a processor. */
  const uint64_t flags = SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP;

  *listener = (struct seccomp_listener){ .fd = fd, .scene = *scene };
  listener->scene.listener = fd;
  listener->scene.home = -1;
  if (fd < 0)
    return;
  if (scene->policy->home[0] == '/' && scene->policy->tier != FH_WIRE_TIER_CONTAINER)
    listener->scene.home = open (scene->policy->home, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (!has_known_sizes ())
    {
      seccomp_listener_close (listener);
      return;
    }
  fcntl (fd, F_SETFL, O_NONBLOCK);
  ioctl (fd, SECCOMP_IOCTL_NOTIF_SET_FLAGS, flags);
}

void
seccomp_listener_close (struct seccomp_listener *listener)
{
  if (listener->fd >= 0)
    close (listener->fd);
  if (listener->fd >= 0 && listener->scene.home >= 0)
    close (listener->scene.home);
  listener->fd = listener->scene.listener = -1;
}

void
seccomp_listener_prepare (const struct seccomp_listener *listener, bool is_open, struct pollfd *fd)
{
  *fd = (struct pollfd){ .fd = is_open ? listener->fd : -1, .events = POLLIN };
}

/* True for what the sandbox's first process does, and for the execve that makes the program out of
 * its child: they are ours. */
static bool
is_ours (struct attempt_scene *scene, pid_t thread, const struct seccomp_watched *watched)
{
  if (thread == scene->init)
    return true;
  if (scene->has_begun)
    return false;
  scene->has_begun = watched->act == SECCOMP_ACT_EXECUTE;
  return true;
}

static void
decide (struct seccomp_listener *listener,
        const struct seccomp_notif *notif,
        struct seccomp_notif_resp *resp)
{
  const struct fh_policy *policy = listener->scene.policy;
  const bool without_sockets =
      listener->scene.folder != NULL && !(policy->without & 1u << FH_WIRE_GUARD_NETWORK);
  const struct seccomp_decision decision = seccomp_decide (&notif->data, without_sockets);
  const struct attempt_call call = {
    .scene = &listener->scene,
    .id = notif->id,
    .thread = (pid_t) notif->pid,
    .name = decision.name,
    .arguments = (const uint64_t *) notif->data.args,
  };

  resp->id = notif->id;
  if (decision.is_refused)
    {
      resp->error = -decision.answer;
      if (decision.name != NULL)
        attempt_refused (&call, decision.answer);
      return;
    }
  resp->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  if (!is_ours (&listener->scene, call.thread, decision.watched))
    attempt_watched (&call, decision.watched);
}

/* Those who were killed meanwhile need no answer: ENOENT, both when asked and when answered. */
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

/* Receiving waits when there is nothing. */
void
seccomp_listener_serve (struct seccomp_listener *listener, short events, uint64_t started_us)
{
  listener->scene.started_us = started_us;
  if (events & POLLIN ? !answer_one (listener) : events != 0)
    seccomp_listener_close (listener);
}
