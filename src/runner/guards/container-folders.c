/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-folders.h"

#include "descriptor.h"
#include "kernel-file.h"
#include "wire-container.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KERNEL "/proc/sys/kernel/random/boot_id"

/* An engine behind a port may be on another computer, where inode numbers differ. If the boot ID
 * cannot be read, compare them anyway. */
static bool
is_of_another_kernel (const struct fh_policy *policy)
{
  char here[64];
  size_t length;

  if (policy->proof_kernel[0] == '\0' || !kernel_file_read (AT_FDCWD, KERNEL, here, sizeof here))
    return false;
  length = strcspn (here, "\n");
  return strlen (policy->proof_kernel) != length ||
         strncmp (policy->proof_kernel, here, length) != 0;
}

static bool
is_proven (const struct fh_proof *proof, int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && status.st_dev == proof->device &&
         status.st_ino == proof->inode;
}

bool
container_folders_prove (const struct fh_policy *policy, const char *path, int fd)
{
  for (size_t i = 0; i < policy->n_proofs; i++)
    {
      if (strcmp (policy->proofs[i].path, path) == 0 && !is_proven (&policy->proofs[i], fd))
        return is_of_another_kernel (policy);
    }
  return true;
}

/* Links of the image are followed, as the engine follows them. */
static int
check (const struct fh_policy *policy, const char *path)
{
  fh_autofd int fd = open (path, O_PATH | O_CLOEXEC);

  if (fd < 0)
    return is_of_another_kernel (policy) ? 0 : -errno;
  return container_folders_prove (policy, path, fd) ? 0 : -ESTALE;
}

int
container_folders_check (struct setup *setup)
{
  const struct fh_policy *policy = setup->plan->policy;

  if (!container_folders_prove (policy, FH_CONTAINER_WORKSPACE, setup->workspace))
    return -ESTALE;
  for (size_t i = 0; i < policy->n_proofs; i++)
    {
      int error = check (policy, policy->proofs[i].path);

      if (error != 0)
        return error;
    }
  return 0;
}
