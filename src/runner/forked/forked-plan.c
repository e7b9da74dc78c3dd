/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "forked-plan.h"

#include "descriptor.h"
#include "wire-guest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

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

const char *
forked_plan (struct plan *plan)
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
