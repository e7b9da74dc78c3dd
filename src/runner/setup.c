/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "setup.h"

#include "capabilities.h"
#include "container-entry.h"
#include "descriptors.h"
#include "devices.h"
#include "etc-files.h"
#include "landlock.h"
#include "loopback-sockets.h"
#include "mounts.h"
#include "namespaces.h"
#include "resource-limits.h"
#include "seccomp-filter.h"
#include "seccomp-shared.h"
#include "stage.h"

#include <errno.h>
#include <string.h>

/* Which sandboxes a step belongs to; see enum fh_wire_tier. */
#define A  (1u << FH_WIRE_TIER_NAMESPACES)
#define A2 (1u << FH_WIRE_TIER_BUBBLEWRAP)
#define B  (1u << FH_WIRE_TIER_LANDLOCK)
#define U  (1u << FH_WIRE_TIER_UNPROTECTED)
#define D  (1u << FH_WIRE_TIER_CONTAINER)

#define SYSTEM_CALLS (1u << FH_WIRE_GUARD_SYSTEM_CALLS)

enum need
{
  REQUIRED, /* its failure ends the run before it began */
  OPTIONAL, /* its failure weakens the guard named in guard-report.c, and that is said */
};

/* THE order in which a sandbox is built. Read this first.
 *
 * In tier A it begins in a process that clone3 has just put into new namespaces, where it still has
 * every capability over them and still sees the host's files; it ends in one that can do nothing
 * but start the guest. In tier A2 bubblewrap has made the namespaces and the mounts, and taken the
 * capabilities away, before this begins. In tier B there are no namespaces: it begins in an
 * ordinary process of the user's, and Landlock and the filters have to do it all. U is what the
 * user asks for when he wants no protection.
 *
 * In tier D all of this happens in a container, whose engine has made the namespaces, the mounts
 * and the control group. What it left to be done is done here; what it was to do is looked at in
 * container-report.c. Its mounts are the image's and the user's, so there are no rules of Landlock
 * for files; its network is its own, so sockets stay; it has a session keyring of its own. But the
 * runner lives in there with the guest, under the same user: see seccomp-peers.h. */
static const struct
{
  const char *name;
  uint8_t tiers; /* those that it belongs to */
  enum need need;
  setup_apply apply;
  uint32_t without; /* left out when the policy switches this guard off, 1 << enum fh_wire_guard */
} steps[] = {
  /* Only the guest's pipes stay open, and this process dies with the runner. */
  { "descriptors", A | A2 | B | U | D, REQUIRED, descriptors_apply },
  { "lifeline", A | A2, REQUIRED, lifeline_apply },
  /* Without a pid namespace nobody else takes in the orphans; and they have to be killed first. */
  { "orphans", B | U | D, REQUIRED, orphans_apply },

  /* Who and where it is: one plain user, a machine called sandbox, a network of its own. */
  { "user-namespace-map", A, REQUIRED, namespaces_map_ids },
  { "hostname", A, REQUIRED, namespaces_set_hostname },
  { "loopback", A, REQUIRED, namespaces_raise_loopback },
  { "dns-sink", A | D, OPTIONAL, loopback_make_dns_socket },
  { "proxy-listener", A | A2, OPTIONAL, loopback_make_proxy_socket },
  { "keyring", A | A2 | B, OPTIONAL, namespaces_join_keyring },

  /* What it sees: a private root, built from nothing. */
  { "private-mounts", A, REQUIRED, mounts_make_private },
  { "root", A, REQUIRED, mounts_make_root },
  { "system-folders", A, REQUIRED, mounts_bind_system },
  { "etc", A, REQUIRED, etc_files_apply },
  { "scratch", A, REQUIRED, mounts_make_scratch },
  { "devices", A, REQUIRED, devices_apply },
  { "proc", A, REQUIRED, proc_apply },
  { "binds", A, REQUIRED, mounts_bind_policy },
  { "bubblewrap-entry", A2, REQUIRED, stage_enter },
  { "run-folder-entry", B | U, REQUIRED, run_folder_enter },
  { "container-entry", D, REQUIRED, container_enter },
  { "files", A | A2 | B | U | D, REQUIRED, mounts_write_files },

  /* What it may use. The kernel files need the capabilities that go below. */
  { "namespace-limit", A, REQUIRED, limits_forbid_namespaces },
  { "pid-limit", A, OPTIONAL, limits_set_pid_max },
  { "watch-limit", A, OPTIONAL, limits_set_watches },
  { "socket-buffers", A, OPTIONAL, limits_set_socket_buffers },
  { "core-dumps", A | A2 | B | D, REQUIRED, limits_forbid_core_dumps },
  { "resource-limits", A | A2 | B | D, REQUIRED, limits_set_rlimits },

  /* From here on it can neither see the host nor change a mount. */
  { "proc-read-only", A, REQUIRED, proc_make_read_only },
  { "root-read-only", A, REQUIRED, mounts_make_root_read_only },
  { "pivot-root", A, REQUIRED, mounts_pivot },
  { "landlock", A | A2, REQUIRED, landlock_apply },
  { "capabilities", A, REQUIRED, capabilities_drop },
  { "no-new-privileges", A2 | B | D, REQUIRED, capabilities_forbid },
  { "landlock-rules", B, REQUIRED, landlock_prepare },
  { "signal-scope", B, REQUIRED, landlock_scope },
  { "container-signal-scope", D, OPTIONAL, landlock_scope_inside },
  { "privileges-check", A | A2 | B | D, REQUIRED, capabilities_verify },
  { "handles", A | A2 | B | U | D, REQUIRED, descriptors_open_handles },
  { "shared-call-filter", A | A2 | B | D, REQUIRED, seccomp_shared_apply },
  { "system-call-filter", A | A2 | B | D, REQUIRED, seccomp_filter_apply, SYSTEM_CALLS },
};

#define N_STEPS (sizeof steps / sizeof steps[0])
_Static_assert(N_STEPS <= 64, "struct setup keeps one bit per step");

static bool
must_fail (const struct setup *setup, const char *name)
{
#ifdef FH_RUNNER_TESTS
  return setup->plan->failing_step != NULL && strcmp (setup->plan->failing_step, name) == 0;
#else
  return false;
#endif
}

void
setup_init (struct setup *setup, const struct plan *plan)
{
  *setup = (struct setup){
    .plan = plan,
    .guest_channel = -1,
    .status = -1,
    .root = -1,
    .proc = -1,
    .scratch = -1,
    .workspace = -1,
    .proc_folder = -1,
    .root_handle = -1,
    .listener = -1,
    .dns = -1,
    .proxy = -1,
    .rules = -1,
  };
}

bool
setup_run (struct setup *setup, struct fault *fault)
{
  const unsigned int tier = 1u << setup->plan->policy->tier;

  for (uint32_t i = 0; i < N_STEPS; i++)
    {
      int error;

      if (!(steps[i].tiers & tier) || (steps[i].without & setup->plan->policy->without))
        continue;
      error = must_fail (setup, steps[i].name) ? -EIO : steps[i].apply (setup);
      if (error == 0)
        continue;
      if (steps[i].need == REQUIRED)
        {
          *fault = (struct fault){ .step = i, .error = -error };
          return false;
        }
      setup->skipped |= UINT64_C (1) << i;
    }
  return true;
}

const char *
setup_step_name (uint32_t number)
{
  return number < N_STEPS ? steps[number].name : NULL;
}

bool
setup_was_skipped (uint64_t skipped, const char *name)
{
  for (uint32_t i = 0; i < N_STEPS; i++)
    {
      if (strcmp (steps[i].name, name) == 0)
        return skipped & (UINT64_C (1) << i);
    }
  return false;
}
