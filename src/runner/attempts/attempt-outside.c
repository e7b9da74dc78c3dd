/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-outside.h"

#include "attempt-existence.h"
#include "attempt-path.h"
#include "clock.h"
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKSPACE "/workspace"

/* A thousand look-ups take some milliseconds, unless a disk has to spin up. */
#define TIMEOUT_US 500000

/* What the child process found out about one attempt. */
struct answer
{
  uint16_t number;    /* its index in the list, or FH_ATTEMPTS_MAX plus its index in `later` */
  uint16_t existence; /* enum existence */
};

/* Files below the user's home, for which the program's own stands; NULL for all others. */
static const char *
below_home (const char *object, const struct fh_policy *policy)
{
  if (object[0] == '~' && (object[1] == '/' || object[1] == '\0'))
    return object + 1;
  if (path_is_within (object, WORKSPACE))
    return object + strlen (WORKSPACE);
  if (policy->home[0] == '/' && policy->home[1] != '\0' && path_is_within (object, policy->home))
    return object + strlen (policy->home);
  return NULL;
}

static enum existence
look_for (const char *object, const struct fh_policy *policy, int home)
{
  const char *rest = below_home (object, policy);

  if (rest != NULL && home >= 0)
    return existence_of (existence_open_in_home (home, *rest == '/' ? rest + 1 : rest));
  return rest == NULL && object[0] == '/' ? existence_of (existence_open_outside (object))
                                          : EXISTENCE_UNKNOWN;
}

/* A new name was kept from the program unless its folder is missing as well. */
static enum existence
look_for_object (const struct kept_attempt *kept, const struct fh_policy *policy, int home)
{
  const enum existence found = look_for (kept->object, policy, home);
  char folder[FH_ATTEMPT_OBJECT_MAX + 1];
  char *end;

  if (found != EXISTENCE_MISSING || !existence_is_of_folder (kept->operation))
    return found;
  strcpy (folder, kept->object);
  end = strrchr (folder, '/');
  if (end == NULL || end == folder)
    return EXISTENCE_UNKNOWN;
  *end = '\0';
  return look_for (folder, policy, home) == EXISTENCE_MISSING ? EXISTENCE_MISSING
                                                              : EXISTENCE_UNKNOWN;
}

/* A path that was cut is the path of something else. */
static bool
is_asked (const struct kept_attempt *kept)
{
  return kept->attempt.flags & ATTEMPT_MAY_BE_OUTSIDE &&
         strlen (kept->object) < FH_ATTEMPT_OBJECT_MAX;
}

/* Checks the files of `list` in the home, or those elsewhere. */
static void
check_part (const struct attempt_list *list,
            uint16_t first,
            const struct fh_policy *policy,
            bool is_of_home,
            int home)
{
  for (uint32_t i = 0; i < list->n; i++)
    {
      const char *rest = below_home (list->kept[i].object, policy);
      struct answer answer = { .number = (uint16_t) (first + i) };

      if ((rest != NULL) != is_of_home || !is_asked (&list->kept[i]))
        continue;
      answer.existence = (uint16_t) look_for_object (&list->kept[i], policy, home);
      if (write (STDOUT_FILENO, &answer, sizeof answer) != sizeof answer)
        _exit (1);
    }
}

/* Runs in a child process that has only the pipe open: it may become unkillable, and then other
 * programs must not wait for descriptors of the runner that it holds. The names come from the
 * program, so this process can do nothing but look them up. The home comes last, as it may be on a
 * server. */
static _Noreturn void
check_and_exit (const struct attempt_list *list, const struct fh_policy *policy, int out)
{
  int home = -1;

  if (dup2 (out, STDOUT_FILENO) < 0 || close (STDIN_FILENO) < 0 ||
      close_range (STDERR_FILENO, ~0U, 0) < 0 || prctl (PR_SET_PDEATHSIG, SIGKILL) < 0 ||
      landlock_look_only () < 0)
    _exit (1);
  check_part (list, 0, policy, false, -1);
  check_part (list->later, FH_ATTEMPTS_MAX, policy, false, -1);
  if (policy->home[0] == '/')
    home = open (policy->home, O_PATH | O_DIRECTORY | O_CLOEXEC);
  check_part (list, 0, policy, true, home);
  check_part (list->later, FH_ATTEMPTS_MAX, policy, true, home);
  _exit (0);
}

static pid_t
start (const struct attempt_list *list, const struct fh_policy *policy, int *in)
{
  int pair[2];
  pid_t pid;

  if (pipe2 (pair, O_CLOEXEC) < 0)
    return -1;
  pid = fork ();
  if (pid == 0)
    check_and_exit (list, policy, pair[1]);
  close (pair[1]);
  if (pid < 0)
    close (pair[0]);
  *in = pair[0];
  return pid;
}

/* Small enough to be written atomically. */
static bool
receive (int in, struct answer *answer, uint64_t deadline)
{
  struct pollfd fd = { .fd = in, .events = POLLIN };

  while (clock_now_us () < deadline)
    {
      clock_poll_until (&fd, 1, deadline);
      if (fd.revents)
        return read (in, answer, sizeof *answer) == sizeof *answer;
    }
  return false;
}

/* Moves one to the reported ones if the user has it. If not, it is reported only if all file
 * accesses are. */
static void
add_later (struct attempt_list *list,
           const struct kept_attempt *kept,
           bool is_there,
           const struct fh_policy *policy)
{
  struct fh_attempt attempt = kept->attempt;
  char path[PATH_MAX];

  attempt.flags = is_there ? FH_ATTEMPT_EXISTS_OUTSIDE : 0;
  if (!is_there &&
      (policy->watch != FH_WIRE_WATCH_FILES || attempt.guard != FH_WIRE_GUARD_FILESYSTEM))
    return;
  if (!is_there)
    {
      snprintf (path,
                sizeof path,
                "%s%s",
                kept->object[0] == '~' ? WORKSPACE : "",
                kept->object + (kept->object[0] == '~'));
      attempt.object = path;
      attempt.verdict = FH_WIRE_OBSERVED;
      attempt.layer = "seccomp";
      attempt.error = 0;
    }
  attempt_list_take_later (list, kept, &attempt);
}

static void
read_answers (struct attempt_list *list, const struct fh_policy *policy, int in)
{
  const uint64_t deadline = clock_now_us () + TIMEOUT_US;
  struct attempt_list *later = list->later;
  struct answer answer;
  uint32_t n_received = 0;

  while (receive (in, &answer, deadline))
    {
      if (answer.number < list->n && answer.existence == EXISTENCE_THERE)
        attempt_list_set_outside (&list->kept[answer.number]);
      if (answer.number < list->n && answer.existence == EXISTENCE_MISSING)
        attempt_list_set_missing (&list->kept[answer.number]);
      if (answer.number < FH_ATTEMPTS_MAX || answer.number >= FH_ATTEMPTS_MAX + later->n)
        continue;
      add_later (list,
                 &later->kept[answer.number - FH_ATTEMPTS_MAX],
                 answer.existence == EXISTENCE_THERE,
                 policy);
      n_received++;
    }
  list->dropped += later->n - n_received;
}

static bool
has_open_questions (const struct attempt_list *list)
{
  for (uint32_t i = 0; i < list->n; i++)
    {
      if (is_asked (&list->kept[i]))
        return true;
    }
  return false;
}

void
attempt_outside_settle (struct attempt_list *list, const struct fh_policy *policy)
{
  pid_t pid;
  int in;

  if (list->later == NULL)
    return;
  list->dropped += list->later->dropped;
  if (!has_open_questions (list) && !has_open_questions (list->later))
    return;
  pid = start (list, policy, &in);
  if (pid < 0)
    {
      list->dropped += list->later->n;
      return;
    }
  read_answers (list, policy, in);
  close (in);
  /* It may hang in the kernel, so it is not waited for. */
  kill (pid, SIGKILL);
  waitpid (pid, NULL, WNOHANG);
}
