/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "init.h"

#include "clock.h"
#include "descriptors.h"
#include "init-message.h"
#include "landlock.h"
#include "process-tree.h"
#include "resource-limits.h"
#include "seccomp-shared.h"
#include "setup.h"
#include "tier.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* After the main process ended, init stays while others are left, until the supervisor ends it. If
 * that does not happen, it stays this long. */
#define LINGER_US 1000000

#define NICENESS 5

#define GUEST_STACK_SIZE (64 * 1024)

static _Alignas(16) char guest_stack[GUEST_STACK_SIZE];

/* The guest executes this. */
struct guest_program
{
  const char *path;
  char **argv;
  char **env;
};

struct guest_start
{
  const struct setup *setup;
  const struct guest_program *program;
  uint32_t step; /* where it failed */
  int error;     /* errno, or 0 */
  uint64_t begun_us;
};

/* Without a pid namespace nothing else kills the rest. With a Landlock scope one kill (-1) reaches
 * exactly the sandbox's processes, and all at once, so none can fork in between. A process that
 * escapes it is reparented to init in the end; when init has no children left, all are dead. */
static void
kill_all (const struct setup *setup)
{
  const struct timespec pause = { .tv_nsec = 1000000 };
  pid_t pid = 0;

  while (tier_is_shared (setup->plan->policy) && !setup->has_scope)
    {
      if (process_tree_end (setup->proc))
        return;
    }
  while (tier_is_shared (setup->plan->policy) && pid == 0)
    {
      /* The filter does not ask about a number with all 64 bits set. */
      syscall (SYS_kill, -1L, (long) SIGKILL);
      while ((pid = waitpid (-1, NULL, WNOHANG | __WALL)) > 0)
        continue;
      if (pid == 0)
        nanosleep (&pause, NULL);
    }
}

/* The supervisor ends a sandbox that stays. */
static bool
stays (const struct setup *setup)
{
  return setup->plan->policy->flags & FH_POLICY_STAYS;
}

/* Ends the sandbox after a fault of which the supervisor was not told. */
static _Noreturn void
die (const struct setup *setup)
{
  kill_all (setup);
  _exit (1);
}

static _Noreturn void
report_fault (const struct setup *setup, uint32_t step, int error)
{
  if (!init_message_send_fault (setup->status, step, error))
    die (setup);
  _exit (1);
}

/* Descriptors in flight are counted per user, so other programs may have used them up:
 * ETOOMANYREFS, unix (7). Such a failure is reported in a message without descriptors. They are
 * only sent before there is a guest. */
static void
send_message (const struct setup *setup, struct init_message *message, const int fds[], size_t n)
{
  if (init_message_send (setup->status, message, fds, n))
    return;
  if (n > 0)
    report_fault (setup, FAULT_STEP_HAND_OVER, errno);
  die (setup);
}

/* Processes inside can read init's command line, which is the runner's and has a path of the host.
 * Keep the name only. The last byte must not be zero: then the kernel takes the text for a title
 * that ends at the first zero, and its length reveals nothing either. */
static void
shorten_command_line (void)
{
  char *line = program_invocation_name;
  size_t size = strlen (line) + 1;
  size_t title = strlen (program_invocation_short_name) + 1;

  if (title == size)
    return;
  memmove (line, program_invocation_short_name, title);
  memset (line + title, 'x', size - title);
}

/* Made by init because a socket remembers its maker, and the guest can ask for a handle of that
 * process: SO_PEERPIDFD, unix (7). */
static void
make_guest_channel (struct setup *setup)
{
  struct init_message message = { .kind = INIT_CHANNEL };
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
    report_fault (setup, FAULT_STEP_START, errno);
  send_message (setup, &message, pair, 1);
  close (pair[0]);
  setup->guest_channel = pair[1];
}

static void
report_ready (const struct setup *setup)
{
  struct init_message message = { .kind = INIT_READY };
  struct rusage usage;
  int fds[N_INIT_DESCRIPTORS];
  size_t n = 0;
  const int made[N_INIT_DESCRIPTORS] = {
    [INIT_PROC] = setup->proc_folder,
    [INIT_WORKSPACE] = setup->layer >= 0 ? setup->layer : setup->workspace,
    [INIT_TMP] = setup->tmp,
    [INIT_ROOT] = setup->root_handle,
    [INIT_LISTENER] = setup->listener,
    [INIT_DNS] = setup->dns,
    [INIT_PROXY] = setup->proxy,
    [INIT_SOCKETS] = setup->sockets,
  };

  if (getrusage (RUSAGE_SELF, &usage) < 0)
    report_fault (setup, FAULT_STEP_START, errno);
  for (uint32_t i = 0; i < N_INIT_DESCRIPTORS; i++)
    {
      if (made[i] < 0)
        continue;
      message.ready.descriptors |= UINT32_C (1) << i;
      fds[n++] = made[i];
    }
  message.ready.cpu_us = clock_timeval_us (&usage.ru_utime) + clock_timeval_us (&usage.ru_stime);
  message.ready.landlock_abi = setup->landlock_abi;
  message.ready.has_scope = setup->has_scope;
  message.ready.has_own_user = setup->plan->guest_user.is_own;
  message.ready.filter = setup->filter;
  message.ready.listener_error = setup->listener_error;
  message.ready.skipped = setup->skipped;
  send_message (setup, &message, fds, n);
  /* If init kept the listener, calls would wait for an answer after the supervisor has died. */
  for (int i = INIT_LISTENER; i <= INIT_SOCKETS; i++)
    {
      if (made[i] >= 0)
        close (made[i]);
    }
}

/* What the child that becomes the guest does to itself. Sets `step` and `error`. */
static void
enter_guest (struct guest_start *start, unsigned int last)
{
  static const struct
  {
    uint32_t step;
    int (*enter) (const struct setup *setup);
  } restrictions[] = {
    { FAULT_STEP_FILES, limits_enter },
    { FAULT_STEP_LANDLOCK, landlock_enter },
    { FAULT_STEP_SIGNALS, seccomp_shared_enter },
  };

  if (setsid () < 0)
    start->error = errno;
  /* It can write the user's files, which are to be as open as others of the user. */
  if (start->setup->plan->policy->tier == FH_WIRE_TIER_UNPROTECTED)
    umask (start->setup->plan->users_mask);
  /* Init and the supervisor should run first. */
  errno = 0;
  if (nice (NICENESS) == -1 && errno != 0)
    start->error = errno;
  if (start->error == 0)
    start->error = -descriptors_hand_over (last, start->setup->is_forked);
  for (size_t i = 0; i < sizeof restrictions / sizeof restrictions[0] && start->error == 0; i++)
    {
      start->error = -restrictions[i].enter (start->setup);
      if (start->error != 0)
        start->step = restrictions[i].step;
    }
}

/* Runs in the child that becomes the guest. It shares init's memory, and init is stopped until the
 * execve. */
static int
become_guest (void *data)
{
  struct guest_start *start = data;
  const struct plan *plan = start->setup->plan;
  const struct guest_program *program = start->program;
  const bool has_channel = start->setup->guest_channel >= 0;
  const unsigned int last = plan->sealed_program >= 0 ? SETUP_PROGRAM_FD
                            : has_channel             ? SETUP_GUEST_FD
                                                      : STDERR_FILENO;

  enter_guest (start, last);
  if (start->error == 0)
    {
      /* Taken here because init may be scheduled late while the program runs. */
      start->begun_us = clock_now_us ();
      execve (program->path, program->argv, program->env);
      start->error = errno;
      /* The file exists, so its loader or interpreter is missing. */
      if (errno == ENOENT && faccessat (AT_FDCWD, program->path, F_OK, 0) == 0)
        start->error = ELIBACC;
    }
  _exit (127);
}

/* A copy of the warm interpreter becomes the guest, and init waits until it says how that went.
 * With the C library's fork, as the interpreter goes on. Returns 0 in the guest. */
static pid_t
fork_guest (struct guest_start *start)
{
  int pair[2];
  pid_t pid;

  if (pipe2 (pair, O_CLOEXEC) < 0)
    return -1;
  pid = fork ();
  if (pid == 0)
    {
      /* Init was made unreadable, and this process is the guest's own. The pipe's end has the place
       * after the last descriptor that the guest keeps. */
      start->error = prctl (PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ? errno : 0;
      if (start->error == 0 && dup2 (pair[1], SETUP_GUEST_FD + 1) < 0)
        start->error = errno;
      if (start->error == 0)
        enter_guest (start, SETUP_GUEST_FD + 1);
      start->begun_us = clock_now_us ();
      if (write (SETUP_GUEST_FD + 1, start, sizeof *start) != sizeof *start || start->error != 0)
        _exit (127);
      close (SETUP_GUEST_FD + 1);
      return 0;
    }
  close (pair[1]);
  if (pid > 0 && read (pair[0], start, sizeof *start) != sizeof *start)
    start->error = EIO;
  close (pair[0]);
  return pid;
}

/* Closes the guest's pipes and channel in init; otherwise the other ends would not see that the
 * guest closed them. */
static pid_t
start_guest (const struct setup *setup, const struct guest_program *program, uint64_t *begun_us)
{
  struct guest_start start = { .setup = setup, .program = program, .step = FAULT_STEP_EXEC };
  pid_t pid;

  if (setup->is_forked)
    pid = fork_guest (&start);
  else
    pid = clone (become_guest,
                 guest_stack + GUEST_STACK_SIZE,
                 CLONE_VM | CLONE_VFORK | SIGCHLD,
                 &start);
  if (pid == 0)
    return 0;
  if (pid < 0)
    report_fault (setup, FAULT_STEP_START, errno);
  /* Something else killed it before it was the program, such as a kernel without memory. */
  if (start.error == 0 && start.begun_us == 0)
    start.error = EIO;
  if (start.error != 0)
    report_fault (setup, start.step, start.error);
  close_range (0, setup->plan->sealed_program >= 0 ? SETUP_PROGRAM_FD : SETUP_GUEST_FD, 0);
  *begun_us = start.begun_us;
  return pid;
}

/* Waits until a child has ended or the supervisor has sent something. Returns the events of the
 * supervisor's socket. */
static short
wait_for_event (const struct setup *setup, int children)
{
  struct pollfd fds[2] = {
    { .fd = children, .events = POLLIN },
    { .fd = setup->status, .events = POLLIN },
  };
  struct signalfd_siginfo info;

  if (poll (fds, 2, -1) < 0 && errno != EINTR)
    die (setup);
  if (fds[0].revents && read (children, &info, sizeof info) < 0 && errno != EINTR)
    die (setup);
  return fds[1].revents;
}

/* True if the main process ended. `is_alone`: no other child is left. */
static bool
reap (pid_t main_process, struct init_ended *end, bool *is_alone)
{
  struct rusage usage;
  bool ended = false;
  int status;
  pid_t pid;

  while ((pid = wait4 (-1, &status, WNOHANG, &usage)) > 0)
    {
      if (pid != main_process)
        continue;
      *end = (struct init_ended){ status, usage.ru_maxrss };
      ended = true;
    }
  *is_alone = pid < 0 && errno == ECHILD;
  return ended;
}

/* Waits until no process is left, or the supervisor asks for the end or is gone. */
static void
linger (const struct setup *setup, int children)
{
  const uint64_t end = clock_now_us () + LINGER_US;
  struct pollfd fds[2] = {
    { .fd = children, .events = POLLIN },
    { .fd = setup->status, .events = POLLIN },
  };
  struct signalfd_siginfo info;
  bool is_alone = false;
  struct init_ended ended;

  while (!is_alone && fds[1].revents == 0 && clock_now_us () < end)
    {
      clock_poll_until (fds, 2, end);
      if (fds[0].revents && read (children, &info, sizeof info) < 0 && errno != EINTR)
        return;
      reap (0, &ended, &is_alone);
    }
}

/* Reports the CPU time that the setup took, which is not the program's. */
static void
report_begun (const struct setup *setup, pid_t main_process)
{
  const struct fh_policy *policy = setup->plan->policy;
  /* Where process 1 shares its numbers with the user's processes, the filter refuses it their
   * clocks, and that would be told as the program's attempt. */
  const bool is_refused = tier_has_run_folder (policy) && policy->tier != FH_WIRE_TIER_UNPROTECTED;
  struct init_message message = { .kind = INIT_BEGUN };
  struct rusage usage;
  struct timespec used;
  clockid_t clock;

  if (getrusage (RUSAGE_SELF, &usage) == 0)
    message.cpu_us = clock_timeval_us (&usage.ru_utime) + clock_timeval_us (&usage.ru_stime);
  if (!is_refused && clock_getcpuclockid (main_process, &clock) == 0 &&
      clock_gettime (clock, &used) == 0)
    message.cpu_us += (uint64_t) used.tv_sec * 1000000 + (uint64_t) used.tv_nsec / 1000;
  send_message (setup, &message, NULL, 0);
}

static void
handle_request (const struct setup *setup, pid_t main_process, short events)
{
  char request = '\0';

  if (recv (setup->status, &request, 1, MSG_DONTWAIT) == 1 && request == INIT_INTERRUPT)
    kill (-main_process, SIGINT);
  if (request == INIT_TERMINATE)
    kill (-main_process, SIGTERM);
  if (request == INIT_BEGIN)
    report_begun (setup, main_process);
  if (request == INIT_KILL || (events & (POLLHUP | POLLERR)))
    die (setup);
}

static struct init_ended
wait_for_main (const struct setup *setup, pid_t main_process, int children, bool *is_alone)
{
  struct init_ended end = { 0 };

  while (!reap (main_process, &end, is_alone))
    {
      const short events = wait_for_event (setup, children);

      if (events)
        handle_request (setup, main_process, events);
    }
  return end;
}

/* Receives the next program, with its standard input, output and error. False if that is not what
 * has come. */
static bool
receive_next (int socket, struct init_next *next, int fds[N_INIT_DESCRIPTORS])
{
  size_t n;
  const ssize_t size = message_receive (socket, next, sizeof *next, fds, &n);

  if (size == 0 || (size > 0 && next->request == INIT_KILL))
    next->request = INIT_KILL;
  if (size <= (ssize_t) offsetof (struct init_next, strings) || next->request != INIT_NEXT ||
      n != 3)
    return false;
  /* The last string ends there, whatever was sent. */
  next->strings[(size_t) size - offsetof (struct init_next, strings) - 1] = '\0';
  next->strings[sizeof next->strings - 1] = '\0';
  return true;
}

/* Makes pointers to strings that follow one another. Returns where the next one is, or NULL if
 * there are fewer. */
static char *
list_strings (char *at, const char *end, size_t n, char **list)
{
  for (size_t i = 0; i < n; i++)
    {
      if (at == NULL || at >= end)
        return NULL;
      list[i] = at;
      at += strlen (at) + 1;
    }
  list[n] = NULL;
  return at;
}

/* Moves the descriptors to where the guest expects them, which are free in init. */
static void
place_descriptors (struct setup *setup, const int fds[3], bool has_channel)
{
  int far[SETUP_GUEST_FD + 1] = { -1, -1, -1, -1 };
  const int n = has_channel ? SETUP_GUEST_FD + 1 : SETUP_GUEST_FD;

  for (int i = 0; i < n; i++)
    {
      const int from = i < SETUP_GUEST_FD ? fds[i] : setup->guest_channel;

      far[i] = fcntl (from, F_DUPFD_CLOEXEC, SETUP_PROGRAM_FD + 1);
      if (far[i] < 0)
        report_fault (setup, FAULT_STEP_START, errno);
    }
  for (int i = 0; i < n; i++)
    close (i < SETUP_GUEST_FD ? fds[i] : setup->guest_channel);
  for (int i = 0; i < n; i++)
    {
      if (dup2 (far[i], i) < 0)
        report_fault (setup, FAULT_STEP_START, errno);
      close (far[i]);
    }
  setup->guest_channel = has_channel ? SETUP_GUEST_FD : -1;
}

/* Waits for the next program of a sandbox that stays, while what earlier ones have left goes on. */
static void
wait_for_next (struct setup *setup, int children, struct guest_program *program)
{
  static struct init_next next;
  static char *argv[INIT_NEXT_STRINGS + 1];
  static char *env[INIT_NEXT_STRINGS + 1];
  const char *end = next.strings + sizeof next.strings;
  char *rest;
  short events = 0;
  struct init_ended ended;
  bool is_alone;
  int stdio[N_INIT_DESCRIPTORS];

  while (!receive_next (setup->status, &next, stdio))
    {
      if (next.request == INIT_KILL || (events & (POLLHUP | POLLERR)))
        die (setup);
      events = wait_for_event (setup, children);
      reap (0, &ended, &is_alone);
    }
  if (next.n_argv == 0 || next.n_argv > INIT_NEXT_STRINGS || next.n_env > INIT_NEXT_STRINGS)
    report_fault (setup, FAULT_STEP_EXEC, EINVAL);
  rest = list_strings (next.strings, end, next.n_argv, argv);
  if (list_strings (rest, end, next.n_env, env) == NULL)
    report_fault (setup, FAULT_STEP_EXEC, EINVAL);
  if (next.has_channel)
    make_guest_channel (setup);
  place_descriptors (setup, stdio, next.has_channel);
  *program = (struct guest_program){ argv[0], argv, env };
}

/* Runs one program and tells its end. False in a guest that is a copy of this process. */
static bool
serve_program (const struct setup *setup, const struct guest_program *program, int children)
{
  struct init_message message = { .kind = INIT_STARTED };
  const pid_t main_process = start_guest (setup, program, &message.begun_us);
  struct rusage usage;
  bool is_alone = true;

  if (main_process == 0)
    return false;
  send_message (setup, &message, NULL, 0);
  message.kind = INIT_ENDED;
  message.ended = wait_for_main (setup, main_process, children, &is_alone);
  message.is_alone = is_alone;
  /* The kernel's figure of init may be that of the interpreter. */
  if (setup->is_forked && getrusage (RUSAGE_CHILDREN, &usage) == 0)
    message.ended.peak_kib = usage.ru_maxrss;
  send_message (setup, &message, NULL, 0);
  if (is_alone || (stays (setup) && message.ended.wait_status == 0))
    return true;
  linger (setup, children);
  kill_all (setup);
  _exit (0);
}

/* Returns in the guest if it is a copy of this process. */
static void
serve (struct setup *setup)
{
  struct guest_program program = { setup->plan->program, setup->plan->argv, setup->plan->env };
  struct fault fault;
  sigset_t all;
  int children;

  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, NULL);
  /* A forked init shares the command line of the interpreter, which the guest keeps. */
  if (!setup->is_forked)
    shorten_command_line ();
  if (setup->plan->policy->flags & FH_POLICY_GUEST_CHANNEL)
    make_guest_channel (setup);
  if (!setup_run (setup, &fault))
    report_fault (setup, fault.step, fault.error);
  children = signalfd (-1, &all, SFD_CLOEXEC);
  if (children < 0)
    report_fault (setup, FAULT_STEP_START, errno);
  report_ready (setup);
  if (setup->plan->policy->flags & FH_POLICY_PROBE)
    _exit (0);
  while (serve_program (setup, &program, children))
    {
      if (!stays (setup))
        _exit (0);
      wait_for_next (setup, children, &program);
    }
}

_Noreturn void
init_main (struct setup *setup)
{
  serve (setup);
  _exit (1);
}

void
init_fork (struct setup *setup)
{
  setup->is_forked = true;
  serve (setup);
}
