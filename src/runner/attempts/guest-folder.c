/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-folder.h"

#include "descriptor.h"
#include "kernel-file.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Copies whose closing has not ended, beyond which none is made any more. */
#define HELD_MAX 8

/* A child process is killed long before that. */
#define HOLDING_MS 10000

/* It takes a fraction of a millisecond, if nothing blocks. */
#define PATIENCE_MS 250

static bool
read_link (const char *link, char path[PATH_MAX])
{
  const ssize_t size = readlink (link, path, PATH_MAX - 1);

  path[size > 0 ? size : 0] = '\0';
  return size > 0;
}

/* Older kernels have pidfds only of main threads. */
static int
open_process (pid_t thread)
{
  int process = pidfd_open (thread, 0);
  char file[32];
  char text[512];

  if (process >= 0)
    return process;
  snprintf (file, sizeof file, "/proc/%d/status", (int) thread);
  if (!kernel_file_read (AT_FDCWD, file, text, sizeof text))
    return -1;
  return pidfd_open ((pid_t) kernel_file_number (text, "Tgid", 0), 0);
}

static int n_held;

/* No other program may wait for what this process has a copy of, and it must not outlive the
 * runner. */
static _Noreturn void
hold (int copy)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  close_range (0, (unsigned int) copy - 1, 0);
  close_range ((unsigned int) copy + 1, ~0U, 0);
  poll (NULL, 0, HOLDING_MS);
  _exit (0);
}

/* Closes a copy of something of the guest's. The guest may have closed it meanwhile: then this
 * close is the last one, which can block as long as the guest likes if it is a lingering socket,
 * socket (7), or as long as a server does. Folders and pipes never block. All else is closed by the
 * end of a child process, as nothing lingers when a process exits; if that child does not end, only
 * the child is blocked. */
static void
close_copy (int copy)
{
  struct statx status;
  struct pollfd end = { .fd = -1, .events = POLLIN };
  pid_t pid;

  if (statx (copy, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &status) == 0 &&
      (S_ISDIR (status.stx_mode) || S_ISFIFO (status.stx_mode)))
    {
      close (copy);
      return;
    }
  n_held++;
  pid = sys_clone_with_pidfd (&end.fd);
  if (pid == 0)
    hold (copy);
  if (pid < 0)
    return;
  close (copy);
  sys_pidfd_send_signal (end.fd, SIGKILL);
  poll (&end, 1, PATIENCE_MS);
  close (end.fd);
  if (waitpid (pid, NULL, WNOHANG) == pid)
    n_held--;
}

/* Negative if it cannot be had. */
static int
open_copy (pid_t thread, int descriptor)
{
  fh_autofd int process = n_held < HELD_MAX ? open_process (thread) : -1;

  return process >= 0 ? pidfd_getfd (process, descriptor, 0) : -1;
}

static bool
read_copy (pid_t thread, int descriptor, char path[PATH_MAX])
{
  const int copy = open_copy (thread, descriptor);
  char link[32];
  bool is_known;

  if (copy < 0)
    return false;
  snprintf (link, sizeof link, "/proc/self/fd/%d", copy);
  is_known = read_link (link, path);
  close_copy (copy);
  return is_known;
}

bool
guest_folder_holds_copies (void)
{
  return n_held > 0;
}

/* The folder with a process's descriptors is open only to its own user. */
bool
guest_folder_path (pid_t thread, int descriptor, char path[PATH_MAX])
{
  char link[48];

  if (descriptor == AT_FDCWD)
    snprintf (link, sizeof link, "/proc/%d/cwd", (int) thread);
  else
    snprintf (link, sizeof link, "/proc/%d/fd/%d", (int) thread, descriptor);
  return read_link (link, path) ||
         (errno == EACCES && descriptor != AT_FDCWD && read_copy (thread, descriptor, path));
}

/* Unlike what the descriptors lead to, this can be read whosever the process is. */
bool
guest_folder_is_in_mount (pid_t thread, int descriptor, const struct statx *mount)
{
  char file[48];
  char text[512];

  snprintf (file, sizeof file, "/proc/%d/fdinfo/%d", (int) thread, descriptor);
  return mount->stx_mask & STATX_MNT_ID && kernel_file_read (AT_FDCWD, file, text, sizeof text) &&
         kernel_file_number (text, "mnt_id", UINT64_MAX) == mount->stx_mnt_id;
}

/* All sockets are files of one mount of the kernel's, in whatever namespace they were made. */
bool
guest_folder_may_be_socket (pid_t thread, int descriptor)
{
  fh_autofd int own = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct statx status;

  return own < 0 ||
         statx (own, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &status) < 0 ||
         !(status.stx_mask & STATX_MNT_ID) ||
         guest_folder_is_in_mount (thread, descriptor, &status);
}

int
guest_folder_socket_type (pid_t thread, int descriptor)
{
  const int copy = open_copy (thread, descriptor);
  int type = 0;
  int protocol = 0;
  socklen_t size = sizeof type;

  if (copy < 0)
    return 0;
  if (getsockopt (copy, SOL_SOCKET, SO_TYPE, &type, &size) < 0)
    type = 0;
  size = sizeof protocol;
  /* Closing a socket of UDP never lingers. */
  if (getsockopt (copy, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 && protocol == IPPROTO_UDP)
    close (copy);
  else
    close_copy (copy);
  return type;
}
