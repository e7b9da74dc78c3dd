/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capabilities.h"

#include "descriptors.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOCKED_BITS                                                                                \
  (SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED | \
   SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

static int
drop_bounding_set (void)
{
  for (unsigned long capability = 0; capability <= 63; capability++)
    {
      if (prctl (PR_CAPBSET_DROP, capability, 0, 0, 0) < 0)
        return errno == EINVAL && capability > CAP_SETFCAP ? 0 : -errno;
    }
  return 0;
}

int
capabilities_drop (struct setup *setup)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  const struct __user_cap_data_struct none[2] = { 0 };
  int error = drop_bounding_set ();

  if (error < 0)
    return error;
  if (prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 ||
      prctl (PR_SET_SECUREBITS, LOCKED_BITS, 0, 0, 0) < 0 ||
      syscall (SYS_capset, &header, none) < 0 || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
    return -errno;
  /* The guest has the same user id and must not inspect this process. execve makes the guest's own
   * process dumpable again. */
  if (prctl (PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
    return -errno;
  /* A change of credentials may have cleared the parent death signal. */
  return lifeline_apply (setup);
}

int
capabilities_forbid (struct setup *setup)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  const struct __user_cap_data_struct none[2] = { 0 };
  int error = drop_bounding_set ();

  if (error < 0 && error != -EPERM)
    return error;
  if (prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 ||
      syscall (SYS_capset, &header, none) < 0 || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
      prctl (PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
    return -errno;
  return 0;
}

int
capabilities_verify (struct setup *setup)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2];

  if (syscall (SYS_capget, &header, data) < 0)
    return -errno;
  for (int i = 0; i < 2; i++)
    {
      if (data[i].effective != 0 || data[i].permitted != 0 || data[i].inheritable != 0)
        return -EPERM;
    }
  if (prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
    return -EPERM;
  /* In the host's namespaces only the filter protects other processes. */
  if (tier_is_shared (setup->plan->policy))
    return 0;
  if (prctl (PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) != 0 || unshare (CLONE_NEWUSER) == 0)
    return -EPERM;
  return guest_user_verify (setup);
}
