/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-user.h"

#include "clock.h"
#include "descriptor.h"
#include "setup-state.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* newuidmap (1); not searched in PATH. */
#define NEWUIDMAP "/usr/bin/newuidmap"
#define RANGES    "/etc/subuid"
#define NAMES     "/etc/passwd"

/* At most so many lines of a file are read. */
#define MOST_LINES 65536

/* newuidmap asks the name service, which may be a server that does not answer. */
#define TIMEOUT_US 5000000

/* The child that acts as the guest's user has this much stack, in bytes. */
#define STACK_SIZE ((size_t) 1 << 20)

/* How many numbers are tried that other runs may have. A distance keeps runs that are started one
 * after the other from trying the same ones. */
#define NUMBERS_TRIED 64
#define NUMBERS_APART 257

static uid_t
number_of (const char *id)
{
  return (uid_t) strtoul (id, NULL, 10);
}

/* Reads lines, each split at its colons into `n` fields and a rest. Skips lines that are too long
 * or have fewer fields. False at the end. */
struct lines
{
  FILE *file;
  unsigned int n_read;
  char line[512];
};

static bool
next_line (struct lines *lines, char *fields[], int n)
{
  while (lines->n_read++ < MOST_LINES &&
         fgets (lines->line, sizeof lines->line, lines->file) != NULL)
    {
      char *rest = lines->line;
      int i = 0;

      if (strchr (rest, '\n') == NULL && fscanf (lines->file, "%*[^\n]") != EOF)
        {
          fgetc (lines->file);
          continue;
        }
      rest[strcspn (rest, "\n")] = '\0';
      while (i < n && (fields[i] = strsep (&rest, ":")) != NULL)
        i++;
      if (i == n)
        return true;
    }
  return false;
}

static bool
read_number (const char *text, uid_t *number)
{
  unsigned long long value;
  char *end;

  if (text[0] < '0' || text[0] > '9')
    return false;
  errno = 0;
  value = strtoull (text, &end, 10);
  *number = (uid_t) value;
  /* The last number means none, chown (2). */
  return errno == 0 && *end == '\0' && value < UINT32_MAX;
}

bool
guest_user_read_range (FILE *ranges, const char *name, uid_t uid, uid_t *first, uid_t *count)
{
  struct lines lines = { .file = ranges };
  char *fields[3];
  uid_t number;

  while (next_line (&lines, fields, 3))
    {
      if (!read_number (fields[1], first) || !read_number (fields[2], count) || *first == 0 ||
          *count == 0 || *count > UINT32_MAX - *first)
        continue;
      if ((name[0] != '\0' && strcmp (fields[0], name) == 0) ||
          (read_number (fields[0], &number) && number == uid))
        return true;
    }
  return false;
}

/* A user who is not in passwd may have a range by number. */
static void
read_name (uid_t uid, char *name, size_t size)
{
  struct lines lines = { .file = fopen (NAMES, "re") };
  char *fields[3];
  uid_t number = uid - 1;

  name[0] = '\0';
  if (lines.file == NULL)
    return;
  while (number != uid && next_line (&lines, fields, 3))
    {
      if (read_number (fields[2], &number) && number == uid && strlen (fields[0]) < size)
        strcpy (name, fields[0]);
    }
  fclose (lines.file);
}

bool
guest_user_find_range (uid_t *first, uid_t *count)
{
  FILE *ranges = fopen (RANGES, "re");
  char name[256];
  bool is_found;

  if (ranges == NULL)
    return false;
  read_name (geteuid (), name, sizeof name);
  is_found = guest_user_read_range (ranges, name, geteuid (), first, count);
  fclose (ranges);
  return is_found;
}

/* A number is taken while this process lives, by a socket with its name, which leaves no file
 * behind. Nobody can connect to it. */
static bool
take (uid_t number)
{
  struct sockaddr_un name = { .sun_family = AF_UNIX };
  const int size = snprintf (name.sun_path + 1, sizeof name.sun_path - 1, "fumehood-%u", number);
  const socklen_t length =
      (socklen_t) (offsetof (struct sockaddr_un, sun_path) + 1) + (socklen_t) size;
  fh_autofd int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (fd < 0 || bind (fd, (const struct sockaddr *) &name, length) < 0)
    return false;
  fh_steal_fd (&fd);
  return true;
}

/* Concurrent runs get different numbers. Rootless containers give the lower half to the users of
 * their images. */
static bool
choose (uid_t uid, uid_t *number)
{
  uid_t first = 0;
  uid_t count = 0;

  if (!guest_user_find_range (&first, &count))
    return false;
  for (uid_t i = 0; i < NUMBERS_TRIED; i++)
    {
      *number = first + count / 2 + ((uid_t) getpid () + i * NUMBERS_APART) % (count - count / 2);
      if (*number != uid && take (*number))
        return true;
    }
  return false;
}

/* Does not look at all contents: folders of the system are readable for everyone, one of the user's
 * may hold files that only the user can read. */
static bool
is_for_everybody (const char *path)
{
  struct stat status;
  mode_t wanted = S_IROTH | S_IXOTH;

  if (stat (path, &status) < 0 || status.st_uid != 0)
    return false;
  if (S_ISREG (status.st_mode))
    wanted = S_IROTH;
  return (status.st_mode & wanted) == wanted;
}

static bool
can_be_read (const struct plan *plan)
{
  const struct fh_policy *policy = plan->policy;
  struct stat status;

  if (policy->flags & FH_POLICY_PROJECT)
    return false;
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      if (!policy->binds[i].is_copy && !is_for_everybody (policy->binds[i].source))
        return false;
    }
  return plan->program == NULL || stat (plan->program, &status) < 0 || status.st_mode & S_IXOTH;
}

void
guest_user_plan (struct plan *plan)
{
  struct guest_user *user = &plan->guest_user;

  user->mapper = NEWUIDMAP;
#ifdef FH_RUNNER_TESTS
  if (getenv ("FH_RUNNER_NEWUIDMAP") != NULL)
    user->mapper = getenv ("FH_RUNNER_NEWUIDMAP");
#endif
  /* With no_new_privs newuidmap would get no privileges either, execve (2). */
  user->is_own = plan->policy->tier == FH_WIRE_TIER_NAMESPACES && !plan->is_root &&
                 access (user->mapper, X_OK) == 0 && prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 &&
                 can_be_read (plan) && choose (geteuid (), &user->outside);
}

/* Between vfork and execve: only system calls. */
static _Noreturn void
become_mapper (const struct guest_user *user, char *const argv[])
{
  static char *const environment[] = { NULL };
  const int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  for (int fd = 0; fd <= 2; fd++)
    {
      if (dup2 (null, fd) < 0)
        _exit (127);
    }
  execve (user->mapper, argv, environment);
  _exit (127);
}

static pid_t
start_mapper (const struct guest_user *user, pid_t pid)
{
  char numbers[3][16];
  char *const argv[] = {
    (char *) "newuidmap",    numbers[0], (char *) PLAN_USER_ID, numbers[1], (char *) "1",
    (char *) PLAN_KEEPER_ID, numbers[2], (char *) "1",          NULL,
  };
  pid_t mapper;

  snprintf (numbers[0], sizeof numbers[0], "%d", (int) pid);
  snprintf (numbers[1], sizeof numbers[1], "%u", (unsigned int) user->outside);
  snprintf (numbers[2], sizeof numbers[2], "%u", (unsigned int) geteuid ());
  mapper = vfork ();
  if (mapper == 0)
    become_mapper (user, argv);
  return mapper < 0 ? -errno : mapper;
}

/* Kills it if it has not ended in time. The kernel allows that because it has this process's real
 * user id, kill (2). */
static bool
wait_for_mapper (pid_t mapper)
{
  struct pollfd fd = { .fd = pidfd_open (mapper, 0), .events = POLLIN };

  if (fd.fd >= 0)
    {
      clock_poll_until (&fd, 1, clock_now_us () + TIMEOUT_US);
      close (fd.fd);
    }
  if (fd.revents == 0)
    kill (mapper, SIGKILL);
  return fd.revents != 0;
}

int
guest_user_map (const struct guest_user *user, pid_t pid)
{
  pid_t mapper = start_mapper (user, pid);
  bool has_ended;
  int status;

  if (mapper < 0)
    return mapper;
  has_ended = wait_for_mapper (mapper);
  while (waitpid (mapper, &status, 0) < 0)
    {
      if (errno != EINTR)
        return -errno;
    }
  if (!has_ended)
    return -ETIMEDOUT;
  return WIFEXITED (status) && WEXITSTATUS (status) == 0 ? 0 : -EPERM;
}

bool
guest_user_assume (int user_namespace)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  const struct __user_cap_data_struct none[2] = { 0 };
  const uid_t guest = number_of (PLAN_USER_ID);

  if (setns (user_namespace, CLONE_NEWUSER) < 0)
    return false;
  setfsuid (guest);
  /* setfsuid (2) reports failure only through the value of a second call. */
  return syscall (SYS_capset, &header, none) == 0 && (uid_t) setfsuid ((uid_t) -1) == guest;
}

struct call
{
  int user_namespace;
  int (*function) (void *data);
  void *data;
  int result;
};

static int
call_in_child (void *data)
{
  struct call *call = data;

  call->result = guest_user_assume (call->user_namespace) ? call->function (call->data) : -EPERM;
  return 0;
}

/* The page below it is not mapped, so that nothing else is overwritten. NULL with errno. */
static char *
get_stack (void)
{
  static char *stack;
  const size_t page = (size_t) sysconf (_SC_PAGESIZE);

  if (stack != NULL)
    return stack;
  stack = mmap (NULL, page + STACK_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED)
    return stack = NULL;
  if (mprotect (stack + page, STACK_SIZE, PROT_READ | PROT_WRITE) < 0)
    {
      munmap (stack, page + STACK_SIZE);
      return stack = NULL;
    }
  return stack += page;
}

int
guest_user_call (int user_namespace, int (*function) (void *data), void *data)
{
  struct call call = { user_namespace, function, data, -EIO };
  char *stack = get_stack ();
  const int dumpable = prctl (PR_GET_DUMPABLE);
  pid_t child = -1;

  if (stack != NULL)
    child = clone (call_in_child,
                   stack + STACK_SIZE,
                   CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD,
                   &call);
  if (child < 0)
    return -errno;
  while (waitpid (child, NULL, 0) < 0 && errno == EINTR)
    continue;
  /* The memory lost this when the child's user changed, commit_creds () in the kernel. */
  if (dumpable == 1 && prctl (PR_SET_DUMPABLE, 1) < 0)
    return -errno;
  return call.result;
}

int
guest_user_give (const struct setup *setup, int folder, const char *name)
{
  if (!setup->plan->guest_user.is_own)
    return 0;
  return fchownat (folder, name, number_of (PLAN_USER_ID), (gid_t) -1, AT_SYMLINK_NOFOLLOW) < 0
             ? -errno
             : 0;
}

/* The pipes too, or it could not reopen them through /dev/stdout. */
int
guest_user_enter (struct setup *setup)
{
  const uid_t guest = number_of (PLAN_USER_ID);

  if (!setup->plan->guest_user.is_own)
    return 0;
  for (int fd = 0; fd <= 2; fd++)
    {
      if (fchown (fd, guest, (gid_t) -1) < 0)
        return -errno;
    }
  return setresuid (guest, guest, guest) < 0 ? -errno : 0;
}

int
guest_user_verify (const struct setup *setup)
{
  const uid_t keeper = number_of (PLAN_KEEPER_ID);
  const uid_t guest = number_of (PLAN_USER_ID);
  uid_t ids[3];

  if (!setup->plan->guest_user.is_own)
    return 0;
  if (getresuid (&ids[0], &ids[1], &ids[2]) < 0)
    return -errno;
  if (ids[0] != guest || ids[1] != guest || ids[2] != guest || setuid (keeper) == 0)
    return -EPERM;
  return 0;
}
