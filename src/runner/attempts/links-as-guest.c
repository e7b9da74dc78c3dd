/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "links-as-guest.h"

#include "attempt-links.h"
#include "attempt-path.h"
#include "clock.h"
#include "descriptor.h"
#include "guest-user.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The guest's call waits for the answer. It takes some 20 µs, unless a disk or a server blocks. */
#define PATIENCE_US 250000

struct question
{
  pid_t thread;
  uint32_t process; /* inside */
  bool follows_last;
  char base[PATH_MAX];
  char path[PATH_MAX];
  char joined[PATH_MAX];
};

struct answer
{
  int found;
  char joined[PATH_MAX];
};

void
links_as_guest_init (struct links_as_guest *self, int users)
{
  *self = (struct links_as_guest){ .users = users, .channel = -1 };
}

/* A child that has not answered is not waited for: what blocks it may do so for long. */
static void
end (struct links_as_guest *self, bool is_idle)
{
  fh_clear_fd (&self->channel);
  kill (self->child, SIGKILL);
  waitpid (self->child, NULL, is_idle ? 0 : WNOHANG);
}

void
links_as_guest_clear (struct links_as_guest *self)
{
  if (self->channel >= 0)
    end (self, true);
}

static void
answer (struct attempt_scene *scene, int channel, const struct question *question)
{
  const struct attempt_call call = { .scene = scene, .thread = question->thread };
  struct answer answer = { 0 };

  /* The listener, which would tell whether the caller still waits, is the supervisor's alone. */
  scene->last.process = question->process;
  scene->last_thread = question->thread;
  scene->last_until_us = UINT64_MAX;
  strcpy (answer.joined, question->joined);
  answer.found =
      links_follow (&call, question->base, question->path, question->follows_last, answer.joined);
  send (channel, &answer, sizeof answer, MSG_NOSIGNAL);
}

/* Only what is needed stays open, as others may wait for the end of the rest. Changes of the user
 * clear the signal for the parent's death, prctl (2). */
static _Noreturn void
answer_all (struct attempt_scene *scene, int channel)
{
  const int root = scene->root;
  const int low = root < channel ? root : channel;
  const int high = root < channel ? channel : root;
  struct question question;

  if (!guest_user_assume (scene->as_guest.users) || prctl (PR_SET_PDEATHSIG, SIGKILL) < 0 ||
      low <= 0)
    _exit (1);
  close_range (0, (unsigned int) low - 1, 0);
  if (low + 1 < high)
    close_range ((unsigned int) low + 1, (unsigned int) high - 1, 0);
  close_range ((unsigned int) high + 1, ~0U, 0);
  while (recv (channel, &question, sizeof question, 0) == sizeof question)
    answer (scene, channel, &question);
  _exit (0);
}

static bool
start (struct attempt_scene *scene)
{
  struct links_as_guest *self = &scene->as_guest;
  int pair[2];

  if (self->child != 0 || self->users < 0 ||
      socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
    return false;
  self->child = fork ();
  if (self->child == 0)
    answer_all (scene, pair[1]);
  close (pair[1]);
  self->channel = pair[0];
  if (self->child < 0)
    fh_clear_fd (&self->channel);
  return self->child > 0;
}

static bool
ask (struct links_as_guest *self, const struct question *question, struct answer *answer)
{
  struct pollfd channel = { .fd = self->channel, .events = POLLIN };

  if (send (self->channel, question, sizeof *question, MSG_NOSIGNAL) != sizeof *question)
    return false;
  clock_poll_until (&channel, 1, clock_now_us () + PATIENCE_US);
  return recv (self->channel, answer, sizeof *answer, MSG_DONTWAIT) == sizeof *answer;
}

void
links_follow_as_guest (const struct attempt_call *call,
                       const char *base,
                       const char *path,
                       bool follows_last,
                       char joined[PATH_MAX],
                       int *found)
{
  struct links_as_guest *self = &call->scene->as_guest;
  struct question question = { .thread = call->thread, .follows_last = follows_last };
  struct answer answer;

  if (self->channel < 0 && !start (call->scene))
    return;
  question.process = attempt_call_process (call);
  strcpy (question.base, base);
  strcpy (question.path, path);
  if (!path_join (base, path, question.joined))
    return;
  if (!ask (self, &question, &answer))
    {
      end (self, false);
      return;
    }
  strcpy (joined, answer.joined);
  *found = answer.found;
}
