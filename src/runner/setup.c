/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "setup.h"

#include "capabilities.h"
#include "descriptors.h"
#include "devices.h"
#include "etc-files.h"
#include "landlock.h"
#include "mounts.h"
#include "namespaces.h"
#include "resource-limits.h"
#include "seccomp-filter.h"

#include <errno.h>
#include <string.h>

/* THE order in which a sandbox is built. Read this first.
 *
 * It begins in a process that clone3 has just put into new namespaces, where it still has every
 * capability over them and still sees the host's files; it ends in one that can do nothing but
 * start the guest. A required step that fails ends the run before it began. An optional one that
 * fails weakens the guard named in guard-report.c, and that is said. */
static const struct
{
  const char *name;
  bool required;
  setup_apply apply;
} steps[] = {
  /* Only the guest's pipes stay open, and this process dies with the runner. */
  { "descriptors", true, descriptors_apply },
  { "lifeline", true, lifeline_apply },

  /* Who and where it is: one plain user, a machine called sandbox, a network of its own. */
  { "user-namespace-map", true, namespaces_map_ids },
  { "hostname", true, namespaces_set_hostname },
  { "loopback", true, namespaces_raise_loopback },
  { "keyring", false, namespaces_join_keyring },

  /* What it sees: a private root, built from nothing. */
  { "private-mounts", true, mounts_make_private },
  { "root", true, mounts_make_root },
  { "system-folders", true, mounts_bind_system },
  { "etc", true, etc_files_apply },
  { "scratch", true, mounts_make_scratch },
  { "devices", true, devices_apply },
  { "proc", true, proc_apply },
  { "binds", true, mounts_bind_policy },
  { "files", true, mounts_write_files },

  /* What it may use. The kernel files need the capabilities that go below. */
  { "namespace-limit", true, limits_forbid_namespaces },
  { "pid-limit", false, limits_set_pid_max },
  { "watch-limit", false, limits_set_watches },
  { "socket-buffers", false, limits_set_socket_buffers },
  { "core-dumps", true, limits_forbid_core_dumps },
  { "resource-limits", true, limits_set_rlimits },

  /* From here on it can neither see the host nor change a mount. */
  { "proc-read-only", true, proc_make_read_only },
  { "root-read-only", true, mounts_make_root_read_only },
  { "pivot-root", true, mounts_pivot },
  { "landlock", true, landlock_apply },
  { "capabilities", true, capabilities_drop },
  { "privileges-check", true, capabilities_verify },
  { "system-call-filter", true, seccomp_filter_apply },
};

#define N_STEPS (sizeof steps / sizeof steps[0])
_Static_assert(N_STEPS <= 32, "struct setup keeps one bit per step");

static bool
must_fail (const struct setup *setup, const char *name)
{
#ifdef FH_RUNNER_TESTS
  return setup->plan->failing_step != NULL && strcmp (setup->plan->failing_step, name) == 0;
#else
  return false;
#endif
}

bool
setup_run (struct setup *setup, struct fault *fault)
{
  for (uint32_t i = 0; i < N_STEPS; i++)
    {
      int error = must_fail (setup, steps[i].name) ? -EIO : steps[i].apply (setup);

      if (error == 0)
        continue;
      if (steps[i].required)
        {
          *fault = (struct fault){ .step = i, .error = -error };
          return false;
        }
      setup->skipped |= UINT32_C (1) << i;
    }
  return true;
}

const char *
setup_step_name (uint32_t number)
{
  return number < N_STEPS ? steps[number].name : NULL;
}

bool
setup_was_skipped (uint32_t skipped, const char *name)
{
  for (uint32_t i = 0; i < N_STEPS; i++)
    {
      if (strcmp (steps[i].name, name) == 0)
        return skipped & (UINT32_C (1) << i);
    }
  return false;
}
