/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bubblewrap.h"

#include "descriptor.h"
#include "devices.h"
#include "etc-files.h"
#include "mounts.h"
#include "process.h"
#include "request.h"
#include "stage-numbers.h"
#include "syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files begin above the stage's own descriptors. */
#define FIRST_FILE (STAGE_REQUEST_FD + 8)

struct writer
{
  struct bubblewrap *bubblewrap;
  const struct plan *plan;
  FILE *out;
  int error;
};

/* Moves a descriptor above the stage's own ones, closing the old number. -1 if that fails. */
static int
move_up (int fd)
{
  fh_autofd int taken = fd;

  return fd < 0 ? -1 : fcntl (fd, F_DUPFD_CLOEXEC, FIRST_FILE);
}

/* Hands a file to bwrap; takes `fd` even on failure. Returns the number that bwrap knows it by, or
 * -1. */
static int
add_file (struct bubblewrap *bubblewrap, int fd)
{
  if (bubblewrap->n_files == BUBBLEWRAP_MAX_FILES)
    {
      close (fd);
      return -1;
    }
  fd = move_up (fd);
  if (fd >= 0)
    bubblewrap->files[bubblewrap->n_files++] = fd;
  return fd;
}

/* The same for a new file with this content. */
static int
add_data (struct bubblewrap *bubblewrap, const char *data, size_t size)
{
  fh_autofd int fd = memfd_create ("data", MFD_CLOEXEC);

  if (fd < 0 || write (fd, data, size) != (ssize_t) size || lseek (fd, 0, SEEK_SET) < 0)
    return -1;
  return add_file (bubblewrap, fh_steal_fd (&fd));
}

/* `words` end with NULL. */
static void __attribute__ ((sentinel)) add (struct writer *writer, ...)
{
  va_list words;
  const char *word;

  va_start (words, writer);
  while ((word = va_arg (words, const char *)) != NULL)
    {
      fputs (word, writer->out);
      fputc ('\0', writer->out);
    }
  va_end (words);
}

static bool
exists (const char *path)
{
  return faccessat (AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* `how`: "--file" or "--ro-bind-data". */
static void
add_content (struct writer *writer, const char *how, const char *mode, int fd, const char *target)
{
  char number[16];

  if (fd < 0)
    {
      writer->error = -EMFILE;
      return;
    }
  snprintf (number, sizeof number, "%d", fd);
  add (writer, "--perms", mode, how, number, target, NULL);
}

static void
add_text (struct writer *writer, const char *text, const char *target)
{
  add_content (writer,
               "--file",
               "0644",
               add_data (writer->bubblewrap, text, strlen (text)),
               target);
}

/* A copy of a host file. False if it does not exist. */
static bool
add_copy (struct writer *writer, const char *source, const char *mode, const char *target)
{
  fh_autofd int fd = open (source, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat status;

  if (fd < 0)
    {
      if (errno != ENOENT)
        writer->error = -errno;
      return false;
    }
  if (fstat (fd, &status) < 0 || !S_ISREG (status.st_mode))
    {
      writer->error = -EINVAL;
      return false;
    }
  add_content (writer, "--file", mode, add_file (writer->bubblewrap, fh_steal_fd (&fd)), target);
  return true;
}

static void
add_same (struct writer *writer, const char *path)
{
  char link[PATH_MAX];
  ssize_t size = readlink (path, link, sizeof link - 1);

  if (size >= 0)
    {
      link[size] = '\0';
      add (writer, "--symlink", link, path, NULL);
    }
  else if (exists (path))
    add (writer, "--ro-bind", path, path, NULL);
}

static void
add_namespaces (struct writer *writer)
{
  char number[16];

  snprintf (number, sizeof number, "%d", writer->bubblewrap->info[1]);
  add (writer, "--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1", NULL);
  add (writer, "--new-session", "--die-with-parent", "--clearenv", "--hostname", "sandbox", NULL);
  add (writer, "--uid", PLAN_USER_ID, "--gid", PLAN_USER_ID, "--info-fd", number, NULL);
  if (!writer->plan->has_own_network)
    add (writer, "--share-net", NULL);
  if (writer->plan->failing_step != NULL)
    add (writer, "--setenv", "FH_RUNNER_FAIL_STEP", writer->plan->failing_step, NULL);
}

static void
add_etc (struct writer *writer)
{
  char path[128];

  for (size_t i = 0; etc_files_made[i].name != NULL; i++)
    {
      const struct etc_file *file = &etc_files_made[i];

      snprintf (path, sizeof path, "/etc/%s", file->name);
      if (!file->is_of_network || writer->plan->has_own_network ||
          !add_copy (writer, path, "0644", path))
        add_text (writer, file->text, path);
    }
  for (size_t i = 0; etc_files_of_host[i] != NULL; i++)
    add (writer, "--ro-bind-try", etc_files_of_host[i], etc_files_of_host[i], NULL);
  for (size_t i = 0; i < writer->plan->n_etc_folders; i++)
    {
      const char *folder = writer->plan->etc_folders[i];

      add (writer, "--ro-bind-try", folder, folder, NULL);
    }
  add_same (writer, "/etc/localtime");
  add (writer, "--symlink", "../proc/self/mounts", "/etc/mtab", NULL);
}

static void
add_scratch (struct writer *writer)
{
  const struct plan *plan = writer->plan;

  add (writer, "--perms", "0755", NULL);
  if (plan->scratch_size[0] != '\0')
    add (writer, "--size", plan->scratch_size, NULL);
  add (writer, "--tmpfs", STAGE_SCRATCH, NULL);
  add (writer, "--perms", "0755", "--dir", STAGE_SCRATCH "/workspace", NULL);
  add (writer, "--perms", "1777", "--dir", STAGE_SCRATCH "/tmp", NULL);
  add (writer, "--perms", "1777", "--dir", STAGE_SCRATCH "/shm", NULL);
  add (writer, "--symlink", STAGE_SCRATCH "/workspace", "/workspace", NULL);
  add (writer, "--symlink", STAGE_SCRATCH "/tmp", "/tmp", NULL);
}

static void
add_devices (struct writer *writer)
{
  char path[64];

  for (size_t i = 0; devices_nodes[i] != NULL; i++)
    add (writer, "--dev-bind", devices_nodes[i], devices_nodes[i], NULL);
  for (size_t i = 0; devices_links[i].name != NULL; i++)
    {
      snprintf (path, sizeof path, "/%s", devices_links[i].name);
      add (writer, "--symlink", devices_links[i].target, path, NULL);
    }
  add (writer, "--symlink", STAGE_SCRATCH "/shm", "/dev/shm", NULL);
}

static void
add_cover (struct writer *writer, const char *name, bool is_folder)
{
  char path[NAME_MAX + 16] = "/proc/";

  strcat (path, name);
  if (is_folder)
    add (writer, "--perms", "0555", "--tmpfs", path, "--remount-ro", path, NULL);
  else
    add_content (writer, "--ro-bind-data", "0444", add_data (writer->bubblewrap, "", 0), path);
}

/* The host's /proc has the same files as the one that bwrap mounts. bwrap covers some of them
 * itself. */
static void
add_proc (struct writer *writer)
{
  DIR *proc = opendir ("/proc");
  const struct dirent *entry;
  bool is_folder;

  add (writer, "--proc", "/proc", NULL);
  if (proc == NULL)
    writer->error = -errno;
  while (proc != NULL && (entry = readdir (proc)) != NULL)
    {
      if (devices_is_covered (dirfd (proc), entry->d_name, writer->plan->is_root, &is_folder))
        add_cover (writer, entry->d_name, is_folder);
    }
  for (size_t i = 0; devices_covered_settings[i] != NULL; i++)
    {
      const char *name = devices_covered_settings[i];
      struct stat status;

      if (proc != NULL && fstatat (dirfd (proc), name, &status, 0) == 0)
        add_cover (writer, name, S_ISDIR (status.st_mode));
    }
  if (proc != NULL)
    closedir (proc);
}

static void
add_binds (struct writer *writer)
{
  const struct fh_policy *policy = writer->plan->policy;

  for (size_t i = 0; i < policy->n_binds && writer->error == 0; i++)
    {
      const struct fh_bind *bind = &policy->binds[i];

      if (!bind->is_copy)
        add (writer, "--ro-bind", bind->source, bind->target, NULL);
      else if (!add_copy (writer, bind->source, "0444", bind->target) && writer->error == 0)
        writer->error = -ENOENT;
    }
}

/* This program, read-only and under a name that does not reveal its place on the host. */
static void
add_stage (struct writer *writer)
{
  int fd = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    writer->error = -errno;
  else
    add_content (writer, "--ro-bind-data", "0555", add_file (writer->bubblewrap, fd), "/init");
}

/* Writes the arguments of bwrap (1), each with its NUL: the same view as mounts.c, devices.c and
 * etc-files.c build. Returns 0 or a negative errno. */
static int
write_words (struct bubblewrap *bubblewrap, const struct plan *plan, FILE *out)
{
  struct writer writer = { .bubblewrap = bubblewrap, .plan = plan, .out = out };

  add_namespaces (&writer);
  for (size_t i = 0; mounts_system_entries[i] != NULL; i++)
    add_same (&writer, mounts_system_entries[i]);
  add_etc (&writer);
  add_scratch (&writer);
  add_devices (&writer);
  add_proc (&writer);
  add_binds (&writer);
  add_stage (&writer);
  add (&writer, "--remount-ro", "/", NULL);
  return writer.error;
}

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
  int error = out == NULL ? -ENOMEM : write_words (bubblewrap, plan, out);

  if (out != NULL && fclose (out) != 0)
    error = -ENOMEM;
  if (error == 0)
    {
      bubblewrap->arguments = add_data (bubblewrap, text, size);
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
  bubblewrap->info[1] = move_up (bubblewrap->info[1]);
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
