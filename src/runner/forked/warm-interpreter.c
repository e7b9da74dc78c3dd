/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "warm-interpreter.h"

#include "clock.h"
#include "descriptor.h"
#include "descriptors.h"
#include "init-message.h"
#include "kernel-file.h"
#include "setup.h"
#include "socket-meter.h"
#include "syscalls.h"
#include "usage-watch.h"
#include "wire-guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The process that becomes the warm interpreter is the first of its namespaces, made by the runner
 * as init is in other sandboxes. It builds what all runs share and executes the user's interpreter.
 */
static _Noreturn void
report (const struct setup *setup, uint32_t step, int error)
{
  init_message_send_fault (setup->status, step, error);
  _exit (1);
}

/* The sockets are the supervisor's alone: they close here when the interpreter is executed. */
static void
hand_network_over (const struct setup *setup)
{
  struct init_message message = { .kind = INIT_NETWORK, .ready.skipped = setup->skipped };
  int fds[2];
  size_t n = 0;

  if (setup->dns >= 0)
    {
      message.ready.descriptors |= 1u << INIT_DNS;
      fds[n++] = setup->dns;
    }
  if (setup->sockets >= 0)
    {
      message.ready.descriptors |= 1u << INIT_SOCKETS;
      fds[n++] = setup->sockets;
    }
  if (!init_message_send (setup->status, &message, fds, n))
    report (setup, FAULT_STEP_HAND_OVER, errno);
}

/* The status socket stays open for the module that forks, which knows its number. */
static int
keep_descriptors (const struct setup *setup)
{
  int error = setup->status == SETUP_STATUS_FD ? 0 : -EMFILE;

  if (error == 0)
    error = descriptors_hand_over (SETUP_PROGRAM_FD, false);
  if (error == 0 && fcntl (setup->status, F_SETFD, 0) < 0)
    error = -errno;
  return error == 0 && setsid () < 0 ? -errno : error;
}

static _Noreturn void
warm_parent_main (struct setup *setup)
{
  const struct plan *plan = setup->plan;
  struct fault fault;
  int error;

  /* It has no channel, as it hears nothing of a guest. Another process may have read the file
   * before, see spawn (). */
  setup->guest_channel = plan->warm_request;
  if (lseek (plan->warm_request, 0, SEEK_SET) < 0)
    report (setup, FAULT_STEP_WARM, errno);
  if (!setup_run (setup, &fault))
    report (setup, fault.step, fault.error);
  hand_network_over (setup);
  error = keep_descriptors (setup);
  if (error < 0)
    report (setup, FAULT_STEP_WARM, -error);
  execve (plan->program, plan->argv, plan->env);
  report (setup, FAULT_STEP_EXEC, errno);
}

/* Importing modules may take its time. To fork takes less than a millisecond. */
#define WARM_TIMEOUT_US   60000000
#define ANSWER_TIMEOUT_US 10000000

/* Waits for a message of this kind. Returns NULL, or with errno the step that failed. */
static const char *
receive (int status,
         uint32_t kind,
         uint64_t timeout_us,
         struct init_message *message,
         int fds[N_INIT_DESCRIPTORS])
{
  struct pollfd ends[2] = {
    { .fd = status, .events = POLLIN },
    { .fd = FH_WIRE_FD },
  };

  /* The backend may not want to wait. */
  clock_poll_until (ends, 2, clock_now_us () + timeout_us);
  errno = ends[1].revents != 0 ? ECANCELED : ETIMEDOUT;
  if (ends[0].revents == 0)
    return "warm-interpreter";
  errno = EPIPE;
  if (!init_message_receive (status, message, fds))
    return "warm-interpreter";
  if (message->kind == kind)
    return NULL;
  init_message_drop (fds);
  errno = message->kind == INIT_FAULT ? message->fault.error : EPROTO;
  return message->kind == INIT_FAULT ? fault_step_name (&message->fault) : "warm-interpreter";
}

static void
close_network (struct warm_interpreter *warm)
{
  fh_clear_fd (&warm->dns);
  fh_clear_fd (&warm->sockets);
}

/* There may be those of a first attempt. */
static const char *
take_network (struct warm_interpreter *warm, int status)
{
  struct init_message message;
  int fds[N_INIT_DESCRIPTORS];
  const char *step = receive (status, INIT_NETWORK, WARM_TIMEOUT_US, &message, fds);
  size_t n = 0;

  if (step != NULL)
    return step;
  close_network (warm);
  warm->network_ready = message.ready;
  if (message.ready.descriptors & 1u << INIT_DNS)
    warm->dns = fds[n++];
  if (message.ready.descriptors & 1u << INIT_SOCKETS)
    warm->sockets = fds[n++];
  errno = EMFILE;
  return n > 0 && fds[n - 1] < 0 ? "descriptor-passing" : NULL;
}

/* Waits for the message that it can fork, and has the CPU time of its runs counted. The kernel lets
 * the first who counts wait, for which there is time while the interpreter starts. The interpreter
 * itself can be counted once it is a program of its own namespaces, whose groups are of the same
 * kind as those of its runs. */
static const char *
wait_until_warm (int status, void *data)
{
  const struct warm_interpreter *warm = data;
  const struct plan *plan = warm->plan;
  struct init_message message;
  int fds[N_INIT_DESCRIPTORS];
  const char *step = take_network (data, status);

  if (step != NULL)
    return step;
  usage_watch_prepare (plan->policy, plan->cgroup, 0);
  step = receive (status, INIT_WARM, WARM_TIMEOUT_US, &message, fds);
  if (step == NULL)
    usage_watch_prepare (plan->policy, plan->cgroup, warm->process.pid);
  return step;
}

/* A module that was imported could have made sockets, and the interpreter could keep them. */
static bool
has_only_our_sockets (const struct warm_interpreter *warm)
{
  const uint64_t ours = (warm->dns >= 0) + (warm->sockets >= 0);
  struct socket_counts counts;
  char path[64];
  char text[1024];

  snprintf (path, sizeof path, "/proc/%d/net/sockstat", (int) warm->process.pid);
  return kernel_file_read (AT_FDCWD, path, text, sizeof text) &&
         socket_counts_parse (text, &counts) && counts.used == ours && counts.waiting == 0;
}

/* The module lies beside the runner. */
#define MODULE "fumehood-fork.so"

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

static int
open_module (void)
{
  char path[PATH_MAX];
  const ssize_t length = readlink ("/proc/self/exe", path, sizeof path - sizeof MODULE);
  char *name;

  if (length < 0)
    return -1;
  path[length] = '\0';
  name = strrchr (path, '/') + 1;
  strcpy (name, MODULE);
  return open (path, O_RDONLY | O_CLOEXEC);
}

/* A copy, because the mapped file's path would tell the guest where it is on the host. Returns its
 * descriptor or -1 with errno. */
static int
copy_module (void)
{
  fh_autofd int module = open_module ();
  fh_autofd int copy = memfd_create ("fumehood-fork", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  bool is_done = module >= 0 && copy >= 0;
  ssize_t size = 1;

  while (is_done && size > 0)
    {
      size = sendfile (copy, module, NULL, 1 << 20);
      is_done = size >= 0;
    }
  return is_done && fcntl (copy, F_ADD_SEALS, SEALS) == 0 ? fh_steal_fd (&copy) : -1;
}

/* The names of the modules, separated by NUL. */
static void
put_message (struct fh_buffer *buffer, char *const *modules)
{
  struct fh_buffer message;

  fh_buffer_init (&message, FH_GUEST_MESSAGE_MAX);
  fh_buffer_put_u8 (&message, FH_GUEST_WARM);
  for (size_t i = 0; modules[i] != NULL; i++)
    fh_buffer_put_raw (&message, modules[i], strlen (modules[i]) + (modules[i + 1] != NULL));
  fh_buffer_put_bytes (buffer, message.data, message.size);
  buffer->failed = buffer->failed || message.failed;
  fh_buffer_clear (&message);
}

static void
put_policy (struct fh_buffer *buffer, const struct fh_policy *policy, const struct cgroup *cgroup)
{
  static char *none[] = { NULL };
  struct fh_bind binds[FH_POLICY_MAX_BINDS];
  struct fh_policy inside = *policy;

  inside.kind = FH_POLICY_SINGLE;
  /* There it means that a control group limits the runs. */
  inside.flags &= ~(uint32_t) FH_POLICY_SCOPE;
  if (cgroup_limits_all (cgroup, policy))
    inside.flags |= FH_POLICY_SCOPE;
  inside.preload = inside.env = none;
  inside.home = (char *) "";
  inside.binds = binds;
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      binds[i] = policy->binds[i];
      binds[i].source = binds[i].target;
    }
  fh_policy_encode (&inside, buffer);
}

/* Returns its descriptor or -1 with errno. */
static int
write_request (const struct fh_policy *policy, const struct cgroup *cgroup)
{
  fh_autofd int fd = memfd_create ("request", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  struct fh_buffer buffer;
  bool is_written;

  fh_buffer_init (&buffer, 2 * FH_FRAME_MAX_PAYLOAD);
  put_message (&buffer, policy->preload);
  put_policy (&buffer, policy, cgroup);
  errno = ENOMEM;
  is_written = !buffer.failed && fd >= 0 && fh_write_all (fd, buffer.data, buffer.size) &&
               fcntl (fd, F_ADD_SEALS, SEALS) == 0 && lseek (fd, 0, SEEK_SET) == 0;
  fh_buffer_clear (&buffer);
  return is_written ? fh_steal_fd (&fd) : -1;
}

/* Plans what a warm interpreter gets, as two sealed files on its descriptors 3 and 4: a message
 * that makes data/guest/bootstrap.py import modules and load the module that forks, followed by the
 * policy for that; and the module itself.
 *
 * Each guest is a copy of that interpreter, so the policy in there has nothing of the host's: no
 * home, and no path but those inside. Returns NULL, or with errno the name of the step that failed.
 */
static const char *
plan_files (struct plan *plan)
{
  /* The kernel shows more to root, and limits it less. */
  errno = EPERM;
  if (plan->is_root)
    return "warm-interpreter";
  plan->sealed_program = copy_module ();
  if (plan->sealed_program < 0)
    return "warm-interpreter";
  plan->warm_request = write_request (plan->policy, plan->cgroup);
  return plan->warm_request < 0 ? "warm-interpreter" : NULL;
}

const char *
warm_interpreter_start (struct warm_interpreter *warm, struct plan *plan)
{
  const struct spawn_entry entry = {
    .main = warm_parent_main,
    .wait = wait_until_warm,
    .data = warm,
  };
  const char *step = plan_files (plan);

  *warm = (struct warm_interpreter){ .plan = plan, .dns = -1, .sockets = -1 };
  if (step == NULL)
    step = spawn (plan, &entry, &warm->process);
  if (step == NULL && !(plan->has_own_network && has_only_our_sockets (warm)))
    warm->network = WARM_NETWORK_TOUCHED;
  return step;
}

/* Its number for this process, proc_pid_fdinfo (5). */
static pid_t
pid_of (int pidfd)
{
  char path[64];
  char text[1024];

  snprintf (path, sizeof path, "/proc/self/fdinfo/%d", pidfd);
  if (!kernel_file_read (AT_FDCWD, path, text, sizeof text))
    return -1;
  return (pid_t) kernel_file_number (text, "Pid", 0);
}

static const char *
take (const struct warm_interpreter *warm, struct spawned *spawned, const int fds[])
{
  errno = EMFILE;
  for (int i = 0; i < N_INIT_FORKED; i++)
    {
      if (fds[i] < 0)
        return "descriptor-passing";
    }
  *spawned = (struct spawned){
    .pidfd = fds[INIT_FORKED_PIDFD],
    .pid = pid_of (fds[INIT_FORKED_PIDFD]),
    .users = warm->process.users < 0 ? -1 : fcntl (warm->process.users, F_DUPFD_CLOEXEC, 0),
    .stage = -1,
    .errors = -1,
    .status = fds[INIT_FORKED_STATUS],
    .input = fds[INIT_FORKED_INPUT],
    .output = { fds[INIT_FORKED_OUTPUT], fds[INIT_FORKED_ERROR] },
    .guest_channel = -1,
  };
  errno = ESRCH;
  if (spawned->pid <= 0 || (spawned->users < 0) != (warm->process.users < 0))
    return "warm-interpreter";
  return NULL;
}

/* It waits for this word before it does anything that a guest could use. */
static const char *
enter_box (const struct spawned *spawned, const struct cgroup *cgroup)
{
  if (!cgroup_take (cgroup, spawned->pid))
    return "control-group";
  return init_ask (spawned->status, INIT_BOXED) ? NULL : "warm-interpreter";
}

static const char *
try_to_fork (struct warm_interpreter *warm, const struct cgroup *cgroup, struct spawned *spawned)
{
  const bool shares = warm->network == WARM_NETWORK_UNTOUCHED;
  const int status = warm->process.status;
  struct init_message message;
  int fds[N_INIT_DESCRIPTORS];
  const char *step;

  if (shares)
    warm->network = WARM_NETWORK_IN_USE;
  if (!init_ask (status, shares ? INIT_FORK_INSIDE : INIT_FORK))
    return "warm-interpreter";
  step = receive (status, INIT_FORKED, ANSWER_TIMEOUT_US, &message, fds);
  if (step == NULL)
    step = take (warm, spawned, fds);
  if (step == NULL)
    step = enter_box (spawned, cgroup);
  return step != NULL ? step : spawn_receive_channel (spawned->status, &spawned->guest_channel);
}

const char *
warm_interpreter_fork (struct warm_interpreter *warm,
                       const struct cgroup *cgroup,
                       struct spawned *spawned)
{
  const char *step;

  *spawned = (struct spawned){ .pidfd = -1 };
  warm->runs++;
  step = try_to_fork (warm, cgroup, spawned);
  warm->is_doubtful = warm->is_doubtful || step != NULL;
  return step;
}

void
warm_interpreter_reap (struct warm_interpreter *warm, struct rusage *usage)
{
  struct init_message message;
  int fds[N_INIT_DESCRIPTORS];

  if (receive (warm->process.status, INIT_REAPED, ANSWER_TIMEOUT_US, &message, fds) == NULL)
    *usage = message.usage;
  else
    warm->is_doubtful = true;
}

bool
warm_interpreter_shares_network (const struct warm_interpreter *warm)
{
  return warm != NULL && warm->network == WARM_NETWORK_IN_USE;
}

/* Keeps -1. */
static bool
duplicate (int from, int *to)
{
  *to = from < 0 ? -1 : fcntl (from, F_DUPFD_CLOEXEC, 0);
  return from < 0 || *to >= 0;
}

bool
warm_interpreter_add_network (const struct warm_interpreter *warm,
                              struct init_ready *ready,
                              int inside[N_INIT_DESCRIPTORS])
{
  ready->skipped |= warm->network_ready.skipped;
  ready->descriptors |= warm->network_ready.descriptors;
  return duplicate (warm->dns, &inside[INIT_DNS]) &&
         duplicate (warm->sockets, &inside[INIT_SOCKETS]);
}

void
warm_interpreter_judge_network (struct warm_interpreter *warm,
                                bool was_heard,
                                bool has_touched_network)
{
  if (warm->network == WARM_NETWORK_UNPROVEN && was_heard)
    warm->network = WARM_NETWORK_UNTOUCHED;
  else if (warm->network == WARM_NETWORK_IN_USE)
    warm->network =
        was_heard && !has_touched_network ? WARM_NETWORK_UNTOUCHED : WARM_NETWORK_TOUCHED;
}

static unsigned int
most_runs (void)
{
#ifdef FH_RUNNER_TESTS
  const char *runs = getenv ("FH_RUNNER_RUNS");

  if (runs != NULL)
    return (unsigned int) atoi (runs);
#endif
  return FH_FORKED_RUNS_MAX;
}

bool
warm_interpreter_is_good (const struct warm_interpreter *warm)
{
  return !warm->is_doubtful && warm->runs < most_runs ();
}

int
warm_interpreter_last_descriptor (const struct warm_interpreter *warm)
{
  const struct spawned *process = &warm->process;
  const struct cgroup *cgroup = warm->plan->cgroup;
  const int fds[] = {
    cgroup->scope,  cgroup->leaf,       process->pidfd,     process->users, process->status,
    process->input, process->output[0], process->output[1], warm->dns,      warm->sockets,
  };
  int last = FH_WIRE_FD;

  for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
    last = fds[i] > last ? fds[i] : last;
  return last;
}

/* The kernel kills what is in its namespaces with it, a run included. */
void
warm_interpreter_end (struct warm_interpreter *warm)
{
  sys_pidfd_send_signal (warm->process.pidfd, SIGKILL);
  waitpid (warm->process.pid, NULL, __WALL);
  spawn_close (&warm->process);
  close_network (warm);
}
