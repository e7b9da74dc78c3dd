/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The module that a warm Python loads, and in which it stays: for each byte INIT_FORK or
 * INIT_FORK_INSIDE of the supervisor it makes a child in namespaces of its own, which becomes a
 * run's init, whose child is the guest: only there the module's function returns. It speaks with
 * the supervisor, never with a guest, and serves one run at a time.
 *
 * It uses no header and no library of Python. From its point of view this is an extension module
 * that could not be initialized; bootstrap.py expects that. The hooks around fork are looked up in
 * the interpreter that loads it.
 */
#include "ends.h"
#include "init-message.h"
#include "init.h"
#include "kernel-file.h"
#include "namespaces.h"
#include "plan.h"
#include "request.h"
#include "setup.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/rseq.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#pragma weak PyOS_BeforeFork
extern void PyOS_BeforeFork (void);
#pragma weak PyOS_AfterFork_Child
extern void PyOS_AfterFork_Child (void);

__attribute__ ((visibility ("default"))) void *PyInit_fumehood_fork (void);

/* Dies with the kernel's help: this is the first process of its namespace, so everything in there
 * dies as well. */
static _Noreturn void
end (int error)
{
  if (error != 0)
    init_message_send_fault (SETUP_STATUS_FD, FAULT_STEP_WARM, error);
  _exit (1);
}

static void
tell (struct init_message *message, const int fds[], size_t n)
{
  if (!init_message_send (SETUP_STATUS_FD, message, fds, n))
    end (errno);
}

/* Memory that a module shares with its children would be shared by all runs. "sh" is not set for
 * files that were opened for reading only; proc_pid_smaps (5). */
static int
check_mappings (void)
{
  FILE *maps = fopen ("/proc/self/smaps", "re");
  bool has_flags = false;
  bool has_shared = false;
  char *line = NULL;
  size_t size = 0;

  while (maps != NULL && getline (&line, &size, maps) > 0)
    {
      if (strncmp (line, "VmFlags:", strlen ("VmFlags:")) != 0)
        continue;
      has_flags = true;
      has_shared = has_shared || strstr (line, " sh ") != NULL;
    }
  free (line);
  if (maps != NULL)
    fclose (maps);
  if (has_shared)
    return ESTALE;
  return has_flags ? 0 : ENODATA;
}

/* A thread that was joined is counted until the kernel is done with it: pthread_join (3). */
#define THREAD_ENDS_MS 100

/* Threads do not survive a fork, but the locks that they hold do. */
static int
check_threads (void)
{
  const struct timespec pause = { .tv_nsec = 1000000 };
  char text[4096];

  for (int ms = 0; ms < THREAD_ENDS_MS; ms++)
    {
      if (!kernel_file_read (AT_FDCWD, "/proc/self/status", text, sizeof text))
        return EIO;
      if (kernel_file_number (text, "Threads", 0) == 1)
        return 0;
      nanosleep (&pause, NULL);
    }
  return EBUSY;
}

/* A module's process could be anything. */
static int
check_alone (void)
{
  int error;

  /* The interpreter is the first one; this could be a child that a module made. */
  if (getpid () != 1 || waitpid (-1, NULL, WNOHANG | __WALL) >= 0 || errno != ECHILD)
    return ECHILD;
  error = check_threads ();
  return error == 0 ? check_mappings () : error;
}

/* The rest of descriptor 3 is the policy of the runs. The control group is the supervisor's; what
 * it limits is left to it. */
static int
prepare (struct plan *plan)
{
  static struct cgroup cgroup = CGROUP_NONE;
  static struct request request;
  int error = PyOS_BeforeFork == NULL || PyOS_AfterFork_Child == NULL ? ENOSYS : check_alone ();

  if (error == 0 && !request_read (&request, SETUP_GUEST_FD))
    error = EBADMSG;
  if (error == 0)
    cgroup.limits_memory = cgroup.limits_processes = request.policy->flags & FH_POLICY_SCOPE;
  if (error == 0 && plan_init (plan, request.policy, &request.workspace, &cgroup) != NULL)
    error = EINVAL;
  close (SETUP_GUEST_FD);
  close (SETUP_PROGRAM_FD);
  return error;
}

/* Waits for a byte of the supervisor, which it returns. */
static char
wait_for_request (void)
{
  struct pollfd status = { .fd = SETUP_STATUS_FD, .events = POLLIN };
  char request = '\0';

  while (poll (&status, 1, -1) < 0)
    {
      if (errno != EINTR)
        end (errno);
    }
  if (status.revents & (POLLHUP | POLLERR))
    end (0);
  if (recv (SETUP_STATUS_FD, &request, 1, MSG_DONTWAIT) != 1 ||
      (request != INIT_FORK && request != INIT_FORK_INSIDE))
    end (EPROTO);
  return request;
}

/* Init runs on a stack of its own, as the interpreter's is where the guest goes on. Its lowest part
 * cannot be used, so that nothing else is overwritten. */
#define STACK_SIZE  (1u << 20)
#define STACK_GUARD (1u << 16)

/* Returns NULL with errno on failure. */
static char *
make_stack (void)
{
  char *stack = mmap (NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (stack == MAP_FAILED || mprotect (stack, STACK_GUARD, PROT_NONE) < 0)
    return NULL;
  return stack;
}

/* A run while it is made. */
struct forked
{
  const struct plan *plan;
  bool keeps_network;
};

/* Returns in the guest, which is an ordinary fork of init. The pipes have to be made here: while
 * the interpreter waits it would keep their other ends open. Nothing that init calls may keep a
 * state in memory, because the next one could find it. */
static void
become_init (void *data)
{
  struct forked *forked = data;
  struct ends ends = ENDS_NONE;
  struct init_message message = { .kind = INIT_FORKED };
  struct setup setup;
  const int pidfd = (int) syscall (SYS_pidfd_open, getpid (), 0);

  /* The last init may have forbidden to read this memory; this one could not map its users then. */
  if (pidfd < 0 || !ends_make (&ends) || prctl (PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
    end (errno);
  tell (&message,
        (const int[N_INIT_FORKED]){
            [INIT_FORKED_PIDFD] = pidfd,
            [INIT_FORKED_STATUS] = ends.status[0],
            [INIT_FORKED_INPUT] = ends.input[0],
            [INIT_FORKED_OUTPUT] = ends.output[0][0],
            [INIT_FORKED_ERROR] = ends.output[1][0],
        },
        N_INIT_FORKED);
  close (pidfd);
  ends_close (&ends, 0);
  /* Its number is for this process's own. */
  close (SETUP_STATUS_FD);
  setup_init (&setup, forked->plan);
  setup.keeps_network = forked->keeps_network;
  setup.status = ends.status[1];
  setup.stdio[0] = ends.input[1];
  setup.stdio[1] = ends.output[0][1];
  setup.stdio[2] = ends.output[1][1];
  init_fork (&setup);
}

/* The kernel drops the registration in a process that shares memory, which init may have been, and
 * the guest inherits none then: rseq (2). Without it the C library would always tell the same
 * processor. */
static void
register_rseq (void)
{
  char *thread = __builtin_thread_pointer ();
  struct rseq *area = (struct rseq *) (thread + __rseq_offset);

  if (__rseq_size > 0 && syscall (SYS_rseq, area, sizeof *area, 0, RSEQ_SIG) < 0 && errno != EBUSY)
    area->cpu_id = (uint32_t) RSEQ_CPU_ID_REGISTRATION_FAILED;
}

/* Init shares the interpreter's memory, so that nothing is copied for it; it never runs what a
 * guest has written, and the interpreter only waits for its end meanwhile. But init is in the run's
 * control group. If that is out of memory, the kernel kills all that is in there, and whatever
 * shares memory with it: the interpreter would end with each such run. */
static uint64_t
flags_of (const struct cgroup *cgroup)
{
  /* It makes its own namespace of control groups once it has been moved into one. */
  const uint64_t namespaces = NAMESPACES_CLONE_FLAGS & ~CLONE_NEWCGROUP;

  return cgroup->limits_memory ? namespaces : namespaces | CLONE_VM;
}

/* Makes a run and waits until all of it is dead. Returns false in its guest. */
static bool
serve_run (const struct plan *plan, char *stack, bool keeps_network)
{
  struct forked forked = { plan, keeps_network };
  struct init_message message = { .kind = INIT_REAPED };
  struct clone_args args = {
    .flags = flags_of (plan->cgroup),
    .stack = (uint64_t) (uintptr_t) stack,
    .stack_size = STACK_SIZE,
    .exit_signal = SIGCHLD,
  };
  struct rusage own;
  stack_t for_signals;
  pid_t pid;

  /* The last init has left there what it knew of its run, and the guest is a copy of all memory. */
  if (madvise (stack, STACK_SIZE, MADV_DONTNEED) < 0 || sigaltstack (NULL, &for_signals) < 0)
    end (errno);
  pid = sys_clone3_run (&args, become_init, &forked);
  if (pid < 0)
    end (errno);
  if (pid == 0)
    {
      register_rseq ();
      /* The kernel drops this as well in a process that shares memory. */
      sigaltstack (&for_signals, NULL);
      PyOS_AfterFork_Child ();
      return false;
    }
  /* Nothing else may come before this: init uses the same memory, errno too. */
  if (wait4 (pid, NULL, __WALL, &message.usage) != pid || getrusage (RUSAGE_SELF, &own) < 0)
    end (errno);
  /* The most memory that the interpreter had is no figure of the run's. */
  if (message.usage.ru_maxrss <= own.ru_maxrss)
    message.usage.ru_maxrss = 0;
  if (waitpid (-1, NULL, WNOHANG | __WALL) >= 0 || errno != ECHILD)
    end (ECHILD);
  tell (&message, NULL, 0);
  return true;
}

void *
PyInit_fumehood_fork (void)
{
  static struct plan plan;
  const struct sigaction by_default = { .sa_handler = SIG_DFL };
  struct sigaction of_children;
  struct init_message message = { .kind = INIT_WARM };
  char *stack = make_stack ();
  int error = stack == NULL ? errno : prepare (&plan);

  if (error != 0)
    end (error);
  /* Once for all forks is enough, as no code of Python runs here any more. */
  PyOS_BeforeFork ();
  /* A module may have ignored the ends of children, but this process and init wait for theirs. */
  if (sigaction (SIGCHLD, &by_default, &of_children) < 0)
    end (errno);
  tell (&message, NULL, 0);
  while (serve_run (&plan, stack, wait_for_request () == INIT_FORK_INSIDE))
    continue;
  sigaction (SIGCHLD, &of_children, NULL);
  return NULL;
}
