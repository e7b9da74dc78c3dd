/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bubblewrap.h"

#include "bubblewrap-arguments.h"
#include "descriptor.h"
#include "process.h"
#include "request.h"
#include "stage-numbers.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIMEOUT_MS 10000

/* Opened before it is checked, so that what was checked is executed. */
static int
open_program (void)
{
  fh_autofd int fd = open (BUBBLEWRAP_PATH, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;

  if (fd < 0 || fstat (fd, &status) < 0)
    return -errno;
  if (!S_ISREG (status.st_mode) || status.st_uid != 0 || (status.st_mode & 022))
    return -EPERM;
  return fh_steal_fd (&fd);
}

/* What the control group limits, the stage need not. */
static int
write_request (const struct plan *plan)
{
  struct fh_policy policy = *plan->policy;

  if (plan->cgroup->limits_memory)
    policy.memory_bytes = 0;
  if (plan->cgroup->limits_processes)
    policy.processes = 0;
  return request_write (&policy, plan->workspace);
}

static int
write_arguments (struct bubblewrap *bubblewrap, const struct plan *plan)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&text, &size);
  int error = out == NULL ? -ENOMEM : bubblewrap_write_arguments (bubblewrap, plan, out);

  if (out != NULL && fclose (out) != 0)
    error = -ENOMEM;
  if (error == 0)
    {
      bubblewrap->arguments = bubblewrap_add_data (bubblewrap, text, size);
      error = bubblewrap->arguments < 0 ? -EMFILE : 0;
    }
  free (text);
  return error;
}

int
bubblewrap_init (struct bubblewrap *bubblewrap, const struct plan *plan)
{
  *bubblewrap = (struct bubblewrap){
    .program = -1,
    .arguments = -1,
    .request = -1,
    .info = { -1, -1 },
    .errors = { -1, -1 },
  };
  bubblewrap->program = open_program ();
  if (bubblewrap->program < 0)
    return bubblewrap->program;
  bubblewrap->request = write_request (plan);
  if (bubblewrap->request < 0)
    return bubblewrap->request;
  if (pipe2 (bubblewrap->info, O_CLOEXEC) < 0 || pipe2 (bubblewrap->errors, O_CLOEXEC) < 0)
    return -errno;
  bubblewrap->info[1] = bubblewrap_move_up (bubblewrap->info[1]);
  return bubblewrap->info[1] < 0 ? -errno : write_arguments (bubblewrap, plan);
}

static void
close_ends_of_bwrap (struct bubblewrap *bubblewrap)
{
  fh_clear_fd (&bubblewrap->info[1]);
  fh_clear_fd (&bubblewrap->errors[1]);
  fh_clear_fd (&bubblewrap->request);
  fh_clear_fd (&bubblewrap->program);
  for (size_t i = 0; i < bubblewrap->n_files; i++)
    close (bubblewrap->files[i]);
  bubblewrap->n_files = 0;
}

void
bubblewrap_clear (struct bubblewrap *bubblewrap)
{
  close_ends_of_bwrap (bubblewrap);
  fh_clear_fd (&bubblewrap->info[0]);
  fh_clear_fd (&bubblewrap->errors[0]);
}

/* The stage's descriptor numbers are too high to be in use. */
void
bubblewrap_exec (const struct bubblewrap *bubblewrap, int status, const int stdio[3])
{
  static char *const environment[] = { (char *) "PATH=/usr/bin:/bin", (char *) "LC_ALL=C", NULL };
  char number[16];
  char *const argv[] = {
    (char *) "bwrap", (char *) "--args",       number, (char *) "--",
    (char *) "/init", (char *) STAGE_ARGUMENT, NULL,
  };
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  snprintf (number, sizeof number, "%d", bubblewrap->arguments);
  if (null < 0 || dup2 (status, STAGE_STATUS_FD) < 0 ||
      dup2 (bubblewrap->request, STAGE_REQUEST_FD) < 0)
    return;
  for (int i = 0; i < 3; i++)
    {
      if (dup2 (stdio[i], STAGE_STDIO_FD + i) < 0)
        return;
    }
  for (size_t i = 0; i < bubblewrap->n_files; i++)
    fcntl (bubblewrap->files[i], F_SETFD, 0);
  fcntl (bubblewrap->info[1], F_SETFD, 0);
  dup2 (null, STDIN_FILENO);
  dup2 (null, STDOUT_FILENO);
  dup2 (bubblewrap->errors[1], STDERR_FILENO);
  syscall (SYS_execveat, bubblewrap->program, "", argv, environment, AT_EMPTY_PATH);
}

/* bwrap's output begins with {"child-pid": NUMBER. */
static pid_t
read_number (int fd)
{
  static const char key[] = "\"child-pid\":";
  char text[512];
  size_t size = 0;
  const char *at;

  while (size < sizeof text - 1)
    {
      struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
      ssize_t n =
          poll (&poll_fd, 1, TIMEOUT_MS) > 0 ? read (fd, text + size, sizeof text - 1 - size) : 0;

      if (n <= 0)
        break;
      size += (size_t) n;
    }
  text[size] = '\0';
  at = strstr (text, key);
  return at != NULL ? (pid_t) strtol (at + strlen (key), NULL, 10) : -1;
}

/* The number cannot have been reused: its parent has not waited for it yet. */
static bool
is_child_of (pid_t pid, pid_t parent)
{
  fh_autofd int proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct process process;

  return proc >= 0 && process_read (proc, (uint32_t) pid, &process) &&
         process.parent == (uint32_t) parent;
}

int
bubblewrap_wait_for_stage (struct bubblewrap *bubblewrap, pid_t parent)
{
  pid_t pid;
  int pidfd;

  close_ends_of_bwrap (bubblewrap);
  pid = read_number (bubblewrap->info[0]);
  pidfd = pid > 0 ? (int) syscall (SYS_pidfd_open, pid, 0) : -1;
  if (pidfd >= 0 && !is_child_of (pid, parent))
    fh_clear_fd (&pidfd);
  return pidfd;
}

int
bubblewrap_error (int errors)
{
  char text[1024];
  struct pollfd fd = { .fd = errors, .events = POLLIN };
  ssize_t size = poll (&fd, 1, 0) > 0 ? read (errors, text, sizeof text - 1) : 0;

  text[size > 0 ? size : 0] = '\0';
  for (int error = 1; error < 134; error++)
    {
      if (strerrordesc_np (error) != NULL && strstr (text, strerrordesc_np (error)) != NULL)
        return error;
    }
  /* bwrap's own text: "No permissions to create new namespace". */
  return EPERM;
}
